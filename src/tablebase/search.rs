//! Probing: from entries that may say less than the value to the exact result.
//!
//! A table that is not exact omits what can be recomputed from the moves
//! (`docs/internals/codec.md`): an entry may be less than the value if a conversion attains the
//! value, and a board that is not stored has the value of its best move. So the moves
//! are searched, each only as far as it can still matter. This is an alpha-beta search
//! in which entries are lower bounds; its window ends most searches at the first entry.
//!
//! Bytes of a remote table may have yet to be fetched. The search then goes on with what does
//! not depend on them, so that it lacks as much as possible at once, and fails in the end.

use std::cmp::Reverse;

use super::fetching::fetching;
use super::result::{ProbeError, ProbeResult, RankedMove, distance_of};
use super::tables::Tablebase;
use crate::ranges::{Lacked, MayLack, both};
use crate::rules::packed::{self, Move};
use crate::rules::{Board, Bounds, Moves, Next, PackedBoard, Quantity, ROW, Step};
use crate::table::{Kind, TableError};

/// What a table says about a quantity of a board.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StoredBound {
    Exact(i8),
    /// A lower bound: the quantity is more only if a conversion attains it.
    AtLeast(i8),
    NotStored,
}

/// A move that may be the best one.
#[derive(Clone, Copy)]
struct ProbeMove {
    step: Move,
    /// What is stored for the board that it leads to.
    entry: StoredBound,
    /// The most that the move can be worth according to that entry.
    most: i8,
}

/// The range in which a result has to be exact. A result of `low` or less says that
/// the quantity is at most that; a result of `high` or more, that it is at least that.
#[derive(Clone, Copy)]
struct ProbeWindow {
    low: i8,
    high: i8,
}

impl ProbeWindow {
    /// Every value that a board with `seeds` seeds can have.
    fn all(seeds: u8) -> ProbeWindow {
        let most = seeds as i8 + 1;
        ProbeWindow {
            low: -most,
            high: most,
        }
    }

    /// Decides whether the quantity is `value` or more.
    fn at_least(value: i8) -> ProbeWindow {
        ProbeWindow {
            low: value - 1,
            high: value,
        }
    }

    /// The same window for the board that a step leads to.
    fn child_window(self, step: &Move) -> ProbeWindow {
        let ProbeWindow { low, high } = self;
        let (low, high) = match step.next {
            Next::Opponent => (step.gain - high, step.gain - low),
            Next::Again | Next::Over => (low - step.gain, high - step.gain),
        };
        let all = ProbeWindow::all(step.seeds);
        ProbeWindow {
            low: low.clamp(all.low, all.high),
            high: high.clamp(all.low, all.high),
        }
    }
}

impl ProbeMove {
    /// Whether there is an entry that says something about the move.
    fn is_known(&self) -> bool {
        self.entry != StoredBound::NotStored
    }
}

