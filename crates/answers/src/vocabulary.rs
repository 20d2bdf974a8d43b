//! The vocabulary of the answers for their JSON Schema: the words and ranges of fields, and the
//! types of the library among them. A field's name means the same in every answer, so what it
//! says of the values stands here once.

// Only their shapes are used.
#![allow(dead_code)]

use krou::rules::{MAX_SEEDS, Player, ROW};
use krou::table::Kind;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::limits;

type Fields = Map<String, Value>;

/// Adds to the fields of an object what their names say.
pub fn narrow(object: &mut Schema) {
    let Some(Value::Object(fields)) = object.get_mut("properties") else {
        return;
    };
    for (name, field) in fields {
        if let Value::Object(field) = field {
            narrow_field(name, field);
        }
    }
}

fn narrow_field(name: &str, field: &mut Fields) {
    let seeds = i64::from(MAX_SEEDS);
    let last_pit = ROW as i64 - 1;
    let player = [Player::South, Player::North].map(Player::as_str);
    match name {
        "pit" => range(field, 0, last_pit),
        "ties" | "pv" => inner(field, "items", |pit| range(pit, 0, last_pit)),
        "board" => inner(field, "items", |pit| range(pit, 0, seeds)),
        "captured" | "given" | "highest" | "missing" | "north" | "seeds" | "south" | "taken"
        | "total" | "unclaimed" => range(field, 0, seeds),
        "gain" | "lower" | "upper" | "value" => range(field, -seeds, seeds),
        "ply" => range(field, 0, limits::MOVES as i64),
        "repetitions" => range(field, 2, 3),
        "accuracy" => range(field, 0, 100),
        "hash_full" => range(field, 0, 1000),
        "player" | "to_move" | "winner" => words(field, &player),
        "winner_before" | "winner_after" => words(field, &[&player[..], &["draw"]].concat()),
        "ending" | "reason_code" => words(
            field,
            &[
                "majority",
                "no-move",
                "grand-slam",
                "starved",
                "empty-row",
                "repetition",
            ],
        ),
        "illegal_codes" => inner(field, "additionalProperties", |word| {
            words(
                word,
                &[
                    "empty",
                    "must-feed",
                    "cannot-feed",
                    "grand-slam",
                    "grand-slam-banned",
                ],
            );
        }),
        "bound" => words(field, &["lower"]),
        "category" => words(field, &["win", "draw", "loss", "unknown"]),
        "end" => words(field, &["over", "loop", "missing", "length"]),
        "event" => words(field, &["lift", "sow", "capture", "collect"]),
        "family" => words(field, &["oware", "stores"]),
        "kind" => words(
            field,
            &Kind::ALL
                .iter()
                .map(|kind| kind.as_str())
                .collect::<Vec<_>>(),
        ),
        "mark" => words(field, &["turning-point"]),
        _ => {}
    }
}

/// The values of a list, or of an object with any names.
fn inner(field: &mut Fields, what: &str, narrow: impl FnOnce(&mut Fields)) {
    if let Some(Value::Object(values)) = field.get_mut(what) {
        narrow(values);
    }
}

/// Numbers of this range. Other values, such as null, are not concerned.
fn range(field: &mut Fields, least: i64, most: i64) {
    let types = field.get("type").map(Value::to_string).unwrap_or_default();
    if types.contains("integer") || types.contains("number") {
        field.insert("minimum".to_owned(), least.into());
        field.insert("maximum".to_owned(), most.into());
    }
}

/// One of these words, or null where it may be.
fn words(field: &mut Fields, words: &[&str]) {
    let mut values: Vec<Value> = words.iter().map(|&word| word.into()).collect();
    if field.get("type").is_some_and(Value::is_array) {
        values.push(Value::Null);
    }
    field.insert("enum".to_owned(), values.into());
}

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
