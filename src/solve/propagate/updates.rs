//! Updates: what a rank has changed in its portion of a section, as a message to the others.
//!
//! What a share of a section changes is one *update*. The message consists of updates:
//!
//! ```text
//! chunk                       u32
//! bytes that follow           u64
//! then for each panel of a line that has changed
//!     line in the chunk       u16
//!     panel                   u16
//!     rows                    u64 for each half of the panel, 64 rows: bit k is set if the
//!                             entry of row k is sent
//!     entries of these rows
//! ```

use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::changes::{LineTicks, Tick};
use super::portion::Portion;
use crate::cpu::{Permute, Vectorized, prefetch, run_vectorized};
use crate::solve::panels::{Chunk, PANEL_HEIGHT};
use crate::solve::ranks::Message;
use crate::solve::storage::Entry;
use crate::spans;

/// Bytes before the changes of an update: the number of the chunk, and the bytes that follow.
const HEADER: usize = 12;

/// Rows of half a panel, which are compared at a time.
const HALF: usize = 64;

/// Halves of a panel.
const HALVES: usize = PANEL_HEIGHT / HALF;

/// Bytes before the entries of a panel of a line.
const PANEL: usize = 4 + 8 * HALVES;

/// The rows of a half if all are sent.
const ALL: u64 = u64::MAX;

/// A message that is written. Its memory is used again: where memory is new, the system first
/// clears it, which takes longer than to write an update.
#[derive(Default)]
pub(super) struct Draft {
    /// The message so far, and room for more.
    bytes: Message,
    len: usize,
}

impl Draft {
    /// The message so far.
    pub fn message(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Room for more of it.
    #[inline(always)]
    fn room(&mut self, bytes: usize) -> &mut [u8] {
        if self.bytes.len() - self.len < bytes {
            self.bytes.resize(self.len + self.len / 4 + bytes, 0);
        }
        &mut self.bytes[self.len..]
    }

    /// Appends bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.room(bytes.len())[..bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }

    /// Appends the messages of others, on all threads.
    fn append(&mut self, others: &[Draft]) {
        if others.is_empty() {
            return;
        }
        let _parallel = spans::parallel("updates");
        let len = others.iter().map(|other| other.len).sum();
        let mut rest = self.room(len);
        let mut parts = Vec::new();
        for other in others {
            let part = rest.split_off_mut(..other.len).expect("room for all");
            parts.push((part, other.message()));
        }
        parts.into_par_iter().for_each_init(
            || spans::task("updates"),
            |_, (to, from)| to.copy_from_slice(from),
        );
        self.len += len;
    }
}

/// The drafts of a section's message. Each thread writes the updates of its shares into one
/// that no other has at the time.
#[derive(Default)]
pub(super) struct Drafts(Mutex<Vec<Draft>>);

impl Drafts {
    /// Begins an update of a chunk, in one of the drafts.
    pub fn begin(&self, chunk: usize) -> Update {
        let mut drafts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let draft = drafts.pop().unwrap_or_default();
        drop(drafts);
        Update::new(chunk, draft)
    }

    /// Ends an update.
    pub fn end(&self, update: Update) {
        let draft = update.finish();
        // The next update goes where this one is, so that there are as few drafts as threads.
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(draft);
    }

    /// All updates in one message.
    pub fn take_message(&mut self) -> Draft {
        let drafts = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        let Some(mut message) = drafts.pop() else {
            return Draft::default();
        };
        message.append(drafts);
        for draft in drafts {
            draft.len = 0;
        }
        message
    }

    /// Takes the memory of a message that has been sent.
    pub fn give(&mut self, mut message: Draft) {
        message.len = 0;
        let drafts = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        drafts.push(message);
    }
}

/// What a share of a section has changed.
pub(super) struct Update {
    draft: Draft,
    /// Where it begins in the draft.
    start: usize,
}

impl Update {
    /// No changes yet of a chunk.
    fn new(chunk: usize, mut draft: Draft) -> Update {
        let start = draft.len;
        draft.room(HEADER)[..4].copy_from_slice(&(chunk as u32).to_le_bytes());
        draft.len += HEADER;
        Update { draft, start }
    }

    /// Adds what has changed in a panel of a line of the chunk. What is behind the entries in
    /// `before` does not matter.
    #[inline(always)]
    pub fn push<P: Permute, E: Entry>(
        &mut self,
        line: usize,
        panel: usize,
        before: &[E; PANEL_HEIGHT],
        now: &[E],
    ) {
        // Loops over as many rows as the compiler knows are much faster.
        match now.as_array() {
            Some(now) => self.push_full::<P, E>(line, panel, before, now),
            None => {
                let mut padded = *before;
                padded[..now.len()].copy_from_slice(now);
                self.push_full::<P, E>(line, panel, before, &padded);
            }
        }
    }

