//! The lines that moves lead to, wherever they are.
//!
//! A line in memory is read where it is. Lines on disk are *gathered* before
//! they are needed: what the moves of some mover's rows read for a band of
//! columns is listed, put in the order of the index, joined where it touches,
//! and read on all threads into one buffer. Lines are long and neighbouring
//! rows lead to neighbouring lines, so a disk sees few and large requests.

use std::ops::Range;

use rayon::prelude::*;

use super::plan::{RowMove, RowMoves};
use super::scratch::{SpillError, Stored};
use super::store::Store;
use crate::rules::ROW;

/// Part of a line: its entries from number `from` on.
#[derive(Clone, Copy)]
pub(super) struct LinePart<'a, E> {
    from: u32,
    entries: &'a [E],
}

impl<'a, E> LinePart<'a, E> {
    /// A whole line.
    pub fn whole(entries: &'a [E]) -> LinePart<'a, E> {
        LinePart { from: 0, entries }
    }

    /// Entries `to..to + len` of the line.
    #[inline(always)]
    pub fn entries(&self, to: u32, len: usize) -> &'a [E] {
        &self.from(to)[..len]
    }

    /// The line from entry `to` on, as far as it is there.
    #[inline(always)]
    pub fn from(&self, to: u32) -> &'a [E] {
        &self.entries[(to - self.from) as usize..]
    }
}

/// What a column map reads for a band of columns: from which stores, by their
/// number, and which part of the line.
pub(super) type Reach = Vec<(u8, Range<u32>)>;

/// A part of a line on disk that a move reads.
struct Wanted {
    store: u8,
    section: u8,
    /// Place in the section of its first entry.
    start: u64,
    len: u32,
    /// Which slot it is for, and the number of its first entry in the line.
    slot: usize,
    from: u32,
}

/// A stretch on disk that is read at once.
struct Stretch {
    store: u8,
    section: u8,
    start: u64,
    len: u64,
}

/// Where in the buffer a slot's part of a line begins.
#[derive(Clone, Copy, Default)]
struct Slot {
    offset: usize,
    from: u32,
}

/// A section in memory, or none, and the width of its lines.
type Section<'a, E> = (Option<&'a [E]>, usize);

/// Access to the lines of some stores: those in memory, and those gathered.
pub(super) struct Lines<'a, E> {
    stores: &'a [&'a Store<E>],
    /// Their sections, by store.
    sections: Vec<Vec<Section<'a, E>>>,
    /// What each column map reads, by number.
    reaches: Vec<Reach>,
    slots: Vec<Slot>,
    gathered: Vec<E>,
}

impl<'a, E: Stored> Lines<'a, E> {
    /// Nothing is gathered yet. `reaches` says what each column map reads.
    pub fn new(stores: &'a [&'a Store<E>], reaches: Vec<Reach>) -> Lines<'a, E> {
        let sections = stores.iter().map(|store| {
            let index = store.index();
            let section = |section| (store.in_memory(section), index.section_width(section));
            (0..=index.seeds()).map(section).collect()
        });
        Lines {
            stores,
            sections: sections.collect(),
            reaches,
            slots: Vec::new(),
            gathered: Vec::new(),
        }
    }

    /// The line that a move leads to, as far as it is read: move number
    /// `number` of the row in place `row` of those gathered, in store `store`.
    #[inline(always)]
    pub fn part(&self, row: usize, number: usize, m: &RowMove, store: u8) -> LinePart<'_, E> {
        let (section, width) = self.sections[usize::from(store)][usize::from(m.seeds)];
        if let Some(section) = section {
            return LinePart::whole(&section[m.line as usize * width..][..width]);
        }
        let slot = self.slots[self.slot(row, number, store)];
        LinePart {
            from: slot.from,
            entries: &self.gathered[slot.offset..],
        }
    }

    fn slot(&self, row: usize, number: usize, store: u8) -> usize {
        (row * ROW + number) * self.stores.len() + usize::from(store)
    }

    /// Bytes of memory that it takes to gather what these rows need, at most.
    pub fn bytes_to_gather(&self, rows: &[RowMoves]) -> usize {
        let slots = rows.len() * ROW * self.stores.len() * size_of::<Slot>();
        let moves = rows.iter().flat_map(RowMoves::as_slice);
        let parts = moves.flat_map(|m| {
            let reach = self.reaches[usize::from(m.map)].iter();
            reach.filter(|(store, _)| self.is_on_disk(*store, m.seeds))
        });
        let bytes =
            |part: &Range<u32>| part.len() * E::BYTES + size_of::<Wanted>() + size_of::<Stretch>();
        slots + parts.map(|(_, part)| bytes(part)).sum::<usize>()
    }

    fn is_on_disk(&self, store: u8, section: u8) -> bool {
        self.sections[usize::from(store)][usize::from(section)]
            .0
            .is_none()
    }

    /// Reads what these rows need from disk, in place of what was gathered
    /// before.
    pub fn gather<'r>(
        &mut self,
        rows: impl Iterator<Item = &'r RowMoves>,
    ) -> Result<(), SpillError> {
        let mut wanted = Vec::new();
        let mut count = 0;
        for (row, moves) in rows.enumerate() {
            count = row + 1;
            for (number, m) in moves.as_slice().iter().enumerate() {
                for (store, part) in &self.reaches[usize::from(m.map)] {
                    if !self.is_on_disk(*store, m.seeds) {
                        continue;
                    }
                    let (_, width) = self.sections[usize::from(*store)][usize::from(m.seeds)];
                    wanted.push(Wanted {
                        store: *store,
                        section: m.seeds,
                        start: u64::from(m.line) * width as u64 + u64::from(part.start),
                        len: part.len() as u32,
                        slot: self.slot(row, number, *store),
                        from: part.start,
                    });
                }
            }
        }
        wanted.sort_unstable_by_key(|w| (w.store, w.section, w.start));
        self.slots.clear();
        self.slots
            .resize(count * ROW * self.stores.len(), Slot::default());
        let mut stretches: Vec<Stretch> = Vec::new();
        // Entries in the stretches before the last one.
        let mut before = 0;
        for w in &wanted {
            let end = w.start + u64::from(w.len);
            match stretches.last_mut() {
                Some(last)
                    if (last.store, last.section) == (w.store, w.section)
                        && w.start <= last.start + last.len =>
                {
                    last.len = last.len.max(end - last.start);
                }
                last => {
                    before += last.map_or(0, |last| last.len as usize);
                    stretches.push(Stretch {
                        store: w.store,
                        section: w.section,
                        start: w.start,
                        len: u64::from(w.len),
                    });
                }
            }
            let last = &stretches[stretches.len() - 1];
            self.slots[w.slot] = Slot {
                offset: before + (w.start - last.start) as usize,
                from: w.from,
            };
        }
        let all = stretches.iter().map(|stretch| stretch.len as usize).sum();
        self.gathered.resize(all, E::ANY);
        let mut rest = self.gathered.as_mut_slice();
        let mut reads = Vec::new();
        for stretch in &stretches {
            let (out, others) = rest.split_at_mut(stretch.len as usize);
            reads.push((stretch, out));
            rest = others;
        }
        reads.into_par_iter().try_for_each(|(stretch, out)| {
            self.stores[usize::from(stretch.store)].read(stretch.section, stretch.start, out)
        })
    }
}
