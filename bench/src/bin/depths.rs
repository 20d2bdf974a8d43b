//! The depth that the engine reaches in a given time.
//!
//! `cargo run --release -p krou-bench --bin depths -- TABLES MILLISECONDS [DEPTH [THREADS]]`
//!
//! `TABLES` is a folder of `awari` tables, or `none`. The boards are the start and twenty
//! from random games, the same at each run.

// Node counts fit into the mantissa of a float.
#![allow(clippy::cast_precision_loss)]

use std::env;
use std::error::Error;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use krou::engine::{Engine, EngineOptions, Limits};
use krou::rules::Ruleset;
use krou_bench::opening;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [tables, milliseconds, more @ ..] = &words[..] else {
        return Err("usage: depths TABLES MILLISECONDS [DEPTH [THREADS]]".into());
    };
    let depth = more.first().map(|word| word.parse()).transpose()?;
    let threads = more.get(1).map_or(Ok(1), |word| word.parse())?;
    let tables = krou_bench::tables(tables)?;
    let time = Duration::from_millis(milliseconds.parse()?);
    let mut limits = Limits::default().with_time(time);
    limits.depth = depth;
    let options = EngineOptions::default().with_threads(threads);
    let mut engine = Engine::new(Ruleset::AWARI, tables, options);
    let (mut depths, mut nodes, mut seconds) = (Vec::new(), 0, 0.0);
    for number in 0..=20 {
        let game = opening(Ruleset::AWARI, number, 2 * number as usize);
        engine.clear_hash();
        let report = engine
            .search(&game, &limits, &AtomicBool::new(false), &mut |_| ())
            .ok_or("the game is over")?;
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
