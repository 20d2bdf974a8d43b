//! A sweep of one section: chunk by chunk and panel by panel, from the lines of the
//! children to the entries of the section.
//!
//! For each panel: find the lines that its rows read, take the least child of each
//! column (`kernel`), transpose the panel, and write the larger of the negated least
//! child and the best conversion ([`write_line`]).

use std::ops::Range;

use rayon::prelude::*;

use super::changes::{Change, Recorder, SweptSection, Tick};
use super::kernel::{Fragments, min_over_children};
use crate::cpu::{Vectorized, prefetch, run_vectorized};
use crate::index::LayerIndex;
use crate::solve::conversions::Terminal;
use crate::solve::moves::{ColumnMap, CompiledMoves, RowMoves, reached};
use crate::solve::observer::Observer;
use crate::solve::panels::{
    Children, Chunk, LinePart, PANEL_HEIGHT, Panel, SectionReader, panel_rows,
};
use crate::solve::storage::{Entry, LayerArray, SpillError, Value, gather_bytes};

/// What a sweep of a section changed.
pub(super) struct SectionChanges<E> {
    pub count: u64,
    /// The changed boards, if they are recorded.
    pub recorded: Vec<Change<E>>,
}

impl<E: Entry> SectionChanges<E> {
    fn none() -> SectionChanges<E> {
        SectionChanges {
            count: 0,
            recorded: Vec::new(),
        }
    }

    fn with(mut self, mut other: SectionChanges<E>) -> SectionChanges<E> {
        self.count += other.count;
        self.recorded.append(&mut other.recorded);
        self
    }
}

/// A section to be computed.
pub(super) struct SectionSweep<'a, E> {
    pub moves: &'a CompiledMoves,
    pub index: &'a LayerIndex,
    pub observer: &'a dyn Observer,
    pub section: u8,
    /// The columns that the lines of the section stand for.
    pub columns: &'a [u32],
    pub now: Tick,
    /// Where changes are recorded, if they are.
    pub recorder: Option<&'a Recorder>,
    pub terminals: &'a [Terminal<E>],
}

impl<'a, E: Entry> SectionSweep<'a, E> {
    /// The moves of the section's mover's rows.
    pub fn rows(&self) -> &'a [RowMoves] {
        self.moves.row_moves(self.index.seeds() - self.section)
    }

    /// Computes the panels that begin with these rows.
    pub fn compute(
        &self,
        panels: &[usize],
        children: &LayerArray<E>,
        target: &mut SweptSection<E>,
        best: &[Value],
    ) -> Result<SectionChanges<E>, SpillError> {
        let section_lines = self.columns.len();
        let width = self.index.section_width(self.section);
        let lines = Chunk::size(section_lines);
        let maps = self.moves.maps(self.section);
        let reaches = |chunks: &Range<usize>| {
            let columns = Chunk::columns_of(self.columns, chunks);
            let reach = |map: &ColumnMap| {
                let part = reached(&map.quiet, &columns);
                part.map(|part| (0, part)).into_iter().collect()
            };
            maps.iter().map(reach).collect()
        };
        let reader = SectionReader {
            gather_bytes: gather_bytes(self.index),
            arrays: &[children],
            rows: self.rows(),
            panels,
            reaches: &reaches,
        };
        let skipped = (width - reader.rows_in(panels)) * section_lines;
        self.observer.advance(skipped as u64);
        let mut all = SectionChanges::none();
        let chunks = 0..Chunk::count(section_lines);
        reader.for_each_band(chunks, &mut |chunks, panels, children| {
            let first = chunks.start * lines;
            let end = section_lines.min(chunks.end * lines);
            let rows = reader.rows_in(panels);
            let changes = target.entries[first * width..end * width]
                .par_chunks_mut(lines * width)
                .zip(target.changed[first..end].par_chunks_mut(lines))
                .zip(best[first * width..end * width].par_chunks(lines * width))
                .enumerate()
                .map(|(number, ((out, changed), best))| {
                    let number = chunks.start + number;
                    self.observer.advance((rows * changed.len()) as u64);
                    run_vectorized(ChunkSweep {
                        sweep: self,
                        chunk: Chunk::new(self.columns, number),
                        panels,
                        children,
                        first_line: number * lines,
                        out,
                        best,
                        changed,
                    })
                })
                .reduce(SectionChanges::none, SectionChanges::with);
            all = std::mem::replace(&mut all, SectionChanges::none()).with(changes);
            Ok(())
        })?;
        Ok(all)
    }

    /// The terminal positions of some mover's rows.
    fn terminals_in(&self, rows: Range<usize>) -> &[Terminal<E>] {
        let before = |row: usize| move |terminal: &Terminal<E>| (terminal.rank as usize) < row;
        let from = self.terminals.partition_point(before(rows.start));
        let count = self.terminals[from..].partition_point(before(rows.end));
        &self.terminals[from..from + count]
    }
}

