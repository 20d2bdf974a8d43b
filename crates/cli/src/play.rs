//! `krou play`: a game in the terminal, against krou or between two people.
//!
//! The game, its record and the opponents are the library's; these files are the
//! dialogue around them. `docs/play.md` describes it for players.
//!
//! - `input`: reads and parses what players type.
//! - `session`: answers it, and asks the player to move.
//! - `players`: the opponent, and the engine that gives hints.
//! - `draw`, `sentences`: the board and the text.

mod draw;
pub mod input;
mod players;
mod sentences;
mod session;

use std::env;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use krou::engine::Record;
use krou::ogn::{GameDefaults, SavedGame, Setup};

use crate::args::whole_number;
use crate::files::load_game;
use crate::folder_args::FolderArgs;
use crate::rules_args::GameArgs;
use input::Lines;
use players::{OpponentArgs, Players};
use session::PlaySession;

/// Arguments of `krou play`.
#[derive(Args, Debug)]
pub struct PlayArgs {
    /// Start from this board or position.
    ///
    /// A board is twelve numbers, South's row first, with South to move:
    /// "1 1 1 1 1 2 / 4 2 3 0 0 0". A position is written in the notation of oware
    /// engines, with stores and the player to move. A player with more than half of
    /// all seeds has won.
    #[arg(long, allow_hyphen_values = true)]
    board: Option<String>,
    /// Resume a saved game, under the rules that it names and against the same opponent.
    #[arg(long, value_name = "FILE", conflicts_with = "board")]
    load: Option<PathBuf>,
    /// Resume game N of a file with several games.
    #[arg(long, value_name = "N", requires = "load", value_parser = whole_number(1..=usize::MAX))]
    game: Option<usize>,
    /// Show the value of each move if the tables have it.
    #[arg(long)]
    show_values: bool,
    #[command(flatten)]
    opponent: OpponentArgs,
    #[command(flatten)]
    tables: FolderArgs,
    #[command(flatten)]
    defaults: GameArgs,
}

/// Plays until the game is over or a player quits.
pub fn run(args: &PlayArgs) -> Result<()> {
    let defaults = args.defaults.defaults()?;
    let game = match (&args.board, &args.load) {
        (Some(text), _) => SavedGame::new(start_from(defaults, text).context("--board")?),
        (None, Some(file)) => {
            let game = load_game(file, defaults, args.game).context("--load")?;
            args.defaults.tell_overruled(game.record().game())?;
            game
        }
        (None, None) => SavedGame::new(start_from(defaults, "startpos")?),
    };
    let players_for = |game: &SavedGame| {
        let rules = game.record().game().rules();
        Players::new(&args.opponent.or_saved(game), &args.tables, rules)
    };
    let players = match &args.load {
        Some(_) => players_for(&game)?,
        None => Players::new(&args.opponent, &args.tables, defaults.rules)?,
    };
    let session = PlaySession {
        players,
        record: game.record().clone(),
        loaded: game,
        players_for,
        show_values: args.show_values,
        // A terminal echoes input by itself.
        echo: !io::stdin().is_terminal(),
        bold: has_styles(),
        input: Lines::of_stdin()?,
        out: io::stdout().lock(),
    };
    session
        .run()
        .context("the game stopped because the terminal cannot be read or written")
}

/// Whether stdout is a terminal that shows text in bold, and `NO_COLOR` does not forbid it.
fn has_styles() -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = env::var_os("TERM").is_none_or(|terminal| terminal == "dumb");
    io::stdout().is_terminal() && !is_set("NO_COLOR") && !is_dumb
}

fn start_from(defaults: GameDefaults, text: &str) -> Result<Record> {
    let setup: Setup = text.parse()?;
    Ok(setup.record(defaults.rules, defaults.repetitions)?)
}

#[cfg(test)]
mod tests {

    use krou::engine::Game;
    use krou::rules::Ruleset;
    use krou::tablebase::Tablebase;

    use super::*;

    /// Reproducible lines of pits, words and invalid bytes.
    fn random_input(seed: u64, lines: usize) -> Vec<u8> {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut bytes = Vec::new();
        for _ in 0..lines {
            match random.u8(..20) {
                0 => bytes.extend(random.u64(..).to_le_bytes()),
                1 => bytes.extend(random.u32(..).to_string().bytes()),
                2 => bytes.extend([b' '; 300]),
                _ => bytes.extend(random.u8(..13).to_string().bytes()),
            }
            bytes.push(b'\n');
        }
        bytes
    }

    #[test]
    fn any_input_under_any_rules_terminates() {
        let mut finished = 0;
        for (seed, rules) in (0..).zip(Ruleset::all()) {
            let input = random_input(seed, 3000);
            let mut out = Vec::new();
            let session = PlaySession {
                record: Record::new(Game::new(rules)),
                loaded: SavedGame::new(Record::new(Game::new(rules))),
                players: Players::two(Tablebase::embedded(rules)),
                players_for: |_: &SavedGame| unreachable!("no game is loaded"),
                show_values: true,
                echo: true,
                bold: seed % 2 == 1,
                input: Lines::Other(&input[..]),
                out: &mut out,
            };
            session.run().unwrap();
            let out = String::from_utf8(out).unwrap();
            let last = out.lines().last().unwrap();
            let over = last.contains(" wins ") || last.starts_with("Drawn");
            assert!(over || last.starts_with("The game stops here."), "{last}");
            finished += usize::from(over);
        }
        assert!(finished > 30, "{finished} games were finished");
    }
}
