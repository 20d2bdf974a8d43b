//! The Kalah Game Protocol, version 1, in freeplay mode: the engine is a client that answers the
//! boards of a server. `docs/protocol.md` describes how to connect.
//!
//! The main thread reads and answers commands at once; a thread of its own searches one board
//! after another, and sends each better move that it finds. Whatever the server sends, at worst it
//! gets an error as the answer.

use std::io::{self, BufRead, BufReader, Write};
use std::mem;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use krou::engine::{Engine, Game, Limits};
use krou::rules::{Position, Ruleset};

use super::clock::MoveTime;
use super::options::Options;
use crate::args::whole_number;
use crate::lines::{InputLine, beginning, shown};
use crate::messages::{print_message, print_note};

/// Maximum length of a line in bytes, as the protocol has it.
const MAX_LINE: usize = 16_384;
/// Boards that may wait while another one is searched.
const MAX_WAITING: usize = 64;
/// Characters of an error of the server that are shown.
const SHOWN: usize = 200;
/// What the server shows of the engine.
const DESCRIPTION: &str = "Search with proven bounds and endgame tables";
/// What a move takes on its way, and is never spent.
const OVERHEAD: Duration = Duration::from_millis(200);
/// How long a board stays unanswered. The server of the course notes a board only after it has
/// sent it, and drops moves that come before; with none, it plays at random.
const HOLD: Duration = Duration::from_millis(20);

/// Options for the Kalah Game Protocol.
#[derive(Args, Clone, PartialEq, Eq, Debug)]
#[command(next_help_heading = "Kalah Game Protocol")]
pub struct KgpArgs {
    /// Server to connect to by TCP, instead of standard input and output.
    #[arg(long, value_name = "HOST:PORT")]
    connect: Option<String>,
    /// Name that the server shows.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Authors that the server shows.
    #[arg(long, value_name = "NAMES")]
    authors: Option<String>,
    /// Secret by which the server knows this client again. Anybody on the way can read it.
    #[arg(
        long,
        value_name = "TOKEN",
        env = "KROU_KGP_TOKEN",
        hide_env_values = true
    )]
    token: Option<String>,
    /// Milliseconds for a move, unless the server tells the clock or stops the search [default:
    /// 1000].
    #[arg(long, value_name = "MS", value_parser = whole_number(1..=1_000_000_u64))]
    move_time: Option<u64>,
}

impl KgpArgs {
    /// Whether an option is given on the command line that other protocols do not have.
    pub fn are_given(&self) -> bool {
        let words = [&self.connect, &self.name, &self.authors];
        self.move_time.is_some() || words.iter().any(|word| word.is_some())
    }
}

/// Plays until the server says goodbye or the connection ends.
pub fn run(args: &KgpArgs, mut options: Options) -> Result<()> {
    let mut engine = options.new_engine();
    options.prepare(&mut engine);
    options.notes.iter().for_each(|note| print_message(note));
    let Some(address) = &args.connect else {
        return play(args, engine, io::stdin().lock(), &mut io::stdout());
    };
    let connected = TcpStream::connect(address).and_then(|stream| {
        // Moves are short and must arrive.
        stream.set_nodelay(true)?;
        Ok((stream.try_clone()?, stream))
    });
    let (input, mut output) = connected.with_context(|| format!("cannot connect to {address}"))?;
    play(args, engine, BufReader::new(input), &mut output)
}

/// Answers the commands of an input.
fn play(
    args: &KgpArgs,
    engine: Engine,
    mut input: impl BufRead,
    out: &mut (dyn Write + Send),
) -> Result<()> {
    let connection = &KgpConnection {
        out: Mutex::new((1, out)),
    };
    let (waiting, states) = sync_channel(MAX_WAITING);
    thread::scope(|scope| {
        let searcher = thread::Builder::new()
            .spawn_scoped(scope, move || search_all(engine, &states, connection));
        searcher.context("cannot start the search thread")?;
        let mut client = KgpClient {
            args,
            connection,
            waiting,
            open: Vec::new(),
            is_greeted: false,
            has_told_refusal: false,
            mode: TimeMode::Unknown,
            clock: None,
        };
        let answered = client.answer_all(&mut input);
        client.stop(None);
        answered?;
        match client.is_greeted {
            true => Ok(()),
            false => {
                bail!("the other side does not begin with 'kgp 1': is it a server of the protocol?")
            }
        }
    })
}