/// Some panels of a chunk: what they read, and where they are written.
struct ChunkSweep<'w, 'a, E> {
    sweep: &'w SectionSweep<'a, E>,
    chunk: Chunk<'w>,
    /// The first rows of the panels.
    panels: &'w [usize],
    children: &'w Children<'w, E>,
    first_line: usize,
    out: &'w mut [E],
    best: &'w [Value],
    changed: &'w mut [Tick],
}

impl<E: Entry> Vectorized for ChunkSweep<'_, '_, E> {
    type Output = SectionChanges<E>;

    #[inline(always)]
    fn run(mut self) -> SectionChanges<E> {
        let maps = self.sweep.moves.maps(self.sweep.section);
        let fragments: Vec<Fragments> = (maps.iter())
            .map(|map| Fragments::new::<E>(map, &self.chunk.columns))
            .collect();
        let mut panel = Panel::new(self.chunk.columns.clone());
        let mut changes = SectionChanges::none();
        let mut reads = PanelReads::new();
        for (position, &first) in self.panels.iter().enumerate() {
            let rows = panel_rows(self.sweep.rows(), first);
            reads.find(rows, position * PANEL_HEIGHT, self.children, &fragments);
            for row in 0..rows.len() {
                reads.prefetch_ahead_of(row);
                min_over_children(panel.row_mut(row), reads.of(row));
            }
            panel.transpose();
            let terminals = self.sweep.terminals_in(first..first + rows.len());
            if terminals.is_empty() {
                self.write(&panel, first, rows.len(), Entry::negated, &mut changes);
            } else {
                panel.map_transposed(Entry::negated);
                for terminal in terminals {
                    if self.chunk.columns.contains(&terminal.column) {
                        let row = terminal.rank as usize - first;
                        *panel.transposed_at(row, terminal.column) = terminal.entry;
                    }
                }
                self.write(&panel, first, rows.len(), |entry| entry, &mut changes);
            }
        }
        changes
    }
}

impl<E: Entry> ChunkSweep<'_, '_, E> {
    /// Writes a transposed panel to the lines of the chunk. `quiet_entry` makes of
    /// what the panel holds the entry of the best quiet move.
    #[inline(always)]
    fn write(
        &mut self,
        panel: &Panel<E>,
        first: usize,
        rows: usize,
        quiet_entry: impl Fn(E) -> E + Copy,
        changes: &mut SectionChanges<E>,
    ) {
        let width = self.sweep.index.section_width(self.sweep.section);
        let lines = (self.out.chunks_exact_mut(width)).zip(self.best.chunks_exact(width));
        let lines = lines.zip(self.chunk.line_columns.iter().zip(self.changed.iter_mut()));
        for (number, ((line, best), (&column, changed))) in lines.enumerate() {
            let here = first..first + rows;
            let (line, best) = (&mut line[here.clone()], &best[here]);
            let quiet = panel.column(column);
            if let Some(recorder) = self.sweep.recorder {
                let board = Change {
                    section: self.sweep.section,
                    line: (self.first_line + number) as u32,
                    rank: first as u32,
                    before: E::NONE,
                };
                record(recorder, board, line, best, &mut changes.recorded, |row| {
                    quiet_entry(quiet[row])
                });
            }
            let count: u64 = match (line.as_mut_array(), best.as_array()) {
                (Some(line), Some(best)) => write_full(line, quiet, best, quiet_entry).into(),
                _ => write_line(line, quiet, best, quiet_entry).into(),
            };
            if count > 0 {
                changes.count += count;
                *changed = self.sweep.now;
            }
        }
    }
}

