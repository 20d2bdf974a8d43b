//! A text as tokens, and the bytes of a file as a text. This file alone decides what a tag, a
//! word, a move, a comment and a variation look like.

use std::borrow::Cow;

use super::saved_game::{ReadGameError, is_tag_char};
use crate::rules::{Player, ROW, plain};

/// A part of a text.
pub(super) enum Token<'t> {
    /// `[Name "value"]`.
    Tag { name: &'t str, value: String },
    /// The number of a move, `1.` or `1...`.
    Number,
    /// A move by a letter or squares, and the seeds that it takes as the text says.
    Move(NamedMove<'t>, Option<u8>),
    /// A move by the number of its pit, and the seeds that it takes as the text says.
    Pit(&'t str, Option<u8>),
    /// A word that is nothing else.
    Unknown(&'t str),
    /// A sign about a move: `$1`, `!?` or `±`.
    Sign(&'t str),
    /// A final score, or `*`.
    Result(&'t str),
    /// A comment: what its braces have inside.
    Comment(Cow<'t, str>),
    /// The beginning of a variation.
    Open,
    /// The end of a variation, with the text of all of it.
    Close(&'t str),
}

impl Token<'_> {
    /// Whether this is a word: neither a tag, a comment nor the bracket of a variation.
    pub fn is_word(&self) -> bool {
        let is_other = matches!(
            self,
            Token::Tag { .. } | Token::Comment(_) | Token::Open | Token::Close(_)
        );
        !is_other
    }
}

/// A token and where it stands.
pub(super) struct Lexeme<'t> {
    /// Counted from 1.
    pub line: usize,
    /// How many variations are around it.
    pub depth: usize,
    /// The word that it is in, with the number of the move.
    pub word: &'t str,
    pub token: Token<'t>,
}

/// A move by a letter, as oware programs write it, or by two squares, as `PlayStrategy` does.
///
/// Squares are named as South sees them: `a1` to `f1` are South's pits from left to right, `a2`
/// to `f2` North's. `d1e2` sows from South's pit D and ends in North's pit b.
#[derive(Clone, Copy)]
pub(super) struct NamedMove<'t> {
    pub player: Player,
    /// The pit that is played, 0 to 5.
    pub pit: u8,
    /// Whose pit, and which, the sowing ends in, if the text says so.
    pub target: Option<(Player, u8)>,
    /// The move as written.
    pub written: &'t str,
}

/// The rest of a text, and where it begins.
pub(super) struct Lexer<'t> {
    text: &'t str,
    rest: &'t str,
    line: usize,
    /// The line of each open variation, and the text from there on.
    open: Vec<(usize, &'t str)>,
    /// The last word, also without the number of the move, and what is not taken of it yet.
    word: &'t str,
    moves: &'t str,
    left: &'t str,
}

impl<'t> Lexer<'t> {
    pub fn new(text: &'t str) -> Lexer<'t> {
        // Some editors start a text with a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Lexer {
            text,
            rest: text,
            line: 1,
            open: Vec::new(),
            word: "",
            moves: "",
            left: "",
        }
    }

    /// Takes the next token; `None` at the end of the text.
    pub fn next(&mut self) -> Result<Option<Lexeme<'t>>, ReadGameError> {
        if self.left.is_empty() {
            self.skip_blanks();
        }
        let (line, from) = (self.line, self.rest);
        let mut depth = self.open.len();
        let token = match self.peek() {
            _ if !self.left.is_empty() => self.part_of_word(),
            None if depth > 0 => {
                let (line, open) = (self.open[0].0, '(');
                return Err(ReadGameError::Unclosed { line, open });
            }
            None => return Ok(None),
            Some('[') if depth == 0 => self.tag().ok_or(ReadGameError::Tag { line })?,
            Some('{') => self.comment()?,
            Some(';') => self.line_comment(),
            Some('(') => {
                self.next_char();
                self.open.push((line, from));
                Token::Open
            }
            Some(')') if depth > 0 => {
                self.next_char();
                depth -= 1;
                let (_, from) = self.open.pop().unwrap_or((line, from));
                Token::Close(self.since(from))
            }
            Some(_) => self.word(),
        };
        let word = self.word;
        Ok(Some(Lexeme {
            line,
            depth,
            word,
            token,
        }))
    }

    /// Whether a tag is next.
    pub fn is_at_tag(&mut self) -> bool {
        let is_in_game = self.open.is_empty() && self.left.is_empty();
        if is_in_game {
            self.skip_blanks();
        }
        is_in_game && self.peek() == Some('[')
    }

    /// Whether nothing is left.
    pub fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// Skips to the next line that begins with a tag. In the tags of a game, this is one
    /// after its moves.
    pub fn skip_game(&mut self, is_in_tags: bool) {
        self.open.clear();
        self.left = "";
        self.skip_line();
        while is_in_tags && self.rest.starts_with('[') {
            self.skip_line();
        }
        while !self.rest.is_empty() && !self.rest.starts_with('[') {
            self.skip_line();
        }
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next_char(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = &self.rest[c.len_utf8()..];
        self.line += usize::from(c == '\n');
        Some(c)
    }

    /// Takes all characters up to the first that does not match.
    fn take_while(&mut self, matches: impl Fn(char) -> bool) -> &'t str {
        let from = self.rest;
        let end = from.find(|c| !matches(c)).unwrap_or(from.len());
        self.rest = &from[end..];
        self.line += from[..end].matches('\n').count();
        &from[..end]
    }

    /// The text that was taken since this one was the rest.
    fn since(&self, from: &'t str) -> &'t str {
        &from[..from.len() - self.rest.len()]
    }

    fn skip_line(&mut self) {
        self.take_while(|c| c != '\n');
        self.next_char();
    }

    /// Skips whitespace, commas and lines that begin with `%`.
    fn skip_blanks(&mut self) {
        loop {
            self.take_while(|c| is_blank(c) || c == ',');
            let before = &self.text[..self.text.len() - self.rest.len()];
            let is_line = before.is_empty() || before.ends_with('\n');
            if !is_line || self.peek() != Some('%') {
                return;
            }
            self.skip_line();
        }
    }

    fn tag(&mut self) -> Option<Token<'t>> {
        self.next_char();
        self.take_while(char::is_whitespace);
        let name = self.take_while(is_tag_char);
        self.take_while(char::is_whitespace);
        let quote = self.next_char()?;
        if plain(quote) != '"' || name.is_empty() {
            return None;
        }
        let ends = |c| c == '"' || quote != '"' && plain(c) == '"';
        let mut value = String::new();
        loop {
            match self.next_char()? {
                c if ends(c) => break,
                '\\' if matches!(self.peek(), Some('"' | '\\')) => value.extend(self.next_char()),
                // A long value may be written on several lines.
                '\n' => value.push(' '),
                '\r' => {}
                c if c.is_control() && c != '\t' => return None,
                c => value.push(c),
            }
        }
        self.take_while(char::is_whitespace);
        self.next_char().filter(|&c| c == ']')?;
        Some(Token::Tag { name, value })
    }

    /// Takes a comment in braces, which cannot be nested.
    fn comment(&mut self) -> Result<Token<'t>, ReadGameError> {
        let (line, open) = (self.line, '{');
        let comment = &self.take_while(|c| c != '}')[1..];
        let is_closed = self.next_char().is_some();
        let comment = is_closed.then_some(Token::Comment(comment.into()));
        comment.ok_or(ReadGameError::Unclosed { line, open })
    }

    /// Takes a comment up to the end of the line, as it would stand in braces.
    fn line_comment(&mut self) -> Token<'t> {
        let from = self.rest;
        self.skip_line();
        let comment = self.since(from)[1..].trim().replace('}', ")");
        Token::Comment(format!(" {comment} ").into())
    }

    /// Takes a word, and the first token of it.
    fn word(&mut self) -> Token<'t> {
        let from = self.rest;
        // An unpaired bracket is a word too, but not a move.
        self.next_char();
        self.take_while(|c| !is_blank(c) && !",;{}()".contains(c));
        self.word = self.since(from);
        (self.moves, self.left) = (self.word, self.word);
        let unnumbered = &self.word[digits(self.word).len()..];
        if unnumbered.starts_with(['.', '…']) && !is_result(self.word) {
            self.moves = unnumbered.trim_start_matches(['.', '…']);
            self.left = self.moves;
            return Token::Number;
        }
        self.part_of_word()
    }

    /// Takes the next token of a word, which is a move or several, a result or a sign.
    fn part_of_word(&mut self) -> Token<'t> {
        let (moves, left) = (self.moves, self.left);
        let is_first = left.len() == moves.len();
        if is_first && (is_result(moves) || is_sign(moves)) {
            self.left = "";
            return if is_result(moves) {
                Token::Result(moves)
            } else {
                Token::Sign(moves)
            };
        }
        let after_sign = left.trim_start_matches(|c: char| SIGNS.contains(plain(c)));
        if !is_first && after_sign.len() < left.len() {
            self.left = after_sign;
            return Token::Sign(&left[..left.len() - after_sign.len()]);
        }
        let number = digits(left);
        if let Some(named) = first_move(left) {
            Token::Move(named, self.captured(named.written))
        } else if is_first && !number.is_empty() {
            Token::Pit(number, self.captured(number))
        } else {
            self.left = "";
            Token::Unknown(moves)
        }
    }

    /// Takes a move of the word, and the seeds that it takes, such as `+3`.
    fn captured(&mut self, written: &str) -> Option<u8> {
        self.left = &self.left[written.len()..];
        let seeds = digits(self.left.strip_prefix('+')?);
        let number = seeds.parse().ok()?;
        self.left = &self.left[1 + seeds.len()..];
        Some(number)
    }
}

