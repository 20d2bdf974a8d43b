//! Reads and parses what players type.

use std::io::{self, BufRead, IsTerminal, StdinLock, Write};

use anyhow::Result;
use krou::rules::{Player, ROW};
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use crate::lines::{InputLine, shown};

/// Maximum length of a line in bytes: the longest path and a command.
const MAX_LINE: usize = 4200;

/// Where lines come from.
pub enum Lines<R> {
    /// A terminal, where they can be edited, and former ones called up.
    Terminal(Box<DefaultEditor>),
    Other(R),
}

impl Lines<StdinLock<'_>> {
    /// The lines of stdin.
    pub fn of_stdin() -> Result<Self> {
        Ok(if io::stdin().is_terminal() && io::stdout().is_terminal() {
            Lines::Terminal(Box::new(DefaultEditor::new()?))
        } else {
            Lines::Other(io::stdin().lock())
        })
    }
}

impl<R: BufRead> Lines<R> {
    /// Shows the prompt and reads a line; `None` at the end of the input or after Ctrl-C.
    pub fn read(&mut self, prompt: &str, out: &mut impl Write) -> io::Result<Option<InputLine>> {
        let editor = match self {
            Lines::Terminal(editor) => editor,
            Lines::Other(input) => {
                write!(out, "{prompt}")?;
                out.flush()?;
                return InputLine::read(input, MAX_LINE);
            }
        };
        match editor.readline(prompt) {
            Ok(line) => {
                // A line that is not kept can be typed again.
                let _ = editor.add_history_entry(&line);
                Ok(Some(InputLine::Text(line.trim().to_owned())))
            }
            Err(ReadlineError::Io(error)) => Err(error),
            Err(_) => Ok(None),
        }
    }
}

/// A player's request.
#[derive(Debug, PartialEq, Eq)]
pub enum Request {
    /// One of the player's own pits, 0 to 5.
    Pit(u8),
    /// Several moves as letters: capitals are South's.
    Moves(String),
    Hint,
    /// The value of each move.
    Values,
    TakeBack,
    Save {
        file: String,
        /// Whether to overwrite an existing file.
        overwrite: bool,
    },
    Load(String),
    Help,
    Quit,
    /// Invalid input, and why.
    Invalid(String),
}

impl Request {
    /// Parses a line typed by the player to move.
    pub fn parse(line: &InputLine, player: Player) -> Request {
        let first = player.first_pit();
        let letters = [0, ROW as u8 - 1].map(|pit| player.letter(pit));
        let ask = format!(
            "type a pit from {} to {} or {first} to {}, or q",
            letters[0],
            letters[1],
            first + ROW as u8 - 1
        );
        let invalid = |what: &str| Request::Invalid(format!("{what}: {ask}"));
        let text = match line.text() {
            Ok("") => return invalid("the line is empty"),
            Ok(text) => text,
            Err(why) => return invalid(why),
        };
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let file = rest.trim_start();
        match (word.to_lowercase().as_str(), file) {
            ("q" | "quit", "") => return Request::Quit,
            ("h" | "hint", "") => return Request::Hint,
            ("v" | "values", "") => return Request::Values,
            ("u" | "undo", "") => return Request::TakeBack,
            ("?" | "help", "") => return Request::Help,
            ("s" | "s!" | "save" | "save!" | "l" | "load", "") => {
                return Request::Invalid(format!("'{word}' needs a file: type {word} FILE"));
            }
            (save @ ("s" | "s!" | "save" | "save!"), file) => {
                let overwrite = save.ends_with('!');
                let file = file.to_owned();
                return Request::Save { file, overwrite };
            }
            ("l" | "load", file) => return Request::Load(file.to_owned()),
            _ => {}
        }
        // A single letter is the player's own pit, in capitals or not.
        let letter = word.chars().next().filter(|_| text.len() == 1);
        if let Some((_, pit)) = letter.and_then(Player::from_letter) {
            return Request::Pit(pit);
        }
        let is_letter = |letter| Player::from_letter(letter).is_some();
        if text.chars().all(|c| is_letter(c) || c == ' ') {
            return Request::Moves(text.replace(' ', ""));
        }
        // `parse` alone would also accept "+4".
        let digits = text.bytes().all(|b| b.is_ascii_digit());
        match text.parse::<u8>() {
            Ok(pit) if digits && (first..first + ROW as u8).contains(&pit) => {
                Request::Pit(pit - first)
            }
            Ok(pit) if digits && pit < 2 * ROW as u8 => {
                invalid(&format!("pit {pit} is {}'s", player.opponent()))
            }
            _ => invalid(&format!("'{}' is not a pit", shown(text))),
        }
    }
}
