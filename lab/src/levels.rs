//! `krou-lab levels`: matches between opponents of neighbouring levels.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Args;
use krou::engine::Game;
use krou::internal::engine::{Level, Opponent, Style};
use krou::rules::{Player, Ruleset};
use krou::tablebase::Tablebase;

/// Moves of an opening.
const PLIES: usize = 6;

static NEVER: AtomicBool = AtomicBool::new(false);

/// Each level plays the next one: two games with sides swapped from each opening.
///
/// Openings are a few random moves, the same at each run.
#[derive(Args)]
pub struct LevelsArgs {
    rules: Ruleset,
    /// Folder of the tables for both.
    tables: PathBuf,
    openings: u64,
    levels: Vec<Level>,
}

pub fn run(args: &LevelsArgs) -> Result<()> {
    let tables = Tablebase::builder(args.rules).folder(&args.tables).open()?;
    for pair in args.levels.windows(2) {
        let mut result = MatchResult::default();
        for opening in 0..args.openings {
            for first in [Player::South, Player::North] {
                result.play(args.rules, &tables, [pair[1], pair[0]], opening, first);
            }
        }
        result.print(pair[1], pair[0]);
    }
    Ok(())
}

/// The result of a match, from the view of the higher level.
#[derive(Default)]
struct MatchResult {
    won: u32,
    drawn: u32,
    lost: u32,
    /// The sum of the net seeds.
    margin: i32,
    /// Time and number of moves of the first and the second level.
    times: [Duration; 2],
    moves: [u32; 2],
}

impl MatchResult {
    /// Plays a game from an opening; `first` is the side of the first level.
    fn play(
        &mut self,
        rules: Ruleset,
        tables: &Tablebase,
        levels: [Level; 2],
        opening: u64,
        first: Player,
    ) {
        let mut game = Game::new(rules);
        let mut random = Opponent::new(Style::Random, Level::MAX, rules, None, opening);
        for _ in 0..PLIES {
            let Some(pit) = random.choose(&game, &NEVER) else {
                break;
            };
            game.play(pit).expect("a legal move");
        }
        let mut opponents = levels.map(|level| {
            let tables = Some(tables.clone());
            Opponent::new(Style::Engine, level, rules, tables, opening)
        });
        while game.outcome().is_none() {
            let side = usize::from(game.to_move() != first);
            let began = Instant::now();
            let pit = opponents[side]
                .choose(&game, &NEVER)
                .expect("the game is not over");
            self.times[side] += began.elapsed();
            self.moves[side] += 1;
            game.play(pit).expect("a legal move");
        }
        let outcome = game.outcome().expect("the game is over");
        let seeds = |player| i32::from(outcome.stores.of(player));
        self.margin += seeds(first) - seeds(first.opponent());
        match outcome.winner() {
            Some(winner) if winner == first => self.won += 1,
            Some(_) => self.lost += 1,
            None => self.drawn += 1,
        }
    }

    fn print(&self, first: Level, second: Level) {
        let games = self.won + self.drawn + self.lost;
        let time =
            |side: usize| self.times[side].as_secs_f64() / f64::from(self.moves[side].max(1));
        println!(
            "level {} against {}: {games} games, {} won, {} drawn, {} lost, {:+.1} seeds per game; \
             {:.3} and {:.3} s per move",
            first.get(),
            second.get(),
            self.won,
            self.drawn,
            self.lost,
            f64::from(self.margin) / f64::from(games.max(1)),
            time(0),
            time(1),
        );
    }
}
