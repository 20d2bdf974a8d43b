//! Inside the tables: the moves that lose nothing, and among them those that get on.
//!
//! - Where a board has one value, a move that keeps it is played. A winner hurries and
//!   a loser delays: by the distance table, or without one by what a [`Race`] finds.
//! - Where endless play is settled by side, a board has bounds. If they are equal, the
//!   play hurries, since a loop may be settled otherwise. If not, there may be more to
//!   get than is sure: the search looks for it, but only among the moves that keep what
//!   is sure; and once a board has come up twice, the play hurries as well.
//!
//! If nothing better is known, the move to the board that came up least often in the
//! game is played.

use super::claim::Claim;
use super::distance::Race;
use super::limits::Clock;
use crate::engine::game::Game;
use crate::engine::oracle::TableOracle;
use crate::rules::{Next, Ruleset, Step};
use crate::tablebase::{RankedMove, Tablebase, Worth};

/// What tables have to say about a game.
pub(super) enum Advice {
    /// Play this, and what the game is worth.
    Play(Claim, Step),
    /// Search among these pits.
    Among(Vec<u8>),
}

/// Advice for a game that is not over; `None` if not all of its moves are in reach of
/// the tables.
pub(super) fn advise(game: &Game, tables: &Tablebase, clock: &mut Clock) -> Option<Advice> {
    let by_side = game.rules().has_bounds();
    let bounds = |worth: Worth| match by_side {
        true => worth.bounds,
        false => Some((worth.value, worth.value)),
    };
    let ranked = tables.moves(&game.board()).ok()?;
    let bounds: Option<Vec<(i8, i8)>> = ranked
        .iter()
        .map(|RankedMove { worth, .. }| worth.and_then(bounds))
        .collect();
    let bounds = bounds?;
    let lower = bounds.iter().map(|&(lower, _)| lower).max()?;
    let upper = bounds.iter().map(|&(_, upper)| upper).max()?;
    // The moves that keep what is sure, best first.
    let moves = ranked.iter().zip(&bounds);
    let keeping: Vec<&RankedMove> = moves
        .filter(|&(_, &(sure, _))| sure == lower)
        .map(|(ranked, _)| ranked)
        .collect();

    let is_exact = lower == upper;
    if !is_exact && game.nearly_endless().next().is_none() {
        let pits = keeping.iter().map(|ranked| ranked.step.pit);
        return Some(Advice::Among(pits.collect()));
    }
    let claim = match is_exact {
        true => Claim::exact(lower),
        false => Claim::guess(lower),
    };
    let distance = keeping[0].worth.and_then(|worth| worth.distance);
    let good: Vec<Step> = if by_side || distance.is_none() {
        let raced = race(game, tables, clock, lower);
        let pits = raced.unwrap_or_else(|| keeping.iter().map(|r| r.step.pit).collect());
        let steps = keeping.iter().map(|ranked| ranked.step);
        steps.filter(|step| pits.contains(&step.pit)).collect()
    } else {
        let told = |ranked: &&&RankedMove| ranked.worth.and_then(|w| w.distance) == distance;
        keeping
            .iter()
            .filter(told)
            .map(|ranked| ranked.step)
            .collect()
    };
    let step = good.into_iter().min_by_key(|step| times_seen(game, step))?;
    Some(Advice::Play(claim, step))
}

/// The pits that get on, if there is something to get and it is found out how.
fn race(game: &Game, tables: &Tablebase, clock: &mut Clock, sure: i8) -> Option<Vec<u8>> {
    let Ruleset::Oware(_) = game.rules() else {
        return None;
    };
    let board = game.board();
    let (hurries, target) = match game.rules().has_bounds() {
        // No loop is worse than that.
        true if -sure == board.seeds().cast_signed() => return None,
        true => (true, sure),
        false if sure == 0 => return None,
        false => (sure > 0, sure.abs()),
    };
    let mut oracle = TableOracle::new(tables);
    Race::new(game.rules(), &mut oracle, clock, target).best(&board, hurries)
}

/// How often the board that a step leads to came up in the game.
fn times_seen(game: &Game, step: &Step) -> u8 {
    match step.next {
        Next::Opponent => game.times_seen(game.to_move().opponent(), &step.board),
        Next::Again | Next::Over => 0,
    }
}
