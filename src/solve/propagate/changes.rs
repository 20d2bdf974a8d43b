//! Which boards changed when: what a sweep may skip, and where the worklist begins.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use rayon::prelude::*;

use crate::solve::moves::RowMoves;
use crate::solve::panels::{PANEL_HEIGHT, panel_rows};
use crate::solve::ranks::{Part, Ranks};
use crate::solve::storage::{Entry, LayerArray, Region, SpillError};
use crate::spans;

/// A board whose entry has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Change<E> {
    /// Seeds in the opponent's row.
    pub section: u8,
    /// The line of the opponent's row.
    pub line: u32,
    /// The rank of the mover's row.
    pub rank: u32,
    /// The entry before.
    pub before: E,
}

/// Divides lists of changes into batches of `size`, each made of parts of the lists.
pub(super) fn batches<E>(lists: &[Vec<Change<E>>], size: usize) -> Vec<Vec<&[Change<E>]>> {
    let mut batches = Vec::new();
    let mut batch = Vec::new();
    let mut left = size;
    for list in lists {
        let mut rest = list.as_slice();
        while !rest.is_empty() {
            let (part, others) = rest.split_at(rest.len().min(left));
            batch.push(part);
            (rest, left) = (others, left - part.len());
            if left == 0 {
                batches.push(std::mem::take(&mut batch));
                left = size;
            }
        }
    }
    if !batch.is_empty() {
        batches.push(batch);
    }
    batches
}

/// Of changes that all ranks know, keeps those that one of them goes on with: about as many for
/// each. It takes longer to find the parents of the first changes than those of the last ones, so
/// each rank gets one piece of each half: the first rank has the first piece and the last one.
pub(super) fn keep_share<E: Send>(lists: &mut Vec<Vec<Change<E>>>, rank: usize, ranks: usize) {
    let all: usize = lists.iter().map(Vec::len).sum();
    let piece = |number: usize| all * number / (2 * ranks)..all * (number + 1) / (2 * ranks);
    let (first, second) = (piece(rank), piece(2 * ranks - 1 - rank));
    let mut before = 0;
    for list in lists.iter_mut() {
        let of_list = |at: usize| at.saturating_sub(before).min(list.len());
        let kept = [
            of_list(first.start),
            of_list(first.end),
            of_list(second.start),
            of_list(second.end),
        ];
        before += list.len();
        list.truncate(kept[3]);
        list.drain(kept[1]..kept[2]);
        list.drain(..kept[0]);
    }
    lists.retain(|list| !list.is_empty());
}

/// Counts recorded changes, and ends the recording when they outgrow the memory for a
/// worklist. Whether that happens depends on the number of changes alone, not on the
/// order in which threads find them.
#[derive(Debug)]
pub(super) struct Recorder {
    capacity: u64,
    recorded: AtomicU64,
}

impl Recorder {
    /// A recorder of at most `capacity` changes.
    pub fn new(capacity: u64) -> Recorder {
        Recorder {
            capacity,
            recorded: AtomicU64::new(0),
        }
    }

    /// Counts changes, recorded or not.
    pub fn add(&self, changes: usize) {
        self.recorded.fetch_add(changes as u64, Ordering::Relaxed);
    }

    /// Changes so far.
    pub fn count(&self) -> u64 {
        self.recorded.load(Ordering::Relaxed)
    }

    /// Whether there have been too many changes to record.
    pub fn has_overflowed(&self) -> bool {
        self.count() > self.capacity
    }
}

/// A moment of the sweeps, counted in sections computed.
pub(super) type Tick = u32;

/// When each line of a section last changed. All threads that compute the section set it,
/// to the same moment.
pub(super) struct LineTicks(Vec<AtomicU32>);

impl LineTicks {
    /// All lines count as changed at a moment.
    pub fn new(lines: usize, at: Tick) -> LineTicks {
        LineTicks((0..lines).map(|_| AtomicU32::new(at)).collect())
    }

    /// Records that a line has changed.
    pub fn set(&self, line: usize, now: Tick) {
        self.0[line].store(now, Ordering::Relaxed);
    }

    /// When a line last changed.
    pub fn get(&self, line: usize) -> Tick {
        self.0[line].load(Ordering::Relaxed)
    }
}

