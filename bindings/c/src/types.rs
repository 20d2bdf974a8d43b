//! The structs of the header, made from those of the library.

#![allow(unsafe_code)]
// The names are those of the header.
#![allow(non_camel_case_types)]

use std::ffi::{c_char, c_int, c_void};

use krou::engine::{GameResult, Score, SearchLine, SearchReport};
use krou::rules::{Board, Bounds, Next, Player, Position, Step, Stores};
use krou::tablebase::{ProbeResult, RankedMove};

use crate::border::codes::Failure;
use crate::border::pointers::Versioned;
use crate::objects::krou_stop;

/// Bit of `known`: the value.
pub const KROU_KNOWN_VALUE: u32 = 1;
/// Bit of `known`: both bounds.
pub const KROU_KNOWN_BOUNDS: u32 = 2;
/// Bit of `known`: the distance.
pub const KROU_KNOWN_DISTANCE: u32 = 4;

/// `krou_step.next`: the opponent is to move, and the board is turned to their side.
pub const KROU_NEXT_OPPONENT: u8 = 0;
/// `krou_step.next`: the same player moves again.
pub const KROU_NEXT_AGAIN: u8 = 1;
/// `krou_step.next`: the step ended the game.
pub const KROU_NEXT_OVER: u8 = 2;

/// Pits on the board.
pub const KROU_PITS: usize = 12;
/// The most legal moves of a board.
pub const KROU_MAX_MOVES: usize = 6;
/// Bytes that the text of any board or position needs, with the null byte.
pub const KROU_MAX_TEXT: usize = 64;
/// The most moves of a principal variation in a report.
pub const KROU_MAX_PV: usize = 256;

/// What a board is worth to the player to move. A field that is not known is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub struct krou_result {
    /// Net seeds, from -48 to 48. Where `lower` and `upper` differ, it lies between them.
    pub value: i8,
    /// The value if a repetition is stopped where that is worst for the mover.
    pub lower: i8,
    /// The value if a repetition is stopped where that is best for the mover.
    pub upper: i8,
    /// Plies to the next conversion (a capture, a seed in a store, or the end); 0 if the
    /// game is over. Not known without a distance table, and where the value is 0 or only a
    /// loop attains it.
    pub distance: i16,
    /// What is known: a sum of KROU_KNOWN_VALUE, KROU_KNOWN_BOUNDS and
    /// KROU_KNOWN_DISTANCE.
    pub known: u32,
}

impl From<ProbeResult> for krou_result {
    fn from(result: ProbeResult) -> krou_result {
        let bounds = result.bounds.unwrap_or(Bounds::of_value(0));
        let known = [
            (true, KROU_KNOWN_VALUE),
            (result.bounds.is_some(), KROU_KNOWN_BOUNDS),
            (result.distance.is_some(), KROU_KNOWN_DISTANCE),
        ];
        krou_result {
            value: result.value,
            lower: bounds.lower,
            upper: bounds.upper,
            distance: result.distance.unwrap_or(0).into(),
            known: known
                .iter()
                .filter(|(is_known, _)| *is_known)
                .map(|(_, bit)| bit)
                .sum(),
        }
    }
}

/// What playing one pit does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct krou_step {
    /// The pit played, 0 to 5.
    pub pit: u8,
    /// Seeds taken by a capture.
    pub captured: u8,
    /// Net seeds that the mover takes by this step: captures, seeds sown into the store,
    /// and what the end of the game gives either side; -48 to 48.
    pub gain: i8,
    /// Who moves next: KROU_NEXT_OPPONENT, KROU_NEXT_AGAIN or KROU_NEXT_OVER.
    pub next: u8,
    /// The board as the next player sees it; empty if the step ends the game.
    pub board: [u8; KROU_PITS],
}

/// `next` of a step.
pub fn of_next(next: Next) -> u8 {
    match next {
        Next::Opponent => KROU_NEXT_OPPONENT,
        Next::Again => KROU_NEXT_AGAIN,
        Next::Over => KROU_NEXT_OVER,
    }
}

impl From<Step> for krou_step {
    fn from(step: Step) -> krou_step {
        krou_step {
            pit: step.pit,
            captured: step.captured,
            gain: step.gain,
            next: of_next(step.next),
            board: step.board.pits(),
        }
    }
}

/// A legal move with what it is worth to the mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct krou_move {
    /// The move.
    pub step: krou_step,
    /// What the whole move is worth, captures included; nothing is known if a layer is
    /// missing. The distance counts from the board before the move: 1 for a conversion.
    pub result: krou_result,
}

