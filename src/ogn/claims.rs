//! What a text claims about its moves, where they contradict it: files that were typed in or
//! damaged are found so. And the squares by which a text says where a move ends.

use super::lexer::{NamedMove, score};
use crate::engine::{Ending, Game, Outcome, Turn};
use crate::rules::{PITS, Player, ROW, Ruleset, Stores, row_seeds};

/// How a move differs from what its text says about the seeds it takes or the pit it ends in.
pub(super) fn of_move(
    before: &Game,
    turn: &Turn,
    named: &NamedMove<'_>,
    captured: Option<u8>,
) -> Option<String> {
    let taken = [turn.taken, turn.step.captured];
    if captured.is_some_and(|captured| !taken.contains(&captured)) {
        return Some(format!("the move takes {}", seeds(turn.taken)));
    }
    let (player, pit) = named.target?;
    let row = if player == turn.player { 0 } else { ROW };
    let end = last_pit(before, turn.step.pit)?;
    let is_right = end == row + usize::from(pit);
    (!is_right).then(|| "the move ends in another pit".to_owned())
}

/// The pit of the mover's board in which a sowing of the oware family ends.
pub(super) fn last_pit(before: &Game, pit: u8) -> Option<usize> {
    matches!(before.rules(), Ruleset::Oware(_)).then(|| {
        let sown = usize::from(before.board().pits()[usize::from(pit)]);
        let skipped = sown.saturating_sub(1) / (PITS - 1);
        (usize::from(pit) + sown + skipped) % PITS
    })
}

/// The squares of a move as `PlayStrategy` writes it: the pit that is played and that in which the
/// sowing ends, each from `a1` to `f1` or `a2` to `f2`. `None` in the store family, which has no
/// squares for stores.
pub fn squares(game: &Game, pit: u8) -> Option<String> {
    let (mover, end) = (game.to_move(), last_pit(game, pit)?);
    let name = |row: usize, pit: usize| {
        let (rank, column) = match (mover, row) {
            (Player::South, 0) | (Player::North, 1) => ('1', pit),
            _ => ('2', ROW - 1 - pit),
        };
        format!("{}{rank}", char::from(b"abcdef"[column]))
    };
    Some(name(0, pit.into()) + &name(end / ROW, end % ROW))
}

/// Why a result is not that of a game.
pub(super) fn of_result(result: &str, game: &Game) -> Option<String> {
    let score = score(result)?;
    let outcome = game.outcome();
    let is_right = match (score, outcome) {
        ([2, 0] | [0, 2] | [1, 1], None) => true,
        ([2, 0], Some(outcome)) => outcome.winner() == Some(Player::South),
        ([0, 2], Some(outcome)) => outcome.winner() == Some(Player::North),
        ([1, 1], Some(outcome)) => outcome.winner().is_none(),
        (score, Some(outcome)) => is_score_of(score, outcome, game.total()),
        (score, None) => {
            let board = game.position().board_from_south();
            let [south, north] = [board.mover(), board.opponent()].map(|row| row_seeds(&row));
            let Stores { south: a, north: b } = game.stores();
            // Players who stop share out the seeds by row.
            score == [2 * a, 2 * b] || score == [2 * (a + south), 2 * (b + north)]
        }
    };
    let (stores, so_far) = match outcome {
        Some(outcome) => (outcome.stores, ""),
        None => (game.stores(), " so far"),
    };
    let Stores { south, north } = stores;
    (!is_right).then(|| {
        format!("the result {result} is not that of the moves, which is {south}-{north}{so_far}")
    })
}

/// Whether a score in half seeds is that of a finished game.
fn is_score_of(score: [u8; 2], outcome: Outcome, total: u8) -> bool {
    let stores = [outcome.stores.south, outcome.stores.north];
    let mut pairs = score.into_iter().zip(stores);
    match outcome.ending {
        // The seeds left may have been counted for either player.
        Ending::Majority(_) => {
            let sum = score.map(u16::from).iter().sum::<u16>();
            pairs.all(|(score, seeds)| score >= 2 * seeds) && sum <= 2 * u16::from(total)
        }
        // An odd seed may have been halved.
        Ending::Repetition => pairs.all(|(score, seeds)| score.abs_diff(2 * seeds) <= 1),
        _ => pairs.all(|(score, seeds)| score == 2 * seeds),
    }
}

fn seeds(count: u8) -> String {
    match count {
        0 => "no seed".to_owned(),
        1 => "1 seed".to_owned(),
        _ => format!("{count} seeds"),
    }
}
