//! Copies: how ranks keep the entries of a layer equal, where each has all of them.
//!
//! A rank computes its own [portion](Portion) of a section, and sends all others what has
//! changed there. What a share of a section changes is a *block* of a message: its chunk, and
//! then for each panel of a line that has changed
//!
//! ```text
//! line in the chunk, panel    u16, u16
//! count                       u8
//! rows in the panel           u8 each; none if the count is 0, which stands for all rows
//! their entries
//! ```
//!
//! The changes of a section travel while the next one but one is computed. Both sections after it
//! read the entries before them: any state between the first and the last one leads to the same
//! result (`docs/ranks.md`). So a rank that has finished a section need not wait until the others
//! have, and still knows how much it will receive: a message ends with the length of the next one.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::changes::{LineTicks, SweptArray, Tick};
use super::portion::Portion;
use crate::solve::panels::{Chunk, PANEL_HEIGHT};
use crate::solve::ranks::{Message, Ranks};
use crate::solve::storage::{Entry, SpillError};
use crate::spans;

/// Bytes before the changes of a block: the number of the chunk, and the bytes that follow.
const BLOCK: usize = 12;

/// Bytes before the rows and entries of a panel of a line.
const PANEL: usize = 5;

/// The most rows that are sent one by one. Sending all takes hardly more bytes, and less time.
const ROWS: usize = 48;

/// Memory of blocks that have been sent, to be used again: where memory is new, the system
/// first clears it, which takes longer than to write a block.
#[derive(Default)]
pub(super) struct FreeBlocks(Mutex<Vec<Message>>);

impl FreeBlocks {
    fn take(&self) -> Option<Message> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Takes the memory of blocks back.
    pub fn give(&self, blocks: Vec<Block>) {
        let mut free = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        free.extend(blocks.into_iter().map(|block| block.bytes));
    }
}

/// What a share of a section has changed.
pub(super) struct Block {
    /// The message so far, and room for more.
    bytes: Message,
    len: usize,
}

impl Block {
    /// No changes yet of a chunk.
    pub fn new(chunk: usize, free: &FreeBlocks) -> Block {
        /// What most blocks of late sweeps have.
        const BYTES: usize = 1 << 12;
        let mut bytes = free.take().unwrap_or_else(|| vec![0; BYTES]);
        bytes[..4].copy_from_slice(&(chunk as u32).to_le_bytes());
        Block { bytes, len: BLOCK }
    }

    /// Adds what has changed in a panel of a line of the chunk. What is behind the entries in
    /// `before` does not matter.
    #[inline(always)]
    pub fn push<E: Entry>(
        &mut self,
        line: usize,
        panel: usize,
        before: &[E; PANEL_HEIGHT],
        now: &[E],
    ) {
        let most = PANEL + PANEL_HEIGHT * (1 + E::BYTES);
        if self.bytes.len() < self.len + most {
            self.bytes.resize(self.len + self.len / 4 + most, 0);
        }
        let (header, rest) = self.bytes[self.len..].split_at_mut(PANEL);
        header[..2].copy_from_slice(&(line as u16).to_le_bytes());
        header[2..4].copy_from_slice(&(panel as u16).to_le_bytes());
        // Loops over as many rows as the compiler knows are much faster.
        let differing = match now.as_array() {
            Some(now) => differing_rows(before, now),
            None => {
                let mut padded = *before;
                padded[..now.len()].copy_from_slice(now);
                differing_rows(before, &padded)
            }
        };
        let count: usize = differing
            .iter()
            .map(|rows| rows.count_ones() as usize)
            .sum();
        if count > ROWS {
            header[4] = 0;
            let len = now.len() * E::BYTES;
            E::encode(now, &mut rest[..len]);
            self.len += PANEL + len;
            return;
        }
        header[4] = count as u8;
        let (rows, entries) = rest[..count * (1 + E::BYTES)].split_at_mut(count);
        let mut written = rows.iter_mut().zip(entries.chunks_exact_mut(E::BYTES));
        for (first, mut differing) in (0..).step_by(64).zip(differing) {
            // A branch for each row could not be predicted.
            for (row, entry) in (&mut written).take(differing.count_ones() as usize) {
                *row = first + differing.trailing_zeros() as u8;
                differing &= differing - 1;
                E::encode(&now[usize::from(*row)..][..1], entry);
            }
        }
        self.len += PANEL + count * (1 + E::BYTES);
    }

