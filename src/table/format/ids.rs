//! The numbers that stand for choices in a header.
//!
//! They are listed one by one, independent of the order of the variants, so that no
//! change to an enum changes the format. In the rule bytes 0 means that the choice
//! does not apply. `docs/format.md` lists the numbers.

use std::borrow::Cow;

use crate::rules::{Endless, Feeding, GrandSlam, Leftovers, OwareRules, Ruleset, StoreGame};
use crate::table::codec::Codec;
use crate::table::error::Fault;
use crate::table::id::Kind;

pub(super) const OWARE: u8 = 1;
pub(super) const STORES: u8 = 2;

/// A choice that is one byte in a header.
pub(super) trait Numbered: Copy + 'static {
    /// The field's name.
    const FIELD: &'static str;
    /// Every choice.
    const CHOICES: &'static [Self];

    fn number(self) -> u8;

    fn from_number(number: u8) -> Result<Self, Fault> {
        let found = Self::CHOICES.iter().find(|c| c.number() == number);
        found.copied().ok_or_else(|| {
            let known: Vec<String> = Self::CHOICES
                .iter()
                .map(|choice| choice.number().to_string())
                .collect();
            not_allowed(Self::FIELD, number, known.join(" or "))
        })
    }
}

/// Lists a choice's numbers.
macro_rules! numbered {
    ($choice:ident $field:literal { $($variant:ident = $number:literal),+ $(,)? }) => {
        impl Numbered for $choice {
            const FIELD: &'static str = $field;
            const CHOICES: &'static [$choice] = &[$($choice::$variant),+];

            fn number(self) -> u8 {
                match self { $($choice::$variant => $number),+ }
            }
        }
    };
}

numbered!(GrandSlam "grand slam" { Forced = 1, CapturesNothing = 2, Illegal = 3, TakesAll = 4 });
numbered!(Feeding "feeding" { Required = 1, Penalty = 2 });
numbered!(Leftovers "leftovers" { Owner = 1, Nobody = 2 });
numbered!(Endless "endless" { Even = 1, Nobody = 2, Open = 3, BySide = 4 });
numbered!(StoreGame "store game" { Ifmg = 1, Kalah = 2, KalahEmpty = 3 });
numbered!(Kind "kind" { Value = 1, Distance = 2, Bounds = 3 });
numbered!(Codec "codec" { Raw = 0, Zstd = 1, Packed = 2, Small = 3 });

/// The ruleset with these six rule bytes.
pub(super) fn rules_from_bytes(bytes: [u8; 6]) -> Result<Ruleset, Fault> {
    let [family, grand_slam, feeding, leftovers, endless, store_game] = bytes;
    match family {
        OWARE => {
            unused(StoreGame::FIELD, store_game)?;
            Ok(Ruleset::Oware(OwareRules {
                grand_slam: Numbered::from_number(grand_slam)?,
                feeding: Numbered::from_number(feeding)?,
                leftovers: Numbered::from_number(leftovers)?,
                endless: Numbered::from_number(endless)?,
            }))
        }
        STORES => {
            unused(GrandSlam::FIELD, grand_slam)?;
            unused(Feeding::FIELD, feeding)?;
            unused(Leftovers::FIELD, leftovers)?;
            unused(Endless::FIELD, endless)?;
            Numbered::from_number(store_game).map(Ruleset::Stores)
        }
        _ => Err(not_allowed("family", family, "1 or 2")),
    }
}

fn unused(field: &'static str, got: u8) -> Result<(), Fault> {
    match got {
        0 => Ok(()),
        _ => Err(not_allowed(field, got, "0")),
    }
}

fn not_allowed(field: &'static str, got: u8, expected: impl Into<Cow<'static, str>>) -> Fault {
    Fault::Field {
        field,
        got: u64::from(got),
        expected: expected.into(),
    }
}
