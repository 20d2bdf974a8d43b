//! What is exact in the middle of a game: the engine and reviews against all games with their
//! histories, on a few seeds.
//!
//! Bounds of a board are those of play that begins there. In a game a board visited before may
//! end it, so that its value lies outside them.

use std::collections::HashMap;

use fastrand::Rng;
use krou::engine::{Aim, Ending, Engine, Game, GameResult, Limits, SearchReport};
use krou::engine::{Record, Reviewer};
use krou::rules::row_seeds;
use krou::rules::{Board, Bounds, Next, Player, Ruleset, Step};
use krou::tablebase::{RankedMove, Tablebase};

use crate::support::{game, random_board, search, small_hash, tables};

const SEEDS: u8 = 3;

/// Values of games with their histories, by trying all moves.
struct Histories {
    tables: Tablebase,
    repetitions: u8,
    /// Whether the mover gets this much at least on a board since whose last capture nothing
    /// else has occurred.
    fresh: HashMap<(Board, i8), bool>,
}

impl Histories {
    fn new(tables: &Tablebase, repetitions: u8) -> Histories {
        Histories {
            tables: tables.clone(),
            repetitions,
            fresh: HashMap::new(),
        }
    }

    /// The value of the rest of a game, for the player to move.
    fn value(&mut self, game: &Game) -> i8 {
        if let Some(outcome) = game.outcome().filter(|_| !game.can_go_on()) {
            let [own, other] = [game.to_move(), game.to_move().opponent()];
            let margin =
                outcome.stores.of(own).cast_signed() - outcome.stores.of(other).cast_signed();
            return margin - game.lead(own);
        }
        let most = game.board().seeds().cast_signed();
        let mut values = (-most..=most).rev();
        let secured = values.find(|&least| self.secures(game, least));
        secured.expect("nobody loses more than all seeds")
    }

    fn secures(&mut self, game: &Game, least: i8) -> bool {
        let (player, board) = (game.to_move(), game.board());
        self.goes_on(game, &mut Vec::new(), player, board, least)
    }

    /// The same from a board after the current one of a game, by a path of quiet moves.
    fn secures_at(
        &mut self,
        game: &Game,
        path: &mut Vec<(Player, Board)>,
        player: Player,
        board: Board,
        least: i8,
    ) -> bool {
        if let Some(net) = self.tables.rules().moves(&board).terminal_value() {
            return net >= least;
        }
        let on_path = path.iter().filter(|&&seen| seen == (player, board));
        let times = usize::from(game.times_seen(player, &board)) + on_path.count();
        if times + 1 >= usize::from(self.repetitions) {
            let [own, other] = [board.mover(), board.opponent()].map(|row| row_seeds(&row));
            return own.cast_signed() - other.cast_signed() >= least;
        }
        path.push((player, board));
        let secures = self.goes_on(game, path, player, board, least);
        path.pop();
        secures
    }

    fn goes_on(
        &mut self,
        game: &Game,
        path: &mut Vec<(Player, Board)>,
        player: Player,
        board: Board,
        least: i8,
    ) -> bool {
        let seeds = board.seeds();
        if least.unsigned_abs() > seeds {
            return least < 0;
        }
        let mut steps: Vec<Step> = self.tables.rules().moves(&board).legal().collect();
        // The order decides how many moves have to be tried.
        steps.sort_by_cached_key(|step| {
            let bounds = match step.next {
                Next::Over => Bounds { lower: 0, upper: 0 },
                _ => self.tables.bounds(&step.board).unwrap(),
            };
            let seen = game.times_seen(player.opponent(), &step.board);
            (-step.bounds(bounds).lower, step.is_quiet(seeds), seen)
        });
        steps.iter().any(|step| match step.next {
            Next::Over => step.gain >= least,
            Next::Opponent if step.is_quiet(seeds) => {
                !self.secures_at(game, path, player.opponent(), step.board, 1 - least)
            }
            _ => !self.secures_fresh(step.board, step.gain - least + 1),
        })
    }

    fn secures_fresh(&mut self, board: Board, least: i8) -> bool {
        if let Some(&known) = self.fresh.get(&(board, least)) {
            return known;
        }
        let game = new_game(self.tables.rules(), board, self.repetitions);
        let secures = match game.moves().terminal_value() {
            Some(net) => net >= least,
            None => self.secures(&game, least),
        };
        self.fresh.insert((board, least), secures);
        secures
    }
}

fn result_of(value: i8) -> GameResult {
    match value {
        0 => GameResult::Draw,
        1.. => GameResult::Win,
        _ => GameResult::Loss,
    }
}

fn new_game(rules: Ruleset, board: Board, repetitions: u8) -> Game {
    game(rules, board).with_repetitions(repetitions)
}

