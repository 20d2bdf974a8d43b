//! Tokens as games: reads the tokens of each game, plays its moves, and then reads its remarks,
//! which may have variations with moves and remarks of their own.
//!
//! What the text claims about moves and result is compared with the rules.

use std::collections::BTreeMap;

use super::claims;
use super::lexer::{Lexeme, Lexer, NamedMove, Token};
use super::saved_game::{
    GameDefaults, REPETITIONS, RESULT, ReadGameError, Remark, START, SavedGame, VARIANT, Variation,
    Written, unwritten,
};
use crate::engine::Game;
use crate::engine::Record;
use crate::rules::{ParseBoardError, Player, Position, ROW, shortened};

/// Variations inside more variations than this are not read.
const DEPTH: usize = 16;

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
        let mut lexer = Lexer::new(text);
        let mut games = Vec::new();
        while games.is_empty() || !lexer.is_at_end() {
            match next_game(&mut lexer, defaults) {
                // Comments may follow the last game.
                Err(ReadGameError::Empty) if lexer.is_at_end() => break,
                game => games.push(game),
            }
        }
        if games.is_empty() {
            return Err(ReadGameError::Empty);
        }
        Ok(games)
    }
}

/// Reads the next game.
fn next_game(lexer: &mut Lexer<'_>, defaults: GameDefaults) -> Result<SavedGame, ReadGameError> {
    let mut tokens = GameTokens::default();
    let end = tokens.read(lexer);
    if end.is_err() {
        lexer.skip_game(!tokens.has_words);
    }
    if !tokens.has_words {
        end.clone()?;
    }
    let GameTokens {
        line,
        mut tags,
        result,
        ..
    } = tokens;
    let has_tags = !tags.is_empty();
    let start = Record::new(start(&mut tags, defaults)?);
    // What is wrong before the end comes first.
    let played = play(&line, 0, &start);
    let (record, mut notes) =
        played.or_else(|error| play_letters_of_mover(&line, &start).unwrap_or(Err(error)))?;
    end?;
    if !has_tags && record.turns().is_empty() {
        return Err(ReadGameError::Empty);
    }
    let mut results: Vec<_> = tags.get(RESULT).cloned().into_iter().collect();
    results.extend(result.clone());
    results.dedup_by(|a, b| a.0 == b.0);
    for (result, line) in results {
        let note = claims::of_result(&result, record.game());
        notes.extend(note.map(|note| format!("line {line}: {note}")));
    }
    if let Some(result) = result {
        tags.entry(RESULT.to_owned()).or_insert(result);
    }
    // The names of the players in PGN, where White moves first.
    for (chess, name) in [("White", "South"), ("Black", "North")] {
        if let Some(value) = tags.remove(chess) {
            tags.entry(name.to_owned()).or_insert(value);
        }
    }
    let tags = tags.into_iter().map(|(name, (value, _))| (name, value));
    Ok(SavedGame {
        tags: tags.collect(),
        remarks: remarks(&line, 0, &record),
        record,
        notes,
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

/// The tokens of a game.
#[derive(Default)]
struct GameTokens<'t> {
    tags: Tags,
    /// Moves and remarks.
    line: Vec<Lexeme<'t>>,
    /// The result, and its line.
    result: Option<(String, usize)>,
    /// Whether there is something after the tags but comments and variations.
    has_words: bool,
}

impl<'t> GameTokens<'t> {
    /// The tokens of a text.
    fn of(text: &'t str) -> Result<GameTokens<'t>, ReadGameError> {
        let mut tokens = GameTokens::default();
        tokens.read(&mut Lexer::new(text))?;
        Ok(tokens)
    }

    /// Reads the tokens up to the end of the game.
    fn read(&mut self, lexer: &mut Lexer<'t>) -> Result<(), ReadGameError> {
        while !(self.has_words && lexer.is_at_tag()) {
            let Some(lexeme) = lexer.next()? else {
                break;
            };
            let line = lexeme.line;
            let is_word = lexeme.depth == 0 && lexeme.token.is_word();
            if is_word && self.result.is_some() {
                let word = shortened(lexeme.word);
                return Err(ReadGameError::AfterResult { line, word });
            }
            self.has_words |= is_word;
            match lexeme.token {
                Token::Tag { name, value } => {
                    self.tags.insert(name.to_owned(), (value, line));
                }
                Token::Result(result) if is_word => self.result = Some((result.to_owned(), line)),
                _ => self.line.push(lexeme),
            }
        }
        Ok(())
    }
}

/// Plays a text of moves.
pub(super) fn read_moves(text: &str, start: &Record) -> Result<Record, ReadGameError> {
    let tokens = GameTokens::of(text)?;
    Ok(play(&tokens.line, 0, start)?.0)
}

/// Reads the remarks in a text of these moves.
pub(super) fn read_remarks(
    text: &str,
    record: &Record,
) -> Result<Vec<Vec<Written>>, ReadGameError> {
    let tokens = GameTokens::of(text)?;
    Ok(remarks(&tokens.line, 0, record))
}

/// The tokens of a line of this depth, without those of its variations.
fn own<'a, 't>(line: &'a [Lexeme<'t>], depth: usize) -> impl Iterator<Item = &'a Lexeme<'t>> {
    line.iter().filter(move |lexeme| lexeme.depth == depth)
}

/// The remarks of a line: before its first move, then after each move.
fn remarks(line: &[Lexeme<'_>], depth: usize, record: &Record) -> Vec<Vec<Written>> {
    let mut remarks = vec![Vec::new()];
    let mut branch = None;
    let mut variation: &[Lexeme<'_>] = &[];
    let mut rest = line;
    while let Some((lexeme, after)) = rest.split_first() {
        rest = after;
        let ply = remarks.len() - 1;
        let (remark, text) = match &lexeme.token {
            Token::Move(..) | Token::Pit(..) => {
                remarks.push(Vec::new());
                branch = None;
                continue;
            }
            Token::Open => {
                let end = rest.iter().position(|lexeme| lexeme.depth == depth);
                (variation, rest) = rest.split_at(end.unwrap_or(rest.len()));
                continue;
            }
            Token::Close(text) => {
                let branch = branch.get_or_insert_with(|| record.branch(ply));
                let variation = read_variation(variation, depth + 1, branch);
                let unread = || Remark::Text((*text).to_owned());
                let remark = variation.map_or_else(unread, Remark::Variation);
                (remark, (*text).to_owned())
            }
            Token::Sign(sign) => (Remark::Sign((*sign).to_owned()), (*sign).to_owned()),
            Token::Comment(comment) => {
                let text = format!("{{{comment}}}");
                (Remark::Comment(comment.clone().into_owned()), text)
            }
            _ => continue,
        };
        remarks[ply].push(Written { remark, text });
    }
    remarks
}

/// Reads a variation; `None` if it cannot be played.
fn read_variation(line: &[Lexeme<'_>], depth: usize, start: &Record) -> Option<Variation> {
    let has_result = own(line, depth).any(|lexeme| matches!(lexeme.token, Token::Result(_)));
    if depth > DEPTH || has_result {
        return None;
    }
    let (record, _) = play(line, depth, start).ok()?;
    let remarks = remarks(line, depth, &record);
    (!record.turns().is_empty()).then(|| Variation {
        moves: record.letters(),
        remarks: remarks.iter().map(|all| unwritten(all)).collect(),
    })
}

/// A record, and the claims that its moves contradict.
type Played = Result<(Record, Vec<String>), ReadGameError>;

/// Plays the moves of a line. Numbers are pits from 0 to 11, unless this is impossible and
/// another numbering is the only one that is possible.
fn play(line: &[Lexeme<'_>], depth: usize, start: &Record) -> Played {
    let error = match play_by(Numbering::All, line, depth, start) {
        Err(error) => error,
        played => return played,
    };
    let numbers = own(line, depth).filter_map(|lexeme| match lexeme.token {
        Token::Pit(number, _) => Some((number, lexeme.line)),
        _ => None,
    });
    let numbers: Vec<(&str, usize)> = numbers.collect();
    let Some(&(_, line_of_first)) = numbers.first() else {
        return Err(error);
    };
    let others = [Numbering::FromTo, Numbering::FromZero, Numbering::FromOne];
    let fits = others.into_iter().filter(|numbering| {
        let mut numbers = numbers.iter();
        numbers.all(|(number, _)| numbering.pit(number).is_some())
    });
    let mut played = fits.filter_map(|numbering| play_by(numbering, line, depth, start).ok());
    match (played.next(), played.next()) {
        (None, _) => Err(error),
        (Some(only), None) => Ok(only),
        (Some(_), Some(_)) => Err(ReadGameError::Numbering {
            line: line_of_first,
        }),
    }
}

/// Plays the moves of a game whose letters are all capitals or all small, as on sheets where they
/// are the pits of whoever moves; `None` if there are others.
fn play_letters_of_mover(line: &[Lexeme<'_>], start: &Record) -> Option<Played> {
    let players = own(line, 0).filter_map(|lexeme| match lexeme.token {
        Token::Move(named, _) => Some((named.player, named.target.is_none())),
        _ => None,
    });
    let players: Vec<(Player, bool)> = players.collect();
    let first = players.first()?;
    let are_all_alike = first.1 && players.iter().all(|player| player == first);
    let played = are_all_alike.then(|| play_by(Numbering::Letters, line, 0, start))?;
    played.is_ok().then_some(played)
}

/// Plays the moves of a line with one meaning of numbers.
fn play_by(numbering: Numbering, line: &[Lexeme<'_>], depth: usize, start: &Record) -> Played {
    let mut record = start.clone();
    let mut notes = Vec::new();
    for lexeme in own(line, depth) {
        // The players did not stop.
        record.ignore_repetition();
        let to_move = record.game().to_move();
        let (named, captured) = match lexeme.token {
            Token::Move(mut named, captured) => {
                if let Numbering::Letters = numbering {
                    named.player = to_move;
                }
                (Ok(named), captured)
            }
            Token::Pit(number, captured) => {
                (numbering.named(number, to_move).ok_or(number), captured)
            }
            Token::Unknown(word) => (Err(word), None),
            _ => continue,
        };
        let line = lexeme.line;
        let word = |word| ReadGameError::Word {
            line,
            word: shortened(word),
        };
        let named = named.map_err(word)?;
        if record.turns().len() == SavedGame::MAX_MOVES {
            return Err(ReadGameError::TooManyMoves { line });
        }
        let before = record.game().clone();
        let turn = match record.play_for(named.player, named.pit) {
            Ok(turn) => turn,
            Err(why) => {
                let name = record.next_name(named.written);
                return Err(ReadGameError::Move { line, name, why });
            }
        };
        if let (Token::Pit(number, _), Numbering::FromTo) = (&lexeme.token, numbering) {
            let end = claims::last_pit(&before, turn.step.pit).map(|pit| pit % ROW);
            let to = Numbering::FromOne.pit(&number[1..]).map(usize::from);
            if end != to {
                return Err(word(number));
            }
        }
        if let Some(note) = claims::of_move(&before, &turn, &named, captured) {
            let name = record.names().last().unwrap_or_default();
            notes.push(format!("line {line}: {name}: {note}"));
        }
    }
    Ok((record, notes))
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
    /// None: A to F for both players.
    Letters,
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
            Numbering::Letters => return None,
        };
        let pit: u8 = digit.parse().ok()?;
        pit.checked_sub(first).filter(|pit| *pit <= most)
    }

    /// The move of a number, by the player to move.
    fn named(self, number: &str, to_move: Player) -> Option<NamedMove<'_>> {
        let pit = self.pit(number)?;
        let player = match self {
            Numbering::All if pit < ROW as u8 => Player::South,
            Numbering::All => Player::North,
            _ => to_move,
        };
        Some(NamedMove {
            player,
            pit: pit % ROW as u8,
            target: None,
            written: number,
        })
    }
}
