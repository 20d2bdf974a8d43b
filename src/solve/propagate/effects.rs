//! Effects: the new entries of the parents of changed boards.
//!
//! Threads find them in lists, each in the order of the index. They are applied share by
//! share of the array, so that all threads write at once.

use rayon::prelude::*;

use super::changes::Change;
use crate::cpu::prefetch;
use crate::index::LayerIndex;
use crate::solve::array::LayerArray;
use crate::solve::entry::Entry;

/// The effect of a change on a parent.
#[derive(Clone, Copy)]
pub(super) struct Effect<E> {
    /// The parent's number in the order of the index.
    pub number: u64,
    section: u8,
    line: u32,
    /// Its entry before the round, and what it becomes.
    pub before: E,
    pub after: E,
}

/// New entries of the parents: effects in lists, each in the order of the index.
pub(super) struct Effects<E>(pub Vec<Vec<Effect<E>>>);

impl<E: Entry> Effects<E> {
    /// Writes the effects; returns the changes, in the order of the index, in lists of one
    /// or more.
    pub fn apply(self, parents: &mut LayerArray<E>) -> Vec<Vec<Change<E>>> {
        let index = parents.index().clone();
        let ends = self.ends(index.len());
        let is_small = ends.len() == 1;
        let splits = self.splits(&ends);
        let mut shares = Vec::new();
        let mut rest = parents.as_mut_slice();
        let mut start = 0;
        for &end in &ends {
            let share = rest.split_off_mut(..(end - start) as usize);
            shares.push((start, share.expect("ends in order")));
            start = end;
        }
        let mut changes: Vec<Vec<Change<E>>> = shares
            .into_par_iter()
            .enumerate()
            .with_max_len(1)
            .map(|(number, share)| {
                let within =
                    |splits: &Vec<u32>| splits[number] as usize..splits[number + 1] as usize;
                let lists = self.0.iter().zip(&splits);
                let lists = lists.map(|(effects, splits)| &effects[within(splits)]);
                apply_to(share, lists.collect::<Vec<_>>().concat(), &index)
            })
            .collect();
        // Freeing so many lists takes time as well.
        match is_small {
            true => drop(self.0),
            false => self.0.into_par_iter().for_each(drop),
        }
        changes.retain(|list| !list.is_empty());
        changes
    }

    /// The numbers of entries before which a thread's work should end, so that all have about
    /// as many effects to write; the last one is `len`, the number of all entries. It is the only
    /// one if there are too few effects for several threads.
    fn ends(&self, len: u64) -> Vec<u64> {
        /// Shares of each thread: enough to share the work evenly.
        const SHARES: usize = 8;
        /// Effects that are worth a share of their own.
        const EFFECTS: usize = 512;
        /// Effects looked at for each share.
        const SAMPLE: usize = 16;
        let all: usize = self.0.iter().map(Vec::len).sum();
        let shares = (all / EFFECTS).clamp(1, SHARES * rayon::current_num_threads());
        let step = (all / (shares * SAMPLE)).max(1);
        let sample = self.0.iter().flatten().step_by(step);
        let mut sample: Vec<u64> = sample.map(|effect| effect.number).collect();
        sample.sort_unstable();
        let mut ends: Vec<u64> = sample
            .into_iter()
            .step_by(SAMPLE)
            .skip(1)
            .take(shares - 1)
            .collect();
        ends.push(len);
        ends.dedup();
        ends
    }

    /// By list, where the effects on each share begin and end: 0, then one place for each of
    /// these ends of shares.
    fn splits(&self, ends: &[u64]) -> Vec<Vec<u32>> {
        /// Lists that a thread takes at a time, at the least.
        const LISTS: usize = 16;
        let lists = self.0.par_iter().with_min_len(LISTS);
        let splits = lists.map(|effects| {
            let mut at = 0;
            let splits = ends.iter().map(|&end| {
                at += effects[at..].partition_point(|effect| effect.number < end);
                at as u32
            });
            std::iter::once(0).chain(splits).collect()
        });
        splits.collect()
    }
}

/// Writes these effects on a share, which begins at a number, in any order; returns the changes.
fn apply_to<E: Entry>(
    (start, share): (u64, &mut [E]),
    mut effects: Vec<Effect<E>>,
    index: &LayerIndex,
) -> Vec<Change<E>> {
    /// Effects whose entries are waited for at once.
    const AHEAD: usize = 16;
    effects.sort_by_key(|effect| effect.number);
    let mut changes = Vec::new();
    let mut ahead = effects.iter().skip(AHEAD);
    for effect in &effects {
        if let Some(effect) = ahead.next() {
            prefetch(&share[(effect.number - start) as usize]);
        }
        let entry = &mut share[(effect.number - start) as usize];
        if *entry == effect.before {
            *entry = effect.after;
            changes.push(effect.change(index));
        } else {
            // Another child has changed it in this round. A parent that is
            // reevaluated gets the same entry each time, and of those that are
            // raised the highest is right.
            *entry = (*entry).max(effect.after);
            if let Some(change) = changes.last_mut() {
                change.after = *entry;
            }
        }
    }
    changes
}

impl<E: Entry> Effect<E> {
    /// What becomes of a board of an array: its section, line and rank.
    pub fn new(
        array: &LayerArray<E>,
        (section, line, rank): (u8, u32, u32),
        before: E,
        after: E,
    ) -> Effect<E> {
        Effect {
            number: array.number(section, line, rank) as u64,
            section,
            line,
            before,
            after,
        }
    }

    /// Section, line and rank of the parent.
    pub fn board(&self, index: &LayerIndex) -> (u8, u32, u32) {
        let width = index.section_width(self.section) as u64;
        let line_start = index.section_start(self.section) + u64::from(self.line) * width;
        (self.section, self.line, (self.number - line_start) as u32)
    }

    /// The change that it makes.
    fn change(&self, index: &LayerIndex) -> Change<E> {
        let (section, line, rank) = self.board(index);
        Change {
            section,
            line,
            rank,
            before: self.before,
            after: self.after,
        }
    }
}
