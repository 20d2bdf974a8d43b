//! Arrays of which each rank has a part: how they become whole, and how one rank reads them
//! in order.

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::spill::SpillFile;
use super::{Allowance, LayerArray, MemoryBudget, Section, SpillEntry, SpillError, filled_section};
use crate::index::LayerIndex;
use crate::solve::ranks::{Message, Part, Ranks};

/// The beginning and the end of the names of the files that ranks share.
const SHARED: (&str, &str) = ("krou-shared-", ".partial");

/// Removes files that a killed build of several ranks has left in a folder.
pub(crate) fn remove_shared_files(folder: &Path) {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for file in files {
        let name = file.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(SHARED.0) && name.ends_with(SHARED.1) {
            // A file that stays does no harm.
            let _ = std::fs::remove_file(file.path());
        }
    }
}

/// Entries that a thread copies at a time.
const BATCH: usize = 1 << 18;

/// What ranks send one another of their parts, section by section. The memory is used again.
struct Gathering<'a> {
    ranks: &'a dyn Ranks,
    sent: Message,
    received: Vec<Message>,
}

impl<'a> Gathering<'a> {
    fn new(ranks: &'a dyn Ranks) -> Gathering<'a> {
        Gathering {
            ranks,
            sent: Message::new(),
            received: ranks.no_messages(),
        }
    }

    /// Completes a section of which each rank has the lines of its part.
    fn complete<E: SpillEntry>(&mut self, index: &LayerIndex, section: u8, entries: &mut [E]) {
        let ranks = self.ranks;
        let width = index.section_width(section);
        let entries_of = |rank: usize| {
            let lines = Part::numbered(index, rank, ranks.count()).lines(section);
            lines.start * width..lines.end * width
        };
        let own = &entries[entries_of(ranks.rank())];
        self.sent.resize(own.len() * E::BYTES, 0);
        let batches = self.sent.par_chunks_mut(BATCH * E::BYTES);
        let batches = batches.zip(own.par_chunks(BATCH));
        batches.for_each(|(bytes, entries)| E::encode(entries, bytes));
        for (rank, received) in self.received.iter_mut().enumerate() {
            received.resize(entries_of(rank).len() * E::BYTES, 0);
        }
        let sent = vec![self.sent.as_slice(); ranks.count()];
        ranks.exchange_during(&sent, &mut self.received, &mut || ());
        for (rank, received) in self.received.iter().enumerate() {
            if rank != ranks.rank() {
                let batches = entries[entries_of(rank)].par_chunks_mut(BATCH);
                let batches = batches.zip(received.par_chunks(BATCH * E::BYTES));
                batches.for_each(|(entries, bytes)| E::decode(bytes, entries));
            }
        }
    }
}

impl<E: SpillEntry> LayerArray<E> {
    /// The whole array, for every rank, from the ranks' parts: in memory if all budgets suffice
    /// for that; otherwise in a shared file, and in memory as far as the budget goes. All call
    /// this together, each with the same number.
    pub(in crate::solve) fn whole(
        mut self,
        ranks: &dyn Ranks,
        folder: &Arc<Path>,
        number: u64,
        budget: &mut MemoryBudget,
    ) -> Result<LayerArray<E>, SpillError> {
        if self.part.is_whole() {
            return Ok(self);
        }
        let index = self.index();
        let travelling = (index.largest_section() * E::BYTES) as u64;
        let bytes = index.len() * E::BYTES as u64 + travelling;
        let fits = budget.take(bytes);
        if !ranks.any(!fits) {
            let whole = self.gathered(ranks);
            budget.give(travelling);
            return whole;
        }
        if fits {
            budget.give(bytes);
        }
        let part = self.part.clone();
        self.share(&part, ranks, folder, number)?;
        self.load(budget)?;
        Ok(self)
    }

    /// The whole array in memory, for every rank, from the ranks' parts. All call this together.
    pub(in crate::solve) fn gathered(
        mut self,
        ranks: &dyn Ranks,
    ) -> Result<LayerArray<E>, SpillError> {
        if self.part.is_whole() {
            return Ok(self);
        }
        let index = self.index().clone();
        let mut buffer = Vec::new();
        let mut sections = Vec::new();
        for section in 0..=index.seeds() {
            let mut entries = filled_section(index.section_entries(section), E::FILLER);
            let start = self.part.first_line(section) * index.section_width(section);
            let own = self.section(section, &mut buffer)?.par_chunks(BATCH);
            let places = entries[start..].par_chunks_mut(BATCH);
            own.zip(places)
                .for_each(|(own, place)| place[..own.len()].copy_from_slice(own));
            self.drop_section(section);
            sections.push(entries);
        }
        let mut whole = LayerArray::in_memory_of(&index, sections);
        whole.complete(ranks)?;
        Ok(whole)
    }

