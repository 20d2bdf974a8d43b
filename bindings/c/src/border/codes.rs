//! The numbers that functions return, and failures: a number with its sentence.

use std::ffi::{CStr, c_int};
use std::fmt::Display;

use krou::engine::PlayError;
use krou::rules::{
    IllegalMove, NoSuchChoice, ParseBoardError, TooManySeeds, UnknownRuleset, UnknownWord,
};
use krou::table::TableError;
use krou::tablebase::{OpenError, ProbeError};

/// Success.
pub const KROU_OK: c_int = 0;
/// A pointer that must not be null is null.
pub const KROU_E_NULL: c_int = 1;
/// A board or a position does not exist: too many seeds, or a text that is none.
pub const KROU_E_BOARD: c_int = 2;
/// There is no such ruleset, or no such choice.
pub const KROU_E_RULES: c_int = 3;
/// No table has the board's layer.
pub const KROU_E_MISSING: c_int = 4;
/// A table is damaged or cannot be read or written.
pub const KROU_E_TABLE: c_int = 5;
/// A folder does not exist or cannot be used.
pub const KROU_E_FOLDER: c_int = 6;
/// A text is not valid UTF-8.
pub const KROU_E_TEXT: c_int = 7;
/// The move is illegal.
pub const KROU_E_MOVE: c_int = 8;
/// The game is over.
pub const KROU_E_OVER: c_int = 9;
/// The size of a struct is not that of this version of the library.
pub const KROU_E_SIZE: c_int = 10;
/// The buffer is too small for the answer.
pub const KROU_E_BUFFER: c_int = 11;
/// An argument is out of its range, or a pointer is misaligned.
pub const KROU_E_ARGUMENT: c_int = 12;
/// The object or the folder is in use by another thread or program.
pub const KROU_E_BUSY: c_int = 13;
/// There is not enough memory.
pub const KROU_E_MEMORY: c_int = 14;
/// The work was stopped before its end, by the caller.
pub const KROU_E_STOPPED: c_int = 15;
/// An error in krou itself. The object should be closed.
pub const KROU_E_PANIC: c_int = 16;

/// Every code with its name, in the order of the numbers.
pub const NAMES: [&CStr; 17] = [
    c"KROU_OK",
    c"KROU_E_NULL",
    c"KROU_E_BOARD",
    c"KROU_E_RULES",
    c"KROU_E_MISSING",
    c"KROU_E_TABLE",
    c"KROU_E_FOLDER",
    c"KROU_E_TEXT",
    c"KROU_E_MOVE",
    c"KROU_E_OVER",
    c"KROU_E_SIZE",
    c"KROU_E_BUFFER",
    c"KROU_E_ARGUMENT",
    c"KROU_E_BUSY",
    c"KROU_E_MEMORY",
    c"KROU_E_STOPPED",
    c"KROU_E_PANIC",
];

/// Why a function fails.
#[derive(Debug)]
pub struct Failure {
    /// What the function returns.
    pub code: c_int,
    /// One sentence: what is wrong, where, and what to do.
    pub message: String,
}

impl Failure {
    /// A failure with this sentence.
    pub fn new(code: c_int, message: impl Display) -> Failure {
        let message = message.to_string();
        Failure { code, message }
    }

    /// An argument that is out of its range.
    pub fn argument(message: impl Display) -> Failure {
        Failure::new(KROU_E_ARGUMENT, message)
    }

    /// The same failure of one board among many, counted from 0.
    #[must_use]
    pub fn of_board(self, index: usize) -> Failure {
        let Failure { code, message } = self;
        Failure::new(code, format!("board {index}, counted from 0: {message}"))
    }
}

/// Gives an error of the library its code.
macro_rules! code {
    ($($error:ty => $code:ident),+ $(,)?) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                Failure::new($code, error)
            }
        })+
    };
}

code! {
    IllegalMove => KROU_E_MOVE,
    NoSuchChoice => KROU_E_RULES,
    ParseBoardError => KROU_E_BOARD,
    TableError => KROU_E_TABLE,
    TooManySeeds => KROU_E_BOARD,
    UnknownRuleset => KROU_E_RULES,
    UnknownWord => KROU_E_RULES,
}

impl From<PlayError> for Failure {
    fn from(error: PlayError) -> Failure {
        match error {
            PlayError::Over => Failure::new(KROU_E_OVER, error),
            _ => Failure::new(KROU_E_MOVE, error),
        }
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Failure {
        match error {
            OpenError::NoFolder { .. } | OpenError::Folder { .. } => {
                Failure::new(KROU_E_FOLDER, error)
            }
            _ => Failure::new(KROU_E_TABLE, error),
        }
    }
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Failure {
        match error {
            ProbeError::Missing { .. } => Failure::new(
                KROU_E_MISSING,
                format!("{error}: build it, or open a folder that has it"),
            ),
            _ => Failure::new(KROU_E_TABLE, error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_positive_distinct_and_named() {
        let codes = [
            KROU_OK,
            KROU_E_NULL,
            KROU_E_BOARD,
            KROU_E_RULES,
            KROU_E_MISSING,
            KROU_E_TABLE,
            KROU_E_FOLDER,
            KROU_E_TEXT,
            KROU_E_MOVE,
            KROU_E_OVER,
            KROU_E_SIZE,
            KROU_E_BUFFER,
            KROU_E_ARGUMENT,
            KROU_E_BUSY,
            KROU_E_MEMORY,
            KROU_E_STOPPED,
            KROU_E_PANIC,
        ];
        assert_eq!(codes.len(), NAMES.len());
        let header = include_str!("../../include/krou.h");
        for (number, (code, name)) in (0..).zip(codes.into_iter().zip(NAMES)) {
            assert_eq!(code, number);
            let line = format!("#define {} {code}\n", name.to_str().unwrap());
            assert!(header.contains(&line), "{line}");
        }
    }
}
