//! Reviewing a game: what each move gave away, and the turning points.
//!
//! **What a move gave away** is the score of the best move minus that of the played one,
//! for the player who made it. Inside the tables both are values. They count as exact where their
//! bounds decide the result and hold in the game ([`Game::bounds_hold`]). Beyond the tables both
//! are searched to the same depth. The difference is an estimate if either score is one. If the played move scores above the best
//! one, it counts as the best, so the difference is never negative.
//!
//! **A turning point** is a move that changes the winner under best play, stores
//! included. Only winners that are certain count: bounds may tell who wins where they leave open
//! by how much.
//!
//! Tables do not know the history of a game. Earlier occurrences of a board do not count
//! against a move; only a move that ends the game by repetition gets the value of that
//! end. A majority decides the game but changes no value: moves before and after it are
//! judged by all seeds that both players can still take.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::game::{Ending, Game, Outcome, Turn};
use super::search::{Engine, EngineOptions, Limits, Score, SearchReport};
use super::table_errors::TableErrors;
use super::worth::{Worth, best_of, has_only_move};
use crate::rules::{Player, Stores};
use crate::tablebase::{RankedMove, Tablebase};

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
/// let (before, turn) = saved.record().plies().next().unwrap();
/// let reviewed = reviewer.review(before, turn);
/// assert!(reviewed.is_exact());
/// assert_eq!(reviewed.pv.chars().next(), Some('F'));
/// assert!(reviewed.given_away() > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reviewer {
    tables: Tablebase,
    engine: Engine,
    limits: Limits,
    stop: Arc<AtomicBool>,
}

/// A position with its review.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ReviewedPosition {
    /// The result of the game under best play from here on.
    pub forecast: Forecast,
    /// The principal variation, at most 12 plies, in the letters of [`Record::letters`](super::Record::letters);
    /// empty if the game is over.
    pub pv: String,
    /// Depth of the search in plies; 0 if the tables alone knew the position.
    pub depth: u8,
}

/// A move with its review.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ReviewedMove {
    /// The move.
    pub turn: Turn,
    /// Why the game is over after the move, unless it was over before for that reason.
    pub ending: Option<Ending>,
    /// The score of the best move, for the player who moved.
    pub best: Score,
    /// The score of the played move, captures included.
    pub played: Score,
    /// The principal variation before the move, at most 12 plies, in the letters of
    /// [`Record::letters`](super::Record::letters).
    pub pv: String,
    /// The result of the game under best play from before the move on.
    pub before: Forecast,
    /// The result of the game under best play from after the move on.
    pub after: Forecast,
    /// Depth of the search before the move in plies; 0 if the tables alone knew.
    pub depth: u8,
    /// The number of legal moves.
    pub choices: u8,
    /// Whether the tables prove that only one of several moves keeps the value.
    pub has_only_move: bool,
}

/// The result of a game under best play from some position on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Forecast {
    hundredths: i16,
    exact: bool,
    /// Whether a player has a majority already, or the bounds leave one result.
    decided: bool,
}

/// How well a player played a game. Moves without a choice count only in `moves`.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PlayerReview {
    /// Number of moves.
    pub moves: usize,
    /// Moves where there was a choice.
    pub choices: usize,
    /// The mean [accuracy](ReviewedMove::accuracy) in per cent, with one decimal.
    pub accuracy: Option<f64>,
    /// The seeds that a move gave away, on average, with two decimals.
    pub average_loss: Option<f64>,
    /// Moves where only one of several kept the value, proved by the tables.
    pub only_moves: usize,
    /// The player found it.
    pub only_moves_found: usize,
}

