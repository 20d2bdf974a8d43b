//! Foundation: the proof of values without distances, and of bounds.
//!
//! A number that equals the value of endless play needs no proof. A higher one is
//! founded by one move that keeps it and is a conversion or leads to a founded number;
//! a lower one when every move that keeps it does. A number that is never founded rests
//! on a loop alone. `docs/proof.md` has the argument.
//!
//! The passes before have founded what conversions found. So only quiet moves are left to
//! look at, and marks say which numbers are founded.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::entries::{Entries, MarkedEntry};
use super::failure::{Failure, Flaw, Report};
use super::lines::{CAPTURES, Chunk, WHOLE};
use super::pass::{Pass, Scan};
use super::rows::RowMove;
use super::waiting::Waiting;
use crate::rules::{Board, Quantity, Step};

/// A quantity of the layer, whose entries all agree with their moves, while it is founded.
#[derive(Clone, Copy)]
pub(super) struct ToFound<'a> {
    pub quantity: Quantity,
    pub entries: &'a Entries,
    /// The quantity of the boards that quiet moves lead to.
    pub children: &'a Entries,
}

/// What must be founded for a number to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    /// The number is the value of endless play.
    Nothing,
    /// The mover gets more than that: one move is enough.
    OneMove,
    /// The mover gets less than that: no move that keeps the number may escape.
    EveryMove,
}

/// The numbers of a chunk's boards to found.
struct Task {
    chunk: Chunk,
    /// By quantity.
    waiting: Vec<Waiting>,
}

impl Task {
    fn count(&self) -> usize {
        self.waiting.iter().map(Waiting::count).sum()
    }
}

/// With fewer numbers than this, working out what their own moves do is faster than working out
/// what each crossing does to all lines of the chunk.
const FEW: usize = 1 << 11;

/// If fewer than one in `SPARSE` boards of a mover's row wait, looking at them one by one is
/// faster than looking at all of them together.
const SPARSE: usize = 3;

/// The value of endless play.
pub(super) fn endless(quantity: Quantity, seeds: u8) -> i8 {
    match quantity {
        Quantity::Lower => -seeds.cast_signed(),
        Quantity::Upper => seeds.cast_signed(),
        Quantity::Value => 0,
    }
}

impl Need {
    fn of(quantity: Quantity, own: i8, seeds: u8) -> Need {
        match own.cmp(&endless(quantity, seeds)) {
            Ordering::Equal => Need::Nothing,
            Ordering::Greater => Need::OneMove,
            Ordering::Less => Need::EveryMove,
        }
    }
}

/// Visits all boards until a round founds none; reports those that remain. The quantities
/// of the group depend on one another.
pub(super) fn found(pass: Pass<'_>, group: &[ToFound<'_>], most: usize) -> Report {
    let chunks = Chunk::all(pass.index, 0..=pass.index.seeds());
    let tasks = chunks.into_par_iter().map(|chunk| {
        let own = |quantity: &ToFound<'_>| {
            let own = chunk.own(pass.index, quantity.entries.section(chunk.section));
            Waiting::new(own, chunk.lines)
        };
        let waiting = group.iter().map(own).collect();
        Task { chunk, waiting }
    });
    let mut tasks: Vec<Task> = tasks.collect();
    for quantity in group {
        pass.observer.advance(quantity.entries.count_marked());
    }
    for round in 1.. {
        let founded = tasks.par_iter_mut().map(|task| {
            let founded = task.visit(pass, group);
            pass.observer.advance(founded);
            founded
        });
        let founded = founded.sum();
        tasks.retain(|task| task.count() > 0);
        pass.observer.swept(round, founded);
        if founded == 0 {
            break;
        }
    }
    match tasks.is_empty() {
        true => Report::default(),
        false => report(pass, group, most),
    }
}

impl Task {
    /// Founds what can be founded and counts it.
    fn visit(&mut self, pass: Pass<'_>, group: &[ToFound<'_>]) -> u64 {
        let before = self.count();
        let scan = match before < FEW {
            true => Scan::of_boards(pass, self.chunk),
            false => Scan::new(pass, self.chunk),
        };
        let mut row = RowOfBoards::new(self.chunk.lines);
        for (quantity, waiting) in group.iter().zip(&mut self.waiting) {
            let own = scan.own(quantity.entries.section(self.chunk.section));
            for rank in 0..scan.width {
                let count = waiting.count_of(rank);
                if count == 0 {
                    continue;
                }
                let all_together = before >= FEW && count * SPARSE >= self.chunk.lines;
                if all_together {
                    row.look_for(quantity, &scan, own, rank);
                }
                let moves = pass.rows.moves(scan.of_mover, rank);
                waiting.retain(rank, |line| {
                    let entry = &own[line * scan.width + rank];
                    let founded = match all_together {
                        true => row.is_founded(quantity, entry, line),
                        false => quantity.is_founded(&scan, entry, moves, line),
                    };
                    let founded = founded.unwrap_or_else(|| {
                        quantity.is_founded_plain(pass, entry, &scan.board(line, rank))
                    });
                    if founded {
                        entry.set(entry.get(), true);
                    }
                    !founded
                });
            }
        }
        (before - self.count()) as u64
    }
}

