//! A store: the entries of a layer at work or solved, each section in memory or,
//! where memory does not suffice, in a scratch file.

use std::path::Path;
use std::sync::Arc;

use super::plane::Plane;
use super::prefetch::prefetch;
use super::room::Room;
use super::scratch::{Scratch, SpillError, Stored};
use crate::index::LayerIndex;

/// One entry for each board of a layer.
#[derive(Debug)]
pub struct Store<E> {
    index: LayerIndex,
    /// `None` for a section that is in the scratch file.
    sections: Vec<Option<Vec<E>>>,
    scratch: Option<Scratch>,
}

impl<E: Stored> Store<E> {
    /// A store whose sections `make` makes, from 0 on. Sections are kept in memory
    /// as long as there is room.
    pub(super) fn make<Error: From<SpillError>>(
        index: &LayerIndex,
        room: &mut Room,
        mut make: impl FnMut(u8) -> Result<Vec<E>, Error>,
    ) -> Result<Store<E>, Error> {
        let mut store = Store {
            index: index.clone(),
            sections: Vec::new(),
            scratch: None,
        };
        for section in 0..=index.seeds() {
            let entries = make(section)?;
            if room.take((entries.len() * E::BYTES) as u64) {
                store.sections.push(Some(entries));
            } else {
                store.write(section, &entries, room.folder())?;
                store.sections.push(None);
            }
        }
        Ok(store)
    }

    /// A store with the same entry everywhere.
    pub(super) fn filled(
        index: &LayerIndex,
        entry: E,
        room: &mut Room,
    ) -> Result<Store<E>, SpillError> {
        Store::make(index, room, |section| {
            Ok(vec![entry; index.section_entries(section)])
        })
    }

    fn write(&mut self, section: u8, entries: &[E], folder: Arc<Path>) -> Result<(), SpillError> {
        let scratch = match &mut self.scratch {
            Some(scratch) => scratch,
            none => none.insert(Scratch::new(folder)?),
        };
        scratch.write(self.index.section_start(section), entries)
    }

    /// Moves every section into the scratch file; gives the bytes of memory that
    /// are free now.
    pub(super) fn spill(&mut self, folder: &Arc<Path>) -> Result<u64, SpillError> {
        let freed = self.bytes_in_memory();
        for section in 0..=self.index.seeds() {
            if let Some(entries) = self.sections[usize::from(section)].take() {
                self.write(section, &entries, folder.clone())?;
            }
        }
        Ok(freed)
    }

    /// The layer whose boards the entries belong to.
    pub fn index(&self) -> &LayerIndex {
        &self.index
    }

    /// Bytes of memory that the entries take.
    pub fn bytes_in_memory(&self) -> u64 {
        let entries: usize = self.sections.iter().flatten().map(Vec::len).sum();
        (entries * E::BYTES) as u64
    }

    /// A section, if it is in memory.
    pub(super) fn in_memory(&self, section: u8) -> Option<&[E]> {
        self.sections[usize::from(section)].as_deref()
    }

    /// Whether all sections are in memory.
    pub(super) fn is_in_memory(&self) -> bool {
        self.sections.iter().all(Option::is_some)
    }

    fn on_disk(&self) -> &Scratch {
        self.scratch
            .as_ref()
            .expect("a section that is not in memory")
    }

