//! Dense sweeps: every board's entry from the entries of its children, block by
//! block and in place, until nothing changes.
//!
//! A board with `a` seeds on the mover's side is in block `n − a`; its children
//! are in blocks up to `a`. While a block is computed it is taken out of the
//! plane or, where its boards read one another, computed beside the old one.
//! A tile is skipped if no line that it reads has changed since it was last
//! computed. When few boards change, `ripple` takes over.

use rayon::prelude::*;

use super::chunk::{Chunk, ChunkRuns};
use super::columns::Point;
use super::entry::{Entry, Score};
use super::fixed::{Fixed, FixedEntries};
use super::observer::Observer;
use super::plan::Plan;
use super::plane::Plane;
use super::ripple::{Change, Ripples};
use super::tile::{HEIGHT, Tile};
use super::working::{Target, Tick, Working};
use crate::index::LayerIndex;

/// The layer that is swept.
pub(super) struct Sweeper<'a> {
    pub plan: &'a Plan,
    pub index: &'a LayerIndex,
    pub observer: &'a dyn Observer,
}

impl Sweeper<'_> {
    /// Settles a plane that reads itself: no entry is other than its moves make
    /// it. `best` is what the best move that leaves the layer is worth.
    pub fn settle<E: Entry>(
        &self,
        plane: Plane<E>,
        best: &Plane<Score>,
        fixed: &FixedEntries<E>,
    ) -> Plane<E> {
        let mut working = Working::new(plane);
        let mut spare = Vec::new();
        let mut changes = Vec::new();
        let sweeps = self.sweep(|block, now, noting| {
            let reads_itself = 2 * block <= self.index.seeds();
            let mut target = match reads_itself {
                true => working.copy(block, std::mem::take(&mut spare)),
                false => working.take(block),
            };
            let pass = self.pass(block, now, noting, &working, &fixed[usize::from(block)]);
            let mut changed = pass.compute(&mut target, best.block(block));
            spare = working.put(block, target, now);
            changes.append(&mut changed.noted);
            changed.count
        });
        let mut plane = working.into_plane();
        if changes.is_empty() {
            return plane;
        }
        let ripples = Ripples::new(self.plan, self.index);
        for round in sweeps + 1.. {
            if changes.is_empty() {
                break;
            }
            let effects = ripples.round(&changes, &plane, &plane, best);
            changes = effects.apply(&mut plane);
            self.observer.rippled(round, changes.len() as u64);
        }
        plane
    }

    /// Settles two planes that read one another. `best` holds the best moves
    /// that leave the layer, for each plane.
    pub fn settle_pair<E: Entry>(
        &self,
        planes: [Plane<E>; 2],
        best: [&Plane<Score>; 2],
    ) -> [Plane<E>; 2] {
        let [one, other] = planes;
        let (mut one, mut other) = (Working::new(one), Working::new(other));
        let mut changes = [Vec::new(), Vec::new()];
        let sweeps = self.sweep(|block, now, noting| {
            let mut half = |written: &mut Working<E>, read: &Working<E>, number: usize| {
                let mut target = written.take(block);
                let pass = self.pass(block, now, noting, read, &[]);
                let mut changed = pass.compute(&mut target, best[number].block(block));
                written.put(block, target, now);
                changes[number].append(&mut changed.noted);
                changed.count
            };
            half(&mut one, &other, 0) + half(&mut other, &one, 1)
        });
        let (mut one, mut other) = (one.into_plane(), other.into_plane());
        if changes.iter().all(Vec::is_empty) {
            return [one, other];
        }
        let ripples = Ripples::new(self.plan, self.index);
        for round in sweeps + 1.. {
            if changes.iter().all(Vec::is_empty) {
                break;
            }
            let to_one = ripples.round(&changes[1], &other, &one, best[0]);
            let to_other = ripples.round(&changes[0], &one, &other, best[1]);
            changes = [to_one.apply(&mut one), to_other.apply(&mut other)];
            let count = changes.iter().map(Vec::len).sum::<usize>();
            self.observer.rippled(round, count as u64);
        }
        [one, other]
    }

    /// Calls `compute` for every block, sweep after sweep, until a sweep changes
    /// few entries; then once more, to note which ones. `compute` gets the
    /// block, the tick, and whether to note changes, and counts them.
    fn sweep(&self, mut compute: impl FnMut(u8, Tick, bool) -> u64) -> u32 {
        /// One board in so many is few.
        const FEW: u64 = 128;
        let mut now = 1;
        let mut noting = false;
        for sweep in 1.. {
            let mut changes = 0;
            for block in 0..=self.index.seeds() {
                now += 1;
                changes += compute(block, now, noting);
            }
            self.observer.swept(sweep, changes);
            if noting || changes == 0 {
                return sweep;
            }
            noting = changes * FEW < self.index.len();
        }
        unreachable!("sweeps come to an end: every entry moves only towards its true one")
    }

    fn pass<'a, E: Entry>(
        &'a self,
        block: u8,
        now: Tick,
        noting: bool,
        children: &'a Working<E>,
        fixed: &'a [Fixed<E>],
    ) -> Pass<'a, E> {
        Pass {
            layer: self,
            block,
            now,
            noting,
            children,
            fixed,
        }
    }
}

/// What a sweep changed: how many entries and, if they are noted, which.
struct Changed<E> {
    count: u64,
    noted: Vec<Change<E>>,
}

impl<E: Entry> Changed<E> {
    fn none() -> Changed<E> {
        Changed {
            count: 0,
            noted: Vec::new(),
        }
    }

