//! The rulesets: named games, and the choices in which they differ.
//!
//! There are two families. In the *oware* family players sow round the board and
//! capture twos and threes from the opponent's row. It has six named rulesets and
//! every combination of four choices. In the *store* family players also sow into
//! their own store. `docs/rules.md` has the full rules.
//!
//! A new store game needs a variant, its word and its name here, its moves in
//! `stores.rs`, and wherever else the compiler finds a `match` incomplete. A new named
//! combination needs only a row in [`Ruleset::NAMED`].

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::words::words;

words! {
    /// What a *grand slam* does: a capture that would take every seed of the
    /// opponent's row.
    "grand slam": pub enum GrandSlam {
        /// Illegal unless every move leaves the opponent without seeds; then it
        /// captures, the game ends, and the mover takes the seeds left on the board.
        Forced = "forced",
        /// Legal, but captures nothing: the sown seeds stay.
        CapturesNothing = "nothing",
        /// Never legal.
        Illegal = "illegal",
        /// Legal; the game ends and the mover also takes every seed left.
        TakesAll = "all",
    }
}

words! {
    /// What happens to a quiet move that leaves the opponent without seeds.
    "feeding": pub enum Feeding {
        /// It is illegal, even if there is no other move.
        Required = "required",
        /// It is legal as long as another move would feed the opponent, but the game
        /// ends and the opponent takes every seed on the board as a penalty. Where no
        /// move feeds, it is illegal.
        Penalty = "penalty",
    }
}

words! {
    /// Who takes the seeds on the board of a terminal position.
    "choice of leftovers": pub enum Leftovers {
        /// Each player takes the seeds of their own row.
        Owner = "owner",
        /// They count for neither.
        Nobody = "nobody",
    }
}

words! {
    /// What play without further captures is worth.
    "choice of endless play": pub enum Endless {
        /// The seeds left are shared evenly: they count 0.
        Even = "even",
        /// The seeds left count for nobody: 0.
        Nobody = "nobody",
        /// Each player takes the seeds of their own row when the loop is noticed. That
        /// depends on the history, so a board has bounds beside its value.
        BySide = "by-side",
        /// As `BySide`, with the widest bounds: for `lower` endless play loses every seed on
        /// the board, for `upper` it wins them, and for the value it counts 0. Published
        /// bounds are these.
        Open = "open",
    }
}

/// The choices of the oware family.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct OwareRules {
    /// What a grand slam does.
    pub grand_slam: GrandSlam,
    /// Whether the opponent must be left seeds to play with.
    pub feeding: Feeding,
    /// Who takes the seeds of a terminal position.
    pub leftovers: Leftovers,
    /// What endless play is worth.
    pub endless: Endless,
}

words! {
    /// The games of the store family.
    "store game": pub enum StoreGame {
        /// 'Competition rules of Oware', the mangala of the IFMG: the first seed
        /// goes back into its pit, even opponent pits are captured, and the owner
        /// of an emptied row takes the rest.
        Ifmg = "ifmg",
        /// Kalah: a last seed in an empty pit of the mover captures itself and the seeds
        /// opposite, if there are any.
        Kalah = "kalah",
        /// Kalah with *empty captures*: such a last seed is captured even if there are no
        /// seeds opposite. Published values of kalah are for these rules (Irving, Donkers
        /// and Uiterwijk 2000).
        KalahEmpty = "kalah-empty",
    }
}

/// A game with all its choices.
///
/// ```
/// use krou::rules::Ruleset;
///
/// let awari: Ruleset = "awari".parse()?;
/// assert_eq!(awari, Ruleset::AWARI);
/// assert_eq!(awari.to_string(), "awari");
/// # Ok::<(), krou::rules::UnknownRuleset>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Ruleset {
    /// Sow and capture.
    Oware(OwareRules),
    /// Sowing with stores.
    Stores(StoreGame),
}

const fn oware(
    grand_slam: GrandSlam,
    feeding: Feeding,
    leftovers: Leftovers,
    endless: Endless,
) -> Ruleset {
    Ruleset::Oware(OwareRules {
        grand_slam,
        feeding,
        leftovers,
        endless,
    })
}

