//! The entropy coder: tabled asymmetric numeral systems (Duda 2013), with a
//! distribution for each context.
//!
//! A decoder is always in one of 2^[`LOG`] states. A context's table says for
//! each state which symbol it stands for, and how many bits of the input lead
//! to the next state, so that a symbol costs one look-up: the more states stand
//! for a symbol, the fewer bits it takes. All contexts share the states, so each
//! symbol may come from another table.
//!
//! What a distribution leaves out is written as an escape and eight bits.
//!
//! The encoder works backwards: it writes symbols from the last to the first, and the
//! decoder reads them from the first to the last.

/// Bits of a state's number.
pub(super) const LOG: u32 = 8;
/// How many states there are, and the sum of all shares of a distribution.
pub(super) const STATES: usize = 1 << LOG;
/// The distance between consecutive states of a symbol: odd, so that every state is
/// visited once.
pub(super) const STEP: usize = STATES * 5 / 8 + 3;
/// Stands for every symbol that a distribution leaves out.
pub(super) const ESCAPE: u16 = 256;
/// Bits of a symbol that follows an escape.
pub(super) const PLAIN: u32 = 8;
/// The most bits that a symbol takes.
pub(super) const MAX_BITS: usize = (LOG + PLAIN) as usize;

/// Each symbol's share of the states: symbols (0 to 255, and
/// [`ESCAPE`] last) in ascending order, shares of at least 1 that add up to
/// [`STATES`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Distribution(Vec<(u16, u16)>);

impl Distribution {
    /// `None` unless the symbols and shares are valid.
    pub fn new(shares: Vec<(u16, u16)>) -> Option<Distribution> {
        let ascending = shares.is_sorted_by(|a, b| a.0 < b.0);
        let has_escape = shares.last().is_some_and(|last| last.0 == ESCAPE);
        let sum: usize = shares.iter().map(|&(_, share)| usize::from(share)).sum();
        let good = ascending && has_escape && shares.iter().all(|s| s.1 > 0) && sum == STATES;
        good.then_some(Distribution(shares))
    }

    /// The distribution nearest to the counts of symbols. Symbols that would have less
    /// than half a state are left out.
    #[cfg(feature = "solve")]
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
        Distribution(shares)
    }

    /// Symbols and shares, ascending; the escape is last.
    pub fn shares(&self) -> &[(u16, u16)] {
        &self.0
    }

    /// The symbol that each state stands for. The states of a symbol are spread evenly,
    /// so that a decoder finds one near wherever it comes from.
    pub fn spread(&self) -> Vec<u16> {
        let mut symbols = vec![0; STATES];
        let mut state = 0;
        for &(symbol, share) in &self.0 {
            for _ in 0..share {
                symbols[state] = symbol;
                state = (state + STEP) % STATES;
            }
        }
        symbols
    }
}

/// The share nearest to `count` of `total`, at least 1.
#[cfg(feature = "solve")]
fn share(count: u64, total: u64) -> u16 {
    let nearest = (2 * count * STATES as u64 + total) / (2 * total);
    nearest.clamp(1, STATES as u64) as u16
}

/// A context's table for decoding: a step for each state.
pub(super) struct DecodeTable<S>([S; STATES]);

/// What a state stands for: its symbol, how many bits lead to the next state, and the
/// lowest next state. Steps are small because a probe mainly waits for memory.
pub(super) trait Step: Copy {
    /// The symbol that stands for the escape.
    const ESCAPE: u16;

    /// A step of a symbol; `next` takes nine bits.
    fn new(symbol: u16, next: u16) -> Self;
    fn symbol(self) -> u16;
    fn next(self) -> u16;
}

/// A step of a table whose symbols are below 127, as those of values and bounds.
#[derive(Clone, Copy)]
pub(super) struct NarrowStep(u16);

impl Step for NarrowStep {
    const ESCAPE: u16 = 127;

    fn new(symbol: u16, next: u16) -> NarrowStep {
        NarrowStep(symbol << 9 | next)
    }

    #[inline(always)]
    fn symbol(self) -> u16 {
        self.0 >> 9
    }

    #[inline(always)]
    fn next(self) -> u16 {
        self.0 & 0x1FF
    }
}

/// A step of any table.
#[derive(Clone, Copy)]
pub(super) struct WideStep {
    symbol: u16,
    next: u16,
}

impl Step for WideStep {
    const ESCAPE: u16 = ESCAPE;

    fn new(symbol: u16, next: u16) -> WideStep {
        WideStep { symbol, next }
    }

    #[inline(always)]
    fn symbol(self) -> u16 {
        self.symbol
    }

    #[inline(always)]
    fn next(self) -> u16 {
        self.next
    }
}

