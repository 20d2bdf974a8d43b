//! What several ranks tell one another while they propagate a layer. Each has a copy of the
//! whole layer. Nothing else in `propagate` knows whether there are others.
//!
//! - A rank sweeps its share of a section and sends the others what has changed there, so that
//!   all copies are equal after each section, whatever the number of ranks.
//! - A rank finds the effects of its share of the worklist and sends them to the others, so that
//!   all have the effects of the whole.
//!
//! A message about a section consists of parts, one for each panel of a line with changes:
//!
//! ```text
//! line            u32
//! first row       u32
//! changed rows    u128: bit k is set if the entry of row `first row + k` has changed
//! their entries
//! ```
//!
//! A message of effects consists of effects: section (u8), line, rank (u32), and two entries,
//! before and after.

use std::ops::Range;

use super::changes::{Change, LineTicks, Recorder, SectionChanges, Tick};
use super::effects::{Effect, Effects};
use crate::solve::array::LayerArray;
use crate::solve::entry::Entry;
use crate::solve::panel::PANEL_HEIGHT;
use crate::solve::ranks::{Message, Ranks};

/// The other ranks.
pub(super) struct Exchange<'a> {
    pub ranks: &'a dyn Ranks,
}

/// A section that a rank has swept.
pub(super) struct SweptSection<'a, E> {
    pub section: u8,
    /// The entries, and how many a line has.
    pub entries: &'a mut [E],
    pub width: usize,
    pub line_ticks: &'a LineTicks,
    pub now: Tick,
    pub recorder: Option<&'a Recorder>,
}

impl Exchange<'_> {
    /// Whether there are others.
    pub fn is_shared(&self) -> bool {
        !self.ranks.is_alone()
    }

    /// This rank's share of a range: all ranks have about the same number.
    fn share(&self, len: usize) -> Range<usize> {
        let start = |rank: usize| len * rank / self.ranks.count();
        start(self.ranks.rank())..start(self.ranks.rank() + 1)
    }

    /// What this rank computes of the panels that are due in a section: some of them in all
    /// lines or, if they are few, all of them in some lines.
    pub fn share_of_section<'p>(
        &self,
        panels: &'p [usize],
        lines: usize,
    ) -> (&'p [usize], Range<usize>) {
        /// Panels for each rank with which all have about as much to do.
        const PANELS: usize = 8;
        match panels.len() >= PANELS * self.ranks.count() {
            true => (&panels[self.share(panels.len())], 0..lines),
            false => (panels, self.share(lines)),
        }
    }

    /// Tells the other ranks what this one has changed in a section, and writes what they have
    /// changed. All ranks call this together.
    pub fn section_done<E: Entry>(
        &self,
        mut swept: SweptSection<'_, E>,
        mut changes: SectionChanges<E>,
    ) -> SectionChanges<E> {
        if !self.is_shared() {
            return changes;
        }
        // The changes are recorded in the order of the ranks, so that all have the same list.
        let mut recorded = Vec::new();
        let messages = self.ranks.all(std::mem::take(&mut changes.message));
        for (rank, message) in messages.iter().enumerate() {
            match rank == self.ranks.rank() {
                true => recorded.append(&mut changes.recorded),
                false => changes.count += swept.write(message, &mut recorded),
            }
        }
        changes.recorded = recorded;
        changes
    }

    /// This rank's share of a batch of changes, which is in lists.
    pub fn share_of_batch<'c, E>(&self, batch: Vec<&'c [Change<E>]>) -> Vec<&'c [Change<E>]> {
        if !self.is_shared() {
            return batch;
        }
        let share = self.share(batch.iter().map(|list| list.len()).sum());
        let mut before = 0;
        let parts = batch.into_iter().map(|list| {
            let within = |at: usize| at.saturating_sub(before).min(list.len());
            let part = &list[within(share.start)..within(share.end)];
            before += list.len();
            part
        });
        parts.filter(|part| !part.is_empty()).collect()
    }

    /// The effects that all ranks have found, for each of them. All ranks call this together.
    pub fn effects_of_all<E: Entry>(
        &self,
        mut effects: Effects<E>,
        parents: &LayerArray<E>,
    ) -> Effects<E> {
        if !self.is_shared() {
            return effects;
        }
        let mut message = Message::new();
        let mut own: Vec<_> = effects.0.concat();
        own.sort_unstable_by_key(|effect| effect.number);
        for effect in &own {
            let (section, line, rank) = effect.board(parents.index());
            message.push(section);
            message.extend(line.to_le_bytes());
            message.extend(rank.to_le_bytes());
            push_entries(&mut message, &[effect.before, effect.after]);
        }
        effects.0 = vec![own];
        for (rank, message) in self.ranks.all(message).iter().enumerate() {
            if rank != self.ranks.rank() {
                let list = message.chunks_exact(BOARD + 2 * E::BYTES);
                let list = list.map(|effect| read_effect(effect, parents));
                effects.0.push(list.collect());
            }
        }
        effects
    }
}

