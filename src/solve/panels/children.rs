//! Reading the lines that moves lead to, wherever they are.
//!
//! A line in memory is read in place. Other lines, compact, in a file or with another rank, are
//! *gathered* before they are needed: what the moves of some mover's rows read for a band of
//! columns is listed, put in the order of the index, joined where it touches, and read into
//! one buffer. Lines are long and neighbouring rows lead to neighbouring lines, so disk and
//! network see few and large requests.

use std::ops::Range;

use super::fetch::Extent;
use super::sources::Sources;
use crate::rules::ROW;
use crate::solve::moves::{RowMove, RowMoves};
use crate::solve::storage::SpillEntry;

/// Part of a line: its entries from number `from` on.
#[derive(Clone, Copy)]
pub(in crate::solve) struct LinePart<'a, E> {
    from: u32,
    entries: &'a [E],
}

impl<'a, E> LinePart<'a, E> {
    /// The entries of a line from number `from` on.
    pub fn new(from: u32, entries: &'a [E]) -> LinePart<'a, E> {
        LinePart { from, entries }
    }

    /// A whole line.
    pub fn whole(entries: &'a [E]) -> LinePart<'a, E> {
        LinePart { from: 0, entries }
    }

    /// Entries `to..to + len` of the line.
    #[inline(always)]
    pub fn entries(&self, to: u32, len: usize) -> &'a [E] {
        &self.from(to)[..len]
    }

    /// The line from entry `to` on, as far as it has been read.
    #[inline(always)]
    pub fn from(&self, to: u32) -> &'a [E] {
        &self.entries[(to - self.from) as usize..]
    }
}

/// What a column map reads for a band of columns: from which arrays, by number, and
/// which part of the line.
pub(in crate::solve) type Reach = Vec<(u8, Range<u32>)>;

/// A part of a line that a move reads and that is not in memory.
struct Request {
    /// Array, section and offset in the section, in one number that sorts quickly.
    order: u64,
    owner: u32,
    len: u32,
    /// The slot that it is for, and the number of its first entry in the line.
    slot: u32,
    from: u32,
}

impl Request {
    /// Bits of an offset, and of the section above it.
    const BITS: (u32, u32) = (48, 8);

    fn order(array: u8, section: u8, start: u64) -> u64 {
        let (offset, sections) = Request::BITS;
        debug_assert!(start >> offset == 0);
        u64::from(array) << (offset + sections) | u64::from(section) << offset | start
    }

    fn extent(&self) -> Extent {
        let (offset, sections) = Request::BITS;
        Extent {
            array: (self.order >> (offset + sections)) as u8,
            section: (self.order >> offset) as u8,
            owner: self.owner,
            start: self.order & ((1 << offset) - 1),
            len: self.len.into(),
        }
    }
}

/// Where in the buffer a part of a line begins.
#[derive(Clone, Copy, Default)]
struct Slot {
    offset: usize,
    from: u32,
}

