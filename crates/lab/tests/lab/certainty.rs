//! `krou-lab certainty`: sharper bounds leave less open in the same games.

use krou::rules::Ruleset;
use krou::solve::Silent;
use krou::tablebase::{BuildOptions, build};

use crate::support::lab;

/// The share that a line of the output begins with, in per cent.
fn share(output: &str, what: &str) -> f64 {
    let line = output.lines().find(|line| line.starts_with(what)).unwrap();
    let word = line[what.len()..].split_whitespace().next().unwrap();
    word.parse().unwrap()
}

#[test]
fn bounds_by_side_leave_fewer_winners_open_than_wide_ones() {
    let home = tempfile::tempdir().unwrap();
    let tables = home.path().join("tables");
    let open = "oware+nothing+required+owner+open";
    let [by_side, wide] = ["abapa", open].map(|name| {
        let rules: Ruleset = name.parse().unwrap();
        build(rules, &tables, &BuildOptions::new(8), &Silent).unwrap();
        let line = format!("certainty --rules {name} --dir tables --games 4 --nodes 500");
        lab(home.path(), &line, &[]).success()
    });
    assert_eq!(by_side.lines().next(), wide.lines().next());
    for what in ["open bounds:", "open winner:"] {
        let shares = [&by_side, &wide].map(|output| share(output, what));
        assert!(
            0.0 < shares[0] && shares[0] <= shares[1],
            "{what} {shares:?}"
        );
    }
    let winners = [&by_side, &wide].map(|output| share(output, "open winner:"));
    assert!(winners[0] < winners[1], "{winners:?}");

    let error = lab(home.path(), "certainty --dir tables", &[]).error();
    assert_eq!(error, "krou-lab: boards of awari have no bounds\n");
}
