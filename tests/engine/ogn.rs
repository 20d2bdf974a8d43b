//! Games as text: written games are read back under every ruleset, and any text is a game or
//! an error of one sentence.

use krou::engine::Game;
use krou::engine::Record;
use krou::ogn::SavedGame;
use krou::rules::{Board, Player, Position, Ruleset, Step, Stores};
use proptest::prelude::*;

fn read(text: &str) -> SavedGame {
    SavedGame::parse(text, Ruleset::AWARI).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn letters(text: &str) -> String {
    read(text).record().letters()
}

fn error_of(text: &str) -> String {
    match SavedGame::parse(text, Ruleset::AWARI) {
        Ok(saved) => panic!("{text} is {}", saved.record().letters()),
        Err(error) => error.to_string(),
    }
}

/// Plays a move for each number, up to the end of the game.
fn play(game: Game, choices: &[usize]) -> Record {
    let mut record = Record::new(game);
    for choice in choices {
        let steps: Vec<Step> = record.game().moves().legal().collect();
        if record.game().outcome().is_some() {
            break;
        }
        let step = steps[choice % steps.len()];
        record.play(step.pit).unwrap();
    }
    record
}

#[test]
fn every_notation_of_the_same_moves_gives_the_same_game() {
    for text in [
        "FeCbA",
        "F e C b A",
        "F,e,C,b,A",
        "F\ne\r\nC\tb\n\nA\n",
        "\u{feff}FeCbA",
        "1. F e 2. C b 3. A",
        "1.F e 2.C b 3.A *",
        "1. F 1... e 2. C 2... b 3. A",
        "5 10 2 7 0",
        "5, 10, 2, 7, 0",
        "1. 5 10 2. 2 7 3. 0",
        "F!? e+2 C+10!! b? A 24-24",
        "F {a comment (with one bracket} e C ; Ab to the end of the line\nb A",
        "F (B (C d) {)} e) e C b A",
        "F (B ; a smile :)\nD) e C b A",
    ] {
        assert_eq!(letters(text), "FeCbA", "{text}");
    }
}

/// Tags, captures and comments as Aualé writes them.
#[test]
fn games_saved_by_auale_are_read() {
    let text = r#"[Variant "Oware Abapa"]
[Event "A \"friendly\" game"]
[Site "?"]
[Date "2026.11.21"]
[Round "1"]
[South "Ama"]
[North "C:\\Kofi"]
[Result "24-23"]
[Annotator "Abena"]

1. F a 2. D { a plan of mine } c 3. E+2 24-23
"#;
    let saved = read(text);
    let record = saved.record();
    assert_eq!(record.game().rules(), Ruleset::ABAPA);
    assert_eq!(record.letters(), "FaDcE");
    for (name, value) in [
        ("Event", Some("A \"friendly\" game")),
        ("North", Some("C:\\Kofi")),
        ("Annotator", Some("Abena")),
        ("Result", Some("24-23")),
        ("Variant", None),
        ("Opening", None),
    ] {
        assert_eq!(saved.tag(name), value);
    }
    // Comments are kept, and captures are computed.
    let captured = record.turns().iter().map(|turn| turn.taken);
    assert_eq!(captured.collect::<Vec<_>>(), [0, 0, 0, 0, 0]);
    let written = text.replace("E+2", "E");
    assert_eq!(saved.to_string(), written);
}

/// What is read is written again, and read again.
#[test]
fn names_comments_signs_and_variations_are_kept() {
    for (text, written) in [
        ("1. F e { good } 2. C", "1. F e { good } 2. C"),
        (
            "{ first } 1. F!? { x } e? 2. C $4 ±",
            "{ first } 1. F!? { x } e? 2. C $4 ±",
        ),
        (
            "F ! (1. A (B f) { why } a) e",
            "1. F! (1. A (B f) { why } a) e",
        ),
        ("F !+ e !!? C", "1. F !+ e!!? 2. C"),
        (
            "F ; a } line\ne (B ; a smile :)\nD)",
            "1. F { a ) line } e (B ; a smile :)\nD)",
        ),
        (
            "% not kept\nF {two\nlines} e {end} *",
            "1. F {two\nlines} e {end}",
        ),
    ] {
        let saved = read(text);
        let ogn = saved.to_string();
        let moves = ogn.split_once("\n\n").unwrap().1;
        assert_eq!(moves.trim_end(), written, "{text}");
        assert_eq!(read(&ogn).to_string(), ogn);
    }
    // Another continuation loses only what was said about the moves that it changes.
    let saved = read("[South \"Ama\"]\n\n{ a } 1. F { b } e { c } 2. C { d }");
    let mut record = saved.record().clone();
    record.take_back();
    record.play(0).unwrap();
    let changed = saved.with_record(record).to_string();
    assert!(changed.contains("[South \"Ama\"]"));
    assert!(
        changed.ends_with("{ a } 1. F { b } e { c } 2. A\n"),
        "{changed}"
    );
}

#[test]
fn games_are_written_in_the_format_of_auale() {
    let board: Board = "0 0 0 0 0 1 / 2 0 0 0 0 1".parse().unwrap();
    let stores = Stores {
        south: 21,
        north: 22,
    };
    let game =
        Game::from_position(Ruleset::AWARI, Position::new(board, stores, Player::North)).unwrap();
    let mut record = Record::new(game);
    record.play(5).unwrap();
    let mut saved = SavedGame::new(record);
    saved.set_tag("North", "one \"line\"\nonly \\");
    saved.set_tag("Annotator", "Abena");
    let expected = r#"[Variant "awari"]
[Event "?"]
[Site "?"]
[Date "?"]
[Round "?"]
[South "?"]
[North "one \"line\" only \\"]
[Result "21-25"]
[Annotator "Abena"]
[FEN "2-0-0-0-0-1-0-0-0-0-0-1-21-22-N"]

1. f+3 21-25
"#;
    assert_eq!(saved.to_string(), expected);
    let again = read(expected);
    assert_eq!(again.tag("North"), Some("one \"line\" only \\"));
    assert_eq!(again.to_string(), expected);
}

#[test]
fn the_example_in_the_docs_is_written_unchanged() {
    let text = include_str!("../../docs/example.ogn");
    assert_eq!(read(text).to_string(), text);
}

/// In the store family a player may move again: the number increases when the player who
/// moved first is to move after the opponent.
#[test]
fn move_numbers_count_turns() {
    let game = Game::new(Ruleset::KALAH);
    let mut record = Record::new(game);
    for pit in [2, 0, 2, 0, 1] {
        record.play(pit).unwrap();
    }
    let text = SavedGame::new(record).to_string();
    assert!(text.ends_with("\n\n1. C+1 A c+1 a 2. B+1\n"), "{text}");
    let numbers: Vec<usize> = read(&text).record().numbers().collect();
    assert_eq!(numbers, [1, 1, 1, 1, 2, 2]);
}

#[test]
fn lines_of_moves_are_shorter_than_80_characters() {
    let record = play(Game::new(Ruleset::ABAPA), &[3; 150]);
    assert!(record.turns().len() > 60);
    let text = SavedGame::new(record).to_string();
    let moves = text.split("\n\n").nth(1).unwrap();
    assert!(moves.lines().count() > 2);
    for line in moves.lines() {
        assert!(line.len() < 80 && !line.starts_with(' ') && !line.ends_with(' '));
    }
}

#[test]
fn errors_name_the_line_and_the_word() {
    let word = |word: &str| {
        format!(
            "line 1: '{word}' is not a move: South plays A to F or 0 to 5, North a to f or 6 to 11"
        )
    };
    let tag = "line 1: a tag is written [Name \"value\"]";
    let start = "line 1: the tag FEN is not a position: ";
    for (text, expected) in [
        ("", "the text has neither tags nor moves".to_owned()),
        (
            "{only} 1. ; words",
            "the text has neither tags nor moves".to_owned(),
        ),
        ("F e G", word("G")),
        ("F12", word("F12")),
        ("12", word("12")),
        ("-1", word("-1")),
        ("5x", word("5x")),
        ("99999999999999999999999999", word("99999999999999999999…")),
        ("\u{1b}[2J", word("?[2J")),
        ("é", word("é")),
        (")", word(")")),
        ("F }", word("}")),
        (
            "F e 24-24 C",
            "line 1: 'C' comes after the result: the next game begins with its tags".to_owned(),
        ),
        (
            "F\n*\n[Event \"x\"]",
            "the text has 2 games: choose one of them".to_owned(),
        ),
        ("F e\n{ open", "line 2: '{' is not closed".to_owned()),
        ("F (a\n(b)", "line 1: '(' is not closed".to_owned()),
        ("F (a {) ", "line 1: '{' is not closed".to_owned()),
        ("[Event \"x]", tag.to_owned()),
        ("[Event x]", tag.to_owned()),
        ("[\"x\"]", tag.to_owned()),
        ("[Event \"x\0y\"]", tag.to_owned()),
        (
            "[Repetitions \"1\"]",
            "line 1: the tag Repetitions is a number from 2 on".to_owned(),
        ),
        ("[Event \"x\" y]", tag.to_owned()),
        ("[Event \"x\\", tag.to_owned()),
        (
            "[FEN \"x\"]",
            format!("{start}'x' (number 1 of the board) is not a whole number from 0 to 48"),
        ),
        (
            "[FEN \"48-1-0-0-0-0-0-0-0-0-0-0-0-0-S\"]",
            format!("{start}there are 49 seeds, but the game has only 48"),
        ),
        (
            "F E f",
            "line 1: move 1... E: it is North's turn, whose pits are a to f".to_owned(),
        ),
        (
            "F e\nC 2",
            "line 2: the first pit may be 0 or 1: write letters instead of numbers".to_owned(),
        ),
        ("F e\nF", "line 2: move 2. F: pit F is empty".to_owned()),
        (
            "1. F c\n2. A c",
            "line 2: move 2... c: pit c is empty".to_owned(),
        ),
        ("5 8 0 8", "line 1: move 2... 8: pit c is empty".to_owned()),
    ] {
        assert_eq!(error_of(text), expected, "{text:?}");
    }
    let rules = error_of("[Variant \"Ouril\"]\nF");
    assert!(rules.starts_with("line 1: there is no ruleset 'Ouril': choose one of awari, "));
    let over = "[FEN \"0-0-0-0-0-1-1-0-0-0-0-0-0-0-S\"]\n\nF f";
    assert_eq!(error_of(over), "line 3: move 1. f: the game is over");
}

#[test]
fn the_variant_tag_takes_precedence_over_the_default_rules() {
    for (tag, rules) in [
        ("", Ruleset::PRATT),
        ("[Variant \"?\"]", Ruleset::PRATT),
        ("[Variant \"oware abapa\"]", Ruleset::ABAPA),
        ("[Variant \"kalah\"]", Ruleset::KALAH),
        (
            "[Variant \"oware+illegal+required+owner+even\"]",
            "oware+illegal+required+owner+even".parse().unwrap(),
        ),
    ] {
        let saved = SavedGame::parse(&format!("{tag} A"), Ruleset::PRATT).unwrap();
        assert_eq!(saved.record().game().rules(), rules, "{tag}");
    }
}

#[test]
fn large_texts_are_read_or_rejected() {
    let most = SavedGame::MAX_BYTES;
    let too_long = "F".repeat(most + 1);
    assert!(error_of(&too_long).starts_with("the text has 1048577 bytes, but "));
    for unit in [
        "(",
        "{",
        "[A \"b\"]",
        "1.",
        "(a)",
        "[",
        "\n",
        "F e",
        "é",
        "F+",
    ] {
        let text = unit.repeat(most / unit.len());
        if let Err(error) = SavedGame::parse(&text, Ruleset::AWARI) {
            assert!(error.to_string().len() < 200, "{error}");
        }
    }
    let comment = format!("{{{}}} FeCb", "(".repeat(most - 8));
    assert_eq!(letters(&comment), "FeCb");
}

/// Plays quiet moves to the boards that occurred least often, as long as there is one.
fn play_quiet_moves(mut record: Record, most: usize) -> Record {
    let quiet = |board: &Board| -> Vec<Step> {
        let moves = Ruleset::AWARI.moves(board);
        let quiet = moves.legal().filter(|step| step.is_quiet(board.seeds()));
        quiet.collect()
    };
    while record.turns().len() < most && record.game().outcome().is_none() {
        let game = record.game();
        let opponent = game.to_move().opponent();
        let steps = quiet(&game.board()).into_iter();
        let continuing = steps.filter(|step| !quiet(&step.board).is_empty());
        let Some(step) = continuing.min_by_key(|step| game.times_seen(opponent, &step.board))
        else {
            break;
        };
        record.play(step.pit).unwrap();
    }
    record
}

#[test]
fn games_with_too_many_moves_are_rejected() {
    let most = SavedGame::MAX_MOVES;
    let rows = [0, 1, 2].map(|n| [n, 1, 0, 2, 1, 1]);
    let boards = rows
        .iter()
        .flat_map(|mover| rows.map(|other| Board::from_rows(*mover, other)));
    let mut records = boards.map(|board| {
        let board = board.unwrap();
        let game = Game::from_position(Ruleset::AWARI, board);
        play_quiet_moves(Record::new(game.unwrap()), most + 1)
    });
    let record = records.find(|record| record.turns().len() > most);
    let record = record.expect("one of the games is long enough");
    let text = |moves: &str| format!("[FEN \"{}\"]\n{moves}", record.start().position());
    let all = record.letters();
    assert_eq!(
        error_of(&text(&all)),
        "line 2: a game has at most 2000 moves"
    );
    assert_eq!(letters(&text(&all[..most])), all[..most]);
}

fn any_rules() -> impl Strategy<Value = Ruleset> {
    proptest::sample::select(Ruleset::all().collect::<Vec<_>>())
}

/// A game under any ruleset from any position, including the starting position.
fn any_record() -> impl Strategy<Value = Record> {
    let pits = proptest::array::uniform12(0..=2_u8);
    let start = proptest::option::of((pits, 0..=12_u8, 0..=12_u8, any::<bool>()));
    let choices = proptest::collection::vec(0..6_usize, 0..120);
    (any_rules(), start, choices).prop_map(|(rules, start, choices)| {
        let game = match start {
            None => Game::new(rules),
            Some((pits, south, north, north_moves)) => {
                let board = Board::new(pits).unwrap();
                let to_move = [Player::South, Player::North][usize::from(north_moves)];
                let stores = Stores { south, north };
                Game::from_position(rules, Position::new(board, stores, to_move)).unwrap()
            }
        };
        play(game, &choices)
    })
}

/// Random text of characters that occur in games.
fn game_characters() -> impl Strategy<Value = String> {
    let characters: Vec<char> = "ABCDEFabcdef0123456789.+-*!?()[]{}\";,\\ \n\u{0}é"
        .chars()
        .collect();
    proptest::collection::vec(proptest::sample::select(characters), 0..80)
        .prop_map(|characters| characters.into_iter().collect())
}

fn check_game_or_error(text: &str) -> Result<(), TestCaseError> {
    match SavedGame::parse(text, Ruleset::AWARI) {
        Ok(saved) => {
            let again = read(&saved.to_string());
            prop_assert_eq!(again.record().letters(), saved.record().letters());
        }
        Err(error) => prop_assert!(!error.to_string().contains(char::is_control)),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        rng_seed: proptest::test_runner::RngSeed::Fixed(48),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn written_games_are_read_back(
        record in any_record(),
        values in proptest::collection::btree_map("[A-Z][a-z_0-9]{0,8}", ".{0,20}", 0..4),
    ) {
        let mut saved = SavedGame::new(record);
        for (name, value) in &values {
            if !["Variant", "FEN", "Result"].contains(&name.as_str()) {
                saved.set_tag(name, value);
            }
        }
        let text = saved.to_string();
        let again = SavedGame::parse(&text, Ruleset::IFMG);
        let again = again.map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        let [before, after] = [&saved, &again].map(SavedGame::record);
        prop_assert_eq!(before.turns(), after.turns());
        prop_assert_eq!(before.start().position(), after.start().position());
        prop_assert_eq!(before.game().position(), after.game().position());
        prop_assert_eq!(before.game().outcome(), after.game().outcome());
        prop_assert_eq!(before.game().rules(), after.game().rules());
        prop_assert_eq!(again.to_string(), text);

        // A list of letters or of pits gives the same game.
        let pits = before.turns().iter().map(|turn| {
            (turn.player.first_pit() + turn.step.pit).to_string()
        });
        let pits = pits.collect::<Vec<_>>().join(" ");
        let (rules, start) = (before.game().rules(), before.start().position());
        for moves in [before.letters(), pits] {
            let text = format!("[FEN \"{start}\"]\n{moves}");
            let listed = SavedGame::parse(&text, rules).unwrap();
            prop_assert_eq!(before.turns(), listed.record().turns());
        }
    }

    #[test]
    fn any_text_is_a_game_or_an_error(text in "\\PC{0,80}", game_like in game_characters()) {
        check_game_or_error(&text)?;
        check_game_or_error(&game_like)?;
    }

    #[test]
    fn corrupted_games_are_games_or_errors(
        record in any_record(),
        at in any::<proptest::sample::Index>(),
        removed in 0..4_usize,
        inserted in game_characters(),
    ) {
        let text = SavedGame::new(record).to_string();
        let mut characters: Vec<char> = text.chars().collect();
        let from = at.index(characters.len());
        let to = (from + removed).min(characters.len());
        characters.splice(from..to, inserted.chars().take(removed));
        check_game_or_error(&characters.into_iter().collect::<String>())?;
    }
}

/// Some write half seeds with a comma, which separates two moves elsewhere.
#[test]
fn a_result_with_a_comma_is_read_back() {
    let saved = read("[Result \"24,5-23,5\"]\n\n1. F e");
    let written = saved.to_string();
    assert_eq!(read(&written).record().letters(), "Fe", "{written}");
    assert_eq!(read(&written).to_string(), written);
}
