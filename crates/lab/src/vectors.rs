//! `krou-lab vectors`: positions and games for people who write these games themselves, as JSON
//! lines. `data/vectors/README.md` describes them.
//!
//! Every branch of the rules is in them: candidates are random positions, and one is taken if a
//! move in it does something that no move did before, or if its moves together do. All of it
//! follows from a fixed seed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use fastrand::Rng;
use krou::engine::{Game, Outcome};
use krou::rules::{Board, MAX_SEEDS, Next, PITS, Player, Position, ROW, Ruleset, Stores};
use serde_json::{Value, json};

/// Positions of each ruleset.
const POSITIONS: usize = 222;
/// Random positions to choose from.
const CANDIDATES: usize = 40_000;
/// Games that end for one reason, by one ruleset and number of repetitions.
const GAMES: usize = 3;
/// The most moves of a game.
const MOVES: usize = 120;

#[derive(Args)]
pub struct VectorsArgs {
    /// Folder to write `positions.jsonl` and `games.jsonl` to.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Writes both files.
pub fn run(args: &VectorsArgs) -> Result<()> {
    let (mut positions, mut games) = (Vec::new(), Vec::new());
    for &(name, rules) in Ruleset::NAMED {
        let mut random = Rng::with_seed(1);
        positions.extend(
            chosen(rules, &mut random)
                .iter()
                .map(|at| position(name, rules, at)),
        );
        for repetitions in [2, 3] {
            games.extend(played(name, rules, repetitions, &mut random));
        }
    }
    write(&args.out, "positions.jsonl", &positions)?;
    write(&args.out, "games.jsonl", &games)
}

fn write(folder: &Path, name: &str, lines: &[Value]) -> Result<()> {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    let text = lines.join("\n") + "\n";
    let file = folder.join(name);
    fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))
}

/// A position with South to move. Often little is missing for a majority.
fn candidate(random: &mut Rng) -> Position {
    let seeds = random.u8(1..=MAX_SEEDS);
    // In some pits, so that sowings go round; in every third one the opponent has one pit at most.
    let mut places: Vec<usize> = (0..random.usize(1..=PITS))
        .map(|_| random.usize(..PITS))
        .collect();
    if random.u8(..3) == 0 {
        places[1..].iter_mut().for_each(|pit| *pit %= ROW);
    }
    let mut pits = [0; PITS];
    for _ in 0..seeds {
        pits[places[random.usize(..places.len())]] += 1;
    }
    let rest = MAX_SEEDS - seeds;
    let south = random.u8(0..=rest);
    Position {
        board: Board::new(pits).expect("at most 48 seeds"),
        stores: Stores {
            south,
            north: rest - south,
        },
        to_move: Player::South,
    }
}

/// Positions in which every kind of move occurs, and then as many combinations of kinds as there
/// is room for.
fn chosen(rules: Ruleset, random: &mut Rng) -> Vec<Position> {
    let mut found = vec![Position::from(Board::START)];
    let candidates: Vec<Position> = (0..CANDIDATES).map(|_| candidate(random)).collect();
    let mut kinds = BTreeSet::new();
    for at in &candidates {
        if kinds_of(rules, at)
            .into_iter()
            .filter(|kind| kinds.insert(kind.clone()))
            .count()
            > 0
        {
            found.push(*at);
        }
    }
    let mut combinations: BTreeSet<_> = found.iter().map(|at| kinds_of(rules, at)).collect();
    for at in &candidates {
        if found.len() < POSITIONS && combinations.insert(kinds_of(rules, at)) {
            found.push(*at);
        }
    }
    found
}

