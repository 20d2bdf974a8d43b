//! `krou rules`: the list, and that everything in it is accepted.

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
        call(&["rules", "--json"]).good(),
        format!(
            "{{\"rulesets\":[{}],\"choices\":{{\
             \"grand_slam\":[\"forced\",\"nothing\",\"illegal\",\"all\"],\
             \"feeding\":[\"required\",\"penalty\"],\"leftovers\":[\"owner\",\"nobody\"],\
             \"endless\":[\"even\",\"nobody\",\"by-side\"]}}}}\n",
            rulesets.join(",")
        )
    );
}

/// Every listed ruleset and choice is accepted, and a named ruleset equals the
/// combination of its choices.
#[test]
fn every_listed_choice_is_accepted() {
    let listing: Value = serde_json::from_str(&call(&["rules", "--json"]).good()).unwrap();
    let board = "0 0 0 0 0 1 / 2 0 0 0 0 1";
    let told = |args: &[&str]| -> String {
        let args = [&["probe", "--json", board], args].concat();
        let answer = call(&args);
        let answer: Value = serde_json::from_str(&answer.stdout).unwrap();
        answer["rules"].as_str().unwrap().to_owned()
    };
    for ruleset in listing["rulesets"].as_array().unwrap() {
        let word = |field: &str| ruleset[field].as_str().unwrap();
        assert_eq!(told(&["--rules", word("name")]), word("name"));
        if word("family") == "oware" {
            let choices = [
                ["--grand-slam", word("grand_slam")],
                ["--feeding", word("feeding")],
                ["--leftovers", word("leftovers")],
                ["--endless", word("endless")],
            ];
            assert_eq!(told(&choices.concat()), word("name"));
        }
    }
    for (field, words) in listing["choices"].as_object().unwrap() {
        let flag = format!("--{}", field.replace('_', "-"));
        for word in words.as_array().unwrap() {
            let rules = told(&[&flag, word.as_str().unwrap()]);
            assert!(rules == "awari" || rules == "awale" || rules.starts_with("oware+"));
        }
    }
}

#[test]
fn the_table_lists_every_ruleset() {
    let out = call(&["rules"]).good();
    let listing: Value = serde_json::from_str(&call(&["rules", "--json"]).good()).unwrap();
    for ruleset in listing["rulesets"].as_array().unwrap() {
        let name = ruleset["name"].as_str().unwrap();
        assert!(out.lines().any(|line| line.starts_with(name)), "{name}");
    }
}
