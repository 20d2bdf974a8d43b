//! `krou-lab search`: the nodes and the time of searches to a fixed depth.
//!
//! The sum of the nodes is a signature: with one thread, without tables and from an empty
//! transposition table it depends on the search alone.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use krou::engine::{Aim, Engine, EngineOptions, Game, Limits};
use krou::rules::{Position, Ruleset};

/// Fixed positions of all rulesets are searched to one depth, without tables.
#[derive(Args)]
pub struct SearchArgs {
    /// Depth of the searches in plies.
    #[arg(long, value_name = "N", default_value_t = 13, value_parser = clap::value_parser!(u8).range(1..=60))]
    depth: u8,
}

/// A beginning, two boards of the middle game and one of the endgame.
const POSITIONS: [&str; 4] = [
    "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
    "3-4-2-4-2-5-3-3-4-2-5-3-4-4-S",
    "2-3-1-3-1-4-2-2-3-1-4-2-10-10-N",
    "0-3-1-2-0-4-1-2-3-0-4-2-13-13-S",
];

/// Size of the transposition table, which the searches fill in part.
const HASH_MIB: usize = 16;

/// Searches all positions under all named rulesets.
pub fn run(args: &SearchArgs) -> Result<()> {
    println!(
        "{:<11} {:<33} {:>11} {:>9}",
        "ruleset", "position", "nodes", "seconds"
    );
    let (mut signature, mut total) = (0, 0.0);
    for &(name, rules) in Ruleset::NAMED {
        for text in POSITIONS {
            let (nodes, time) = search(rules, &text.parse()?, args.depth)?;
            let seconds = time.as_secs_f64();
            println!("{name:<11} {text:<33} {nodes:>11} {seconds:>9.3}");
            signature += nodes;
            total += seconds;
        }
    }
    #[allow(clippy::cast_precision_loss)]
    let speed = signature as f64 / 1e6 / total;
    println!(
        "\nsignature {signature} nodes in {total:.2} seconds, {speed:.2} million boards a second"
    );
    Ok(())
}

/// Nodes and time of a search.
fn search(rules: Ruleset, position: &Position, depth: u8) -> Result<(u64, Duration)> {
    let options = EngineOptions::default()
        .with_aim(Aim::Result)
        .with_hash_mib(HASH_MIB);
    let mut engine = Engine::new(rules, None, options);
    let game = Game::from_position(rules, *position)?;
    let limits = Limits::default().with_depth(depth);
    let report = engine.search(&game, &limits, &AtomicBool::new(false), &mut |_| ());
    Ok(report.map_or((0, Duration::ZERO), |report| (report.nodes, report.time)))
}
