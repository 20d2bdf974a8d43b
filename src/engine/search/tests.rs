//! The fast search held to the plain one, its claims to the reference solver, and
//! whole games inside the tables to their end.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::claim::Window;
use super::*;
use crate::engine::game::Ending;
use crate::engine::player::{Player, Stores};
use crate::engine::tests::Lcg;
use crate::rules::{Board, Endless};
use crate::solve::Silent;
use crate::solve::reference::{self, Truth};
use crate::tablebase::{BuildOptions, build};

type Truths = HashMap<Board, Truth>;

/// Knows what the reference solver knows.
struct Reference<'t> {
    rules: Ruleset,
    truths: &'t Truths,
}

impl Oracle for Reference<'_> {
    fn value(&mut self, board: &Board) -> Option<i8> {
        self.truths.get(board).map(|truth| truth.value)
    }

    fn bounds(&mut self, board: &Board) -> Option<(i8, i8)> {
        let truth = self.truths.get(board)?;
        Some(match self.rules.has_bounds() {
            true => (truth.lower, truth.upper),
            false => (truth.value, truth.value),
        })
    }
}

fn game(rules: Ruleset, board: Board) -> Game {
    Game::from_position(rules, board, Stores::default(), Player::South).unwrap()
}

/// A game after so many moves by chance, or fewer if it would be over.
fn after_random_moves(mut game: Game, moves: usize, random: &mut Lcg) -> Game {
    for _ in 0..moves {
        let before = game.clone();
        let legal: Vec<Step> = game.moves().legal().collect();
        game.play(legal[random.below(legal.len())].pit).unwrap();
        if game.outcome().is_some() {
            return before;
        }
    }
    game
}

/// A board of so many seeds, each in a pit by chance.
fn random_board(seeds: usize, random: &mut Lcg) -> Board {
    let mut pits = [0; 12];
    for _ in 0..seeds {
        pits[random.below(12)] += 1;
    }
    Board::new(pits).unwrap()
}

/// The score at a depth, without a transposition table.
fn fast_score(game: &Game, oracle: impl Oracle, depth: u8, window: Window) -> i16 {
    let stop = AtomicBool::new(false);
    let counted = AtomicU64::new(0);
    let clock = Clock::start(&Limits::default(), &stop, &counted);
    let table = Transpositions::new(0);
    let pits: Vec<u8> = game.moves().legal().map(|step| step.pit).collect();
    let shared = Shared {
        table: &table,
        busy: &Busy::new(1),
    };
    let mut tree = Tree::new(game, &pits, oracle, shared, clock);
    tree.search(depth, window).unwrap().score
}

#[test]
fn the_fast_search_finds_what_the_plain_one_does() {
    const KNOWN: u8 = 4;
    let mut random = Lcg(1);
    let mut settled = 0;
    for (name, rules) in Ruleset::NAMED {
        let truths = reference::solve(rules, KNOWN);
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
            settled += usize::from(game.nearly_endless().next().is_some());
            for depth in 1..=5 {
                let told = |oracle: &mut dyn Oracle| plain::search(&game, oracle, depth);
                let plain = told(&mut NoTables);
                let fast = fast_score(&game, NoTables, depth, Window::ALL);
                assert_eq!(fast, plain, "{name}, depth {depth}: {game:?}");
                let reference = || Reference {
                    rules,
                    truths: &truths,
                };
                let plain = told(&mut reference());
                let fast = fast_score(&game, reference(), depth, Window::ALL);
                assert_eq!(fast, plain, "{name}, depth {depth}, tables: {game:?}");
                // A window tells on which side of it the score is.
                let alpha = plain + i16::from(random.below(256) as u8) - 128;
                let window = Window {
                    alpha,
                    beta: alpha + 40,
                };
                let within = fast_score(&game, reference(), depth, window);
                assert_eq!(
                    within.clamp(alpha, alpha + 40),
                    plain.clamp(alpha, alpha + 40)
                );
            }
        }
    }
    assert!(
        settled > 5,
        "{settled} games in which a board came up twice"
    );
}

