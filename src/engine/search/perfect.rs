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
//! game is played. Tables know no history: a move that ends the game because a board
//! comes up once too often is worth what that end gives.

use super::claim::Claim;
use super::distance::Race;
use super::limits::Clock;
use crate::engine::game::{Game, REPETITIONS, endless_shares};
use crate::engine::oracle::TableOracle;
use crate::rules::{Next, Ruleset, Step};
use crate::tablebase::{RankedMove, Tablebase};

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
    let ranked = tables.moves(&game.board()).ok()?;
    let bounds: Option<Vec<(i8, i8)>> = ranked.iter().map(|m| bounds(game, m)).collect();
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
    let ends = |ranked: &RankedMove| end_of_loop(game, &ranked.step).is_some();
    // What rests on the history is not the worth of the board.
    let claim = match is_exact && !ranked.iter().any(ends) {
        true => Claim::exact(lower),
        false => Claim::guess(lower),
    };
    let going_on = || keeping.iter().copied().filter(|ranked| !ends(ranked));
    let Some(best) = going_on().next() else {
        return Some(Advice::Play(claim, keeping[0].step));
    };
    let distance = best.result.and_then(|worth| worth.distance);
    let raced = match by_side || distance.is_none() {
        true => race(game, tables, clock, lower),
        false => None,
    };
    let gets_on = |ranked: &&RankedMove| match &raced {
        Some(pits) => pits.contains(&ranked.step.pit),
        None => by_side || ranked.result.and_then(|w| w.distance) == distance,
    };
    let good = going_on().filter(gets_on).map(|ranked| ranked.step);
    let step = good.min_by_key(|step| times_seen(game, step));
    Some(Advice::Play(claim, step.unwrap_or(best.step)))
}

/// The least and the most that a move is worth in this game.
fn bounds(game: &Game, ranked: &RankedMove) -> Option<(i8, i8)> {
    if let Some(net) = end_of_loop(game, &ranked.step) {
        return Some((net, net));
    }
    let worth = ranked.result?;
    match game.rules().has_bounds() {
        true => worth.bounds.map(|bounds| (bounds.lower, bounds.upper)),
        false => Some((worth.value, worth.value)),
    }
}

/// What a move is worth that brings a board up once too often; `None` for all others.
fn end_of_loop(game: &Game, step: &Step) -> Option<i8> {
    let Ruleset::Oware(rules) = game.rules() else {
        return None;
    };
    if times_seen(game, step) + 1 < REPETITIONS {
        return None;
    }
    // Seen by the opponent, who moves next.
    let (other, own) = endless_shares(rules.endless, &step.board);
    Some(own.cast_signed() - other.cast_signed())
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
