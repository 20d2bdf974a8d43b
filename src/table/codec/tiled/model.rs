//! The model of a plane: its contexts and their distributions, as they are
//! stored in a table and as they are used.

use super::alphabet::Alphabet;
use super::ans::{DecodeTable, Distribution, ESCAPE};
use super::contexts::{Contexts, Feature, MAX_CONTEXTS, Tree};
#[cfg(feature = "solve")]
use super::varint::write_number;
use super::varint::{read_byte, read_number};

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
    pub tables: Vec<DecodeTable>,
}

impl Decoding {
    pub fn new(model: &Model, alphabet: Alphabet) -> Decoding {
        Decoding {
            alphabet,
            contexts: Contexts::new(&model.tree, alphabet.levels()),
            tables: model.distributions.iter().map(DecodeTable::new).collect(),
        }
    }
}
