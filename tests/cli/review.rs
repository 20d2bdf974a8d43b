//! `krou review`: what moves gave away, held to the tables and to the rules.

use std::fs;
use std::path::Path;

use krou::engine::{Game, Player, Record, SavedGame, Stores};
use krou::rules::{Board, Bounds, Next, Ruleset, Step};
use krou::tablebase::Tablebase;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{build_in, built, call, call_in, call_with, open, words};
use crate::svg::Svg;

/// Knuth's MMIX generator: the games are the same on every machine.
fn random(state: &mut u64) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

/// A board with so many seeds and stores that make up the rest of a game, played on
/// at random.
fn random_game(rules: Ruleset, seeds: u8, state: &mut u64) -> Record {
    loop {
        let mut pits = [0; 12];
        for _ in 0..seeds {
            pits[random(state) % 12] += 1;
        }
        let south = (48 - seeds) / 2;
        let stores = Stores {
            south,
            north: 48 - seeds - south,
        };
        let to_move = [Player::South, Player::North][random(state) % 2];
        let board = Board::new(pits).unwrap();
        let game = Game::from_position(rules, board, stores, to_move).unwrap();
        let mut record = Record::new(game);
        while record.game().outcome().is_none() && record.turns().len() < 80 {
            let steps: Vec<Step> = record.game().moves().legal().collect();
            let step = steps[random(state) % steps.len()];
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

/// Holds a review to the tables, move by move; gives how many moves were exact, gave
/// something away, and turned the game.
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
        // Only the end of a game can give more than the best move.
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
        // The best line can be played, and is worth what it says as far as it goes.
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
fn inside_the_tables_every_loss_is_exact() {
    let place = TempDir::new().unwrap();
    let tables = Tablebase::embedded(Ruleset::AWARI);
    let (mut state, mut blunders, mut turns) = (48, 0, 0);
    for game in 0..25 {
        let record = random_game(Ruleset::AWARI, 3 + game % 7, &mut state);
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
fn where_loops_are_settled_by_side_only_equal_bounds_are_exact() {
    let place = built("--seeds 6 --rules abapa");
    let tables = open(place.path(), Ruleset::ABAPA);
    let (mut state, mut exact, mut moves) = (1, 0, 0);
    for _ in 0..12 {
        let record = random_game(Ruleset::ABAPA, 6, &mut state);
        let review = review(place.path(), &record, "");
        exact += check(&tables, &record, &review)[0];
        moves += record.turns().len();
    }
    assert!(exact > 0 && exact < moves, "{exact} of {moves}");
}

#[test]
fn whoever_moves_again_is_the_same_player() {
    let place = built("--seeds 8 --rules kalah");
    let tables = open(place.path(), Ruleset::KALAH);
    let (mut state, mut again) = (2, 0);
    for _ in 0..12 {
        let record = random_game(Ruleset::KALAH, 8, &mut state);
        let steps = record.turns().iter().map(|turn| turn.step.next);
        again += steps.filter(|next| *next == Next::Again).count();
        let review = review(place.path(), &record, "");
        let [exact, ..] = check(&tables, &record, &review);
        assert_eq!(exact, record.turns().len());
    }
    assert!(again > 5, "{again}");
}

/// Above the tables: estimates, the same every time, and never less than nothing.
#[test]
fn above_the_tables_are_estimates() {
    let place = TempDir::new().unwrap();
    for (rules, seed) in [
        (Ruleset::AWARI, 3),
        (Ruleset::KALAH, 4),
        (Ruleset::ABAPA, 5),
    ] {
        let mut state = seed;
        let record = random_game(rules, 14, &mut state);
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
    // Down into the tables: the last moves are exact again.
    let mut state = 9;
    let record = random_game(Ruleset::AWARI, 12, &mut state);
    let one = review(place.path(), &record, "--depth 2");
    for ((before, _), said) in record.plies().zip(one["moves"].as_array().unwrap()) {
        let inside = before.board().seeds() <= 9;
        assert!(!inside || said["exact"] == true, "{said}");
    }
    assert!(one["exact_moves"].as_u64().unwrap() > 0);
    review(place.path(), &record, "--movetime 5");
}

/// South had won and gives it away; a capture would have kept it.
const BLUNDER: &str = "[FEN \"1-0-0-0-0-1-2-0-0-0-0-1-22-21-S\"]\n\n1. A a\n";

#[test]
fn people_read_a_table() {
    let said = call_with(&["review", "-"], BLUNDER).good();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "awari: South against North");
    assert_eq!(lines[1], "from 1-0-0-0-0-1-2-0-0-0-0-1-22-21-S");
    assert!(
        said.lines().all(|line| line.chars().count() <= 80),
        "{said}"
    );
    assert!(said.contains("The worst was 1. A: "), "{said}");
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
    // Who moves again keeps his number, and only the other one gets dots.
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
fn what_is_no_game_is_refused_in_a_sentence() {
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
fn a_review_is_drawn() {
    let place = TempDir::new().unwrap();
    let file = place.path().join("picture.svg");
    let args = ["review", "-", "--plot", file.to_str().unwrap()];
    let text = call_with(&args, BLUNDER).good();
    assert_eq!(text, call_with(&args[..2], BLUNDER).good());
    let svg = Svg::read(&file);
    for text in [
        "awari: how the game ends if both play their best from there",
        "moves made",
        "South's lead in the end, seeds",
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
    // Three points, the ring of the one that turned, and the four of the legend.
    assert_eq!(svg.count("circle"), 3 + 1 + 4);
    let first = fs::read(&file).unwrap();
    call_with(&args, BLUNDER).good();
    assert_eq!(first, fs::read(&file).unwrap(), "the same every time");
    // Another game in the stead of the first.
    call_with(&[&args[..], &["--depth", "2"]].concat(), "FeCb").good();
    assert_eq!(Svg::read(&file).with("circle", "fill=\"none\""), 5 + 1 + 1);
    assert_eq!(crate::support::names(place.path()), ["picture.svg"]);
}

/// Half a second is more than it takes to begin, and far less than to end.
#[test]
fn a_review_that_is_broken_off_leaves_nothing_behind() {
    let place = TempDir::new().unwrap();
    fs::write(place.path().join("game"), "FeCb").unwrap();
    let mut krou = std::process::Command::new(env!("CARGO_BIN_EXE_krou"))
        .current_dir(place.path())
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
fn a_picture_that_cannot_be_written_is_told_in_a_sentence() {
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
