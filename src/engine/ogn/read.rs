//! Reading a game: first the tags, then the words, each of which is played at once.
//!
//! Comments, variations, the numbers of moves and of captured seeds are skipped and not
//! checked.

use std::collections::BTreeMap;

use super::error::ReadGameError;
use super::saved_game::{AUALE_RULES, RESULT, START, SavedGame, VARIANT, is_result, is_tag_char};
use crate::engine::game::{Game, PlayError};
use crate::engine::player::Player;
use crate::engine::record::Record;
use crate::rules::{ParseBoardError, Position, ROW, Ruleset, shortened};

/// The value of each tag, and its line.
type Tags = BTreeMap<String, (String, usize)>;

impl SavedGame {
    /// Reads a list of moves or OGN. The ruleset is `default_rules` unless a tag names
    /// another one.
    ///
    /// # Errors
    /// If the text is too long or not a game, or one of its moves is illegal.
    pub fn parse(text: &str, default_rules: Ruleset) -> Result<SavedGame, ReadGameError> {
        read(text, default_rules)
    }
}

fn read(text: &str, default_rules: Ruleset) -> Result<SavedGame, ReadGameError> {
    if text.len() > SavedGame::MAX_BYTES {
        let bytes = text.len();
        return Err(ReadGameError::TooLong { bytes });
    }
    // Some editors start a text with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut scanner = Scanner {
        rest: text,
        line: 1,
    };
    let mut tags = read_tags(&mut scanner)?;
    let has_tags = !tags.is_empty();
    let mut moves = MoveReader {
        record: Record::new(start(&mut tags, default_rules)?),
        result: None,
    };
    while let Some((word, line)) = scanner.word()? {
        moves.take(word, line)?;
    }
    if !has_tags && moves.record.turns().is_empty() {
        return Err(ReadGameError::Empty);
    }
    let values = tags.into_iter().map(|(name, (value, _))| (name, value));
    let mut tags: BTreeMap<String, String> = values.collect();
    if let Some(result) = moves.result {
        tags.entry(RESULT.to_owned()).or_insert(result);
    }
    Ok(SavedGame {
        tags,
        record: moves.record,
    })
}

/// The game before its first move, from the tags for it, which are removed.
fn start(tags: &mut Tags, default_rules: Ruleset) -> Result<Game, ReadGameError> {
    let rules = match tags.remove(VARIANT) {
        None => default_rules,
        Some((name, _)) if name.trim() == "?" => default_rules,
        Some((name, _)) if name.trim().eq_ignore_ascii_case(AUALE_RULES.0) => AUALE_RULES.1,
        Some((name, line)) => {
            let rules = name.trim().parse();
            rules.map_err(|why| ReadGameError::Rules { line, why })?
        }
    };
    let Some((text, line)) = tags.remove(START) else {
        return Ok(Game::new(rules));
    };
    let position = text.parse::<Position>();
    let game = position.and_then(|p| Game::at(rules, &p).map_err(ParseBoardError::from));
    game.map_err(|why| ReadGameError::Start { line, why })
}

fn read_tags(scanner: &mut Scanner<'_>) -> Result<Tags, ReadGameError> {
    let mut tags = Tags::new();
    scanner.skip_whitespace();
    while scanner.peek() == Some('[') {
        let line = scanner.line;
        let (name, value) = scanner.tag().ok_or(ReadGameError::Tag { line })?;
        tags.insert(name, (value, line));
        scanner.skip_whitespace();
    }
    Ok(tags)
}

/// Plays the words of a text.
struct MoveReader {
    record: Record,
    result: Option<String>,
}

impl MoveReader {
    /// Reads a word: a move, several moves, a number, or a result.
    fn take(&mut self, word: &str, line: usize) -> Result<(), ReadGameError> {
        if self.result.is_some() {
            let word = shortened(word);
            return Err(ReadGameError::AfterResult { line, word });
        }
        let unnumbered = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let moves = match unnumbered.starts_with('.') {
            true => unnumbered.trim_start_matches('.'),
            false => word,
        };
        if is_result(moves) {
            self.result = Some(moves.to_owned());
            return Ok(());
        }
        let not_a_move = || ReadGameError::Word {
            line,
            word: shortened(word),
        };
        if moves.starts_with(|c: char| c.is_ascii_digit()) {
            let (player, pit) = numbered(moves).ok_or_else(not_a_move)?;
            return self.play(player, pit, moves, line);
        }
        let mut rest = moves;
        while let Some(letter) = rest.chars().next() {
            let (player, pit) = Player::from_letter(letter).ok_or_else(not_a_move)?;
            let (played, after) = rest.split_at(1);
            self.play(player, pit, played, line)?;
            rest = without_annotation(after);
        }
        Ok(())
    }

