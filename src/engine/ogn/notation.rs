//! What reading and writing have in common.

use crate::rules::Ruleset;

/// Aualé's name for the only ruleset that it plays.
pub(super) const AUALE_RULES: (&str, Ruleset) = ("Oware Abapa", Ruleset::ABAPA);

/// Whether a word is a final score such as `25-20`, or `*` for an unfinished game.
pub(super) fn is_result(word: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let scores = word.split_once('-');
    ["*", "1/2-1/2"].contains(&word)
        || scores.is_some_and(|(south, north)| is_number(south) && is_number(north))
}
