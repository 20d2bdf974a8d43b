//! Headers and directory records as bytes, for the writer.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use super::ids::{Numbered, OWARE, STORES};
use super::{
    BLOCK_COUNT, BLOCK_SIZE, BlockRecord, CODEC, DIRECTORY_SUM, ENTRIES, FILE_LENGTH, FORMAT,
    HEADER_LEN, HEADER_SUM, Header, KIND, Layout, MAGIC, MAGIC_BYTES, MODEL_LENGTH, MODEL_SUM,
    PLANES, RECORD_LEN, RULES, SEEDS,
};
use crate::rules::Ruleset;
use crate::table::id::TableId;

impl Header {
    /// The bytes of the header.
    pub fn encode(&self) -> [u8; HEADER_LEN] {
        let Layout { id, codec, .. } = self.layout;
        let mut bytes = [0; HEADER_LEN];
        let mut put = |field: Range<usize>, content: &[u8]| bytes[field].copy_from_slice(content);
        put(MAGIC, &MAGIC_BYTES);
        put(FORMAT, &codec.version().to_le_bytes());
        put(RULES, &rules_to_bytes(id.rules));
        put(SEEDS, &[id.seeds]);
        put(KIND, &[id.kind.number()]);
        put(PLANES, &id.kind.planes().to_le_bytes()[..1]);
        put(CODEC, &[codec.number()]);
        put(BLOCK_SIZE, &self.layout.block_size.to_le_bytes());
        put(ENTRIES, &self.layout.entries.to_le_bytes());
        put(BLOCK_COUNT, &self.layout.blocks.block_count().to_le_bytes());
        put(FILE_LENGTH, &self.file_length.to_le_bytes());
        put(DIRECTORY_SUM, &self.directory_sum.to_le_bytes());
        put(MODEL_LENGTH, &self.model_length.to_le_bytes());
        put(MODEL_SUM, &self.model_sum.to_le_bytes());
        let sum = xxh3_64(&bytes[..HEADER_SUM.start]);
        bytes[HEADER_SUM].copy_from_slice(&sum.to_le_bytes());
        bytes
    }
}

impl BlockRecord {
    /// The bytes of the record.
    pub fn encode(self) -> [u8; RECORD_LEN] {
        let mut bytes = [0; RECORD_LEN];
        bytes[..8].copy_from_slice(&self.end.to_le_bytes());
        bytes[8..].copy_from_slice(&self.sum.to_le_bytes());
        bytes
    }
}

/// The six rule bytes: family, grand slam, feeding, leftovers, endless play and store
/// game.
pub(super) fn rules_to_bytes(rules: Ruleset) -> [u8; 6] {
    match rules {
        Ruleset::Oware(choices) => [
            OWARE,
            choices.grand_slam.number(),
            choices.feeding.number(),
            choices.leftovers.number(),
            choices.endless.number(),
            0,
        ],
        Ruleset::Stores(game) => [STORES, 0, 0, 0, 0, game.number()],
    }
}

/// The bytes of a header that identify the table: rules, seeds and kind.
pub(crate) fn id_to_bytes(id: TableId) -> [u8; 8] {
    let [a, b, c, d, e, f] = rules_to_bytes(id.rules);
    [a, b, c, d, e, f, id.seeds, id.kind.number()]
}

#[cfg(test)]
mod tests {
    use super::super::ids::rules_from_bytes;
    use super::*;

    /// Every ruleset is read back, and other six bytes are refused.
    #[test]
    fn rule_bytes_and_rulesets_are_one_to_one() {
        let mut taken: Vec<[u8; 6]> = Vec::new();
        for rules in Ruleset::all() {
            let bytes = rules_to_bytes(rules);
            assert_eq!(rules_from_bytes(bytes).unwrap(), rules);
            taken.push(bytes);
        }
        let mut accepted = 0;
        for code in 0..6_u32.pow(6) {
            let bytes = std::array::from_fn(|place| {
                u8::try_from(code / 6_u32.pow(u32::try_from(place).unwrap()) % 6).unwrap()
            });
            let read = rules_from_bytes(bytes);
            assert_eq!(read.is_ok(), taken.contains(&bytes), "{bytes:?}");
            accepted += usize::from(read.is_ok());
        }
        assert_eq!(accepted, taken.len());
    }
}
