//! Boards and entries in the messages of the worklist.

use crate::solve::ranks::Message;
use crate::solve::storage::Entry;

/// A board in a message: section, line and rank.
pub(super) const BOARD: usize = 9;

pub(super) fn push_board(message: &mut Message, (section, line, rank): (u8, u32, u32)) {
    message.push(section);
    message.extend(line.to_le_bytes());
    message.extend(rank.to_le_bytes());
}

pub(super) fn read_board(bytes: &[u8; BOARD]) -> (u8, u32, u32) {
    let [section, line @ .., a, b, c, d] = *bytes;
    (
        section,
        u32::from_le_bytes(line),
        u32::from_le_bytes([a, b, c, d]),
    )
}

/// Entries at the end of `message`.
pub(super) fn push_entries<E: Entry>(message: &mut Message, entries: &[E]) {
    let start = message.len();
    message.resize(start + entries.len() * E::BYTES, 0);
    E::encode(entries, &mut message[start..]);
}

pub(super) fn read_entries<E: Entry, const N: usize>(bytes: &[u8]) -> [E; N] {
    let mut entries = [E::FILLER; N];
    E::decode(bytes, &mut entries);
    entries
}
