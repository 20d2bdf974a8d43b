//! The solver: layer after layer, from few seeds to many.

use std::cmp::Reverse;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rayon::prelude::*;

use super::array::LayerArray;
use super::checkpoint::{Checkpoints, Finished, Resumed, Saver};
use super::conversions::{Conversions, find_conversions, no_terminals};
use super::entry::{DistanceKey, Entry, Value};
use super::error::SolveError;
use super::layer::{Layer, LayerBounds};
use super::loops;
use super::memory::{Memory, all_of, phase_bytes, worklist_bytes};
use super::moves::CompiledMoves;
use super::observer::{Observer, Phase};
use super::propagate::Propagator;
use super::ranks::{Alone, Ranks};
use super::spill::{Buffer, SpillError};
use crate::index::LayerIndex;
use crate::rules::{MAX_SEEDS, Quantity, Ruleset};
use crate::table::{Kind, TableId};

/// Solves the layers of a ruleset in turn, each from those below, which it keeps: one
/// byte a board for values, two more where the ruleset has bounds. They are in anonymous memory
/// or, beyond a [memory limit](Solver::within), in spill files.
///
/// Work is spread over the threads of the rayon pool it is called in. The results
/// depend neither on their number nor on the limit.
///
/// ```
/// use krou::rules::Ruleset;
/// use krou::solve::Silent;
/// use krou::solve::Solver;
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
pub(super) const HAS_BOUNDS: &str = "bounds of a ruleset that has them";

