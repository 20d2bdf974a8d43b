//! Comparison of a layer with a file of the score database.
//!
//! The layer is read in its own order, as for an export, and each line is compared with
//! the bytes at its offset in the file. Differences are found in that order, so those
//! with the smallest offsets are kept in a heap.

use std::collections::BinaryHeap;
use std::fs::{self, File};
use std::path::Path;

use super::error::ExchangeError;
use super::scores;
use crate::index::lexicographic;
use crate::rules::Board;
use crate::solve::Observer;
use crate::table::read_at;
use crate::tablebase::Tablebase;

/// The result of comparing a file with a layer.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Comparison {
    /// Boards compared: all indexed ones.
    pub boards: u64,
    /// Boards with another value in the file.
    pub differing: u64,
    /// The first differences, by offset.
    pub first: Vec<Difference>,
}

/// A board with another value in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Difference {
    /// The offset of its byte in the file.
    pub offset: u64,
    /// The board.
    pub board: Board,
    /// The value in the tablebase.
    pub ours: i8,
    /// The value in the file, even if no board can have it.
    pub theirs: i8,
}

impl Tablebase {
    /// Compares a file of the score database,
    /// [`ExportFormat::Vu`](super::ExportFormat::Vu), with a layer, and keeps the first
    /// `most` differences. The observer hears of the boards
    /// that have been read, of this layer and those below it
    /// ([`Tablebase::boards_up_to`]), and again with those compared.
    ///
    /// # Errors
    /// If the layer is missing or not part of the format, a table is damaged, or the file
    /// cannot be read or has the wrong length. Differences are not errors.
    pub fn compare(
        &self,
        seeds: u8,
        file: impl AsRef<Path>,
        most: usize,
        observer: &dyn Observer,
    ) -> Result<Comparison, ExchangeError> {
        let file = file.as_ref();
        scores::check(self.rules(), seeds)?;
        self.fields(seeds)?;
        let boards = self.index(seeds).len();
        let theirs = open(file, seeds, boards)?;
        let mut found = Found::new(most);
        let mut their_line = Vec::new();
        scores::for_each_line(self, seeds, observer, |offset, our_line| {
            their_line.resize(our_line.len(), 0);
            read_at(&theirs, &mut their_line, offset).map_err(|cause| ExchangeError::Read {
                file: file.to_path_buf(),
                cause,
            })?;
            found.add(offset, our_line, &their_line);
            Ok(())
        })?;
        Ok(Comparison {
            boards,
            differing: found.count,
            first: found.in_order(seeds),
        })
    }
}

/// Opens a file of the expected length. Anything but a regular file is refused before it
/// is opened, because opening a pipe would wait for its other end.
fn open(path: &Path, seeds: u8, expected: u64) -> Result<File, ExchangeError> {
    let file = || path.to_path_buf();
    let unreadable = |cause| ExchangeError::Read {
        file: file(),
        cause,
    };
    if !fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(ExchangeError::NotAFile { file: file() });
    }
    let opened = File::open(path).map_err(unreadable)?;
    match opened.metadata().map_err(unreadable)?.len() {
        got if got == expected => Ok(opened),
        got => Err(ExchangeError::Length {
            file: file(),
            seeds,
            expected,
            got,
        }),
    }
}

/// The first differences found so far.
struct Found {
    count: u64,
    most: usize,
    /// Offset, value in the tablebase and value in the file; the largest offset on top.
    first: BinaryHeap<(u64, u8, u8)>,
}

impl Found {
    fn new(most: usize) -> Found {
        Found {
            count: 0,
            most,
            first: BinaryHeap::new(),
        }
    }

    fn add(&mut self, offset: u64, ours: &[u8], theirs: &[u8]) {
        // Usually they are equal, which is fast to check.
        if ours == theirs {
            return;
        }
        for (offset, (&ours, &theirs)) in (offset..).zip(ours.iter().zip(theirs)) {
            if ours == theirs {
                continue;
            }
            self.count += 1;
            if self.first.len() < self.most {
                self.first.push((offset, ours, theirs));
            } else if let Some(mut last) = self.first.peek_mut()
                && offset < last.0
            {
                *last = (offset, ours, theirs);
            }
        }
    }

    fn in_order(self, seeds: u8) -> Vec<Difference> {
        let sorted = self.first.into_sorted_vec().into_iter();
        let difference = |(offset, ours, theirs): (u64, u8, u8)| Difference {
            offset,
            board: lexicographic::board(seeds, offset),
            ours: ours.cast_signed(),
            theirs: theirs.cast_signed(),
        };
        sorted.map(difference).collect()
    }
}