    /// The whole block; empty if nothing has changed.
    pub fn finish(mut self) -> Block {
        if self.len == BLOCK {
            self.len = 0;
        } else {
            self.bytes[4..BLOCK].copy_from_slice(&((self.len - BLOCK) as u64).to_le_bytes());
        }
        self
    }

    /// The block as it is sent.
    fn message(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// In which rows entries differ: bit `k` of number `j` is set if those of row `64 j + k` do.
#[inline(always)]
fn differing_rows<E: Entry>(
    before: &[E; PANEL_HEIGHT],
    now: &[E; PANEL_HEIGHT],
) -> [u64; PANEL_HEIGHT / 64] {
    let mut differ = [false; PANEL_HEIGHT];
    for (differ, (before, now)) in differ.iter_mut().zip(before.iter().zip(now)) {
        *differ = before != now;
    }
    let mut rows = [0; PANEL_HEIGHT / 64];
    for (rows, differ) in rows.iter_mut().zip(differ.as_chunks::<64>().0) {
        for (number, differ) in differ.as_chunks::<8>().0.iter().enumerate() {
            // The factor moves the lowest bit of byte `k` to bit `56 + k`, and no two bits to
            // the same place.
            let bytes = u64::from_le_bytes(differ.map(u8::from));
            *rows |= bytes.wrapping_mul(0x0102_0408_1020_4080) >> 56 << (8 * number);
        }
    }
    rows
}

/// What a block of another rank changes: some rows of a chunk of lines.
struct Changed<'a, E> {
    first_line: usize,
    lines: usize,
    first_row: usize,
    /// The lines, from that row on.
    entries: Vec<&'a mut [E]>,
    changes: &'a [u8],
}

impl<'a, E: Entry> Changed<'a, E> {
    /// The blocks in a message of a rank that has computed this portion of the section.
    fn read(mut message: &'a [u8], portion: &Portion, changed: &mut Vec<Changed<'a, E>>) {
        let size = Chunk::size(portion.lines.len());
        while let Some((&[a, b, c, d, len @ ..], rest)) = message.split_first_chunk::<BLOCK>() {
            let chunk = u32::from_le_bytes([a, b, c, d]) as usize;
            let (changes, others) = rest.split_at(u64::from_le_bytes(len) as usize);
            // Panels come in order.
            let first_panel = u16::from_le_bytes([changes[2], changes[3]]);
            let first_line = portion.lines.start + chunk * size;
            changed.push(Changed {
                first_line,
                lines: size.min(portion.lines.end - first_line),
                first_row: usize::from(first_panel) * PANEL_HEIGHT,
                entries: Vec::new(),
                changes,
            });
            message = others;
        }
    }

