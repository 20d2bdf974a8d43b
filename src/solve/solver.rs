//! The solver: layer after layer, from few seeds to many.

use std::cmp::Reverse;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::checkpoint::{Checkpoints, Finished};
use super::conversions::{Conversions, find_conversions, layers_reached, no_terminals};
use super::error::SolveError;
use super::layer::{Layer, LayerBounds};
use super::moves::CompiledMoves;
use super::observer::{Observer, Phase};
use super::propagate::Propagator;
use super::ranks::{Alone, Part, Ranks};
use super::storage::{
    DistanceKey, LayerArray, Loan, MemoryBudget, Needs, SpillError, Value, program_bytes,
    worklist_capacity,
};
use crate::index::LayerIndex;
use crate::rules::Quantity;
use crate::rules::{MAX_SEEDS, Ruleset};
use crate::spans;
use crate::table::{Kind, TableId};

/// Solves the layers of a ruleset in turn, each from those below, which it keeps: one
/// byte a board for values, two more where the ruleset has bounds. They are kept in
/// memory or, within a [memory budget](Solver::within), in a little more than half of it, and
/// as far as that does not suffice in spill files.
///
/// Work is spread over the threads of the rayon pool it is called in. The results
/// depend neither on their number nor on the budget.
///
/// ```
/// use krou::rules::Ruleset;
/// use krou::solve::{Silent, Solver};
///
/// let mut solver = Solver::new(Ruleset::AWARI);
/// for _ in 0..=4 {
///     solver.solve_next(&Silent)?;
/// }
/// let values = solver.layer(4).value().to_vec()?;
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
    /// Where ranks share arrays, and how many they have shared.
    pub(super) shared: (Arc<Path>, u64),
}

/// How much memory may be used, and where the rest goes.
#[derive(Debug)]
pub(super) struct Limit {
    pub bytes: u64,
    pub spill: Arc<Path>,
}

/// Why a layer has the quantity that is asked for.
const HAS_BOUNDS: &str = "bounds of a ruleset that has them";

