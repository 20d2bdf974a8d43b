//! `krou rules`: the rulesets and their choices.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use krou::rules::{Endless, Feeding, GrandSlam, Leftovers, Ruleset};
use krou_answers::RulesetFields;
use serde::Serialize;
use serde_json::json;

use crate::messages::{print_json, print_text};

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
  open      the same, with wider bounds: endless play loses or wins every seed
";

/// Where the named rulesets come from.
const SOURCES: [(&str, &str); 9] = [
    ("awari", "research on awari, and the Computer Olympiad"),
    ("awale", "the sheet 'Awale / Oware - Rules'"),
    ("abapa", "the Oware Society; the game oware of OpenSpiel"),
    ("awale-c", "the terminal program 'Awale Game'"),
    ("awale-info", "awale.info, in Spanish"),
    ("pratt", "John P. Pratt's rules"),
    (
        "ifmg",
        "the International Federation of Mind Games: a mangala",
    ),
    ("kalah", "Irving, Donkers and Uiterwijk 2000"),
    ("kalah-empty", "the same, with empty captures"),
];

/// A named ruleset, with its other names and its source.
#[derive(Serialize)]
struct NamedRuleset {
    #[serde(flatten)]
    fields: RulesetFields,
    aliases: Vec<&'static str>,
    source: &'static str,
}

/// The named rulesets.
fn named() -> Vec<NamedRuleset> {
    let aliases = |rules| {
        let aliases = Ruleset::ALIASES
            .iter()
            .filter(move |alias| alias.1 == rules);
        aliases.map(|alias| alias.0).collect()
    };
    let source = |name| SOURCES.iter().find(|source| source.0 == name);
    let rulesets = Ruleset::NAMED.iter().map(|&(name, rules)| NamedRuleset {
        fields: RulesetFields::new(rules),
        aliases: aliases(rules),
        source: source(name).expect("each has a source").1,
    });
    rulesets.collect()
}

/// The words of a choice.
fn words<T: Copy>(all: &[T], word: fn(T) -> &'static str) -> Vec<&'static str> {
    all.iter().map(|&one| word(one)).collect()
}

/// Prints the rulesets.
pub fn run(args: &ListArgs) -> Result<ExitCode> {
    if args.json {
        print_json(&json!({
            "rulesets": named(),
            "choices": {
                "grand_slam": words(GrandSlam::ALL, GrandSlam::as_str),
                "feeding": words(Feeding::ALL, Feeding::as_str),
                "leftovers": words(Leftovers::ALL, Leftovers::as_str),
                "endless": words(Endless::ALL, Endless::as_str),
            },
        }))?;
    } else {
        print_text(&text())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The rulesets for people: their choices, then their sources and other names.
fn text() -> String {
    let row = |[name, family, slam, feeding, leftovers, endless]: [&str; 6]| {
        format!("{name:<11} {family:<7} {slam:<11} {feeding:<9} {leftovers:<10} {endless}\n")
    };
    let mut text = row([
        "ruleset",
        "family",
        "grand slam",
        "feeding",
        "leftovers",
        "endless",
    ]);
    let mut sources = String::new();
    for ruleset in named() {
        let fields = &ruleset.fields;
        let name = &fields.name;
        let choices = [fields.grand_slam, fields.feeding, fields.leftovers];
        let [slam, feeding, leftovers] = choices.map(|choice| choice.unwrap_or("-"));
        let endless = fields.endless.unwrap_or("-");
        text += &row([name, fields.family, slam, feeding, leftovers, endless]);
        sources += &format!("{name:<11} {}\n", ruleset.source);
        if !ruleset.aliases.is_empty() {
            sources += &format!("{:<11} also named: {}\n", "", ruleset.aliases.join(", "));
        }
    }
    format!("{text}\nsources\n{sources}{EXPLAINED}")
}
