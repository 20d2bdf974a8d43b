//! A conversation: what is said to each command and each finding, and when.
//!
//! Everything that happens, a line or a finding of the search, is one event after the
//! other here. Commands that need a search that runs to be over wait until it is;
//! `stop` ends every search that was asked for before it. So a whole script may be
//! sent at once.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use krou::engine::{Game, SearchReport};

use super::answers::{EXACT, NO_MOVE, best_move, info, limits_in_words};
use super::command::{Command, Setup};
use super::go::Go;
use super::options::Options;
use super::search::Searcher;
use crate::lines::Line;
use crate::one_line;

/// The most commands that wait for a search.
const WAITING: usize = 64;

/// What happens.
pub enum Event {
    /// A line came in.
    Line(Line),
    /// No more lines will come.
    End,
    /// A depth was finished.
    Depth(SearchReport),
    /// A search is over.
    Found(Option<SearchReport>),
}

/// A search whose answer has not been given yet.
struct Search {
    stop: Arc<AtomicBool>,
    go: Go,
    /// Whether the answer waits for `stop`, or `ponderhit`.
    held: bool,
    /// When it is stopped, if not by its limits.
    deadline: Option<Instant>,
    told: Option<SearchReport>,
    state: State,
}

enum State {
    Searching,
    /// With what it found; nothing if there is no move.
    Over(Option<SearchReport>),
}

/// The conversation.
pub struct Session<W> {
    options: Options,
    searcher: Searcher,
    game: Game,
    search: Option<Search>,
    waiting: VecDeque<Command>,
    debug: bool,
    ended: bool,
    quit: bool,
    out: W,
}

impl<W: Write> Session<W> {
    /// A conversation that begins with the start of a game.
    pub fn new(options: Options, searcher: Searcher, out: W) -> Session<W> {
        Session {
            game: Game::new(options.rules),
            options,
            searcher,
            search: None,
            waiting: VecDeque::new(),
            debug: false,
            ended: false,
            quit: false,
            out,
        }
    }

    /// Whether there is nothing more to say.
    pub fn is_over(&self) -> bool {
        self.quit || self.ended && self.search.is_none() && self.waiting.is_empty()
    }

    /// How long to wait for an event before [`Session::time_is_up`].
    pub fn patience(&self) -> Option<Duration> {
        let deadline = self.search.as_ref()?.deadline?;
        Some(deadline.saturating_duration_since(Instant::now()))
    }

    /// The time for a move that was pondered about is over.
    pub fn time_is_up(&mut self) -> Result<()> {
        self.stop()
    }

    /// Says what there is to say about an event.
    pub fn hear(&mut self, event: Event) -> Result<()> {
        match event {
            Event::Line(line) => {
                match line.text().map_err(str::to_owned).and_then(Command::parse) {
                    Ok(None) => Ok(()),
                    Ok(Some(command)) => self.take(command),
                    Err(why) => self.remark(&why),
                }
            }
            Event::End => {
                self.ended = true;
                // Nobody is left to say so.
                match self.search.as_ref().is_some_and(|search| search.held) {
                    true => self.stop(),
                    false => Ok(()),
                }
            }
            Event::Depth(report) => self.tell(report),
            Event::Found(report) => {
                if let Some(search) = &mut self.search {
                    search.state = State::Over(report);
                }
                self.answer()
            }
        }
    }

    /// Obeys a command, now or when the search is over.
    fn take(&mut self, command: Command) -> Result<()> {
        match command {
            Command::Uci => {
                self.say(concat!("id name krou ", env!("CARGO_PKG_VERSION")))?;
                self.say("id author the authors of krou")?;
                for line in self.options.lines() {
                    self.say(&line)?;
                }
                return Ok(self.say("uciok")?);
            }
            Command::IsReady => return Ok(self.say("readyok")?),
            Command::Debug(on) => self.debug = on,
            Command::Quit => self.quit = true,
            _ => {
                let stops = command == Command::Stop;
                // There is room for one more that stops all before it.
                let stopped = self.waiting.back() == Some(&Command::Stop);
                let room = self.waiting.len() < WAITING || stops && !stopped;
                if room {
                    self.waiting.push_back(command);
                }
                if stops {
                    return self.stop();
                }
                if !room {
                    self.remark("too many commands wait for the search: this one is dropped")?;
                }
            }
        }
        self.proceed()
    }

