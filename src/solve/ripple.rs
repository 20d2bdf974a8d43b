//! Ripples: what takes over from dense sweeps when few boards change.
//!
//! After a dozen sweeps nine tenths of all changes have been made, but most
//! sweeps are still to come. So the last dense sweep notes which boards it
//! changed, and from then on only the *parents* of changed boards are looked
//! at: the boards with a quiet move to them. They are found backwards. The rows
//! A with a move to line A' are a short list, and a column map leads at most
//! one column B to entry B', found by halving its sorted runs.
//!
//! A round reads the plane as it is and collects what becomes of the parents
//! (on all threads), then writes that (on one). No thread reads what another
//! writes, and the result does not depend on their number.

use rayon::prelude::*;

use super::columns::{ColumnMap, Run};
use super::entry::{Entry, Score};
use super::plan::Plan;
use super::scratch::ScratchError;
use super::store::Store;
use crate::index::LayerIndex;

/// A board whose entry has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Change<E> {
    /// Seeds in the opponent's row.
    pub block: u8,
    /// The line of the opponent's row.
    pub line: u32,
    /// The rank of the mover's row.
    pub row: u32,
    /// The entry before.
    pub before: E,
}

/// What a change makes of a parent.
struct Effect<E> {
    parent: Change<E>,
    after: E,
}

/// A row with a move to a certain line.
#[derive(Clone, Copy, Default)]
struct Source {
    row: u32,
    seeds: u8,
    map: u8,
}

/// The sources of the lines of one block: those of line `l` are
/// `sources[starts[l]..starts[l + 1]]`.
struct Sources {
    starts: Vec<u32>,
    sources: Vec<Source>,
}

/// The moves of a layer, backwards.
pub(super) struct Ripples<'a> {
    plan: &'a Plan,
    index: &'a LayerIndex,
    /// By seeds in the row that a move leaves behind.
    blocks: Vec<Sources>,
}

impl<'a> Ripples<'a> {
    /// Turns the plan's moves round.
    pub fn new(plan: &'a Plan, index: &'a LayerIndex) -> Ripples<'a> {
        let seeds = index.seeds();
        let moves = |then: &mut dyn FnMut(usize, usize, Source)| {
            for a in 0..=seeds {
                for (row, moves) in (0..).zip(plan.row_moves(a)) {
                    for m in moves.as_slice() {
                        let source = Source {
                            row,
                            seeds: a,
                            map: m.map,
                        };
                        then(usize::from(m.seeds), m.line as usize, source);
                    }
                }
            }
        };
        let mut blocks: Vec<Sources> = (0..=seeds)
            .map(|block| Sources {
                starts: vec![0; index.block_lines(block) + 1],
                sources: Vec::new(),
            })
            .collect();
        // Count the sources of each line, sum up where they end, and fill them
        // in from the back.
        moves(&mut |block, line, _| blocks[block].starts[line] += 1);
        for block in &mut blocks {
            let mut end = 0;
            for start in &mut block.starts {
                end += *start;
                *start = end;
            }
            block.sources = vec![Source::default(); end as usize];
        }
        moves(&mut |block, line, source| {
            let block = &mut blocks[block];
            block.starts[line] -= 1;
            block.sources[block.starts[line] as usize] = source;
        });
        Ripples {
            plan,
            index,
            blocks,
        }
    }

    /// One round: from changed children to changed parents. The two planes are
    /// the same where a plane reads itself.
    pub fn round<E: Entry>(
        &self,
        changes: &[Change<E>],
        children: &Store<E>,
        parents: &Store<E>,
        best: &Store<Score>,
    ) -> Result<Effects<E>, ScratchError> {
        /// Changes that a thread takes at a time.
        const CHANGES: usize = 512;
        let round = Round {
            ripples: self,
            children,
            parents,
            best,
        };
        let pieces = changes.par_chunks(CHANGES).map(|changes| {
            let mut effects = Vec::new();
            for change in changes {
                round.effects(change, &mut effects)?;
            }
            Ok(effects)
        });
        Ok(Effects(pieces.collect::<Result<_, _>>()?))
    }
}