    /// A section: where it is in memory, or read into `spare`.
    pub(super) fn section<'a>(
        &'a self,
        section: u8,
        spare: &'a mut Vec<E>,
    ) -> Result<&'a [E], SpillError> {
        match self.in_memory(section) {
            Some(entries) => Ok(entries),
            None => {
                self.read_block(section, spare)?;
                Ok(spare)
            }
        }
    }

    /// Copies a section into `out`, which becomes as long.
    pub(super) fn read_block(&self, section: u8, out: &mut Vec<E>) -> Result<(), SpillError> {
        match self.in_memory(section) {
            Some(entries) => {
                out.clear();
                out.extend_from_slice(entries);
                Ok(())
            }
            None => {
                let len = self.index.section_entries(section);
                // What was there is overwritten.
                out.resize(len, E::ANY);
                self.on_disk().read(self.index.section_start(section), out)
            }
        }
    }

    /// Takes a section out of memory, if it is there; an empty one stays.
    pub(super) fn take(&mut self, section: u8) -> Option<Vec<E>> {
        let entries = self.sections[usize::from(section)].as_mut()?;
        Some(std::mem::take(entries))
    }

    /// Replaces a section, where it was; gives memory that is to spare.
    pub(super) fn put(&mut self, section: u8, mut entries: Vec<E>) -> Result<Vec<E>, SpillError> {
        match &mut self.sections[usize::from(section)] {
            Some(old) => {
                // It may have been made in memory spared by a larger section.
                entries.shrink_to_fit();
                Ok(std::mem::replace(old, entries))
            }
            None => {
                self.on_disk()
                    .write(self.index.section_start(section), &entries)?;
                Ok(entries)
            }
        }
    }

    /// Drops a section that is no longer needed, if it is in memory.
    pub(super) fn forget(&mut self, section: u8) {
        self.sections[usize::from(section)] = None;
    }

    /// Reads entries of a section that is not in memory, from place `start` of
    /// the section on.
    pub(super) fn read(&self, section: u8, start: u64, out: &mut [E]) -> Result<(), SpillError> {
        self.on_disk()
            .read(self.index.section_start(section) + start, out)
    }

    /// Asks for an entry that will be read, if it is in memory.
    pub(super) fn ask(&self, section: u8, line: u32, row: u32) {
        if let Some(entries) = self.in_memory(section) {
            prefetch(&entries[self.place(section, line, row)]);
        }
    }

    /// The entry of row `row` in a line of a section.
    pub(super) fn entry(&self, section: u8, line: u32, row: u32) -> Result<E, SpillError> {
        self.entry_at(section, self.place(section, line, row) as u64)
    }

    fn entry_at(&self, section: u8, place: u64) -> Result<E, SpillError> {
        match self.in_memory(section) {
            Some(entries) => Ok(entries[place as usize]),
            None => {
                let mut entry = [E::ANY];
                self.read(section, place, &mut entry)?;
                Ok(entry[0])
            }
        }
    }

    /// Sets the entry of row `row` in a line of a section.
    pub(super) fn set_entry(
        &mut self,
        section: u8,
        line: u32,
        row: u32,
        entry: E,
    ) -> Result<(), SpillError> {
        let place = self.place(section, line, row);
        match &mut self.sections[usize::from(section)] {
            Some(entries) => {
                entries[place] = entry;
                Ok(())
            }
            None => {
                let place = self.index.section_start(section) + place as u64;
                self.on_disk().write(place, &[entry])
            }
        }
    }

    fn place(&self, section: u8, line: u32, row: u32) -> usize {
        line as usize * self.index.section_width(section) + row as usize
    }

    /// Fills `out` with what `as_byte` makes of the entries from index `start`
    /// on, which must all be in the layer.
    ///
    /// # Errors
    /// If some are in a scratch file that cannot be read.
    pub fn copy_out(
        &self,
        start: u64,
        mut out: &mut [u8],
        as_byte: impl Fn(E) -> u8,
    ) -> Result<(), SpillError> {
        let mut spare = Vec::new();
        let mut index = start;
        while !out.is_empty() {
            let (section, place) = self.index.place(index);
            let left = self.index.section_entries(section) - place as usize;
            let (here, rest) = out.split_at_mut(left.min(out.len()));
            let entries = match self.in_memory(section) {
                Some(entries) => &entries[place as usize..][..here.len()],
                None => {
                    spare.resize(here.len(), E::ANY);
                    self.read(section, place, &mut spare)?;
                    &spare
                }
            };
            for (byte, &entry) in here.iter_mut().zip(entries) {
                *byte = as_byte(entry);
            }
            index += here.len() as u64;
            out = rest;
        }
        Ok(())
    }

    /// Passes all entries on in order, not more than `portion` at a time.
    pub(super) fn each_portion<Error: From<SpillError>>(
        &self,
        portion: usize,
        mut then: impl FnMut(&[E]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut spare = Vec::new();
        for section in 0..=self.index.seeds() {
            let len = self.index.section_entries(section);
            for start in (0..len).step_by(portion) {
                let end = len.min(start + portion);
                let entries = match self.in_memory(section) {
                    Some(entries) => &entries[start..end],
                    None => {
                        spare.resize(end - start, E::ANY);
                        self.read(section, start as u64, &mut spare)?;
                        &spare
                    }
                };
                then(entries)?;
            }
        }
        Ok(())
    }

    /// The entry of the board with this index, which must be below the layer's
    /// length.
    ///
    /// # Errors
    /// If it is in a scratch file that cannot be read.
    pub fn get(&self, index: u64) -> Result<E, SpillError> {
        let (section, place) = self.index.place(index);
        self.entry_at(section, place)
    }

    /// The entry at a place of a section, as [`LayerIndex::place_of`] tells it.
    ///
    /// # Panics
    /// If there is no such place, or the section is not in memory.
    #[inline]
    pub(super) fn at(&self, (section, place): (u8, u64)) -> E {
        let entries = self.in_memory(section).expect("a section in memory");
        entries[place as usize]
    }

    /// All entries, moved or read into memory.
    ///
    /// # Errors
    /// If some are in a scratch file that cannot be read.
    pub fn into_plane(mut self) -> Result<Plane<E>, SpillError> {
        let mut plane = Plane::empty(self.index.clone());
        for section in 0..=self.index.seeds() {
            match self.take(section) {
                Some(entries) => *plane.block_mut(section) = entries,
                None => self.read_block(section, plane.block_mut(section))?,
            }
        }
        Ok(plane)
    }

    /// All entries, in memory.
    ///
    /// # Errors
    /// If some are in a scratch file that cannot be read.
    pub fn to_plane(&self) -> Result<Plane<E>, SpillError> {
        let mut plane = Plane::empty(self.index.clone());
        for section in 0..=self.index.seeds() {
            self.read_block(section, plane.block_mut(section))?;
        }
        Ok(plane)
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::Score;
    use super::*;
    use crate::rules::Ruleset;

    /// Sections go into a store in memory that larger ones were computed in, and
    /// must not keep it: a limit of memory would not hold.
    #[test]
    fn blocks_take_no_more_memory_than_they_need() {
        let index = LayerIndex::new(Ruleset::AWARI, 6);
        let mut store = Store::filled(&index, Score::new(0), &mut Room::unlimited()).unwrap();
        let mut spare = Vec::with_capacity(2 * index.largest_section());
        for section in 0..=6 {
            store.read_block(section, &mut spare).unwrap();
            spare = store.put(section, spare).unwrap();
            spare.reserve(2 * index.largest_section());
        }
        let capacity: usize = store.sections.iter().flatten().map(Vec::capacity).sum();
        assert_eq!(capacity as u64, store.bytes_in_memory());
    }
}
