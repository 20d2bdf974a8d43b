//! Iterative deepening, for one line or several.
//!
//! Each iteration searches one ply deeper. It leaves good first moves for the next one,
//! so all iterations together cost less than the last one alone would.
//!
//! For several lines, each iteration searches the root once for each of them, without
//! the moves of the lines before. What is proven about the moves may settle a line
//! without a search.

use super::clock::Clock;
use super::evaluate::evaluate;
use super::limits::Limits;
use super::report::{GameResult, SearchLine, SearchReport};
use super::root_probe::Choice;
use super::score::{Aim, Found, ProvenBounds, SEED, Score, Window, margin_of, result_of};
use super::threads::ThreadMemory;
use super::tree::{MAX_DEPTH, Settings, Tree};
use crate::engine::game::Game;
use crate::engine::table_source::SearchSource;
use crate::rules::{Bounds, MAX_SEEDS};

/// What to search.
pub(super) struct Plan<'p> {
    pub game: &'p Game,
    pub limits: &'p Limits,
    pub aim: Aim,
    pub contempt: i16,
    /// The pits that lines may begin with.
    pub pits: Vec<u8>,
    /// Those that the first line may begin with.
    pub first: Vec<u8>,
    /// Whether other moves than those of `first` may be worth more, so that the score of
    /// the first line is never exact.
    pub is_restricted: bool,
    /// The score of the first line if it is known, where `first` is one pit.
    pub first_score: Option<Score>,
    /// The bounds of the game, if tables prove them.
    pub certain: Option<Bounds>,
    /// Whether bounds on the layer of the root do not hold: see [`Settings::by_history`].
    pub by_history: bool,
    /// The bounds of the boards that moves lead to, by tables, best moves first.
    pub known: Vec<(u8, Bounds)>,
    /// The line from tables that begins with a pit.
    pub table_pv: &'p (dyn Fn(u8) -> Vec<u8> + Sync),
}

impl Plan<'_> {
    /// Limits the first line to what tables say.
    pub fn follow(&mut self, choice: Choice) {
        match choice {
            Choice::Play(score, steps) => {
                self.first = vec![steps[0].pit];
                self.first_score = Some(score);
            }
            Choice::RestrictTo(pits) => {
                self.first = pits;
                self.is_restricted = true;
            }
            Choice::SearchByHistory => self.by_history = true,
        }
    }
}

/// A line that was found.
#[derive(Clone)]
struct Line {
    depth: u8,
    score: Found,
    pv: Vec<u8>,
    /// Whether its bounds are equal to those of all moves that it could begin with, so
    /// that no search changes it.
    is_settled: bool,
}

/// Iterative deepening over a tree.
struct Deepening<'d, 'a, S> {
    tree: Tree<'a, S>,
    plan: &'d Plan<'d>,
    /// The lines of the last iteration, and of the current one in its place if that was
    /// stopped.
    lines: Vec<Line>,
    report: SearchReport,
}

/// Searches to one depth after the other, until the clock stops the tree, the lines are
/// settled, or a limit says so.
pub(super) fn deepen<S: SearchSource>(
    plan: &Plan,
    source: S,
    memory: ThreadMemory,
    clock: Clock,
    on_report: &mut dyn FnMut(&SearchReport),
) -> SearchReport {
    let settings = Settings {
        aim: plan.aim,
        contempt: plan.contempt,
        selective: !plan.limits.until_win,
        by_history: plan.by_history,
    };
    let mut tree = Tree::new(plan.game, &plan.pits, settings, source, memory, clock);
    let best_first: Vec<u8> = plan.known.iter().map(|(pit, _)| *pit).collect();
    tree.root.put_first(&best_first);
    let lead = tree.root.node.lead;
    for &(pit, bounds) in &plan.known {
        tree.root
            .add_proof(pit, ProvenBounds::of_value(lead, bounds));
    }
    let pit = tree.root.pits().iter().find(|pit| plan.first.contains(pit));
    let pv = pit.map(|&pit| vec![pit]).unwrap_or_default();
    // In case there is no time at all.
    let estimate = evaluate(plan.game.rules(), &plan.game.board());
    let deepening = Deepening {
        tree,
        plan,
        lines: Vec::new(),
        report: SearchReport::new(Score::estimate(estimate), pv),
    };
    deepening.run(on_report)
}

