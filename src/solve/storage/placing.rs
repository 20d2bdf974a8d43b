//! Where the sections of an array are: in memory, compact, or in its spill file.

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::compact::{Allowance, CompactSection, Space, compact_bytes, is_compactable, places};
use super::spill::SpillFile;
use super::{
    LayerArray, MemoryBudget, Section, SpillEntry, SpillError, filled_sections, section_from,
};
use crate::solve::ranks::Part;

/// Where the sections of a new array go.
struct Placement {
    /// By section; the others are compact or spilled.
    in_memory: Vec<bool>,
    allowance: Allowance,
}

impl Placement {
    /// The placement of a part's sections within a budget, which it takes. Those with the
    /// shortest lines come first: from a file, these would take the most reads.
    fn new<E: SpillEntry>(part: &Part, budget: &mut MemoryBudget) -> Placement {
        let compact_bytes = |entries: u64| match is_compactable::<E>() {
            true => compact_bytes(entries),
            false => 0,
        };
        let seeds = part.index().seeds();
        let mut entries_left = part.len();
        let mut in_memory = vec![false; usize::from(seeds) + 1];
        let mut allowance = None;
        for section in (0..=seeds).rev() {
            let entries = part.section_entries(section);
            let wanted = compact_bytes(entries_left);
            entries_left -= entries as u64;
            let bytes = (entries * E::BYTES) as u64;
            let is_in_memory = budget.allows_in_memory(part.index(), section)
                && budget.take_leaving(bytes, compact_bytes(entries_left));
            in_memory[usize::from(section)] = is_in_memory;
            if !is_in_memory {
                allowance.get_or_insert_with(|| Allowance::new(budget.take_up_to(wanted)));
            }
        }
        Placement {
            in_memory,
            allowance: allowance.unwrap_or_default(),
        }
    }
}

impl<E: SpillEntry> LayerArray<E> {
    /// An array of entries of a part, whose sections `build` makes, from 0 on. They are kept
    /// in memory as far as the budget allows, the others in compact form. For these, as much
    /// is taken from the budget as they may need once their entries are final.
    pub(in crate::solve) fn build<Error: From<SpillError>>(
        part: &Part,
        budget: &mut MemoryBudget,
        build: impl FnMut(u8) -> Result<Vec<E>, Error>,
    ) -> Result<LayerArray<E>, Error> {
        budget.begin_entries();
        let placement = Placement::new::<E>(part, budget);
        LayerArray::place(part, placement, &budget.folder(), build)
    }

    /// An array with the same entry for every board, within a budget.
    pub(in crate::solve) fn filled(
        part: &Part,
        entry: E,
        budget: &mut MemoryBudget,
    ) -> Result<LayerArray<E>, SpillError> {
        budget.begin_entries();
        LayerArray::place_filled(part, budget, entry, |_, _| Ok(()))
    }

    /// Best conversions of a part, within a budget. `find` changes the sections, from 0 on,
    /// which have `entry` for each board. Those that change afterwards may go to the spill
    /// file.
    pub(in crate::solve) fn build_best<Error: From<SpillError>>(
        part: &Part,
        budget: &mut MemoryBudget,
        entry: E,
        find: impl FnMut(u8, &mut [E]) -> Result<(), Error>,
    ) -> Result<LayerArray<E>, Error> {
        budget.begin_best();
        let mut best = LayerArray::place_filled(part, budget, entry, find)?;
        best.give_back(budget);
        Ok(best)
    }

    /// Makes the sections that stay in memory all at once, then changes one after the other.
    fn place_filled<Error: From<SpillError>>(
        part: &Part,
        budget: &mut MemoryBudget,
        entry: E,
        mut change: impl FnMut(u8, &mut [E]) -> Result<(), Error>,
    ) -> Result<LayerArray<E>, Error> {
        let placement = Placement::new::<E>(part, budget);
        let lens = (0..).zip(&placement.in_memory);
        let lens = lens.map(|(section, &in_memory)| match in_memory {
            true => part.section_entries(section),
            false => 0,
        });
        let mut sections = filled_sections(&lens.collect::<Vec<_>>(), entry);
        LayerArray::place(part, placement, &budget.folder(), |section| {
            let mut entries = std::mem::take(&mut sections[usize::from(section)]);
            if entries.is_empty() {
                entries = filled_sections(&[part.section_entries(section)], entry).remove(0);
            }
            change(section, &mut entries)?;
            Ok(entries)
        })
    }

    /// Makes sections and puts them where they belong.
    fn place<Error: From<SpillError>>(
        part: &Part,
        placement: Placement,
        folder: &Arc<Path>,
        mut build: impl FnMut(u8) -> Result<Vec<E>, Error>,
    ) -> Result<LayerArray<E>, Error> {
        let mut array = LayerArray {
            part: part.clone(),
            sections: Vec::new(),
            spill: None,
            allowance: placement.allowance,
        };
        for (section, in_memory) in (0..).zip(placement.in_memory) {
            let entries = build(section)?;
            if !in_memory && is_compactable::<E>() {
                array.make_room(section, compact_bytes(entries.len() as u64))?;
            }
            array.sections.push(Section::Spilled);
            match in_memory {
                true => array.sections[usize::from(section)] = Section::InMemory(entries),
                false => array.write(section, &entries, folder.clone())?,
            }
        }
        Ok(array)
    }

