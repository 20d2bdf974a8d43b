//! The rulesets: named games, and the choices that tell them apart.
//!
//! There are two families. In the *oware* family players sow round the board
//! and capture twos and threes from the opponent's row; six named rulesets
//! and every combination of four choices belong to it. In the *store* family
//! each player also sows into a store of his own. `docs/rules.md` tells the
//! rules in full.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// What a *grand slam* does: a capture that would take every seed of the
/// opponent's row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GrandSlam {
    /// Illegal unless every move leaves the opponent empty; then it captures,
    /// the game ends, and the mover takes what is left on the board.
    Forced,
    /// Legal, but captures nothing: the sown seeds stay.
    CapturesNothing,
    /// Never legal.
    Illegal,
    /// Legal; the game ends and the mover also takes every seed left.
    TakesAll,
}

/// What a quiet move is that leaves the opponent without seeds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Feeding {
    /// Illegal, also when no other move is there.
    Required,
    /// Legal as long as another move would feed him, but the game ends and he
    /// takes every seed on the board as the penalty. Where no move feeds,
    /// such moves are not legal.
    Penalty,
}

/// Who takes the seeds on the board when the mover has no legal move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Leftovers {
    /// Each player takes the seeds of his own row.
    Owner,
    /// They count for neither.
    Nobody,
}

/// What a play without further captures is worth.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Endless {
    /// The seeds left are shared evenly: they count 0.
    Even,
    /// The seeds left count for nobody: 0.
    Nobody,
    /// Each player takes his own row when the loop is noticed. That depends
    /// on the history, so a board has bounds rather than one value.
    BySide,
}

/// The choices of the oware family.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OwareRules {
    /// What a grand slam does.
    pub grand_slam: GrandSlam,
    /// Whether the opponent must be left something to play with.
    pub feeding: Feeding,
    /// Who takes what is left when the mover cannot move.
    pub leftovers: Leftovers,
    /// What endless play is worth.
    pub endless: Endless,
}

/// The games of the store family.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StoreGame {
    /// 'Competition rules of Oware', the mangala of the IFMG: the first seed
    /// goes back into its pit, even opponent pits are captured, and the owner
    /// of an emptied row takes the rest.
    Ifmg,
    /// Kalah: own empty pits capture what lies opposite, if anything does.
    Kalah,
    /// Kalah with *empty captures*: own empty pits capture also where nothing
    /// lies opposite, namely the seed that fell there. Published values of
    /// kalah are for these rules (Irving, Donkers and Uiterwijk 2000).
    KalahEmpty,
}

/// A set of rules: which game is played, to the last choice.
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
    pub const NAMED: [(&'static str, Ruleset); 9] = [
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

    /// The name, if the choices are those of a named ruleset.
    pub fn name(self) -> Option<&'static str> {
        let named = Ruleset::NAMED.iter().find(|(_, rules)| *rules == self);
        named.map(|(name, _)| *name)
    }

    /// Whether endless play is settled by side, so that boards have bounds.
    pub fn has_bounds(self) -> bool {
        matches!(self, Ruleset::Oware(rules) if rules.endless == Endless::BySide)
    }

    /// Every ruleset there is: all combinations of the oware family's choices
    /// and the games of the store family.
    pub fn all() -> impl Iterator<Item = Ruleset> {
        let oware = GrandSlam::ALL.into_iter().flat_map(|grand_slam| {
            Feeding::ALL.into_iter().flat_map(move |feeding| {
                Leftovers::ALL.into_iter().flat_map(move |leftovers| {
                    Endless::ALL
                        .into_iter()
                        .map(move |endless| oware(grand_slam, feeding, leftovers, endless))
                })
            })
        });
        oware.chain([Ruleset::IFMG, Ruleset::KALAH, Ruleset::KALAH_EMPTY])
    }
}

impl fmt::Display for Ruleset {
    /// The name, or for an unnamed combination its four choices:
    /// `oware+illegal+required+owner+even`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.name(), self) {
            (Some(name), _) => f.write_str(name),
            (None, Ruleset::Oware(rules)) => write!(
                f,
                "oware+{}+{}+{}+{}",
                rules.grand_slam, rules.feeding, rules.leftovers, rules.endless
            ),
            (None, Ruleset::Stores(game)) => write!(f, "{game:?}"),
        }
    }
}

/// No ruleset has this name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no ruleset '{name}': choose one of {}", names())]
pub struct UnknownRuleset {
    /// The name as it was given, on one line.
    pub name: String,
}

/// The ruleset of a text such as `oware+illegal+required+owner+even`.
fn combination(text: &str) -> Option<Ruleset> {
    let words: Vec<&str> = text.split('+').collect();
    let [family, grand_slam, feeding, leftovers, endless] = words.try_into().ok()?;
    if family != "oware" {
        return None;
    }
    Some(oware(
        GrandSlam::ALL
            .into_iter()
            .find(|c| c.word() == grand_slam)?,
        Feeding::ALL.into_iter().find(|c| c.word() == feeding)?,
        Leftovers::ALL.into_iter().find(|c| c.word() == leftovers)?,
        Endless::ALL.into_iter().find(|c| c.word() == endless)?,
    ))
}

fn names() -> String {
    Ruleset::NAMED.map(|(name, _)| name).join(", ")
}

impl FromStr for Ruleset {
    type Err = UnknownRuleset;

    /// Reads what `Display` writes: a name, or the choices of a combination.
    fn from_str(text: &str) -> Result<Ruleset, UnknownRuleset> {
        let named = Ruleset::NAMED.iter().find(|(name, _)| *name == text);
        let named = named.map(|(_, rules)| *rules);
        named.or_else(|| combination(text)).ok_or_else(|| {
            let name = text.chars().take(60).flat_map(char::escape_debug).collect();
            UnknownRuleset { name }
        })
    }
}

/// Gives a choice its list of variants and the word for each.
macro_rules! choice {
    ($choice:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        impl $choice {
            /// Every possible choice.
            pub const ALL: [$choice; [$($word),+].len()] = [$($choice::$variant),+];

            /// The word for it on the command line and in file names.
            pub fn word(self) -> &'static str {
                match self { $($choice::$variant => $word),+ }
            }
        }

        impl fmt::Display for $choice {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.word())
            }
        }
    };
}

choice!(GrandSlam {
    Forced = "forced",
    CapturesNothing = "nothing",
    Illegal = "illegal",
    TakesAll = "all",
});
choice!(Feeding {
    Required = "required",
    Penalty = "penalty",
});
choice!(Leftovers {
    Owner = "owner",
    Nobody = "nobody",
});
choice!(Endless {
    Even = "even",
    Nobody = "nobody",
    BySide = "by-side",
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_all_combinations_are_distinct() {
        for (name, rules) in Ruleset::NAMED {
            assert_eq!(name.parse(), Ok(rules));
            assert_eq!(rules.to_string(), name);
        }
        for rules in Ruleset::all() {
            assert_eq!(rules.to_string().parse(), Ok(rules));
        }
        for text in [
            "oware",
            "oware+forced+required+owner",
            "oware+forced+required+owner+even+",
        ] {
            assert!(text.parse::<Ruleset>().is_err(), "{text}");
        }
        let mut texts: Vec<String> = Ruleset::all().map(|r| r.to_string()).collect();
        assert_eq!(texts.len(), 4 * 2 * 2 * 3 + 3);
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), 51);
        let error = "awri".parse::<Ruleset>().unwrap_err().to_string();
        assert!(error.contains("'awri'") && error.contains("awale-info"));
    }
}
