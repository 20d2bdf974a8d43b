//! The exact output of `krou verify` for wrong and damaged tables.

use std::fs;

use krou::index::LayerIndex;
use krou::rules::{Board, Ruleset};
use krou::table::{Kind, TableId};
use tempfile::TempDir;

use crate::support::{built, call_in, id, read_planes, words, write_planes};

/// The output for all layers below `seeds`, which are right.
fn right_below(rules: Ruleset, seeds: u8) -> String {
    let line = |n| {
        let boards = LayerIndex::new(rules, n).len();
        format!("{rules}, {n} seeds: {boards} boards right\n")
    };
    (0..seeds).map(line).collect()
}

fn verify(place: &TempDir, rules: Ruleset) -> String {
    let line = format!("verify --rules {rules}");
    call_in(place.path(), &words(&line)).no()
}

/// Changes the entries of some boards in a plane of a table.
fn change(place: &TempDir, id: TableId, plane: usize, entries: &[(Board, i8)]) {
    let index = LayerIndex::new(id.rules, id.seeds);
    let mut planes = read_planes(place.path(), id);
    for (board, entry) in entries {
        let at = index.index(board).unwrap();
        planes[plane][usize::try_from(at).unwrap()] = entry.cast_unsigned();
    }
    write_planes(place.path(), id, &planes);
}

fn check_change(kind: Kind, board: &str, entry: i8, told: &str) {
    let rules = Ruleset::AWALE;
    let place = built("--seeds 4 --distance --rules awale");
    let board = board.parse().unwrap();
    change(&place, id(rules, 4, kind), 0, &[(board, entry)]);
    assert_eq!(verify(&place, rules), right_below(rules, 4) + told);
}

/// A wrong value makes the distance of another board wrong; the report says which
/// follows from which.
#[test]
fn a_wrong_value_is_reported_with_what_follows_from_it() {
    check_change(
        Kind::Value,
        "0 1 0 0 1 0 / 1 0 1 0 0 0",
        -3,
        "tables/awale-04.value.krou: board 0 1 0 0 1 0 / 1 0 1 0 0 0: \
         value -3 is stored, but pit 1 makes it -4\n\
         tables/awale-04.distance.krou: board 1 1 0 0 0 0 / 0 1 0 0 1 0: \
         distance 14 is stored, but pit 0 makes it 26 \
         (the cause may be 0 1 0 0 1 0 / 1 0 1 0 0 0, where pit 1 leads)\n\
         awale, 4 seeds: 2 of 1365 boards fail\n",
    );
    check_change(
        Kind::Value,
        "0 0 0 0 0 0 / 1 0 3 0 0 0",
        4,
        "tables/awale-04.value.krou: board 0 0 0 0 0 0 / 1 0 3 0 0 0: \
         value 4 is stored, but the position is terminal, which makes it -4\n\
         awale, 4 seeds: 1 of 1365 boards fail\n",
    );
}

#[test]
fn a_wrong_distance_is_reported() {
    check_change(
        Kind::Distance,
        "0 0 0 0 3 0 / 0 0 0 0 1 0",
        4,
        "tables/awale-04.distance.krou: board 0 0 0 0 3 0 / 0 0 0 0 1 0: \
         distance 4 is stored, but pit 4 makes it 3\n\
         tables/awale-04.distance.krou: board 0 0 0 1 0 0 / 0 0 0 0 3 0: \
         distance 4 is stored, but pit 3 makes it 5 \
         (the cause may be 0 0 0 0 3 0 / 0 0 0 0 1 0, where pit 3 leads)\n\
         awale, 4 seeds: 2 of 1365 boards fail\n",
    );
}

#[test]
fn a_wrong_bound_is_reported() {
    check_change(
        Kind::Bounds,
        "1 0 0 1 1 0 / 0 0 1 0 0 0",
        1,
        "tables/awale-04.bounds.krou: board 1 0 0 1 1 0 / 0 0 1 0 0 0: \
         lower bound 1 is stored, but pit 0 makes it 0\n\
         tables/awale-04.bounds.krou: board 0 1 0 0 0 0 / 1 0 0 1 1 0: \
         upper bound 0 is stored, but pit 1 makes it -1 \
         (the cause may be 1 0 0 1 1 0 / 0 0 1 0 0 0, where pit 1 leads)\n\
         awale, 4 seeds: 2 of 1365 boards fail\n",
    );
}

/// Layers above a wrong one cannot be proven.
#[test]
fn layers_above_a_wrong_one_are_reported() {
    let rules = Ruleset::AWARI;
    let place = built("--seeds 3");
    // No move of a board with more seeds leads here.
    let over: Board = "0 0 0 0 0 0 / 0 0 0 1 0 0".parse().unwrap();
    change(&place, id(rules, 1, Kind::Value), 0, &[(over, 1)]);
    let told = verify(&place, rules);
    let last = "awari, 3 seeds: 364 boards right, \
                provided the layer with 1 seeds is right, which it is not\n";
    assert!(told.ends_with(last), "{told}");
}

