//! A session of the protocol: handles one event after the other, and writes the output.
//!
//! Commands that need the running search to end are queued until it does; `stop` ends
//! every search requested before it. So a whole script may be sent at once.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use krou::engine::{Book, Engine, Game, Score, SearchReport};

use super::command::{Command, Setup};
use super::events::Event;
use super::go::Go;
use super::options::Options;
use super::output::{Info, NO_MOVE, best_move, describe_limits};
use super::search::SearchThread;
use crate::messages::{one_line, with_causes};

/// Maximum number of queued commands.
const MAX_QUEUED: usize = 64;

/// A search without a `bestmove` yet.
struct Search {
    stop: Arc<AtomicBool>,
    go: Go,
    /// Whether `bestmove` waits for `stop` or `ponderhit`.
    held: bool,
    /// When to stop it, if not by its limits.
    deadline: Option<Instant>,
    reported: Option<SearchReport>,
    state: State,
}

enum State {
    Searching,
    /// Ended, with its result; `None` if there is no legal move.
    Over(Option<SearchReport>),
}

/// The state of the session.
pub struct Session<W> {
    options: Options,
    searcher: SearchThread,
    game: Game,
    search: Option<Search>,
    queue: VecDeque<Command>,
    debug: bool,
    ended: bool,
    quit: bool,
    out: W,
}

impl<W: Write> Session<W> {
    /// A session that begins with the start position.
    pub fn new(options: Options, searcher: SearchThread, out: W) -> Session<W> {
        Session {
            game: options.new_game(),
            options,
            searcher,
            search: None,
            queue: VecDeque::new(),
            debug: false,
            ended: false,
            quit: false,
            out,
        }
    }

    /// Whether the session has ended.
    pub fn is_over(&self) -> bool {
        self.quit || self.ended && self.search.is_none() && self.queue.is_empty()
    }

    /// How long to wait for an event before [`Session::time_is_up`].
    pub fn time_left(&self) -> Option<Duration> {
        let deadline = self.search.as_ref()?.deadline?;
        Some(deadline.saturating_duration_since(Instant::now()))
    }

    /// The time for a pondered move is over.
    pub fn time_is_up(&mut self) -> Result<()> {
        self.stop()
    }

    /// Handles an event.
    pub fn handle(&mut self, event: Event) -> Result<()> {
        match event {
            Event::Line(line) => {
                match line.text().map_err(str::to_owned).and_then(Command::parse) {
                    Ok(None) => Ok(()),
                    Ok(Some(command)) => self.receive(command),
                    Err(why) => self.remark(&why),
                }
            }
            Event::EndOfInput => {
                self.ended = true;
                // No `stop` can follow.
                match self.search.as_ref().is_some_and(|search| search.held) {
                    true => self.stop(),
                    false => Ok(()),
                }
            }
            Event::Depth(report) => self.report(report),
            Event::TableError(error) => {
                self.remark(&format!("{error}; the engine searches without it"))
            }
            Event::Found(report) => {
                if let Some(search) = &mut self.search {
                    search.state = State::Over(report);
                }
                self.answer()
            }
        }
    }

    /// Executes a command, now or when the search has ended.
    fn receive(&mut self, command: Command) -> Result<()> {
        match command {
            Command::Uci => {
                self.print(concat!("id name krou ", env!("CARGO_PKG_VERSION")))?;
                self.print("id author the authors of krou")?;
                for line in self.options.lines() {
                    self.print(&line)?;
                }
                return Ok(self.print("uciok")?);
            }
            Command::IsReady => return Ok(self.print("readyok")?),
            Command::Debug(on) => self.debug = on,
            Command::Quit => self.quit = true,
            _ => {
                let stops = command == Command::Stop;
                // One `stop` always fits, since it ends all searches before it.
                let stopped = self.queue.back() == Some(&Command::Stop);
                let room = self.queue.len() < MAX_QUEUED || stops && !stopped;
                if room {
                    self.queue.push_back(command);
                }
                if stops {
                    self.stop()?;
                } else if !room {
                    self.remark("too many commands wait for the search: this one is dropped")?;
                }
            }
        }
        self.execute_queue()
    }

    /// Executes queued commands until one has to wait.
    fn execute_queue(&mut self) -> Result<()> {
        while let Some(command) = self.queue.front() {
            let is_about_search = matches!(command, Command::Stop | Command::PonderHit);
            if self.search.is_some() && !is_about_search {
                break;
            }
            let Some(command) = self.queue.pop_front() else {
                break;
            };
            self.execute(command)?;
        }
        Ok(())
    }

    fn execute(&mut self, command: Command) -> Result<()> {
        match command {
            Command::NewGame => {
                self.game = self.options.new_game();
                self.searcher.clear_hash()
            }
            Command::SetOption { name, .. } if name.eq_ignore_ascii_case("clear hash") => {
                self.searcher.clear_hash()
            }
            Command::SetOption { name, value } => self.set(&name, &value),
            Command::Position(setup) => self.set_up(&setup),
            Command::Go(go) => self.go(go),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            // These are never queued.
            Command::Uci | Command::Debug(_) | Command::IsReady | Command::Quit => Ok(()),
        }
    }

