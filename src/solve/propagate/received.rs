//! Received updates: what other ranks have changed, written into this rank's copy of a section.
//! [`updates`](super::updates) has the format of the messages.

use std::marker::PhantomData;

use rayon::prelude::*;

use super::changes::{LineTicks, Tick};
use super::portion::Portion;
use super::updates::{ALL, HALF, HALVES, HEADER, PANEL};
use crate::cpu::{Permute, Vectorized, prefetch, run_vectorized};
use crate::solve::panels::{Chunk, PANEL_HEIGHT};
use crate::solve::storage::Entry;
use crate::spans;

/// Writes what other ranks have changed in a section into its entries, on all threads, and notes
/// which lines that is in. `messages` are those of the ranks, each with its portion of the section.
pub(super) fn write_updates<'a, E: Entry>(
    messages: impl Iterator<Item = (&'a [u8], Portion)>,
    entries: &'a mut [E],
    width: usize,
    ticks: &LineTicks,
    now: Tick,
) {
    let updates = ReceivedUpdate::of(messages, entries, width);
    let _parallel = spans::parallel("updates");
    updates.into_par_iter().with_max_len(1).for_each_init(
        || spans::task("updates"),
        |_, update| run_vectorized(UpdateWriter { update, ticks, now }),
    );
}

/// An update of another rank: some rows of a chunk of lines.
struct ReceivedUpdate<'a, E> {
    first_line: usize,
    lines: usize,
    first_row: usize,
    /// The lines, from that row on.
    entries: Vec<&'a mut [E]>,
    changes: &'a [u8],
}

impl<'a, E: Entry> ReceivedUpdate<'a, E> {
    /// All updates in the messages of the ranks, each with the entries that it changes.
    fn of(
        messages: impl Iterator<Item = (&'a [u8], Portion)>,
        entries: &'a mut [E],
        width: usize,
    ) -> Vec<ReceivedUpdate<'a, E>> {
        let mut updates = Vec::new();
        for (message, portion) in messages {
            ReceivedUpdate::read(message, &portion, &mut updates);
        }
        updates.sort_unstable_by_key(|update| (update.first_line, update.first_row));
        ReceivedUpdate::divide(&mut updates, entries, width);
        updates
    }

    /// The updates in a message of a rank that has computed this portion of the section.
    fn read(mut message: &'a [u8], portion: &Portion, updates: &mut Vec<ReceivedUpdate<'a, E>>) {
        let size = Chunk::size(portion.lines.len());
        while let Some((&[a, b, c, d, len @ ..], rest)) = message.split_first_chunk::<HEADER>() {
            let chunk = u32::from_le_bytes([a, b, c, d]) as usize;
            let (changes, others) = rest.split_at(u64::from_le_bytes(len) as usize);
            // Panels come in order.
            let first_panel = u16::from_le_bytes([changes[2], changes[3]]);
            let first_line = portion.lines.start + chunk * size;
            updates.push(ReceivedUpdate {
                first_line,
                lines: size.min(portion.lines.end - first_line),
                first_row: usize::from(first_panel) * PANEL_HEIGHT,
                entries: Vec::new(),
                changes,
            });
            message = others;
        }
    }

    /// Gives each of the updates, which are in the order of lines and rows, the entries of the
    /// section that it changes.
    fn divide(updates: &mut [ReceivedUpdate<'a, E>], section: &'a mut [E], width: usize) {
        let (mut rest, mut rest_from) = (section, 0);
        for updates in updates.chunk_by_mut(|a, b| a.first_line == b.first_line) {
            let (first, count) = (updates[0].first_line, updates[0].lines);
            rest = &mut std::mem::take(&mut rest)[(first - rest_from) * width..];
            let lines = rest.split_off_mut(..count * width).expect("all lines");
            rest_from = first + count;
            for mut line in lines.chunks_mut(width) {
                // From the last update to the first: each begins where the one before ends.
                for update in updates.iter_mut().rev() {
                    let (before, entries) = line.split_at_mut(update.first_row);
                    update.entries.push(entries);
                    line = before;
                }
            }
        }
    }
}

impl<E: Entry> ReceivedUpdate<'_, E> {
    /// Starts to fetch the entries that a panel changes.
    #[inline(always)]
    fn prefetch(&self, panel: &PanelUpdate<'_>) {
        let entries = &self.entries[panel.line][panel.row - self.first_row..];
        let entries = &entries[..entries.len().min(PANEL_HEIGHT)];
        for entry in entries
            .iter()
            .step_by(64 / size_of::<E>())
            .chain(entries.last())
        {
            prefetch(entry);
        }
    }
}

