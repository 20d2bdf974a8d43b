//! A match between two engines that differ in their tables.
//!
//! `cargo run --release -p krou-bench --bin matches -- FIRST SECOND OPENINGS MILLISECONDS`
//!
//! `FIRST` and `SECOND` are folders of `awari` tables, or `none`. From each opening, a
//! few moves by chance that are the same at each run, two games are played, with the
//! sides swapped. Two games are played at a time, each on one thread.

// Games are few enough to be counted in floating point.
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

/// Games at a time.
const AT_A_TIME: usize = 2;
/// Moves of an opening.
const PLIES: usize = 6;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [first, second, openings, milliseconds] = &words[..] else {
        return Err(
            "give two folders of tables or 'none', how many openings, and milliseconds a move"
                .into(),
        );
    };
    let tables = [krou_bench::tables(first)?, krou_bench::tables(second)?];
    let openings: usize = openings.parse()?;
    let time = Duration::from_millis(milliseconds.parse()?);
    println!("{first} against {second}, {openings} openings, {milliseconds} ms a move");

    let pairs: Vec<[Played; 2]> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..AT_A_TIME)
            .map(|worker| {
                let tables = &tables;
                scope.spawn(move || {
                    let mine = (worker..openings).step_by(AT_A_TIME);
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

/// A game from the first engine's view.
#[derive(Clone, Copy, Default)]
struct Played {
    /// Half points: 2 if it won, 1 if nobody did.
    halves: u8,
    margin: f64,
    /// Of each engine: searches, their depths in sum, and moves that tables told.
    searches: [f64; 2],
    depths: [f64; 2],
    told: [f64; 2],
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
            .expect("a game that is not over");
        if report.depth == 0 {
            played.told[side] += 1.0;
        } else {
            played.searches[side] += 1.0;
            played.depths[side] += f64::from(report.depth);
        }
        game.play(report.pv[0]).expect("a legal move");
    }
    let outcome = game.outcome().expect("a game that is over");
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
    // Two games from one opening are not independent: an opening is one sample.
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
        let told = sum(&|g| g.told[side]);
        println!(
            "{name}: {:.1} plies deep in the mean of {searches} searches, {told} moves told by tables",
            depths / searches
        );
    }
}
