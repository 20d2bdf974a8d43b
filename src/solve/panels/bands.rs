//! Reading the lines that moves lead to, band by band.
//!
//! A section whose children are in this rank's memory is computed at once. Otherwise it is
//! divided into bands of chunks and groups of panels so small that what they read fits into
//! a buffer. With several ranks, what the next band reads is fetched while a band is
//! computed.

use std::ops::Range;

use rayon::prelude::*;

use super::children::{Children, Prepared, Reach};
use super::fetch::{Fetch, read};
use super::sources::Sources;
use super::{PANEL_HEIGHT, panel_rows};
use crate::solve::moves::RowMoves;
use crate::solve::ranks::Ranks;
use crate::solve::storage::{LayerArray, SpillEntry, SpillError};
use crate::spans;

/// What a pass over a section reads, and for what.
pub(in crate::solve) struct SectionReader<'a, E> {
    /// The ranks that have parts of the arrays, and all run this pass.
    pub ranks: &'a dyn Ranks,
    /// Bytes to gather at a time. With several ranks, twice as many are in memory.
    pub gather_bytes: usize,
    /// The arrays that moves lead to.
    pub arrays: &'a [&'a LayerArray<E>],
    /// A section that is not in the first array now, and its entries.
    pub taken: Option<(u8, &'a [E])>,
    /// The moves of the section's mover's rows.
    pub rows: &'a [RowMoves],
    /// The first rows of the panels to compute, in order.
    pub panels: &'a [usize],
    /// What the column maps read for a band, given as a range of chunks.
    pub reaches: &'a (dyn Fn(&Range<usize>) -> Vec<Reach> + Sync),
}

/// Computes panels, given by their first rows, against a band of chunks, given by
/// their numbers, with children that can be read.
pub(in crate::solve) type ComputePanels<'c, E> =
    dyn FnMut(&Range<usize>, &[usize], &Children<'_, E>) -> Result<(), SpillError> + 'c;

/// Memory for what is gathered, which is used again for the next bands and sections.
pub(in crate::solve) struct GatherBuffers<E> {
    prepared: Vec<Prepared>,
    gathered: Vec<E>,
    /// For the band that is fetched while one is computed.
    spare: Vec<E>,
    fetch: Fetch,
}

impl<E> Default for GatherBuffers<E> {
    fn default() -> GatherBuffers<E> {
        GatherBuffers {
            prepared: Vec::new(),
            gathered: Vec::new(),
            spare: Vec::new(),
            fetch: Fetch::default(),
        }
    }
}

/// What is computed at a time: some panels against some chunks.
struct Band<'a> {
    chunks: Range<usize>,
    panels: &'a [usize],
}

