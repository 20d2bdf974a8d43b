//! `krou rules`: the list of rulesets and choices, which other commands accept.

use serde_json::Value;

use crate::support::call;

#[test]
fn json_lists_rulesets_and_choices() {
    let entry = |name, choices: [&str; 4], bounds| {
        let [grand_slam, feeding, leftovers, endless] = choices;
        format!(
            "{{\"name\":\"{name}\",\"family\":\"oware\",\"grand_slam\":\"{grand_slam}\",\
             \"feeding\":\"{feeding}\",\"leftovers\":\"{leftovers}\",\"endless\":\"{endless}\",\
             \"bounds\":{bounds}}}"
        )
    };
    let stores = |name| {
        format!(
            "{{\"name\":\"{name}\",\"family\":\"stores\",\"grand_slam\":null,\"feeding\":null,\
             \"leftovers\":null,\"endless\":null,\"bounds\":false}}"
        )
    };
    let rulesets = [
        entry("awari", ["forced", "required", "owner", "even"], false),
        entry("awale", ["forced", "required", "owner", "by-side"], true),
        entry("abapa", ["nothing", "required", "owner", "by-side"], true),
        entry(
            "awale-c",
            ["nothing", "required", "nobody", "nobody"],
            false,
        ),
        entry(
            "awale-info",
            ["illegal", "required", "nobody", "by-side"],
            true,
        ),
        entry("pratt", ["all", "penalty", "owner", "nobody"], false),
        stores("ifmg"),
        stores("kalah"),
        stores("kalah-empty"),
    ];
    assert_eq!(
        call(&["rules", "--json"]).success(),
        format!(
            "{{\"rulesets\":[{}],\"choices\":{{\
             \"grand_slam\":[\"forced\",\"nothing\",\"illegal\",\"all\"],\
             \"feeding\":[\"required\",\"penalty\"],\"leftovers\":[\"owner\",\"nobody\"],\
             \"endless\":[\"even\",\"nobody\",\"by-side\"]}}}}\n",
            rulesets.join(",")
        )
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
        if word("family") == "oware" {
            let choices = [
                ["--grand-slam", word("grand_slam")],
                ["--feeding", word("feeding")],
                ["--leftovers", word("leftovers")],
                ["--endless", word("endless")],
            ];
            assert_eq!(accepted_as(&choices.concat()), word("name"));
        }
    }
    for (field, words) in listing["choices"].as_object().unwrap() {
        let flag = format!("--{}", field.replace('_', "-"));
        for word in words.as_array().unwrap() {
            let rules = accepted_as(&[&flag, word.as_str().unwrap()]);
            assert!(rules == "awari" || rules == "awale" || rules.starts_with("oware+"));
        }
    }
}

#[test]
fn text_output_lists_every_ruleset() {
    let out = call(&["rules"]).success();
    let listing: Value = serde_json::from_str(&call(&["rules", "--json"]).success()).unwrap();
    for ruleset in listing["rulesets"].as_array().unwrap() {
        let name = ruleset["name"].as_str().unwrap();
        assert!(out.lines().any(|line| line.starts_with(name)), "{name}");
    }
}
