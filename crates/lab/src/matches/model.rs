//! `krou-lab model`: players of one rule, against which matches measure the levels. They
//! understand as much of UCI as a match says.

use std::io;

use anyhow::Result;
use clap::{Args, ValueEnum};
use fastrand::Rng;
use krou::engine::Game;
use krou::rules::{Board, Ruleset};

use super::openings;

#[derive(Args)]
pub struct ModelArgs {
    /// How it chooses a move; among equal ones it chooses at random.
    #[arg(value_enum)]
    model: Model,
    /// Seed of the random choices.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

#[derive(Clone, Copy, ValueEnum)]
enum Model {
    /// Any legal move.
    Random,
    /// The move that captures most.
    Greedy,
    /// The move that captures most, minus the most that a reply captures.
    Careful,
}

/// Answers the commands of a match.
pub fn run(args: &ModelArgs) -> Result<()> {
    let mut random = Rng::with_seed(args.seed);
    let mut rules = Ruleset::ABAPA;
    let mut game = Game::new(rules);
    for line in io::stdin().lines() {
        let line = line?;
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "uci" => println!("option name Rules type string default {rules}\nuciok"),
            "isready" => println!("readyok"),
            "setoption" => {
                if let Some(name) = rest.strip_prefix("name Rules value ") {
                    rules = name.parse()?;
                }
            }
            "position" => {
                let record = openings::parse(rest, rules, Game::REPETITIONS)?;
                game = record.game().clone();
            }
            "go" => {
                let pit = random.choice(args.model.best(&game));
                let letter = pit.map(|pit| game.to_move().letter(pit));
                println!("bestmove {}", letter.unwrap_or('-'));
            }
            "quit" => break,
            _ => {}
        }
    }
    Ok(())
}

impl Model {
    /// The pits of the moves that are worth most.
    fn best(self, game: &Game) -> Vec<u8> {
        let most = |board: &Board| {
            let captured = game.rules().moves(board);
            captured
                .legal()
                .map(|step| i16::from(step.captured))
                .max()
                .unwrap_or(0)
        };
        let worth = |captured: u8, after: &Board| match self {
            Model::Random => 0,
            Model::Greedy => i16::from(captured),
            Model::Careful => i16::from(captured) - most(after),
        };
        let steps = game.moves();
        let moves: Vec<(u8, i16)> = steps
            .legal()
            .map(|step| (step.pit, worth(step.captured, &step.board)))
            .collect();
        let best = moves.iter().map(|(_, worth)| *worth).max();
        moves
            .iter()
            .filter(|(_, worth)| Some(*worth) == best)
            .map(|(pit, _)| *pit)
            .collect()
    }
}
