//! `krou review`: the seeds that moves gave away, compared with tables and rules.

use std::fs;
use std::path::Path;

use fastrand::Rng;
use krou::engine::{Game, Player, Record, SavedGame, Stores};
use krou::rules::{Bounds, Next, Ruleset, Step};
use krou::tablebase::Tablebase;
use serde_json::Value;
use tempfile::TempDir;

use crate::random;
use crate::support::{build_in, built, call, call_in, call_with, krou_in, open, words};
use crate::svg::Svg;

/// A random game from a board with this many seeds; the stores hold the others.
fn random_game(rules: Ruleset, seeds: u8, random: &mut Rng) -> Record {
    loop {
        let board = random::board(random, seeds);
        let south = (48 - seeds) / 2;
        let stores = Stores {
            south,
            north: 48 - seeds - south,
        };
        let to_move = [Player::South, Player::North][random.usize(..2)];
        let game = Game::from_position(rules, board, stores, to_move).unwrap();
        let mut record = Record::new(game);
        while record.game().outcome().is_none() && record.turns().len() < 80 {
            let steps: Vec<Step> = record.game().moves().legal().collect();
            let step = steps[random.usize(..steps.len())];
            record.play(step.pit).unwrap();
        }
        if !record.turns().is_empty() {
            return record;
        }
    }
}

/// The review of a game as JSON, in a folder with tables or without.
fn review(place: &Path, record: &Record, options: &str) -> Value {
    let text = SavedGame::new(record.clone()).to_string();
    fs::write(place.join("game.ogn"), text).unwrap();
    let line = format!("review game.ogn --json {options}");
    let answer = call_in(place, &words(&line)).good();
    assert_eq!(answer.lines().count(), 1);
    serde_json::from_str(&answer).unwrap()
}

/// Seeds in hundredths.
fn number(value: &Value) -> i64 {
    (value.as_f64().unwrap() * 100.0).round() as i64
}

/// South's lead in hundredths.
fn lead(stores: Stores) -> i64 {
    100 * (i64::from(stores.south) - i64::from(stores.north))
}

