//! Opening books: the embedded ones, lookups, and errors.

use krou::engine::Game;
use krou::internal::engine::Book;
use krou::rules::{Position, Ruleset};

#[test]
fn embedded_books_have_the_start_of_their_rulesets() {
    for rules in [Ruleset::ABAPA, Ruleset::AWARI] {
        let book = Book::embedded(rules).expect("the book is valid");
        assert_eq!(book.rules(), rules);
        let moves = book.moves(&Game::new(rules)).expect("the start");
        assert_eq!(moves.len(), 6);
        assert!(book.positions().count() >= 100);
    }
    assert!(Book::embedded(Ruleset::KALAH).is_none());
}

#[test]
fn positions_are_found_for_both_players_and_only_the_first_time() {
    let text = "krou book 1\nrules abapa\nnodes 1\n\
        1-0-0-0-0-0-0-0-0-0-0-1-20-26-S A5\n";
    let book: Book = text.parse().unwrap();
    for position in [
        "1-0-0-0-0-0-0-0-0-0-0-1-20-26-S",
        "0-0-0-0-0-1-1-0-0-0-0-0-26-20-N",
    ] {
        let start: Position = position.parse().unwrap();
        let game = Game::from_position(Ruleset::ABAPA, start).unwrap();
        assert_eq!(book.moves(&game).map(<[_]>::len), Some(1), "{position}");
    }
    let other: Position = "1-0-0-0-0-0-0-0-0-0-0-1-21-25-S".parse().unwrap();
    let game = Game::from_position(Ruleset::ABAPA, other).unwrap();
    assert_eq!(book.moves(&game), None);
}

#[test]
fn errors_name_the_line_and_the_cause() {
    const START: &str = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
    let not_a_move = "is not a letter from A to F and a score, such as B-36";
    let not_legal = "the moves are not all legal moves, each once";
    let all = format!("{START} A1 B1 C1 D1 E1 F1");
    let cases = [
        (String::new(), "line 1: a book begins with 'krou book 1'"),
        (
            "krou book 2\n".to_owned(),
            "line 1: a book begins with 'krou book 1'",
        ),
        (
            "krou book 1".to_owned(),
            "line 2: expected 'rules' and a value",
        ),
        (
            "krou book 1\nrules chess".to_owned(),
            "line 2: there is no ruleset 'chess'",
        ),
        (
            "krou book 1\nrules abapa".to_owned(),
            "line 3: expected 'nodes' and a value",
        ),
    ];
    let lines = [
        (format!("{all} A1"), format!("line 4: {not_legal}")),
        (
            format!("{START} A1 B1 C1 D1 E1"),
            format!("line 4: {not_legal}"),
        ),
        (START.to_owned(), format!("line 4: '' {not_a_move}")),
        (
            format!("{START} A1 b2"),
            format!("line 4: 'b2' {not_a_move}"),
        ),
        (
            format!("{START} A4801"),
            format!("line 4: 'A4801' {not_a_move}"),
        ),
        (
            format!("{START} \u{1f330}1"),
            format!("line 4: '\u{1f330}1' {not_a_move}"),
        ),
        (
            all.replace('S', "N"),
            "line 4: South must be to move".to_owned(),
        ),
        (
            format!("{all}\n{all}"),
            "line 5: the position is there twice".to_owned(),
        ),
    ];
    let lines =
        lines.map(|(line, error)| (format!("krou book 1\nrules abapa\nnodes 5\n{line}"), error));
    let cases = cases.map(|(text, error)| (text, error.to_owned()));
    for (text, error) in cases.into_iter().chain(lines) {
        let found = text.parse::<Book>().unwrap_err().to_string();
        assert!(found.starts_with(&error), "{found}, not {error}");
    }
}
