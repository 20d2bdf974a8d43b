//! The solver: layer after layer, from few seeds to many.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::checkpoint::Checkpoints;
use super::entry::{Entry, Key, Score};
use super::error::SolveError;
use super::fixed::{Fixed, FixedEntries, no_fixed_entries};
use super::leave::{Leaving, leaving};
use super::memory::{desk, follow_bytes, followed, program};
use super::observer::{Observer, Phase};
use super::plan::Plan;
use super::room::Room;
use super::scratch::{SpillError, Stored};
use super::solved::Solved;
use super::store::Store;
use super::sweep::Sweeper;
use crate::index::LayerIndex;
use crate::rules::{MAX_SEEDS, Ruleset};
use crate::table::{Kind, TableId};

/// Solves the layers of a ruleset in turn, each from those below, which it
/// keeps: one byte a board for values, two more where the ruleset has bounds.
/// They are kept in memory or, if there is a [limit](Solver::within) and they
/// are beyond it, in scratch files.
///
/// Work is spread over the threads of the rayon pool it is called in; the
/// results depend neither on their number nor on the limit.
///
/// ```
/// use krou::rules::Ruleset;
/// use krou::solve::{Silent, Solver};
///
/// let mut solver = Solver::new(Ruleset::AWARI);
/// for _ in 0..=4 {
///     solver.solve_next(&Silent)?;
/// }
/// let four = solver.layer(4).to_layer()?;
/// let wins = four.value.iter().filter(|score| score.value() > 0).count();
/// assert_eq!(wins, 580); // Lincke 2002, appendix B: 165 by two, 415 by four
/// # Ok::<(), krou::solve::SolveError>(())
/// ```
pub struct Solver {
    pub(super) plan: Plan,
    pub(super) layers: Vec<Solved>,
    limit: Option<Limit>,
    pub(super) checkpoints: Checkpoints,
}

/// How much memory may be used, and where the rest goes.
struct Limit {
    bytes: u64,
    scratch: Arc<Path>,
}

impl Solver {
    /// The longest distance that is told, in plies.
    pub const LONGEST_DISTANCE: u16 = u8::MAX as u16;

    /// A solver that has solved no layer yet, and keeps everything in memory.
    pub fn new(rules: Ruleset) -> Solver {
        Solver {
            plan: Plan::new(rules),
            layers: Vec::new(),
            limit: None,
            checkpoints: Checkpoints::none(),
        }
    }

    /// A solver with which the program keeps within so many bytes of memory, as
    /// long as these are not fewer than [`memory_needed`](super::memory_needed).
    /// What does not fit lies in scratch files without a name in the folder
    /// `scratch`, and is read and written from there section by section.
    pub fn within(rules: Ruleset, bytes: u64, scratch: &Path) -> Solver {
        let scratch = scratch.into();
        Solver {
            limit: Some(Limit { bytes, scratch }),
            ..Solver::new(rules)
        }
    }

    /// The same solver with checkpoints in a folder. Where there is one of the
    /// work that is to be done, the solver goes on from there. It saves them
    /// itself if `every` is given: at most once in so long, and only between
    /// sweeps. They stay until they are [removed](super::remove_checkpoint).
    #[must_use]
    pub fn with_checkpoints(mut self, folder: &Path, every: Option<Duration>) -> Solver {
        self.checkpoints = Checkpoints::new(folder, every);
        self
    }

    /// The ruleset.
    pub fn rules(&self) -> Ruleset {
        self.plan.rules
    }

    /// A solved layer.
    ///
    /// # Panics
    /// If it is not solved.
    pub fn layer(&self, seeds: u8) -> &Solved {
        &self.layers[usize::from(seeds)]
    }

    /// The layers solved so far, from 0 seeds on.
    pub fn layers(&self) -> &[Solved] {
        &self.layers
    }

    /// The layers solved so far, from 0 seeds on, which the solver no longer
    /// needs.
    pub fn into_layers(self) -> Vec<Solved> {
        self.layers
    }

    /// The next layer to solve: the number of its seeds.
    pub fn next_seeds(&self) -> u8 {
        self.layers.len() as u8
    }

    /// Solves the next layer.
    ///
    /// # Errors
    /// If scratch files are needed and cannot be used, or a checkpoint cannot be
    /// written.
    ///
    /// # Panics
    /// If there is none: the last one has [`MAX_SEEDS`] seeds.
    pub fn solve_next(&mut self, observer: &dyn Observer) -> Result<(), SolveError> {
        let index = self.next_index();
        self.checkpoints.begin_layer();
        self.plan.reach(index.seeds());
        let value = self.solve_values(&index, observer)?;
        self.layers.push(Solved {
            value,
            bounds: None,
        });
        if self.rules().has_bounds() {
            let bounds = self.solve_bounds(&index, observer)?;
            self.layers[usize::from(index.seeds())].bounds = Some(bounds);
        }
        Ok(())
    }

