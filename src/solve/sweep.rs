//! Dense sweeps: every board's entry from the entries of its children, block by
//! block and in place, until nothing changes.
//!
//! A board with `a` seeds on the mover's side is in block `n − a`; its children
//! are in blocks up to `a`. While a block is computed it is taken out of the
//! plane or, where its boards read one another, computed beside the old one.
//! A tile is skipped if no line that it reads has changed since it was last
//! computed.

use rayon::prelude::*;

use super::chunk::{Chunk, ChunkRuns};
use super::entry::{Entry, Score};
use super::observer::Observer;
use super::plan::{Plan, RowMoves};
use super::plane::Plane;
use super::tile::{HEIGHT, Tile};
use crate::index::LayerIndex;

/// A moment in the course of the sweeps, counted in blocks computed.
type Tick = u32;

/// The entries of a layer while they are computed.
pub(super) struct Working<E> {
    plane: Plane<E>,
    /// When each line last changed, by block.
    changed: Vec<Vec<Tick>>,
    /// When each block was last computed; 0 before the first sweep.
    computed: Vec<Tick>,
}

impl<E: Entry> Working<E> {
    /// Entries to begin with; all count as changed.
    pub fn new(plane: Plane<E>) -> Working<E> {
        let index = plane.index();
        Working {
            changed: (0..=index.seeds())
                .map(|block| vec![1; index.block_lines(block)])
                .collect(),
            computed: vec![0; usize::from(index.seeds()) + 1],
            plane,
        }
    }

    /// The entries, settled or not.
    pub fn into_plane(self) -> Plane<E> {
        self.plane
    }

    /// Whether any line that these moves read has changed at `since` or later.
    fn changed_for(&self, rows: &[RowMoves], since: Tick) -> bool {
        let mut moves = rows.iter().flat_map(RowMoves::as_slice);
        moves.any(|m| self.changed[usize::from(m.seeds)][m.line as usize] >= since)
    }

    fn take(&mut self, block: u8) -> Target<E> {
        Target {
            entries: std::mem::take(self.plane.block_mut(block)),
            changed: std::mem::take(&mut self.changed[usize::from(block)]),
            since: self.computed[usize::from(block)],
        }
    }

    /// As `take`, but leaves the old block to be read. `spare` is memory to use.
    fn copy(&self, block: u8, mut spare: Vec<E>) -> Target<E> {
        spare.clear();
        spare.extend_from_slice(self.plane.block(block));
        Target {
            entries: spare,
            changed: self.changed[usize::from(block)].clone(),
            since: self.computed[usize::from(block)],
        }
    }

    /// Puts a block back; returns the memory of the old one.
    fn put(&mut self, block: u8, target: Target<E>, now: Tick) -> Vec<E> {
        self.changed[usize::from(block)] = target.changed;
        self.computed[usize::from(block)] = now;
        std::mem::replace(self.plane.block_mut(block), target.entries)
    }
}

/// A block that is computed anew.
struct Target<E> {
    entries: Vec<E>,
    changed: Vec<Tick>,
    /// When it was last computed.
    since: Tick,
}

/// A board whose entry no move decides.
#[derive(Clone, Copy)]
pub(super) struct Fixed<E> {
    /// The rank of the mover's row.
    pub row: u32,
    /// The rank of the opponent's row among all rows.
    pub column: u32,
    pub entry: E,
}

/// Fixed entries by block, sorted by row and column.
pub(super) type FixedEntries<E> = Vec<Vec<Fixed<E>>>;

/// The layer that is swept.
pub(super) struct Sweeper<'a> {
    pub plan: &'a Plan,
    pub index: &'a LayerIndex,
    pub observer: &'a dyn Observer,
}