#[test]
fn exact_scores_are_true() {
    const SEEDS: u8 = 4;
    for (name, rules) in Ruleset::NAMED {
        let truths = reference::solve(rules, SEEDS);
        let mut engine = Engine::new(rules, None, small());
        // Nothing goes round in the store family: all of it ends.
        let ends = matches!(rules, Ruleset::Stores(_));
        let limits = Limits {
            depth: Some(if ends { 20 } else { 10 }),
            ..Limits::default()
        };
        let (mut exact, mut all) = (0, 0);
        for (board, truth) in &truths {
            let Some(report) = search(&mut engine, &game(rules, *board), &limits) else {
                continue;
            };
            all += 1;
            if report.score.is_exact() {
                exact += 1;
                let told = report.score.hundredths();
                let expected = match rules.has_bounds() {
                    true => (truth.lower, truth.upper),
                    false => (truth.value, truth.value),
                };
                let expected = (i16::from(expected.0) * 100, i16::from(expected.1) * 100);
                assert_eq!((told, told), expected, "{name}: {board:?}");
            }
        }
        let least = if ends { all } else { all / 4 };
        assert!(exact >= least, "{name}: {exact} of {all}");
    }
}

/// Not only what is told: whatever the table of boards keeps as proven is so, with games
/// that went round before and with tables below.
#[test]
fn whatever_is_proven_is_true() {
    const SEEDS: u8 = 6;
    const KNOWN: u8 = 3;
    let mut random = Lcg(9);
    let mut proven = [0; 2];
    for (name, rules) in Ruleset::NAMED {
        let truths = reference::solve(rules, SEEDS);
        for threads in [1, 2] {
            let options = EngineOptions { threads, ..small() };
            let mut engine = Engine::new(rules, Some(tables(rules, KNOWN, false)), options);
            for round in 0..100 {
                let board = random_board(4 + round % 3, &mut random);
                let start = game(rules, board);
                if start.outcome().is_some() {
                    continue;
                }
                let moves = random.below(40);
                let game = after_random_moves(start, moves, &mut random);
                let limits = Limits {
                    depth: Some(8),
                    ..Limits::default()
                };
                search(&mut engine, &game, &limits);
            }
            let mut oracle = Reference {
                rules,
                truths: &truths,
            };
            for board in truths.keys() {
                let Some(entry) = engine.table.get(board) else {
                    continue;
                };
                let (lower, upper) = oracle.bounds(board).unwrap();
                let claim = entry.claim;
                let at_least = !claim.at_least || claim.score <= 100 * i16::from(lower);
                let at_most = !claim.at_most || claim.score >= 100 * i16::from(upper);
                assert!(at_least && at_most, "{name}: {board:?} {claim:?}");
                proven[0] += usize::from(claim.at_least);
                proven[1] += usize::from(claim.at_most);
            }
        }
    }
    assert!(proven.iter().all(|&boards| boards > 500), "{proven:?}");
}

/// Little memory, so that it is soon full.
fn small() -> EngineOptions {
    EngineOptions {
        memory: 1,
        ..EngineOptions::default()
    }
}

fn search(engine: &mut Engine, game: &Game, limits: &Limits) -> Option<Report> {
    engine.search(game, limits, &AtomicBool::new(false), &mut |_| ())
}

fn tables(rules: Ruleset, seeds: u8, distance: bool) -> Arc<Tablebase> {
    let folder = tempfile::tempdir().unwrap();
    let options = BuildOptions {
        seeds,
        distance,
        write: crate::table::Codec::Small.into(),
        memory: None,
        checkpoint: None,
    };
    build(rules, folder.path(), &options, &Silent).unwrap();
    // Open files stay readable when the folder is gone.
    Arc::new(Tablebase::open(rules, &[folder.path()]).unwrap())
}

/// Somebody to play against who takes the engine at its word: he leaves it no more than
/// what it is sure of, delays when he loses, hurries when he wins, and prefers boards
/// that came up before.
fn resists(game: &Game, truths: &Truths, random: &mut Lcg) -> u8 {
    let legal: Vec<Step> = game.moves().legal().collect();
    let by_side = game.rules().has_bounds();
    let key = |step: &Step| {
        let Some(truth) = truths.get(&step.board).filter(|_| step.next != Next::Over) else {
            return (step.gain, 0, 0);
        };
        let seen = game.times_seen(game.to_move().opponent(), &step.board);
        let worth = step.value(if by_side { truth.lower } else { truth.value });
        let plies = match step.is_quiet(game.board().seeds()) {
            true => truth.distance.cast_signed() + 1,
            false => 1,
        };
        let hurries = !by_side && worth > 0;
        (worth, if hurries { -plies } else { plies }, seen)
    };
    let best = legal.iter().map(key).max().unwrap();
    let best: Vec<&Step> = legal.iter().filter(|step| key(step) == best).collect();
    best[random.below(best.len())].pit
}

