//! Chunks: neighbouring lines of a section, and how the boards of a section are divided among
//! threads.
//!
//! A section with many lines is divided by lines, into chunks, and one with few lines by rows as
//! well. A thread writes a *share* at a time, some panels of a chunk. Shares are disjoint slices
//! of one array, so threads write to different memory, and the borrow checker verifies it.

use std::ops::Range;

use rayon::prelude::*;

use super::moves::{Run, overlapping};

/// Neighbouring lines of a section.
pub(super) struct Chunk<'a> {
    /// The column of each line.
    pub line_columns: &'a [u32],
    /// From the first line's column to the last one's.
    pub columns: Range<u32>,
}

impl<'a> Chunk<'a> {
    /// The most lines in a chunk: enough for long runs, and few enough that a panel stays in
    /// the nearest caches.
    const MOST_LINES: usize = 512;

    /// Lines in each chunk, but the last, of a section with `section_lines` lines.
    pub fn size(section_lines: usize) -> usize {
        Chunk::MOST_LINES.min(section_lines)
    }

    /// Chunks in a section with `section_lines` lines.
    pub fn count(section_lines: usize) -> usize {
        section_lines.div_ceil(Chunk::size(section_lines).max(1))
    }

    /// Chunk number `number` of a section whose lines stand for `columns`.
    pub fn new(columns: &'a [u32], number: usize) -> Chunk<'a> {
        let size = Chunk::size(columns.len());
        let start = number * size;
        let end = (start + size).min(columns.len());
        let line_columns = &columns[start..end];
        Chunk {
            line_columns,
            columns: line_columns[0]..line_columns[line_columns.len() - 1] + 1,
        }
    }
}

/// For each column map, which of its runs reach into a chunk.
pub(super) struct ChunkRuns(Vec<Range<usize>>);

impl ChunkRuns {
    pub fn new<'m, T: 'm>(
        maps: impl Iterator<Item = &'m [T]>,
        columns: &Range<u32>,
        run: impl Fn(&T) -> Run + Copy,
    ) -> ChunkRuns {
        ChunkRuns(maps.map(|runs| overlapping(runs, columns, run)).collect())
    }

    pub fn of(&self, map: u8) -> Range<usize> {
        self.0[usize::from(map)].clone()
    }
}

/// What a thread writes at a time: the boards of some panels in the lines of a chunk.
pub(super) struct Share<'w, E> {
    /// The number of the chunk.
    pub chunk: usize,
    /// Which panels, by position.
    pub panels: Range<usize>,
    /// The first row.
    pub row: usize,
    /// The lines of the chunk, from that row on.
    pub lines: Vec<&'w mut [E]>,
}

/// Divides some lines into shares of these panels, which are given by their first rows. There are a few for each thread, but most have several panels: the first
/// of a share is read without being prefetched. A thread takes one at a time: unless told
/// otherwise, rayon gives it several, and does not take them back while other threads have
/// nothing to do.
pub(super) fn shares<'w, E: Send>(
    mut lines: Vec<&'w mut [E]>,
    panels: &'w [usize],
) -> impl IndexedParallelIterator<Item = Share<'w, E>> {
    /// Shares for each thread: enough to share the work evenly.
    const SHARES: usize = 8;
    /// Panels in a share, at the least.
    const PANELS: usize = 2;
    let (chunk_lines, chunks) = (
        Chunk::size(lines.len()).max(1),
        Chunk::count(lines.len()).max(1),
    );
    let groups = match rayon::current_num_threads() {
        1 => 1,
        threads => {
            let groups = (SHARES * threads).div_ceil(chunks);
            groups.min(panels.len().div_ceil(PANELS))
        }
    };
    let panels_in_group = panels.len().div_ceil(groups.max(1)).max(1);
    let chunks = lines.par_chunks_mut(chunk_lines).enumerate();
    let of_chunks = chunks.map(|(chunk, lines)| {
        let starts = (0..panels.len()).step_by(panels_in_group);
        let mut shares: Vec<_> = starts
            .map(|start| Share {
                chunk,
                panels: start..panels.len().min(start + panels_in_group),
                row: panels[start],
                lines: Vec::with_capacity(chunk_lines),
            })
            .collect();
        for line in lines {
            let mut rest = std::mem::take(line);
            // From the last share to the first: each begins where the one before ends.
            for share in shares.iter_mut().rev() {
                let (before, lines) = rest.split_at_mut(share.row);
                share.lines.push(lines);
                rest = before;
            }
        }
        shares
    });
    let shares: Vec<_> = of_chunks
        .collect::<Vec<_>>()
        .into_iter()
        .flatten()
        .collect();
    shares.into_par_iter().with_max_len(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;
    use crate::solve::moves::CompiledMoves;
    use crate::solve::panel::PANEL_HEIGHT;

    #[test]
    fn chunks_cover_every_line_once_and_in_order() {
        for rules in [Ruleset::AWARI, Ruleset::KALAH] {
            let mut moves = CompiledMoves::new(rules);
            moves.extend_to(11);
            for section in 0..=11 {
                let all = moves.columns(section);
                let covered: Vec<u32> = (0..Chunk::count(all.len()))
                    .flat_map(|number| Chunk::new(all, number).line_columns)
                    .copied()
                    .collect();
                assert_eq!(covered, all);
            }
        }
    }

    #[test]
    fn every_entry_of_a_panel_is_in_one_share() {
        let width = 4 * PANEL_HEIGHT + 44;
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        for (threads, lines, panels) in [
            (1, 520, vec![0, 1, 2, 3, 4]),
            (2, 23, vec![0, 1, 2, 3, 4]),
            (3, 520, vec![1, 4]),
            (64, 30, vec![0, 2]),
            (64, 30, vec![3]),
            (2, 5, vec![]),
        ] {
            let panels: Vec<usize> = panels.iter().map(|panel| panel * PANEL_HEIGHT).collect();
            let mut entries: Vec<u32> = (0..(width * lines) as u32).collect();
            let shares: Vec<_> = pool(threads)
                .unwrap()
                .install(|| shares(entries.chunks_mut(width).collect(), &panels).collect());
            let mut seen: Vec<u32> = Vec::new();
            for share in shares {
                for (number, line) in share.lines.iter().enumerate() {
                    let first = (share.chunk * Chunk::MOST_LINES + number) * width + share.row;
                    assert_eq!(line[0] as usize, first);
                    for &panel in &panels[share.panels.clone()] {
                        let rows = panel..width.min(panel + PANEL_HEIGHT);
                        seen.extend(&line[rows.start - share.row..rows.end - share.row]);
                    }
                }
            }
            seen.sort_unstable();
            let is_in_panel =
                |&i: &usize| panels.contains(&(i % width / PANEL_HEIGHT * PANEL_HEIGHT));
            let all = (0..width * lines).filter(is_in_panel);
            assert!(seen.into_iter().map(|i| i as usize).eq(all), "{threads}");
        }
    }
}
