//! Measures the search of the engine: the nodes and the time of searches to a fixed depth.
//!
//! The sum of the nodes is a signature: with one thread, without tables and from an empty
//! transposition table it depends on the search alone.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use krou::engine::{Aim, Engine, EngineOptions, Game, Limits};
use krou::rules::{Position, Ruleset};
use serde::Serialize;

use super::measure::{seconds, speed};
use crate::system::Machine;

/// Options for the search of the engine.
#[derive(Args)]
#[command(next_help_heading = "Engine")]
pub struct SearchArgs {
    /// Measure the engine instead: search fixed positions of all rulesets to one depth.
    ///
    /// The number of nodes is a signature of the search, which changes only if the search
    /// does. No tables are used.
    #[arg(
        long,
        conflicts_with_all = ["seeds", "threads", "codec", "in_memory", "plain", "targets", "rules"]
    )]
    pub engine: bool,
    /// Depth of the searches with --engine, in plies.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 13,
        requires = "engine",
        value_parser = clap::value_parser!(u8).range(1..=60),
        allow_negative_numbers = true
    )]
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

#[derive(Serialize)]
struct Report {
    krou: &'static str,
    machine: Machine,
    depth: u8,
    positions: Vec<Searched>,
    /// The sum of all nodes.
    signature: u64,
    seconds: f64,
    /// Millions of boards a second.
    speed: f64,
}

/// A position that was searched.
#[derive(Serialize)]
struct Searched {
    rules: &'static str,
    position: &'static str,
    nodes: u64,
    seconds: f64,
}

/// Searches all positions under all named rulesets.
pub fn measure(args: &SearchArgs, json: bool) -> Result<ExitCode> {
    let depth = args.depth;
    let mut positions = Vec::new();
    let mut total = Duration::ZERO;
    for (name, rules) in Ruleset::NAMED {
        for text in POSITIONS {
            let (nodes, time) = search(rules, &text.parse()?, depth)?;
            total += time;
            positions.push(Searched {
                rules: name,
                position: text,
                nodes,
                seconds: seconds(time),
            });
        }
    }
    let signature = positions.iter().map(|searched| searched.nodes).sum();
    let report = Report {
        krou: env!("CARGO_PKG_VERSION"),
        machine: Machine::new(),
        depth,
        positions,
        signature,
        seconds: seconds(total),
        speed: speed(signature, total),
    };
    let mut out = io::stdout().lock();
    match json {
        true => writeln!(out, "{}", serde_json::to_string(&report)?)?,
        false => out.write_all(report.text().as_bytes())?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Nodes and time of a search.
fn search(rules: Ruleset, position: &Position, depth: u8) -> Result<(u64, Duration)> {
    let options = EngineOptions::default()
        .with_aim(Aim::Result)
        .with_hash_mib(HASH_MIB);
    let mut engine = Engine::new(rules, None, options);
    let game = Game::at(rules, position)?;
    let limits = Limits::default().with_depth(depth);
    let report = engine.search(&game, &limits, &AtomicBool::new(false), &mut |_| ());
    Ok(report.map_or((0, Duration::ZERO), |report| (report.nodes, report.time)))
}

impl Report {
    fn text(&self) -> String {
        let mut text = format!(
            "krou {}, searches to depth {}\n{}, {}\n\n{:<11} {:<33} {:>11} {:>9}\n",
            self.krou,
            self.depth,
            self.machine.cpu,
            self.machine.system,
            "ruleset",
            "position",
            "nodes",
            "seconds"
        );
        for searched in &self.positions {
            text += &format!(
                "{:<11} {:<33} {:>11} {:>9.3}\n",
                searched.rules, searched.position, searched.nodes, searched.seconds
            );
        }
        text + &format!(
            "\nsignature {} nodes in {:.2} seconds, {:.2} million boards a second\n",
            self.signature, self.seconds, self.speed
        )
    }
}
