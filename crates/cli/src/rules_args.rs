//! The options that choose the rules of the game.
//!
//! They name a ruleset and, on top of it, choices of the oware family. The
//! possible values are the library's, so a choice added there is known here.

use std::env;
use std::ffi::OsStr;

use anyhow::{Result, bail};
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Args, Command, Error};
use krou::engine::Game;
use krou::ogn::GameDefaults;
use krou::rules::{Choices, Endless, Feeding, GrandSlam, Leftovers, Ruleset, UnknownRuleset};

use crate::args::{one_of, whole_number};
use crate::errors::nearest;
use crate::messages::print_message;

/// Which game is played: one value. The options of the single choices, which `krou rules` lists,
/// are hidden from the help of all commands.
#[derive(Args, Clone, PartialEq, Eq, Default, Debug)]
#[command(next_help_heading = "Rules")]
pub struct RulesArgs {
    /// Ruleset [default: awari], or choices such as oware+illegal+required+owner+even: 'krou
    /// rules' lists them.
    #[arg(long, short, value_name = "NAME", value_parser = RulesetName)]
    rules: Option<String>,
    /// Effect of a grand slam, a capture of all the opponent's seeds.
    #[arg(long, hide = true, value_name = "WORD", value_parser = one_of(GrandSlam::ALL, GrandSlam::as_str))]
    grand_slam: Option<GrandSlam>,
    /// Effect of a move that leaves the opponent no seeds without capturing.
    #[arg(long, hide = true, value_name = "WORD", value_parser = one_of(Feeding::ALL, Feeding::as_str))]
    feeding: Option<Feeding>,
    /// Who takes the seeds left when the mover has no legal move.
    #[arg(long, hide = true, value_name = "WORD", value_parser = one_of(Leftovers::ALL, Leftovers::as_str))]
    leftovers: Option<Leftovers>,
    /// How endless play is settled.
    #[arg(long, hide = true, value_name = "WORD", value_parser = one_of(Endless::ALL, Endless::as_str))]
    endless: Option<Endless>,
}

/// The name of a ruleset. Help and completions offer the named ones, but any text is
/// accepted here: [`RulesArgs::ruleset`] reads combinations too, and says what is wrong.
#[derive(Clone)]
struct RulesetName;

impl TypedValueParser for RulesetName {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = Ruleset::NAMED.iter().map(|(name, _)| *name);
        Some(Box::new(names.map(PossibleValue::new)))
    }
}

/// The help of `--rules` in commands about games.
pub const GAME_RULES: &str = "Ruleset [default: abapa], or choices such as oware+illegal+required+owner+even: 'krou rules' lists them";

/// What a game has where its text does not say.
#[derive(Args, Clone, Debug)]
#[command(mut_arg("rules", |rules| rules.help(GAME_RULES)))]
pub struct GameArgs {
    #[command(flatten)]
    rules: RulesArgs,
    /// Occurrence of a board that ends the game: the third, or the second as in Aualé and on
    /// playstrategy.org [default: 3].
    #[arg(
        long, value_name = "N",
        value_parser = whole_number(2_u8..=3)
    )]
    repetitions: Option<u8>,
}

impl GameArgs {
    /// The ruleset and the number of repetitions.
    pub fn defaults(&self) -> Result<GameDefaults> {
        Ok(GameDefaults {
            rules: self.rules.game_ruleset()?,
            repetitions: self.repetitions.unwrap_or(Game::REPETITIONS),
        })
    }

    /// Tells that the text of a game names other rules than the arguments do.
    pub fn tell_overruled(&self, game: &Game) -> Result<()> {
        let asked = self.defaults()?;
        let names_rules = self.rules != RulesArgs::default();
        let (rules, repetitions) = (game.rules(), game.repetitions());
        if names_rules && asked.rules != rules {
            let asked = asked.rules;
            print_message(&format!(
                "the game names its rules: {rules} counts, not {asked}"
            ));
        }
        if self.repetitions.is_some_and(|asked| asked != repetitions) {
            print_message(&format!(
                "the game names its repetitions: {repetitions} counts"
            ));
        }
        Ok(())
    }
}

/// The ruleset of this name, or the name that was probably meant.
pub fn ruleset_named(name: &str) -> Result<Ruleset> {
    name.parse().or_else(|error: UnknownRuleset| {
        let known = Ruleset::NAMED.iter().chain(Ruleset::ALIASES);
        match nearest(name, known.map(|(name, _)| *name)) {
            Some(meant) => bail!(
                "there is no ruleset '{}': did you mean '{meant}'? 'krou rules' lists all",
                error.name
            ),
            None => bail!(error),
        }
    })
}

impl RulesArgs {
    /// The ruleset with its choices.
    pub fn ruleset(&self) -> Result<Ruleset> {
        self.ruleset_or("awari")
    }

    /// The ruleset of a command about games.
    pub fn game_ruleset(&self) -> Result<Ruleset> {
        self.ruleset_or("abapa")
    }

    fn ruleset_or(&self, default: &str) -> Result<Ruleset> {
        let usual = env::var("KROU_RULES").ok().filter(|name| !name.is_empty());
        let name = self.rules.as_deref().or(usual.as_deref());
        let rules = ruleset_named(name.unwrap_or(default))?;
        let mut choices = Choices::default();
        choices.grand_slam = self.grand_slam;
        choices.feeding = self.feeding;
        choices.leftovers = self.leftovers;
        choices.endless = self.endless;
        rules.with_choices(&choices).or_else(|error| {
            let flag = error.choice().replace(' ', "-");
            bail!("--{flag} does not apply to {rules}: the store family has no such choice")
        })
    }
}
