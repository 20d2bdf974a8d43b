//! `krou rules`: the list of rulesets and choices, which other commands accept.

use serde_json::{Value, json};

use krou::rules::Ruleset;

use crate::support::{call, words};

#[test]
fn json_lists_rulesets_and_choices() {
    let oware = |name, choices: [&str; 4], bounds: bool| {
        let [grand_slam, feeding, leftovers, endless] = choices;
        json!({
            "name": name, "family": "oware", "grand_slam": grand_slam, "feeding": feeding,
            "leftovers": leftovers, "endless": endless, "bounds": bounds,
        })
    };
    let stores = |name| {
        json!({
            "name": name, "family": "stores", "grand_slam": null, "feeding": null,
            "leftovers": null, "endless": null, "bounds": false,
        })
    };
    let rulesets = [
        oware("awari", ["forced", "required", "owner", "even"], false),
        oware("awale", ["forced", "required", "owner", "by-side"], true),
        oware("abapa", ["nothing", "required", "owner", "by-side"], true),
        oware(
            "awale-c",
            ["nothing", "required", "nobody", "nobody"],
            false,
        ),
        oware(
            "awale-info",
            ["illegal", "required", "nobody", "by-side"],
            true,
        ),
        oware("pratt", ["all", "penalty", "owner", "nobody"], false),
        stores("ifmg"),
        stores("kalah"),
        stores("kalah-empty"),
    ];
    let mut listing: Value = serde_json::from_str(&call(&["rules", "--json"]).success()).unwrap();
    let mut aliases = Vec::new();
    for ruleset in listing["rulesets"].as_array_mut().unwrap() {
        let fields = ruleset.as_object_mut().unwrap();
        aliases.push(fields.remove("aliases").unwrap());
        let source = fields.remove("source").unwrap();
        assert!(source.as_str().is_some_and(|source| source.len() > 5));
    }
    let [none, mangala] = [json!([]), json!(["mangala"])];
    let abapa = json!(["oware", "oware abapa"]);
    let others = [
        none.clone(),
        none.clone(),
        none.clone(),
        mangala,
        json!(["kalaha"]),
    ];
    assert_eq!(aliases[..2], [none.clone(), none.clone()]);
    assert_eq!((&aliases[2], &aliases[3..8]), (&abapa, &others[..]));
    assert_eq!(
        listing,
        json!({
            "rulesets": rulesets,
            "choices": {
                "grand_slam": ["forced", "nothing", "illegal", "all"],
                "feeding": ["required", "penalty"],
                "leftovers": ["owner", "nobody"],
                "endless": ["even", "nobody", "by-side", "open"],
            },
        })
    );
}

/// A named ruleset equals the combination of its choices.
#[test]
fn every_listed_ruleset_and_choice_is_accepted() {
    let listing: Value = serde_json::from_str(&call(&["rules", "--json"]).success()).unwrap();
    let board = "0 0 0 0 0 1 / 2 0 0 0 0 1";
    let accepted_as = |args: &[&str]| -> String {
        let args = [&["probe", "--json", board], args].concat();
        let answer: Value = serde_json::from_str(&call(&args).stdout).unwrap();
        answer["rules"].as_str().unwrap().to_owned()
    };
    for ruleset in listing["rulesets"].as_array().unwrap() {
        let word = |field: &str| ruleset[field].as_str().unwrap();
        assert_eq!(accepted_as(&["--rules", word("name")]), word("name"));
    }
    for rules in Ruleset::all() {
        if let Ruleset::Oware(choices) = rules {
            let options = format!(
                "--rules pratt --grand-slam {} --feeding {} --leftovers {} --endless {}",
                choices.grand_slam, choices.feeding, choices.leftovers, choices.endless
            );
            assert_eq!(accepted_as(&words(&options)), rules.to_string());
        }
    }
}

#[test]
fn help_offers_the_named_rulesets_and_says_the_default() {
    for (command, default) in [
        ("probe", "awari"),
        ("play", "abapa"),
        ("engine", "abapa"),
        ("puzzles", "abapa"),
    ] {
        let help = call(&[command, "--help"]).success();
        assert!(help.contains("[possible values: awari, awale, abapa"));
        assert!(help.lines().all(|line| line.chars().count() <= 80));
        assert!(
            help.contains(&format!("Ruleset [default: {default}]")),
            "{help}"
        );
    }
}

#[test]
fn text_output_lists_every_ruleset() {
    let out = call(&["rules"]).success();
    let listing: Value = serde_json::from_str(&call(&["rules", "--json"]).success()).unwrap();
    for ruleset in listing["rulesets"].as_array().unwrap() {
        let name = ruleset["name"].as_str().unwrap();
        let lines = out
            .lines()
            .filter(|line| line.split(' ').next() == Some(name));
        let lines: Vec<&str> = lines.collect();
        assert_eq!(lines.len(), 2, "its choices and its source: {lines:?}");
        assert!(lines[1].ends_with(ruleset["source"].as_str().unwrap()));
    }
    assert!(out.contains("also named: oware, oware abapa\n"), "{out}");
    assert!(out.lines().all(|line| line.len() <= 80));
}