impl From<RankedMove> for krou_move {
    fn from(ranked: RankedMove) -> krou_move {
        krou_move {
            step: ranked.step.into(),
            result: ranked.result.map(krou_result::from).unwrap_or_default(),
        }
    }
}

/// A moment of a game: a board with both stores and the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct krou_position {
    /// The board, from the side of the player to move.
    pub board: [u8; KROU_PITS],
    /// Seeds in South's store.
    pub south: u8,
    /// Seeds in North's store.
    pub north: u8,
    /// 0 if South is to move, 1 if North is.
    pub north_to_move: u8,
}

impl From<Position> for krou_position {
    fn from(position: Position) -> krou_position {
        krou_position {
            board: position.board.pits(),
            south: position.stores.south,
            north: position.stores.north,
            north_to_move: (position.to_move == Player::North).into(),
        }
    }
}

impl TryFrom<krou_position> for Position {
    type Error = Failure;

    fn try_from(position: krou_position) -> Result<Position, Failure> {
        let to_move = match position.north_to_move {
            0 => Player::South,
            1 => Player::North,
            other => {
                return Err(Failure::argument(format!(
                    "'north_to_move' is {other}: 0 and 1 are possible"
                )));
            }
        };
        let board = Board::new(position.board)?;
        let (south, north) = (position.south, position.north);
        Ok(Position::new(board, Stores { south, north }, to_move))
    }
}

/// Single choices on top of a ruleset of the oware family, in the words of the command
/// line. A null pointer keeps the ruleset's own choice. Fill it with zeros and set `size`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct krou_choices {
    /// sizeof(krou_choices).
    pub size: usize,
    /// What a grand slam does: "forced", "nothing", "illegal" or "all".
    pub grand_slam: *const c_char,
    /// What a move does that leaves the opponent no seeds without capturing: "required"
    /// (it is illegal) or "penalty".
    pub feeding: *const c_char,
    /// Who takes the seeds left when the mover has no legal move: "owner" or "nobody".
    pub leftovers: *const c_char,
    /// What endless play is worth: "even", "nobody", "by-side" or "open".
    pub endless: *const c_char,
}

// SAFETY: `repr(C)`, a `usize` first, then raw pointers.
unsafe impl Versioned for krou_choices {
    const NAME: &'static str = "krou_choices";
}

/// How to open tables. Fill it with zeros and set `size`: zero is the default of each
/// field.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct krou_open_options {
    /// sizeof(krou_open_options).
    pub size: usize,
    /// Bytes of memory for decoded parts of tables; 0: 64 MiB.
    pub cache_bytes: u64,
    /// Bytes of memory for layers that are loaded whole before the call returns, from 0
    /// seeds on, as far as they fit; 0: none.
    pub table_memory: u64,
    /// 1: map the files into memory instead of reading them. Nobody may change or truncate
    /// them while the tables are open, or the program may crash.
    pub mapped: c_int,
    /// 1: use the folders alone, without the built-in tables.
    pub without_built_in: c_int,
    /// A folder that keeps what was read from web hosts, at most 256 MiB; null: none. It is a
    /// path as krou_open takes them, and is made if it is not there.
    pub cache: *const c_char,
    /// 1: allow plain http to other machines, by which anybody on the way can alter tables.
    pub insecure: c_int,
}

// SAFETY: `repr(C)`, a `usize` first, then numbers and a raw pointer.
unsafe impl Versioned for krou_open_options {
    const NAME: &'static str = "krou_open_options";
}

/// How far a build has come.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct krou_progress {
    /// sizeof(krou_progress).
    pub size: usize,
    /// Visits of boards so far. It never falls.
    pub done: u64,
    /// Visits of boards in the whole build: an estimate that stays the same.
    pub total: u64,
    /// What is being done with the layer, such as "values"; valid during the call.
    pub phase: *const c_char,
    /// The layer that is worked on.
    pub seeds: u32,
}

/// Called by `krou_build` on its own thread, about ten times a second. `progress` is valid
/// during the call; `user` is that of the options. Returns 0 to go on, or another number to
/// stop the build. It must return: no longjmp and no C++ exception may leave it.
pub type krou_on_progress =
    Option<unsafe extern "C" fn(progress: *const krou_progress, user: *mut c_void) -> c_int>;

