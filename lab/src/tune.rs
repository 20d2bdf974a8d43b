//! `krou-lab tune`: tunes the weights of the evaluation for the store family by linear
//! regression (least squares), on the samples of `krou-lab selfplay`. The target for each board
//! is its outcome. The program prints the weights in the form of
//! `src/engine/search/evaluate.rs`.

// Board counts fit into the mantissa of a float.
#![allow(clippy::cast_precision_loss)]

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use krou::internal::{FEATURES, features};
use krou::rules::Board;
use krou_lab::samples::Sample;

/// Each feature alone, and multiplied by the seeds on the board.
const UNKNOWNS: usize = 2 * FEATURES;

/// Prints the weights in the form of `src/engine/search/evaluate.rs`.
#[derive(Args)]
pub struct TuneArgs {
    /// Files of `krou-lab selfplay`.
    samples: Vec<PathBuf>,
}

pub fn run(args: &TuneArgs) -> Result<()> {
    let mut regression = Regression::default();
    for file in &args.samples {
        for sample in Sample::read_all(file)? {
            regression.add(
                &regressors(&sample.board),
                f64::from(sample.outcome) / 100.0,
            );
        }
    }
    let weights = regression.solve();
    println!("{} boards", regression.count);
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
