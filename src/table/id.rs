//! What a table is: its ruleset, its layer, and its kind of content.
//!
//! A file's header holds this identity. The file's name is derived from it and
//! never parsed.

use std::fmt;

use crate::rules::{Endless, Ruleset};
use crate::words::words;

words! {
    /// What the entries of a table say about their boards.
    "kind": pub enum Kind {
        /// Values: net seeds from the mover's view, one plane of `i8`.
        Value = "value",
        /// Distances: plies to the next conversion, one plane of `u8`.
        Distance = "distance",
        /// Bounds of the value: a plane of lower bounds, then a plane of upper
        /// bounds, `i8` each.
        Bounds = "bounds",
    }
}

impl Kind {
    /// The kinds of tables that a layer of a ruleset needs, and if asked for its distances.
    pub fn of(rules: Ruleset, distance: bool) -> Vec<Kind> {
        let mut kinds = vec![Kind::Value];
        kinds.extend(rules.has_bounds().then_some(Kind::Bounds));
        kinds.extend(distance.then_some(Kind::Distance));
        kinds
    }

    /// How many planes a table of this kind has: bytes for each board.
    #[doc(hidden)]
    pub fn planes(self) -> usize {
        match self {
            Kind::Value | Kind::Distance => 1,
            Kind::Bounds => 2,
        }
    }
}

/// Which table: its ruleset, its layer and its kind.
///
/// ```
/// use krou::rules::Ruleset;
/// use krou::table::{Kind, TableId};
///
/// let id = TableId { rules: Ruleset::AWARI, seeds: 9, kind: Kind::Value };
/// assert_eq!(id.to_string(), "awari-09.value");
/// assert_eq!(id.file_name(), "awari-09.value.krou");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TableId {
    /// The game.
    pub rules: Ruleset,
    /// Seeds on each board, 0 to [`MAX_SEEDS`](crate::rules::MAX_SEEDS).
    pub seeds: u8,
    /// What the entries say.
    pub kind: Kind,
}

impl TableId {
    /// The name of the file that holds this table.
    pub fn file_name(&self) -> String {
        format!("{self}.krou")
    }

    /// The table that files of earlier versions hold under the name of this one: `by-side` was
    /// what `open` is now.
    pub(crate) fn former(&self) -> Option<TableId> {
        self.with_endless(Endless::BySide, Endless::Open)
    }

    /// The table under whose name files of earlier versions hold this one.
    pub(crate) fn formerly_named(&self) -> Option<TableId> {
        self.with_endless(Endless::Open, Endless::BySide)
    }

    fn with_endless(&self, from: Endless, to: Endless) -> Option<TableId> {
        let mut rules = self.rules.oware().filter(|rules| rules.endless == from)?;
        rules.endless = to;
        let rules = Ruleset::Oware(rules);
        Some(TableId { rules, ..*self })
    }
}

impl fmt::Display for TableId {
    /// The file's name without its extension.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:02}.{}", self.rules, self.seeds, self.kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_parse_back() {
        for &kind in Kind::ALL {
            assert_eq!(kind.as_str().parse(), Ok(kind));
        }
        let error = "".parse::<Kind>().unwrap_err();
        assert_eq!(error.words(), ["value", "distance", "bounds"]);
    }
}
