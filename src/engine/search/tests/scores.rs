//! Scores: the search equals plain minimax, and proven scores equal the reference solver.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::engine::search::clock::{Clock, Counters};
use crate::engine::search::minimax;
use crate::engine::search::score::{Aim, SEED, WON, Window};
use crate::engine::search::threads::{DeferredMoves, ThreadMemory};
use crate::engine::search::transposition::TranspositionTable;
use crate::engine::search::tree::{Settings, Tree};
use crate::engine::table_errors::TableErrors;
use crate::engine::table_source::{NoTables, ProberSource};
use crate::rules::Endless;
use crate::solve::reference;

/// The score of a search of all moves to a depth, without a transposition table.
fn full_score(game: &Game, source: impl SearchSource, depth: u8, window: Window) -> i16 {
    let settings = Settings {
        aim: Aim::Seeds,
        contempt: 0,
        selective: false,
        by_history: false,
    };
    score(game, source, depth, window, settings)
}

/// The score at a depth, without a transposition table.
fn score(
    game: &Game,
    source: impl SearchSource,
    depth: u8,
    window: Window,
    settings: Settings,
) -> i16 {
    let stop = AtomicBool::new(false);
    let total = Counters::default();
    let clock = Clock::start(&Limits::default(), &stop, &total);
    let pits: Vec<u8> = game.moves().legal().map(|step| step.pit).collect();
    let memory = ThreadMemory {
        hash: &TranspositionTable::new(0),
        shallow: &TranspositionTable::new(0),
        deferred: &DeferredMoves::new(1),
    };
    let mut tree = Tree::new(game, &pits, settings, source, memory, clock);
    let lead = i16::from(tree.root.node.lead) * SEED;
    let window = Window {
        alpha: window.alpha + lead,
        beta: window.beta + lead,
    };
    tree.search(depth, window, &pits).unwrap().score - lead
}

#[test]
fn without_a_transposition_table_scores_equal_minimax() {
    const TABLE_SEEDS: u8 = 4;
    let mut random = Lcg(1);
    let mut near_repetition = 0;
    for &(name, rules) in Ruleset::NAMED {
        let truths = reference::solve(rules, TABLE_SEEDS);
        for round in 0..60 {
            let start = match round % 3 {
                0 => Board::START,
                1 => random_board(10, &mut random),
                _ => random_board(3, &mut random),
            };
            let start = game(rules, start);
            if start.outcome().is_some() {
                continue;
            }
            let moves = random.below(30);
            let game = after_random_moves(start, moves, &mut random);
            near_repetition += usize::from(game.boards_near_repetition().next().is_some());
            for depth in 1..=5 {
                let minimax = |source: &mut dyn TableSource| minimax::search(&game, source, depth);
                let plain = minimax(&mut NoTables);
                let fast = full_score(&game, NoTables, depth, Window::FULL);
                assert_eq!(fast, plain, "{name}, depth {depth}: {game:?}");
                let reference = || Reference {
                    rules,
                    truths: &truths,
                };
                let plain = minimax(&mut reference());
                let fast = full_score(&game, reference(), depth, Window::FULL);
                assert_eq!(fast, plain, "{name}, depth {depth}, tables: {game:?}");
                // A search with a narrow window finds on which side of it the score is.
                let alpha = plain + i16::from(random.below(256) as u8) - 128;
                let window = Window {
                    alpha,
                    beta: alpha + 40,
                };
                let within = full_score(&game, reference(), depth, window);
                assert_eq!(
                    within.clamp(alpha, alpha + 40),
                    plain.clamp(alpha, alpha + 40)
                );
            }
        }
    }
    assert!(
        near_repetition > 5,
        "{near_repetition} games in which a board occurred twice"
    );
}

/// With a null window and selectivity, under both aims, with and without contempt.
#[test]
fn layers_in_memory_give_the_scores_of_the_reference_solver() {
    const SEEDS: u8 = 5;
    let mut random = Lcg(6);
    let rulesets = Ruleset::NAMED.iter().copied();
    for (name, rules) in rulesets.filter(|(_, rules)| rules.has_bounds()) {
        let truths = reference::solve(rules, SEEDS);
        let tables = tables(rules, SEEDS, false);
        let never = AtomicBool::new(false);
        tables.make_resident(1 << 20, &never, &|_| ()).unwrap();
        assert!((0..=SEEDS).all(|seeds| tables.is_resident(seeds)));
        let errors = TableErrors::default();
        let mut boards: Vec<Board> = truths.keys().copied().collect();
        boards.sort();
        let mut above = [0; 2];
        for (number, board) in boards.into_iter().enumerate() {
            let game = game(rules, board);
            if game.outcome().is_some() {
                continue;
            }
            let depth = 2 + (number % 3) as u8;
            for round in 0..6 {
                let settings = Settings {
                    aim: [Aim::Seeds, Aim::Result][round % 2],
                    contempt: [0, 0, 30, -30][number % 4],
                    selective: true,
                    by_history: false,
                };
                let zone = [0, 0, WON, -WON][(number + round) % 4];
                let zone = if settings.aim == Aim::Result { zone } else { 0 };
                let offset = i16::try_from(random.below(1100)).unwrap();
                let window = Window::null(zone + offset - 550);
                let plain = Reference {
                    rules,
                    truths: &truths,
                };
                let plain = score(&game, plain, depth, window, settings);
                let fast = ProberSource::new(&tables, &errors);
                let fast = score(&game, fast, depth, window, settings);
                let context = format!("{name}, {settings:?}, depth {depth}: {window:?}");
                assert_eq!(fast, plain, "{context}: {board:?}");
                above[usize::from(plain > window.alpha)] += 1;
            }
        }
        assert!(above.iter().all(|&scores| scores > 1000), "{above:?}");
    }
}

