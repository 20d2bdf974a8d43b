//! The openings of a match: random moves, or positions and moves from a file.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use fastrand::Rng;
use krou::engine::Game;
use krou::engine::Record;
use krou::rules::{Player, Position, Ruleset, Step};

/// Different openings of `plies` random moves, as far as there are that many; then they
/// repeat. The seed alone decides which.
pub fn random(start: &Game, plies: usize, count: usize, seed: u64) -> Vec<Record> {
    /// Attempts to find another opening.
    const ATTEMPTS: usize = 1000;
    let mut random = Rng::with_seed(seed);
    let mut seen = HashSet::new();
    let mut openings: Vec<Record> = Vec::new();
    while openings.len() < count {
        let new = (0..ATTEMPTS)
            .filter_map(|_| random_opening(start, plies, &mut random))
            .find(|opening| seen.insert(opening.letters()));
        match new {
            Some(opening) => openings.push(opening),
            None if openings.is_empty() => break,
            None => openings.push(openings[openings.len() % seen.len()].clone()),
        }
    }
    openings
}

/// An opening after which the game is not over.
fn random_opening(start: &Game, plies: usize, random: &mut Rng) -> Option<Record> {
    let mut record = Record::new(start.clone());
    for _ in 0..plies {
        let moves: Vec<Step> = record.game().moves().legal().collect();
        record.play(random.choice(moves)?.pit).ok()?;
    }
    record.game().outcome().is_none().then_some(record)
}

/// The openings of a file: each line is a position, moves, or a position followed by
/// moves. Blank lines and those that begin with `#` are ignored.
pub fn read(path: &Path, rules: Ruleset, repetitions: u8) -> Result<Vec<Record>> {
    let name = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let opening = parse(line, rules, repetitions);
        openings.push(opening.with_context(|| format!("{name}, line {number}"))?);
    }
    if openings.is_empty() {
        bail!("{name} has no openings");
    }
    Ok(openings)
}

/// The game of a line, which may be what follows `position` in UCI.
pub fn parse(line: &str, rules: Ruleset, repetitions: u8) -> Result<Record> {
    let mut words = line.split_whitespace().peekable();
    words.next_if(|word| ["startpos", "fen"].contains(word));
    let game = match words.next_if(|word| word.contains('-')) {
        Some(position) => Game::from_position(rules, position.parse::<Position>()?)?,
        None => Game::new(rules),
    };
    words.next_if(|word| *word == "moves");
    let mut record = Record::new(game.with_repetitions(repetitions));
    for letter in words.flat_map(str::chars) {
        let (player, pit) = Player::from_letter(letter)
            .ok_or_else(|| anyhow!("{letter:?} is no move: they are A to F and a to f"))?;
        if record.game().outcome().is_none() && player != record.game().to_move() {
            bail!("{letter} is not a move of {}", record.game().to_move());
        }
        record
            .play(pit)
            .map_err(|error| anyhow!("move {letter}: {error}"))?;
    }
    match record.game().outcome() {
        Some(_) => bail!("the game is over after the opening"),
        None => Ok(record),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_openings_differ_and_depend_on_the_seed() {
        let letters = |plies, count, seed| -> Vec<String> {
            let openings = random(&Game::new(Ruleset::ABAPA), plies, count, seed);
            openings.iter().map(Record::letters).collect()
        };
        let first = letters(6, 50, 1);
        assert_eq!(first, letters(6, 50, 1));
        assert_ne!(first, letters(6, 50, 2));
        assert_eq!(first.iter().collect::<HashSet<_>>().len(), 50);
        assert!(first.iter().all(|opening| opening.len() == 6));
        // There are only six openings of one move.
        let short = letters(1, 14, 1);
        assert_eq!(short.len(), 14);
        assert_eq!(short.iter().collect::<HashSet<_>>().len(), 6);
        assert_eq!(letters(0, 2, 1), ["", ""]);
    }

    #[test]
    fn openings_are_read_from_positions_and_moves() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("openings");
        let read = |text: &str| {
            fs::write(&path, text).unwrap();
            read(&path, Ruleset::ABAPA, 3)
        };
        let start = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
        let openings = read(&format!(
            "# comment\n\nFaBc\nstartpos moves F a\n{start}\n  {start} moves Fa\nfen {start} F\n"
        ));
        let letters: Vec<String> = openings.unwrap().iter().map(Record::letters).collect();
        assert_eq!(letters, ["FaBc", "Fa", "", "Fa", "F"]);
        for (text, part) in [
            ("", "has no openings"),
            ("Fa\nFF", "line 2: F is not a move of North"),
            ("FaBx", "'x' is no move"),
            ("4-4-S", "engine notation needs 15 parts"),
            ("0-0-0-0-0-1-2-0-0-0-0-1-30-14-S", "the game is over"),
            ("FaF", "move F: pit 5 is empty"),
        ] {
            let error = format!("{:#}", read(text).unwrap_err());
            assert!(error.contains(part), "{text}: {error}");
        }
        assert!(super::read(&folder.path().join("none"), Ruleset::ABAPA, 3).is_err());
    }
}
