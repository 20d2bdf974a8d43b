//! Reviewing a game: judging each move by tables and searches.
//!
//! **What a move gave away** is the score of the best move minus that of the played one,
//! for the player who made it. Inside the tables both are values. They count as exact where their
//! bounds decide the result and hold in the game ([`Game::bounds_hold`]). Beyond the tables both
//! are searched to the same depth. The difference is an estimate if either score is one. If the played move scores above the best
//! one, it counts as the best, so the difference is never negative.
//!
//! Tables do not know the history of a game. Earlier occurrences of a board do not count
//! against a move; only a move that ends the game by repetition gets the value of that
//! end, the best move as well as the played one. Where the best line begins with the played
//! move, both have one score. A majority decides the game but changes no value: moves before and after it are
//! judged by all seeds that both players can still take.

use std::cmp::Reverse;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::game::{Ending, Game, Outcome, Turn};
use super::record::Record;
use super::reviewed::{Forecast, Review, ReviewedMove, ReviewedPosition, lead, sign};
use super::search::{Engine, EngineOptions, Limits, Score, SearchReport};
use super::table_errors::TableErrors;
use super::worth::{Worth, best_of, has_only_move};
use crate::rules::{Bounds, Next, Step};
use crate::tablebase::{ProbeResult, RankedMove, Tablebase};

/// The longest principal variation of a reviewed move, in plies.
const MAX_PV: usize = 12;

/// Reviews the moves of games.
///
/// ```
/// use std::sync::Arc;
/// use krou::engine::{EngineOptions, Limits};
/// use krou::engine::Reviewer;
/// use krou::ogn::SavedGame;
/// use krou::rules::Ruleset;
/// use krou::tablebase::Tablebase;
///
/// let text = "[FEN \"1-0-0-0-0-1-2-0-0-0-0-1-20-20-S\"] A";
/// let saved = SavedGame::parse(text, Ruleset::AWARI)?;
/// let tables = Tablebase::embedded(Ruleset::AWARI);
/// let mut reviewer = Reviewer::new(tables, EngineOptions::default(), Limits::default());
/// let review = reviewer.review(saved.record(), |_| ());
/// let reviewed = &review.moves[0];
/// assert!(reviewed.is_exact());
/// assert_eq!(reviewed.pv.chars().next(), Some('F'));
/// assert!(reviewed.given_away() > 0);
/// assert_eq!(review.key_moments, [0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reviewer {
    tables: Tablebase,
    engine: Engine,
    limits: Limits,
    stop: Arc<AtomicBool>,
}

impl Reviewer {
    /// A reviewer for games of the tables' ruleset. Beyond the tables an engine with these
    /// options searches each board within `limits`.
    pub fn new(tables: Tablebase, options: EngineOptions, limits: Limits) -> Reviewer {
        let engine = Engine::new(tables.rules(), Some(tables.clone()), options);
        Reviewer::with_engine(tables, engine, limits)
    }

    /// The same with this engine, which has the same tables.
    pub fn with_engine(tables: Tablebase, engine: Engine, limits: Limits) -> Reviewer {
        Reviewer {
            tables,
            engine,
            limits,
            stop: Arc::default(),
        }
    }

    /// Makes this flag end a search at once when it is set. What is reviewed from then on
    /// is estimated without a search.
    pub fn set_stop(&mut self, stop: Arc<AtomicBool>) {
        self.stop = stop;
    }

    /// The engine, for other work.
    pub fn into_engine(self) -> Engine {
        self.engine
    }

    /// The tables that the engine could not read so far.
    pub fn table_errors(&self) -> &TableErrors {
        self.engine.table_errors()
    }

    /// The legal moves of a position, best first. A move that ends the game by repetition has
    /// the value of that end, any other what tables say. There are none if a table cannot be
    /// read, which is logged.
    fn known_moves(&self, game: &Game) -> Vec<RankedMove> {
        let moves = self.tables.moves(&game.board());
        let mut moves = self.table_errors().log(moves).unwrap_or_default();
        for ranked in &mut moves {
            if let Some(net) = game.net_of_repetition(&ranked.step) {
                let bounds = game.rules().has_bounds();
                ranked.result = Some(ProbeResult {
                    value: net,
                    distance: None,
                    bounds: bounds.then_some(Bounds::of_value(net)),
                });
            }
        }
        let worth = |result: ProbeResult| (result.value, result.bounds.map(|b| b.lower));
        moves.sort_by_key(|ranked| Reverse(ranked.result.map(worth)));
        moves
    }

    /// Reviews the current position of a game. Where a table cannot be read, the engine
    /// estimates: [`Reviewer::table_errors`] tells.
    ///
    /// # Panics
    /// If the game is of another ruleset.
    pub fn review_position(&mut self, game: &Game) -> ReviewedPosition {
        if let Some(outcome) = settled(game) {
            return ReviewedPosition {
                forecast: Forecast::of_end(outcome),
                pv: String::new(),
                depth: 0,
            };
        }
        let moves = self.known_moves(game);
        let (worth, pv, depth) = match best_of(game, &moves) {
            Some(best) => (best, self.table_pv(game, &moves[0].step), 0),
            None => {
                let report = self.search(game, self.limits);
                (Worth::found(&report), report.pv, report.depth)
            }
        };
        ReviewedPosition {
            forecast: Forecast::new(game, worth, game),
            pv: game.letters(first(&pv)),
            depth,
        }
    }