impl Ruleset {
    /// Allis, van der Meulen and van den Herik 1991; Lincke 2002; Romein and
    /// Bal 2002; the Computer Olympiad.
    pub const AWARI: Ruleset = oware(
        GrandSlam::Forced,
        Feeding::Required,
        Leftovers::Owner,
        Endless::Even,
    );
    /// The 'Awale / Oware — Rules' sheet.
    pub const AWALE: Ruleset = oware(
        GrandSlam::Forced,
        Feeding::Required,
        Leftovers::Owner,
        Endless::BySide,
    );
    /// The Oware Society; `OpenSpiel`'s `oware`.
    pub const ABAPA: Ruleset = oware(
        GrandSlam::CapturesNothing,
        Feeding::Required,
        Leftovers::Owner,
        Endless::BySide,
    );
    /// The 'Awale Game' terminal program.
    pub const AWALE_C: Ruleset = oware(
        GrandSlam::CapturesNothing,
        Feeding::Required,
        Leftovers::Nobody,
        Endless::Nobody,
    );
    /// The rules of awale.info.
    pub const AWALE_INFO: Ruleset = oware(
        GrandSlam::Illegal,
        Feeding::Required,
        Leftovers::Nobody,
        Endless::BySide,
    );
    /// John P. Pratt's rules.
    pub const PRATT: Ruleset = oware(
        GrandSlam::TakesAll,
        Feeding::Penalty,
        Leftovers::Owner,
        Endless::Nobody,
    );
    /// The competition rules of the International Federation of Mind Games.
    pub const IFMG: Ruleset = Ruleset::Stores(StoreGame::Ifmg);
    /// Kalah.
    pub const KALAH: Ruleset = Ruleset::Stores(StoreGame::Kalah);
    /// Kalah with empty captures.
    pub const KALAH_EMPTY: Ruleset = Ruleset::Stores(StoreGame::KalahEmpty);

    /// Every named ruleset with its name, the default first.
    pub const NAMED: &'static [(&'static str, Ruleset)] = &[
        ("awari", Ruleset::AWARI),
        ("awale", Ruleset::AWALE),
        ("abapa", Ruleset::ABAPA),
        ("awale-c", Ruleset::AWALE_C),
        ("awale-info", Ruleset::AWALE_INFO),
        ("pratt", Ruleset::PRATT),
        ("ifmg", Ruleset::IFMG),
        ("kalah", Ruleset::KALAH),
        ("kalah-empty", Ruleset::KALAH_EMPTY),
    ];

    /// Other names by which people know a named ruleset.
    pub const ALIASES: &'static [(&'static str, Ruleset)] = &[
        ("oware", Ruleset::ABAPA),
        ("oware abapa", Ruleset::ABAPA),
        ("mangala", Ruleset::IFMG),
        ("kalaha", Ruleset::KALAH),
        ("mancala", Ruleset::KALAH),
    ];

    /// The name, if the choices are those of a named ruleset.
    pub fn name(self) -> Option<&'static str> {
        let named = Ruleset::NAMED.iter().find(|(_, rules)| *rules == self);
        named.map(|(name, _)| *name)
    }

    /// The choices, if the ruleset belongs to the oware family.
    pub fn oware(self) -> Option<OwareRules> {
        match self {
            Ruleset::Oware(rules) => Some(rules),
            Ruleset::Stores(_) => None,
        }
    }

    /// Whether endless play is settled by row, so that boards have bounds.
    pub fn has_bounds(self) -> bool {
        matches!(
            self,
            Ruleset::Oware(rules) if matches!(rules.endless, Endless::BySide | Endless::Open)
        )
    }

    /// Whether bounds and values count endless play by the boards that recur in it.
    #[doc(hidden)]
    pub fn counts_loops(self) -> bool {
        matches!(self, Ruleset::Oware(rules) if rules.endless == Endless::BySide)
    }

    /// The number of layers, from 0 seeds on, that conversions of the layer with `seeds` seeds
    /// lead to: all lower ones, but in the oware family not the highest, since captures take two
    /// seeds or more.
    #[doc(hidden)]
    pub fn layers_reached(self, seeds: u8) -> u8 {
        match self {
            Ruleset::Oware(_) => seeds.saturating_sub(1),
            Ruleset::Stores(_) => seeds,
        }
    }

    /// Every ruleset: all combinations of the oware family's choices
    /// and the games of the store family.
    pub fn all() -> impl Iterator<Item = Ruleset> {
        let oware = GrandSlam::ALL.iter().copied().flat_map(|grand_slam| {
            Feeding::ALL.iter().copied().flat_map(move |feeding| {
                Leftovers::ALL.iter().copied().flat_map(move |leftovers| {
                    Endless::ALL
                        .iter()
                        .copied()
                        .map(move |endless| oware(grand_slam, feeding, leftovers, endless))
                })
            })
        });
        oware.chain(StoreGame::ALL.iter().copied().map(Ruleset::Stores))
    }
}