    /// Sets an option; on an error all options stay unchanged.
    fn set(&mut self, name: &str, value: &str) -> Result<()> {
        let mut options = self.options.clone();
        match options.set(name, value) {
            Ok(true) => {}
            Ok(false) => {
                self.options = options;
                return Ok(());
            }
            Err(error) => return self.remark(&with_causes(error.as_ref())),
        }
        let (old, new) = (self.options.clone(), options.clone());
        let configure = move |engine: &mut Engine| new.configure(engine, &old).err();
        let refused = self.searcher.configure(configure)?;
        if let Some(error) = refused {
            return self.remark(&with_causes(error.as_ref()));
        }
        if options.rules != self.options.rules {
            self.game = options.new_game();
        }
        self.options = options;
        Ok(())
    }

    fn set_up(&mut self, setup: &Setup) -> Result<()> {
        match self.options.game(setup) {
            Ok(game) => {
                self.game = game;
                Ok(())
            }
            Err(why) => self.remark(&why),
        }
    }

    fn go(&mut self, go: Go) -> Result<()> {
        if !go.ignored.is_empty() {
            self.remark(&format!("go ignores '{}'", go.ignored))?;
        }
        if go.has_no_legal_move(&self.game) {
            self.remark("searchmoves has no legal move, so all moves are searched")?;
        }
        if let Some(report) = self.book_report(&go) {
            let answer = best_move(&self.game, &report, self.options.ponder);
            self.remark("the move is from the opening book")?;
            self.report(report)?;
            return Ok(self.print(&answer)?);
        }
        let limits = go.limits(self.game.to_move(), self.options.overhead);
        let limits = limits.with_lines(self.options.lines);
        if self.debug {
            self.remark(&describe_limits(&limits))?;
        }
        let stop = Arc::new(AtomicBool::new(false));
        let holds = go.holds();
        self.search = Some(Search {
            stop: Arc::clone(&stop),
            go,
            held: holds,
            deadline: None,
            reported: None,
            state: State::Searching,
        });
        self.searcher.search(self.game.clone(), limits, stop)?;
        match self.ended && holds {
            true => self.stop(),
            false => Ok(()),
        }
    }

    /// The best line of the opening book, if one may be played.
    fn book_report(&self, go: &Go) -> Option<SearchReport> {
        let is_asked = self.options.own_book
            && self.options.lines == 1
            && self.game.outcome().is_none()
            && go.is_in_a_game(self.game.to_move());
        let book = Book::embedded(self.game.rules()).filter(|_| is_asked)?;
        let best = book.moves(&self.game)?.first()?;
        let line = book.best_line(&self.game);
        Some(SearchReport::new(Score::estimate(best.score), line))
    }

    fn stop(&mut self) -> Result<()> {
        if let Some(search) = &mut self.search {
            search.stop.store(true, Ordering::Relaxed);
            search.held = false;
            search.deadline = None;
        }
        self.answer()
    }

    /// The expected reply was played: the engine's clock runs from now on.
    fn ponder_hit(&mut self) -> Result<()> {
        if let Some(search) = &mut self.search
            && search.go.ponder
            && search.held
        {
            search.held = search.go.infinite;
            let time = search.go.time(self.game.to_move(), self.options.overhead);
            let time = time.map(|time| time.target.map_or(time.limit, |t| t.min(time.limit)));
            search.deadline = time.map(|time| Instant::now() + time);
            // There is nothing to think about.
            let is_forced = self.game.moves().legal().count() == 1;
            if is_forced && time.is_some() && search.reported.is_some() && !search.held {
                return self.stop();
            }
        }
        self.answer()
    }

    /// Prints the result of a completed depth.
    fn report(&mut self, report: SearchReport) -> Result<()> {
        let info = Info {
            game: &self.game,
            shows_result: self.options.shows_result,
            has_lines: self.options.lines > 1,
        };
        for line in info.lines(&report) {
            self.print(&line)?;
        }
        if let Some(search) = &mut self.search {
            search.reported = Some(report);
        }
        Ok(())
    }

    /// Prints `bestmove` if the search has ended and nothing holds it back.
    fn answer(&mut self) -> Result<()> {
        let ready = |search: &mut Search| matches!(search.state, State::Over(_)) && !search.held;
        let Some(search) = self.search.take_if(ready) else {
            return Ok(());
        };
        let answer = match search.state {
            State::Over(Some(report)) => {
                let answer = best_move(&self.game, &report, self.options.ponder);
                // A stopped search may know more than at its last completed depth.
                let note = search
                    .go
                    .mate
                    .map(|moves| win_note(&self.game, &report, moves));
                if search.reported.is_none_or(|last| is_news(&last, &report)) {
                    self.report(report)?;
                }
                if let Some(note) = note {
                    self.remark(&note)?;
                }
                answer
            }
            State::Over(None) | State::Searching => NO_MOVE.to_owned(),
        };
        self.print(&answer)?;
        self.execute_queue()
    }

    /// Prints a note, which programs may ignore.
    fn remark(&mut self, text: &str) -> Result<()> {
        Ok(self.print(&format!("info string {}", one_line(text)))?)
    }

    fn print(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }
}

/// Whether a report says more than the last one.
fn is_news(last: &SearchReport, found: &SearchReport) -> bool {
    let said = |report: &SearchReport| {
        (
            report.depth,
            report.score,
            report.is_lower_bound,
            report.pv.clone(),
        )
    };
    said(last) != said(found) || last.others != found.others
}

/// The answer to `go mate`.
fn win_note(game: &Game, report: &SearchReport, moves: u8) -> String {
    match game.lead(game.to_move()) + report.proven.lower {
        1.. => "a win is proven".to_owned(),
        _ => format!("no win within {moves} moves was found"),
    }
}

#[cfg(test)]
mod tests;