/// A record of random quiet moves, so that boards of the layer have occurred.
fn random_record(rules: Ruleset, most: u8, repetitions: u8, random: &mut Rng) -> Option<Record> {
    let board = random_board(random.usize(2..=usize::from(most)), random);
    let mut record = Record::new(new_game(rules, board, repetitions));
    for _ in 0..random.usize(..30) {
        let game = record.game();
        let seeds = game.board().seeds();
        let moves = game.moves();
        let quiet = moves.legal().filter(|step| step.is_quiet(seeds));
        let step = random.choice(quiet.collect::<Vec<Step>>())?;
        let mut after = game.clone();
        after.play(step.pit).unwrap();
        if after.outcome().is_none() {
            record.play(step.pit).unwrap();
        }
    }
    record.game().outcome().is_none().then_some(record)
}

/// What a move is worth in a game to the player who makes it.
fn after_move(game: &Game, pit: u8, histories: &mut Histories) -> i8 {
    let mut after = game.clone();
    let turn = after.play(pit).unwrap();
    let rest = histories.value(&after);
    let same = after.to_move() == game.to_move();
    turn.taken.cast_signed() - turn.given.cast_signed() + if same { rest } else { -rest }
}

/// What is claimed about the value of a game.
fn check(claimed: Bounds, is_exact: bool, hundredths: i16, value: i8, context: &str) {
    assert!(
        claimed.lower <= value && value <= claimed.upper,
        "{context}"
    );
    assert!(
        !is_exact || hundredths == 100 * i16::from(value),
        "{context}"
    );
}

/// What a report claims, where `value` is that of the game.
fn check_report(report: &SearchReport, game: &Game, value: i8, histories: &mut Histories) {
    let context = format!("{game:?} is worth {value}: {report:?}");
    let score = report.score;
    check(
        report.proven,
        score.is_exact(),
        score.hundredths(),
        value,
        &context,
    );
    for line in report.lines() {
        let value = after_move(game, line.pv[0], histories);
        let context = format!("{context}, {} is worth {value}", line.pv[0]);
        if line.pv != report.pv {
            check(
                line.proven,
                line.score.is_exact(),
                line.score.hundredths(),
                value,
                &context,
            );
        }
    }
}

#[test]
fn what_is_exact_holds_in_the_game_with_its_history() {
    for (rules, repetitions) in [
        (Ruleset::ABAPA, 2),
        (Ruleset::ABAPA, 3),
        (Ruleset::AWALE_INFO, 2),
    ] {
        let small = tables(rules, SEEDS);
        let mut histories = Histories::new(&small, repetitions);
        let mut random = Rng::with_seed(16);
        let mut engines: Vec<Engine> = [Some(small.clone()), None]
            .into_iter()
            .flat_map(|tables| [Aim::Seeds, Aim::Result].map(|aim| (tables.clone(), aim)))
            .map(|(tables, aim)| Engine::new(rules, tables, small_hash().with_aim(aim)))
            .collect();
        // Exact scores on fresh boards and after others, and bounds that do not hold.
        let (mut fresh, mut later, mut outside, mut kept) = (0, 0, 0, 0);
        for round in 0..1500 {
            let Some(record) = random_record(rules, SEEDS, repetitions, &mut random) else {
                continue;
            };
            let game = record.game();
            let value = histories.value(game);
            let bounds = small.bounds(&game.board()).unwrap();
            let is_outside = value < bounds.lower || bounds.upper < value;
            outside += usize::from(is_outside);
            let limits = Limits::default().with_depth(8);
            let limits = limits.with_lines(1 + round % 2 * 5);
            for (number, engine) in engines.iter_mut().enumerate() {
                let report = search(engine, game, &limits).unwrap();
                check_report(&report, game, value, &mut histories);
                let result = report.result.unwrap_or(result_of(value));
                assert_eq!(result, result_of(value), "{report:?}");
                if number > 0 {
                    continue;
                }
                let is_exact = report.score.is_exact();
                assert!(!is_outside || !is_exact);
                match record.turns().is_empty() {
                    true => fresh += usize::from(is_exact),
                    false => later += usize::from(is_exact),
                }
                if is_outside {
                    let played = after_move(game, report.pv[0], &mut histories);
                    kept += usize::from(played == value);
                }
            }
        }
        let context = format!("{rules}, {repetitions}: {fresh} {later} {outside} {kept}");
        assert!(fresh > 50 && outside > 5, "{context}");
        // A quiet move leaves nothing certain where the second occurrence ends the game.
        assert_eq!(later > 50, repetitions > 2, "{context}");
        assert!(10 * kept >= 9 * outside, "{context}");
    }
}

