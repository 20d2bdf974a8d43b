//! Somebody to play against: from one who plays anything to one who plays perfectly.
//!
//! A weak opponent is no engine that is told to hurry: that would still see every
//! capture. He looks ahead less, and the worths he finds are blurred by chance before
//! he compares them, so that he errs where moves are close, and more often the weaker
//! he is. What he looks at is counted in boards, not in time: his play depends on his
//! seed and on the game alone, on any machine.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use fastrand::Rng;

use super::game::Game;
use super::search::{Engine, EngineOptions, Limits};
use crate::rules::{Ruleset, Step};
use crate::tablebase::Tablebase;

/// How an opponent finds his moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Style {
    /// By searching, as well as his level allows.
    Engine,
    /// By tables, and by searching as well as he can where they do not reach.
    Perfect,
    /// By chance.
    Random,
}

/// How strong an opponent is, 1 to 10.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

impl Level {
    /// The strongest.
    pub const MAX: Level = Level(10);

    /// A level; `None` unless it is 1 to 10.
    pub fn new(level: u8) -> Option<Level> {
        (1..=10).contains(&level).then_some(Level(level))
    }

    /// 1 to 10.
    pub fn get(self) -> u8 {
        self.0
    }

    fn strength(self) -> Strength {
        STRENGTHS[usize::from(self.0) - 1]
    }
}

/// What a level is made of.
#[derive(Clone, Copy)]
struct Strength {
    /// Plies looked ahead.
    depth: u8,
    /// Boards looked at for a move.
    nodes: u64,
    /// The most by which chance changes what a move seems to be worth, in hundredths
    /// of a seed, up or down.
    blur: i16,
    /// Whether tables are asked.
    tables: bool,
}

const fn strength(depth: u8, nodes: u64, blur: i16, tables: bool) -> Strength {
    Strength {
        depth,
        nodes,
        blur,
        tables,
    }
}

/// From level 1 to level 10; `docs/play.md` has them in a table, with how they fare
/// against each other.
const STRENGTHS: [Strength; 10] = [
    strength(1, 10_000, 500, false),
    strength(1, 10_000, 250, false),
    strength(2, 10_000, 150, false),
    strength(3, 10_000, 100, false),
    strength(4, 20_000, 60, false),
    strength(5, 50_000, 40, true),
    strength(10, 100_000, 0, true),
    strength(13, 200_000, 0, true),
    strength(u8::MAX, 500_000, 0, true),
    strength(u8::MAX, 1_500_000, 0, true),
];

/// Somebody to play against.
pub struct Opponent {
    way: Way,
    random: Rng,
}

enum Way {
    Chance,
    Thought { engine: Engine, strength: Strength },
}

impl Opponent {
    /// An opponent; whatever he does by chance depends on `seed` alone. Only the style
    /// [`Style::Engine`] has levels.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    ///
    /// use krou::engine::{Game, Level, Opponent, Style};
    /// use krou::rules::Ruleset;
    ///
    /// let level = Level::new(3).unwrap();
    /// let mut opponent = Opponent::new(Style::Engine, level, Ruleset::AWARI, None, 1);
    /// let mut game = Game::new(Ruleset::AWARI);
    /// let pit = opponent.choose(&game, &AtomicBool::new(false)).unwrap();
    /// game.play(pit)?;
    /// # Ok::<(), krou::engine::PlayError>(())
    /// ```
    ///
    /// # Panics
    /// If the tables are of another ruleset.
    pub fn new(
        style: Style,
        level: Level,
        rules: Ruleset,
        tables: Option<Arc<Tablebase>>,
        seed: u64,
    ) -> Opponent {
        let strength = match style {
            Style::Random => None,
            Style::Perfect => Some(Level::MAX.strength()),
            Style::Engine => Some(level.strength()),
        };
        let way = match strength {
            None => Way::Chance,
            Some(strength) => Way::Thought {
                engine: Engine::new(
                    rules,
                    tables.filter(|_| strength.tables),
                    EngineOptions::default(),
                ),
                strength,
            },
        };
        let random = Rng::with_seed(seed);
        Opponent { way, random }
    }

    /// The pit he plays, 0 to 5; `None` if the game is over. `stop` makes him decide at
    /// once.
    ///
    /// # Panics
    /// If the game is of another ruleset.
    pub fn choose(&mut self, game: &Game, stop: &AtomicBool) -> Option<u8> {
        if game.outcome().is_some() {
            return None;
        }
        let pit = match &mut self.way {
            Way::Chance => {
                let moves: Vec<Step> = game.moves().legal().collect();
                self.random.choice(moves)?.pit
            }
            Way::Thought { engine, strength } => {
                let limits = Limits {
                    depth: Some(strength.depth),
                    nodes: Some(strength.nodes),
                    time: None,
                };
                match strength.blur {
                    0 => engine.search(game, &limits, stop, &mut |_| ())?.line[0],
                    blur => blurred(engine, game, &limits, stop, blur, &mut self.random)?,
                }
            }
        };
        Some(pit)
    }
}

