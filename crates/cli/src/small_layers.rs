//! Small layers that no folder has: they are solved in memory, faster than somebody builds them.

use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use krou::rules::MAX_SEEDS;
use krou::table::Kind;
use krou::tablebase::{EMBEDDED_SEEDS, Tablebase};

use crate::args::TableMemoryArgs;
use crate::folder_args::FolderArgs;
use crate::messages::print_message;

/// The highest layer that is solved in memory where it is missing: in a second at most.
const SOLVED_SEEDS: u8 = 10;

/// Solves the small layers that a board of `seeds` seeds needs where they are missing or damaged,
/// or all of them. Returns what is to be said about that, if any was solved.
pub fn solve_small(
    folders: &FolderArgs,
    tables: &mut Tablebase,
    seeds: Option<u8>,
) -> Option<String> {
    // A layer that is there may need small ones.
    let is_there = |seeds| tables.table(seeds, Kind::Value).is_some();
    let most = match seeds {
        Some(seeds) if seeds > SOLVED_SEEDS => is_there(seeds).then_some(SOLVED_SEEDS)?,
        Some(seeds) => seeds,
        None => EMBEDDED_SEEDS,
    };
    if tables.layers_within(u64::MAX) > most {
        return None;
    }
    let rules = tables.rules();
    let seeds = seeds.unwrap_or(SOLVED_SEEDS).min(SOLVED_SEEDS);
    let are_damaged = tables.damaged_tables().next().is_some();
    // A table that cannot be read is reported where it is needed.
    tables.solve_missing(seeds).ok()?;
    if are_damaged {
        // A build would refuse them; the warning of each says what to do.
        return Some(format!(
            "layers of {rules} up to {seeds} seeds whose tables are missing or damaged were \
             solved in memory"
        ));
    }
    let option = folders.option();
    Some(format!(
        "layers of {rules} up to {seeds} seeds are missing and were solved in memory: \
         'krou build --rules {rules} --seeds {seeds}{option}' keeps them"
    ))
}

/// As [`solve_small`], and says so.
pub fn complete(folders: &FolderArgs, tables: &mut Tablebase, seeds: Option<u8>) {
    if let Some(note) = solve_small(folders, tables, seeds) {
        print_message(&note);
    }
}

/// Tables for boards that come one after the other, on several threads. A small layer is solved
/// when the first board needs it.
pub struct TablesOnDemand<'a> {
    folders: &'a FolderArgs,
    memory: &'a TableMemoryArgs,
    state: Mutex<Completed>,
}

/// As far as boards have asked.
struct Completed {
    tables: Tablebase,
    /// What is to be said about all layers that were solved.
    note: Option<String>,
}

impl<'a> TablesOnDemand<'a> {
    /// These tables, loaded into memory as far as they fit.
    pub fn new(
        folders: &'a FolderArgs,
        memory: &'a TableMemoryArgs,
        tables: Tablebase,
    ) -> Result<TablesOnDemand<'a>> {
        memory.load(&tables)?;
        let state = Mutex::new(Completed { tables, note: None });
        Ok(TablesOnDemand {
            folders,
            memory,
            state,
        })
    }

    /// The tables with the layers that a board of `seeds` seeds needs.
    fn complete(&self, seeds: u8) -> Result<Tablebase> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(note) = solve_small(self.folders, &mut state.tables, Some(seeds)) {
            self.memory.load(&state.tables)?;
            // It names the highest layer, so that it holds for those before.
            state.note = Some(note);
        }
        Ok(state.tables.clone())
    }

    /// The tables for one thread.
    pub fn of_thread(&self) -> TablesOfThread<'_> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        TablesOfThread {
            shared: self,
            tables: state.tables.clone(),
            is_complete: [false; MAX_SEEDS as usize + 1],
        }
    }

    /// Says which layers were solved.
    pub fn tell(self) {
        let state = self.state.into_inner();
        if let Some(note) = state.unwrap_or_else(PoisonError::into_inner).note {
            print_message(&note);
        }
    }
}

/// The tables of [`TablesOnDemand`] as one thread knows them.
pub struct TablesOfThread<'a> {
    shared: &'a TablesOnDemand<'a>,
    tables: Tablebase,
    /// For which numbers of seeds the layers were asked for.
    is_complete: [bool; MAX_SEEDS as usize + 1],
}

impl TablesOfThread<'_> {
    /// The tables with the layers that a board of `seeds` seeds needs.
    pub fn complete(&mut self, seeds: u8) -> Result<&Tablebase> {
        let is_complete = &mut self.is_complete[usize::from(seeds)];
        if !*is_complete {
            self.tables = self.shared.complete(seeds)?;
            *is_complete = true;
        }
        Ok(&self.tables)
    }
}
