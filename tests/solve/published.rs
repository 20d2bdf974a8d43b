//! Published results that krou must agree with.
//!
//! - `data/lincke-awari-0-20.csv`: how many boards of each layer of `awari` have
//!   each value, over all boards; T. R. Lincke, *Exploring the Computational
//!   Limits of Large Exhaustive Search Problems*, ETH Zürich 2002, appendix B.
//!   These tests count up to 14 seeds; `scripts/check-published` counts all, and
//!   `scripts/demo` shows the published 16-seed board of the Vrije Universiteit.
//! - Kalah with one seed per pit: the first player wins by 2 (Irving, Donkers and
//!   Uiterwijk 2000), with empty captures and without. `scripts/check-published`
//!   has two seeds per pit, where the published +10 holds with empty captures only.
//! - The share of boards with equal bounds under the rules of `OpenSpiel`'s
//!   oware.

use std::path::Path;

use krou::rules::{Board, Choices, Endless, Ruleset};
use krou::solve::Silent;
use krou::tablebase::{BoundsCounts, CountedBoards};
use krou::tablebase::{BuildOptions, Tablebase, build};

/// The highest layer that is compared with Lincke's counts.
const COUNTED_SEEDS: u8 = 14;

fn build_to(rules: Ruleset, folder: &Path, seeds: u8) -> Tablebase {
    let options = BuildOptions::new(seeds);
    build(rules, folder, &options, &Silent).unwrap();
    Tablebase::builder(rules)
        .without_embedded()
        .folder(folder)
        .open()
        .unwrap()
}

#[test]
fn awari_has_as_many_boards_of_each_value_as_lincke_counted() {
    let folder = tempfile::tempdir().unwrap();
    let tables = build_to(Ruleset::AWARI, folder.path(), COUNTED_SEEDS);
    let published = include_str!("data/lincke-awari-0-20.csv");
    let seeds = |line: &&str| line.split(',').next().unwrap().parse::<u8>();
    let is_counted = |line: &&str| seeds(line).map_or(true, |seeds| seeds <= COUNTED_SEEDS);
    let expected: Vec<&str> = published.lines().filter(is_counted).collect();
    let mut counter = tables.counter();
    let mut counted = vec!["seeds,value,count".to_owned()];
    for seeds in 0..=COUNTED_SEEDS {
        let counts = counter.count_values(seeds, CountedBoards::All).unwrap();
        counted.extend(
            counts
                .iter()
                .map(|(value, count)| format!("{seeds},{value},{count}")),
        );
    }
    assert_eq!(counted, expected);
}

#[test]
fn kalah_with_one_seed_per_pit_is_won_by_two() {
    let start = Board::new([1; 12]).unwrap();
    for rules in [Ruleset::KALAH, Ruleset::KALAH_EMPTY] {
        let folder = tempfile::tempdir().unwrap();
        let tables = build_to(rules, folder.path(), 12);
        assert_eq!(tables.probe(&start).unwrap().value, 2, "{rules}");
    }
}

#[test]
fn abapa_has_the_published_share_of_boards_with_equal_bounds() {
    let folder = tempfile::tempdir().unwrap();
    // Published bounds count endless play as all seeds.
    let mut choices = Choices::default();
    choices.endless = Some(Endless::Open);
    let rules = Ruleset::ABAPA.with_choices(&choices).unwrap();
    let tables = build_to(rules, folder.path(), 12);
    for (seeds, published) in [(4, "72.8"), (8, "61.1"), (12, "18.7")] {
        let counts = tables.counter().count_bounds(seeds, CountedBoards::Indexed);
        let BoundsCounts { exact, boards, .. } = counts.unwrap().unwrap();
        assert_eq!(
            format!("{:.1}", 100.0 * share(exact, boards)),
            published,
            "{seeds} seeds"
        );
    }
}

/// Shares of all boards with equal bounds, and of those on which it is decided who takes more,
/// and the mean difference, by an independent program.
#[test]
fn bounds_of_abapa_are_as_wide_as_an_independent_solver_finds_them() {
    let folder = tempfile::tempdir().unwrap();
    let tables = build_to(Ruleset::ABAPA, folder.path(), 11);
    for (seeds, equal, mean, decided) in [
        (2, ".833", "0.33", ".833"),
        (3, ".824", "0.35", "1.000"),
        (4, ".728", "0.69", ".885"),
        (5, ".936", "0.13", ".974"),
        (6, ".824", "0.75", ".869"),
        (7, ".821", "0.77", ".992"),
        (8, ".622", "1.61", ".868"),
        (9, ".659", "1.29", ".948"),
        (10, ".387", "2.37", ".602"),
        (11, ".377", "2.21", ".659"),
    ] {
        let counts = tables.counter().count_bounds(seeds, CountedBoards::All);
        let counts = counts.unwrap().unwrap();
        let text = |count| format!("{:.3}", share(count, counts.boards));
        let trimmed = |count| text(count).trim_start_matches('0').to_owned();
        let width = format!("{:.2}", share(counts.width, counts.boards));
        let found = (trimmed(counts.exact), width, trimmed(counts.decided));
        assert_eq!(
            found,
            (equal.into(), mean.into(), decided.into()),
            "{seeds} seeds"
        );
    }
}

#[allow(clippy::cast_precision_loss)]
fn share(count: u64, of: u64) -> f64 {
    count as f64 / of as f64
}
