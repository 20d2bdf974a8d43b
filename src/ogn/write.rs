//! Writing a game in the format of Aualé.

use std::fmt;

use super::saved_game::{AUALE_RULES, REPETITIONS, RESULT, START, SavedGame, VARIANT, is_result};
use crate::engine::{Game, Record};
use crate::rules::{Board, Position, Ruleset};

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
    /// The final stores, or the tag of a game that is not over.
    fn result(&self) -> String {
        match self.record.game().outcome() {
            Some(outcome) => format!("{}-{}", outcome.stores.south, outcome.stores.north),
            None => self.tag(RESULT).unwrap_or("*").to_owned(),
        }
    }
}

/// The words of moves: numbers, letters with the seeds taken, and remarks.
pub(super) fn words_of(record: &Record, remarks: &[Vec<String>]) -> Vec<String> {
    let mut remarks = remarks.iter().map(Vec::as_slice);
    let mut words = remarks.next().unwrap_or_default().to_vec();
    let mut last = 0;
    for (number, turn) in record.numbers().zip(record.turns()) {
        if number != last {
            words.push(format!("{number}{}", record.dots(turn.player)));
        }
        last = number;
        let taken = match turn.taken {
            0 => String::new(),
            taken => format!("+{taken}"),
        };
        let remarks = remarks.next().unwrap_or_default();
        // A sign stands beside its move, unless it is one that a move cannot have there.
        let is_beside = |sign: &&String| sign.chars().all(|c| "!?".contains(c));
        let sign = remarks.first().filter(is_beside);
        let after = usize::from(sign.is_some());
        let sign = sign.map_or("", String::as_str);
        words.push(format!("{}{taken}{sign}", turn.letter()));
        words.extend_from_slice(&remarks[after..]);
    }
    words
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
