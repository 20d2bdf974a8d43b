//! `krou-lab certainty`: how much tables leave open in games of the engine.
//!
//! The engine plays itself without tables, after six random moves, so that the games are the same
//! for all tables whose rulesets end games alike. The bounds of every position inside the tables
//! are looked at, until the game is over.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, ensure};
use clap::Args;
use krou::engine::{Engine, EngineOptions, Game, Limits};
use krou::tablebase::Tablebase;

use crate::RulesArgs;

/// Random moves at the start of a game.
const OPENING: usize = 6;

static NEVER: AtomicBool = AtomicBool::new(false);

/// Prints the shares of positions whose bounds leave open the seeds and the winner.
#[derive(Args)]
pub struct CertaintyArgs {
    /// Folder with tables of a ruleset that has bounds.
    #[arg(long, short, value_name = "DIR")]
    dir: PathBuf,
    /// How many games to look at; each has its number as the seed of its random moves.
    #[arg(long, default_value_t = 24)]
    games: u64,
    /// Nodes of each move.
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,
    /// The occurrence of a board that ends a game.
    #[arg(long, default_value_t = Game::REPETITIONS)]
    repetitions: u8,
    #[command(flatten)]
    rules: RulesArgs,
}

/// Numbers of positions.
#[derive(Default)]
struct Positions {
    all: u32,
    /// The bounds differ.
    open: u32,
    /// The sum of the differences.
    width: u32,
    /// The bounds and the stores leave more than one result.
    winner_open: u32,
    /// The history of the game leaves the bounds uncertain.
    uncertain: u32,
}

pub fn run(args: &CertaintyArgs) -> Result<()> {
    let rules = args.rules.rules;
    ensure!(rules.has_bounds(), "boards of {rules} have no bounds");
    let tables = Tablebase::builder(rules)
        .without_embedded()
        .folder(&args.dir)
        .open()?;
    let highest = tables.highest_layer();
    let highest = highest.with_context(|| format!("there are no tables for {rules}"))?;
    let mut positions = Positions::default();
    for number in 0..args.games {
        let mut random = fastrand::Rng::with_seed(number);
        let mut engine = Engine::new(rules, None, EngineOptions::default());
        let limits = Limits::default().with_nodes(args.nodes);
        let mut game = Game::new(rules).with_repetitions(args.repetitions);
        for ply in 0.. {
            if game.outcome().is_some() {
                break;
            }
            if game.board().seeds() <= highest {
                positions.count(&game, &tables)?;
            }
            let pit = if ply < OPENING {
                let legal: Vec<u8> = game.moves().legal().map(|step| step.pit).collect();
                random.choice(legal).expect("a legal move")
            } else {
                let report = engine.search(&game, &limits, &NEVER, &mut |_| ());
                report.expect("a legal move").pv[0]
            };
            game.play(pit)?;
        }
    }
    positions.print();
    Ok(())
}

impl Positions {
    fn count(&mut self, game: &Game, tables: &Tablebase) -> Result<()> {
        let bounds = tables.bounds(&game.board())?;
        let lead = game.lead(game.to_move());
        let [least, most] = [bounds.lower, bounds.upper].map(|net| (lead + net).signum());
        self.all += 1;
        self.open += u32::from(bounds.exact().is_none());
        self.width += u32::from(bounds.lower.abs_diff(bounds.upper));
        self.winner_open += u32::from(least != most);
        self.uncertain += u32::from(!game.bounds_hold());
        Ok(())
    }

    fn print(&self) {
        let all = f64::from(self.all.max(1));
        let share = |count: u32| 100.0 * f64::from(count) / all;
        println!("{} positions inside the tables", self.all);
        println!(
            "open bounds: {:.1} %, {:.2} seeds wide on average",
            share(self.open),
            f64::from(self.width) / all
        );
        println!("open winner: {:.1} %", share(self.winner_open));
        println!(
            "bounds uncertain by the history: {:.1} %",
            share(self.uncertain)
        );
    }
}
