//! Dense sweeps: every board's entry from the entries of its children, section by
//! section and in place, until nothing changes.
//!
//! A board with `a` seeds on the mover's side is in section `n − a`; its children
//! are in sections up to `a`. While a section is computed it is taken out of the
//! plane or, where its boards read one another, computed beside the old one.
//! A tile is skipped if no line that it reads has changed since it was last
//! computed. When few boards change, `ripple` takes over.

use std::ops::RangeInclusive;

use super::entry::{Entry, Score};
use super::error::SolveError;
use super::fixed::{Fixed, FixedEntries};
use super::observer::Observer;
use super::pass::Pass;
use super::plan::Plan;
use super::ripple::Ripples;
use super::scratch::SpillError;
use super::store::Store;
use super::tile::HEIGHT;
use super::working::{Tick, Working};
use crate::index::LayerIndex;

/// The layer that is swept.
pub(super) struct Sweeper<'a> {
    pub plan: &'a Plan,
    pub index: &'a LayerIndex,
    pub observer: &'a dyn Observer,
    /// The most boards that may be followed one by one.
    pub followed: u64,
}

/// Changes that are followed before what becomes of their parents is written:
/// few enough for that to need little memory.
pub(super) const PORTION: usize = 1 << 16;

/// Called with the entries before each sweep and each round of ripples, when
/// they are a state from which the work can go on.
pub(super) type Between<'a, E> = dyn FnMut(&[&Store<E>]) -> Result<(), SolveError> + 'a;

