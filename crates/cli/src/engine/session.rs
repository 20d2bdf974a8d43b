//! A session of the protocol: handles one event after the other, and writes the output.
//!
//! Commands that need the running search to end are queued until it does; `stop` ends
//! every search requested before it. So a whole script may be sent at once.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use anyhow::Result;
use krou::engine::{Game, Limits, SearchReport};
use krou::ogn::Setup;

use super::command::UciCommand;
use super::event::Event;
use super::go::Go;
use super::options::Options;
use super::output::{Info, NO_MOVE, best_move, describe_limits, is_news, win_note};
use super::searchers::Searchers;
use crate::messages::{one_line, with_causes};

/// Time for a search of one ply, which takes far less.
const EVALUATION: Duration = Duration::from_secs(1);

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
    state: SearchState,
}

enum SearchState {
    Searching,
    /// Ended, with its result; `None` if there is no legal move.
    Over(Option<SearchReport>),
    /// Ended, with the pit that the level chose; `None` if there is no legal move.
    Chosen(Option<u8>),
}

/// The state of the session.
#[allow(clippy::struct_excessive_bools)] // independent flags
pub struct Session<W> {
    options: Options,
    searchers: Searchers,
    game: Game,
    /// Whether the last `position` was refused, so that there is no board to search.
    is_refused: bool,
    search: Option<Search>,
    queue: VecDeque<UciCommand>,
    debug: bool,
    ended: bool,
    quit: bool,
    out: W,
}

