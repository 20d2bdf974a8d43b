//! The solver: layer after layer, from few seeds to many.

use std::cmp::Reverse;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rayon::prelude::*;

use super::array::{LayerArray, SpillError};
use super::checkpoint::{Checkpoints, Finished};
use super::conversions::{Conversions, find_conversions, no_terminals};
use super::entry::{DistanceKey, Entry, Value};
use super::error::SolveError;
use super::layer::{Layer, LayerBounds};
use super::memory::{Memory, phase_bytes, worklist_bytes};
use super::moves::CompiledMoves;
use super::observer::{Observer, Phase};
use super::propagate::Propagator;
use super::ranks::{Alone, Ranks};
use crate::index::LayerIndex;
use crate::rules::{MAX_SEEDS, Quantity, Ruleset};
use crate::spans;
use crate::table::{Kind, TableId};

/// Solves the layers of a ruleset in turn, each from those below, which it keeps: one
/// byte a board for values, two more where the ruleset has bounds. They are in anonymous memory
/// or, beyond a [memory limit](Solver::within), in mapped files.
///
/// Work is spread over the threads of the rayon pool it is called in. The results
/// depend neither on their number nor on the limit.
///
/// ```
/// use krou::rules::Ruleset;
/// use krou::solve::Silent;
/// use krou::internal::solve::Solver;
///
/// let mut solver = Solver::new(Ruleset::AWARI);
/// for _ in 0..=4 {
///     solver.solve_next(&Silent)?;
/// }
/// let values = solver.layer(4).value().as_slice();
/// let wins = values.iter().filter(|value| value.get() > 0).count();
/// assert_eq!(wins, 580); // Lincke 2002, appendix B: 165 by two, 415 by four
/// # Ok::<(), krou::solve::SolveError>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    pub(super) moves: CompiledMoves,
    pub(super) layers: Vec<Layer>,
    /// Conversions of the layer that was solved last, which its distances and tables need.
    pub(super) kept: Vec<(Quantity, Conversions)>,
    pub(super) limit: Option<Limit>,
    pub(super) checkpoints: Checkpoints,
    pub(super) ranks: Arc<dyn Ranks>,
}

/// How much anonymous memory may be used, and where the rest goes.
#[derive(Debug)]
pub(super) struct Limit {
    bytes: u64,
    folder: Arc<Path>,
}

/// Why a layer has the quantity that is asked for.
const HAS_BOUNDS: &str = "bounds of a ruleset that has them";

/// What a phase begins with: `N` arrays of the layer.
struct Start<const N: usize> {
    arrays: [LayerArray<Value>; N],
    /// The best conversions for each array; `None` if a checkpoint has finished arrays.
    conversions: Option<[Conversions; N]>,
    worklist_capacity: u64,
}

impl Solver {
    /// The longest distance that a table can hold, in plies.
    pub const LONGEST_DISTANCE: u16 = DistanceKey::LONGEST;

    /// A solver that has solved no layer yet, and keeps everything in memory.
    pub fn new(rules: Ruleset) -> Solver {
        Solver {
            moves: CompiledMoves::new(rules),
            layers: Vec::new(),
            kept: Vec::new(),
            limit: None,
            checkpoints: Checkpoints::none(),
            ranks: Arc::new(Alone),
        }
    }

    /// A solver with which the program takes at most `bytes` of anonymous memory, if that is no
    /// less than [`memory_needed`](super::memory_needed). Arrays that do not fit are in nameless
    /// files in a folder, which the system reads and writes as memory.
    ///
    /// The limit counts what the solver allocates. An allocator that keeps freed
    /// memory for itself adds to that.
    pub fn within(rules: Ruleset, bytes: u64, folder: impl AsRef<Path>) -> Solver {
        let folder = folder.as_ref().into();
        Solver {
            limit: Some(Limit { bytes, folder }),
            ..Solver::new(rules)
        }
    }

    /// The same solver with checkpoints in a folder. Where there is one of the next
    /// phase, the solver resumes from it. With `every`, it also saves them, at most
    /// once in that time and only between sweeps. They stay until they are
    /// deleted, as [`build`](crate::tablebase::build()) does once the table is written.
    #[must_use]
    pub fn with_checkpoints(mut self, folder: impl AsRef<Path>, every: Option<Duration>) -> Solver {
        self.checkpoints = Checkpoints::new(folder.as_ref(), every);
        self
    }

    /// The same solver as one of several ranks, which solve each layer together. All do the
    /// same with their solvers, and each gets the same layers.
    #[must_use]
    pub fn on(mut self, ranks: Arc<dyn Ranks>) -> Solver {
        self.ranks = ranks;
        self
    }

    /// The ranks that solve together.
    pub fn ranks(&self) -> &Arc<dyn Ranks> {
        &self.ranks
    }

