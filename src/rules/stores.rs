//! The store family: seeds in a store have left the board for good.
//!
//! These rules exist again in faster form: see [`super::moves`].

use super::board::{Board, PITS, ROW, row_seeds};
use super::ruleset::StoreGame;
use super::step::{IllegalMove, Moves, Next, Step};

/// Where the mover's store lies in the circuit of a sowing: after pit 5. The
/// opponent's pits follow; the opponent's store is skipped.
const STORE: usize = ROW;
const CIRCUIT: usize = PITS + 1;

pub(super) fn moves(game: StoreGame, board: &Board) -> Moves {
    let pits = std::array::from_fn(|pit| match board.pits()[pit] {
        0 => Err(IllegalMove::Empty { pit: pit as u8 }),
        _ => Ok(play(game, board, pit)),
    });
    // Only an empty row has no move, and an empty row ends the game.
    Moves::new(pits, final_gain(game, board))
}

fn play(game: StoreGame, board: &Board, pit: usize) -> Step {
    // The mover's pits, the mover's store, the opponent's pits: 0..6, 6, 7..13.
    let mut circuit = [0u8; CIRCUIT];
    circuit[..ROW].copy_from_slice(&board.mover());
    circuit[ROW + 1..].copy_from_slice(&board.opponent());

    let mut hand = std::mem::take(&mut circuit[pit]);
    let mut last = pit;
    if game == StoreGame::Ifmg && hand > 1 {
        circuit[pit] = 1;
        hand -= 1;
    }
    while hand > 0 {
        last = (last + 1) % CIRCUIT;
        circuit[last] += 1;
        hand -= 1;
    }

    let mut captured = 0;
    if last < STORE && circuit[last] == 1 {
        let opposite = PITS - last;
        if circuit[opposite] > 0 || game == StoreGame::KalahEmpty {
            captured = std::mem::take(&mut circuit[opposite]) + std::mem::take(&mut circuit[last]);
        }
    } else if last > STORE && game == StoreGame::Ifmg && circuit[last] % 2 == 0 {
        captured = std::mem::take(&mut circuit[last]);
    }

    let after = Board::trusted(std::array::from_fn(|p| circuit[p + usize::from(p >= ROW)]));
    let taken = (circuit[STORE] + captured) as i8;
    let over = row_seeds(&after.mover()) == 0 || row_seeds(&after.opponent()) == 0;
    let (gain, board, next) = if over {
        (taken + final_gain(game, &after), Board::EMPTY, Next::Over)
    } else if last == STORE {
        (taken, after, Next::Again)
    } else {
        (taken, after.turned(), Next::Opponent)
    };
    Step {
        pit: pit as u8,
        captured,
        gain,
        board,
        next,
    }
}

