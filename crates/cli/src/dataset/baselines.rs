//! How well simple players do on the boards of a test: the least that a program which learns should
//! beat.

use std::sync::atomic::{AtomicBool, Ordering};

use krou::engine::{Game, Level, Opponent, Style};
use krou::rules::Ruleset;
use rayon::prelude::*;

use super::facts::BoardFacts;

/// Boards that players are judged on, at most.
const MOST: usize = 2000;
/// Levels of krou that are judged.
const LEVELS: [u8; 3] = [1, 5, 10];

/// How right a player's moves are.
pub struct PlayerScore {
    pub player: String,
    /// The number of boards.
    pub boards: usize,
    /// Shares of moves from 0 to 1.
    pub keeps_value: f64,
    pub keeps_result: f64,
    /// Seeds lost a move.
    pub lost: f64,
}

/// Judges the players on the boards at which moves differ in value, or on some of them, evenly
/// spaced. After Ctrl-C the scores mean nothing.
pub fn measure(rules: Ruleset, test: &[BoardFacts], stop: &AtomicBool) -> Vec<PlayerScore> {
    let telling: Vec<&BoardFacts> = test.iter().filter(|facts| is_telling(facts)).collect();
    let boards: Vec<&BoardFacts> = telling
        .iter()
        .step_by(telling.len().div_ceil(MOST).max(1))
        .copied()
        .collect();
    let random = |_, facts: &BoardFacts| legal(facts).map(|(pit, _)| pit).collect();
    let greedy = |_, facts: &BoardFacts| {
        let steps = rules.moves(&facts.board);
        let most = steps.legal().map(|step| step.gain).max();
        let largest = steps.legal().filter(|step| Some(step.gain) == most);
        largest.map(|step| usize::from(step.pit)).collect()
    };
    let mut players = vec![
        judge("random", &boards, random),
        judge("greedy: the largest gain", &boards, greedy),
    ];
    for level in LEVELS.into_iter().filter_map(Level::new) {
        let choose = |seed, facts: &BoardFacts| {
            if stop.load(Ordering::Relaxed) {
                return Vec::new();
            }
            let mut opponent = Opponent::new(Style::Engine, level, rules, None, seed);
            let game = Game::from_position(rules, facts.board).expect("the seeds of a board");
            opponent
                .choose(&game, stop)
                .into_iter()
                .map(usize::from)
                .collect()
        };
        players.push(judge(&format!("krou, level {level}"), &boards, choose));
    }
    players
}

/// The pits that may be played, with what they are worth.
fn legal(facts: &BoardFacts) -> impl Iterator<Item = (usize, i8)> {
    let moves = facts.moves.into_iter().enumerate();
    moves.filter_map(|(pit, worth)| Some((pit, worth?)))
}

/// Whether it matters what is played.
fn is_telling(facts: &BoardFacts) -> bool {
    let worth = || legal(facts).map(|(_, worth)| worth);
    worth().min() != worth().max()
}

/// Judges a player who chooses any one of the pits that `choose` returns for a seed and a board.
#[allow(clippy::cast_precision_loss)]
fn judge(
    player: &str,
    boards: &[&BoardFacts],
    choose: impl Fn(u64, &BoardFacts) -> Vec<usize> + Sync,
) -> PlayerScore {
    let of_board = |(seed, facts): (usize, &&BoardFacts)| {
        let best = legal(facts)
            .map(|(_, worth)| worth)
            .max()
            .unwrap_or_default();
        let pits = choose(seed as u64, facts);
        let mut sums = [0.0; 3];
        for worth in pits.iter().filter_map(|&pit| facts.moves[pit]) {
            let keeps_result = worth.signum() == best.signum();
            let seen = [
                f64::from(worth == best),
                f64::from(keeps_result),
                f64::from(best - worth),
            ];
            for (sum, seen) in sums.iter_mut().zip(seen) {
                *sum += seen / pits.len() as f64;
            }
        }
        sums
    };
    // Added in order: the sum of fractions depends on it.
    let sums: Vec<[f64; 3]> = boards.par_iter().enumerate().map(of_board).collect();
    let mean = |number: usize| {
        sums.iter().map(|sums| sums[number]).sum::<f64>() / boards.len().max(1) as f64
    };
    PlayerScore {
        player: player.to_owned(),
        boards: boards.len(),
        keeps_value: mean(0),
        keeps_result: mean(1),
        lost: mean(2),
    }
}
