//! `krou-lab selfplay`: plays games of the engine against itself and writes their boards as
//! samples, to train the network with.
//!
//! A game starts with 2 to 24 random
//! moves; later one move in eight is random. Every board after the opening is searched
//! to the depth, with an empty history, and becomes a sample. Its outcome is the net
//! seeds that the mover took afterwards: up to the end of the game, or up to a board with
//! an exact score or a random move, from where on the score counts. A board that occurs
//! twice ends the game as endless play does.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use clap::Args;
use fastrand::Rng;
use krou::engine::{Engine, EngineOptions, Game, Limits};
use krou::rules::row_seeds;
use krou::rules::{Board, Endless, Next, Ruleset, Step};
use krou::tablebase::Tablebase;
use krou_lab::samples::Sample;

/// One in this many moves is random.
const RANDOM_MOVES: usize = 8;
/// Boards with an exact score after which a game ends.
const MAX_EXACT: usize = 8;

/// `krou-lab train` reads these samples.
#[derive(Args)]
pub struct SelfplayArgs {
    rules: Ruleset,
    games: u64,
    /// Depth of the searches in plies.
    depth: u8,
    /// Seed of the random numbers.
    seed: u64,
    /// Folder of tables, or `none`.
    tables: String,
    /// File to write.
    output: PathBuf,
}

pub fn run(args: &SelfplayArgs) -> Result<()> {
    let tables = match args.tables.as_str() {
        "none" => None,
        folder => Some(
            Tablebase::builder(args.rules)
                .without_embedded()
                .folder(folder)
                .open()?,
        ),
    };
    let limits = Limits::default().with_depth(args.depth);
    let options = EngineOptions::default().with_hash_mib(1);
    let mut engine = Engine::new(args.rules, tables, options);
    let mut random = Rng::with_seed(args.seed);
    let mut output = BufWriter::new(File::create(&args.output)?);
    let mut count = 0;
    for _ in 0..args.games {
        engine.clear_hash();
        for sample in play(&mut engine, &limits, &mut random) {
            sample.write(&mut output)?;
            count += 1;
        }
    }
    output.flush()?;
    println!("{count} boards of {} games of {}", args.games, args.rules);
    Ok(())
}

/// A board of a game, its search, and the step played.
struct Ply {
    board: Board,
    score: i16,
    /// Whether the best move captures.
    captures: bool,
    step: Step,
    /// Whether the score is the outcome too: it is exact, or the step was random.
    is_outcome: bool,
}

/// Plays a game from a random opening.
fn play(engine: &mut Engine, limits: &Limits, random: &mut Rng) -> Vec<Sample> {
    let rules = engine.rules();
    let Some(mut board) = random_board(rules, random) else {
        return Vec::new();
    };
    let mut plies: Vec<Ply> = Vec::new();
    let mut seen = HashSet::new();
    let mut exact = 0;
    let rest = loop {
        let moves = rules.moves(&board);
        if let Some(net) = moves.terminal_value() {
            break 100 * i16::from(net);
        }
        if !seen.insert((plies.len() % 2, board)) {
            break 100 * endless_value(rules, &board);
        }
        // Empty stores, so that no majority ends the game.
        let game = Game::from_position(rules, board).expect("the seeds of a board");
        let report = engine
            .search(&game, limits, &AtomicBool::new(false), &mut |_| ())
            .expect("the game is not over");
        let score = report.score.hundredths();
        exact += usize::from(report.score.is_exact());
        if exact > MAX_EXACT {
            break score;
        }
        let legal: Vec<_> = moves.legal().collect();
        let is_best = |step: &Step| step.pit == report.pv[0];
        let best = legal.iter().copied().find(is_best).expect("a legal move");
        let is_random = random.usize(..RANDOM_MOVES) == 0;
        let step = if is_random {
            legal[random.usize(..legal.len())]
        } else {
            best
        };
        plies.push(Ply {
            board,
            score,
            captures: best.gain != 0,
            step,
            is_outcome: is_random || report.score.is_exact(),
        });
        if step.next == Next::Over {
            break 0;
        }
        board = step.board;
    };
    samples(plies, rest)
}

/// The samples of a game whose last board is worth `rest`.
fn samples(plies: Vec<Ply>, mut rest: i16) -> Vec<Sample> {
    let mut samples = Vec::new();
    for ply in plies.into_iter().rev() {
        let gain = 100 * i16::from(ply.step.gain);
        rest = match ply.step.next {
            _ if ply.is_outcome => ply.score,
            Next::Opponent => gain - rest,
            Next::Again => gain + rest,
            Next::Over => gain,
        };
        samples.push(Sample {
            board: ply.board,
            score: ply.score,
            outcome: rest,
            captures: ply.captures,
        });
    }
    samples
}

/// A board after 2 to 24 random moves, if the game is not over by then.
fn random_board(rules: Ruleset, random: &mut Rng) -> Option<Board> {
    let mut board = Board::START;
    for _ in 0..2 + random.usize(..23) {
        let moves = rules.moves(&board);
        let legal: Vec<_> = moves.legal().collect();
        if legal.is_empty() {
            return None;
        }
        let step = legal[random.usize(..legal.len())];
        if step.next == Next::Over {
            return None;
        }
        board = step.board;
    }
    Some(board)
}

/// What endless play is worth to the mover in seeds.
fn endless_value(rules: Ruleset, board: &Board) -> i16 {
    match rules.oware().map(|rules| rules.endless) {
        Some(Endless::BySide | Endless::Open) => {
            i16::from(row_seeds(&board.mover())) - i16::from(row_seeds(&board.opponent()))
        }
        _ => 0,
    }
}
