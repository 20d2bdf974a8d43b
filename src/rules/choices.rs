//! Single choices, to be made on top of a ruleset.

use thiserror::Error;

use super::ruleset::{Endless, Feeding, GrandSlam, Leftovers, Ruleset};

/// The choices of the oware family that differ from those of a ruleset; `None` keeps
/// the ruleset's own.
///
/// ```
/// use krou::rules::{Choices, Endless, Ruleset};
///
/// let mut choices = Choices::default();
/// choices.endless = Some(Endless::BySide);
/// assert_eq!(Ruleset::AWARI.with_choices(&choices), Ok(Ruleset::AWALE));
/// // The store family has no choices.
/// assert!(Ruleset::KALAH.with_choices(&choices).is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct Choices {
    /// What a grand slam does.
    pub grand_slam: Option<GrandSlam>,
    /// Whether the opponent must be left seeds to play with.
    pub feeding: Option<Feeding>,
    /// Who takes the seeds of a terminal position.
    pub leftovers: Option<Leftovers>,
    /// What endless play is worth.
    pub endless: Option<Endless>,
}

/// A choice for a ruleset of the store family, which has none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("'{choice}' does not apply to {rules}: the store family has no such choice")]
pub struct NoSuchChoice {
    rules: Ruleset,
    choice: &'static str,
}

impl NoSuchChoice {
    /// The choice: `grand slam`, `feeding`, `leftovers` or `endless`.
    pub fn choice(&self) -> &'static str {
        self.choice
    }
}

impl Choices {
    /// The first choice that is made.
    fn first(&self) -> Option<&'static str> {
        let made = [
            ("grand slam", self.grand_slam.is_some()),
            ("feeding", self.feeding.is_some()),
            ("leftovers", self.leftovers.is_some()),
            ("endless", self.endless.is_some()),
        ];
        let mut made = made.into_iter().filter(|(_, is_made)| *is_made);
        made.next().map(|(choice, _)| choice)
    }
}

impl Ruleset {
    /// This ruleset with other choices.
    ///
    /// # Errors
    /// If a choice is made and the ruleset belongs to the store family.
    pub fn with_choices(self, choices: &Choices) -> Result<Ruleset, NoSuchChoice> {
        match (self.oware(), choices.first()) {
            (None, Some(choice)) => Err(NoSuchChoice {
                rules: self,
                choice,
            }),
            (None, None) => Ok(self),
            (Some(mut rules), _) => {
                rules.grand_slam = choices.grand_slam.unwrap_or(rules.grand_slam);
                rules.feeding = choices.feeding.unwrap_or(rules.feeding);
                rules.leftovers = choices.leftovers.unwrap_or(rules.leftovers);
                rules.endless = choices.endless.unwrap_or(rules.endless);
                Ok(Ruleset::Oware(rules))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_reach_every_oware_ruleset_from_every_other() {
        let oware: Vec<_> = Ruleset::all().filter_map(Ruleset::oware).collect();
        for &from in &oware {
            for &to in &oware {
                let choices = Choices {
                    grand_slam: Some(to.grand_slam),
                    feeding: Some(to.feeding),
                    leftovers: Some(to.leftovers),
                    endless: Some(to.endless),
                };
                let from = Ruleset::Oware(from);
                assert_eq!(from.with_choices(&choices), Ok(Ruleset::Oware(to)));
                assert_eq!(from.with_choices(&Choices::default()), Ok(from));
            }
        }
    }

    #[test]
    fn store_games_take_no_choice() {
        let rules = Ruleset::KALAH;
        assert_eq!(rules.with_choices(&Choices::default()), Ok(rules));
        let choices = Choices {
            leftovers: Some(Leftovers::Nobody),
            ..Choices::default()
        };
        let error = rules.with_choices(&choices).unwrap_err();
        assert_eq!(error.choice(), "leftovers");
        assert!(error.to_string().contains("kalah"), "{error}");
    }
}
