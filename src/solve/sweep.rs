//! Dense sweeps: every board's entry from the entries of its children, block by
//! block and in place, until nothing changes.
//!
//! A board with `a` seeds on the mover's side is in block `n − a`; its children
//! are in blocks up to `a`. While a block is computed it is taken out of the
//! plane or, where its boards read one another, computed beside the old one.
//! A tile is skipped if no line that it reads has changed since it was last
//! computed. When few boards change, `ripple` takes over.

use std::ops::Range;

use rayon::prelude::*;

use super::bands::{Bands, gathered, tile_rows};
use super::chunk::{Chunk, ChunkRuns, reached};
use super::columns::{ColumnMap, Point};
use super::entry::{Entry, Score};
use super::error::SolveError;
use super::fixed::{Fixed, FixedEntries};
use super::lines::Lines;
use super::observer::Observer;
use super::plan::{Plan, RowMoves};
use super::ripple::{Change, Ripples};
use super::scratch::ScratchError;
use super::store::Store;
use super::tile::{HEIGHT, Tile};
use super::working::{Target, Tick, Working};
use crate::index::LayerIndex;

/// The layer that is swept.
pub(super) struct Sweeper<'a> {
    pub plan: &'a Plan,
    pub index: &'a LayerIndex,
    pub observer: &'a dyn Observer,
    /// The most boards that may be followed one by one.
    pub followed: u64,
}

/// Called with the entries before each sweep and each round of ripples, when
/// they are a state from which the work can go on.
pub(super) type Between<'a, E> = dyn FnMut(&[&Store<E>]) -> Result<(), SolveError> + 'a;