impl Tablebase {
    /// What a board is worth.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn probe(&self, board: &Board) -> Result<ProbeResult, ProbeError> {
        fetching(self.stop_flag(), || self.probe_fetched(board))
    }

    fn probe_fetched(&self, board: &Board) -> Result<ProbeResult, ProbeError> {
        let value = self.quantity(board, Quantity::Value);
        let bounds = match self.tables(board.seeds()).bounds {
            Some(_) => self.both_bounds(board).map(Some),
            None => Ok(None),
        };
        let (value, bounds) = both(value, bounds)?;
        Ok(ProbeResult {
            value,
            distance: self.distance(board, value)?,
            bounds,
        })
    }

    /// The value of a board alone: as [`Tablebase::probe`], without distance and bounds.
    ///
    /// # Errors
    /// As [`Tablebase::probe`].
    #[inline]
    pub fn value(&self, board: &Board) -> Result<i8, ProbeError> {
        let (packed, seeds) = (PackedBoard::of(board), board.seeds());
        match self.resident_quantity(packed, seeds, Quantity::Value) {
            Some(value) => Ok(value),
            None => fetching(self.stop_flag(), || self.quantity(board, Quantity::Value)),
        }
    }

    /// The bounds of a board alone, which are equal where the ruleset gives every board
    /// one value: what an engine's search asks for.
    ///
    /// # Errors
    /// As [`Tablebase::probe`].
    pub fn bounds(&self, board: &Board) -> Result<Bounds, ProbeError> {
        if let Some(bounds) = self.resident_bounds(board) {
            return Ok(bounds);
        }
        if self.rules().has_bounds() {
            fetching(self.stop_flag(), || self.both_bounds(board))
        } else {
            self.value(board).map(Bounds::of_value)
        }
    }

    /// The legal moves of a board with what each is worth, best first: by value; among
    /// equals the shortest way to a win, the longest to a loss. Moves without a result
    /// come last. It costs a probe for each move.
    ///
    /// # Errors
    /// If a table cannot be read. One that is missing or could not be opened is not an error
    /// here.
    pub fn moves(&self, board: &Board) -> Result<Vec<RankedMove>, TableError> {
        fetching(self.stop_flag(), || self.moves_fetched(board))
    }

    fn moves_fetched(&self, board: &Board) -> Result<Vec<RankedMove>, TableError> {
        let mut moves = Vec::new();
        let mut lacked = Lacked::default();
        for step in self.rules().moves(board).legal() {
            let result = match self.probe_move(board, &step) {
                Err(ProbeError::Missing(_) | ProbeError::Damaged { .. }) => None,
                Err(ProbeError::Table(error)) => lacked.skip(Err(error))?,
                Ok(result) => Some(result),
            };
            moves.push(RankedMove { step, result });
        }
        lacked.end()?;
        moves.sort_by_key(|m| Reverse(m.result.map(|result| rank(&result))));
        Ok(moves)
    }

    fn both_bounds(&self, board: &Board) -> Result<Bounds, ProbeError> {
        let lower = self.quantity(board, Quantity::Lower);
        let upper = self.quantity(board, Quantity::Upper);
        let (lower, upper) = both(lower, upper)?;
        Ok(Bounds { lower, upper })
    }

    /// The result of a move on `board`.
    fn probe_move(&self, board: &Board, step: &Step) -> Result<ProbeResult, ProbeError> {
        let child = match step.next {
            // After the end of the game there is nothing more to gain.
            Next::Over => ProbeResult {
                value: 0,
                distance: None,
                bounds: self.rules().has_bounds().then_some(Bounds::of_value(0)),
            },
            _ => self.probe_fetched(&step.board)?,
        };
        let has_distances = self.tables(board.seeds()).distance.is_some();
        let value = step.value(child.value);
        let distance = match step.is_quiet(board.seeds()) {
            _ if value == 0 || !has_distances => None,
            false => Some(1),
            true => child.distance.map(|plies| plies.saturating_add(1)),
        };
        Ok(ProbeResult {
            value,
            distance,
            bounds: child.bounds.map(|bounds| step.bounds(bounds)),
        })
    }

    fn quantity(&self, board: &Board, quantity: Quantity) -> Result<i8, ProbeError> {
        let (packed, seeds) = (PackedBoard::of(board), board.seeds());
        let entry = self.entry(packed, seeds, quantity)?;
        self.search(packed, seeds, quantity, entry, ProbeWindow::all(seeds))
    }

    /// A quantity of a board whose entry has been fetched, exact within a window.
    fn search(
        &self,
        board: PackedBoard,
        seeds: u8,
        quantity: Quantity,
        entry: StoredBound,
        window: ProbeWindow,
    ) -> Result<i8, ProbeError> {
        let mut best = match entry {
            StoredBound::Exact(exact) => return Ok(exact),
            StoredBound::AtLeast(bound) if bound >= window.high => return Ok(bound),
            StoredBound::AtLeast(bound) => bound,
            StoredBound::NotStored => ProbeWindow::all(seeds).low,
        };
        let moves = packed::moves(self.rules(), board, seeds);
        if let Some(terminal_value) = moves.terminal_value() {
            return Ok(terminal_value);
        }
        let is_stored = entry != StoredBound::NotStored;
        // Whether one move may be good enough to end the search.
        let may_end = window.high <= seeds as i8;
        let mut candidates = [None; ROW];
        let mut count = 0;
        let mut lacked = Lacked::default();
        for is_quiet in [false, true] {
            let wanted = |step: &&Move| step.is_quiet(seeds) == is_quiet;
            for step in moves.iter().filter(wanted) {
                if is_stored && is_quiet {
                    break;
                }
                let Some(candidate) = lacked.skip(self.candidate(*step, quantity))? else {
                    continue;
                };
                if may_end && candidate.is_known() && candidate.most >= window.high {
                    let low = best.max(window.low);
                    let window = ProbeWindow { low, ..window };
                    let value = self.value_of(&candidate, quantity, window);
                    best = best.max(lacked.skip(value)?.unwrap_or(best));
                    if best >= window.high {
                        return Ok(best);
                    }
                } else {
                    candidates[count] = Some(candidate);
                    count += 1;
                }
            }
        }
        let candidates = &mut candidates[..count];
        self.best_of(candidates, quantity, best, window, lacked)
    }

    /// The best of some moves and of `best`, exact within a window.
    fn best_of(
        &self,
        candidates: &mut [Option<ProbeMove>],
        quantity: Quantity,
        mut best: i8,
        window: ProbeWindow,
        mut lacked: Lacked<ProbeError>,
    ) -> Result<i8, ProbeError> {
        // Unknown moves take the longest to search. Among the others, the
        // one that could be worth most comes first: often no other is searched.
        candidates.sort_unstable_by_key(|candidate: &Option<ProbeMove>| {
            candidate.map(|candidate| (!candidate.is_known(), Reverse(candidate.most)))
        });
        for candidate in candidates.iter().flatten() {
            let low = best.max(window.low);
            if candidate.most <= low {
                best = best.max(candidate.most);
                continue;
            }
            let value = self.value_of(candidate, quantity, ProbeWindow { low, ..window });
            best = best.max(lacked.skip(value)?.unwrap_or(best));
            if best >= window.high {
                return Ok(best);
            }
        }
        lacked.end()?;
        Ok(best)
    }

    /// A quantity of a candidate, exact within a window.
    fn value_of(
        &self,
        candidate: &ProbeMove,
        quantity: Quantity,
        window: ProbeWindow,
    ) -> Result<i8, ProbeError> {
        let ProbeMove { step, entry, .. } = candidate;
        let quantity = match step.next {
            Next::Over => return Ok(step.gain),
            Next::Again => quantity,
            Next::Opponent => quantity.of_opponent(),
        };
        let window = window.child_window(step);
        let child = self.search(step.board, step.seeds, quantity, *entry, window)?;
        Ok(step.value(child))
    }

    /// A move, with the entry of the board that it leads to.
    fn candidate(&self, step: Move, quantity: Quantity) -> Result<ProbeMove, ProbeError> {
        let most = step.seeds as i8;
        let (entry, most) = match step.next {
            Next::Over => (StoredBound::Exact(0), 0),
            Next::Again => (self.entry(step.board, step.seeds, quantity)?, most),
            Next::Opponent => {
                let entry = self.entry(step.board, step.seeds, quantity.of_opponent())?;
                let least = match entry {
                    StoredBound::Exact(bound) | StoredBound::AtLeast(bound) => bound,
                    StoredBound::NotStored => -most,
                };
                (entry, -least)
            }
        };
        let most = step.gain + most;
        Ok(ProbeMove { step, entry, most })
    }

    /// A quantity of a move, exact within a window.
    fn move_within(
        &self,
        step: &Step,
        quantity: Quantity,
        window: ProbeWindow,
    ) -> Result<i8, ProbeError> {
        let candidate = self.candidate(Move::of(step), quantity)?;
        self.value_of(&candidate, quantity, window)
    }

    /// The entry of a board: from memory if that tells it, else from its table.
    fn entry(
        &self,
        board: PackedBoard,
        seeds: u8,
        quantity: Quantity,
    ) -> Result<StoredBound, ProbeError> {
        if let Some(exact) = self.resident_quantity(board, seeds, quantity) {
            return Ok(StoredBound::Exact(exact));
        }
        let (kind, plane) = place(quantity);
        let table = self.table(seeds, kind);
        let table = table.ok_or_else(|| self.lacks(seeds, kind))?;
        let Some(location) = self.index(seeds).locate_packed(board) else {
            return Ok(StoredBound::NotStored);
        };
        let entry = self.cache.entry(table, plane, location);
        let entry = entry.map_err(|error| self.look_ahead(error, board, seeds, quantity))?;
        Ok(match entry.map(|entry| entry as i8) {
            None => StoredBound::NotStored,
            Some(entry) if table.codec().is_exact() => StoredBound::Exact(entry),
            Some(entry) => StoredBound::AtLeast(entry),
        })
    }

    /// The error of an entry. If it lacks bytes, then also what tells where the entries are that
    /// a search probably asks for next: those after the board's conversions.
    #[cold]
    fn look_ahead(
        &self,
        mut error: TableError,
        board: PackedBoard,
        seeds: u8,
        quantity: Quantity,
    ) -> TableError {
        let Some(lacking) = error.lacking() else {
            return error;
        };
        let mut find = |step: &Move, quantity| {
            let found = self.find_entry_after(step, quantity);
            found.unwrap_or_else(|mut error| {
                let more = error.lacking();
                lacking.append(more.unwrap_or(&mut Vec::new()));
                true
            })
        };
        let moves = packed::moves(self.rules(), board, seeds);
        for step in moves.iter().filter(|step| !step.is_quiet(seeds)) {
            if find(step, quantity) {
                continue;
            }
            // That board is not stored, so its moves are searched.
            let quantity = after(step, quantity);
            let moves = packed::moves(self.rules(), step.board, step.seeds);
            for step in moves.iter() {
                find(step, quantity);
            }
        }
        error
    }

    /// Finds out where the entry after a move is; false if it is not stored.
    fn find_entry_after(&self, step: &Move, quantity: Quantity) -> Result<bool, TableError> {
        let table = self.table(step.seeds, place(after(step, quantity)).0);
        let location = self.index(step.seeds).locate_packed(step.board);
        match (step.next, table, location) {
            (Next::Over, _, _) | (_, None, _) => Ok(true),
            (_, Some(table), Some(location)) => table.read_directory(location),
            (_, Some(_), None) => Ok(false),
        }
    }

    /// The distance of a board with this value; `None` if the value is 0, if a loop alone attains
    /// it, or if the layer has no distance table.
    fn distance(&self, board: &Board, value: i8) -> Result<Option<u8>, ProbeError> {
        let seeds = board.seeds();
        let Some(table) = self.table(seeds, Kind::Distance) else {
            return Ok(None);
        };
        if value == 0 {
            return Ok(None);
        }
        let stored = match self.index(seeds).locate(board) {
            Some(location) => self.cache.entry(table, 0, location)?,
            None => None,
        };
        // The entry of a lost board is always exact.
        if let Some(entry) = stored
            && (table.codec().is_exact() || value < 0)
        {
            return Ok(distance_of(self.rules(), board, value, entry));
        }
        let moves = self.rules().moves(board);
        if moves.terminal_value().is_some() {
            return Ok(Some(0));
        }
        // A winner makes a conversion that keeps the value if there is one; a loser
        // only if every move that keeps the value is one.
        let mut longest = None;
        let mut lacked = Lacked::default();
        for step in moves.legal().filter(|step| !step.is_quiet(seeds)) {
            if lacked.skip(self.keeps_value(&step, value))? == Some(true) {
                longest = Some(1);
            }
        }
        lacked.end()?;
        if value > 0 && longest.is_some() {
            return Ok(longest);
        }
        if let Some(entry) = stored {
            return Ok((entry > 0).then_some(entry));
        }
        self.distance_of_quiet(&moves, seeds, value, longest)
    }

    /// The distance of a board without a conversion that keeps its value, except that `longest` is
    /// that of one which a loser has.
    fn distance_of_quiet(
        &self,
        moves: &Moves,
        seeds: u8,
        value: i8,
        mut longest: Option<u8>,
    ) -> Result<Option<u8>, ProbeError> {
        // A board without a distance is infinitely far from a conversion: a winner avoids it,
        // and a loser goes there.
        let (mut shortest, mut is_endless) = (None, false);
        let mut lacked = Lacked::default();
        for step in moves.legal().filter(|step| step.is_quiet(seeds)) {
            if lacked.skip(self.keeps_value(&step, value))? == Some(true) {
                let Some(plies) = lacked.skip(self.distance(&step.board, -value))? else {
                    continue;
                };
                let Some(plies) = plies.map(|plies| plies.saturating_add(1)) else {
                    is_endless = true;
                    continue;
                };
                longest = longest.max(Some(plies));
                shortest = Some(shortest.map_or(plies, |shortest: u8| shortest.min(plies)));
            }
        }
        lacked.end()?;
        Ok(match value > 0 {
            true => shortest,
            false => longest.filter(|_| !is_endless),
        })
    }

    /// Whether a move on a board with this value keeps the value.
    fn keeps_value(&self, step: &Step, value: i8) -> Result<bool, ProbeError> {
        let result = self.move_within(step, Quantity::Value, ProbeWindow::at_least(value))?;
        Ok(result >= value)
    }
}

/// The order of moves, the best one greatest: by value, then by what is secured, then by the way to
/// a win, which should be short, or to a loss, which should be long. A move that wins or loses by
/// a loop alone, without a distance, has the longest way.
fn rank(result: &ProbeResult) -> (i8, Option<i8>, i16) {
    let plies = result.distance.map_or(i16::MAX, i16::from);
    let way = match result.value.signum() {
        1 => -plies,
        -1 => plies,
        _ => 0,
    };
    (result.value, result.bounds.map(|bounds| bounds.lower), way)
}

/// The quantity of the board after a move that tells a quantity of the move.
fn after(step: &Move, quantity: Quantity) -> Quantity {
    match step.next {
        Next::Opponent => quantity.of_opponent(),
        Next::Again | Next::Over => quantity,
    }
}

/// The kind of table and the plane of it that have a quantity.
fn place(quantity: Quantity) -> (Kind, usize) {
    match quantity {
        Quantity::Value => (Kind::Value, 0),
        Quantity::Lower => (Kind::Bounds, 0),
        Quantity::Upper => (Kind::Bounds, 1),
    }
}
