//! Probing: what a board and each of its moves are worth.

use std::cmp::Reverse;
use std::path::Path;

use thiserror::Error;

use super::cache::{BlockCache, DEFAULT_BYTES};
use super::folder::{self, LayerTables, Layers, OpenError};
use crate::index::LayerIndex;
use crate::rules::{Board, MAX_SEEDS, Next, Ruleset, Step};
use crate::table::{Kind, Table, TableError};

/// What a board is worth to the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Worth {
    /// Net seeds, endless play counting 0; −48 to 48.
    pub value: i8,
    /// Plies to the next capture or the end, when both keep the value, the
    /// winner hurries and the loser delays; 0 where the game is over already.
    /// `None` without a distance table, and where the value is 0.
    pub distance: Option<u8>,
    /// The value when endless play counts as the worst and as the best for the
    /// mover, under rulesets where it is settled by side.
    pub bounds: Option<(i8, i8)>,
}

/// A legal move with what it is worth to the mover, captures included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove {
    /// The move.
    pub step: Step,
    /// Its worth; `None` if a layer is missing. The distance counts from the
    /// board before the move: 1 for a capture or an ending.
    pub worth: Option<Worth>,
}

/// Why a probe has no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// A layer is not at hand.
    #[error(
        "there is no table for {rules} with {seeds} seeds: build it with 'krou build --rules {rules} --seeds {seeds}'"
    )]
    Missing {
        /// The ruleset asked about.
        rules: Ruleset,
        /// The layer that is missing.
        seeds: u8,
    },
    /// A table is damaged.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// The tables of a ruleset, ready to be asked. It can be shared by threads.
///
/// A probe of a board in the index reads one entry of each table of its layer;
/// other boards are answered by one ply, that is by up to six such probes. An
/// entry is read from its decoded block, which costs a look-up in a cache of
/// bounded size or the decoding of a block.
///
/// ```
/// use krou::rules::{Board, Ruleset};
/// use krou::tablebase::Tablebase;
///
/// // The small tables inside the library: up to 9 seeds of awari.
/// let tables = Tablebase::embedded(Ruleset::AWARI);
/// let board: Board = "0 0 0 0 0 1 / 2 0 0 0 0 1".parse()?;
/// assert_eq!(tables.probe(&board)?.value, 4);
/// let best = tables.moves(&board)?[0];
/// assert_eq!((best.step.pit, best.step.captured), (5, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tablebase {
    rules: Ruleset,
    indexes: Vec<LayerIndex>,
    layers: Layers,
    cache: BlockCache,
}

impl Tablebase {
    /// Opens the tables of a ruleset in some folders; where several have the
    /// same table, the first folder's counts. Tables of other rulesets are
    /// passed over.
    ///
    /// # Errors
    /// If a folder is not there, or one of the tables is damaged.
    pub fn open<P: AsRef<Path>>(rules: Ruleset, folders: &[P]) -> Result<Tablebase, OpenError> {
        let folders: Vec<&Path> = folders.iter().map(AsRef::as_ref).collect();
        Ok(Tablebase::new(rules, folder::open(rules, &folders)?))
    }

    /// The tables inside the library: `awari` up to
    /// [`EMBEDDED_SEEDS`](super::EMBEDDED_SEEDS) seeds, none of other rulesets.
    pub fn embedded(rules: Ruleset) -> Tablebase {
        Tablebase::new(rules, folder::embedded_layers(rules))
    }

    pub(super) fn new(rules: Ruleset, layers: Layers) -> Tablebase {
        Tablebase {
            rules,
            indexes: (0..=MAX_SEEDS).map(|n| LayerIndex::new(rules, n)).collect(),
            layers,
            cache: BlockCache::new(DEFAULT_BYTES),
        }
    }

    /// Bounds the memory for decoded blocks; 64 MiB unless set.
    #[must_use]
    pub fn with_cache_bytes(mut self, bytes: u64) -> Tablebase {
        self.cache = BlockCache::new(bytes);
        self
    }

    /// The ruleset.
    pub fn rules(&self) -> Ruleset {
        self.rules
    }

