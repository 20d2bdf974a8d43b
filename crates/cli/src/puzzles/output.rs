//! A puzzle as text and for programs.

use krou::engine::Game;
use krou::rules::{Player, Ruleset};
use serde::Serialize;

use super::finder::Puzzle;
use super::proof::Goal;
use crate::boards::{drawing, signed};

/// A puzzle for programs.
#[derive(Serialize)]
pub struct PuzzleFields {
    board: [u8; 12],
    rules: String,
    seeds: u8,
    theme: &'static str,
    grade: u8,
    goal: &'static str,
    solution: u8,
    /// Best first.
    moves: Vec<PuzzleMoveFields>,
    line: String,
}

#[derive(Serialize)]
struct PuzzleMoveFields {
    pit: u8,
    letter: char,
    value: i8,
}

impl PuzzleFields {
    /// A puzzle in which South is to move.
    pub fn new(rules: Ruleset, puzzle: &Puzzle) -> PuzzleFields {
        let moves = puzzle.moves.iter().map(|m| PuzzleMoveFields {
            pit: m.step.pit,
            letter: Player::South.letter(m.step.pit),
            value: m.value,
        });
        let pits: Vec<u8> = puzzle.line.iter().map(|step| step.pit).collect();
        let game = Game::from_position(rules, puzzle.board).expect("the stores are empty");
        PuzzleFields {
            board: puzzle.board.pits(),
            rules: rules.to_string(),
            seeds: puzzle.board.seeds(),
            theme: puzzle.theme.as_str(),
            grade: puzzle.grade,
            goal: puzzle.goal.as_str(),
            solution: puzzle.moves[0].step.pit,
            moves: moves.collect(),
            line: game.letters(&pits),
        }
    }

    /// The puzzle for people, without its solution.
    pub fn text(&self, number: usize, puzzle: &Puzzle) -> String {
        let (rules, seeds, drawing) = (&self.rules, self.seeds, drawing(&puzzle.board));
        let task = task(puzzle);
        let kind = format!("{}, grade {}", self.theme, self.grade);
        format!("{number}. {rules}, {seeds} seeds: {task} ({kind})\n\n{drawing}\n")
    }

    /// The solution for people.
    pub fn solution(&self, number: usize) -> String {
        let moves = self.moves.iter();
        let moves = moves.map(|m| format!("{} {}", m.letter, signed(m.value)));
        let moves: Vec<String> = moves.collect();
        format!("{number}. {}   {}\n", self.line, moves.join(", "))
    }
}

/// What the solver is to find.
fn task(puzzle: &Puzzle) -> &'static str {
    match (puzzle.goal, puzzle.moves[0].value) {
        (Goal::Result, 0) => "one move keeps the draw",
        (Goal::Result, _) => "one move wins",
        _ => "one move is best",
    }
}