/// What a phase begins with.
struct Begun<const N: usize> {
    /// What is left beside the entries and the worklist.
    memory: Memory,
    for_entries: Memory,
    for_worklist: Memory,
    id: TableId,
    /// The entries of new arrays.
    new: [Value; N],
    /// What the checkpoint of the phase holds, if there is one.
    resumed: Option<Resumed<Value, N>>,
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
    /// files in a folder; the solver reads and writes pieces of them.
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
        let index = self.begin_layer()?;
        let mut bounds = match self.rules().has_bounds() {
            true => Some(self.solve_bounds(&index, observer)?),
            false => None,
        };
        let value = self.solve_values(&index, bounds.as_mut(), observer)?;
        self.layers.push(Layer::new(value, bounds));
        Ok(())
    }

    /// Solves the bounds: the solution of their equations with endless play worst for the mover
    /// of `lower`, unless endless play is worth what its boards are and that matters.
    fn solve_bounds(
        &mut self,
        index: &LayerIndex,
        observer: &dyn Observer,
    ) -> Result<LayerBounds, SolveError> {
        let id = self.id(index, Kind::Bounds);
        let n = Value::new(index.seeds().cast_signed());
        let new = [n.negated(), n];
        let mut begun = self.begin(index, id, new, 2, &mut [], observer)?;
        if let Some([lower, upper]) = begun.finished() {
            return Ok(LayerBounds { lower, upper });
        }
        let find = |quantity| begun.conversions(self, index, quantity, observer);
        let conversions = all_of([Quantity::Lower, Quantity::Upper].map(find))?;
        let best = conversions.each_ref().map(|found| &found.best);
        let mut arrays = begun.arrays(self, index)?;
        observer.begins(index.seeds(), Phase::Bounds, 2 * index.len());
        let (saved, memory) = (Some((id, Finished::none())), &mut begun.memory);
        self.converge(index, saved, &mut arrays, best, memory, observer)?;
        if loops::matter_to_bounds(self.rules(), index.seeds()) {
            let mut greatest = memory.arrays(index, [n, n.negated()])?;
            self.converge(index, None, &mut greatest, best, memory, observer)?;
            let least = arrays.each_ref();
            // The checkpoint holds the least solution until it is replaced by the result.
            loops::settle(self.rules(), least, greatest.each_ref(), best, observer)?
                .write(&mut greatest)?;
            arrays = greatest;
        }
        self.checkpoints.finish(id);
        let kept = [Quantity::Lower, Quantity::Upper].into_iter();
        self.kept.extend(kept.zip(conversions));
        let [lower, upper] = arrays;
        Ok(LayerBounds { lower, upper })
    }

    /// Solves the values: the solution of their equations with endless play worth 0, unless
    /// endless play is worth what its boards are and that matters.
    fn solve_values(
        &mut self,
        index: &LayerIndex,
        mut bounds: Option<&mut LayerBounds>,
        observer: &dyn Observer,
    ) -> Result<LayerArray<Value>, SolveError> {
        let id = self.id(index, Kind::Value);
        // A pair of arrays starts from the bounds; otherwise they are not read.
        let unread = bounds.iter_mut().flat_map(|bounds| bounds.arrays_mut());
        let new = [Value::new(0)];
        let mut begun = self.begin(index, id, new, 1, &mut unread.collect::<Vec<_>>(), observer)?;
        if let Some([value]) = begun.finished() {
            return Ok(value);
        }
        let conversions = begun.conversions(self, index, Quantity::Value, observer)?;
        let best = &conversions.best;
        let bounds = bounds.as_deref();
        let value = match bounds.filter(|_| loops::matter_to_values(self.rules(), index.seeds())) {
            Some(bounds) => self.solve_values_in_loops(index, bounds, best, begun, observer)?,
            None => {
                // From 0, the value of endless play, every entry moves only towards its final
                // one: `docs/internals/solver.md`.
                let mut arrays = begun.arrays(self, index)?;
                observer.begins(index.seeds(), Phase::Values, index.len());
                let (saved, memory) = (Some((id, Finished::bounds(bounds))), &begun.memory);
                self.converge(index, saved, &mut arrays, [best], memory, observer)?;
                let [value] = arrays;
                value
            }
        };
        self.checkpoints.finish(id);
        self.kept.push((Quantity::Value, conversions));
        Ok(value)
    }

    /// Solves the values where endless play is worth the middle of the worst of its boards, 0
    /// and the best of them. They are between the bounds, so the solutions with endless play
    /// worst and best for the mover are looked for from there.
    fn solve_values_in_loops(
        &mut self,
        index: &LayerIndex,
        bounds: &LayerBounds,
        best: &LayerArray<Value>,
        mut begun: Begun<1>,
        observer: &dyn Observer,
    ) -> Result<LayerArray<Value>, SolveError> {
        let mut arrays = begun.memory.arrays(index, [Value::NONE; 2])?;
        let mut buffer = Buffer::empty();
        for (array, bound) in arrays.iter_mut().zip([&bounds.lower, &bounds.upper]) {
            array.change(|start, entries| {
                let bound = bound.read(start..start + entries.len(), &mut buffer)?;
                entries.copy_from_slice(bound);
                Ok::<_, SpillError>(())
            })?;
        }
        observer.begins(index.seeds(), Phase::Values, 2 * index.len());
        let best = [best; 2];
        self.converge(index, None, &mut arrays, best, &begun.memory, observer)?;
        let [least, greatest] = arrays.each_ref();
        let (least, greatest) = ([least, greatest], [greatest, least]);
        loops::settle(self.rules(), least, greatest, best, observer)?.write(&mut arrays)?;
        let [mut value, greatest] = arrays;
        value.change(|start, entries| {
            let greatest = greatest.read(start..start + entries.len(), &mut buffer)?;
            let pairs = entries.par_iter_mut().zip(greatest);
            pairs.for_each(|(entry, &greatest)| {
                *entry = (*entry).max(greatest.min(Value::new(0)));
            });
            Ok::<_, SpillError>(())
        })?;
        Ok(value)
    }

    /// Propagates arrays of the next layer. Saves them in the checkpoint of the table, if there
    /// is one to save, together with what earlier phases have finished.
    fn converge<const N: usize>(
        &mut self,
        index: &LayerIndex,
        saved: Option<(TableId, Finished<'_>)>,
        arrays: &mut [LayerArray<Value>; N],
        best: [&LayerArray<Value>; N],
        memory: &Memory,
        observer: &dyn Observer,
    ) -> Result<(), SolveError> {
        let (moves, ranks) = (&self.moves, &*self.ranks);
        let propagator = Propagator::new(moves, index, ranks, observer, memory);
        let mut saver = saved.map(|(id, finished)| Saver {
            checkpoints: &mut self.checkpoints,
            id,
            ranks,
            finished,
        });
        propagator.converge(arrays, best, &no_terminals(index.seeds()), &mut saver)
    }

    /// Begins a phase of `N` arrays, with these entries where they are new, that reads the best conversions of so many quantities:
    /// divides the memory, and looks for a checkpoint. `unread` are arrays of the layer that the
    /// phase does not read again.
    fn begin<const N: usize>(
        &mut self,
        index: &LayerIndex,
        id: TableId,
        new: [Value; N],
        quantities: usize,
        unread: &mut [&mut LayerArray<Value>],
        observer: &dyn Observer,
    ) -> Result<Begun<N>, SolveError> {
        let bytes = N as u64 * index.len();
        let worklist = worklist_bytes(index);
        let wanted = bytes + quantities as u64 * index.len() + worklist;
        let mut memory = self.memory(index, 1, wanted, unread)?;
        // What every sweep writes comes first, then the worklist.
        let mut for_entries = memory.set_aside(bytes);
        let for_worklist = memory.set_aside(worklist);
        let most = index.seeds();
        let fits = |_, values: &[Value]| {
            let values = values.par_iter();
            Ok(values.all(|value| value.get().unsigned_abs() <= most))
        };
        let resumed =
            (self.checkpoints).resume(id, index, new, &mut for_entries, observer, fits)?;
        Ok(Begun {
            memory,
            for_entries,
            for_worklist,
            id,
            new,
            resumed,
        })
    }

    /// Prepares the work on the next layer. Those below do not change any more: their files are
    /// compressed.
    pub(super) fn begin_layer(&mut self) -> Result<LayerIndex, SpillError> {
        if let Some(limit) = &self.limit {
            let arrays = self.layers.iter_mut().flat_map(Layer::arrays_mut);
            for array in arrays.filter(|array| !array.is_in_memory()) {
                array.spill(&limit.folder)?;
            }
        }
        let seeds = self.next_seeds();
        assert!(seeds <= MAX_SEEDS, "all layers are solved");
        self.checkpoints.begin_layer();
        self.kept.clear();
        self.moves.extend_to(seeds);
        Ok(LayerIndex::new(self.rules(), seeds))
    }

    /// The anonymous memory for a phase that takes `wanted` bytes for arrays and the worklist,
    /// with entries of `entry` bytes. If there is less, conversions that were kept for the tables
    /// are dropped; and arrays that the phase reads once or not at all move to files: `unread`,
    /// then lower layers, the largest first.
    pub(super) fn memory(
        &mut self,
        index: &LayerIndex,
        entry: usize,
        wanted: u64,
        unread: &mut [&mut LayerArray<Value>],
    ) -> Result<Memory, SpillError> {
        let Some(limit) = &self.limit else {
            return Ok(Memory::unlimited());
        };
        let in_use = phase_bytes(index, entry) + self.moves.bytes();
        let left = limit.bytes.saturating_sub(in_use);
        let mut arrays: Vec<_> = self.layers.iter_mut().flat_map(Layer::arrays_mut).collect();
        arrays.sort_unstable_by_key(|array| Reverse(array.bytes_in_memory()));
        let arrays: Vec<_> = unread
            .iter_mut()
            .map(|array| &mut **array)
            .chain(arrays)
            .collect();
        let mut held: u64 = arrays.iter().map(|array| array.bytes_in_memory()).sum();
        let kept = self
            .kept
            .iter()
            .map(|(_, found)| found.best.bytes_in_memory());
        let kept: u64 = kept.sum();
        if held + kept + wanted <= left {
            held += kept;
        } else {
            self.kept.clear();
        }
        for array in arrays {
            if held + wanted <= left {
                break;
            }
            held -= array.bytes_in_memory();
            array.spill(&limit.folder)?;
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

    /// The conversion pass for one quantity of a layer, with all layers below solved. What is left
    /// of the memory, and `unused`, can hold pieces of arrays beyond memory meanwhile.
    pub(super) fn conversions(
        &self,
        index: &LayerIndex,
        quantity: Quantity,
        observer: &dyn Observer,
        memory: &mut Memory,
        unused: u64,
    ) -> Result<Conversions, SolveError> {
        observer.begins(index.seeds(), Phase::Conversions, index.len());
        let lower = self.lower(index.seeds(), quantity.of_opponent());
        let best = memory.written_once(index, Value::NONE)?;
        let pool = memory.left().saturating_add(unused);
        find_conversions(&self.moves, &lower, observer, best, pool)
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

impl<const N: usize> Begun<N> {
    /// The arrays of a phase that was finished before.
    fn finished(&mut self) -> Option<[LayerArray<Value>; N]> {
        let finished = self.resumed.take_if(|resumed| resumed.is_finished);
        finished.map(|finished| finished.arrays)
    }

    /// The conversion pass of the phase.
    fn conversions(
        &mut self,
        solver: &Solver,
        index: &LayerIndex,
        quantity: Quantity,
        observer: &dyn Observer,
    ) -> Result<Conversions, SolveError> {
        let unused = self.for_entries.left();
        let unused = unused.saturating_add(self.for_worklist.left());
        solver.conversions(index, quantity, observer, &mut self.memory, unused)
    }

    /// The arrays of a checkpoint, or new ones. What remains of the memory that was set aside is
    /// for the rest of the phase.
    fn arrays(
        &mut self,
        solver: &Solver,
        index: &LayerIndex,
    ) -> Result<[LayerArray<Value>; N], SolveError> {
        let arrays = match self.resumed.take() {
            Some(resumed) => resumed.arrays,
            None => {
                let (memory, ranks) = (&mut self.for_entries, &*solver.ranks);
                (solver.checkpoints).arrays(self.id, index, self.new, memory, ranks)?
            }
        };
        self.memory.take_back(&self.for_entries);
        self.memory.take_back(&self.for_worklist);
        Ok(arrays)
    }
}
