//! The shapes of the library's types that answers contain: the library serialises them, and
//! knows nothing of JSON Schema. A test of the server compares its answers with them.

// Only their shapes are used.
#![allow(dead_code)]

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The seeds that the players have taken.
#[derive(JsonSchema)]
pub struct Stores {
    south: u8,
    north: u8,
}

/// Seeds that go from one place to another. Places are the pits A to F (South) and a to f
/// (North), the stores, and the mover's hand.
#[derive(Serialize, JsonSchema)]
pub struct SeedEvent {
    event: &'static str,
    #[schemars(regex(pattern = "^([A-Fa-f]|hand)$"))]
    from: &'static str,
    #[schemars(regex(pattern = "^([A-Fa-f]|hand|south|north)$"))]
    to: &'static str,
    seeds: u8,
}

/// A remark about a move, or before the first move.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Remark {
    /// A sign such as !? or $4.
    Sign(String),
    /// What the braces of a comment have inside.
    Comment(String),
    /// Moves in place of this one.
    Variation(Variation),
    /// A variation that cannot be played, with its parentheses.
    Text(String),
}

/// Moves in place of others.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Variation {
    /// The letters of the moves.
    moves: String,
    /// Before the first move, then after each move.
    remarks: Vec<Vec<Remark>>,
}

/// How well both players played.
#[derive(JsonSchema)]
pub struct PlayerReviews {
    south: PlayerReview,
    north: PlayerReview,
}

/// How well a player played. Moves without a choice count only in `moves`.
#[derive(JsonSchema)]
struct PlayerReview {
    moves: usize,
    /// Moves where there was a choice.
    choices: usize,
    /// In per cent; null without a choice.
    accuracy: Option<f64>,
    /// Seeds given away by a move that had a choice.
    average_loss: Option<f64>,
    /// Moves where only one of several kept the value, by the tables.
    only_moves: usize,
    /// How many of them the player found.
    only_moves_found: usize,
}

/// A move and the seeds that it gave away. All scores are in seeds.
#[derive(JsonSchema)]
pub struct ReviewedMove {
    /// In the notation of games.
    number: usize,
    player: &'static str,
    /// A to F for South, a to f for North.
    letter: char,
    pit: u8,
    taken: u8,
    /// Before the move, in the notation of engines.
    position: String,
    /// The score of the best move, for the player who moved.
    best: f64,
    /// The score of this move.
    played: f64,
    /// Their difference, never negative.
    given_away: f64,
    /// Whether the results before and after the move are exact.
    exact: bool,
    /// The best line from before the move on, as letters.
    line: String,
    /// South's final lead under best play from before and from after the move on.
    lead_before: f64,
    lead_after: f64,
    winner_before: Option<&'static str>,
    winner_after: Option<&'static str>,
    /// Whether the move changes the winner.
    turning_point: bool,
    /// Why the game is over after the move, if this move ended or decided it.
    ending: Option<&'static str>,
    /// Of the search, in plies; 0 if the tables alone knew.
    depth: u8,
    /// Legal moves.
    choices: u8,
    /// Whether only one of several moves keeps the value, by the tables.
    only_move: bool,
}
