//! Reading the lines that moves lead to, wherever they are.
//!
//! A line in memory is read in place. Spilled lines are *gathered* before they are
//! needed: what the moves of some mover's rows read for a band of columns is listed,
//! put in the order of the index, joined where it touches, and read on all threads
//! into one buffer. Lines are long and neighbouring rows lead to neighbouring lines,
//! so the disk sees few and large requests.
//!
//! A section whose children are in memory is computed at once. Otherwise it is divided
//! into bands of chunks and groups of panels so small that what they read fits into
//! the buffer.

use std::ops::Range;

use rayon::prelude::*;

use super::{PANEL_HEIGHT, panel_rows};
use crate::rules::ROW;
use crate::solve::moves::{RowMove, RowMoves};
use crate::solve::storage::{LayerArray, SpillEntry, SpillError};
use crate::spans;

/// Part of a line: its entries from number `from` on.
#[derive(Clone, Copy)]
pub(in crate::solve) struct LinePart<'a, E> {
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

    /// The line from entry `to` on, as far as it has been read.
    #[inline(always)]
    pub fn from(&self, to: u32) -> &'a [E] {
        &self.entries[(to - self.from) as usize..]
    }
}

/// What a column map reads for a band of columns: from which arrays, by number, and
/// which part of the line.
pub(in crate::solve) type Reach = Vec<(u8, Range<u32>)>;

/// What a pass over a section reads, and for what.
pub(in crate::solve) struct SectionReader<'a, E> {
    /// Bytes to gather from disk at a time.
    pub gather_bytes: usize,
    /// The arrays that moves lead to.
    pub arrays: &'a [&'a LayerArray<E>],
    /// A section that is not in the first array now, and its entries.
    pub taken: Option<(u8, &'a [E])>,
    /// The moves of the section's mover's rows.
    pub rows: &'a [RowMoves],
    /// The first rows of the panels to compute, in order.
    pub panels: &'a [usize],
    /// What the column maps read for a band, given as a range of chunks.
    pub reaches: &'a dyn Fn(&Range<usize>) -> Vec<Reach>,
}

/// Computes panels, given by their first rows, against a band of chunks, given by
/// their numbers, with children that can be read.
pub(in crate::solve) type ComputePanels<'c, E> =
    dyn FnMut(&Range<usize>, &[usize], &Children<'_, E>) -> Result<(), SpillError> + 'c;

impl<E: SpillEntry> SectionReader<'_, E> {
    /// Calls `compute` until all panels have been computed against all `chunks`.
    pub fn for_each_band(
        &self,
        chunks: Range<usize>,
        compute: &mut ComputePanels<'_, E>,
    ) -> Result<(), SpillError> {
        if self.panels.is_empty() || chunks.is_empty() {
            return Ok(());
        }
        if self.arrays.iter().all(|array| array.is_in_memory()) {
            let children = Children::new(self.arrays, self.taken, Vec::new());
            return compute(&chunks, self.panels, &children);
        }
        let mut children = Children::new(self.arrays, self.taken, (self.reaches)(&chunks));
        let bytes = |&first: &usize| children.bytes_to_gather(panel_rows(self.rows, first));
        let sizes: Vec<usize> = self.panels.iter().map(bytes).collect();
        if chunks.len() > 1 && sizes.iter().any(|&size| size > self.gather_bytes) {
            let middle = chunks.start.midpoint(chunks.end);
            self.for_each_band(chunks.start..middle, compute)?;
            return self.for_each_band(middle..chunks.end, compute);
        }
        let mut panels = self.panels;
        let mut sizes = sizes.as_slice();
        while !panels.is_empty() {
            let mut sum = 0;
            let fitting = sizes.iter().take_while(|&&size| {
                sum += size;
                sum <= self.gather_bytes
            });
            // A single panel against a single chunk is gathered whatever its size.
            let (group, rest) = panels.split_at(fitting.count().max(1));
            let rows = group.iter().flat_map(|&first| panel_rows(self.rows, first));
            children.gather(rows)?;
            compute(&chunks, group, &children)?;
            (panels, sizes) = (rest, &sizes[group.len()..]);
        }
        Ok(())
    }

    /// The first rows of all panels of a section with `rows` mover's rows.
    pub fn all_panels(rows: usize) -> Vec<usize> {
        (0..rows).step_by(PANEL_HEIGHT).collect()
    }
}

