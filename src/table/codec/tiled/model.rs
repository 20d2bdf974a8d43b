//! The model of a plane, read from the bytes of a table: contexts and their distributions.
//!
//! The stored bytes of models and tiles have numbers below 2^14 in one or two bytes: up
//! to 127 one; else two, the lower seven bits first with the highest bit set.

use super::alphabet::Alphabet;
use super::contexts::{ContextTree, Feature, MAX_CONTEXTS};
use super::distribution::{Distribution, ESCAPE};

/// What the entries of a plane are predicted with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::table) struct Model {
    pub tree: ContextTree,
    /// One for each context.
    pub distributions: Vec<Distribution>,
}

/// The number of a node that is a context; lower numbers are features.
pub(in crate::table) const CONTEXT: u8 = 7;

impl Model {
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

/// Reads a tree with at most `limit` contexts, which are numbered from `contexts`
/// on.
fn read_tree(bytes: &mut &[u8], contexts: &mut usize, limit: usize) -> Option<ContextTree> {
    let node = read_byte(bytes)?;
    if node == CONTEXT {
        let number = *contexts as u8;
        *contexts += 1;
        return (limit > 0).then_some(ContextTree::Context(number));
    }
    let feature = *Feature::ALL.get(usize::from(node))?;
    let most = read_byte(bytes)?;
    // Each branch has at least one context, so this bounds the depth too.
    let before = *contexts;
    let left = read_tree(bytes, contexts, limit.checked_sub(1)?)?;
    let right = read_tree(bytes, contexts, limit.checked_sub(*contexts - before)?)?;
    Some(ContextTree::Split {
        feature,
        most,
        branches: Box::new([left, right]),
    })
}

/// Takes a number from the front of some bytes; `None` if there is none, or if its
/// second byte is not needed or too large.
#[inline]
pub(in crate::table) fn read_number(bytes: &mut &[u8]) -> Option<u16> {
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