/// Records which entries of a line, from the board `first` on, are about to change.
fn record<E: Entry>(
    recorder: &Recorder,
    first: Change<E>,
    line: &[E],
    best: &[Value],
    recorded: &mut Vec<Change<E>>,
    quiet: impl Fn(usize) -> E,
) {
    let mut count = 0;
    let is_open = !recorder.has_overflowed();
    for (row, (&before, &best)) in line.iter().zip(best).enumerate() {
        if before != quiet(row).max(E::from_conversion(best)) {
            count += 1;
            if is_open {
                recorded.push(Change {
                    rank: first.rank + row as u32,
                    before,
                    ..first
                });
            }
        }
    }
    if count > 0 {
        recorder.add(count);
    }
}

/// What the rows of a panel read: for each move of each row the fragments of its
/// column map and the line that it leads to.
struct PanelReads<'r, E> {
    moves: Vec<(&'r Fragments, LinePart<'r, E>)>,
    /// Where the moves of each row end; they begin where those of the row before end.
    ends: [usize; PANEL_HEIGHT],
    rows: usize,
    /// Moves whose lines have been prefetched.
    prefetched: usize,
}

impl<'r, E: Entry> PanelReads<'r, E> {
    fn new() -> PanelReads<'r, E> {
        PanelReads {
            moves: Vec::new(),
            ends: [0; PANEL_HEIGHT],
            rows: 0,
            prefetched: 0,
        }
    }

    /// Finds what some rows read, of which the first is at `position` of those that
    /// `children` can be read for.
    #[inline(always)]
    fn find(
        &mut self,
        rows: &[RowMoves],
        position: usize,
        children: &'r Children<'_, E>,
        by_map: &'r [Fragments],
    ) {
        self.moves.clear();
        for ((row, moves), end) in (position..).zip(rows).zip(&mut self.ends) {
            for (number, m) in moves.as_slice().iter().enumerate() {
                let line = children.part(row, number, m, 0);
                self.moves.push((&by_map[usize::from(m.map)], line));
            }
            *end = self.moves.len();
        }
        (self.rows, self.prefetched) = (rows.len(), 0);
    }

    #[inline(always)]
    fn of(&self, row: usize) -> &[(&'r Fragments, LinePart<'r, E>)] {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.moves[start..self.ends[row]]
    }

    /// Prefetches the lines of a row some rows further on.
    #[inline(always)]
    fn prefetch_ahead_of(&mut self, row: usize) {
        /// Rows from prefetching the lines of one to reading them.
        const AHEAD: usize = 4;
        let end = self.ends[(row + AHEAD).min(self.rows - 1)];
        for (fragments, line) in &self.moves[self.prefetched..end] {
            for &entry in &fragments.to_prefetch {
                if let Some(entry) = line.from(entry).first() {
                    prefetch(entry);
                }
            }
        }
        self.prefetched = end;
    }
}

/// As [`write_line`], for as many entries as a panel has rows: a number that the
/// compiler knows, which saves the loop.
#[inline(always)]
fn write_full<E: Entry>(
    line: &mut [E; PANEL_HEIGHT],
    quiet: &[E; PANEL_HEIGHT],
    best: &[Value; PANEL_HEIGHT],
    quiet_entry: impl Fn(E) -> E,
) -> E::Count {
    write_line(line, quiet, best, quiet_entry)
}

/// Writes the maximum over all moves of each board: the larger of its best quiet move
/// and its best conversion. Counts the entries that changed, at most 64.
#[inline(always)]
fn write_line<E: Entry>(
    line: &mut [E],
    quiet: &[E; PANEL_HEIGHT],
    best: &[Value],
    quiet_entry: impl Fn(E) -> E,
) -> E::Count {
    let mut changes = E::Count::default();
    for ((entry, &quiet), &best) in line.iter_mut().zip(quiet).zip(best) {
        let new = quiet_entry(quiet).max(E::from_conversion(best));
        changes += new.differs(*entry);
        *entry = new;
    }
    changes
}