/// What the pits of a position do, or why they may not be played.
fn kinds_of(rules: Ruleset, at: &Position) -> BTreeSet<String> {
    let game = Game::from_position(rules, *at).expect("at most 48 seeds");
    let moves = game.moves();
    let kinds = moves.by_pit().iter().enumerate().map(|(pit, played)| match played {
        Err(why) => why.as_str().to_owned(),
        Ok(step) => {
            let laps = (at.board.pits()[pit].saturating_sub(1)) / (PITS as u8 - 1);
            let mut after = game.clone();
            let ends = after.play(pit as u8).ok().and(after.outcome());
            let ends = ends.map(|outcome| outcome.ending.as_str());
            // How many pits a capture empties, and whether a sowing in the opponent's row could
            // have captured.
            let before = at.board.opponent();
            let rows = match step.next {
                Next::Again => step.board.opponent(),
                Next::Opponent | Next::Over => step.board.mover(),
            };
            let emptied = (0..ROW).filter(|&pit| before[pit] > 0 && rows[pit] == 0).count();
            let is_void = step.captured == 0
                && (0..ROW).all(|pit| before[pit] == rows[pit] || [2, 3].contains(&rows[pit]));
            format!(
                "{laps} laps, {emptied} emptied, captures {}, again {}, void {is_void}, {ends:?}",
                step.captured.min(9),
                step.next == Next::Again,
            )
        }
    });
    let over = game
        .outcome()
        .map(|outcome| format!("over: {}", outcome.ending.as_str()));
    kinds.chain(over).collect()
}

/// The line of a position.
fn position(name: &str, rules: Ruleset, at: &Position) -> Value {
    let game = Game::from_position(rules, *at).expect("at most 48 seeds");
    let (mut moves, mut illegal) = (Vec::new(), BTreeMap::new());
    for (pit, played) in game.moves().by_pit().iter().enumerate() {
        match played {
            Err(why) => {
                illegal.insert(pit.to_string(), why.as_str());
            }
            Ok(step) => {
                let mut after = game.clone();
                // The game may be decided; what the move does is the same.
                let _ = after.play(pit as u8);
                moves.push(json!({
                    "pit": pit,
                    "captured": step.captured,
                    "board": step.board.pits(),
                    "again": step.next == Next::Again,
                    "ends": after.outcome().map(|outcome| ending(&outcome)),
                }));
            }
        }
    }
    json!({
        "rules": name,
        "board": at.board.pits(),
        "stores": [at.stores.south, at.stores.north],
        "over": game.outcome().map(|outcome| ending(&outcome)),
        "moves": moves,
        "illegal": illegal,
    })
}

/// How a game has ended; the player who was to move in the position is South.
fn ending(outcome: &Outcome) -> Value {
    json!({
        "reason": outcome.ending.as_str(),
        "stores": [outcome.stores.south, outcome.stores.north],
        "unclaimed": outcome.unclaimed,
    })
}

/// Random games, some for each reason for which a game can end.
fn played(name: &str, rules: Ruleset, repetitions: u8, random: &mut Rng) -> Vec<Value> {
    let mut ends: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for n in 0..3000 {
        // Few seeds go in circles.
        let start = match n % 3 {
            0 => Position::from(Board::START),
            _ => candidate(random),
        };
        let game = Game::from_position(rules, start).expect("at most 48 seeds");
        let mut game = game.with_repetitions(repetitions);
        let mut letters = String::new();
        while letters.len() < MOVES && game.outcome().is_none() {
            let pits: Vec<u8> = game.moves().legal().map(|step| step.pit).collect();
            let pit = pits[random.usize(..pits.len())];
            letters.push(game.to_move().letter(pit));
            game.play(pit).expect("a legal move");
        }
        let Some(outcome) = game.outcome().filter(|_| !letters.is_empty()) else {
            continue;
        };
        let games = ends.entry(outcome.ending.as_str()).or_default();
        if games.len() < GAMES {
            games.push(json!({
                "rules": name,
                "repetitions": repetitions,
                "board": start.board.pits(),
                "stores": [start.stores.south, start.stores.north],
                "moves": letters,
                "ends": ending(&outcome),
            }));
        }
    }
    ends.into_values().flatten().collect()
}