fn damage(place: &TempDir, name: &str) {
    let path = place.path().join("tables").join(name);
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 4;
    fs::write(&path, &bytes).unwrap();
}

const DAMAGED: &str = "block 0 is damaged (its checksum does not match): \
                       remove the file and build it again";

/// Every table is read, and every board is checked that can be.
#[test]
fn damaged_tables_hide_nothing() {
    let rules = Ruleset::AWARI;
    let place = built("--seeds 5 --distance");
    // The values of the layer are proven without its distances.
    damage(&place, "awari-02.distance.krou");
    damage(&place, "awari-04.value.krou");
    damage(&place, "awari-04.distance.krou");
    let expected = right_below(rules, 2)
        + &format!("tables/awari-02.distance.krou: {DAMAGED}\n")
        + "awari, 2 seeds: 78 boards right, except for damaged tables\n"
        + "awari, 3 seeds: 364 boards right\n"
        + &format!("tables/awari-04.value.krou: {DAMAGED}\n")
        + &format!("tables/awari-04.distance.krou: {DAMAGED}\n")
        + "awari, 4 seeds: boards not checked because tables are damaged\n"
        + "awari, 5 seeds: checksums right, \
           boards not checked because a lower layer is damaged\n";
    assert_eq!(verify(&place, rules), expected);
    let sampled = call_in(place.path(), &words("verify --sample 50")).no();
    assert_eq!(sampled.matches(DAMAGED).count(), 3, "{sampled}");
    assert!(!sampled.contains("random"), "{sampled}");
}

#[test]
fn tables_that_cannot_be_opened_hide_nothing() {
    let rules = Ruleset::ABAPA;
    let place = built("--seeds 4 --rules abapa");
    fs::write(
        place.path().join("tables/abapa-02.bounds.krou"),
        "Dear diary",
    )
    .unwrap();
    damage(&place, "abapa-03.bounds.krou");
    let expected = right_below(rules, 2)
        + "tables/abapa-02.bounds.krou: is not a krou table\n\
           abapa, 2 seeds: boards not checked because tables are damaged\n"
        + &format!("tables/abapa-03.bounds.krou: {DAMAGED}\n")
        + "abapa, 3 seeds: boards not checked because tables are damaged\n\
           abapa, 4 seeds: checksums right, \
           boards not checked because a lower layer is damaged\n";
    assert_eq!(verify(&place, rules), expected);
}

/// The last layer counts as present although it cannot be opened.
#[test]
fn a_damaged_last_layer_is_reported() {
    let place = built("--seeds 3");
    fs::write(
        place.path().join("tables/awari-03.value.krou"),
        "Dear diary",
    )
    .unwrap();
    let told = verify(&place, Ruleset::AWARI);
    assert!(
        told.contains("awari-03.value.krou: is not a krou table"),
        "{told}"
    );
}

#[test]
fn too_little_memory_is_refused_before_reading() {
    let place = built("--seeds 12");
    let line = |size| {
        words(size)
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    let told = call_in(place.path(), &line("verify --memory 25M")).refused();
    let expected = "to verify the layers up to 12 seeds takes 32 MiB of memory, but only 25 MiB \
                    may be used, enough for at most 9 seeds: check random boards with '--sample', \
                    or allow more memory";
    assert_eq!(told, expected);
    call_in(place.path(), &line("verify --memory 25M --seeds 9")).good();
}

/// A loop of two seeds whose values support each other: no board contradicts its moves,
/// and only the certificate finds them. `docs/proof.md` shows the report.
#[test]
fn a_loop_of_unfounded_values_is_reported_as_documented() {
    let document = include_str!("../../docs/proof.md");
    for (rules, kind) in [
        (Ruleset::AWARI, Kind::Value),
        (Ruleset::AWALE, Kind::Bounds),
    ] {
        let place = built(&format!("--seeds 2 --rules {rules}"));
        let mut board: Board = "1 0 0 0 0 0 / 1 0 0 0 0 0".parse().unwrap();
        let mut forged = vec![("0 1 0 0 0 1 / 0 0 0 0 0 0".parse().unwrap(), 2)];
        for value in [2, -2].repeat(6) {
            forged.push((board, value));
            let moves = rules.moves(&board);
            board = moves.legal().next().unwrap().board;
        }
        assert_eq!(board, forged[1].0, "round in twelve plies");
        for plane in 0..kind.planes() {
            change(&place, id(rules, 2, kind), plane, &forged);
        }
        let told = verify(&place, rules);
        let told = told.strip_prefix(&right_below(rules, 2)).unwrap();
        let shown: Vec<&str> = told.lines().take(3).collect();
        let shown = shown.join("\n");
        let last = told.lines().last().unwrap();
        assert!(
            document.contains(&shown) && document.contains(last),
            "{told}"
        );
    }
}