/// Compares a review with the tables, move by move; gives the numbers of moves that were
/// exact, that gave seeds away, and that changed the winner.
fn check(tables: &Tablebase, record: &Record, review: &Value) -> [usize; 3] {
    let moves = review["moves"].as_array().unwrap();
    assert_eq!(moves.len(), record.turns().len());
    let mut counts = [0; 3];
    let mut sums = [[0; 2]; 2];
    for (i, ((before, turn), said)) in record.plies().zip(moves).enumerate() {
        let ranked = tables.moves(&before.board()).unwrap();
        let best = ranked[0].result.unwrap();
        let own = ranked.iter().find(|m| m.step == turn.step).unwrap();
        let own = own.result.unwrap();
        let after = record
            .plies()
            .nth(i + 1)
            .map_or(record.game(), |(game, _)| game);
        let sign = if turn.player == Player::South { 1 } else { -1 };
        let (best_value, mut played) = (100 * i64::from(best.value), 100 * i64::from(own.value));
        let mut end = lead(before.stores()) + sign * played;
        if let Some(outcome) = after.outcome() {
            end = lead(outcome.stores);
            let majority = matches!(outcome.ending, krou::engine::Ending::Majority(_));
            played = match majority {
                true => best_value,
                false => sign * (end - lead(before.stores())),
            };
        }
        let worth = tables.probe(&before.board()).unwrap();
        let known = |bounds: Option<Bounds>| bounds.is_none_or(|bounds| bounds.exact().is_some());
        let is_over = after.outcome().is_some();
        let exact = known(worth.bounds) && (is_over || known(own.bounds));
        assert_eq!(said["exact"], exact, "{said}");
        counts[0] += usize::from(exact);
        // Only the end of a game can gain more than the best move.
        let best_value = best_value.max(played);
        assert_eq!(number(&said["best"]), best_value, "{said}");
        assert_eq!(number(&said["played"]), played, "{said}");
        let given = best_value - played;
        assert_eq!(number(&said["given_away"]), given, "{said}");
        counts[1] += usize::from(given > 0);
        sums[usize::from(turn.player == Player::North)][usize::from(!exact)] += given;
        let start = lead(before.stores()) + sign * best_value;
        assert_eq!(number(&said["lead_before"]), start, "{said}");
        assert_eq!(number(&said["lead_after"]), end, "{said}");
        let winner = |lead: i64| match lead {
            0 => "draw",
            1.. => "south",
            _ => "north",
        };
        let turned = said["turned"].as_bool().unwrap();
        if exact {
            assert_eq!(said["winner_before"], winner(start), "{said}");
            assert_eq!(said["winner_after"], winner(end), "{said}");
            assert_eq!(turned, winner(start) != winner(end), "{said}");
        } else {
            assert!(!turned);
        }
        counts[2] += usize::from(turned);
        // The best line can be played, and its first move has the best value.
        let mut line = Record::new(before.clone());
        for letter in said["line"].as_str().unwrap().chars() {
            let (player, pit) = Player::from_letter(letter).unwrap();
            assert_eq!(player, line.game().to_move());
            line.play(pit).unwrap();
        }
        let first = &line.turns()[0].step;
        let first = ranked.iter().find(|m| m.step == *first).unwrap();
        if !is_over {
            assert_eq!(first.result.unwrap().value, best.value, "{said}");
        }
        assert_eq!(said["position"], before.position().to_string());
        assert_eq!(said["move"], turn.letter().to_string());
        assert_eq!(said["pit"], turn.step.pit);
        assert_eq!(said["taken"], turn.taken);
    }
    for (player, sums) in ["south", "north"].into_iter().zip(sums) {
        assert_eq!(number(&review["given_away"][player]["exact"]), sums[0]);
        assert_eq!(number(&review["given_away"][player]["estimated"]), sums[1]);
    }
    assert_eq!(review["exact_moves"], counts[0]);
    assert_eq!(review["estimated_moves"], moves.len() - counts[0]);
    let most = moves
        .iter()
        .map(|m| number(&m["given_away"]))
        .max()
        .unwrap_or(0);
    match review["worst"].as_u64() {
        None => assert_eq!(most, 0),
        Some(worst) => assert_eq!(number(&moves[worst as usize]["given_away"]), most),
    }
    counts
}

#[test]
fn losses_within_the_tables_are_exact() {
    let place = TempDir::new().unwrap();
    let tables = Tablebase::embedded(Ruleset::AWARI);
    let mut random = Rng::with_seed(48);
    let (mut blunders, mut turns) = (0, 0);
    for game in 0..25 {
        let record = random_game(Ruleset::AWARI, 3 + game % 7, &mut random);
        let review = review(place.path(), &record, "");
        let [exact, gave, turned] = check(&tables, &record, &review);
        assert_eq!(exact, record.turns().len());
        assert_eq!(review["rules"], "awari");
        assert_eq!(review["start"], record.start().position().to_string());
        blunders += gave;
        turns += turned;
    }
    assert!(blunders > 50 && turns > 10, "{blunders} and {turns}");
}

#[test]
fn by_side_rulesets_are_exact_with_equal_bounds_only() {
    let place = built("--seeds 6 --rules abapa");
    let tables = open(place.path(), Ruleset::ABAPA);
    let mut random = Rng::with_seed(1);
    let (mut exact, mut moves) = (0, 0);
    for _ in 0..12 {
        let record = random_game(Ruleset::ABAPA, 6, &mut random);
        let review = review(place.path(), &record, "");
        exact += check(&tables, &record, &review)[0];
        moves += record.turns().len();
    }
    assert!(exact > 0 && exact < moves, "{exact} of {moves}");
}

