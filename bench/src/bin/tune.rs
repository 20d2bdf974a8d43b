//! Finds the weights of the engine's evaluation by least squares.
//!
//! `cargo run --release -p krou-bench --bin tune -- RULES GAMES DEPTH [FOLDER OF TABLES]`
//!
//! The engine plays against itself, a fixed number of plies deep, from openings by
//! chance that are the same at each run. For each board of these games it is known
//! what was taken afterwards, up to the end or to a board that the tables know. Weights
//! are printed as `src/engine/search/evaluate.rs` has them: towards that, the squares
//! of what the evaluation is off are least in sum.

// Boards are few enough to be counted in floating point.
#![allow(clippy::cast_precision_loss)]

use std::collections::HashSet;
use std::env;
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use krou::engine::{Engine, EngineOptions, Game, Limits, Player, Stores, TableSource};
use krou::internal::{FEATURES, features};
use krou::rules::{Board, Next, Ruleset};
use krou::tablebase::Tablebase;
use krou_bench::Chance;

/// Each feature by itself, and times the seeds on the board.
const UNKNOWNS: usize = 2 * FEATURES;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [rules, games, depth, folder @ ..] = &words[..] else {
        return Err("give a ruleset, how many games, how deep, and a folder of tables".into());
    };
    let rules: Ruleset = rules.parse()?;
    let tables = match folder {
        [] => None,
        folders => Some(Arc::new(Tablebase::open(rules, folders)?)),
    };
    let limits = Limits::default().with_depth(depth.parse()?);
    let mut engine = Engine::new(rules, tables.clone(), EngineOptions::default());
    let mut chance = Chance::new(1);
    let mut sums = Squares::default();
    for _ in 0..games.parse()? {
        engine.clear_hash();
        for (board, rest) in play(&mut engine, tables.as_deref(), &limits, &mut chance) {
            sums.add(&unknowns(&board), f64::from(rest));
        }
    }
    let weights = sums.solve();
    println!("{} boards of {} games of {rules}", sums.count, words[1]);
    let off = |weights| sums.mean_square(weights).sqrt();
    println!(
        "off by {:.2} seeds, and by {:.2} if all were worth nothing",
        off(&weights),
        off(&[0.0; UNKNOWNS])
    );
    for pair in weights.chunks_exact(2) {
        // In hundredths of a seed; the second part for as many seeds as a game has.
        println!(
            "    [{:.0}, {:.0}],",
            pair[0] * 100.0,
            pair[1] * 100.0 * 48.0
        );
    }
    Ok(())
}

/// What is weighed of a board.
fn unknowns(board: &Board) -> [f64; UNKNOWNS] {
    let seen = features(board);
    let seeds = f64::from(board.seeds());
    std::array::from_fn(|i| f64::from(seen[i / 2]) * if i % 2 == 0 { 1.0 } else { seeds })
}

/// A game from an opening by chance: its boards, each with what the mover took after it.
fn play(
    engine: &mut Engine,
    mut tables: Option<&Tablebase>,
    limits: &Limits,
    chance: &mut Chance,
) -> Vec<(Board, i16)> {
    let rules = engine.rules();
    let opening = 4 + chance.below(12);
    let mut board = Board::START;
    // Boards with what was taken on them, and whether the opponent moved next.
    let mut steps = Vec::new();
    let mut seen = HashSet::new();
    let mut rest = 0;
    while seen.insert((steps.len() % 2, board)) {
        if let Some(value) = tables.as_mut().and_then(|tables| tables.value(&board)) {
            rest = i16::from(value);
            break;
        }
        // Stores do not matter, and a majority is no end here.
        let game = Game::from_position(rules, board, Stores::default(), Player::South)
            .expect("the seeds of a board");
        let moves = rules.moves(&board);
        if let Some(net) = moves.over() {
            rest = i16::from(net);
            break;
        }
        let legal: Vec<_> = moves.legal().collect();
        let step = if steps.len() < opening {
            legal[chance.below(legal.len())]
        } else {
            let report = engine.search(&game, limits, &AtomicBool::new(false), &mut |_| ());
            let pit = report.expect("a game that is not over").pv[0];
            rules.play(&board, pit).expect("a legal move")
        };
        steps.push((board, step));
        if step.next == Next::Over {
            break;
        }
        board = step.board;
    }
    let mut told = Vec::new();
    for (board, step) in steps.into_iter().rev() {
        rest = match step.next {
            Next::Opponent => i16::from(step.gain) - rest,
            Next::Again => i16::from(step.gain) + rest,
            Next::Over => i16::from(step.gain),
        };
        told.push((board, rest));
    }
    let played = told.len().saturating_sub(opening);
    told.truncate(played);
    told
}

/// Sums from which the weights come.
struct Squares {
    count: u64,
    products: [[f64; UNKNOWNS]; UNKNOWNS],
    by_rest: [f64; UNKNOWNS],
    rest: f64,
}

impl Default for Squares {
    fn default() -> Squares {
        Squares {
            count: 0,
            products: [[0.0; UNKNOWNS]; UNKNOWNS],
            by_rest: [0.0; UNKNOWNS],
            rest: 0.0,
        }
    }
}

impl Squares {
    fn add(&mut self, seen: &[f64; UNKNOWNS], rest: f64) {
        self.count += 1;
        self.rest += rest * rest;
        for (i, row) in self.products.iter_mut().enumerate() {
            self.by_rest[i] += seen[i] * rest;
            for (product, other) in row.iter_mut().zip(seen) {
                *product += seen[i] * other;
            }
        }
    }

    /// The weights: Gauss's elimination, with the largest pivot.
    fn solve(&self) -> [f64; UNKNOWNS] {
        let mut rows = self.products;
        let mut sides = self.by_rest;
        // A feature that never varies has no weight.
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

    /// How far weights are off, squared, in the mean.
    fn mean_square(&self, weights: &[f64; UNKNOWNS]) -> f64 {
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