    /// Obeys those that wait, as far as they can be obeyed.
    fn proceed(&mut self) -> Result<()> {
        while let Some(command) = self.waiting.front() {
            let is_about_search = matches!(command, Command::Stop | Command::PonderHit);
            if self.search.is_some() && !is_about_search {
                break;
            }
            let Some(command) = self.waiting.pop_front() else {
                break;
            };
            self.obey(command)?;
        }
        Ok(())
    }

    fn obey(&mut self, command: Command) -> Result<()> {
        match command {
            Command::NewGame => {
                self.game = Game::new(self.options.rules);
                self.searcher.clear_hash()
            }
            Command::SetOption { name, value } => self.set(&name, &value),
            Command::Position(setup) => self.set_up(&setup),
            Command::Go(go) => self.go(go),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            // They never wait.
            Command::Uci | Command::Debug(_) | Command::IsReady | Command::Quit => Ok(()),
        }
    }

    /// Sets an option, or leaves everything as it is.
    fn set(&mut self, name: &str, value: &str) -> Result<()> {
        let mut options = self.options.clone();
        let engine = match options.set(name, value) {
            Ok(true) => options.engine().map(Some),
            Ok(false) => Ok(None),
            Err(error) => Err(error),
        };
        match engine {
            Ok(engine) => {
                if options.rules != self.options.rules {
                    self.game = Game::new(options.rules);
                }
                self.options = options;
                engine.map_or(Ok(()), |engine| self.searcher.replace(engine))
            }
            Err(error) => self.remark(&format!("{error:#}")),
        }
    }

    fn set_up(&mut self, setup: &Setup) -> Result<()> {
        match setup.game(self.options.rules) {
            Ok(game) => {
                self.game = game;
                Ok(())
            }
            Err(why) => self.remark(&why),
        }
    }

    fn go(&mut self, go: Go) -> Result<()> {
        let limits = go.limits(self.game.to_move());
        if self.debug {
            self.remark(&limits_in_words(&limits))?;
        }
        let stop = Arc::new(AtomicBool::new(false));
        self.search = Some(Search {
            stop: Arc::clone(&stop),
            go,
            held: go.holds(),
            deadline: None,
            told: None,
            state: State::Searching,
        });
        self.searcher.search(self.game.clone(), limits, stop)?;
        match self.ended && go.holds() {
            true => self.stop(),
            false => Ok(()),
        }
    }

    fn stop(&mut self) -> Result<()> {
        if let Some(search) = &mut self.search {
            search.stop.store(true, Ordering::Relaxed);
            search.held = false;
            search.deadline = None;
        }
        self.answer()
    }

    /// The expected reply was played: from now on it is the own time.
    fn ponder_hit(&mut self) -> Result<()> {
        if let Some(search) = &mut self.search
            && search.go.ponder
            && search.held
        {
            search.held = search.go.infinite;
            let time = search.go.time(self.game.to_move());
            search.deadline = time.map(|time| Instant::now() + time);
        }
        self.answer()
    }

    /// Tells of a depth that was finished.
    fn tell(&mut self, report: SearchReport) -> Result<()> {
        self.say(&info(&self.game, &report))?;
        if report.score.is_exact() {
            self.say(EXACT)?;
        }
        if let Some(search) = &mut self.search {
            search.told = Some(report);
        }
        Ok(())
    }

    /// Answers, if the search is over and nothing holds the answer back.
    fn answer(&mut self) -> Result<()> {
        let ready = |search: &mut Search| matches!(search.state, State::Over(_)) && !search.held;
        let Some(search) = self.search.take_if(ready) else {
            return Ok(());
        };
        let answer = match search.state {
            State::Over(Some(report)) => {
                let answer = best_move(&self.game, &report, self.options.ponder);
                // A search that was stopped may know more than at its last depth.
                if search.told.is_none_or(|told| is_news(&told, &report)) {
                    self.tell(report)?;
                }
                answer
            }
            State::Over(None) | State::Searching => NO_MOVE.to_owned(),
        };
        self.say(&answer)?;
        self.proceed()
    }

    /// Tells people something; programs may pass over it.
    fn remark(&mut self, text: &str) -> Result<()> {
        Ok(self.say(&format!("info string {}", one_line(text)))?)
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }
}

fn is_news(told: &SearchReport, found: &SearchReport) -> bool {
    (told.depth, told.score, &told.pv) != (found.depth, found.score, &found.pv)
}
