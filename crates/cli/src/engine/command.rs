//! Parses the commands of the protocol.

use krou::ogn::Setup;

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
    /// Show the position.
    Display,
    /// Show what it is worth.
    Evaluate,
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
            "d" => UciCommand::Display,
            "eval" => UciCommand::Evaluate,
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
