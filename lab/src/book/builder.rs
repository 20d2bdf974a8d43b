//! Extending a book by drop-out expansion.
//!
//! The position to add next is the one that is most easily reached: from the start, each
//! ply has a cost, and each move that is worse than the best one of its position costs
//! more, the more it is worse. So the book goes deep where both sides play good moves, and still
//! has an answer to the plausible mistakes of an opponent. After each position its scores
//! go up to all positions that lead to it. The method is that of Thomas Lincke, *Strategies
//! for the Automatic Construction of Opening Books* (Computers and Games 2000).

use std::collections::{HashMap, HashSet};
use std::fmt;

use krou::engine::Game;
use krou::internal::engine::Book;
use krou::rules::{Board, Next, Player, Position, Ruleset, Step};

/// The cost of a ply. Each hundredth of a seed by which a move is worse costs 1.
const PLY: u32 = 25;

/// A book that is being extended.
#[derive(Clone)]
pub struct BookBuilder {
    rules: Ruleset,
    /// Nodes of each search that the scores come from.
    nodes: u64,
    /// All moves of each position, best first.
    positions: HashMap<Position, Vec<Scored>>,
    start: Position,
}

/// A move of the book, with its score in hundredths of a seed.
#[derive(Clone, Copy)]
struct Scored {
    pit: u8,
    score: i16,
}

/// A position to add, with its moves.
pub struct NewPosition {
    position: Position,
    moves: Vec<Reached>,
}

impl NewPosition {
    /// The positions to search: those after each move that does not end the game, with the
    /// next player as South.
    pub fn positions(&self) -> Vec<Position> {
        self.moves.iter().filter_map(|found| found.next).collect()
    }
}

/// A move and the position that it leads to.
#[derive(Clone, Copy)]
struct Reached {
    step: Step,
    /// The next player is South; `None` if the game is over.
    next: Option<Position>,
}

impl Reached {
    /// The score of the move, from that of the position that it leads to.
    fn score(&self, next: i16) -> i16 {
        let gain = i16::from(self.step.gain) * 100;
        match self.step.next {
            Next::Opponent if self.next.is_some() => gain - next,
            Next::Again if self.next.is_some() => gain + next,
            _ => gain,
        }
    }
}

/// A move on a position; `None` if it is illegal.
fn play(rules: Ruleset, position: &Position, pit: u8) -> Option<Reached> {
    let mut game = Game::from_position(rules, *position).ok()?;
    let turn = game.play(pit).ok()?;
    let next = game
        .outcome()
        .is_none()
        .then(|| game.position().with_south_to_move());
    let step = turn.step;
    Some(Reached { step, next })
}

/// What is known about a position of the book.
#[derive(Clone, Copy)]
struct Known {
    /// The score of its best move.
    score: i16,
    /// The cost of the cheapest way to a position that is not in the book, and its first
    /// move; `None` if there is none.
    exit: Option<(u32, usize)>,
}

impl BookBuilder {
    /// An empty book.
    pub fn new(rules: Ruleset, nodes: u64) -> BookBuilder {
        BookBuilder {
            rules,
            nodes,
            positions: HashMap::new(),
            start: Position::from(Board::START),
        }
    }

    /// Extends a book.
    pub fn of(book: &Book) -> BookBuilder {
        let mut builder = BookBuilder::new(book.rules(), book.nodes());
        for (position, moves) in book.positions() {
            let moves = moves.iter().map(|found| Scored {
                pit: found.pit,
                score: found.score,
            });
            builder.positions.insert(*position, moves.collect());
        }
        builder
    }

    pub fn rules(&self) -> Ruleset {
        self.rules
    }

    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// The next positions to add, at most `count`, the most easily reached first. Fewer
    /// only if the book has nearly all positions.
    pub fn next(&self, count: usize) -> Vec<NewPosition> {
        let mut chosen = HashSet::new();
        let mut new = Vec::new();
        while new.len() < count {
            let mut known = HashMap::new();
            self.explore(self.start, &chosen, &mut known);
            let Some(position) = self.follow(&known) else {
                break;
            };
            chosen.insert(position);
            let legal = self.rules.moves(&position.board);
            let moves = legal.legal();
            let moves = moves.filter_map(|step| play(self.rules, &position, step.pit));
            let moves = moves.collect();
            new.push(NewPosition { position, moves });
        }
        new
    }

    /// Adds a position. `scores` are those of [`NewPosition::positions`]: what the rest of
    /// the game is worth to the player to move there, in hundredths of a seed.
    pub fn add(&mut self, new: &NewPosition, scores: &[i16]) {
        let mut scores = scores.iter().copied();
        let moves = new.moves.iter().map(|found| Scored {
            pit: found.step.pit,
            score: match found.next {
                Some(_) => found.score(scores.next().unwrap_or(0)),
                None => found.score(0),
            },
        });
        let moves = moves.collect();
        self.positions.insert(new.position, moves);
        self.update();
    }