impl<S: Step> DecodeTable<S> {
    pub fn new(distribution: &Distribution) -> DecodeTable<S> {
        let mut steps = [S::new(0, 0); STATES];
        // For each symbol its share plus how many of its states were visited so far.
        let mut met = vec![0; usize::from(ESCAPE) + 1];
        for &(symbol, share) in distribution.shares() {
            met[usize::from(symbol)] = u32::from(share);
        }
        for (step, symbol) in steps.iter_mut().zip(distribution.spread()) {
            let x = &mut met[usize::from(symbol)];
            // From the share up to twice the share less one: shifted by this many
            // bits, it is from STATES to 2 · STATES − 1.
            let bits = LOG - x.ilog2();
            let base = (*x << bits) - STATES as u32;
            // The lower bits of the base are 0: the lowest 1 tells how many they are.
            let next = (base << 1 | 1 << bits) as u16;
            let symbol = if symbol == ESCAPE { S::ESCAPE } else { symbol };
            *step = S::new(symbol, next);
            *x += 1;
        }
        DecodeTable(steps)
    }
}

/// Reads symbols, from the first to the last. A decoder of bad input goes on after its end,
/// with what follows, and then with zeros; [`Decoder::is_at`] finds out.
#[derive(Clone, Copy)]
pub(super) struct Decoder<'i> {
    input: &'i [u8],
    /// Bits that are next, the first lowest. Above them may be some of those that follow.
    word: u64,
    /// How many bits `word` holds.
    available: u32,
    /// The byte after those bits.
    next: usize,
    state: usize,
}

/// The most bytes that this many symbols take.
pub(super) const fn max_bytes(symbols: usize) -> usize {
    (LOG as usize + symbols * MAX_BITS).div_ceil(8)
}

/// Symbols that can be read after a [refill](Decoder::refill).
pub(super) const SYMBOLS_PER_REFILL: usize = 56 / MAX_BITS;

impl<'i> Decoder<'i> {
    pub fn new(input: &'i [u8]) -> Decoder<'i> {
        let mut decoder = Decoder {
            input,
            word: 0,
            available: 0,
            next: 0,
            state: 0,
        };
        decoder.refill();
        decoder.state = decoder.word as usize % STATES;
        decoder.word >>= LOG;
        decoder.available -= LOG;
        decoder
    }

    /// The next symbol. There must have been a refill at most [`SYMBOLS_PER_REFILL`] symbols
    /// ago, this one included.
    #[inline(always)]
    pub fn symbol<S: Step>(&mut self, table: &DecodeTable<S>) -> u8 {
        let step = table.0[self.state % STATES];
        let mut symbol = step.symbol();
        if symbol == S::ESCAPE {
            symbol = escaped(self.word);
            self.word >>= PLAIN;
            self.available -= PLAIN;
        }
        // A 1 below the base stands for the bits that follow.
        let next = u32::from(step.next());
        let less = next.wrapping_sub(1);
        let (base, mask) = ((next & less) >> 1, (next ^ less) >> 1);
        self.state = (base | self.word as u32 & mask) as usize;
        // The highest bit changes nothing: bits are at most eight.
        let bits = (next | 1 << LOG).trailing_zeros();
        self.word >>= bits;
        self.available -= bits;
        // At most 255.
        symbol as u8
    }

    /// Reads as many whole bytes as fit into the word: it then has 56 bits or more. Without
    /// a branch that depends on how many it had, which a processor could not predict.
    #[inline(always)]
    pub fn refill(&mut self) {
        let rest = self.input.get(self.next..).unwrap_or(&[]);
        let bytes = match rest.first_chunk() {
            Some(&bytes) => bytes,
            None => last_bytes(rest),
        };
        // Bits of the next byte that are there already are set again.
        self.word |= u64::from_le_bytes(bytes) << self.available;
        let taken = (63 - self.available) / 8;
        self.next += taken as usize;
        self.available += 8 * taken;
    }

    /// Whether exactly this many bytes of the input were read: the last symbol ended in the
    /// last of them, the bits left there are 0, and the state is the encoder's first.
    pub fn is_at(&self, end: usize) -> bool {
        let read = 8 * self.next - self.available as usize;
        let left = self.word % (1 << (read.next_multiple_of(8) - read));
        read.div_ceil(8) == end && left == 0 && self.state == 0
    }
}

/// The symbol that follows an escape. Cold, so that the compiler does not compute it always.
#[cold]
fn escaped(word: u64) -> u16 {
    (word % (1 << PLAIN)) as u16
}

/// Fewer than eight bytes, then zeros.
#[cold]
fn last_bytes(rest: &[u8]) -> [u8; 8] {
    std::array::from_fn(|i| rest.get(i).copied().unwrap_or(0))
}

/// A context's table for encoding.
#[cfg(feature = "solve")]
pub(super) struct EncodeTable {
    /// For each symbol: its share, and where its states begin in `states`. A symbol
    /// with a share of 0 is escaped.
    symbols: Vec<(u16, u16)>,
    states: Vec<u16>,
}

#[cfg(feature = "solve")]
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
#[cfg(feature = "solve")]
pub(super) struct Encoder {
    state: u32,
    /// The bits that the decoder will read for each symbol, and how many, the last
    /// symbol first.
    output: Vec<(u32, u32)>,
}

#[cfg(feature = "solve")]
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

#[cfg(all(test, feature = "solve"))]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
    fn read<S: Step>(decoder: &mut Decoder, number: usize, table: &DecodeTable<S>) -> u8 {
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
