//! Draws the board in plain ASCII, with South below.
//!
//! Unlike a `Board`, the drawing does not turn: South's pits are always A to F or 0 to 5,
//! and North's a to f or 6 to 11, from right to left.

use std::array;

use krou::Tablebase;
use krou::engine::Game;
use krou::rules::{Player, ROW, Row};

/// Width of the mark, name and store before the first pit. Each pit has five more
/// characters, so that the board fits 40 columns.
const MARGIN: usize = 10;

/// The board with pit numbers, stores and a mark at the player to move. With
/// tables, a line shows the value of each of their moves.
pub fn board(game: &Game, tables: Option<&Tablebase>) -> String {
    let turn = game.outcome().is_none().then_some(game.to_move());
    let values = |player| match tables {
        Some(tables) if turn == Some(player) => values(game, player, tables),
        _ => String::new(),
    };
    let numbers = |player: Player| {
        let first = usize::from(player.first_pit());
        line(
            "",
            player,
            array::from_fn(|pit| {
                let letter = player.letter(pit as u8);
                format!("{:>4} ", format!("{letter}{}", first + pit))
            }),
        )
    };
    let pits = game.position().board_from_south();
    let row = |player, seeds: Row| {
        let mark = if turn == Some(player) { '>' } else { ' ' };
        let title = format!("{mark} {player} {:2}", game.stores().of(player));
        line(&title, player, seeds.map(|s| format!(" [{s:2}]")))
    };
    [
        values(Player::North),
        numbers(Player::North),
        row(Player::North, pits.opponent()),
        row(Player::South, pits.mover()),
        numbers(Player::South),
        values(Player::South),
    ]
    .concat()
}

/// The value of each legal move: `+2`, `0`, `-3`, or `?` if it is not known; nothing if no
/// value is. The best moves are marked if all values are known.
fn values(game: &Game, player: Player, tables: &Tablebase) -> String {
    let moves = game.moves();
    let known = tables.moves_many(&[game.board()]);
    let known = known.map_or([None; ROW], |known| known[0]);
    let is_legal = |pit: usize| moves.by_pit()[pit].is_ok();
    let values: [_; ROW] = array::from_fn(|pit| is_legal(pit).then_some(known[pit]));
    if values.iter().flatten().all(Option::is_none) {
        return String::new();
    }
    let known: Option<Vec<i8>> = values.iter().flatten().copied().collect();
    let best = known.and_then(|known| known.into_iter().max());
    let cells = values.map(|value| match value {
        None => " ".repeat(5),
        Some(None) => "   ? ".to_owned(),
        Some(Some(0)) => format!("   0{}", mark(best == Some(0))),
        Some(Some(value)) => format!("{value:+4}{}", mark(best == Some(value))),
    });
    line("  value", player, cells)
}

fn mark(best: bool) -> char {
    if best { '*' } else { ' ' }
}

/// A title and a cell for each of the player's pits, North's from right to left.
fn line(title: &str, player: Player, mut cells: [String; ROW]) -> String {
    if player == Player::North {
        cells.reverse();
    }
    let line = format!("{title:MARGIN$}{}", cells.concat());
    format!("{}\n", line.trim_end())
}
