//! The model of a plane: its contexts and their distributions, as they are
//! stored in a table and as they are used.

use super::alphabet::Alphabet;
use super::ans::{DecodeTable, Distribution, ESCAPE, EncodeTable};
use super::contexts::{Contexts, Feature, MAX_CONTEXTS, Tree};

/// What the entries of a plane are predicted with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Model {
    pub tree: Tree,
    /// One for each context.
    pub distributions: Vec<Distribution>,
}

/// The number of a node that is a context; others are those of features.
pub(super) const CONTEXT: u8 = 7;

impl Model {
    /// The tree, node by node from left to right, then the distributions.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        write_tree(&self.tree, &mut out);
        for distribution in &self.distributions {
            let shares = distribution.shares();
            write_number(shares.len() as u16 - 1, &mut out);
            let mut before = 0;
            for &(symbol, share) in shares {
                if symbol != ESCAPE {
                    write_number(symbol - before, &mut out);
                    before = symbol;
                }
                write_number(share, &mut out);
            }
        }
        out
    }

    /// Takes a model from the front of some bytes; `None` if there is none that
    /// is sound.
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

/// Reads a tree with at most `room` contexts, which are numbered from `contexts`
/// on.
fn read_tree(bytes: &mut &[u8], contexts: &mut usize, room: usize) -> Option<Tree> {
    let node = take(bytes)?;
    if node == CONTEXT {
        let number = *contexts as u8;
        *contexts += 1;
        return (room > 0).then_some(Tree::Context(number));
    }
    let feature = *Feature::ALL.get(usize::from(node))?;
    let most = take(bytes)?;
    // Each branch has a context at least: so the depth is bounded too.
    let before = *contexts;
    let left = read_tree(bytes, contexts, room.checked_sub(1)?)?;
    let right = read_tree(bytes, contexts, room.checked_sub(*contexts - before)?)?;
    Some(Tree::Split {
        feature,
        most,
        branches: Box::new([left, right]),
    })
}

/// Seven bits a byte, the lowest first; the highest bit says that more follow.
fn write_number(mut number: u16, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// At most two bytes, as all numbers in a model are below 2^14, and the second
/// only where one is not enough.
fn read_number(bytes: &mut &[u8]) -> Option<u16> {
    let low = take(bytes)?;
    if low < 0x80 {
        return Some(u16::from(low));
    }
    let high = take(bytes)?;
    (1..0x80)
        .contains(&high)
        .then_some(u16::from(low & 0x7F) | u16::from(high) << 7)
}

fn take(bytes: &mut &[u8]) -> Option<u8> {
    let (&first, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(first)
}

/// A model made ready for decoding.
pub(in super::super) struct Decoding {
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

/// A model made ready for encoding.
pub(in super::super) struct Encoding {
    pub alphabet: Alphabet,
    pub contexts: Contexts,
    pub tables: Vec<EncodeTable>,
    /// For each context and each symbol: the one of these up to it (a value or
    /// a bound) or of all (a distance) that takes the fewest bits.
    cheapest: Vec<u8>,
}

impl Encoding {
    pub fn new(model: &Model, alphabet: Alphabet) -> Encoding {
        let cheapest = model.distributions.iter();
        Encoding {
            alphabet,
            contexts: Contexts::new(&model.tree, alphabet.levels()),
            tables: model.distributions.iter().map(EncodeTable::new).collect(),
            cheapest: cheapest.flat_map(|d| cheapest_of(d, alphabet)).collect(),
        }
    }

    /// What to write for a free entry.
    #[inline]
    pub fn free(&self, context: u8, symbol: u8) -> u8 {
        self.cheapest[usize::from(context) * 256 + usize::from(symbol)]
    }
}

fn cheapest_of(distribution: &Distribution, alphabet: Alphabet) -> [u8; 256] {
    // What no share is known of takes an escape, whichever it is.
    let mut cheapest = std::array::from_fn(|symbol| symbol as u8);
    let mut known = distribution.shares().iter().peekable();
    let mut best = None;
    for (symbol, cheapest) in (0_u16..).zip(&mut cheapest) {
        if let Some(&(_, share)) = known.next_if(|&&(next, _)| next == symbol)
            && best.is_none_or(|(_, most)| share > most)
        {
            best = Some((symbol as u8, share));
        }
        if let Some((best, _)) = best {
            *cheapest = best;
        }
    }
    if !alphabet.is_signed {
        cheapest = [cheapest[255]; 256];
    }
    cheapest
}
