//! The stored bytes of models, which `codec/tiled/model.rs` reads.

use crate::table::codec::tiled::contexts::{ContextTree, Feature};
use crate::table::codec::tiled::distribution::ESCAPE;
use crate::table::codec::tiled::model::{CONTEXT, Model};

impl Model {
    /// The tree, node by node from left to right, then the distributions.
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
}

fn write_tree(tree: &ContextTree, out: &mut Vec<u8>) {
    match tree {
        ContextTree::Context(_) => out.push(CONTEXT),
        ContextTree::Split {
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

/// Appends a number to some bytes.
pub(super) fn write_number(number: usize, out: &mut Vec<u8>) {
    assert!(number < 1 << 14, "a number of at most two bytes");
    if number >= 0x80 {
        out.push(number as u8 | 0x80);
        out.push((number >> 7) as u8);
    } else {
        out.push(number as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::codec::tiled::model::read_number;

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
}
