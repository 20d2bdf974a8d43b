//! Tables taken apart and reassembled with correct lengths and checksums, so that only
//! the content of the parts is wrong.

use crate::checksums::{HEADER, RECORD, fix_checksums, number};

/// A table in parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parts {
    /// The header. Its lengths and checksums are corrected in [`Parts::file`].
    pub header: Vec<u8>,
    /// The models' bytes.
    pub models: Vec<u8>,
    /// The stored bytes of each block.
    pub blocks: Vec<Vec<u8>>,
}

impl Parts {
    /// The parts of a sound table.
    pub fn of(file: &[u8]) -> Parts {
        let read = |at| usize::try_from(number(file, at)).unwrap();
        let (count, model_length) = (read(32), read(56));
        let directory = HEADER + RECORD * count;
        let mut start = directory + model_length;
        let blocks = (0..count).map(|block| {
            let end = read(HEADER + RECORD * block);
            file[std::mem::replace(&mut start, end)..end].to_vec()
        });
        Parts {
            header: file[..HEADER].to_vec(),
            blocks: blocks.collect(),
            models: file[directory..directory + model_length].to_vec(),
        }
    }

    /// The file that the parts form.
    pub fn file(&self) -> Vec<u8> {
        let mut file = self.header.clone();
        let mut end = HEADER + RECORD * self.blocks.len() + self.models.len();
        for block in &self.blocks {
            end += block.len();
            file.extend((end as u64).to_le_bytes());
            file.extend([0; 8]);
        }
        file.extend(&self.models);
        file.extend(self.blocks.iter().flatten());
        file[40..48].copy_from_slice(&(end as u64).to_le_bytes());
        file[56..64].copy_from_slice(&(self.models.len() as u64).to_le_bytes());
        fix_checksums(&mut file);
        file
    }

    /// The file with another block.
    pub fn with_block(&self, number: usize, block: Vec<u8>) -> Vec<u8> {
        let mut parts = self.clone();
        parts.blocks[number] = block;
        parts.file()
    }

    /// The file with other models.
    pub fn with_models(&self, models: Vec<u8>) -> Vec<u8> {
        let mut parts = self.clone();
        parts.models = models;
        parts.file()
    }
}

/// The stored bytes of each of the `count` tiles of a block.
pub fn tiles_of(block: &[u8], count: usize) -> Vec<Vec<u8>> {
    let mut rest = block;
    let lengths: Vec<usize> = (0..count).map(|_| take_length(&mut rest)).collect();
    let tiles = lengths.into_iter().map(|length| {
        let (tile, others) = rest.split_at(length);
        rest = others;
        tile.to_vec()
    });
    let tiles = tiles.collect();
    assert!(rest.is_empty());
    tiles
}

fn take_length(bytes: &mut &[u8]) -> usize {
    let (low, high) = (usize::from(bytes[0]), usize::from(bytes[1]));
    let taken = if low < 128 { 1 } else { 2 };
    *bytes = &bytes[taken..];
    if low < 128 {
        low
    } else {
        low - 128 + 128 * high
    }
}

/// The block that these tiles form.
pub fn block_of(tiles: &[Vec<u8>]) -> Vec<u8> {
    let mut block = Vec::new();
    for tile in tiles {
        match u8::try_from(tile.len()) {
            Ok(length @ ..128) => block.push(length),
            _ => {
                block.push((tile.len() % 128 + 128).to_le_bytes()[0]);
                block.push((tile.len() / 128).to_le_bytes()[0]);
            }
        }
    }
    block.extend(tiles.iter().flatten());
    block
}

/// How many tiles each block of a table has.
pub fn tile_counts(file: &[u8]) -> Vec<usize> {
    let table = krou::table::Table::from_bytes("forged", file.to_vec()).unwrap();
    let size = u64::from(u32::from_le_bytes(file[20..24].try_into().unwrap()));
    let starts = (0..table.tile_count()).step_by(usize::try_from(size).unwrap());
    let count = |start| usize::try_from(size.min(table.tile_count() - start)).unwrap();
    starts.map(count).collect()
}