/// The way back to the server.
struct KgpConnection<'w> {
    /// The number of the next command, and where it goes.
    out: Mutex<(u64, &'w mut (dyn Write + Send))>,
}

impl KgpConnection<'_> {
    /// Sends a command, which may refer to one of the server.
    fn send(&self, to: Option<u64>, words: &str) -> io::Result<()> {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let (id, out) = &mut *out;
        let to = to.map_or_else(String::new, |to| format!("@{to}"));
        out.write_all(format!("{id}{to} {words}\r\n").as_bytes())?;
        // The server's commands have the even numbers.
        *id += 2;
        out.flush()
    }
}

/// A board that is to be searched.
struct KgpState {
    id: Option<u64>,
    received: Instant,
    game: Game,
    limits: Limits,
    is_stopped: Arc<AtomicBool>,
}

/// How the server measures time.
#[derive(Clone, Copy)]
enum TimeMode {
    Unknown,
    /// The clock is for all moves of the game.
    Absolute,
    /// The clock is for each move.
    Relative,
}

/// What a client knows of the server.
struct KgpClient<'c, 'w> {
    args: &'c KgpArgs,
    connection: &'c KgpConnection<'w>,
    waiting: SyncSender<KgpState>,
    /// The boards that wait or are searched, with their flags.
    open: Vec<(Option<u64>, Arc<AtomicBool>)>,
    is_greeted: bool,
    /// Whether it has been said that a board is refused.
    has_told_refusal: bool,
    mode: TimeMode,
    clock: Option<Duration>,
}

impl KgpClient<'_, '_> {
    /// Answers all lines; a read error counts as their end.
    fn answer_all(&mut self, input: &mut impl BufRead) -> Result<()> {
        while let Ok(Some(line)) = InputLine::read(input, MAX_LINE) {
            if !self.answer(&line)? {
                break;
            }
        }
        Ok(())
    }

    /// Answers a line; false after the last one.
    fn answer(&mut self, line: &InputLine) -> Result<bool> {
        let line = match line.text() {
            Ok(line) => line,
            Err(why) => return self.refuse(None, why),
        };
        let (id, to, name, words) = parts(line);
        match name {
            "kgp" if self.is_greeted => return self.refuse(id, "kgp comes once"),
            "kgp" => self.greet(words)?,
            "ping" => self.connection.send(id, "pong")?,
            "state" => {
                if let Err(why) = self.begin(id, words) {
                    // A server may pass over errors, and play at random.
                    if !mem::replace(&mut self.has_told_refusal, true) {
                        print_note(&format!("a board of the server is refused: {why}"));
                    }
                    return self.refuse(id, &why);
                }
            }
            "stop" => self.stop(to),
            "set" => self.set(words),
            "ok" | "pong" | "" => {}
            // An error is not answered by another one.
            "error" => print_note(&format!("the server says: {}", beginning(words, SHOWN))),
            "goodbye" => return Ok(false),
            name => return self.refuse(id, &format!("there is no command '{}'", shown(name))),
        }
        Ok(true)
    }

    /// Says what is wrong with a command, and goes on.
    fn refuse(&self, id: Option<u64>, why: &str) -> Result<bool> {
        let words = format!("error {}", quoted(why));
        self.connection.send(id, &words)?;
        Ok(true)
    }

    /// Introduces the engine to a server of this version.
    fn greet(&mut self, version: &str) -> Result<()> {
        if version.split_whitespace().next() != Some("1") {
            self.refuse(None, "only version 1 is spoken here")?;
            self.connection.send(None, "goodbye")?;
            let version = shown(version);
            bail!("the server speaks version {version} of the protocol, and krou version 1");
        }
        self.is_greeted = true;
        let args = self.args;
        for (option, value) in [
            ("info:name", Some(args.name.as_deref().unwrap_or("krou"))),
            ("info:authors", args.authors.as_deref()),
            ("info:description", Some(DESCRIPTION)),
            ("auth:token", args.token.as_deref()),
        ] {
            if let Some(value) = value {
                let words = format!("set {option} {}", quoted(value));
                self.connection.send(None, &words)?;
            }
        }
        Ok(self.connection.send(None, "mode freeplay")?)
    }

