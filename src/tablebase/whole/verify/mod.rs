//! Verifying: checksums, then the certificate of every board.
//!
//! Layers are verified from 0 seeds on, since each is proven from those below it. The
//! verdicts report every fault. A damaged table does not end the work: the boards of the
//! layers that need it cannot be checked, but their checksums still are. Only what is
//! found before the work begins is an error.
//!
//! - `budget`: how much memory and how many steps a verification takes;
//! - `layer`: one layer after the other;
//! - `probed`: whether probes return what was proven.

mod budget;
mod layer;
mod probed;

use std::sync::Arc;

use thiserror::Error;

use self::layer::Verification;
use super::error::{LoadError, NotEnoughMemory};
use crate::solve::Observer;
use crate::solve::certificate::Failure;
use crate::table::TableError;
use crate::tablebase::layers::LayerTables;
use crate::tablebase::tables::Tablebase;

/// What to verify.
#[derive(Clone, Copy, Debug)]
pub struct VerifyOptions {
    /// The highest layer. All layers below it are verified too.
    pub seeds: u8,
    /// How many random boards to check of each layer that has more; all if `None`.
    pub sample: Option<u64>,
    /// How many failures of each layer to list.
    pub most: usize,
    /// The most bytes of memory to use, if limited.
    pub memory: Option<u64>,
}

/// The result of verifying one layer.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Verdict {
    /// The layer.
    pub seeds: u8,
    /// The errors of its damaged tables; each names its file.
    pub damaged: Vec<Arc<TableError>>,
    /// The lowest layer below it that is damaged or has failing boards. The result of
    /// this layer then holds only if that one is right.
    pub rests_on: Option<u8>,
    /// The result of checking its boards; `None` if they cannot be checked because
    /// tables of this layer or of lower ones are damaged.
    pub boards: Option<BoardCheck>,
}

/// The result of checking the boards of a layer.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct BoardCheck {
    /// Boards checked.
    pub checked: u64,
    /// Boards that fail.
    pub failing: u64,
    /// The first failures. Those that do not follow from others come first.
    pub failures: Vec<WrongEntry>,
    /// What the check establishes.
    pub assurance: Assurance,
}

/// What a check of boards establishes if none fails.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Assurance {
    /// Every entry of the layer is right, given the layers below it.
    Proof,
    /// The entries of random boards agree with those of their children.
    Agreement,
    /// As [`Assurance::Agreement`], but without distances for some of the entries: a
    /// loop of boards that support each other would not be noticed.
    ConsistencyOnly,
}

/// A wrong entry, and the table that it is in.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{file}: {failure}")]
#[non_exhaustive]
pub struct WrongEntry {
    /// The path of the table, or its name.
    pub file: String,
    /// Which board, and what is wrong with it.
    pub failure: Failure,
}

impl Default for VerifyOptions {
    /// All boards of the layer without seeds; ten failures; no limit of memory.
    fn default() -> VerifyOptions {
        VerifyOptions {
            seeds: 0,
            sample: None,
            most: 10,
            memory: None,
        }
    }
}

impl VerifyOptions {
    /// All boards of the layers from 0 to `seeds`.
    pub fn new(seeds: u8) -> VerifyOptions {
        VerifyOptions {
            seeds,
            ..VerifyOptions::default()
        }
    }

    /// How many random boards to check of a layer with `boards` boards; all if `None`.
    fn sampled(&self, boards: u64) -> Option<u64> {
        self.sample.filter(|&count| count < boards)
    }
}

impl Verdict {
    /// Whether nothing is wrong with the layer.
    pub fn is_right(&self) -> bool {
        self.damaged.is_empty() && self.boards_are_right()
    }

    /// Whether the layers above can be checked against this one.
    fn boards_are_right(&self) -> bool {
        let boards = self.boards.as_ref();
        boards.is_some_and(|boards| boards.failing == 0)
    }
}

impl Tablebase {
    /// Reads every table up to a layer, which checks all checksums, and checks the boards
    /// of each layer with the plain rules; calls `on_layer` after each. A layer to which no
    /// move of the others leads may be missing. The layer being checked takes a byte for each
    /// board, one more where there are distances and one more where endless play counts by row;
    /// or two where there are bounds, if that is more. The layers below take a byte for each
    /// board, or three where there are bounds. They are in memory as far as is allowed, and the
    /// others in files, which have no name, in the system's temporary folder. If only random boards are checked, a layer is held only if it
    /// has no more boards than that.
    ///
    /// ```
    /// use krou::rules::Ruleset;
    /// use krou::solve::Silent;
    /// use krou::tablebase::Tablebase;
    /// use krou::tablebase::VerifyOptions;
    ///
    /// let tables = Tablebase::embedded(Ruleset::AWARI);
    /// let options = VerifyOptions::new(5);
    /// let mut right = true;
    /// tables.verify(&options, &Silent, |verdict| right &= verdict.is_right())?;
    /// assert!(right);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a table is missing, or there is not enough memory; both are found before
    /// anything is read. Also if a spill file cannot be used. Faults of tables are not
    /// errors: the verdicts report them.
    pub fn verify(
        &self,
        options: &VerifyOptions,
        observer: &dyn Observer,
        mut on_layer: impl FnMut(Verdict),
    ) -> Result<(), LoadError> {
        let rules = self.rules();
        let needed = (0..rules.layers_reached(options.seeds)).chain([options.seeds]);
        self.check_all_there(needed, LayerTables::has)?;
        NotEnoughMemory::check(options.seeds, options.memory, |seeds| {
            self.memory_to_verify(seeds, options)
        })?;
        let mut verification = Verification::new(self, options, observer);
        for seeds in 0..=options.seeds {
            let missing = self.tables(seeds).missing_kind(rules, LayerTables::has);
            match missing {
                // No move of the layers that are checked leads there.
                Some(_) => verification.skip(seeds),
                None => on_layer(verification.next(seeds)?),
            }
        }
        Ok(())
    }
}
