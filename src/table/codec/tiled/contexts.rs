//! Contexts: what an entry is predicted from, and which distribution that gives.
//!
//! Neighbours in a line or a column are similar, because their boards differ in one
//! seed that lies one pit further on, and possible captures raise or lower a value.
//! So an entry's *surroundings* are its left neighbour, its upper neighbour and its
//! [hint](super::hint). A decision tree, trained for each table, sorts surroundings
//! into contexts.

use super::hint::HINTS;

/// What an entry is predicted from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Surroundings {
    pub hint: u8,
    /// The levels of two neighbours: left and upper; for upper bounds left and the
    /// lower bound of the same board.
    pub left: u8,
    pub upper: u8,
}

/// What a split of a tree compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Feature {
    Left,
    Upper,
    Sum,
    /// Left less upper, plus the highest level.
    Difference,
    Least,
    Most,
    Hint,
}

impl Feature {
    /// Every feature, in the order of their numbers in a file.
    pub const ALL: [Feature; 7] = [
        Feature::Left,
        Feature::Upper,
        Feature::Sum,
        Feature::Difference,
        Feature::Least,
        Feature::Most,
        Feature::Hint,
    ];

    /// Its number for some surroundings, at most 192.
    #[inline]
    pub fn of(self, around: Surroundings, levels: usize) -> u8 {
        let Surroundings { hint, left, upper } = around;
        match self {
            Feature::Left => left,
            Feature::Upper => upper,
            Feature::Sum => left + upper,
            Feature::Difference => left + (levels as u8 - 1) - upper,
            Feature::Least => left.min(upper),
            Feature::Most => left.max(upper),
            Feature::Hint => hint,
        }
    }
}

/// The most contexts of a tree.
pub(super) const MAX_CONTEXTS: usize = 128;

/// A tree that sorts surroundings into contexts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Tree {
    /// A context, numbered from left to right.
    Context(u8),
    /// The left branch if the feature is at most `most`, else the right one.
    Split {
        feature: Feature,
        most: u8,
        branches: Box<[Tree; 2]>,
    },
}

impl Tree {
    /// The context of surroundings.
    pub fn context(&self, around: Surroundings, levels: usize) -> u8 {
        let mut tree = self;
        loop {
            match tree {
                Tree::Context(number) => return *number,
                Tree::Split {
                    feature,
                    most,
                    branches,
                } => tree = &branches[usize::from(feature.of(around, levels) > *most)],
            }
        }
    }
}

/// The contexts of all surroundings, looked up instead of computed.
pub(super) struct Contexts {
    contexts: Vec<u8>,
    levels: usize,
}

impl Contexts {
    pub fn new(tree: &Tree, levels: usize) -> Contexts {
        let numbers = || 0..levels as u8;
        let mut contexts = Vec::with_capacity(HINTS * levels * levels);
        for hint in 0..HINTS as u8 {
            for upper in numbers() {
                for left in numbers() {
                    let around = Surroundings { hint, left, upper };
                    contexts.push(tree.context(around, levels));
                }
            }
        }
        Contexts { contexts, levels }
    }

    /// The context of surroundings. Hint and upper neighbour are known early and come
    /// first in the order of the array, so that only the last addition waits for the
    /// entry decoded last.
    #[inline(always)]
    pub fn of(&self, around: Surroundings) -> u8 {
        let Surroundings { hint, left, upper } = around;
        let start = (usize::from(hint) * self.levels + usize::from(upper)) * self.levels;
        self.contexts[start + usize::from(left)]
    }
}
