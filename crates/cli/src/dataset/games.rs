//! The boards that a game of two opponents goes through.
//!
//! Most games are decided before few seeds are left, so these are played on with empty stores: no
//! majority ends them. The opponents are of random levels, up to the highest that needs little
//! time, after an opening of random moves; later one move in eight is random, which leads out of
//! loops.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::atomic::AtomicBool;

use fastrand::Rng;
use krou::engine::{Game, Level, Opponent, Style};
use krou::rules::{Board, Next, Ruleset, Step};

/// The highest level that plays.
const HIGHEST_LEVEL: u8 = 10;
/// Numbers of random moves at the start.
const OPENING: RangeInclusive<u8> = 2..=24;
/// One in this many later moves is random.
const RANDOM_MOVES: u8 = 8;

static NEVER: AtomicBool = AtomicBool::new(false);

/// A board of each of these layers that a game goes through, any one of those of a layer on which
/// somebody has a move.
pub fn boards_of_game(rules: Ruleset, layers: &RangeInclusive<u8>, seed: u64) -> Vec<Board> {
    let mut random = Rng::with_seed(seed);
    let opponent = |random: &mut Rng| {
        let level = Level::new(random.u8(1..=HIGHEST_LEVEL)).expect("there are more levels");
        Opponent::new(Style::Engine, level, rules, None, random.u64(..))
    };
    let mut players = [opponent(&mut random), opponent(&mut random)];
    let opening = random.u8(OPENING);
    let (mut board, mut player) = (Board::START, 0);
    let mut kept: BTreeMap<u8, (u32, Board)> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    // A loop ends the game.
    for ply in 0_u32.. {
        let legal: Vec<Step> = rules.moves(&board).legal().collect();
        if legal.is_empty() || board.seeds() < *layers.start() || !seen.insert((player, board)) {
            break;
        }
        if ply >= opening.into() && layers.contains(&board.seeds()) {
            let (count, any) = kept.entry(board.seeds()).or_insert((0, board));
            *count += 1;
            if random.u32(..*count) == 0 {
                *any = board;
            }
        }
        let is_random = ply < opening.into() || random.u8(..RANDOM_MOVES) == 0;
        let game = || Game::from_position(rules, board).expect("the seeds of a board");
        let chosen = match is_random {
            true => None,
            false => players[player].choose(&game(), &NEVER),
        };
        let step = legal.iter().find(|step| Some(step.pit) == chosen);
        let step = step.unwrap_or_else(|| &legal[random.u8(..legal.len() as u8) as usize]);
        match step.next {
            Next::Over => break,
            Next::Again => {}
            Next::Opponent => player = 1 - player,
        }
        board = step.board;
    }
    kept.into_values().map(|(_, board)| board).collect()
}
