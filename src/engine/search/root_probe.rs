//! Probing tables at the root: the moves that keep the value, and among them those that
//! make progress.
//!
//! - Where a board has one value, the engine plays a move that keeps it. The winner
//!   hurries and the loser delays, by the distance table or, without one, by a
//!   [`ConversionSearch`].
//! - Where endless play is settled by side, a board has bounds. If they are equal, the
//!   engine hurries, since a loop may be settled against it. If not, more than the lower
//!   bound may be possible, and the engine searches:
//!   - An engine that plays for seeds searches the moves that keep the lower bound. Once a
//!     board has occurred twice, it hurries.
//!   - One that plays for the result searches the moves that keep the guaranteed result. It
//!     hurries only if that is a win.
//! - Where the history of the game leaves bounds uncertain ([`Game::bounds_hold`]), the engine
//!   hurries if that keeps the lower bound all the same. If not, it searches with the history.
//!
//! If there are still several moves, the engine plays the one to the board that occurred
//! least often in the game. Tables do not know the history: a move that ends the game by
//! repetition gets the value of that end.

use super::clock::Clock;
use super::conversion::ConversionSearch;
use super::score::{Aim, SEED, Score};
use crate::engine::game::Game;
use crate::engine::table_errors::TableErrors;
use crate::engine::table_source::ProberSource;
use crate::rules::{Bounds, Next, Ruleset, Step};
use crate::tablebase::{RankedMove, Tablebase};

/// What tables say about the root.
pub(super) struct Advice {
    /// The bounds of the game, if they are certain.
    pub certain: Option<Bounds>,
    pub choice: Choice,
}

/// What to do at the root.
pub(super) enum Choice {
    /// Play one of these steps, which are equally good; the score is that of the game.
    Play(Score, Vec<Step>),
    /// Search these pits only.
    RestrictTo(Vec<u8>),
    /// Search all pits. The history of the game counts, and bounds on the layer of the root are
    /// estimates.
    SearchByHistory,
}

/// The bounds of those of some moves that tables know, best moves first. A move that ends
/// the game by repetition is left out: its value is that of the game and not of a board.
pub(super) fn known_moves(
    game: &Game,
    pits: &[u8],
    tables: &Tablebase,
    errors: &TableErrors,
) -> Vec<(u8, Bounds)> {
    let ranked = errors.log(tables.moves(&game.board())).unwrap_or_default();
    let allowed = ranked.iter().filter(|m| pits.contains(&m.step.pit));
    let lasting = allowed.filter(|m| game.net_of_repetition(&m.step).is_none());
    lasting
        .filter_map(|m| Some((m.step.pit, bounds(game, m)?)))
        .collect()
}

/// Advice for a game that is not over, in which some pits may be played; `None` unless
/// the tables cover all these moves.
pub(super) fn advise(
    game: &Game,
    pits: &[u8],
    aim: Aim,
    tables: &Tablebase,
    errors: &TableErrors,
    clock: &mut Clock,
) -> Option<Advice> {
    let root = RootMoves::new(game, pits, tables, errors)?;
    let lead = game.lead(game.to_move());
    // A draw or a loss may turn into more by a repetition.
    let must_hurry = aim == Aim::Seeds || lead + root.lower > 0;
    let is_exact = root.lower == root.upper;
    let can_play = is_exact || must_hurry && game.boards_near_repetition().next().is_some();
    let to_play = match can_play {
        true => root.to_play(tables, errors, clock),
        false => None,
    };
    let choice = to_play.unwrap_or_else(|| match root.holds {
        true => Choice::RestrictTo(root.to_search(aim, lead)),
        false => Choice::SearchByHistory,
    });
    Some(Advice {
        certain: root.certain(),
        choice,
    })
}

/// The moves that may be played; tables know all of them.
struct RootMoves<'a> {
    game: &'a Game,
    /// Best first.
    moves: Vec<(RankedMove, Bounds)>,
    /// The bounds of the best of them.
    lower: i8,
    upper: i8,
    /// Whether bounds of boards hold in this game.
    holds: bool,
}

