//! Which boards changed when: what a sweep may skip, and where the worklist begins.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use rayon::prelude::*;

use crate::index::LayerIndex;
use crate::solve::entry::Entry;
use crate::solve::moves::RowMoves;
use crate::solve::panel::{PANEL_HEIGHT, panel_rows};
use crate::solve::ranks::Message;

/// A board whose entry has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Change<E> {
    /// Seeds in the opponent's row.
    pub section: u8,
    /// The line of the opponent's row.
    pub line: u32,
    /// The rank of the mover's row.
    pub rank: u32,
    /// The entry before and after the change.
    pub before: E,
    pub after: E,
}

/// The value of a move before its child changed, and now.
#[derive(Clone, Copy)]
pub(super) struct MoveChange<E> {
    pub before: E,
    pub now: E,
}

impl<E: Entry> MoveChange<E> {
    /// What becomes of a quiet move when its child's entry changes.
    pub fn of(before: E, after: E) -> MoveChange<E> {
        MoveChange {
            before: before.negated(),
            now: after.negated(),
        }
    }

    /// Whether the move has become better than all others of a board with this entry.
    pub fn raises(&self, entry: E) -> bool {
        self.now > entry
    }

    /// Whether the move was among the best and no longer is.
    pub fn may_lower(&self, entry: E) -> bool {
        self.before == entry && self.before != self.now
    }
}

/// What the sweep of a section changed.
pub(super) struct SectionChanges<E> {
    pub count: u64,
    /// The changed boards, if they are recorded.
    pub recorded: Vec<Change<E>>,
    /// The changes as other ranks hear of them, if there are any.
    pub message: Message,
}

impl<E> SectionChanges<E> {
    pub fn none() -> SectionChanges<E> {
        SectionChanges {
            count: 0,
            recorded: Vec::new(),
            message: Message::new(),
        }
    }

    pub fn with(mut self, mut other: SectionChanges<E>) -> SectionChanges<E> {
        self.count += other.count;
        self.recorded.append(&mut other.recorded);
        self.message.append(&mut other.message);
        self
    }
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

    /// How many lines there are.
    pub fn count(&self) -> usize {
        self.0.len()
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

/// What a sweep of an array may skip.
pub(super) struct Ticks {
    /// When each line last changed, by section.
    pub lines: Vec<LineTicks>,
    /// When each section was last computed; 0 before the first sweep.
    pub computed: Vec<Tick>,
}

impl Ticks {
    /// Before the first sweep, every line counts as changed.
    pub fn new(index: &LayerIndex) -> Ticks {
        let lines = |section| LineTicks::new(index.section_lines(section), 1);
        Ticks {
            lines: (0..=index.seeds()).map(lines).collect(),
            computed: vec![0; usize::from(index.seeds()) + 1],
        }
    }

    /// The first rows of those panels of a section that must be computed: those that read a line
    /// which has changed since the section was last computed. `rows` are the moves of the
    /// section's mover's rows, and `children` the ticks of the array that they read.
    pub fn due(&self, section: u8, rows: &[RowMoves], children: &Ticks) -> Vec<usize> {
        let since = self.computed[usize::from(section)];
        let is_due =
            |first: &usize| since == 0 || children.changed_for(panel_rows(rows, *first), since);
        let panels = (0..rows.len().div_ceil(PANEL_HEIGHT)).into_par_iter();
        panels
            .with_min_len(64)
            .map(|panel| Some(panel * PANEL_HEIGHT).filter(is_due))
            .flatten_iter()
            .collect()
    }

    /// Whether any line that these moves read has changed at `since` or later.
    fn changed_for(&self, rows: &[RowMoves], since: Tick) -> bool {
        let mut moves = rows.iter().flat_map(RowMoves::iter);
        moves.any(|m| self.lines[usize::from(m.seeds)].get(m.line as usize) >= since)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;
    use crate::solve::entry::{Entry, Value};
    use crate::solve::moves::CompiledMoves;

    #[test]
    fn batches_have_all_changes_in_order() {
        let change = |rank| Change {
            section: 1,
            line: 2,
            rank,
            before: Value::NONE,
            after: Value::NONE,
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
        let mut ticks = Ticks::new(&index);
        let rows = |section| moves.row_moves(seeds - section);
        let all = |section| rows(section).len().div_ceil(PANEL_HEIGHT);
        let due = |ticks: &Ticks, section| ticks.due(section, rows(section), ticks);
        for section in 0..=seeds {
            assert_eq!(due(&ticks, section).len(), all(section));
        }
        ticks.computed.fill(2);
        for section in 0..=seeds {
            assert!(due(&ticks, section).is_empty());
        }
        // Line 5 of section 4 changes at tick 3.
        ticks.lines[4].set(5, 3);
        ticks.computed[4] = 3;
        for section in (0..=seeds).filter(|&section| section != 4) {
            let due = due(&ticks, section);
            for first in (0..rows(section).len()).step_by(PANEL_HEIGHT) {
                let panel = panel_rows(rows(section), first).iter();
                let mut read = panel.flat_map(RowMoves::iter);
                let reads_it = read.any(|m| (m.seeds, m.line) == (4, 5));
                assert_eq!(due.contains(&first), reads_it, "{section}, {first}");
            }
        }
    }
}