impl<E: SpillEntry> SectionReader<'_, E> {
    /// Calls `compute` until all panels have been computed against all `chunks`.
    pub fn for_each_band(
        &self,
        chunks: Range<usize>,
        buffers: &mut GatherBuffers<E>,
        compute: &mut ComputePanels<'_, E>,
    ) -> Result<(), SpillError> {
        let sources = Sources::new(self.arrays, self.taken);
        let is_whole = self.arrays.iter().all(|array| array.part().is_whole());
        let mut bands = Vec::new();
        if !self.panels.is_empty() && !chunks.is_empty() {
            if is_whole && self.arrays.iter().all(|array| array.is_in_memory()) {
                let children = Children::in_memory(&sources);
                return compute(&chunks, self.panels, &children);
            }
            if is_whole {
                self.divide(chunks.clone(), &sources, &mut bands);
            }
        }
        match is_whole {
            true => self.gather_and_compute(&sources, &bands, buffers, compute),
            false => {
                let bands = self.divide_together(&chunks, &sources);
                self.fetch_and_compute(&sources, &bands, buffers, compute)
            }
        }
    }

    /// Divides some chunks into bands whose children fit into the buffer.
    fn divide<'p>(
        &'p self,
        chunks: Range<usize>,
        sources: &Sources<'_, E>,
        bands: &mut Vec<Band<'p>>,
    ) {
        let sizes = self.bytes_to_gather(&chunks, sources);
        if chunks.len() > 1 && sizes.iter().any(|&size| size > self.gather_bytes) {
            let middle = chunks.start.midpoint(chunks.end);
            self.divide(chunks.start..middle, sources, bands);
            return self.divide(middle..chunks.end, sources, bands);
        }
        let mut panels = self.panels;
        let mut sizes = sizes.as_slice();
        while !panels.is_empty() {
            let mut sum = 0;
            let fitting = sizes.iter().take_while(|&&size| {
                sum += size;
                sum <= self.gather_bytes
            });
            // A single panel against a single chunk is gathered whatever its size.
            let (group, rest) = panels.split_at(fitting.count().max(1));
            bands.push(Band {
                chunks: chunks.clone(),
                panels: group,
            });
            (panels, sizes) = (rest, &sizes[group.len()..]);
        }
    }

    /// What each panel reads for some chunks.
    fn bytes_to_gather(&self, chunks: &Range<usize>, sources: &Sources<'_, E>) -> Vec<usize> {
        /// Panels whose children a thread counts at a time.
        const PANELS: usize = 16;
        let reaches = (self.reaches)(chunks);
        let bytes =
            |&first: &usize| sources.bytes_to_gather(&reaches, panel_rows(self.rows, first));
        let panels = self.panels.par_iter().with_min_len(PANELS);
        panels.map(bytes).collect()
    }

    /// Divides some chunks into bands, as many for each rank and with the same panels, so that
    /// no rank waits for one with more or larger bands. All call this together.
    fn divide_together(&self, chunks: &Range<usize>, sources: &Sources<'_, E>) -> Vec<Band<'_>> {
        let sizes = |chunks: &Range<usize>| match chunks.is_empty() {
            true => vec![0; self.panels.len()],
            false => self.bytes_to_gather(chunks, sources),
        };
        let fits = |&bytes: &usize| bytes <= self.gather_bytes;
        let mut parts = 1;
        while parts < chunks.len()
            && !(even_parts(chunks, parts).iter()).all(|chunks| sizes(chunks).iter().all(fits))
        {
            parts *= 2;
        }
        let parts = even_parts(chunks, self.ranks.most(parts as u64) as usize);
        let all_panels = 0..self.panels.len();
        let mut groups = 1;
        for chunks in &parts {
            let sizes = sizes(chunks);
            let all_fit = |groups| {
                let groups = even_parts(&all_panels, groups).into_iter();
                let mut groups = groups.filter(|group| group.len() > 1);
                groups.all(|group| fits(&sizes[group].iter().sum()))
            };
            while !all_fit(groups) {
                groups += groups.div_ceil(4);
            }
        }
        let groups = even_parts(&all_panels, self.ranks.most(groups as u64) as usize);
        let bands = parts.iter().flat_map(|chunks| {
            groups.iter().map(|group| Band {
                chunks: chunks.clone(),
                panels: if chunks.is_empty() {
                    &[]
                } else {
                    &self.panels[group.clone()]
                },
            })
        });
        bands.collect()
    }

    /// Finds what a band reads.
    fn prepare(&self, sources: &Sources<'_, E>, band: &Band<'_>, prepared: &mut Prepared) {
        let rows = band.panels.iter();
        let rows = rows.flat_map(|&first| panel_rows(self.rows, first));
        let reaches = match band.panels {
            [] => Vec::new(),
            _ => (self.reaches)(&band.chunks),
        };
        prepared.prepare(sources, &reaches, rows);
    }

    /// Computes band after band from files of this rank. Meanwhile a thread finds what the next
    /// one reads.
    fn gather_and_compute(
        &self,
        sources: &Sources<'_, E>,
        bands: &[Band<'_>],
        buffers: &mut GatherBuffers<E>,
        compute: &mut ComputePanels<'_, E>,
    ) -> Result<(), SpillError> {
        let spare = &mut buffers.prepared;
        let [mut prepared, mut next] = [(); 2].map(|()| spare.pop().unwrap_or_default());
        if let Some(first) = bands.first() {
            self.prepare(sources, first, &mut prepared);
        }
        for (number, band) in bands.iter().enumerate() {
            rayon::in_place_scope(|scope| {
                if let Some(band) = bands.get(number + 1) {
                    let next = &mut next;
                    scope.spawn(move |_| {
                        let _task = spans::task("prepare");
                        self.prepare(sources, band, next);
                    });
                }
                read(sources.arrays, &prepared.extents, &mut buffers.gathered)?;
                let children = Children::gathered(sources, &prepared, &buffers.gathered);
                compute(&band.chunks, band.panels, &children)
            })?;
            std::mem::swap(&mut prepared, &mut next);
        }
        buffers.prepared.extend([prepared, next]);
        Ok(())
    }

    /// Computes band after band from the parts of all ranks, which have equally many. All ask
    /// for some bands at a time, and fetch the next band while they compute one.
    fn fetch_and_compute(
        &self,
        sources: &Sources<'_, E>,
        bands: &[Band<'_>],
        buffers: &mut GatherBuffers<E>,
        compute: &mut ComputePanels<'_, E>,
    ) -> Result<(), SpillError> {
        /// Bands that a rank asks for at a time.
        const BANDS: usize = 16;
        let mut ready: Option<(&Band<'_>, Prepared)> = None;
        let mut spare = std::mem::take(&mut buffers.spare);
        for bands in bands.chunks(BANDS) {
            let spare_prepared = |_| buffers.prepared.pop().unwrap_or_default();
            let mut prepared: Vec<Prepared> = (0..bands.len()).map(spare_prepared).collect();
            let parallel = spans::parallel("prepare");
            let work = prepared.par_iter_mut().zip(bands).with_max_len(1);
            work.for_each_init(
                || spans::task("prepare"),
                |_, (prepared, band)| self.prepare(sources, band, prepared),
            );
            drop(parallel);
            let extents = prepared.iter().map(|prepared| prepared.extents.as_slice());
            buffers.fetch.ask(self.ranks, extents);
            for (band, prepared) in bands.iter().zip(prepared) {
                let mut computed = Ok(());
                let gathered = &buffers.gathered;
                let mut compute_ready = || {
                    if let Some((band, prepared)) = &ready {
                        let children = Children::gathered(sources, prepared, gathered);
                        computed = compute_band(band, &children, compute);
                    }
                };
                let fetched = buffers.fetch.next(
                    self.ranks,
                    sources,
                    &prepared.extents,
                    &mut spare,
                    &mut compute_ready,
                );
                computed.and(fetched)?;
                let done = ready.replace((band, prepared));
                buffers.prepared.extend(done.map(|(_, prepared)| prepared));
                std::mem::swap(&mut buffers.gathered, &mut spare);
            }
        }
        if let Some((band, prepared)) = ready {
            let children = Children::gathered(sources, &prepared, &buffers.gathered);
            compute_band(band, &children, compute)?;
            buffers.prepared.push(prepared);
        }
        buffers.spare = spare;
        Ok(())
    }

    /// The first rows of all panels of a section with `rows` mover's rows.
    pub fn all_panels(rows: usize) -> Vec<usize> {
        (0..rows).step_by(PANEL_HEIGHT).collect()
    }
}

/// Computes a band, unless it is empty.
fn compute_band<E>(
    band: &Band<'_>,
    children: &Children<'_, E>,
    compute: &mut ComputePanels<'_, E>,
) -> Result<(), SpillError> {
    match band.panels {
        [] => Ok(()),
        panels => compute(&band.chunks, panels, children),
    }
}

/// A range in parts of about the same length, some of which may be empty.
fn even_parts(range: &Range<usize>, parts: usize) -> Vec<Range<usize>> {
    let start = |part: usize| range.start + range.len() * part / parts;
    (0..parts)
        .map(|part| start(part)..start(part + 1))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::index::LayerIndex;
    use crate::rules::Ruleset;
    use crate::solve::moves::CompiledMoves;
    use crate::solve::storage::Value;

    /// Every line that every quiet move reads: gathered from disk in small groups, it
    /// is the line in memory.
    #[test]
    fn gathered_lines_equal_lines_in_memory() {
        let (rules, seeds) = (Ruleset::AWARI, 8);
        let mut moves = CompiledMoves::new(rules);
        moves.extend_to(seeds);
        let index = LayerIndex::new(rules, seeds);
        let value = |i: u64| Value::new((i * 31 % 17) as i8 - 8);
        let mut in_memory = LayerArray::new(&index, Value::FILLER);
        for i in 0..index.len() {
            in_memory.set(i, value(i)).unwrap();
        }
        let mut spilled = in_memory.to_memory().unwrap();
        let folder: Arc<std::path::Path> = std::env::temp_dir().into();
        spilled.spill(&folder).unwrap();
        for section in 0..=seeds {
            let rows = moves.row_moves(seeds - section);
            let lines = index.section_lines(section);
            let panels = SectionReader::<Value>::all_panels(rows.len());
            let whole = |_: &Range<usize>| {
                let reach = |map: &crate::solve::moves::ColumnMap| {
                    let ends = map.quiet.iter().map(|run| run.to + run.len);
                    ends.max().map(|end| (0, 0..end)).into_iter().collect()
                };
                moves.maps(section).iter().map(reach).collect()
            };
            let mut seen = 0;
            let mut buffers = GatherBuffers::default();
            let reader = SectionReader {
                ranks: &crate::solve::ranks::Alone,
                gather_bytes: 4096,
                arrays: &[&spilled],
                taken: None,
                rows,
                panels: &panels,
                reaches: &whole,
            };
            let arrays = [&in_memory];
            let sources = Sources::new(&arrays, None);
            let direct = Children::in_memory(&sources);
            let chunks = 0..super::super::Chunk::count(lines);
            reader
                .for_each_band(chunks, &mut buffers, &mut |_, group, children| {
                    for (position, &first) in group.iter().enumerate() {
                        for (t, row) in panel_rows(rows, first).iter().enumerate() {
                            for (number, m) in row.iter().enumerate() {
                                let map = &moves.maps(section)[usize::from(m.map)];
                                for run in &*map.quiet {
                                    let row = position * PANEL_HEIGHT + t;
                                    let part = children.part(row, number, m, 0);
                                    let right = direct.part(0, 0, m, 0);
                                    let (to, len) = (run.to, run.len as usize);
                                    assert!(part.entries(to, len) == right.entries(to, len));
                                    seen += 1;
                                }
                            }
                        }
                    }
                    Ok(())
                })
                .unwrap();
            assert!(seen > 0 || section == 0 || section == seeds, "{section}");
        }
    }
}