impl<'a> RootMoves<'a> {
    fn new(
        game: &'a Game,
        pits: &[u8],
        tables: &Tablebase,
        errors: &TableErrors,
    ) -> Option<RootMoves<'a>> {
        let mut ranked = errors.log(tables.moves(&game.board()))?;
        let legal = ranked.len();
        ranked.retain(|ranked| pits.contains(&ranked.step.pit));
        // The best of all moves has the bounds of the board; that of some has those of these moves.
        let holds = match ranked.len() == legal {
            true => game.bounds_hold(),
            false => ranked.iter().all(|m| game.bounds_hold_after(&m.step)),
        };
        let moves = ranked.into_iter().map(|m| Some((m, bounds(game, &m)?)));
        let moves: Vec<(RankedMove, Bounds)> = moves.collect::<Option<_>>()?;
        Some(RootMoves {
            game,
            lower: moves.iter().map(|(_, bounds)| bounds.lower).max()?,
            upper: moves.iter().map(|(_, bounds)| bounds.upper).max()?,
            moves,
            holds,
        })
    }

    /// The bounds of the game. A value that depends on the history is not that of the board.
    fn certain(&self) -> Option<Bounds> {
        let (lower, upper) = (self.lower, self.upper);
        let repeats = |(ranked, _): &(RankedMove, Bounds)| repeats(self.game, ranked);
        let is_certain = self.holds && !self.moves.iter().any(repeats);
        is_certain.then_some(Bounds { lower, upper })
    }

    /// The pits that keep what is guaranteed.
    fn to_search(&self, aim: Aim, lead: i8) -> Vec<u8> {
        let keeps = |bounds: &Bounds| match aim {
            Aim::Seeds => bounds.lower == self.lower,
            Aim::Result => (lead + bounds.lower).signum() >= (lead + self.lower).signum(),
        };
        let kept = self.moves.iter().filter(|(_, bounds)| keeps(bounds));
        kept.map(|(ranked, _)| ranked.step.pit).collect()
    }

    /// What to play to keep the lower bound and get on; `None` if that takes a search.
    fn to_play(
        &self,
        tables: &Tablebase,
        errors: &TableErrors,
        clock: &mut Clock,
    ) -> Option<Choice> {
        let score = match self.certain().and_then(Bounds::exact) {
            Some(value) => Score::exact(value),
            None => Score::estimate(i16::from(self.lower) * SEED),
        };
        let keeping = self.moves.iter();
        let keeping = keeping.filter(|(_, bounds)| bounds.lower == self.lower);
        let keeping: Vec<&RankedMove> = keeping.map(|(ranked, _)| ranked).collect();
        let mut continuing = keeping.iter().copied().filter(|m| !repeats(self.game, m));
        let Some(best) = continuing.next() else {
            let steps = keeping.iter().map(|ranked| ranked.step);
            return Some(Choice::Play(score, steps.collect()));
        };
        let has_distance = best.result.is_some_and(|result| result.distance.is_some());
        let fastest = match self.game.rules().has_bounds() || !has_distance {
            true => fastest_pits(self.game, tables, errors, clock, self.lower),
            false => None,
        };
        if fastest.is_none() && !self.holds {
            return None;
        }
        let good = progressing(self.game, &keeping, best, fastest.as_deref());
        Some(Choice::Play(score, good))
    }
}

/// Whether a move ends the game by repetition.
fn repeats(game: &Game, ranked: &RankedMove) -> bool {
    game.net_of_repetition(&ranked.step).is_some()
}

/// Those of the moves that keep the value and get on: in the `fastest` pits if they are known, else
/// as near to the next conversion as the best. Boards that were seen less often come first.
fn progressing(
    game: &Game,
    keeping: &[&RankedMove],
    best: &RankedMove,
    fastest: Option<&[u8]>,
) -> Vec<Step> {
    let by_side = game.rules().has_bounds();
    let distance = |ranked: &RankedMove| ranked.result.and_then(|result| result.distance);
    let makes_progress = |ranked: &&&RankedMove| match fastest {
        Some(pits) => pits.contains(&ranked.step.pit),
        None if repeats(game, ranked) => false,
        None => by_side || distance(ranked) == distance(best),
    };
    let good = keeping.iter().filter(makes_progress);
    let mut good: Vec<Step> = good.map(|ranked| ranked.step).collect();
    let least = good.iter().map(|step| times_seen(game, step)).min();
    good.retain(|step| Some(times_seen(game, step)) == least);
    if good.is_empty() {
        good.push(best.step);
    }
    good
}

/// The bounds of a move in this game.
fn bounds(game: &Game, ranked: &RankedMove) -> Option<Bounds> {
    if let Some(net) = game.net_of_repetition(&ranked.step) {
        return Some(Bounds::of_value(net));
    }
    let result = ranked.result?;
    match game.rules().has_bounds() {
        true => result.bounds,
        false => Some(Bounds::of_value(result.value)),
    }
}

/// The pits that a conversion search finds best; `None` if there is nothing to win or
/// the search did not finish.
fn fastest_pits(
    game: &Game,
    tables: &Tablebase,
    errors: &TableErrors,
    clock: &mut Clock,
    lower: i8,
) -> Option<Vec<u8>> {
    let Ruleset::Oware(_) = game.rules() else {
        return None;
    };
    let board = game.board();
    let (hurries, target) = match game.rules().has_bounds() {
        // Nothing is worse than losing all seeds.
        true if -lower == board.seeds().cast_signed() => return None,
        true => (true, lower),
        false if lower == 0 => return None,
        false => (lower > 0, lower.abs()),
    };
    let mut source = ProberSource::new(tables, errors);
    ConversionSearch::new(game, &mut source, clock, target, hurries).best(&board)
}

/// How often the child of a step has occurred in the game.
fn times_seen(game: &Game, step: &Step) -> u8 {
    match step.next {
        Next::Opponent => game.times_seen(game.to_move().opponent(), &step.board),
        Next::Again | Next::Over => 0,
    }
}
