//! The encoder of [`ans`](super::ans): it writes symbols from the last to the first,
//! and the decoder reads them from the first to the last.

use super::ans::{Distribution, ESCAPE, LOG, PLAIN, STATES};

/// A context's table for encoding.
pub(super) struct EncodeTable {
    /// For each symbol: its share, and where its states begin in `states`. A symbol
    /// with a share of 0 is escaped.
    symbols: Vec<(u16, u16)>,
    states: Vec<u16>,
}

impl EncodeTable {
    pub fn new(distribution: &Distribution) -> EncodeTable {
        let mut symbols = vec![(0, 0); usize::from(ESCAPE) + 1];
        let mut start = 0;
        for &(symbol, share) in distribution.shares() {
            symbols[usize::from(symbol)] = (share, start);
            start += share;
        }
        let mut met: Vec<u16> = symbols.iter().map(|&(_, start)| start).collect();
        let mut states = vec![0; STATES];
        for (state, symbol) in (0..).zip(distribution.spread()) {
            let next = &mut met[usize::from(symbol)];
            states[usize::from(*next)] = state;
            *next += 1;
        }
        EncodeTable { symbols, states }
    }
}

/// Writes symbols, from the last to the first.
pub(super) struct Encoder {
    state: u32,
    /// The bits that the decoder will read for each symbol, and how many, the last
    /// symbol first.
    output: Vec<(u32, u32)>,
}

impl Encoder {
    pub fn new() -> Encoder {
        Encoder {
            state: 0,
            output: Vec::new(),
        }
    }

    /// Writes a symbol in front of those written so far.
    #[inline]
    pub fn symbol(&mut self, table: &EncodeTable, symbol: u8) {
        let (mut share, mut start) = table.symbols[usize::from(symbol)];
        let is_escaped = share == 0;
        if is_escaped {
            (share, start) = table.symbols[usize::from(ESCAPE)];
        }
        let state = self.state + STATES as u32;
        // As many as leave from the share up to twice the share less one.
        let mut bits = LOG - u32::from(share).ilog2();
        bits -= u32::from(state >> bits < u32::from(share));
        let number = usize::from(start) + (state >> bits) as usize - usize::from(share);
        self.state = u32::from(table.states[number]);
        let low = state & ((1 << bits) - 1);
        self.output.push(match is_escaped {
            false => (low, bits),
            true => (u32::from(symbol) | low << PLAIN, bits + PLAIN),
        });
    }

    /// Appends everything to `out` and starts anew.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        let mut word = u64::from(self.state);
        let mut filled = LOG;
        for (number, bits) in self.output.drain(..).rev() {
            word |= u64::from(number) << filled;
            filled += bits;
            while filled >= 8 {
                out.push(word as u8);
                word >>= 8;
                filled -= 8;
            }
        }
        if filled > 0 {
            out.push(word as u8);
        }
        self.state = 0;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::ans::{DecodeTable, Decoder, decoder_bytes, max_bytes};
    use super::*;

    const MAX: usize = 300;
    const BYTES: usize = decoder_bytes(MAX);

    fn write(tables: &[EncodeTable], symbols: &[(usize, u8)]) -> Vec<u8> {
        let mut encoder = Encoder::new();
        for &(context, symbol) in symbols.iter().rev() {
            encoder.symbol(&tables[context], symbol);
        }
        let mut out = Vec::new();
        encoder.finish(&mut out);
        out
    }

