//! Reviewing a game: what each move gave away, and where the truth turned.
//!
//! **What a move gave away** is what the best move was worth less what the played one
//! was, both to the player who made it. Tables tell both as they are. Above them a
//! search looks as far ahead for the one as for the other: first `d` plies from the
//! board before the move, then `d − 1` from the board after it. Where an estimate has
//! gone into either side, the difference is an estimate; where the played move comes
//! out above the best one, it counts as the best, so that nobody gives away less than
//! nothing.
//!
//! **The truth** is who wins when both play their best from some moment on, stores
//! included. It turns where a move changes it; that is told only of what is exact.
//!
//! Tables know a board and no history. What has come up twice already is not counted
//! against a move; only a move that ends the game by repetition is worth what the end
//! gave. A move that wins a majority gives nothing away: seeds left on the board are
//! not shared out any more.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::game::{Ending, Game, Outcome, Turn};
use super::player::{Player, Stores};
use super::record::Record;
use super::search::{Engine, EngineOptions, Limits, Report, Score};
use crate::rules::{Bounds, Next, Step};
use crate::table::TableError;
use crate::tablebase::{ProbeResult, RankedMove, Tablebase};

/// The longest line that is told instead of a move, in plies.
const LINE: usize = 12;

/// Reviews games move by move.
///
/// ```
/// use std::sync::Arc;
/// use krou::engine::{EngineOptions, Limits, Reviewer, SavedGame};
/// use krou::rules::Ruleset;
/// use krou::tablebase::Tablebase;
///
/// let text = "[FEN \"1-0-0-0-0-1-2-0-0-0-0-1-20-20-S\"] A";
/// let saved = SavedGame::parse(text, Ruleset::AWARI)?;
/// let tables = Arc::new(Tablebase::embedded(Ruleset::AWARI));
/// let mut reviewer = Reviewer::new(tables, EngineOptions::default(), Limits::default());
/// let (before, turn) = saved.record().plies().next().unwrap();
/// let reviewed = reviewer.judge(before, turn)?;
/// assert!(reviewed.is_exact());
/// assert_eq!(reviewed.line.chars().next(), Some('F'));
/// assert!(reviewed.given_away() > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reviewer {
    tables: Arc<Tablebase>,
    engine: Engine,
    limits: Limits,
}

/// A move with what is to be said of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReviewedMove {
    /// The move.
    pub turn: Turn,
    /// What the best move was worth to the player: from here on, without the stores.
    pub best: Score,
    /// What the move that he made is worth to him, captures included.
    pub played: Score,
    /// The best play from before the move, at most 12 plies, in the letters of
    /// [`Record::letters`].
    pub line: String,
    /// How the game ends with best play from before the move on.
    pub before: Forecast,
    /// The same from after the move on.
    pub after: Forecast,
}

/// How a game ends if both play their best from some moment on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Forecast {
    hundredths: i16,
    exact: bool,
}

/// What a player gave away in a whole game, in hundredths of a seed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GivenAway {
    /// By moves of which it is known.
    pub exact: i32,
    /// By moves of which it is estimated.
    pub estimated: i32,
    /// Moves made.
    pub moves: usize,
}

impl Forecast {
    fn new(stores: Stores, player: Player, rest: Score) -> Forecast {
        Forecast {
            hundredths: 100 * lead(stores) + sign(player) * rest.hundredths(),
            exact: rest.is_exact(),
        }
    }

    fn of_end(outcome: Outcome) -> Forecast {
        Forecast {
            hundredths: 100 * lead(outcome.stores),
            exact: true,
        }
    }

    /// South's seeds less North's in the end, in hundredths.
    pub fn hundredths(self) -> i16 {
        self.hundredths
    }

    /// Whether no estimate went into it.
    pub fn is_exact(self) -> bool {
        self.exact
    }

    /// Who has more seeds in the end; `None` for a draw.
    pub fn winner(self) -> Option<Player> {
        match self.hundredths {
            0 => None,
            1.. => Some(Player::South),
            _ => Some(Player::North),
        }
    }
}

impl ReviewedMove {
    /// What the move gave away, in hundredths of a seed; never below 0.
    pub fn given_away(&self) -> i16 {
        self.best.hundredths() - self.played.hundredths()
    }

    /// Whether no estimate went into what it gave away.
    pub fn is_exact(&self) -> bool {
        self.best.is_exact() && self.played.is_exact()
    }

    /// Whether the game has another winner by this move than with the best one. Of
    /// estimates that is never said.
    pub fn turned(&self) -> bool {
        let known = self.before.is_exact() && self.after.is_exact();
        known && self.before.winner() != self.after.winner()
    }
}

impl GivenAway {
    /// Adds up what one player's moves gave away.
    pub fn by(player: Player, moves: &[ReviewedMove]) -> GivenAway {
        let mut sum = GivenAway::default();
        for reviewed in moves.iter().filter(|m| m.turn.player == player) {
            let lost = i32::from(reviewed.given_away());
            match reviewed.is_exact() {
                true => sum.exact += lost,
                false => sum.estimated += lost,
            }
            sum.moves += 1;
        }
        sum
    }
}

impl Reviewer {
    /// Reviews games of the tables' ruleset; where they do not reach, an engine with
    /// these options estimates, and `limits` are those of each board.
    pub fn new(tables: Arc<Tablebase>, options: EngineOptions, limits: Limits) -> Reviewer {
        let engine = Engine::new(tables.rules(), Some(Arc::clone(&tables)), options);
        Reviewer {
            tables,
            engine,
            limits,
        }
    }