/// What to build, and how. Fill it with zeros and set `size`: zero is the default of each
/// field.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct krou_build_options {
    /// sizeof(krou_build_options).
    pub size: usize,
    /// How tables are packed: "small", "packed", "zstd" or "raw"; null: "small".
    pub codec: *const c_char,
    /// Bytes of memory to use; arrays that do not fit are in spill files in the folder. 0:
    /// most of the free memory.
    pub memory: u64,
    /// Threads, at most 1024; 0: one for each core.
    pub threads: usize,
    /// Seconds between two checkpoints of the layer being solved; 0: none are written.
    pub checkpoint_seconds: u32,
    /// 1: build distances, too.
    pub distance: c_int,
    /// Another thread may request this to stop; may be null.
    pub stop: *const krou_stop,
    /// Called about ten times a second; may be null.
    pub on_progress: krou_on_progress,
    /// Passed to `on_progress`.
    pub user: *mut c_void,
}

// SAFETY: `repr(C)`, a `usize` first, then numbers, raw pointers and an optional function.
unsafe impl Versioned for krou_build_options {
    const NAME: &'static str = "krou_build_options";
}

/// `krou_engine_options.aim`: the engine maximises seeds.
pub const KROU_AIM_SEEDS: c_int = 0;
/// `krou_engine_options.aim`: the engine maximises the result of the game, then seeds.
pub const KROU_AIM_RESULT: c_int = 1;

/// Options of an engine. Fill it with zeros and set `size`: zero is the default of each
/// field.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct krou_engine_options {
    /// sizeof(krou_engine_options).
    pub size: usize,
    /// Size of the transposition table in MiB, at most 65536; 0: 64.
    pub hash_mib: usize,
    /// Search threads, at most 1024; 0: 1.
    pub threads: usize,
    /// Bytes for layers of the tables that are held in memory, loaded in the background;
    /// 0: none.
    pub table_memory: u64,
    /// KROU_AIM_SEEDS or KROU_AIM_RESULT.
    pub aim: c_int,
    /// How much less than nothing a draw is worth, in hundredths of a seed, -1000 to 1000;
    /// only with KROU_AIM_RESULT.
    pub contempt: c_int,
}

// SAFETY: `repr(C)`, a `usize` first, then numbers.
unsafe impl Versioned for krou_engine_options {
    const NAME: &'static str = "krou_engine_options";
}

/// Called by `krou_search` on its own thread after each finished depth, and when the score
/// leaves the window of the search. `report` is valid during the call; `user` is that of
/// the limits. Returns 0 to go on, or another number to stop the search. It must return:
/// no longjmp and no C++ exception may leave it.
pub type krou_on_report =
    Option<unsafe extern "C" fn(report: *const krou_report, user: *mut c_void) -> c_int>;

/// When a search ends: at the first limit that it reaches. Fill it with zeros and set
/// `size`: a limit of 0 is none.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct krou_limits {
    /// sizeof(krou_limits).
    pub size: usize,
    /// Nodes of all threads together.
    pub nodes: u64,
    /// Milliseconds from the start of the search.
    pub time_ms: u64,
    /// Milliseconds that the search should take. It may end earlier if the best move is
    /// clear, and later, within `time_ms`, if it is not.
    pub target_ms: u64,
    /// Depth in plies, at most 255.
    pub depth: u32,
    /// How many moves to report with their scores (MultiPV), at most 6; 0 counts as 1.
    pub lines: u32,
    /// The pits to search, bit n for pit n; 0: all.
    pub pits: u32,
    /// 1: a proven win ends the search.
    pub until_win: c_int,
    /// Another thread may request this to stop; may be null.
    pub stop: *const krou_stop,
    /// Called after each finished depth; may be null.
    pub on_report: krou_on_report,
    /// Passed to `on_report`.
    pub user: *mut c_void,
}

// SAFETY: `repr(C)`, a `usize` first, then numbers, raw pointers and an optional function.
unsafe impl Versioned for krou_limits {
    const NAME: &'static str = "krou_limits";
}

/// `krou_line.bound`: the score is that of `depth`.
pub const KROU_BOUND_NONE: u8 = 0;
/// `krou_line.bound`: the score is this or a higher one.
pub const KROU_BOUND_LOWER: u8 = 1;

/// `krou_line.game_result`: not found out.
pub const KROU_RESULT_UNKNOWN: u8 = 0;
/// `krou_line.game_result`: the player to move wins.
pub const KROU_RESULT_WIN: u8 = 1;
/// `krou_line.game_result`: nobody wins.
pub const KROU_RESULT_DRAW: u8 = 2;
/// `krou_line.game_result`: the player to move loses.
pub const KROU_RESULT_LOSS: u8 = 3;