/// The move that seems best when every worth is changed by chance, up to `blur`.
fn blurred(
    engine: &mut Engine,
    game: &Game,
    limits: &Limits,
    stop: &AtomicBool,
    blur: i16,
    random: &mut Rng,
) -> Option<u8> {
    let candidates = engine.candidates(game, limits, stop);
    let best = candidates.iter().max_by_key(|candidate| {
        i32::from(candidate.score.hundredths()) + i32::from(random.i16(-blur..=blur))
    });
    best.map(super::Candidate::pit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opponent(style: Style, level: u8, rules: Ruleset, seed: u64) -> Opponent {
        let tables = Arc::new(Tablebase::embedded(rules));
        let level = Level::new(level).unwrap();
        Opponent::new(style, level, rules, Some(tables), seed)
    }

    /// A game against himself, as far as `plies`.
    fn game(mut opponent: Opponent, rules: Ruleset, plies: usize) -> Vec<u8> {
        let mut game = Game::new(rules);
        let stop = AtomicBool::new(false);
        let mut pits = Vec::new();
        while pits.len() < plies
            && let Some(pit) = opponent.choose(&game, &stop)
        {
            game.play(pit).unwrap();
            pits.push(pit);
        }
        assert_eq!(
            opponent.choose(&game, &stop).is_none(),
            game.outcome().is_some()
        );
        pits
    }

    #[test]
    fn a_seed_makes_a_game_again() {
        for (style, level) in [(Style::Random, 1), (Style::Engine, 1), (Style::Engine, 3)] {
            let play = |seed| {
                game(
                    opponent(style, level, Ruleset::AWARI, seed),
                    Ruleset::AWARI,
                    30,
                )
            };
            assert_eq!(play(7), play(7), "{style:?}");
            assert_ne!(play(7), play(8), "{style:?}");
        }
    }

    #[test]
    fn chance_plays_every_legal_move_and_no_other() {
        let mut random = opponent(Style::Random, 1, Ruleset::AWARI, 1);
        let board = "1 0 2 0 0 1 / 0 1 0 0 3 0".parse().unwrap();
        let start = Game::from_position(
            Ruleset::AWARI,
            board,
            crate::engine::Stores::default(),
            crate::engine::Player::South,
        );
        let start = start.unwrap();
        let mut played = [0; 6];
        for _ in 0..100 {
            played[usize::from(random.choose(&start, &AtomicBool::new(false)).unwrap())] += 1;
        }
        for (pit, times) in played.into_iter().enumerate() {
            let legal = start.moves().by_pit()[pit].is_ok();
            assert_eq!(legal, times > 0, "pit {pit}: {played:?}");
            // 33 are expected of each.
            assert!(!legal || times > 15, "pit {pit}: {played:?}");
        }
    }

    #[test]
    fn games_of_random_moves_end_under_every_ruleset() {
        for rules in Ruleset::all() {
            let pits = game(opponent(Style::Random, 1, rules, 1), rules, 10_000);
            assert!((1..10_000).contains(&pits.len()), "{rules}");
        }
    }

    #[test]
    fn all_decide_at_once_when_they_are_told_to() {
        let stop = AtomicBool::new(true);
        for (_, rules) in Ruleset::NAMED {
            for (style, level) in [
                (Style::Random, 1),
                (Style::Engine, 1),
                (Style::Engine, 7),
                (Style::Perfect, 1),
            ] {
                let game = Game::new(rules);
                let pit = opponent(style, level, rules, 1).choose(&game, &stop);
                assert!(game.moves().by_pit()[usize::from(pit.unwrap())].is_ok());
            }
        }
    }

    #[test]
    fn levels_are_1_to_10() {
        let levels: Vec<u8> = (0..=255).filter_map(Level::new).map(Level::get).collect();
        assert_eq!(levels, (1..=10).collect::<Vec<u8>>());
        assert_eq!(Level::new(10), Some(Level::MAX));
    }

    #[test]
    fn where_tables_reach_a_perfect_opponent_gives_nothing_away() {
        let tables = Tablebase::embedded(Ruleset::AWARI);
        let mut perfect = opponent(Style::Perfect, 1, Ruleset::AWARI, 1);
        let mut random = Rng::with_seed(1);
        for _ in 0..50 {
            let mut pits = [0; 12];
            for _ in 0..random.usize(2..=9) {
                pits[random.usize(0..12)] += 1;
            }
            let board = crate::rules::Board::new(pits).unwrap();
            let position = board.into();
            let game = Game::at(Ruleset::AWARI, &position).unwrap();
            let Some(pit) = perfect.choose(&game, &AtomicBool::new(false)) else {
                continue;
            };
            let moves = tables.moves(&board).unwrap();
            let played = moves.iter().find(|m| m.step.pit == pit).unwrap();
            let value = tables.probe(&board).unwrap().value;
            assert_eq!(played.result.unwrap().value, value, "{board:?}");
        }
    }
}