    /// Reviews the moves of a game, and calls `on_move` with the number of those that are done
    /// after each. Where a table cannot be read, the engine estimates:
    /// [`Reviewer::table_errors`] tells. The flag of [`Reviewer::set_stop`] ends the review.
    ///
    /// # Panics
    /// If the game is of another ruleset.
    pub fn review(&mut self, record: &Record, mut on_move: impl FnMut(usize)) -> Review {
        let mut moves = Vec::new();
        for place in 0..record.turns().len() {
            let reviewed = self.review_move(record, place);
            // A search that was broken off says little.
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            moves.extend(reviewed);
            on_move(moves.len());
        }
        Review::new(moves)
    }

    /// Reviews one move of a game by its place, as [`Reviewer::review`] does; `None` if the game
    /// does not have it.
    ///
    /// # Panics
    /// If the game is of another ruleset.
    pub fn review_move(&mut self, record: &Record, place: usize) -> Option<ReviewedMove> {
        let (before, turn) = record.plies().nth(place)?;
        let (number, name) = record.numbers().zip(record.names()).nth(place)?;
        let mut after = before.clone();
        let made = after.play(turn.step.pit);
        assert_eq!(made, Ok(*turn), "a move of this game");
        let moves = self.known_moves(before);
        let (best, played, pv, depth) = self.judge(before, turn, &after, &moves);
        let [was, is] = [before, &after].map(|game| game.outcome().map(|end| end.ending));
        let after = match settled(&after) {
            Some(outcome) => Forecast::of_end(outcome),
            None => Forecast::new(before, played, &after),
        };
        Some(ReviewedMove {
            number,
            name,
            position: before.position(),
            turn: *turn,
            ending: is.filter(|_| is != was),
            best: best.score,
            played: played.score,
            pv: before.letters(first(&pv)),
            before: Forecast::new(before, best, before),
            after,
            depth,
            choices: before.moves().legal().count() as u8,
            has_only_move: has_only_move(before, &moves),
        })
    }

    /// What the best move and the one that was played are worth, the principal variation, and
    /// the depth of the search.
    fn judge(
        &mut self,
        before: &Game,
        turn: &Turn,
        after: &Game,
        moves: &[RankedMove],
    ) -> (Worth, Worth, Vec<u8>, u8) {
        let from_tables = moves.iter().find(|m| m.step == turn.step);
        let from_tables = from_tables.and_then(|m| m.result);
        let holds = before.bounds_hold_after(&turn.step);
        let from_tables = from_tables.map(|result| Worth::probed(result, holds));
        let (mut best, played, mut pv, depth) = match (best_of(before, moves), from_tables) {
            (Some(best), Some(played)) => (best, played, self.table_pv(before, &moves[0].step), 0),
            _ => self.estimate(before, turn, after, from_tables),
        };
        let mut played = settled(after).map_or(played, |outcome| of_end(before, outcome));
        let is_best = pv.first() == Some(&turn.step.pit);
        if is_best && played.score.hundredths() < best.score.hundredths() {
            best = played;
        }
        if played.score.hundredths() > best.score.hundredths() {
            if !played.score.is_exact() {
                // No estimate is beyond what is certain of the best move.
                let most = 100 * i16::from(best.bounds.upper);
                played.score = Score::estimate(played.score.hundredths().min(most));
            }
            if !best.score.is_exact() {
                best.score = Score::estimate(played.score.hundredths());
                pv = vec![turn.step.pit];
            } else if played.score.is_exact() {
                best = played;
                pv = vec![turn.step.pit];
            }
        }
        (best, played, pv, depth)
    }

    /// The best moves of both sides from the tables, after this move.
    fn table_pv(&self, game: &Game, best: &Step) -> Vec<u8> {
        let mut pv = vec![best.pit];
        if best.next != Next::Over && game.net_of_repetition(best).is_none() {
            let line = self.tables.best_line(&best.board, MAX_PV - 1);
            let steps = self.table_errors().log(line).map(|line| line.steps);
            pv.extend(steps.iter().flatten().map(|step| step.pit));
        }
        pv
    }

    /// The scores of the best and the played move from searches, the principal variation,
    /// and the depth. The played move is not searched if it is the best one, if tables know
    /// it, or if the game is over after it.
    fn estimate(
        &mut self,
        before: &Game,
        turn: &Turn,
        after: &Game,
        from_tables: Option<Worth>,
    ) -> (Worth, Worth, Vec<u8>, u8) {
        let best = self.search(before, self.limits);
        let worth = Worth::found(&best);
        let is_best = best.pv.first() == Some(&turn.step.pit);
        let known = match is_best || settled(after).is_some() {
            true => Some(worth),
            false => from_tables,
        };
        let played = known.unwrap_or_else(|| {
            let limits = Limits::default()
                .with_pits(&[turn.step.pit])
                .with_depth(best.depth.max(1));
            Worth::found(&self.search(before, limits))
        });
        (worth, played, best.pv, best.depth)
    }

    /// Searches a game that can go on.
    fn search(&mut self, game: &Game, limits: Limits) -> SearchReport {
        let report = self.engine.search(game, &limits, &self.stop, &mut |_| ());
        report.expect("a game that can go on has a move")
    }
}

impl fmt::Debug for Reviewer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reviewer")
            .field("engine", &self.engine)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// The outcome of a game whose seeds are all shared out.
fn settled(game: &Game) -> Option<Outcome> {
    let outcome = game.outcome();
    outcome.filter(|outcome| !matches!(outcome.ending, Ending::Majority(_)))
}

/// What the end of the game gave to the player who moved last.
fn of_end(before: &Game, outcome: Outcome) -> Worth {
    let won = lead(outcome.stores) - lead(before.stores());
    // At most 48 seeds.
    Worth::exact((sign(before.to_move()) * won) as i8)
}

/// The beginning of a principal variation.
fn first(pv: &[u8]) -> &[u8] {
    &pv[..pv.len().min(MAX_PV)]
}
