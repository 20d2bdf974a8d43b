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

use rayon::prelude::*;

use super::board_set::BoardSet;
use super::endless::Need;
use super::failure::{Failure, Flaw, Report};
use super::given::Marked;
use super::pass::{CAPTURES, LineRange, Pass, Scan, WHOLE};
use super::quantities::CheckedQuantity;
use super::sowing::LineMove;
use crate::rules::{Board, Step};
use crate::solve::observer::Stopped;

/// The numbers of a chunk's boards to found, by quantity.
struct Task {
    chunk: LineRange,
    /// Those that are not founded.
    waiting: Vec<BoardSet>,
    /// Of those, the ones that are founded if the play can stay among them.
    staying: Vec<BoardSet>,
}

/// With fewer numbers than this, working out what their own moves do is faster than working out
/// what each crossing does to all lines of the chunk.
const FEW: usize = 1 << 11;

/// If fewer than one in `SPARSE` boards of a mover's row wait, looking at them one by one is
/// faster than looking at all of them together.
const SPARSE: usize = 3;

/// Visits all boards until nothing more can be founded; reports those that remain. The
/// quantities of the group depend on one another.
pub(super) fn found(
    pass: &Pass<'_>,
    group: &[CheckedQuantity<'_>],
    most: usize,
) -> Result<Report, Stopped> {
    let mut foundation = Foundation::begin(pass, group)?;
    loop {
        foundation.by_moves()?;
        if foundation.is_complete() {
            return Ok(Report::default());
        }
        if foundation.by_staying()? == 0 {
            return Ok(report(pass, group, most));
        }
    }
}

/// A foundation at work.
struct Foundation<'a> {
    pass: &'a Pass<'a>,
    group: &'a [CheckedQuantity<'a>],
    /// The chunks that have numbers left. All of a group are visited at once.
    groups: Vec<Vec<Task>>,
    /// Rounds so far.
    rounds: u32,
}

impl<'a> Foundation<'a> {
    /// Founds what needs no quiet move.
    fn begin(
        pass: &'a Pass<'a>,
        group: &'a [CheckedQuantity<'a>],
    ) -> Result<Foundation<'a>, Stopped> {
        let task = |chunk: LineRange| {
            let task = Task::begin(pass, group, chunk);
            let numbers = group.len() * chunk.entries(group[0].entries).len();
            let founded = numbers - count(&task.waiting);
            pass.observer.advance(founded as u64)?;
            Ok(task)
        };
        let chunks = pass.chunks(0..=pass.index.seeds()).into_iter();
        let groups = chunks.map(|chunks| chunks.into_par_iter().map(task).collect());
        Ok(Foundation {
            pass,
            group,
            groups: groups.collect::<Result<_, Stopped>>()?,
            rounds: 0,
        })
    }

    fn is_complete(&self) -> bool {
        self.groups.is_empty()
    }

    /// Founds numbers by their moves until a round founds none.
    fn by_moves(&mut self) -> Result<(), Stopped> {
        let (pass, group) = (self.pass, self.group);
        loop {
            let founded = self.round(|task| {
                let founded = task.found(pass, group);
                pass.observer.advance(founded)?;
                Ok(founded)
            })?;
            if founded == 0 {
                return Ok(());
            }
        }
    }

    /// Founds together the numbers among which the play can stay, and counts them: the most
    /// that bear each other out. They are marked at first, and those that others do not bear
    /// out are removed until a round removes none.
    fn by_staying(&mut self) -> Result<u64, Stopped> {
        let (pass, group) = (self.pass, self.group);
        for tasks in &mut self.groups {
            let all = tasks.par_iter_mut();
            all.for_each(|task| task.mark_staying(pass, group));
        }
        while self.round(|task| Ok(task.remove_staying(pass, group)))? > 0 {}
        let founded = self.groups.iter_mut().map(|tasks| {
            let founded = tasks.par_iter_mut().map(|task| {
                let founded = task.found_staying(group);
                pass.observer.advance(founded)?;
                Ok(founded)
            });
            founded.try_reduce(|| 0, |one, other| Ok(one + other))
        });
        founded.sum()
    }

    /// Does something to each task, which returns how many numbers have changed, and counts
    /// these.
    fn round(
        &mut self,
        change: impl Fn(&mut Task) -> Result<u64, Stopped> + Sync,
    ) -> Result<u64, Stopped> {
        let mut changed = 0;
        for tasks in &mut self.groups {
            let of_tasks = tasks.par_iter_mut().map(&change);
            changed += of_tasks.try_reduce(|| 0, |one, other| Ok(one + other))?;
            tasks.retain(|task| count(&task.waiting) > 0);
        }
        self.groups.retain(|tasks| !tasks.is_empty());
        self.rounds += 1;
        self.pass.observer.swept(self.rounds, changed);
        Ok(changed)
    }
}

/// How many numbers there are in these sets.
fn count(sets: &[BoardSet]) -> usize {
    sets.iter().map(BoardSet::count).sum()
}

