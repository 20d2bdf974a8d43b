//! Looks at the boards of layers in a random order, and returns the puzzles among them.

use std::fmt;
use std::ops::RangeInclusive;

use fastrand::Rng;

use super::grade::Grader;
use super::line::{line, quiet_plies};
use super::proof::{Goal, Proof, ValuedMove};
use super::theme::Theme;
use crate::args::check_layers;
use krou::engine::Game;
use krou::index::LayerIndex;
use krou::rules::{Board, Step};
use krou::tablebase::{ProbeError, Tablebase};

/// A board with exactly one right move.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Puzzle {
    /// The board.
    pub board: Board,
    /// What it is about.
    pub theme: Theme,
    /// How hard it is: one of [`GRADES`](super::GRADES).
    pub grade: u8,
    /// What only the solution attains.
    pub goal: Goal,
    /// The legal moves, best first: the solution, then the others.
    pub moves: Vec<ValuedMove>,
    /// The solution, then best play by both, up to twelve plies.
    pub line: Vec<Step>,
}

/// Which puzzles are wanted; `None` is any.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(clippy::exhaustive_structs)]
pub struct PuzzleFilter {
    /// The theme.
    pub theme: Option<Theme>,
    /// The grade.
    pub grade: Option<u8>,
}

/// Looks at the boards of layers, one with each call: the item is the puzzle, if the board is
/// one. The layers take turns, and each board is looked at once, in an order that the seed
/// decides. The same arguments give the same puzzles.
pub struct PuzzleFinder<'t> {
    tables: &'t Tablebase,
    filter: PuzzleFilter,
    walks: Vec<LayerWalk>,
    /// The layer whose turn it is.
    turn: usize,
    grader: Grader,
    found: Vec<Board>,
}

/// The boards of a layer in a random order: with a stride that has no divisor in common with
/// their number, each is visited once.
struct LayerWalk {
    index: LayerIndex,
    next: u64,
    stride: u64,
    left: u64,
}

impl LayerWalk {
    fn new(index: LayerIndex, random: &mut Rng) -> LayerWalk {
        let boards = index.len();
        let mut stride = random.u64(1..=boards);
        while greatest_common_divisor(stride, boards) > 1 {
            stride = random.u64(1..=boards);
        }
        LayerWalk {
            next: random.u64(..boards),
            stride,
            left: boards,
            index,
        }
    }

    fn next(&mut self) -> Option<Board> {
        self.left = self.left.checked_sub(1)?;
        let board = self.index.board(self.next);
        self.next = (self.next + self.stride) % self.index.len();
        Some(board)
    }
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 {
        a
    } else {
        greatest_common_divisor(b, a % b)
    }
}

impl PuzzleFinder<'_> {
    /// A finder of puzzles in these layers.
    ///
    /// # Errors
    /// If a table of these layers, or of one that their lines lead to, is missing or damaged.
    pub fn new(
        tables: &Tablebase,
        layers: RangeInclusive<u8>,
        filter: PuzzleFilter,
        seed: u64,
    ) -> Result<PuzzleFinder<'_>, ProbeError> {
        let rules = tables.rules();
        check_layers(tables, layers.clone())?;
        let mut random = Rng::with_seed(seed);
        let walk = |seeds| LayerWalk::new(LayerIndex::new(rules, seeds), &mut random);
        Ok(PuzzleFinder {
            tables,
            filter,
            walks: layers.map(walk).collect(),
            turn: 0,
            grader: Grader::new(rules),
            found: Vec::new(),
        })
    }

    /// The boards that have not been looked at.
    pub fn boards_left(&self) -> u64 {
        self.walks.iter().map(|walk| walk.left).sum()
    }

    fn next_board(&mut self) -> Option<Board> {
        for _ in 0..self.walks.len() {
            self.turn = (self.turn + 1) % self.walks.len();
            let board = self.walks[self.turn].next();
            if board.is_some() {
                return board;
            }
        }
        None
    }

    /// The puzzle of a board, if it is one that is wanted.
    fn puzzle(&mut self, board: &Board) -> Result<Option<Puzzle>, ProbeError> {
        let Some(proof) = Proof::of(self.tables, board)? else {
            return Ok(None);
        };
        let line = line(self.tables, board, proof.solution())?;
        let theme = Theme::of(self.tables, board, &proof, &line)?;
        // In an endless draw nothing need happen.
        let is_eventful = quiet_plies(board, &line) < line.len() || theme == Theme::HoldTheDraw;
        let is_wanted = self.filter.theme.is_none_or(|wanted| wanted == theme);
        if !is_eventful || !is_wanted || self.found.iter().any(|found| are_near(board, found)) {
            return Ok(None);
        }
        let rules = self.tables.rules();
        let game = Game::from_position(rules, *board);
        let game = game.expect("a board has at most 48 seeds");
        let grade = self.grader.grade(&game, &proof.moves, &line);
        let wanted = self.filter.grade;
        let Some(grade) = grade.filter(|&grade| wanted.is_none_or(|wanted| wanted == grade)) else {
            return Ok(None);
        };
        self.found.push(*board);
        Ok(Some(Puzzle {
            board: *board,
            theme,
            grade,
            goal: proof.goal,
            moves: proof.moves,
            line,
        }))
    }
}

impl Iterator for PuzzleFinder<'_> {
    type Item = Result<Option<Puzzle>, ProbeError>;

    fn next(&mut self) -> Option<Self::Item> {
        let board = self.next_board()?;
        Some(self.puzzle(&board))
    }
}

/// Whether boards differ in at most two pits: a seed or some seeds moved from one pit to
/// another.
fn are_near(a: &Board, b: &Board) -> bool {
    let pits = a.pits().into_iter().zip(b.pits());
    pits.filter(|(a, b)| a != b).count() <= 2
}

impl fmt::Debug for PuzzleFinder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PuzzleFinder")
            .field("filter", &self.filter)
            .field("found", &self.found)
            .finish_non_exhaustive()
    }
}
