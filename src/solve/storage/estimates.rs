//! What the stages of the work on a layer take, in bytes of memory.
//!
//! Estimates count what the solver allocates and must change with it. Where they
//! rest on the size of a type, that type's file asserts it at compile time.

use super::compact::record_bytes;
use crate::index::{LayerIndex, row};
use crate::rules::{ROW, Ruleset};
use crate::table::Kind;

/// Bytes for the program itself, for blocks of a table being packed, and for the
/// panels and stacks of the threads of the present pool.
pub(in crate::solve) fn program_bytes() -> u64 {
    (14 << 20) + rayon::current_num_threads() as u64 * (2 << 20)
}

/// The least memory, in bytes, with which the layer with `seeds` seeds can be solved
/// for tables of these kinds. Values and bounds are always solved, distances only for a
/// table of distances. With more memory, less is read from disk again and again.
pub fn memory_needed(rules: Ruleset, seeds: u8, kinds: &[Kind]) -> u64 {
    let index = LayerIndex::new(rules, seeds);
    // Of this layer, entries and best conversions.
    let spilled = quantities(rules) * (boards_below(rules, seeds) + 2 * index.len());
    let always = program_bytes() + moves_bytes(seeds) + record_bytes(spilled);
    always + working_set_bytes(&index, entry_bytes(kinds))
}

/// Arrays of a solved layer.
fn quantities(rules: Ruleset) -> u64 {
    if rules.has_bounds() { 3 } else { 1 }
}

/// Indexed boards of all layers below one.
fn boards_below(rules: Ruleset, seeds: u8) -> u64 {
    let boards = |n| LayerIndex::new(rules, n).len();
    (0..seeds).map(boards).sum()
}

/// Bytes of memory with which the layer with `seeds` seeds, and all below it, can be
/// solved for tables of these kinds with every section in memory as it is.
pub fn memory_wanted(rules: Ruleset, seeds: u8, kinds: &[Kind]) -> u64 {
    let index = LayerIndex::new(rules, seeds);
    memory_to_import(rules, seeds, kinds) + worklist_bytes(&index, index.len(), LARGE_SHARE)
}

/// As [`memory_wanted`], for a layer that is [imported](super::super::Solver::import)
/// from tables whose codec leaves out what moves can tell.
pub fn memory_to_import(rules: Ruleset, seeds: u8, kinds: &[Kind]) -> u64 {
    let quantities = quantities(rules);
    // Values: the values and the best conversions. Bounds: two of each beside the
    // values. Distances: what is solved, keys of two bytes, and the conversions.
    let being_solved = match (kinds.contains(&Kind::Distance), quantities) {
        (true, _) => quantities + 3,
        (false, 1) => 2,
        (false, _) => 5,
    };
    let lower = quantities * boards_below(rules, seeds);
    let boards = LayerIndex::new(rules, seeds).len();
    memory_needed(rules, seeds, kinds) + lower + being_solved * boards
}

/// Bytes of an entry while tables of these kinds are computed, at the most.
fn entry_bytes(kinds: &[Kind]) -> usize {
    if kinds.contains(&Kind::Distance) {
        2
    } else {
        1
    }
}

/// Bytes gathered from disk at a time for a layer: enough for large requests, and no
/// more than sections take anyway.
pub(in crate::solve) fn gather_bytes(index: &LayerIndex) -> usize {
    index.largest_section().clamp(1 << 20, 8 << 20)
}

/// Lines that a thread computes at a time, if there are so many.
pub(in crate::solve) const CHUNK_LINES: usize = 512;

/// Rows in a panel.
pub(in crate::solve) const PANEL_ROWS: usize = 128;

/// What is computed at a time of a section that is not in memory as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::solve) enum Slices {
    /// All rows of so many lines.
    OfLines(usize),
    /// So many panels, in all lines.
    OfPanels(usize),
}

