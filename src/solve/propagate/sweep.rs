//! The sweep of one section: chunk by chunk and panel by panel, from the lines of the children to
//! the entries of the section.
//!
//! ```text
//! for each chunk of lines                                     in parallel, `sweep_section`
//!     for each panel of rows that is due                      `ShareSweep::run`
//!         find what its rows read; prefetch what the next panel reads
//!         take the least child of each board                  kernel, fragments
//!         for each line                                       `ShareSweep::write`
//!             for each row: max(−least child, best conversion)
//! ```
//!
//! What a panel reads is several times as large as the nearest cache, so it is prefetched into
//! the second-level cache while the panel before is computed.

use std::ops::Range;
use std::sync::OnceLock;

use rayon::prelude::*;

use super::changes::{Change, LineTicks, Recorder, SectionChanges, Tick};
use super::exchange::push_changes;
use super::fragments::{Fragments, Masks, Use};
use super::kernel::least_of_lines;
use crate::cpu::{Permute, Vectorized, prefetch, prefetch_for_later, run_vectorized};
use crate::rules::ROW;
use crate::solve::chunk::{Chunk, Share, shares};
use crate::solve::conversions::Terminal;
use crate::solve::entry::{Entry, Value};
use crate::solve::moves::{CompiledMoves, RowMoves};
use crate::solve::observer::{Observer, Stopped};
use crate::solve::panel::{PANEL_HEIGHT, Panel, panel_rows, rows_in};
use crate::solve::sections::{SectionLines, Sections};

/// A section to be computed, or some lines or panels of it.
pub(super) struct SectionSweep<'a, E> {
    pub moves: &'a CompiledMoves,
    pub observer: &'a dyn Observer,
    pub section: u8,
    /// The moves of the section's mover's rows.
    pub rows: &'a [RowMoves],
    /// The first rows of the panels to compute.
    pub panels: &'a [usize],
    /// The columns that the lines stand for, and the number of the first line.
    pub columns: &'a [u32],
    pub first_line: usize,
    /// What its moves lead to.
    pub children: &'a Sections<'a, E>,
    /// The best conversions of all lines of the section.
    pub best: &'a SectionLines<'a, Value>,
    pub terminals: &'a [Terminal<E>],
    pub now: Tick,
    /// When each line of the section last changed.
    pub line_ticks: &'a LineTicks,
    /// Where changes are recorded, if they are.
    pub recorder: Option<&'a Recorder>,
    /// Whether other ranks must hear of changes.
    pub is_shared: bool,
}

impl<E> SectionSweep<'_, E> {
    /// How many boards are computed.
    pub fn boards(&self) -> usize {
        rows_in(self.rows, self.panels) * self.columns.len()
    }
}

/// What the column maps do to the chunks of some lines, each from when it is first known.
pub(super) struct ChunkFragments(Vec<OnceLock<Vec<Fragments>>>);

impl ChunkFragments {
    /// For this many lines.
    pub fn new(lines: usize) -> ChunkFragments {
        let chunks = 0..Chunk::count(lines);
        ChunkFragments(chunks.map(|_| OnceLock::new()).collect())
    }
}

impl Drop for ChunkFragments {
    /// Freeing so many lists takes time as well.
    fn drop(&mut self) {
        std::mem::take(&mut self.0).into_par_iter().for_each(drop);
    }
}

/// Sweeps a section, whose lines are replaced.
pub(super) fn sweep_section<E: Entry>(
    sweep: &SectionSweep<'_, E>,
    fragments: &ChunkFragments,
    lines: Vec<&mut [E]>,
) -> Result<SectionChanges<E>, Stopped> {
    shares(lines, sweep.panels)
        .map(|share| {
            let chunk = Chunk::new(sweep.columns, share.chunk);
            let first_line = share.chunk * Chunk::size(sweep.columns.len());
            let best = (sweep.first_line + first_line..).take(share.lines.len());
            let rows = rows_in(sweep.rows, &sweep.panels[share.panels.clone()]);
            let boards = rows * chunk.line_columns.len();
            sweep.observer.advance(boards as u64)?;
            Ok(run_vectorized(ShareSweep {
                sweep,
                fragments: &fragments.0[share.chunk],
                first_line,
                chunk,
                best: best.map(|line| sweep.best.line(line as u32)).collect(),
                share,
            }))
        })
        .try_reduce(SectionChanges::none, |some, more| Ok(some.with(more)))
}

