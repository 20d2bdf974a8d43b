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
    /// Which of the quantities.
    group: usize,
    waiting: Waiting,
}

/// The boards of a chunk that may not be founded yet: a bit for each, by mover's row and then
/// by line.
struct Waiting {
    bits: Vec<u64>,
    count: usize,
}

impl Waiting {
    /// The boards whose entries, line by line, are not marked.
    fn new(own: &[MarkedEntry], lines: usize) -> Waiting {
        let width = own.len() / lines;
        let mut bits = vec![0; own.len().div_ceil(64)];
        let mut count = 0;
        for rank in 0..width {
            for (line, entry) in own[rank..].iter().step_by(width).enumerate() {
                let board = rank * lines + line;
                let waits = !entry.both().1;
                bits[board / 64] |= u64::from(waits) << (board % 64);
                count += usize::from(waits);
            }
        }
        Waiting { bits, count }
    }

    /// Keeps the boards that `waits` returns `true` for, given the rank of the mover's row and
    /// the line in a chunk of `lines` lines.
    #[inline(always)]
    fn retain(&mut self, lines: usize, mut waits: impl FnMut(usize, usize) -> bool) {
        for (word, bits) in self.bits.iter_mut().enumerate() {
            let mut left = *bits;
            while left != 0 {
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                let board = 64 * word + bit;
                if !waits(board / lines, board % lines) {
                    *bits &= !(1 << bit);
                    self.count -= 1;
                }
            }
        }
    }
}

/// With fewer boards, it takes less time to ask the plain rules than to work out what each
/// crossing does to the lines of the chunk.
const FEW: usize = 1 << 9;

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
    let tasks = chunks.into_par_iter().flat_map_iter(|chunk| {
        let scan = Scan::of_boards(pass, chunk);
        (0..group.len()).map(move |number| {
            let own = scan.own(group[number].entries.section(chunk.section));
            Task {
                chunk,
                group: number,
                waiting: Waiting::new(own, chunk.lines),
            }
        })
    });
    let mut tasks: Vec<Task> = tasks.collect();
    for quantity in group {
        pass.observer.advance(quantity.entries.count_marked());
    }
    for round in 1.. {
        let founded = tasks.par_iter_mut().map(|task| {
            let founded = group[task.group].visit(pass, task);
            pass.observer.advance(founded);
            founded
        });
        let founded = founded.sum();
        tasks.retain(|task| task.waiting.count > 0);
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

impl ToFound<'_> {
    /// Founds what can be founded of a task and counts it.
    fn visit(&self, pass: Pass<'_>, task: &mut Task) -> u64 {
        let Task { chunk, waiting, .. } = task;
        let before = waiting.count;
        let scan = match before < FEW {
            true => Scan::of_boards(pass, *chunk),
            false => Scan::new(pass, *chunk),
        };
        let own = scan.own(self.entries.section(chunk.section));
        waiting.retain(chunk.lines, |rank, line| {
            let entry = &own[line * scan.width + rank];
            !match before < FEW {
                true => self.found_plain(pass, entry, &scan.board(line, rank)),
                false => self.found(&scan, entry, line, rank),
            }
        });
        (before - waiting.count) as u64
    }

    /// Founds a board if its moves do.
    fn found(&self, scan: &Scan<'_>, entry: &MarkedEntry, line: usize, rank: usize) -> bool {
        let own = entry.get();
        let need = Need::of(self.quantity, own, scan.pass.index.seeds());
        let moves = scan.pass.rows.moves(scan.of_mover, rank);
        if scan.of_mover == 0 {
            return self.found_plain(scan.pass, entry, &scan.board(line, rank));
        }
        let mut is_founded = need != Need::OneMove;
        for m in moves {
            match scan.lines.crossed(m.crossing()).quiet[line] {
                CAPTURES => {}
                WHOLE => return self.found_plain(scan.pass, entry, &scan.board(line, rank)),
                rank => {
                    let child = &scan.child_line(self.children, m.section, m.line)[rank as usize];
                    let (number, child_is_founded) = child.both();
                    if -number == own && child_is_founded == (need == Need::OneMove) {
                        is_founded = child_is_founded;
                        break;
                    }
                }
            }
        }
        if is_founded {
            entry.set(own, true);
        }
        is_founded
    }

    /// As [`ToFound::found`], by the plain rules.
    fn found_plain(&self, pass: Pass<'_>, entry: &MarkedEntry, board: &Board) -> bool {
        let own = entry.get();
        let moves = pass.rules.moves(board);
        let mut keeping = pass
            .quiet_steps(&moves)
            .filter(|step| self.keeps(step, own));
        let is_founded = |step: Step| self.children.of_board(&step.board).both().1;
        let founded = match Need::of(self.quantity, own, pass.index.seeds()) {
            Need::Nothing => true,
            Need::OneMove => keeping.any(is_founded),
            Need::EveryMove => keeping.all(is_founded),
        };
        if founded {
            entry.set(own, true);
        }
        founded
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
