//! Lines of untrusted input: of any length and any bytes.

use std::io::{self, BufRead, Read};

/// Characters of the input that a message repeats at most.
const SHOWN: usize = 20;

/// The byte order mark, with which some programs begin a text.
const MARK: char = '\u{feff}';

/// A line of input.
#[derive(Debug, PartialEq, Eq)]
pub enum InputLine {
    /// Text without a byte order mark, and without whitespace around it.
    Text(String),
    /// More bytes than the limit.
    TooLong,
    /// Not UTF-8.
    Unreadable,
}

impl InputLine {
    /// Reads a line of at most `longest` bytes; `None` at the end of input.
    pub fn read(input: &mut impl BufRead, longest: usize) -> io::Result<Option<InputLine>> {
        let mut bytes = Vec::new();
        let limit = longest as u64 + 1;
        input.by_ref().take(limit).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        if bytes.len() > longest && bytes.last() != Some(&b'\n') {
            input.skip_until(b'\n')?;
            return Ok(Some(InputLine::TooLong));
        }
        Ok(Some(match str::from_utf8(&bytes) {
            Ok(text) => InputLine::Text(text.trim_start_matches(MARK).trim().to_owned()),
            Err(_) => InputLine::Unreadable,
        }))
    }

    /// The text, or what is wrong with the line.
    pub fn text(&self) -> Result<&str, &'static str> {
        match self {
            InputLine::Text(text) => Ok(text),
            InputLine::TooLong => Err("the line is too long"),
            InputLine::Unreadable => Err("the line is not UTF-8 text"),
        }
    }

    /// The line for a message: shortened and without control characters.
    pub fn shown(&self) -> String {
        self.text().map_or_else(|_| "...".to_owned(), shown)
    }
}

/// The beginning of a text for a message, without control characters.
pub fn shown(text: &str) -> String {
    beginning(text, SHOWN)
}

/// As [`shown`], with at most this many characters.
pub fn beginning(text: &str, most: usize) -> String {
    let mut clean: String = text
        .chars()
        .take(most)
        .map(|c| if c.is_control() { '?' } else { c })
        .collect();
    if text.chars().nth(most).is_some() {
        clean.push_str("...");
    }
    clean
}