/// Plays to the end, the engine first. Returns why it ended and what the engine got,
/// net, with the least that is left to it on the board if a majority ended the game.
fn play_out(engine: &mut Engine, board: Board, truths: &Truths, random: &mut Lcg) -> (Ending, i8) {
    let mut game = game(engine.rules(), board);
    let limits = Limits {
        depth: Some(4),
        ..Limits::default()
    };
    while game.outcome().is_none() {
        let pit = match game.to_move() {
            Player::South => search(engine, &game, &limits).unwrap().line[0],
            Player::North => resists(&game, truths, random),
        };
        game.play(pit).unwrap();
    }
    let outcome = game.outcome().unwrap();
    let left = match (outcome.ending, game.to_move()) {
        (Ending::Majority(_), Player::South) => sure(&game, truths).0,
        (Ending::Majority(_), Player::North) => -sure(&game, truths).1,
        _ => 0,
    };
    let Stores { south, north } = outcome.stores;
    (
        outcome.ending,
        south.cast_signed() - north.cast_signed() + left,
    )
}

/// The least and the most that the board is worth.
fn sure(game: &Game, truths: &Truths) -> (i8, i8) {
    let mut oracle = Reference {
        rules: game.rules(),
        truths,
    };
    oracle.bounds(&game.board()).unwrap()
}

/// All boards of few seeds, and some of more, on which there is a move.
fn boards_up_to(seeds: u8, rules: Ruleset, truths: &Truths, random: &mut Lcg) -> Vec<Board> {
    let all = truths.keys().filter(|board| board.seeds() <= 2).copied();
    let mut boards: Vec<Board> = all.collect();
    boards.sort();
    for n in 3..=seeds {
        boards.extend((0..60).map(|_| random_board(usize::from(n), random)));
    }
    boards.retain(|&board| game(rules, board).outcome().is_none());
    boards
}

#[test]
fn inside_the_tables_it_gets_what_they_say() {
    const SEEDS: u8 = 7;
    for rules in [Ruleset::AWARI, Ruleset::PRATT, Ruleset::KALAH] {
        let truths = reference::solve(rules, SEEDS);
        for distance in [false, true] {
            let mut random = Lcg(3);
            let mut engine = Engine::new(rules, Some(tables(rules, SEEDS, distance)), small());
            let mut won = 0;
            for board in boards_up_to(SEEDS, rules, &truths, &mut random) {
                let value = truths[&board].value;
                let (ending, net) = play_out(&mut engine, board, &truths, &mut random);
                assert_eq!(net, value, "{rules}, {distance}: {board:?} {ending:?}");
                won += usize::from(value > 0);
            }
            assert!(won > 100, "{rules}: {won} boards won");
        }
    }
}

#[test]
fn what_is_sure_is_not_thrown_away_where_a_loop_is_settled_by_side() {
    const SEEDS: u8 = 6;
    for rules in [Ruleset::AWALE, Ruleset::ABAPA, Ruleset::AWALE_INFO] {
        let mut random = Lcg(4);
        let truths = reference::solve(rules, SEEDS);
        let mut engine = Engine::new(rules, Some(tables(rules, SEEDS, false)), small());
        let (mut sure, mut more) = (0, 0);
        for board in boards_up_to(SEEDS, rules, &truths, &mut random) {
            let lower = truths[&board].lower;
            let (ending, net) = play_out(&mut engine, board, &truths, &mut random);
            assert!(net >= lower, "{rules}: {board:?} {ending:?} {net} {lower}");
            sure += usize::from(lower > -board.seeds().cast_signed());
            more += usize::from(net > lower);
        }
        assert!(sure > 100 && more > 0, "{rules}: {sure}, {more}");
    }
}

/// A game that has gone round twice, as far as the rules and `random` let it: a move of
/// those that can be made now ends it.
fn game_that_goes_round(rules: Ruleset, random: &mut Lcg) -> Option<Game> {
    let mut game = game(rules, random_board(2 + random.below(3), random));
    for _ in 0..60 {
        if game.outcome().is_some() {
            return None;
        }
        let seen = |step: &Step| game.times_seen(game.to_move().opponent(), &step.board);
        let legal: Vec<Step> = game.moves().legal().collect();
        if legal.len() > 1 && legal.iter().any(|step| seen(step) == 2) {
            return Some(game);
        }
        let quiet = legal.iter().filter(|s| s.is_quiet(game.board().seeds()));
        let quiet: Vec<&Step> = quiet.filter(|step| seen(step) < 2).collect();
        let step = quiet.get(random.below(quiet.len().max(1)))?;
        game.play(step.pit).unwrap();
    }
    None
}

