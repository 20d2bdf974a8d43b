//! Who plays besides the person at the terminal, and who advises him.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use clap::{Args, ValueEnum};
use krou::engine::{
    Candidate, Engine, EngineOptions, Game, Level, Limits, Opponent, Player, SearchReport, Style,
};
use krou::rules::Ruleset;
use krou::tablebase::Tablebase;

use super::patience::with_note;
use crate::tables_args::TablesArgs;

/// Boards looked at for a hint: about a second.
const FOR_A_HINT: u64 = 1_000_000;
/// Boards looked at for each move when all are asked about.
const FOR_A_MOVE: u64 = 200_000;

/// Whom to play against.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Opponent")]
pub struct OpponentArgs {
    /// Play against the program, which searches (engine), never errs where there are
    /// tables (perfect), or plays anything (random) [default: another person].
    #[arg(long, value_enum, value_name = "WHO")]
    opponent: Option<Who>,
    /// How strong the engine is, 1 to 10.
    #[arg(long, value_name = "N", default_value_t = Level::DEFAULT, requires = "opponent")]
    level: Level,
    /// The side you play.
    #[arg(long, value_enum, value_name = "SIDE", default_value_t = Side::South, requires = "opponent")]
    side: Side,
    /// What the opponent does by chance; a number makes a game again [default: drawn].
    #[arg(long, value_name = "N", requires = "opponent")]
    seed: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Who {
    Engine,
    Perfect,
    Random,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Side {
    South,
    North,
}

/// Everybody but the person, under one ruleset.
pub struct Company {
    tables: Arc<Tablebase>,
    opponent: Option<Seat>,
    adviser: Engine,
}

/// The opponent and where he sits.
struct Seat {
    player: Player,
    opponent: Opponent,
    /// What he is called.
    title: String,
}

impl Company {
    /// Those that the arguments call for.
    pub fn new(args: &OpponentArgs, tables: &TablesArgs, rules: Ruleset) -> Result<Company> {
        let tables = Arc::new(tables.open(rules)?);
        let opponent = args.opponent.map(|who| args.seat(who, rules, &tables));
        Ok(Company {
            opponent,
            ..Company::of_two(rules, tables)
        })
    }

    /// Nobody but an adviser: two people play.
    pub fn of_two(rules: Ruleset, tables: Arc<Tablebase>) -> Company {
        let known = Some(Arc::clone(&tables));
        Company {
            tables,
            opponent: None,
            adviser: Engine::new(rules, known, EngineOptions::default()),
        }
    }

    /// The tables of the ruleset.
    pub fn tables(&self) -> &Tablebase {
        &self.tables
    }

    /// Which side the opponent has, and what he is called.
    pub fn opponent(&self) -> Option<(Player, &str)> {
        let seat = self.opponent.as_ref()?;
        Some((seat.player, &seat.title))
    }

    /// The pit that the opponent plays, 0 to 5; `None` if it is not his turn.
    pub fn answer(&mut self, game: &Game) -> Option<u8> {
        let seat = self.opponent.as_mut()?;
        if seat.player != game.to_move() {
            return None;
        }
        let note = format!("{} is thinking", seat.player);
        with_note(&note, || seat.opponent.choose(game, &NEVER))
    }

    /// The move that the adviser would play; `None` if the game is over.
    pub fn hint(&mut self, game: &Game) -> Option<SearchReport> {
        let limits = Limits::default().with_nodes(FOR_A_HINT);
        let search = || self.adviser.search(game, &limits, &NEVER, &mut |_| ());
        with_note("looking ahead", search)
    }

    /// What each legal move is worth, the best first.
    pub fn worths(&mut self, game: &Game) -> Vec<Candidate> {
        let limits = Limits::default().with_nodes(FOR_A_MOVE);
        let search = || self.adviser.candidates(game, &limits, &NEVER);
        let mut candidates = with_note("looking ahead", search);
        candidates.sort_by_key(|candidate| -candidate.score.hundredths());
        candidates
    }
}

/// Nobody stops a search at the terminal: Ctrl-C ends the program.
static NEVER: AtomicBool = AtomicBool::new(false);

impl OpponentArgs {
    fn seat(&self, who: Who, rules: Ruleset, tables: &Arc<Tablebase>) -> Seat {
        let style = match who {
            Who::Engine => Style::Engine,
            Who::Perfect => Style::Perfect,
            Who::Random => Style::Random,
        };
        let title = match who {
            Who::Engine => format!("the engine, level {}", self.level.get()),
            Who::Perfect => match tables.layers().last() {
                Some(seeds) => format!("a perfect opponent up to {seeds} seeds"),
                None => "the engine: there are no tables to be perfect with".to_owned(),
            },
            Who::Random => "an opponent who plays anything".to_owned(),
        };
        let seed = self.seed.unwrap_or_else(|| fastrand::u64(..));
        let known = Some(Arc::clone(tables));
        Seat {
            player: match self.side {
                Side::South => Player::North,
                Side::North => Player::South,
            },
            opponent: Opponent::new(style, self.level, rules, known, seed),
            title,
        }
    }
}