/// The sweep of a share: some panels of a chunk.
struct ShareSweep<'w, 'a, E> {
    sweep: &'w SectionSweep<'a, E>,
    /// What the column maps do to the chunk, once it is known.
    fragments: &'w OnceLock<Vec<Fragments>>,
    /// The chunk's first line, counted from that of the sweep.
    first_line: usize,
    chunk: Chunk<'w>,
    share: Share<'w, E>,
    /// The best conversions of the chunk's lines.
    best: Vec<&'a [Value]>,
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
        let masks = Masks::new();
        let (mut reads, mut next) = (PanelReads::new(fragments), PanelReads::new(fragments));
        let panels = self.share.panels.clone();
        if !panels.is_empty() {
            self.find(&mut reads, fragments, panels.start, 0..PANEL_HEIGHT, &panel);
        }
        for position in panels.clone() {
            let first = self.sweep.panels[position];
            let height = panel_rows(self.sweep.rows, first).len();
            let rows = first..first + height;
            let lines_per_row = self.share.lines.len().div_ceil(height);
            for row in 0..height {
                if position + 1 < panels.end {
                    self.find(&mut next, fragments, position + 1, row..row + 1, &panel);
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
            let terminals = self.terminals_in(rows.clone());
            if terminals.is_empty() {
                self.write(&mut panel, rows, Entry::negated, &mut changes);
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
            self.write(&mut panel, rows, |entry| entry, &mut changes);
        }
        changes
    }
}

impl<'a, E: Entry> ShareSweep<'_, 'a, E> {
    /// Finds what some rows of the panel at a position read, and prefetches it.
    #[inline(always)]
    fn find(
        &self,
        reads: &mut PanelReads<'a, E>,
        fragments: &[Fragments],
        position: usize,
        rows: Range<usize>,
        panel: &Panel<E>,
    ) {
        let all = panel_rows(self.sweep.rows, self.sweep.panels[position]);
        let here = rows.start.min(all.len())..rows.end.min(all.len());
        for (row, moves) in here.clone().zip(&all[here]) {
            for m in moves.iter() {
                let child = self.sweep.children.line(m.seeds, m.line);
                let fragments = &fragments[usize::from(m.map)];
                for &entry in &fragments.to_prefetch {
                    if let Some(entry) = child.get(entry as usize) {
                        prefetch_for_later(entry);
                    }
                }
                if let Some(to) = fragments.whole {
                    let (lines, count) = &mut reads.whole[row];
                    lines[*count] = &child[to as usize..][..self.chunk.columns.len()];
                    *count += 1;
                } else if !fragments.to_prefetch.is_empty() {
                    let start = panel.row_start(row) as u32;
                    reads.by_map[usize::from(m.map)].push(Use { start, child });
                }
            }
        }
    }

    /// The terminal positions of some mover's rows.
    fn terminals_in(&self, rows: Range<usize>) -> &'a [Terminal<E>] {
        let before = |row: usize| move |terminal: &Terminal<E>| (terminal.rank as usize) < row;
        let terminals = self.sweep.terminals;
        let from = terminals.partition_point(before(rows.start));
        let count = terminals[from..].partition_point(before(rows.end));
        &terminals[from..from + count]
    }

