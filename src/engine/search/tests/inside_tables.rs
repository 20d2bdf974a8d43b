//! Play inside the tables: games against an opponent that delays, and the distances of the
//! conversion search.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::engine::game::Ending;
use crate::engine::search::clock::{Clock, Counters};
use crate::engine::search::conversion::ConversionSearch;
use crate::engine::search::score::Aim;
use crate::rules::Next;
use crate::solve::reference;

/// The move of an adversarial opponent: it leaves the engine no more than its lower bound,
/// delays when it loses, hurries when it wins, and prefers boards that occurred before.
fn adversarial_pit(game: &Game, truths: &Truths, random: &mut Lcg) -> u8 {
    let legal: Vec<Step> = game.moves().legal().collect();
    let by_side = game.rules().has_bounds();
    let key = |step: &Step| {
        let Some(truth) = truths.get(&step.board).filter(|_| step.next != Next::Over) else {
            return (step.gain, 0, 0);
        };
        let seen = game.times_seen(game.to_move().opponent(), &step.board);
        let value = step.value(if by_side { truth.lower } else { truth.value });
        let plies = match step.is_quiet(game.board().seeds()) {
            true => truth.distance.cast_signed() + 1,
            false => 1,
        };
        let hurries = !by_side && value > 0;
        (value, if hurries { -plies } else { plies }, seen)
    };
    let best = legal.iter().map(key).max().unwrap();
    let best: Vec<&Step> = legal.iter().filter(|step| key(step) == best).collect();
    best[random.below(best.len())].pit
}

/// Plays a game to its end, the engine first. Returns the ending and the engine's net
/// seeds; after a majority, with its lower bound for the seeds left on the board.
fn play_out(
    engine: &mut Engine,
    mut game: Game,
    truths: &Truths,
    random: &mut Lcg,
) -> (Ending, i8) {
    let limits = Limits::default().with_depth(4);
    while game.outcome().is_none() {
        let pit = match game.to_move() {
            Player::South => search(engine, &game, &limits).unwrap().pv[0],
            Player::North => adversarial_pit(&game, truths, random),
        };
        game.play(pit).unwrap();
    }
    let outcome = game.outcome().unwrap();
    let left = match (outcome.ending, game.to_move()) {
        (Ending::Majority(_), Player::South) => bounds(&game, truths).lower,
        (Ending::Majority(_), Player::North) => -bounds(&game, truths).upper,
        _ => 0,
    };
    let Stores { south, north } = outcome.stores;
    (
        outcome.ending,
        south.cast_signed() - north.cast_signed() + left,
    )
}

/// The bounds of the current board.
fn bounds(game: &Game, truths: &Truths) -> Bounds {
    let mut reference = Reference {
        rules: game.rules(),
        truths,
    };
    reference.bounds(&game.board()).unwrap()
}

/// All boards of up to two seeds and random ones of more, without terminal positions.
fn boards_up_to(seeds: u8, rules: Ruleset, truths: &Truths, random: &mut Lcg) -> Vec<Board> {
    let all = truths.keys().filter(|board| board.seeds() <= 2).copied();
    let mut boards: Vec<Board> = all.collect();
    boards.sort();
    for n in 3..=seeds {
        boards.extend((0..30).map(|_| random_board(usize::from(n), random)));
    }
    boards.retain(|&board| game(rules, board).outcome().is_none());
    boards
}

#[test]
fn the_engine_gets_the_value_of_the_board() {
    const SEEDS: u8 = 7;
    for rules in [Ruleset::AWARI, Ruleset::PRATT, Ruleset::KALAH] {
        let truths = reference::solve(rules, SEEDS);
        for distance in [false, true] {
            let mut random = Lcg(3);
            let tables = tables(rules, SEEDS, distance);
            let mut engine = Engine::new(rules, Some(tables), small_hash());
            let mut won = 0;
            for board in boards_up_to(SEEDS, rules, &truths, &mut random) {
                let value = truths[&board].value;
                let (ending, net) = play_out(&mut engine, game(rules, board), &truths, &mut random);
                assert_eq!(net, value, "{rules}, {distance}: {board:?} {ending:?}");
                won += usize::from(value > 0);
            }
            assert!(won > 50, "{rules}: {won} boards won");
            assert_eq!(engine.table_errors().count(), 0);
        }
    }
}

