//! Foundation: the proof of values without distances, of bounds, and of everything that endless
//! play by row decides.
//!
//! A number that endless play gives by itself needs no proof. Any other is founded by one move
//! that keeps it and is a conversion or leads to a founded number, or by every such move,
//! depending on the player who secures it. Where loops count by row, numbers are also founded
//! together, if the play can stay among them on boards that are good enough. A number that is
//! never founded rests on a loop that does not give it. `docs/internals/proof.md` has the argument.
//!
//! The passes before have marked what conversions attain. So only quiet moves are left to look
//! at, and from then on marks say which numbers are founded.

use std::ops::Range;

use rayon::prelude::*;

use super::board_set::BoardSet;
use super::failure::{Failure, Flaw, Report};
use super::given::{Given, Marked};
use super::kept::KeptMoves;
use super::needs::Reads;
use super::pass::{Meetings, Pass};
use super::quantities::CheckedQuantity;
use super::scan::Here;
use super::tasks::{Task, count};
use super::walk::Walk;
use crate::index::Location;
use crate::rules::Board;
use crate::solve::error::SolveError;
use crate::solve::observer::Stopped;
use crate::solve::panel::pairs_twice;
use crate::solve::spill::{Buffer, SpillError};

/// If fewer than one in so many numbers wait, the moves that keep them are noted.
const FEW_WAIT: usize = 8;

/// Visits all boards until nothing more can be founded; reports those that remain. The
/// quantities of the group depend on one another.
pub(super) fn found(
    pass: &Pass<'_>,
    arrays: &mut [&mut Given],
    group: &[CheckedQuantity],
    most: usize,
) -> Result<Report, SolveError> {
    let places: Vec<usize> = group.iter().map(|quantity| quantity.entries).collect();
    let mut foundation = Foundation {
        pass,
        group,
        places: &places,
        arrays,
        tasks: Vec::new(),
        rounds: 0,
    };
    foundation.begin()?;
    loop {
        foundation.by_moves()?;
        if foundation.waiting() == 0 {
            return Ok(Report::default());
        }
        if foundation.by_staying()? == 0 {
            return Ok(report(pass, foundation.arrays, group, most)?);
        }
    }
}

/// A foundation at work.
struct Foundation<'a, 'g> {
    pass: &'a Pass<'a>,
    group: &'a [CheckedQuantity],
    /// The arrays of the quantities, by their places.
    places: &'a [usize],
    arrays: &'a mut [&'g mut Given],
    /// One for each chunk of the layer.
    tasks: Vec<Task>,
    /// Rounds so far.
    rounds: u32,
}

/// Numbers of a task.
type Sets = fn(&Task) -> &[BoardSet];

impl Foundation<'_, '_> {
    /// Founds what needs no quiet move.
    fn begin(&mut self) -> Result<(), SolveError> {
        let (index, group) = (self.pass.index, self.group);
        self.each_task(|here, task| {
            task.begin(here, group);
            let boards = task.chunk.lines * index.section_width(task.chunk.section);
            let numbers = group.len() * boards;
            here.pass
                .observer
                .advance((numbers - count(&task.waiting)) as u64)?;
            Ok(numbers as u64)
        })?;
        Ok(())
    }

    /// How many numbers wait.
    fn waiting(&self) -> usize {
        self.tasks.iter().map(|task| count(&task.waiting)).sum()
    }