/// Tells all ranks which lines of a section have just changed. Each knows of its own.
pub(super) fn share_ticks(
    ranks: &dyn Ranks,
    part: &Part,
    section: u8,
    ticks: &LineTicks,
    now: Tick,
) {
    if ranks.is_alone() {
        return;
    }
    let lines = part.lines(section);
    let mut changed = vec![0; lines.len().div_ceil(8)];
    for (number, line) in lines.enumerate() {
        changed[number / 8] |= u8::from(ticks.get(line) == now) << (number % 8);
    }
    for (rank, changed) in ranks.all(changed).iter().enumerate() {
        let of_rank = Part::numbered(part.index(), rank, ranks.count());
        for (number, line) in of_rank.lines(section).enumerate() {
            if changed[number / 8] >> (number % 8) & 1 == 1 {
                ticks.set(line, now);
            }
        }
    }
}

/// An array that is swept: its entries, and when each line last changed.
pub(super) struct SweptArray<E> {
    pub array: LayerArray<E>,
    /// When each line last changed, by section.
    changed: Vec<LineTicks>,
    /// When each section was last computed; 0 before the first sweep.
    computed: Vec<Tick>,
}

impl<E: Entry> SweptArray<E> {
    /// Entries to begin with; every line counts as changed.
    pub fn new(array: LayerArray<E>) -> SweptArray<E> {
        let index = array.index();
        SweptArray {
            changed: (0..=index.seeds())
                .map(|section| LineTicks::new(index.section_lines(section), 1))
                .collect(),
            computed: vec![0; usize::from(index.seeds()) + 1],
            array,
        }
    }

    /// The entries, final or not.
    pub fn into_array(self) -> LayerArray<E> {
        self.array
    }

    /// The first rows of those of `panels` of a section that must be computed: those that
    /// read a line which has changed since the section was last computed. `rows` are
    /// the moves of the section's mover's rows, and `children` is what they read.
    pub fn due(
        &self,
        section: u8,
        panels: &Range<usize>,
        rows: &[RowMoves],
        children: &SweptArray<E>,
    ) -> Vec<usize> {
        let since = self.computed[usize::from(section)];
        let _parallel = spans::parallel("due");
        let is_due =
            |first: &usize| since == 0 || children.changed_for(panel_rows(rows, *first), since);
        let panels = panels.clone().into_par_iter();
        panels
            .with_min_len(64)
            .map_init(
                || spans::task("due"),
                |_, panel| Some(panel * PANEL_HEIGHT).filter(is_due),
            )
            .flatten_iter()
            .collect()
    }

    /// Whether any line that these moves read has changed at `since` or later.
    fn changed_for(&self, rows: &[RowMoves], since: Tick) -> bool {
        let mut moves = rows.iter().flat_map(RowMoves::iter);
        moves.any(|m| self.changed[usize::from(m.seeds)].get(m.line as usize) >= since)
    }

    /// Takes a section to compute it. If it is compact or spilled, this is a copy, made in
    /// `buffer`.
    pub fn take_section(&mut self, section: u8, mut buffer: Vec<E>) -> Result<Vec<E>, SpillError> {
        match self.array.take(section) {
            Some(entries) => Ok(entries),
            None => {
                self.array.read_section(section, &mut buffer)?;
                Ok(buffer)
            }
        }
    }

    /// When the lines of a section last changed.
    pub fn line_ticks(&self, section: u8) -> &LineTicks {
        &self.changed[usize::from(section)]
    }

    /// Puts a section back that was computed at `now`; returns a buffer to use again.
    pub fn put_section(
        &mut self,
        section: u8,
        entries: Vec<E>,
        now: Tick,
        has_changed: bool,
    ) -> Result<Vec<E>, SpillError> {
        self.mark_computed(section, now);
        if has_changed || self.array.in_memory(section).is_some() {
            self.array.put(section, entries)
        } else {
            Ok(entries)
        }
    }

    /// Puts a region of a section back, where lines have changed at `now`.
    pub fn put_region(
        &mut self,
        section: u8,
        region: &Region,
        entries: &[E],
        now: Tick,
    ) -> Result<(), SpillError> {
        let ticks = &self.changed[usize::from(section)];
        let has_changed = |line| ticks.get(line) == now;
        self.array.put_region(section, region, entries, has_changed)
    }

