//! Boards on the path that occurred before.

use super::{after_random_moves, game, random_board};
use crate::engine::game::Game;
use crate::engine::search::node::Node;
use crate::engine::search::packed::{Move, moves};
use crate::engine::search::repetition::Path;
use crate::engine::test_random::Lcg;
use crate::rules::{Next, Ruleset};

/// The ply of the last earlier occurrence of the last board of a path; 0 if it is in the game.
fn earlier_ply(path: &[Node], game: &Game) -> Option<u8> {
    let (node, before) = path.split_last()?;
    let is_same =
        |other: &&Node| (other.board, other.is_opponents) == (node.board, node.is_opponents);
    let player = match node.is_opponents {
        true => game.to_move().opponent(),
        false => game.to_move(),
    };
    let last = (player, node.board.to_board());
    match before.iter().rev().find(is_same) {
        Some(other) => Some(other.ply as u8),
        None => game
            .boards_near_repetition()
            .any(|board| board == last)
            .then_some(0),
    }
}

#[test]
fn repetitions_are_found_as_by_comparing_all_boards() {
    const PLIES: usize = 40;
    let mut random = Lcg(11);
    let (mut on_path, mut at_root, mut new) = (0, 0, 0);
    for round in 0..2_000 {
        let start = game(Ruleset::ABAPA, random_board(2 + round % 3, &mut random));
        if start.outcome().is_some() {
            continue;
        }
        let start = start.with_repetitions(2 + (round % 2) as u8);
        let game = after_random_moves(start, random.below(30), &mut random);
        let mut path = Path::new(&game, PLIES);
        let mut nodes = vec![Node::root(&game)];
        while nodes.len() <= PLIES {
            let node = nodes[nodes.len() - 1];
            path.set(&node);
            let list = moves(game.rules(), node.board, node.seeds);
            let open: Vec<&Move> = list.iter().filter(|m| m.next == Next::Opponent).collect();
            let Some(step) = open.get(random.below(open.len().max(1))) else {
                break;
            };
            nodes.push(node.child(step));
            let found = path.repetition(&nodes[nodes.len() - 1]);
            let found = found.map(|repetition| repetition.ply);
            assert_eq!(found, earlier_ply(&nodes, &game), "{game:?}, round {round}");
            match found {
                Some(0) => at_root += 1,
                Some(_) => on_path += 1,
                None => new += 1,
            }
        }
    }
    assert!(
        on_path > 1000 && at_root > 100 && new > 1000,
        "{on_path}, {at_root}, {new}"
    );
}
