//! The two passes over a quantity: the first compares each entry with the best conversion of
//! its board, the second with the best quiet move. Only the first reads the lower layers.
//! Both complete the entries that a table leaves to the moves.

use std::sync::atomic::AtomicU8;

use super::endless::{EndlessWorth, Need};
use super::given::{Given, Marked, NONE};
use super::needs::Reads;
use super::pass::{CAPTURES, Pass, WHOLE};
use super::scan::{Here, Scan};
use crate::rules::{Board, Next, Quantity};
use crate::solve::error::SolveError;
use crate::solve::layer::Layer;

/// A quantity of the layer being checked.
#[derive(Clone, Copy)]
pub(super) struct CheckedQuantity {
    pub quantity: Quantity,
    /// Its array, by its place among those of a pass.
    pub entries: usize,
    /// The array of the quantity of the boards that quiet moves lead to.
    pub children: usize,
    /// What endless play is worth.
    pub endless: EndlessWorth,
}

impl CheckedQuantity {
    /// Whether a number needs one move that keeps it to be founded, not every one.
    #[inline(always)]
    pub fn needs_one_move(&self, own: i8) -> bool {
        self.endless.need(own) == Need::OneMove
    }

    /// What a pass over quiet moves reads.
    fn reads(&self) -> Reads<'_> {
        Reads {
            own: std::slice::from_ref(&self.entries),
            children: std::slice::from_ref(&self.children),
            ..Reads::default()
        }
    }

    /// The first pass: raises entries that are not exact to the best conversion, which may be
    /// [`NONE`], and marks those that a conversion attains. Whether no conversion is worth
    /// more than an exact entry.
    pub fn check_conversions(
        &self,
        pass: &Pass<'_>,
        arrays: &mut [&mut Given],
        lower: &[Layer],
    ) -> Result<bool, SolveError> {
        // Where a player may move again, in the store family, there are no bounds.
        let quantity = self.quantity.of_opponent();
        let reached = usize::from(pass.rules.layers_reached(pass.index.seeds()));
        let lower = lower[..reached].iter();
        let lower = lower.map(|layer| layer.quantity(quantity));
        let lower: Vec<_> = lower.collect::<Option<_>>().expect("layers with bounds");
        let is_exact = arrays[self.entries].is_exact();
        let reads = Reads {
            own: &[self.entries],
            written: &[self.entries],
            lower: &lower,
            ..Reads::default()
        };
        pass.all(arrays, reads, 0..=pass.index.seeds(), |scan| {
            self.scan_conversions(scan, is_exact)
        })
    }

    fn scan_conversions(&self, scan: &Scan<'_>, is_exact: bool) -> bool {
        let own = scan.own(self.entries);
        let seeds = scan.pass.index.seeds();
        let mut best = vec![NONE; scan.chunk.lines];
        let mut is_whole = vec![true; scan.chunk.lines];
        let mut is_right = true;
        for rank in scan.rows.clone() {
            best.fill(NONE);
            // In the store family a capture in the mover's own row depends on both rows.
            if scan.pass.rules.oware().is_some() {
                scan.find_whole(rank, &mut is_whole);
            }
            for m in scan.moves(rank) {
                let captures = &scan.crossed(m).captures;
                for same_layer in captures.chunk_by(|a, b| a.seeds == b.seeds) {
                    let captured = same_layer[0].seeds;
                    let children = scan.here.lower_line(seeds - captured, m.section, m.line);
                    for capture in same_layer {
                        let child = children[capture.rank as usize].get();
                        let best = &mut best[capture.line as usize];
                        *best = (*best).max(captured.cast_signed() - child);
                    }
                }
            }
            for (line, (&best, &is_whole)) in best.iter().zip(&is_whole).enumerate() {
                let conversion = if is_whole {
                    plain_conversion(scan.here, &scan.board(line, rank))
                } else {
                    best
                };
                let entry = &own[line * scan.width + rank];
                let own = Marked::load(entry).get();
                if is_exact {
                    Marked::new(own, conversion == own).store(entry);
                    is_right &= conversion <= own;
                } else {
                    Marked::new(own.max(conversion), conversion >= own).store(entry);
                }
            }
        }
        is_right
    }

    /// The second pass over sections that are not given: raises the entries to the best quiet
    /// move. All quiet moves of their boards lead to given sections.
    pub fn complete(&self, pass: &Pass<'_>, arrays: &mut [&mut Given]) -> Result<(), SolveError> {
        let missing = arrays[self.entries].given_sections()..=pass.index.seeds();
        let reads = Reads {
            written: &[self.entries],
            ..self.reads()
        };
        pass.all(arrays, reads, missing, |scan| {
            self.scan_quiet(scan, |entry, quiet| {
                let own = Marked::load(entry).get();
                Marked::new(own.max(quiet), own >= quiet).store(entry);
                true
            })
        })?;
        Ok(())
    }

    /// The second pass over the given sections: whether each entry is the best of its board's
    /// moves, if no conversion is worth more.
    pub fn check(&self, pass: &Pass<'_>, arrays: &mut [&mut Given]) -> Result<bool, SolveError> {
        let given = 0..arrays[self.entries].given_sections();
        pass.all(arrays, self.reads(), given, |scan| {
            self.scan_quiet(scan, |entry, quiet| {
                let (own, is_attained) = Marked::load(entry).both();
                quiet <= own && (is_attained || quiet == own)
            })
        })
    }

    /// Whether `visit` passes every entry of a chunk, given the best quiet move of its board.
    #[inline(always)]
    fn scan_quiet(&self, scan: &Scan<'_>, visit: impl Fn(&AtomicU8, i8) -> bool) -> bool {
        let own = scan.own(self.entries);
        let mut best = vec![NONE; scan.chunk.lines];
        let mut is_whole = vec![false; scan.chunk.lines];
        let mut is_right = true;
        for rank in scan.rows.clone() {
            best.fill(NONE);
            scan.find_whole(rank, &mut is_whole);
            for m in scan.moves(rank) {
                let children = scan.here.line(self.children, m.section, m.line);
                for (&rank, best) in scan.crossed(m).quiet.iter().zip(&mut best) {
                    if rank != CAPTURES && rank != WHOLE {
                        let child = Marked::load(&children[rank as usize]).get();
                        *best = (*best).max(-child);
                    }
                }
            }
            for (line, (&best, &is_whole)) in best.iter().zip(&is_whole).enumerate() {
                let quiet = if is_whole {
                    self.plain_quiet(scan.here, &scan.board(line, rank))
                } else {
                    best
                };
                is_right &= visit(&own[line * scan.width + rank], quiet);
            }
        }
        is_right
    }

    /// The best quiet move of a board by the plain rules; [`NONE`] if there is none.
    fn plain_quiet(&self, here: &Here<'_>, board: &Board) -> i8 {
        let moves = here.pass.rules.moves(board);
        let values = here.pass.quiet_steps(&moves);
        let values = values.map(|step| {
            let child = here.of_board(self.children, &step.board);
            step.value(Marked::load(child).get())
        });
        values.max().unwrap_or(NONE)
    }
}

/// The best conversion of a board by the plain rules, or the value of a terminal position;
/// [`NONE`] if all legal moves are quiet.
fn plain_conversion(here: &Here<'_>, board: &Board) -> i8 {
    let moves = here.pass.rules.moves(board);
    let seeds = board.seeds();
    let conversions = moves.legal().filter(|step| !step.is_quiet(seeds));
    let values = conversions.map(|step| {
        if step.next == Next::Over {
            return step.gain;
        }
        step.value(here.of_lower_board(&step.board))
    });
    moves
        .terminal_value()
        .or_else(|| values.max())
        .unwrap_or(NONE)
}
