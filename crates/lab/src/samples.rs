//! Samples: boards of games that the engine played against itself, with what they were
//! worth. `selfplay` writes them, `train` reads them.
//!
//! A file is a sequence of records of 17 bytes, those of a game in a row: the twelve
//! pits; the score and the outcome in hundredths of a seed (`i16`, little-endian); and 1
//! if the best move captures, else 0.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use krou::rules::{Board, PITS};

/// Bytes of a record.
const BYTES: usize = PITS + 5;

/// A board of a game.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The board.
    pub board: Board,
    /// The score of the search for the mover, in hundredths of a seed.
    pub score: i16,
    /// What the mover took afterwards, net, in hundredths of a seed.
    pub outcome: i16,
    /// Whether the best move captures.
    pub captures: bool,
}

impl Sample {
    /// Appends the record of this sample.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, output: &mut impl Write) -> io::Result<()> {
        output.write_all(&self.board.pits())?;
        output.write_all(&self.score.to_le_bytes())?;
        output.write_all(&self.outcome.to_le_bytes())?;
        output.write_all(&[u8::from(self.captures)])
    }

    /// All samples of a file.
    ///
    /// # Errors
    /// If the file cannot be read or a record is not a board.
    pub fn read_all(path: &Path) -> io::Result<Vec<Sample>> {
        let mut bytes = Vec::new();
        BufReader::new(File::open(path)?).read_to_end(&mut bytes)?;
        let sample = |record: &[u8]| {
            let pits = std::array::from_fn(|pit| record[pit]);
            let number = |at| i16::from_le_bytes([record[at], record[at + 1]]);
            Ok(Sample {
                board: Board::new(pits).map_err(io::Error::other)?,
                score: number(PITS),
                outcome: number(PITS + 2),
                captures: record[PITS + 4] != 0,
            })
        };
        bytes.chunks_exact(BYTES).map(sample).collect()
    }
}