/// Reviews count a score as exact, and a winner as certain, only if that holds in the game.
#[test]
fn reviews_claim_nothing_that_the_history_changes() {
    for repetitions in [2, 3] {
        let rules = Ruleset::ABAPA;
        let small = tables(rules, SEEDS);
        let mut histories = Histories::new(&small, repetitions);
        let mut random = Rng::with_seed(17);
        let limits = Limits::default().with_depth(4);
        let mut reviewer = Reviewer::new(small.clone(), small_hash(), limits);
        let (mut exact, mut outside, mut only) = (0, 0, 0);
        for _ in 0..300 {
            let Some(record) = random_record(rules, SEEDS, repetitions, &mut random) else {
                continue;
            };
            for (place, (before, turn)) in record.plies().enumerate() {
                let reviewed = reviewer.review_move(&record, place).unwrap();
                let best = histories.value(before);
                let played = after_move(before, turn.step.pit, &mut histories);
                let context = format!("{before:?}, {best}, {played}: {reviewed:?}");
                for (score, value) in [(reviewed.best, best), (reviewed.played, played)] {
                    let claimed = 100 * i16::from(value);
                    let is_right = score.hundredths() == claimed;
                    assert!(is_right || !score.is_exact(), "{context}");
                    exact += usize::from(score.is_exact());
                    outside += usize::from(!is_right);
                }
                let south = match turn.player {
                    Player::South => 1,
                    Player::North => -1,
                };
                let winners =
                    [best, played].map(|value| match south * value + before.lead(Player::South) {
                        0 => None,
                        1.. => Some(Player::South),
                        _ => Some(Player::North),
                    });
                for (forecast, winner) in [reviewed.before, reviewed.after].into_iter().zip(winners)
                {
                    let is_right = forecast.winner() == winner;
                    assert!(is_right || !forecast.has_certain_winner(), "{context}");
                }
                if reviewed.has_only_move {
                    only += 1;
                    let moves = before.moves();
                    let values = moves
                        .legal()
                        .map(|step| after_move(before, step.pit, &mut histories));
                    assert_eq!(
                        values.filter(|&value| value == best).count(),
                        1,
                        "{context}"
                    );
                }
            }
        }
        assert!(exact > 100 && outside > 5, "{exact} {outside}");
        assert_eq!(only > 5, repetitions > 2, "{only}");
    }
}

/// A move that ends the game by repetition is measured by the best of the others and of that
/// end: nothing better is offered that begins with the move itself.
#[test]
fn a_move_that_repeats_is_never_its_own_better_move() {
    for repetitions in [2, 3] {
        let rules = Ruleset::ABAPA;
        let tables = Tablebase::embedded(rules);
        let mut reviewer = Reviewer::new(tables.clone(), small_hash(), Limits::default());
        let mut random = Rng::with_seed(67);
        let (mut ends, mut charged) = (0, 0);
        while ends < 200 {
            let Some(record) = random_record(rules, 8, repetitions, &mut random) else {
                continue;
            };
            let before = record.game().clone();
            let net = |step: &Step| {
                let mut after = before.clone();
                after.play(step.pit).unwrap();
                let outcome = after.outcome()?;
                let mover = before.to_move();
                let [own, other] = [mover, mover.opponent()].map(|p| outcome.stores.of(p));
                let won = own.cast_signed() - other.cast_signed() - before.lead(mover);
                (outcome.ending == Ending::Repetition).then_some(won)
            };
            let ranked = tables.moves(&before.board()).unwrap();
            let worth = |m: &RankedMove| match net(&m.step) {
                Some(won) => won,
                None => m.result.unwrap().value,
            };
            let best = ranked.iter().map(worth).max().unwrap();
            for repeating in ranked.iter().filter(|m| net(&m.step).is_some()) {
                let mut ended = record.clone();
                ended.play(repeating.step.pit).unwrap();
                let place = ended.turns().len() - 1;
                let reviewed = reviewer.review_move(&ended, place).unwrap();
                let lost = 100 * i16::from(best - worth(repeating));
                let context = format!("{before:?}: {reviewed:?}");
                assert_eq!(reviewed.given_away(), lost, "{context}");
                let own = reviewed.turn.letter().to_string();
                assert!(lost == 0 || !reviewed.pv.starts_with(&own), "{context}");
                ends += 1;
                charged += usize::from(lost > 0);
            }
        }
        assert!(charged > 1, "{charged}");
    }
}

/// Where the best line of a search begins with the played move, nothing was given away.
#[test]
fn the_best_line_is_not_better_than_itself() {
    let rules = Ruleset::ABAPA;
    let tables = Tablebase::embedded(rules);
    let mut random = Rng::with_seed(69);
    let (mut same, mut given_away) = (0, 0);
    for depth in [2, 3] {
        let limits = Limits::default().with_depth(depth);
        let mut reviewer = Reviewer::new(tables.clone(), small_hash(), limits);
        for _ in 0..15 {
            // A capture or two away from the tables.
            let board = random_board(random.usize(10..=13), &mut random);
            let mut record = Record::new(new_game(rules, board, 3));
            while record.game().outcome().is_none() && record.turns().len() < 12 {
                let steps: Vec<Step> = record.game().moves().legal().collect();
                record.play(random.choice(steps).unwrap().pit).unwrap();
            }
            for reviewed in reviewer.review(&record, |_| ()).moves {
                let own = reviewed.turn.letter().to_string();
                let is_same = reviewed.pv.starts_with(&own);
                assert!(!is_same || reviewed.given_away() == 0, "{reviewed:?}");
                same += usize::from(is_same);
                given_away += usize::from(reviewed.given_away() > 0);
            }
        }
    }
    assert!(same > 30 && given_away > 30, "{same} {given_away}");
}