    #[inline(always)]
    fn push_full<P: Permute, E: Entry>(
        &mut self,
        line: usize,
        panel: usize,
        before: &[E; PANEL_HEIGHT],
        now: &[E; PANEL_HEIGHT],
    ) {
        /// The most rows of a half that are sent one by one, unless that is fast. Sending all
        /// takes less time, and not many more bytes.
        const ROWS: u32 = 24;
        let room = self.draft.room(PANEL + PANEL_HEIGHT * E::BYTES);
        let (header, mut rest) = room.split_at_mut(PANEL);
        let mut len = PANEL;
        header[..2].copy_from_slice(&(line as u16).to_le_bytes());
        header[2..4].copy_from_slice(&(panel as u16).to_le_bytes());
        let halves = before.as_chunks().0.iter().zip(now.as_chunks().0);
        let rows = header[4..].as_chunks_mut().0;
        for (rows, (before, now)) in rows.iter_mut().zip(halves) {
            let mut sent = differing_rows(before, now);
            if !P::IS_FAST && sent.count_ones() > ROWS {
                sent = ALL;
                E::encode(now, &mut rest[..HALF * E::BYTES]);
            } else {
                E::compress::<P>(now, sent, rest);
            }
            *rows = sent.to_le_bytes();
            let written = sent.count_ones() as usize * E::BYTES;
            len += written;
            rest = &mut rest[written..];
        }
        self.draft.len += len;
    }

    /// The draft with the whole update; without it if nothing has changed.
    fn finish(mut self) -> Draft {
        let changes = self.start + HEADER;
        if self.draft.len == changes {
            self.draft.len = self.start;
        } else {
            let len = (self.draft.len - changes) as u64;
            self.draft.bytes[self.start + 4..changes].copy_from_slice(&len.to_le_bytes());
        }
        self.draft
    }
}

/// In which rows entries differ: bit `k` is set if those of row `k` do.
#[inline(always)]
fn differing_rows<E: Entry>(before: &[E; HALF], now: &[E; HALF]) -> u64 {
    let mut differ = [false; HALF];
    for (differ, (before, now)) in differ.iter_mut().zip(before.iter().zip(now)) {
        *differ = before != now;
    }
    let mut rows = 0;
    for (number, differ) in differ.as_chunks::<8>().0.iter().enumerate() {
        // The factor moves the lowest bit of byte `k` to bit `56 + k`, and no two bits to
        // the same place.
        let bytes = u64::from_le_bytes(differ.map(u8::from));
        rows |= bytes.wrapping_mul(0x0102_0408_1020_4080) >> 56 << (8 * number);
    }
    rows
}

/// Writes what other ranks have changed in a section into its entries, on all threads, and notes
/// which lines that is in. `messages` are those of the ranks, each with its portion of the section.
pub(super) fn write_updates<'a, E: Entry>(
    messages: impl Iterator<Item = (&'a [u8], Portion)>,
    entries: &'a mut [E],
    width: usize,
    ticks: &LineTicks,
    now: Tick,
) {
    let mut updates = Vec::new();
    for (message, portion) in messages {
        ReceivedUpdate::read(message, &portion, &mut updates);
    }
    updates.sort_unstable_by_key(|update| (update.first_line, update.first_row));
    ReceivedUpdate::divide(&mut updates, entries, width);
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
    use super::*;
    use crate::cpu::OneByOne;
    use crate::solve::storage::{DistanceKey, Value};

    /// Updates with any number of changes, up to all, of panels of any height, and whatever has
    /// been in the copy at other places.
    fn check_updates<E: Entry>(entry: impl Fn(usize) -> E) {
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
                                update.push::<OneByOne, E>(line, row / PANEL_HEIGHT, &padded, now);
                            }
                        }
                    }
                    if let Some(other) = open.replace(update) {
                        drafts.end(other);
                    }
                }
                drafts.end(open.expect("a update"));
                let message = drafts.take_message();
                let mut copy = before.clone();
                let ticks = LineTicks::new(11 + lines, 1);
                let messages = [(message.message(), portion.clone())];
                write_updates(messages.into_iter(), &mut copy, width, &ticks, 3);
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
        check_updates(|i| Value::new((i * 5 % 97) as i8 - 48));
        check_updates(|i| DistanceKey::new((i * 5 % 97) as i8 - 48, (i % 300) as u16));
        let mut drafts = Drafts::default();
        drafts.end(drafts.begin(0));
        assert!(drafts.take_message().message().is_empty());
    }

    #[test]
    fn each_row_that_differs_has_its_bit() {
        let before = std::array::from_fn(|i| Value::new((i % 97) as i8 - 48));
        for step in 1..=HALF + 1 {
            for from in 0..step {
                let differs = |i: usize| i % step == from;
                let now = std::array::from_fn(|i| match differs(i) {
                    true => Value::NONE,
                    false => before[i],
                });
                let rows = differing_rows(&before, &now);
                let is_set = |i: usize| rows >> i & 1 == 1;
                assert!((0..HALF).all(|i| is_set(i) == differs(i)));
            }
        }
    }
}
