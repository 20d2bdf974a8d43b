//! Packing by several processes: each encodes its share of every batch of blocks, and the
//! first one writes the table.

use std::ops::Range;

/// The processes that pack a table together, seen from one of them. All have the same
/// entries.
pub(crate) trait Packers: Sync {
    /// The number of this process. Process 0 writes the table.
    fn number(&self) -> usize;

    /// How many processes there are.
    fn count(&self) -> usize;

    /// Sends bytes to the first process; returns those of all there, by process, and nothing
    /// elsewhere. All processes call this equally often.
    fn to_first(&self, bytes: Vec<u8>) -> Vec<Vec<u8>>;
}

/// One process, which does everything.
pub(super) struct OnePacker;

impl Packers for OnePacker {
    fn number(&self) -> usize {
        0
    }

    fn count(&self) -> usize {
        1
    }

    fn to_first(&self, bytes: Vec<u8>) -> Vec<Vec<u8>> {
        vec![bytes]
    }
}

/// A packed block and its checksum.
pub(super) struct Packed {
    pub stored: Vec<u8>,
    pub sum: u64,
}

/// The blocks of a batch that this process encodes.
pub(super) fn share(packers: &dyn Packers, batch: &Range<u64>) -> Range<u64> {
    let (number, count) = (packers.number() as u64, packers.count() as u64);
    let len = batch.end - batch.start;
    batch.start + len * number / count..batch.start + len * (number + 1) / count
}

/// The packed blocks of all processes, in order, at the first one; nothing elsewhere.
pub(super) fn collect(packers: &dyn Packers, own: Vec<Packed>) -> Vec<Packed> {
    if packers.count() == 1 {
        return own;
    }
    let mut bytes = Vec::new();
    for Packed { stored, sum } in &own {
        let len = u32::try_from(stored.len()).expect("blocks are shorter");
        bytes.extend(len.to_le_bytes());
        bytes.extend(sum.to_le_bytes());
        bytes.extend(stored);
    }
    let all = packers.to_first(bytes);
    all.iter().flat_map(|bytes| blocks(bytes)).collect()
}

/// The packed blocks in the bytes of a process.
fn blocks(mut bytes: &[u8]) -> Vec<Packed> {
    let mut blocks = Vec::new();
    while let Some((&len, rest)) = bytes.split_first_chunk() {
        let (&sum, rest) = rest.split_first_chunk().expect("a checksum");
        let (stored, rest) = rest.split_at(u32::from_le_bytes(len) as usize);
        blocks.push(Packed {
            stored: stored.to_vec(),
            sum: u64::from_le_bytes(sum),
        });
        bytes = rest;
    }
    blocks
}