/// A move with its score and the best moves after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct krou_line {
    /// What the rest of the game is worth to the player to move, in hundredths of a seed.
    pub score: i32,
    /// 1 if the score is exact, 0 if it is an estimate.
    pub is_exact: u8,
    /// KROU_BOUND_NONE, or how the score of a depth that is not finished relates to it.
    pub bound: u8,
    /// The result of the game with best play by both, KROU_RESULT_UNKNOWN and others.
    pub game_result: u8,
    /// Depth of the score in plies; 0 if it comes from tables.
    pub depth: u8,
    /// The least that the score is proven to be, in seeds.
    pub lower: i8,
    /// The most that the score is proven to be, in seeds.
    pub upper: i8,
    /// Moves in `pv`, at least 1.
    pub pv_length: u16,
    /// The best moves of both sides as pits 0 to 5 of whoever moves; the first KROU_MAX_PV
    /// of them.
    pub pv: [u8; KROU_MAX_PV],
}

impl krou_line {
    /// A line without moves, whose score is 0.
    const NONE: krou_line = krou_line {
        score: 0,
        is_exact: 0,
        bound: KROU_BOUND_NONE,
        game_result: KROU_RESULT_UNKNOWN,
        depth: 0,
        lower: 0,
        upper: 0,
        pv_length: 0,
        pv: [0; KROU_MAX_PV],
    };

    fn new(depth: u8, score: Score, proven: Bounds, moves: &[u8]) -> krou_line {
        let length = moves.len().min(KROU_MAX_PV);
        let mut pv = [0; KROU_MAX_PV];
        pv[..length].copy_from_slice(&moves[..length]);
        krou_line {
            score: score.hundredths().into(),
            is_exact: score.is_exact().into(),
            depth,
            lower: proven.lower,
            upper: proven.upper,
            pv_length: length as u16,
            pv,
            ..krou_line::NONE
        }
    }

    fn with_result(mut self, result: Option<GameResult>) -> krou_line {
        self.game_result = match result {
            None => KROU_RESULT_UNKNOWN,
            Some(GameResult::Win) => KROU_RESULT_WIN,
            Some(GameResult::Draw) => KROU_RESULT_DRAW,
            Some(GameResult::Loss) => KROU_RESULT_LOSS,
        };
        self
    }
}

impl From<&SearchLine> for krou_line {
    fn from(line: &SearchLine) -> krou_line {
        krou_line::new(line.depth, line.score, line.proven, &line.pv).with_result(line.result)
    }
}

/// The result of a search, or of one of its depths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct krou_report {
    /// sizeof(krou_report).
    pub size: usize,
    /// Nodes searched.
    pub nodes: u64,
    /// Boards of the search that the tables knew.
    pub table_hits: u64,
    /// Microseconds since the search began.
    pub time_us: u64,
    /// The deepest ply that was searched.
    pub selective_depth: u32,
    /// How much of the transposition table this search has filled, in thousandths.
    pub hash_full: u32,
    /// Other pits that are as good as the best move, bit n for pit n; only if the move
    /// comes from tables alone.
    pub ties: u32,
    /// Lines below, at least 1.
    pub line_count: u32,
    /// The best move first.
    pub lines: [krou_line; KROU_MAX_MOVES],
}

impl From<&SearchReport> for krou_report {
    fn from(report: &SearchReport) -> krou_report {
        let mut best = krou_line::new(report.depth, report.score, report.proven, &report.pv)
            .with_result(report.result);
        best.bound = match report.is_lower_bound {
            true => KROU_BOUND_LOWER,
            false => KROU_BOUND_NONE,
        };
        let mut lines = [krou_line::NONE; KROU_MAX_MOVES];
        let found = [best]
            .into_iter()
            .chain(report.others.iter().map(Into::into));
        let mut line_count = 0;
        for (place, line) in lines.iter_mut().zip(found) {
            *place = line;
            line_count += 1;
        }
        krou_report {
            size: size_of::<krou_report>(),
            nodes: report.nodes,
            table_hits: report.table_hits,
            time_us: u64::try_from(report.time.as_micros()).unwrap_or(u64::MAX),
            selective_depth: report.selective_depth.into(),
            hash_full: report.hash_full.into(),
            ties: report.ties.iter().map(|pit| 1 << pit).sum(),
            line_count,
            lines,
        }
    }
}