    fn with(mut self, mut other: Changed<E>) -> Changed<E> {
        self.count += other.count;
        self.noted.append(&mut other.noted);
        self
    }

    /// Notes which entries of a line, from row `first` on, are about to change.
    fn note(
        &mut self,
        block: u8,
        line: usize,
        first: usize,
        entries: &[E],
        quiet: &[E; HEIGHT],
        best: &[Score],
    ) {
        let rows = entries.iter().zip(quiet.iter().zip(best)).zip(first..);
        for ((&before, (&quiet, &best)), row) in rows {
            if before != quiet.max(E::leaving(best)) {
                self.noted.push(Change {
                    block,
                    line: line as u32,
                    row: row as u32,
                    before,
                });
            }
        }
    }
}

/// One block of one sweep.
struct Pass<'a, E> {
    layer: &'a Sweeper<'a>,
    block: u8,
    now: Tick,
    /// Whether to note which boards change.
    noting: bool,
    children: &'a Working<E>,
    fixed: &'a [Fixed<E>],
}

impl<E: Entry> Pass<'_, E> {
    /// Computes the block; returns what changed.
    fn compute(&self, target: &mut Target<E>, best: &[Score]) -> Changed<E> {
        let index = self.layer.index;
        let lines = Chunk::size(index.block_lines(self.block));
        let entries = lines * index.block_width(self.block);
        let since = target.since;
        (target.entries.par_chunks_mut(entries))
            .zip(target.changed.par_chunks_mut(lines))
            .zip(best.par_chunks(entries))
            .enumerate()
            .map(|(number, ((out, changed), best))| {
                let chunk = Chunk::new(self.layer.plan, index, self.block, number);
                let first_line = number * lines;
                let changes = self.chunk(&chunk, first_line, since, out, best, changed);
                self.layer.observer.advance(out.len() as u64);
                changes
            })
            .reduce(Changed::none, Changed::with)
    }

    fn chunk(
        &self,
        chunk: &Chunk<'_>,
        first_line: usize,
        since: Tick,
        out: &mut [E],
        best: &[Score],
        changed: &mut [Tick],
    ) -> Changed<E> {
        let index = self.layer.index;
        let width = index.block_width(self.block);
        let row_moves = self.layer.plan.row_moves(index.seeds() - self.block);
        let maps = self.layer.plan.maps(self.block);
        let columns = &chunk.columns;
        let runs = ChunkRuns::new(maps.iter().map(|m| &*m.long_quiet), columns, |r| *r);
        let points = ChunkRuns::new(maps.iter().map(|m| &*m.quiet_points), columns, Point::run);

        let mut tile = Tile::new(chunk.columns.clone());
        let mut changes = Changed::none();
        for first in (0..width).step_by(HEIGHT) {
            let rows = &row_moves[first..width.min(first + HEIGHT)];
            if since > 0 && !self.children.changed_for(rows, since) {
                continue;
            }
            for (t, moves) in rows.iter().enumerate() {
                let mut row = tile.row(t);
                for m in moves.as_slice() {
                    let child = self.children.plane.line(m.seeds, m.line);
                    let map = &maps[usize::from(m.map)];
                    for run in &map.long_quiet[runs.of(m.map)] {
                        row.raise(run, child, Entry::turned);
                    }
                    let points = &map.quiet_points[points.of(m.map)];
                    row.raise_points(points, child, Entry::turned);
                }
                for fixed in self.fixed_in((first + t) as u32, chunk) {
                    *row.at(fixed.column) = fixed.entry;
                }
            }
            tile.turn();
            let lines = out.chunks_exact_mut(width).zip(best.chunks_exact(width));
            let lines = lines.zip(chunk.line_columns.iter().zip(changed.iter_mut()));
            for (number, ((line, best), (&column, changed))) in lines.enumerate() {
                let here = first..first + rows.len();
                let (line, best) = (&mut line[here.clone()], &best[here]);
                let quiet = tile.column(column);
                if self.noting {
                    changes.note(self.block, first_line + number, first, line, quiet, best);
                }
                let count = match (line.as_mut_array(), best.as_array()) {
                    (Some(line), Some(best)) => write_whole(line, quiet, best),
                    _ => write(line, quiet, best),
                };
                if count > 0 {
                    changes.count += u64::from(count);
                    *changed = self.now;
                }
            }
        }
        changes
    }

    /// The fixed entries of one mover's row within a chunk.
    fn fixed_in(&self, row: u32, chunk: &Chunk<'_>) -> &[Fixed<E>] {
        let before = |column| move |f: &Fixed<E>| (f.row, f.column) < (row, column);
        let from = self.fixed.partition_point(before(chunk.columns.start));
        let count = self.fixed[from..].partition_point(before(chunk.columns.end));
        &self.fixed[from..from + count]
    }
}

/// As `write`, for as many entries as a tile has rows: a number that the
/// compiler knows, which spares it the loop.
fn write_whole<E: Entry>(
    line: &mut [E; HEIGHT],
    quiet: &[E; HEIGHT],
    best: &[Score; HEIGHT],
) -> u8 {
    write(line, quiet, best)
}

/// Writes the better of the quiet moves and the best of the others; counts the
/// entries that changed, at most `HEIGHT`.
#[inline]
fn write<E: Entry>(line: &mut [E], quiet: &[E; HEIGHT], best: &[Score]) -> u8 {
    let mut changes = 0;
    for ((entry, &quiet), &best) in line.iter_mut().zip(quiet).zip(best) {
        let new = quiet.max(E::leaving(best));
        changes += u8::from(new != *entry);
        *entry = new;
    }
    changes
}
