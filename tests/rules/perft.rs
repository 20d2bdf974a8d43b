//! Perft: the number of sequences of moves from a board, by their length. A move
//! generator with an error in sowing, captures or legality rarely finds the right numbers.
//!
//! `data/perft.csv` has the counts of a separate program, written from the rules in
//! `docs/rules.md` alone. The boards have pits with one and two laps, grand slams and
//! rows without seeds. A step after which the mover moves again counts like any other,
//! and no sequence continues after the end of the game.

use std::collections::BTreeMap;

use krou::rules::{Board, Next, Ruleset};

/// Adds the sequences from a board to the counts, which begin with those of length 1.
fn count(rules: Ruleset, board: &Board, counts: &mut [u64]) {
    let Some((count_here, longer)) = counts.split_first_mut() else {
        return;
    };
    for step in rules.moves(board).legal() {
        *count_here += 1;
        if step.next != Next::Over {
            count(rules, &step.board, longer);
        }
    }
}

#[test]
fn perft_counts_match() {
    let mut expected: BTreeMap<(&str, &str), Vec<u64>> = BTreeMap::new();
    for line in include_str!("data/perft.csv").lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [rules, board, depth, count] = fields[..] else {
            panic!("four fields: {line}");
        };
        let counts = expected.entry((rules, board)).or_default();
        counts.push(count.parse().unwrap());
        assert_eq!(depth, counts.len().to_string(), "{line}");
    }
    for &(name, _) in Ruleset::NAMED {
        let boards = expected.keys().filter(|(rules, _)| *rules == name);
        assert!(boards.count() >= 5, "{name}");
    }
    for ((rules, board), expected) in expected {
        let mut counts = vec![0; expected.len()];
        count(rules.parse().unwrap(), &board.parse().unwrap(), &mut counts);
        assert_eq!(counts, expected, "{rules}, {board}");
    }
}