impl Sweeper<'_> {
    /// Settles a store that reads itself: no entry is other than its moves make
    /// it. `best` is what the best move that leaves the layer is worth.
    pub fn settle<E: Entry>(
        &self,
        store: Store<E>,
        best: &Store<Score>,
        fixed: &FixedEntries<E>,
        between: &mut Between<'_, E>,
    ) -> Result<Store<E>, SolveError> {
        let few = self.few(store.is_in_memory());
        let mut working = Working::new(store);
        let mut spare = Spare::default();
        let mut changes = Vec::new();
        let sweeps = self.sweep(few, |section, now, noting| {
            if section == 0 {
                between(&[&working.store])?;
            }
            let pass = self.pass(section, now, noting, &fixed[usize::from(section)]);
            let tiles = working.due(section, pass.rows(), &working);
            if self.skip(&mut working, &pass, &tiles) {
                return Ok(0);
            }
            let is_read = 2 * section <= self.index.seeds();
            let mut target = working.fetch(section, is_read, spare.take())?;
            let best = best.section(section, &mut spare.best)?;
            let changed = pass.compute(&tiles, &working.store, &mut target, best)?;
            let count = changed.count;
            spare.entries = working.put(section, target, now, count > 0)?;
            changes.extend(changed.noted);
            Ok(count)
        })?;
        drop(spare);
        let mut store = working.into_store();
        if changes.is_empty() {
            return Ok(store);
        }
        let ripples = Ripples::new(self.plan, self.index);
        for round in sweeps + 1.. {
            if changes.is_empty() {
                break;
            }
            between(&[&store])?;
            let mut next = Vec::new();
            for changes in changes.chunks(PORTION) {
                let effects = ripples.round(changes, &store, &store, best)?;
                next.append(&mut effects.apply(&mut store)?);
            }
            changes = next;
            self.observer.rippled(round, changes.len() as u64);
        }
        Ok(store)
    }

    /// Settles two stores that read one another. `best` holds the best moves
    /// that leave the layer, for each store.
    pub fn settle_pair<E: Entry>(
        &self,
        stores: [Store<E>; 2],
        best: [&Store<Score>; 2],
        between: &mut Between<'_, E>,
    ) -> Result<[Store<E>; 2], SolveError> {
        let few = self.few(stores.iter().all(Store::is_in_memory));
        let [one, other] = stores;
        let (mut one, mut other) = (Working::new(one), Working::new(other));
        let mut spare = Spare::default();
        let mut changes = [Vec::new(), Vec::new()];
        let sweeps = self.sweep(few, |section, now, noting| {
            if section == 0 {
                between(&[&one.store, &other.store])?;
            }
            let mut half = |written: &mut Working<E>,
                            read: &Working<E>,
                            number: usize|
             -> Result<u64, SpillError> {
                let pass = self.pass(section, now, noting, &[]);
                let tiles = written.due(section, pass.rows(), read);
                if self.skip(written, &pass, &tiles) {
                    return Ok(0);
                }
                let mut target = written.fetch(section, false, spare.take())?;
                let best = best[number].section(section, &mut spare.best)?;
                let changed = pass.compute(&tiles, &read.store, &mut target, best)?;
                let count = changed.count;
                spare.entries = written.put(section, target, now, count > 0)?;
                changes[number].extend(changed.noted);
                Ok(count)
            };
            Ok(half(&mut one, &other, 0)? + half(&mut other, &one, 1)?)
        })?;
        drop(spare);
        let (mut one, mut other) = (one.into_store(), other.into_store());
        if changes.iter().all(Vec::is_empty) {
            return Ok([one, other]);
        }
        let ripples = Ripples::new(self.plan, self.index);
        for round in sweeps + 1.. {
            if changes.iter().all(Vec::is_empty) {
                break;
            }
            between(&[&one, &other])?;
            let mut next = [Vec::new(), Vec::new()];
            for changes in changes[1].chunks(PORTION) {
                let to_one = ripples.round(changes, &other, &one, best[0])?;
                next[0].append(&mut to_one.apply(&mut one)?);
            }
            for changes in changes[0].chunks(PORTION) {
                let to_other = ripples.round(changes, &one, &other, best[1])?;
                next[1].append(&mut to_other.apply(&mut other)?);
            }
            changes = next;
            let count = changes.iter().map(Vec::len).sum::<usize>();
            self.observer.rippled(round, count as u64);
        }
        Ok([one, other])
    }

    /// Computes each of some sections once, from entries of other sections that are
    /// right already.
    pub fn compute_once<E: Entry>(
        &self,
        store: Store<E>,
        children: Option<&Store<E>>,
        best: &Store<Score>,
        fixed: &FixedEntries<E>,
        sections: RangeInclusive<u8>,
    ) -> Result<Store<E>, SpillError> {
        let mut working = Working::new(store);
        let mut spare = Spare::default();
        for section in sections {
            let pass = self.pass(section, 1, false, &fixed[usize::from(section)]);
            let tiles: Vec<usize> = (0..pass.rows().len()).step_by(HEIGHT).collect();
            let mut target = working.fetch(section, false, spare.take())?;
            let best = best.section(section, &mut spare.best)?;
            let children = children.unwrap_or(&working.store);
            pass.compute(&tiles, children, &mut target, best)?;
            spare.entries = working.put(section, target, 1, true)?;
        }
        Ok(working.into_store())
    }

    /// Passes over a section of which no tile is due.
    fn skip<E: Entry>(
        &self,
        working: &mut Working<E>,
        pass: &Pass<'_, E>,
        tiles: &[usize],
    ) -> bool {
        if tiles.is_empty() {
            let boards = self.index.section_entries(pass.section) as u64;
            self.observer.advance(boards);
            working.computed(pass.section, pass.now);
        }
        tiles.is_empty()
    }

    /// How many changes in a sweep are few enough to be followed one by one.
    fn few(&self, is_in_memory: bool) -> u64 {
        // One board in so many. On disk following one is dear.
        let one_in = if is_in_memory { 128 } else { 1 << 14 };
        (self.index.len() / one_in).min(self.followed)
    }

    /// Calls `compute` for every section, sweep after sweep, until a sweep changes
    /// few entries; then once more, to note which ones. `compute` gets the
    /// section, the tick, and whether to note changes, and counts them.
    fn sweep(
        &self,
        few: u64,
        mut compute: impl FnMut(u8, Tick, bool) -> Result<u64, SolveError>,
    ) -> Result<u32, SolveError> {
        let mut now = 1;
        let mut noting = false;
        for sweep in 1.. {
            let mut changes = 0;
            for section in 0..=self.index.seeds() {
                now += 1;
                changes += compute(section, now, noting)?;
            }
            self.observer.swept(sweep, changes);
            if noting || changes == 0 {
                return Ok(sweep);
            }
            noting = changes < few;
        }
        unreachable!("sweeps come to an end: every entry moves only towards its true one")
    }

    fn pass<'a, E: Entry>(
        &'a self,
        section: u8,
        now: Tick,
        noting: bool,
        fixed: &'a [Fixed<E>],
    ) -> Pass<'a, E> {
        Pass {
            plan: self.plan,
            index: self.index,
            observer: self.observer,
            section,
            now,
            noting,
            fixed,
        }
    }
}

/// Memory for sections that are computed, and for the best moves out of the layer
/// where these lie on disk.
struct Spare<E> {
    entries: Vec<E>,
    best: Vec<Score>,
}

impl<E> Spare<E> {
    fn take(&mut self) -> Vec<E> {
        std::mem::take(&mut self.entries)
    }
}

impl<E> Default for Spare<E> {
    fn default() -> Spare<E> {
        Spare {
            entries: Vec::new(),
            best: Vec::new(),
        }
    }
}
