//! Whole games, lines to the end of a game, and moves after it.

use krou::engine::Game;
use krou::rules::{Position, Ruleset};

use super::process::{EngineProcess, output_of, play, word_after};

/// Plays a game of the engine against itself; every move, principal variation and reply
/// must be legal.
fn play_whole_game(engine: &mut EngineProcess, rules: Ruleset, go: &str) {
    let mut game = Game::new(rules);
    let mut letters = String::new();
    engine.send(format!("setoption name Rules value {rules}"));
    engine.send("ucinewgame");
    while game.outcome().is_none() {
        assert!(letters.len() < 1000, "{rules}: {letters}");
        engine.send(match letters.as_str() {
            "" => "position startpos".to_owned(),
            _ => format!("position startpos moves {letters}"),
        });
        engine.send(go);
        let lines = engine.lines_until("bestmove");
        let (best, infos) = lines.split_last().unwrap();
        let best_move = word_after(best, "bestmove").unwrap();
        let last = infos.iter().rfind(|line| line.starts_with("info depth"));
        let pv = word_after(last.unwrap(), "pv").unwrap();
        assert!(pv.starts_with(best_move), "{lines:?}");
        play(&mut game.clone(), pv);
        play(&mut game, best_move);
        if let Some(reply) = word_after(best, "ponder") {
            play(&mut game.clone(), reply);
        }
        letters += best_move;
    }
    engine.send(format!("position startpos moves {letters}"));
    engine.send("go depth 3");
    let answer = engine.lines_until("bestmove");
    // A game that a majority has ended may be played on.
    assert_eq!(answer == ["bestmove 0000"], !game.can_go_on(), "{answer:?}");
}

#[test]
fn legal_games_are_played_to_the_end_under_every_named_ruleset() {
    let mut engine = EngineProcess::start(&["--hash", "1"]);
    for &(_, rules) in Ruleset::NAMED {
        play_whole_game(&mut engine, rules, "go depth 2");
    }
    let combined = "oware+illegal+penalty+owner+even".parse().unwrap();
    play_whole_game(&mut engine, combined, "go nodes 300");
    engine.quit();
}

/// 60 plies pass before the first capture. The line goes on to the end of the game, and its
/// result is the score.
#[test]
fn exact_lines_go_on_to_the_end() {
    let fen = "0-1-1-0-2-2-0-1-0-1-1-0-20-19-S";
    let script = format!(
        "setoption name MultiPV value 4\nposition fen {fen}\ngo depth 3\n\
         setoption name MultiPV value 1\ngo depth 3\n"
    );
    let lines = output_of(&["--rules", "awari"], &script);
    let mut infos: Vec<&String> = lines.iter().collect();
    infos.retain(|line| line.starts_with("info depth"));
    assert_eq!(infos.len(), 5, "{lines:?}");
    for info in &infos {
        let start: Position = fen.parse().unwrap();
        let mut game = Game::from_position(Ruleset::AWARI, start).unwrap();
        let (pv, score) = (
            word_after(info, "pv").unwrap(),
            word_after(info, "cp").unwrap(),
        );
        assert!(pv.len() > 12, "{info}");
        play(&mut game, pv);
        assert!(!game.can_go_on(), "{info}");
        let stores = game.outcome().unwrap().stores;
        let lead = 100 * (i32::from(stores.south) - i32::from(stores.north));
        assert_eq!(lead.to_string(), score, "{info}");
    }
    assert!(
        infos
            .iter()
            .any(|info| word_after(info, "pv").unwrap().len() > 60)
    );
}

#[test]
fn moves_after_the_end_of_a_game_are_rejected() {
    // Two seeds that chase each other, and 46 captured ones: the positions repeat.
    let fen = "position fen 1-0-0-0-0-1-0-0-0-0-0-0-23-23-S";
    let round = "FaAbBcCdDeEf";
    let mut engine = EngineProcess::start(&[]);
    engine.send(format!("{fen} moves {round}"));
    engine.send("go depth 1");
    assert_ne!(
        engine.lines_until("bestmove").last().unwrap(),
        "bestmove 0000"
    );
    engine.send(format!("{fen} moves {round}{round}"));
    engine.send("go depth 1");
    assert_eq!(engine.lines_until("bestmove"), ["bestmove 0000"]);
    let error = engine.error(format!("{fen} moves {}", round.repeat(5000)));
    assert_eq!(error, "move 25, 'F', is wrong: the game is over");
    engine.quit();
}
