//! Pieces: consecutive entries of an array, which one thread may change while others change
//! the rest.

use std::ops::Range;

use super::compact::{Space, Unit, Units, ranges};
use super::spill::SpillFile;
use super::{LayerArray, NO_FILE, Section, SpillEntry, SpillError};
use crate::cpu::prefetch;

/// Consecutive entries of a section.
pub(in crate::solve) struct Piece<'a, E> {
    /// Their numbers in the order of the index.
    numbers: Range<u64>,
    entries: Entries<'a, E>,
}

enum Entries<'a, E> {
    InMemory(&'a mut [E]),
    Compact {
        units: Units<&'a mut [Unit]>,
        space: Space<'a>,
        /// The number, in the order of the index, of the section's first entry.
        section_start: u64,
    },
    /// Files are read and written by position, by any number of threads.
    Spilled(&'a SpillFile),
}

impl<E: SpillEntry> LayerArray<E> {
    /// All entries in order, in pieces that end with their sections and before the entries
    /// with these numbers, in order. Pieces of compact sections have whole units: of several
    /// ends within a unit, none may count.
    pub(in crate::solve) fn pieces(&mut self, ends: &[u64]) -> Vec<Piece<'_, E>> {
        let allowance = &self.allowance;
        let mut pieces = Vec::new();
        for (section, entries) in (0..).zip(&mut self.sections) {
            let start = self.part.section_start(section);
            let len = self.part.section_entries(section);
            let within = |number: u64| ends.partition_point(|&end| end <= number);
            let ends = &ends[within(start)..within(start + len as u64)];
            let ends = ends.iter().map(|end| (end - start) as usize);
            let numbers = ranges(len, ends.clone())
                .map(|Range { start: from, end }| start + from as u64..start + end as u64);
            match (entries, &self.spill) {
                (Section::InMemory(entries), _) => {
                    let mut rest = &mut entries[..];
                    pieces.extend(numbers.map(|numbers| {
                        let len = (numbers.end - numbers.start) as usize;
                        Piece {
                            numbers,
                            entries: Entries::InMemory(
                                rest.split_off_mut(..len).expect("in the section"),
                            ),
                        }
                    }));
                }
                (Section::Compact(section, copy), Some(file)) => {
                    *copy = None;
                    pieces.extend(section.parts(ends).map(|units| {
                        let Range { start: from, end } = units.numbers();
                        Piece {
                            numbers: start + from as u64..start + end as u64,
                            entries: Entries::Compact {
                                units,
                                space: Space { allowance, file },
                                section_start: start,
                            },
                        }
                    }));
                }
                (Section::Spilled, Some(spill)) => pieces.extend(numbers.map(|numbers| Piece {
                    numbers,
                    entries: Entries::Spilled(spill),
                })),
                (_, None) => unreachable!("{NO_FILE}"),
            }
        }
        pieces
    }
}

impl<E: SpillEntry> Piece<'_, E> {
    /// The numbers of the entries in the order of the index.
    pub fn numbers(&self) -> Range<u64> {
        self.numbers.clone()
    }

    /// Prefetches the entry with a number, if it is in memory as it is.
    pub fn prefetch(&self, number: u64) {
        if let Entries::InMemory(entries) = &self.entries {
            prefetch(&entries[(number - self.numbers.start) as usize]);
        }
    }

    /// The entry with a number.
    pub fn get(&self, number: u64) -> Result<E, SpillError> {
        match &self.entries {
            Entries::InMemory(entries) => Ok(entries[(number - self.numbers.start) as usize]),
            Entries::Compact {
                units,
                space,
                section_start,
            } => units.get((number - section_start) as usize, space.file),
            Entries::Spilled(file) => {
                let mut entry = [E::FILLER];
                file.read(number, &mut entry)?;
                Ok(entry[0])
            }
        }
    }

    /// Sets the entry with a number.
    pub fn set(&mut self, number: u64, entry: E) -> Result<(), SpillError> {
        match &mut self.entries {
            Entries::InMemory(entries) => {
                entries[(number - self.numbers.start) as usize] = entry;
                Ok(())
            }
            Entries::Compact {
                units,
                space,
                section_start,
            } => units.set((number - *section_start) as usize, entry, *space),
            Entries::Spilled(file) => file.write(number, &[entry]),
        }
    }
}
