//! `krou rules`: the rulesets and their choices.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use krou::answers::RulesetFields;
use krou::rules::{Endless, Feeding, GrandSlam, Leftovers, Ruleset};
use serde::Serialize;

/// Options of `krou rules`.
#[derive(Args)]
pub struct ListArgs {
    /// Print JSON.
    #[arg(long, short)]
    json: bool,
}

const EXPLAINED: &str = "
--grand-slam, a capture that would take the opponent's last seeds:
  forced    illegal unless every move leaves the opponent no seeds; then it
            captures, the game ends, and the mover takes the seeds left
  nothing   legal, but captures nothing
  illegal   never legal
  all       legal; the mover also takes every seed left on the board
--feeding, a move that leaves the opponent no seeds without capturing:
  required  illegal
  penalty   legal, but if another move feeds the opponent, the opponent takes
            every seed
--leftovers, when the mover has no legal move:
  owner     each player takes the seeds in their own row
  nobody    they count for neither
--endless, play without further captures:
  even      the seeds left count 0
  nobody    the seeds left count 0
  by-side   each player takes the seeds in their own row; boards have bounds,
            lower and upper
";

/// The named rulesets, and the words for every choice.
#[derive(Serialize)]
struct Listing {
    rulesets: Vec<RulesetFields>,
    choices: ChoiceWords,
}

#[derive(Serialize)]
struct ChoiceWords {
    grand_slam: Vec<&'static str>,
    feeding: Vec<&'static str>,
    leftovers: Vec<&'static str>,
    endless: Vec<&'static str>,
}

impl Default for Listing {
    fn default() -> Listing {
        Listing {
            rulesets: Ruleset::NAMED
                .map(|(_, rules)| RulesetFields::new(rules))
                .into(),
            choices: ChoiceWords {
                grand_slam: GrandSlam::ALL.map(GrandSlam::word).into(),
                feeding: Feeding::ALL.map(Feeding::word).into(),
                leftovers: Leftovers::ALL.map(Leftovers::word).into(),
                endless: Endless::ALL.map(Endless::word).into(),
            },
        }
    }
}

/// Prints the rulesets.
pub fn run(args: &ListArgs) -> Result<ExitCode> {
    let mut out = io::stdout().lock();
    let listing = Listing::default();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&listing)?)?;
    } else {
        writeln!(
            out,
            "{:<11} {:<7} {:<11} {:<9} {:<10} endless",
            "ruleset", "family", "grand slam", "feeding", "leftovers"
        )?;
        for e in listing.rulesets {
            let word = |choice: Option<&'static str>| choice.unwrap_or("-");
            writeln!(
                out,
                "{:<11} {:<7} {:<11} {:<9} {:<10} {}",
                e.name,
                e.family,
                word(e.grand_slam),
                word(e.feeding),
                word(e.leftovers),
                word(e.endless)
            )?;
        }
        write!(out, "{EXPLAINED}")?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
