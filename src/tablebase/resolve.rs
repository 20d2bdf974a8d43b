//! Resolving: what a board is worth, from entries that may say less than that.
//!
//! A table that is not exact leaves out what a look at the moves tells
//! (`docs/codec.md`): an entry may be less than the number it stands for where
//! a move that leaves the layer attains it; and a board that is not stored is
//! worth what its best move is. So the moves are looked at, each only as far as
//! it could still matter: the window of an alpha-beta search, in which an entry
//! is a lower bound, ends most looks at the first entry.

use std::cmp::Reverse;

use super::cache::Fetch;
use super::probe::{ProbeError, ProbeResult, RankedMove, Tablebase};
use crate::rules::{Board, Next, ROW, Step};
use crate::solve::Quantity;
use crate::table::{Kind, TableError};

/// Asks the tables, through one way of fetching entries.
pub(super) struct Resolver<'t, F> {
    tables: &'t Tablebase,
    fetch: F,
}

/// What a table says of a number of a board.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Entry {
    Exact(i8),
    /// The number, or less where a move that leaves the layer attains it.
    Floor(i8),
    /// It is not stored.
    None,
}

/// A move, what is stored of the board it leads to, and the most that it can be
/// worth according to that.
struct Look {
    step: Step,
    entry: Entry,
    most: i8,
}

/// Between which numbers an answer matters. Beyond, it may be a bound: at or
/// below `low` at most so much, at or above `high` at least.
#[derive(Clone, Copy)]
struct Window {
    low: i8,
    high: i8,
}

impl Window {
    /// Every number that a board with so many seeds can have.
    fn all(seeds: u8) -> Window {
        let most = seeds.cast_signed() + 1;
        Window {
            low: -most,
            high: most,
        }
    }

    /// Whether the answer is `value` or more.
    fn reaches(value: i8) -> Window {
        Window {
            low: value - 1,
            high: value,
        }
    }

    /// The same for the board that a step leads to.
    fn behind(self, step: &Step) -> Window {
        let Window { low, high } = self;
        let (low, high) = match step.next {
            Next::Opponent => (step.gain - high, step.gain - low),
            Next::Again | Next::Over => (low - step.gain, high - step.gain),
        };
        let all = Window::all(step.board.seeds());
        Window {
            low: low.clamp(all.low, all.high),
            high: high.clamp(all.low, all.high),
        }
    }
}

