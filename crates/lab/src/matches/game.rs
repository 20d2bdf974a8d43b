//! One game of a match: the runner keeps the board and decides when it is over.

use std::time::Duration;

use krou::engine::Record;
use krou::engine::{Ending, Game};
use krou::rules::{Board, Player, Position};

use super::contender::{Conditions, Playing};
use super::process::Silence;

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// The number of the opening, from 0 on.
    pub opening: usize,
    /// The player that the first contender was.
    pub first: Player,
    pub record: Record,
    /// The winner, if there is one.
    pub winner: Option<Player>,
    pub end: End,
    /// Moves and thinking time of each contender.
    pub spent: [Spent; 2],
}

/// The moves of a contender and the time that they took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spent {
    pub moves: u32,
    pub time: Duration,
}

/// Why a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// By the rules.
    Rules(Ending),
    /// It had as many moves as a game may have, and is drawn.
    Length,
    /// This player's engine failed, and lost.
    Fault(Player, Fault),
}

/// What an engine did wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    Crash,
    Timeout,
    /// The answer, shortened.
    IllegalMove(String),
}

impl Played {
    /// Half points of the first contender: 2 for a win and 1 for a draw.
    pub fn half_points(&self) -> usize {
        match self.winner {
            None => 1,
            Some(winner) if winner == self.first => 2,
            Some(_) => 0,
        }
    }

    /// The contender, 0 or 1, that failed, and how.
    pub fn fault(&self) -> Option<(usize, &Fault)> {
        match &self.end {
            End::Fault(player, fault) => Some((usize::from(*player != self.first), fault)),
            _ => None,
        }
    }

    /// The final seeds of South and North.
    pub fn seeds(&self) -> (u8, u8) {
        let game = self.record.game();
        let stores = game.outcome().map_or(game.stores(), |end| end.stores);
        (stores.south, stores.north)
    }
}

impl End {
    /// In a few words.
    pub fn text(&self) -> String {
        match self {
            End::Rules(Ending::Majority(_)) => "majority".to_owned(),
            End::Rules(Ending::NoLegalMove(_)) => "no legal move".to_owned(),
            End::Rules(Ending::GrandSlam(_)) => "grand slam".to_owned(),
            End::Rules(Ending::Starved(_)) => "starved".to_owned(),
            End::Rules(Ending::EmptyRow) => "empty row".to_owned(),
            End::Rules(Ending::Repetition) => "repetition".to_owned(),
            End::Rules(_) => "end of the game".to_owned(),
            End::Length => "too long".to_owned(),
            End::Fault(_, Fault::Crash) => "crash".to_owned(),
            End::Fault(_, Fault::Timeout) => "timeout".to_owned(),
            End::Fault(_, Fault::IllegalMove(answer)) => format!("illegal move {answer:?}"),
        }
    }
}

/// A game from the end of an opening on.
pub struct GameSetup<'o> {
    pub number: usize,
    pub opening: &'o Record,
    /// The player that the first contender is.
    pub first: Player,
    /// Moves after which a game is drawn.
    pub max_moves: usize,
}

impl Played {
    /// A game that has not begun.
    fn of(setup: &GameSetup) -> Played {
        Played {
            opening: setup.number,
            first: setup.first,
            record: setup.opening.clone(),
            winner: None,
            end: End::Length,
            spent: [Spent::default(); 2],
        }
    }
}

/// Plays a game; `None` if the match is over.
pub fn play(
    setup: &GameSetup,
    contenders: &mut [Playing; 2],
    conditions: &Conditions,
) -> Option<Played> {
    let mut played = Played::of(setup);
    let number_of = |player: Player| usize::from(player != setup.first);
    let fail = |played: Played, player: Player, fault: Fault, contenders: &mut [Playing; 2]| {
        // Its state is unknown: the next game starts it again.
        contenders[number_of(player)].end();
        Played {
            winner: Some(player.opponent()),
            end: End::Fault(player, fault),
            ..played
        }
    };
    for player in [Player::South, Player::North] {
        if let Err(silence) = contenders[number_of(player)].begin_game(player) {
            let fault = fault_of(silence)?;
            return Some(fail(played, player, fault, contenders));
        }
    }
    let mut clocks = conditions.time.clocks();
    loop {
        let game = played.record.game();
        if let Some(outcome) = game.outcome() {
            played.winner = outcome.winner();
            played.end = End::Rules(outcome.ending);
            return Some(played);
        }
        if played.record.turns().len() >= setup.max_moves {
            return Some(played);
        }
        let player = game.to_move();
        let contender = &mut contenders[number_of(player)];
        let position = position(&played.record, contender.contender.short_memory);
        let (answer, time) = match contender.choose(&position, &clocks, player) {
            Ok(chosen) => chosen,
            Err(silence) => {
                let fault = fault_of(silence)?;
                return Some(fail(played, player, fault, contenders));
            }
        };
        let spent = &mut played.spent[number_of(player)];
        spent.moves += 1;
        spent.time += time;
        conditions.time.spend(&mut clocks, player, time);
        let pit = pit_of(&answer, player);
        if pit.is_none_or(|pit| played.record.play(pit).is_err()) {
            let fault = Fault::IllegalMove(answer.chars().take(20).collect());
            return Some(fail(played, player, fault, contenders));
        }
    }
}

