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

/// A context's table for decoding: for each state its symbol, how many bits lead to
/// the next state, and the lowest next state.
pub(super) struct DecodeTable([Step; STATES]);

#[derive(Clone, Copy, Default)]
struct Step {
    symbol: u16,
    /// The next state's number without the bits, in the upper twelve bits, and how many
    /// bits there are in the lower four.
    next: u16,
}

impl DecodeTable {
    pub fn new(distribution: &Distribution) -> DecodeTable {
        let mut steps = [Step::default(); STATES];
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
            *step = Step {
                symbol,
                next: (base << 4 | bits) as u16,
            };
            *x += 1;
        }
        DecodeTable(steps)
    }
}

/// Reads symbols. After the end of the input come zeros, so that a decoder of bad
/// input goes on; [`Decoder::is_at_end`] finds out.
pub(super) struct Decoder<const BYTES: usize> {
    bytes: [u8; BYTES],
    length: usize,
    /// Bits that are next, the first lowest.
    word: u64,
    /// How many bits `word` holds.
    available: u32,
    /// The byte after those bits.
    next: usize,
    state: usize,
}

/// The size of the buffer of a [`Decoder`] of this many symbols.
pub(super) const fn decoder_bytes(symbols: usize) -> usize {
    max_bytes(symbols) + 8
}

/// The most bytes that this many symbols take.
pub(super) const fn max_bytes(symbols: usize) -> usize {
    (LOG as usize + symbols * MAX_BITS).div_ceil(8)
}

impl<const BYTES: usize> Decoder<BYTES> {
    /// A decoder of at most as many symbols as `BYTES` is the [`decoder_bytes`] of.
    /// `None` if the input is longer than they can be.
    pub fn new(input: &[u8]) -> Option<Decoder<BYTES>> {
        let mut bytes = [0; BYTES];
        bytes[..BYTES - 8]
            .get_mut(..input.len())?
            .copy_from_slice(input);
        let mut decoder = Decoder {
            bytes,
            length: input.len(),
            word: 0,
            available: 0,
            next: 0,
            state: 0,
        };
        decoder.state = decoder.bits(LOG);
        Some(decoder)
    }

    /// The next symbol.
    #[inline(always)]
    pub fn symbol(&mut self, table: &DecodeTable) -> u8 {
        let Step { symbol, next } = table.0[self.state % STATES];
        // At most 255 unless it is the escape.
        let mut symbol = symbol;
        if symbol == ESCAPE {
            symbol = self.bits(PLAIN) as u16;
        }
        self.state = usize::from(next >> 4) + self.bits(u32::from(next & 15));
        symbol as u8
    }

    /// The next `count` bits of the input, at most 16.
    #[inline(always)]
    fn bits(&mut self, count: u32) -> usize {
        if self.available < 16 {
            self.refill();
        }
        let bits = self.word & ((1 << count) - 1);
        self.word >>= count;
        self.available -= count;
        bits as usize
    }

    #[cold]
    #[inline(never)]
    fn refill(&mut self) {
        // As many whole bytes as fit into the word.
        let from = self.next.min(BYTES - 8);
        let bytes = u64::from_le_bytes(std::array::from_fn(|i| self.bytes[from + i]));
        self.word |= bytes << self.available;
        let taken = (63 - self.available) / 8;
        self.next += taken as usize;
        self.available += 8 * taken;
        self.word &= (1 << self.available) - 1;
    }

    /// Whether exactly the whole input was read: the last symbol ended in its last
    /// byte, the bits left there are 0, and the state is the encoder's first.
    pub fn is_at_end(&self) -> bool {
        let read = 8 * self.next - self.available as usize;
        read.div_ceil(8) == self.length && self.word == 0 && self.state == 0
    }
}
