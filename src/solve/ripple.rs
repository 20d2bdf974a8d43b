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
use super::scratch::SpillError;
use super::store::Store;
use crate::index::{LayerIndex, row};
use crate::rules::{Row, Ruleset};

/// A board whose entry has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Change<E> {
    /// Seeds in the opponent's row.
    pub section: u8,
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

/// The sources of the lines of one section: those of line `l` are
/// `sources[starts[l]..starts[l + 1]]`.
struct Sources {
    starts: Vec<u32>,
    sources: Vec<Source>,
}

impl Sources {
    fn of(&self, line: u32) -> &[Source] {
        let line = line as usize;
        &self.sources[self.starts[line] as usize..self.starts[line + 1] as usize]
    }
}

/// The moves of a layer, backwards.
pub(super) struct Ripples<'a> {
    plan: &'a Plan,
    index: &'a LayerIndex,
    /// By seeds in the row that a move leaves behind.
    sections: Vec<Sources>,
    /// By seeds and rank of a row: no move that sends more seeds leads to it.
    received: Vec<Vec<u8>>,
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
        let mut sections: Vec<Sources> = (0..=seeds)
            .map(|section| Sources {
                starts: vec![0; index.section_lines(section) + 1],
                sources: Vec::new(),
            })
            .collect();
        // Count the sources of each line, sum up where they end, and fill them
        // in from the back.
        moves(&mut |section, line, _| sections[section].starts[line] += 1);
        for section in &mut sections {
            let mut end = 0;
            for start in &mut section.starts {
                end += *start;
                *start = end;
            }
            section.sources = vec![Source::default(); end as usize];
        }
        moves(&mut |section, line, source| {
            let section = &mut sections[section];
            section.starts[line] -= 1;
            section.sources[section.starts[line] as usize] = source;
        });
        let received = (0..=seeds)
            .map(|k| match plan.rules {
                Ruleset::Oware(_) => row::rows(k).map(|row| most_received(&row)).collect(),
                Ruleset::Stores(_) => vec![u8::MAX; row::row_count(k) as usize],
            })
            .collect();
        Ripples {
            plan,
            index,
            sections,
            received,
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
    ) -> Result<Effects<E>, SpillError> {
        /// Changes that a thread takes at a time.
        const CHANGES: usize = 512;
        let round = Round {
            ripples: self,
            children,
            parents,
            best,
        };
        let pieces = changes
            .par_chunks(CHANGES)
            .map(|changes| round.effects(changes));
        Ok(Effects(pieces.collect::<Result<_, _>>()?))
    }
}

/// What a round makes of the parents, to be written.
pub(super) struct Effects<E>(Vec<Vec<Effect<E>>>);

