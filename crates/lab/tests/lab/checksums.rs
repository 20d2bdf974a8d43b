//! `krou-lab checksums`: the bounds of `abapa` are those of another full solve.

use krou::rules::{Choices, Endless, Ruleset};
use krou::solve::Silent;
use krou::tablebase::{BuildOptions, build};

use crate::support::lab;

#[test]
fn bounds_to_16_seeds_have_the_published_sums() {
    let home = tempfile::tempdir().unwrap();
    let tables = home.path().join("tables");
    let mut choices = Choices::default();
    choices.endless = Some(Endless::Open);
    let open = Ruleset::ABAPA.with_choices(&choices).unwrap();
    build(open, &tables, &BuildOptions::new(16), &Silent).unwrap();
    let output = lab(home.path(), "checksums --dir tables", &[]).success();
    let equal = "15 seeds, 7558200 boards: equal\n16 seeds, 12685179 boards: equal\n";
    assert_eq!(output, equal);

    let other = format!("{}  oware_n15.lh\n", "0".repeat(64));
    std::fs::write(home.path().join("sums"), other).unwrap();
    let run = lab(home.path(), "checksums --dir tables --sums sums", &[]);
    assert_eq!(run.code, Some(1));
    assert_eq!(run.stdout, "15 seeds, 7558200 boards: DIFFERENT\n");
    std::fs::write(home.path().join("sums"), "no sum").unwrap();
    let error = lab(home.path(), "checksums --dir tables --sums sums", &[]).error();
    assert_eq!(error, "krou-lab: 'no sum' is not a line of sha256sum\n");
    std::fs::create_dir(home.path().join("none")).unwrap();
    let error = lab(home.path(), "checksums --dir none", &[]).error();
    assert!(error.contains("none has no layer to compare"), "{error}");
}
