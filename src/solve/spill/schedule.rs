//! The schedule of a pool: which pieces of which files its steps need.

use std::ops::Range;
use std::sync::Arc;

use super::file::SpillFile;

/// The files of a pool. Their pieces are numbered together.
#[derive(Default)]
pub(in crate::solve) struct PoolFiles {
    pub(super) files: Vec<Arc<SpillFile>>,
    /// The number of each file's first piece.
    firsts: Vec<usize>,
    pub(super) pieces: usize,
}

impl PoolFiles {
    /// Adds a file, unless it is there, and returns its position.
    pub fn add(&mut self, file: &Arc<SpillFile>) -> usize {
        let there = self.files.iter().position(|other| Arc::ptr_eq(other, file));
        there.unwrap_or_else(|| {
            self.firsts.push(self.pieces);
            self.pieces += file.pieces();
            self.files.push(file.clone());
            self.files.len() - 1
        })
    }

    /// The number of a piece of a file.
    pub fn number(&self, file: usize, piece: usize) -> usize {
        self.firsts[file] + piece
    }

    /// The numbers of all pieces of a file.
    pub fn numbers(&self, file: usize) -> Range<usize> {
        let first = self.firsts[file];
        first..first + self.files[file].pieces()
    }

    /// The file and the piece with a number.
    pub(super) fn of(&self, number: usize) -> (&Arc<SpillFile>, usize) {
        let file = self.firsts.partition_point(|&first| first <= number) - 1;
        (&self.files[file], number - self.firsts[file])
    }
}

/// Which pieces each step needs. Pieces of all arrays are numbered together.
#[derive(Debug)]
pub(in crate::solve) struct Schedule {
    pub(super) needs: Vec<Vec<u32>>,
    /// The steps that need each piece, in order.
    uses: Vec<Vec<u32>>,
    /// Whether the first step follows the last one.
    repeats: bool,
}

impl Schedule {
    /// The schedule of steps that need these pieces.
    pub fn new(needs: Vec<Vec<u32>>, repeats: bool) -> Schedule {
        let pieces = needs.iter().flatten().max().map_or(0, |&most| most + 1);
        let mut uses = vec![Vec::new(); pieces as usize];
        for (step, needs) in (0..).zip(&needs) {
            for &piece in needs {
                uses[piece as usize].push(step);
            }
        }
        Schedule {
            needs,
            uses,
            repeats,
        }
    }

    /// In how many steps from `step` on a piece is needed: 0 if by that step itself.
    pub(super) fn distance(&self, piece: usize, step: usize) -> usize {
        let uses = self.uses.get(piece).map_or(&[][..], Vec::as_slice);
        let next = uses.partition_point(|&user| (user as usize) < step);
        match (uses.get(next), uses.first()) {
            (Some(&user), _) => user as usize - step,
            (None, Some(&user)) if self.repeats => self.needs.len() - step + user as usize,
            _ => usize::MAX,
        }
    }

    /// The step that comes so many steps after another one.
    pub(super) fn after(&self, step: usize, ahead: usize) -> Option<usize> {
        match (step + ahead < self.needs.len(), self.repeats) {
            (true, _) => Some(step + ahead),
            (false, true) => Some((step + ahead) % self.needs.len()),
            (false, false) => None,
        }
    }
}