/// What a round makes of the parents, to be written.
pub(super) struct Effects<E>(Vec<Vec<Effect<E>>>);

impl<E: Entry> Effects<E> {
    /// Writes the effects; returns the changes.
    pub fn apply(self, parents: &mut Store<E>) -> Result<Vec<Change<E>>, ScratchError> {
        let mut changes = Vec::new();
        for Effect { parent, after } in self.0.into_iter().flatten() {
            let Change {
                block,
                line,
                row,
                before,
            } = parent;
            let entry = parents.entry(block, line, row)?;
            if entry == before {
                parents.set_entry(block, line, row, after)?;
                changes.push(parent);
            } else {
                // Another child has changed it in this round. A parent that is
                // looked at anew gets the same entry each time, and of those
                // that are raised the highest is right.
                parents.set_entry(block, line, row, entry.max(after))?;
            }
        }
        Ok(changes)
    }
}

struct Round<'a, E> {
    ripples: &'a Ripples<'a>,
    children: &'a Store<E>,
    parents: &'a Store<E>,
    best: &'a Store<Score>,
}

impl<E: Entry> Round<'_, E> {
    /// Collects what a changed child makes of its parents.
    fn effects(&self, child: &Change<E>, effects: &mut Vec<Effect<E>>) -> Result<(), ScratchError> {
        let Ripples {
            plan,
            index,
            blocks,
        } = self.ripples;
        let before = child.before.turned();
        let now = self
            .children
            .entry(child.block, child.line, child.row)?
            .turned();
        let sources = &blocks[usize::from(child.block)];
        let line = child.line as usize;
        let sources =
            &sources.sources[sources.starts[line] as usize..sources.starts[line + 1] as usize];
        for source in sources {
            let block = index.seeds() - source.seeds;
            let map = &plan.maps(block)[usize::from(source.map)];
            let Some(column) = column_to(map, child.row) else {
                continue;
            };
            let Some(line) = plan.line(block, column) else {
                continue;
            };
            let entry = self.parents.entry(block, line, source.row)?;
            // A better move is the best there is. Where the best move has become
            // worse, all must be looked at; any other change changes nothing.
            let after = if now > entry {
                now
            } else if before == entry {
                self.anew(block, line, column, source.row)?
            } else {
                continue;
            };
            if after != entry {
                effects.push(Effect {
                    parent: Change {
                        block,
                        line,
                        row: source.row,
                        before: entry,
                    },
                    after,
                });
            }
        }
        Ok(())
    }

    /// The entry of a board from all its moves.
    fn anew(&self, block: u8, line: u32, column: u32, row: u32) -> Result<E, ScratchError> {
        let Ripples { plan, index, .. } = self.ripples;
        let maps = plan.maps(block);
        let mut best = E::leaving(self.best.entry(block, line, row)?);
        let moves = &plan.row_moves(index.seeds() - block)[row as usize];
        for m in moves.as_slice() {
            if let Some(entry) = entry_from(&maps[usize::from(m.map)], column) {
                best = best.max(self.children.entry(m.seeds, m.line, entry)?.turned());
            }
        }
        Ok(best)
    }
}

/// The column that a map leads quietly to an entry.
fn column_to(map: &ColumnMap, entry: u32) -> Option<u32> {
    let run = last_run(&map.quiet, |run| run.to <= entry)?;
    let offset = entry - run.to;
    (offset < run.len).then_some(run.from + offset)
}

/// The entry that a map leads a column quietly to.
fn entry_from(map: &ColumnMap, column: u32) -> Option<u32> {
    let run = last_run(&map.quiet, |run| run.from <= column)?;
    let offset = column - run.from;
    (offset < run.len).then_some(run.to + offset)
}

/// The last run that begins early enough. Maps keep the order of columns, so
/// runs are sorted both by `from` and by `to`.
fn last_run(runs: &[Run], early: impl Fn(&Run) -> bool) -> Option<&Run> {
    runs[..runs.partition_point(early)].last()
}
