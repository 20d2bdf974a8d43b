//! The files of the score database: values in lexicographic order, written and compared.
//!
//! In that order the boards with the same opponent's row are neighbours, as in the index,
//! and only the mover's rows are ordered differently. So a layer is read in its own order,
//! and each line, its entries reordered, has one place in the file. Nothing has to be
//! sorted or kept. Differences are found in the order of the layer too, so those with the
//! smallest offsets are kept in a heap.

use std::collections::BinaryHeap;
use std::fs::{self, File};
use std::path::Path;

use crate::index::{lexicographic, row};
use crate::positional::{read_at, write_at};
use crate::rules::{Board, Ruleset};
use crate::solve::Observer;
use crate::tablebase::tables::Tablebase;
use crate::tablebase::whole::error::{ExchangeError, LoadError};

/// This many seeds are never on the board: a capture takes at least two.
const NEVER: u8 = 47;

/// Checks that the format has the layer.
pub(super) fn check(rules: Ruleset, seeds: u8) -> Result<(), ExchangeError> {
    match rules {
        Ruleset::Stores(_) => Err(ExchangeError::Family { rules }),
        Ruleset::Oware(_) if seeds == NEVER => Err(ExchangeError::NeverOccurs { seeds }),
        Ruleset::Oware(_) => Ok(()),
    }
}

/// Writes a layer to an empty file.
pub(super) fn write(
    tables: &Tablebase,
    seeds: u8,
    file: &File,
    observer: &dyn Observer,
) -> Result<(), ExchangeError> {
    for_each_line(tables, seeds, observer, |offset, line| {
        write_at(file, line, offset).map_err(ExchangeError::Output)
    })
}

/// Calls `sink` with the offset and the values of each line that the file has for a layer.
fn for_each_line(
    tables: &Tablebase,
    seeds: u8,
    observer: &dyn Observer,
    mut sink: impl FnMut(u64, &[u8]) -> Result<(), ExchangeError>,
) -> Result<(), ExchangeError> {
    // An observer need not hear of every line: most have few boards.
    const TOLD: u64 = 1 << 20;
    let mut loader = tables.loader();
    let values = loader.load_observed(seeds, observer)?.value();
    let (index, values) = (values.index(), values.reader());
    let mut untold = 0;
    let mut tell = |boards: u64, least: u64| {
        untold += boards;
        let told = if untold < least {
            0
        } else {
            std::mem::take(&mut untold)
        };
        observer.advance(told).map_err(LoadError::from)
    };
    let mut line = Vec::new();
    for section in 0..=seeds {
        let columns = lexicographic::columns(seeds - section);
        let rows = row::rows(section).filter(|row| index.lines().line(row).is_some());
        let mut start = index.section_start(section);
        let mut of_line = vec![0; columns.len()];
        for opponent in rows {
            let copied = values.copy_out(start, &mut of_line, |value| value.get().cast_unsigned());
            copied.map_err(LoadError::from)?;
            start += of_line.len() as u64;
            line.clear();
            line.extend(columns.iter().map(|&column| of_line[column as usize]));
            sink(lexicographic::line_offset(seeds, &opponent), &line)?;
            tell(line.len() as u64, TOLD)?;
        }
    }
    tell(0, 0)?;
    Ok(())
}

/// The result of comparing a file with a layer.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ScoreComparison {
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
    ) -> Result<ScoreComparison, ExchangeError> {
        let file = file.as_ref();
        check(self.rules(), seeds)?;
        self.check_loadable(seeds, None)?;
        let boards = self.index(seeds).len();
        let theirs = open(file, seeds, boards)?;
        let mut found = FirstDifferences::new(most);
        let mut their_line = Vec::new();
        for_each_line(self, seeds, observer, |offset, our_line| {
            their_line.resize(our_line.len(), 0);
            read_at(&theirs, &mut their_line, offset).map_err(|cause| ExchangeError::Read {
                file: file.to_path_buf(),
                cause,
            })?;
            found.add(offset, our_line, &their_line);
            Ok(())
        })?;
        Ok(ScoreComparison {
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
struct FirstDifferences {
    count: u64,
    most: usize,
    /// Offset, value in the tablebase and value in the file; the largest offset on top.
    first: BinaryHeap<(u64, u8, u8)>,
}

impl FirstDifferences {
    fn new(most: usize) -> FirstDifferences {
        FirstDifferences {
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
