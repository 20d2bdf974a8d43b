//! The options that say which game is played.
//!
//! Every command that asks for rules takes these: a named ruleset, and on top
//! of it the choices of the oware family. The words are the library's, so a
//! choice that is added there is known here.

use std::fmt::Display;

use anyhow::{Result, bail};
use clap::Args;
use krou::rules::{Endless, Feeding, GrandSlam, Leftovers, Ruleset};

/// Which game is played.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Rules")]
pub struct RulesArgs {
    /// The ruleset: awari, awale, abapa, awale-c, awale-info, pratt, ifmg,
    /// kalah or kalah-empty.
    #[arg(long, value_name = "NAME", default_value = "awari")]
    rules: String,
    /// What a grand slam does: forced, nothing, illegal or all.
    #[arg(long, value_name = "WORD")]
    grand_slam: Option<String>,
    /// What a move is that leaves the opponent without seeds: required (it is
    /// illegal) or penalty (if another one feeds him, he takes every seed).
    #[arg(long, value_name = "WORD")]
    feeding: Option<String>,
    /// Who takes the seeds left when nobody can move: owner or nobody.
    #[arg(long, value_name = "WORD")]
    leftovers: Option<String>,
    /// How endless play is settled: even, nobody or by-side.
    #[arg(long, value_name = "WORD")]
    endless: Option<String>,
}

impl RulesArgs {
    /// The ruleset that was asked for.
    pub fn ruleset(&self) -> Result<Ruleset> {
        let rules: Ruleset = self.rules.parse()?;
        let Some(mut oware) = rules.oware() else {
            if let Some(flag) = self.first_choice() {
                bail!("{flag} does not apply to {rules}: the store family has no such choice");
            }
            return Ok(rules);
        };
        choose(
            "--grand-slam",
            self.grand_slam.as_deref(),
            &GrandSlam::ALL,
            &mut oware.grand_slam,
        )?;
        choose(
            "--feeding",
            self.feeding.as_deref(),
            &Feeding::ALL,
            &mut oware.feeding,
        )?;
        choose(
            "--leftovers",
            self.leftovers.as_deref(),
            &Leftovers::ALL,
            &mut oware.leftovers,
        )?;
        choose(
            "--endless",
            self.endless.as_deref(),
            &Endless::ALL,
            &mut oware.endless,
        )?;
        Ok(Ruleset::Oware(oware))
    }

    fn first_choice(&self) -> Option<&'static str> {
        let choices = [
            ("--grand-slam", &self.grand_slam),
            ("--feeding", &self.feeding),
            ("--leftovers", &self.leftovers),
            ("--endless", &self.endless),
        ];
        let mut given = choices.into_iter().filter(|(_, word)| word.is_some());
        given.next().map(|(flag, _)| flag)
    }
}

/// Sets `choice` to the one of `all` that is called `word`, if a word is given.
fn choose<T: Copy + Display>(
    flag: &str,
    word: Option<&str>,
    all: &[T],
    choice: &mut T,
) -> Result<()> {
    let Some(word) = word else {
        return Ok(());
    };
    let Some(&chosen) = all.iter().find(|c| c.to_string() == word) else {
        let words: Vec<String> = all.iter().map(T::to_string).collect();
        let words = words.join(", ");
        // `escape_debug` keeps the message on one line.
        let word = word.escape_debug();
        bail!("{flag} cannot be '{word}': choose one of {words}");
    };
    *choice = chosen;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Only {
        #[command(flatten)]
        rules: RulesArgs,
    }

    fn ruleset(args: &str) -> Result<Ruleset, String> {
        let args = std::iter::once("krou").chain(args.split_whitespace());
        let only = Only::try_parse_from(args).map_err(|e| e.to_string())?;
        only.rules.ruleset().map_err(|e| e.to_string())
    }

    #[test]
    fn every_ruleset_can_be_asked_for() {
        assert_eq!(ruleset(""), Ok(Ruleset::AWARI));
        for (name, rules) in Ruleset::NAMED {
            assert_eq!(ruleset(&format!("--rules {name}")), Ok(rules));
        }
        for rules in Ruleset::all() {
            if let Ruleset::Oware(r) = rules {
                let args = format!(
                    "--rules pratt --grand-slam {} --feeding {} --leftovers {} --endless {}",
                    r.grand_slam, r.feeding, r.leftovers, r.endless
                );
                assert_eq!(ruleset(&args), Ok(rules), "{args}");
            }
        }
    }

    #[test]
    fn refusals_name_what_is_wrong_and_what_may_stand_there() {
        for (args, part) in [
            ("--rules awri", "there is no ruleset 'awri'"),
            (
                "--endless never",
                "--endless cannot be 'never': choose one of even, nobody, by-side",
            ),
            (
                "--rules kalah --grand-slam all",
                "--grand-slam does not apply to kalah: the store family has no such choice",
            ),
            ("--rules ifmg --feeding penalty", "--feeding does not apply"),
        ] {
            let error = ruleset(args).unwrap_err();
            assert!(error.contains(part), "{args}: {error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    }
}
