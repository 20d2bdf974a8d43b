//! The two passes over a quantity: the first compares each entry with the best conversion of
//! its board, the second with the best quiet move. Only the first reads the lower layers.
//! Both complete the entries that a table leaves to the moves.

use super::endless::EndlessWorth;
use super::given::{Given, Marked, NONE};
use super::pass::{CAPTURES, Pass, Scan, WHOLE};
use crate::rules::{Board, Next, Quantity};
use crate::solve::array::LayerArray;
use crate::solve::entry::Value;
use crate::solve::layer::Layer;
use crate::solve::observer::Stopped;

/// A quantity of the layer being checked.
#[derive(Clone, Copy)]
pub(super) struct CheckedQuantity<'a> {
    pub quantity: Quantity,
    pub entries: &'a Given<Marked>,
    /// The quantity of the boards that quiet moves lead to.
    pub children: &'a Given<Marked>,
    /// What endless play is worth.
    pub endless: EndlessWorth,
}

impl CheckedQuantity<'_> {
    /// The first pass: raises entries that are not exact to the best conversion, which may be
    /// [`NONE`], and marks those that a conversion attains. Whether no conversion is worth
    /// more than an exact entry.
    pub fn check_conversions(&self, pass: &Pass<'_>, lower: &[Layer]) -> Result<bool, Stopped> {
        // Where a player may move again, in the store family, there are no bounds.
        let quantity = self.quantity.of_opponent();
        let arrays = lower.iter().map(|layer| layer.quantity(quantity));
        let lower: Vec<_> = arrays.collect::<Option<_>>().expect("layers with bounds");
        pass.all(0..=pass.index.seeds(), |scan| {
            self.scan_conversions(scan, &lower)
        })
    }

    fn scan_conversions(&self, scan: &Scan<'_>, lower: &[&LayerArray<Value>]) -> bool {
        let own = scan.chunk.entries(self.entries);
        let seeds = self.entries.seeds();
        let mut best = vec![NONE; scan.chunk.lines];
        let mut is_whole = vec![true; scan.chunk.lines];
        let mut is_right = true;
        for rank in 0..scan.width {
            best.fill(NONE);
            // In the store family a capture in the mover's own row depends on both rows.
            if scan.pass.rules.oware().is_some() {
                scan.find_whole(rank, &mut is_whole);
            }
            for m in scan.moves(rank) {
                let captures = &scan.crossed(m).captures;
                for same_layer in captures.chunk_by(|a, b| a.seeds == b.seeds) {
                    let captured = same_layer[0].seeds;
                    let children = lower[usize::from(seeds - captured)].line(m.section, m.line);
                    for capture in same_layer {
                        let child = children[capture.rank as usize].get();
                        let best = &mut best[capture.line as usize];
                        *best = (*best).max(captured.cast_signed() - child);
                    }
                }
            }
            for (line, (&best, &is_whole)) in best.iter().zip(&is_whole).enumerate() {
                let conversion = if is_whole {
                    plain_conversion(scan.pass, &scan.board(line, rank), lower)
                } else {
                    best
                };
                let entry = &own[line * scan.width + rank];
                let own = entry.get();
                if self.entries.is_exact() {
                    entry.set(own, conversion == own);
                    is_right &= conversion <= own;
                } else {
                    entry.set(own.max(conversion), conversion >= own);
                }
            }
        }
        is_right
    }

    /// The second pass over sections that are not given: raises the entries to the best quiet
    /// move. All quiet moves of their boards lead to given sections.
    pub fn complete(&self, pass: &Pass<'_>) -> Result<(), Stopped> {
        let missing = self.entries.given_sections()..pass.index.seeds() + 1;
        pass.all(missing, |scan| {
            self.scan_quiet(scan, |entry, quiet| {
                let own = entry.get();
                entry.set(own.max(quiet), own >= quiet);
                true
            })
        })?;
        Ok(())
    }

    /// The second pass over some sections: whether each entry is the best of its board's
    /// moves, if no conversion is worth more.
    pub fn check(
        &self,
        pass: &Pass<'_>,
        sections: impl Iterator<Item = u8>,
    ) -> Result<bool, Stopped> {
        pass.all(sections, |scan| {
            self.scan_quiet(scan, |entry, quiet| {
                let (own, is_attained) = entry.both();
                quiet <= own && (is_attained || quiet == own)
            })
        })
    }

    /// Whether `visit` passes every entry of a chunk, given the best quiet move of its board.
    #[inline(always)]
    fn scan_quiet(&self, scan: &Scan<'_>, visit: impl Fn(&Marked, i8) -> bool) -> bool {
        let own = scan.chunk.entries(self.entries);
        let mut best = vec![NONE; scan.chunk.lines];
        let mut is_whole = vec![false; scan.chunk.lines];
        let mut is_right = true;
        for rank in 0..scan.width {
            best.fill(NONE);
            scan.find_whole(rank, &mut is_whole);
            for m in scan.moves(rank) {
                let children = self.children.line(m.section, m.line);
                for (&rank, best) in scan.crossed(m).quiet.iter().zip(&mut best) {
                    if rank != CAPTURES && rank != WHOLE {
                        *best = (*best).max(-children[rank as usize].get());
                    }
                }
            }
            for (line, (&best, &is_whole)) in best.iter().zip(&is_whole).enumerate() {
                let quiet = if is_whole {
                    plain_quiet(scan.pass, &scan.board(line, rank), self.children)
                } else {
                    best
                };
                is_right &= visit(&own[line * scan.width + rank], quiet);
            }
        }
        is_right
    }
}

/// The best conversion of a board by the plain rules, or the value of a terminal position;
/// [`NONE`] if all legal moves are quiet.
fn plain_conversion(pass: &Pass<'_>, board: &Board, lower: &[&LayerArray<Value>]) -> i8 {
    let moves = pass.rules.moves(board);
    let seeds = board.seeds();
    let conversions = moves.legal().filter(|step| !step.is_quiet(seeds));
    let values = conversions.map(|step| {
        if step.next == Next::Over {
            return step.gain;
        }
        let child = lower[usize::from(step.board.seeds())].of(&step.board);
        step.value(child.expect("moves lead to indexed boards").get())
    });
    moves
        .terminal_value()
        .or_else(|| values.max())
        .unwrap_or(NONE)
}

/// The best quiet move of a board by the plain rules; [`NONE`] if there is none.
fn plain_quiet(pass: &Pass<'_>, board: &Board, children: &Given<Marked>) -> i8 {
    let moves = pass.rules.moves(board);
    let values = pass.quiet_steps(&moves);
    let values = values.map(|step| step.value(children.of_board(&step.board).get()));
    values.max().unwrap_or(NONE)
}
