//! The work of a foundation on the boards of one chunk: which numbers wait, and which of them are
//! founded by the marks of their children.

use std::sync::atomic::AtomicU8;

use super::board_set::BoardSet;
use super::endless::Need;
use super::given::Marked;
use super::kept::KeptMoves;
use super::pass::{CAPTURES, LineRange, WHOLE};
use super::quantities::CheckedQuantity;
use super::scan::{Here, Scan};
use super::sowing::LineMove;
use crate::rules::{Board, Step};

/// The numbers of a chunk's boards to found, by quantity.
pub(super) struct Task {
    /// The number of the chunk in the walk.
    pub number: usize,
    pub chunk: LineRange,
    /// Those that are not founded.
    pub waiting: Vec<BoardSet>,
    /// Of those, the ones that are founded if the play can stay among them.
    pub staying: Vec<BoardSet>,
    /// The moves that keep those that wait, in the order of their sets, once they are few.
    pub kept: Vec<Vec<KeptMoves>>,
}

/// With fewer numbers than this, working out what their own moves do is faster than working out
/// what each crossing does to all lines of the chunk.
const FEW: usize = 1 << 11;

/// If fewer than one in `SPARSE` boards of a mover's row wait, looking at them one by one is
/// faster than looking at all of them together.
const SPARSE: usize = 3;

/// How many numbers there are in these sets.
pub(super) fn count(sets: &[BoardSet]) -> usize {
    sets.iter().map(BoardSet::count).sum()
}

impl Task {
    /// Replaces the marks of conversions by those of what is founded from the start.
    pub fn begin(&mut self, here: &Here<'_>, group: &[CheckedQuantity]) {
        let division = here.pass.division(self.chunk.section);
        let waiting = group.iter().map(|quantity| {
            let own = here.own(quantity.entries, self.chunk);
            let begin = |entry: &AtomicU8| !quantity.begin(entry, division);
            BoardSet::new(own, self.chunk.lines, begin)
        });
        self.waiting = waiting.collect();
    }

    /// Notes which moves keep the numbers that wait in the mover's rows of the step.
    pub fn note_kept_moves(&mut self, here: &Here<'_>, group: &[CheckedQuantity]) {
        let rows = here.rows(self.number);
        let mut scan = None;
        for ((quantity, set), kept) in group.iter().zip(&self.waiting).zip(&mut self.kept) {
            if set.count_of(rows.clone()) == 0 {
                // Then its piece may not be in memory.
                continue;
            }
            let own = here.own(quantity.entries, self.chunk);
            for rank in rows.clone() {
                set.for_each(rank, |line| {
                    let scan = scan.get_or_insert_with(|| here.scan_boards(self.number));
                    let own = Marked::load(&own[line * scan.width + rank]).get();
                    kept.push(KeptMoves::of_board(quantity, scan, own, rank, line));
                });
            }
        }
    }

    /// Marks the numbers that do not wait, and counts them all.
    pub fn mark_founded(&mut self, here: &Here<'_>, group: &[CheckedQuantity]) -> u64 {
        let lines = self.chunk.lines;
        for (quantity, set) in group.iter().zip(&self.waiting) {
            let own = here.own(quantity.entries, self.chunk);
            let width = own.len() / lines;
            for (place, entry) in own.iter().enumerate() {
                let waits = set.has(place % width, place / width);
                Marked::new(Marked::load(entry).get(), !waits).store(entry);
            }
        }
        lines as u64
    }

    /// Founds what can be founded and counts it.
    pub fn found(&mut self, here: &Here<'_>, group: &[CheckedQuantity]) -> u64 {
        visit(here, group, self.number, &self.waiting, |entry, is| {
            if is {
                Marked::new(Marked::load(entry).get(), true).store(entry);
            }
            !is
        })
    }