    /// Gives each move that leads to a position of the book the score of the best move
    /// there, and orders the moves.
    fn update(&mut self) {
        let mut known = HashMap::new();
        self.explore(self.start, &HashSet::new(), &mut known);
        for (position, moves) in &mut self.positions {
            for found in moves.iter_mut() {
                if let Some(reached) = play(self.rules, position, found.pit)
                    && let Some(next) = reached.next.and_then(|next| known.get(&next))
                {
                    found.score = reached.score(next.score);
                }
            }
            moves.sort_by_key(|found| (-found.score, found.pit));
        }
    }

    /// Finds out what is known about a position and all below it. `None` if it is not in
    /// the book, or if it is being explored: then the line goes round.
    fn explore(
        &self,
        position: Position,
        closed: &HashSet<Position>,
        known: &mut HashMap<Position, Known>,
    ) -> Option<Known> {
        if let Some(known) = known.get(&position) {
            return Some(*known);
        }
        let moves = self.positions.get(&position)?;
        // While its moves are explored it has the score that it had before.
        let before = Known {
            score: moves.first()?.score,
            exit: None,
        };
        known.insert(position, before);
        let mut scores = Vec::with_capacity(moves.len());
        let mut ways = Vec::with_capacity(moves.len());
        for found in moves {
            let reached = play(self.rules, &position, found.pit)?;
            let child = match reached.next {
                Some(next) => self.explore(next, closed, known),
                None => None,
            };
            scores.push(child.map_or(found.score, |child| reached.score(child.score)));
            ways.push(match (child, reached.next) {
                (Some(child), _) => child.exit.map(|(cost, _)| cost),
                (None, Some(next)) => (!closed.contains(&next)).then_some(0),
                (None, None) => None,
            });
        }
        let best = scores.iter().copied().max()?;
        let loss = |score: i16| best.abs_diff(score);
        let exits = ways.iter().zip(&scores).enumerate();
        let exits = exits.filter_map(|(number, (way, &score))| {
            Some(((*way)? + PLY + u32::from(loss(score)), number))
        });
        let result = Known {
            score: best,
            exit: exits.min(),
        };
        known.insert(position, result);
        Some(result)
    }

    /// The position at the end of the cheapest way out of the book.
    fn follow(&self, known: &HashMap<Position, Known>) -> Option<Position> {
        let mut position = self.start;
        while let Some(moves) = self.positions.get(&position) {
            let (_, number) = known.get(&position)?.exit?;
            position = play(self.rules, &position, moves[number].pit)?.next?;
        }
        Some(position)
    }
}

impl fmt::Display for BookBuilder {
    /// Writes the file, with positions in alphabetical order.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "krou book 1\nrules {}\nnodes {}", self.rules, self.nodes)?;
        let positions = self.positions.iter();
        let mut lines: Vec<_> = positions.map(|(p, moves)| (p.to_string(), moves)).collect();
        lines.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        for (position, moves) in lines {
            write!(f, "{position}")?;
            for found in moves {
                write!(f, " {}{}", Player::South.letter(found.pit), found.score)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use krou::engine::{Aim, Engine, EngineOptions, Limits};
    use std::sync::atomic::AtomicBool;

    fn search(rules: Ruleset, position: &Position) -> i16 {
        let options = EngineOptions::default()
            .with_hash_mib(1)
            .with_aim(Aim::Result);
        let mut engine = Engine::new(rules, None, options);
        let game = Game::from_position(rules, *position).unwrap();
        let limits = Limits::default().with_nodes(50);
        let report = engine.search(&game, &limits, &AtomicBool::new(false), &mut |_| ());
        report.unwrap().score.hundredths()
    }

    fn extend(builder: &mut BookBuilder, count: usize) {
        while builder.len() < count {
            for new in builder.next(2) {
                let positions = new.positions();
                let rules = builder.rules();
                let scores = positions.iter().map(|position| search(rules, position));
                let scores: Vec<i16> = scores.collect();
                builder.add(&new, &scores);
            }
        }
    }

    #[test]
    fn scores_go_up_to_the_positions_above() {
        for rules in [Ruleset::ABAPA, Ruleset::KALAH] {
            let mut builder = BookBuilder::new(rules, 50);
            extend(&mut builder, 40);
            let mut children = 0;
            for (position, moves) in &builder.positions {
                assert!(moves.is_sorted_by_key(|found| -found.score));
                for found in moves {
                    let reached = play(rules, position, found.pit).unwrap();
                    if let Some(below) = reached.next.and_then(|next| builder.positions.get(&next))
                    {
                        assert_eq!(found.score, reached.score(below[0].score));
                        children += 1;
                    }
                }
            }
            // Every position but the start is below another one.
            assert!(children >= builder.len() - 1);
        }
    }

    #[test]
    fn the_best_line_is_the_deepest() {
        let mut builder = BookBuilder::new(Ruleset::ABAPA, 50);
        extend(&mut builder, 40);
        let depth = |mut position: Position, rank: usize| {
            let mut plies = 0;
            let mut number = rank;
            while let Some(moves) = builder.positions.get(&position) {
                let found = moves[number.min(moves.len() - 1)];
                let reached = play(Ruleset::ABAPA, &position, found.pit).unwrap();
                (position, number, plies) = (reached.next.unwrap(), 0, plies + 1);
            }
            plies
        };
        let start = builder.start;
        assert!(depth(start, 0) > depth(start, 5));
    }
}
