//! What the rows of a panel read: for each move of a row the line of its child, found and
//! prefetched while the panel before is computed, into the second-level cache: what a panel
//! reads is several times as large as the nearest one.

use std::ops::Range;

use super::fragments::{Fragments, Use};
use crate::cpu::prefetch_for_later;
use crate::rules::ROW;
use crate::solve::moves::RowMoves;
use crate::solve::panels::{Children, PANEL_HEIGHT, Panel, panel_rows};
use crate::solve::storage::Entry;

/// Finds what panels read.
pub(super) struct PanelReader<'r, E> {
    pub children: &'r Children<'r, E>,
    pub fragments: &'r [Fragments],
    pub rows: &'r [RowMoves],
    pub panels: &'r [usize],
    pub columns: usize,
}

/// What the rows of a panel read.
pub(super) struct PanelReads<'r, E> {
    /// For each row the lines of moves that lead all columns together, and their number.
    whole: [([&'r [E]; ROW], usize); PANEL_HEIGHT],
    /// For each map the other moves by it.
    pub by_map: Vec<Vec<Use<'r, E>>>,
}

impl<'r, E> PanelReads<'r, E> {
    pub fn new(fragments: &[Fragments]) -> PanelReads<'r, E> {
        PanelReads {
            whole: [([&[]; ROW], 0); PANEL_HEIGHT],
            by_map: fragments.iter().map(|_| Vec::new()).collect(),
        }
    }

    pub fn clear(&mut self) {
        for (_, count) in &mut self.whole {
            *count = 0;
        }
    }

    #[inline(always)]
    pub fn whole(&self, row: usize) -> &[&'r [E]] {
        let (lines, count) = &self.whole[row];
        &lines[..*count]
    }
}

impl<'r, E: Entry> PanelReader<'r, E> {
    /// Finds what some rows of the panel at a position read, and prefetches it. Returns how
    /// many entries that is.
    #[inline(always)]
    pub fn find(
        &self,
        reads: &mut PanelReads<'r, E>,
        position: usize,
        rows: Range<usize>,
        panel: &Panel<E>,
    ) -> u64 {
        let mut entries = 0;
        let Some(&first) = self.panels.get(position) else {
            return entries;
        };
        let all = panel_rows(self.rows, first);
        let here = rows.start.min(all.len())..rows.end.min(all.len());
        for (row, moves) in here.clone().zip(&all[here]) {
            for (number, m) in moves.iter().enumerate() {
                let child = self
                    .children
                    .part(position * PANEL_HEIGHT + row, number, m, 0);
                let fragments = &self.fragments[usize::from(m.map)];
                entries += u64::from(fragments.columns);
                for &entry in &fragments.to_prefetch {
                    if let Some(entry) = child.from(entry).first() {
                        prefetch_for_later(entry);
                    }
                }
                if let Some(to) = fragments.whole {
                    let (lines, count) = &mut reads.whole[row];
                    lines[*count] = child.entries(to, self.columns);
                    *count += 1;
                } else if !fragments.to_prefetch.is_empty() {
                    let start = panel.row_start(row) as u32;
                    reads.by_map[usize::from(m.map)].push(Use { start, child });
                }
            }
        }
        entries
    }
}
