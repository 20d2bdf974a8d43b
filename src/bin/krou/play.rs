//! `krou play`: two people at one terminal.
//!
//! The game itself is the library's; here is the talk around it. The loop
//! reads from any `BufRead` and writes to any `Write`, so that a test can sit
//! at the terminal.

mod draw;
mod input;
pub mod words;

use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::{Context, Result};
use clap::Args;
use krou::engine::{Game, Oracle, PlayError};
use krou::rules::{Position, ROW, Ruleset};

use crate::rules_args::RulesArgs;
use crate::tables_args::TablesArgs;
use draw::first_pit;
use input::{Line, Request};

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
    /// Show what each move is worth where the tables know it.
    #[arg(long)]
    show_values: bool,
    #[command(flatten)]
    tables: TablesArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// Plays at the terminal until the game is over or somebody quits.
pub fn run(args: &PlayArgs) -> Result<()> {
    let rules = args.rules.ruleset()?;
    let game = match &args.board {
        Some(text) => start_from(rules, text).context("--board")?,
        None => Game::new(rules),
    };
    let tables = args.tables.open(rules)?;
    let oracle = args.show_values.then_some(&tables as &dyn Oracle);
    let input = io::stdin().lock();
    // A terminal shows what is typed by itself.
    let echo = !input.is_terminal();
    hot_seat(game, oracle, echo, input, io::stdout().lock())
        .context("the game stopped, since the terminal cannot be read or written")
}

fn start_from(rules: Ruleset, text: &str) -> Result<Game> {
    let position: Position = text.parse()?;
    Ok(Game::at(rules, &position)?)
}

/// Lets two people play. With `echo` the lines read are written as well, so
/// that the output is a whole record of the game.
fn hot_seat(
    mut game: Game,
    oracle: Option<&dyn Oracle>,
    echo: bool,
    mut input: impl BufRead,
    mut out: impl Write,
) -> io::Result<()> {
    writeln!(out, "Rules: {}. {} begins.", game.rules(), game.to_move())?;
    while game.outcome().is_none() {
        write!(out, "\n{}\n", draw::board(&game, oracle))?;
        let Some(pit) = ask(&mut game, echo, &mut input, &mut out)? else {
            let score = words::score(game.stores());
            return writeln!(out, "The game stops here. Score so far: {score}.");
        };
        writeln!(out, "{pit}")?;
    }
    if let Some(outcome) = game.outcome() {
        write!(out, "\n{}\n", draw::board(&game, None))?;
        writeln!(out, "{}", words::ending(&game, outcome.ending))?;
        writeln!(out, "Final score: {}.", words::score(outcome.stores))?;
        writeln!(out, "{}", words::result(&outcome))?;
    }
    Ok(())
}

/// Asks until the player to move has made a legal move, and says which;
/// `None` if he quits.
fn ask(
    game: &mut Game,
    echo: bool,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> io::Result<Option<String>> {
    let player = game.to_move();
    let first = first_pit(player);
    loop {
        let last = first + ROW - 1;
        write!(out, "{player} to move ({first}-{last}, q quits): ")?;
        out.flush()?;
        let Some(line) = Line::read(input)? else {
            writeln!(out)?;
            return Ok(None);
        };
        if echo {
            writeln!(out, "{}", line.shown())?;
        }
        let refused = match line.request(player) {
            Request::Quit => return Ok(None),
            Request::Refused(why) => why,
            Request::Pit(pit) => match game.play(pit) {
                Ok(turn) => return Ok(Some(words::turn(&turn))),
                Err(PlayError::Illegal(why)) => why.numbered_from(first).to_string(),
                Err(why) => why.to_string(),
            },
        };
        writeln!(out, "Not played: {refused}.")?;
    }
}

#[cfg(test)]
mod tests {
    use krou::engine::NoTables;

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
            let game = Game::new(rules);
            hot_seat(game, Some(&NoTables), true, &input[..], &mut out).unwrap();
            let out = String::from_utf8(out).unwrap();
            let last = out.lines().last().unwrap();
            let over = last.contains(" wins ") || last.starts_with("Drawn");
            assert!(over || last.starts_with("The game stops here."), "{last}");
            finished += usize::from(over);
        }
        assert!(finished > 30, "{finished} games went to their end");
    }
}
