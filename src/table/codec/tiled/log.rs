//! Logarithms in fixed point, the same to the last bit on every machine.
//!
//! The bytes of a table depend on them, and `f64::log2` may differ between
//! platforms.

/// Fractional bits of the numbers in a [`LogTable`]. With counts up to 2^18 the
/// sums that `train` makes stay below 2^63.
pub(super) const FRACTION: u32 = 40;

/// `n · log₂ n` for small `n`, in fixed point; 0 for 0.
pub(super) struct LogTable(Vec<i64>);

impl LogTable {
    /// A table up to `max`, at most 2^18.
    pub fn new(max: usize) -> LogTable {
        assert!(max <= 1 << 18, "counts up to {max}");
        // The logarithm of a composite number is the sum of those of its factors, so
        // that products are exact.
        let mut logs = vec![0; max + 1];
        // The least prime factor of each number; 0 for primes.
        let mut factors = vec![0; max + 1];
        for n in 2..=max {
            let factor = factors[n];
            if factor > 0 {
                logs[n] = logs[factor] + logs[n / factor];
                continue;
            }
            logs[n] = log2(n as u64);
            for multiple in (n.saturating_mul(n)..=max).step_by(n) {
                if factors[multiple] == 0 {
                    factors[multiple] = n;
                }
            }
        }
        for (n, log) in (0..).zip(&mut logs) {
            *log *= n;
        }
        LogTable(logs)
    }

    /// `count · log₂ count`.
    #[inline]
    pub fn times_log(&self, count: u32) -> i64 {
        self.0[count as usize]
    }
}

/// The binary logarithm of a number from 1 to 2^32, rounded to the nearest.
fn log2(number: u64) -> i64 {
    /// The mantissa's fractional bits.
    const ONE: u32 = 62;
    let whole = number.ilog2();
    let mut mantissa = u128::from(number) << (ONE - whole);
    let mut log = i64::from(whole);
    // Squaring the mantissa doubles its logarithm: the next bit is 1 if the square
    // is 2 or more. One bit more than needed, for rounding.
    for _ in 0..=FRACTION {
        mantissa = (mantissa * mantissa) >> ONE;
        let bit = mantissa >> (ONE + 1);
        mantissa >>= bit;
        log = log << 1 | bit as i64;
    }
    (log + 1) >> 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::cast_precision_loss)]
    fn logarithms_match_floating_point() {
        const MAX: u32 = 1 << 18;
        let table = LogTable::new(MAX as usize);
        let one = (1_i64 << FRACTION) as f64;
        assert_eq!(table.times_log(0), 0);
        for count in 1..=MAX {
            let expected = f64::from(count) * f64::from(count).log2();
            let error = table.times_log(count) as f64 / one - expected;
            assert!(error.abs() < 1e-5, "{count}: {error}");
        }
    }

    #[test]
    fn powers_and_products_are_exact() {
        let table = LogTable::new(1 << 10);
        for power in 0..=10 {
            let expected = i64::from(power) << (FRACTION + power);
            assert_eq!(table.times_log(1 << power), expected);
        }
        for (a, b) in [(3, 7), (6, 35), (31, 33), (2, 511)] {
            let log = |n: u32| table.times_log(n) / i64::from(n);
            assert_eq!(log(a * b), log(a) + log(b));
        }
    }

    #[test]
    fn small_tables_agree_with_large_ones() {
        let large = LogTable::new(5000);
        for max in [0, 1, 2, 3, 4, 100, 127, 128] {
            let small = LogTable::new(max);
            for count in 0..=max as u32 {
                assert_eq!(small.times_log(count), large.times_log(count));
            }
        }
    }
}