impl<E: Entry> SweptSection<'_, E> {
    /// Writes what another rank has changed, and records it; returns how many entries that is.
    fn write(&mut self, mut message: &[u8], recorded: &mut Vec<Change<E>>) -> u64 {
        let mut count = 0;
        while let Some((header, rest)) = message.split_first_chunk::<PART>() {
            let (line, rank, mut rows) = read_header(header);
            let changed = rows.count_ones() as usize;
            let (entries, others) = rest.split_at(changed * E::BYTES);
            message = others;
            count += changed as u64;
            let is_recorded = self.recorder.is_some_and(|recorder| {
                recorder.add(changed);
                !recorder.has_overflowed()
            });
            self.line_ticks.set(line as usize, self.now);
            let start = line as usize * self.width + rank as usize;
            for bytes in entries.chunks_exact(E::BYTES) {
                let row = rows.trailing_zeros();
                rows &= rows - 1;
                let entry = &mut self.entries[start + row as usize];
                let before = *entry;
                E::decode(bytes, std::slice::from_mut(entry));
                if is_recorded {
                    recorded.push(Change {
                        section: self.section,
                        line,
                        rank: rank + row,
                        before,
                        after: *entry,
                    });
                }
            }
        }
        count
    }
}

/// Bytes of a part of a message about a section, without its entries.
const PART: usize = 4 + 4 + PANEL_HEIGHT / 8;

/// Bytes of a board in a message of effects.
const BOARD: usize = 1 + 4 + 4;

/// Adds what has changed in a panel of a line, from the board at this line and rank on. Entries
/// of `before` past `now.len()` are ignored.
pub(super) fn push_changes<E: Entry>(
    message: &mut Message,
    (line, rank): (u32, u32),
    before: &[E; PANEL_HEIGHT],
    now: &[E],
) {
    let mut rows = 0_u128;
    for (row, (before, now)) in before.iter().zip(now).enumerate() {
        rows |= u128::from(before != now) << row;
    }
    message.extend(line.to_le_bytes());
    message.extend(rank.to_le_bytes());
    message.extend(rows.to_le_bytes());
    while rows != 0 {
        let row = rows.trailing_zeros() as usize;
        rows &= rows - 1;
        push_entries(message, &now[row..=row]);
    }
}

fn push_entries<E: Entry>(message: &mut Message, entries: &[E]) {
    let start = message.len();
    message.resize(start + entries.len() * E::BYTES, 0);
    E::encode(entries, &mut message[start..]);
}

/// Line, first row and changed rows.
fn read_header(header: &[u8; PART]) -> (u32, u32, u128) {
    let [a, b, c, d, e, f, g, h, rows @ ..] = *header;
    let line = u32::from_le_bytes([a, b, c, d]);
    let rank = u32::from_le_bytes([e, f, g, h]);
    (line, rank, u128::from_le_bytes(rows))
}