impl<S: SearchSource> Deepening<'_, '_, S> {
    fn run(mut self, on_report: &mut dyn FnMut(&SearchReport)) -> SearchReport {
        let limits = self.plan.limits;
        let choices = self.tree.root.pits().len();
        let max_depth = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        for depth in 1..=max_depth {
            if self.iterate(depth).is_none() {
                break;
            }
            let Some(first) = self.lines.first() else {
                break;
            };
            let is_won = self.game_score(first).proven.lower > 0;
            self.report.depth = self.lines.iter().map(|line| line.depth).max().unwrap_or(0);
            self.update_report(false);
            on_report(&self.report);
            let is_settled = self.lines.iter().all(|line| line.is_settled);
            if is_settled || limits.until_win && is_won || self.is_enough(depth, choices) {
                break;
            }
        }
        self.count();
        self.report
    }

    /// Whether no further iteration is begun: a forced move needs no thought, and an iteration
    /// takes most of the time of all before it again.
    fn is_enough(&self, depth: u8, choices: usize) -> bool {
        /// Plies for a forced move, which give it a score and an expected reply.
        const FORCED_DEPTH: u8 = 4;
        let limits = self.plan.limits;
        if choices == 1 && limits.has_budget() {
            return depth >= FORCED_DEPTH;
        }
        let time = self.tree.clock.time();
        limits
            .target_time
            .is_some_and(|target| time > target / 3 * 2)
    }

    /// Searches all lines to a depth. `None` if the clock stopped the search; what was
    /// found until then is in the report.
    fn iterate(&mut self, depth: u8) -> Option<()> {
        let mut lines: Vec<Line> = Vec::new();
        let count = self.plan.limits.lines.clamp(1, self.tree.root.pits().len());
        for number in 0..count {
            let is_free = |pit: &u8| lines.iter().all(|line| line.pv[0] != *pit);
            let allowed = |pit: &u8| number > 0 || self.plan.first.contains(pit);
            let pits = self.tree.root.pits().iter().copied();
            let pits: Vec<u8> = pits.filter(|pit| is_free(pit) && allowed(pit)).collect();
            let line = match self.settled(number, &pits) {
                Some(line) => line,
                None => match self.search(number, depth, &pits) {
                    Some(line) => line,
                    None => {
                        self.stopped(lines, depth);
                        return None;
                    }
                },
            };
            lines.push(line);
        }
        self.sort(&mut lines, count);
        let pits: Vec<u8> = lines.iter().map(|line| line.pv[0]).collect();
        self.tree.root.put_first(&pits);
        self.lines = lines;
        Some(())
    }

    /// Sorts lines by score. Only those that the iteration has completed may become the first,
    /// and only if it is neither restricted nor settled: since searches are selective, a later
    /// one may find more in a move than the first one did.
    fn sort(&self, lines: &mut [Line], completed: usize) {
        let is_free = self.plan.first.len() == self.tree.root.pits().len();
        if is_free && !lines[0].is_settled {
            lines[..completed].sort_by_key(|line| -line.score.score);
        }
        lines[1..].sort_by_key(|line| -line.score.score);
    }

    /// The line that begins with one of these pits, if no search would change it.
    fn settled(&self, number: usize, pits: &[u8]) -> Option<Line> {
        let lead = self.tree.root.node.lead;
        let (pit, score) = match self.plan.first_score.filter(|_| number == 0) {
            Some(score) => {
                let margin = i16::from(lead) * SEED + score.hundredths();
                let proven = if score.is_exact() {
                    ProvenBounds::exact((margin / SEED) as i8)
                } else {
                    ProvenBounds::UNKNOWN
                };
                (*pits.first()?, Found::new(margin, proven))
            }
            None if number == 0 && self.plan.is_restricted => return None,
            None => {
                let proven = self.tree.root.proof_of_best(pits);
                if proven.lower < proven.upper {
                    return None;
                }
                let is_best = |pit: &&u8| self.tree.root.proof(**pit).lower == proven.lower;
                let scale = self.tree.scale(&self.tree.root.node);
                let found = Found::certain(scale, proven.lower);
                (*pits.iter().find(is_best)?, found)
            }
        };
        Some(Line {
            depth: 0,
            score,
            pv: self
                .known_pv(pit)
                .unwrap_or_else(|| (self.plan.table_pv)(pit)),
            is_settled: true,
        })
    }

    /// The line of an earlier iteration that begins with a pit.
    fn known_pv(&self, pit: u8) -> Option<Vec<u8>> {
        let line = self.lines.iter().find(|line| line.pv[0] == pit)?;
        Some(line.pv.clone())
    }