impl<'t, F: Fetch> Resolver<'t, F> {
    pub fn new(tables: &'t Tablebase, fetch: F) -> Resolver<'t, F> {
        Resolver { tables, fetch }
    }

    /// What a board is worth.
    pub fn worth(&mut self, board: &Board) -> Result<ProbeResult, ProbeError> {
        let value = self.value(board)?;
        let tables = self.tables.tables(board.seeds());
        let has_bounds = tables.bounds.is_some();
        Ok(ProbeResult {
            value,
            distance: self.distance(board, value)?,
            bounds: match has_bounds {
                true => Some((
                    self.number(board, Quantity::Lower)?,
                    self.number(board, Quantity::Upper)?,
                )),
                false => None,
            },
        })
    }

    /// The value of a board.
    pub fn value(&mut self, board: &Board) -> Result<i8, ProbeError> {
        self.number(board, Quantity::Value)
    }

    /// The legal moves with what each is worth, best first.
    pub fn moves(&mut self, board: &Board) -> Result<Vec<RankedMove>, TableError> {
        let mut moves = Vec::new();
        for step in self.tables.rules().moves(board).legal() {
            let worth = match self.worth_of(board, &step) {
                Ok(worth) => Some(worth),
                Err(ProbeError::Missing { .. }) => None,
                Err(ProbeError::Table(error)) => return Err(error),
            };
            moves.push(RankedMove {
                step,
                result: worth,
            });
        }
        moves.sort_by_key(|m| {
            let worth = m.result.map(|worth| {
                let plies = i16::from(worth.distance.unwrap_or(0));
                (worth.value, if worth.value > 0 { -plies } else { plies })
            });
            Reverse(worth)
        });
        Ok(moves)
    }

    /// The worth of a move on `board`.
    fn worth_of(&mut self, board: &Board, step: &Step) -> Result<ProbeResult, ProbeError> {
        let child = match step.next {
            // What is over is worth nothing more.
            Next::Over => ProbeResult {
                value: 0,
                distance: None,
                bounds: self.tables.rules().has_bounds().then_some((0, 0)),
            },
            _ => self.worth(&step.board)?,
        };
        let tells_distance = self.tables.tables(board.seeds()).distance.is_some();
        let value = step.value(child.value);
        let distance = match step.is_quiet(board.seeds()) {
            _ if value == 0 || !tells_distance => None,
            false => Some(1),
            true => child.distance.map(|plies| plies.saturating_add(1)),
        };
        let bounds = child.bounds.map(|(lower, upper)| match step.next {
            Next::Again => (step.value(lower), step.value(upper)),
            _ => (step.value(upper), step.value(lower)),
        });
        Ok(ProbeResult {
            value,
            distance,
            bounds,
        })
    }

    fn number(&mut self, board: &Board, number: Quantity) -> Result<i8, ProbeError> {
        self.number_within(board, number, Window::all(board.seeds()))
    }

    /// A number of a board as far as it matters.
    fn number_within(
        &mut self,
        board: &Board,
        number: Quantity,
        window: Window,
    ) -> Result<i8, ProbeError> {
        let stored = self.stored(board, number)?;
        self.resolve(board, number, stored, window)
    }

    /// As `number_within`, of a board whose entry was read.
    fn resolve(
        &mut self,
        board: &Board,
        number: Quantity,
        stored: Entry,
        window: Window,
    ) -> Result<i8, ProbeError> {
        let mut best = match stored {
            Entry::Exact(number) => return Ok(number),
            Entry::Floor(floor) if floor >= window.high => return Ok(floor),
            Entry::Floor(floor) => floor,
            Entry::None => Window::all(board.seeds()).low,
        };
        let moves = self.tables.rules().moves(board);
        if let Some(result) = moves.over() {
            return Ok(result);
        }
        let is_stored = stored != Entry::None;
        let mut looks = [const { None }; ROW];
        let mut count = 0;
        for step in moves.legal() {
            if is_stored && step.is_quiet(board.seeds()) {
                continue;
            }
            looks[count] = Some(self.look(step, number)?);
            count += 1;
        }
        // What could be worth most first: often nothing else needs a further look.
        looks[..count].sort_unstable_by_key(|look| Reverse(look.as_ref().map(|look| look.most)));
        for look in looks.iter().flatten() {
            if look.most <= best.max(window.low) {
                break;
            }
            let window = Window {
                low: best.max(window.low),
                high: window.high,
            };
            let behind = window.behind(&look.step);
            let child = match look.step.next {
                Next::Over => 0,
                Next::Again => self.resolve(&look.step.board, number, look.entry, behind)?,
                Next::Opponent => {
                    self.resolve(&look.step.board, number.of_opponent(), look.entry, behind)?
                }
            };
            best = best.max(look.step.value(child));
            if best >= window.high {
                break;
            }
        }
        Ok(best)
    }

    /// A first look at a move.
    fn look(&mut self, step: Step, number: Quantity) -> Result<Look, ProbeError> {
        let most = step.board.seeds().cast_signed();
        let (entry, most) = match step.next {
            Next::Over => (Entry::Exact(0), 0),
            Next::Again => (self.stored(&step.board, number)?, most),
            Next::Opponent => {
                let entry = self.stored(&step.board, number.of_opponent())?;
                let least = match entry {
                    Entry::Exact(number) | Entry::Floor(number) => number,
                    Entry::None => -most,
                };
                (entry, -least)
            }
        };
        let most = step.gain + most;
        Ok(Look { step, entry, most })
    }

    fn number_of_step(
        &mut self,
        step: &Step,
        number: Quantity,
        window: Window,
    ) -> Result<i8, ProbeError> {
        let behind = window.behind(step);
        let child = match step.next {
            Next::Over => 0,
            Next::Again => self.number_within(&step.board, number, behind)?,
            Next::Opponent => self.number_within(&step.board, number.of_opponent(), behind)?,
        };
        Ok(step.value(child))
    }

    /// The entry of a board.
    fn stored(&mut self, board: &Board, number: Quantity) -> Result<Entry, ProbeError> {
        let (rules, seeds) = (self.tables.rules(), board.seeds());
        let (kind, plane) = match number {
            Quantity::Value => (Kind::Value, 0),
            Quantity::Lower => (Kind::Bounds, 0),
            Quantity::Upper => (Kind::Bounds, 1),
        };
        let table = self.tables.table(seeds, kind);
        let table = table.ok_or(ProbeError::Missing { rules, seeds })?;
        let Some(location) = self.tables.index(seeds).locate(board) else {
            return Ok(Entry::None);
        };
        let entry = self
            .fetch
            .entry(table, plane, location)?
            .map(u8::cast_signed);
        Ok(match entry {
            None => Entry::None,
            Some(entry) if table.codec().is_exact() => Entry::Exact(entry),
            Some(entry) => Entry::Floor(entry),
        })
    }

    /// The distance of a board that is worth `value`; `None` if it is worth
    /// nothing, or there are no distances of its layer.
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
        // A loser's entry always tells.
        if stored.is_some() && (table.codec().is_exact() || value < 0) {
            return Ok(stored);
        }
        let moves = self.tables.rules().moves(board);
        if moves.over().is_some() {
            return Ok(Some(0));
        }
        // A winner takes what keeps the value, if it can be taken at once; a
        // loser only if he must.
        let mut longest = None;
        for step in moves.legal().filter(|step| !step.is_quiet(seeds)) {
            if self.keeps(&step, value)? {
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
            if self.keeps(&step, value)? {
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

    /// Whether a move on a board that is worth `value` keeps the value.
    fn keeps(&mut self, step: &Step, value: i8) -> Result<bool, ProbeError> {
        let worth = self.number_of_step(step, Quantity::Value, Window::reaches(value))?;
        Ok(worth >= value)
    }
}
