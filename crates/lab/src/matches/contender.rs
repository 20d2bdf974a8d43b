//! A contender of a match: how to start its engine, what to tell it, and its moves.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use krou::rules::{Player, Ruleset};

use super::process::{EngineProcess, Silence};
use super::time_control::{Clocks, TimeControl};

/// How long an engine may take to start and to set its options.
const START_TIME: Duration = Duration::from_secs(60);

/// What is set for one side of the match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contender {
    pub name: String,
    /// The program and its arguments.
    pub words: Vec<String>,
    /// Options to set, as names and values.
    pub options: Vec<(String, String)>,
    /// Whether the engine is told the game only from the first board on after which none
    /// has occurred twice.
    pub short_memory: bool,
}

impl Contender {
    /// A contender from `NAME=COMMAND` or `COMMAND`, which is split into words as by a
    /// shell.
    pub fn parse(text: &str) -> Result<Contender> {
        let (name, command) = match text.split_once('=') {
            Some((name, command)) if is_name(name) => (Some(name), command),
            _ => (None, text),
        };
        let words = shlex::split(command).filter(|words| !words.is_empty());
        let words = words.with_context(|| format!("'{text}' is not a command"))?;
        let program = Path::new(&words[0]).file_stem();
        let program = program.map(|name| name.to_string_lossy().into_owned());
        let name = name.map(str::to_owned).or(program);
        Ok(Contender {
            name: name.unwrap_or_else(|| words[0].clone()),
            words,
            options: Vec::new(),
            short_memory: false,
        })
    }

    /// Adds an option from `NAME=VALUE`.
    pub fn add_option(&mut self, text: &str) -> Result<()> {
        let Some((name, value)) = text.split_once('=') else {
            bail!("'{text}' is not of the form NAME=VALUE");
        };
        self.options
            .push((name.trim().to_owned(), value.trim().to_owned()));
        Ok(())
    }
}

/// Whether a text may be the name of a contender.
fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || "-_.".contains(c))
}

/// What the engine announces and is told before it plays.
#[derive(Clone, Copy)]
pub struct Conditions<'c> {
    pub rules: Ruleset,
    /// The occurrence of a board that ends a game.
    pub repetitions: u8,
    pub time: TimeControl,
    /// Set when no game may go on.
    pub stopped: &'c AtomicBool,
}

/// A contender with its engine.
pub struct Playing<'c> {
    pub contender: &'c Contender,
    conditions: Conditions<'c>,
    process: Option<EngineProcess>,
    /// The names of the options that the engine has.
    known_options: Vec<String>,
}

