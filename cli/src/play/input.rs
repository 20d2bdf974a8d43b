//! Parses what players type.

use krou::engine::Player;
use krou::rules::ROW;

use crate::lines::{InputLine, shown};

/// Maximum length of a line in bytes: the longest path and a command.
pub const MAX_LINE: usize = 4200;

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

#[cfg(test)]
mod tests {
    use super::*;

    fn requests(bytes: &[u8], player: Player) -> Vec<Request> {
        let mut input = bytes;
        std::iter::from_fn(|| InputLine::read(&mut input, MAX_LINE).unwrap())
            .map(|line| Request::parse(&line, player))
            .collect()
    }

    #[test]
    fn players_choose_their_own_pits() {
        let text = b"0\n 5 \r\n05\nq\nQuit\n3";
        let pits = [0, 5, 5].map(Request::Pit);
        let rest = [Request::Quit, Request::Quit, Request::Pit(3)];
        let all: Vec<Request> = pits.into_iter().chain(rest).collect();
        assert_eq!(requests(text, Player::South), all);
        let pits = [0, 4, 5].map(Request::Pit);
        assert_eq!(requests(b"6\n10\n11\n", Player::North), pits);
        for player in [Player::South, Player::North] {
            let pits = [0, 5, 1].map(Request::Pit);
            assert_eq!(requests(b"A\nf\nB", player), pits);
        }
        let moves = ["FaB", "Fa"].map(|moves| Request::Moves(moves.to_owned()));
        assert_eq!(requests(b"FaB\nF a", Player::South), moves);
    }

    #[test]
    fn commands_have_short_and_long_names() {
        let text = b"h\nHINT\nv\nu\nundo\n?\nHelp\n";
        assert_eq!(
            requests(text, Player::South),
            [
                Request::Hint,
                Request::Hint,
                Request::Values,
                Request::TakeBack,
                Request::TakeBack,
                Request::Help,
                Request::Help,
            ]
        );
        let save = |file: &str, overwrite| Request::Save {
            file: file.to_owned(),
            overwrite,
        };
        let load = |file: &str| Request::Load(file.to_owned());
        let text = b"s a.ogn\ns! A b.ogn \nSave! c\nl d.ogn\nload  e\n";
        assert_eq!(
            requests(text, Player::South),
            [
                save("a.ogn", false),
                save("A b.ogn", true),
                save("c", true),
                load("d.ogn"),
                load("e"),
            ]
        );
        let without_name = Request::Invalid("'s!' needs a file: type s! FILE".to_owned());
        assert_eq!(requests(b"s! ", Player::South), [without_name]);
    }

    #[test]
    fn invalid_input_is_explained_in_one_sentence() {
        let long = "x".repeat(100_000) + "\n";
        let digits = "9".repeat(150) + "\n";
        for (player, bytes, reason) in [
            (Player::South, &b"\n"[..], "the line is empty"),
            (Player::South, b"   \r\n", "the line is empty"),
            (Player::South, b"abg\n", "'abg' is not a pit"),
            (Player::South, b"-1\n", "'-1' is not a pit"),
            (Player::South, b"+1\n", "'+1' is not a pit"),
            (Player::South, b"1.0\n", "'1.0' is not a pit"),
            (Player::South, b"12\n", "'12' is not a pit"),
            (Player::South, b"99\n", "'99' is not a pit"),
            (Player::South, b"3 4\n", "'3 4' is not a pit"),
            (Player::South, b"q 4\n", "'q 4' is not a pit"),
            (Player::South, b"\x1b[2J\0\n", "'?[2J?' is not a pit"),
            (Player::South, "٣\n".as_bytes(), "'٣' is not a pit"),
            (Player::South, b"6\n", "pit 6 is North's"),
            (Player::North, b"5\n", "pit 5 is South's"),
            (Player::South, b"\xff\xfe\n", "the line is not UTF-8 text"),
            (Player::South, long.as_bytes(), "the line is too long"),
            (
                Player::South,
                digits.as_bytes(),
                "'99999999999999999999...' is not a pit",
            ),
        ] {
            let range = ["A to F or 0 to 5", "a to f or 6 to 11"];
            let range = range[usize::from(player == Player::North)];
            let sentence = format!("{reason}: type a pit from {range}, or q");
            // The next line is parsed normally.
            let bytes = [bytes, b"q"].concat();
            let expected = [Request::Invalid(sentence), Request::Quit];
            assert_eq!(requests(&bytes, player), expected);
        }
    }
}
