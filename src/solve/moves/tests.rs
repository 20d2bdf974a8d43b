//! Compiled moves against the plain rules, move by move, for every ruleset.

use fastrand::Rng;

use super::column_map::{
    ColumnMap, RowOutcome, oware_column_map, oware_outcome, store_column_map, store_is_quiet,
};
use super::predecessors::{Predecessor, Predecessors};
use super::store_sowing::store_row_move;
use super::{CompiledMoves, RowMove, oware_row_move};
use crate::index::{LayerIndex, OpponentRows, row};
use crate::rules::{Board, GrandSlam, MAX_SEEDS, Next, OwareRules, ROW, Row, Ruleset, Step};
use crate::solve::memory::moves_bytes;

/// A board with up to 48 seeds. Half of the boards have a pit of 12 seeds or more on
/// the mover's side, so that its sowing goes all the way round.
fn random_board(random: &mut Rng) -> Board {
    let mut pits = [0_u8; 2 * ROW];
    let seeds = random.u8(1..=MAX_SEEDS);
    let mut left = seeds;
    if random.bool() && left >= 12 {
        let krou = random.u8(12..=left);
        pits[random.usize(..ROW)] = krou;
        left -= krou;
    }
    // Few or many pits share the others.
    let used = random.usize(1..=2 * ROW);
    for _ in 0..left {
        pits[random.usize(..used) * 5 % (2 * ROW)] += 1;
    }
    Board::trusted(pits)
}

/// What the compiled moves say a pit does: the opponent's row of the child, and the
/// outcome in the opponent's row of the board.
fn compiled(rules: Ruleset, board: &Board, pit: usize) -> Option<(RowMove, RowOutcome)> {
    let (a, b) = (board.mover(), board.opponent());
    match rules {
        Ruleset::Oware(oware) => {
            let m = oware_row_move(&a, pit);
            let (crossed, last_crossed) = (m.map / 2, m.map % 2 == 1);
            Some((m, oware_outcome(oware, &b, crossed, last_crossed)?))
        }
        Ruleset::Stores(game) => {
            let m = store_row_move(game, &a, pit)?;
            store_is_quiet(&b, usize::from(m.map)).then_some((m, RowOutcome::Quiet(b)))
        }
    }
}

fn child(rules: Ruleset, m: RowMove, mover: Row) -> Board {
    let opponent = OpponentRows::of(rules).row(m.seeds, m.line);
    Board::trusted_rows(mover, opponent)
}

/// Whether only the plain rules know a legal move of the oware family: it leaves the
/// opponent no seeds.
fn is_left_to_the_rules(step: &Step) -> bool {
    step.next == Next::Over || step.board.mover() == [0; ROW]
}

#[track_caller]
fn compare(rules: Ruleset, board: &Board) {
    let moves = rules.moves(board);
    let legal: Vec<Step> = moves.legal().collect();
    for pit in (0..ROW).filter(|&pit| board.mover()[pit] > 0) {
        let step = legal.iter().find(|step| usize::from(step.pit) == pit);
        let found = compiled(rules, board, pit);
        match (step, found) {
            (Some(step), Some((m, RowOutcome::Quiet(b)))) => {
                assert!(step.is_quiet(board.seeds()), "{rules} {board:?} {pit}");
                assert_eq!(step.board, child(rules, m, b), "{rules} {board:?} {pit}");
                assert_eq!((step.captured, step.gain), (0, 0), "{rules} {board:?}");
            }
            (Some(step), Some((m, RowOutcome::Captures(b, captured)))) => {
                assert_eq!(step.next, Next::Opponent, "{rules} {board:?} {pit}");
                assert_eq!(step.board, child(rules, m, b), "{rules} {board:?} {pit}");
                let gain = captured.cast_signed();
                assert_eq!((step.captured, step.gain), (captured, gain));
            }
            (Some(step), Some((_, RowOutcome::TakesAll))) => {
                assert_eq!(step.next, Next::Over, "{rules} {board:?} {pit}");
                assert_eq!(step.gain, board.seeds().cast_signed());
            }
            (Some(step), None) => {
                assert!(!step.is_quiet(board.seeds()), "{rules} {board:?} {pit}");
                if matches!(rules, Ruleset::Oware(_)) {
                    assert!(is_left_to_the_rules(step), "{rules} {board:?} {pit}");
                }
            }
            (None, found) => assert!(found.is_none(), "{rules} {board:?} {pit}"),
        }
    }
}

#[test]
fn compiled_moves_equal_the_plain_rules_on_random_boards() {
    let mut random = Rng::with_seed(12);
    let all: Vec<Ruleset> = Ruleset::all().collect();
    let mut laps = 0;
    for _ in 0..12_000 {
        let board = random_board(&mut random);
        laps += usize::from(board.mover().iter().any(|&seeds| seeds >= 12));
        for &rules in &all {
            compare(rules, &board);
        }
    }
    assert!(laps > 4000, "{laps} boards with a krou");
}

