//! The vocabulary of the answers for their JSON Schema: the words and ranges of fields. A field's
//! name means the same in every answer, so what it says of the values stands here once.

use krou::rules::{MAX_SEEDS, Player, ROW};
use krou::table::Kind;
use schemars::Schema;
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
