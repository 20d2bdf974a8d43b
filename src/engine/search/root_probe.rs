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
//!
//! If there are still several moves, the engine plays the one to the board that occurred
//! least often in the game. Tables do not know the history: a move that ends the game by
//! repetition gets the value of that end.

use super::clock::Clock;
use super::conversion::ConversionSearch;
use super::score::{Aim, SEED, Score};
use crate::engine::game::{Game, endless_shares};
use crate::engine::table_errors::TableErrors;
use crate::engine::table_source::ProberSource;
use crate::rules::{Bounds, Next, Ruleset, Step};
use crate::tablebase::{RankedMove, Tablebase};

/// What tables say about the root.
pub(super) enum Advice {
    /// Play one of these steps, which are equally good; the score is that of the game.
    Play(Score, Vec<Step>),
    /// Search these pits only.
    RestrictTo(Vec<u8>),
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
    let lasting = allowed.filter(|m| value_of_repetition(game, &m.step).is_none());
    lasting
        .filter_map(|m| Some((m.step.pit, bounds(game, m)?)))
        .collect()
}

/// Advice for a game that is not over, of which some pits may be played; `None` unless
/// the tables cover all these moves.
pub(super) fn advise(
    game: &Game,
    pits: &[u8],
    aim: Aim,
    tables: &Tablebase,
    errors: &TableErrors,
    clock: &mut Clock,
) -> Option<Advice> {
    let by_side = game.rules().has_bounds();
    let mut ranked = errors.log(tables.moves(&game.board()))?;
    ranked.retain(|ranked| pits.contains(&ranked.step.pit));
    let bounds: Option<Vec<Bounds>> = ranked.iter().map(|m| bounds(game, m)).collect();
    let bounds = bounds?;
    let lower = bounds.iter().map(|bounds| bounds.lower).max()?;
    let upper = bounds.iter().map(|bounds| bounds.upper).max()?;
    // The moves that keep the lower bound, best first.
    let moves = ranked.iter().zip(&bounds);
    let keeping: Vec<&RankedMove> = moves
        .filter(|(_, bounds)| bounds.lower == lower)
        .map(|(ranked, _)| ranked)
        .collect();

    let is_exact = lower == upper;
    if !is_exact {
        let lead = game.lead(game.to_move());
        // The moves that keep what is guaranteed.
        let keeps = |bounds: &Bounds| match aim {
            Aim::Seeds => bounds.lower == lower,
            Aim::Result => (lead + bounds.lower).signum() >= (lead + lower).signum(),
        };
        let must_hurry = match aim {
            Aim::Seeds => true,
            // A draw or a loss may turn into more by a repetition.
            Aim::Result => lead + lower > 0,
        };
        if !must_hurry || game.boards_near_repetition().next().is_none() {
            let moves = ranked.iter().zip(&bounds);
            let kept = moves.filter(|(_, bounds)| keeps(bounds));
            return Some(Advice::RestrictTo(kept.map(|(m, _)| m.step.pit).collect()));
        }
    }
    let repeats = |ranked: &RankedMove| value_of_repetition(game, &ranked.step).is_some();
    // A score that depends on the history is not that of the board.
    let score = match is_exact && !ranked.iter().any(repeats) {
        true => Score::exact(lower),
        false => Score::estimate(i16::from(lower) * SEED),
    };
    let continuing = || keeping.iter().copied().filter(|ranked| !repeats(ranked));
    let Some(best) = continuing().next() else {
        let steps = keeping.iter().map(|ranked| ranked.step);
        return Some(Advice::Play(score, steps.collect()));
    };
    let distance = best.result.and_then(|result| result.distance);
    let fastest = match by_side || distance.is_none() {
        true => fastest_pits(game, tables, errors, clock, lower),
        false => None,
    };
    let makes_progress = |ranked: &&RankedMove| match &fastest {
        Some(pits) => pits.contains(&ranked.step.pit),
        None => by_side || ranked.result.and_then(|result| result.distance) == distance,
    };
    let good = continuing()
        .filter(makes_progress)
        .map(|ranked| ranked.step);
    let mut good: Vec<Step> = good.collect();
    let least = good.iter().map(|step| times_seen(game, step)).min();
    good.retain(|step| Some(times_seen(game, step)) == least);
    if good.is_empty() {
        good.push(best.step);
    }
    Some(Advice::Play(score, good))
}

/// The bounds of a move in this game.
fn bounds(game: &Game, ranked: &RankedMove) -> Option<Bounds> {
    if let Some(net) = value_of_repetition(game, &ranked.step) {
        return Some(Bounds::of_value(net));
    }
    let result = ranked.result?;
    match game.rules().has_bounds() {
        true => result.bounds,
        false => Some(Bounds::of_value(result.value)),
    }
}

/// The value of a step that ends the game by repetition; `None` for all other steps.
fn value_of_repetition(game: &Game, step: &Step) -> Option<i8> {
    let Ruleset::Oware(rules) = game.rules() else {
        return None;
    };
    if times_seen(game, step) + 1 < game.repetitions() {
        return None;
    }
    // The opponent moves next.
    let (opponent, own) = endless_shares(rules.endless, &step.board);
    Some(own.cast_signed() - opponent.cast_signed())
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
    ConversionSearch::new(game.rules(), &mut source, clock, target).best(&board, hurries)
}

/// How often the child of a step has occurred in the game.
fn times_seen(game: &Game, step: &Step) -> u8 {
    match step.next {
        Next::Opponent => game.times_seen(game.to_move().opponent(), &step.board),
        Next::Again | Next::Over => 0,
    }
}
