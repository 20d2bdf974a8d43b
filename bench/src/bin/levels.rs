//! Matches between opponents of several levels: each must beat those below.
//!
//! `cargo run --release -p krou-bench --bin levels -- RULES FOLDER OPENINGS LEVELS…`
//!
//! `FOLDER` has the tables that both may ask. Each level plays the next one of the
//! list: from each opening, a few moves by chance that are the same at each run, two
//! games with the sides swapped.

use std::env;
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use krou::engine::{Game, Level, Opponent, Player, Style};
use krou::rules::Ruleset;
use krou::tablebase::Tablebase;

/// Moves of an opening.
const PLIES: usize = 6;

static NEVER: AtomicBool = AtomicBool::new(false);

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [rules, folder, openings, levels @ ..] = &words[..] else {
        return Err("give a ruleset, a folder of tables, how many openings, and levels".into());
    };
    let rules: Ruleset = rules.parse()?;
    let tables = Arc::new(Tablebase::open(rules, &[folder])?);
    let openings: u64 = openings.parse()?;
    let levels: Vec<Level> = levels
        .iter()
        .map(|word| {
            word.parse()
                .ok()
                .and_then(Level::new)
                .ok_or("a level is 1 to 10")
        })
        .collect::<Result<_, _>>()?;
    for pair in levels.windows(2) {
        let mut score = Score::default();
        for opening in 0..openings {
            for first in [Player::South, Player::North] {
                score.play(rules, &tables, [pair[1], pair[0]], opening, first);
            }
        }
        score.tell(pair[1], pair[0]);
    }
    Ok(())
}

/// A match from the view of the one who should win it.
#[derive(Default)]
struct Score {
    won: u32,
    drawn: u32,
    lost: u32,
    /// Seeds more, in sum.
    margin: i32,
    /// Of the first and of the second.
    times: [Duration; 2],
    moves: [u32; 2],
}

impl Score {
    /// One game from an opening; `first` is the side of the first level.
    fn play(
        &mut self,
        rules: Ruleset,
        tables: &Arc<Tablebase>,
        levels: [Level; 2],
        opening: u64,
        first: Player,
    ) {
        let mut game = Game::new(rules);
        let mut chance = Opponent::new(Style::Random, Level::MAX, rules, None, opening);
        for _ in 0..PLIES {
            let Some(pit) = chance.choose(&game, &NEVER) else {
                break;
            };
            game.play(pit).expect("a legal move");
        }
        let mut opponents = levels.map(|level| {
            let tables = Some(Arc::clone(tables));
            Opponent::new(Style::Engine, level, rules, tables, opening)
        });
        while game.outcome().is_none() {
            let side = usize::from(game.to_move() != first);
            let began = Instant::now();
            let pit = opponents[side]
                .choose(&game, &NEVER)
                .expect("a game that is not over");
            self.times[side] += began.elapsed();
            self.moves[side] += 1;
            game.play(pit).expect("a legal move");
        }
        let outcome = game.outcome().expect("a game that is over");
        let seeds = |player| i32::from(outcome.stores.of(player));
        self.margin += seeds(first) - seeds(first.opponent());
        match outcome.winner() {
            Some(winner) if winner == first => self.won += 1,
            Some(_) => self.lost += 1,
            None => self.drawn += 1,
        }
    }

    fn tell(&self, first: Level, second: Level) {
        let games = self.won + self.drawn + self.lost;
        let time =
            |side: usize| self.times[side].as_secs_f64() / f64::from(self.moves[side].max(1));
        println!(
            "level {} against {}: {games} games, {} won, {} drawn, {} lost, {:+.1} seeds a game; \
             {:.3} and {:.3} s a move",
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
