//! Reading games: for each one its tags, then its words, then its moves, which are played.
//!
//! Comments, variations and signs are kept as remarks; the numbers of moves are skipped. What
//! the text claims about moves and result is compared with the rules.

use std::collections::BTreeMap;

use super::claims;
use super::error::ReadGameError;
use super::move_text::{MoveText, first_move};
use super::saved_game::{GameDefaults, REPETITIONS, RESULT, START, SavedGame, VARIANT, is_result};
use super::scanner::Scanner;
use crate::engine::Game;
use crate::engine::Record;
use crate::rules::{ParseBoardError, Player, Position, ROW, shortened};

/// The value of each tag, and its line.
type Tags = BTreeMap<String, (String, usize)>;

impl SavedGame {
    /// Reads a list of moves or OGN: the only game of a text.
    ///
    /// # Errors
    /// If the text is too long or not one game, or one of its moves is illegal.
    pub fn parse(
        text: &str,
        defaults: impl Into<GameDefaults>,
    ) -> Result<SavedGame, ReadGameError> {
        let mut games = SavedGame::parse_all(text, defaults)?;
        match games.len() {
            1 => games.remove(0),
            games => Err(ReadGameError::Several { games }),
        }
    }

    /// Reads all games of a text, each with its error if it has one. A game begins with its
    /// tags, and ends with its result or before the tags of the next game.
    ///
    /// # Errors
    /// If the text is too long or has no game.
    pub fn parse_all(
        text: &str,
        defaults: impl Into<GameDefaults>,
    ) -> Result<Vec<Result<SavedGame, ReadGameError>>, ReadGameError> {
        let bytes = text.len();
        if bytes > SavedGame::MAX_BYTES {
            return Err(ReadGameError::TooLong { bytes });
        }
        let defaults = defaults.into();
        let mut scanner = Scanner::new(text);
        let mut games = Vec::new();
        loop {
            let game = read(&mut scanner, defaults);
            if matches!(game, Err(ReadGameError::Empty)) && scanner.is_at_end() {
                // Comments may follow the last game.
                return if games.is_empty() {
                    Err(ReadGameError::Empty)
                } else {
                    Ok(games)
                };
            }
            games.push(game);
            if scanner.is_at_end() {
                return Ok(games);
            }
        }
    }
}

/// Reads the next game.
fn read(scanner: &mut Scanner<'_>, defaults: GameDefaults) -> Result<SavedGame, ReadGameError> {
    let mut tags = Tags::new();
    loop {
        match scanner.tag() {
            Ok(Some((name, value, line))) => tags.insert(name, (value, line)),
            Ok(None) => break,
            Err(error) => {
                scanner.skip_game(true);
                return Err(error);
            }
        };
    }
    let has_tags = !tags.is_empty();
    let mut words = Words::default();
    let end = words.read(scanner);
    if end.is_err() {
        scanner.skip_game(false);
    } else if !has_tags && words.moves.is_empty() {
        return Err(ReadGameError::Empty);
    }
    // What is wrong before the end comes first.
    let (record, mut notes) = words.play(&Record::new(start(&mut tags, defaults)?))?;
    end?;
    let tag = tags.get(RESULT).cloned();
    let mut results: Vec<(String, usize)> = tag.into_iter().chain(words.result.clone()).collect();
    results.dedup_by(|a, b| a.0 == b.0);
    for (result, line) in results {
        let note = claims::of_result(&result, record.game());
        notes.extend(note.map(|note| format!("line {line}: {note}")));
    }
    let values = tags.into_iter().map(|(name, (value, _))| (name, value));
    let mut tags: BTreeMap<String, String> = values.collect();
    if let Some((result, _)) = words.result {
        tags.entry(RESULT.to_owned()).or_insert(result);
    }
    Ok(SavedGame {
        tags,
        record,
        notes,
        remarks: words.remarks,
    })
}