impl<W: Write> Session<W> {
    /// A session that begins with the start position; searches report to `events`.
    pub fn new(options: Options, events: SyncSender<Event>, out: W) -> Session<W> {
        Session {
            game: options.new_game(),
            searchers: Searchers::new(&options, events),
            is_refused: false,
            options,
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
                let command = match line.text() {
                    Ok(text) => UciCommand::parse(text),
                    // It may have been one.
                    Err(why) => Ok(Some(UciCommand::Position(Err(why.to_owned())))),
                };
                match command {
                    Ok(None) => Ok(()),
                    Ok(Some(command)) => {
                        self.receive(command)?;
                        self.report_notes()
                    }
                    Err(why) => self.remark(&why),
                }
            }
            Event::EndOfInput => {
                self.ended = true;
                // No `stop` can follow.
                if self.search.as_ref().is_some_and(|search| search.held) {
                    return self.stop();
                }
                Ok(())
            }
            Event::EndOfOutput => {
                self.quit = true;
                Ok(())
            }
            Event::Count(count) => self.remark(&count),
            Event::Depth(report) => self.report(report),
            Event::Found(report) => self.end_search(SearchState::Over(report)),
            Event::Chosen(pit) => self.end_search(SearchState::Chosen(pit)),
        }
    }

    fn end_search(&mut self, state: SearchState) -> Result<()> {
        self.report_table_errors()?;
        if let Some(search) = &mut self.search {
            search.state = state;
        }
        self.answer()
    }

    /// Executes a command, now or when the search has ended.
    fn receive(&mut self, command: UciCommand) -> Result<()> {
        match command {
            UciCommand::Uci => {
                self.print(concat!("id name krou ", env!("CARGO_PKG_VERSION")))?;
                self.print("id author the authors of krou")?;
                for line in self.options.lines() {
                    self.print(&line)?;
                }
                self.remark(&self.options.tables_found())?;
                return Ok(self.print("uciok")?);
            }
            UciCommand::IsReady => {
                if self.search.is_none() {
                    self.prepare()?;
                }
                return Ok(self.print("readyok")?);
            }
            UciCommand::Debug(on) => self.debug = on,
            UciCommand::Quit => self.quit = true,
            _ => {
                let stops = command == UciCommand::Stop;
                // One `stop` always fits, since it ends all searches before it.
                let stopped = self.queue.back() == Some(&UciCommand::Stop);
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
            let is_about_search = matches!(command, UciCommand::Stop | UciCommand::PonderHit);
            if self.search.is_some() && !is_about_search {
                break;
            }
            let Some(command) = self.queue.pop_front() else {
                break;
            };
            self.execute(command)?;
            // It ends all searches before it, not only the last one.
            if self.queue.contains(&UciCommand::Stop) {
                self.stop()?;
            }
        }
        Ok(())
    }

    fn execute(&mut self, command: UciCommand) -> Result<()> {
        match command {
            UciCommand::NewGame => {
                self.start_game();
                self.prepare()?;
                self.searchers.engine().clear_hash();
                Ok(())
            }
            UciCommand::SetOption { name, .. } if name.eq_ignore_ascii_case("clear hash") => {
                self.searchers.engine().clear_hash();
                Ok(())
            }
            UciCommand::SetOption { name, value } => self.set(&name, &value),
            UciCommand::Position(setup) => self.set_up(setup),
            UciCommand::Go(go) => self.go(go),
            UciCommand::Display => self.display(),
            UciCommand::Evaluate => self.evaluate(),
            UciCommand::Stop => self.stop(),
            UciCommand::PonderHit => self.ponder_hit(),
            // These are never queued.
            UciCommand::Uci | UciCommand::Debug(_) | UciCommand::IsReady | UciCommand::Quit => {
                Ok(())
            }
        }
    }

    /// Sets an option; on an error all options stay unchanged.
    fn set(&mut self, name: &str, value: &str) -> Result<()> {
        let mut options = self.options.clone();
        let set = options.set(name, value);
        let set = set.and_then(|()| options.configure(&mut self.searchers.engine(), &self.options));
        if let Err(error) = set {
            return self.remark(&with_causes(error.as_ref()));
        }
        let is_new_game = options.rules != self.options.rules;
        self.options = options;
        self.searchers.forget_opponent();
        if is_new_game {
            self.start_game();
        }
        self.report_notes()
    }

    /// Makes the engine ready to search.
    fn prepare(&mut self) -> Result<()> {
        self.options.prepare(&mut self.searchers.engine());
        self.report_notes()
    }

    fn start_game(&mut self) {
        self.game = self.options.new_game();
        self.searchers.forget_opponent();
        self.is_refused = false;
    }

    /// Reports folders and tables that could not be opened.
    fn report_notes(&mut self) -> Result<()> {
        for note in std::mem::take(&mut self.options.notes) {
            self.remark(&note)?;
        }
        Ok(())
    }

    /// Reports each table that could not be read, once.
    fn report_table_errors(&mut self) -> Result<()> {
        for error in self.searchers.new_errors() {
            self.remark(&format!("{error}; the engine searches without it"))?;
        }
        Ok(())
    }

    fn set_up(&mut self, setup: Result<Setup, String>) -> Result<()> {
        let game = setup.and_then(|setup| self.options.game(&setup));
        self.is_refused = game.is_err();
        match game {
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
        if self.is_refused {
            self.remark("there is no position to search: the last one was refused")?;
            let held = go.holds() && !self.ended;
            self.begin(go, held, SearchState::Over(None));
            return self.answer();
        }
        if go.has_no_legal_move(&self.game) {
            self.remark("searchmoves has no legal move, so all moves are searched")?;
        }
        let (game, holds) = (self.game.clone(), go.holds());
        if let Some(plies) = go.perft {
            let search = self.begin(go, false, SearchState::Searching);
            let stop = Arc::clone(&search.stop);
            return self.searchers.count(game, plies, stop);
        }
        let (player, overhead) = (game.to_move(), self.options.overhead);
        if let Some(opponent) = self.searchers.opponent(&mut self.options) {
            let time = go.time(player, overhead).filter(|_| !holds);
            let search = self.begin(go, holds, SearchState::Searching);
            search.deadline = time.map(|time| Instant::now() + time.limit);
            let stop = Arc::clone(&search.stop);
            self.searchers.choose(opponent, game, stop)?;
        } else {
            let limits = go.limits(player, overhead);
            let limits = limits.with_lines(self.options.lines);
            if self.debug {
                self.remark(&describe_limits(&limits))?;
            }
            self.prepare()?;
            let search = self.begin(go, holds, SearchState::Searching);
            let stop = Arc::clone(&search.stop);
            self.searchers.search(game, limits, stop)?;
        }
        if self.ended && holds {
            return self.stop();
        }
        Ok(())
    }

    /// The search of a `go`, in this state.
    fn begin(&mut self, go: Go, held: bool, state: SearchState) -> &mut Search {
        self.search.insert(Search {
            stop: Arc::new(AtomicBool::new(false)),
            go,
            held,
            deadline: None,
            reported: None,
            state,
        })
    }

    /// Shows the board, with South's row below, and the position.
    fn display(&mut self) -> Result<()> {
        for row in self.game.position().board_from_south().drawing().lines() {
            self.remark(row)?;
        }
        self.remark(&format!("fen {}", self.game.position()))
    }

    /// Shows what a search of one ply finds, or tables say, without waiting for a host.
    fn evaluate(&mut self) -> Result<()> {
        let limits = Limits::default().with_depth(1).with_time(EVALUATION);
        let never = AtomicBool::new(false);
        let found = self
            .searchers
            .engine()
            .search(&self.game, &limits, &never, &mut |_| ());
        match found {
            Some(report) => self.report(report),
            None => self.remark("there is no legal move"),
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
            tables: self.options.tables(),
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
        let ready =
            |search: &mut Search| !matches!(search.state, SearchState::Searching) && !search.held;
        let Some(search) = self.search.take_if(ready) else {
            return Ok(());
        };
        let answer = match search.state {
            SearchState::Over(Some(report)) => {
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
            SearchState::Chosen(Some(pit)) => {
                format!("bestmove {}", self.game.to_move().letter(pit))
            }
            SearchState::Over(None) | SearchState::Chosen(None) | SearchState::Searching => {
                NO_MOVE.to_owned()
            }
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