impl Sweeper<'_> {
    /// Settles a store that reads itself: no entry is other than its moves make
    /// it. `best` is what the best move that leaves the layer is worth.
    pub fn settle<E: Entry>(
        &self,
        store: Store<E>,
        best: &Store<Score>,
        fixed: &FixedEntries<E>,
        between: &mut Between<'_, E>,
    ) -> Result<Store<E>, SolveError> {
        let few = self.few(store.is_in_memory());
        let mut working = Working::new(store);
        let mut spare = Spare::default();
        let mut changes = Vec::new();
        let sweeps = self.sweep(few, |block, now, noting| {
            if block == 0 {
                between(&[&working.store])?;
            }
            let is_read = 2 * block <= self.index.seeds();
            let pass = self.pass(block, now, noting, &fixed[usize::from(block)]);
            let tiles = working.due(block, pass.rows(), &working);
            if tiles.is_empty() {
                self.observer
                    .advance(self.index.block_entries(block) as u64);
                working.computed(block, now);
                return Ok(0);
            }
            let mut target = working.fetch(block, is_read, std::mem::take(&mut spare.entries))?;
            let best = best.block(block, &mut spare.best)?;
            let mut changed = pass.compute(&tiles, &working.store, &mut target, best)?;
            spare.entries = working.put(block, target, changed.count > 0)?;
            working.computed(block, now);
            changes.append(&mut changed.noted);
            Ok(changed.count)
        })?;
        drop(spare);
        let mut store = working.into_store();
        if changes.is_empty() {
            return Ok(store);
        }
        let ripples = Ripples::new(self.plan, self.index);
        for round in sweeps + 1.. {
            if changes.is_empty() {
                break;
            }
            between(&[&store])?;
            let effects = ripples.round(&changes, &store, &store, best)?;
            changes = effects.apply(&mut store)?;
            self.observer.rippled(round, changes.len() as u64);
        }
        Ok(store)
    }

    /// Settles two stores that read one another. `best` holds the best moves
    /// that leave the layer, for each store.
    pub fn settle_pair<E: Entry>(
        &self,
        stores: [Store<E>; 2],
        best: [&Store<Score>; 2],
        between: &mut Between<'_, E>,
    ) -> Result<[Store<E>; 2], SolveError> {
        let few = self.few(stores.iter().all(Store::is_in_memory));
        let [one, other] = stores;
        let (mut one, mut other) = (Working::new(one), Working::new(other));
        let mut spare = Spare::default();
        let mut changes = [Vec::new(), Vec::new()];
        let sweeps = self.sweep(few, |block, now, noting| {
            if block == 0 {
                between(&[&one.store, &other.store])?;
            }
            let mut half = |written: &mut Working<E>,
                            read: &Working<E>,
                            number: usize|
             -> Result<u64, ScratchError> {
                let pass = self.pass(block, now, noting, &[]);
                let tiles = written.due(block, pass.rows(), read);
                if tiles.is_empty() {
                    self.observer
                        .advance(self.index.block_entries(block) as u64);
                    written.computed(block, now);
                    return Ok(0);
                }
                let mut target = written.fetch(block, false, std::mem::take(&mut spare.entries))?;
                let best = best[number].block(block, &mut spare.best)?;
                let mut changed = pass.compute(&tiles, &read.store, &mut target, best)?;
                spare.entries = written.put(block, target, changed.count > 0)?;
                written.computed(block, now);
                changes[number].append(&mut changed.noted);
                Ok(changed.count)
            };
            Ok(half(&mut one, &other, 0)? + half(&mut other, &one, 1)?)
        })?;
        drop(spare);
        let (mut one, mut other) = (one.into_store(), other.into_store());
        if changes.iter().all(Vec::is_empty) {
            return Ok([one, other]);
        }
        let ripples = Ripples::new(self.plan, self.index);
        for round in sweeps + 1.. {
            if changes.iter().all(Vec::is_empty) {
                break;
            }
            between(&[&one, &other])?;
            let to_one = ripples.round(&changes[1], &other, &one, best[0])?;
            let to_other = ripples.round(&changes[0], &one, &other, best[1])?;
            changes = [to_one.apply(&mut one)?, to_other.apply(&mut other)?];
            let count = changes.iter().map(Vec::len).sum::<usize>();
            self.observer.rippled(round, count as u64);
        }
        Ok([one, other])
    }

    /// How many changes in a sweep are few enough to be followed one by one.
    fn few(&self, is_in_memory: bool) -> u64 {
        // One board in so many. On disk following one is dear.
        let one_in = if is_in_memory { 128 } else { 1 << 14 };
        (self.index.len() / one_in).min(self.followed)
    }

    /// Calls `compute` for every block, sweep after sweep, until a sweep changes
    /// few entries; then once more, to note which ones. `compute` gets the
    /// block, the tick, and whether to note changes, and counts them.
    fn sweep(
        &self,
        few: u64,
        mut compute: impl FnMut(u8, Tick, bool) -> Result<u64, SolveError>,
    ) -> Result<u32, SolveError> {
        let mut now = 1;
        let mut noting = false;
        for sweep in 1.. {
            let mut changes = 0;
            for block in 0..=self.index.seeds() {
                now += 1;
                changes += compute(block, now, noting)?;
            }
            self.observer.swept(sweep, changes);
            if noting || changes == 0 {
                return Ok(sweep);
            }
            noting = changes < few;
        }
        unreachable!("sweeps come to an end: every entry moves only towards its true one")
    }

    fn pass<'a, E: Entry>(
        &'a self,
        block: u8,
        now: Tick,
        noting: bool,
        fixed: &'a [Fixed<E>],
    ) -> Pass<'a, E> {
        Pass {
            layer: self,
            block,
            now,
            noting,
            fixed,
        }
    }
}

/// Memory for blocks that are computed, and for the best moves out of the layer
/// where these lie on disk.
struct Spare<E> {
    entries: Vec<E>,
    best: Vec<Score>,
}

