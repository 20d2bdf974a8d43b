//! `krou-lab table-cost`: boards a second that the engine looks at, without tables and with
//! tables in memory.

// Node counts fit into the mantissa of a float.
#![allow(clippy::cast_precision_loss)]

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, bail};
use clap::Args;
use krou::engine::{Aim, Engine, EngineOptions, Game, Limits, Player, Stores};
use krou::rules::{Board, Ruleset};
use krou::tablebase::Tablebase;

const RULES: Ruleset = Ruleset::ABAPA;

/// Bytes for tables in memory, as in the runs of `docs/measurements.md`.
const MEMORY: u64 = 2 << 30;

/// Boards from far above tables of 20 seeds to near them, and the seeds that each player has
/// taken.
const BOARDS: [(&str, u8); 6] = [
    ("4 3 4 0 5 3 / 4 5 2 5 1 4", 4),
    ("2 1 3 1 4 2 / 3 1 5 2 3 3", 9),
    ("2 1 3 0 4 2 / 3 1 5 2 3 2", 10),
    ("2 1 3 0 3 2 / 3 1 4 2 3 2", 11),
    ("2 1 2 0 3 2 / 3 1 3 2 3 2", 12),
    ("1 2 0 3 2 2 / 3 1 4 1 2 1", 13),
];

/// Each round searches six boards without tables and with them, in turn, on one thread.
///
/// The medians of the rounds are printed, and that of the ratios of both speeds.
#[derive(Args)]
pub struct TableCostArgs {
    /// Folder of tables of abapa, which are loaded before the searches begin.
    tables: PathBuf,
    /// Nodes of each search.
    #[arg(default_value_t = 4_000_000)]
    nodes: u64,
    #[arg(default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

pub fn run(args: &TableCostArgs) -> Result<()> {
    let TableCostArgs { nodes, rounds, .. } = *args;
    let tables = Tablebase::builder(RULES).folder(&args.tables);
    let tables = Arc::new(tables.table_memory(MEMORY).open()?);
    if tables.resident_bytes() == 0 {
        bail!("{} has no tables of abapa", args.tables.display());
    }
    let options = EngineOptions::default().with_aim(Aim::Result);
    let mut engines = [None, Some(tables)].map(|tables| Engine::new(RULES, tables, options));
    println!("seeds  no tables  tables  share   (M boards/s, medians of {rounds} rounds)");
    for (board, taken) in BOARDS {
        let board: Board = board.parse()?;
        let stores = Stores {
            south: taken,
            north: taken,
        };
        let game = Game::from_position(RULES, board, stores, Player::South)?;
        let (mut speeds, mut shares) = ([vec![], vec![]], vec![]);
        for _ in 0..rounds {
            for (engine, speeds) in engines.iter_mut().zip(&mut speeds) {
                speeds.push(speed(engine, &game, nodes)?);
            }
            let [without, with] = speeds.each_ref().map(|speeds| speeds[speeds.len() - 1]);
            shares.push(with / without);
        }
        let [without, with] = speeds.map(median);
        let (seeds, share) = (game.board().seeds(), median(shares));
        println!("{seeds:>5}  {without:>9.2}  {with:>6.2}  {share:>5.2}");
    }
    Ok(())
}

/// Millions of boards a second of a search of this many.
fn speed(engine: &mut Engine, game: &Game, nodes: u64) -> Result<f64> {
    engine.clear_hash();
    let limits = Limits::default().with_nodes(nodes);
    let report = engine.search(game, &limits, &AtomicBool::new(false), &mut |_| ());
    let report = report.context("the game is over")?;
    Ok(report.nodes as f64 / report.time.as_secs_f64() / 1e6)
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_unstable_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
