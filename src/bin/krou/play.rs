//! `krou play`: two people at one terminal, or one against the program.
//!
//! The game, its record and the opponents are the library's; here is the talk around
//! them. `docs/play.md` describes it for players.
//!
//! - `input`: what people type.
//! - `talk`: what is answered, and whose turn it is.
//! - `company`: the opponent and the adviser.
//! - `files`: saving and loading.
//! - `draw`, `words`: the board and what is said.
//! - `patience`: a note for somebody who waits.

mod players;
mod draw;
mod files;
mod input;
mod wait_note;
mod session;
pub mod sentences;

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use krou::engine::{Game, Record};
use krou::rules::{Position, Ruleset};

use crate::rules_args::RulesArgs;
use crate::folder_args::FolderArgs;
use players::{Players, OpponentArgs};
use session::PlaySession;

/// Arguments of `krou play`.
#[derive(Args, Debug)]
pub struct PlayArgs {
    /// Start from this board with South to move: twelve numbers, South's row
    /// first, such as "1 1 1 1 1 2 / 4 2 3 0 0 0"; or from a position in the
    /// notation of oware engines, with its stores and its player to move.
    ///
    /// Whoever has more than half of all the seeds has won.
    #[arg(long, allow_hyphen_values = true)]
    board: Option<String>,
    /// Go on with a game that was saved; what it says of its rules counts.
    #[arg(long, value_name = "FILE", conflicts_with = "board")]
    load: Option<PathBuf>,
    /// Show what each move is worth where the tables know it.
    #[arg(long)]
    show_values: bool,
    #[command(flatten)]
    opponent: OpponentArgs,
    #[command(flatten)]
    tables: FolderArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// Plays at the terminal until the game is over or somebody quits.
pub fn run(args: &PlayArgs) -> Result<()> {
    let rules = args.rules.ruleset()?;
    let record = match (&args.board, &args.load) {
        (Some(text), _) => Record::new(start_from(rules, text).context("--board")?),
        (None, Some(file)) => files::load(file, rules).context("--load")?,
        (None, None) => Record::new(Game::new(rules)),
    };
    let invite = |rules| Players::new(&args.opponent, &args.tables, rules);
    let input = io::stdin().lock();
    let talk = PlaySession {
        company: invite(record.game().rules())?,
        record,
        invite,
        show_values: args.show_values,
        // A terminal shows what is typed by itself.
        echo: !input.is_terminal(),
        input,
        out: io::stdout().lock(),
    };
    talk.run()
        .context("the game stopped, since the terminal cannot be read or written")
}

fn start_from(rules: Ruleset, text: &str) -> Result<Game> {
    let position: Position = text.parse()?;
    Ok(Game::at(rules, &position)?)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use krou::tablebase::Tablebase;

    use super::*;

    /// Lines of pits, words and broken bytes, always the same ones.
    fn scrawl(mut state: u64, lines: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        for _ in 0..lines {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let random = state >> 33;
            match random % 20 {
                0 => bytes.extend(state.to_le_bytes()),
                1 => bytes.extend(random.to_string().bytes()),
                2 => bytes.extend([b' '; 300]),
                _ => bytes.extend((random / 20 % 13).to_string().bytes()),
            }
            bytes.push(b'\n');
        }
        bytes
    }

    #[test]
    fn any_input_under_any_rules_comes_to_an_end() {
        let mut finished = 0;
        for (seed, rules) in (0..).zip(Ruleset::all()) {
            let input = scrawl(seed, 3000);
            let mut out = Vec::new();
            let tables = Arc::new(Tablebase::embedded(rules));
            let talk = PlaySession {
                record: Record::new(Game::new(rules)),
                company: Players::of_two(rules, tables),
                invite: |_| unreachable!("no game is loaded"),
                show_values: true,
                echo: true,
                input: &input[..],
                out: &mut out,
            };
            talk.run().unwrap();
            let out = String::from_utf8(out).unwrap();
            let last = out.lines().last().unwrap();
            let over = last.contains(" wins ") || last.starts_with("Drawn");
            assert!(over || last.starts_with("The game stops here."), "{last}");
            finished += usize::from(over);
        }
        assert!(finished > 30, "{finished} games went to their end");
    }
}
