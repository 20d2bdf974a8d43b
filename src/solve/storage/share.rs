//! Arrays of which each rank has a part: how they become whole, and how one rank reads them
//! in order.

use std::path::Path;
use std::sync::Arc;

use super::spill::SpillFile;
use super::{Allowance, LayerArray, MemoryBudget, Section, SpillEntry, SpillError};
use crate::solve::ranks::{Part, Ranks};

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

impl<E: SpillEntry> LayerArray<E> {
    /// The whole array, for every rank: all write their parts to a file in a folder that
    /// they share. Each keeps as many sections in memory as its budget allows. All call this
    /// together, each with the same number, which nothing else in the folder has.
    pub(in crate::solve) fn share(
        mut self,
        ranks: &dyn Ranks,
        folder: &Arc<Path>,
        number: u64,
        budget: &mut MemoryBudget,
    ) -> Result<LayerArray<E>, SpillError> {
        if self.part.is_whole() {
            return Ok(self);
        }
        let name = format!("{}{number}{}", SHARED.0, SHARED.1);
        if ranks.is_first() {
            SpillFile::create_shared(folder, &name)?;
        }
        ranks.wait_for_all();
        let file = SpillFile::open_shared(folder.clone(), &name, false)?;
        let mut buffer = Vec::new();
        for section in 0..=self.index().seeds() {
            let entries = self.section(section, &mut buffer)?;
            file.write(self.part.section_start(section), entries)?;
            self.drop_section(section);
        }
        file.sync()?;
        let part = Part::whole(self.index());
        drop((file, self));
        ranks.wait_for_all();
        // On a network file system, a file that is opened now has what others have written.
        let file = SpillFile::open_shared(folder.clone(), &name, ranks.is_first())?;
        let mut whole = LayerArray {
            sections: (0..=part.index().seeds())
                .map(|_| Section::Spilled)
                .collect(),
            part,
            spill: Some(file),
            allowance: Allowance::default(),
        };
        whole.load(budget)?;
        Ok(whole)
    }

    /// Whether other ranks read it from the same file.
    pub(super) fn is_shared(&self) -> bool {
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