impl Slices {
    /// The slices of a section: so small that they take little memory. Where lines are long,
    /// moves lead to short lines, of which slices of lines would read small parts. So the lines
    /// are cut, unless the section is in a file, where whole lines are fewer parts.
    pub fn of(index: &LayerIndex, section: u8, is_in_file: bool) -> Slices {
        /// Slices of the largest section.
        const SLICES: usize = 4;
        let (lines, width) = (index.section_lines(section), index.section_width(section));
        let entries = index.largest_section() / SLICES;
        if width >= 2 * lines && !is_in_file {
            return Slices::OfPanels((entries / lines.max(1) / PANEL_ROWS).max(1));
        }
        let in_slice = entries / width;
        let in_slice = match in_slice / CHUNK_LINES {
            0 => in_slice.max(CHUNK_LINES / 4),
            chunks => chunks * CHUNK_LINES,
        };
        Slices::OfLines(in_slice.clamp(1, lines.max(1)))
    }

    /// Entries in a slice of a section, at the most.
    fn entries(self, index: &LayerIndex, section: u8) -> usize {
        let (lines, width) = (index.section_lines(section), index.section_width(section));
        match self {
            Slices::OfLines(lines) => lines * width,
            Slices::OfPanels(panels) => lines * width.min(panels * PANEL_ROWS),
        }
    }
}

/// The working set while whole sections of a layer are computed whose entries have `entry`
/// bytes: a section, the best conversions of its boards, what is gathered for it, and lists.
pub(in crate::solve) fn working_set_bytes(index: &LayerIndex, entry: usize) -> u64 {
    let section = index.largest_section() * (entry + 1);
    section as u64 + beside_entries_bytes(index)
}

/// The working set while a layer is swept whose entries have `entry` bytes: as
/// [`working_set_bytes`], with a slice of a section.
pub(super) fn sweeping_bytes(index: &LayerIndex, entry: usize) -> u64 {
    let slices = |section| [false, true].map(|in_file| Slices::of(index, section, in_file));
    let slice = (0..=index.seeds()).flat_map(|section| {
        let slices = slices(section).into_iter();
        slices.map(move |slices| slices.entries(index, section))
    });
    let slice = slice.max().unwrap_or(0) * (entry + 1);
    slice as u64 + beside_entries_bytes(index)
}

/// What is gathered for a section, and lists.
fn beside_entries_bytes(index: &LayerIndex) -> u64 {
    // When each line last changed, twice; the terminal positions, twice; and the lines of
    // the shares.
    let lists = 8 * rows(index.seeds()) + 40 * u64::from(row::row_count(index.seeds()));
    2 * gather_bytes(index) as u64 + lists
}

/// Changes whose effects are computed before they are applied: few enough for the
/// effects to need little memory.
pub(in crate::solve) const CHANGES_PER_BATCH: usize = 1 << 16;

/// Bytes for each board on the worklist: its change, of this round and of the next,
/// in lists that grow by half.
pub(super) const BYTES_PER_CHANGE: u64 = 48;

/// Bytes of the effects of one change: it has three parents on average. An effect takes up to
/// 24 bytes, in a list with room for more, and again while it is applied.
const EFFECTS_PER_CHANGE: u64 = 200;

/// Boards for each change of a sweep that are few enough for the worklist, if all arrays are
/// in memory.
pub(in crate::solve) const LARGE_SHARE: u64 = 128;

/// The same if entries or best conversions are in files, where each read costs a seek. The
/// worklist reads some six entries for each change, one at a time, and each of its rounds has
/// about four fifths of the changes of the one before. A sweep reads five entries for each board,
/// about 1,000 at a time. By this count one more sweep pays off only while there is more than one
/// change for some 1,200 boards.
pub(in crate::solve) const SHARE_IN_FILES: u64 = 1 << 11;

