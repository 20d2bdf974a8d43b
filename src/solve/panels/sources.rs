//! Where the lines that moves lead to are: in memory, compact, in files, or with
//! other ranks.

use crate::solve::storage::{LayerArray, SpillEntry};

/// The lines of a section that are in memory.
struct Section<'a, E> {
    entries: &'a [E],
    first_line: u32,
    lines: u32,
    /// Entries of a line, also where none is in memory.
    width: usize,
}

/// The arrays that lines come from, and their lines in memory.
pub(super) struct Sources<'a, E> {
    pub arrays: &'a [&'a LayerArray<E>],
    /// Their sections, by array.
    sections: Vec<Vec<Section<'a, E>>>,
}

impl<'a, E: SpillEntry> Sources<'a, E> {
    /// The lines of some arrays. A section may have been taken from the first one.
    pub fn new(arrays: &'a [&'a LayerArray<E>], taken: Option<(u8, &'a [E])>) -> Sources<'a, E> {
        let sections = (0..).zip(arrays).map(|(number, array)| {
            let part = array.part();
            let section = |section| {
                let taken = taken.filter(|(taken, _)| number == 0 && *taken == section);
                let entries = match taken {
                    Some((_, entries)) => Some(entries),
                    None => array.in_memory(section),
                };
                let lines = part.lines(section);
                Section {
                    entries: entries.unwrap_or_default(),
                    first_line: lines.start as u32,
                    lines: entries.map_or(0, |_| lines.len() as u32),
                    width: part.index().section_width(section),
                }
            };
            (0..=part.index().seeds()).map(section).collect()
        });
        Sources {
            arrays,
            sections: sections.collect(),
        }
    }

    /// A line, if it is in memory.
    #[inline(always)]
    pub fn in_memory(&self, array: u8, section: u8, line: u32) -> Option<&'a [E]> {
        let section = &self.sections[usize::from(array)][usize::from(section)];
        let line = line.wrapping_sub(section.first_line);
        let width = section.width;
        (line < section.lines).then(|| &section.entries[line as usize * width..][..width])
    }

    /// Entries of this rank's part of a section of the first array, from an offset in the
    /// section of the layer on, if the section is in memory.
    pub fn entries(&self, section: u8, start: u64, len: usize) -> Option<&'a [E]> {
        let section = &self.sections[0][usize::from(section)];
        let before = section.first_line as usize * section.width;
        (section.lines > 0).then(|| &section.entries[start as usize - before..][..len])
    }

    /// Entries of each line of a section.
    pub fn width(&self, array: u8, section: u8) -> usize {
        self.sections[usize::from(array)][usize::from(section)].width
    }
}
