//! Adopting: layers that are taken from tables instead of being solved.
//!
//! A table may say less than everything (`docs/codec.md`): where a move that
//! leaves the layer attains a board's value, its entry may be less; and entries
//! of whole sections may be missing, if all quiet moves of their boards lead to
//! other sections. One capture pass and one sweep over the missing sections make up
//! for it.

use super::entry::{Key, Score};
use super::error::SolveError;
use super::fixed::no_fixed_entries;
use super::leave::Leaving;
use super::observer::Silent;
use super::room::Room;
use super::scratch::{SpillError, Stored};
use super::solved::{Quantity, Solved};
use super::solver::{Solver, distances_of, sweeper};
use super::store::Store;
use crate::index::LayerIndex;

/// How much is said of a layer that is adopted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// Every entry.
    All,
    /// Of the boards in the first so many sections of the index the entry, or, where
    /// a move that leaves the layer tells as much, anything less (values and
    /// bounds) or anything (distances). All quiet moves of boards in other sections
    /// lead to these.
    LowerBounds {
        /// How many sections.
        sections: u8,
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
    pub fn adopt<Error: From<SolveError> + From<SpillError>>(
        &mut self,
        given: impl Fn(Quantity) -> Coverage,
        mut fill: impl FnMut(Quantity, u64, &mut [Score]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let index = self.next_index();
        self.checkpoints.begin_layer();
        self.plan.reach(index.seeds());
        let value = self.adopt_value(&index, given(Quantity::Value), |start, out| {
            fill(Quantity::Value, start, out)
        })?;
        let bounds = match self.rules().has_bounds() {
            true => Some(self.adopt_bounds(&index, given(Quantity::Lower), fill)?),
            false => None,
        };
        self.layers.push(Solved { value, bounds });
        Ok(())
    }

    fn adopt_value<Error: From<SolveError> + From<SpillError>>(
        &mut self,
        index: &LayerIndex,
        given: Coverage,
        mut fill: impl FnMut(u64, &mut [Score]) -> Result<(), Error>,
    ) -> Result<Store<Score>, Error> {
        let Coverage::LowerBounds { sections } = given else {
            let mut room = self.room(index, 1, 0)?;
            return given_all(index, &mut room, fill);
        };
        let mut room = self.room(index, 2, Score::BYTES)?;
        let best = self.best_leaving(index, Quantity::Value, &mut room)?;
        let raised = raise(index, sections, &best, &mut room, &mut fill)?;
        let value = self.complete(index, raised, None, &best, sections, &room)?;
        Ok(value)
    }

    fn adopt_bounds<Error: From<SolveError> + From<SpillError>>(
        &mut self,
        index: &LayerIndex,
        given: Coverage,
        mut fill: impl FnMut(Quantity, u64, &mut [Score]) -> Result<(), Error>,
    ) -> Result<[Store<Score>; 2], Error> {
        let both = [Quantity::Lower, Quantity::Upper];
        let Coverage::LowerBounds { sections } = given else {
            let mut room = self.room(index, 2, 0)?;
            let [lower, upper] = both
                .map(|number| given_all(index, &mut room, |start, out| fill(number, start, out)));
            return Ok([lower?, upper?]);
        };
        let mut room = self.room(index, 4, Score::BYTES)?;
        let [to_lower, to_upper] = both.map(|number| self.best_leaving(index, number, &mut room));
        let (to_lower, to_upper) = (to_lower?, to_upper?);
        let lower = raise(index, sections, &to_lower, &mut room, |start, out| {
            fill(Quantity::Lower, start, out)
        })?;
        let upper = raise(index, sections, &to_upper, &mut room, |start, out| {
            fill(Quantity::Upper, start, out)
        })?;
        // What is missing of one is read from what is there of the other.
        let lower = self.complete(index, lower, Some(&upper), &to_lower, sections, &room)?;
        let upper = self.complete(index, upper, Some(&lower), &to_upper, sections, &room)?;
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
    pub fn import_distances<Error: From<SolveError> + From<SpillError>>(
        &mut self,
        seeds: u8,
        given: Coverage,
        mut fill: impl FnMut(u64, &mut [u8]) -> Result<(), Error>,
    ) -> Result<Store<u8>, Error> {
        let index = &LayerIndex::new(self.rules(), seeds);
        self.plan.reach(seeds);
        let Coverage::LowerBounds { sections } = given else {
            let mut room = self.room(index, 1, 0)?;
            return given_all(index, &mut room, fill);
        };
        let mut room = self.room(index, 3, Key::BYTES)?;
        let Leaving { mut best, overs } =
            self.leaving(index, &Silent, |layer| &layer.value, &mut room)?;
        let value = &self.layer(seeds).value;
        let (mut scores, mut leaves, mut given) = (Vec::new(), Vec::new(), Vec::new());
        let mut keys = Store::make(index, &mut room, |section| {
            let scores = value.section(section, &mut scores)?;
            if section >= sections {
                let unknown = |score: &Score| Key::new(score.value(), Key::UNKNOWN);
                return Ok(scores.iter().map(unknown).collect());
            }
            let leaves = best.section(section, &mut leaves)?;
            given.resize(scores.len(), 0);
            fill(index.section_start(section), &mut given)?;
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
        for (section, fixed) in (0..sections).zip(&fixed) {
            // Of boards that are lost already the given distance stays, so that
            // whoever checks it sees it.
            for over in fixed.iter().filter(|over| !over.entry.is_lost()) {
                let line = self.plan.line(section, over.column).expect("a line");
                keys.set_entry(section, line, over.row, over.entry)?;
            }
        }
        if sections <= seeds {
            keys = sweeper.compute_once(keys, None, &best, &fixed, sections..=seeds)?;
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
    pub fn best_conversions(
        &mut self,
        seeds: u8,
        number: Quantity,
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
        number: Quantity,
        room: &mut Room,
    ) -> Result<Store<Score>, SolveError> {
        let through = number.of_opponent();
        let leaving = self.leaving(index, &Silent, |layer| layer.of(through), room)?;
        Ok(leaving.best)
    }

    /// Computes the sections that were not given from those that were.
    fn complete(
        &self,
        index: &LayerIndex,
        store: Store<Score>,
        children: Option<&Store<Score>>,
        best: &Store<Score>,
        sections: u8,
        room: &Room,
    ) -> Result<Store<Score>, SolveError> {
        if sections > index.seeds() {
            return Ok(store);
        }
        let fixed = no_fixed_entries(usize::from(index.seeds()) + 1);
        let sweeper = sweeper::<Score>(&self.plan, index, &Silent, room);
        let missing = sections..=index.seeds();
        Ok(sweeper.compute_once(store, children, best, &fixed, missing)?)
    }
}

fn given_all<E: Stored, Error: From<SolveError> + From<SpillError>>(
    index: &LayerIndex,
    room: &mut Room,
    mut fill: impl FnMut(u64, &mut [E]) -> Result<(), Error>,
) -> Result<Store<E>, Error> {
    Store::make(index, room, |section| {
        let mut entries = vec![E::ANY; index.section_entries(section)];
        fill(index.section_start(section), &mut entries)?;
        Ok(entries)
    })
}

/// What is given, raised to what the moves that leave the layer are worth.
fn raise<Error: From<SolveError> + From<SpillError>>(
    index: &LayerIndex,
    sections: u8,
    best: &Store<Score>,
    room: &mut Room,
    mut fill: impl FnMut(u64, &mut [Score]) -> Result<(), Error>,
) -> Result<Store<Score>, Error> {
    let mut spare = Vec::new();
    Store::make(index, room, |section| {
        let mut entries = vec![Score::ANY; index.section_entries(section)];
        if section < sections {
            fill(index.section_start(section), &mut entries)?;
            let best = best.section(section, &mut spare)?;
            for (entry, &best) in entries.iter_mut().zip(best) {
                *entry = best.max(*entry);
            }
        }
        Ok(entries)
    })
}
