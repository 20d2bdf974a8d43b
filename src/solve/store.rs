//! A store: the entries of a layer at work or solved, each block in memory or,
//! where memory does not suffice, in a scratch file.

use std::path::Path;
use std::sync::Arc;

use super::plane::Plane;
use super::prefetch::prefetch;
use super::room::Room;
use super::scratch::{Scratch, ScratchError, Stored};
use crate::index::LayerIndex;

/// One entry for each board of a layer.
#[derive(Debug)]
pub struct Store<E> {
    index: LayerIndex,
    /// `None` for a block that is in the scratch file.
    blocks: Vec<Option<Vec<E>>>,
    scratch: Option<Scratch>,
}

impl<E: Stored> Store<E> {
    /// A store whose blocks `make` makes, from 0 on. Blocks are kept in memory
    /// as long as there is room.
    pub(super) fn make<Error: From<ScratchError>>(
        index: &LayerIndex,
        room: &mut Room,
        mut make: impl FnMut(u8) -> Result<Vec<E>, Error>,
    ) -> Result<Store<E>, Error> {
        let mut store = Store {
            index: index.clone(),
            blocks: Vec::new(),
            scratch: None,
        };
        for block in 0..=index.seeds() {
            let entries = make(block)?;
            if room.take((entries.len() * E::BYTES) as u64) {
                store.blocks.push(Some(entries));
            } else {
                store.write(block, &entries, room.folder())?;
                store.blocks.push(None);
            }
        }
        Ok(store)
    }

    /// A store with the same entry everywhere.
    pub(super) fn filled(
        index: &LayerIndex,
        entry: E,
        room: &mut Room,
    ) -> Result<Store<E>, ScratchError> {
        Store::make(index, room, |block| {
            Ok(vec![entry; index.block_entries(block)])
        })
    }

    fn write(&mut self, block: u8, entries: &[E], folder: Arc<Path>) -> Result<(), ScratchError> {
        let scratch = match &mut self.scratch {
            Some(scratch) => scratch,
            none => none.insert(Scratch::new(folder)?),
        };
        scratch.write(self.index.block_start(block), entries)
    }

    /// Moves every block into the scratch file; gives the bytes of memory that
    /// are free now.
    pub(super) fn spill(&mut self, folder: &Arc<Path>) -> Result<u64, ScratchError> {
        let freed = self.bytes_in_memory();
        for block in 0..=self.index.seeds() {
            if let Some(entries) = self.blocks[usize::from(block)].take() {
                self.write(block, &entries, folder.clone())?;
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
        let entries: usize = self.blocks.iter().flatten().map(Vec::len).sum();
        (entries * E::BYTES) as u64
    }

    /// A block, if it is in memory.
    pub(super) fn in_memory(&self, block: u8) -> Option<&[E]> {
        self.blocks[usize::from(block)].as_deref()
    }

    /// Whether all blocks are in memory.
    pub(super) fn is_in_memory(&self) -> bool {
        self.blocks.iter().all(Option::is_some)
    }

    fn on_disk(&self) -> &Scratch {
        self.scratch
            .as_ref()
            .expect("a block that is not in memory")
    }

    /// A block: where it is in memory, or read into `spare`.
    pub(super) fn block<'a>(
        &'a self,
        block: u8,
        spare: &'a mut Vec<E>,
    ) -> Result<&'a [E], ScratchError> {
        match self.in_memory(block) {
            Some(entries) => Ok(entries),
            None => {
                self.read_block(block, spare)?;
                Ok(spare)
            }
        }
    }

    /// Copies a block into `out`, which becomes as long.
    pub(super) fn read_block(&self, block: u8, out: &mut Vec<E>) -> Result<(), ScratchError> {
        match self.in_memory(block) {
            Some(entries) => {
                out.clear();
                out.extend_from_slice(entries);
                Ok(())
            }
            None => {
                let len = self.index.block_entries(block);
                // What was there is overwritten.
                out.resize(len, E::ANY);
                self.on_disk().read(self.index.block_start(block), out)
            }
        }
    }

    /// Takes a block out of memory, if it is there; an empty one stays.
    pub(super) fn take(&mut self, block: u8) -> Option<Vec<E>> {
        let entries = self.blocks[usize::from(block)].as_mut()?;
        Some(std::mem::take(entries))
    }

    /// Replaces a block, where it was; gives memory that is to spare.
    pub(super) fn put(&mut self, block: u8, mut entries: Vec<E>) -> Result<Vec<E>, ScratchError> {
        match &mut self.blocks[usize::from(block)] {
            Some(old) => {
                // It may have been made in memory spared by a larger block.
                entries.shrink_to_fit();
                Ok(std::mem::replace(old, entries))
            }
            None => {
                self.on_disk()
                    .write(self.index.block_start(block), &entries)?;
                Ok(entries)
            }
        }
    }

    /// Drops a block that is no longer needed, if it is in memory.
    pub(super) fn forget(&mut self, block: u8) {
        self.blocks[usize::from(block)] = None;
    }

