//! A match between two engines with different tables.
//!
//! `cargo run --release -p krou-bench --bin matches -- FIRST SECOND OPENINGS MILLISECONDS`
//!
//! `FIRST` and `SECOND` are folders of `awari` tables, or `none`. From each opening two
//! games are played, with sides swapped. Openings are a few random moves, the same at
//! each run. Two games run at a time, each on one thread.

// Game counts fit into the mantissa of a float.
#![allow(clippy::cast_precision_loss)]

use std::env;
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use krou::engine::{Engine, EngineOptions, Game, Limits, Player};
use krou::rules::Ruleset;
use krou::tablebase::Tablebase;
use krou_bench::opening;

/// Games that run at a time.
const CONCURRENT: usize = 2;
/// Moves of an opening.
const PLIES: usize = 6;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [first, second, openings, milliseconds] = &words[..] else {
        return Err("usage: matches FIRST SECOND OPENINGS MILLISECONDS".into());
    };
    let tables = [krou_bench::tables(first)?, krou_bench::tables(second)?];
    let openings: usize = openings.parse()?;
    let time = Duration::from_millis(milliseconds.parse()?);
    println!("{first} against {second}, {openings} openings, {milliseconds} ms per move");

    let pairs: Vec<[Played; 2]> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..CONCURRENT)
            .map(|worker| {
                let tables = &tables;
                scope.spawn(move || {
                    let mine = (worker..openings).step_by(CONCURRENT);
                    mine.map(|number| pair(tables, number as u64, time))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        let played = workers
            .into_iter()
            .map(|worker| worker.join().expect("a match"));
        played.flatten().collect()
    });
    report(&pairs);
    Ok(())
}

/// The result of a game, from the view of the first engine.
#[derive(Clone, Copy, Default)]
struct Played {
    /// Half points: 2 for a win, 1 for a draw.
    halves: u8,
    margin: f64,
    /// For each engine: searches, the sum of their depths, and moves from tables.
    searches: [f64; 2],
    depths: [f64; 2],
    from_tables: [f64; 2],
}

/// Two games from an opening; the first engine is South in one of them.
fn pair(tables: &[Option<Arc<Tablebase>>; 2], number: u64, time: Duration) -> [Played; 2] {
    let game = opening(Ruleset::AWARI, number, PLIES);
    [Player::South, Player::North].map(|first| play(tables, game.clone(), first, time))
}

fn play(
    tables: &[Option<Arc<Tablebase>>; 2],
    mut game: Game,
    first: Player,
    time: Duration,
) -> Played {
    let mut engines = tables
        .clone()
        .map(|tables| Engine::new(Ruleset::AWARI, tables, EngineOptions::default()));
    let limits = Limits::default().with_time(time);
    let mut played = Played::default();
    while game.outcome().is_none() {
        let side = usize::from(game.to_move() != first);
        let report = engines[side]
            .search(&game, &limits, &AtomicBool::new(false), &mut |_| ())
            .expect("the game is not over");
        if report.depth == 0 {
            played.from_tables[side] += 1.0;
        } else {
            played.searches[side] += 1.0;
            played.depths[side] += f64::from(report.depth);
        }
        game.play(report.pv[0]).expect("a legal move");
    }
    let outcome = game.outcome().expect("the game is over");
    let seeds = |player| f64::from(outcome.stores.of(player));
    played.margin = seeds(first) - seeds(first.opponent());
    played.halves = match outcome.winner() {
        Some(winner) => 2 * u8::from(winner == first),
        None => 1,
    };
    played
}

fn report(pairs: &[[Played; 2]]) {
    let games: Vec<Played> = pairs.iter().flatten().copied().collect();
    let count = games.len() as f64;
    let with = |halves| games.iter().filter(|game| game.halves == halves).count();
    println!(
        "{} games: {} won, {} drawn, {} lost",
        games.len(),
        with(2),
        with(1),
        with(0)
    );

    let mean = |of: &dyn Fn(&Played) -> f64| games.iter().map(of).sum::<f64>() / count;
    // The two games of an opening are not independent: each opening is one sample.
    let points: Vec<f64> = pairs
        .iter()
        .map(|[a, b]| f64::from(a.halves + b.halves) / 4.0)
        .collect();
    let share = mean(&|game| f64::from(game.halves) / 2.0);
    let spread: f64 = points.iter().map(|points| (points - share).powi(2)).sum();
    let error = (spread / (points.len() as f64 - 1.0) / points.len() as f64).sqrt();
    let elo = |share: f64| 400.0 * (share / (1.0 - share)).log10();
    println!(
        "points: {:.1} % ± {:.1} (95 %)",
        100.0 * share,
        196.0 * error
    );
    println!(
        "elo: {:+.0}, between {:+.0} and {:+.0}",
        elo(share),
        elo(share - 1.96 * error),
        elo(share + 1.96 * error)
    );
    println!("margin: {:+.2} seeds", mean(&|game| game.margin));
    for (side, name) in ["first", "second"].iter().enumerate() {
        let sum = |of: &dyn Fn(&Played) -> f64| games.iter().map(of).sum::<f64>();
        let (searches, depths) = (sum(&|g| g.searches[side]), sum(&|g| g.depths[side]));
        let from_tables = sum(&|g| g.from_tables[side]);
        println!(
            "{name}: mean depth {:.1} plies in {searches} searches, {from_tables} moves from tables",
            depths / searches
        );
    }
}
