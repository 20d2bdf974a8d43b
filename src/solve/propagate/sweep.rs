//! A sweep of one section: share by share and panel by panel, from the lines of the
//! children to the entries of the section.
//!
//! For each panel: find the lines that its rows read, take the least child of each
//! column (`kernel`), and write the larger of the negated least child and the best conversion
//! ([`write_line`]).

use std::ops::Range;
use std::sync::OnceLock;

use rayon::prelude::*;

use super::changes::{Change, LineTicks, Recorder, Tick};
use super::fragments::{Fragments, Masks};
use super::kernel::least_of_lines;
use super::portion::Portion;
use super::reads::{PanelReader, PanelReads};
use super::updates::{Drafts, Update};
use crate::cpu::{Permute, Vectorized, prefetch, run_vectorized};
use crate::index::LayerIndex;
use crate::solve::conversions::Terminal;
use crate::solve::moves::{ColumnMap, CompiledMoves, RowMoves, reached};
use crate::solve::observer::Observer;
use crate::solve::panels::{
    Children, Chunk, GatherBuffers, PANEL_HEIGHT, Panel, SectionReader, Share, panel_rows, rows_in,
    shares,
};
use crate::solve::ranks::Ranks;
use crate::solve::storage::{Entry, LayerArray, SpillError, Value, gather_bytes};
use crate::spans;

/// What a sweep of a section changed.
pub(super) struct SectionChanges<E> {
    pub count: u64,
    /// Bytes read and written: see [`Observer::transferred`].
    bytes: u64,
    /// The changed boards, if they are recorded.
    pub recorded: Vec<Change<E>>,
}

impl<E: Entry> SectionChanges<E> {
    pub fn none() -> SectionChanges<E> {
        SectionChanges {
            count: 0,
            bytes: 0,
            recorded: Vec::new(),
        }
    }

    pub fn with(mut self, mut other: SectionChanges<E>) -> SectionChanges<E> {
        self.count += other.count;
        self.bytes += other.bytes;
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
    /// The ranks that sweep the section together.
    pub ranks: &'a dyn Ranks,
    /// What this rank computes of it.
    pub portion: Portion,
    /// The columns that the portion's lines stand for.
    pub columns: &'a [u32],
    pub now: Tick,
    /// Where changes are recorded, if they are.
    pub recorder: Option<&'a Recorder>,
    pub terminals: &'a [Terminal<E>],
}

impl<'a, E: Entry> SectionSweep<'a, E> {
    /// The sweep of a part of the portion.
    pub fn of_portion(&self, portion: Portion) -> SectionSweep<'a, E> {
        let first_line = self.portion.lines.start;
        let columns = portion.lines.start - first_line..portion.lines.end - first_line;
        SectionSweep {
            columns: &self.columns[columns],
            portion,
            ..*self
        }
    }

    /// The moves of the section's mover's rows.
    pub fn rows(&self) -> &'a [RowMoves] {
        self.moves.row_moves(self.index.seeds() - self.section)
    }

    /// Computes the panels that begin with these rows. Where the section has been taken
    /// from `children` and is read as well, `before` has its entries.
    pub fn compute(
        &self,
        panels: &[usize],
        children: &LayerArray<E>,
        before: Option<&[E]>,
        target: &mut SweepTarget<'_, E>,
        best: &Lines<&[Value]>,
        buffers: &mut GatherBuffers<E>,
    ) -> Result<SectionChanges<E>, SpillError> {
        /// Bytes to fetch from other ranks at a time: large messages that still fit into the
        /// cache.
        const FETCH: usize = 4 << 20;
        let section_lines = self.columns.len();
        let width = target.entries.rows.len();
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
            ranks: self.ranks,
            gather_bytes: match self.ranks.is_alone() {
                true => gather_bytes(self.index),
                false => (gather_bytes(self.index) / 2).min(FETCH),
            },
            arrays: &[children],
            taken: before.map(|entries| (self.section, entries)),
            rows: self.rows(),
            panels,
            reaches: &reaches,
        };
        let due = rows_in(self.rows(), panels) * section_lines;
        self.observer.advance((self.portion.boards() - due) as u64);
        let mut all = SectionChanges::none();
        let chunks = 0..Chunk::count(section_lines);
        // Shares and bands of a chunk use the same ones.
        let fragments: Vec<_> = chunks.clone().map(|_| OnceLock::new()).collect();
        reader.for_each_band(chunks, buffers, &mut |chunks, panels, children| {
            let first = chunks.start * lines;
            let end = section_lines.min(chunks.end * lines);
            let _parallel = spans::parallel("sweep");
            let changes = shares(
                &mut target.entries.entries[first * width..end * width],
                &target.entries.rows,
                lines,
                panels,
            )
            .map(|share| {
                let task = spans::task("sweep");
                let number = chunks.start + share.chunk;
                let chunk = Chunk::new(self.columns, number);
                let rows = rows_in(self.rows(), &panels[share.panels.clone()]);
                self.observer
                    .advance((rows * chunk.line_columns.len()) as u64);
                let first_line = number * lines;
                let changes = run_vectorized(ShareSweep {
                    sweep: self,
                    best: best.from(first_line),
                    chunk,
                    chunk_number: number,
                    fragments: &fragments[number],
                    first_line: self.portion.lines.start + first_line,
                    line_ticks: target.line_ticks,
                    updates: target.updates,
                    panels,
                    children,
                    share,
                });
                self.ranks.progress();
                task.record("bytes", changes.bytes);
                self.observer.transferred(changes.bytes);
                changes
            })
            .reduce(SectionChanges::none, SectionChanges::with);
            all = std::mem::replace(&mut all, SectionChanges::none()).with(changes);
            Ok(())
        })?;
        // Freeing so many lists takes time as well.
        let _parallel = spans::parallel("free");
        let fragments = fragments.into_par_iter();
        fragments.for_each_init(|| spans::task("free"), |_, fragments| drop(fragments));
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