    /// The best conversions of a line of the chunk.
    #[inline(always)]
    fn best(&self, line: usize, rows: &Range<usize>) -> &'a [Value] {
        &self.best[line][rows.clone()]
    }

    /// Prefetches what `write` will read and write of some lines: the entries of `rows`.
    #[inline(always)]
    fn prefetch(&self, lines: Range<usize>, rows: &Range<usize>) {
        for line in lines.start..lines.end.min(self.share.lines.len()) {
            let entries = &self.share.lines[line];
            for row in one_in_each_cache_line::<E>(rows) {
                prefetch(&entries[row - self.share.row]);
            }
            let best = self.best(line, rows);
            for row in one_in_each_cache_line::<Value>(rows) {
                prefetch(&best[row - rows.start]);
            }
        }
    }

    /// Writes a panel to the lines of the chunk. `quiet_entry` makes of what the panel holds
    /// the entry of the best quiet move.
    #[inline(always)]
    fn write(
        &mut self,
        panel: &mut Panel<E>,
        rows: Range<usize>,
        quiet_entry: impl Fn(E) -> E + Copy,
        changes: &mut SectionChanges<E>,
    ) {
        let sweep = self.sweep;
        for number in 0..self.share.lines.len() {
            let best = self.best(number, &rows);
            let quiet = panel.column(self.chunk.line_columns[number]);
            let line = &mut self.share.lines[number];
            let line = &mut line[rows.start - self.share.row..rows.end - self.share.row];
            let mut before = [E::NONE; PANEL_HEIGHT];
            if sweep.recorder.is_some() || sweep.is_shared {
                match <&[E; PANEL_HEIGHT]>::try_from(&*line) {
                    Ok(line) => before = *line,
                    Err(_) => before[..line.len()].copy_from_slice(line),
                }
            }
            // Where the compiler knows the number of rows, it saves the loop.
            let count: u64 = match (
                <&mut [E; PANEL_HEIGHT]>::try_from(&mut *line),
                <&[Value; PANEL_HEIGHT]>::try_from(best),
            ) {
                (Ok(line), Ok(best)) => write_line(line, quiet, best, quiet_entry).into(),
                _ => write_line(line, quiet, best, quiet_entry).into(),
            };
            if count == 0 {
                continue;
            }
            changes.count += count;
            let line_number = sweep.first_line + self.first_line + number;
            sweep.line_ticks.set(line_number, sweep.now);
            if sweep.is_shared {
                let board = (line_number as u32, rows.start as u32);
                push_changes(&mut changes.message, board, &before, line);
            }
            if let Some(recorder) = sweep.recorder {
                recorder.add(count as usize);
                if !recorder.has_overflowed() {
                    let first = Change {
                        section: sweep.section,
                        line: line_number as u32,
                        rank: rows.start as u32,
                        before: E::NONE,
                        after: E::NONE,
                    };
                    record(first, &before, line, &mut changes.recorded);
                }
            }
        }
    }
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

/// Records which entries of a line, from the board `first` on, have changed.
fn record<E: Entry>(first: Change<E>, before: &[E], now: &[E], recorded: &mut Vec<Change<E>>) {
    for ((rank, &before), &after) in (first.rank..).zip(before).zip(now) {
        if before != after {
            recorded.push(Change {
                rank,
                before,
                after,
                ..first
            });
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

/// What the rows of a panel read: for each move of a row the line of its child.
struct PanelReads<'a, E> {
    /// For each row the lines of moves that lead all columns together, and their number.
    whole: [([&'a [E]; ROW], usize); PANEL_HEIGHT],
    /// For each map the other moves by it.
    by_map: Vec<Vec<Use<'a, E>>>,
}

impl<'a, E> PanelReads<'a, E> {
    fn new(fragments: &[Fragments]) -> PanelReads<'a, E> {
        PanelReads {
            whole: [([&[]; ROW], 0); PANEL_HEIGHT],
            by_map: fragments.iter().map(|_| Vec::new()).collect(),
        }
    }

    fn clear(&mut self) {
        for (_, count) in &mut self.whole {
            *count = 0;
        }
    }

    #[inline(always)]
    fn whole(&self, row: usize) -> &[&'a [E]] {
        let (lines, count) = &self.whole[row];
        &lines[..*count]
    }
}