    /// Gives each of the blocks, which are in the order of lines and rows, the entries of the
    /// section that it changes.
    fn divide(changed: &mut [Changed<'a, E>], section: &'a mut [E], width: usize) {
        let (mut rest, mut rest_from) = (section, 0);
        for blocks in changed.chunk_by_mut(|a, b| a.first_line == b.first_line) {
            let (first, count) = (blocks[0].first_line, blocks[0].lines);
            rest = &mut std::mem::take(&mut rest)[(first - rest_from) * width..];
            let lines = rest.split_off_mut(..count * width).expect("all lines");
            rest_from = first + count;
            for mut line in lines.chunks_mut(width) {
                // From the last block to the first: each begins where the one before ends.
                for block in blocks.iter_mut().rev() {
                    let (before, entries) = line.split_at_mut(block.first_row);
                    block.entries.push(entries);
                    line = before;
                }
            }
        }
    }

    /// Writes the changes, and notes which lines they are in.
    fn write(mut self, ticks: &LineTicks, now: Tick) {
        let mut changes = self.changes;
        while let Some((&[a, b, c, d, count], rest)) = changes.split_first_chunk::<PANEL>() {
            let line = usize::from(u16::from_le_bytes([a, b]));
            let row = usize::from(u16::from_le_bytes([c, d])) * PANEL_HEIGHT;
            ticks.set(self.first_line + line, now);
            let entries = &mut self.entries[line][row - self.first_row..];
            changes = if count == 0 {
                let len = entries.len().min(PANEL_HEIGHT);
                let (bytes, rest) = rest.split_at(len * E::BYTES);
                E::decode(bytes, &mut entries[..len]);
                rest
            } else {
                let (rows, rest) = rest.split_at(count.into());
                let (bytes, rest) = rest.split_at(rows.len() * E::BYTES);
                let mut changed = [E::FILLER; ROWS];
                let changed = &mut changed[..rows.len()];
                E::decode(bytes, changed);
                for (&row, &entry) in rows.iter().zip(&*changed) {
                    entries[usize::from(row)] = entry;
                }
                rest
            };
        }
    }
}

/// What this rank has changed in a section of an array, as it is sent.
struct SectionMessage {
    array: usize,
    section: u8,
    blocks: Message,
}

/// The changes of two sections on their way to the other ranks.
pub(super) struct Copies<'a> {
    ranks: &'a dyn Ranks,
    /// What has been kept last, of which the others do not know the length.
    kept: Option<SectionMessage>,
    /// What was kept before, of which they know it.
    announced: Option<SectionMessage>,
    /// How long the others' messages are about the section that is announced.
    lens: Vec<usize>,
    /// What others have sent, and memory for messages. Both are used again.
    received: Vec<Message>,
    free: Vec<Message>,
}

/// Bytes of a length at the end of a message.
const LEN: usize = size_of::<u64>();

impl<'a> Copies<'a> {
    /// Where each of several ranks has copies.
    pub fn new(ranks: &'a dyn Ranks) -> Copies<'a> {
        Copies {
            ranks,
            kept: None,
            announced: None,
            lens: vec![0; ranks.count()],
            received: ranks.no_messages(),
            free: Vec::new(),
        }
    }

    /// Keeps what this rank has changed in a section of an array until it is sent.
    pub fn keep(&mut self, array: usize, section: u8, blocks: &[Block]) {
        let _parallel = spans::parallel("updates");
        let mut message = self.free.pop().unwrap_or_default();
        let len = blocks.iter().map(|block| block.len).sum();
        // What was there is overwritten. The length of the next message comes last.
        message.resize(len + LEN, 0);
        message.truncate(len);
        let mut rest = message.as_mut_slice();
        let mut parts = Vec::new();
        for block in blocks {
            let part = rest.split_off_mut(..block.len).expect("room for all");
            parts.push((part, block.message()));
        }
        parts.into_par_iter().for_each_init(
            || spans::task("updates"),
            |_, (to, from)| to.copy_from_slice(from),
        );
        self.kept = Some(SectionMessage {
            array,
            section,
            blocks: message,
        });
    }

    /// Does some work while the changes of the section before the last one travel, and writes
    /// them into this rank's copies afterwards. All ranks call this together.
    pub fn exchange_during<E: Entry, const N: usize>(
        &mut self,
        arrays: &mut [SweptArray<E>; N],
        now: Tick,
        work: impl FnOnce(&mut [SweptArray<E>; N]) -> Result<(), SpillError>,
    ) -> Result<(), SpillError> {
        if self.kept.is_none() && self.announced.is_none() {
            return work(arrays);
        }
        let mut sent = match &mut self.announced {
            Some(announced) => std::mem::take(&mut announced.blocks),
            None => Message::new(),
        };
        let kept_len = self.kept.as_ref().map_or(0, |kept| kept.blocks.len());
        sent.extend((kept_len as u64).to_le_bytes());
        for (received, len) in self.received.iter_mut().zip(&self.lens) {
            received.resize(len + LEN, 0);
        }
        let messages = vec![sent.as_slice(); self.ranks.count()];
        let (mut work, mut worked) = (Some(work), Ok(()));
        self.ranks
            .exchange_during(&messages, &mut self.received, &mut || {
                worked = work.take().map_or(Ok(()), |work| work(arrays));
            });
        worked?;
        for (rank, (received, len)) in self.received.iter_mut().zip(&mut self.lens).enumerate() {
            if rank != self.ranks.rank() {
                let next = received[*len..].first_chunk().expect("a length");
                let next = u64::from_le_bytes(*next) as usize;
                received.truncate(std::mem::replace(len, next));
            }
        }
        match std::mem::replace(&mut self.announced, self.kept.take()) {
            Some(SectionMessage { array, section, .. }) => {
                self.free.push(sent);
                self.write(arrays, array, section, now)
            }
            None => Ok(()),
        }
    }

    /// Sends what has not been sent, and writes what others have changed. All ranks call this
    /// together.
    pub fn finish<E: Entry, const N: usize>(
        &mut self,
        arrays: &mut [SweptArray<E>; N],
        now: Tick,
    ) -> Result<(), SpillError> {
        while self.kept.is_some() || self.announced.is_some() {
            self.exchange_during(arrays, now, |_| Ok(()))?;
        }
        Ok(())
    }

    /// Writes what the others have changed in a section into this rank's copy.
    fn write<E: Entry, const N: usize>(
        &self,
        arrays: &mut [SweptArray<E>; N],
        array: usize,
        section: u8,
        now: Tick,
    ) -> Result<(), SpillError> {
        let of_others = || {
            let messages = self.received.iter().enumerate();
            messages.filter(|(rank, message)| *rank != self.ranks.rank() && !message.is_empty())
        };
        if of_others().next().is_none() {
            return Ok(());
        }
        let swept = &mut arrays[array];
        let index = swept.array.index().clone();
        let width = index.section_width(section);
        let mut entries = swept.take_section(section, Vec::new())?;
        let mut changed = Vec::new();
        for (rank, message) in of_others() {
            let portion = Portion::of_copy(&index, section, rank, self.received.len());
            Changed::read(message, &portion, &mut changed);
        }
        changed.sort_unstable_by_key(|block| (block.first_line, block.first_row));
        Changed::divide(&mut changed, &mut entries, width);
        let parallel = spans::parallel("updates");
        let ticks = swept.line_ticks(section);
        changed.into_par_iter().with_max_len(1).for_each_init(
            || spans::task("updates"),
            |_, changed| changed.write(ticks, now),
        );
        drop(parallel);
        swept.array.put(section, entries)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::storage::{DistanceKey, Value};

    /// Blocks with any number of changes, up to all, of panels of any height, and whatever has
    /// been in the copy at other places.
    fn check_blocks<E: Entry>(entry: impl Fn(usize) -> E) {
        for (width, lines) in [
            (1, 3),
            (50, 2),
            (PANEL_HEIGHT, 1),
            (3 * PANEL_HEIGHT + 7, 2),
        ] {
            let portion = Portion::of_lines(10..10 + lines, width);
            let before: Vec<E> = (0..(11 + lines) * width).map(&entry).collect();
            for step in [1, 2, 3, 7, 40, 1000] {
                let mut now = before.clone();
                for i in (10 * width..(10 + lines) * width).step_by(step) {
                    now[i] = entry(i + 1);
                }
                // Two panels in a block.
                let mut message = Message::new();
                for first in (0..width).step_by(2 * PANEL_HEIGHT) {
                    let mut block = Block::new(0, &FreeBlocks::default());
                    for row in (first..width.min(first + 2 * PANEL_HEIGHT)).step_by(PANEL_HEIGHT) {
                        for line in 0..lines {
                            let start = (10 + line) * width;
                            let end = start + width.min(row + PANEL_HEIGHT);
                            let (before, now) = (&before[start + row..end], &now[start + row..end]);
                            if before != now {
                                let mut padded = [entry(1000); PANEL_HEIGHT];
                                padded[..before.len()].copy_from_slice(before);
                                block.push(line, row / PANEL_HEIGHT, &padded, now);
                            }
                        }
                    }
                    message.extend(block.finish().message());
                }
                let mut copy = before.clone();
                let ticks = LineTicks::new(11 + lines, 1);
                let mut changed = Vec::new();
                Changed::read(&message, &portion, &mut changed);
                Changed::divide(&mut changed, &mut copy, width);
                for changed in changed {
                    changed.write(&ticks, 3);
                }
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
        check_blocks(|i| Value::new((i * 5 % 97) as i8 - 48));
        check_blocks(|i| DistanceKey::new((i * 5 % 97) as i8 - 48, (i % 300) as u16));
        let free = FreeBlocks::default();
        assert!(Block::new(0, &free).finish().message().is_empty());
    }

    #[test]
    fn each_row_that_differs_has_its_bit() {
        let before = std::array::from_fn(|i| Value::new((i % 97) as i8 - 48));
        for step in 1..=PANEL_HEIGHT {
            for from in 0..step {
                let differs = |i: usize| i % step == from;
                let now = std::array::from_fn(|i| match differs(i) {
                    true => Value::NONE,
                    false => before[i],
                });
                let rows = differing_rows(&before, &now);
                let is_set = |i: usize| rows[i / 64] >> (i % 64) & 1 == 1;
                assert!((0..PANEL_HEIGHT).all(|i| is_set(i) == differs(i)));
            }
        }
    }
}
