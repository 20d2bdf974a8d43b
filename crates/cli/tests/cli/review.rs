//! `krou review`: what each move gave away, compared with tables and rules.

use std::cmp::Reverse;
use std::fs;
use std::path::Path;

use fastrand::Rng;
use krou::engine::Record;
use krou::engine::{Ending, Game};
use krou::ogn::SavedGame;
use krou::rules::{Bounds, Next, Player, Position, Ruleset, Step, Stores};
use krou::tablebase::{RankedMove, Tablebase};
use serde_json::Value;
use tempfile::TempDir;

use crate::random;
use crate::support::{built, call_in, call_with_input, names, open, words};
use crate::svg::Svg;

/// A random game from a board with this many seeds; the stores hold the rest. It goes on
/// after a majority.
fn random_game(rules: Ruleset, seeds: u8, random: &mut Rng) -> Record {
    loop {
        let board = random::board(random, seeds);
        let south = (48 - seeds) / 2;
        let stores = Stores {
            south,
            north: 48 - seeds - south,
        };
        let to_move = [Player::South, Player::North][random.usize(..2)];
        let game = Game::from_position(rules, Position::new(board, stores, to_move)).unwrap();
        let mut record = Record::new(game);
        while may_go_on(record.game()) && record.turns().len() < 80 {
            let steps: Vec<Step> = record.game().moves().legal().collect();
            let step = steps[random.usize(..steps.len())];
            record.play(step.pit).unwrap();
        }
        if !record.turns().is_empty() {
            return record;
        }
    }
}

/// Whether no seeds have been shared out yet.
fn may_go_on(game: &Game) -> bool {
    let ending = game.outcome().map(|outcome| outcome.ending);
    matches!(ending, None | Some(Ending::Majority(_)))
}