    /// The ruleset.
    pub fn rules(&self) -> Ruleset {
        self.moves.rules
    }

    /// A solved layer.
    ///
    /// # Panics
    /// If it is not solved.
    pub fn layer(&self, seeds: u8) -> &Layer {
        &self.layers[usize::from(seeds)]
    }

    /// The layers solved so far, from 0 seeds on.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The layers solved so far, from 0 seeds on.
    pub fn into_layers(self) -> Vec<Layer> {
        self.layers
    }

    /// The next layer to solve: the number of its seeds.
    pub fn next_seeds(&self) -> u8 {
        self.layers.len() as u8
    }

    /// Solves the next layer. After an error the solver has the same layers as before.
    ///
    /// # Errors
    /// If a file is needed and cannot be made, or a checkpoint cannot be read or written.
    ///
    /// # Panics
    /// If there is no next layer: the last one has [`MAX_SEEDS`] seeds.
    pub fn solve_next(&mut self, observer: &dyn Observer) -> Result<(), SolveError> {
        let index = self.begin_layer();
        let id = self.id(&index, Kind::Value);
        let phase = spans::phase("values", index.seeds());
        // From 0, the value of endless play, every entry moves only towards its
        // final one: `docs/solver.md`.
        let endless = [(Quantity::Value, Value::new(0))];
        let mut start = self.start(&index, id, endless, None, observer)?;
        if let Some(conversions) = start.conversions {
            observer.begins(index.seeds(), Phase::Values, index.len());
            let (moves, ranks) = (&self.moves, &*self.ranks);
            let capacity = start.worklist_capacity;
            let propagator = Propagator::new(moves, &index, ranks, observer, capacity);
            let best = conversions.each_ref().map(|conversions| &conversions.best);
            let terminals = no_terminals(index.seeds());
            propagator.converge(&mut start.arrays, best, &terminals, &mut |arrays| {
                let finished = Finished::none();
                self.checkpoints.save_if_due(id, ranks, arrays, finished)
            })?;
            self.checkpoints.finish(id);
            if !self.rules().has_bounds() {
                self.kept
                    .extend(conversions.map(|found| (Quantity::Value, found)));
            }
        }
        drop(phase);
        let [mut value] = start.arrays;
        let bounds = match self.rules().has_bounds() {
            true => Some(self.solve_bounds(&index, &mut value, observer)?),
            false => None,
        };
        self.layers.push(Layer::new(value, bounds));
        Ok(())
    }

    fn solve_bounds(
        &mut self,
        index: &LayerIndex,
        value: &mut LayerArray<Value>,
        observer: &dyn Observer,
    ) -> Result<LayerBounds, SolveError> {
        let id = self.id(index, Kind::Bounds);
        let _phase = spans::phase("bounds", index.seeds());
        let n = index.seeds().cast_signed();
        let endless = [
            (Quantity::Lower, Value::new(-n)),
            (Quantity::Upper, Value::new(n)),
        ];
        let mut start = self.start(index, id, endless, Some(value), observer)?;
        if let Some(conversions) = start.conversions {
            observer.begins(index.seeds(), Phase::Bounds, 2 * index.len());
            let (moves, ranks) = (&self.moves, &*self.ranks);
            let capacity = start.worklist_capacity;
            let propagator = Propagator::new(moves, index, ranks, observer, capacity);
            let best = conversions.each_ref().map(|conversions| &conversions.best);
            let terminals = no_terminals(index.seeds());
            propagator.converge(&mut start.arrays, best, &terminals, &mut |arrays| {
                let finished = Finished::value(value);
                self.checkpoints.save_if_due(id, ranks, arrays, finished)
            })?;
            self.checkpoints.finish(id);
            let [lower, upper] = conversions;
            self.kept.push((Quantity::Lower, lower));
            self.kept.push((Quantity::Upper, upper));
        }
        let [lower, upper] = start.arrays;
        Ok(LayerBounds { lower, upper })
    }

