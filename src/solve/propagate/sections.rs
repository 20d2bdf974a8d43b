//! Sweeping a section of an array: where its entries are computed, and how the other ranks
//! hear of what has changed.
//!
//! A section is computed in place, taken out of the array meanwhile. If it is also read,
//! either what is read or what is computed is a copy.

use rayon::prelude::*;

use super::changes::{Change, SweptArray, share_ticks};
use super::copies::Copies;
use super::portion::Portion;
use super::read_by;
use super::sweep::{Lines, SectionChanges, SectionSweep, SweepTarget};
use super::updates::Drafts;
use crate::rules::MAX_SEEDS;
use crate::solve::panels::GatherBuffers;
use crate::solve::storage::{
    Entry, LayerArray, Region, Slices, SpillError, Value, is_computed_from_itself,
};
use crate::spans;

/// Buffers for the section that is computed, as it is and as it was, and for its best
/// conversions, where these are not in memory as they are; and for its children, where these
/// are gathered.
pub(super) struct Buffers<E> {
    pub gathered: GatherBuffers<E>,
    pub entries: Vec<E>,
    pub best: Vec<Value>,
    /// The entries of the section before, if it is read while it is computed.
    before: Vec<E>,
    /// By section: what this rank computes of it, if it has a copy of the layer and the section
    /// is read while it is computed. Nobody else changes this, so it is copied from the array
    /// only once.
    portions: Vec<Vec<E>>,
    /// What other ranks must hear of changes.
    drafts: Drafts,
}

impl<E> Buffers<E> {
    pub fn new() -> Buffers<E> {
        Buffers {
            gathered: GatherBuffers::default(),
            entries: Vec::new(),
            best: Vec::new(),
            before: Vec::new(),
            portions: (0..=MAX_SEEDS).map(|_| Vec::new()).collect(),
            drafts: Drafts::default(),
        }
    }
}

/// The sections of a layer in the order in which a sweep computes them.
///
/// Section `s` of `n` seeds reads the sections up to `n − s`. Those of the first half are computed
/// from 0 on, so that each reads what the sweep has found before it. Those of the second half
/// read only the first half, so their order among themselves is free. They are computed from the
/// last one down, with the middle section between them: each section then reads little of what was
/// computed just before it, which may not have arrived from other ranks yet.
pub(super) fn sweep_order(seeds: u8) -> impl Iterator<Item = u8> {
    let middle = seeds / 2;
    let after_middle = middle + 1..middle + 1 + (seeds - middle).div_ceil(2);
    let last = after_middle.end..seeds + 1;
    (0..middle)
        .chain(last.rev())
        .chain([middle])
        .chain(after_middle.rev())
}

/// How many entries changed, and which, if they are recorded.
pub(super) type Swept<E> = (u64, Vec<Change<E>>);

/// Whether a section of an array is read while it is computed.
fn is_read<E, const N: usize>(sweep: &SectionSweep<'_, E>, array: usize) -> bool {
    read_by::<N>(array) == array && is_computed_from_itself(sweep.index, sweep.section)
}

/// Sweeps a section of one of the arrays, which are this rank's part of the layer.
pub(super) fn sweep_section<E: Entry, const N: usize>(
    sweep: &SectionSweep<'_, E>,
    swept: &mut [SweptArray<E>; N],
    array: usize,
    best: &LayerArray<Value>,
    buffers: &mut Buffers<E>,
) -> Result<Swept<E>, SpillError> {
    let (section, now) = (sweep.section, sweep.now);
    let child = read_by::<N>(array);
    let panels = swept[array].due(section, &sweep.portion.panels, sweep.rows(), &swept[child]);
    if panels.is_empty() {
        sweep.observer.advance(sweep.portion.boards() as u64);
        swept[array].mark_computed(section, now);
        return Ok((0, Vec::new()));
    }
    let mut taken = swept[array].array.take(section);
    let before = match &taken {
        Some(entries) if is_read::<E, N>(sweep, array) => {
            copy(entries, &mut buffers.before);
            Some(&buffers.before[..])
        }
        _ => None,
    };
    let width = sweep.index.section_width(section);
    let first_line = sweep.portion.lines.start;
    let mut all = SectionChanges::none();
    let is_in_memory = taken.is_some() && best.in_memory(section).is_some();
    let arrays = (&swept[array].array, &swept[child].array);
    for slice in slices(sweep, arrays, is_in_memory) {
        let panels = slice.panels_of(&panels);
        let sweep = sweep.of_portion(slice);
        if panels.is_empty() {
            sweep.observer.advance(sweep.portion.boards() as u64);
            continue;
        }
        let region = sweep.portion.region();
        let SweptArray {
            array: children, ..
        } = &swept[child];
        let entries = match &mut taken {
            Some(entries) => {
                let lines = region.lines.start - first_line..region.lines.end - first_line;
                Lines {
                    entries: &mut entries[lines.start * width..lines.end * width],
                    rows: 0..width,
                }
            }
            None => {
                let array = &swept[array].array;
                array.read_region(section, &region, &mut buffers.entries)?;
                Lines {
                    entries: &mut buffers.entries[..],
                    rows: region.rows.clone(),
                }
            }
        };
        let best = read(best, section, &region, &mut buffers.best)?;
        let mut target = SweepTarget {
            entries,
            line_ticks: swept[array].line_ticks(section),
            updates: None,
        };
        let gathered = &mut buffers.gathered;
        let changes = sweep.compute(panels, children, before, &mut target, &best, gathered)?;
        if taken.is_none() && changes.count > 0 {
            swept[array].put_region(section, &region, &buffers.entries, now)?;
        }
        all = all.with(changes);
    }
    if let Some(entries) = taken {
        swept[array].array.put(section, entries)?;
    }
    let ticks = swept[array].line_ticks(section);
    share_ticks(sweep.ranks, swept[array].array.part(), section, ticks, now);
    swept[array].mark_computed(section, now);
    Ok((all.count, all.recorded))
}