/// The review of a game as JSON, in a folder with or without tables.
fn review(home: &Path, record: &Record, options: &str) -> Value {
    let text = SavedGame::new(record.clone()).to_string();
    fs::write(home.join("game.ogn"), text).unwrap();
    let line = format!("review game.ogn --json {options}");
    let answer = call_in(home, &words(&line)).success();
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

/// What the moves of a player say of the player.
#[derive(Default)]
struct Lesson {
    moves: usize,
    /// In seeds, where there was a choice.
    losses: Vec<f64>,
    /// All, and those that were found.
    only_moves: [usize; 2],
}

impl Lesson {
    #[allow(clippy::cast_precision_loss)]
    fn check(&self, player: &Value) {
        assert_eq!(player["moves"], self.moves);
        assert_eq!(player["choices"], self.losses.len());
        assert_eq!(player["only_moves"], self.only_moves[0]);
        assert_eq!(player["only_moves_found"], self.only_moves[1]);
        let is_near = |field: &str, expected: f64, within: f64| {
            (player[field].as_f64().unwrap() - expected).abs() <= within
        };
        if self.losses.is_empty() {
            assert!(player["accuracy"].is_null() && player["average_loss"].is_null());
            return;
        }
        let choices = self.losses.len() as f64;
        let lost: f64 = self.losses.iter().sum();
        assert!(is_near("average_loss", lost / choices, 0.0051));
        let accuracies = self
            .losses
            .iter()
            .map(|lost| 100.0 * 0.5_f64.powf(lost / 4.0));
        assert!(is_near(
            "accuracy",
            accuracies.sum::<f64>() / choices,
            0.051
        ));
    }
}

/// Whether the first of these moves is better than each other one wherever a repetition is
/// stopped. No board from before may end the game.
fn is_only_move(before: &Game, ranked: &[RankedMove]) -> bool {
    let bounds = |m: &RankedMove| {
        let result = m.result.unwrap();
        let bounds = result.bounds.map(|bounds| (bounds.lower, bounds.upper));
        bounds.unwrap_or((result.value, result.value))
    };
    let least = bounds(&ranked[0]).0;
    let is_best = ranked[1..].iter().all(|m| bounds(m).1 < least);
    ranked.len() > 1 && ranked.iter().all(|m| holds_after(before, m)) && is_best
}

/// Whether no board from before may end the game after a move, or the move itself ends it.
fn holds_after(before: &Game, m: &RankedMove) -> bool {
    let mut after = before.clone();
    after.play(m.step.pit).unwrap();
    after.bounds_hold() || net_of_repetition(before, &m.step).is_some()
}

/// The bounds of the best of these moves.
fn bounds_of_best(ranked: &[RankedMove]) -> Option<Bounds> {
    let bounds = ranked.iter().map(|m| m.result.unwrap().bounds);
    bounds.reduce(|one, other| {
        Some(Bounds {
            lower: one?.lower.max(other?.lower),
            upper: one?.upper.max(other?.upper),
        })
    })?
}

/// At most three moves, and no other one gave away more.
fn check_key_moments(review: &Value) {
    let losses = review["moves"].as_array().unwrap().iter();
    let mut losses: Vec<i64> = losses.map(|m| number(&m["given_away"])).collect();
    let moments = review["key_moments"].as_array().unwrap().iter();
    let moments: Vec<usize> = moments
        .map(|place| place.as_u64().unwrap() as usize)
        .collect();
    assert!(moments.is_sorted_by(|a, b| a < b));
    let mut most: Vec<i64> = moments.iter().map(|&place| losses[place]).collect();
    most.sort_unstable_by_key(|loss| -loss);
    losses.retain(|&loss| loss > 0);
    losses.sort_unstable_by_key(|loss| -loss);
    losses.truncate(3);
    assert_eq!(most, losses);
}

/// The moves of a game, best first: those that end it by repetition have the value of that end.
fn ranked_moves(tables: &Tablebase, before: &Game) -> Vec<RankedMove> {
    let mut ranked = tables.moves(&before.board()).unwrap();
    for m in &mut ranked {
        if let Some(net) = net_of_repetition(before, &m.step) {
            let result = m.result.as_mut().unwrap();
            result.value = net;
            if let Some(bounds) = &mut result.bounds {
                *bounds = Bounds::of_value(net);
            }
        }
    }
    ranked.sort_by_key(|m| {
        let result = m.result.unwrap();
        Reverse((result.value, result.bounds.map(|bounds| bounds.lower)))
    });
    ranked
}

/// What a move that ends the game by repetition gives to the player who makes it.
fn net_of_repetition(before: &Game, step: &Step) -> Option<i8> {
    let mut after = before.clone();
    after.play(step.pit).unwrap();
    let outcome = after.outcome()?;
    let sign = if before.to_move() == Player::South {
        1
    } else {
        -1
    };
    let won = sign * (lead(outcome.stores) - lead(before.stores())) / 100;
    (outcome.ending == Ending::Repetition).then_some(won as i8)
}

/// The first move of the best line, which can be played.
fn first_of_line(before: &Game, reviewed: &Value) -> Step {
    let mut line = Record::new(before.clone());
    for letter in reviewed["line"].as_str().unwrap().chars() {
        let (player, pit) = Player::from_letter(letter).unwrap();
        assert_eq!(player, line.game().to_move());
        line.play(pit).unwrap();
    }
    line.turns()[0].step
}

/// Compares a review with the tables, move by move; returns the numbers of moves that are
/// exact, that gave seeds away, and that are turning points.
fn check_review(tables: &Tablebase, record: &Record, review: &Value) -> [usize; 3] {
    let moves = review["moves"].as_array().unwrap();
    assert_eq!(moves.len(), record.turns().len());
    let mut counts = [0; 3];
    let mut lessons: [Lesson; 2] = Default::default();
    for (i, ((before, turn), reviewed)) in record.plies().zip(moves).enumerate() {
        let ranked = ranked_moves(tables, before);
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
        let is_over = !may_go_on(after);
        if let Some(outcome) = after.outcome().filter(|_| is_over) {
            end = lead(outcome.stores);
            played = sign * (end - lead(before.stores()));
        }
        // The seeds are known, or who wins is.
        let is_decided = |bounds: Option<Bounds>| {
            bounds.is_none_or(|Bounds { lower, upper }| {
                let at = i64::from(before.lead(turn.player));
                let sign = |bound: i8| (at + i64::from(bound)).signum();
                lower == upper || sign(lower) == sign(upper) && sign(lower) != 0
            })
        };
        // A board from before may end the game.
        let holds = before.bounds_hold() || ranked.iter().all(|m| holds_after(before, m));
        let of_best = holds && is_decided(bounds_of_best(&ranked));
        let of_own = after.bounds_hold() && is_decided(own.bounds);
        let exact = of_best && (is_over || of_own);
        assert_eq!(reviewed["exact"], exact, "{reviewed}");
        counts[0] += usize::from(exact);
        assert_eq!(number(&reviewed["best"]), best_value, "{reviewed}");
        assert_eq!(number(&reviewed["played"]), played, "{reviewed}");
        let given_away = best_value - played;
        assert_eq!(number(&reviewed["given_away"]), given_away, "{reviewed}");
        counts[1] += usize::from(given_away > 0);
        let is_only_move = is_only_move(before, &ranked);
        assert_eq!(reviewed["only_move"], is_only_move, "{reviewed}");
        assert_eq!(reviewed["choices"], ranked.len());
        let lesson = &mut lessons[usize::from(turn.player == Player::North)];
        lesson.moves += 1;
        if ranked.len() > 1 {
            lesson.losses.push(reviewed["given_away"].as_f64().unwrap());
        }
        lesson.only_moves[0] += usize::from(is_only_move);
        lesson.only_moves[1] += usize::from(is_only_move && given_away == 0);
        let start = lead(before.stores()) + sign * best_value;
        assert_eq!(number(&reviewed["lead_before"]), start, "{reviewed}");
        assert_eq!(number(&reviewed["lead_after"]), end, "{reviewed}");
        let winner = |lead: i64| match lead {
            0 => "draw",
            1.. => "south",
            _ => "north",
        };
        let is_turning_point = reviewed["turning_point"].as_bool().unwrap();
        if exact {
            assert_eq!(reviewed["winner_before"], winner(start), "{reviewed}");
            assert_eq!(reviewed["winner_after"], winner(end), "{reviewed}");
            assert_eq!(is_turning_point, winner(start) != winner(end), "{reviewed}");
        } else if is_turning_point {
            // Bounds that are not equal may decide who wins all the same.
            assert!(turns(reviewed), "{reviewed}");
        }
        let word = |game: &Game| Some(game.outcome()?.ending.as_str());
        let ending = word(after).filter(|&ending| word(before) != Some(ending));
        assert_eq!(reviewed["ending"].as_str(), ending, "{reviewed}");
        counts[2] += usize::from(is_turning_point);
        let first = first_of_line(before, reviewed);
        let first = ranked.iter().find(|m| m.step == first).unwrap();
        assert_eq!(first.result.unwrap().value, best.value, "{reviewed}");
        assert_eq!(reviewed["position"], before.position().to_string());
        assert_eq!(reviewed["letter"], turn.letter().to_string());
        assert_eq!(reviewed["pit"], turn.step.pit);
        assert_eq!(reviewed["taken"], turn.taken);
        assert!(!exact || reviewed["depth"] == 0, "{reviewed}");
    }
    for (player, lesson) in ["south", "north"].into_iter().zip(lessons) {
        lesson.check(&review["players"][player]);
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
    check_key_moments(review);
    counts
}

#[test]
fn moves_within_the_tables_are_exact() {
    let home = TempDir::new().unwrap();
    let tables = Tablebase::embedded(Ruleset::AWARI);
    let mut random = Rng::with_seed(48);
    let (mut blunders, mut turns) = (0, 0);
    for game in 0..25 {
        let record = random_game(Ruleset::AWARI, 3 + game % 7, &mut random);
        let review = review(home.path(), &record, "");
        let [exact, gave_away, turning_points] = check_review(&tables, &record, &review);
        assert_eq!(exact, record.turns().len());
        assert_eq!(review["rules"], "awari");
        assert_eq!(review["start"], record.start().position().to_string());
        blunders += gave_away;
        turns += turning_points;
    }
    assert!(blunders > 50 && turns > 10, "{blunders} and {turns}");
}

#[test]
fn by_side_moves_are_exact_where_bounds_decide_the_result() {
    let home = built("--seeds 6 --rules abapa");
    let tables = open(home.path(), Ruleset::ABAPA);
    let mut random = Rng::with_seed(1);
    let (mut exact, mut moves) = (0, 0);
    for _ in 0..12 {
        let record = random_game(Ruleset::ABAPA, 6, &mut random);
        let review = review(home.path(), &record, "");
        exact += check_review(&tables, &record, &review)[0];
        moves += record.turns().len();
    }
    assert!(exact > 0 && exact < moves, "{exact} of {moves}");
}

#[test]
fn moving_again_keeps_the_player() {
    let home = built("--seeds 8 --rules kalah");
    let tables = open(home.path(), Ruleset::KALAH);
    let mut random = Rng::with_seed(2);
    let mut again = 0;
    for _ in 0..12 {
        let record = random_game(Ruleset::KALAH, 8, &mut random);
        let steps = record.turns().iter().map(|turn| turn.step.next);
        again += steps.filter(|next| *next == Next::Again).count();
        let review = review(home.path(), &record, "");
        let [exact, ..] = check_review(&tables, &record, &review);
        assert_eq!(exact, record.turns().len());
    }
    assert!(again > 5, "{again}");
}

/// Whether the winner is known before and after a move, and is another one.
fn turns(reviewed: &Value) -> bool {
    let [before, after] = ["winner_before", "winner_after"].map(|name| reviewed[name].as_str());
    before.is_some() && after.is_some() && before != after
}

/// Estimates are reproducible, and no move gives away less than nothing.
#[test]
fn moves_above_the_tables_are_estimates() {
    let home = TempDir::new().unwrap();
    for (rules, seed) in [
        (Ruleset::AWARI, 3),
        (Ruleset::KALAH, 4),
        (Ruleset::ABAPA, 5),
    ] {
        let mut random = Rng::with_seed(seed);
        let record = random_game(rules, 14, &mut random);
        let options = "--depth 3";
        let first = review(home.path(), &record, options);
        assert_eq!(first, review(home.path(), &record, options));
        let moves = first["moves"].as_array().unwrap();
        assert!(moves.iter().any(|m| m["exact"] == false));
        for reviewed in moves {
            assert!(number(&reviewed["given_away"]) >= 0, "{reviewed}");
            assert!(
                reviewed["turning_point"] == false || turns(reviewed),
                "{reviewed}"
            );
            assert!(!reviewed["line"].as_str().unwrap().is_empty());
        }
        let exact = moves.iter().filter(|m| m["exact"] == true).count();
        assert_eq!(first["exact_moves"], exact);
    }
    // In a game that reaches the tables the last moves are exact.
    let mut random = Rng::with_seed(9);
    let record = random_game(Ruleset::AWARI, 12, &mut random);
    let first = review(home.path(), &record, "--depth 2");
    for ((before, _), reviewed) in record.plies().zip(first["moves"].as_array().unwrap()) {
        let inside = before.board().seeds() <= 9;
        assert!(!inside || reviewed["exact"] == true, "{reviewed}");
    }
    assert!(first["exact_moves"].as_u64().unwrap() > 0);
    review(home.path(), &record, "--time 5");
}

/// South loses a won game; a capture would have won it.
const BLUNDER: &str = "[Variant \"awari\"] [FEN \"1-0-0-0-0-1-2-0-0-0-0-1-22-21-S\"]\n\n1. A a\n";

#[test]
fn plot_draws_the_review() {
    let home = TempDir::new().unwrap();
    let file = home.path().join("picture.svg");
    let args = ["review", "-", "--plot", file.to_str().unwrap()];
    call_with_input(&args, BLUNDER).success();
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
        assert!(svg.has_text(text), "{text}");
    }
    assert_eq!(svg.with("svg", "role=\"img\""), 1);
    assert_eq!(svg.count("title"), 1);
    // Three points, a ring for the changed winner, and four points of the legend.
    assert_eq!(svg.count("circle"), 3 + 1 + 4);
    // Another game replaces the first.
    call_with_input(&[&args[..], &["--depth", "2"]].concat(), "FeCb").success();
    assert_eq!(Svg::read(&file).with("circle", "fill=\"none\""), 5 + 1 + 1);
    assert_eq!(names(home.path()), ["picture.svg"]);
}