/// The fault of an engine that does not answer; `None` if the match is over.
fn fault_of(silence: Silence) -> Option<Fault> {
    match silence {
        Silence::Crashed => Some(Fault::Crash),
        Silence::TimedOut => Some(Fault::Timeout),
        Silence::Stopped => None,
    }
}

/// The pit of an answer of one letter, if it is the player's.
fn pit_of(answer: &str, player: Player) -> Option<u8> {
    let mut letters = answer.chars();
    let (mover, pit) = Player::from_letter(letters.next()?)?;
    (letters.next().is_none() && mover == player).then_some(pit)
}

/// The command that tells an engine the game, or with a short memory the part of it in
/// which no position has occurred twice.
fn position(record: &Record, short_memory: bool) -> String {
    let mut games: Vec<&Game> = record.plies().map(|(before, _)| before).collect();
    games.push(record.game());
    let positions: Vec<Position> = games.iter().map(|game| game.position()).collect();
    let first = if short_memory {
        first_of_distinct(&positions)
    } else {
        0
    };
    let is_start = positions[first] == Position::from(Board::START);
    let start = if is_start {
        "startpos".to_owned()
    } else {
        format!("fen {}", positions[first])
    };
    // Letters take one byte each.
    match &record.letters()[first..] {
        "" => format!("position {start}"),
        moves => format!("position {start} moves {moves}"),
    }
}

/// The first position after which, itself included, none occurs twice.
fn first_of_distinct(positions: &[Position]) -> usize {
    let is_new = |place: &usize| !positions[place + 1..].contains(&positions[*place]);
    let new = (0..positions.len()).rev().take_while(is_new);
    positions.len() - new.count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use krou::rules::Ruleset;

    fn record(start: &str, letters: &str) -> Record {
        let position: Position = start.parse().unwrap();
        let mut record = Record::new(Game::from_position(Ruleset::ABAPA, position).unwrap());
        for letter in letters.chars() {
            record.play(Player::from_letter(letter).unwrap().1).unwrap();
        }
        record
    }

    #[test]
    fn engines_are_told_the_whole_game() {
        let start = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
        assert_eq!(position(&record(start, ""), false), "position startpos");
        let command = "position startpos moves FaBc";
        assert_eq!(position(&record(start, "FaBc"), false), command);
        assert_eq!(position(&record(start, "FaBc"), true), command);
        let other = "1-0-0-0-0-1-0-0-0-0-0-0-23-23-N";
        assert_eq!(
            position(&record(other, ""), false),
            format!("position fen {other}")
        );
    }

    /// Twelve quiet moves return to the first board.
    #[test]
    fn a_short_memory_begins_after_the_last_repetition() {
        let start = "1-0-0-0-0-1-0-0-0-0-0-0-23-23-S";
        let round = "FaAbBcCdDeEf";
        let once = record(start, round);
        assert!(position(&once, false).ends_with(&format!("{start} moves {round}")));
        let short = position(&once, true);
        assert!(short.ends_with("moves aAbBcCdDeEf"), "{short}");
        assert!(short.contains("-N moves"), "{short}");
    }

    #[test]
    fn answers_are_letters_of_the_player() {
        assert_eq!(pit_of("C", Player::South), Some(2));
        assert_eq!(pit_of("c", Player::North), Some(2));
        for answer in ["c", "", "0000", "CC", "G", "(none)"] {
            assert_eq!(pit_of(answer, Player::South), None, "{answer}");
        }
    }
}