/// A region of a section: in lines that are in memory, or read into `buffer`.
fn read<'a, E: Entry>(
    array: &'a LayerArray<E>,
    section: u8,
    region: &Region,
    buffer: &'a mut Vec<E>,
) -> Result<Lines<&'a [E]>, SpillError> {
    if array.in_memory(section).is_some() {
        return Ok(Lines {
            entries: array.lines(section, region.lines.clone(), buffer)?,
            rows: 0..array.index().section_width(section),
        });
    }
    array.read_region(section, region, buffer)?;
    Ok(Lines {
        entries: buffer,
        rows: region.rows.clone(),
    })
}

/// What a rank computes of a section at a time: a section that is in memory as it is, with its
/// best conversions, at once, and another one in slices. Several ranks divide all sections, since
/// they have to compute as many slices each.
fn slices<E: Entry>(
    sweep: &SectionSweep<'_, E>,
    (array, children): (&LayerArray<E>, &LayerArray<E>),
    is_in_memory: bool,
) -> Vec<Portion> {
    if sweep.ranks.is_alone() && is_in_memory {
        return vec![sweep.portion.clone()];
    }
    let (index, section) = (sweep.index, sweep.section);
    let most_lines = index.section_lines(section).div_ceil(sweep.ranks.count());
    // What it mostly reads are lines that are as short as its own are long.
    let is_in_file = sweep.ranks.is_alone()
        && array.stays_in_file(section)
        && !children.stays_in_file(index.seeds() - section);
    let slices = Slices::of(index, section, is_in_file);
    sweep.portion.slices(slices, most_lines)
}

/// Sweeps this rank's portion of a section of one of the arrays, of which all ranks have copies,
/// while the changes of an earlier section travel.
pub(super) fn sweep_copy<E: Entry, const N: usize>(
    sweep: &SectionSweep<'_, E>,
    swept: &mut [SweptArray<E>; N],
    array: usize,
    best: &LayerArray<Value>,
    buffers: &mut Buffers<E>,
    copies: &mut Copies<'_>,
) -> Result<Swept<E>, SpillError> {
    let mut changes = SectionChanges::none();
    copies.exchange_during(swept, sweep.now, |swept| {
        changes = compute_portion(sweep, swept, array, best, buffers)?;
        Ok(())
    })?;
    copies.keep(array, sweep.section, &mut buffers.drafts);
    Ok((changes.count, changes.recorded))
}

/// Computes this rank's portion of a section of which all ranks have copies.
fn compute_portion<E: Entry, const N: usize>(
    sweep: &SectionSweep<'_, E>,
    swept: &mut [SweptArray<E>; N],
    array: usize,
    best: &LayerArray<Value>,
    buffers: &mut Buffers<E>,
) -> Result<SectionChanges<E>, SpillError> {
    let (section, now) = (sweep.section, sweep.now);
    let child = read_by::<N>(array);
    let panels = swept[array].due(section, &sweep.portion.panels, sweep.rows(), &swept[child]);
    if panels.is_empty() {
        sweep.observer.advance(sweep.portion.boards() as u64);
        swept[array].mark_computed(section, now);
        return Ok(SectionChanges::none());
    }
    let region = sweep.portion.region();
    let width = sweep.index.section_width(section);
    let best = Lines {
        entries: best.lines(section, region.lines.clone(), &mut buffers.best)?,
        rows: 0..width,
    };
    let is_read = is_read::<E, N>(sweep, array);
    let mut whole = Vec::new();
    let entries = if is_read {
        let portion = &mut buffers.portions[usize::from(section)];
        if portion.is_empty() {
            (swept[array].array).read_region(section, &region, portion)?;
        }
        Lines {
            entries: &mut portion[..],
            rows: region.rows.clone(),
        }
    } else {
        whole = swept[array].take_section(section, std::mem::take(&mut buffers.entries))?;
        Lines {
            entries: &mut whole[region.lines.start * width..region.lines.end * width],
            rows: 0..width,
        }
    };
    let mut target = SweepTarget {
        entries,
        line_ticks: swept[array].line_ticks(section),
        updates: Some(&buffers.drafts),
    };
    let children = &swept[child].array;
    let gathered = &mut buffers.gathered;
    let changes = sweep.compute(&panels, children, None, &mut target, &best, gathered)?;
    let has_changed = changes.count > 0;
    if !is_read {
        buffers.entries = swept[array].put_section(section, whole, now, has_changed)?;
        return Ok(changes);
    }
    if has_changed {
        let portion = &buffers.portions[usize::from(section)];
        swept[array].put_region(section, &region, portion, now)?;
    }
    swept[array].mark_computed(section, now);
    Ok(changes)
}

/// Copies entries on all threads.
fn copy<E: Entry>(from: &[E], to: &mut Vec<E>) {
    /// Entries that a thread copies at a time, at the least.
    const BATCH: usize = 1 << 16;
    let _parallel = spans::parallel("copy");
    let entries = from.par_iter().with_min_len(BATCH);
    let entries = entries.map_init(|| spans::task("copy"), |_, &entry| entry);
    entries.collect_into_vec(to);
}
