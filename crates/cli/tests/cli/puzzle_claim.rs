//! A plain reference of puzzles: everything that a puzzle claims, by the plain rules and a
//! probe of each board.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use krou::engine::{Engine, Game, Limits};
use krou::index::LayerIndex;
use krou::rules::{Board, Bounds, Next, Step};
use krou::tablebase::Tablebase;
use krou_cli::internal::{Goal, Theme};

/// What a puzzle claims.
pub struct PuzzleClaim {
    pub board: Board,
    pub theme: Theme,
    pub goal: Goal,
    /// The legal pits with their values, best first.
    pub values: Vec<(u8, i8)>,
    /// The pits of whoever moves.
    pub line: Vec<u8>,
}

impl PuzzleClaim {
    /// Checks all that is claimed. The engine must have no tables.
    pub fn check(&self, tables: &Tablebase, engine: &mut Engine) {
        let index = LayerIndex::new(tables.rules(), self.board.seeds());
        assert!(index.index(&self.board).is_some(), "a move leads to it");
        self.check_proof(tables);
        let line = self.check_line(tables);
        assert_eq!(self.theme, self.theme_by_definition(tables, &line));
        self.check_depth(engine);
    }

    fn step(&self, tables: &Tablebase, pit: u8) -> Step {
        tables.rules().play(&self.board, pit).unwrap()
    }

    fn solution(&self, tables: &Tablebase) -> Step {
        self.step(tables, self.values[0].0)
    }

    /// Checks that the moves are all legal ones with their values, and that one is right.
    fn check_proof(&self, tables: &Tablebase) {
        let legal = tables.rules().moves(&self.board);
        let mut legal: Vec<u8> = legal.legal().map(|step| step.pit).collect();
        let mut others = Vec::new();
        for &(pit, value) in &self.values {
            let (probed, bounds) = worth(tables, &self.step(tables, pit));
            assert_eq!(value, probed);
            others.push((value, bounds));
            legal.retain(|&legal| legal != pit);
        }
        assert!(legal.is_empty());
        assert!(self.values.is_sorted_by(|(_, a), (_, b)| a >= b));
        let (value, bounds) = others.remove(0);
        assert_eq!((bounds.lower, bounds.upper), (value, value));
        assert!(value >= 0 && !others.is_empty());
        let result = value.signum();
        let all = |holds: &dyn Fn(i8) -> bool| others.iter().all(|(_, m)| holds(m.upper));
        let is_sure = all(&|upper| upper.signum() < result);
        if self.theme == Theme::LoopTrap {
            assert_eq!(self.goal, Goal::Result);
            assert!(!is_sure && !all(&|upper| upper < value));
            assert!(others.iter().all(|(value, _)| value.signum() < result));
            assert!(others.iter().all(|(_, m)| m.lower.signum() < result));
        } else if self.goal == Goal::Result {
            assert!(is_sure);
        } else {
            assert!(!is_sure && all(&|upper| upper < value));
        }
    }

    /// Checks that the line begins with the solution, that each of its moves is legal and
    /// keeps the value, and that it ends where it should; returns its steps.
    fn check_line(&self, tables: &Tablebase) -> Vec<Step> {
        assert_eq!(self.line[0], self.values[0].0);
        assert!(self.line.len() <= 12);
        let rules = tables.rules();
        let mut seen = HashSet::from([self.board]);
        let (mut board, mut left) = (self.board, self.values[0].1);
        let mut steps = Vec::new();
        for &pit in &self.line {
            assert!(steps.is_empty() || left != 0 || board.seeds() == self.board.seeds());
            let step = rules.play(&board, pit).unwrap();
            assert_eq!(worth(tables, &step), (left, exact(left)));
            left -= step.gain;
            if step.next != Next::Again {
                left = -left;
            }
            board = step.board;
            assert!(step.next == Next::Over || seen.insert(board));
            steps.push(step);
        }
        let has_captured = board.seeds() < self.board.seeds();
        if self.line.len() < 12 {
            let moves = rules.moves(&board);
            let leads_back =
                |step: Step| worth(tables, &step).1 != exact(left) || seen.contains(&step.board);
            let is_over = moves.terminal_value().is_some() || board == Board::EMPTY;
            assert!(is_over || left == 0 && has_captured || moves.legal().all(leads_back));
        }
        assert!(has_captured || self.theme == Theme::HoldTheDraw);
        steps
    }

    /// The theme by the definitions of `docs/puzzles.md`; a loop trap is checked with the
    /// proof.
    fn theme_by_definition(&self, tables: &Tablebase, line: &[Step]) -> Theme {
        let (solution, value) = (self.solution(tables), self.values[0].1);
        let last = &line[line.len() - 1].board;
        let is_stuck = last.seeds() > 0 && tables.rules().moves(last).legal().count() == 0;
        let upper = |board: &Board| {
            let result = tables.probe(board).unwrap();
            result.bounds.map_or(result.value, |bounds| bounds.upper)
        };
        let is_quiet = solution.is_quiet(self.board.seeds());
        let captures = |pit| self.step(tables, pit).captured > 0;
        if self.theme == Theme::LoopTrap {
            Theme::LoopTrap
        } else if self.goal == Goal::Result && value <= 1 {
            [Theme::HoldTheDraw, Theme::WinByOne][usize::from(value == 1)]
        } else if self.board.opponent() == [0; 6] || line.len() <= 3 && is_stuck {
            Theme::FeedOrStarve
        } else if is_quiet && upper(&solution.board) < -upper(&solution.board.turned()) {
            Theme::Zugzwang
        } else if solution.captured > 0 {
            Theme::Capture
        } else if self.values.iter().any(|&(pit, _)| captures(pit)) {
            Theme::RefuseACapture
        } else {
            Theme::Quiet
        }
    }

    /// Checks that a search of one ply and one of two prefer another move.
    fn check_depth(&self, engine: &mut Engine) {
        let game = Game::from_position(engine.rules(), self.board).unwrap();
        engine.clear_hash();
        let limits = Limits::default().with_depth(2);
        let solution = self.values[0].0;
        engine.search(&game, &limits, &AtomicBool::new(false), &mut |report| {
            assert_ne!(report.pv[0], solution, "{}", self.board);
        });
    }
}

fn exact(value: i8) -> Bounds {
    Bounds {
        lower: value,
        upper: value,
    }
}

/// The value and the bounds of a move, captures included.
fn worth(tables: &Tablebase, step: &Step) -> (i8, Bounds) {
    let Step { gain, board, .. } = *step;
    if step.next == Next::Over {
        return (gain, exact(gain));
    }
    let child = tables.probe(&board).unwrap();
    let Bounds { lower, upper } = child.bounds.unwrap_or(exact(child.value));
    if step.next == Next::Again {
        let (lower, upper) = (gain + lower, gain + upper);
        return (gain + child.value, Bounds { lower, upper });
    }
    let (lower, upper) = (gain - upper, gain - lower);
    (gain - child.value, Bounds { lower, upper })
}
