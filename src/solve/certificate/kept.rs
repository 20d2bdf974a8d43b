//! The quiet moves that keep the number of a board. When few numbers wait to be founded, these are
//! noted once, and no number is read any more.

use super::given::Marked;
use super::pass::{CAPTURES, Meetings, Pass, WHOLE};
use super::quantities::CheckedQuantity;
use super::scan::Scan;
use super::sowing::LineMove;
use crate::index::Location;
use crate::rules::{Board, Step};

/// The quiet moves that keep the number of a board: a bit for each move of the mover's row, or
/// for each pit if the whole board decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct KeptMoves(u8);

const WHOLE_BOARD: u8 = 0x40;
/// All of them have to be founded, not one.
const EVERY: u8 = 0x80;

impl KeptMoves {
    /// Those of a board in a chunk.
    pub fn of_board(
        quantity: &CheckedQuantity,
        scan: &Scan<'_>,
        own: i8,
        rank: usize,
        line: usize,
    ) -> KeptMoves {
        let need = match quantity.needs_one_move(own) {
            true => 0,
            false => EVERY,
        };
        let mut kept = need;
        for (number, m) in scan.moves(rank).iter().enumerate() {
            match scan.meetings.quiet(scan.pass, m, line) {
                CAPTURES => {}
                WHOLE => {
                    let pits = KeptMoves::of_whole(quantity, scan, own, &scan.board(line, rank));
                    return KeptMoves(need | WHOLE_BOARD | pits);
                }
                rank => {
                    let children = scan.here.line(quantity.children, m.section, m.line);
                    let child = Marked::load(&children[rank as usize]).get();
                    kept |= u8::from(-child == own) << number;
                }
            }
        }
        KeptMoves(kept)
    }

    /// The pits of those of a board, by the plain rules.
    fn of_whole(quantity: &CheckedQuantity, scan: &Scan<'_>, own: i8, board: &Board) -> u8 {
        let keeps = |step: &Step| {
            let child = scan.here.of_board(quantity.children, &step.board);
            step.value(Marked::load(child).get()) == own
        };
        let moves = scan.pass.rules.moves(board);
        let kept = scan.pass.quiet_steps(&moves).filter(keeps);
        kept.fold(0, |pits, step| pits | 1 << step.pit)
    }

    fn has(self, number: u8) -> bool {
        self.0 >> number & 1 == 1
    }

    /// Whether they found a number of a board of a chunk with these lines, if `is_founded` says
    /// which children are.
    pub fn found(
        self,
        pass: &Pass<'_>,
        lines: &Meetings,
        section: u8,
        [rank, line]: [usize; 2],
        is_founded: impl Fn(Location) -> bool,
    ) -> bool {
        let Pass { index, rows, .. } = pass;
        let every = self.0 & EVERY != 0;
        let of_mover = index.seeds() - section;
        if self.0 & WHOLE_BOARD != 0 {
            let board = lines.board(of_mover, rank, line);
            let moves = pass.rules.moves(&board);
            let mut steps = pass.quiet_steps(&moves).filter(|step| self.has(step.pit));
            let is_founded = |step: Step| {
                let at = index.locate(&step.board);
                is_founded(at.expect("moves lead to indexed boards"))
            };
            return match every {
                true => steps.all(is_founded),
                false => steps.any(is_founded),
            };
        }
        let moves = (0..).zip(rows.moves(of_mover, rank));
        let mut moves = moves.filter(|&(number, _)| self.has(number));
        let is_founded = |(_, m): (u8, &LineMove)| {
            is_founded(Location {
                section: m.section,
                line: m.line,
                rank: lines.quiet(pass, m, line),
            })
        };
        match every {
            true => moves.all(is_founded),
            false => moves.any(is_founded),
        }
    }
}