    /// Marks the numbers that are right if the play stays on such boards for ever, and counts
    /// them.
    pub fn mark_staying(&mut self, here: &Here<'_>, group: &[CheckedQuantity]) -> u64 {
        let division = here.pass.division(self.chunk.section);
        self.staying.clone_from(&self.waiting);
        for (quantity, staying) in group.iter().zip(&self.staying) {
            let own = here.own(quantity.entries, self.chunk);
            staying.retain_entries(own, |entry| {
                let own = Marked::load(entry).get();
                let stays = quantity.endless.may_stay(own, division);
                if stays {
                    Marked::new(own, true).store(entry);
                }
                stays
            });
        }
        count(&self.staying) as u64
    }

    /// Removes the numbers that the marks no longer bear out and counts them.
    pub fn remove_staying(&mut self, here: &Here<'_>, group: &[CheckedQuantity]) -> u64 {
        visit(
            here,
            group,
            self.number,
            &self.staying,
            |entry, is_founded| {
                if !is_founded {
                    Marked::new(Marked::load(entry).get(), false).store(entry);
                }
                is_founded
            },
        )
    }

    /// Founds the numbers that are left of those and counts them.
    pub fn found_staying(&mut self, here: &Here<'_>, group: &[CheckedQuantity]) -> u64 {
        let founded = count(&self.staying);
        self.staying.clear();
        if founded > 0 {
            for (quantity, waiting) in group.iter().zip(&self.waiting) {
                let own = here.own(quantity.entries, self.chunk);
                waiting.retain_entries(own, |entry| !Marked::load(entry).both().1);
            }
        }
        founded as u64
    }
}

/// Looks at numbers of a chunk; `stays` gets each entry and whether the marks found its number,
/// and returns whether the number stays in its set. Counts those that do not.
fn visit(
    here: &Here<'_>,
    group: &[CheckedQuantity],
    number: usize,
    sets: &[BoardSet],
    stays: impl Fn(&AtomicU8, bool) -> bool,
) -> u64 {
    let rows = here.rows(number);
    let before = count(sets);
    let to_visit: usize = sets.iter().map(|set| set.count_of(rows.clone())).sum();
    if to_visit == 0 {
        return 0;
    }
    let is_few = to_visit < FEW;
    let scan = if is_few {
        here.scan_boards(number)
    } else {
        here.scan(number)
    };
    let mut row = RowOfBoards::new(scan.chunk.lines);
    for (quantity, set) in group.iter().zip(sets) {
        let own = scan.own(quantity.entries);
        for rank in rows.clone() {
            let count = set.count_of(rank..rank + 1);
            if count == 0 {
                continue;
            }
            let all_together = !is_few && count * SPARSE >= scan.chunk.lines;
            if all_together {
                row.look_for(quantity, &scan, own, rank);
            }
            let moves = scan.moves(rank);
            set.retain(rank, |line| {
                let entry = &own[line * scan.width + rank];
                let is_founded = if all_together {
                    row.is_founded(quantity, Marked::load(entry), line)
                } else {
                    quantity.is_founded(&scan, Marked::load(entry), moves, line)
                };
                let is_founded = is_founded.unwrap_or_else(|| {
                    let board = scan.board(line, rank);
                    quantity.is_founded_plain(here, Marked::load(entry), &board)
                });
                stays(entry, is_founded)
            });
        }
    }
    (before - count(sets)) as u64
}

/// The boards of one mover's row in a chunk, by line: whether a quiet move leads to what
/// decides.
///
/// A number that needs one move is founded by a move to the same number, founded, from the
/// opponent's side. One that needs every move is not, as long as a move leads to that number,
/// not founded. So in either case one byte is looked for among the children.
struct RowOfBoards {
    wanted: Vec<Marked>,
    is_found: Vec<bool>,
    is_whole: Vec<bool>,
}

impl RowOfBoards {
    fn new(lines: usize) -> RowOfBoards {
        RowOfBoards {
            wanted: vec![Marked::new(0, false); lines],
            is_found: vec![false; lines],
            is_whole: vec![false; lines],
        }
    }

