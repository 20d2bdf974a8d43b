//! `krou puzzles --play`: shows one puzzle after the other, takes a move, and judges it.

use std::io::{self, IsTerminal, Write};

use anyhow::Result;
use krou::rules::{Player, Ruleset};

use super::finder::{Puzzle, PuzzleFinder};
use super::output::PuzzleFields;
use crate::play::input::{Lines, Request};

const PROMPT: &str = "Your move (A-F or 0-5, q quits): ";

/// Why no more puzzles are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// There were as many as wanted, or the player has quit.
    Done,
    /// There are no more.
    NoMore,
}

/// Asks for the solutions of puzzles, and tells at the end how many moves were right.
pub fn play(rules: Ruleset, finder: PuzzleFinder, count: usize) -> Result<Stop> {
    let mut lines = Lines::of_stdin()?;
    let mut out = io::stdout().lock();
    let (mut answered, mut right) = (0, 0);
    let mut stop = Stop::NoMore;
    for looked_at in finder {
        let Some(puzzle) = looked_at? else { continue };
        let fields = PuzzleFields::new(rules, &puzzle);
        write!(out, "{}", fields.text(answered + 1, &puzzle))?;
        let Some(pit) = ask(rules, &puzzle, &mut lines, &mut out)? else {
            stop = Stop::Done;
            break;
        };
        writeln!(out, "{}", judgement(&puzzle, pit))?;
        writeln!(out, "{}", fields.solution(answered + 1))?;
        answered += 1;
        right += usize::from(pit == puzzle.moves[0].step.pit);
        if answered == count {
            stop = Stop::Done;
            break;
        }
    }
    writeln!(out, "Right: {right} of {answered}.")?;
    Ok(stop)
}

/// The legal pit that the player chooses; `None` if they quit.
fn ask(
    rules: Ruleset,
    puzzle: &Puzzle,
    lines: &mut Lines<io::StdinLock>,
    out: &mut impl Write,
) -> io::Result<Option<u8>> {
    loop {
        let Some(line) = lines.read(PROMPT, out)? else {
            writeln!(out)?;
            return Ok(None);
        };
        // A terminal echoes input by itself.
        if !io::stdin().is_terminal() {
            writeln!(out, "{}", line.shown())?;
        }
        let why = match Request::parse(&line, Player::South) {
            Request::Quit => return Ok(None),
            Request::Pit(pit) => match rules.play(&puzzle.board, pit) {
                Ok(_) => return Ok(Some(pit)),
                Err(why) => why.named(|pit| Player::South.letter(pit)),
            },
            Request::Invalid(why) => why,
            _ => "type a pit from A to F or 0 to 5, or q".to_owned(),
        };
        writeln!(out, "Not played: {why}.")?;
    }
}

/// Whether a legal move is right, and what a wrong one loses.
fn judgement(puzzle: &Puzzle, pit: u8) -> String {
    let best = &puzzle.moves[0];
    let played = puzzle.moves.iter().find(|one| one.step.pit == pit);
    match played.map_or(0, |played| best.value - played.value) {
        _ if pit == best.step.pit => "Right.".to_owned(),
        1 => "Wrong: it loses a seed.".to_owned(),
        lost => format!("Wrong: it loses {lost} seeds."),
    }
}