/// The signs that people write after a move.
const SIGNS: &str = "!?=±∓+-/∞⩲⩱□";

/// Whether a character separates words: whitespace, or one that cannot be seen.
fn is_blank(c: char) -> bool {
    plain(c).is_whitespace()
}

/// The digits at the beginning of a text.
fn digits(text: &str) -> &str {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    &text[..text.len() - rest.len()]
}

/// The move at the beginning of a text; `None` if there is none.
pub(super) fn first_move(text: &str) -> Option<NamedMove<'_>> {
    let squares = || {
        let [file, rank, to_file, to_rank] = *text.as_bytes().first_chunk()?;
        Some((square(file, rank)?, square(to_file, to_rank)?))
    };
    let ((player, pit), target, length) = match squares() {
        Some((from, to)) => (from, Some(to), 4),
        None => (Player::from_letter(text.chars().next()?)?, None, 1),
    };
    Some(NamedMove {
        player,
        pit,
        target,
        written: &text[..length],
    })
}

/// The player and the pit, 0 to 5, of a square.
fn square(file: u8, rank: u8) -> Option<(Player, u8)> {
    let column = file.checked_sub(b'a').filter(|&c| usize::from(c) < ROW)?;
    match rank {
        b'1' => Some((Player::South, column)),
        // North sows from right to left.
        b'2' => Some((Player::North, ROW as u8 - 1 - column)),
        _ => None,
    }
}

