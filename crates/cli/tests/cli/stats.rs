//! `krou stats`: each board is counted once, in CSV, JSON and the picture.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::{built, call, call_in, names, words};
use crate::svg::Svg;

/// The counts of each layer in CSV, which must be well-formed.
fn counts(csv: &str) -> BTreeMap<u8, Vec<(i8, u64)>> {
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("seeds,value,count"));
    let mut layers: BTreeMap<u8, Vec<(i8, u64)>> = BTreeMap::new();
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let [seeds, value, count] = fields[..] else {
            panic!("three fields: {line}");
        };
        let (seeds, value) = (seeds.parse().unwrap(), value.parse().unwrap());
        let count: u64 = count.parse().unwrap();
        assert!(count > 0, "only counts above 0: {line}");
        let layer = layers.entry(seeds).or_default();
        assert!(
            layer.last().is_none_or(|&(last, _)| last < value),
            "ascending: {line}"
        );
        layer.push((value, count));
    }
    layers
}

fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

#[test]
fn counts_add_up_to_the_size_of_each_layer() {
    let boards_with_open_row = |n: u64| {
        // The opponent's row has an empty pit: C(n + 11, 11) − C(n + 5, 11).
        choose(n + 11, 11) - if n < 6 { 0 } else { choose(n + 5, 11) }
    };
    let all = counts(&call(&words("stats --csv --all")).success());
    let indexed = counts(&call(&words("stats --csv")).success());
    for layers in [&all, &indexed] {
        assert!(layers.keys().copied().eq(0..=9));
    }
    let sum = |layer: &[(i8, u64)]| -> u64 { layer.iter().map(|(_, count)| count).sum() };
    for n in 0..=9_u8 {
        assert_eq!(sum(&all[&n]), choose(u64::from(n) + 11, 11), "{n} seeds");
        assert_eq!(
            sum(&indexed[&n]),
            boards_with_open_row(u64::from(n)),
            "{n} seeds"
        );
    }
}

#[test]
fn counts_add_up_under_other_rulesets() {
    for rules in ["abapa", "awale-info", "pratt", "ifmg", "kalah"] {
        let home = built(&format!("--seeds 6 --rules {rules}"));
        let csv = call_in(
            home.path(),
            &words(&format!("stats --csv --all --rules {rules}")),
        );
        for (n, layer) in counts(&csv.success()) {
            let sum: u64 = layer.iter().map(|(_, count)| count).sum();
            assert_eq!(sum, choose(u64::from(n) + 11, 11), "{rules}, {n} seeds");
        }
    }
}

#[test]
fn json_has_the_counts_and_record_boards() {
    for rules in ["awari", "abapa"] {
        let json = call(&words(&format!("stats --json --rules {rules}"))).success();
        let answer: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(
            (&answer["rules"], &answer["all"]),
            (&json!(rules), &json!(false))
        );
        let csv = call(&words(&format!("stats --csv --rules {rules}"))).success();
        for (seeds, values) in counts(&csv) {
            let layer = &answer["layers"][usize::from(seeds)];
            assert_eq!(layer["seeds"], seeds);
            let listed = values
                .iter()
                .map(|(value, count)| json!({"value": value, "count": count}));
            assert_eq!(layer["values"], json!(listed.collect::<Vec<_>>()));
            let sum = |wanted: fn(i8) -> bool| -> u64 {
                values
                    .iter()
                    .filter(|(value, _)| wanted(*value))
                    .map(|(_, count)| count)
                    .sum()
            };
            assert_eq!(layer["won"], sum(|value| value > 0));
            assert_eq!(layer["even"], sum(|value| value == 0));
            assert_eq!(layer["lost"], sum(|value| value < 0));
            assert_eq!(layer["boards"], sum(|_| true));
            assert_eq!(layer["exact"].is_null(), rules == "awari");
            // The record board has the distance that a probe tells.
            let board = layer["record"]["board"].to_string();
            let probed = call(&["probe", "--json", "--rules", rules, &board]).success();
            let probed: Value = serde_json::from_str(&probed).unwrap();
            assert_eq!(layer["record"]["value"], probed["value"]);
            if seeds > 0 {
                assert_eq!(layer["record"]["distance"], probed["distance"]);
            }
        }
    }
}

#[test]
fn plot_draws_the_counts() {
    let home = built("--seeds 5 --distance --rules pratt");
    let svg = |line: &str| {
        let text = call_in(home.path(), &words(line)).success();
        let plain = line.split(" --plot").next().unwrap();
        assert_eq!(text, call_in(home.path(), &words(plain)).success());
        Svg::read(&home.path().join("picture.svg"))
    };
    let picture = svg("stats --csv --rules pratt --plot picture.svg");
    for text in [
        "pratt: values of boards by number of seeds",
        "Share of a layer's boards that have each value",
        "value for the mover, seeds",
        "Won, even and lost boards",
        "share, %",
        "Longest distance to the next capture or the end",
        "plies",
        "seeds on the board",
    ] {
        assert!(picture.has_text(text), "{text}");
    }
    assert_eq!(
        (picture.with("svg", "role=\"img\""), picture.count("title")),
        (1, 1)
    );
    // Captions begin where their plots do; there are dark colours.
    assert_eq!(picture.with("text", "x=\"72.0\""), 3);
    assert_eq!(picture.count("style"), 1);
    // A cell for each count, three bands for each layer, two legends, and the background.
    let csv = call_in(home.path(), &words("stats --csv --rules pratt")).success();
    let cells = csv.lines().count() - 1;
    assert_eq!(picture.count("rect"), cells + 3 * 6 + 6 + 3 + 1);
    assert_eq!(picture.count("circle"), 6);

    let picture = svg("stats --seeds 3 --rules pratt --plot picture.svg");
    assert_eq!(picture.count("circle"), 4);
    // Without distances the picture has no chart of them.
    for file in names(&home.path().join("tables")) {
        if file.contains("distance") {
            std::fs::remove_file(home.path().join("tables").join(file)).unwrap();
        }
    }
    let picture = svg("stats --rules pratt --plot picture.svg");
    assert_eq!(picture.count("circle"), 0);
    assert!(!picture.has_text("plies"));
    assert_eq!(names(home.path()), ["picture.svg", "tables"]);
}