impl<E: Entry> Effects<E> {
    /// Writes the effects; returns the changes.
    pub fn apply(self, parents: &mut Store<E>) -> Result<Vec<Change<E>>, SpillError> {
        let mut changes = Vec::new();
        for Effect { parent, after } in self.0.into_iter().flatten() {
            let Change {
                section,
                line,
                row,
                before,
            } = parent;
            let entry = parents.entry(section, line, row)?;
            if entry == before {
                parents.set_entry(section, line, row, after)?;
                changes.push(parent);
            } else {
                // Another child has changed it in this round. A parent that is
                // looked at anew gets the same entry each time, and of those
                // that are raised the highest is right.
                parents.set_entry(section, line, row, entry.max(after))?;
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

/// A board with a quiet move to a board that has changed.
struct Parent<E> {
    section: u8,
    line: u32,
    column: u32,
    row: u32,
    /// What the move was worth before the change, and what it is worth now.
    before: E,
    now: E,
}

/// A parent whose best move may have become worse.
struct Doubt {
    parent: u32,
    /// Where its children end in the list of children; they begin where those
    /// of the one before end.
    children_end: u32,
}

/// What a thread needs to work through changes in steps, each of which asks for
/// the memory that the next one reads.
struct Steps<E> {
    parents: Vec<Parent<E>>,
    doubts: Vec<Doubt>,
    /// Section, line and row of each.
    children: Vec<(u8, u32, u32)>,
}

impl<E: Entry> Round<'_, E> {
    /// Collects what changed children make of their parents.
    fn effects(&self, changes: &[Change<E>]) -> Result<Vec<Effect<E>>, SpillError> {
        /// So many changes have some two hundred parents: cache lines enough to
        /// wait for all at once, and few enough to stay in the nearest cache.
        const AT_ONCE: usize = 64;
        let mut effects = Vec::new();
        let mut steps = Steps {
            parents: Vec::new(),
            doubts: Vec::new(),
            children: Vec::new(),
        };
        for changes in changes.chunks(AT_ONCE) {
            self.find_parents(changes, &mut steps)?;
            self.look_at_parents(&mut steps, &mut effects)?;
            self.look_anew(&mut steps, &mut effects)?;
        }
        Ok(effects)
    }

    fn find_parents(&self, changes: &[Change<E>], steps: &mut Steps<E>) -> Result<(), SpillError> {
        let Ripples {
            plan,
            index,
            sections,
            received,
        } = self.ripples;
        steps.parents.clear();
        for child in changes {
            let before = child.before.turned();
            let now = self
                .children
                .entry(child.section, child.line, child.row)?
                .turned();
            let most = received[usize::from(index.seeds() - child.section)][child.row as usize];
            // Those that send fewer seeds come last.
            for source in sections[usize::from(child.section)]
                .of(child.line)
                .iter()
                .rev()
            {
                if source.seeds - child.section > most {
                    break;
                }
                let section = index.seeds() - source.seeds;
                let map = &plan.maps(section)[usize::from(source.map)];
                let Some(column) = column_to(map, child.row) else {
                    continue;
                };
                let Some(line) = plan.line(section, column) else {
                    continue;
                };
                self.parents.ask(section, line, source.row);
                steps.parents.push(Parent {
                    section,
                    line,
                    column,
                    row: source.row,
                    before,
                    now,
                });
            }
        }
        Ok(())
    }

    fn look_at_parents(
        &self,
        steps: &mut Steps<E>,
        effects: &mut Vec<Effect<E>>,
    ) -> Result<(), SpillError> {
        steps.doubts.clear();
        steps.children.clear();
        for (number, parent) in (0..).zip(&steps.parents) {
            // A better move is the best there is. Where the best move has become
            // worse, all must be looked at; any other change changes nothing.
            let entry = self
                .parents
                .entry(parent.section, parent.line, parent.row)?;
            if parent.now > entry {
                effects.push(parent.becomes(parent.now, entry));
            } else if parent.before == entry && parent.before != parent.now {
                self.find_children(parent, &mut steps.children);
                steps.doubts.push(Doubt {
                    parent: number,
                    children_end: steps.children.len() as u32,
                });
            }
        }
        Ok(())
    }

    /// Finds the boards that a board has quiet moves to.
    fn find_children(&self, parent: &Parent<E>, children: &mut Vec<(u8, u32, u32)>) {
        let Ripples { plan, index, .. } = self.ripples;
        let maps = plan.maps(parent.section);
        let moves = &plan.row_moves(index.seeds() - parent.section)[parent.row as usize];
        for m in moves.as_slice() {
            if let Some(entry) = entry_from(&maps[usize::from(m.map)], parent.column) {
                self.children.ask(m.seeds, m.line, entry);
                children.push((m.seeds, m.line, entry));
            }
        }
        self.best.ask(parent.section, parent.line, parent.row);
    }

    fn look_anew(
        &self,
        steps: &mut Steps<E>,
        effects: &mut Vec<Effect<E>>,
    ) -> Result<(), SpillError> {
        let mut start = 0;
        for doubt in &steps.doubts {
            let parent = &steps.parents[doubt.parent as usize];
            let children = &steps.children[start..doubt.children_end as usize];
            start = doubt.children_end as usize;
            let best = self.best.entry(parent.section, parent.line, parent.row)?;
            let mut after = E::leaving(best);
            for &(section, line, row) in children {
                after = after.max(self.children.entry(section, line, row)?.turned());
            }
            // In doubt because it was worth what the move was worth before.
            let entry = parent.before;
            if after != entry {
                effects.push(parent.becomes(after, entry));
            }
        }
        Ok(())
    }
}

impl<E: Entry> Parent<E> {
    fn becomes(&self, after: E, before: E) -> Effect<E> {
        Effect {
            parent: Change {
                section: self.section,
                line: self.line,
                row: self.row,
                before,
            },
            after,
        }
    }
}

/// The most seeds that a quiet sowing can have sent into a row that is now so:
/// they lie in its first pits, and no limit is known once all pits hold some.
fn most_received(row: &Row) -> u8 {
    match row.iter().position(|&seeds| seeds == 0) {
        Some(pits) => pits as u8,
        None => u8::MAX,
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