impl<'c> Playing<'c> {
    /// Starts the engine and sets its options.
    pub fn start(contender: &'c Contender, conditions: Conditions<'c>) -> Result<Playing<'c>> {
        let mut playing = Playing {
            contender,
            conditions,
            process: None,
            known_options: Vec::new(),
        };
        let name = &contender.name;
        playing.process =
            Some(EngineProcess::start(&contender.words).with_context(|| format!("engine {name}"))?);
        match playing.greet() {
            Ok(()) | Err(Silence::Stopped) => {}
            Err(Silence::Crashed) => bail!("engine {name} ended before it answered 'uci'"),
            Err(Silence::TimedOut) => bail!("engine {name} does not answer 'uci'"),
        }
        for (option, _) in &contender.options {
            if !playing.has_option(option) {
                return Err(anyhow!("engine {name} has no option '{option}'"));
            }
        }
        Ok(playing)
    }

    /// Prepares for a game as one player; the engine is started again if it has ended.
    pub fn begin_game(&mut self, player: Player) -> Result<(), Silence> {
        if self.process.is_none() {
            let process = EngineProcess::start(&self.contender.words);
            self.process = Some(process.map_err(|_| Silence::Crashed)?);
            self.greet()?;
        }
        self.send("ucinewgame")?;
        if self.has_option("EngineTurn") {
            let side = player.to_string().to_lowercase();
            self.send(&format!("setoption name EngineTurn value {side}"))?;
        }
        self.wait_until_ready()
    }

    /// The first word of the answer to a position, and the time that it took.
    pub fn choose(
        &mut self,
        position: &str,
        clocks: &Clocks,
        player: Player,
    ) -> Result<(String, Duration), Silence> {
        self.send(position)?;
        let Conditions { time, stopped, .. } = self.conditions;
        let start = Instant::now();
        self.send(&time.go(clocks))?;
        let process = self.process.as_ref().ok_or(Silence::Crashed)?;
        let lines = process.read_until("bestmove", time.patience(clocks, player), stopped)?;
        let taken = start.elapsed();
        let words = lines.last().map(|line| line.split_whitespace());
        let chosen = words.and_then(|mut words| words.nth(1)).unwrap_or("");
        Ok((chosen.to_owned(), taken))
    }

    /// Ends the engine, which does not play on.
    pub fn end(&mut self) {
        self.process = None;
    }

    fn has_option(&self, name: &str) -> bool {
        let mut known = self.known_options.iter();
        known.any(|known| known.eq_ignore_ascii_case(name))
    }

    fn greet(&mut self) -> Result<(), Silence> {
        self.send("uci")?;
        let process = self.process.as_ref().ok_or(Silence::Crashed)?;
        let lines = process.read_until("uciok", START_TIME, self.conditions.stopped)?;
        self.known_options = lines.iter().filter_map(|line| option_name(line)).collect();
        let Conditions {
            rules, repetitions, ..
        } = self.conditions;
        let fixed = [
            ("Rules", rules.to_string()),
            ("Repetitions", repetitions.to_string()),
            ("Ponder", "false".to_owned()),
        ];
        for (name, value) in fixed {
            if self.has_option(name) {
                self.send(&format!("setoption name {name} value {value}"))?;
            }
        }
        for (name, value) in &self.contender.options {
            self.send(&format!("setoption name {name} value {value}"))?;
        }
        self.wait_until_ready()
    }

    fn wait_until_ready(&mut self) -> Result<(), Silence> {
        self.send("isready")?;
        let process = self.process.as_ref().ok_or(Silence::Crashed)?;
        process.read_until("readyok", START_TIME, self.conditions.stopped)?;
        Ok(())
    }

    fn send(&mut self, line: &str) -> Result<(), Silence> {
        self.process.as_mut().ok_or(Silence::Crashed)?.send(line)
    }
}

/// The name in a line `option name N type …`; it may have several words.
fn option_name(line: &str) -> Option<String> {
    let rest = line.strip_prefix("option name ")?;
    let name = rest.split(" type ").next()?;
    Some(name.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_by_a_shell() {
        let contender =
            Contender::parse("new=target/release/krou engine --dir 'my tables'").unwrap();
        assert_eq!(contender.name, "new");
        assert_eq!(
            contender.words,
            ["target/release/krou", "engine", "--dir", "my tables"]
        );
        let unnamed = Contender::parse("/opt/aalina.sh service").unwrap();
        assert_eq!(unnamed.name, "aalina");
        // An equals sign later on belongs to the command.
        let variable = Contender::parse("env KROU_DIR=tables krou engine").unwrap();
        assert_eq!((variable.name.as_str(), variable.words.len()), ("env", 4));
        for text in ["", "a=", "a='open", "  "] {
            let error = Contender::parse(text).unwrap_err().to_string();
            assert!(error.contains("is not a command"), "{error}");
        }
    }

    #[test]
    fn options_have_names_and_values() {
        let mut contender = Contender::parse("krou").unwrap();
        contender.add_option("Move Overhead=20").unwrap();
        contender.add_option("TablePath=a=b").unwrap();
        assert_eq!(
            contender.options,
            [
                ("Move Overhead".to_owned(), "20".to_owned()),
                ("TablePath".to_owned(), "a=b".to_owned())
            ]
        );
        assert!(contender.add_option("Hash").is_err());
        assert_eq!(
            option_name("option name Move Overhead type spin default 10"),
            Some("Move Overhead".to_owned())
        );
        assert_eq!(option_name("id name krou"), None);
    }
}