    fn play(
        &mut self,
        player: Player,
        pit: u8,
        played: &str,
        line: usize,
    ) -> Result<(), ReadGameError> {
        if self.record.turns().len() == SavedGame::MAX_MOVES {
            return Err(ReadGameError::TooManyMoves { line });
        }
        let number = |record: &Record| record.numbers().last().unwrap_or(1);
        let played = played.to_owned();
        let to_move = self.record.game().to_move();
        if player != to_move && self.record.game().outcome().is_none() {
            let number = number(&self.record);
            return Err(ReadGameError::Turn {
                line,
                number,
                played,
                to_move,
            });
        }
        match self.record.play(pit) {
            Ok(_) => Ok(()),
            Err(why) => Err(ReadGameError::Move {
                line,
                number: number(&self.record),
                played,
                why: match why {
                    PlayError::Illegal(why) => {
                        PlayError::Illegal(why.numbered_from(player.first_pit()))
                    }
                    PlayError::Over => PlayError::Over,
                },
            }),
        }
    }
}

/// The player and the pit, 0 to 5, of a number from 0 to 11.
fn numbered(text: &str) -> Option<(Player, u8)> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    let pit: u8 = text.parse().ok().filter(|_| digits)?;
    let owner = [Player::South, Player::North]
        .into_iter()
        .find(|player| (player.first_pit()..player.first_pit() + ROW as u8).contains(&pit))?;
    Some((owner, pit - owner.first_pit()))
}

/// The text after a move, without the seeds it took (`+3`) and annotations (`!?`).
fn without_annotation(after: &str) -> &str {
    let seeds = after.strip_prefix('+');
    let seeds = seeds.map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    seeds.unwrap_or(after).trim_start_matches(['!', '?'])
}

/// The rest of the text, and the line it begins on.
struct Scanner<'t> {
    rest: &'t str,
    line: usize,
}

impl<'t> Scanner<'t> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = &self.rest[c.len_utf8()..];
        self.line += usize::from(c == '\n');
        Some(c)
    }

    /// Takes all characters up to the first that does not match.
    fn take_while(&mut self, matches: impl Fn(char) -> bool) -> &'t str {
        let end = self.rest.find(|c| !matches(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        self.line += taken.matches('\n').count();
        taken
    }

    fn skip_whitespace(&mut self) {
        self.take_while(char::is_whitespace);
    }

    /// Takes a tag: its name and value; `None` if the text has no tag here.
    fn tag(&mut self) -> Option<(String, String)> {
        self.next().filter(|&c| c == '[')?;
        self.skip_whitespace();
        let name = self.take_while(is_tag_char);
        self.skip_whitespace();
        self.next().filter(|&c| c == '"' && !name.is_empty())?;
        let mut value = String::new();
        loop {
            match self.next().filter(|c| !c.is_control())? {
                '"' => break,
                '\\' if matches!(self.peek(), Some('"' | '\\')) => value.extend(self.next()),
                c => value.push(c),
            }
        }
        self.skip_whitespace();
        self.next().filter(|&c| c == ']')?;
        Some((name.to_owned(), value))
    }

    /// Takes the next word after all comments and variations, with its line; `None` at
    /// the end of the text.
    fn word(&mut self) -> Result<Option<(&'t str, usize)>, ReadGameError> {
        loop {
            self.take_while(|c| c.is_whitespace() || c == ',');
            let line = self.line;
            match self.peek() {
                None => return Ok(None),
                Some('{') => self.comment()?,
                Some('(') => self.variation()?,
                Some(';') => self.line_comment(),
                Some(_) => {
                    // An unpaired bracket is a word too, but not a move.
                    let from = self.rest;
                    self.next();
                    self.take_while(|c| !c.is_whitespace() && !",;{}()".contains(c));
                    let length = from.len() - self.rest.len();
                    return Ok(Some((&from[..length], line)));
                }
            }
        }
    }

    /// Skips a comment up to the end of the line.
    fn line_comment(&mut self) {
        self.take_while(|c| c != '\n');
    }

    /// Skips a comment in braces, which cannot be nested.
    fn comment(&mut self) -> Result<(), ReadGameError> {
        let line = self.line;
        self.take_while(|c| c != '}');
        match self.next() {
            Some(_) => Ok(()),
            None => Err(ReadGameError::Unclosed { line, open: '{' }),
        }
    }

    /// Skips a variation with all comments and variations inside.
    fn variation(&mut self) -> Result<(), ReadGameError> {
        let line = self.line;
        let mut open = 0_usize;
        loop {
            match self.peek() {
                None => return Err(ReadGameError::Unclosed { line, open: '(' }),
                Some('{') => {
                    self.comment()?;
                    continue;
                }
                Some(';') => {
                    self.line_comment();
                    continue;
                }
                Some('(') => open += 1,
                Some(')') => open -= 1,
                Some(_) => {}
            }
            self.next();
            if open == 0 {
                return Ok(());
            }
        }
    }
}