    /// The layers with a value table, ascending.
    pub fn layers(&self) -> impl Iterator<Item = u8> + '_ {
        (0..=MAX_SEEDS).filter(|&seeds| self.table(seeds, Kind::Value).is_some())
    }

    /// A table of a layer, if it is at hand.
    pub fn table(&self, seeds: u8, kind: Kind) -> Option<&Table> {
        self.tables(seeds).of(kind)
    }

    /// The index of a layer, at most [`MAX_SEEDS`] seeds.
    pub(super) fn index(&self, seeds: u8) -> &LayerIndex {
        &self.indexes[usize::from(seeds)]
    }

    /// The tables of a layer.
    pub(super) fn tables(&self, seeds: u8) -> &LayerTables {
        &self.layers[usize::from(seeds)]
    }

    /// What a board is worth.
    ///
    /// # Errors
    /// If the board's layer is missing, or a table is damaged.
    pub fn probe(&self, board: &Board) -> Result<Worth, ProbeError> {
        match self.look_up(board)? {
            Some(worth) => Ok(worth),
            None => self.one_ply(board),
        }
    }

    /// The legal moves of a board with what each is worth, best first: by
    /// value; among equals the shortest way to a win, the longest to a loss.
    /// Moves whose worth is not known come last.
    ///
    /// # Errors
    /// If a table is damaged. A missing layer is no error here.
    pub fn moves(&self, board: &Board) -> Result<Vec<RankedMove>, TableError> {
        let mut moves = Vec::new();
        for step in self.rules.moves(board).legal() {
            let worth = match self.worth_of(board, &step) {
                Ok(worth) => Some(worth),
                Err(ProbeError::Missing { .. }) => None,
                Err(ProbeError::Table(error)) => return Err(error),
            };
            moves.push(RankedMove { step, worth });
        }
        moves.sort_by_key(|m| {
            let worth = m.worth.map(|worth| {
                let plies = i16::from(worth.distance.unwrap_or(0));
                (worth.value, if worth.value > 0 { -plies } else { plies })
            });
            Reverse(worth)
        });
        Ok(moves)
    }

    /// The worth of a board, if it is in the index of its layer.
    fn look_up(&self, board: &Board) -> Result<Option<Worth>, ProbeError> {
        let (rules, seeds) = (self.rules, board.seeds());
        let tables = self.tables(seeds);
        let value = tables.value.as_ref();
        let value = value.ok_or(ProbeError::Missing { rules, seeds })?;
        let Some(index) = self.index(seeds).index(board) else {
            return Ok(None);
        };
        let (block, place) = self.cache.find(value, index)?;
        let value = block.plane(0)[place].cast_signed();
        let distance = match &tables.distance {
            Some(table) if value != 0 => {
                let (block, place) = self.cache.find(table, index)?;
                Some(block.plane(0)[place])
            }
            _ => None,
        };
        let bounds = match &tables.bounds {
            Some(table) => {
                let (block, place) = self.cache.find(table, index)?;
                let [lower, upper] = [0, 1].map(|plane| block.plane(plane)[place].cast_signed());
                Some((lower, upper))
            }
            None => None,
        };
        Ok(Some(Worth {
            value,
            distance,
            bounds,
        }))
    }

    /// The worth of a board that is not in the index, from its moves.
    fn one_ply(&self, board: &Board) -> Result<Worth, ProbeError> {
        let moves = self.rules.moves(board);
        let tables = self.tables(board.seeds());
        if let Some(value) = moves.over() {
            let told = value != 0 && tables.distance.is_some();
            return Ok(Worth {
                value,
                distance: told.then_some(0),
                bounds: tables.bounds.as_ref().map(|_| (value, value)),
            });
        }
        let worths = moves.legal().map(|step| self.worth_of(board, &step));
        let worths: Vec<Worth> = worths.collect::<Result<_, _>>()?;
        let value = worths.iter().map(|w| w.value).max();
        let value = value.expect("a board that is not over has a move");
        let keeping = worths.iter().filter(|w| w.value == value);
        let distances: Option<Vec<u8>> = keeping.map(|w| w.distance).collect();
        let distance = distances.and_then(|d| match value {
            1.. => d.into_iter().min(),
            _ => d.into_iter().max(),
        });
        let bounds: Option<Vec<(i8, i8)>> = worths.iter().map(|w| w.bounds).collect();
        let bounds = bounds.and_then(|b| {
            let lower = b.iter().map(|(lower, _)| *lower).max()?;
            Some((lower, b.iter().map(|(_, upper)| *upper).max()?))
        });
        Ok(Worth {
            value,
            distance,
            bounds,
        })
    }

    /// The worth of a move on `board`.
    fn worth_of(&self, board: &Board, step: &Step) -> Result<Worth, ProbeError> {
        let tables = self.tables(board.seeds());
        let child = match step.next {
            // What is over is worth nothing more.
            Next::Over => Worth {
                value: 0,
                distance: None,
                bounds: self.rules.has_bounds().then_some((0, 0)),
            },
            _ => self.probe(&step.board)?,
        };
        let value = step.worth(child.value);
        let distance = match step.is_quiet(board.seeds()) {
            _ if value == 0 || tables.distance.is_none() => None,
            false => Some(1),
            true => child.distance.map(|plies| plies.saturating_add(1)),
        };
        let bounds = child.bounds.map(|(lower, upper)| match step.next {
            Next::Again => (step.worth(lower), step.worth(upper)),
            _ => (step.worth(upper), step.worth(lower)),
        });
        Ok(Worth {
            value,
            distance,
            bounds,
        })
    }
}