    /// Founds numbers by their moves until a round founds none.
    fn by_moves(&mut self) -> Result<(), SolveError> {
        let group = self.group;
        let numbers = group.len() * self.pass.index.len() as usize;
        let few = (self.pass.pool_bytes / 2).min((numbers / FEW_WAIT) as u64) as usize;
        self.rounds(
            |task| &task.waiting,
            few,
            |here, task| {
                let founded = task.found(here, group);
                here.pass.observer.advance(founded)?;
                Ok(founded)
            },
        )?;
        let waiting = self.waiting();
        if waiting == 0 || waiting > few {
            return Ok(());
        }
        self.note_kept_moves(waiting)?;
        let (rounds, observer) = (&mut self.rounds, self.pass.observer);
        found_kept(self.pass, group, &mut self.tasks, |founded| {
            *rounds += 1;
            observer.swept(*rounds, founded);
        })?;
        if self.waiting() > 0 {
            // Whoever comes next reads marks.
            self.each_task(|here, task| Ok(task.mark_founded(here, group)))?;
        }
        Ok(())
    }

    /// Notes which moves keep the numbers that wait.
    fn note_kept_moves(&mut self, waiting: usize) -> Result<(), SolveError> {
        let group = self.group;
        let reads = Reads {
            own: self.places,
            children: self.places,
            ..Reads::default()
        };
        let sections = 0..=self.pass.index.seeds();
        let mut walk = Walk::new(self.pass, self.arrays, reads, sections, false)?;
        walk.reserve(waiting as u64);
        for task in &mut self.tasks {
            // Lists that grew would take twice what was reserved.
            let waiting = task.waiting.iter();
            task.kept = waiting.map(|set| Vec::with_capacity(set.count())).collect();
        }
        for step in 0..walk.steps() {
            self.step(
                &mut walk,
                step,
                |task| &task.waiting,
                |here, task| {
                    here.pass.observer.advance(0)?;
                    task.note_kept_moves(here, group);
                    Ok(0)
                },
            )?;
        }
        walk.finish()
    }

    /// Founds together the numbers among which the play can stay, and counts them: the most
    /// that bear each other out. They are marked at first, and those that others do not bear
    /// out are removed until a round removes none.
    fn by_staying(&mut self) -> Result<u64, SolveError> {
        let group = self.group;
        self.each_task(|here, task| Ok(task.mark_staying(here, group)))?;
        self.rounds(
            |task| &task.staying,
            0,
            |here, task| Ok(task.remove_staying(here, group)),
        )?;
        self.each_task(|here, task| {
            let founded = task.found_staying(here, group);
            here.pass.observer.advance(founded)?;
            Ok(founded)
        })
    }

