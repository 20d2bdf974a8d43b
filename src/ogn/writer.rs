//! Games as text, in the format of Aualé.

use std::fmt;

use super::lexer::{is_result, is_sign, is_variation};
use super::parser::{read_moves, read_remarks};
use super::saved_game::{
    AUALE_RULES, REPETITIONS, RESULT, ReadGameError, Remark, START, SavedGame, VARIANT, Variation,
};
use crate::engine::{Game, Record};
use crate::rules::{Board, Position, Ruleset, shortened};

/// The tags that every game has, in this order; unknown values are `?`.
const ROSTER: [&str; 6] = ["Event", "Site", "Date", "Round", "South", "North"];

/// Lines of moves are shorter than this.
const WIDTH: usize = 80;

impl fmt::Display for SavedGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.record.start();
        write_tag(f, VARIANT, &variant(start.rules()))?;
        for name in ROSTER {
            write_tag(f, name, self.tag(name).unwrap_or("?"))?;
        }
        let result = self.result();
        write_tag(f, RESULT, &result)?;
        for (name, value) in &self.tags {
            if !ROSTER.contains(&name.as_str()) && name != RESULT {
                write_tag(f, name, value)?;
            }
        }
        if start.position() != Position::from(Board::START) {
            write_tag(f, START, &start.position().to_string())?;
        }
        if start.repetitions() != Game::REPETITIONS {
            write_tag(f, REPETITIONS, &start.repetitions().to_string())?;
        }
        if self.record.turns().is_empty() && self.remarks.iter().all(Vec::is_empty) {
            return Ok(());
        }
        let mut words = words_of(&self.record, &self.remarks);
        if is_result(&result) && result != "*" {
            // A comma would separate two moves.
            words.push(result.replace(',', "."));
        }
        let mut column = 0;
        for word in words {
            let separator = match column {
                0 => "\n",
                _ if column + 1 + word.len() < WIDTH => " ",
                _ => {
                    column = 0;
                    "\n"
                }
            };
            write!(f, "{separator}{word}")?;
            // A comment may have several lines.
            match word.rsplit_once('\n') {
                Some((_, last)) => column = last.len(),
                None => column += word.len() + usize::from(separator == " "),
            }
        }
        f.write_str("\n")
    }
}

impl SavedGame {
    /// Replaces the remarks. Those after the last move are dropped.
    ///
    /// # Errors
    /// If a move of a variation cannot be played, or a sign or text is none.
    pub fn set_remarks(&mut self, remarks: &[Vec<Remark>]) -> Result<(), ReadGameError> {
        let text = moves_text(&self.record, remarks)?;
        self.remarks = read_remarks(&text, &self.record)?;
        Ok(())
    }

    /// The final stores, or the tag of a game that is not over.
    fn result(&self) -> String {
        match self.record.game().outcome() {
            Some(outcome) => format!("{}-{}", outcome.stores.south, outcome.stores.north),
            None => self.tag(RESULT).unwrap_or("*").to_owned(),
        }
    }
}

/// The words of moves: numbers, letters with the seeds taken, and the text of remarks.
fn words_of<T: AsRef<str>>(record: &Record, remarks: &[Vec<T>]) -> Vec<String> {
    let mut texts = remarks.iter().map(|all| all.iter().map(AsRef::as_ref));
    let mut words: Vec<String> = texts
        .next()
        .into_iter()
        .flatten()
        .map(str::to_owned)
        .collect();
    let mut last = 0;
    for (number, turn) in record.numbers().zip(record.turns()) {
        if number != last {
            words.push(format!("{number}{}", record.dots(turn.player)));
        }
        last = number;
        let mut word = turn.letter().to_string();
        if turn.taken > 0 {
            word += &format!("+{}", turn.taken);
        }
        let mut texts = texts.next().into_iter().flatten().peekable();
        // A sign stands beside its move, unless it is one that a move cannot have there.
        let is_beside = |text: &&str| text.chars().all(|c| "!?".contains(c));
        word += texts.next_if(is_beside).unwrap_or_default();
        words.push(word);
        words.extend(texts.map(str::to_owned));
    }
    words
}

/// The moves of a record with remarks about them.
fn moves_text(record: &Record, remarks: &[Vec<Remark>]) -> Result<String, ReadGameError> {
    let of_ply = |(ply, remarks): (usize, &Vec<Remark>)| {
        let text = remarks.iter().map(|remark| remark.text(record, ply));
        text.collect()
    };
    let plies = remarks.iter().take(record.turns().len() + 1).enumerate();
    let remarks: Vec<Vec<String>> = plies.map(of_ply).collect::<Result<_, _>>()?;
    Ok(words_of(record, &remarks).join(" "))
}

impl Remark {
    /// The text of a remark about the move that leads to this ply of a record.
    fn text(&self, record: &Record, ply: usize) -> Result<String, ReadGameError> {
        match self {
            Remark::Comment(comment) => Ok(format!("{{{}}}", comment.replace('}', ")"))),
            Remark::Variation(Variation { moves, remarks }) => {
                let record = read_moves(moves, &record.branch(ply))?;
                Ok(format!("({})", moves_text(&record, remarks)?))
            }
            Remark::Sign(sign) if is_sign(sign) => Ok(sign.clone()),
            Remark::Text(text) if is_variation(text) => Ok(text.clone()),
            Remark::Sign(text) | Remark::Text(text) => {
                let word = shortened(text);
                Err(ReadGameError::Word { line: 1, word })
            }
        }
    }
}

/// The name of a ruleset, which is that of Aualé if it has one.
fn variant(rules: Ruleset) -> String {
    match AUALE_RULES {
        (name, known) if known == rules => name.to_owned(),
        _ => rules.to_string(),
    }
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    writeln!(f, "[{name} \"{value}\"]")
}
