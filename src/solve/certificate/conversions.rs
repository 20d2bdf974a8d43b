//! The first pass: conversions. It compares each entry with the best conversion of its
//! board, and marks those that a conversion attains. It reads the lower layers, so no
//! other pass has to.

use super::entries::{Entries, MarkedEntry, NONE};
use super::lines::Captures;
use super::pass::{Pass, Scan};
use super::rows::RowMove;
use crate::rules::Quantity;
use crate::solve::layer::Layer;
use crate::solve::storage::{LayerArray, SpillError, Value};

/// What is given of a section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GivenSection {
    /// Each entry.
    Exact,
    /// Each entry, or something lower if a conversion attains the entry.
    LowerBounds,
    /// Nothing: entries follow from the moves.
    Missing,
}

/// The first pass over a quantity.
pub(super) struct ConversionPass<'a> {
    pub pass: Pass<'a>,
    /// The lower layers, by seeds.
    pub lower: &'a [Layer],
    /// The quantity of the boards that conversions lead to.
    pub quantity: Quantity,
    /// The entries to check.
    pub entries: &'a Entries,
}

impl ConversionPass<'_> {
    /// Completes the entries of all sections; whether no conversion is worth more than a
    /// given exact entry. Missing entries become the best conversion, [`NONE`] if there is
    /// none.
    ///
    /// # Errors
    /// If a spilled layer cannot be read.
    pub fn run(&self, given: impl Fn(u8) -> GivenSection + Sync) -> Result<bool, SpillError> {
        let sections = 0..=self.pass.index.seeds();
        self.pass
            .all(sections, |scan| self.scan(scan, given(scan.chunk.section)))
    }

    fn scan(&self, scan: &Scan<'_>, given: GivenSection) -> Result<bool, SpillError> {
        let lines = scan.chunk.lines;
        let own = scan.own(self.entries.section(scan.chunk.section));
        let mut best = vec![NONE; lines];
        let mut is_whole = vec![false; lines];
        let mut buffer = Vec::new();
        let mut is_right = true;
        // In the store family a capture in the mover's own row depends on both rows.
        let all_whole = self.pass.rules.oware().is_none();
        for rank in 0..scan.width {
            let moves = self.pass.rows.moves(scan.of_mover, rank);
            best.fill(NONE);
            match all_whole {
                true => is_whole.fill(true),
                false => scan.find_whole(rank, &mut is_whole),
            }
            for m in moves {
                for captures in &scan.lines.crossed(m.crossing()).captures {
                    let children = self.children(m, captures, &mut buffer)?;
                    for &(line, rank) in &captures.targets {
                        let child = children[(rank - captures.reach.0) as usize].get();
                        let best = &mut best[line as usize];
                        *best = (*best).max(captures.seeds.cast_signed() - child);
                    }
                }
            }
            for (line, (&best, &is_whole)) in best.iter().zip(&is_whole).enumerate() {
                let conversion = match is_whole {
                    true => self.plain(scan, line, rank)?,
                    false => best,
                };
                let entry = &own[line * scan.width + rank];
                is_right &= complete(entry, conversion, given);
            }
        }
        Ok(is_right)
    }

    /// The entries that the captures of a move reach.
    fn children<'b>(
        &'b self,
        m: &RowMove,
        captures: &Captures,
        buffer: &'b mut Vec<Value>,
    ) -> Result<&'b [Value], SpillError> {
        let array = self.layer(self.pass.index.seeds() - captures.seeds);
        let width = array.index().section_width(m.section);
        let (least, greatest) = captures.reach;
        let start = m.line as usize * width + least as usize;
        let len = (greatest - least + 1) as usize;
        array.entries(m.section, start, len, buffer)
    }

    fn plain(&self, scan: &Scan<'_>, line: usize, rank: usize) -> Result<i8, SpillError> {
        self.pass
            .plain_conversion(&scan.board(line, rank), |board| {
                let child = self.layer(board.seeds()).of(board)?;
                Ok(child.expect("moves lead to indexed boards").get())
            })
    }

    fn layer(&self, seeds: u8) -> &LayerArray<Value> {
        let array = self.lower[usize::from(seeds)].quantity(self.quantity);
        array.expect("a layer with bounds")
    }
}

/// Completes an entry with the best conversion; `false` if the conversion is worth more
/// than an exact entry.
fn complete(entry: &MarkedEntry, conversion: i8, given: GivenSection) -> bool {
    let own = entry.get();
    match given {
        GivenSection::Exact => entry.set(own, conversion == own),
        GivenSection::LowerBounds => entry.set(own.max(conversion), conversion >= own),
        GivenSection::Missing => entry.set(conversion, false),
    }
    given != GivenSection::Exact || conversion <= own
}