impl<E: SpillEntry> Sources<'_, E> {
    /// What a move reads that is not in memory.
    fn missing(&self, reaches: &[Reach], m: RowMove) -> impl Iterator<Item = (u8, Range<u32>)> {
        let reach = reaches[usize::from(m.map)].iter();
        let missing =
            reach.filter(move |(array, _)| self.in_memory(*array, m.seeds, m.line).is_none());
        missing.cloned()
    }

    /// Bytes of memory that it takes to gather what these rows read, at most.
    pub fn bytes_to_gather(&self, reaches: &[Reach], rows: &[RowMoves]) -> usize {
        let slots = rows.len() * ROW * self.arrays.len() * size_of::<Slot>();
        let moves = rows.iter().flat_map(RowMoves::iter);
        let parts = moves.flat_map(|m| self.missing(reaches, m));
        // Lists grow by doubling. Each extent is listed once more, with its place in the buffer.
        let lists =
            2 * (size_of::<Request>() + size_of::<Extent>()) + size_of::<(Extent, &mut [E])>();
        let bytes = |part: Range<u32>| part.len() * E::BYTES + lists;
        slots + parts.map(|(_, part)| bytes(part)).sum::<usize>()
    }

    /// Number of the slot of move `number` of the row at position `row` into an array.
    fn slot(&self, row: usize, number: usize, array: u8) -> usize {
        (row * ROW + number) * self.arrays.len() + usize::from(array)
    }

    /// What these rows read that is not in memory; returns how many rows there are.
    fn requests<'r>(
        &self,
        reaches: &[Reach],
        rows: impl Iterator<Item = &'r RowMoves>,
        requests: &mut Vec<Request>,
    ) -> usize {
        requests.clear();
        let mut row_count = 0;
        for (row, moves) in rows.enumerate() {
            row_count = row + 1;
            for (number, m) in moves.iter().enumerate() {
                for (array, part) in self.missing(reaches, m) {
                    let line_start = u64::from(m.line) * self.width(array, m.seeds) as u64;
                    let start = line_start + u64::from(part.start);
                    let owner = self.arrays[usize::from(array)].part();
                    requests.push(Request {
                        order: Request::order(array, m.seeds, start),
                        owner: owner.owner(m.seeds, m.line) as u32,
                        len: part.len() as u32,
                        slot: self.slot(row, number, array) as u32,
                        from: part.start,
                    });
                }
            }
        }
        row_count
    }
}

/// What a band reads that is not in memory, in the order of the index, and where each move
/// finds its part in a buffer of that.
#[derive(Default)]
pub(super) struct Prepared {
    requests: Vec<Request>,
    slots: Vec<Slot>,
    pub extents: Vec<Extent>,
}

impl Prepared {
    /// Finds what some rows read.
    pub fn prepare<'r, E: SpillEntry>(
        &mut self,
        sources: &Sources<'_, E>,
        reaches: &[Reach],
        rows: impl Iterator<Item = &'r RowMoves>,
    ) {
        let Prepared {
            requests,
            slots,
            extents,
        } = self;
        let row_count = sources.requests(reaches, rows, requests);
        requests.sort_unstable_by_key(|request| request.order);
        slots.clear();
        slots.resize(row_count * ROW * sources.arrays.len(), Slot::default());
        extents.clear();
        // Entries in the extents before the last one.
        let mut before = 0;
        for request in requests {
            let extent = request.extent();
            let is_joined = (extents.last_mut()).is_some_and(|last| last.take_in(&extent));
            if !is_joined {
                before += extents.last().map_or(0, |last| last.len as usize);
                extents.push(extent);
            }
            let last = &extents[extents.len() - 1];
            slots[request.slot as usize] = Slot {
                offset: before + (extent.start - last.start) as usize,
                from: request.from,
            };
        }
    }
}

/// The lines that moves lead to: in memory, or gathered.
pub(in crate::solve) struct Children<'a, E> {
    sources: &'a Sources<'a, E>,
    slots: &'a [Slot],
    gathered: &'a [E],
}

impl<'a, E: SpillEntry> Children<'a, E> {
    /// Children that are all in memory.
    pub(super) fn in_memory(sources: &'a Sources<'a, E>) -> Children<'a, E> {
        Children {
            sources,
            slots: &[],
            gathered: &[],
        }
    }

    /// Children of which some have been gathered.
    pub(super) fn gathered(
        sources: &'a Sources<'a, E>,
        prepared: &'a Prepared,
        gathered: &'a [E],
    ) -> Children<'a, E> {
        Children {
            sources,
            slots: &prepared.slots,
            gathered,
        }
    }

    /// The line that a move leads to, as far as it is read. It is move `number` of the
    /// row at position `row` of those gathered, into array number `array`.
    #[inline(always)]
    pub fn part(&self, row: usize, number: usize, m: RowMove, array: u8) -> LinePart<'_, E> {
        if let Some(line) = self.sources.in_memory(array, m.seeds, m.line) {
            return LinePart::whole(line);
        }
        let slot = self.slots[self.sources.slot(row, number, array)];
        LinePart {
            from: slot.from,
            entries: &self.gathered[slot.offset..],
        }
    }
}
