//! The numbers of the tiled codecs are those of the normative text,
//! `docs/format.md`. `tests/table/text_reader.rs` shows that the text suffices to read a
//! table.

use super::alphabet::Alphabet;
use super::contexts::{Feature, HINTS, MAX_CONTEXTS, MAX_HINT, Surroundings};
use super::distribution::{LOG, MAX_BITS, STATES, STEP};
use super::model::CONTEXT;
use super::tiling::{CELLS, COLUMNS, LINES};
use crate::rules::Ruleset;
use crate::table::{Kind, TableId};

const TEXT: &str = include_str!("../../../../docs/format.md");

#[test]
fn the_text_has_the_same_numbers() {
    let id = |kind| TableId {
        rules: Ruleset::AWARI,
        seeds: 48,
        kind,
    };
    let levels = Alphabet::of(id(Kind::Distance)).levels();
    assert_eq!(Alphabet::of(id(Kind::Value)).levels(), 2 * 48 + 1);
    for said in [
        format!("*tiles* of {LINES} lines and {COLUMNS} columns"),
        format!("`({LOG} + {MAX_BITS} · {CELLS} · planes) / 8`"),
        format!("so that there are {levels} levels"),
        format!("plus {MAX_HINT}: 0 to {}.", HINTS - 1),
        format!("at least −{MAX_HINT} and at most {MAX_HINT}"),
        format!("- the byte {CONTEXT}: a context."),
        format!("- or a byte 0 to {} and a byte", CONTEXT - 1),
        format!("a tree has 1 to {MAX_CONTEXTS} of them"),
        format!("at most {MAX_CONTEXTS} contexts;"),
        format!("gives shares of {STATES} states"),
        format!("they add up to {STATES}."),
        format!("a table for {STATES} *states*"),
        format!("go {STEP} states on, modulo {STATES}"),
        format!("bits = {LOG} − ⌊log₂ x⌋        base = x · 2^bits − {STATES}"),
        format!("The state is the first {LOG} bits"),
    ] {
        assert!(TEXT.contains(&said), "docs/format.md does not say {said}");
    }
}

#[test]
fn the_text_has_the_same_features() {
    let words = |feature| match feature {
        Feature::Left => "left",
        Feature::Upper => "upper",
        Feature::Sum => "left + upper",
        Feature::Difference => "left + (L − 1) − upper",
        Feature::Least => "the lesser of left and upper",
        Feature::Most => "the greater of left and upper",
        Feature::Hint => "hint",
    };
    assert_eq!(Feature::ALL.len(), usize::from(CONTEXT));
    for (number, feature) in Feature::ALL.into_iter().enumerate() {
        let row = format!("| {number} | {} |", words(feature));
        assert!(TEXT.contains(&row), "docs/format.md has no row {row}");
    }
    // No answer is too large for a byte.
    for (left, upper) in [(0, 0), (0, 96), (96, 0), (96, 96)] {
        let around = Surroundings {
            hint: 16,
            left,
            upper,
        };
        let [_, _, sum, difference, ..] = Feature::ALL.map(|feature| feature.of(around, 97));
        assert_eq!(u32::from(sum), u32::from(left) + u32::from(upper));
        assert_eq!(
            u32::from(difference),
            u32::from(left) + 96 - u32::from(upper)
        );
    }
}
