//! The talk around a game: whose turn it is, what is asked, and what is answered.
//!
//! It reads from any `BufRead` and writes to any `Write`, so that a test can sit at the
//! terminal.

use std::io::{self, BufRead, Write};
use std::path::Path;

use anyhow::Result;
use krou::engine::{PlayError, Player, Record, SavedGame, TableSource};
use krou::rules::{ROW, Ruleset};

use super::company::Company;
use super::draw;
use super::files;
use super::input::{LONGEST, Request};
use super::words;
use crate::lines::Line;
use crate::one_line;

/// A game and those who sit at it.
pub struct Talk<C, I, O> {
    pub record: Record,
    pub company: Company,
    /// Who comes when a game of another ruleset is loaded.
    pub invite: C,
    /// Whether each board shows what the moves are worth.
    pub show_values: bool,
    /// Whether the lines read are written as well, so that the output is a whole
    /// record of the game.
    pub echo: bool,
    pub input: I,
    pub out: O,
}

/// What came of a player's turn.
enum Turned {
    /// The game stands elsewhere.
    Changed,
    /// Nobody wants to go on.
    Left,
}

impl<C, I, O> Talk<C, I, O>
where
    C: Fn(Ruleset) -> Result<Company>,
    I: BufRead,
    O: Write,
{
    /// Goes on until the game is over or somebody quits.
    pub fn run(mut self) -> io::Result<()> {
        self.greet()?;
        loop {
            let is_over = self.record.game().outcome().is_some();
            if is_over {
                self.tell_the_end()?;
                if !self.lingers() {
                    return Ok(());
                }
            } else {
                let mut tables = self.company.tables();
                let oracle = self
                    .show_values
                    .then_some(&mut tables as &mut dyn TableSource);
                let board = draw::board(self.record.game(), oracle);
                write!(self.out, "\n{board}\n")?;
            }
            let turned = match self.company.answer(self.record.game()) {
                Some(pit) => self.answer(pit)?,
                None => self.ask()?,
            };
            if let Turned::Left = turned {
                return match is_over {
                    true => Ok(()),
                    false => {
                        let score = words::score(self.record.game().stores());
                        writeln!(self.out, "The game stops here. Score so far: {score}.")
                    }
                };
            }
        }
    }

    fn greet(&mut self) -> io::Result<()> {
        let game = self.record.start();
        writeln!(
            self.out,
            "Rules: {}. {} begins.",
            game.rules(),
            game.to_move()
        )?;
        if let Some((player, title)) = self.company.opponent() {
            let person = player.opponent();
            writeln!(
                self.out,
                "You are {person}; {player} is {title}. Type ? for help."
            )?;
        }
        Ok(())
    }

    fn tell_the_end(&mut self) -> io::Result<()> {
        let game = self.record.game();
        let Some(outcome) = game.outcome() else {
            return Ok(());
        };
        write!(self.out, "\n{}\n", draw::board(game, None))?;
        writeln!(self.out, "{}", words::ending(game, outcome.ending))?;
        writeln!(self.out, "Final score: {}.", words::score(outcome.stores))?;
        writeln!(self.out, "{}", words::result(&outcome))
    }

    /// Whether somebody is there who may still save the game or take a move back. A
    /// game of two people that comes through a pipe ends with its last move.
    fn lingers(&self) -> bool {
        !self.echo || self.company.opponent().is_some()
    }

    /// The opponent plays.
    fn answer(&mut self, pit: u8) -> io::Result<Turned> {
        match self.record.play(pit) {
            Ok(turn) => writeln!(self.out, "{}", words::turn(&turn))?,
            // He knows the rules.
            Err(why) => writeln!(self.out, "Not played: {why}.")?,
        }
        Ok(Turned::Changed)
    }

    /// Asks until the player to move has changed the game or quits.
    fn ask(&mut self) -> io::Result<Turned> {
        loop {
            let player = self.person();
            self.prompt(player)?;
            let Some(line) = Line::read(&mut self.input, LONGEST)? else {
                writeln!(self.out)?;
                return Ok(Turned::Left);
            };
            if self.echo {
                writeln!(self.out, "{}", line.shown())?;
            }
            let refused = match Request::of(&line, player) {
                Request::Quit => return Ok(Turned::Left),
                Request::Refused(why) => format!("Not played: {why}."),
                Request::Pit(pit) => match self.record.play(pit) {
                    Ok(turn) => {
                        writeln!(self.out, "{}", words::turn(&turn))?;
                        return Ok(Turned::Changed);
                    }
                    Err(PlayError::Illegal(why)) => {
                        format!("Not played: {}.", why.numbered_from(player.first_pit()))
                    }
                    Err(why) => format!("Not played: {why}."),
                },
                Request::TakeBack => match self.take_back() {
                    Some(player) => {
                        writeln!(self.out, "Taken back: {player} is to move again.")?;
                        return Ok(Turned::Changed);
                    }
                    None => "Not taken back: there is no move of yours.".to_owned(),
                },
                Request::Load(file) => match self.load(Path::new(&file)) {
                    Ok(()) => {
                        self.greet()?;
                        return Ok(Turned::Changed);
                    }
                    Err(error) => format!("Not loaded: {}.", one_line(&format!("{error:#}"))),
                },
                Request::Save { file, over } => match self.save(Path::new(&file), over) {
                    Ok(()) => format!("Saved in {}.", one_line(&file)),
                    Err(error) => format!("Not saved: {}.", one_line(&format!("{error:#}"))),
                },
                Request::Hint => self.hint(),
                Request::Worths => self.worths(),
                Request::Help => words::help(player),
            };
            writeln!(self.out, "{refused}")?;
        }
    }

    fn prompt(&mut self, player: Player) -> io::Result<()> {
        match self.record.game().outcome() {
            Some(_) => write!(
                self.out,
                "The game is over (s FILE saves, u takes back, q quits): "
            )?,
            None => {
                let first = player.first_pit();
                let last = first + ROW as u8 - 1;
                write!(self.out, "{player} to move ({first}-{last}, q quits): ")?;
            }
        }
        self.out.flush()
    }

    /// Who is asked: the player to move, unless he is the opponent and the game over.
    fn person(&self) -> Player {
        let opponent = self.company.opponent().map(|(player, _)| player.opponent());
        opponent.unwrap_or(self.record.game().to_move())
    }

    /// Takes back the last move, and all since the person's last one where an opponent
    /// plays; says who is to move then.
    fn take_back(&mut self) -> Option<Player> {
        let opponent = self.company.opponent().map(|(player, _)| player);
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
        let record = files::load(path, rules)?;
        if record.game().rules() != rules {
            self.company = (self.invite)(record.game().rules())?;
        }
        self.record = record;
        Ok(())
    }

    fn save(&self, path: &Path, over: bool) -> Result<()> {
        let mut game = SavedGame::new(self.record.clone());
        if let Some((player, title)) = self.company.opponent() {
            game.set_tag(&player.to_string(), &format!("krou ({title})"));
        }
        files::save(&game, path, over)
    }

    fn hint(&mut self) -> String {
        let game = self.record.game();
        match self.company.hint(game) {
            Some(report) => words::hint(game, &report),
            None => "No hint: the game is over.".to_owned(),
        }
    }

    fn worths(&mut self) -> String {
        let game = self.record.game();
        match game.outcome() {
            Some(_) => "No moves: the game is over.".to_owned(),
            None => words::worths(game, &self.company.worths(game)),
        }
    }
}
