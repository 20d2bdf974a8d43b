//! The model of a plane: its contexts and their distributions, as they are
//! stored in a table and as they are used.
//!
//! The stored bytes of models and tiles have numbers below 2^14 in one or two bytes: up
//! to 127 one; else two, the lower seven bits first with the highest bit set.

use super::alphabet::Alphabet;
use super::ans::{DecodeTable, Distribution, ESCAPE, NarrowStep, WideStep};
use super::contexts::{Contexts, Feature, MAX_CONTEXTS, Tree};

/// What the entries of a plane are predicted with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Model {
    pub tree: Tree,
    /// One for each context.
    pub distributions: Vec<Distribution>,
}

/// The number of a node that is a context; lower numbers are features.
pub(super) const CONTEXT: u8 = 7;

impl Model {
    /// The tree, node by node from left to right, then the distributions.
    #[cfg(feature = "solve")]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        write_tree(&self.tree, &mut out);
        for distribution in &self.distributions {
            let shares = distribution.shares();
            write_number(shares.len() - 1, &mut out);
            let mut before = 0;
            for &(symbol, share) in shares {
                if symbol != ESCAPE {
                    write_number(usize::from(symbol - before), &mut out);
                    before = symbol;
                }
                write_number(usize::from(share), &mut out);
            }
        }
        out
    }

    /// Takes a model from the front of some bytes; `None` if it is not sound.
    pub fn from_bytes(bytes: &mut &[u8], alphabet: Alphabet) -> Option<Model> {
        let mut contexts = 0;
        let tree = read_tree(bytes, &mut contexts, MAX_CONTEXTS)?;
        let distribution = |_| {
            let count = read_number(bytes)?;
            if count > u16::from(alphabet.most()) + 1 {
                return None;
            }
            let mut shares = Vec::with_capacity(usize::from(count) + 1);
            let mut symbol = 0;
            for _ in 0..count {
                symbol += read_number(bytes)?;
                if symbol > u16::from(alphabet.most()) {
                    return None;
                }
                shares.push((symbol, read_number(bytes)?));
            }
            shares.push((ESCAPE, read_number(bytes)?));
            Distribution::new(shares)
        };
        let distributions = (0..contexts).map(distribution).collect::<Option<_>>()?;
        Some(Model {
            tree,
            distributions,
        })
    }
}

#[cfg(feature = "solve")]
fn write_tree(tree: &Tree, out: &mut Vec<u8>) {
    match tree {
        Tree::Context(_) => out.push(CONTEXT),
        Tree::Split {
            feature,
            most,
            branches,
        } => {
            let number = Feature::ALL.iter().position(|f| f == feature);
            out.push(number.expect("a feature is one of all") as u8);
            out.push(*most);
            branches.iter().for_each(|branch| write_tree(branch, out));
        }
    }
}

/// Reads a tree with at most `limit` contexts, which are numbered from `contexts`
/// on.
fn read_tree(bytes: &mut &[u8], contexts: &mut usize, limit: usize) -> Option<Tree> {
    let node = read_byte(bytes)?;
    if node == CONTEXT {
        let number = *contexts as u8;
        *contexts += 1;
        return (limit > 0).then_some(Tree::Context(number));
    }
    let feature = *Feature::ALL.get(usize::from(node))?;
    let most = read_byte(bytes)?;
    // Each branch has at least one context, so this bounds the depth too.
    let before = *contexts;
    let left = read_tree(bytes, contexts, limit.checked_sub(1)?)?;
    let right = read_tree(bytes, contexts, limit.checked_sub(*contexts - before)?)?;
    Some(Tree::Split {
        feature,
        most,
        branches: Box::new([left, right]),
    })
}

/// A model made ready for decoding.
pub(super) struct Decoding {
    pub alphabet: Alphabet,
    pub contexts: Contexts,
    pub tables: DecodeTables,
}

/// The tables of all contexts.
pub(super) enum DecodeTables {
    /// Of values and bounds, whose symbols are at most 96.
    Narrow(Vec<DecodeTable<NarrowStep>>),
    /// Of distances.
    Wide(Vec<DecodeTable<WideStep>>),
}

impl Decoding {
    pub fn new(model: &Model, alphabet: Alphabet) -> Decoding {
        let distributions = model.distributions.iter();
        Decoding {
            alphabet,
            contexts: Contexts::new(&model.tree, alphabet.levels()),
            tables: match alphabet.is_signed {
                true => DecodeTables::Narrow(distributions.map(DecodeTable::new).collect()),
                false => DecodeTables::Wide(distributions.map(DecodeTable::new).collect()),
            },
        }
    }
}

/// Appends a number to some bytes.
#[cfg(feature = "solve")]
pub(super) fn write_number(number: usize, out: &mut Vec<u8>) {
    assert!(number < 1 << 14, "a number of at most two bytes");
    if number >= 0x80 {
        out.push(number as u8 | 0x80);
        out.push((number >> 7) as u8);
    } else {
        out.push(number as u8);
    }
}

/// Takes a number from the front of some bytes; `None` if there is none, or if its
/// second byte is not needed or too large.
#[inline]
pub(super) fn read_number(bytes: &mut &[u8]) -> Option<u16> {
    let low = read_byte(bytes)?;
    if low < 0x80 {
        return Some(low.into());
    }
    let high = read_byte(bytes)?;
    (1..0x80)
        .contains(&high)
        .then_some(u16::from(low & 0x7F) | u16::from(high) << 7)
}

#[inline]
fn read_byte(bytes: &mut &[u8]) -> Option<u8> {
    let (&first, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(first)
}

#[cfg(all(test, feature = "solve"))]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_read_back() {
        for number in 0..1 << 14 {
            let mut bytes = Vec::new();
            write_number(number, &mut bytes);
            let mut rest = &bytes[..];
            assert_eq!(read_number(&mut rest).map(usize::from), Some(number));
            assert!(rest.is_empty());
        }
    }

    #[test]
    fn other_bytes_are_refused() {
        for bytes in [&[][..], &[0x80], &[0x80, 0], &[0xFF, 0x80]] {
            assert_eq!(read_number(&mut &bytes[..]), None, "{bytes:?}");
        }
    }
}