/// The game before its first move, from the tags for it, which are removed.
fn start(tags: &mut Tags, defaults: GameDefaults) -> Result<Game, ReadGameError> {
    let mut take = |name| {
        let tag: Option<(String, usize)> = tags.remove(name);
        tag.filter(|(value, _)| !["", "?"].contains(&value.trim()))
    };
    let rules = match take(VARIANT) {
        None => defaults.rules,
        Some((name, line)) => name
            .parse()
            .map_err(|why| ReadGameError::Rules { line, why })?,
    };
    let repetitions = match take(REPETITIONS) {
        None => defaults.repetitions,
        Some((text, line)) => {
            let times = text.trim().parse().ok().filter(|times| *times >= 2);
            times.ok_or(ReadGameError::Repetitions { line })?
        }
    };
    let game = match take(START) {
        None => Game::new(rules),
        Some((text, line)) => {
            let position = text.parse::<Position>();
            let game =
                position.and_then(|p| Game::from_position(rules, p).map_err(ParseBoardError::from));
            game.map_err(|why| ReadGameError::Start { line, why })?
        }
    };
    Ok(game.with_repetitions(repetitions))
}

/// The words of a game.
#[derive(Default)]
pub(super) struct Words<'t> {
    moves: Vec<Word<'t>>,
    /// Comments, variations and signs: before the first move, then after each move.
    pub remarks: Vec<Vec<String>>,
    /// The result, and its line.
    pub result: Option<(String, usize)>,
}

/// A move of a text.
#[derive(Clone, Copy)]
struct Word<'t> {
    line: usize,
    named: Named<'t>,
    /// The seeds that it takes, as the text says.
    captured: Option<u8>,
}

