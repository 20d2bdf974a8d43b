//! A small oware player: alpha-beta search that asks the tables as soon as they know the
//! board. It plays South's moves that it reads from standard input, one letter A to F a
//! line, and answers each as North; at the end of the input it plays on for both.
//!
//! ```text
//! cargo run --example player [-- DEPTH [RULES [FOLDER]...]]
//! ```
//!
//! `bindings/c/examples/player.c` is the same program in C.

use std::error::Error;
use std::io::BufRead;
use std::{env, io};

use krou::rules::{MAX_SEEDS, Next, Player, Step};
use krou::tablebase::ProbeError;
use krou::{Board, Ruleset, Tablebase};

const MAX_DEPTH: u8 = 20;
const MAX_PLIES: usize = 400;
/// More than any value.
const INFINITE: i8 = 49;

/// What the search needs.
struct Searcher<'t> {
    rules: Ruleset,
    tables: &'t Tablebase,
    /// The layers that the tables have.
    layers: Vec<u8>,
}

impl Searcher<'_> {
    /// The value of a move: its gain, and what the rest is worth.
    fn step_value(
        &mut self,
        step: &Step,
        depth: u8,
        alpha: i8,
        beta: i8,
    ) -> Result<i8, ProbeError> {
        let gain = step.gain;
        let rest = match step.next {
            Next::Over => 0,
            Next::Again => self.search(&step.board, depth, alpha - gain, beta - gain)?,
            Next::Opponent => self.search(&step.board, depth, gain - beta, gain - alpha)?,
        };
        Ok(step.value(rest))
    }

    /// Net seeds for the player to move: exact in tables, elsewhere as far as `depth` sees.
    fn search(
        &mut self,
        board: &Board,
        depth: u8,
        mut alpha: i8,
        beta: i8,
    ) -> Result<i8, ProbeError> {
        if self.layers.contains(&board.seeds()) {
            return self.tables.value(board);
        }
        let moves = self.rules.moves(board);
        if let Some(value) = moves.terminal_value() {
            return Ok(value);
        }
        if depth == 0 {
            return Ok(0);
        }
        let mut best = -INFINITE;
        for step in moves.legal() {
            best = best.max(self.step_value(&step, depth - 1, alpha, beta)?);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// The first of the best moves, and its value; `None` if the game is over.
    fn choose(&mut self, board: &Board, depth: u8) -> Result<Option<(Step, i8)>, ProbeError> {
        let mut chosen = None;
        let mut best = -INFINITE;
        for step in self.rules.moves(board).legal() {
            let value = self.step_value(&step, depth - 1, best, INFINITE)?;
            if value > best {
                best = value;
                chosen = Some((step, value));
            }
        }
        Ok(chosen)
    }
}

/// A game.
struct Game {
    /// Seen from the player to move.
    board: Board,
    to_move: Player,
    /// South's seeds and North's.
    stores: [i8; 2],
    /// The boards so far, to notice repetitions.
    seen: Vec<Board>,
}

impl Game {
    /// Gives seeds to both players so that their difference, seen from the player to move,
    /// is `gain`.
    fn share(&mut self, seeds: u8, gain: i8) {
        let seeds = seeds.cast_signed();
        let taken = i8::midpoint(seeds, gain);
        self.stores[self.to_move as usize] += taken;
        self.stores[self.to_move.opponent() as usize] += seeds - taken;
    }

    /// Makes a move. Returns whether the game goes on.
    fn play(&mut self, step: &Step) -> bool {
        self.share(self.board.seeds() - step.board.seeds(), step.gain);
        self.board = step.board;
        if step.next == Next::Opponent {
            self.to_move = self.to_move.opponent();
        }
        let most = MAX_SEEDS.cast_signed() / 2;
        step.next != Next::Over && self.stores.iter().all(|&seeds| seeds <= most)
    }

    /// Whether the board has occurred twice before, with the same player to move.
    fn is_repeated(&mut self) -> bool {
        let earlier = self.seen.iter().rev().skip(1).step_by(2);
        let times = earlier.filter(|&&board| board == self.board).count();
        self.seen.push(self.board);
        times >= 2
    }
}

/// Reads South's move; `None` at the end of the input.
fn read_move(rules: Ruleset, board: &Board) -> io::Result<Option<Step>> {
    for line in io::stdin().lock().lines() {
        let first = line?.bytes().next().unwrap_or(b'\n');
        match rules.play(board, first.wrapping_sub(b'A')) {
            Ok(step) => return Ok(Some(step)),
            Err(error) => println!("{error}"),
        }
    }
    Ok(None)
}

fn play_game(searcher: &mut Searcher<'_>, depth: u8) -> Result<(), Box<dyn Error>> {
    let mut game = Game {
        board: Board::START,
        to_move: Player::South,
        stores: [0, 0],
        seen: Vec::new(),
    };
    let mut reads = true;
    while game.seen.len() < MAX_PLIES && !game.is_repeated() {
        let mut step = None;
        if game.to_move == Player::South && reads {
            if searcher.rules.moves(&game.board).terminal_value().is_none() {
                step = read_move(searcher.rules, &game.board)?;
            }
            reads = step.is_some();
        }
        if step.is_none() {
            let Some((best, value)) = searcher.choose(&game.board, depth)? else {
                // Who takes the seeds that are left is a choice of the rules.
                let rest = searcher
                    .rules
                    .moves(&game.board)
                    .terminal_value()
                    .unwrap_or(0);
                let left = if rest == 0 { 0 } else { game.board.seeds() };
                game.share(left, rest);
                break;
            };
            println!("{} {value:+}", game.to_move.letter(best.pit));
            step = Some(best);
        }
        if !step.is_some_and(|step| game.play(&step)) {
            break;
        }
    }
    let [south, north] = game.stores;
    println!("South {south}, North {north}");
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let depth = arguments.next().map_or(Ok(8), |depth| depth.parse())?;
    if !(1..=MAX_DEPTH).contains(&depth) {
        return Err(format!("the depth must be a whole number from 1 to {MAX_DEPTH}").into());
    }
    let rules: Ruleset = arguments.next().as_deref().unwrap_or("awari").parse()?;
    let tables = Tablebase::builder(rules).folders(arguments).open()?;
    let mut searcher = Searcher {
        rules,
        tables: &tables,
        layers: tables.layers().iter().collect(),
    };
    play_game(&mut searcher, depth)
}
