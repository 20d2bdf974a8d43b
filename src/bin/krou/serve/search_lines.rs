//! The best lines of a position: a search for several first moves at once.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use krou::engine::{Engine, Game, GameResult, Limits, Outcome, Player, Score};

/// The best lines at a completed depth.
#[derive(Clone, Debug)]
pub struct BestLines {
    pub depth: u8,
    pub selective_depth: u8,
    pub nodes: u64,
    pub time: Duration,
    /// Best first, with distinct first moves.
    pub lines: Vec<Line>,
}

/// A line and its score for the player to move.
#[derive(Clone, Debug)]
pub struct Line {
    pub score: Score,
    /// The result of the game, if it is certain.
    pub result: Option<GameResult>,
    pub pits: Vec<u8>,
}

/// Searches for the best `count` first moves until a limit is reached, `stop` is set or all
/// scores are exact. Calls `on_depth` after each completed depth, at least once unless the
/// game is over.
pub fn search_lines(
    engine: &mut Engine,
    game: &Game,
    count: usize,
    limits: &Limits,
    stop: &AtomicBool,
    on_depth: &mut dyn FnMut(BestLines),
) {
    let start = Instant::now();
    let deepest = limits.depth.unwrap_or(u8::MAX);
    let mut nodes = 0;
    for depth in 1..=deepest {
        let mut found = BestLines {
            depth,
            selective_depth: depth,
            nodes: 0,
            time: Duration::ZERO,
            lines: Vec::new(),
        };
        for step in game.moves().legal() {
            let mut after = game.clone();
            if after.play(step.pit).is_err() {
                continue;
            }
            let left = limits.time.map(|time| time.saturating_sub(start.elapsed()));
            let mut limits = Limits::default().with_depth((depth - 1).max(1));
            limits.time = left;
            if let Some(outcome) = after.outcome() {
                found.lines.push(ended(game, step.pit, outcome));
                continue;
            }
            let Some(report) = engine.search(&after, &limits, stop, &mut |_| ()) else {
                continue;
            };
            nodes += report.nodes;
            let same_player = after.to_move() == game.to_move();
            found.selective_depth = found.selective_depth.max(report.selective_depth + 1);
            found.lines.push(Line {
                score: score_before(step.gain, report.score, same_player),
                result: report.result.map(|result| match same_player {
                    true => result,
                    false => reversed(result),
                }),
                pits: [&[step.pit], &report.pv[..]].concat(),
            });
        }
        let is_late = limits.time.is_some_and(|time| start.elapsed() >= time);
        let is_cut_off = is_late || stop.load(Ordering::Relaxed);
        if found.lines.is_empty() || is_cut_off && depth > 1 {
            return;
        }
        let is_exact = found.lines.iter().all(|line| line.score.is_exact());
        found
            .lines
            .sort_by_key(|line| Reverse(line.score.hundredths()));
        found.lines.truncate(count);
        (found.nodes, found.time) = (nodes, start.elapsed());
        on_depth(found);
        if is_exact || is_cut_off {
            return;
        }
    }
}

/// The line of a move that ends the game.
fn ended(game: &Game, pit: u8, outcome: Outcome) -> Line {
    let player = game.to_move();
    let sign = match player {
        Player::South => 1,
        Player::North => -1,
    };
    let final_lead = outcome.stores.south.cast_signed() - outcome.stores.north.cast_signed();
    Line {
        score: Score::exact(sign * final_lead - game.lead(player)),
        result: Some(match outcome.winner() {
            None => GameResult::Draw,
            Some(winner) if winner == player => GameResult::Win,
            Some(_) => GameResult::Loss,
        }),
        pits: vec![pit],
    }
}

/// The score of a move with this gain, from the score of the position after it.
fn score_before(gain: i8, after: Score, same_player: bool) -> Score {
    let rest = match same_player {
        true => after.hundredths(),
        false => -after.hundredths(),
    };
    match after.is_exact() {
        true => Score::exact(gain + (rest / 100) as i8),
        false => Score::estimate(100 * i16::from(gain) + rest),
    }
}

fn reversed(result: GameResult) -> GameResult {
    match result {
        GameResult::Win => GameResult::Loss,
        GameResult::Draw => GameResult::Draw,
        GameResult::Loss => GameResult::Win,
    }
}