    pub(super) fn next_index(&self) -> LayerIndex {
        assert!(self.next_seeds() <= MAX_SEEDS, "all layers are solved");
        LayerIndex::new(self.rules(), self.next_seeds())
    }

    /// Makes room for a stage of the work on a layer which keeps so many bytes a
    /// board, and whose entries have so many bytes (0 if nothing is swept).
    pub(super) fn room(
        &mut self,
        index: &LayerIndex,
        bytes_a_board: u64,
        entry: usize,
    ) -> Result<Room, SpillError> {
        let Some(limit) = &self.limit else {
            return Ok(Room::unlimited());
        };
        let in_use = program() + self.plan.bytes() + desk(index, entry);
        let mut left = limit.bytes.saturating_sub(in_use);
        let mut held: Vec<_> = self.layers.iter_mut().flat_map(Solved::stores).collect();
        held.sort_unstable_by_key(|store| store.bytes_in_memory());
        let mut holding: u64 = held.iter().map(|store| store.bytes_in_memory()).sum();
        // Lower layers are read once, the layer at work over and over: they go
        // first, the largest before the others.
        let wanted = bytes_a_board * index.len() + follow_bytes(index, entry);
        while left < holding + wanted
            && let Some(largest) = held.pop()
        {
            holding -= largest.spill(&limit.scratch)?;
        }
        left = left.saturating_sub(holding);
        Ok(Room::limited(left, limit.scratch.clone()))
    }

    fn solve_values(
        &mut self,
        index: &LayerIndex,
        observer: &dyn Observer,
    ) -> Result<Store<Score>, SolveError> {
        let mut room = self.room(index, 2, Score::BYTES)?;
        let id = self.id(index, Kind::Value);
        let fits = |_, scores: &[Score]| Ok(are_in_range(index, scores));
        let [start] = match self.checkpoints.resume(id, &mut room, observer, fits)? {
            Some(done) if done.is_settled => {
                let [value] = done.stores;
                return Ok(value);
            }
            Some(resumed) => resumed.stores,
            // From 0, what endless play is worth, every number moves only
            // towards its true value: `docs/solver.md`.
            None => [Store::filled(index, Score::new(0), &mut room)?],
        };
        let best = self
            .leaving(index, observer, |layer| &layer.value, &mut room)?
            .best;
        observer.begins(index.seeds(), Phase::Values, index.len());
        let fixed = no_fixed_entries(usize::from(index.seeds()) + 1);
        let sweeper = sweeper::<Score>(&self.plan, index, observer, &room);
        let value = sweeper.settle(start, &best, &fixed, &mut |stores| {
            self.checkpoints.save_in_time(id, stores, &self.layers)
        })?;
        self.checkpoints.settled(id);
        Ok(value)
    }

    fn solve_bounds(
        &mut self,
        index: &LayerIndex,
        observer: &dyn Observer,
    ) -> Result<[Store<Score>; 2], SolveError> {
        let mut room = self.room(index, 4, Score::BYTES)?;
        let id = self.id(index, Kind::Bounds);
        let fits = |_, scores: &[Score]| Ok(are_in_range(index, scores));
        let start = match self.checkpoints.resume(id, &mut room, observer, fits)? {
            Some(done) if done.is_settled => return Ok(done.stores),
            Some(resumed) => resumed.stores,
            None => {
                let n = index.seeds().cast_signed();
                let lower = Store::filled(index, Score::new(-n), &mut room)?;
                let upper = Store::filled(index, Score::new(n), &mut room)?;
                [lower, upper]
            }
        };
        // A lower bound is reached through the child's upper bound.
        let to_lower = self
            .leaving(index, observer, Solved::upper, &mut room)?
            .best;
        let to_upper = self
            .leaving(index, observer, Solved::lower, &mut room)?
            .best;
        observer.begins(index.seeds(), Phase::Bounds, 2 * index.len());
        let sweeper = sweeper::<Score>(&self.plan, index, observer, &room);
        let bounds = sweeper.settle_pair(start, [&to_lower, &to_upper], &mut |stores| {
            self.checkpoints.save_in_time(id, stores, &self.layers)
        })?;
        self.checkpoints.settled(id);
        Ok(bounds)
    }

