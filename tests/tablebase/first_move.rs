//! A player who always plays the first listed move wins what is won, against any defence, and
//! from a board with a distance comes to a conversion.
//!
//! The player's moves are fixed and the opponent may play any. So the worst end of each board
//! follows from those of the boards that it leads to, from few seeds to many. Within a layer
//! the opponent may go round: every board on a cycle can occur for the third time.

use krou::index::LayerIndex;
use krou::rules::row_seeds;
use krou::rules::{Board, Endless, Next, Ruleset};
use krou::tablebase::{RankedMove, Tablebase};

/// Boards of a layer by index, first with the player to move, then with the opponent.
struct Layer {
    index: LayerIndex,
    /// The least net seeds that the player takes from there on.
    worst: Vec<i8>,
}

/// A board with one of the two to move, among those of its layer.
struct Node {
    /// The least that moves which leave the layer, or an end there, give the player.
    least: Option<i8>,
    /// The quiet moves, as numbers of nodes.
    next: Vec<usize>,
}

fn node(
    tables: &Tablebase,
    lower: &[Layer],
    index: &LayerIndex,
    board: &Board,
    is_player: bool,
) -> Node {
    let own = |net: i8| if is_player { net } else { -net };
    let moves = tables.rules().moves(board);
    let all: Vec<_> = match is_player {
        true => tables
            .moves(board)
            .unwrap()
            .iter()
            .map(|m| m.step)
            .take(1)
            .collect(),
        false => moves.legal().collect(),
    };
    let mut node = Node {
        least: moves.terminal_value().map(own),
        next: Vec::new(),
    };
    for step in all {
        // The other one is to move there.
        let number = |index: &LayerIndex| {
            let boards = index.len() as usize;
            index.index(&step.board).unwrap() as usize + if is_player { boards } else { 0 }
        };
        if step.is_quiet(index.seeds()) {
            node.next.push(number(index));
            continue;
        }
        let rest = match step.next {
            Next::Over => 0,
            _ => {
                let layer = &lower[usize::from(step.board.seeds())];
                layer.worst[number(&layer.index)]
            }
        };
        let end = own(step.gain) + rest;
        node.least = Some(node.least.map_or(end, |least| least.min(end)));
    }
    node
}

/// What the player takes when this board occurs for the third time.
fn repeated(rules: Ruleset, board: &Board, is_player: bool) -> i8 {
    let by_side = rules.oware().unwrap().endless == Endless::BySide;
    let [own, other] = [board.mover(), board.opponent()].map(|row| row_seeds(&row).cast_signed());
    match (by_side, is_player) {
        (false, _) => 0,
        (true, true) => own - other,
        (true, false) => other - own,
    }
}

/// Whether a node is on a cycle of quiet moves.
fn is_on_cycle(nodes: &[Node], start: usize) -> bool {
    let mut seen = vec![false; nodes.len()];
    let mut open = nodes[start].next.clone();
    while let Some(node) = open.pop() {
        if node == start {
            return true;
        }
        if !std::mem::replace(&mut seen[node], true) {
            open.extend(&nodes[node].next);
        }
    }
    false
}

/// Which nodes lead to a cycle.
fn lead_to_cycles(nodes: &[Node]) -> Vec<bool> {
    let mut lead = vec![true; nodes.len()];
    loop {
        let ends = |node: &Node| node.next.iter().all(|&next| !lead[next]);
        let ending: Vec<usize> = (0..nodes.len())
            .filter(|&i| lead[i] && ends(&nodes[i]))
            .collect();
        if ending.is_empty() {
            return lead;
        }
        for node in ending {
            lead[node] = false;
        }
    }
}