/// Entries of neighbouring lines, of all their rows or of some.
#[derive(Clone)]
pub(super) struct Lines<T> {
    pub entries: T,
    pub rows: Range<usize>,
}

impl<'a, E> Lines<&'a [E]> {
    /// Those from a line on.
    fn from(&self, line: usize) -> Lines<&'a [E]> {
        Lines {
            entries: &self.entries[line * self.rows.len()..],
            rows: self.rows.clone(),
        }
    }
}

/// Where a section that is computed is written.
pub(super) struct SweepTarget<'t, E> {
    pub entries: Lines<&'t mut [E]>,
    pub line_ticks: &'t LineTicks,
    /// What the other ranks must hear of changes, where they have copies.
    pub updates: Option<&'t Drafts>,
}

/// The sweep of a share: what it reads, and where it is written.
struct ShareSweep<'w, 'a, E> {
    sweep: &'w SectionSweep<'a, E>,
    chunk: Chunk<'w>,
    chunk_number: usize,
    /// What the column maps do to the chunk, once it is known.
    fragments: &'w OnceLock<Vec<Fragments>>,
    /// The number of the chunk's first line in the section.
    first_line: usize,
    /// Of all lines of the section.
    line_ticks: &'w LineTicks,
    /// What the other ranks must hear of changes, where they have copies.
    updates: Option<&'w Drafts>,
    /// The first rows of all panels.
    panels: &'w [usize],
    children: &'w Children<'w, E>,
    /// The best conversions of the chunk's lines and those after them.
    best: Lines<&'w [Value]>,
    share: Share<'w, E>,
}

impl<E: Entry> Vectorized for ShareSweep<'_, '_, E> {
    type Output = SectionChanges<E>;

    #[inline(always)]
    fn run<P: Permute>(mut self) -> SectionChanges<E> {
        let fragments = self.fragments.get_or_init(|| {
            let maps = self.sweep.moves.maps(self.sweep.section).iter();
            let fragments = maps.map(|map| Fragments::new::<P, E>(map, &self.chunk.columns));
            fragments.collect()
        });
        let mut panel = Panel::new(self.chunk.columns.clone());
        let mut changes = SectionChanges::none();
        let mut update = (self.updates).map(|drafts| drafts.begin(self.chunk_number));
        let masks = Masks::new();
        let reader = PanelReader {
            children: self.children,
            fragments,
            rows: self.sweep.rows(),
            panels: self.panels,
            columns: self.chunk.columns.len(),
        };
        let (mut reads, mut next) = (PanelReads::new(fragments), PanelReads::new(fragments));
        let mut read = reader.find(&mut reads, self.share.panels.start, 0..PANEL_HEIGHT, &panel);
        let mut written = 0;
        for position in self.share.panels.clone() {
            let first = self.panels[position];
            let height = panel_rows(self.sweep.rows(), first).len();
            let rows = first..first + height;
            written += (height * self.share.lines.len()) as u64;
            let lines_per_row = self.share.lines.len().div_ceil(height);
            for row in 0..height {
                if position + 1 < self.share.panels.end {
                    read += reader.find(&mut next, position + 1, row..row + 1, &panel);
                }
                let lines = row * lines_per_row;
                self.prefetch(lines..lines + lines_per_row, &rows);
                least_of_lines(panel.row_mut(row), reads.whole(row));
            }
            for (fragments, uses) in fragments.iter().zip(&mut reads.by_map) {
                if !uses.is_empty() {
                    fragments.lower::<P, E>(&masks, &mut panel, uses);
                    uses.clear();
                }
            }
            std::mem::swap(&mut reads, &mut next);
            next.clear();
            let terminals = self.sweep.terminals_in(rows.clone());
            if terminals.is_empty() {
                self.write::<P>(&mut panel, rows, Entry::negated, &mut changes, &mut update);
                continue;
            }
            for row in 0..height {
                for entry in panel.row_mut(row) {
                    *entry = entry.negated();
                }
            }
            let columns = &self.chunk.columns;
            for terminal in terminals.iter().filter(|t| columns.contains(&t.column)) {
                let row = panel.row_mut(terminal.rank as usize - first);
                row[(terminal.column - columns.start) as usize] = terminal.entry;
            }
            self.write::<P>(&mut panel, rows, |entry| entry, &mut changes, &mut update);
        }
        // Those written are read as well, with their best conversions.
        let entry_bytes = (read + 2 * written) * size_of::<E>() as u64;
        changes.bytes = entry_bytes + written * size_of::<Value>() as u64;
        if let (Some(update), Some(drafts)) = (update, self.updates) {
            drafts.end(update);
        }
        changes
    }
}

