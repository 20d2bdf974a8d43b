//! `krou-lab accuracy`: how right the engine's moves are without tables, judged by tables.
//!
//! Positions are from games of the engine against itself after six random moves: the first
//! one with each number of seeds at which the moves differ in value. Each is searched with an
//! empty history.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use krou::engine::{Engine, EngineOptions, Game, Limits};
use krou::engine::{Level, Opponent, Style};
use krou::rules::{Position, Step};
use krou::tablebase::Tablebase;

use crate::RulesArgs;

/// Random moves at the start of a game.
const OPENING: usize = 6;
/// Nodes of each move of the games that positions are taken from.
const NODES: u64 = 20_000;

static NEVER: AtomicBool = AtomicBool::new(false);

/// Prints the share of moves that keep the value and the result, and the seeds lost a move.
#[derive(Args)]
pub struct AccuracyArgs {
    /// Folder with tables of all layers up to the most seeds.
    #[arg(long, short, value_name = "DIR")]
    dir: PathBuf,
    /// The fewest seeds on a board.
    #[arg(long, default_value_t = 20)]
    least: u8,
    /// The most seeds on a board.
    #[arg(long, default_value_t = 28)]
    most: u8,
    /// How many games to take positions from.
    #[arg(long, default_value_t = 40)]
    games: u64,
    /// Times of a search, in milliseconds.
    #[arg(long, value_delimiter = ',', default_value = "10,100,1000")]
    times: Vec<u64>,
    /// Levels of opponents to judge as well.
    #[arg(long, value_delimiter = ',')]
    levels: Vec<Level>,
    #[command(flatten)]
    rules: RulesArgs,
}

/// A position and what each legal move is worth.
struct Sample {
    game: Game,
    moves: Vec<(Step, i8)>,
}

pub fn run(args: &AccuracyArgs) -> Result<()> {
    let rules = args.rules.rules;
    let tables = Tablebase::builder(rules)
        .without_embedded()
        .folder(&args.dir)
        .open()?;
    let mut samples = Vec::new();
    for game in 0..args.games {
        samples.extend(samples_of_game(&tables, args, game)?);
    }
    println!(
        "{} positions of {rules}, {} to {} seeds",
        samples.len(),
        args.least,
        args.most
    );
    println!("| player | keeps the value | keeps the result | seeds lost a move |");
    println!("| --- | ---: | ---: | ---: |");
    for &ms in &args.times {
        let limits = Limits::default().with_time(Duration::from_millis(ms));
        let mut engine = Engine::new(rules, None, EngineOptions::default());
        judge(&format!("{ms} ms"), &samples, |_, game| {
            engine.clear_hash();
            let report = engine.search(game, &limits, &NEVER, &mut |_| ());
            report.expect("a legal move").pv[0]
        });
    }
    for &level in &args.levels {
        judge(&format!("level {level}"), &samples, |seed, game| {
            let mut opponent = Opponent::new(Style::Engine, level, rules, None, seed);
            opponent.choose(game, &NEVER).expect("a legal move")
        });
    }
    Ok(())
}

/// The positions of a game that tell players apart.
fn samples_of_game(tables: &Tablebase, args: &AccuracyArgs, number: u64) -> Result<Vec<Sample>> {
    let rules = tables.rules();
    let mut random = fastrand::Rng::with_seed(number);
    let mut engine = Engine::new(rules, None, EngineOptions::default());
    let limits = Limits::default().with_nodes(NODES);
    let mut game = Game::new(rules);
    let mut samples: Vec<Sample> = Vec::new();
    for ply in 0.. {
        let seeds = game.board().seeds();
        if game.outcome().is_some() || seeds < args.least {
            break;
        }
        let seen = samples
            .iter()
            .any(|sample| sample.game.board().seeds() == seeds);
        if seeds <= args.most && !seen {
            let moves = values(tables, &game.position())?;
            if moves.iter().any(|(_, value)| *value != moves[0].1) {
                let game = Game::from_position(rules, game.position())?;
                samples.push(Sample { game, moves });
            }
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
    Ok(samples)
}

/// The value of each legal move, by the tables.
fn values(tables: &Tablebase, position: &Position) -> Result<Vec<(Step, i8)>> {
    let moves = tables.moves(&position.board)?.into_iter();
    let value = |result: Option<krou::tablebase::ProbeResult>| {
        let seeds = position.board.seeds();
        result.with_context(|| format!("a table of at most {seeds} seeds is missing"))
    };
    moves
        .map(|m| Ok((m.step, value(m.result)?.value)))
        .collect()
}

/// Prints how right a player's moves are. Each position has a seed of its own for the
/// player's random choices.
#[allow(clippy::cast_precision_loss)]
fn judge(name: &str, samples: &[Sample], mut choose: impl FnMut(u64, &Game) -> u8) {
    let (mut values, mut results, mut lost) = (0, 0, 0);
    for (seed, Sample { game, moves }) in (0..).zip(samples) {
        let pit = choose(seed, game);
        let best = moves
            .iter()
            .map(|(_, value)| *value)
            .max()
            .expect("a legal move");
        let of_pit = moves.iter().find(|(step, _)| step.pit == pit);
        let (_, value) = *of_pit.expect("a legal move");
        let lead = game.lead(game.to_move());
        values += u32::from(value == best);
        results += u32::from((lead + value).signum() == (lead + best).signum());
        lost += u32::from(best.abs_diff(value));
    }
    let count = samples.len() as f64;
    let share = |count_of: u32| 100.0 * f64::from(count_of) / count;
    println!(
        "| {name} | {:.1} % | {:.1} % | {:.2} |",
        share(values),
        share(results),
        f64::from(lost) / count
    );
}