impl Task {
    /// Replaces the marks of conversions by those of what is founded from the start.
    fn begin(pass: &Pass<'_>, group: &[CheckedQuantity<'_>], chunk: LineRange) -> Task {
        let division = pass.division(chunk.section);
        let waiting = group.iter().map(|quantity| {
            let own = chunk.entries(quantity.entries);
            BoardSet::new(own, chunk.lines, |entry| !quantity.begin(entry, division))
        });
        Task {
            chunk,
            waiting: waiting.collect(),
            staying: Vec::new(),
        }
    }

    /// Founds what can be founded and counts it.
    fn found(&mut self, pass: &Pass<'_>, group: &[CheckedQuantity<'_>]) -> u64 {
        visit(pass, group, self.chunk, &mut self.waiting, |entry, is| {
            if is {
                entry.set(entry.get(), true);
            }
            !is
        })
    }

    /// Marks the numbers that are right if the play stays on such boards for ever.
    fn mark_staying(&mut self, pass: &Pass<'_>, group: &[CheckedQuantity<'_>]) {
        let division = pass.division(self.chunk.section);
        self.staying.clone_from(&self.waiting);
        for (quantity, staying) in group.iter().zip(&mut self.staying) {
            let own = self.chunk.entries(quantity.entries);
            staying.retain_entries(own, |entry| {
                let stays = quantity.endless.may_stay(entry.get(), division);
                if stays {
                    entry.set(entry.get(), true);
                }
                stays
            });
        }
    }

    /// Removes the numbers that the marks no longer bear out and counts them.
    fn remove_staying(&mut self, pass: &Pass<'_>, group: &[CheckedQuantity<'_>]) -> u64 {
        let staying = &mut self.staying;
        visit(pass, group, self.chunk, staying, |entry, is_founded| {
            if !is_founded {
                entry.set(entry.get(), false);
            }
            is_founded
        })
    }

    /// Founds the numbers that are left of those and counts them.
    fn found_staying(&mut self, group: &[CheckedQuantity<'_>]) -> u64 {
        let founded = count(&self.staying);
        self.staying.clear();
        if founded > 0 {
            for (quantity, waiting) in group.iter().zip(&mut self.waiting) {
                let own = self.chunk.entries(quantity.entries);
                waiting.retain_entries(own, |entry| !entry.both().1);
            }
        }
        founded as u64
    }
}

/// Looks at numbers of a chunk; `stays` gets each entry and whether the marks found its number,
/// and returns whether the number stays in its set. Counts those that do not.
fn visit(
    pass: &Pass<'_>,
    group: &[CheckedQuantity<'_>],
    chunk: LineRange,
    sets: &mut [BoardSet],
    stays: impl Fn(&Marked, bool) -> bool,
) -> u64 {
    let before = count(sets);
    if before == 0 {
        return 0;
    }
    let scan = if before < FEW {
        Scan::of_boards(pass, chunk)
    } else {
        Scan::new(pass, chunk)
    };
    let mut row = RowOfBoards::new(chunk.lines);
    for (quantity, set) in group.iter().zip(&mut *sets) {
        let own = chunk.entries(quantity.entries);
        for rank in 0..scan.width {
            let count = set.count_of(rank);
            if count == 0 {
                continue;
            }
            let all_together = before >= FEW && count * SPARSE >= chunk.lines;
            if all_together {
                row.look_for(quantity, &scan, own, rank);
            }
            let moves = scan.moves(rank);
            set.retain(rank, |line| {
                let entry = &own[line * scan.width + rank];
                let is_founded = if all_together {
                    row.is_founded(quantity, entry, line)
                } else {
                    quantity.is_founded(&scan, entry, moves, line)
                };
                let is_founded = is_founded.unwrap_or_else(|| {
                    quantity.is_founded_plain(pass, entry, &scan.board(line, rank))
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
        let needs_one_move = quantity.needs_one_move(entry.get());
        (!self.is_whole[line]).then(|| self.is_found[line] == needs_one_move)
    }
}

impl CheckedQuantity<'_> {
    #[inline(always)]
    fn needs_one_move(&self, own: i8) -> bool {
        self.endless.need(own) == Need::OneMove
    }

    /// Replaces the mark of a conversion that attains the entry by that of a founded number;
    /// whether it is founded. Where every move has to be, conversions do no harm.
    fn begin(&self, entry: &Marked, division: i8) -> bool {
        let (own, converts) = entry.both();
        let is_founded =
            self.endless.holds_at_once(own, division) || converts && self.needs_one_move(own);
        entry.set(own, is_founded);
        is_founded
    }

    /// The byte of a child that decides about a number.
    #[inline(always)]
    fn wanted(&self, own: i8) -> u8 {
        Marked::encode(-own, self.needs_one_move(own))
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
        let needs_one_move = self.needs_one_move(own);
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
        match self.endless.need(own) {
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
