//! What a rank computes of a section.

use std::ops::Range;

use crate::index::LayerIndex;
use crate::solve::panels::{Chunk, PANEL_HEIGHT};
use crate::solve::ranks::Part;
use crate::solve::storage::{Region, Slices};

/// Some panels of some lines of a section.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Portion {
    pub lines: Range<usize>,
    /// By number: panel `k` begins with row `128 k`.
    pub panels: Range<usize>,
    /// Rows in a line.
    width: usize,
}

impl Portion {
    /// All rows of some lines.
    pub fn of_lines(lines: Range<usize>, width: usize) -> Portion {
        Portion {
            lines,
            panels: 0..width.div_ceil(PANEL_HEIGHT),
            width,
        }
    }

    /// The portion of rank `rank` of `ranks`, which all have copies of the section. To find what
    /// a row reads takes as long for few lines as for many, so they divide few lines by rows.
    pub fn of_copy(index: &LayerIndex, section: u8, rank: usize, ranks: usize) -> Portion {
        /// The fewest panels for each rank, so that all have about as many.
        const PANELS: usize = 8;
        let all = index.section_lines(section);
        let width = index.section_width(section);
        let panels = width.div_ceil(PANEL_HEIGHT);
        if all >= ranks * Chunk::MOST_LINES || panels < ranks * PANELS {
            let lines = Part::numbered(index, rank, ranks).lines(section);
            return Portion::of_lines(lines, width);
        }
        Portion {
            lines: 0..all,
            panels: panels * rank / ranks..panels * (rank + 1) / ranks,
            width,
        }
    }

    /// The portion in slices. Of lines there are as many slices as for `most_lines` lines; the
    /// last ones may be empty.
    pub fn slices(&self, slices: Slices, most_lines: usize) -> Vec<Portion> {
        match slices {
            Slices::OfLines(lines) => {
                let start = |slice: usize| self.lines.end.min(self.lines.start + slice * lines);
                let slices = (0..most_lines.div_ceil(lines)).map(|slice| Portion {
                    lines: start(slice)..start(slice + 1),
                    ..self.clone()
                });
                slices.collect()
            }
            Slices::OfPanels(panels) => {
                let starts = self.panels.clone().step_by(panels);
                let slices = starts.map(|start| Portion {
                    panels: start..self.panels.end.min(start + panels),
                    ..self.clone()
                });
                slices.collect()
            }
        }
    }

    /// Where its entries are.
    pub fn region(&self) -> Region {
        Region {
            lines: self.lines.clone(),
            rows: self.rows(),
        }
    }

    /// Those of `panels` that it has. Panels are given by their first rows, in order.
    pub fn panels_of<'p>(&self, panels: &'p [usize]) -> &'p [usize] {
        let before = |panel: usize| panels.partition_point(|&first| first < panel * PANEL_HEIGHT);
        &panels[before(self.panels.start)..before(self.panels.end)]
    }

    /// The rows of its panels.
    pub fn rows(&self) -> Range<usize> {
        let row = |panel: usize| self.width.min(panel * PANEL_HEIGHT);
        row(self.panels.start)..row(self.panels.end)
    }

    /// Its boards.
    pub fn boards(&self) -> usize {
        self.lines.len() * self.rows().len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;

    #[test]
    fn each_board_is_in_the_portion_of_one_rank() {
        let index = LayerIndex::new(Ruleset::AWARI, 14);
        for ranks in [1, 2, 3, 7] {
            for section in 0..=14 {
                let width = index.section_width(section);
                let mut portions = vec![0; index.section_entries(section)];
                for rank in 0..ranks {
                    let portion = Portion::of_copy(&index, section, rank, ranks);
                    let boards: usize = portions.iter().sum();
                    for line in portion.lines.clone() {
                        for row in portion.rows() {
                            portions[line * width + row] += 1;
                        }
                    }
                    assert_eq!(portions.iter().sum::<usize>() - boards, portion.boards());
                }
                assert!(
                    portions.iter().all(|&count| count == 1),
                    "{section}, {ranks}"
                );
            }
        }
        // Slices are those of the lines, in order.
        let portion = Portion::of_lines(10..30, 7);
        let of_lines = |lines, most| portion.slices(Slices::OfLines(lines), most).into_iter();
        let lines = of_lines(8, 25).map(|slice| slice.lines);
        assert!(lines.eq([10..18, 18..26, 26..30, 30..30]));
        assert!(of_lines(20, 20).eq([portion.clone()]));
        // Those of panels have all lines.
        let portion = Portion::of_lines(10..30, 700);
        let slices = portion.slices(Slices::OfPanels(2), 25).into_iter();
        let regions = slices.map(|slice| slice.region());
        let rows = [0..256, 256..512, 512..700];
        assert!(regions.eq(rows.map(|rows| Region {
            lines: 10..30,
            rows
        })));
        // 21 lines of 6188 rows, and 786 of 792.
        assert_eq!(Portion::of_copy(&index, 2, 1, 2).lines, 0..21);
        assert_eq!(Portion::of_copy(&index, 7, 1, 2).lines, 393..786);
    }
}