#[test]
fn moving_again_keeps_the_player() {
    let place = built("--seeds 8 --rules kalah");
    let tables = open(place.path(), Ruleset::KALAH);
    let mut random = Rng::with_seed(2);
    let mut again = 0;
    for _ in 0..12 {
        let record = random_game(Ruleset::KALAH, 8, &mut random);
        let steps = record.turns().iter().map(|turn| turn.step.next);
        again += steps.filter(|next| *next == Next::Again).count();
        let review = review(place.path(), &record, "");
        let [exact, ..] = check(&tables, &record, &review);
        assert_eq!(exact, record.turns().len());
    }
    assert!(again > 5, "{again}");
}

/// Estimates are the same every time, and no loss is negative.
#[test]
fn moves_above_the_tables_are_estimates() {
    let place = TempDir::new().unwrap();
    for (rules, seed) in [
        (Ruleset::AWARI, 3),
        (Ruleset::KALAH, 4),
        (Ruleset::ABAPA, 5),
    ] {
        let mut random = Rng::with_seed(seed);
        let record = random_game(rules, 14, &mut random);
        let options = "--depth 3";
        let one = review(place.path(), &record, options);
        assert_eq!(one, review(place.path(), &record, options));
        let moves = one["moves"].as_array().unwrap();
        assert!(moves.iter().any(|m| m["exact"] == false));
        for said in moves {
            assert!(number(&said["given_away"]) >= 0, "{said}");
            assert!(said["exact"] == true || said["turned"] == false, "{said}");
            assert!(!said["line"].as_str().unwrap().is_empty());
        }
        let exact = moves.iter().filter(|m| m["exact"] == true).count();
        assert_eq!(one["exact_moves"], exact);
    }
    // A game that reaches the tables: the last moves are exact.
    let mut random = Rng::with_seed(9);
    let record = random_game(Ruleset::AWARI, 12, &mut random);
    let one = review(place.path(), &record, "--depth 2");
    for ((before, _), said) in record.plies().zip(one["moves"].as_array().unwrap()) {
        let inside = before.board().seeds() <= 9;
        assert!(!inside || said["exact"] == true, "{said}");
    }
    assert!(one["exact_moves"].as_u64().unwrap() > 0);
    review(place.path(), &record, "--movetime 5");
}

/// South gives a won game away; a capture would have kept it.
const BLUNDER: &str = "[FEN \"1-0-0-0-0-1-2-0-0-0-0-1-22-21-S\"]\n\n1. A a\n";

#[test]
fn the_report_is_a_table() {
    let said = call_with(&["review", "-"], BLUNDER).good();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "awari: South against North");
    assert_eq!(lines[1], "from 1-0-0-0-0-1-2-0-0-0-0-1-22-21-S");
    assert!(
        said.lines().all(|line| line.chars().count() <= 80),
        "{said}"
    );
    assert!(said.contains("Worst move: 1. A, "), "{said}");
    assert!(said.ends_with("All 2 moves are exact.\n"), "{said}");
    assert!(!said.contains('~'), "{said}");
    let named = format!("[South \"Ama\"]\n{BLUNDER}");
    let said = call_with(&["review", "-"], named).good();
    assert!(
        said.starts_with("awari: Ama (South) against North\n"),
        "{said}"
    );
    let said = call_with(&words("review - --depth 2"), "FeCb").good();
    assert!(
        said.contains("the tables reach up to 9 seeds; ~ marks estimates"),
        "{said}"
    );
    // Moving again keeps the number of the turn; only the opponent's moves get dots.
    let said = call_with(&words("review - --depth 2 --rules kalah"), "CAcaB").good();
    for name in ["1. C+1 ", "1. A ", "1... c+1 ", "1... a ", "2. B+1 "] {
        assert!(said.contains(&format!("\n{name}")), "{name}: {said}");
    }
    assert!(
        said.contains("there are no tables; ~ marks estimates"),
        "{said}"
    );
}