    /// Does something to each task that needs the numbers of its own boards alone. It returns how
    /// many numbers it has changed; counts these.
    fn each_task(
        &mut self,
        change: impl Fn(&Here<'_>, &mut Task) -> Result<u64, Stopped> + Sync,
    ) -> Result<u64, SolveError> {
        let reads = Reads {
            own: self.places,
            written: self.places,
            ..Reads::default()
        };
        let sections = 0..=self.pass.index.seeds();
        let mut walk = Walk::new(self.pass, self.arrays, reads, sections, false)?;
        if self.tasks.is_empty() {
            let chunks = walk.chunks().iter().enumerate();
            let tasks = chunks.map(|(number, &chunk)| Task {
                number,
                chunk,
                waiting: Vec::new(),
                staying: Vec::new(),
                kept: Vec::new(),
            });
            self.tasks = tasks.collect();
        }
        let mut changed = 0;
        for step in 0..walk.steps() {
            let tasks = &mut self.tasks[walk.chunks_of(step)];
            changed += walk.step(step, None, self.arrays, |here| {
                change_all(here, tasks, &change)
            })?;
        }
        walk.finish()?;
        Ok(changed)
    }

    /// Does something to each task that has such numbers, again and again, until a round
    /// changes nothing, or no more than `few` are left. It returns how many numbers it has changed.
    fn rounds(
        &mut self,
        sets: Sets,
        few: usize,
        change: impl Fn(&Here<'_>, &mut Task) -> Result<u64, Stopped> + Sync,
    ) -> Result<(), SolveError> {
        let reads = Reads {
            own: self.places,
            written: self.places,
            children: self.places,
            ..Reads::default()
        };
        let sections = pairs_twice(self.pass.index.seeds());
        let mut walk = Walk::new(self.pass, self.arrays, reads, sections, true)?;
        loop {
            let left: usize = self.tasks.iter().map(|task| count(sets(task))).sum();
            if left <= few {
                return walk.finish();
            }
            let mut changed = 0;
            for step in 0..walk.steps() {
                changed += self.step(&mut walk, step, sets, &change)?;
            }
            self.rounds += 1;
            self.pass.observer.swept(self.rounds, changed);
            if changed == 0 {
                return walk.finish();
            }
        }
    }

    /// Does something to the tasks of a step that have such numbers in its mover's rows, unless no
    /// child of these has changed since.
    fn step(
        &mut self,
        walk: &mut Walk<'_>,
        step: usize,
        sets: Sets,
        change: impl Fn(&Here<'_>, &mut Task) -> Result<u64, Stopped> + Sync,
    ) -> Result<u64, SolveError> {
        let tasks = &self.tasks;
        let has_any = |number: usize, rows: Range<usize>| {
            let mut sets = sets(&tasks[number]).iter();
            sets.any(|set| set.count_of(rows.clone()) > 0)
        };
        let chunks = walk.chunks_of(step);
        let numbers = chunks.clone();
        let numbers = numbers.filter(|&number| has_any(number, walk.rows_of(step, number)));
        let numbers: Vec<usize> = numbers.collect();
        let Some(&first) = numbers.first() else {
            return Ok(0);
        };
        let waits = |&rank: &usize| {
            numbers
                .iter()
                .any(|&number| has_any(number, rank..rank + 1))
        };
        let rows = walk.rows_of(step, first).filter(waits);
        let Some(needed) = walk.needed_now(step, rows, numbers.iter().copied()) else {
            return Ok(0);
        };
        let tasks = &mut self.tasks[chunks];
        walk.step(step, Some(needed), self.arrays, |here| {
            change_all(here, tasks, change)
        })
    }
}

/// Does something to some tasks, on all threads. It returns how many numbers it has changed;
/// counts these.
fn change_all(
    here: &Here<'_>,
    tasks: &mut [Task],
    change: impl Fn(&Here<'_>, &mut Task) -> Result<u64, Stopped> + Sync,
) -> Result<u64, Stopped> {
    let of_tasks = tasks.par_iter_mut().map(|task| {
        let changed = change(here, task)?;
        if changed > 0 {
            here.changes(task.number);
        }
        Ok(changed)
    });
    of_tasks.try_reduce(|| 0, |one, other| Ok(one + other))
}

/// The numbers that wait, by chunk, and the chunks of each section.
struct Waiting<'a> {
    pass: &'a Pass<'a>,
    group: &'a [CheckedQuantity],
    tasks: &'a [Task],
    sections: Vec<&'a [Task]>,
}

impl Waiting<'_> {
    /// Whether a number of the group is founded, of a board of the layer.
    fn is_founded(&self, number: usize, at: Location) -> bool {
        let of_section = self.sections[usize::from(at.section)];
        let line = at.line as usize;
        let next = of_section.partition_point(|task| task.chunk.first <= line);
        let task = &of_section[next - 1];
        !task.waiting[number].has(at.rank as usize, line - task.chunk.first)
    }

    /// Founds what can be founded of a task, with the kept moves of its numbers that wait. Counts
    /// it.
    fn found(&self, task: &Task, kept: &mut [Vec<KeptMoves>]) -> u64 {
        if task.waiting.iter().all(|set| set.count() == 0) {
            return 0;
        }
        let lines = Meetings::of_boards(self.pass, task.chunk);
        let section = task.chunk.section;
        let width = self.pass.index.section_width(section);
        let mut founded = 0;
        for ((number, set), kept) in task.waiting.iter().enumerate().zip(kept) {
            let children = self.group[number].children;
            let children = self
                .group
                .iter()
                .position(|child| child.entries == children);
            let children = children.expect("the children are in the group");
            // Those that still wait move to the front.
            let (mut next, mut waits) = (0, 0);
            for rank in 0..width {
                set.retain(rank, |line| {
                    let moves = kept[next];
                    next += 1;
                    let at = [rank, line];
                    let is_founded = moves.found(self.pass, &lines, section, at, |child| {
                        self.is_founded(children, child)
                    });
                    if !is_founded {
                        kept[waits] = moves;
                        waits += 1;
                    }
                    !is_founded
                });
            }
            founded += next - waits;
            kept.truncate(waits);
        }
        founded as u64
    }
}

/// Founds numbers by the noted moves that keep them until a round founds none; `after` gets what each
/// round has founded.
fn found_kept(
    pass: &Pass<'_>,
    group: &[CheckedQuantity],
    tasks: &mut [Task],
    mut after: impl FnMut(u64),
) -> Result<(), Stopped> {
    let mut kept: Vec<Vec<Vec<KeptMoves>>> = Vec::new();
    kept.extend(tasks.iter_mut().map(|task| std::mem::take(&mut task.kept)));
    let tasks = &*tasks;
    let of_section = |section| {
        let start = tasks.partition_point(|task| task.chunk.section < section);
        let end = tasks.partition_point(|task| task.chunk.section <= section);
        &tasks[start..end]
    };
    let waiting = Waiting {
        pass,
        group,
        tasks,
        sections: (0..=pass.index.seeds()).map(of_section).collect(),
    };
    loop {
        let of_tasks = waiting.tasks.par_iter().zip(&mut kept).map(|(task, kept)| {
            let founded = waiting.found(task, kept);
            pass.observer.advance(founded)?;
            Ok(founded)
        });
        let founded = of_tasks.try_reduce(|| 0, |one, other| Ok(one + other))?;
        after(founded);
        if founded == 0 {
            return Ok(());
        }
    }
}

impl CheckedQuantity {
    /// A number that was not founded.
    fn failure(
        &self,
        pass: &Pass<'_>,
        arrays: &[&mut Given],
        board: Board,
        own: i8,
    ) -> Result<Failure, SpillError> {
        let moves = pass.rules.moves(&board);
        for step in pass.quiet_steps(&moves) {
            let (child, is_founded) = arrays[self.children].quantity_of(&step.board)?.both();
            if step.value(child) == own && !is_founded {
                return Ok(Failure {
                    board,
                    aspect: self.quantity.into(),
                    stored: own.into(),
                    flaw: Flaw::Unfounded {
                        pit: step.pit,
                        board: step.board,
                    },
                });
            }
        }
        unreachable!("an unfounded board waits")
    }
}

/// The boards that remain.
fn report(
    pass: &Pass<'_>,
    arrays: &[&mut Given],
    group: &[CheckedQuantity],
    most: usize,
) -> Result<Report, SpillError> {
    let mut report = Report::default();
    let Some(first) = group.first() else {
        return Ok(report);
    };
    for range in arrays[first.entries].entries().ranges() {
        let mut unfounded = Vec::new();
        for (number, quantity) in group.iter().enumerate() {
            let mut buffer = Buffer::empty();
            let entries = arrays[quantity.entries].entries();
            let entries = entries.read(range.clone(), &mut buffer)?;
            for (i, &byte) in range.clone().zip(entries) {
                let (own, is_founded) = Marked::from(byte).both();
                if !is_founded {
                    unfounded.push((i, number, own));
                }
            }
        }
        unfounded.sort_unstable();
        for of_board in unfounded.chunk_by(|one, other| one.0 == other.0) {
            report.boards += 1;
            for &(i, number, own) in of_board {
                if report.failures.len() < most {
                    let board = pass.index.board(i as u64);
                    let failure = group[number].failure(pass, arrays, board, own)?;
                    report.failures.push(failure);
                }
            }
        }
    }
    Ok(report)
}