/// The boards of one mover's row in a chunk, by line: whether a quiet move leads to what
/// decides.
///
/// A number that needs one move is founded by a move to the same number, founded, from the
/// opponent's side. One that needs every move is not, as long as a move leads to that number,
/// not founded. So in either case one byte is looked for among the children.
struct RowOfBoards {
    wanted: Vec<u8>,
    is_found: Vec<bool>,
    is_whole: Vec<bool>,
}

impl RowOfBoards {
    fn new(lines: usize) -> RowOfBoards {
        RowOfBoards {
            wanted: vec![0; lines],
            is_found: vec![false; lines],
            is_whole: vec![false; lines],
        }
    }

    /// Looks at the moves of all boards of the row that wait. Without branches that depend on
    /// the boards, which the processor could not guess.
    fn look_for(
        &mut self,
        quantity: &ToFound<'_>,
        scan: &Scan<'_>,
        own: &[MarkedEntry],
        rank: usize,
    ) {
        let seeds = scan.pass.index.seeds();
        for (entry, wanted) in own[rank..].iter().step_by(scan.width).zip(&mut self.wanted) {
            *wanted = quantity.wanted(entry.get(), seeds);
        }
        self.is_found.fill(false);
        scan.find_whole(rank, &mut self.is_whole);
        for m in scan.pass.rows.moves(scan.of_mover, rank) {
            let children = scan.child_line(quantity.children, m.section, m.line);
            let ranks = &scan.lines.crossed(m.crossing()).quiet;
            for ((&rank, &wanted), is_found) in
                ranks.iter().zip(&self.wanted).zip(&mut self.is_found)
            {
                // Other moves than quiet ones have no rank in the line.
                let rank = rank as usize;
                let is_quiet = rank < children.len();
                let child = &children[if is_quiet { rank } else { 0 }];
                *is_found |= is_quiet & (child.byte() == wanted);
            }
        }
    }

    /// Whether a waiting number is founded by what was found; `None` if the plain rules have
    /// to be asked.
    fn is_founded(&self, quantity: &ToFound<'_>, entry: &MarkedEntry, line: usize) -> Option<bool> {
        let need = Need::of(quantity.quantity, entry.get(), quantity.entries.seeds());
        (!self.is_whole[line]).then(|| self.is_found[line] == (need == Need::OneMove))
    }
}

impl ToFound<'_> {
    /// The byte of a child that decides about a number.
    #[inline(always)]
    fn wanted(&self, own: i8, seeds: u8) -> u8 {
        let need = Need::of(self.quantity, own, seeds);
        MarkedEntry::encode(-own, need == Need::OneMove)
    }

    /// Whether a waiting number is founded by its board's quiet moves; `None` if the plain
    /// rules have to be asked.
    #[inline(always)]
    fn is_founded(
        &self,
        scan: &Scan<'_>,
        entry: &MarkedEntry,
        moves: &[RowMove],
        line: usize,
    ) -> Option<bool> {
        let own = entry.get();
        let need = Need::of(self.quantity, own, scan.pass.index.seeds());
        let wanted = self.wanted(own, scan.pass.index.seeds());
        for m in moves {
            match scan.lines.quiet(m.crossing(), line) {
                CAPTURES => {}
                WHOLE => return None,
                rank => {
                    let child = &scan.child_line(self.children, m.section, m.line)[rank as usize];
                    if child.byte() == wanted {
                        return Some(need == Need::OneMove);
                    }
                }
            }
        }
        Some(need != Need::OneMove)
    }

    /// As [`ToFound::is_founded`], by the plain rules.
    fn is_founded_plain(&self, pass: Pass<'_>, entry: &MarkedEntry, board: &Board) -> bool {
        let own = entry.get();
        let moves = pass.rules.moves(board);
        let mut keeping = pass
            .quiet_steps(&moves)
            .filter(|step| self.keeps(step, own));
        let is_founded = |step: Step| self.children.of_board(&step.board).both().1;
        match Need::of(self.quantity, own, pass.index.seeds()) {
            Need::Nothing => true,
            Need::OneMove => keeping.any(is_founded),
            Need::EveryMove => keeping.all(is_founded),
        }
    }

    /// Whether a quiet move keeps the number `own`.
    fn keeps(&self, step: &Step, own: i8) -> bool {
        step.value(self.children.of_board(&step.board).get()) == own
    }

    /// A number that was not founded.
    fn failure(&self, pass: Pass<'_>, board: Board) -> Failure {
        let own = self.entries.of_board(&board).get();
        let moves = pass.rules.moves(&board);
        let mut keeping = pass
            .quiet_steps(&moves)
            .filter(|step| self.keeps(step, own));
        let waits_for = keeping.find(|step| !self.children.of_board(&step.board).both().1);
        let step = waits_for.expect("an unfounded board waits");
        Failure {
            board,
            aspect: self.quantity.into(),
            stored: own.into(),
            flaw: Flaw::Unfounded {
                pit: step.pit,
                board: step.board,
            },
        }
    }
}

/// The boards that remain.
fn report(pass: Pass<'_>, group: &[ToFound<'_>], most: usize) -> Report {
    let mut report = Report::default();
    for i in 0..pass.index.len() {
        let at = pass.index.offset_at(i);
        let unfounded = group.iter().filter(|q| !q.entries.at(at).both().1);
        let mut fails = false;
        for quantity in unfounded {
            fails = true;
            if report.failures.len() < most {
                let failure = quantity.failure(pass, pass.index.board(i));
                report.failures.push(failure);
            }
        }
        report.boards += u64::from(fails);
    }
    report
}