    /// Reads entries of a block that is not in memory, from place `start` of
    /// the block on.
    pub(super) fn read(&self, block: u8, start: u64, out: &mut [E]) -> Result<(), ScratchError> {
        self.on_disk()
            .read(self.index.block_start(block) + start, out)
    }

    /// Asks for an entry that will be read, if it is in memory.
    pub(super) fn ask(&self, block: u8, line: u32, row: u32) {
        if let Some(entries) = self.in_memory(block) {
            prefetch(&entries[self.place(block, line, row)]);
        }
    }

    /// The entry of row `row` in a line of a block.
    pub(super) fn entry(&self, block: u8, line: u32, row: u32) -> Result<E, ScratchError> {
        self.entry_at(block, self.place(block, line, row) as u64)
    }

    fn entry_at(&self, block: u8, place: u64) -> Result<E, ScratchError> {
        match self.in_memory(block) {
            Some(entries) => Ok(entries[place as usize]),
            None => {
                let mut entry = [E::ANY];
                self.read(block, place, &mut entry)?;
                Ok(entry[0])
            }
        }
    }

    /// Sets the entry of row `row` in a line of a block.
    pub(super) fn set_entry(
        &mut self,
        block: u8,
        line: u32,
        row: u32,
        entry: E,
    ) -> Result<(), ScratchError> {
        let place = self.place(block, line, row);
        match &mut self.blocks[usize::from(block)] {
            Some(entries) => {
                entries[place] = entry;
                Ok(())
            }
            None => {
                let place = self.index.block_start(block) + place as u64;
                self.on_disk().write(place, &[entry])
            }
        }
    }

    fn place(&self, block: u8, line: u32, row: u32) -> usize {
        line as usize * self.index.block_width(block) + row as usize
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
    ) -> Result<(), ScratchError> {
        let mut spare = Vec::new();
        let mut index = start;
        while !out.is_empty() {
            let (block, place) = self.index.place(index);
            let left = self.index.block_entries(block) - place as usize;
            let (here, rest) = out.split_at_mut(left.min(out.len()));
            let entries = match self.in_memory(block) {
                Some(entries) => &entries[place as usize..][..here.len()],
                None => {
                    spare.resize(here.len(), E::ANY);
                    self.read(block, place, &mut spare)?;
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
    pub(super) fn each_portion<Error: From<ScratchError>>(
        &self,
        portion: usize,
        mut then: impl FnMut(&[E]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut spare = Vec::new();
        for block in 0..=self.index.seeds() {
            let len = self.index.block_entries(block);
            for start in (0..len).step_by(portion) {
                let end = len.min(start + portion);
                let entries = match self.in_memory(block) {
                    Some(entries) => &entries[start..end],
                    None => {
                        spare.resize(end - start, E::ANY);
                        self.read(block, start as u64, &mut spare)?;
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
    pub fn get(&self, index: u64) -> Result<E, ScratchError> {
        let (block, place) = self.index.place(index);
        self.entry_at(block, place)
    }

    /// The entry at a place of a block, as [`LayerIndex::place_of`] tells it.
    ///
    /// # Panics
    /// If there is no such place, or the block is not in memory.
    #[inline]
    pub(super) fn at(&self, (block, place): (u8, u64)) -> E {
        let entries = self.in_memory(block).expect("a block in memory");
        entries[place as usize]
    }

    /// All entries, moved or read into memory.
    ///
    /// # Errors
    /// If some are in a scratch file that cannot be read.
    pub fn into_plane(mut self) -> Result<Plane<E>, ScratchError> {
        let mut plane = Plane::empty(self.index.clone());
        for block in 0..=self.index.seeds() {
            match self.take(block) {
                Some(entries) => *plane.block_mut(block) = entries,
                None => self.read_block(block, plane.block_mut(block))?,
            }
        }
        Ok(plane)
    }

    /// All entries, in memory.
    ///
    /// # Errors
    /// If some are in a scratch file that cannot be read.
    pub fn to_plane(&self) -> Result<Plane<E>, ScratchError> {
        let mut plane = Plane::empty(self.index.clone());
        for block in 0..=self.index.seeds() {
            self.read_block(block, plane.block_mut(block))?;
        }
        Ok(plane)
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::Score;
    use super::*;
    use crate::rules::Ruleset;

    /// Blocks go into a store in memory that larger ones were computed in, and
    /// must not keep it: a limit of memory would not hold.
    #[test]
    fn blocks_take_no_more_memory_than_they_need() {
        let index = LayerIndex::new(Ruleset::AWARI, 6);
        let mut store = Store::filled(&index, Score::new(0), &mut Room::unlimited()).unwrap();
        let mut spare = Vec::with_capacity(2 * index.largest_block());
        for block in 0..=6 {
            store.read_block(block, &mut spare).unwrap();
            spare = store.put(block, spare).unwrap();
            spare.reserve(2 * index.largest_block());
        }
        let capacity: usize = store.blocks.iter().flatten().map(Vec::capacity).sum();
        assert_eq!(capacity as u64, store.bytes_in_memory());
    }
}
