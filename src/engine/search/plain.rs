//! The plain search: every move to a fixed depth. It defines what the fast one finds.

use super::score::Score;
use crate::engine::game::Game;
use crate::rules::{Board, Next, Ruleset};
use crate::tablebase::Tablebase;

struct Plain<'t> {
    rules: Ruleset,
    tables: Option<&'t Tablebase>,
    nodes: u64,
}

/// Score, best line and boards looked at; `None` if there is no move.
pub(super) fn search(
    game: &Game,
    tables: Option<&Tablebase>,
    depth: u8,
) -> Option<(Score, Vec<u8>, u64)> {
    let mut plain = Plain {
        rules: game.rules(),
        tables,
        nodes: 0,
    };
    let (score, line) = plain.best(&game.board(), depth.max(1))?;
    Some((score, line, plain.nodes))
}

impl Plain<'_> {
    fn best(&mut self, board: &Board, depth: u8) -> Option<(Score, Vec<u8>)> {
        let mut best: Option<(i16, Vec<u8>)> = None;
        let mut exact = true;
        for step in self.rules.moves(board).legal() {
            let gain = i16::from(step.gain) * 100;
            let (child, line) = match step.next {
                Next::Over => (Score::exact(0), Vec::new()),
                Next::Opponent | Next::Again => self.score(&step.board, depth - 1),
            };
            let worth = match step.next {
                Next::Opponent => gain - child.hundredths(),
                Next::Again | Next::Over => gain + child.hundredths(),
            };
            exact &= child.is_exact();
            if best.as_ref().is_none_or(|(most, _)| worth > *most) {
                best = Some((worth, [vec![step.pit], line].concat()));
            }
        }
        best.map(|(worth, line)| {
            let score = match exact {
                true => Score::exact((worth / 100) as i8),
                false => Score::estimate(worth),
            };
            (score, line)
        })
    }

    fn score(&mut self, board: &Board, depth: u8) -> (Score, Vec<u8>) {
        self.nodes += 1;
        if let Some(worth) = self.tables.and_then(|tables| tables.probe(board).ok()) {
            return (Score::exact(worth.value), Vec::new());
        }
        if let Some(net) = self.rules.moves(board).over() {
            return (Score::exact(net), Vec::new());
        }
        match depth {
            0 => (Score::estimate(0), Vec::new()),
            _ => self
                .best(board, depth)
                .unwrap_or((Score::estimate(0), Vec::new())),
        }
    }
}