    /// Has a board searched, seen by South, who is to move.
    fn begin(&mut self, id: Option<u64>, board: &str) -> Result<(), String> {
        if !self.is_greeted {
            return Err("kgp comes first".to_owned());
        }
        if !board.starts_with('<') {
            return Err("a state needs a board such as <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>".to_owned());
        }
        let game = board
            .parse::<Position>()
            .map_err(|error| error.to_string())?;
        let game = Game::from_position(Ruleset::KALAH, game).map_err(|error| error.to_string())?;
        if !game.can_go_on() {
            return Err("the game is over".to_owned());
        }
        // A board that is done has no other owner of its flag.
        self.open.retain(|(_, flag)| Arc::strong_count(flag) > 1);
        if id.is_some() && self.open.iter().any(|(open, _)| *open == id) {
            return Err("a board of this number is being searched".to_owned());
        }
        let is_stopped = Arc::new(AtomicBool::new(false));
        self.open.push((id, is_stopped.clone()));
        let limits = self.limits();
        let state = KgpState {
            id,
            received: Instant::now(),
            game,
            limits,
            is_stopped,
        };
        let sent = self.waiting.try_send(state);
        sent.map_err(|_| "too many boards are waiting".to_owned())
    }

    /// Ends the search of a board, or of all boards.
    fn stop(&self, id: Option<u64>) {
        for (open, flag) in &self.open {
            if id.is_none() || *open == id {
                flag.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Remembers how much time there is; other options do not matter here.
    fn set(&mut self, words: &str) {
        let (option, value) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
        match (option, value.trim().trim_matches('"')) {
            ("time:mode", "absolute") => self.mode = TimeMode::Absolute,
            ("time:mode", "relative") => self.mode = TimeMode::Relative,
            ("time:mode", _) => self.mode = TimeMode::Unknown,
            ("time:clock", seconds) => {
                let seconds = seconds.parse::<u32>().ok();
                self.clock = seconds.map(|seconds| Duration::from_secs(seconds.into()));
            }
            _ => {}
        }
    }

    /// The time for the next board.
    fn limits(&self) -> Limits {
        let time = match (self.mode, self.clock) {
            (TimeMode::Absolute, Some(left)) => {
                MoveTime::of_clock(left, Duration::ZERO, None, OVERHEAD)
            }
            (TimeMode::Relative, Some(left)) => MoveTime::fixed(left, OVERHEAD),
            _ => {
                let time = Duration::from_millis(self.args.move_time.unwrap_or(1000));
                MoveTime::fixed(time, HOLD)
            }
        };
        let limits = Limits::default().with_time(time.limit);
        time.target
            .map_or(limits, |target| limits.with_target_time(target))
    }
}

/// Searches boards as they come, until there are no more or nobody hears the moves.
fn search_all(mut engine: Engine, states: &Receiver<KgpState>, connection: &KgpConnection) {
    for state in states {
        if search(&mut engine, &state, connection).is_err() {
            return;
        }
    }
}

/// Sends better and better moves for a board; then says that no better one will come.
fn search(engine: &mut Engine, state: &KgpState, connection: &KgpConnection) -> io::Result<()> {
    let is_stopped = || state.is_stopped.load(Ordering::Relaxed);
    thread::sleep(HOLD.saturating_sub(state.received.elapsed()));
    if is_stopped() {
        return Ok(());
    }
    let (mut sent, mut failed) = (None, Ok(()));
    let mut send = |pit: u8| {
        if sent != Some(pit) && !is_stopped() {
            sent = Some(pit);
            // Pits are counted from 1.
            if let Err(error) = connection.send(state.id, &format!("move {}", pit + 1)) {
                failed = Err(error);
            }
        }
    };
    let report = engine.search(
        &state.game,
        &state.limits,
        &state.is_stopped,
        &mut |report| send(report.pv[0]),
    );
    send(report.expect("the game can go on").pv[0]);
    failed?;
    match is_stopped() {
        true => Ok(()),
        false => connection.send(state.id, "yield"),
    }
}

/// A command of the server: its number, the one that it refers to, its name, and what follows.
/// Whatever is not a number counts as none.
fn parts(line: &str) -> (Option<u64>, Option<u64>, &str, &str) {
    let split = |text| -> (&str, &str) {
        let (word, rest) = str::split_once(text, char::is_whitespace).unwrap_or((text, ""));
        (word, rest.trim_start())
    };
    let (numbers, command) = match line.starts_with(|c: char| c.is_ascii_digit() || c == '@') {
        true => split(line),
        false => ("", line),
    };
    let (id, to) = numbers.split_once('@').unwrap_or((numbers, ""));
    let (name, words) = split(command);
    (id.parse().ok(), to.parse().ok(), name, words)
}

/// A string of the protocol: without line breaks, and with a backslash before what ends it.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}