#[test]
fn compiled_moves_equal_the_plain_rules_on_every_small_board() {
    for rules in Ruleset::all() {
        for seeds in 1..=5 {
            for k in 0..=seeds {
                for b in row::rows(k) {
                    for a in row::rows(seeds - k) {
                        compare(rules, &Board::trusted_rows(a, b));
                    }
                }
            }
        }
    }
}

/// What the lists of a map say about a column.
fn looked_up(map: &ColumnMap, column: u32) -> Vec<(u32, u8)> {
    let mut found = Vec::new();
    let mut look_up = |from: u32, to: u32, len: u32, captured: u8| {
        if (from..from + len).contains(&column) {
            found.push((to + column - from, captured));
        }
    };
    for run in &*map.quiet {
        look_up(run.from, run.to, run.len, 0);
    }
    for capture in &*map.captures {
        let run = capture.run;
        look_up(run.from, run.to, run.len, capture.captured);
    }
    for run in &*map.takes_all {
        look_up(run.from, run.to, run.len, u8::MAX);
    }
    found
}

/// Every column of every map: the lists say what happens to that row, once.
#[test]
fn the_runs_of_a_map_are_its_outcomes() {
    let Ruleset::Oware(awari) = Ruleset::AWARI else {
        unreachable!("awari is of the oware family")
    };
    for &grand_slam in GrandSlam::ALL {
        let rules = OwareRules {
            grand_slam,
            ..awari
        };
        let small = (0..=6).flat_map(|k| (0..=30).map(move |crossed| (k, crossed)));
        let large = [0, 1, 5, 6, 7, 12, 13, 24, 35].map(|crossed| (11, crossed));
        for (seeds, crossed) in small.chain(large) {
            for last_crossed in [false, true] {
                let whole_laps = crossed % 6 == 0;
                let occurs = if last_crossed {
                    crossed > 0
                } else {
                    whole_laps
                };
                let map = oware_column_map(rules, seeds, crossed, last_crossed);
                for (column, b) in (0..).zip(row::rows(seeds)) {
                    let outcome = || oware_outcome(rules, &b, crossed, last_crossed);
                    let right = match occurs.then(outcome).flatten() {
                        None => vec![],
                        Some(RowOutcome::Quiet(after)) => vec![(row::rank(&after), 0)],
                        Some(RowOutcome::Captures(after, n)) => vec![(row::rank(&after), n)],
                        Some(RowOutcome::TakesAll) => vec![(column, u8::MAX)],
                    };
                    assert_eq!(looked_up(&map, column), right, "{crossed} into {b:?}");
                    let quiet = right.first().filter(|(_, n)| *n == 0).map(|(to, _)| *to);
                    assert_eq!(map.quiet.entry_from(column), quiet);
                    if let Some(entry) = quiet {
                        assert_eq!(map.quiet.column_to(entry), Some(column));
                    }
                }
            }
        }
    }
    for map in 0..=ROW {
        for seeds in 0..=7 {
            let runs = store_column_map(seeds, map);
            for (column, b) in (0..).zip(row::rows(seeds)) {
                let quiet = store_is_quiet(&b, map).then_some(column);
                assert_eq!(runs.quiet.entry_from(column), quiet);
            }
        }
    }
}

/// Every quiet move of every indexed board, found from its child, and no other.
#[test]
fn predecessors_are_the_quiet_moves_backwards() {
    for &(_, rules) in Ruleset::NAMED {
        let seeds = if matches!(rules, Ruleset::Oware(_)) {
            7
        } else {
            6
        };
        let mut moves = CompiledMoves::new(rules);
        moves.extend_to(seeds + 2);
        let index = LayerIndex::new(rules, seeds);
        let predecessors = Predecessors::new(&moves, &index);
        let mut found = Vec::new();
        let mut right = Vec::new();
        for i in 0..index.len() {
            let board = index.board(i);
            let location = index.locate(&board).unwrap();
            let (section, line, rank) = (location.section, location.line, location.rank);
            for parent in predecessors.of(section, line, rank) {
                found.push((parent, i));
            }
            for step in rules.moves(&board).legal() {
                if step.is_quiet(seeds) {
                    let parent = Predecessor {
                        section,
                        line,
                        column: row::rank(&board.opponent()),
                        rank,
                    };
                    right.push((parent, index.index(&step.board).unwrap()));
                }
            }
        }
        found.sort_unstable();
        right.sort_unstable();
        assert!(found == right && !right.is_empty(), "{rules}");
    }
}

#[test]
fn compiled_moves_take_no_more_memory_than_estimated() {
    for &(_, rules) in Ruleset::NAMED {
        let mut moves = CompiledMoves::new(rules);
        for seeds in [12, 20] {
            moves.extend_to(seeds);
            let (bytes, estimate) = (moves.bytes(), moves_bytes(seeds));
            assert!(
                (estimate / 2..=estimate).contains(&bytes),
                "{rules} {seeds}"
            );
        }
    }
}