/// Writes the changes of an update, and notes which lines they are in.
struct UpdateWriter<'u, 'a, E> {
    update: ReceivedUpdate<'a, E>,
    ticks: &'u LineTicks,
    now: Tick,
}

impl<E: Entry> Vectorized for UpdateWriter<'_, '_, E> {
    type Output = ();

    #[inline(always)]
    fn run<P: Permute>(self) {
        /// Panels whose entries are fetched ahead: this rank has not read them recently, and
        /// each is somewhere else in memory.
        const AHEAD: usize = 24;
        let mut update = self.update;
        let mut ahead = PanelUpdates::<E>::new(update.changes);
        for panel in ahead.by_ref().take(AHEAD) {
            update.prefetch(&panel);
        }
        for panel in PanelUpdates::<E>::new(update.changes) {
            if let Some(panel) = ahead.next() {
                update.prefetch(&panel);
            }
            self.ticks.set(update.first_line + panel.line, self.now);
            let mut entries = &mut update.entries[panel.line][panel.row - update.first_row..];
            let mut message = panel.entries;
            for rows in panel.rows {
                let half;
                (half, entries) = entries.split_at_mut(entries.len().min(HALF));
                let bytes;
                (bytes, message) = message.split_at(rows.count_ones() as usize * E::BYTES);
                write_half::<P, E>(half, rows, bytes);
            }
        }
    }
}

/// What has changed in a panel of a line.
struct PanelUpdate<'a> {
    /// The line in the chunk.
    line: usize,
    /// The first row.
    row: usize,
    /// The rows of each half that have changed.
    rows: [u64; HALVES],
    entries: &'a [u8],
}

/// The panels of lines in an update.
struct PanelUpdates<'a, E> {
    changes: &'a [u8],
    entry: PhantomData<E>,
}

impl<'a, E: Entry> PanelUpdates<'a, E> {
    fn new(changes: &'a [u8]) -> PanelUpdates<'a, E> {
        PanelUpdates {
            changes,
            entry: PhantomData,
        }
    }
}

impl<'a, E: Entry> Iterator for PanelUpdates<'a, E> {
    type Item = PanelUpdate<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<PanelUpdate<'a>> {
        let (&[a, b, c, d, ref rows @ ..], rest) = self.changes.split_first_chunk::<PANEL>()?;
        let mut halves = [0; HALVES];
        let mut len = 0;
        for (half, &rows) in halves.iter_mut().zip(rows.as_chunks().0) {
            *half = u64::from_le_bytes(rows);
            len += half.count_ones() as usize * E::BYTES;
        }
        let (entries, rest) = rest.split_at(len);
        self.changes = rest;
        Some(PanelUpdate {
            line: u16::from_le_bytes([a, b]).into(),
            row: usize::from(u16::from_le_bytes([c, d])) * PANEL_HEIGHT,
            rows: halves,
            entries,
        })
    }
}

