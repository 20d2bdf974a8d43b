//! Results of a search as lines of the protocol.

use krou::engine::{Game, GameResult, Limits, SearchReport, Turn};

/// The answer if there is no legal move.
pub const NO_MOVE: &str = "bestmove 0000";

/// The `info` line for a completed depth.
///
/// The score is the expected final margin for the player to move, with the seeds in
/// the stores; with `shows_result`, a result that is certain follows, in permille of
/// wins, draws and losses.
pub fn info(game: &Game, report: &SearchReport, shows_result: bool) -> String {
    let player = game.to_move();
    let stores = game.stores();
    let [own, other] = [player, player.opponent()].map(|p| i32::from(stores.of(p)));
    let score = 100 * (own - other) + i32::from(report.score.hundredths());
    let millis = report.time.as_millis();
    let nanos = report.time.as_nanos().max(1);
    let speed = u128::from(report.nodes) * 1_000_000_000 / nanos;
    let line: String = turns(game, &report.pv).iter().map(Turn::letter).collect();
    let result = match report.result.filter(|_| shows_result) {
        Some(GameResult::Win) => " wdl 1000 0 0",
        Some(GameResult::Draw) => " wdl 0 1000 0",
        Some(GameResult::Loss) => " wdl 0 0 1000",
        None => "",
    };
    format!(
        "info depth {} seldepth {} score cp {score}{result} nodes {} time {millis} nps {speed} pv {line}",
        report.depth, report.selective_depth, report.nodes
    )
}

/// The line that follows an exact score.
pub const EXACT: &str = "info string the score is exact";

/// The `bestmove` line, with the expected reply if `ponder` is set.
pub fn best_move(game: &Game, report: &SearchReport, ponder: bool) -> String {
    let turns = turns(game, &report.pv);
    let Some(best) = turns.first() else {
        return NO_MOVE.to_owned();
    };
    // There is nothing to ponder if the same player moves again.
    match turns.get(1).filter(|reply| reply.player != best.player) {
        Some(reply) if ponder => {
            format!("bestmove {} ponder {}", best.letter(), reply.letter())
        }
        _ => format!("bestmove {}", best.letter()),
    }
}

/// The limits of a search, for debugging.
pub fn describe_limits(limits: &Limits) -> String {
    let limits = [
        limits.depth.map(|depth| format!("depth {depth}")),
        limits.nodes.map(|nodes| format!("{nodes} nodes")),
        limits.time.map(|time| format!("{} ms", time.as_millis())),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    match limits.is_empty() {
        true => "searching until stop".to_owned(),
        false => format!("searching to {}", limits.join(" or ")),
    }
}

/// The moves of a line, up to the end of the game.
fn turns(game: &Game, line: &[u8]) -> Vec<Turn> {
    let mut game = game.clone();
    let turns = line.iter().map_while(|&pit| game.play(pit).ok());
    turns.collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use krou::engine::Score;
    use krou::rules::{Position, Ruleset};

    use super::*;

    fn game(rules: Ruleset, text: &str) -> Game {
        let position: Position = text.parse().unwrap();
        Game::at(rules, &position).unwrap()
    }

    fn report(score: Score, line: &[u8]) -> SearchReport {
        let mut report = SearchReport::new(score, line.to_vec());
        report.depth = 3;
        report.selective_depth = 7;
        report.nodes = 5000;
        report.time = Duration::from_micros(2500);
        report
    }

    #[test]
    fn the_score_is_the_final_margin_for_the_player_to_move() {
        let rest = "depth 3 seldepth 7 score cp";
        let south = game(Ruleset::AWARI, "4-4-4-4-4-4-4-4-4-0-0-0-7-5-S");
        let line = info(&south, &report(Score::estimate(-45), &[0, 1]), false);
        assert_eq!(
            line,
            format!("info {rest} 155 nodes 5000 time 2 nps 2000000 pv Ab")
        );
        let north = game(Ruleset::AWARI, "4-4-4-4-4-4-4-4-4-0-0-0-7-5-N");
        let mut won = report(Score::exact(1), &[0, 1]);
        won.result = Some(GameResult::Loss);
        let line = info(&north, &won, true);
        assert_eq!(
            line,
            format!("info {rest} -100 wdl 0 0 1000 nodes 5000 time 2 nps 2000000 pv aB")
        );
    }

    #[test]
    fn the_expected_reply_is_printed_if_there_is_one() {
        let start = Game::new(Ruleset::AWARI);
        let found = report(Score::estimate(0), &[5, 1]);
        assert_eq!(best_move(&start, &found, true), "bestmove F ponder b");
        assert_eq!(best_move(&start, &found, false), "bestmove F");
        let without_reply = report(Score::estimate(0), &[5]);
        assert_eq!(best_move(&start, &without_reply, true), "bestmove F");
        // The game is over before the reply.
        let last = game(Ruleset::AWARI, "0-0-0-0-0-1-2-0-0-0-0-1-24-20-S");
        assert_eq!(
            best_move(&last, &report(Score::exact(3), &[5, 5]), true),
            "bestmove F"
        );
        // South moves again, so the second move is not a reply.
        let again = Game::new(Ruleset::KALAH);
        assert_eq!(
            best_move(&again, &report(Score::exact(3), &[2, 5]), true),
            "bestmove C"
        );
    }
}