#[test]
fn the_engine_gets_at_least_the_lower_bound_of_the_board() {
    const SEEDS: u8 = 6;
    for rules in [Ruleset::AWALE, Ruleset::ABAPA, Ruleset::AWALE_INFO] {
        let mut random = Lcg(4);
        let truths = reference::solve(rules, SEEDS);
        let tables = tables(rules, SEEDS, false);
        let mut engine = Engine::new(rules, Some(tables), small_hash());
        let (mut bounded, mut more) = (0, 0);
        for board in boards_up_to(SEEDS, rules, &truths, &mut random) {
            let lower = truths[&board].lower;
            for repetitions in [2, 3] {
                let game = game(rules, board).with_repetitions(repetitions);
                let (ending, net) = play_out(&mut engine, game, &truths, &mut random);
                let context = format!("{rules}, {repetitions}: {board:?} {ending:?} {net} {lower}");
                assert!(net >= lower, "{context}");
                bounded += usize::from(lower > -board.seeds().cast_signed());
                more += usize::from(net > lower);
            }
        }
        assert!(bounded > 50 && more > 0, "{rules}: {bounded}, {more}");
    }
}

/// Only the result is guaranteed: the engine may give up seeds, or risk them for more.
#[test]
fn an_engine_that_plays_for_the_result_keeps_the_guaranteed_one() {
    const SEEDS: u8 = 6;
    for rules in [Ruleset::AWARI, Ruleset::ABAPA, Ruleset::KALAH] {
        let mut random = Lcg(4);
        let truths = reference::solve(rules, SEEDS);
        let tables = tables(rules, SEEDS, false);
        let options = small_hash().with_aim(Aim::Result);
        let mut engine = Engine::new(rules, Some(tables), options);
        let (mut won, mut better) = (0, 0);
        for board in boards_up_to(SEEDS, rules, &truths, &mut random) {
            let truth = truths[&board];
            let value = if rules.has_bounds() {
                truth.lower
            } else {
                truth.value
            };
            let (ending, net) = play_out(&mut engine, game(rules, board), &truths, &mut random);
            let context = format!("{rules}: {board:?} {ending:?} {net} {value}");
            assert!(net.signum() >= value.signum(), "{context}");
            won += usize::from(value > 0);
            better += usize::from(net.signum() > value.signum());
        }
        assert!(won > 50, "{rules}: {won} boards won");
        assert!(better > 0 || !rules.has_bounds(), "{rules}: {better}");
    }
}

/// A random game in which one of the legal moves ends the game by repetition; `None` if
/// the moves did not lead to one.
fn game_near_repetition(rules: Ruleset, random: &mut Lcg) -> Option<Game> {
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

/// The history of the game counts inside the tables too. Where boards have bounds, more of it
/// counts: `tests/engine/histories.rs`.
#[test]
fn moves_that_end_the_game_by_repetition_have_the_value_of_the_end() {
    const SEEDS: u8 = 4;
    for rules in [Ruleset::AWARI, Ruleset::PRATT] {
        let truths = reference::solve(rules, SEEDS);
        for distance in [false, true] {
            let mut random = Lcg(10);
            let tables = tables(rules, SEEDS, distance);
            let mut engine = Engine::new(rules, Some(tables), small_hash());
            let (mut better, mut worse) = (0, 0);
            for _ in 0..3000 {
                let Some(game) = game_near_repetition(rules, &mut random) else {
                    continue;
                };
                let mover = game.to_move();
                let value_of_child = |board: &Board| truths[board].value;
                let value = |step: &Step| {
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
                        _ => (step.value(value_of_child(&step.board)), false),
                    }
                };
                let report = search(&mut engine, &game, &Limits::default()).unwrap();
                let played = game.moves().by_pit()[usize::from(report.pv[0])].unwrap();
                let (best, _) = game.moves().legal().map(|step| value(&step)).max().unwrap();
                assert_eq!(value(&played).0, best, "{rules}, {distance}: {game:?}");
                assert_eq!(report.score.hundredths(), 100 * i16::from(best), "{game:?}");
                let of_board = truths[&game.board()].value;
                better += usize::from(best > of_board);
                worse += usize::from(best < of_board);
            }
            assert!(better > 10 && worse > 0, "{rules}: {better}, {worse}");
        }
    }
}

#[test]
fn the_conversion_search_finds_the_distances_of_the_reference_solver() {
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
        let total = Counters::default();
        let mut clock = Clock::start(&Limits::default(), &stop, &total);
        let mut source = Reference {
            rules,
            truths: &truths,
        };
        let hurries = truth.value > 0;
        let target = truth.value.abs();
        let game = game(rules, board);
        let conversions = ConversionSearch::new(&game, &mut source, &mut clock, target, hurries);
        let mut pits = conversions.best(&board).expect("few boards");
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
        pits.sort_unstable();
        assert_eq!(pits, expected, "{board:?}");
    }
}