/// Writes what has changed in half a panel.
#[inline(always)]
fn write_half<P: Permute, E: Entry>(half: &mut [E], mut rows: u64, bytes: &[u8]) {
    match half.as_mut_array() {
        Some(half) if P::IS_FAST => return E::expand::<P>(half, rows, bytes),
        Some(half) if rows == ALL => return E::decode(bytes, half),
        _ => {}
    }
    // In place: to expand one by one, a half would first be copied.
    for bytes in bytes.chunks_exact(E::BYTES) {
        let row = rows.trailing_zeros() as usize;
        rows &= rows - 1;
        // A panel may have fewer rows than are sent.
        if let Some(entry) = half.get_mut(row..=row) {
            E::decode(bytes, entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::updates::{Drafts, Update};
    use super::*;
    use crate::cpu::OneByOne;
    use crate::solve::storage::{DistanceKey, Value};

    /// Adds a panel to an update with what this processor has.
    struct Push<'p, E> {
        update: &'p mut Update,
        line: usize,
        panel: usize,
        before: &'p [E; PANEL_HEIGHT],
        now: &'p [E],
    }

    impl<E: Entry> Vectorized for Push<'_, E> {
        type Output = ();

        #[inline(always)]
        fn run<P: Permute>(self) {
            let (line, panel) = (self.line, self.panel);
            self.update.push::<P, E>(line, panel, self.before, self.now);
        }
    }

    /// Updates with any number of changes, up to all, of panels of any height, and whatever has
    /// been in the copy at other places. Ranks may have different processors: plain code reads
    /// what wide registers have written, and the other way round.
    fn check_updates<E: Entry>(entry: impl Fn(usize) -> E, is_plain: [bool; 2]) {
        let [sends_plainly, reads_plainly] = is_plain;
        for (width, lines) in [
            (1, 3),
            (50, 2),
            (PANEL_HEIGHT, 1),
            (3 * PANEL_HEIGHT + 7, 2),
        ] {
            let portion = Portion::of_lines(10..10 + lines, width);
            let before: Vec<E> = (0..(11 + lines) * width).map(&entry).collect();
            let mut drafts = Drafts::default();
            for step in [1, 2, 3, 7, 40, 1000] {
                let mut now = before.clone();
                for i in (10 * width..(10 + lines) * width).step_by(step) {
                    now[i] = entry(i + 1);
                }
                // Two panels in an update, and two drafts.
                let mut open = None;
                for first in (0..width).step_by(2 * PANEL_HEIGHT) {
                    let mut update = drafts.begin(0);
                    for row in (first..width.min(first + 2 * PANEL_HEIGHT)).step_by(PANEL_HEIGHT) {
                        for line in 0..lines {
                            let start = (10 + line) * width;
                            let end = start + width.min(row + PANEL_HEIGHT);
                            let (before, now) = (&before[start + row..end], &now[start + row..end]);
                            if before != now {
                                let mut padded = [entry(1000); PANEL_HEIGHT];
                                padded[..before.len()].copy_from_slice(before);
                                let push = Push {
                                    update: &mut update,
                                    line,
                                    panel: row / PANEL_HEIGHT,
                                    before: &padded,
                                    now,
                                };
                                match sends_plainly {
                                    true => push.run::<OneByOne>(),
                                    false => run_vectorized(push),
                                }
                            }
                        }
                    }
                    if let Some(other) = open.replace(update) {
                        drafts.end(other);
                    }
                }
                drafts.end(open.expect("an update"));
                let message = drafts.take_message();
                let mut copy = before.clone();
                let ticks = LineTicks::new(11 + lines, 1);
                let messages = [(message.message(), portion.clone())];
                let messages = messages.into_iter();
                if reads_plainly {
                    for update in ReceivedUpdate::of(messages, &mut copy, width) {
                        let writer = UpdateWriter {
                            update,
                            ticks: &ticks,
                            now: 3,
                        };
                        writer.run::<OneByOne>();
                    }
                } else {
                    write_updates(messages, &mut copy, width, &ticks, 3);
                }
                drafts.give(message);
                assert!(copy == now, "{width}, {step}");
                for line in 0..11 + lines {
                    let rows = line * width..(line + 1) * width;
                    let has_changed = before[rows.clone()] != now[rows];
                    assert_eq!(ticks.get(line) == 3, has_changed);
                }
            }
        }
    }

    #[test]
    fn what_has_changed_is_written_into_copies() {
        for is_plain in [[false, false], [false, true], [true, false], [true, true]] {
            let value = |i: usize| (i * 5 % 97) as i8 - 48;
            check_updates(|i| Value::new(value(i)), is_plain);
            check_updates(|i| DistanceKey::new(value(i), (i % 300) as u16), is_plain);
        }
        let mut drafts = Drafts::default();
        drafts.end(drafts.begin(0));
        assert!(drafts.take_message().message().is_empty());
    }
}
