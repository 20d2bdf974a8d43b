//! `krou-lab tune`: tunes the weights of the engine's evaluation by linear regression (least squares).
//!
//! The engine plays against itself at a fixed depth, from random openings that are the
//! same at each run. The target for each board of these games is the number of net seeds
//! that the mover took afterwards, up to the end or to a board in the tables. The
//! program prints the weights in the form of `src/engine/search/evaluate.rs`.

// Board counts fit into the mantissa of a float.
#![allow(clippy::cast_precision_loss)]

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use clap::Args;
use fastrand::Rng;
use krou::engine::{Engine, EngineOptions, Game, Limits, Player, Stores, TableSource};
use krou::internal::{FEATURES, features};
use krou::rules::{Board, Next, Ruleset};
use krou::tablebase::Tablebase;

/// Each feature alone, and multiplied by the seeds on the board.
const UNKNOWNS: usize = 2 * FEATURES;

/// Prints the weights in the form of `src/engine/search/evaluate.rs`.
#[derive(Args)]
pub struct TuneArgs {
    rules: Ruleset,
    games: u64,
    /// Depth of the searches in plies.
    depth: u8,
    /// Folder of tables.
    tables: Option<PathBuf>,
}

pub fn run(args: &TuneArgs) -> Result<()> {
    let rules = args.rules;
    let folder = args.tables.as_ref();
    let tables = folder.map(|folder| Tablebase::open(rules, &[folder]));
    let tables = tables.transpose()?.map(Arc::new);
    let limits = Limits::default().with_depth(args.depth);
    let mut engine = Engine::new(rules, tables.clone(), EngineOptions::default());
    let mut random = Rng::with_seed(1);
    let mut regression = Regression::default();
    for _ in 0..args.games {
        engine.clear_hash();
        for (board, rest) in play(&mut engine, tables.as_deref(), &limits, &mut random) {
            regression.add(&regressors(&board), f64::from(rest));
        }
    }
    let weights = regression.solve();
    println!(
        "{} boards of {} games of {rules}",
        regression.count, args.games
    );
    let error = |weights| regression.mean_square_error(weights).sqrt();
    println!(
        "root mean square error: {:.2} seeds; {:.2} with all weights 0",
        error(&weights),
        error(&[0.0; UNKNOWNS])
    );
    for pair in weights.chunks_exact(2) {
        // In hundredths of a seed; the second part for 48 seeds.
        println!(
            "    [{:.0}, {:.0}],",
            pair[0] * 100.0,
            pair[1] * 100.0 * 48.0
        );
    }
    Ok(())
}

/// The regressors of a board.
fn regressors(board: &Board) -> [f64; UNKNOWNS] {
    let features = features(board);
    let seeds = f64::from(board.seeds());
    std::array::from_fn(|i| f64::from(features[i / 2]) * if i % 2 == 0 { 1.0 } else { seeds })
}

/// Plays a game from a random opening. Returns its boards, each with the net seeds that
/// the mover took afterwards.
fn play(
    engine: &mut Engine,
    mut tables: Option<&Tablebase>,
    limits: &Limits,
    random: &mut Rng,
) -> Vec<(Board, i16)> {
    let rules = engine.rules();
    let opening = 4 + random.usize(..12);
    let mut board = Board::START;
    // The boards and the steps played on them.
    let mut steps = Vec::new();
    let mut seen = HashSet::new();
    let mut rest = 0;
    while seen.insert((steps.len() % 2, board)) {
        if let Some(value) = tables.as_mut().and_then(|tables| tables.value(&board)) {
            rest = i16::from(value);
            break;
        }
        // Empty stores, so that no majority ends the game.
        let game = Game::from_position(rules, board, Stores::default(), Player::South)
            .expect("the seeds of a board");
        let moves = rules.moves(&board);
        if let Some(net) = moves.over() {
            rest = i16::from(net);
            break;
        }
        let legal: Vec<_> = moves.legal().collect();
        let step = if steps.len() < opening {
            legal[random.usize(..legal.len())]
        } else {
            let report = engine.search(&game, limits, &AtomicBool::new(false), &mut |_| ());
            let pit = report.expect("the game is not over").pv[0];
            rules.play(&board, pit).expect("a legal move")
        };
        steps.push((board, step));
        if step.next == Next::Over {
            break;
        }
        board = step.board;
    }
    let mut targets = Vec::new();
    for (board, step) in steps.into_iter().rev() {
        rest = match step.next {
            Next::Opponent => i16::from(step.gain) - rest,
            Next::Again => i16::from(step.gain) + rest,
            Next::Over => i16::from(step.gain),
        };
        targets.push((board, rest));
    }
    // The boards of the opening are the last ones.
    let played = targets.len().saturating_sub(opening);
    targets.truncate(played);
    targets
}

/// The sums of a linear regression.
struct Regression {
    count: u64,
    products: [[f64; UNKNOWNS]; UNKNOWNS],
    by_rest: [f64; UNKNOWNS],
    rest: f64,
}

impl Default for Regression {
    fn default() -> Regression {
        Regression {
            count: 0,
            products: [[0.0; UNKNOWNS]; UNKNOWNS],
            by_rest: [0.0; UNKNOWNS],
            rest: 0.0,
        }
    }
}

impl Regression {
    fn add(&mut self, regressors: &[f64; UNKNOWNS], rest: f64) {
        self.count += 1;
        self.rest += rest * rest;
        for (i, row) in self.products.iter_mut().enumerate() {
            self.by_rest[i] += regressors[i] * rest;
            for (product, other) in row.iter_mut().zip(regressors) {
                *product += regressors[i] * other;
            }
        }
    }

    /// The weights, by Gaussian elimination with partial pivoting.
    fn solve(&self) -> [f64; UNKNOWNS] {
        let mut rows = self.products;
        let mut sides = self.by_rest;
        // Regularised, so that a constant regressor gets weight 0.
        for (i, row) in rows.iter_mut().enumerate() {
            row[i] += 1e-6 * (row[i] + 1.0);
        }
        for i in 0..UNKNOWNS {
            let below =
                (i..UNKNOWNS).max_by(|&a, &b| rows[a][i].abs().total_cmp(&rows[b][i].abs()));
            let pivot = below.unwrap_or(i);
            rows.swap(i, pivot);
            sides.swap(i, pivot);
            let (top, side) = (rows[i], sides[i]);
            for other in (0..UNKNOWNS).filter(|&other| other != i) {
                let factor = rows[other][i] / top[i];
                for (cell, above) in rows[other].iter_mut().zip(&top) {
                    *cell -= factor * above;
                }
                sides[other] -= factor * side;
            }
        }
        std::array::from_fn(|i| sides[i] / rows[i][i])
    }

    /// The mean square error of weights.
    fn mean_square_error(&self, weights: &[f64; UNKNOWNS]) -> f64 {
        let mut sum = self.rest;
        for (i, row) in self.products.iter().enumerate() {
            sum -= 2.0 * weights[i] * self.by_rest[i];
            sum += row
                .iter()
                .zip(weights)
                .map(|(product, weight)| product * weight * weights[i])
                .sum::<f64>();
        }
        sum / self.count as f64
    }
}
