//! Puzzles: boards with exactly one right move, proved by tables.
//!
//! A [`PuzzleFinder`] looks at boards in an order that its seed decides, and returns those
//! that are puzzles:
//!
//! 1. `proof`: one legal move, the *solution*, is better than each other one, and the mover
//!    does not lose. Under rulesets with bounds this holds wherever a repetition is stopped,
//!    except in a loop trap, which claims less.
//! 2. `line`: the solution, and best play by both after it.
//! 3. `theme`: a [`Theme`], which says what the puzzle is about.
//! 4. The board is no near duplicate of a puzzle before it.
//! 5. `grade`: how hard the solution is to find, from 1 to 5. A puzzle that a search of two
//!    plies solves is left out.
//!
//! `docs/puzzles.md` has the definitions for people.

mod finder;
mod grade;
mod line;
mod proof;
mod theme;

pub use finder::{Puzzle, PuzzleFilter, PuzzleFinder};
pub use grade::GRADES;
pub use proof::{Goal, ValuedMove};
pub use theme::Theme;