fn read_effect<E: Entry>(bytes: &[u8], parents: &LayerArray<E>) -> Effect<E> {
    let (&[section, a, b, c, d, rank @ ..], entries) =
        bytes.split_first_chunk::<BOARD>().expect("a board");
    let board = (
        section,
        u32::from_le_bytes([a, b, c, d]),
        u32::from_le_bytes(rank),
    );
    let mut both = [E::NONE; 2];
    E::decode(entries, &mut both);
    let [before, after] = both;
    Effect::new(parents, board, before, after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::LayerIndex;
    use crate::rules::Ruleset;
    use crate::solve::entry::{DistanceKey, Value};
    use crate::solve::ranks::ThreadRanks;

    /// Any number of changes, up to all, in panels of any height.
    fn check_changes<E: Entry>(entry: impl Fn(usize) -> E) {
        let recorder = Recorder::new(u64::MAX);
        for (width, lines) in [
            (1, 3),
            (50, 2),
            (PANEL_HEIGHT, 1),
            (3 * PANEL_HEIGHT + 7, 2),
        ] {
            let before: Vec<E> = (0..lines * width).map(&entry).collect();
            for step in [1, 2, 3, 7, 40, 1000] {
                let mut now = before.clone();
                let mut message = Message::new();
                let mut right = Vec::new();
                for number in (0..lines * width).step_by(step) {
                    now[number] = entry(number + 1);
                    let (line, rank) = ((number / width) as u32, (number % width) as u32);
                    right.push((line, rank, before[number]));
                }
                for line in 0..lines {
                    for row in (0..width).step_by(PANEL_HEIGHT) {
                        let rows = line * width + row..line * width + width.min(row + PANEL_HEIGHT);
                        let mut padded = [entry(1000); PANEL_HEIGHT];
                        padded[..rows.len()].copy_from_slice(&before[rows.clone()]);
                        if before[rows.clone()] != now[rows.clone()] {
                            let board = (line as u32, row as u32);
                            push_changes(&mut message, board, &padded, &now[rows]);
                        }
                    }
                }
                let (mut copy, mut recorded) = (before.clone(), Vec::new());
                let line_ticks = LineTicks::new(lines, 1);
                let mut swept = SweptSection {
                    section: 5,
                    entries: &mut copy,
                    width,
                    line_ticks: &line_ticks,
                    now: 3,
                    recorder: Some(&recorder),
                };
                let count = swept.write(&message, &mut recorded);
                assert!(copy == now && count == right.len() as u64);
                let recorded = recorded.iter().map(|c| (c.line, c.rank, c.before));
                assert!(recorded.eq(right.iter().copied()), "{width}, {step}");
                for line in 0..lines {
                    let has_changed = right.iter().any(|(changed, ..)| *changed == line as u32);
                    assert_eq!(line_ticks.get(line) == 3, has_changed);
                }
            }
        }
    }

    #[test]
    fn what_has_changed_is_written_into_copies() {
        let value = |i: usize| (i * 5 % 97) as i8 - 48;
        check_changes(|i| Value::new(value(i)));
        check_changes(|i| DistanceKey::new(value(i), (i % 300) as u16));
    }

    #[test]
    fn ranks_share_sections_and_batches() {
        let panels: Vec<usize> = (0..29).map(|panel| panel * PANEL_HEIGHT).collect();
        let changes = [0..3, 3..3, 3..11, 11..12, 12..20].map(|ranks| {
            let change = |rank| Change {
                section: 1,
                line: 2,
                rank,
                before: Value::NONE,
                after: Value::NONE,
            };
            ranks.map(change).collect::<Vec<_>>()
        });
        for count in 1..=5 {
            let (mut boards, mut all) = (Vec::new(), Vec::new());
            for ranks in &ThreadRanks::new(count) {
                let exchange = Exchange { ranks };
                let (panels, lines) = exchange.share_of_section(&panels, 50);
                boards.extend(
                    panels
                        .iter()
                        .flat_map(|p| lines.clone().map(move |l| (*p, l))),
                );
                let batch = changes.iter().map(Vec::as_slice).collect();
                all.extend(exchange.share_of_batch(batch).concat());
            }
            boards.sort_unstable();
            let right = panels.iter().flat_map(|p| (0..50).map(move |l| (*p, l)));
            assert!(boards.into_iter().eq(right), "{count} ranks");
            assert_eq!(all, changes.concat());
        }
    }

    #[test]
    fn effects_reach_all_ranks() {
        let index = LayerIndex::new(Ruleset::AWARI, 5);
        let parents = LayerArray::new(&index, DistanceKey::new(1, 3));
        std::thread::scope(|scope| {
            for ranks in ThreadRanks::new(3) {
                let parents = &parents;
                scope.spawn(move || {
                    let own = ranks.rank() as u32;
                    let effect = |rank: u32| {
                        let after = DistanceKey::new(2, rank as u16);
                        Effect::new(parents, (1, 2, rank), DistanceKey::new(1, 3), after)
                    };
                    let lists = vec![vec![effect(2 * own)], vec![effect(2 * own + 1)]];
                    let exchange = Exchange { ranks: &ranks };
                    let mut found = exchange.effects_of_all(Effects(lists), parents).0.concat();
                    found.sort_unstable_by_key(|effect| effect.number);
                    let parts = |e: &Effect<DistanceKey>| (e.number, e.before, e.after);
                    let right = (0..6).map(|rank| parts(&effect(rank)));
                    assert!(found.iter().map(parts).eq(right));
                });
            }
        });
    }
}