/// Net seeds for the mover when a row is empty and the game ends.
fn final_gain(game: StoreGame, board: &Board) -> i8 {
    let own = row_seeds(&board.mover()) as i8;
    let other = row_seeds(&board.opponent()) as i8;
    match game {
        StoreGame::Kalah | StoreGame::KalahEmpty => own - other,
        StoreGame::Ifmg => other - own,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;

    fn step(rules: Ruleset, text: &str, pit: u8) -> Step {
        rules.play(&text.parse().unwrap(), pit).unwrap()
    }

    fn seen_by_mover(s: &Step) -> String {
        match s.next {
            Next::Opponent => s.board.turned().to_string(),
            Next::Again | Next::Over => s.board.to_string(),
        }
    }

    #[test]
    fn ifmg_returns_the_first_seed_to_its_pit_unless_it_is_the_only_one() {
        let s = step(Ruleset::IFMG, "4 0 0 0 0 1 / 1 0 0 0 0 0", 0);
        assert_eq!(seen_by_mover(&s), "1 1 1 1 0 1 / 1 0 0 0 0 0");
        let s = step(Ruleset::IFMG, "1 1 0 0 0 0 / 1 0 0 0 0 0", 0);
        assert_eq!(seen_by_mover(&s), "0 2 0 0 0 0 / 1 0 0 0 0 0");
        assert_eq!(s.captured, 0);
    }

    #[test]
    fn last_seed_in_the_store_moves_again() {
        let s = step(Ruleset::IFMG, "0 0 0 0 1 2 / 1 0 0 0 0 0", 5);
        assert_eq!((s.gain, s.captured, s.next), (1, 0, Next::Again));
        assert_eq!(s.board.to_string(), "0 0 0 0 1 1 / 1 0 0 0 0 0");
        let s = step(Ruleset::KALAH, "1 0 0 0 0 1 / 1 0 0 0 0 0", 5);
        assert_eq!((s.gain, s.next), (1, Next::Again));
    }

    #[test]
    fn captures_of_each_game() {
        // Only ifmg captures even pits.
        let text = "1 0 0 0 0 3 / 1 4 0 0 0 0";
        let s = step(Ruleset::IFMG, text, 5);
        assert_eq!((s.captured, s.gain), (2, 3));
        assert_eq!(seen_by_mover(&s), "1 0 0 0 0 1 / 0 4 0 0 0 0");
        let s = step(Ruleset::KALAH, text, 5);
        assert_eq!((s.captured, s.gain), (0, 1));
        // A last seed in an empty pit captures the seeds opposite, if there are any.
        for rules in [Ruleset::IFMG, Ruleset::KALAH] {
            let s = step(rules, "1 0 0 0 0 1 / 0 1 0 0 3 0", 0);
            assert_eq!((s.captured, s.gain), (4, 4));
            assert_eq!(seen_by_mover(&s), "0 0 0 0 0 1 / 0 1 0 0 0 0");
            let s = step(rules, "1 0 0 0 0 1 / 0 1 0 0 0 0", 0);
            assert_eq!((s.captured, s.gain), (0, 0));
        }
        let s = step(Ruleset::KALAH_EMPTY, "1 0 0 0 0 1 / 0 1 0 0 0 0", 0);
        assert_eq!((s.captured, s.gain), (1, 1));
        assert_eq!(seen_by_mover(&s), "0 0 0 0 0 1 / 0 1 0 0 0 0");
    }

    #[test]
    fn a_full_circuit() {
        // 13 seeds end in the pit they came from, now empty: kalah captures there.
        let s = step(Ruleset::KALAH, "0 0 13 0 0 0 / 0 0 0 4 0 0", 2);
        assert_eq!((s.captured, s.gain), (6, 7));
        // In ifmg 14 seeds end there, and the pit was not empty.
        let s = step(Ruleset::IFMG, "0 0 14 0 0 0 / 0 0 0 4 0 0", 2);
        assert_eq!((s.captured, s.gain), (0, 1));
        assert_eq!(seen_by_mover(&s), "1 1 2 1 1 1 / 1 1 1 5 1 1");
    }

    #[test]
    fn empty_row_ends_the_game_before_moving_again() {
        let text = "0 0 0 0 0 1 / 0 0 2 0 0 3";
        let s = step(Ruleset::KALAH, text, 5);
        assert_eq!((s.gain, s.next, s.board), (1 - 5, Next::Over, Board::EMPTY));
        let s = step(Ruleset::IFMG, text, 5);
        assert_eq!((s.gain, s.next), (1 + 5, Next::Over));
        // The opponent's row may be the empty one.
        let text = "1 0 0 0 0 4 / 0 0 0 0 7 0";
        let s = step(Ruleset::KALAH, text, 0);
        assert_eq!((s.captured, s.gain, s.next), (8, 8 + 4, Next::Over));
        let s = step(Ruleset::IFMG, text, 0);
        assert_eq!((s.captured, s.gain, s.next), (8, 8 - 4, Next::Over));
        let none = "0 0 0 0 0 0 / 1 2 0 0 0 0".parse().unwrap();
        assert_eq!(Ruleset::KALAH.moves(&none).terminal_value(), Some(-3));
        assert_eq!(Ruleset::IFMG.moves(&none).terminal_value(), Some(3));
    }
}