#[test]
fn bad_games_are_refused_with_one_sentence() {
    let place = TempDir::new().unwrap();
    let huge = vec![b' '; (1 << 20) + 1];
    for (input, expected) in [
        (
            &b""[..],
            "cannot read standard input: the text has neither tags nor moves",
        ),
        (b"[South \"Ama\"]", "standard input has no moves to review"),
        (
            b"F f\nC F",
            "cannot read standard input: line 2: move 2, 'F': it is North's turn",
        ),
        (
            b"1. F c\n2. A c",
            "cannot read standard input: line 2: move 2, 'c': pit 8 is empty",
        ),
        (
            b"F \xff",
            "cannot read standard input: it is not UTF-8 text",
        ),
        (
            &huge,
            "cannot read standard input: it has more than 1048576 bytes",
        ),
    ] {
        let picture = place.path().join("picture.svg");
        let args = ["review", "-", "--plot", picture.to_str().unwrap()];
        assert_eq!(call_with(&args, input).refused(), expected);
        assert!(!picture.exists());
    }
    let said = call(&words("review nowhere.ogn")).refused();
    assert!(said.starts_with("cannot read nowhere.ogn: "), "{said}");
    assert!(
        call(&words("review ."))
            .refused()
            .starts_with("cannot read .: ")
    );
    assert!(call(&words("review")).refused().contains("<FILE>"));
    for options in [
        "--depth 1",
        "--depth 61",
        "--depth x",
        "--movetime 0",
        "--movetime -1",
    ] {
        let option = words(options)[0];
        let said = call_with(&words(&format!("review - {options}")), "F").refused();
        assert!(said.contains(option), "{said}");
    }
}

#[test]
fn plot_draws_the_review() {
    let place = TempDir::new().unwrap();
    let file = place.path().join("picture.svg");
    let args = ["review", "-", "--plot", file.to_str().unwrap()];
    let text = call_with(&args, BLUNDER).good();
    assert_eq!(text, call_with(&args[..2], BLUNDER).good());
    let svg = Svg::read(&file);
    for text in [
        "awari: final lead with best play from each position",
        "moves made",
        "South's final lead, seeds",
        "South wins",
        "North wins",
        "exact",
        "estimate",
        "after a move that gave seeds away",
        "the winner changed",
        "1. A",
    ] {
        assert!(svg.says(text), "{text}");
    }
    // Three points, a ring for the changed winner, and four points of the legend.
    assert_eq!(svg.count("circle"), 3 + 1 + 4);
    let first = fs::read(&file).unwrap();
    call_with(&args, BLUNDER).good();
    assert_eq!(first, fs::read(&file).unwrap(), "the same every time");
    // Another game replaces the first.
    call_with(&[&args[..], &["--depth", "2"]].concat(), "FeCb").good();
    assert_eq!(Svg::read(&file).with("circle", "fill=\"none\""), 5 + 1 + 1);
    assert_eq!(crate::support::names(place.path()), ["picture.svg"]);
}

/// To this depth the review never ends.
#[test]
fn a_killed_review_leaves_no_picture() {
    let place = TempDir::new().unwrap();
    fs::write(place.path().join("game"), "FeCb").unwrap();
    let mut krou = krou_in(place.path())
        .args(words("review game --depth 60 --plot picture.svg"))
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert!(krou.try_wait().unwrap().is_none(), "it reviews still");
    krou.kill().unwrap();
    krou.wait().unwrap();
    assert_eq!(crate::support::names(place.path()), ["game"]);
}

#[test]
fn an_unwritable_picture_is_refused() {
    let place = TempDir::new().unwrap();
    build_in(place.path(), "--seeds 2");
    let folder = place.path().join("folder.svg");
    fs::create_dir(&folder).unwrap();
    for line in ["review game --plot", "stats --plot"] {
        fs::write(place.path().join("game"), BLUNDER).unwrap();
        for path in ["no/folder/a.svg", "folder.svg", "/dev/null", "game/a.svg"] {
            let line = format!("{line} {path}");
            let said = call_in(place.path(), &words(&line)).refused();
            assert!(
                said.starts_with(&format!("cannot write {path}: ")),
                "{said}"
            );
        }
    }
}