    /// Searches for the best line that begins with one of these pits.
    fn search(&mut self, number: usize, depth: u8, pits: &[u8]) -> Option<Line> {
        let found = self.tree.search(depth, Window::FULL, pits)?;
        let (_, pv) = self.tree.pv()?;
        let mut line = Line {
            depth,
            score: found,
            pv: pv.to_vec(),
            is_settled: found.is_exact(),
        };
        if number == 0 && self.plan.is_restricted {
            line.score.proven.upper = ProvenBounds::UNKNOWN.upper;
            line.is_settled = false;
        } else if found.is_exact() {
            // Another move may be the one that is proven to have this value.
            let has_value = |pit: u8| self.tree.root.proof(pit).lower == found.proven.lower;
            if !has_value(line.pv[0])
                && let Some(&pit) = pits.iter().find(|&&pit| has_value(pit))
            {
                line.pv = vec![pit];
            }
        } else if number > 0 {
            line.score.proven = self.tree.root.proof(line.pv[0]);
        }
        Some(line)
    }

    /// Updates the lines and the report after a stop: first the lines that the iteration
    /// has completed, then the best move that it was at, then those of the one before.
    fn stopped(&mut self, mut lines: Vec<Line>, depth: u8) {
        let completed = lines.len();
        if let Some((best, pv)) = self.tree.pv() {
            lines.push(Line {
                depth,
                score: Found {
                    proven: ProvenBounds::UNKNOWN,
                    ..best
                },
                pv: pv.to_vec(),
                is_settled: false,
            });
        }
        for line in std::mem::take(&mut self.lines) {
            let is_new = lines.iter().all(|other| other.pv[0] != line.pv[0]);
            if is_new && lines.len() < self.plan.limits.lines {
                lines.push(line);
            }
        }
        // Without a move at this depth nothing has changed.
        let Some(first) = lines.first() else {
            return;
        };
        let is_partial = completed == 0 && first.depth == depth;
        self.sort(&mut lines, completed);
        self.lines = lines;
        self.update_report(is_partial);
    }

    /// Updates the report from the lines.
    fn update_report(&mut self, is_lower_bound: bool) {
        let lead = self.tree.root.node.lead;
        let Some((first, others)) = self.lines.split_first() else {
            return;
        };
        let score = self.game_score(first);
        let result = |line: &Line, score| result(score, self.tree.root.holds(line.pv[0]));
        let first_result = result(first, score);
        let others = others.iter().map(|line| SearchLine {
            depth: line.depth,
            score: score_of_rest(line.score, lead),
            proven: bounds_of_rest(line.score.proven, lead),
            result: result(line, line.score),
            pv: line.pv.clone(),
        });
        let others = others.collect();
        let report = &mut self.report;
        report.score = score_of_rest(score, lead);
        report.is_lower_bound = is_lower_bound;
        report.proven = bounds_of_rest(score.proven, lead);
        report.result = first_result;
        report.pv.clone_from(&first.pv);
        report.others = others;
        self.count();
    }

    /// The score of the game: that of the first line, with what tables prove.
    fn game_score(&self, first: &Line) -> Found {
        let Some(bounds) = self.plan.certain else {
            return first.score;
        };
        let node = &self.tree.root.node;
        let certain = ProvenBounds::of_value(node.lead, bounds);
        let proven = first.score.proven.intersect(certain);
        proven.clamp(self.tree.scale(node), first.score.score)
    }

    /// Updates the counters of the report.
    fn count(&mut self) {
        let report = &mut self.report;
        let deepest = self.tree.deepest_ply.max(usize::from(report.depth));
        report.selective_depth = deepest as u8;
        report.nodes = self.tree.clock.nodes();
        report.table_hits = self.tree.clock.table_hits();
        report.hash_full = self.tree.hash_full();
        report.time = self.tree.clock.time();
    }
}

/// The score of the rest of the game, for a player who is `lead` seeds ahead.
fn score_of_rest(found: Found, lead: i8) -> Score {
    if found.is_exact() {
        Score::exact(found.proven.lower - lead)
    } else {
        Score::estimate(margin_of(found.score) - i16::from(lead) * SEED)
    }
}

/// The bounds of the rest of the game, for a player who is `lead` seeds ahead.
fn bounds_of_rest(proven: ProvenBounds, lead: i8) -> Bounds {
    let rest = |margin: i8| {
        let most = MAX_SEEDS.cast_signed();
        margin.saturating_sub(lead).clamp(-most, most)
    };
    Bounds {
        lower: rest(proven.lower),
        upper: rest(proven.upper),
    }
}

/// The result that was found out. A score tells it as well where bounds hold.
fn result(found: Found, holds: bool) -> Option<GameResult> {
    let ProvenBounds { lower, upper } = found.proven;
    match result_of(found.score) {
        1 if holds => Some(GameResult::Win),
        -1 if holds => Some(GameResult::Loss),
        _ => GameResult::within(lower, upper),
    }
}
