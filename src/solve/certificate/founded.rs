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
use std::ops::Range;

use rayon::prelude::*;

use super::failure::{Failure, Flaw, Report};
use super::given::Marked;
use super::pass::{CAPTURES, LineRange, Pass, Scan, WHOLE};
use super::quantities::CheckedQuantity;
use super::sowing::LineMove;
use crate::rules::{Board, Step};

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
    chunk: LineRange,
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

/// Visits all boards until a round founds none; reports those that remain. The quantities
/// of the group depend on one another.
pub(super) fn found(pass: &Pass<'_>, group: &[CheckedQuantity<'_>], most: usize) -> Report {
    let task = |chunk: LineRange| {
        let waiting = group
            .iter()
            .map(|quantity| Waiting::new(chunk.entries(quantity.entries), chunk.lines));
        Task {
            chunk,
            waiting: waiting.collect(),
        }
    };
    let chunks = pass.chunks(0..=pass.index.seeds());
    let tasks = chunks
        .into_iter()
        .map(|chunks| chunks.into_par_iter().map(task).collect());
    let mut groups: Vec<Vec<Task>> = tasks.collect();
    for quantity in group {
        pass.observer.advance(quantity.entries.count_marked());
    }
    for round in 1.. {
        let mut founded = 0;
        for tasks in &mut groups {
            let of_tasks = tasks.par_iter_mut().map(|task| {
                let founded = task.visit(pass, group);
                pass.observer.advance(founded);
                founded
            });
            founded += of_tasks.sum::<u64>();
            tasks.retain(|task| task.count() > 0);
        }
        groups.retain(|tasks| !tasks.is_empty());
        pass.observer.swept(round, founded);
        if founded == 0 {
            break;
        }
    }
    if groups.is_empty() {
        Report::default()
    } else {
        report(pass, group, most)
    }
}