    proptest! {
        /// Whatever the distributions and symbols are.
        #[test]
        fn decoder_reads_what_the_encoder_wrote(
            counts in prop::collection::vec(prop::collection::vec(0_u64..1000, 1..256), 3),
            symbols in prop::collection::vec((0_usize..3, any::<u8>()), 0..MAX),
        ) {
            let distributions: Vec<_> =
                counts.iter().map(|counts| Distribution::of_counts(counts)).collect();
            let encode: Vec<_> = distributions.iter().map(EncodeTable::new).collect();
            let decode: Vec<_> = distributions.iter().map(DecodeTable::new).collect();
            let bytes = write(&encode, &symbols);
            prop_assert!(bytes.len() <= max_bytes(symbols.len()));
            let mut decoder = Decoder::<BYTES>::new(&bytes).unwrap();
            for &(context, symbol) in &symbols {
                prop_assert_eq!(decoder.symbol(&decode[context]), symbol);
            }
            prop_assert!(decoder.is_at_end());
        }

        #[test]
        fn distributions_of_counts_are_valid(counts in prop::collection::vec(0_u64..1 << 40, 0..256)) {
            let distribution = Distribution::of_counts(&counts);
            let again = Distribution::new(distribution.shares().to_vec());
            prop_assert_eq!(again, Some(distribution));
        }

        #[test]
        fn any_input_is_read_without_panic(input in prop::collection::vec(any::<u8>(), 0..BYTES + 10)) {
            let table = DecodeTable::new(&Distribution::of_counts(&[7, 0, 90, 3]));
            if let Some(mut decoder) = Decoder::<BYTES>::new(&input) {
                for _ in 0..MAX {
                    decoder.symbol(&table);
                }
            }
        }
    }

    /// Bits of the last byte that no symbol uses must be 0.
    #[test]
    fn unused_bits_are_checked() {
        let distribution = Distribution::of_counts(&[7, 0, 90, 3]);
        let (encode, decode) = (
            [EncodeTable::new(&distribution)],
            DecodeTable::new(&distribution),
        );
        let mut ends = Vec::new();
        for length in 0..40 {
            let mut bytes = write(&encode, &vec![(0, 2); length]);
            for bit in (0..8).rev() {
                *bytes.last_mut().unwrap() ^= 1 << bit;
                let mut decoder = Decoder::<BYTES>::new(&bytes).unwrap();
                let same = (0..length).all(|_| decoder.symbol(&decode) == 2);
                ends.push(same && decoder.is_at_end());
                *bytes.last_mut().unwrap() ^= 1 << bit;
            }
        }
        assert!(!ends.contains(&true));
    }

    /// A skewed source takes little more than its entropy.
    #[test]
    #[allow(clippy::cast_precision_loss)]
    fn a_skewed_source_comes_near_its_entropy() {
        let counts = [900_u64, 60, 25, 10, 5];
        let total = 1000.0;
        let entropy: f64 = counts
            .iter()
            .map(|&c| c as f64 / total)
            .map(|p| -p * p.log2())
            .sum();
        let distribution = Distribution::of_counts(&counts);
        let mut symbols = Vec::new();
        for round in 0..20 {
            for (symbol, &count) in (0..).zip(&counts) {
                symbols.extend(vec![(0, symbol); (count + round) as usize / 20]);
            }
        }
        let bytes = write(&[EncodeTable::new(&distribution)], &symbols);
        let bits = bytes.len() as f64 * 8.0 / symbols.len() as f64;
        assert!(bits < entropy * 1.06, "{bits} for {entropy}");
    }

    #[test]
    fn invalid_distributions_are_refused() {
        let all = STATES as u16;
        for good in [
            vec![(3, all - 24), (ESCAPE, 24)],
            vec![(0, 1), (255, all - 2), (ESCAPE, 1)],
            vec![(ESCAPE, all)],
        ] {
            assert!(Distribution::new(good).is_some());
        }
        for bad in [
            vec![],
            vec![(3, all)],
            vec![(3, all - 24), (ESCAPE, 23)],
            vec![(3, all - 24), (ESCAPE, 25)],
            vec![(3, all), (ESCAPE, 0)],
            vec![(3, 0), (ESCAPE, all)],
            vec![(4, 50), (3, all - 51), (ESCAPE, 1)],
            vec![(3, 50), (3, all - 51), (ESCAPE, 1)],
            vec![(3, all - 24), (ESCAPE, 24), (300, 0)],
            // A sum that would be right in sixteen bits.
            vec![(3, u16::MAX), (4, all), (ESCAPE, 1)],
        ] {
            assert_eq!(Distribution::new(bad.clone()), None, "{bad:?}");
        }
    }
}