fn layer(tables: &Tablebase, lower: &[Layer], seeds: u8) -> Layer {
    let rules = tables.rules();
    let index = LayerIndex::new(rules, seeds);
    let sides = [true, false].into_iter();
    let boards: Vec<(Board, bool)> = sides
        .flat_map(|side| index.boards().map(move |board| (board, side)))
        .collect();
    let mut nodes: Vec<Node> = boards
        .iter()
        .map(|(board, is_player)| node(tables, lower, &index, board, *is_player))
        .collect();
    let lead = lead_to_cycles(&nodes);
    for (i, (board, is_player)) in boards.iter().enumerate() {
        if lead[i] && is_on_cycle(&nodes, i) {
            let end = repeated(rules, board, *is_player);
            nodes[i].least = Some(nodes[i].least.map_or(end, |least| least.min(end)));
        }
    }
    let mut worst: Vec<Option<i8>> = nodes.iter().map(|node| node.least).collect();
    loop {
        let mut changed = false;
        for (i, node) in nodes.iter().enumerate() {
            let ends = node.next.iter().filter_map(|&next| worst[next]);
            let least = ends.chain(worst[i]).min();
            changed |= least != worst[i];
            worst[i] = least;
        }
        if !changed {
            break;
        }
    }
    let worst = worst
        .into_iter()
        .map(|end| end.expect("every game ends"))
        .collect();
    Layer { index, worst }
}

#[test]
fn first_moves_win_every_won_board() {
    for (rules, won) in [(Ruleset::AWARI, 8596), (Ruleset::ABAPA, 8389)] {
        let tables = Tablebase::embedded(rules);
        let mut layers = Vec::new();
        let mut found = 0;
        for seeds in 0..=6 {
            layers.push(layer(&tables, &layers, seeds));
            let Layer { index, worst } = &layers[usize::from(seeds)];
            for (board, &worst) in index.boards().zip(worst) {
                let result = tables.probe(&board).unwrap();
                // Where endless play is settled by side, a board is won however loops end if
                // its lower bound is above 0.
                let guaranteed = result.bounds.map_or(result.value, |bounds| bounds.lower);
                if guaranteed > 0 {
                    found += 1;
                    assert!(worst >= guaranteed, "{rules} {board}");
                }
            }
        }
        assert_eq!(found, won, "{rules}");
    }
}

/// Boards of a layer that are won and have a distance, from which first moves do not lead to a
/// conversion, whatever the opponent plays.
fn endless(tables: &Tablebase, seeds: u8) -> Vec<Board> {
    let index = LayerIndex::new(tables.rules(), seeds);
    let number = |board: &Board| index.index(board).unwrap() as usize;
    let boards: Vec<Board> = index.boards().collect();
    // The moves of each board, best first: the number of the next board, if they are quiet.
    let moves = boards.iter().map(|board| {
        let moves = tables.moves(board).unwrap();
        let next = |m: &RankedMove| m.step.is_quiet(seeds).then(|| number(&m.step.board));
        moves.iter().map(next).collect()
    });
    let moves: Vec<Vec<Option<usize>>> = moves.collect();
    // Nothing is promised after a reply that gives the winner more by a loop alone.
    let results = boards.iter().map(|board| tables.probe(board).unwrap());
    let has_distance: Vec<bool> = results.map(|result| result.distance.is_some()).collect();
    let (mut of_winner, mut of_opponent) = (vec![false; boards.len()], vec![false; boards.len()]);
    loop {
        let before = (of_winner.clone(), of_opponent.clone());
        for i in 0..boards.len() {
            let mut first = moves[i].iter().take(1).flatten();
            of_winner[i] = !has_distance[i] || first.all(|&next| of_opponent[next]);
            of_opponent[i] = moves[i].iter().flatten().all(|&next| of_winner[next]);
        }
        if (&before.0, &before.1) == (&of_winner, &of_opponent) {
            break;
        }
    }
    let is_won = |board: &Board| tables.probe(board).unwrap().value > 0;
    let pairs = boards.into_iter().zip(of_winner);
    let endless = pairs.filter(|(board, ends)| !ends && is_won(board));
    endless.map(|(board, _)| board).collect()
}

/// With four seeds of `abapa` a loop secures as much as the conversion, and more than the way
/// there: the first move goes round it.
#[test]
fn first_moves_lead_to_a_conversion_or_secure_as_much() {
    let tables = Tablebase::embedded(Ruleset::ABAPA);
    for seeds in 0..=8 {
        let endless = endless(&tables, seeds);
        assert_eq!(endless.len(), if seeds == 4 { 38 } else { 0 }, "{seeds}");
        for board in endless {
            let result = tables.probe(&board).unwrap();
            assert_eq!(result.bounds.unwrap().lower, result.value, "{board}");
        }
    }
}