    /// Records that a section has been computed.
    pub fn mark_computed(&mut self, section: u8, now: Tick) {
        self.computed[usize::from(section)] = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::LayerIndex;
    use crate::rules::Ruleset;
    use crate::solve::moves::CompiledMoves;
    use crate::solve::storage::Value;

    #[test]
    fn batches_have_all_changes_in_order() {
        let change = |rank| Change {
            section: 1,
            line: 2,
            rank,
            before: Value::NONE,
        };
        let lists = [0..3, 3..3, 3..11, 11..12, 12..20].map(|ranks| ranks.map(change).collect());
        for size in 1..=21 {
            let batches = batches(&lists, size);
            let lens = batches.iter().map(|batch| batch.concat().len());
            let last = 20 - (batches.len() - 1) * size;
            assert!(
                lens.rev()
                    .eq(std::iter::once(last).chain(std::iter::repeat_n(size, batches.len() - 1)))
            );
            let ranks = batches
                .concat()
                .concat()
                .into_iter()
                .map(|change| change.rank);
            assert!(ranks.eq(0..20), "{size}");
        }
        assert!(batches::<Value>(&[Vec::new()], 5).is_empty());
    }

    #[test]
    fn ranks_share_changes_evenly() {
        let lists: Vec<Vec<Change<Value>>> = [0..3, 3..11, 11..12, 12..20]
            .map(|ranks| {
                let change = |rank| Change {
                    section: 1,
                    line: 2,
                    rank,
                    before: Value::NONE,
                };
                ranks.map(change).collect()
            })
            .into();
        for ranks in 1..=25 {
            let mut all = Vec::new();
            for rank in 0..ranks {
                let mut share = lists.clone();
                keep_share(&mut share, rank, ranks);
                assert!(share.iter().all(|list| !list.is_empty()));
                let share = share.concat();
                assert!(share.is_sorted_by_key(|change| change.rank));
                assert!(share.len().abs_diff(20 / ranks) <= 2);
                all.extend(share);
            }
            all.sort_unstable_by_key(|change| change.rank);
            assert_eq!(all, lists.concat());
        }
    }

    #[test]
    fn a_recorder_overflows_beyond_its_capacity() {
        let recorder = Recorder::new(5);
        recorder.add(5);
        assert!(!recorder.has_overflowed());
        recorder.add(1);
        assert!(recorder.has_overflowed());
        assert_eq!(recorder.count(), 6);
        assert!(!Recorder::new(0).has_overflowed());
    }

    #[test]
    fn only_panels_that_read_a_changed_line_are_due() {
        let (rules, seeds) = (Ruleset::AWARI, 9);
        let mut moves = CompiledMoves::new(rules);
        moves.extend_to(seeds);
        let index = LayerIndex::new(rules, seeds);
        let mut swept = SweptArray::new(LayerArray::new(&index, Value::new(0)));
        let rows = |section| moves.row_moves(seeds - section);
        let all = |section| 0..rows(section).len().div_ceil(PANEL_HEIGHT);
        let due = |swept: &SweptArray<_>, section| {
            swept.due(section, &all(section), rows(section), swept)
        };
        for section in 0..=seeds {
            assert_eq!(due(&swept, section).len(), all(section).len());
            let last = all(section).end - 1..all(section).end;
            let due = swept.due(section, &last, rows(section), &swept);
            assert_eq!(due, [last.start * PANEL_HEIGHT]);
        }
        for section in 0..=seeds {
            swept.mark_computed(section, 2);
        }
        for section in 0..=seeds {
            assert!(due(&swept, section).is_empty());
        }
        // Line 5 of section 4 changes at tick 3.
        swept.line_ticks(4).set(5, 3);
        swept.mark_computed(4, 3);
        for section in (0..=seeds).filter(|&section| section != 4) {
            let due = due(&swept, section);
            for first in (0..rows(section).len()).step_by(PANEL_HEIGHT) {
                let panel = panel_rows(rows(section), first).iter();
                let mut read = panel.flat_map(RowMoves::iter);
                let reads_it = read.any(|m| (m.seeds, m.line) == (4, 5));
                assert_eq!(due.contains(&first), reads_it, "{section}, {first}");
            }
        }
    }
}