impl Forecast {
    /// The rest of the game `from` a position is worth `rest` to its mover; `at` is that
    /// position or the one after the move.
    fn new(from: &Game, rest: Worth, at: &Game) -> Forecast {
        let ending = at.outcome().map(|outcome| outcome.ending);
        let score = rest.score;
        Forecast {
            hundredths: 100 * lead(from.stores()) + sign(from.to_move()) * score.hundredths(),
            exact: rest.is_decided(from),
            decided: matches!(ending, Some(Ending::Majority(_))) || rest.result(from).is_some(),
        }
    }

    fn of_end(outcome: Outcome) -> Forecast {
        Forecast {
            hundredths: 100 * lead(outcome.stores),
            exact: true,
            decided: true,
        }
    }

    /// South's final seeds minus North's, in hundredths.
    pub fn hundredths(self) -> i16 {
        self.hundredths
    }

    /// South's final seeds minus North's.
    pub fn seeds(self) -> f64 {
        f64::from(self.hundredths) / 100.0
    }

    /// Whether the seeds are a value whose bounds decide the result.
    pub fn is_exact(self) -> bool {
        self.exact
    }

    /// Whether the winner is certain: the result is exact, its bounds leave one winner, or a
    /// player has a majority.
    pub fn has_certain_winner(self) -> bool {
        self.exact || self.decided
    }

    /// The winner; `None` for a draw.
    pub fn winner(self) -> Option<Player> {
        match self.hundredths {
            0 => None,
            1.. => Some(Player::South),
            _ => Some(Player::North),
        }
    }
}

impl ReviewedMove {
    /// What the move gave away, in hundredths of a seed; never negative.
    pub fn given_away(&self) -> i16 {
        self.best.hundredths() - self.played.hundredths()
    }

    /// How near the move is to the best one, in per cent: 100 if it gave nothing away, and
    /// half as much for every four seeds that it gave away.
    pub fn accuracy(&self) -> f64 {
        const HALF: f64 = 400.0;
        100.0 * (-f64::from(self.given_away()) / HALF).exp2()
    }

    /// Whether the results of both the best and the played move are exact.
    pub fn is_exact(&self) -> bool {
        self.before.is_exact() && self.after.is_exact()
    }

    /// Whether the move changes the winner under best play. It is false if either winner
    /// is not certain.
    pub fn is_turning_point(&self) -> bool {
        let known = self.before.has_certain_winner() && self.after.has_certain_winner();
        known && self.before.winner() != self.after.winner()
    }
}

impl PlayerReview {
    /// The review of one player's moves.
    pub fn of(player: Player, moves: &[ReviewedMove]) -> PlayerReview {
        let own: Vec<_> = moves.iter().filter(|m| m.turn.player == player).collect();
        let chosen = || own.iter().filter(|m| m.choices > 1);
        let only_moves = || own.iter().filter(|m| m.has_only_move);
        let choices = chosen().count();
        // A game has at most some thousand moves.
        #[allow(clippy::cast_precision_loss)]
        let mean = |sum: f64| (choices > 0).then(|| sum / choices as f64);
        let loss = mean(chosen().map(|m| f64::from(m.given_away())).sum());
        let accuracy = mean(chosen().map(|m| m.accuracy()).sum());
        PlayerReview {
            moves: own.len(),
            choices,
            accuracy: accuracy.map(|percent| (10.0 * percent).round() / 10.0),
            average_loss: loss.map(|hundredths| hundredths.round() / 100.0),
            only_moves: only_moves().count(),
            only_moves_found: only_moves().filter(|m| m.given_away() == 0).count(),
        }
    }
}

/// The reviews of both players.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PlayerReviews {
    /// How well South played.
    pub south: PlayerReview,
    /// How well North played.
    pub north: PlayerReview,
}

impl PlayerReviews {
    /// The reviews over all moves of a game.
    pub fn of(moves: &[ReviewedMove]) -> PlayerReviews {
        PlayerReviews {
            south: PlayerReview::of(Player::South, moves),
            north: PlayerReview::of(Player::North, moves),
        }
    }
}

