//! What people type, read so that nothing can go wrong: lines of any length,
//! any bytes, and the end of input.

use std::io::{self, BufRead, Read};

use krou::engine::Player;
use krou::rules::ROW;

use super::draw::first_pit;

/// The longest line that is looked at, in bytes.
const LONGEST: usize = 200;
/// How much of a line is repeated in a message.
const SHOWN: usize = 20;

/// A line as it was typed.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// Text without blanks at its ends.
    Text(String),
    /// More than [`LONGEST`] bytes.
    TooLong,
    /// Not UTF-8.
    Unreadable,
}

/// What a line asks for.
#[derive(Debug, PartialEq, Eq)]
pub enum Request {
    /// One of the player's own pits, 0 to 5.
    Pit(usize),
    Quit,
    /// Nothing that makes sense, and why.
    Refused(String),
}

impl Line {
    /// Reads a line; `None` at the end of input.
    pub fn read(input: &mut impl BufRead) -> io::Result<Option<Line>> {
        let mut bytes = Vec::new();
        let limit = LONGEST as u64 + 1;
        input.by_ref().take(limit).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        if bytes.len() > LONGEST && bytes.last() != Some(&b'\n') {
            input.skip_until(b'\n')?;
            return Ok(Some(Line::TooLong));
        }
        Ok(Some(match str::from_utf8(&bytes) {
            Ok(text) => Line::Text(text.trim().to_owned()),
            Err(_) => Line::Unreadable,
        }))
    }

    /// The line as it may be printed: short, and without control characters.
    pub fn shown(&self) -> String {
        match self {
            Line::Text(text) => shown(text),
            Line::TooLong | Line::Unreadable => "...".to_owned(),
        }
    }

    /// What the player to move asks for.
    pub fn request(&self, player: Player) -> Request {
        let first = first_pit(player);
        let ask = format!("type a pit from {first} to {}, or q", first + ROW - 1);
        let refused = |what: &str| Request::Refused(format!("{what}: {ask}"));
        let text = match self {
            Line::Text(text) => text,
            Line::TooLong => return refused("this line is too long"),
            Line::Unreadable => return refused("this line is not UTF-8 text"),
        };
        match text.to_lowercase().as_str() {
            "q" | "quit" => return Request::Quit,
            "" => return refused("this line is empty"),
            _ => {}
        }
        // `parse` alone would take "+4" too.
        let digits = text.bytes().all(|b| b.is_ascii_digit());
        match text.parse::<usize>() {
            Ok(pit) if digits && (first..first + ROW).contains(&pit) => Request::Pit(pit - first),
            Ok(pit) if digits && pit < 2 * ROW => {
                refused(&format!("pit {pit} is {}'s", player.opponent()))
            }
            _ => refused(&format!("'{}' is not a pit", shown(text))),
        }
    }
}

fn shown(text: &str) -> String {
    let mut clean: String = text
        .chars()
        .take(SHOWN)
        .map(|c| if c.is_control() { '?' } else { c })
        .collect();
    if text.chars().nth(SHOWN).is_some() {
        clean.push_str("...");
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requests(bytes: &[u8], player: Player) -> Vec<Request> {
        let mut input = bytes;
        std::iter::from_fn(|| Line::read(&mut input).unwrap())
            .map(|line| line.request(player))
            .collect()
    }

    #[test]
    fn each_player_names_his_own_pits() {
        let text = b"0\n 5 \r\n05\nq\nQuit\n3";
        let pits = [0, 5, 5].map(Request::Pit);
        let rest = [Request::Quit, Request::Quit, Request::Pit(3)];
        let all: Vec<Request> = pits.into_iter().chain(rest).collect();
        assert_eq!(requests(text, Player::South), all);
        let pits = [0, 4, 5].map(Request::Pit);
        assert_eq!(requests(b"6\n10\n11\n", Player::North), pits);
    }

    #[test]
    fn anything_else_is_refused_in_one_sentence() {
        let long = "x".repeat(100_000) + "\n";
        let digits = "9".repeat(150) + "\n";
        for (player, bytes, reason) in [
            (Player::South, &b"\n"[..], "this line is empty"),
            (Player::South, b"   \r\n", "this line is empty"),
            (Player::South, b"abc\n", "'abc' is not a pit"),
            (Player::South, b"-1\n", "'-1' is not a pit"),
            (Player::South, b"+1\n", "'+1' is not a pit"),
            (Player::South, b"1.0\n", "'1.0' is not a pit"),
            (Player::South, b"12\n", "'12' is not a pit"),
            (Player::South, b"99\n", "'99' is not a pit"),
            (Player::South, b"3 4\n", "'3 4' is not a pit"),
            (Player::South, b"\x1b[2J\0\n", "'?[2J?' is not a pit"),
            (Player::South, "٣\n".as_bytes(), "'٣' is not a pit"),
            (Player::South, b"6\n", "pit 6 is North's"),
            (Player::North, b"5\n", "pit 5 is South's"),
            (Player::South, b"\xff\xfe\n", "this line is not UTF-8 text"),
            (Player::South, long.as_bytes(), "this line is too long"),
            (
                Player::South,
                digits.as_bytes(),
                "'99999999999999999999...' is not a pit",
            ),
        ] {
            let range = ["0 to 5", "6 to 11"][usize::from(player == Player::North)];
            let sentence = format!("{reason}: type a pit from {range}, or q");
            // The line after it is read as if nothing had been.
            let bytes = [bytes, b"q"].concat();
            let expected = [Request::Refused(sentence), Request::Quit];
            assert_eq!(requests(&bytes, player), expected);
        }
    }

    #[test]
    fn a_line_of_exactly_the_limit_is_read_whole() {
        let mut input = format!("{}\nq\n", "x".repeat(LONGEST));
        input.push_str(&"x".repeat(LONGEST + 1));
        let mut input = input.as_bytes();
        let mut next = || Line::read(&mut input).unwrap();
        assert_eq!(next(), Some(Line::Text("x".repeat(LONGEST))));
        assert_eq!(next(), Some(Line::Text("q".to_owned())));
        assert_eq!(next(), Some(Line::TooLong));
        assert_eq!(next(), None);
    }
}
