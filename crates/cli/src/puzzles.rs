//! `krou puzzles`: boards with exactly one right move, proved by tables.
//!
//! A [`PuzzleFinder`] looks at boards in an order that its seed decides, and returns those
//! that are puzzles:
//!
//! 1. `proof`: one legal move, the *solution*, is better than each other one, and the mover
//!    does not lose. Under rulesets with bounds this holds wherever a repetition is stopped,
//!    except in a loop trap, which claims less.
//! 2. `line`: the solution, and best play by both after it.
//! 3. `theme`: a [`Theme`], which says what the puzzle is about.
//! 4. The board is no near duplicate of a puzzle before it.
//! 5. `grade`: how hard the solution is to find, from 1 to 5. A puzzle that a search of two
//!    plies solves is left out, and an easy one with two moves.
//!
//! `output` prints them, and `play` asks for their solutions.
//!
//! `docs/puzzles.md` has the definitions for people.

mod finder;
mod grade;
mod line;
mod output;
mod play;
mod proof;
mod theme;

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use clap::Args;
use krou::rules::Ruleset;
use krou::tablebase::Tablebase;

use crate::args::{layers, one_of, whole_number};
use crate::folder_args::FolderArgs;
use crate::interrupt::{self, on_interrupt};
use crate::messages::print_message;
use crate::progress::LayerBar;
use crate::rules_args::{GAME_RULES, RulesArgs};
use crate::small_layers::complete;

use output::PuzzleFields;
use play::Stop;

pub use finder::{Puzzle, PuzzleFilter, PuzzleFinder};
pub use grade::GRADES;
pub use proof::Goal;
pub use theme::Theme;

/// Options of `krou puzzles`.
#[derive(Args)]
#[command(mut_arg("rules", |rules| rules.help(GAME_RULES)))]
pub struct PuzzlesArgs {
    /// Seeds on the boards, or A..B, which includes both.
    #[arg(
        long, short, value_name = "N|A..B", default_value = "4..9", value_parser = layers,
        allow_hyphen_values = true
    )]
    seeds: RangeInclusive<u8>,
    /// Number of puzzles.
    #[arg(
        long, short, value_name = "K", default_value_t = 10,
        value_parser = whole_number(1..=1_000_000_usize)
    )]
    count: usize,
    /// Seed of the random order of the boards: the same seed gives the same puzzles.
    #[arg(
        long, value_name = "S", default_value_t = 1,
        value_parser = whole_number(0..=u64::MAX)
    )]
    seed: u64,
    /// Only puzzles of this theme.
    #[arg(long, value_name = "THEME", value_parser = one_of(Theme::ALL, Theme::as_str))]
    theme: Option<Theme>,
    /// Only puzzles of this grade, 1 (easy) to 5.
    #[arg(
        long, value_name = "G", value_parser = whole_number(GRADES)
    )]
    grade: Option<u8>,
    /// Print JSON, an object on each line.
    #[arg(long, short)]
    json: bool,
    /// Ask for the solution of each puzzle, and judge it.
    #[arg(long, conflicts_with = "json")]
    play: bool,
    #[command(flatten)]
    tables: FolderArgs,
    #[command(flatten)]
    rules: RulesArgs,
}

/// Looks for puzzles until there are enough, or Ctrl-C.
pub fn run(args: &PuzzlesArgs) -> Result<ExitCode> {
    let rules = args.rules.game_ruleset()?;
    if args.theme == Some(Theme::LoopTrap) && !rules.has_bounds() {
        print_message(&format!(
            "there are no loop-trap puzzles under {rules}: choose rules such as abapa"
        ));
        return Ok(ExitCode::SUCCESS);
    }
    let mut tables = args.tables.sources(rules).open()?;
    complete(&args.tables, &mut tables, Some(*args.seeds.end()));
    args.tables.run(&tables, |tables| find(args, tables))
}

fn find(args: &PuzzlesArgs, tables: &Tablebase) -> Result<ExitCode> {
    let filter = PuzzleFilter {
        theme: args.theme,
        grade: args.grade,
    };
    let finder = PuzzleFinder::new(tables, args.seeds.clone(), filter, args.seed)?;
    let boards = finder.boards_left();
    if args.play {
        if play::play(tables.rules(), finder, args.count)? == Stop::NoMore {
            tell_no_more(boards);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let stop = on_interrupt()?;
    let found = print_found(args, tables.rules(), finder, stop)?;
    if found < args.count && !stop.load(Ordering::Relaxed) {
        tell_no_more(boards);
    }
    Ok(interrupt::exit_code())
}

fn tell_no_more(boards: u64) {
    print_message(&format!(
        "there are no more puzzles of this kind: all {boards} boards were looked at"
    ));
}

/// Prints the puzzles that a finder finds; returns how many there are.
fn print_found(
    args: &PuzzlesArgs,
    rules: Ruleset,
    finder: PuzzleFinder,
    stop: &AtomicBool,
) -> Result<usize> {
    let mut out = io::stdout().lock();
    let mut solutions = String::new();
    let mut found = 0;
    let bar = LayerBar::of_steps("[{wide_bar}] {pos} of {len} puzzles", args.count as u64);
    for looked_at in finder {
        if let Some(puzzle) = looked_at? {
            found += 1;
            let fields = PuzzleFields::new(rules, &puzzle);
            let text = if args.json {
                serde_json::to_string(&fields)? + "\n"
            } else {
                fields.text(found, &puzzle)
            };
            solutions += &fields.solution(found);
            bar.suspend(|| {
                out.write_all(text.as_bytes())?;
                out.flush()
            })?;
            bar.advance(1);
        } else {
            bar.advance(0);
        }
        if found == args.count || stop.load(Ordering::Relaxed) {
            break;
        }
    }
    drop(bar);
    if !args.json && found > 0 {
        write!(out, "Solutions, and the value of each move:\n{solutions}")?;
    }
    out.flush()?;
    Ok(found)
}