/// The places of the moves that gave away most, at most three, in the order of the game.
pub fn key_moments(moves: &[ReviewedMove]) -> Vec<usize> {
    const MOST: usize = 3;
    let mut places: Vec<usize> = (0..moves.len()).collect();
    places.retain(|&place| moves[place].given_away() > 0);
    places.sort_by_key(|&place| -moves[place].given_away());
    places.truncate(MOST);
    places.sort_unstable();
    places
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

    /// The moves of a position that tables know; none if a table cannot be read, which is logged.
    fn known_moves(&self, game: &Game) -> Vec<RankedMove> {
        let moves = self.tables.moves(&game.board());
        self.table_errors().log(moves).unwrap_or_default()
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
        let (worth, pv, depth) = match best_of(game, &self.known_moves(game)) {
            Some(best) => (best, self.table_pv(game), 0),
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

    /// Reviews a move that was played in the game `before`. Where a table cannot be read, the
    /// engine estimates: [`Reviewer::table_errors`] tells.
    ///
    /// # Panics
    /// If the game is of another ruleset, or the move is not legal in it.
    pub fn review(&mut self, before: &Game, turn: &Turn) -> ReviewedMove {
        let mut after = before.clone();
        let made = after.play(turn.step.pit);
        assert_eq!(made, Ok(*turn), "a move of this game");

        let moves = self.known_moves(before);
        let from_tables = moves.iter().find(|m| m.step == turn.step);
        let from_tables = from_tables.and_then(|m| m.result);
        let holds = before.bounds_hold_after(&turn.step);
        let from_tables = from_tables.map(|result| Worth::probed(result, holds));
        let (mut best, played, mut pv, depth) = match (best_of(before, &moves), from_tables) {
            (Some(best), Some(played)) => (best, played, self.table_pv(before), 0),
            _ => self.estimate(before, turn, &after, from_tables),
        };
        let end = settled(&after);
        let mut played = end.map_or(played, |outcome| of_end(before, outcome));
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
        let [was, is] = [before, &after].map(|game| game.outcome().map(|end| end.ending));
        ReviewedMove {
            turn: *turn,
            ending: is.filter(|_| is != was),
            best: best.score,
            played: played.score,
            pv: before.letters(first(&pv)),
            before: Forecast::new(before, best, before),
            after: end.map_or_else(|| Forecast::new(before, played, &after), Forecast::of_end),
            depth,
            choices: before.moves().legal().count() as u8,
            has_only_move: has_only_move(before, &moves),
        }
    }

    /// The best moves of both sides, from the tables.
    fn table_pv(&self, game: &Game) -> Vec<u8> {
        let line = self.tables.best_line(&game.board(), MAX_PV);
        let line = self.table_errors().log(line);
        line.map_or_else(Vec::new, |line| {
            line.steps.iter().map(|step| step.pit).collect()
        })
    }

    /// The scores of the best and the played move from searches, the principal variation,
    /// and the depth. A score of the played move from the tables takes precedence; if the
    /// game is over after it, it is not searched.
    fn estimate(
        &mut self,
        before: &Game,
        turn: &Turn,
        after: &Game,
        from_tables: Option<Worth>,
    ) -> (Worth, Worth, Vec<u8>, u8) {
        let best = self.search(before, self.limits);
        let worth = Worth::found(&best);
        let known = from_tables.or_else(|| {
            let is_best = best.pv.first() == Some(&turn.step.pit);
            (is_best || settled(after).is_some()).then_some(worth)
        });
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

/// South's seeds minus North's.
fn lead(stores: Stores) -> i16 {
    i16::from(stores.south) - i16::from(stores.north)
}

/// The sign that converts a score for this player to one for South.
fn sign(player: Player) -> i16 {
    match player {
        Player::South => 1,
        Player::North => -1,
    }
}

/// The beginning of a principal variation.
fn first(pv: &[u8]) -> &[u8] {
    &pv[..pv.len().min(MAX_PV)]
}
