//! The entropy coder's writing half: distributions of counts, and the encoder that
//! `codec/tiled/decode.rs` reads.
//!
//! The encoder works backwards: it writes symbols from the last to the first, and the
//! decoder reads them from the first to the last.

use crate::table::codec::tiled::distribution::{Distribution, ESCAPE, LOG, PLAIN, STATES};

impl Distribution {
    /// The distribution nearest to the counts of symbols. Symbols that would have less
    /// than half a state are left out.
    pub fn of_counts(counts: &[u64]) -> Distribution {
        let total: u64 = counts.iter().sum();
        let states = STATES as u64;
        let mut shares = Vec::new();
        let mut escaped = 0;
        for (symbol, &count) in (0_u16..).zip(counts) {
            if 2 * count * states < total {
                escaped += count;
            } else if count > 0 {
                shares.push((symbol, share(count, total)));
            }
        }
        shares.push((ESCAPE, share(escaped, total.max(1))));
        // The largest share absorbs what rounding added or lost: it matters least
        // there.
        let mut sum: usize = shares.iter().map(|&(_, share)| usize::from(share)).sum();
        while sum != STATES {
            let largest = shares.iter_mut().max_by_key(|(_, share)| *share);
            let (_, largest) = largest.expect("there is the escape");
            if sum < STATES {
                *largest += (STATES - sum) as u16;
                sum = STATES;
            } else {
                *largest -= 1;
                sum -= 1;
            }
        }
        Distribution::new(shares).expect("each has a share, and the shares add up")
    }
}

/// The share nearest to `count` of `total`, at least 1.
fn share(count: u64, total: u64) -> u16 {
    let nearest = (2 * count * STATES as u64 + total) / (2 * total);
    nearest.clamp(1, STATES as u64) as u16
}

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

    use super::*;
    use crate::table::codec::tiled::decode::{
        DecodeStep, DecodeTable, Decoder, NarrowStep, SYMBOLS_PER_REFILL, WideStep, max_bytes,
    };

    const MAX: usize = 300;

    fn write(tables: &[EncodeTable], symbols: &[(usize, u8)]) -> Vec<u8> {
        let mut encoder = Encoder::new();
        for &(context, symbol) in symbols.iter().rev() {
            encoder.symbol(&tables[context], symbol);
        }
        let mut out = Vec::new();
        encoder.finish(&mut out);
        out
    }

    /// The symbol with this number.
    fn read<S: DecodeStep>(decoder: &mut Decoder, number: usize, table: &DecodeTable<S>) -> u8 {
        if number.is_multiple_of(SYMBOLS_PER_REFILL) {
            decoder.refill();
        }
        decoder.symbol(table)
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
            let decode: Vec<_> = distributions.iter().map(DecodeTable::<WideStep>::new).collect();
            let bytes = write(&encode, &symbols);
            prop_assert!(bytes.len() <= max_bytes(symbols.len()));
            // What follows does not matter.
            for following in [&[][..], &[0xFF; 9]] {
                let input = [&bytes, following].concat();
                let mut decoder = Decoder::new(&input);
                for (number, &(context, symbol)) in symbols.iter().enumerate() {
                    prop_assert_eq!(read(&mut decoder, number, &decode[context]), symbol);
                }
                prop_assert!(decoder.is_at(bytes.len()));
            }
        }

        #[test]
        fn distributions_of_counts_are_valid(counts in prop::collection::vec(0_u64..1 << 40, 0..256)) {
            let distribution = Distribution::of_counts(&counts);
            let again = Distribution::new(distribution.shares().to_vec());
            prop_assert_eq!(again, Some(distribution));
        }

        #[test]
        fn any_input_is_read_without_panic(input in prop::collection::vec(any::<u8>(), 0..max_bytes(MAX) + 10)) {
            let table = DecodeTable::<NarrowStep>::new(&Distribution::of_counts(&[7, 0, 90, 3]));
            let mut decoder = Decoder::new(&input);
            for number in 0..MAX {
                read(&mut decoder, number, &table);
            }
        }
    }

    /// Bits of the last byte that no symbol uses must be 0.
    #[test]
    fn unused_bits_are_checked() {
        let distribution = Distribution::of_counts(&[7, 0, 90, 3]);
        let (encode, decode) = (
            [EncodeTable::new(&distribution)],
            DecodeTable::<NarrowStep>::new(&distribution),
        );
        let mut ends = Vec::new();
        for length in 0..40 {
            let mut bytes = write(&encode, &vec![(0, 2); length]);
            for bit in (0..8).rev() {
                *bytes.last_mut().unwrap() ^= 1 << bit;
                let mut decoder = Decoder::new(&bytes);
                let same = (0..length).all(|number| read(&mut decoder, number, &decode) == 2);
                ends.push(same && decoder.is_at(bytes.len()));
                *bytes.last_mut().unwrap() ^= 1 << bit;
            }
        }
        assert!(!ends.contains(&true));
    }
}
