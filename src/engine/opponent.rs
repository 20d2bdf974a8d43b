//! Opponents to play against, from random moves to perfect play.
//!
//! A weak opponent is not just an engine with little time: that would still see every
//! capture. It glances at the board and overlooks some of them, as beginners do. A stronger
//! one searches, and errs where moves are close: random noise is added to the scores of the
//! best moves before they are compared.
//!
//! No opponent plays the same game every time. Inside the tables, it chooses among moves that
//! are equally good. At full strength the noise is too small for that: until the first
//! capture, such an opponent chooses among good moves.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use fastrand::Rng;

use super::game::Game;
use super::glance::Glance;
use super::level::{Level, SearchStrength, Strength};
use super::search::{Aim, Engine, EngineOptions, GameResult, Limits, SearchLine};
use super::table_errors::TableErrors;
use crate::rules::{MAX_SEEDS, Ruleset};
use crate::tablebase::Tablebase;
use crate::words::words;

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
        /// At one of the levels, from nearly random moves to a deep search.
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
    chooser: Chooser,
    random: Rng,
}

/// How an opponent decides which moves are good.
#[derive(Debug)]
enum Chooser {
    Glance(Glance),
    Search(Box<Searcher>),
}

/// Scores moves by searching.
#[derive(Debug)]
struct Searcher {
    engine: Engine,
    strength: SearchStrength,
    limits: Limits,
}

/// The most moves that an opponent chooses from after a search.
const CHOICES: usize = 3;

/// How much worse than the best one a move before the first capture may be, in hundredths of a
/// seed, if the noise is smaller: with the noise of the highest level every game would begin
/// alike.
const OPENING_VARIETY: i16 = 30;

/// Nodes of a search before such a move, which need not be the very best one.
const OPENING_NODES: u64 = 300_000;

impl Opponent {
    /// An opponent whose random choices depend on `seed` alone. Only
    /// [`Style::Engine`] has levels.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    ///
    /// use krou::engine::Game;
    /// use krou::engine::{Level, Opponent, Style};
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
        tables: Option<Tablebase>,
        seed: u64,
    ) -> Opponent {
        let strength = match style {
            Style::Random => Strength::Glance(Glance::BLIND),
            Style::Perfect => Level::MAX.strength(),
            Style::Engine => level.strength(),
        };
        let chooser = match strength {
            Strength::Glance(glance) => Chooser::Glance(glance),
            Strength::Search(search) => {
                Chooser::Search(Box::new(Searcher::new(search, rules, tables)))
            }
        };
        Opponent {
            chooser,
            random: Rng::with_seed(seed),
        }
    }

    /// The same opponent, which searches no longer than this for a move. If the limit matters,
    /// its moves depend on the machine, too.
    #[must_use]
    pub fn with_time_limit(mut self, time: Duration) -> Opponent {
        if let Chooser::Search(searcher) = &mut self.chooser {
            searcher.limits.time = Some(time);
        }
        self
    }

    /// The pit to play, 0 to 5; `None` if the game cannot go on. Setting `stop` ends the
    /// search, so that the answer comes at once.
    ///
    /// # Panics
    /// If the game is of another ruleset.
    pub fn choose(&mut self, game: &Game, stop: &AtomicBool) -> Option<u8> {
        if !game.can_go_on() {
            return None;
        }
        let random = &mut self.random;
        match &mut self.chooser {
            Chooser::Glance(glance) => any_of(&glance.best(game, random), random),
            Chooser::Search(searcher) => searcher.choose(game, stop, random),
        }
    }

    /// The tables that could not be read so far; `None` for an opponent that does not
    /// search.
    pub fn table_errors(&self) -> Option<&TableErrors> {
        match &self.chooser {
            Chooser::Glance(_) => None,
            Chooser::Search(searcher) => Some(searcher.engine.table_errors()),
        }
    }
}

impl Searcher {
    fn new(strength: SearchStrength, rules: Ruleset, tables: Option<Tablebase>) -> Searcher {
        let tables = tables.filter(|_| strength.tables);
        let options = EngineOptions::default()
            .with_aim(Aim::Result)
            .with_hash_mib(hash_mib(strength.nodes));
        Searcher {
            engine: Engine::new(rules, tables, options),
            strength,
            limits: Limits::default()
                .with_nodes(strength.nodes)
                .with_lines(CHOICES),
        }
    }

    /// The pit to play.
    fn choose(&mut self, game: &Game, stop: &AtomicBool, random: &mut Rng) -> Option<u8> {
        if self.engine.has_tables_for(game.board().seeds()) {
            // What tables guarantee is not given away.
            let limits = self.limits.with_lines(1);
            let best = self.engine.search(game, &limits, stop, &mut |_| ())?;
            return any_of(&[&best.pv[..1], &best.ties].concat(), random);
        }
        let noise = self.strength.noise;
        let is_opening = game.board().seeds() == MAX_SEEDS && noise < OPENING_VARIETY;
        let limits = match is_opening {
            true => self.limits.with_nodes(OPENING_NODES),
            false => self.limits,
        };
        let best = self.engine.search(game, &limits, stop, &mut |_| ())?;
        // Nor is what is certain.
        if best.score.is_exact() || best.result.is_some() {
            return best.pv.first().copied();
        }
        let mut lines = best.lines();
        // A search that is not complete says too little about the move.
        lines.retain(|line| line.depth + 1 >= best.depth && line.result != Some(GameResult::Loss));
        if is_opening {
            let least = best.score.hundredths() - OPENING_VARIETY;
            lines.retain(|line| line.score.hundredths() >= least);
            let pits: Vec<u8> = lines.iter().map(|line| line.pv[0]).collect();
            return any_of(&pits, random);
        }
        best_with_noise(&lines, noise, random)
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

/// The best pit after a random change of each score by up to `noise`.
fn best_with_noise(lines: &[SearchLine], noise: i16, random: &mut Rng) -> Option<u8> {
    let best = lines.iter().max_by_key(|line| {
        i32::from(line.score.hundredths()) + i32::from(random.i16(-noise..=noise))
    });
    best.map(|line| line.pv[0])
}
