//! Values and boards as text for people.

use krou::rules::Board;

/// A value with its sign.
pub fn signed(value: i8) -> String {
    if value > 0 {
        format!("+{value}")
    } else {
        value.to_string()
    }
}

/// The board between the numbers of its pits.
pub fn drawing(board: &Board) -> String {
    let numbers = |pits: Vec<usize>| {
        let pits: Vec<String> = pits.iter().map(|pit| format!("{pit:2}")).collect();
        pits.join(" ")
    };
    let above = numbers((6..12).rev().collect());
    let below = numbers((0..6).collect());
    let mut rows = board.to_string();
    rows = rows.replace('\n', "\n      ");
    format!("pits  {above}\n      {rows}\npits  {below}\n")
}
