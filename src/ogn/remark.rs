//! What a text says about moves, as a tree: variations have moves and remarks of their own.
//! [`SavedGame`] keeps it as written.

use super::error::ReadGameError;
use super::read::{Words, is_glyph};
use super::saved_game::SavedGame;
use super::scanner::Scanner;
use super::write::words_of;
use crate::engine::Record;
use crate::rules::shortened;

/// A remark about a move, or before the first move.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Remark {
    /// A sign such as `!?` or `$4`.
    Sign(String),
    /// A comment: what its braces have inside.
    Comment(String),
    /// Moves in place of this one.
    Variation(Variation),
    /// A variation that cannot be played, with its parentheses.
    Text(String),
}

/// Moves in place of others.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Variation {
    /// The letters of the moves.
    pub moves: String,
    /// The remarks before the first move, then after each move.
    pub remarks: Vec<Vec<Remark>>,
}

/// Variations that are nested more deeply are not read.
const DEPTH: usize = 16;

impl SavedGame {
    /// The remarks before the first move, then after each move.
    pub fn remarks(&self) -> Vec<Vec<Remark>> {
        read_all(&self.remarks, &self.record, DEPTH)
    }

    /// Replaces the remarks. Those after the last move are dropped.
    ///
    /// # Errors
    /// If a move of a variation cannot be played, or a sign or text is none.
    pub fn set_remarks(&mut self, remarks: &[Vec<Remark>]) -> Result<(), ReadGameError> {
        self.remarks = write_all(remarks, &self.record)?;
        Ok(())
    }
}

fn read_all(written: &[Vec<String>], record: &Record, depth: usize) -> Vec<Vec<Remark>> {
    let of_ply = |ply: usize| {
        let written = written.get(ply).into_iter().flatten();
        let remarks = written.map(move |one| Remark::read(one, record, ply, depth));
        remarks.collect()
    };
    (0..=record.turns().len()).map(of_ply).collect()
}

fn write_all(remarks: &[Vec<Remark>], record: &Record) -> Result<Vec<Vec<String>>, ReadGameError> {
    let of_ply = |(ply, remarks): (usize, &Vec<Remark>)| {
        let written = remarks.iter().map(|remark| remark.write(record, ply));
        written.collect()
    };
    let plies = remarks.iter().take(record.turns().len() + 1).enumerate();
    plies.map(of_ply).collect()
}

impl Remark {
    /// Reads a remark about the move that leads to this ply of a record.
    fn read(written: &str, record: &Record, ply: usize, depth: usize) -> Remark {
        let inside = |open| {
            written
                .strip_prefix(open)
                .map(|rest| &rest[..rest.len() - 1])
        };
        if let Some(comment) = inside('{') {
            return Remark::Comment(comment.to_owned());
        }
        match inside('(') {
            None => Remark::Sign(written.to_owned()),
            Some(moves) => Variation::read(moves, &record.branch(ply), depth)
                .map_or_else(|| Remark::Text(written.to_owned()), Remark::Variation),
        }
    }

    fn write(&self, record: &Record, ply: usize) -> Result<String, ReadGameError> {
        let written = match self {
            Remark::Comment(comment) => return Ok(format!("{{{}}}", comment.replace('}', ")"))),
            Remark::Variation(variation) => return variation.write(&record.branch(ply)),
            Remark::Sign(sign) if is_glyph(sign) => sign,
            Remark::Text(text) if Scanner::new(text).is_variation() => text,
            Remark::Sign(text) | Remark::Text(text) => {
                let word = shortened(text);
                return Err(ReadGameError::Word { line: 1, word });
            }
        };
        Ok(written.clone())
    }
}

impl Variation {
    /// `None` if it cannot be played.
    fn read(text: &str, start: &Record, depth: usize) -> Option<Variation> {
        let depth = depth.checked_sub(1)?;
        let mut scanner = Scanner::new(text);
        let mut words = Words::default();
        words.read(&mut scanner).ok()?;
        let (record, _) = words.play(start).ok()?;
        let is_whole = scanner.is_at_end() && words.result.is_none();
        (is_whole && !record.turns().is_empty()).then(|| Variation {
            moves: record.letters(),
            remarks: read_all(&words.remarks, &record, depth),
        })
    }

    fn write(&self, start: &Record) -> Result<String, ReadGameError> {
        let mut words = Words::default();
        words.read(&mut Scanner::new(&self.moves))?;
        let (record, _) = words.play(start)?;
        let remarks = write_all(&self.remarks, &record)?;
        Ok(format!("({})", words_of(&record, &remarks).join(" ")))
    }
}