/// A part of a spilled line that a move reads.
struct Request {
    array: u8,
    section: u8,
    /// Offset in the section of its first entry.
    start: u64,
    len: u32,
    /// The slot that it is for, and the number of its first entry in the line.
    slot: usize,
    from: u32,
}

/// Joined requests, read at once.
struct Extent {
    array: u8,
    section: u8,
    start: u64,
    len: u64,
}

/// Where in the buffer a part of a line begins.
#[derive(Clone, Copy, Default)]
struct Slot {
    offset: usize,
    from: u32,
}

/// A section in memory, or none, and the width of its lines.
type Section<'a, E> = (Option<&'a [E]>, usize);

/// The lines that moves lead to: in memory, or gathered.
pub(in crate::solve) struct Children<'a, E> {
    arrays: &'a [&'a LayerArray<E>],
    /// Their sections, by array.
    sections: Vec<Vec<Section<'a, E>>>,
    /// What each column map reads, by its number.
    reaches: Vec<Reach>,
    slots: Vec<Slot>,
    gathered: Vec<E>,
}

impl<'a, E: SpillEntry> Children<'a, E> {
    /// The children in some arrays, before anything is gathered.
    fn new(
        arrays: &'a [&'a LayerArray<E>],
        taken: Option<(u8, &'a [E])>,
        reaches: Vec<Reach>,
    ) -> Children<'a, E> {
        let sections = arrays.iter().map(|array| {
            let index = array.index();
            let section = |section| (array.in_memory(section), index.section_width(section));
            (0..=index.seeds()).map(section).collect()
        });
        let mut sections: Vec<Vec<_>> = sections.collect();
        if let Some((section, entries)) = taken {
            sections[0][usize::from(section)].0 = Some(entries);
        }
        Children {
            arrays,
            sections,
            reaches,
            slots: Vec::new(),
            gathered: Vec::new(),
        }
    }

    /// The line that a move leads to, as far as it is read. It is move `number` of the
    /// row at position `row` of those gathered, into array number `array`.
    #[inline(always)]
    pub fn part(&self, row: usize, number: usize, m: &RowMove, array: u8) -> LinePart<'_, E> {
        let (section, width) = self.sections[usize::from(array)][usize::from(m.seeds)];
        if let Some(section) = section {
            return LinePart::whole(&section[m.line as usize * width..][..width]);
        }
        let slot = self.slots[self.slot(row, number, array)];
        LinePart {
            from: slot.from,
            entries: &self.gathered[slot.offset..],
        }
    }

    fn slot(&self, row: usize, number: usize, array: u8) -> usize {
        (row * ROW + number) * self.arrays.len() + usize::from(array)
    }

    /// Bytes of memory that it takes to gather what these rows read, at most.
    fn bytes_to_gather(&self, rows: &[RowMoves]) -> usize {
        let slots = rows.len() * ROW * self.arrays.len() * size_of::<Slot>();
        let moves = rows.iter().flat_map(RowMoves::as_slice);
        let parts = moves.flat_map(|m| {
            let reach = self.reaches[usize::from(m.map)].iter();
            reach.filter(|(array, _)| self.is_spilled(*array, m.seeds))
        });
        let bytes =
            |part: &Range<u32>| part.len() * E::BYTES + size_of::<Request>() + size_of::<Extent>();
        slots + parts.map(|(_, part)| bytes(part)).sum::<usize>()
    }

    fn is_spilled(&self, array: u8, section: u8) -> bool {
        let (in_memory, _) = self.sections[usize::from(array)][usize::from(section)];
        in_memory.is_none()
    }

    /// Reads what these rows need from disk, replacing what was gathered before.
    fn gather<'r>(&mut self, rows: impl Iterator<Item = &'r RowMoves>) -> Result<(), SpillError> {
        let (row_count, mut requests) = self.requests(rows);
        requests.sort_unstable_by_key(|r| (r.array, r.section, r.start));
        self.slots.clear();
        self.slots
            .resize(row_count * ROW * self.arrays.len(), Slot::default());
        let mut extents: Vec<Extent> = Vec::new();
        // Entries in the extents before the last one.
        let mut before = 0;
        for request in &requests {
            let end = request.start + u64::from(request.len);
            match extents.last_mut() {
                Some(last)
                    if (last.array, last.section) == (request.array, request.section)
                        && request.start <= last.start + last.len =>
                {
                    last.len = last.len.max(end - last.start);
                }
                last => {
                    before += last.map_or(0, |last| last.len as usize);
                    extents.push(Extent {
                        array: request.array,
                        section: request.section,
                        start: request.start,
                        len: u64::from(request.len),
                    });
                }
            }
            let last = &extents[extents.len() - 1];
            self.slots[request.slot] = Slot {
                offset: before + (request.start - last.start) as usize,
                from: request.from,
            };
        }
        let all = extents.iter().map(|extent| extent.len as usize).sum();
        self.gathered.resize(all, E::FILLER);
        let mut rest = self.gathered.as_mut_slice();
        let mut reads = Vec::new();
        for extent in &extents {
            let (out, others) = rest.split_at_mut(extent.len as usize);
            reads.push((extent, out));
            rest = others;
        }
        let _parallel = spans::parallel("gather");
        reads.into_par_iter().try_for_each(|(extent, out)| {
            let _task = spans::task("gather");
            self.arrays[usize::from(extent.array)].read_spilled(extent.section, extent.start, out)
        })
    }

    /// What these rows read from disk, and how many rows there are.
    fn requests<'r>(&self, rows: impl Iterator<Item = &'r RowMoves>) -> (usize, Vec<Request>) {
        let mut requests = Vec::new();
        let mut row_count = 0;
        for (row, moves) in rows.enumerate() {
            row_count = row + 1;
            for (number, m) in moves.as_slice().iter().enumerate() {
                for (array, part) in &self.reaches[usize::from(m.map)] {
                    if !self.is_spilled(*array, m.seeds) {
                        continue;
                    }
                    let (_, width) = self.sections[usize::from(*array)][usize::from(m.seeds)];
                    requests.push(Request {
                        array: *array,
                        section: m.seeds,
                        start: u64::from(m.line) * width as u64 + u64::from(part.start),
                        len: part.len() as u32,
                        slot: self.slot(row, number, *array),
                        from: part.start,
                    });
                }
            }
        }
        (row_count, requests)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::index::LayerIndex;
    use crate::rules::Ruleset;
    use crate::solve::moves::CompiledMoves;
    use crate::solve::storage::Value;

    /// Every line that every quiet move reads: gathered from disk in small groups, it
    /// is the line in memory.
    #[test]
    fn gathered_lines_equal_lines_in_memory() {
        let (rules, seeds) = (Ruleset::AWARI, 8);
        let mut moves = CompiledMoves::new(rules);
        moves.extend_to(seeds);
        let index = LayerIndex::new(rules, seeds);
        let value = |i: u64| Value::new((i * 31 % 17) as i8 - 8);
        let mut in_memory = LayerArray::new(&index, Value::FILLER);
        for i in 0..index.len() {
            in_memory.set(i, value(i)).unwrap();
        }
        let mut spilled = in_memory.to_memory().unwrap();
        let folder: Arc<std::path::Path> = std::env::temp_dir().into();
        spilled.spill(&folder).unwrap();
        for section in 0..=seeds {
            let rows = moves.row_moves(seeds - section);
            let lines = index.section_lines(section);
            let panels = SectionReader::<Value>::all_panels(rows.len());
            let whole = |_: &Range<usize>| {
                let reach = |map: &crate::solve::moves::ColumnMap| {
                    let ends = map.quiet.iter().map(|run| run.to + run.len);
                    ends.max().map(|end| (0, 0..end)).into_iter().collect()
                };
                moves.maps(section).iter().map(reach).collect()
            };
            let mut seen = 0;
            let reader = SectionReader {
                gather_bytes: 4096,
                arrays: &[&spilled],
                taken: None,
                rows,
                panels: &panels,
                reaches: &whole,
            };
            let arrays = [&in_memory];
            let direct = Children::new(&arrays, None, Vec::new());
            let chunks = 0..super::super::Chunk::count(lines);
            reader
                .for_each_band(chunks, &mut |_, group, children| {
                    for (position, &first) in group.iter().enumerate() {
                        for (t, row) in panel_rows(rows, first).iter().enumerate() {
                            for (number, m) in row.as_slice().iter().enumerate() {
                                let map = &moves.maps(section)[usize::from(m.map)];
                                for run in &*map.quiet {
                                    let row = position * PANEL_HEIGHT + t;
                                    let part = children.part(row, number, m, 0);
                                    let right = direct.part(0, 0, m, 0);
                                    let (to, len) = (run.to, run.len as usize);
                                    assert!(part.entries(to, len) == right.entries(to, len));
                                    seen += 1;
                                }
                            }
                        }
                    }
                    Ok(())
                })
                .unwrap();
            assert!(seen > 0 || section == 0 || section == seeds, "{section}");
        }
    }
}