/// Whether a word is about a move: `$1`, `!?` or `±`.
pub(super) fn is_sign(word: &str) -> bool {
    let number = word.strip_prefix('$').unwrap_or_default();
    let is_number = !number.is_empty() && digits(number) == number;
    is_number || !word.is_empty() && word.chars().all(|c| SIGNS.contains(plain(c)))
}

/// Whether a text is one variation with its brackets.
pub(super) fn is_variation(text: &str) -> bool {
    let mut lexer = Lexer::new(text);
    let mut lexemes = std::iter::from_fn(|| lexer.next().ok().flatten());
    let first_end = lexemes.find_map(|lexeme| match lexeme.token {
        Token::Close(whole) if lexeme.depth == 0 => Some(whole),
        _ => None,
    });
    first_end == Some(text)
}

/// Whether a word is a final score such as `25-20` or `24.5-23.5`, or `*` for an unfinished
/// game.
pub(super) fn is_result(word: &str) -> bool {
    word == "*" || score(word).is_some()
}

/// The final score of South and North in half seeds, or in half games.
pub(super) fn score(word: &str) -> Option<[u8; 2]> {
    let (south, north) = word.split_once(|c| plain(c) == '-')?;
    if south == north && ["1/2", "½"].contains(&south) {
        return Some([1, 1]);
    }
    Some([halves(south)?, halves(north)?])
}

/// A number of seeds, which may end in a half, in half seeds.
fn halves(text: &str) -> Option<u8> {
    let number = digits(text);
    let is_half = match &text[number.len()..] {
        "" | ".0" => false,
        "½" | ".5" | ",5" => true,
        _ => return None,
    };
    let seeds: u8 = number.parse().ok().filter(|seeds| *seeds < 100)?;
    Some(2 * seeds + u8::from(is_half))
}

/// What the bytes from 0x80 on mean in Windows-1252, as far as this differs from Latin-1.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The text of a file: UTF-16 if it begins with the mark of UTF-16 or with a letter as UTF-16
/// has it; otherwise UTF-8, or Windows-1252 if it is not that.
///
/// ```
/// use krou::ogn::decode;
///
/// assert_eq!(decode(b"[South \"Jos\xe9\"]"), "[South \"José\"]");
/// assert_eq!(decode(b"\xff\xfeF\0e\0"), "Fe");
/// ```
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes).into(),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes).into(),
        [1..=0xff, 0, ..] => utf16(bytes, u16::from_le_bytes).into(),
        [0, 1..=0xff, ..] => utf16(bytes, u16::from_be_bytes).into(),
        _ => match str::from_utf8(bytes) {
            Ok(text) => text.into(),
            Err(_) => bytes.iter().copied().map(windows).collect(),
        },
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units: Vec<u16> = (bytes.chunks_exact(2))
        .map(|pair| unit([pair[0], pair[1]]))
        .collect();
    String::from_utf16_lossy(&units)
}

fn windows(byte: u8) -> char {
    match byte {
        0x80..0xa0 => WINDOWS[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}
