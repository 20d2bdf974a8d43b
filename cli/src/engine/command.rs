//! Parses the commands of the protocol.

use krou::engine::Game;
use krou::ogn::{Setup, SetupError};
use krou::rules::Ruleset;

use super::go::Go;
use crate::lines::shown;

/// A command; the moves of a position are not checked yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UciCommand {
    Uci,
    Debug(bool),
    IsReady,
    SetOption {
        name: String,
        value: String,
    },
    NewGame,
    /// What is wrong with it, if it names no position.
    Position(Result<Setup, String>),
    Go(Go),
    Stop,
    PonderHit,
    Quit,
}

impl UciCommand {
    /// Parses a line; `None` if it is blank.
    pub fn parse(line: &str) -> Result<Option<UciCommand>, String> {
        let mut words = line.split_whitespace();
        let Some(word) = words.next() else {
            return Ok(None);
        };
        Ok(Some(match word {
            "uci" => UciCommand::Uci,
            "isready" => UciCommand::IsReady,
            "ucinewgame" => UciCommand::NewGame,
            "stop" => UciCommand::Stop,
            "ponderhit" => UciCommand::PonderHit,
            "quit" => UciCommand::Quit,
            "debug" => match words.next() {
                Some("on") => UciCommand::Debug(true),
                Some("off") => UciCommand::Debug(false),
                _ => return Err("debug needs 'on' or 'off'".to_owned()),
            },
            "go" => UciCommand::Go(Go::parse(words)),
            "position" => UciCommand::Position(setup(words)),
            "setoption" => option(words)?,
            _ => return Err(format!("there is no command '{}'", shown(word))),
        }))
    }
}

/// Parses `setoption`; names and values may have several words.
fn option<'t>(mut words: impl Iterator<Item = &'t str>) -> Result<UciCommand, String> {
    if words.next() != Some("name") {
        return Err("setoption needs 'name', a name, 'value' and a value".to_owned());
    }
    let name: Vec<&str> = words.by_ref().take_while(|&word| word != "value").collect();
    let value: Vec<&str> = words.collect();
    Ok(UciCommand::SetOption {
        name: name.join(" "),
        value: value.join(" "),
    })
}

/// Parses what follows `position`.
fn setup<'t>(mut words: impl Iterator<Item = &'t str>) -> Result<Setup, String> {
    let start = match words.next() {
        Some("startpos") => match words.next() {
            None | Some("moves") => Setup::default(),
            Some(word) => {
                let word = shown(word);
                return Err(format!("only 'moves' may follow startpos, not '{word}'"));
            }
        },
        Some("fen") => {
            let fen = words.by_ref().take_while(|&word| word != "moves");
            let fen: Vec<&str> = fen.collect();
            let start = fen.join(" ").parse::<Setup>();
            start.map_err(|error| format!("fen: {error}"))?
        }
        _ => return Err("position needs 'startpos' or 'fen'".to_owned()),
    };
    Ok(start.with_moves(&words.collect::<String>()))
}

/// The game of a `position` command under these rules; the `repetitions`-th occurrence of a
/// board ends it.
pub fn game(setup: &Setup, rules: Ruleset, repetitions: u8) -> Result<Game, String> {
    let record = setup.record(rules, repetitions);
    let record = record.map_err(|error| {
        let SetupError {
            ply, written, why, ..
        } = error;
        format!("move {ply}, '{}', is wrong: {why}", shown(&written))
    })?;
    Ok(record.game().clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(line: &str, rules: Ruleset) -> Result<Game, String> {
        match UciCommand::parse(line)? {
            Some(UciCommand::Position(setup)) => super::game(&setup?, rules, 3),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn extra_whitespace_is_ignored() {
        for (line, command) in [
            ("uci", UciCommand::Uci),
            (" \t isready  ", UciCommand::IsReady),
            ("ucinewgame", UciCommand::NewGame),
            ("debug \t on", UciCommand::Debug(true)),
            ("debug off", UciCommand::Debug(false)),
            ("stop", UciCommand::Stop),
            ("ponderhit", UciCommand::PonderHit),
            ("quit", UciCommand::Quit),
            ("go", UciCommand::Go(Go::default())),
        ] {
            assert_eq!(UciCommand::parse(line), Ok(Some(command)), "{line}");
        }
        assert_eq!(UciCommand::parse(" \t "), Ok(None));
    }

    #[test]
    fn setoption_takes_a_name_and_a_value() {
        for (line, name, value) in [
            ("setoption name Hash value 16", "Hash", "16"),
            (
                "setoption name TablePath value /a/b c",
                "TablePath",
                "/a/b c",
            ),
            ("setoption name TablePath value", "TablePath", ""),
            ("setoption name Clear Hash", "Clear Hash", ""),
        ] {
            let (name, value) = (name.to_owned(), value.to_owned());
            let option = UciCommand::SetOption { name, value };
            assert_eq!(UciCommand::parse(line), Ok(Some(option)), "{line}");
        }
    }

    #[test]
    fn position_accepts_moves() {
        let rules = Ruleset::AWARI;
        let start = game("position startpos", rules).unwrap();
        assert_eq!(start.position(), Game::new(rules).position());
        for line in [
            "position startpos moves FaBc",
            "position startpos moves F a B c",
            "position fen 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S moves FaBc",
        ] {
            let game = game(line, rules).unwrap();
            let text = game.position().to_string();
            assert_eq!(text, "5-1-6-5-5-1-0-6-0-7-6-6-0-0-S", "{line}");
        }
        let fen = "1-2-3-0-0-0-0-0-0-4-5-6-20-7-N";
        let north = game(&format!("position fen {fen}"), rules).unwrap();
        assert_eq!(north.position().to_string(), fen);
        // A player of the store family may move again.
        assert!(game("position startpos moves CF", Ruleset::KALAH).is_ok());
    }

    #[test]
    fn invalid_commands_are_explained() {
        let start = "position startpos";
        for (line, part) in [
            ("foo bar", "there is no command 'foo'"),
            ("GO", "there is no command 'GO'"),
            ("debug", "debug needs 'on' or 'off'"),
            ("setoption Hash 3", "setoption needs 'name'"),
            ("position", "position needs 'startpos' or 'fen'"),
            ("position 4-4", "position needs 'startpos' or 'fen'"),
            (
                "position startpos FaB",
                "only 'moves' may follow startpos, not 'FaB'",
            ),
            ("position fen", "fen: a board needs 12 numbers"),
            ("position fen 4-4-S", "fen: engine notation needs 15 parts"),
            (
                "position fen 4-4-4-4-4-4-4-4-4-4-4-4-1-0-S",
                "fen: board and stores hold 49 seeds",
            ),
            (
                &format!("{start} moves FX"),
                "move 2, 'X', is wrong: pits are A to F",
            ),
            (
                &format!("{start} moves FA"),
                "move 2, 'A', is wrong: it is North's turn",
            ),
            (
                &format!("{start} moves FaF"),
                "move 3, 'F', is wrong: pit F is empty",
            ),
            (&format!("{start} moves F\u{1}"), "move 2, '?', is wrong"),
        ] {
            let message = match UciCommand::parse(line) {
                Ok(Some(UciCommand::Position(setup))) => {
                    let game = setup.and_then(|setup| super::game(&setup, Ruleset::AWARI, 3));
                    game.unwrap_err()
                }
                other => other.unwrap_err(),
            };
            assert!(message.contains(part), "{line}: {message}");
        }
    }
}