impl Sweeper<'_> {
    /// Sweeps a plane that reads itself until nothing changes. `best` is
    /// what the best move that leaves the layer is worth.
    pub fn settle<E: Entry>(
        &self,
        plane: Plane<E>,
        best: &Plane<Score>,
        fixed: &FixedEntries<E>,
    ) -> Plane<E> {
        let mut working = Working::new(plane);
        let mut spare = Vec::new();
        self.until_quiet(|block, now| {
            let reads_itself = 2 * block <= self.index.seeds();
            let mut target = match reads_itself {
                true => working.copy(block, std::mem::take(&mut spare)),
                false => working.take(block),
            };
            let pass = self.pass(block, now, &working, &fixed[usize::from(block)]);
            let changes = pass.compute(&mut target, best.block(block));
            spare = working.put(block, target, now);
            changes
        });
        working.into_plane()
    }

    /// Sweeps two planes that read one another until nothing changes. `best`
    /// holds the best moves that leave the layer, for each plane.
    pub fn settle_pair<E: Entry>(
        &self,
        planes: [Plane<E>; 2],
        best: [&Plane<Score>; 2],
    ) -> [Plane<E>; 2] {
        let [one, other] = planes;
        let mut one = Working::new(one);
        let mut other = Working::new(other);
        let half =
            |written: &mut Working<E>, read: &Working<E>, best: &Plane<Score>, block, now| {
                let mut target = written.take(block);
                let changes = self
                    .pass(block, now, read, &[])
                    .compute(&mut target, best.block(block));
                written.put(block, target, now);
                changes
            };
        self.until_quiet(|block, now| {
            half(&mut one, &other, best[0], block, now)
                + half(&mut other, &one, best[1], block, now)
        });
        [one.into_plane(), other.into_plane()]
    }

    /// Calls `compute` for every block, over and over, until a sweep changes
    /// no entry. `compute` gets the block and the tick, and counts changes.
    fn until_quiet(&self, mut compute: impl FnMut(u8, Tick) -> u64) {
        let mut now = 1;
        for sweep in 1.. {
            let mut changes = 0;
            for block in 0..=self.index.seeds() {
                now += 1;
                changes += compute(block, now);
            }
            self.observer.swept(sweep, changes);
            if changes == 0 {
                break;
            }
        }
    }

    fn pass<'a, E: Entry>(
        &'a self,
        block: u8,
        now: Tick,
        children: &'a Working<E>,
        fixed: &'a [Fixed<E>],
    ) -> Pass<'a, E> {
        Pass {
            layer: self,
            block,
            now,
            children,
            fixed,
        }
    }
}

/// One block of one sweep.
struct Pass<'a, E> {
    layer: &'a Sweeper<'a>,
    block: u8,
    now: Tick,
    children: &'a Working<E>,
    fixed: &'a [Fixed<E>],
}

impl<E: Entry> Pass<'_, E> {
    /// Computes the block; returns how many entries changed.
    fn compute(&self, target: &mut Target<E>, best: &[Score]) -> u64 {
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
                let changes = self.chunk(&chunk, since, out, best, changed);
                self.layer.observer.advance(out.len() as u64);
                changes
            })
            .sum()
    }

    fn chunk(
        &self,
        chunk: &Chunk<'_>,
        since: Tick,
        out: &mut [E],
        best: &[Score],
        changed: &mut [Tick],
    ) -> u64 {
        let index = self.layer.index;
        let width = index.block_width(self.block);
        let row_moves = self.layer.plan.row_moves(index.seeds() - self.block);
        let maps = self.layer.plan.maps(self.block);
        let quiet = ChunkRuns::new(maps.iter().map(|m| &*m.quiet), &chunk.columns, |r| *r);

        let mut tile = Tile::new(chunk.columns.clone());
        let mut changes = 0;
        for first in (0..width).step_by(HEIGHT) {
            let rows = &row_moves[first..width.min(first + HEIGHT)];
            if since > 0 && !self.children.changed_for(rows, since) {
                continue;
            }
            for (t, moves) in rows.iter().enumerate() {
                let mut row = tile.row(t);
                for m in moves.as_slice() {
                    let child = self.children.plane.line(m.seeds, m.line);
                    for run in &maps[usize::from(m.map)].quiet[quiet.of(m.map)] {
                        row.raise(run, child, Entry::turned);
                    }
                }
                for fixed in self.fixed_in((first + t) as u32, chunk) {
                    *row.at(fixed.column) = fixed.entry;
                }
            }
            tile.turn();
            let lines = out.chunks_exact_mut(width).zip(best.chunks_exact(width));
            for ((line, best), (&column, changed)) in
                lines.zip(chunk.line_columns.iter().zip(changed.iter_mut()))
            {
                let here = first..first + rows.len();
                let (line, best) = (&mut line[here.clone()], &best[here]);
                let quiet = tile.column(column);
                let count = match (line.as_mut_array(), best.as_array()) {
                    (Some(line), Some(best)) => write_whole(line, quiet, best),
                    _ => write(line, quiet, best),
                };
                if count > 0 {
                    changes += u64::from(count);
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

/// As `write`, for as many entries as a tile has rows.
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