/// How a move is named.
#[derive(Clone, Copy)]
enum Named<'t> {
    Pit(MoveText<'t>),
    Number(&'t str),
    /// Not a move.
    Unknown(&'t str),
}

impl<'t> Words<'t> {
    /// Reads the words of a game up to its end.
    pub fn read(&mut self, scanner: &mut Scanner<'t>) -> Result<(), ReadGameError> {
        loop {
            let next = scanner.word()?;
            self.last_remarks().extend(scanner.take_remarks());
            let Some((word, line)) = next else {
                return Ok(());
            };
            if self.result.is_some() {
                let word = shortened(word);
                return Err(ReadGameError::AfterResult { line, word });
            }
            let unnumbered = word.trim_start_matches(|c: char| c.is_ascii_digit());
            let moves = if unnumbered.starts_with('.') && !is_result(word) {
                unnumbered.trim_start_matches(['.', '…'])
            } else {
                word
            };
            if is_result(moves) {
                self.result = Some((moves.to_owned(), line));
            } else if is_glyph(moves) {
                self.last_remarks().push(moves.to_owned());
            } else {
                self.take(moves, line);
            }
        }
    }

    /// The remarks about the last move.
    fn last_remarks(&mut self) -> &mut Vec<String> {
        let last = self.moves.len();
        self.remarks.resize(last + 1, Vec::new());
        &mut self.remarks[last]
    }

    /// Takes a word: a move or several.
    fn take(&mut self, word: &'t str, line: usize) {
        let mut rest = word;
        while !rest.is_empty() {
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let named = match first_move(rest) {
                Some(found) => Named::Pit(found),
                None if digits > 0 && rest.len() == word.len() => Named::Number(&rest[..digits]),
                None => Named::Unknown(word),
            };
            let after = match named {
                Named::Pit(found) => found.rest,
                Named::Number(_) => &rest[digits..],
                Named::Unknown(_) => "",
            };
            let (captured, after) = captured(after);
            rest = after.trim_start_matches(['!', '?']);
            self.moves.push(Word {
                line,
                named,
                captured,
            });
            let sign = &after[..after.len() - rest.len()];
            self.last_remarks()
                .extend((!sign.is_empty()).then(|| sign.to_owned()));
        }
    }

    /// Plays the moves. Numbers are pits from 0 to 11, unless this is impossible and another
    /// numbering is the only one that is possible.
    pub fn play(&self, start: &Record) -> Result<(Record, Vec<String>), ReadGameError> {
        let first = self.play_by(Numbering::All, start);
        let numbers = self.moves.iter().filter_map(|word| match word.named {
            Named::Number(number) => Some(number),
            _ => None,
        });
        let numbers: Vec<&str> = numbers.collect();
        let Err(error) = first else {
            return first;
        };
        let is_number = |word: &&Word<'_>| matches!(word.named, Named::Number(_));
        let line = self.moves.iter().find(is_number).map(|word| word.line);
        let others = [Numbering::FromTo, Numbering::FromZero, Numbering::FromOne];
        let fits = others.into_iter().filter(|numbering| {
            !numbers.is_empty() && numbers.iter().all(|number| numbering.pit(number).is_some())
        });
        let mut played = fits.filter_map(|numbering| self.play_by(numbering, start).ok());
        match (played.next(), played.next(), line) {
            (Some(only), None, _) => Ok(only),
            (Some(_), Some(_), Some(line)) => Err(ReadGameError::Numbering { line }),
            _ => Err(error),
        }
    }

    fn play_by(
        &self,
        numbering: Numbering,
        start: &Record,
    ) -> Result<(Record, Vec<String>), ReadGameError> {
        let mut record = start.clone();
        let mut notes = Vec::new();
        for Word {
            line,
            named,
            captured,
        } in self.moves.iter().copied()
        {
            // The players did not stop.
            record.ignore_repetition();
            let to_move = record.game().to_move();
            let found = match named {
                Named::Pit(found) => Ok(found),
                Named::Number(number) => numbering.move_of(number, to_move).ok_or(number),
                Named::Unknown(word) => Err(word),
            };
            let found = found.map_err(|word| ReadGameError::Word {
                line,
                word: shortened(word),
            })?;
            if record.turns().len() == SavedGame::MAX_MOVES {
                return Err(ReadGameError::TooManyMoves { line });
            }
            let before = record.game().clone();
            let turn = match record.play_for(found.player, found.pit) {
                Ok(turn) => turn,
                Err(why) => {
                    let name = record.next_name(found.written);
                    return Err(ReadGameError::Move { line, name, why });
                }
            };
            if let (Named::Number(number), Numbering::FromTo) = (named, numbering) {
                let end = claims::last_pit(&before, turn.step.pit).map(|pit| pit % ROW);
                let to = Numbering::FromOne.pit(&number[1..]).map(usize::from);
                if end != to {
                    let word = shortened(number);
                    return Err(ReadGameError::Word { line, word });
                }
            }
            if let Some(note) = claims::of_move(&before, &turn, &found, captured) {
                let name = record.names().last().unwrap_or_default();
                notes.push(format!("line {line}: {name}: {note}"));
            }
        }
        Ok((record, notes))
    }
}

/// The seeds that a move takes, such as `+3`, and the text after it.
fn captured(after: &str) -> (Option<u8>, &str) {
    let Some(rest) = after.strip_prefix('+') else {
        return (None, after);
    };
    let end = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    (rest[..rest.len() - end.len()].parse().ok(), end)
}

/// Whether a word is about a move: `$1`, `!?` or `±`.
pub(super) fn is_glyph(word: &str) -> bool {
    let number = word.strip_prefix('$').unwrap_or_default();
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    is_number || !word.is_empty() && word.chars().all(|c| "!?=±∓+-/∞⩲⩱□".contains(c))
}

/// What the number of a pit means.
#[derive(Clone, Copy)]
enum Numbering {
    /// 0 to 5 for South, 6 to 11 for North.
    All,
    /// Two numbers from 1 to 6: the pit that is played and the one in which the sowing ends.
    FromTo,
    /// 0 to 5 for both players.
    FromZero,
    /// 1 to 6 for both players.
    FromOne,
}

impl Numbering {
    /// The pit of a number, 0 to 5, or 0 to 11 if all are numbered.
    fn pit(self, number: &str) -> Option<u8> {
        let (digit, first, most) = match self {
            Numbering::All => (number, 0, 2 * ROW as u8 - 1),
            Numbering::FromTo => {
                let (from, to) = number.split_at_checked(1)?;
                Numbering::FromOne.pit(to)?;
                (from, 1, ROW as u8 - 1)
            }
            Numbering::FromZero => (number, 0, ROW as u8 - 1),
            Numbering::FromOne => (number, 1, ROW as u8 - 1),
        };
        let pit: u8 = digit.parse().ok()?;
        pit.checked_sub(first).filter(|pit| *pit <= most)
    }

    /// The move of a number, by the player to move.
    fn move_of(self, number: &str, to_move: Player) -> Option<MoveText<'_>> {
        let pit = self.pit(number)?;
        let player = match self {
            Numbering::All if pit < ROW as u8 => Player::South,
            Numbering::All => Player::North,
            _ => to_move,
        };
        Some(MoveText {
            player,
            pit: pit % ROW as u8,
            target: None,
            written: number,
            rest: "",
        })
    }
}