    /// Looks at the moves of all boards of the row that wait. Without branches that depend on
    /// the boards, which the processor could not guess.
    fn look_for(
        &mut self,
        quantity: &CheckedQuantity,
        scan: &Scan<'_>,
        own: &[AtomicU8],
        rank: usize,
    ) {
        for (entry, wanted) in own[rank..].iter().step_by(scan.width).zip(&mut self.wanted) {
            *wanted = quantity.wanted(Marked::load(entry).get());
        }
        self.is_found.fill(false);
        scan.find_whole(rank, &mut self.is_whole);
        for m in scan.moves(rank) {
            let children = scan.here.line(quantity.children, m.section, m.line);
            let ranks = scan.crossed(m).quiet.iter();
            for ((&rank, &wanted), is_found) in ranks.zip(&self.wanted).zip(&mut self.is_found) {
                // Other moves than quiet ones have no rank in the line.
                let rank = rank as usize;
                let is_quiet = rank < children.len();
                let child = &children[if is_quiet { rank } else { 0 }];
                *is_found |= is_quiet & (Marked::load(child) == wanted);
            }
        }
    }

    /// Whether the numbers founded so far found a waiting number; `None` if only the plain rules
    /// can tell.
    fn is_founded(&self, quantity: &CheckedQuantity, entry: Marked, line: usize) -> Option<bool> {
        let needs_one_move = quantity.needs_one_move(entry.get());
        (!self.is_whole[line]).then(|| self.is_found[line] == needs_one_move)
    }
}

impl CheckedQuantity {
    /// Replaces the mark of a conversion that attains the entry by that of a founded number;
    /// whether it is founded. Where every move has to be, conversions do no harm.
    fn begin(&self, entry: &AtomicU8, division: i8) -> bool {
        let (own, converts) = Marked::load(entry).both();
        let is_founded =
            self.endless.holds_at_once(own, division) || converts && self.needs_one_move(own);
        Marked::new(own, is_founded).store(entry);
        is_founded
    }

    /// The quantity and mark of a child that decide about a number.
    #[inline(always)]
    fn wanted(&self, own: i8) -> Marked {
        Marked::new(-own, self.needs_one_move(own))
    }

    /// Whether a waiting number is founded by its board's quiet moves; `None` if the plain
    /// rules have to be asked.
    #[inline(always)]
    fn is_founded(
        &self,
        scan: &Scan<'_>,
        entry: Marked,
        moves: &[LineMove],
        line: usize,
    ) -> Option<bool> {
        let own = entry.get();
        let needs_one_move = self.needs_one_move(own);
        let wanted = self.wanted(own);
        for m in moves {
            match scan.meetings.quiet(scan.pass, m, line) {
                CAPTURES => {}
                WHOLE => return None,
                rank => {
                    let children = scan.here.line(self.children, m.section, m.line);
                    if Marked::load(&children[rank as usize]) == wanted {
                        return Some(needs_one_move);
                    }
                }
            }
        }
        Some(!needs_one_move)
    }

    /// As [`CheckedQuantity::is_founded`], by the plain rules.
    fn is_founded_plain(&self, here: &Here<'_>, entry: Marked, board: &Board) -> bool {
        let own = entry.get();
        let moves = here.pass.rules.moves(board);
        let child = |step: &Step| Marked::load(here.of_board(self.children, &step.board)).both();
        let children = here
            .pass
            .quiet_steps(&moves)
            .map(|step| (step, child(&step)));
        let mut keeping = children.filter(|(step, (child, _))| step.value(*child) == own);
        match self.endless.need(own) {
            Need::OneMove => keeping.any(|(_, (_, is_founded))| is_founded),
            Need::EveryMove => keeping.all(|(_, (_, is_founded))| is_founded),
        }
    }
}