impl<E: Entry> ShareSweep<'_, '_, E> {
    /// Prefetches what `write` will read and write of some lines: the entries of `rows`.
    #[inline(always)]
    fn prefetch(&self, lines: Range<usize>, rows: &Range<usize>) {
        let best = &self.best;
        for line in lines.start..lines.end.min(self.share.lines.len()) {
            let entries = &self.share.lines[line];
            for row in one_in_each_cache_line::<E>(rows) {
                prefetch(&entries[row - self.share.row]);
            }
            for row in one_in_each_cache_line::<Value>(rows) {
                prefetch(&best.entries[line * best.rows.len() + row - best.rows.start]);
            }
        }
    }

    /// Writes a panel to the lines of the chunk. `quiet_entry` makes of what the panel holds
    /// the entry of the best quiet move.
    #[inline(always)]
    fn write<P: Permute>(
        &mut self,
        panel: &mut Panel<E>,
        rows: Range<usize>,
        quiet_entry: impl Fn(E) -> E + Copy,
        changes: &mut SectionChanges<E>,
        update: &mut Option<Update>,
    ) {
        let best_rows = self.best.rows.clone();
        let best = self.best.entries.chunks_exact(best_rows.len());
        let lines = self.share.lines.iter_mut().zip(best);
        let lines = lines.zip(self.chunk.line_columns);
        for (number, ((line, best), &column)) in lines.enumerate() {
            let line = &mut line[rows.start - self.share.row..rows.end - self.share.row];
            let best = &best[rows.start - best_rows.start..rows.end - best_rows.start];
            let quiet = panel.column(column);
            let mut before = [E::NONE; PANEL_HEIGHT];
            if self.sweep.recorder.is_some() || update.is_some() {
                match line.as_array() {
                    Some(line) => before = *line,
                    None => before[..line.len()].copy_from_slice(line),
                }
            }
            let count: u64 = match (line.as_mut_array(), best.as_array()) {
                (Some(line), Some(best)) => write_full(line, quiet, best, quiet_entry).into(),
                _ => write_line(line, quiet, best, quiet_entry).into(),
            };
            if count == 0 {
                continue;
            }
            changes.count += count;
            self.line_ticks
                .set(self.first_line + number, self.sweep.now);
            if let Some(update) = update {
                update.push::<P, E>(number, rows.start / PANEL_HEIGHT, &before, line);
            }
            if let Some(recorder) = self.sweep.recorder {
                recorder.add(count as usize);
                if !recorder.has_overflowed() {
                    let first = Change {
                        section: self.sweep.section,
                        line: (self.first_line + number) as u32,
                        rank: rows.start as u32,
                        before: E::NONE,
                    };
                    record(first, &before, line, &mut changes.recorded);
                }
            }
        }
    }
}

/// One of the entries `rows` of a line in each cache line of 64 bytes that they fill, from the
/// last one back. Panels are next to one another, so the entries before those have been read
/// with the panel before.
#[inline(always)]
fn one_in_each_cache_line<E>(rows: &Range<usize>) -> impl Iterator<Item = usize> {
    rows.clone().rev().step_by(64 / size_of::<E>())
}

/// Records which entries of a line, from the board `first` on, have changed.
fn record<E: Entry>(first: Change<E>, before: &[E], now: &[E], recorded: &mut Vec<Change<E>>) {
    for ((rank, &before), &now) in (first.rank..).zip(before).zip(now) {
        if before != now {
            recorded.push(Change {
                rank,
                before,
                ..first
            });
        }
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
/// and its best conversion. Counts the entries that changed, at most one for
/// each row of a panel.
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
