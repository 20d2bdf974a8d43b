//! Adopting: layers that are taken from tables instead of being solved.
//!
//! A table may say less than everything (`docs/codec.md`): where a move that
//! leaves the layer attains a board's value, its entry may be less; and entries
//! of whole blocks may be missing, if all quiet moves of their boards lead to
//! other blocks. One capture pass and one sweep over the missing blocks make up
//! for it.

use super::entry::{Key, Score};
use super::error::SolveError;
use super::fixed::no_fixed_entries;
use super::leave::Leaving;
use super::observer::Silent;
use super::room::Room;
use super::scratch::{ScratchError, Stored};
use super::solved::{Number, Solved};
use super::solver::{Solver, distances_of, sweeper};
use super::store::Store;
use crate::index::LayerIndex;

/// How much is said of a layer that is adopted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Given {
    /// Every entry.
    All,
    /// Of the boards in the first so many blocks of the index the entry, or, where
    /// a move that leaves the layer tells as much, anything less (values and
    /// bounds) or anything (distances). All quiet moves of boards in other blocks
    /// lead to these.
    Floors {
        /// How many blocks.
        blocks: u8,
    },
}

impl Solver {
    /// Takes the next layer from elsewhere instead of solving it. `given` says how
    /// much there is of a number, of both bounds alike. `fill` gets which number is
    /// wanted, the index of the first board and the scores to be filled in; it is
    /// asked once for all that is given.
    ///
    /// # Errors
    /// Those of `fill`, or if scratch files are needed and cannot be used.
    ///
    /// # Panics
    /// If there is no next layer.
    pub fn adopt<Error: From<SolveError> + From<ScratchError>>(
        &mut self,
        given: impl Fn(Number) -> Given,
        mut fill: impl FnMut(Number, u64, &mut [Score]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let index = self.next_index();
        self.checkpoints.begin_layer();
        self.plan.reach(index.seeds());
        let value = self.adopt_value(&index, given(Number::Value), |start, out| {
            fill(Number::Value, start, out)
        })?;
        let bounds = match self.rules().has_bounds() {
            true => Some(self.adopt_bounds(&index, given(Number::Lower), fill)?),
            false => None,
        };
        self.layers.push(Solved { value, bounds });
        Ok(())
    }

    fn adopt_value<Error: From<SolveError> + From<ScratchError>>(
        &mut self,
        index: &LayerIndex,
        given: Given,
        mut fill: impl FnMut(u64, &mut [Score]) -> Result<(), Error>,
    ) -> Result<Store<Score>, Error> {
        let Given::Floors { blocks } = given else {
            let mut room = self.room(index, 1, 0)?;
            return given_all(index, &mut room, fill);
        };
        let mut room = self.room(index, 2, Score::BYTES)?;
        let best = self.best_leaving(index, Number::Value, &mut room)?;
        let raised = raise(index, blocks, &best, &mut room, &mut fill)?;
        let value = self.complete(index, raised, None, &best, blocks, &room)?;
        Ok(value)
    }

    fn adopt_bounds<Error: From<SolveError> + From<ScratchError>>(
        &mut self,
        index: &LayerIndex,
        given: Given,
        mut fill: impl FnMut(Number, u64, &mut [Score]) -> Result<(), Error>,
    ) -> Result<[Store<Score>; 2], Error> {
        let both = [Number::Lower, Number::Upper];
        let Given::Floors { blocks } = given else {
            let mut room = self.room(index, 2, 0)?;
            let [lower, upper] = both
                .map(|number| given_all(index, &mut room, |start, out| fill(number, start, out)));
            return Ok([lower?, upper?]);
        };
        let mut room = self.room(index, 4, Score::BYTES)?;
        let [to_lower, to_upper] = both.map(|number| self.best_leaving(index, number, &mut room));
        let (to_lower, to_upper) = (to_lower?, to_upper?);
        let lower = raise(index, blocks, &to_lower, &mut room, |start, out| {
            fill(Number::Lower, start, out)
        })?;
        let upper = raise(index, blocks, &to_upper, &mut room, |start, out| {
            fill(Number::Upper, start, out)
        })?;
        // What is missing of one is read from what is there of the other.
        let lower = self.complete(index, lower, Some(&upper), &to_lower, blocks, &room)?;
        let upper = self.complete(index, upper, Some(&lower), &to_upper, blocks, &room)?;
        Ok([lower, upper])
    }

    /// The distances of the boards of an adopted or solved layer, taken from
    /// elsewhere as in [`Solver::adopt`].
    ///
    /// # Errors
    /// Those of `fill`, or if scratch files are needed and cannot be used, or if
    /// what is given makes a distance too long to be told.
    ///
    /// # Panics
    /// If the layer is not there.
    pub fn adopt_distances<Error: From<SolveError> + From<ScratchError>>(
        &mut self,
        seeds: u8,
        given: Given,
        mut fill: impl FnMut(u64, &mut [u8]) -> Result<(), Error>,
    ) -> Result<Store<u8>, Error> {
        let index = &LayerIndex::new(self.rules(), seeds);
        self.plan.reach(seeds);
        let Given::Floors { blocks } = given else {
            let mut room = self.room(index, 1, 0)?;
            return given_all(index, &mut room, fill);
        };
        let mut room = self.room(index, 3, Key::BYTES)?;
        let Leaving { mut best, overs } =
            self.leaving(index, &Silent, |layer| &layer.value, &mut room)?;
        let value = &self.layer(seeds).value;
        let (mut scores, mut leaves, mut given) = (Vec::new(), Vec::new(), Vec::new());
        let mut keys = Store::make(index, &mut room, |block| {
            let scores = value.block(block, &mut scores)?;
            if block >= blocks {
                let unknown = |score: &Score| Key::new(score.value(), Key::UNKNOWN);
                return Ok(scores.iter().map(unknown).collect());
            }
            let leaves = best.block(block, &mut leaves)?;
            given.resize(scores.len(), 0);
            fill(index.block_start(block), &mut given)?;
            let pairs = scores.iter().zip(leaves).zip(&given);
            let key = |((&score, &leaves), &distance): ((&Score, &Score), &u8)| {
                let hurries = score.value() > 0 && leaves == score;
                let distance = if hurries { 1 } else { u16::from(distance) };
                Key::new(score.value(), distance)
            };
            Ok::<_, Error>(pairs.map(key).collect())
        })?;
        drop((scores, leaves, given));
        let fixed = self.fix_overs(overs, &mut best)?;
        let sweeper = sweeper::<Key>(&self.plan, index, &Silent, &room);
        for (block, fixed) in (0..blocks).zip(&fixed) {
            // Of boards that are lost already the given distance stays, so that
            // whoever checks it sees it.
            for over in fixed.iter().filter(|over| !over.entry.is_lost()) {
                let line = self.plan.line(block, over.column).expect("a line");
                keys.set_entry(block, line, over.row, over.entry)?;
            }
        }
        if blocks <= seeds {
            keys = sweeper.compute_once(keys, None, &best, &fixed, blocks..=seeds)?;
        }
        room.give(best.bytes_in_memory() + keys.bytes_in_memory() / 2);
        drop(best);
        Ok(distances_of(keys, &mut room)?)
    }

    /// For each board of a layer the best of the moves that leave it: where this
    /// is the number itself, a table need not tell it. `besides` is memory that
    /// the caller holds.
    ///
    /// # Errors
    /// If scratch files are needed and cannot be used.
    ///
    /// # Panics
    /// If the layer or one below it is not there, or the ruleset has no bounds
    /// and one is asked for.
    pub fn leaving_best(
        &mut self,
        seeds: u8,
        number: Number,
        besides: u64,
    ) -> Result<Store<Score>, SolveError> {
        let index = LayerIndex::new(self.rules(), seeds);
        self.plan.reach(seeds);
        let mut room = self.room(&index, 1 + besides.div_ceil(index.len()), Score::BYTES)?;
        let _ = room.take(besides.min(room.left().unwrap_or(u64::MAX)));
        self.best_leaving(&index, number, &mut room)
    }

    fn best_leaving(
        &self,
        index: &LayerIndex,
        number: Number,
        room: &mut Room,
    ) -> Result<Store<Score>, SolveError> {
        let through = number.turned();
        let leaving = self.leaving(index, &Silent, |layer| layer.of(through), room)?;
        Ok(leaving.best)
    }

    /// Computes the blocks that were not given from those that were.
    fn complete(
        &self,
        index: &LayerIndex,
        store: Store<Score>,
        children: Option<&Store<Score>>,
        best: &Store<Score>,
        blocks: u8,
        room: &Room,
    ) -> Result<Store<Score>, SolveError> {
        if blocks > index.seeds() {
            return Ok(store);
        }
        let fixed = no_fixed_entries(usize::from(index.seeds()) + 1);
        let sweeper = sweeper::<Score>(&self.plan, index, &Silent, room);
        let missing = blocks..=index.seeds();
        Ok(sweeper.compute_once(store, children, best, &fixed, missing)?)
    }
}

fn given_all<E: Stored, Error: From<SolveError> + From<ScratchError>>(
    index: &LayerIndex,
    room: &mut Room,
    mut fill: impl FnMut(u64, &mut [E]) -> Result<(), Error>,
) -> Result<Store<E>, Error> {
    Store::make(index, room, |block| {
        let mut entries = vec![E::ANY; index.block_entries(block)];
        fill(index.block_start(block), &mut entries)?;
        Ok(entries)
    })
}

/// What is given, raised to what the moves that leave the layer are worth.
fn raise<Error: From<SolveError> + From<ScratchError>>(
    index: &LayerIndex,
    blocks: u8,
    best: &Store<Score>,
    room: &mut Room,
    mut fill: impl FnMut(u64, &mut [Score]) -> Result<(), Error>,
) -> Result<Store<Score>, Error> {
    let mut spare = Vec::new();
    Store::make(index, room, |block| {
        let mut entries = vec![Score::ANY; index.block_entries(block)];
        if block < blocks {
            fill(index.block_start(block), &mut entries)?;
            let best = best.block(block, &mut spare)?;
            for (entry, &best) in entries.iter_mut().zip(best) {
                *entry = best.max(*entry);
            }
        }
        Ok(entries)
    })
}
