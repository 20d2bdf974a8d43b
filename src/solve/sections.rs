//! The sections of a layer array, with all or some of their lines in memory.
//!
//! A line that is not in memory is empty, so that nobody reads a wrong entry.

use super::array::LayerArray;
use super::entry::ArrayEntry;
use super::spill::{Plain, Pool};
/// The lines of a section, in pieces that are in memory or empty.
pub(super) struct SectionLines<'a, E> {
    first: &'a [E],
    others: Vec<&'a [E]>,
    /// Lines of each piece, if there are several.
    lines: usize,
    /// Entries of a line.
    width: usize,
}

impl<'a, E> SectionLines<'a, E> {
    /// Lines in one piece.
    pub fn whole(entries: &'a [E], width: usize) -> SectionLines<'a, E> {
        SectionLines {
            first: entries,
            others: Vec::new(),
            lines: 0,
            width,
        }
    }

    /// Lines in pieces of so many each; the last one may have fewer.
    pub fn of_pieces(
        mut pieces: impl Iterator<Item = &'a [E]>,
        lines: usize,
        width: usize,
    ) -> SectionLines<'a, E> {
        SectionLines {
            first: pieces.next().unwrap_or_default(),
            others: pieces.collect(),
            lines,
            width,
        }
    }

    /// The lines of a section of an array: in memory, or in the pieces of spill file `file` that
    /// are in a pool.
    pub fn in_pool(
        array: &'a LayerArray<E>,
        file: Option<usize>,
        pool: &'a Pool,
        section: u8,
    ) -> SectionLines<'a, E>
    where
        E: Plain,
    {
        let width = array.index().section_width(section);
        let (Some(file), Some((_, pieces))) = (file, array.spill_file()) else {
            return SectionLines::whole(array.section(section), width);
        };
        let entries = |piece| pool.entries(pool.files.number(file, piece), pieces.len(piece));
        let of_section = pieces.of_section(section).map(entries);
        SectionLines::of_pieces(of_section, pieces.lines(section), width)
    }

    /// Neighbouring lines of one piece.
    ///
    /// # Panics
    /// If they are not in memory.
    #[inline(always)]
    pub fn lines(&self, first: usize, count: usize) -> &'a [E] {
        // In memory there is one piece, and a division would take longer than the rest.
        let (piece, first) = match self.others.is_empty() {
            true => (self.first, first),
            false => match first / self.lines {
                0 => (self.first, first),
                piece => (self.others[piece - 1], first % self.lines),
            },
        };
        &piece[first * self.width..][..count * self.width]
    }

    /// A line.
    ///
    /// # Panics
    /// If it is not in memory.
    #[inline(always)]
    pub fn line(&self, line: u32) -> &'a [E] {
        self.lines(line as usize, 1)
    }
}

/// The sections of an array to read lines of, but perhaps one that is computed meanwhile.
pub(super) struct Sections<'a, E> {
    sections: Vec<SectionLines<'a, E>>,
}

impl<'a, E> Sections<'a, E> {
    /// Sections from 0 on.
    pub fn new(sections: Vec<SectionLines<'a, E>>) -> Sections<'a, E> {
        Sections { sections }
    }

    /// A section.
    pub fn section(&self, section: u8) -> &SectionLines<'a, E> {
        &self.sections[usize::from(section)]
    }

    /// A line of a section.
    #[inline(always)]
    pub fn line(&self, section: u8, line: u32) -> &'a [E] {
        self.section(section).line(line)
    }
}

impl<'a, E: ArrayEntry> Sections<'a, E> {
    /// All sections of an array in memory.
    pub fn of(array: &'a LayerArray<E>) -> Sections<'a, E> {
        let index = array.index();
        let section =
            |section| SectionLines::whole(array.section(section), index.section_width(section));
        Sections {
            sections: (0..=index.seeds()).map(section).collect(),
        }
    }

    /// All sections of an array: those of an array in memory, or the pieces of spill file
    /// `file` that are in a pool.
    pub fn in_pool(
        array: &'a LayerArray<E>,
        file: Option<usize>,
        pool: &'a Pool,
    ) -> Sections<'a, E> {
        let section = |section| SectionLines::in_pool(array, file, pool, section);
        Sections {
            sections: (0..=array.index().seeds()).map(section).collect(),
        }
    }

    /// All sections of an array in memory but one, which is to be changed, and replaced by
    /// `instead` for those that read it.
    pub fn but_one(
        array: &'a mut LayerArray<E>,
        changed: u8,
        instead: &'a [E],
    ) -> (&'a mut [E], Sections<'a, E>) {
        let index = array.index().clone();
        let mut rest = array.as_mut_slice();
        let (mut own, mut sections) = (None, Vec::new());
        for section in 0..=index.seeds() {
            let entries = rest.split_off_mut(..index.section_entries(section));
            let entries = entries.expect("all sections");
            let entries = match section == changed {
                true => {
                    own = Some(entries);
                    instead
                }
                false => entries,
            };
            sections.push(SectionLines::whole(entries, index.section_width(section)));
        }
        (own.expect("a section of the array"), Sections { sections })
    }

    /// Replaces a piece of a section for those that read it.
    pub fn replace(&mut self, section: u8, piece: usize, entries: &'a [E]) {
        let lines = &mut self.sections[usize::from(section)];
        match piece {
            0 => lines.first = entries,
            _ => lines.others[piece - 1] = entries,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::Value;
    use super::*;
    use crate::index::LayerIndex;
    use crate::rules::Ruleset;
    use rayon::prelude::*;

    #[test]
    fn one_section_is_changed_while_the_others_are_read() {
        let index = LayerIndex::new(Ruleset::AWARI, 9);
        let entries = (0..index.len() as usize).into_par_iter();
        let entries = entries.map(|number| Value::new((number * 7 % 13) as i8 - 6));
        let mut array = LayerArray::from_entries(&index, entries);
        let before = array.clone();
        for changed in 0..=index.seeds() {
            let instead = vec![Value::new(1); index.section_entries(changed)];
            let (own, sections) = Sections::but_one(&mut array, changed, &instead);
            assert!(own == before.section(changed));
            for section in 0..=index.seeds() {
                for line in 0..index.section_lines(section) as u32 {
                    let found = sections.line(section, line);
                    match section == changed {
                        true => assert!(found.iter().all(|value| value.get() == 1)),
                        false => assert!(found == Sections::of(&before).line(section, line)),
                    }
                }
            }
        }
    }
}
