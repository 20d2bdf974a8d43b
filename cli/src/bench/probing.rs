//! Probing: random boards, and related boards as in a search.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::Result;
use fastrand::Rng;
use krou::rules::{Board, Next, Ruleset, Step};
use krou::table::{Codec, Table};
use krou::tablebase::{ProbeError, Tablebase};

use super::report::Report;
use super::solving::Solved;
use super::{Check, RUNS, Work, measure};

/// Number of random boards to probe, at most all boards of the layer.
const RANDOM: u64 = 20_000;
/// Number of random boards to fill the cache with, with the same limit.
const FILLING: u64 = 100_000;
/// Number of boards of searches to probe, with the same limit.
const NEAR: u64 = 1_000_000;
/// Bytes for the low layers, which searches probe most, where not all are in memory.
const HOT_LAYERS: u64 = 64 << 20;
/// Depth of a search.
const DEPTH: u32 = 4;
/// Number of plies before a new game begins.
const PLIES: u32 = 40;

/// Probes the tables of a folder. They are in the page cache, because they were just
/// written and read, or in memory.
pub fn measure(
    work: &Work,
    solved: &Solved,
    codec: Codec,
    folder: &Path,
    report: &mut Report,
) -> Result<()> {
    // The same boards in every run.
    let mut random = Rng::with_seed(1);
    let open = || match work.in_memory {
        true => read_whole(work.rules, folder),
        false => Ok(Tablebase::open(work.rules, &[folder])?),
    };

    let all = solved.last().index().len();
    let count = RANDOM.min(all);
    report.doing(format!("probing {count} random boards"));
    let boards: Vec<Board> = (0..count)
        .map(|_| random_board(solved, &mut random))
        .collect();
    // Without a cache each probe decodes its unit.
    let open_uncached = || Ok(open()?.with_cache_bytes(0));
    let one_by_one = |tables: &Tablebase| {
        let values = boards.iter().map(|board| Ok(tables.probe(board)?.value));
        values.collect()
    };
    let (time, check) = probe(open_uncached, solved, &boards, one_by_one)?;
    let each = measure::microseconds(time, boards.len());
    report.add_of(Some(codec), measure::RANDOM_PROBE, each, check)?;

    report.doing(format!("probing {count} random boards with a cache"));
    let mut others = Rng::with_seed(2);
    let others: Vec<Board> = (0..FILLING.min(all))
        .map(|_| random_board(solved, &mut others))
        .collect();
    let open_filled = || {
        let tables = open()?;
        for board in &others {
            tables.probe(board)?;
        }
        Ok(tables)
    };
    let (time, check) = probe(open_filled, solved, &boards, one_by_one)?;
    let each = measure::microseconds(time, boards.len());
    report.add_of(Some(codec), measure::CACHED_PROBE, each, check)?;

    let count = NEAR.min(all);
    report.doing(format!("probing {count} boards of searches"));
    let boards = searched_boards(work.rules, solved, count as usize, &mut random);
    let with_prober = |tables: &Tablebase| {
        let mut prober = tables.prober();
        boards.iter().map(|board| prober.value(board)).collect()
    };
    let (time, check) = probe(open, solved, &boards, with_prober)?;
    let each = measure::microseconds(time, boards.len());
    report.add_of(Some(codec), measure::NEAR_PROBE, each, check)?;

    let with_layers = [
        (measure::NEAR_PROBE_BESIDE_LAYERS, HOT_LAYERS),
        (measure::RESIDENT_PROBE, u64::MAX),
    ];
    for (figure, bytes) in with_layers {
        report.doing(format!("probing {count} boards of searches in memory"));
        let open_resident = || {
            let tables = open()?;
            tables.make_resident(bytes, &AtomicBool::new(false))?;
            Ok(tables)
        };
        let (time, check) = probe(open_resident, solved, &boards, with_prober)?;
        let each = measure::microseconds(time, boards.len());
        report.add_of(Some(codec), figure, each, check)?;
    }
    Ok(())
}

/// Reads the tables of a folder into memory.
fn read_whole(rules: Ruleset, folder: &Path) -> Result<Tablebase> {
    let mut tables = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.display().to_string();
        tables.push(Table::from_bytes(name, fs::read(path)?)?);
    }
    Ok(Tablebase::from_tables(rules, tables)?)
}

/// Probes boards in newly opened tables; returns the time of the best run, and checks
/// the answers against the solved layers.
fn probe(
    open: impl Fn() -> Result<Tablebase>,
    solved: &Solved,
    boards: &[Board],
    values: impl Fn(&Tablebase) -> Result<Vec<i8>, ProbeError>,
) -> Result<(Duration, Check)> {
    let mut best = Duration::MAX;
    let mut check = Ok(());
    for _ in 0..RUNS {
        let tables = open()?;
        let began = Instant::now();
        let answers = values(&tables)?;
        best = best.min(began.elapsed());
        check = check.and_then(|()| check_answers(solved, boards, &answers));
    }
    Ok((best, check))
}

fn check_answers(solved: &Solved, boards: &[Board], answers: &[i8]) -> Check {
    let right = |board: &Board, answer: i8| {
        let layer = &solved.layers[usize::from(board.seeds())];
        matches!(layer.value().of(board), Ok(Some(value)) if value.get() == answer)
    };
    let mut pairs = boards.iter().zip(answers);
    match pairs.find(|(board, answer)| !right(board, **answer)) {
        None => Ok(()),
        Some((board, answer)) => Err(format!(
            "the tables have {answer} for the board {}, which is not the solved value: \
             do not trust this program on this machine",
            board.notation()
        )),
    }
}

/// A random board of the highest layer.
fn random_board(solved: &Solved, random: &mut Rng) -> Board {
    let index = solved.last().index();
    index.board(random.u64(..index.len()))
}

/// The boards that searches visit in random games from the highest layer, with a
/// search at each move.
fn searched_boards(rules: Ruleset, solved: &Solved, count: usize, random: &mut Rng) -> Vec<Board> {
    let mut boards = Vec::with_capacity(count);
    while boards.len() < count {
        let mut board = random_board(solved, random);
        for _ in 0..PLIES {
            search(rules, &board, DEPTH, &mut boards);
            match random.choice(steps(rules, &board)) {
                Some(step) if boards.len() < count => board = step.board,
                _ => break,
            }
        }
    }
    boards.truncate(count);
    boards
}

/// Adds a board and its descendants to some depth, in the order of a search.
fn search(rules: Ruleset, board: &Board, depth: u32, boards: &mut Vec<Board>) {
    boards.push(*board);
    if depth > 0 {
        for step in steps(rules, board) {
            search(rules, &step.board, depth - 1, boards);
        }
    }
}

/// The moves that do not end the game.
fn steps(rules: Ruleset, board: &Board) -> Vec<Step> {
    let moves = rules.moves(board);
    moves
        .legal()
        .filter(|step| step.next != Next::Over)
        .collect()
}
