//! The dialogue of a game: asks the player to move, and answers requests.
//!
//! It reads from any `BufRead` and writes to any `Write`, so that tests can drive it.

use std::io::{self, BufRead, Write};
use std::path::Path;

use anyhow::Result;
use krou::engine::Record;
use krou::engine::{Game, PlayError, Turn};
use krou::engine::{ending_sentence, result_sentence};
use krou::ogn::{GameDefaults, SavedGame};
use krou::rules::{Player, ROW};

use super::draw;
use super::input::{Lines, Request};
use super::players::Players;
use super::sentences;
use crate::files::{load_game, save_game, today};
use crate::messages::{one_line, with_causes};

/// A game, its players and their terminal.
pub struct PlaySession<P, I, O> {
    pub record: Record,
    /// The game as it was loaded, whose tags are saved again.
    pub loaded: SavedGame,
    pub players: Players,
    /// Makes the players of a game that is loaded.
    pub players_for: P,
    /// Whether the board shows the value of each move.
    pub show_values: bool,
    /// Whether input is echoed, so that the output is a full transcript.
    pub echo: bool,
    /// Whether moves are printed in bold.
    pub bold: bool,
    pub input: Lines<I>,
    pub out: O,
}

impl<P, I, O> PlaySession<P, I, O>
where
    P: Fn(&SavedGame) -> Result<Players>,
    I: BufRead,
    O: Write,
{
    /// Runs until the game is over or a player quits.
    pub fn run(mut self) -> io::Result<()> {
        self.print_intro()?;
        loop {
            let is_over = self.record.game().outcome().is_some();
            if is_over {
                self.print_end()?;
                if !self.asks_after_end() {
                    return Ok(());
                }
            } else {
                let tables = self.show_values.then(|| self.players.tables());
                let board = draw::board(self.record.game(), tables);
                write!(self.out, "\n{board}\n")?;
            }
            // A game that is over is not played on.
            let reply = if is_over {
                None
            } else {
                self.players.reply(self.record.game())
            };
            let goes_on = match reply {
                Some(pit) => self.reply(pit).map(|()| true)?,
                None => self.ask()?,
            };
            if !goes_on {
                return if is_over {
                    Ok(())
                } else {
                    let score = sentences::score(self.record.game().stores());
                    writeln!(self.out, "Game stopped. Score so far: {score}.")
                };
            }
        }
    }

    fn print_intro(&mut self) -> io::Result<()> {
        let game = self.record.start();
        let (rules, first) = (game.rules(), game.to_move());
        writeln!(self.out, "Rules: {rules}. {first} begins.")?;
        match self.players.opponent() {
            Some((player, title)) => writeln!(
                self.out,
                "You are {}; {player} is {title}. Type ? for help.",
                player.opponent()
            ),
            None => writeln!(
                self.out,
                "More than half of the seeds win. Type ? for help."
            ),
        }
    }

    fn print_end(&mut self) -> io::Result<()> {
        let game = self.record.game();
        let Some(outcome) = game.outcome() else {
            return Ok(());
        };
        write!(self.out, "\n{}\n", draw::board(game, None))?;
        writeln!(self.out, "{}", ending_sentence(game, outcome.ending))?;
        let score = sentences::score(outcome.stores);
        writeln!(self.out, "Final score: {score}.")?;
        writeln!(self.out, "{}", result_sentence(&outcome))
    }

    /// Whether players may still save the game or take a move back. A game of two
    /// players that is read from a pipe ends with its last move.
    fn asks_after_end(&self) -> bool {
        !self.echo || self.players.opponent().is_some()
    }

    /// Plays the opponent's move.
    fn reply(&mut self, pit: u8) -> io::Result<()> {
        let before = self.record.game().clone();
        match self.record.play(pit) {
            Ok(turn) => self.print_turn(&before, &turn),
            // Opponents choose legal moves.
            Err(why) => writeln!(self.out, "Not played: {why}."),
        }
    }

    /// Asks the player until the position changes; returns false if the player quits.
    fn ask(&mut self) -> io::Result<bool> {
        if let Some(warning) = sentences::warning(self.record.game()) {
            writeln!(self.out, "{warning}")?;
        }
        loop {
            let player = self.asked_player();
            let prompt = self.prompt(player);
            let Some(line) = self.input.read(&prompt, &mut self.out)? else {
                writeln!(self.out)?;
                return Ok(false);
            };
            if self.echo {
                writeln!(self.out, "{}", line.shown())?;
            }
            let answer = match Request::parse(&line, player) {
                Request::Quit => return Ok(false),
                Request::Invalid(why) => format!("Not played: {why}."),
                Request::Pit(pit) => match self.play(player, pit)? {
                    Ok(()) => return Ok(true),
                    Err(why) => format!("Not played: {why}."),
                },
                Request::Moves(letters) => match self.play_all(&letters)? {
                    Ok(()) => return Ok(true),
                    Err(why) => format!("Not played: {why}."),
                },
                Request::TakeBack => match self.take_back() {
                    Some(player) => {
                        writeln!(self.out, "Move taken back: {player} is to move again.")?;
                        return Ok(true);
                    }
                    None => "Not taken back: you have not made a move.".to_owned(),
                },
                Request::Load(file) => match self.load(Path::new(&file)) {
                    Ok(()) => {
                        self.print_intro()?;
                        return Ok(true);
                    }
                    Err(error) => {
                        format!("Not loaded: {}.", one_line(&with_causes(error.as_ref())))
                    }
                },
                Request::Save { file, overwrite } => match self.save(Path::new(&file), overwrite) {
                    Ok(()) => format!("Saved to {}.", one_line(&file)),
                    Err(error) => format!("Not saved: {}.", one_line(&with_causes(error.as_ref()))),
                },
                Request::Hint => self.hint(),
                Request::Values => self.values(),
                Request::Help => sentences::help(player),
            };
            writeln!(self.out, "{answer}")?;
        }
    }

    /// Plays a pit of this player, or says why not.
    fn play(&mut self, player: Player, pit: u8) -> io::Result<Result<(), String>> {
        let before = self.record.game().clone();
        if before.outcome().is_some() {
            return Ok(Err(PlayError::Over.to_string()));
        }
        match self.record.play(pit) {
            Ok(turn) => self.print_turn(&before, &turn).map(Ok),
            Err(PlayError::Illegal(why)) => Ok(Err(why.named(|pit| sentences::pit(player, pit)))),
            Err(why) => Ok(Err(why.to_string())),
        }
    }

    fn print_turn(&mut self, before: &Game, turn: &Turn) -> io::Result<()> {
        let sentence = sentences::turn(before, turn);
        let [on, off] = if self.bold {
            ["\x1b[1m", "\x1b[0m"]
        } else {
            [""; 2]
        };
        writeln!(self.out, "{on}{sentence}{off}")
    }

    /// Plays several moves by their letters, or says why one is not played.
    fn play_all(&mut self, letters: &str) -> io::Result<Result<(), String>> {
        if self.players.opponent().is_some() {
            return Ok(Err("type one move at a time".to_owned()));
        }
        for (player, pit) in letters.chars().filter_map(Player::from_letter) {
            let to_move = self.record.game().to_move();
            if player != to_move && self.record.game().outcome().is_none() {
                let letter = player.letter(pit);
                return Ok(Err(format!(
                    "{letter} is {player}'s, and {to_move} is to move"
                )));
            }
            if let Err(why) = self.play(player, pit)? {
                return Ok(Err(why));
            }
        }
        Ok(Ok(()))
    }

    fn prompt(&self, player: Player) -> String {
        if self.record.game().outcome().is_some() {
            return "The game is over (s FILE saves, u takes back, q quits): ".to_owned();
        }
        let first = player.first_pit();
        let last = first + ROW as u8 - 1;
        let [a, f] = [0, 5].map(|pit| player.letter(pit));
        format!("{player} to move ({a}-{f} or {first}-{last}, q quits): ")
    }

    /// The player to ask: the human one, or the player to move if both are human.
    fn asked_player(&self) -> Player {
        let opponent = self.players.opponent().map(|(player, _)| player.opponent());
        opponent.unwrap_or(self.record.game().to_move())
    }

    /// Takes back the last move or, against an opponent, all moves from the player's
    /// last one on. Returns the player to move, or `None` if there was no such move.
    fn take_back(&mut self) -> Option<Player> {
        let opponent = self.players.opponent().map(|(player, _)| player);
        let own = |player| Some(player) != opponent;
        if !self.record.turns().iter().any(|turn| own(turn.player)) {
            return None;
        }
        while let Some(turn) = self.record.take_back() {
            if own(turn.player) {
                return Some(turn.player);
            }
        }
        None
    }

    fn load(&mut self, path: &Path) -> Result<()> {
        let rules = self.record.game().rules();
        let defaults = GameDefaults {
            rules,
            repetitions: self.record.game().repetitions(),
        };
        let game = load_game(path, defaults, None)?;
        self.players = (self.players_for)(&game)?;
        self.record = game.record().clone();
        self.loaded = game;
        Ok(())
    }

    fn save(&self, path: &Path, overwrite: bool) -> Result<()> {
        let mut game = self.loaded.clone().with_record(self.record.clone());
        if game.tag("Date").is_none_or(|date| date == "?") {
            game.set_tag("Date", &today());
        }
        if let Some((player, title)) = self.players.opponent() {
            game.set_tag(&player.to_string(), &format!("krou ({title})"));
        }
        save_game(&game, path, overwrite)
    }

    fn hint(&mut self) -> String {
        let game = self.record.game();
        match self.players.hint(game) {
            Some(report) => sentences::hint(game, &report),
            None => "No hint: the game is over.".to_owned(),
        }
    }

    fn values(&mut self) -> String {
        let game = self.record.game();
        match game.outcome() {
            Some(_) => "No moves: the game is over.".to_owned(),
            None => sentences::values(game, &self.players.values(game)),
        }
    }
}
