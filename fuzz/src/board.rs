//! Parsing boards in both notations: a board that parses is legal, and formatting it
//! and parsing again gives the same board.

use krou::rules::{Board, MAX_SEEDS, Player, Position, Ruleset};

/// Parses the bytes if they are UTF-8.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let position: Position = match text.parse() {
        Ok(position) => position,
        Err(error) => {
            // Short, however long the text was.
            let message = format!("{error}");
            assert!(!message.is_empty() && message.len() < 500, "{message}");
            assert!(text.parse::<Board>().is_err());
            return;
        }
    };
    let board = position.board;
    assert_eq!(text.parse::<Board>().as_ref(), Ok(&board));
    let seeds: u32 = board.pits().iter().map(|&pit| u32::from(pit)).sum();
    assert_eq!(seeds, u32::from(board.seeds()));
    assert!(board.seeds() <= MAX_SEEDS);
    assert_eq!(board.to_string().parse().as_ref(), Ok(&board));
    assert_eq!(board.turned().turned(), board);

    // In the notation of engines.
    let mut parts: Vec<String> = position
        .board_from_south()
        .pits()
        .iter()
        .map(u8::to_string)
        .collect();
    parts.extend([position.stores.south, position.stores.north].map(|store| store.to_string()));
    parts.push(
        if position.to_move == Player::North {
            "N"
        } else {
            "S"
        }
        .to_owned(),
    );
    assert_eq!(parts.join("-").parse().as_ref(), Ok(&position));

    // Its moves can be generated.
    for &(_, rules) in Ruleset::NAMED {
        for step in rules.moves(&board).legal() {
            assert!(step.board.seeds() <= board.seeds());
        }
    }
}