    /// Moves units of compact sections before `section` to the spill file, from section 0 on,
    /// until compact sections may take `bytes` of memory. What is moved stays there.
    pub(super) fn make_room(&mut self, section: u8, bytes: u64) -> Result<(), SpillError> {
        let Some(file) = &self.spill else {
            return Ok(());
        };
        let allowance = &self.allowance;
        for before in &mut self.sections[..usize::from(section)] {
            if allowance.left() >= bytes {
                break;
            }
            if let Section::Compact(before, _) = before {
                before.make_room(bytes, Space { allowance, file })?;
            }
        }
        Ok(())
    }

    /// Gives back what was taken for compact sections and is not used, once the entries are
    /// final.
    pub(in crate::solve) fn give_back(&mut self, budget: &mut MemoryBudget) {
        budget.give(std::mem::take(&mut self.allowance).left());
    }

    /// Makes sections in memory compact, or drops them if they are in a file that ranks share;
    /// returns the bytes of memory freed.
    pub(in crate::solve) fn compact(&mut self, folder: &Arc<Path>) -> Result<u64, SpillError> {
        if self.is_shared() {
            return self.spill(folder);
        }
        if !is_compactable::<E>() {
            return Ok(0);
        }
        let held = self.bytes_in_memory();
        self.allowance = Allowance::new(u64::MAX);
        let written = self.write_all(folder);
        self.allowance = Allowance::default();
        written?;
        Ok(held.saturating_sub(self.bytes_in_memory()))
    }

    /// Copies sections that are compact, as they are, for as long as `take` grants the memory
    /// for that. The copies stay until [`LayerArray::drop_copies`], or until a section
    /// changes.
    pub(in crate::solve) fn copy_compact(
        &mut self,
        mut take: impl FnMut(u64) -> bool,
    ) -> Result<(), SpillError> {
        for (number, section) in (0..).zip(&mut self.sections) {
            let (Section::Compact(compact, copy @ None), Some(file)) = (section, &self.spill)
            else {
                continue;
            };
            let len = self.part.section_entries(number);
            if take((len * E::BYTES) as u64) {
                let mut entries = section_from((0..len).into_par_iter().map(|_| E::FILLER));
                compact.read_all(&mut entries, file)?;
                *copy = Some(entries);
            }
        }
        Ok(())
    }

    /// Drops the copies of compact sections.
    pub(in crate::solve) fn drop_copies(&mut self) {
        for section in &mut self.sections {
            if let Section::Compact(_, copy) = section {
                *copy = None;
            }
        }
    }

    /// Moves every section to the spill file; returns the bytes of memory freed.
    pub(in crate::solve) fn spill(&mut self, folder: &Arc<Path>) -> Result<u64, SpillError> {
        let held = self.bytes_in_memory();
        if self.is_shared() {
            self.sections.fill_with(|| Section::Spilled);
            return Ok(held);
        }
        self.allowance = Allowance::default();
        self.write_all(folder)?;
        for section in &mut self.sections {
            if let (Section::Compact(section, copy), Some(file)) = (section, &self.spill) {
                *copy = None;
                section.spill(file)?;
            }
        }
        Ok(held.saturating_sub(self.bytes_in_memory()))
    }

    /// Makes the sections that are in memory compact or spilled.
    fn write_all(&mut self, folder: &Arc<Path>) -> Result<(), SpillError> {
        for section in 0..=self.index().seeds() {
            let place = &mut self.sections[usize::from(section)];
            if let Section::InMemory(entries) = place {
                let entries = std::mem::take(entries);
                let written = self.write(section, &entries, folder.clone());
                if written.is_err() {
                    self.sections[usize::from(section)] = Section::InMemory(entries);
                    return written;
                }
            }
        }
        Ok(())
    }

    /// Makes a section compact or, if its entries have no compact form, spills it.
    fn write(&mut self, section: u8, entries: &[E], folder: Arc<Path>) -> Result<(), SpillError> {
        let file = match &mut self.spill {
            Some(spill) => &*spill,
            none => none.insert(SpillFile::new(folder)),
        };
        self.sections[usize::from(section)] = if is_compactable::<E>() {
            let places = |section| places(self.part.section_entries(section));
            let first_place = (0..section).map(places).sum();
            let allowance = &self.allowance;
            let space = Space { allowance, file };
            Section::Compact(CompactSection::new(entries, first_place, space)?, None)
        } else {
            file.write(self.part.section_start(section), entries)?;
            Section::Spilled
        };
        Ok(())
    }
}
