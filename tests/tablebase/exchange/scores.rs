//! The score database: every value at its offset, and every difference found.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use krou::internal::index::row;
use krou::rules::row_seeds;
use krou::rules::{Board, Ruleset};
use krou::solve::Silent;
use krou::tablebase::ExportFormat;
use krou::tablebase::Tablebase;

use super::support::{built, export};

/// The boards of a file of the score database in the published order: sorted by
/// (p11, p10, …, p0).
fn boards_in_order(seeds: u8) -> Vec<Board> {
    let mut boards = BTreeMap::new();
    for opponent in (0..=seeds).flat_map(row::rows) {
        for mover in row::rows(seeds - row_seeds(&opponent)) {
            let board = Board::from_rows(mover, opponent).unwrap();
            let mut pits = board.pits();
            let has_empty_pit = pits[6..].contains(&0);
            pits.reverse();
            if has_empty_pit {
                boards.insert(pits, board);
            }
        }
    }
    boards.into_values().collect()
}

#[test]
fn scores_are_the_values_of_all_boards_in_order() {
    for rules in [Ruleset::AWARI, Ruleset::ABAPA] {
        let (_folder, tables) = built(rules, 8, false);
        for seeds in 0..=8 {
            let scores = export(&tables, seeds, ExportFormat::Vu);
            let boards = boards_in_order(seeds);
            assert_eq!(scores.len(), boards.len(), "{rules}, {seeds} seeds");
            for (score, board) in scores.iter().zip(&boards) {
                let value = tables.probe(board).unwrap().value;
                assert_eq!(score.cast_signed(), value, "{rules} {board:?}");
            }
        }
    }
}

/// Both the offset and the value of a board are published. Some lines of its layer are long.
#[test]
#[ignore = "solves 16 seeds: scripts/check-slow runs it"]
fn the_published_board_has_its_published_offset() {
    let (folder, tables) = built(Ruleset::AWARI, 16, false);
    let file = folder.path().join("scores.16");
    let export = |file: &Path| tables.export(16, ExportFormat::Vu, file, &Silent);
    assert_eq!(export(&file).unwrap(), 12_685_179);
    let scores = fs::read(&file).unwrap();
    assert_eq!(scores[588_953], 0);
    assert_eq!(tables.compare(16, &file, 10, &Silent).unwrap().differing, 0);
    // The last board has all seeds in pit 11.
    let board: Board = "0 0 0 0 0 0 / 0 0 0 0 0 16".parse().unwrap();
    let last = scores.last().unwrap().cast_signed();
    assert_eq!(last, tables.probe(&board).unwrap().value);
}

#[test]
fn exported_files_have_no_differences() {
    for rules in [Ruleset::AWARI, Ruleset::ABAPA] {
        let (folder, tables) = built(rules, 8, false);
        for seeds in 0..=8 {
            let file = folder.path().join("scores");
            tables
                .export(seeds, ExportFormat::Vu, &file, &Silent)
                .unwrap();
            let boards = AtomicU64::new(0);
            let count = |more: u64| {
                boards.fetch_add(more, Ordering::Relaxed);
            };
            let compared = tables.compare(seeds, &file, 10, &count).unwrap();
            assert_eq!(compared.differing, 0);
            let read = tables.boards_up_to(seeds);
            assert_eq!(boards.into_inner(), read + compared.boards);
            assert!(compared.first.is_empty());
        }
    }
}

#[test]
fn changed_bytes_are_found_with_their_boards() {
    let tables = Tablebase::embedded(Ruleset::AWARI);
    let output = tempfile::tempdir().unwrap();
    let file = output.path().join("scores.6");
    let right = export(&tables, 6, ExportFormat::Vu);
    let boards = boards_in_order(6);
    let published: Board = "0 1 2 0 0 0 / 1 0 2 0 0 0".parse().unwrap();
    assert_eq!(boards[2642], published);
    // Any byte is reported unchanged, even one that cannot be a value.
    for (offset, theirs) in [(2642, -7), (0, 127), (right.len() - 1, -128), (2726, 7)] {
        let mut wrong = right.clone();
        wrong[offset] = i8::cast_unsigned(theirs);
        fs::write(&file, &wrong).unwrap();
        let compared = tables.compare(6, &file, 10, &Silent).unwrap();
        assert_eq!(compared.differing, 1);
        let [first] = compared.first[..] else {
            panic!("{} differences", compared.first.len());
        };
        assert_eq!((first.offset, first.board), (offset as u64, boards[offset]));
        let ours = right[offset].cast_signed();
        assert_eq!((first.ours, first.theirs), (ours, theirs));
    }
}

#[test]
fn the_differences_with_the_smallest_offsets_are_kept() {
    let tables = Tablebase::embedded(Ruleset::AWARI);
    let output = tempfile::tempdir().unwrap();
    let file = output.path().join("scores.7");
    let right = export(&tables, 7, ExportFormat::Vu);
    for step in [1, 7, 1000] {
        let mut wrong = right.clone();
        wrong.iter_mut().step_by(step).for_each(|byte| *byte ^= 64);
        fs::write(&file, &wrong).unwrap();
        let all = right.len().div_ceil(step);
        for most in [0, 1, 10, all, all + 1] {
            let compared = tables.compare(7, &file, most, &Silent).unwrap();
            assert_eq!(compared.differing, all as u64);
            let offsets = compared.first.iter().map(|found| found.offset);
            let expected = (0..).step_by(step).take(most.min(all));
            assert!(offsets.eq(expected), "every {step} bytes, {most}");
        }
    }
}
