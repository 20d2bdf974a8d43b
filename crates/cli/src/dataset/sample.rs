//! Which boards of a layer are in a data set: half of them are drawn uniformly from its index,
//! the others are from games, without those that were drawn.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};

use fastrand::Rng;
use krou::index::LayerIndex;
use krou::rules::{Board, Ruleset};
use rayon::prelude::*;

use super::games::boards_of_game;
use crate::progress::LayerBar;

/// Games that are played for each board that a layer wants from games, at most: some layers have
/// too few boards, and many games end before they reach the lowest layers.
const GAMES_FOR_A_BOARD: usize = 8;
/// Games that are played at once, whatever the number of threads.
const BATCH: usize = 64;

/// A board, and whether it is from a game.
#[derive(Clone, Copy)]
pub struct SampledBoard {
    pub board: Board,
    pub is_from_game: bool,
}

/// The boards of each layer, in order: first those that were drawn. There are fewer after Ctrl-C.
pub fn boards_of_layers(
    rules: Ruleset,
    layers: &RangeInclusive<u8>,
    count: usize,
    seed: u64,
    stop: &AtomicBool,
) -> Vec<Vec<SampledBoard>> {
    let mut random = Rng::with_seed(seed);
    let from_games = count / 2;
    let drawn: Vec<BTreeSet<Board>> = layers
        .clone()
        .map(|seeds| {
            drawn_uniformly(
                &LayerIndex::new(rules, seeds),
                count - from_games,
                &mut random,
            )
        })
        .collect();
    let mut played: Vec<BTreeSet<Board>> = vec![BTreeSet::new(); drawn.len()];
    let bar = LayerBar::of_steps(
        "[{wide_bar}] {pos} games, at most {len}",
        (GAMES_FOR_A_BOARD * from_games) as u64,
    );
    let mut games = 0;
    while games < GAMES_FOR_A_BOARD * from_games
        && played.iter().any(|boards| boards.len() < from_games)
        && !stop.load(Ordering::Relaxed)
    {
        let seeds: Vec<u64> = (0..BATCH).map(|_| random.u64(..)).collect();
        let found: Vec<Vec<Board>> = seeds
            .par_iter()
            .map(|&seed| boards_of_game(rules, layers, seed))
            .collect();
        for board in found.into_iter().flatten() {
            let layer = usize::from(board.seeds() - layers.start());
            if played[layer].len() < from_games && !drawn[layer].contains(&board) {
                played[layer].insert(board);
            }
        }
        games += BATCH;
        bar.advance(BATCH as u64);
    }
    let sampled = |is_from_game| {
        move |board| SampledBoard {
            board,
            is_from_game,
        }
    };
    let layers = drawn.into_iter().zip(played);
    layers
        .map(|(drawn, played)| {
            let drawn = drawn.into_iter().map(sampled(false));
            drawn.chain(played.into_iter().map(sampled(true))).collect()
        })
        .collect()
}

/// Different boards of a layer, each set of this size equally likely (Floyd's algorithm, from
/// Bentley 1987); all boards if there are no more.
fn drawn_uniformly(index: &LayerIndex, count: usize, random: &mut Rng) -> BTreeSet<Board> {
    let boards = index.len();
    let mut drawn = BTreeSet::new();
    for last in boards.saturating_sub(count as u64)..boards {
        let any = random.u64(..=last);
        let number = if drawn.contains(&any) { last } else { any };
        drawn.insert(number);
    }
    drawn
        .into_iter()
        .map(|number| index.board(number))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_board_is_drawn_as_often_as_any_other() {
        let index = LayerIndex::new(Ruleset::AWARI, 2);
        let mut counts = std::collections::BTreeMap::new();
        for seed in 0..2000 {
            let drawn = drawn_uniformly(&index, 10, &mut Rng::with_seed(seed));
            assert_eq!(drawn.len(), 10);
            for board in drawn {
                *counts.entry(board).or_insert(0_u64) += 1;
            }
        }
        assert_eq!(counts.len() as u64, index.len());
        // The deviation of a count is about its root.
        let expected = 20_000 / index.len();
        assert!(
            counts.values().all(|&count| count.abs_diff(expected) < 100),
            "{counts:?}"
        );
        let all = drawn_uniformly(&index, 1000, &mut Rng::with_seed(1));
        assert_eq!(all.len() as u64, index.len());
    }
}