    /// Says what is to be said of a move that was made in this game.
    ///
    /// # Errors
    /// If a table is damaged.
    ///
    /// # Panics
    /// If the game is of another ruleset, or the move is not legal in it.
    pub fn judge(&mut self, before: &Game, turn: &Turn) -> Result<ReviewedMove, TableError> {
        let mut after = before.clone();
        let made = after.play(turn.step.pit);
        assert_eq!(made, Ok(*turn), "a move of this game");

        let moves = self.tables.moves(&before.board())?;
        let tabled = moves.iter().find(|m| m.step == turn.step);
        let tabled = tabled.and_then(|m| m.result).map(score);
        let (mut best, played, mut line) = match (best_of(&moves), tabled) {
            (Some(best), Some(played)) => {
                let line = self.tables.best_line(&before.board(), LINE)?;
                let pits = line.steps.iter().map(|step| step.pit);
                (best, played, pits.collect())
            }
            _ => self.estimate(before, turn, &after, tabled),
        };
        let mut played = match after.outcome() {
            None => played,
            Some(outcome) if matches!(outcome.ending, Ending::Majority(_)) => best,
            Some(outcome) => settled(before, outcome),
        };
        if played.hundredths() > best.hundredths() {
            if best.is_exact() && !played.is_exact() {
                played = Score::estimate(best.hundredths());
            } else {
                best = match best.is_exact() {
                    true => played,
                    false => Score::estimate(played.hundredths()),
                };
                line = vec![turn.step.pit];
            }
        }
        let forecast = |rest| Forecast::new(before.stores(), turn.player, rest);
        Ok(ReviewedMove {
            turn: *turn,
            best,
            played,
            line: letters(before, &line),
            before: forecast(best),
            after: after
                .outcome()
                .map_or_else(|| forecast(played), Forecast::of_end),
        })
    }

    /// What the best move and the played one are worth by a search, and the line that
    /// it found. What the tables know of the played one counts; where the game is over
    /// after it, it is not looked at.
    fn estimate(
        &mut self,
        before: &Game,
        turn: &Turn,
        after: &Game,
        tabled: Option<Score>,
    ) -> (Score, Score, Vec<u8>) {
        let best = self.search(before, self.limits);
        let known = tabled.or_else(|| {
            let is_best = best.line.first() == Some(&turn.step.pit);
            (is_best || after.outcome().is_some()).then_some(best.score)
        });
        let played = known.unwrap_or_else(|| {
            let as_far = Limits {
                depth: Some(best.depth.saturating_sub(1).max(1)),
                ..Limits::default()
            };
            through(&turn.step, self.search(after, as_far).score)
        });
        (best.score, played, best.line)
    }

    /// Looks at a game that goes on.
    fn search(&mut self, game: &Game, limits: Limits) -> Report {
        let never = AtomicBool::new(false);
        let report = self.engine.search(game, &limits, &never, &mut |_| ());
        report.expect("a game that goes on has a move")
    }
}

/// What a table tells: an estimate where loops may be settled one way or the other.
fn score(worth: ProbeResult) -> Score {
    match worth.bounds {
        Some(bounds) if bounds.exact().is_none() => Score::estimate(100 * i16::from(worth.value)),
        _ => Score::exact(worth.value),
    }
}

/// What the best of these moves is worth; `None` unless all are known.
fn best_of(moves: &[RankedMove]) -> Option<Score> {
    let worths: Option<Vec<ProbeResult>> = moves.iter().map(|m| m.result).collect();
    let worths = worths?;
    let bounds: Option<Vec<Bounds>> = worths.iter().map(|worth| worth.bounds).collect();
    let bounds = bounds.and_then(|bounds| {
        Some(Bounds {
            lower: bounds.iter().map(|bounds| bounds.lower).max()?,
            upper: bounds.iter().map(|bounds| bounds.upper).max()?,
        })
    });
    Some(score(ProbeResult {
        value: worths.iter().map(|worth| worth.value).max()?,
        distance: None,
        bounds,
    }))
}

/// What a move is worth that leads to a board of this worth.
fn through(step: &Step, child: Score) -> Score {
    let child_seen = match step.next {
        Next::Opponent => -child.hundredths(),
        Next::Again => child.hundredths(),
        Next::Over => 0,
    };
    let hundredths = 100 * i16::from(step.gain) + child_seen;
    match child.is_exact() {
        true => Score::exact((hundredths / 100) as i8),
        false => Score::estimate(hundredths),
    }
}

/// What the end of the game gave to the player who moved last.
fn settled(before: &Game, outcome: Outcome) -> Score {
    let won = lead(outcome.stores) - lead(before.stores());
    // As many seeds as there are in a game at most.
    Score::exact((sign(before.to_move()) * won) as i8)
}

/// The seeds that South has more than North.
fn lead(stores: Stores) -> i16 {
    i16::from(stores.south) - i16::from(stores.north)
}

/// What turns a player's view into South's and back.
fn sign(player: Player) -> i16 {
    match player {
        Player::South => 1,
        Player::North => -1,
    }
}

/// These pits in letters, up to the end of the game.
fn letters(game: &Game, pits: &[u8]) -> String {
    let mut line = Record::new(game.clone());
    for &pit in pits.iter().take(LINE) {
        if line.play(pit).is_err() {
            break;
        }
    }
    line.letters()
}