/// Inside the tables, too, the history counts: a move that ends the game because a board
/// comes up once too often is worth what that end gives.
#[test]
fn inside_the_tables_the_end_of_a_game_that_goes_round_is_known() {
    const SEEDS: u8 = 4;
    for rules in [Ruleset::AWARI, Ruleset::ABAPA, Ruleset::PRATT] {
        let truths = reference::solve(rules, SEEDS);
        for distance in [false, true] {
            let mut random = Lcg(10);
            let mut engine = Engine::new(rules, Some(tables(rules, SEEDS, distance)), small());
            let (mut saved, mut avoided) = (0, 0);
            for _ in 0..3000 {
                let Some(game) = game_that_goes_round(rules, &mut random) else {
                    continue;
                };
                let mover = game.to_move();
                let sure = |board: &Board| match rules.has_bounds() {
                    true => truths[board].upper,
                    false => truths[board].value,
                };
                let worth = |step: &Step| {
                    let mut after = game.clone();
                    after.play(step.pit).unwrap();
                    match after.outcome() {
                        Some(end) if end.ending == Ending::Repetition => {
                            let net = |stores: Stores| {
                                let [own, other] = [mover, mover.opponent()].map(|p| stores.of(p));
                                own.cast_signed() - other.cast_signed()
                            };
                            (net(end.stores) - net(game.stores()), true)
                        }
                        _ if step.next == Next::Over => (step.gain, false),
                        _ => (step.value(sure(&step.board)), false),
                    }
                };
                let report = search(&mut engine, &game, &Limits::default()).unwrap();
                let played = game.moves().by_pit()[usize::from(report.line[0])].unwrap();
                let (best, _) = game.moves().legal().map(|step| worth(&step)).max().unwrap();
                assert_eq!(worth(&played).0, best, "{rules}, {distance}: {game:?}");
                assert_eq!(report.score.hundredths(), 100 * i16::from(best), "{game:?}");
                let truth = &truths[&game.board()];
                let told = if rules.has_bounds() {
                    truth.lower
                } else {
                    truth.value
                };
                saved += usize::from(best > told);
                avoided += usize::from(best < told);
            }
            assert!(saved > 10 && avoided > 0, "{rules}: {saved}, {avoided}");
        }
    }
}

/// Without distance tables the moves are those that distance tables would give.
#[test]
fn a_race_is_as_long_as_distance_tables_say() {
    const SEEDS: u8 = 7;
    let rules = Ruleset::AWARI;
    let truths = reference::solve(rules, SEEDS);
    let mut random = Lcg(5);
    for board in boards_up_to(SEEDS, rules, &truths, &mut random) {
        let truth = truths[&board];
        if truth.value == 0 {
            continue;
        }
        let stop = AtomicBool::new(false);
        let counted = AtomicU64::new(0);
        let mut clock = Clock::start(&Limits::default(), &stop, &counted);
        let mut oracle = Reference {
            rules,
            truths: &truths,
        };
        let hurries = truth.value > 0;
        let race = distance::Race::new(rules, &mut oracle, &mut clock, truth.value.abs());
        let pits = race.best(&board, hurries).expect("few boards");
        let moves = rules.moves(&board);
        let expected = moves.legal().filter(|step| {
            let child = truths.get(&step.board).copied();
            let quiet = step.is_quiet(board.seeds());
            let plies = child
                .filter(|_| quiet)
                .map_or(1, |child| child.distance + 1);
            let value = child
                .filter(|_| step.next != Next::Over)
                .map_or(0, |c| c.value);
            step.value(value) == truth.value && plies == truth.distance
        });
        let expected: Vec<u8> = expected.map(|step| step.pit).collect();
        assert_eq!(sorted(pits), expected, "{board:?}");
    }
}

fn sorted(mut pits: Vec<u8>) -> Vec<u8> {
    pits.sort_unstable();
    pits
}

#[test]
fn a_stopped_search_ends_within_50_ms() {
    let mut engine = Engine::new(Ruleset::AWARI, Some(embedded()), EngineOptions::default());
    let game = Game::new(Ruleset::AWARI);
    let mut shortest = Duration::MAX;
    for _ in 0..5 {
        let stop = AtomicBool::new(false);
        let told = std::thread::scope(|scope| {
            let told = scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(60));
                stop.store(true, Ordering::Relaxed);
                Instant::now()
            });
            let report = engine.search(&game, &Limits::default(), &stop, &mut |_| ());
            let ended = Instant::now();
            assert!(report.unwrap().depth > 3);
            ended.saturating_duration_since(told.join().unwrap())
        });
        shortest = shortest.min(told);
    }
    assert!(shortest < Duration::from_millis(50), "{shortest:?}");
}

fn embedded() -> Arc<Tablebase> {
    Arc::new(Tablebase::embedded(Ruleset::AWARI))
}