impl Task {
    /// Founds what can be founded and counts it.
    fn visit(&mut self, pass: &Pass<'_>, group: &[CheckedQuantity<'_>]) -> u64 {
        let before = self.count();
        let scan = if before < FEW {
            Scan::of_boards(pass, self.chunk)
        } else {
            Scan::new(pass, self.chunk)
        };
        let mut row = RowOfBoards::new(self.chunk.lines);
        for (quantity, waiting) in group.iter().zip(&mut self.waiting) {
            let own = self.chunk.entries(quantity.entries);
            for rank in 0..scan.width {
                let count = waiting.count_of(rank);
                if count == 0 {
                    continue;
                }
                let all_together = before >= FEW && count * SPARSE >= self.chunk.lines;
                if all_together {
                    row.look_for(quantity, &scan, own, rank);
                }
                let moves = scan.moves(rank);
                waiting.retain(rank, |line| {
                    let entry = &own[line * scan.width + rank];
                    let founded = if all_together {
                        row.is_founded(quantity, entry, line)
                    } else {
                        quantity.is_founded(&scan, entry, moves, line)
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
        quantity: &CheckedQuantity<'_>,
        scan: &Scan<'_>,
        own: &[Marked],
        rank: usize,
    ) {
        for (entry, wanted) in own[rank..].iter().step_by(scan.width).zip(&mut self.wanted) {
            *wanted = quantity.wanted(entry.get());
        }
        self.is_found.fill(false);
        scan.find_whole(rank, &mut self.is_whole);
        for m in scan.moves(rank) {
            let children = quantity.children.line(m.section, m.line);
            let ranks = scan.crossed(m).quiet.iter();
            for ((&rank, &wanted), is_found) in ranks.zip(&self.wanted).zip(&mut self.is_found) {
                // Other moves than quiet ones have no rank in the line.
                let rank = rank as usize;
                let is_quiet = rank < children.len();
                let child = &children[if is_quiet { rank } else { 0 }];
                *is_found |= is_quiet & (child.byte() == wanted);
            }
        }
    }

    /// Whether the numbers founded so far found a waiting number; `None` if only the plain rules
    /// can tell.
    fn is_founded(
        &self,
        quantity: &CheckedQuantity<'_>,
        entry: &Marked,
        line: usize,
    ) -> Option<bool> {
        let need = quantity.need(entry.get());
        (!self.is_whole[line]).then(|| self.is_found[line] == (need == Need::OneMove))
    }
}

impl CheckedQuantity<'_> {
    #[inline(always)]
    fn need(&self, own: i8) -> Need {
        match own.cmp(&self.endless()) {
            Ordering::Equal => Need::Nothing,
            Ordering::Greater => Need::OneMove,
            Ordering::Less => Need::EveryMove,
        }
    }

    /// The byte of a child that decides about a number.
    #[inline(always)]
    fn wanted(&self, own: i8) -> u8 {
        Marked::encode(-own, self.need(own) == Need::OneMove)
    }

    /// Whether a waiting number is founded by its board's quiet moves; `None` if the plain
    /// rules have to be asked.
    #[inline(always)]
    fn is_founded(
        &self,
        scan: &Scan<'_>,
        entry: &Marked,
        moves: &[LineMove],
        line: usize,
    ) -> Option<bool> {
        let own = entry.get();
        let needs_one_move = self.need(own) == Need::OneMove;
        let wanted = self.wanted(own);
        for m in moves {
            match scan.quiet(m, line) {
                CAPTURES => {}
                WHOLE => return None,
                rank => {
                    let child = &self.children.line(m.section, m.line)[rank as usize];
                    if child.byte() == wanted {
                        return Some(needs_one_move);
                    }
                }
            }
        }
        Some(!needs_one_move)
    }

    /// As [`CheckedQuantity::is_founded`], by the plain rules.
    fn is_founded_plain(&self, pass: &Pass<'_>, entry: &Marked, board: &Board) -> bool {
        let own = entry.get();
        let moves = pass.rules.moves(board);
        let mut keeping = pass
            .quiet_steps(&moves)
            .filter(|step| self.keeps(step, own));
        let is_founded = |step: Step| self.children.of_board(&step.board).both().1;
        match self.need(own) {
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
    fn failure(&self, pass: &Pass<'_>, board: Board) -> Failure {
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
fn report(pass: &Pass<'_>, group: &[CheckedQuantity<'_>], most: usize) -> Report {
    let mut report = Report::default();
    for i in 0..pass.index.len() {
        let unfounded = group.iter().filter(|q| !q.entries.at(i).both().1);
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

/// The boards of a chunk whose numbers are not founded yet: a bit for each board, by mover's
/// row and then by line.
struct Waiting {
    bits: Vec<u64>,
    count: usize,
    lines: usize,
}

const WORD: usize = u64::BITS as usize;

impl Waiting {
    /// The boards whose entries, line by line, are not marked.
    fn new(own: &[Marked], lines: usize) -> Waiting {
        let width = own.len() / lines;
        let mut bits = vec![0; own.len().div_ceil(WORD)];
        let mut count = 0;
        for rank in 0..width {
            for (line, entry) in own[rank..].iter().step_by(width).enumerate() {
                let board = rank * lines + line;
                let waits = !entry.both().1;
                bits[board / WORD] |= u64::from(waits) << (board % WORD);
                count += usize::from(waits);
            }
        }
        Waiting { bits, count, lines }
    }

    /// How many there are.
    fn count(&self) -> usize {
        self.count
    }

    /// How many there are of a mover's row.
    fn count_of(&self, rank: usize) -> usize {
        let count = |(word, mask): (usize, u64)| (self.bits[word] & mask).count_ones() as usize;
        self.words(rank).map(count).sum()
    }

    /// Keeps the boards of a mover's row that `waits` returns `true` for, given the line.
    #[inline(always)]
    fn retain(&mut self, rank: usize, mut waits: impl FnMut(usize) -> bool) {
        for (word, mask) in self.words(rank) {
            let mut left = self.bits[word] & mask;
            while left != 0 {
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                if !waits(word * WORD + bit - rank * self.lines) {
                    self.bits[word] &= !(1 << bit);
                    self.count -= 1;
                }
            }
        }
    }

    /// The words that the boards of a mover's row are in, each with a mask of them.
    fn words(&self, rank: usize) -> impl Iterator<Item = (usize, u64)> + use<> {
        let Range { start, end } = rank * self.lines..(rank + 1) * self.lines;
        (start / WORD..end.div_ceil(WORD)).map(move |word| {
            let first = word * WORD;
            let before = start.saturating_sub(first);
            let after = (first + WORD).saturating_sub(end);
            (word, u64::MAX << before & u64::MAX >> after)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_wait_until_they_are_not_retained() {
        for (lines, width) in [(1, 200), (3, 50), (64, 3), (100, 7), (130, 2)] {
            let waits = |rank: usize, line: usize| (rank * 7 + line * 5).is_multiple_of(3);
            let mut own = Vec::new();
            for line in 0..lines {
                own.extend((0..width).map(|rank| Marked::new(0, !waits(rank, line))));
            }
            let mut waiting = Waiting::new(&own, lines);
            let mut left = waiting.count();
            for rank in 0..width {
                let expected: Vec<_> = (0..lines).filter(|&line| waits(rank, line)).collect();
                assert_eq!(waiting.count_of(rank), expected.len());
                let mut visited = Vec::new();
                waiting.retain(rank, |line| {
                    visited.push(line);
                    line % 2 == 0
                });
                assert_eq!(visited, expected);
                let even = expected.iter().filter(|&line| line % 2 == 0).count();
                left -= expected.len() - even;
                assert_eq!((waiting.count(), waiting.count_of(rank)), (left, even));
            }
        }
    }
}
