//! Distributions: how the states of the entropy coder are shared out among symbols.
//!
//! `decode.rs` says how states and symbols make a code. A symbol without a share is written
//! as an escape and eight bits.

/// Bits of a state's number.
pub(in crate::table) const LOG: u32 = 8;
/// How many states there are, and the sum of all shares of a distribution.
pub(in crate::table) const STATES: usize = 1 << LOG;
/// The distance between consecutive states of a symbol: odd, so that every state is
/// visited once.
pub(in crate::table) const STEP: usize = STATES * 5 / 8 + 3;
/// Stands for every symbol that a distribution leaves out.
pub(in crate::table) const ESCAPE: u16 = 256;
/// Bits of a symbol that follows an escape.
pub(in crate::table) const PLAIN: u32 = 8;
/// The most bits that a symbol takes.
pub(in crate::table) const MAX_BITS: usize = (LOG + PLAIN) as usize;

/// Each symbol's share of the states: symbols (0 to 255, and
/// [`ESCAPE`] last) in ascending order, shares of at least 1 that add up to
/// [`STATES`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::table) struct Distribution(Vec<(u16, u16)>);

impl Distribution {
    /// `None` unless the symbols and shares are valid.
    pub fn new(shares: Vec<(u16, u16)>) -> Option<Distribution> {
        let ascending = shares.is_sorted_by(|a, b| a.0 < b.0);
        let has_escape = shares.last().is_some_and(|last| last.0 == ESCAPE);
        let sum: usize = shares.iter().map(|&(_, share)| usize::from(share)).sum();
        let good = ascending && has_escape && shares.iter().all(|s| s.1 > 0) && sum == STATES;
        good.then_some(Distribution(shares))
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

#[cfg(test)]
mod tests {
    use super::*;

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
