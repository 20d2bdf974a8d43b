//! The fields of a board that a query can ask for and print.

use std::ops::Range;

use krou::rules::{Board, Next, Ruleset};
use krou::solve::{Reader, SpillError, Value};
use krou::tablebase::LayerBoards;
use serde::Serialize;

macro_rules! fields {
    ($($field:ident $name:literal)*) => {
        /// A field of a board. The order is that of columns.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum QueryField {
            $($field),*
        }

        impl QueryField {
            pub const ALL: [QueryField; 10] = [$(QueryField::$field),*];

            pub fn name(self) -> &'static str {
                match self {
                    $(QueryField::$field => $name),*
                }
            }
        }
    };
}

fields! {
    Seeds "seeds"
    Value "value"
    Lower "lower"
    Upper "upper"
    Distance "distance"
    Moves "moves"
    Best "best"
    Winning "winning"
    Gap "gap"
    Captured "captured"
}

impl QueryField {
    /// The names of all fields, for a message.
    pub fn names() -> String {
        QueryField::ALL.map(QueryField::name).join(", ")
    }

    /// Whether the field is about the moves of a board.
    pub fn is_of_moves(self) -> bool {
        self as u8 >= QueryField::Moves as u8
    }
}

/// A board with what its tables say of it; null where they say nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct BoardRecord {
    pub board: Board,
    pub seeds: u8,
    pub value: i8,
    pub lower: Option<i8>,
    pub upper: Option<i8>,
    /// Plies to the next capture or end.
    pub distance: Option<u8>,
    /// Zeros until they are counted.
    #[serde(flatten)]
    pub moves: MoveCounts,
}

/// What the moves of a board are worth, in numbers; all are 0 where there is no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct MoveCounts {
    /// Legal moves.
    pub moves: u8,
    /// Moves with the best value.
    pub best: u8,
    /// Moves worth more than 0.
    pub winning: u8,
    /// The value minus that of the best other move; 0 with one move or several best ones.
    pub gap: i8,
    /// Seeds that a best move takes, the most if there are several.
    pub captured: u8,
}

impl MoveCounts {
    /// Counts moves by their values and the seeds that they take.
    pub fn of(moves: impl Iterator<Item = (i8, u8)>) -> MoveCounts {
        let mut counts = MoveCounts::default();
        let (mut first, mut second) = (i8::MIN, i8::MIN);
        for (value, captured) in moves {
            counts.moves += 1;
            counts.winning += u8::from(value > 0);
            if value > first {
                second = first;
                first = value;
                counts.best = 0;
                counts.captured = 0;
            } else {
                second = second.max(value);
            }
            if value == first {
                counts.best += 1;
                counts.captured = counts.captured.max(captured);
            }
        }
        if counts.moves > 1 {
            counts.gap = first - second;
        }
        counts
    }
}

impl BoardRecord {
    /// A field; `None` if it is not known.
    pub fn field(&self, field: QueryField) -> Option<i16> {
        let MoveCounts {
            moves,
            best,
            winning,
            gap,
            captured,
        } = self.moves;
        match field {
            QueryField::Seeds => Some(self.seeds.into()),
            QueryField::Value => Some(self.value.into()),
            QueryField::Lower => self.lower.map(i16::from),
            QueryField::Upper => self.upper.map(i16::from),
            QueryField::Distance => self.distance.map(i16::from),
            QueryField::Moves => Some(moves.into()),
            QueryField::Best => Some(best.into()),
            QueryField::Winning => Some(winning.into()),
            QueryField::Gap => Some(gap.into()),
            QueryField::Captured => Some(captured.into()),
        }
    }
}

/// A layer with those below it, which its moves lead to, all in memory.
pub struct LoadedLayer<'l> {
    pub rules: Ruleset,
    /// The values of the layers from 0 seeds on, up to the layer itself.
    pub values: Vec<Reader<'l, Value>>,
    /// The boards of the layer itself.
    pub boards: LayerBoards<'l>,
}

impl LoadedLayer<'_> {
    /// The records of the boards with these indexes, before their moves are counted.
    ///
    /// # Errors
    /// If they are in a file, beyond the memory limit, that cannot be read.
    pub fn records(
        &self,
        indexes: Range<u64>,
    ) -> Result<impl Iterator<Item = BoardRecord> + '_, SpillError> {
        let records = self.boards.boards(indexes)?.map(|tabled| BoardRecord {
            board: tabled.board,
            seeds: tabled.board.seeds(),
            value: tabled.value,
            lower: tabled.lower,
            upper: tabled.upper,
            distance: tabled.distance(self.rules),
            moves: MoveCounts::default(),
        });
        Ok(records)
    }

    /// Counts the moves of a board of the layer.
    ///
    /// # Errors
    /// If values are in a file, beyond the memory limit, that cannot be read.
    pub fn count_moves(&self, record: &mut BoardRecord) -> Result<(), SpillError> {
        let moves = self.rules.moves(&record.board);
        let worth = moves.legal().map(|step| {
            let child = match step.next {
                Next::Over => 0,
                Next::Opponent | Next::Again => {
                    let value = self.values[usize::from(step.board.seeds())].of(&step.board)?;
                    value.expect("a move leads to a board of the index").get()
                }
            };
            Ok((step.value(child), step.captured))
        });
        let worth: Vec<_> = worth.collect::<Result<_, SpillError>>()?;
        record.moves = MoveCounts::of(worth.into_iter());
        Ok(())
    }
}
