//! `krou-lab rounds`: what probes of tables on another machine cost: how many times a probe
//! waits for an answer, how many requests it makes, and how many bytes it gets.
//!
//! Nothing is sent: the ranges are read from a folder. Boards are random ones of the layer;
//! the second board of a game is the one after the best quiet move.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use std::sync::Arc;

use krou::ranges::{InsertedRanges, Ranges, joined};
use krou::rules::{Board, Next, Ruleset, Step};
use krou::table::TableError;
use krou::table::TableIndex;
use krou::tablebase::{ProbeError, RankedMove, Tablebase};

use crate::RulesArgs;

/// Probes random boards with all moves.
#[derive(Args)]
pub struct RoundsArgs {
    /// Folder with tables.
    #[arg(long, short, value_name = "DIR")]
    dir: PathBuf,
    /// Seeds on the boards.
    #[arg(long, short)]
    seeds: u8,
    /// How many games.
    #[arg(long, default_value_t = 100)]
    games: u32,
    #[command(flatten)]
    rules: RulesArgs,
}

/// What the probes of a board with all its moves cost.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    rounds: u64,
    requests: u64,
    bytes: u64,
}

/// Prints the medians and the most of each figure.
pub fn run(args: &RoundsArgs) -> Result<()> {
    let rules = args.rules.rules;
    let files = Files::of(&args.dir)?;
    let mut random = fastrand::Rng::with_seed(1);
    let (mut first, mut second) = (Vec::new(), Vec::new());
    while second.len() < args.games as usize {
        let Some(board) = random_game(rules, args.seeds, &mut random) else {
            continue;
        };
        let inserted = InsertedRanges::default();
        let ranges: Arc<dyn Ranges> = Arc::new(inserted.clone());
        let tables = Tablebase::embedded(rules).with_ranges(&files.index, &ranges)?;
        let (cost, moves) = files.probe(&tables, &inserted, &board)?;
        let quiet = moves
            .iter()
            .find(|m| m.step.next == Next::Opponent && m.step.captured == 0);
        let Some(best) = quiet else {
            continue;
        };
        first.push(cost);
        second.push(files.probe(&tables, &inserted, &best.step.board)?.0);
    }
    println!("{rules}, {} seeds, {} games", args.seeds, args.games);
    print("first board", &first);
    print("second board", &second);
    Ok(())
}

/// The first board of a game of random moves that has this number of seeds.
fn random_game(rules: Ruleset, seeds: u8, random: &mut fastrand::Rng) -> Option<Board> {
    let mut board = Board::START;
    while board.seeds() > seeds {
        let moves: Vec<Step> = rules.moves(&board).legal().collect();
        let step = random.choice(&moves)?;
        if step.next == Next::Over {
            return None;
        }
        board = step.board;
    }
    (board.seeds() == seeds).then_some(board)
}

fn print(what: &str, costs: &[Cost]) {
    let figure = |name: &str, of: fn(&Cost) -> u64| {
        let mut values: Vec<u64> = costs.iter().map(of).collect();
        values.sort_unstable();
        let at = |share: usize| values[(values.len() - 1) * share / 100];
        println!(
            "{what}: {name} {} (median), {} (90 %), {} (most)",
            at(50),
            at(90),
            at(100)
        );
    };
    figure("rounds", |cost| cost.rounds);
    figure("requests", |cost| cost.requests);
    figure("bytes", |cost| cost.bytes);
}

/// The tables of a folder as a host has them.
struct Files {
    index: TableIndex,
    files: Vec<File>,
}

impl Files {
    fn of(folder: &Path) -> Result<Files> {
        let (index, _) = TableIndex::of_folder(folder, &mut |_| ())?;
        let open = |name: &String| File::open(folder.join(name));
        let files = index.tables.iter().map(|table| open(&table.name));
        let files = files.collect::<Result<_, _>>()?;
        Ok(Files { index, files })
    }

    /// Probes a board with all its moves.
    fn probe(
        &self,
        tables: &Tablebase,
        inserted: &InsertedRanges,
        board: &Board,
    ) -> Result<(Cost, Vec<RankedMove>)> {
        let mut cost = Cost::default();
        loop {
            let result = tables.probe(board);
            let moves = tables.moves(board);
            let of_result = match &result {
                Err(ProbeError::Table(error)) => error.lacking_ranges(),
                _ => None,
            };
            let of_moves = moves.as_ref().err().and_then(TableError::lacking_ranges);
            let mut lacking = of_result.unwrap_or_default();
            lacking.extend(of_moves.unwrap_or_default());
            if lacking.is_empty() {
                result?;
                return Ok((cost, moves?));
            }
            cost.rounds += 1;
            let requests = joined(lacking.iter().copied());
            cost.requests += requests.len() as u64;
            cost.bytes += requests
                .iter()
                .map(|range| range.end - range.start)
                .sum::<u64>();
            for range in lacking {
                let mut bytes = vec![0; usize::try_from(range.end - range.start)?];
                let file = self.files.get(range.file).context("no such file")?;
                file.read_exact_at(&mut bytes, range.start)?;
                inserted.insert(range.file, range.start, &bytes);
            }
        }
    }
}