    /// Begins a phase: arrays from a checkpoint or, for each quantity, of the value of endless
    /// play; and their best conversions. `unread` is an array of the layer that the phase does
    /// not read.
    fn start<const N: usize>(
        &mut self,
        index: &LayerIndex,
        id: TableId,
        endless: [(Quantity, Value); N],
        unread: Option<&mut LayerArray<Value>>,
        observer: &dyn Observer,
    ) -> Result<Start<N>, SolveError> {
        let bytes = N as u64 * index.len();
        let worklist = worklist_bytes(index);
        let mut memory = self.memory(index, 1, 2 * bytes + worklist, unread)?;
        // What every sweep writes comes first, then the worklist.
        let mut for_entries = memory.set_aside(bytes);
        let for_worklist = memory.set_aside(worklist);
        let most = index.seeds();
        let fits = |values: &[Value]| {
            let values = values.par_iter();
            values.all(|value| value.get().unsigned_abs() <= most)
        };
        let resumed = (self.checkpoints).resume(id, index, &mut for_entries, observer, fits)?;
        let arrays = match resumed {
            Some(resumed) if resumed.is_finished => {
                return Ok(Start {
                    arrays: resumed.arrays,
                    conversions: None,
                    worklist_capacity: 0,
                });
            }
            resumed => resumed.map(|resumed| resumed.arrays),
        };
        let mut find = |(quantity, _)| self.conversions(index, quantity, observer, &mut memory);
        let conversions = all_of(endless.map(&mut find))?;
        let arrays = match arrays {
            Some(arrays) => arrays,
            None => all_of(endless.map(|(_, entry)| for_entries.array(index, || entry)))?,
        };
        memory.take_back(&for_entries);
        memory.take_back(&for_worklist);
        Ok(Start {
            arrays,
            conversions: Some(conversions),
            worklist_capacity: memory.worklist_capacity(index),
        })
    }

    /// Prepares the work on the next layer.
    pub(super) fn begin_layer(&mut self) -> LayerIndex {
        let seeds = self.next_seeds();
        assert!(seeds <= MAX_SEEDS, "all layers are solved");
        self.checkpoints.begin_layer();
        self.kept.clear();
        self.moves.extend_to(seeds);
        LayerIndex::new(self.rules(), seeds)
    }

    /// The anonymous memory for a phase that takes `wanted` bytes for arrays and the worklist,
    /// with entries of `entry` bytes. If there is less, arrays that the phase reads once or not
    /// at all move to files: `unread`, then lower layers, the largest first.
    pub(super) fn memory(
        &mut self,
        index: &LayerIndex,
        entry: usize,
        wanted: u64,
        unread: Option<&mut LayerArray<Value>>,
    ) -> Result<Memory, SpillError> {
        let Some(limit) = &self.limit else {
            return Ok(Memory::unlimited());
        };
        let in_use = phase_bytes(index, entry) + self.moves.bytes();
        let left = limit.bytes.saturating_sub(in_use);
        let mut arrays: Vec<_> = self.layers.iter_mut().flat_map(Layer::arrays_mut).collect();
        arrays.sort_unstable_by_key(|array| Reverse(array.bytes_in_memory()));
        let arrays: Vec<_> = unread.into_iter().chain(arrays).collect();
        let mut held: u64 = arrays.iter().map(|array| array.bytes_in_memory()).sum();
        for array in arrays {
            if held + wanted <= left {
                break;
            }
            held -= array.bytes_in_memory();
            array.move_to_file(&limit.folder)?;
        }
        let left = left.saturating_sub(held);
        Ok(Memory::limited(left, limit.folder.clone()))
    }

    /// The conversions of a layer, if they have been kept.
    pub(super) fn take_kept(&mut self, seeds: u8, quantity: Quantity) -> Option<Conversions> {
        if seeds + 1 != self.next_seeds() {
            return None;
        }
        let kept = self.kept.iter().position(|(kept, _)| *kept == quantity)?;
        Some(self.kept.swap_remove(kept).1)
    }

    /// The conversion pass for one quantity of a layer, with all layers below solved.
    pub(super) fn conversions(
        &self,
        index: &LayerIndex,
        quantity: Quantity,
        observer: &dyn Observer,
        memory: &mut Memory,
    ) -> Result<Conversions, SpillError> {
        let _phase = spans::phase("conversions", index.seeds());
        observer.begins(index.seeds(), Phase::Conversions, index.len());
        let lower = self.lower(index.seeds(), quantity.of_opponent());
        let best = memory.array(index, || Value::NONE)?;
        Ok(find_conversions(&self.moves, &lower, observer, best))
    }

    /// A quantity of the layers that conversions of one with `seeds` seeds lead to, from 0 seeds
    /// on.
    pub(super) fn lower(&self, seeds: u8, quantity: Quantity) -> Vec<&LayerArray<Value>> {
        let reached = usize::from(self.rules().layers_reached(seeds));
        let lower = self.layers[..reached].iter();
        let lower = lower.map(|layer| layer.quantity(quantity).expect(HAS_BOUNDS));
        lower.collect()
    }

    pub(super) fn id(&self, index: &LayerIndex, kind: Kind) -> TableId {
        TableId {
            rules: self.rules(),
            seeds: index.seeds(),
            kind,
        }
    }
}

/// All results, or the first error.
pub(super) fn all_of<T, E, const N: usize>(results: [Result<T, E>; N]) -> Result<[T; N], E> {
    let all = results.into_iter().collect::<Result<Vec<T>, E>>()?;
    Ok(all
        .try_into()
        .unwrap_or_else(|_| unreachable!("as many as results")))
}
