//! Opponents to play against, from random moves to perfect play.
//!
//! No opponent plays the same game every time. A strong one chooses at random among moves
//! that are nearly equal, and inside the tables among moves that are equally good. At full
//! strength it plays from the opening book as far as that goes.
//!
//! A weak opponent is not an engine with little time: that would still see every
//! capture. It searches less deep, and random noise is added to the scores of the moves
//! before they are compared, so that it errs where moves are close, and more often the
//! weaker it is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fastrand::Rng;

use super::book::Book;
use super::candidates::Candidate;
use super::game::Game;
use super::level::Level;
use super::search::{Aim, Engine, EngineOptions, GameResult, Limits};
use super::table_errors::TableErrors;
use crate::rules::{Ruleset, words};
use crate::tablebase::Tablebase;

words! {
    /// How an opponent chooses moves.
    ///
    /// ```
    /// use krou::engine::Style;
    ///
    /// assert_eq!("perfect".parse(), Ok(Style::Perfect));
    /// assert_eq!(Style::Random.to_string(), "random");
    /// ```
    "style of opponent": pub enum Style {
        /// By searching, at one of ten levels.
        Engine = "engine",
        /// From tables, and beyond them at the highest level.
        Perfect = "perfect",
        /// At random.
        Random = "random",
    }
}

/// An opponent to play against.
#[derive(Debug)]
pub struct Opponent {
    mode: Mode,
    random: Rng,
}

#[derive(Debug)]
enum Mode {
    Random,
    Search {
        engine: Box<Engine>,
        limits: Limits,
        /// The largest random change of a move's score; 0 for a strong opponent.
        noise: i16,
        /// How much worse than the best move another one may be to be played as well.
        variety: i16,
        book: Option<&'static Book>,
    },
}

/// The most moves that a strong opponent chooses from.
const CHOICES: usize = 3;

/// How much worse than the best move of the opening book another one may be to be played
/// as well, in hundredths of a seed. It is more than the variety of the highest level: few
/// of the first moves are closer than that, and every game would begin alike.
const BOOK_VARIETY: i16 = 30;

impl Opponent {
    /// An opponent whose random choices depend on `seed` alone. Only
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
        let mode = match strength {
            None => Mode::Random,
            Some(strength) => {
                let tables = tables.filter(|_| strength.tables);
                let options = EngineOptions::default()
                    .with_aim(Aim::Result)
                    .with_hash_mib(hash_mib(strength.nodes));
                Mode::Search {
                    engine: Box::new(Engine::new(rules, tables, options)),
                    limits: Limits::default()
                        .with_depth(strength.depth)
                        .with_nodes(strength.nodes),
                    noise: strength.noise,
                    variety: strength.variety,
                    book: Book::embedded(rules).filter(|_| strength.book),
                }
            }
        };
        let random = Rng::with_seed(seed);
        Opponent { mode, random }
    }

    /// The same opponent, which searches for its best move no longer than this, and at
    /// most half of it again for moves that are nearly as good. If the limit matters, its
    /// moves depend on the machine, too.
    #[must_use]
    pub fn with_time_limit(mut self, time: Duration) -> Opponent {
        if let Mode::Search { limits, .. } = &mut self.mode {
            limits.time = Some(time);
        }
        self
    }

    /// The pit to play, 0 to 5; `None` if the game is over. Setting `stop` ends the
    /// search, so that the answer comes at once.
    ///
    /// # Panics
    /// If the game is of another ruleset.
    pub fn choose(&mut self, game: &Game, stop: &AtomicBool) -> Option<u8> {
        if game.outcome().is_some() {
            return None;
        }
        match &mut self.mode {
            Mode::Random => {
                let pits: Vec<u8> = game.moves().legal().map(|step| step.pit).collect();
                any_of(&pits, &mut self.random)
            }
            Mode::Search {
                engine,
                limits,
                noise: 0,
                variety,
                book,
            } => {
                // What tables say is certain.
                let has_tables = engine.has_tables_for(game.board().seeds());
                let book = book.filter(|_| !has_tables);
                let pits = match book.and_then(|book| nearly_best_in(book, game)) {
                    Some(pits) => pits,
                    None => nearly_best(engine, game, limits, *variety, stop)?,
                };
                any_of(&pits, &mut self.random)
            }
            Mode::Search {
                engine,
                limits,
                noise,
                ..
            } => {
                let candidates = engine.candidates(game, limits, stop);
                best_with_noise(&candidates, *noise, &mut self.random)
            }
        }
    }

    /// The tables that could not be read so far; `None` for an opponent that does not
    /// search.
    pub fn table_errors(&self) -> Option<&TableErrors> {
        match &self.mode {
            Mode::Random => None,
            Mode::Search { engine, .. } => Some(engine.table_errors()),
        }
    }
}

/// The size of a transposition table that a search of this many nodes does not fill: at
/// most one entry of 16 bytes for each node, and room for the search before.
fn hash_mib(nodes: u64) -> usize {
    ((32 * nodes) >> 20).clamp(1, 64) as usize
}

