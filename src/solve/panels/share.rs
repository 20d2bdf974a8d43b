//! Shares: how the boards of a section are divided among threads.
//!
//! A section with many lines is divided by lines, into chunks, and one with few lines by
//! rows as well.

use std::ops::Range;

use rayon::prelude::*;

/// What a thread writes at a time: the boards of some panels in the lines of a chunk.
pub(in crate::solve) struct Share<'w, E> {
    /// Which chunk, counted from the first one.
    pub chunk: usize,
    /// Which panels, by position.
    pub panels: Range<usize>,
    /// The first row.
    pub row: usize,
    /// The lines of the chunk, from that row on.
    pub lines: Vec<&'w mut [E]>,
}

/// Divides the entries of some chunks into shares. There are a few for each thread, but
/// most have several panels: the first of a share is read without being prefetched. A thread
/// takes one at a time: unless told otherwise, rayon gives it several, and does not take them
/// back while other threads have nothing to do. `entries` are those of `rows` of each line.
pub(in crate::solve) fn shares<'w, E: Send>(
    entries: &'w mut [E],
    rows: &Range<usize>,
    chunk_lines: usize,
    panels: &'w [usize],
) -> impl IndexedParallelIterator<Item = Share<'w, E>> {
    /// Shares for each thread: enough to share the work evenly.
    const SHARES: usize = 8;
    /// Panels in a share, at the least.
    const PANELS: usize = 2;
    let (first_row, width) = (rows.start, rows.len());
    let chunks = (entries.len() / width).div_ceil(chunk_lines);
    let groups = match rayon::current_num_threads() {
        1 => 1,
        threads => {
            let groups = (SHARES * threads).div_ceil(chunks);
            groups.min(panels.len().div_ceil(PANELS))
        }
    };
    let panels_in_group = panels.len().div_ceil(groups);
    let chunks = entries.par_chunks_mut(chunk_lines * width).enumerate();
    let of_chunks = chunks.map(|(chunk, entries)| {
        let starts = (0..panels.len()).step_by(panels_in_group);
        let mut shares: Vec<_> = starts
            .map(|start| Share {
                chunk,
                panels: start..panels.len().min(start + panels_in_group),
                row: panels[start],
                lines: Vec::with_capacity(chunk_lines),
            })
            .collect();
        for line in entries.chunks_mut(width) {
            let mut rest = line;
            // From the last share to the first: each begins where the one before ends.
            for share in shares.iter_mut().rev() {
                let (before, lines) = rest.split_at_mut(share.row - first_row);
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
    use crate::solve::panels::PANEL_HEIGHT;

    #[test]
    fn every_entry_of_a_panel_is_in_one_share() {
        let (width, lines) = (4 * PANEL_HEIGHT + 44, 23);
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        for (threads, chunk_lines, panels, first_panel) in [
            (1, 8, vec![0, 1, 2, 3, 4], 0),
            (2, 23, vec![0, 1, 2, 3, 4], 0),
            (3, 8, vec![1, 4], 0),
            (3, 8, vec![1, 4], 1),
            (64, 30, vec![0, 2], 0),
            (64, 30, vec![3], 2),
        ] {
            let first_row = first_panel * PANEL_HEIGHT;
            let rows = first_row..width;
            let panels: Vec<usize> = panels
                .into_iter()
                .map(|panel| panel * PANEL_HEIGHT)
                .collect();
            let all = (0..width * lines).filter(|i| i % width >= first_row);
            let mut entries: Vec<u16> = all.map(|i| i as u16).collect();
            let shares: Vec<_> = pool(threads)
                .unwrap()
                .install(|| shares(&mut entries, &rows, chunk_lines, &panels).collect());
            let mut seen: Vec<u16> = Vec::new();
            for share in shares {
                for (number, line) in share.lines.iter().enumerate() {
                    let first = (share.chunk * chunk_lines + number) * width + share.row;
                    assert_eq!(usize::from(line[0]), first);
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
            assert!(seen.into_iter().map(usize::from).eq(all), "{threads}");
        }
    }
}
