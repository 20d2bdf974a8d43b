//! Binomial coefficients, computed at compile time.

/// The largest upper index needed: C(48 + 11, 11) boards with 48 seeds.
const UPPER: usize = 60;
/// The largest lower index needed.
const LOWER: usize = 12;

const PASCAL: [[u64; LOWER + 1]; UPPER] = {
    let mut c = [[0; LOWER + 1]; UPPER];
    let mut n = 0;
    while n < UPPER {
        c[n][0] = 1;
        let mut k = 1;
        while k <= LOWER && k <= n {
            c[n][k] = c[n - 1][k - 1] + c[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    c
};

/// C(n, k), the number of ways to choose `k` of `n` items; `n` below 60 and
/// `k` at most 12.
pub(super) const fn binomial(n: usize, k: usize) -> u64 {
    PASCAL[n][k]
}

/// Ways to place `seeds` seeds in `pits` pits, at least one pit.
pub(super) const fn ways(seeds: u8, pits: usize) -> u64 {
    binomial(seeds as usize + pits - 1, pits - 1)
}

/// A count of rows, at most C(53, 5) = 2,869,685.
pub(super) fn narrow(count: u64) -> u32 {
    u32::try_from(count).expect("there are fewer than 2^32 rows of any number of seeds")
}
