//! The search behind a probe: from entries that may say less than the value to the
//! exact result.
//!
//! A table that is not exact leaves out what a look at the moves says
//! (`docs/codec.md`): an entry may be less than the value if a conversion attains the
//! value, and a board that is not stored has the value of its best move. So the moves
//! are searched, each only as far as it can still matter. This is an alpha-beta search
//! in which entries are lower bounds; its window ends most searches at the first entry.

use std::cmp::Reverse;

use super::cache::Fetch;
use super::result::{ProbeError, ProbeResult, RankedMove};
use super::tables::Tablebase;
use crate::rules::packed::{self, Move};
use crate::rules::{Board, Bounds, Next, PackedBoard, Quantity, ROW, Step};
use crate::table::{Kind, TableError};

/// Searches the tables, through one way of fetching entries.
#[derive(Debug)]
pub(super) struct Search<'t, F> {
    tables: &'t Tablebase,
    fetch: F,
}

/// What a table says about a quantity of a board.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Entry {
    Exact(i8),
    /// A lower bound: the quantity is more only if a conversion attains it.
    AtLeast(i8),
    NotStored,
}

/// A move that may be the best one.
#[derive(Clone, Copy)]
struct Candidate {
    step: Move,
    /// What is stored for the board that it leads to.
    entry: Entry,
    /// The most that the move can be worth according to that entry.
    most: i8,
}

/// The range in which a result has to be exact. A result of `low` or less says that
/// the quantity is at most that; a result of `high` or more, that it is at least that.
#[derive(Clone, Copy)]
struct Window {
    low: i8,
    high: i8,
}

impl Window {
    /// Every value that a board with `seeds` seeds can have.
    fn all(seeds: u8) -> Window {
        let most = seeds.cast_signed() + 1;
        Window {
            low: -most,
            high: most,
        }
    }

    /// Decides whether the quantity is `value` or more.
    fn at_least(value: i8) -> Window {
        Window {
            low: value - 1,
            high: value,
        }
    }

    /// The same window for the board that a step leads to.
    fn child_window(self, step: &Move) -> Window {
        let Window { low, high } = self;
        let (low, high) = match step.next {
            Next::Opponent => (step.gain - high, step.gain - low),
            Next::Again | Next::Over => (low - step.gain, high - step.gain),
        };
        let all = Window::all(step.seeds);
        Window {
            low: low.clamp(all.low, all.high),
            high: high.clamp(all.low, all.high),
        }
    }
}

impl Candidate {
    /// Whether there is an entry that says something about the move.
    fn is_known(&self) -> bool {
        self.entry != Entry::NotStored
    }
}