impl<E> Default for Spare<E> {
    fn default() -> Spare<E> {
        Spare {
            entries: Vec::new(),
            best: Vec::new(),
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
    fixed: &'a [Fixed<E>],
}

impl<E: Entry> Pass<'_, E> {
    /// The moves of the block's mover's rows.
    fn rows(&self) -> &[RowMoves] {
        let Sweeper { plan, index, .. } = self.layer;
        plan.row_moves(index.seeds() - self.block)
    }

    /// Computes the tiles that begin with these rows; returns what changed.
    fn compute(
        &self,
        tiles: &[usize],
        children: &Store<E>,
        target: &mut Target<E>,
        best: &[Score],
    ) -> Result<Changed<E>, ScratchError> {
        let Sweeper {
            plan,
            index,
            observer,
            ..
        } = *self.layer;
        let block_lines = index.block_lines(self.block);
        let width = index.block_width(self.block);
        let lines = Chunk::size(block_lines);
        let maps = plan.maps(self.block);
        let reaches = |chunks: &Range<usize>| {
            let columns = Chunk::band(plan, index, self.block, chunks);
            let reach = |map: &ColumnMap| {
                let part = reached(&map.quiet, &columns);
                part.map(|part| (0, part)).into_iter().collect()
            };
            maps.iter().map(reach).collect()
        };
        let bands = Bands {
            gathered: gathered(index),
            stores: &[children],
            rows: self.rows(),
            tiles,
            reaches: &reaches,
        };
        let due: usize = tiles
            .iter()
            .map(|&first| tile_rows(self.rows(), first).len())
            .sum();
        observer.advance(((width - due) * block_lines) as u64);
        let mut all = Changed::none();
        bands.each(0..Chunk::count(block_lines), &mut |chunks, tiles, read| {
            let first = chunks.start * lines;
            let end = block_lines.min(chunks.end * lines);
            let due: usize = tiles
                .iter()
                .map(|&first| tile_rows(self.rows(), first).len())
                .sum();
            let changes = target.entries[first * width..end * width]
                .par_chunks_mut(lines * width)
                .zip(target.changed[first..end].par_chunks_mut(lines))
                .zip(best[first * width..end * width].par_chunks(lines * width))
                .enumerate()
                .map(|(number, ((out, changed), best))| {
                    let number = chunks.start + number;
                    let chunk = Chunk::new(plan, index, self.block, number);
                    let into = Written {
                        first_line: number * lines,
                        out,
                        best,
                        changed,
                    };
                    observer.advance((due * into.changed.len()) as u64);
                    self.chunk(&chunk, tiles, read, into)
                })
                .reduce(Changed::none, Changed::with);
            all = std::mem::replace(&mut all, Changed::none()).with(changes);
            Ok(())
        })?;
        Ok(all)
    }

    fn chunk(
        &self,
        chunk: &Chunk<'_>,
        tiles: &[usize],
        children: &Lines<'_, E>,
        into: Written<'_, E>,
    ) -> Changed<E> {
        let Written {
            first_line,
            out,
            best,
            changed,
        } = into;
        let width = self.layer.index.block_width(self.block);
        let maps = self.layer.plan.maps(self.block);
        let columns = &chunk.columns;
        let runs = ChunkRuns::new(maps.iter().map(|m| &*m.long_quiet), columns, |r| *r);
        let points = ChunkRuns::new(maps.iter().map(|m| &*m.quiet_points), columns, Point::run);

        let mut tile = Tile::new(chunk.columns.clone());
        let mut changes = Changed::none();
        for (place, &first) in tiles.iter().enumerate() {
            let rows = tile_rows(self.rows(), first);
            for (t, moves) in rows.iter().enumerate() {
                let mut row = tile.row(t);
                for (number, m) in moves.as_slice().iter().enumerate() {
                    let child = children.piece(place * HEIGHT + t, number, m, 0);
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

/// Where a chunk's entries are written.
struct Written<'a, E> {
    first_line: usize,
    out: &'a mut [E],
    best: &'a [Score],
    changed: &'a mut [Tick],
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
