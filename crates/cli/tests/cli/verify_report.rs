//! The exact output of `krou verify` for wrong tables with right checksums.

use std::ops::Range;

use indicatif::HumanCount;
use krou::index::LayerIndex;
use krou::rules::{Board, Ruleset};
use krou::table::{Kind, TableId};
use tempfile::TempDir;

use crate::support::{built, call_in, id, read_planes, words, write_planes};

/// The output for the layers below `seeds` if all of them are right.
fn right_below(rules: Ruleset, seeds: u8) -> String {
    let line = |n| {
        let boards = match LayerIndex::new(rules, n).len() {
            1 => "1 board".to_owned(),
            boards => format!("{} boards", HumanCount(boards)),
        };
        format!("{rules}, {n} seeds: {boards} right\n")
    };
    (0..seeds).map(line).collect()
}

/// What is printed of the layers. The last line counts those that are not right.
fn verify(home: &TempDir, rules: Ruleset) -> String {
    let line = format!("verify --rules {rules}");
    let output = call_in(home.path(), &words(&line)).exit_1();
    let (layers, verdict) = output.trim_end().rsplit_once('\n').unwrap();
    assert!(verdict.contains(" layers not right, "), "{verdict}");
    format!("{layers}\n")
}

/// Changes the entries of some boards in planes of a table.
fn write_entries(home: &TempDir, id: TableId, changed: Range<usize>, entries: &[(Board, i8)]) {
    let index = LayerIndex::new(id.rules, id.seeds);
    let mut planes = read_planes(home.path(), id);
    for (board, entry) in entries {
        let at = index.index(board).unwrap();
        for plane in &mut planes[changed.clone()] {
            plane[usize::try_from(at).unwrap()] = entry.cast_unsigned();
        }
    }
    write_planes(home.path(), id, &planes);
}

/// Checks the report of one changed entry.
fn check_change(kind: Kind, board: &str, entry: i8, report: &str) {
    let rules = Ruleset::AWALE;
    let home = built("--seeds 4 --distance --rules awale");
    let board = board.parse().unwrap();
    write_entries(&home, id(rules, 4, kind), 0..1, &[(board, entry)]);
    assert_eq!(verify(&home, rules), right_below(rules, 4) + report);
}

/// A wrong value makes the distance of another board wrong; the report names the cause.
#[test]
fn wrong_values_are_reported_with_their_consequences() {
    check_change(
        Kind::Value,
        "0 1 0 0 1 0 / 1 0 1 0 0 0",
        -3,
        "tables/awale-04.value.krou: board 0 1 0 0 1 0 / 1 0 1 0 0 0: \
         value -3 is stored, but pit 1 makes it -4\n\
         tables/awale-04.distance.krou: board 1 1 0 0 0 0 / 0 1 0 0 1 0: \
         distance 14 is stored, but pit 0 makes it 26 \
         (the cause may be 0 1 0 0 1 0 / 1 0 1 0 0 0, where pit 1 leads)\n\
         awale, 4 seeds: 2 of 1,365 boards fail\n",
    );
    check_change(
        Kind::Value,
        "0 0 0 0 0 0 / 1 0 3 0 0 0",
        4,
        "tables/awale-04.value.krou: board 0 0 0 0 0 0 / 1 0 3 0 0 0: \
         value 4 is stored, but the position is terminal, which makes it -4\n\
         awale, 4 seeds: 1 of 1,365 boards fail\n",
    );
}

#[test]
fn wrong_distances_are_reported() {
    check_change(
        Kind::Distance,
        "0 0 0 0 3 0 / 0 0 0 0 1 0",
        4,
        "tables/awale-04.distance.krou: board 0 0 0 0 3 0 / 0 0 0 0 1 0: \
         distance 4 is stored, but pit 4 makes it 3\n\
         tables/awale-04.distance.krou: board 0 0 0 1 0 0 / 0 0 0 0 3 0: \
         distance 4 is stored, but pit 3 makes it 5 \
         (the cause may be 0 0 0 0 3 0 / 0 0 0 0 1 0, where pit 3 leads)\n\
         awale, 4 seeds: 2 of 1,365 boards fail\n",
    );
}

#[test]
fn wrong_bounds_are_reported() {
    check_change(
        Kind::Bounds,
        "1 0 0 1 1 0 / 0 0 1 0 0 0",
        1,
        "tables/awale-04.bounds.krou: board 1 0 0 1 1 0 / 0 0 1 0 0 0: \
         lower bound 1 is stored, but pit 0 makes it 2\n\
         tables/awale-04.bounds.krou: board 0 1 0 0 0 0 / 1 0 0 1 1 0: \
         upper bound -2 is stored, but pit 1 makes it -1 \
         (the cause may be 1 0 0 1 1 0 / 0 0 1 0 0 0, where pit 1 leads)\n\
         awale, 4 seeds: 2 of 1,365 boards fail\n",
    );
}

#[test]
fn layers_above_a_wrong_one_are_reported_as_conditional() {
    let rules = Ruleset::AWARI;
    let home = built("--seeds 3");
    // No move of a board with more seeds leads to this one.
    let terminal: Board = "0 0 0 0 0 0 / 0 0 0 1 0 0".parse().unwrap();
    write_entries(&home, id(rules, 1, Kind::Value), 0..1, &[(terminal, 1)]);
    let output = verify(&home, rules);
    let last = "awari, 3 seeds: 364 boards right, \
                provided the layer with 1 seeds is right, which it is not\n";
    assert!(output.ends_with(last), "{output}");
}

/// The values of a loop of two seeds support each other: no board contradicts its moves,
/// and only the certificate finds them. `docs/internals/proof.md` shows the report.
#[test]
fn unfounded_loops_are_reported_as_documented() {
    let document = include_str!("../../../../docs/internals/proof.md");
    for (rules, kind) in [
        (Ruleset::AWARI, Kind::Value),
        (Ruleset::AWALE, Kind::Bounds),
    ] {
        let home = built(&format!("--seeds 2 --rules {rules}"));
        let mut board: Board = "1 0 0 0 0 0 / 1 0 0 0 0 0".parse().unwrap();
        let mut forged = vec![("0 1 0 0 0 1 / 0 0 0 0 0 0".parse().unwrap(), 2)];
        for value in [2, -2].repeat(6) {
            forged.push((board, value));
            let moves = rules.moves(&board);
            board = moves.legal().next().unwrap().board;
        }
        assert_eq!(board, forged[1].0, "a loop of twelve plies");
        write_entries(&home, id(rules, 2, kind), 0..kind.planes(), &forged);
        let output = verify(&home, rules);
        let output = output.strip_prefix(&right_below(rules, 2)).unwrap();
        let shown: Vec<&str> = output.lines().take(3).collect();
        let shown = shown.join("\n");
        let last = output.lines().last().unwrap();
        assert!(
            document.contains(&shown) && document.contains(last),
            "{output}"
        );
    }
}