/// Bytes of a worklist with one board for each `share` of those that this rank has.
pub(super) fn worklist_bytes(index: &LayerIndex, boards: u64, share: u64) -> u64 {
    worklist_overhead(index) + boards / share * BYTES_PER_CHANGE
}

/// Bytes that any worklist takes: the predecessors, and the effects of a batch.
pub(super) fn worklist_overhead(index: &LayerIndex) -> u64 {
    let batch = (index.len() / 128).min(CHANGES_PER_BATCH as u64);
    predecessors_bytes(index.seeds()) + EFFECTS_PER_CHANGE * batch
}

/// Bytes of a compiled move.
pub(in crate::solve) const PACKED_MOVE_BYTES: usize = 4;

/// Bytes of the predecessors: each pit of each row is a move, and each row has a
/// start in the list and a count.
fn predecessors_bytes(seeds: u8) -> u64 {
    (PACKED_MOVE_BYTES as u64 * ROW as u64 + 5) * rows(seeds)
}

/// Bytes of the moves of one row.
pub(in crate::solve) const ROW_MOVES_BYTES: usize = 28;

/// Bytes of the compiled moves: those of each row, 8 bytes for its line and column,
/// and an allowance for the column maps.
pub(in crate::solve) fn moves_bytes(seeds: u8) -> u64 {
    (ROW_MOVES_BYTES as u64 + 8 + 28) * rows(seeds)
}

fn rows(seeds: u8) -> u64 {
    (0..=seeds).map(|k| u64::from(row::row_count(k))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_seeds_and_distances_need_more_memory() {
        for (_, rules) in Ruleset::NAMED {
            for seeds in 1..=12 {
                let needed = |seeds, kinds: &[Kind]| memory_needed(rules, seeds, kinds);
                let all = needed(seeds, &Kind::ALL);
                assert_eq!(needed(seeds, &[Kind::Distance]), all);
                assert!(needed(seeds, &[Kind::Value, Kind::Bounds]) <= all);
                assert!(needed(seeds - 1, &Kind::ALL) <= all);
                assert!(all < memory_wanted(rules, seeds, &Kind::ALL));
            }
        }
    }

    #[test]
    fn slices_of_large_sections_take_a_quarter_of_the_largest_one() {
        for seeds in [1, 7, 14, 26, 48] {
            let index = LayerIndex::new(Ruleset::AWARI, seeds);
            let largest = index.largest_section();
            for section in 0..=seeds {
                let (lines, width) = (index.section_lines(section), index.section_width(section));
                let in_file = Slices::of(&index, section, true);
                assert!(matches!(in_file, Slices::OfLines(_)));
                let slices = Slices::of(&index, section, false);
                assert!(slices == in_file || width >= 2 * lines);
                let is_least = |slices| match slices {
                    Slices::OfLines(in_slice) => {
                        assert!((1..=lines).contains(&in_slice));
                        assert!(
                            in_slice == lines || in_slice.is_multiple_of(512) || in_slice < 512
                        );
                        in_slice <= 128
                    }
                    Slices::OfPanels(panels) => {
                        assert!(panels >= 1 && 2 * lines <= width);
                        panels == 1
                    }
                };
                for slices in [slices, in_file] {
                    let entries = slices.entries(&index, section);
                    assert!((1..=lines * width).contains(&entries));
                    let fits = is_least(slices) || entries <= largest / 4;
                    assert!(fits, "{seeds} {section}");
                }
            }
        }
        let index = LayerIndex::new(Ruleset::AWARI, 26);
        let slices = [8, 12, 13, 18].map(|section| Slices::of(&index, section, false));
        let [panels, lines] = [Slices::OfPanels, Slices::OfLines];
        assert_eq!(slices, [panels(102), panels(22), lines(1536), lines(12800)]);
        assert_eq!(Slices::of(&index, 8, true), lines(494));
        assert!(4 * sweeping_bytes(&index, 1) < 3 * working_set_bytes(&index, 1));
    }
}
