//! The pass over distances: compares each with those of the moves that keep the value. Values
//! are checked before, and their marks say where a conversion keeps them.

use std::sync::atomic::{AtomicU8, Ordering};

use super::given::{Given, Marked};
use super::needs::Reads;
use super::pass::{CAPTURES, Pass, WHOLE};
use super::scan::{Here, Scan};
use crate::rules::Board;
use crate::solve::error::SolveError;

/// The distances of the layer being checked, with its values: their arrays, by their places among
/// those of a pass.
#[derive(Clone, Copy)]
pub(super) struct CheckedDistances {
    pub values: usize,
    pub distances: usize,
}

/// No move that keeps the value has been found.
const NO_MOVE: i16 = -i16::MAX;
/// The count of a move to a board without a distance, where endless play alone attains the
/// value. Tables hold 0 there.
const FOR_EVER: i16 = 1 << 10;

impl CheckedDistances {
    /// Completes the distances that a table leaves to the moves; `false` if one is too long
    /// for a table.
    pub fn complete(&self, pass: &Pass<'_>, arrays: &mut [&mut Given]) -> Result<bool, SolveError> {
        let both = [self.values, self.distances];
        let reads = Reads {
            own: &both,
            written: &both[1..],
            ..Reads::default()
        };
        let given = arrays[self.distances].given_sections();
        if !arrays[self.distances].is_exact() {
            pass.all(arrays, reads, 0..given, |scan| self.replace_free(scan))?;
        }
        let reads = Reads {
            children: &both,
            ..reads
        };
        pass.all(arrays, reads, given..=pass.index.seeds(), |scan| {
            self.scan(scan, |distance, plies| {
                let plies = u8::try_from(plies);
                distance.store(plies.unwrap_or(u8::MAX), Ordering::Relaxed);
                plies.is_ok()
            })
        })
    }

    /// Whether each given distance is right.
    pub fn check(&self, pass: &Pass<'_>, arrays: &mut [&mut Given]) -> Result<bool, SolveError> {
        let both = [self.values, self.distances];
        let reads = Reads {
            own: &both,
            children: &both,
            ..Reads::default()
        };
        let given = 0..arrays[self.distances].given_sections();
        pass.all(arrays, reads, given, |scan| {
            self.scan(scan, |distance, plies| {
                i16::from(distance.load(Ordering::Relaxed)) == plies
            })
        })
    }

    /// Replaces the distances of a chunk that a table may leave to the moves although it
    /// stores the section: values of 0 have none, and a winner's conversion takes one ply.
    fn replace_free(&self, scan: &Scan<'_>) -> bool {
        let values = scan.own(self.values);
        let own = scan.own(self.distances);
        let mut is_whole = vec![false; scan.chunk.lines];
        for rank in scan.rows.clone() {
            scan.find_whole(rank, &mut is_whole);
            for (line, &is_whole) in is_whole.iter().enumerate() {
                let at = line * scan.width + rank;
                let free = match Marked::load(&values[at]).both() {
                    (0, _) => 0,
                    (1.., true) => {
                        let moves = || scan.pass.rules.moves(&scan.board(line, rank));
                        u8::from(!is_whole || moves().terminal_value().is_none())
                    }
                    _ => continue,
                };
                own[at].store(free, Ordering::Relaxed);
            }
        }
        true
    }

    /// Whether `visit` passes every board of a chunk; it gets the stored distance and the one
    /// that follows from the moves.
    fn scan(&self, scan: &Scan<'_>, visit: impl Fn(&AtomicU8, i16) -> bool) -> bool {
        let values = scan.own(self.values);
        let own = scan.own(self.distances);
        // Of each line the value, and the best count so far: a winner's is negated, so that
        // the greatest is the best for both.
        let mut counts = vec![(0, NO_MOVE); scan.chunk.lines];
        let mut is_whole = vec![false; scan.chunk.lines];
        let mut is_right = true;
        for rank in scan.rows.clone() {
            scan.find_whole(rank, &mut is_whole);
            for (line, (value, best)) in counts.iter_mut().enumerate() {
                let converts;
                (*value, converts) = Marked::load(&values[line * scan.width + rank]).both();
                *best = if converts { signed(*value, 1) } else { NO_MOVE };
            }
            for m in scan.moves(rank) {
                let children = scan.here.line(self.values, m.section, m.line);
                let distances = scan.here.line(self.distances, m.section, m.line);
                for (&rank, (value, best)) in scan.crossed(m).quiet.iter().zip(&mut counts) {
                    if rank == CAPTURES || rank == WHOLE {
                        continue;
                    }
                    let of_child = Marked::load(&children[rank as usize]).get();
                    if -of_child == *value && *value != 0 {
                        let distance = &distances[rank as usize];
                        let child = || scan.child(m, rank);
                        let plies = count(scan.pass, distance, child);
                        *best = (*best).max(signed(*value, plies));
                    }
                }
            }
            for (line, &(value, best)) in counts.iter().enumerate() {
                let plies = match (value, is_whole[line]) {
                    (0, _) => 0,
                    (_, true) => self.plain(scan.here, &scan.board(line, rank), value, best),
                    (_, false) => in_table(signed(value, best)),
                };
                is_right &= visit(&own[line * scan.width + rank], plies);
            }
        }
        is_right
    }

    /// The distance that the moves of a board make, by the plain rules; `converts` is the
    /// count of its conversions.
    fn plain(&self, here: &Here<'_>, board: &Board, value: i8, converts: i16) -> i16 {
        let pass = here.pass;
        let moves = pass.rules.moves(board);
        if moves.terminal_value().is_some() {
            return 0;
        }
        let mut best = converts;
        for step in pass.quiet_steps(&moves) {
            let of_child = Marked::load(here.of_board(self.values, &step.board));
            if step.value(of_child.get()) == value {
                let distance = here.of_board(self.distances, &step.board);
                let plies = count(pass, distance, || step.board);
                best = best.max(signed(value, plies));
            }
        }
        in_table(signed(value, best))
    }
}

/// The count of a quiet move to a board with a value other than 0.
#[inline(always)]
fn count(pass: &Pass<'_>, distance: &AtomicU8, child: impl Fn() -> Board) -> i16 {
    let is_over = || pass.rules.moves(&child()).terminal_value().is_some();
    match distance.load(Ordering::Relaxed) {
        0 if pass.rules.counts_loops() && !is_over() => FOR_EVER,
        plies => 1 + i16::from(plies),
    }
}

/// A count as a distance of a table.
fn in_table(count: i16) -> i16 {
    if count == FOR_EVER { 0 } else { count }
}

/// A count of plies, negated for a winner, or such a number back as a count.
fn signed(value: i8, plies: i16) -> i16 {
    if value > 0 { -plies } else { plies }
}