impl<'t, F: Fetch> Search<'t, F> {
    pub fn new(tables: &'t Tablebase, fetch: F) -> Search<'t, F> {
        Search { tables, fetch }
    }

    /// The probe result of a board.
    pub fn probe(&mut self, board: &Board) -> Result<ProbeResult, ProbeError> {
        let value = self.value(board)?;
        let has_bounds = self.tables.tables(board.seeds()).bounds.is_some();
        Ok(ProbeResult {
            value,
            distance: self.distance(board, value)?,
            bounds: match has_bounds {
                true => Some(Bounds {
                    lower: self.quantity(board, Quantity::Lower)?,
                    upper: self.quantity(board, Quantity::Upper)?,
                }),
                false => None,
            },
        })
    }

    /// The bounds of a board, equal where the ruleset gives every board one value.
    pub fn bounds(&mut self, board: &Board) -> Result<Bounds, ProbeError> {
        match self.tables.rules().has_bounds() {
            true => Ok(Bounds {
                lower: self.quantity(board, Quantity::Lower)?,
                upper: self.quantity(board, Quantity::Upper)?,
            }),
            false => self.value(board).map(Bounds::of_value),
        }
    }

    /// The value of a board.
    pub fn value(&mut self, board: &Board) -> Result<i8, ProbeError> {
        self.quantity(board, Quantity::Value)
    }

    /// The legal moves with their results, best first.
    pub fn moves(&mut self, board: &Board) -> Result<Vec<RankedMove>, TableError> {
        let mut moves = Vec::new();
        for step in self.tables.rules().moves(board).legal() {
            let result = match self.probe_move(board, &step) {
                Ok(result) => Some(result),
                Err(ProbeError::Missing { .. }) => None,
                Err(ProbeError::Table(error)) => return Err(error),
            };
            moves.push(RankedMove { step, result });
        }
        moves.sort_by_key(|m| {
            let key = m.result.map(|result| {
                let plies = i16::from(result.distance.unwrap_or(0));
                (result.value, if result.value > 0 { -plies } else { plies })
            });
            Reverse(key)
        });
        Ok(moves)
    }

    /// The result of a move on `board`.
    fn probe_move(&mut self, board: &Board, step: &Step) -> Result<ProbeResult, ProbeError> {
        let child = match step.next {
            // After the end of the game there is nothing more to gain.
            Next::Over => ProbeResult {
                value: 0,
                distance: None,
                bounds: self
                    .tables
                    .rules()
                    .has_bounds()
                    .then_some(Bounds::of_value(0)),
            },
            _ => self.probe(&step.board)?,
        };
        let has_distances = self.tables.tables(board.seeds()).distance.is_some();
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

    fn quantity(&mut self, board: &Board, quantity: Quantity) -> Result<i8, ProbeError> {
        let (packed, seeds) = (PackedBoard::of(board), board.seeds());
        let entry = self.entry(packed, seeds, quantity)?;
        self.search(packed, seeds, quantity, entry, Window::all(seeds))
    }

    /// A quantity of a board whose entry has been fetched, exact within a window.
    fn search(
        &mut self,
        board: PackedBoard,
        seeds: u8,
        quantity: Quantity,
        entry: Entry,
        window: Window,
    ) -> Result<i8, ProbeError> {
        let mut best = match entry {
            Entry::Exact(exact) => return Ok(exact),
            Entry::AtLeast(bound) if bound >= window.high => return Ok(bound),
            Entry::AtLeast(bound) => bound,
            Entry::NotStored => Window::all(seeds).low,
        };
        let moves = packed::moves(self.tables.rules(), board, seeds);
        if let Some(terminal_value) = moves.over() {
            return Ok(terminal_value);
        }
        let is_stored = entry != Entry::NotStored;
        // Whether one move may be good enough to end the search.
        let may_end = window.high <= seeds.cast_signed();
        let mut candidates = [None; ROW];
        let mut count = 0;
        for is_quiet in [false, true] {
            let wanted = |step: &&Move| step.is_quiet(seeds) == is_quiet;
            for step in moves.iter().filter(wanted) {
                if is_stored && is_quiet {
                    break;
                }
                let candidate = self.candidate(*step, quantity)?;
                if may_end && candidate.is_known() && candidate.most >= window.high {
                    let low = best.max(window.low);
                    best =
                        best.max(self.value_of(&candidate, quantity, Window { low, ..window })?);
                    if best >= window.high {
                        return Ok(best);
                    }
                } else {
                    candidates[count] = Some(candidate);
                    count += 1;
                }
            }
        }
        // Moves of which nothing is known take the longest to search. Of the others, the
        // one that could be worth most comes first: often no other is searched.
        candidates[..count].sort_unstable_by_key(|candidate: &Option<Candidate>| {
            candidate.map(|candidate| (!candidate.is_known(), Reverse(candidate.most)))
        });
        for candidate in candidates.iter().flatten() {
            let low = best.max(window.low);
            if candidate.most <= low {
                best = best.max(candidate.most);
                continue;
            }
            best = best.max(self.value_of(candidate, quantity, Window { low, ..window })?);
            if best >= window.high {
                break;
            }
        }
        Ok(best)
    }

    /// A quantity of a candidate, exact within a window.
    fn value_of(
        &mut self,
        candidate: &Candidate,
        quantity: Quantity,
        window: Window,
    ) -> Result<i8, ProbeError> {
        let Candidate { step, entry, .. } = candidate;
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
    fn candidate(&mut self, step: Move, quantity: Quantity) -> Result<Candidate, ProbeError> {
        let most = step.seeds.cast_signed();
        let (entry, most) = match step.next {
            Next::Over => (Entry::Exact(0), 0),
            Next::Again => (self.entry(step.board, step.seeds, quantity)?, most),
            Next::Opponent => {
                let entry = self.entry(step.board, step.seeds, quantity.of_opponent())?;
                let least = match entry {
                    Entry::Exact(bound) | Entry::AtLeast(bound) => bound,
                    Entry::NotStored => -most,
                };
                (entry, -least)
            }
        };
        let most = step.gain + most;
        Ok(Candidate { step, entry, most })
    }

    /// A quantity of a move, exact within a window.
    fn move_within(
        &mut self,
        step: &Step,
        quantity: Quantity,
        window: Window,
    ) -> Result<i8, ProbeError> {
        let candidate = self.candidate(Move::of(step), quantity)?;
        self.value_of(&candidate, quantity, window)
    }

    /// The entry of a board: from memory if that tells it, else from its table.
    fn entry(
        &mut self,
        board: PackedBoard,
        seeds: u8,
        quantity: Quantity,
    ) -> Result<Entry, ProbeError> {
        if let Some(exact) = self.tables.resident_quantity(board, seeds, quantity) {
            return Ok(Entry::Exact(exact));
        }
        let rules = self.tables.rules();
        let (kind, plane) = match quantity {
            Quantity::Value => (Kind::Value, 0),
            Quantity::Lower => (Kind::Bounds, 0),
            Quantity::Upper => (Kind::Bounds, 1),
        };
        let table = self.tables.table(seeds, kind);
        let table = table.ok_or(ProbeError::Missing { rules, seeds, kind })?;
        let Some(location) = self.tables.index(seeds).locate_packed(board) else {
            return Ok(Entry::NotStored);
        };
        let entry = self
            .fetch
            .entry(table, plane, location)?
            .map(u8::cast_signed);
        Ok(match entry {
            None => Entry::NotStored,
            Some(entry) if table.codec().is_exact() => Entry::Exact(entry),
            Some(entry) => Entry::AtLeast(entry),
        })
    }

    /// The distance of a board with this value; `None` if the value is 0 or the layer
    /// has no distance table.
    fn distance(&mut self, board: &Board, value: i8) -> Result<Option<u8>, ProbeError> {
        let seeds = board.seeds();
        let Some(table) = self.tables.table(seeds, Kind::Distance) else {
            return Ok(None);
        };
        if value == 0 {
            return Ok(None);
        }
        let stored = match self.tables.index(seeds).locate(board) {
            Some(location) => self.fetch.entry(table, 0, location)?,
            None => None,
        };
        // The entry of a lost board is always exact.
        if stored.is_some() && (table.codec().is_exact() || value < 0) {
            return Ok(stored);
        }
        let moves = self.tables.rules().moves(board);
        if moves.over().is_some() {
            return Ok(Some(0));
        }
        // A winner makes a conversion that keeps the value if there is one; a loser
        // only if every move that keeps the value is one.
        let mut longest = None;
        for step in moves.legal().filter(|step| !step.is_quiet(seeds)) {
            if self.keeps_value(&step, value)? {
                longest = Some(1);
            }
        }
        if value > 0 && longest.is_some() {
            return Ok(longest);
        }
        if stored.is_some() {
            return Ok(stored);
        }
        let mut shortest = None;
        for step in moves.legal().filter(|step| step.is_quiet(seeds)) {
            if self.keeps_value(&step, value)? {
                let Some(plies) = self.distance(&step.board, -value)? else {
                    return Ok(None);
                };
                let plies = Some(plies.saturating_add(1));
                longest = longest.max(plies);
                shortest = if shortest.is_none() {
                    plies
                } else {
                    shortest.min(plies)
                };
            }
        }
        Ok(if value > 0 { shortest } else { longest })
    }

    /// Whether a move on a board with this value keeps the value.
    fn keeps_value(&mut self, step: &Step, value: i8) -> Result<bool, ProbeError> {
        let result = self.move_within(step, Quantity::Value, Window::at_least(value))?;
        Ok(result >= value)
    }
}