/// One of the pits at random. It is the same on machines of 32 and 64 bits, which
/// `Rng::choice` and `Rng::usize` are not.
fn any_of(pits: &[u8], random: &mut Rng) -> Option<u8> {
    if pits.is_empty() {
        return None;
    }
    let at = random.u64(..pits.len() as u64);
    pits.get(usize::try_from(at).ok()?).copied()
}

/// The best pit of the opening book and those that are nearly as good; `None` if the book
/// does not have the position.
fn nearly_best_in(book: &Book, game: &Game) -> Option<Vec<u8>> {
    let moves = book.moves(game)?;
    let least = moves.first()?.score - BOOK_VARIETY;
    let good = moves.iter().filter(|found| found.score >= least);
    Some(good.take(CHOICES).map(|found| found.pit).collect())
}

/// The best pit and those that are nearly as good. Other searches look for them one ply less
/// deep, in the transposition table of the first one.
fn nearly_best(
    engine: &mut Engine,
    game: &Game,
    limits: &Limits,
    variety: i16,
    stop: &AtomicBool,
) -> Option<Vec<u8>> {
    let best = engine.search(game, limits, stop, &mut |_| ())?;
    let mut pits = vec![best.pv[0]];
    pits.extend(&best.ties);
    // What is certain is not given away, nor what tables guarantee.
    let is_certain = best.score.is_exact() || best.result.is_some();
    if is_certain || engine.has_tables_for(game.board().seeds()) {
        return Some(pits);
    }
    let least = best.score.hundredths() - variety;
    while pits.len() < CHOICES && !stop.load(Ordering::Relaxed) {
        let moves = game.moves();
        let rest = moves.legal().map(|step| step.pit);
        let rest: Vec<u8> = rest.filter(|pit| !pits.contains(pit)).collect();
        if rest.is_empty() {
            break;
        }
        let mut limits = limits
            .with_pits(&rest)
            .with_depth(best.depth.saturating_sub(1).max(1));
        limits.time = limits.time.map(|time| time / 4);
        let next = engine.search(game, &limits, stop, &mut |_| ())?;
        // A search that is not complete says too little about the move.
        let is_good = next.score.hundredths() >= least && next.result != Some(GameResult::Loss);
        if !is_good || next.depth + 1 < best.depth {
            break;
        }
        pits.push(next.pv[0]);
    }
    Some(pits)
}