    /// The distance of every board of a solved layer: plies to the next capture
    /// or the end when both sides keep the value, the winner hurries and the
    /// loser delays. 0 where the game is over already or the value is 0.
    ///
    /// # Errors
    /// If one is longer than [`Solver::LONGEST_DISTANCE`], or scratch files are
    /// needed and cannot be used, or a checkpoint cannot be written.
    ///
    /// # Panics
    /// If the layer is not solved.
    pub fn distances(
        &mut self,
        seeds: u8,
        observer: &dyn Observer,
    ) -> Result<Store<u8>, SolveError> {
        self.plan.reach(seeds);
        let index = LayerIndex::new(self.rules(), seeds);
        let index = &index;
        let mut room = self.room(index, 3, Key::BYTES)?;
        let value = &self.layer(seeds).value;
        let id = self.id(index, Kind::Distance);
        let mut scores = Vec::new();
        let fits = |section, keys: &[Key]| {
            let scores = value.section(section, &mut scores)?;
            let mut pairs = keys.iter().zip(scores);
            Ok(pairs.all(|(key, score)| key.has_value(score.value())))
        };
        let [start] = match self.checkpoints.resume(id, &mut room, observer, fits)? {
            Some(resumed) => resumed.stores,
            None => [Store::make(index, &mut room, |section| {
                let scores = value.section(section, &mut scores)?.iter();
                let keys = scores.map(|score| Key::new(score.value(), Key::UNKNOWN));
                Ok::<_, SpillError>(keys.collect())
            })?],
        };
        drop(scores);
        let Leaving { mut best, overs } =
            self.leaving(index, observer, |layer| &layer.value, &mut room)?;
        observer.begins(seeds, Phase::Distances, index.len());
        let fixed = self.fix_overs(overs, &mut best)?;
        let sweeper = sweeper::<Key>(&self.plan, index, observer, &room);
        let keys = sweeper.settle(start, &best, &fixed, &mut |stores| {
            self.checkpoints.save_in_time(id, stores, &self.layers)
        })?;
        // Distances take half of what keys give back, section by section.
        room.give(best.bytes_in_memory() + keys.bytes_in_memory() / 2);
        drop(best);
        distances_of(keys, &mut room)
    }

    /// Keys of the boards that are over, which have distance 0: no move of one
    /// ply leads there, and what they are worth is no move's.
    pub(super) fn fix_overs(
        &self,
        overs: FixedEntries<Score>,
        best: &mut Store<Score>,
    ) -> Result<FixedEntries<Key>, SpillError> {
        let mut fixed = Vec::new();
        for (section, overs) in (0..).zip(overs) {
            let mut keys = Vec::with_capacity(overs.len());
            for over in overs {
                let line = self.plan.line(section, over.column).expect("a line");
                best.set_entry(section, line, over.row, Score::NONE)?;
                keys.push(Fixed {
                    row: over.row,
                    column: over.column,
                    entry: Key::new(over.entry.value(), 0),
                });
            }
            fixed.push(keys);
        }
        Ok(fixed)
    }

    /// The capture pass, with what the children in lower layers are worth.
    pub(super) fn leaving(
        &self,
        index: &LayerIndex,
        observer: &dyn Observer,
        child: impl Fn(&Solved) -> &Store<Score>,
        room: &mut Room,
    ) -> Result<Leaving, SpillError> {
        observer.begins(index.seeds(), Phase::Captures, index.len());
        let lower: Vec<_> = self.layers[..usize::from(index.seeds())]
            .iter()
            .map(child)
            .collect();
        leaving(&self.plan, index, &lower, observer, room)
    }

    fn id(&self, index: &LayerIndex, kind: Kind) -> TableId {
        TableId {
            rules: self.rules(),
            seeds: index.seeds(),
            kind,
        }
    }
}

pub(super) fn sweeper<'a, E: Entry>(
    plan: &'a Plan,
    index: &'a LayerIndex,
    observer: &'a dyn Observer,
    room: &Room,
) -> Sweeper<'a> {
    Sweeper {
        plan,
        index,
        observer,
        followed: followed(index, room, E::BYTES),
    }
}

/// The distances in keys, which are given up section by section.
pub(super) fn distances_of(mut keys: Store<Key>, room: &mut Room) -> Result<Store<u8>, SolveError> {
    let index = keys.index().clone();
    let mut spare = Vec::new();
    let mut longest = 0;
    let distances = Store::make(&index, room, |section| {
        let distance = |key: &Key| {
            longest = longest.max(key.distance());
            key.distance() as u8
        };
        let distances = keys
            .section(section, &mut spare)?
            .iter()
            .map(distance)
            .collect();
        keys.forget(section);
        Ok::<_, SpillError>(distances)
    })?;
    if longest > Solver::LONGEST_DISTANCE {
        let seeds = index.seeds();
        return Err(SolveError::DistanceTooLong { seeds });
    }
    Ok(distances)
}

/// Whether scores can be those of a layer.
fn are_in_range(index: &LayerIndex, scores: &[Score]) -> bool {
    let most = index.seeds();
    let mut scores = scores.iter();
    scores.all(|score| score.value().unsigned_abs() <= most)
}