/// An array of the layer being solved that has been computed.
pub(super) enum Present<'a> {
    /// The phase does not read it.
    Unread(&'a mut LayerArray<Value>),
    /// Every sweep reads it.
    Read(&'a mut LayerArray<Value>),
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
            shared: (Path::new(".").into(), 0),
        }
    }

    /// A solver with which the program takes at most `bytes` of memory, if that is no
    /// less than [`memory_needed`](super::memory_needed). Whatever does not fit goes to
    /// nameless files in the folder `spill`, and is read and written there section by
    /// section.
    ///
    /// The budget counts what the solver allocates. An allocator that keeps freed
    /// memory for itself adds to that.
    pub fn within(rules: Ruleset, bytes: u64, spill: impl AsRef<Path>) -> Solver {
        let spill = spill.as_ref().into();
        Solver {
            limit: Some(Limit { bytes, spill }),
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
    /// same with their solvers, and each gets the same layers. Whole arrays are shared
    /// through files in a folder that all ranks see.
    #[must_use]
    pub fn on(mut self, ranks: Arc<dyn Ranks>, folder: impl AsRef<Path>) -> Solver {
        self.ranks = ranks;
        self.shared = (folder.as_ref().into(), 0);
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
    /// If a spill file is needed and cannot be used, or a checkpoint cannot be read or
    /// written.
    ///
    /// # Panics
    /// If there is no next layer: the last one has [`MAX_SEEDS`] seeds.
    pub fn solve_next(&mut self, observer: &dyn Observer) -> Result<(), SolveError> {
        let index = self.begin_layer()?;
        let mut value = self.solve_values(&index, observer)?;
        let bounds = match self.rules().has_bounds() {
            true => Some(self.solve_bounds(&index, &mut value, observer)?),
            false => None,
        };
        let value = self.whole(value)?;
        let bounds = match bounds {
            Some(LayerBounds { lower, upper }) => {
                let (lower, upper) = (self.whole(lower)?, self.whole(upper)?);
                Some(LayerBounds { lower, upper })
            }
            None => None,
        };
        self.layers.push(Layer::new(value, bounds));
        Ok(())
    }

    /// Bytes in use during a phase, without arrays and the worklist.
    pub(super) fn in_use(&self, index: &LayerIndex, needs: &Needs) -> u64 {
        let boards = self.part(index).len();
        let working_set = needs.working_set(index) + needs.beside_copies(index, boards);
        let records = needs.records(index, boards);
        program_bytes() + self.moves.bytes() + working_set + records + needs.held()
    }

    /// Prepares the work on the next layer.
    pub(super) fn begin_layer(&mut self) -> Result<LayerIndex, SpillError> {
        let seeds = self.next_seeds();
        assert!(seeds <= MAX_SEEDS, "all layers are solved");
        self.checkpoints.begin_layer();
        self.kept.clear();
        self.moves.extend_to(seeds);
        // From now on only conversion passes read the layer before, through copies.
        if let Some(limit) = &self.limit {
            let arrays = self.layers.iter_mut().flat_map(Layer::arrays_mut);
            for array in arrays.filter(|array| !array.is_shared()) {
                array.compact(&limit.spill)?;
            }
        }
        Ok(LayerIndex::new(self.rules(), seeds))
    }

    /// The memory budget of a phase. `present` is an array of the layer being solved. Arrays
    /// are made compact, and spilled, to make room.
    pub(super) fn budget(
        &mut self,
        index: &LayerIndex,
        needs: &Needs,
        present: Option<Present<'_>>,
    ) -> Result<MemoryBudget, SpillError> {
        let Some(limit) = &self.limit else {
            return Ok(MemoryBudget::unlimited());
        };
        let left = limit.bytes.saturating_sub(self.in_use(index, needs));
        let boards = self.part(index).len();
        // What is read least makes room first: an array that is not read at all, the lower
        // layers, which are read once, the largest before the others, and what every sweep
        // reads.
        let mut held: Vec<_> = self.layers.iter_mut().flat_map(Layer::arrays_mut).collect();
        held.sort_unstable_by_key(|array| Reverse(array.bytes_in_memory()));
        match present {
            Some(Present::Unread(array)) => held.insert(0, array),
            Some(Present::Read(array)) => held.push(array),
            None => {}
        }
        let wanted = needs.bytes(index, boards);
        let holding = |held: &[&mut LayerArray<Value>]| -> u64 {
            held.iter().map(|array| array.bytes_in_memory()).sum()
        };
        for make_room in [LayerArray::compact, LayerArray::spill] {
            for next in 0..held.len() {
                if left < holding(&held) + wanted {
                    make_room(held[next], &limit.spill)?;
                }
            }
        }
        let left = left.saturating_sub(holding(&held));
        let mut budget = MemoryBudget::limited(left, limit.spill.clone());
        budget.keep(index, boards, needs);
        Ok(budget)
    }

    /// What a phase needs that solves some arrays, or resumes.
    fn needs(&self, id: TableId, arrays: u64) -> Needs {
        let needs = Needs::solving(arrays);
        match self.checkpoints.has(id) {
            true => needs.with_whole_sections(),
            false => needs,
        }
    }

    fn solve_values(
        &mut self,
        index: &LayerIndex,
        observer: &dyn Observer,
    ) -> Result<LayerArray<Value>, SolveError> {
        let _phase = spans::phase("values", index.seeds());
        let part = self.part(index);
        let id = self.id(index, Kind::Value);
        let mut needs = self.needs(id, 1);
        let held = self.held(index, &mut needs)?;
        let mut budget = self.budget(index, &needs, None)?;
        let fits = |_, values: &[Value]| Ok(are_in_range(index, values));
        let start = match self
            .checkpoints
            .resume(id, &held, &mut budget, observer, fits)?
        {
            Some(resumed) if resumed.is_finished => {
                let [value] = resumed.arrays;
                return Ok(value);
            }
            resumed => resumed.map(|resumed| resumed.arrays),
        };
        let conversions =
            self.conversions((&part, &held), Quantity::Value, observer, &mut budget)?;
        let start = match start {
            Some(start) => start,
            // From 0, the value of endless play, every entry moves only towards its
            // final one: `docs/solver.md`.
            None => [LayerArray::filled(&held, Value::new(0), &mut budget)?],
        };
        observer.begins(index.seeds(), Phase::Values, index.len());
        let terminals = no_terminals(index.seeds());
        let ranks = &*self.ranks;
        let propagator = propagator(&self.moves, (ranks, &part), observer, &budget);
        let best = [&conversions.best];
        let [value] = propagator.converge(start, best, &terminals, &mut |arrays| {
            self.checkpoints
                .save_if_due(id, ranks, arrays, Finished::none())
        })?;
        self.checkpoints.finish(id);
        if !self.rules().has_bounds() {
            self.kept.push((Quantity::Value, conversions));
        }
        Ok(value)
    }

    fn solve_bounds(
        &mut self,
        index: &LayerIndex,
        value: &mut LayerArray<Value>,
        observer: &dyn Observer,
    ) -> Result<LayerBounds, SolveError> {
        let _phase = spans::phase("bounds", index.seeds());
        let part = self.part(index);
        let id = self.id(index, Kind::Bounds);
        let mut needs = self.needs(id, 2);
        let held = self.held(index, &mut needs)?;
        let mut budget = self.budget(index, &needs, Some(Present::Unread(&mut *value)))?;
        let fits = |_, values: &[Value]| Ok(are_in_range(index, values));
        let start = match self
            .checkpoints
            .resume(id, &held, &mut budget, observer, fits)?
        {
            Some(resumed) if resumed.is_finished => {
                let [lower, upper] = resumed.arrays;
                return Ok(LayerBounds { lower, upper });
            }
            resumed => resumed.map(|resumed| resumed.arrays),
        };
        let for_lower = self.conversions((&part, &held), Quantity::Lower, observer, &mut budget)?;
        let for_upper = self.conversions((&part, &held), Quantity::Upper, observer, &mut budget)?;
        let start = match start {
            Some(start) => start,
            None => {
                let n = index.seeds().cast_signed();
                let lower = LayerArray::filled(&held, Value::new(-n), &mut budget)?;
                let upper = LayerArray::filled(&held, Value::new(n), &mut budget)?;
                [lower, upper]
            }
        };
        observer.begins(index.seeds(), Phase::Bounds, 2 * index.len());
        let terminals = no_terminals(index.seeds());
        let ranks = &*self.ranks;
        let propagator = propagator(&self.moves, (ranks, &part), observer, &budget);
        let best = [&for_lower.best, &for_upper.best];
        let [lower, upper] = propagator.converge(start, best, &terminals, &mut |arrays| {
            let finished = Finished::value(value);
            self.checkpoints.save_if_due(id, ranks, arrays, finished)
        })?;
        self.checkpoints.finish(id);
        self.kept.push((Quantity::Lower, for_lower));
        self.kept.push((Quantity::Upper, for_upper));
        Ok(LayerBounds { lower, upper })
    }

    /// The conversions of a layer, if they have been kept.
    pub(super) fn take_kept(&mut self, seeds: u8, quantity: Quantity) -> Option<Conversions> {
        if seeds + 1 != self.next_seeds() {
            return None;
        }
        let kept = self.kept.iter().position(|(kept, _)| *kept == quantity)?;
        Some(self.kept.swap_remove(kept).1)
    }

    /// The conversion pass for one quantity of a part of a layer, with all layers below
    /// solved. If this rank holds the whole layer, it gets the conversions of all.
    pub(super) fn conversions(
        &mut self,
        (part, held): (&Part, &Part),
        quantity: Quantity,
        observer: &dyn Observer,
        budget: &mut MemoryBudget,
    ) -> Result<Conversions, SpillError> {
        let index = part.index();
        let _phase = spans::phase("conversions", index.seeds());
        observer.begins(index.seeds(), Phase::Conversions, index.len());
        let of_opponent = quantity.of_opponent();
        let parts = (part, held);
        self.with_lower(
            index.seeds(),
            of_opponent,
            budget,
            |solver, lower, budget| {
                let ranks = &*solver.ranks;
                find_conversions(&solver.moves, parts, lower, ranks, observer, budget)
            },
        )
    }

    /// Passes a quantity of the layers that conversions of one with `seeds` seeds lead to, from
    /// 0 seeds on, to a conversion pass. Compact ones are copied for it as long as the budget
    /// lasts.
    pub(super) fn with_lower<T, E: From<SpillError>>(
        &mut self,
        seeds: u8,
        quantity: Quantity,
        budget: &mut MemoryBudget,
        pass: impl FnOnce(&Solver, &[&LayerArray<Value>], &mut MemoryBudget) -> Result<T, E>,
    ) -> Result<T, E> {
        let reached = usize::from(layers_reached(self.rules(), seeds));
        let mut loan = Loan::default();
        // The highest are read most.
        let highest_first = self.layers[..reached].iter_mut().rev();
        let copied = highest_first
            .map(|layer| layer.quantity_mut(quantity).expect(HAS_BOUNDS))
            .try_for_each(|array| array.copy_compact(|bytes| budget.lend(bytes, &mut loan)));
        let found = copied.map_err(E::from).and_then(|()| {
            let lower = self.layers[..reached].iter();
            let lower = lower.map(|layer| layer.quantity(quantity).expect(HAS_BOUNDS));
            pass(self, &lower.collect::<Vec<_>>(), budget)
        });
        let arrays = self.layers.iter_mut().flat_map(Layer::arrays_mut);
        arrays.for_each(LayerArray::drop_copies);
        budget.take_back(&loan);
        found
    }

    /// The best conversions of a whole layer alone.
    pub(super) fn best_conversions_in(
        &mut self,
        index: &LayerIndex,
        quantity: Quantity,
        observer: &dyn Observer,
        budget: &mut MemoryBudget,
    ) -> Result<LayerArray<Value>, SpillError> {
        let whole = Part::whole(index);
        let conversions = self.conversions((&whole, &whole), quantity, observer, budget)?;
        Ok(conversions.best)
    }

    pub(super) fn id(&self, index: &LayerIndex, kind: Kind) -> TableId {
        TableId {
            rules: self.rules(),
            seeds: index.seeds(),
            kind,
        }
    }
}

/// A propagator whose worklist fits into what is left of the budget.
pub(super) fn propagator<'a>(
    moves: &'a CompiledMoves,
    (ranks, part): (&'a dyn Ranks, &'a Part),
    observer: &'a dyn Observer,
    budget: &MemoryBudget,
) -> Propagator<'a> {
    Propagator {
        moves,
        ranks,
        part,
        observer,
        worklist_capacity: worklist_capacity(part.index(), budget),
    }
}

/// Whether values can be those of a layer.
fn are_in_range(index: &LayerIndex, values: &[Value]) -> bool {
    let most = index.seeds();
    let mut values = values.iter();
    values.all(|value| value.get().unsigned_abs() <= most)
}