/// The best pit after a random change of each score by up to `noise`.
fn best_with_noise(candidates: &[Candidate], noise: i16, random: &mut Rng) -> Option<u8> {
    let best = candidates.iter().max_by_key(|candidate| {
        i32::from(candidate.score.hundredths()) + i32::from(random.i16(-noise..=noise))
    });
    best.map(Candidate::pit)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::engine::{Player, Stores};
    use crate::rules::Board;

    fn opponent(style: Style, level: u8, rules: Ruleset, seed: u64) -> Opponent {
        let tables = Arc::new(Tablebase::embedded(rules));
        let level = Level::new(level).unwrap();
        Opponent::new(style, level, rules, Some(tables), seed)
    }

    /// The pits of a game of an opponent against itself, up to `plies` moves.
    fn self_play(mut opponent: Opponent, rules: Ruleset, plies: usize) -> Vec<u8> {
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
    fn the_same_seed_gives_the_same_game() {
        for (style, level) in [(Style::Random, 1), (Style::Engine, 1), (Style::Engine, 3)] {
            let play = |seed| {
                let opponent = opponent(style, level, Ruleset::AWARI, seed);
                self_play(opponent, Ruleset::AWARI, 30)
            };
            assert_eq!(play(7), play(7), "{style}");
            assert_ne!(play(7), play(8), "{style}");
        }
    }

    /// Few of the first moves are nearly equal, so it takes some of them.
    #[test]
    fn strong_opponents_play_another_game_with_another_seed() {
        let play = |seed| {
            let opponent = opponent(Style::Engine, 7, Ruleset::AWARI, seed);
            self_play(opponent, Ruleset::AWARI, 16)
        };
        let games: Vec<Vec<u8>> = (1..=3).map(play).collect();
        assert_eq!(play(1), games[0]);
        assert!(games[0] != games[1] && games[0] != games[2], "{games:?}");
    }

    /// A search that is stopped at once has one move to choose from, a book several.
    #[test]
    fn full_strength_opponents_play_from_the_opening_book() {
        let stop = AtomicBool::new(true);
        for rules in [Ruleset::ABAPA, Ruleset::AWARI] {
            let position = "0-3-3-9-8-2-2-0-9-3-1-3-3-2-S".parse().unwrap();
            let game = Game::at(rules, &position).unwrap();
            let book = Book::embedded(rules).unwrap();
            let moves = book.moves(&game).unwrap();
            let scores: Vec<i16> = moves.iter().map(|found| found.score).collect();
            let least = scores[0] - BOOK_VARIETY;
            assert!(scores[2] >= least && scores[3] < least);

            let played = |style, level| -> BTreeSet<u8> {
                let choose = |seed| opponent(style, level, rules, seed).choose(&game, &stop);
                (1..=30).filter_map(choose).collect()
            };
            let best: BTreeSet<u8> = moves[..3].iter().map(|found| found.pit).collect();
            assert_eq!(played(Style::Perfect, 1), best, "{rules}");
            assert_eq!(played(Style::Engine, 10), best, "{rules}");
            assert_eq!(played(Style::Engine, 9).len(), 1, "{rules}");
        }
    }

    #[test]
    fn the_perfect_opponent_chooses_among_equal_moves() {
        let tables = Tablebase::embedded(Ruleset::AWARI);
        let mut random = Rng::with_seed(3);
        let mut opponents: Vec<Opponent> = (0..4)
            .map(|seed| opponent(Style::Perfect, 1, Ruleset::AWARI, seed))
            .collect();
        let mut varied = 0;
        for _ in 0..60 {
            let mut pits = [0; 12];
            (0..7).for_each(|_| pits[random.usize(0..12)] += 1);
            let board = Board::new(pits).unwrap();
            let game = Game::at(Ruleset::AWARI, &board.into()).unwrap();
            if game.outcome().is_some() {
                continue;
            }
            let value = tables.probe(&board).unwrap().value;
            let choose = |perfect: &mut Opponent| {
                let pit = perfect.choose(&game, &AtomicBool::new(false));
                pit.unwrap()
            };
            let mut played: Vec<u8> = opponents.iter_mut().map(choose).collect();
            played.sort_unstable();
            played.dedup();
            varied += usize::from(played.len() > 1);
            let moves = tables.moves(&board).unwrap();
            for pit in played {
                let ranked = moves.iter().find(|m| m.step.pit == pit).unwrap();
                assert_eq!(ranked.result.unwrap().value, value, "{board:?}");
            }
        }
        assert!(varied > 5, "{varied} boards");
    }

    #[test]
    fn the_random_opponent_plays_all_legal_moves_equally_often() {
        let mut random = opponent(Style::Random, 1, Ruleset::AWARI, 1);
        let board = "1 0 2 0 0 1 / 0 1 0 0 3 0".parse().unwrap();
        let (stores, to_move) = (Stores::default(), Player::South);
        let game = Game::from_position(Ruleset::AWARI, board, stores, to_move).unwrap();
        let mut played = [0; 6];
        for _ in 0..100 {
            let pit = random.choose(&game, &AtomicBool::new(false)).unwrap();
            played[usize::from(pit)] += 1;
        }
        for (pit, times) in played.into_iter().enumerate() {
            let legal = game.moves().by_pit()[pit].is_ok();
            assert_eq!(legal, times > 0, "pit {pit}: {played:?}");
            // The expected number is 33.
            assert!(!legal || times > 15, "pit {pit}: {played:?}");
        }
    }

    #[test]
    fn random_games_end_under_every_ruleset() {
        for rules in Ruleset::all() {
            let pits = self_play(opponent(Style::Random, 1, rules, 1), rules, 10_000);
            assert!((1..10_000).contains(&pits.len()), "{rules}");
        }
    }

    #[test]
    fn stopped_and_hurried_opponents_choose_a_legal_move() {
        let (stop, go_on) = (AtomicBool::new(true), AtomicBool::new(false));
        for (_, rules) in Ruleset::NAMED {
            for (style, level) in [
                (Style::Random, 1),
                (Style::Engine, 1),
                (Style::Engine, 7),
                (Style::Perfect, 1),
            ] {
                let game = Game::new(rules);
                let stopped = opponent(style, level, rules, 1).choose(&game, &stop);
                let mut hurried = opponent(style, level, rules, 1).with_time_limit(Duration::ZERO);
                for pit in [stopped, hurried.choose(&game, &go_on)] {
                    assert!(game.moves().by_pit()[usize::from(pit.unwrap())].is_ok());
                }
            }
        }
    }

    #[test]
    fn styles_are_parsed_from_their_words() {
        for style in Style::ALL {
            assert_eq!(style.to_string().parse(), Ok(style));
        }
        let unknown = "expert".parse::<Style>().unwrap_err().to_string();
        assert_eq!(unknown, "a style of opponent is engine, perfect or random");
    }

    #[test]
    fn the_perfect_opponent_keeps_the_value_inside_the_tables() {
        let tables = Tablebase::embedded(Ruleset::AWARI);
        let mut perfect = opponent(Style::Perfect, 1, Ruleset::AWARI, 1);
        let mut random = Rng::with_seed(1);
        for _ in 0..50 {
            let mut pits = [0; 12];
            for _ in 0..random.usize(2..=9) {
                pits[random.usize(0..12)] += 1;
            }
            let board = Board::new(pits).unwrap();
            let game = Game::at(Ruleset::AWARI, &board.into()).unwrap();
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
