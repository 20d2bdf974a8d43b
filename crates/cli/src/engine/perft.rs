//! Perft: how many sequences of moves there are, to check other generators of moves.

use std::sync::atomic::{AtomicBool, Ordering};

use krou::engine::Game;
use krou::rules::{Next, Ruleset, Step};

/// A line for each legal move, with the number of sequences of `plies` moves that begin with
/// it, and a line with their sum; nothing once `stop` is set.
pub fn perft(game: &Game, plies: u8, stop: &AtomicBool) -> Vec<String> {
    let (mut lines, mut sum) = (Vec::new(), 0);
    for step in game.moves().legal() {
        let count = sequences(game.rules(), &step, plies.max(1), stop);
        lines.push(format!("{}: {count}", game.to_move().letter(step.pit)));
        sum += count;
    }
    lines.push(format!("sequences: {sum}"));
    lines.retain(|_| !stop.load(Ordering::Relaxed));
    lines
}

/// The sequences of `plies` moves that begin with one. None goes on after the end of the game.
fn sequences(rules: Ruleset, first: &Step, plies: u8, stop: &AtomicBool) -> u64 {
    if plies == 1 {
        return 1;
    }
    if first.next == Next::Over || stop.load(Ordering::Relaxed) {
        return 0;
    }
    let moves = rules.moves(&first.board);
    let longer = moves
        .legal()
        .map(|step| sequences(rules, &step, plies - 1, stop));
    longer.sum()
}
