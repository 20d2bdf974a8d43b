//! Other commands accept what `krou rules` lists.

use serde_json::Value;

use krou::rules::Ruleset;

use crate::support::{call, words};

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
