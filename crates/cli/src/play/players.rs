//! The opponent, and the engine that gives hints.

use std::sync::atomic::AtomicBool;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use krou::engine::{Engine, EngineOptions, Game, Limits, SearchLine, SearchReport};
use krou::engine::{Level, Opponent, Style};
use krou::ogn::SavedGame;
use krou::rules::{Player, ROW, Ruleset};
use krou::tablebase::Tablebase;

use crate::args::whole_number;
use crate::folder_args::FolderArgs;
use crate::progress::style;
use crate::small_layers::complete;

/// Search nodes for a hint: about a second.
const HINT_NODES: u64 = 1_000_000;
/// Search nodes for the values of all moves.
const VALUES_NODES: u64 = 1_200_000;

/// The opponent to play against.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Opponent")]
pub struct OpponentArgs {
    /// Opponent to play against [default: engine, or that of the saved game].
    #[arg(long, value_enum, value_name = "STYLE")]
    opponent: Option<OpponentStyle>,
    /// Level of the engine, 1 to 14, easiest first [default: 1].
    #[arg(long, value_name = "N")]
    level: Option<Level>,
    /// Side that you play [default: south].
    #[arg(long, value_enum, value_name = "SIDE")]
    side: Option<Side>,
    /// Seed for the opponent's random choices; the same seed replays the same game
    /// [default: random].
    #[arg(long, value_name = "N", value_parser = whole_number(0..=u64::MAX))]
    seed: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum OpponentStyle {
    /// Searches, at the given level
    Engine,
    /// Plays perfectly inside the tables, and at the highest level beyond them
    Perfect,
    /// Plays random moves
    Random,
    /// Two people play
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Side {
    South,
    North,
}

/// The opponent and the advising engine, under one ruleset.
pub struct Players {
    tables: Tablebase,
    /// The folders of the tables, until the small layers that they lack are solved.
    unsolved: Option<FolderArgs>,
    opponent: Option<OpponentPlayer>,
    /// Made when somebody asks it.
    advisor: Option<Engine>,
}

/// The opponent and its side.
struct OpponentPlayer {
    player: Player,
    opponent: Opponent,
    /// A description for the player.
    title: String,
}

impl Players {
    /// The players that the arguments ask for.
    pub fn new(args: &OpponentArgs, folders: &FolderArgs, rules: Ruleset) -> Result<Players> {
        let mut players = Players::two(folders.open(rules)?);
        players.unsolved = Some(folders.clone());
        let style = args.opponent.unwrap_or(OpponentStyle::Engine);
        if matches!(style, OpponentStyle::Engine | OpponentStyle::Perfect) {
            players.solve_small();
        }
        players.opponent = args.opponent_player(style, &players.tables)?;
        Ok(players)
    }

    /// Two people play; there is no opponent.
    pub fn two(tables: Tablebase) -> Players {
        Players {
            tables,
            unsolved: None,
            opponent: None,
            advisor: None,
        }
    }

    /// Solves the small layers that no folder has, before the first look at values.
    fn solve_small(&mut self) {
        if let Some(folders) = self.unsolved.take() {
            complete(&folders, &mut self.tables, None);
        }
    }

    /// The tables of the ruleset, for values.
    pub fn tables(&mut self) -> &Tablebase {
        self.solve_small();
        &self.tables
    }

    /// The opponent's side and description.
    pub fn opponent(&self) -> Option<(Player, &str)> {
        let opponent = self.opponent.as_ref()?;
        Some((opponent.player, &opponent.title))
    }

    /// The pit that the opponent plays, 0 to 5; `None` if it is not its turn.
    pub fn reply(&mut self, game: &Game) -> Option<u8> {
        let opponent = self.opponent.as_mut()?;
        if opponent.player != game.to_move() {
            return None;
        }
        with_note("thinking ...", || opponent.opponent.choose(game, &NEVER))
    }

    /// The best move that a search finds; `None` if the game is over.
    pub fn hint(&mut self, game: &Game) -> Option<SearchReport> {
        self.search(game, &Limits::default().with_nodes(HINT_NODES))
    }

    /// The value of each legal move, best first.
    pub fn values(&mut self, game: &Game) -> Vec<SearchLine> {
        let limits = Limits::default().with_nodes(VALUES_NODES).with_lines(ROW);
        let report = self.search(game, &limits);
        let mut lines = report.map_or_else(Vec::new, |report| report.lines());
        lines.sort_by_key(|line| -line.score.hundredths());
        lines
    }

    /// What the advisor finds.
    fn search(&mut self, game: &Game, limits: &Limits) -> Option<SearchReport> {
        self.solve_small();
        let advisor = self.advisor.get_or_insert_with(|| {
            let shared = Some(self.tables.clone());
            Engine::new(game.rules(), shared, EngineOptions::default())
        });
        let search = || advisor.search(game, limits, &NEVER, &mut |_| ());
        with_note("searching ...", search)
    }
}

/// Searches are not stopped: Ctrl-C ends the program.
static NEVER: AtomicBool = AtomicBool::new(false);

impl OpponentArgs {
    /// These arguments or, if they are none, the opponent with whom a game was saved: two people
    /// if it names none.
    pub fn or_saved(&self, game: &SavedGame) -> OpponentArgs {
        let mut args = self.clone();
        if self.opponent.is_some() || self.level.is_some() || self.side.is_some() {
            return args;
        }
        let saved = [Player::South, Player::North]
            .into_iter()
            .find_map(|player| {
                let title = game.tag(&player.to_string())?.strip_prefix("krou (")?;
                Some((player, title.strip_suffix(')')?))
            });
        args.opponent = Some(OpponentStyle::None);
        let Some((player, title)) = saved else {
            return args;
        };
        let side = match player {
            Player::South => Side::North,
            Player::North => Side::South,
        };
        let level = title.strip_prefix("the engine, level ");
        let style = if title.starts_with("perfect") || title.ends_with("no tables") {
            OpponentStyle::Perfect
        } else if let Some(level) = level.and_then(|level| level.parse().ok()) {
            args.level = Some(level);
            OpponentStyle::Engine
        } else if title == "a random player" {
            OpponentStyle::Random
        } else {
            return args;
        };
        (args.opponent, args.side) = (Some(style), Some(side));
        args
    }

    /// The opponent, who is the engine unless another one is named; `None` for two people.
    fn opponent_player(
        &self,
        style: OpponentStyle,
        tables: &Tablebase,
    ) -> Result<Option<OpponentPlayer>> {
        if self.level.is_some() && style != OpponentStyle::Engine {
            bail!("only --opponent engine has a level: leave out --level");
        }
        let level = self.level.unwrap_or_default();
        let (style, title) = match style {
            OpponentStyle::None if self.side.is_some() || self.seed.is_some() => {
                bail!("two people play with --opponent none: leave out --side and --seed")
            }
            OpponentStyle::None => return Ok(None),
            OpponentStyle::Engine => {
                let title = format!("the engine, level {}", level.get());
                (Style::Engine, title)
            }
            OpponentStyle::Perfect => {
                let title = match tables.layers().highest() {
                    Some(seeds) => format!("perfect up to {seeds} seeds"),
                    None => "the engine, since there are no tables".to_owned(),
                };
                (Style::Perfect, title)
            }
            OpponentStyle::Random => (Style::Random, "a random player".to_owned()),
        };
        let seed = self.seed.unwrap_or_else(|| fastrand::u64(..));
        let shared = Some(tables.clone());
        Ok(Some(OpponentPlayer {
            player: match self.side {
                Some(Side::North) => Player::South,
                Some(Side::South) | None => Player::North,
            },
            opponent: Opponent::new(style, level, tables.rules(), shared, seed),
            title,
        }))
    }
}

/// Does the work, and shows the note meanwhile if stderr is a terminal.
fn with_note<T>(note: &'static str, work: impl FnOnce() -> T) -> T {
    let bar = ProgressBar::new_spinner().with_style(style("{msg}"));
    bar.set_message(note);
    let result = work();
    bar.finish_and_clear();
    result
}