#[test]
fn there_is_always_a_move() {
    let none = [
        Limits {
            time: Some(Duration::ZERO),
            ..Limits::default()
        },
        Limits {
            nodes: Some(0),
            ..Limits::default()
        },
        Limits {
            depth: Some(0),
            ..Limits::default()
        },
        Limits {
            time: Some(Duration::MAX),
            depth: Some(1),
            ..Limits::default()
        },
    ];
    let mut random = Lcg(6);
    for (_, rules) in Ruleset::NAMED {
        let tables = (rules == Ruleset::AWARI).then(embedded);
        let mut engine = Engine::new(rules, tables, small());
        for moves in [0, 10, 40] {
            let game = after_random_moves(Game::new(rules), moves, &mut random);
            for limits in &none {
                let report = search(&mut engine, &game, limits).unwrap();
                let legal = rules.play(&game.board(), report.line[0]);
                assert!(legal.is_ok());
                // Even one who is told before it begins.
                let told = AtomicBool::new(true);
                let report = engine.search(&game, limits, &told, &mut |_| ()).unwrap();
                assert!(rules.play(&game.board(), report.line[0]).is_ok());
                assert!(report.depth == 0 && report.nodes == 0);
            }
        }
    }
}

#[test]
fn limits_of_depth_and_nodes_are_kept_and_the_same_is_found_again() {
    let game = after_random_moves(Game::new(Ruleset::AWARI), 12, &mut Lcg(7));
    let mut engine = Engine::new(Ruleset::AWARI, Some(embedded()), small());
    for limits in [
        Limits {
            depth: Some(9),
            ..Limits::default()
        },
        Limits {
            nodes: Some(54_321),
            ..Limits::default()
        },
    ] {
        let mut runs = (0..2).map(|_| {
            engine.forget();
            let mut reports = Vec::new();
            let mut note = |report: &Report| {
                let time = Duration::ZERO;
                reports.push(Report {
                    time,
                    ..report.clone()
                });
            };
            let stop = AtomicBool::new(false);
            let last = engine.search(&game, &limits, &stop, &mut note).unwrap();
            assert!(limits.depth.is_none_or(|depth| last.depth == depth));
            assert!(limits.nodes.is_none_or(|nodes| last.nodes == nodes));
            assert!(reports.iter().map(|report| report.depth).eq(1..=last.depth));
            (reports, last.line, last.score)
        });
        assert_eq!(runs.next(), runs.next());
    }
}

#[test]
fn a_line_is_legal_and_goes_as_far_as_the_search() {
    let mut random = Lcg(8);
    for (_, rules) in Ruleset::NAMED {
        let mut engine = Engine::new(rules, None, small());
        let game = after_random_moves(Game::new(rules), 8, &mut random);
        let limits = Limits {
            depth: Some(7),
            ..Limits::default()
        };
        let report = search(&mut engine, &game, &limits).unwrap();
        assert!(report.line.len() > 2, "{rules}: {report:?}");
        let mut board = game.board();
        for &pit in &report.line {
            board = rules.play(&board, pit).unwrap().board;
        }
    }
}

/// The deepest search there is, on a board where play goes round: the stack is deep
/// enough, and nobody waits for ever.
#[test]
fn no_limit_but_the_depth() {
    let board = "1 0 0 0 0 1 / 0 0 0 0 0 0".parse().unwrap();
    let mut engine = Engine::new(Ruleset::AWALE, None, small());
    let report = search(
        &mut engine,
        &game(Ruleset::AWALE, board),
        &Limits::default(),
    );
    let report = report.unwrap();
    assert!(
        report.score.is_exact() || report.depth == MAX_DEPTH,
        "{report:?}"
    );
}

/// South is two seeds ahead by his row: going round once more ends the game so, and the
/// search knows that it has gone round twice.
#[test]
fn the_history_of_the_game_counts() {
    let rules = Ruleset::ABAPA;
    let board = "1 0 0 0 0 1 / 0 0 0 0 0 0".parse().unwrap();
    let mut game = game(rules, board);
    let round = [5, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5];
    for pit in round.iter().chain(&round[..11]) {
        game.play(*pit).unwrap();
    }
    assert_eq!(game.times_seen(Player::South, &board), 2);
    let report = search(
        &mut Engine::new(rules, None, small()),
        &game,
        &Limits {
            depth: Some(1),
            ..Limits::default()
        },
    );
    let Ruleset::Oware(choices) = rules else {
        unreachable!()
    };
    assert_eq!(choices.endless, Endless::BySide);
    // North to move, who loses both by it.
    assert_eq!(report.unwrap().score.hundredths(), -200);
}
