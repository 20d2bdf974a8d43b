//! Plays the games of a match, several at a time.
//!
//! Each worker has its own engines and plays both games of an opening after one another.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use anyhow::{Context, Result};
use krou::engine::Record;
use krou::rules::Player;

use super::contender::{Conditions, Contender, Playing};
use super::game::{GameSetup, Played, play};

/// A match to be played.
pub struct Schedule<'m> {
    pub contenders: &'m [Contender; 2],
    pub conditions: Conditions<'m>,
    pub openings: &'m [Record],
    /// Games that run at a time.
    pub concurrency: usize,
    /// Moves after which a game is drawn.
    pub max_moves: usize,
}

impl Schedule<'_> {
    /// Plays all games. Calls `on_game` after each one; if it returns `false`, or the match
    /// is interrupted, no more games are played.
    ///
    /// # Errors
    /// If an engine cannot be started, or `on_game` fails.
    pub fn play(&self, mut on_game: impl FnMut(Played) -> Result<bool>) -> Result<()> {
        let next = AtomicUsize::new(0);
        let over = AtomicBool::new(false);
        thread::scope(|scope| {
            let (sender, results) = channel();
            for number in 0..self.concurrency.min(self.openings.len()) {
                let (sender, next, over) = (sender.clone(), &next, &over);
                let work = move || {
                    if let Err(error) = self.work(next, over, &sender) {
                        // The receiver is gone if another worker has failed.
                        let _ = sender.send(Err(error));
                    }
                };
                let thread = thread::Builder::new().name(format!("games {number}"));
                let started = thread.spawn_scoped(scope, work);
                if let Err(error) = started {
                    over.store(true, Ordering::Relaxed);
                    return Err(error).context("cannot start a thread");
                }
            }
            drop(sender);
            let played = receive(&results, &mut on_game);
            over.store(true, Ordering::Relaxed);
            // Games that are being played must end at once.
            self.conditions.stopped.store(true, Ordering::Relaxed);
            played
        })
    }

    fn work(
        &self,
        next: &AtomicUsize,
        over: &AtomicBool,
        results: &Sender<Result<Played>>,
    ) -> Result<()> {
        let [a, b] = self.contenders;
        let mut playing = [
            Playing::start(a, self.conditions)?,
            Playing::start(b, self.conditions)?,
        ];
        while !over.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(opening) = self.openings.get(number) else {
                break;
            };
            for first in [Player::South, Player::North] {
                let setup = GameSetup {
                    number,
                    opening,
                    first,
                    max_moves: self.max_moves,
                };
                let Some(played) = play(&setup, &mut playing, &self.conditions) else {
                    return Ok(());
                };
                if results.send(Ok(played)).is_err() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// Hands each result on until there are no more.
fn receive(
    results: &Receiver<Result<Played>>,
    on_game: &mut impl FnMut(Played) -> Result<bool>,
) -> Result<()> {
    for played in results {
        if !on_game(played?)? {
            break;
        }
    }
    Ok(())
}