impl Default for OwareRules {
    /// The choices of [`Ruleset::AWARI`].
    fn default() -> OwareRules {
        OwareRules {
            grand_slam: GrandSlam::Forced,
            feeding: Feeding::Required,
            leftovers: Leftovers::Owner,
            endless: Endless::Even,
        }
    }
}

impl Default for Ruleset {
    /// [`Ruleset::AWARI`].
    fn default() -> Ruleset {
        Ruleset::AWARI
    }
}

impl fmt::Display for Ruleset {
    /// The name; for an unnamed combination its four choices, such as
    /// `oware+illegal+required+owner+even`; for a store game its word.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.name(), self) {
            (Some(name), _) => f.write_str(name),
            (None, Ruleset::Oware(rules)) => write!(
                f,
                "oware+{}+{}+{}+{}",
                rules.grand_slam, rules.feeding, rules.leftovers, rules.endless
            ),
            (None, Ruleset::Stores(game)) => f.write_str(game.as_str()),
        }
    }
}

/// As the text that `Display` writes and `FromStr` reads.
#[cfg(feature = "serde")]
impl serde::Serialize for Ruleset {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Ruleset {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Ruleset, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map_err(serde::de::Error::custom)
    }
}

/// No ruleset has this name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no ruleset '{name}': choose one of {}", names())]
#[non_exhaustive]
pub struct UnknownRuleset {
    /// The name as it was given, on one line and shortened if long.
    pub name: String,
}

/// The ruleset of a text such as `oware+illegal+required+owner+even`.
fn combination(text: &str) -> Option<Ruleset> {
    // In an address a plus stands for a blank.
    let words: Vec<&str> = text.split(['+', ' ']).collect();
    let [family, grand_slam, feeding, leftovers, endless] = words.try_into().ok()?;
    if family != "oware" {
        return None;
    }
    Some(oware(
        grand_slam.parse().ok()?,
        feeding.parse().ok()?,
        leftovers.parse().ok()?,
        endless.parse().ok()?,
    ))
}

fn names() -> String {
    let names: Vec<_> = Ruleset::NAMED.iter().map(|&(name, _)| name).collect();
    names.join(", ")
}

impl FromStr for Ruleset {
    type Err = UnknownRuleset;

    /// Reads a name, an alias or the choices of a combination, in capitals or not.
    fn from_str(text: &str) -> Result<Ruleset, UnknownRuleset> {
        let lower = text.trim().to_lowercase();
        let mut known = Ruleset::NAMED.iter().chain(Ruleset::ALIASES);
        let named = known.find(|(name, _)| *name == lower);
        let found = named
            .map(|(_, rules)| *rules)
            .or_else(|| combination(&lower));
        found.ok_or_else(|| {
            let name = text.chars().take(60).flat_map(char::escape_debug).collect();
            UnknownRuleset { name }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn store_games_are_named_by_their_word() {
        for &game in StoreGame::ALL {
            let rules = Ruleset::Stores(game);
            assert_eq!(rules.name(), Some(game.as_str()));
            assert_eq!(game.as_str().parse(), Ok(game));
        }
    }

    #[test]
    fn names_are_read_back_and_all_combinations_are_distinct() {
        for &(name, rules) in Ruleset::NAMED {
            assert_eq!(name.parse(), Ok(rules));
            assert_eq!(rules.to_string(), name);
        }
        for rules in Ruleset::all() {
            assert_eq!(rules.to_string().parse(), Ok(rules));
        }
        for (alias, rules) in [
            ("Awari", Ruleset::AWARI),
            ("ABAPA ", Ruleset::ABAPA),
            ("Oware", Ruleset::ABAPA),
            ("oware Abapa", Ruleset::ABAPA),
            ("Mangala", Ruleset::IFMG),
            ("OWARE+Forced+required+owner+even", Ruleset::AWARI),
            ("oware forced required owner even", Ruleset::AWARI),
            ("mancala", Ruleset::KALAH),
        ] {
            assert_eq!(alias.parse(), Ok(rules));
        }
        for text in [
            "",
            "oware+forced+required+owner",
            "oware+forced+required+owner+even+",
        ] {
            assert!(text.parse::<Ruleset>().is_err(), "{text}");
        }
        let mut texts: Vec<String> = Ruleset::all().map(|r| r.to_string()).collect();
        assert_eq!(texts.len(), 4 * 2 * 2 * 4 + 3);
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), 67);
        let error = "awri".parse::<Ruleset>().unwrap_err().to_string();
        assert!(error.contains("'awri'") && error.contains("awale-info"));
    }
}
