//! Dense sweeps: every board's entry from the entries of its children, block by
//! block and in place, until nothing changes.
//!
//! A board with `a` seeds on the mover's side is in block `n − a`; its children
//! are in blocks up to `a`. While a block is computed it is taken out of the
//! plane or, where its boards read one another, computed beside the old one.
//! A tile is skipped if no line that it reads has changed since it was last
//! computed. When few boards change, `ripple` takes over.

use rayon::prelude::*;

use super::chunk::Chunk;
use super::entry::{Entry, Score};
use super::fixed::{Fixed, FixedEntries};
use super::least::{Pieces, least_children};
use super::observer::Observer;
use super::plan::Plan;
use super::plane::Plane;
use super::prefetch::prefetch;
use super::ripple::{Change, Ripples};
use super::tile::{HEIGHT, Tile};
use super::wide::{Work, widely};
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
            self.observer.swept(round, changes.len() as u64);
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
            self.observer.swept(round, count as u64);
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

/// One chunk of one sweep, and what is written.
struct ChunkWork<'w, 'a, E> {
    pass: &'w Pass<'a, E>,
    chunk: &'w Chunk<'w>,
    first_line: usize,
    since: Tick,
    out: &'w mut [E],
    best: &'w [Score],
    changed: &'w mut [Tick],
}

impl<E: Entry> Work for ChunkWork<'_, '_, E> {
    type Done = Changed<E>;

    #[inline(always)]
    fn run(self) -> Changed<E> {
        let ChunkWork { out, best, .. } = self;
        (self.pass).chunk(
            self.chunk,
            self.first_line,
            self.since,
            out,
            best,
            self.changed,
        )
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
                let changes = widely(ChunkWork {
                    pass: self,
                    chunk: &chunk,
                    first_line,
                    since,
                    out,
                    best,
                    changed,
                });
                self.layer.observer.advance(out.len() as u64);
                changes
            })
            .reduce(Changed::none, Changed::with)
    }

    #[inline(always)]
    fn chunk(
        &self,
        chunk: &Chunk<'_>,
        first_line: usize,
        since: Tick,
        out: &mut [E],
        best: &[Score],
        changed: &mut [Tick],
    ) -> Changed<E> {
        /// Rows from asking for the lines of one to reading them.
        const AHEAD: usize = 4;
        let index = self.layer.index;
        let width = index.block_width(self.block);
        let row_moves = self.layer.plan.row_moves(index.seeds() - self.block);
        let maps = self.layer.plan.maps(self.block);
        let pieces: Vec<Pieces> = (maps.iter())
            .map(|map| Pieces::new::<E>(map, &chunk.columns))
            .collect();
        let mut reads: Vec<(&Pieces, &[E])> = Vec::new();
        let mut ends = [0; HEIGHT];
        let mut tile = Tile::new(chunk.columns.clone());
        let mut changes = Changed::none();
        for first in (0..width).step_by(HEIGHT) {
            let rows = &row_moves[first..width.min(first + HEIGHT)];
            if since > 0 && !self.children.changed_for(rows, since) {
                continue;
            }
            reads.clear();
            for (moves, end) in rows.iter().zip(&mut ends) {
                for m in moves.as_slice() {
                    let child = self.children.plane.line(m.seeds, m.line);
                    reads.push((&pieces[usize::from(m.map)], child));
                }
                *end = reads.len();
            }
            let mut start = 0;
            let mut asked = 0;
            for t in 0..rows.len() {
                let ahead = ends[(t + AHEAD).min(rows.len() - 1)];
                for (pieces, child) in &reads[asked..ahead] {
                    for &place in &pieces.touched {
                        if let Some(entry) = child.get(place as usize) {
                            prefetch(entry);
                        }
                    }
                }
                asked = ahead;
                least_children(tile.row_mut(t), &reads[start..ends[t]]);
                start = ends[t];
            }
            tile.turn_to(Entry::turned);
            for t in 0..rows.len() {
                for fixed in self.fixed_in((first + t) as u32, chunk) {
                    *tile.turned_at(t, fixed.column) = fixed.entry;
                }
            }
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
#[inline(always)]
fn write_whole<E: Entry>(
    line: &mut [E; HEIGHT],
    quiet: &[E; HEIGHT],
    best: &[Score; HEIGHT],
) -> u8 {
    write(line, quiet, best)
}

/// Writes the better of the quiet moves and the best of the others; counts the
/// entries that changed, at most `HEIGHT`.
#[inline(always)]
fn write<E: Entry>(line: &mut [E], quiet: &[E; HEIGHT], best: &[Score]) -> u8 {
    let mut changes = 0;
    for ((entry, &quiet), &best) in line.iter_mut().zip(quiet).zip(best) {
        let new = quiet.max(E::leaving(best));
        changes += u8::from(new != *entry);
        *entry = new;
    }
    changes
}
