//! `krou-lab depths`: the depth that the engine reaches in a given time.

// Node counts fit into the mantissa of a float.
#![allow(clippy::cast_precision_loss)]

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use krou::engine::{Engine, EngineOptions, Limits};
use krou::rules::Ruleset;
use krou_lab::opening;

/// The boards are the start and twenty from random games of awari, the same at each run.
#[derive(Args)]
pub struct DepthsArgs {
    /// Folder of tables of awari, or `none`.
    tables: String,
    milliseconds: u64,
    /// Depth that ends a search, in plies.
    depth: Option<u8>,
    #[arg(default_value_t = 1)]
    threads: usize,
}

pub fn run(args: &DepthsArgs) -> Result<()> {
    let tables = krou_lab::tables(&args.tables)?;
    let time = Duration::from_millis(args.milliseconds);
    let mut limits = Limits::default().with_time(time);
    limits.depth = args.depth;
    let options = EngineOptions::default().with_threads(args.threads);
    let mut engine = Engine::new(Ruleset::AWARI, tables, options);
    let (mut depths, mut nodes, mut seconds) = (Vec::new(), 0, 0.0);
    for number in 0..=20 {
        let game = opening(Ruleset::AWARI, number, 2 * number as usize);
        engine.clear_hash();
        let report = engine
            .search(&game, &limits, &AtomicBool::new(false), &mut |_| ())
            .context("the game is over")?;
        println!(
            "{:>38}  {:>2} seeds  depth {:>3}  {:>9} nodes  {:.3} s  {}",
            game.board().notation(),
            game.board().seeds(),
            report.depth,
            report.nodes,
            report.time.as_secs_f64(),
            report.score,
        );
        depths.push(report.depth);
        nodes += report.nodes;
        seconds += report.time.as_secs_f64();
    }
    println!("start: {} plies", depths.remove(0));
    depths.sort_unstable();
    let sum: f64 = depths.iter().map(|&depth| f64::from(depth)).sum();
    println!(
        "others: median {} plies, mean {:.1}",
        depths[depths.len() / 2],
        sum / depths.len() as f64
    );
    println!(
        "{seconds:.2} s, {:.2} M nodes/s",
        nodes as f64 / seconds / 1e6
    );
    Ok(())
}