#[test]
fn exact_scores_equal_the_reference_solver() {
    const SEEDS: u8 = 4;
    for &(name, rules) in Ruleset::NAMED {
        let truths = reference::solve(rules, SEEDS);
        let mut engine = Engine::new(rules, None, small_hash());
        // In the store family no board repeats, so every line ends.
        let ends = matches!(rules, Ruleset::Stores(_));
        let limits = Limits::default().with_depth(if ends { 20 } else { 10 });
        let (mut exact, mut all) = (0, 0);
        // In a fixed order, since the transposition table keeps what earlier boards have shown.
        let mut truths: Vec<_> = truths.into_iter().collect();
        truths.sort_by_key(|&(board, _)| board);
        for (board, truth) in &truths {
            let Some(report) = search(&mut engine, &game(rules, *board), &limits) else {
                continue;
            };
            all += 1;
            if report.score.is_exact() {
                exact += 1;
                let found = report.score.hundredths();
                let expected = match rules.has_bounds() {
                    true => (truth.lower, truth.upper),
                    false => (truth.value, truth.value),
                };
                let expected = (i16::from(expected.0) * 100, i16::from(expected.1) * 100);
                assert_eq!((found, found), expected, "{name}: {board:?}");
            }
        }
        let least = if ends { all } else { all / 4 };
        assert!(exact >= least, "{name}: {exact} of {all}");
    }
}

/// All entries of the transposition table, including those after repetitions and with tables
/// for the smaller layers.
#[test]
fn proven_bounds_hold_for_the_reference_values() {
    const SEEDS: u8 = 6;
    const TABLE_SEEDS: u8 = 3;
    let mut random = Lcg(9);
    let mut proven = [0; 2];
    for &(name, rules) in Ruleset::NAMED {
        let truths = reference::solve(rules, SEEDS);
        for (threads, aim) in [(1, Aim::Seeds), (2, Aim::Seeds), (1, Aim::Result)] {
            let options = small_hash().with_threads(threads).with_aim(aim);
            let mut engine = Engine::new(rules, Some(tables(rules, TABLE_SEEDS, false)), options);
            for round in 0..150 {
                let board = random_board(4 + round % 3, &mut random);
                let start = game(rules, board);
                if start.outcome().is_some() {
                    continue;
                }
                let moves = random.below(40);
                let game = after_random_moves(start, moves, &mut random);
                let limits = Limits::default().with_depth(8);
                search(&mut engine, &game, &limits);
            }
            let mut reference = Reference {
                rules,
                truths: &truths,
            };
            for board in truths.keys() {
                let Bounds { lower, upper } = reference.bounds(board).unwrap();
                let seeds = board.seeds().cast_signed();
                for lead in -6..=6 {
                    let Some(entry) = engine.entry(board, lead) else {
                        continue;
                    };
                    let known = entry.proven;
                    let holds = known.lower <= lead + lower && known.upper >= lead + upper;
                    assert!(holds, "{name}, lead {lead}: {board:?} {known:?}");
                    proven[0] += usize::from(known.lower > lead - seeds);
                    proven[1] += usize::from(known.upper < lead + seeds);
                }
            }
        }
    }
    assert!(proven.iter().all(|&boards| boards > 500), "{proven:?}");
}

/// South's row has two seeds more, and one more repetition ends the game by side: the
/// search counts the occurrences before the root.
#[test]
fn occurrences_in_the_game_count_as_repetitions() {
    let rules = Ruleset::ABAPA;
    let board = "1 0 0 0 0 1 / 0 0 0 0 0 0".parse().unwrap();
    let mut game = game(rules, board);
    let round = [5, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5];
    for pit in round.iter().chain(&round[..11]) {
        game.play(*pit).unwrap();
    }
    assert_eq!(game.times_seen(Player::South, &board), 2);
    let mut engine = Engine::new(rules, None, small_hash());
    let report = search(&mut engine, &game, &Limits::default().with_depth(1));
    let Ruleset::Oware(choices) = rules else {
        unreachable!()
    };
    assert_eq!(choices.endless, Endless::BySide);
    // North is to move and loses both seeds.
    assert_eq!(report.unwrap().score.hundredths(), -200);
}
