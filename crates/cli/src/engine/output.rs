//! Results of a search as lines of the protocol.

use krou::engine::{Game, GameResult, Limits, SearchLine, SearchReport, Turn};
use krou::tablebase::Tablebase;

/// The most plies of a line that tables lengthen.
const LONGEST_LINE: usize = 300;

/// The answer if there is no legal move.
pub const NO_MOVE: &str = "bestmove 0000";

/// What `info` lines show.
pub struct Info<'g> {
    pub game: &'g Game,
    /// They know how exact lines go on.
    pub tables: &'g Tablebase,
    /// Whether a result that is certain is shown, in permille of wins, draws and losses.
    pub shows_result: bool,
    /// Whether there may be several lines, each with its number.
    pub has_lines: bool,
}

impl Info<'_> {
    /// The lines for a completed depth, or for a bound of the next one.
    ///
    /// A score is the expected final margin for the player to move, with the seeds in the
    /// stores.
    pub fn lines(&self, report: &SearchReport) -> Vec<String> {
        let mut first = SearchLine::new(report.score, report.pv.clone());
        first.result = report.result;
        // A bound belongs to the depth that is not complete.
        first.depth = report.depth.saturating_add(u8::from(report.is_lower_bound));
        // After a bound the other lines have not changed.
        let others = if report.is_lower_bound {
            &[]
        } else {
            &report.others[..]
        };
        let lines = [&[first], others].concat();
        let numbered = (1..).zip(&lines);
        let texts = numbered.flat_map(|(number, line)| {
            let is_lower_bound = report.is_lower_bound && number == 1;
            let note = line.score.is_exact().then(|| match number {
                1 => EXACT.to_owned(),
                _ => format!("{EXACT}, multipv {number}"),
            });
            [Some(self.line(report, number, line, is_lower_bound)), note]
        });
        texts.flatten().collect()
    }

    fn line(
        &self,
        report: &SearchReport,
        number: usize,
        line: &SearchLine,
        is_lower_bound: bool,
    ) -> String {
        let (game, player) = (self.game, self.game.to_move());
        let score = 100 * i32::from(game.lead(player)) + i32::from(line.score.hundredths());
        let multipv = if self.has_lines {
            format!(" multipv {number}")
        } else {
            String::new()
        };
        let bound = if is_lower_bound { " lowerbound" } else { "" };
        let result = match line.result.filter(|_| self.shows_result) {
            Some(GameResult::Win) => " wdl 1000 0 0",
            Some(GameResult::Draw) => " wdl 0 1000 0",
            Some(GameResult::Loss) => " wdl 0 0 1000",
            None => "",
        };
        let SearchReport {
            selective_depth,
            nodes,
            hash_full,
            table_hits,
            ..
        } = report;
        let millis = report.time.as_millis();
        let nanos = report.time.as_nanos().max(1);
        let speed = u128::from(*nodes) * 1_000_000_000 / nanos;
        let pv: String = self.pv(line).iter().map(Turn::letter).collect();
        format!(
            "info depth {} seldepth {selective_depth}{multipv} score cp {score}{bound}{result} \
             nodes {nodes} nps {speed} hashfull {hash_full} tbhits {table_hits} \
             time {millis} pv {pv}",
            line.depth
        )
    }

    /// The moves of a line; those of an exact one go on as far as the tables know the best ones.
    fn pv(&self, line: &SearchLine) -> Vec<Turn> {
        let mut game = self.game.clone();
        let mut moves = play(&mut game, &line.pv);
        if line.score.is_exact() && moves.len() == line.pv.len() && game.can_go_on() {
            let most = LONGEST_LINE.saturating_sub(moves.len());
            // A table that cannot be read has no more to say.
            let rest = self.tables.best_line(&game.board(), most);
            let rest = rest.map_or_else(|_| Vec::new(), |line| line.steps);
            let pits: Vec<u8> = rest.iter().map(|step| step.pit).collect();
            moves.extend(play(&mut game, &pits));
        }
        moves
    }
}

/// The line that follows an exact score.
const EXACT: &str = "info string the score is exact";

/// The `bestmove` line, with the expected reply if `ponder` is set.
pub fn best_move(game: &Game, report: &SearchReport, ponder: bool) -> String {
    let turns = play(&mut game.clone(), &report.pv);
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
        limits.time.map(|time| match limits.target_time {
            Some(target) => format!("{} to {} ms", target.as_millis(), time.as_millis()),
            None => format!("{} ms", time.as_millis()),
        }),
        limits.until_win.then(|| "a proven win".to_owned()),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    if limits.is_empty() {
        "searching until stop".to_owned()
    } else {
        format!("searching to {}", limits.join(" or "))
    }
}

/// Plays the moves of a line, up to the end of the game.
fn play(game: &mut Game, line: &[u8]) -> Vec<Turn> {
    let turns = line.iter().map_while(|&pit| game.play(pit).ok());
    turns.collect()
}

/// Whether a report says more than the last one.
pub fn is_news(last: &SearchReport, found: &SearchReport) -> bool {
    let said = |report: &SearchReport| {
        (
            report.depth,
            report.score,
            report.is_lower_bound,
            report.pv.clone(),
        )
    };
    said(last) != said(found) || last.others != found.others
}

/// The answer to `go mate`.
pub fn win_note(game: &Game, report: &SearchReport, moves: u8) -> String {
    match game.lead(game.to_move()) + report.proven.lower {
        1.. => "a win is proven".to_owned(),
        _ => format!("no win within {moves} moves was found"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use krou::engine::Score;
    use krou::rules::Ruleset;

    use super::*;

    fn report(score: Score, line: &[u8]) -> SearchReport {
        let mut report = SearchReport::new(score, line.to_vec());
        report.depth = 3;
        report.selective_depth = 7;
        report.nodes = 5000;
        report.hash_full = 12;
        report.table_hits = 34;
        report.time = Duration::from_micros(2500);
        report
    }

    /// The lines about a report on the start.
    fn info(report: &SearchReport, has_lines: bool) -> Vec<String> {
        let info = Info {
            game: &Game::new(Ruleset::AWARI),
            tables: &Tablebase::embedded(Ruleset::AWARI),
            shows_result: false,
            has_lines,
        };
        info.lines(report)
    }

    const COUNTS: &str = "nodes 5000 nps 2000000 hashfull 12 tbhits 34 time 2";

    #[test]
    fn bounds_belong_to_the_next_depth() {
        let mut report = report(Score::estimate(30), &[0]);
        report.others = vec![SearchLine::new(Score::estimate(20), vec![1])];
        report.is_lower_bound = true;
        let expected = format!("info depth 4 seldepth 7 score cp 30 lowerbound {COUNTS} pv A");
        assert_eq!(info(&report, false), [expected]);
    }

    #[test]
    fn lines_have_numbers_and_depths_of_their_own() {
        let mut report = report(Score::estimate(30), &[0]);
        let mut second = SearchLine::new(Score::estimate(20), vec![1, 2]);
        second.depth = 2;
        report.others = vec![second, SearchLine::new(Score::exact(-3), vec![5])];
        assert_eq!(
            info(&report, true),
            [
                format!("info depth 3 seldepth 7 multipv 1 score cp 30 {COUNTS} pv A"),
                format!("info depth 2 seldepth 7 multipv 2 score cp 20 {COUNTS} pv Bc"),
                format!("info depth 0 seldepth 7 multipv 3 score cp -300 {COUNTS} pv F"),
                "info string the score is exact, multipv 3".to_owned(),
            ]
        );
    }
}