    /// Gets the lines that other ranks have, where each has those of its part in a whole array.
    /// All call this together.
    pub(in crate::solve) fn complete(&mut self, ranks: &dyn Ranks) -> Result<(), SpillError> {
        let index = self.index().clone();
        let mut gathering = Gathering::new(ranks);
        let mut buffer = Vec::new();
        for section in 0..=index.seeds() {
            let mut entries = match self.take(section) {
                Some(entries) => entries,
                None => {
                    self.read_section(section, &mut buffer)?;
                    std::mem::take(&mut buffer)
                }
            };
            gathering.complete(&index, section, &mut entries);
            buffer = self.put(section, entries)?;
        }
        Ok(())
    }

    /// Writes the lines of the ranks' parts to a file in a folder that they share, and reads
    /// from it what is not in memory, in a rank that has entries of all parts, or else
    /// everything. All call this together, each with the same number, which nothing else in
    /// the folder has.
    pub(in crate::solve) fn share(
        &mut self,
        part: &Part,
        ranks: &dyn Ranks,
        folder: &Arc<Path>,
        number: u64,
    ) -> Result<(), SpillError> {
        let name = format!("{}{number}{}", SHARED.0, SHARED.1);
        if ranks.is_first() {
            SpillFile::create_shared(folder, &name)?;
        }
        ranks.wait_for_all();
        let file = SpillFile::open_shared(folder.clone(), &name, false)?;
        let mut buffer = Vec::new();
        for section in 0..=part.index().seeds() {
            let entries = self.lines(section, part.lines(section), &mut buffer)?;
            file.write(part.section_start(section), entries)?;
            if !self.part.is_whole() || self.in_memory(section).is_none() {
                self.drop_section(section);
            }
        }
        file.sync()?;
        drop(file);
        ranks.wait_for_all();
        // On a network file system, a file that is opened now has what others have written.
        self.spill = Some(SpillFile::open_shared(
            folder.clone(),
            &name,
            ranks.is_first(),
        )?);
        self.part = Part::whole(part.index());
        self.allowance = Allowance::default();
        Ok(())
    }

    /// Whether other ranks read it from the same file.
    pub(in crate::solve) fn is_shared(&self) -> bool {
        self.spill.as_ref().is_some_and(SpillFile::is_shared)
    }

    /// Reads the sections that are in no memory, as long as the budget lasts.
    fn load(&mut self, budget: &mut MemoryBudget) -> Result<(), SpillError> {
        for section in 0..=self.index().seeds() {
            let bytes = self.part.section_entries(section) * E::BYTES;
            if self.in_memory(section).is_none() && budget.take(bytes as u64) {
                let mut entries = Vec::new();
                self.read_section(section, &mut entries)?;
                self.sections[usize::from(section)] = Section::InMemory(entries);
            }
        }
        Ok(())
    }

    /// Passes all entries of the ranks' parts on in order, at most `batch` at a time: on the
    /// first rank, which gets them from the others. All call this together.
    pub(in crate::solve) fn for_each_batch_on_first<Error: From<SpillError>>(
        &self,
        ranks: &dyn Ranks,
        batch: usize,
        mut then: impl FnMut(&[E]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if self.part.is_whole() {
            return match ranks.is_first() {
                true => self.for_each_batch(batch, then),
                false => Ok(()),
            };
        }
        let mut buffer = Vec::new();
        let mut received = Vec::new();
        for section in 0..=self.index().seeds() {
            let entries = self.section(section, &mut buffer)?;
            for owner in 0..ranks.count() {
                let of_owner = Part::numbered(self.index(), owner, ranks.count());
                let len = of_owner.section_entries(section);
                for start in (0..len).step_by(batch) {
                    let end = len.min(start + batch);
                    let mut messages = vec![Vec::new(); ranks.count()];
                    if owner == ranks.rank() {
                        messages[0] = vec![0; (end - start) * E::BYTES];
                        E::encode(&entries[start..end], &mut messages[0]);
                    }
                    let messages = ranks.exchange(messages);
                    if ranks.is_first() {
                        received.resize(end - start, E::FILLER);
                        E::decode(&messages[owner], &mut received);
                        then(&received)?;
                    }
                }
            }
        }
        Ok(())
    }
}
