//! The header: which bytes mean what, and which are refused.
//!
//! `docs/format.md` is the normative text; a test below holds the offsets
//! here to the table there. Decoding checks in the order in which a message
//! tells the real cause: not a table, a newer one, cut short, damaged, and
//! only then a field that makes no sense.

use std::borrow::Cow;
use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use super::error::Fault;
use super::id::{Codec, Kind, TableId};
use super::numbers::{Numbered, rules_from_bytes, rules_to_bytes};
use super::packed::MAX_MODEL_BYTES;
use super::shape::{HEADER_LEN, Layout, Shape};
use crate::rules::MAX_SEEDS;

/// The newest version of the format that this library reads.
pub(super) const NEWEST: u16 = 2;

/// The version of a table with this codec: the first that has the codec, so that
/// older readers read what they can.
fn version(codec: Codec) -> u16 {
    match codec {
        Codec::Raw | Codec::Zstd => 1,
        Codec::Packed | Codec::Small => 2,
    }
}

/// As in PNG: a first byte that is not text, the name, and line ends that a
/// copy in text mode would alter.
const MAGIC_BYTES: [u8; 8] = [0x8F, b'K', b'R', b'O', b'U', 0x0D, 0x0A, 0x1A];
/// The part that survives a copy in text mode.
const NAME: &[u8] = b"KROU";

const MAGIC: Range<usize> = 0..8;
const FORMAT: Range<usize> = 8..10;
const RULES: Range<usize> = 10..16;
const SEEDS: Range<usize> = 16..17;
const KIND: Range<usize> = 17..18;
const PLANES: Range<usize> = 18..19;
const CODEC: Range<usize> = 19..20;
const BLOCK_SIZE: Range<usize> = 20..24;
const ENTRIES: Range<usize> = 24..32;
const BLOCK_COUNT: Range<usize> = 32..40;
const FILE_LENGTH: Range<usize> = 40..48;
const DIRECTORY_SUM: Range<usize> = 48..56;
const MODEL_LENGTH: Range<usize> = 56..64;
const MODEL_SUM: Range<usize> = 64..72;
const RESERVED: Range<usize> = 72..120;
const HEADER_SUM: Range<usize> = 120..128;

/// What a header says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Header {
    pub shape: Shape,
    /// Bytes in the whole file.
    pub file_length: u64,
    /// The checksum of the directory.
    pub directory_sum: u64,
    /// Bytes of the models; 0 where there are none.
    pub model_length: u64,
    /// The checksum of the models; 0 where there are none.
    pub model_sum: u64,
}

impl Header {
    pub fn encode(&self) -> [u8; HEADER_LEN] {
        let Shape { id, codec, .. } = self.shape;
        let mut bytes = [0; HEADER_LEN];
        let mut put = |field: Range<usize>, content: &[u8]| bytes[field].copy_from_slice(content);
        put(MAGIC, &MAGIC_BYTES);
        put(FORMAT, &version(codec).to_le_bytes());
        put(RULES, &rules_to_bytes(id.rules));
        put(SEEDS, &[id.seeds]);
        put(KIND, &[id.kind.number()]);
        put(PLANES, &[plane_byte(id.kind)]);
        put(CODEC, &[codec.number()]);
        put(BLOCK_SIZE, &self.shape.block_size.to_le_bytes());
        put(ENTRIES, &self.shape.entries.to_le_bytes());
        put(BLOCK_COUNT, &self.shape.block_count().to_le_bytes());
        put(FILE_LENGTH, &self.file_length.to_le_bytes());
        put(DIRECTORY_SUM, &self.directory_sum.to_le_bytes());
        put(MODEL_LENGTH, &self.model_length.to_le_bytes());
        put(MODEL_SUM, &self.model_sum.to_le_bytes());
        let sum = xxh3_64(&bytes[..HEADER_SUM.start]);
        bytes[HEADER_SUM].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// The offset in the file of the models, and of the first block.
    pub fn models(&self) -> Range<u64> {
        let start = self.shape.directory_end();
        start..start + self.model_length
    }

    /// The header of a whole file, which must also have the length that the
    /// header states.
    pub fn decode(file: &[u8], length: u64) -> Result<Header, Fault> {
        check_magic(file)?;
        check_version(file)?;
        let bytes: &[u8; HEADER_LEN] = file.first_chunk().ok_or_else(|| header_cut(file))?;
        if xxh3_64(&bytes[..HEADER_SUM.start]) != number(bytes, HEADER_SUM) {
            return Err(Fault::DamagedHeader);
        }
        let header = Header::decode_fields(bytes)?;
        let (expected, got) = (header.file_length, length);
        match got {
            _ if got < expected => Err(Fault::Truncated { expected, got }),
            _ if got > expected => Err(Fault::TooLong { expected, got }),
            _ => Ok(header),
        }
    }

    fn decode_fields(bytes: &[u8; HEADER_LEN]) -> Result<Header, Fault> {
        let rules = rules_from_bytes(std::array::from_fn(|i| bytes[RULES.start + i]))?;
        let seeds = bytes[SEEDS.start];
        if seeds > MAX_SEEDS {
            return Err(field_fault(bytes, "seeds", SEEDS, "0 to 48"));
        }
        let kind = Kind::from_number(bytes[KIND.start])?;
        must_be(bytes, "planes", PLANES, u64::from(plane_byte(kind)))?;
        let codec = Codec::from_number(bytes[CODEC.start])?;
        must_be(bytes, "version", FORMAT, u64::from(version(codec)))?;
        let sizes = Shape::block_sizes(codec);
        let block_size = u32::try_from(number(bytes, BLOCK_SIZE))
            .ok()
            .filter(|size| sizes.contains(size))
            .ok_or_else(|| {
                let expected = format!("{} to {}", sizes.start(), sizes.end());
                field_fault(bytes, "block size", BLOCK_SIZE, expected)
            })?;

        let shape = Shape::new(TableId { rules, seeds, kind }, codec, block_size);
        must_be(bytes, "entries", ENTRIES, shape.entries)?;
        must_be(bytes, "block count", BLOCK_COUNT, shape.block_count())?;
        let model_length = number(bytes, MODEL_LENGTH);
        if matches!(shape.layout, Layout::Runs(_)) {
            must_be(bytes, "model length", MODEL_LENGTH, 0)?;
            must_be(bytes, "model checksum", MODEL_SUM, 0)?;
        } else if !(1..=MAX_MODEL_BYTES).contains(&model_length) {
            let expected = format!("1 to {MAX_MODEL_BYTES}");
            return Err(field_fault(bytes, "model length", MODEL_LENGTH, expected));
        }
        let file_length = number(bytes, FILE_LENGTH);
        // Each block has at least one byte.
        let least = shape.directory_end() + model_length + shape.block_count();
        if file_length < least {
            let expected = format!("{least} or more");
            return Err(field_fault(bytes, "file length", FILE_LENGTH, expected));
        }
        if let Some(&byte) = bytes[RESERVED].iter().find(|&&byte| byte != 0) {
            return Err(Fault::Field {
                field: "reserved",
                got: u64::from(byte),
                expected: "0".into(),
            });
        }
        Ok(Header {
            shape,
            file_length,
            directory_sum: number(bytes, DIRECTORY_SUM),
            model_length,
            model_sum: number(bytes, MODEL_SUM),
        })
    }
}

fn check_magic(file: &[u8]) -> Result<(), Fault> {
    let start = &file[..file.len().min(MAGIC.end)];
    if start == MAGIC_BYTES {
        Ok(())
    } else if MAGIC_BYTES.starts_with(start) {
        Err(header_cut(file))
    } else if start.windows(NAME.len()).any(|window| window == NAME) {
        Err(Fault::Mangled)
    } else {
        Err(Fault::Foreign)
    }
}

/// Before the checksum: a later version may have another header.
fn check_version(file: &[u8]) -> Result<(), Fault> {
    let bytes = file.get(FORMAT).ok_or_else(|| header_cut(file))?;
    let version = u16::from_le_bytes([bytes[0], bytes[1]]);
    if version > NEWEST {
        return Err(Fault::Newer { version });
    }
    Ok(())
}

fn header_cut(file: &[u8]) -> Fault {
    Fault::Truncated {
        expected: HEADER_LEN as u64,
        got: file.len() as u64,
    }
}

/// Planes as the byte in the header.
fn plane_byte(kind: Kind) -> u8 {
    match kind {
        Kind::Value | Kind::Distance => 1,
        Kind::Bounds => 2,
    }
}

/// A field of one to eight bytes as a number.
fn number(bytes: &[u8; HEADER_LEN], field: Range<usize>) -> u64 {
    let mut wide = [0; 8];
    wide[..field.len()].copy_from_slice(&bytes[field]);
    u64::from_le_bytes(wide)
}

fn must_be(
    bytes: &[u8; HEADER_LEN],
    name: &'static str,
    field: Range<usize>,
    expected: u64,
) -> Result<(), Fault> {
    if number(bytes, field.clone()) == expected {
        return Ok(());
    }
    Err(field_fault(bytes, name, field, expected.to_string()))
}

fn field_fault(
    bytes: &[u8; HEADER_LEN],
    name: &'static str,
    field: Range<usize>,
    expected: impl Into<Cow<'static, str>>,
) -> Fault {
    Fault::Field {
        field: name,
        got: number(bytes, field),
        expected: expected.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = include_str!("../../docs/format.md");

    /// The offsets here and in the normative text are the same, and leave no
    /// gap.
    #[test]
    fn the_text_has_the_same_offsets() {
        let one = |place: usize| RULES.start + place..RULES.start + place + 1;
        let fields = [
            ("magic", MAGIC),
            ("version", FORMAT),
            ("family", one(0)),
            ("grand slam", one(1)),
            ("feeding", one(2)),
            ("leftovers", one(3)),
            ("endless", one(4)),
            ("store game", one(5)),
            ("seeds", SEEDS),
            ("kind", KIND),
            ("planes", PLANES),
            ("codec", CODEC),
            ("block size", BLOCK_SIZE),
            ("entries", ENTRIES),
            ("block count", BLOCK_COUNT),
            ("file length", FILE_LENGTH),
            ("directory checksum", DIRECTORY_SUM),
            ("model length", MODEL_LENGTH),
            ("model checksum", MODEL_SUM),
            ("reserved", RESERVED),
            ("header checksum", HEADER_SUM),
        ];
        let mut end = 0;
        for (name, field) in fields {
            assert_eq!(field.start, end, "{name}");
            end = field.end;
            let row = format!("| {} | {} | {name} |", field.start, field.len());
            assert!(TEXT.contains(&row), "docs/format.md has no row {row}");
        }
        assert_eq!(end, HEADER_LEN);
    }

    /// The limits here and in the normative text are the same.
    #[test]
    fn the_text_has_the_same_limits() {
        let runs = Shape::block_sizes(Codec::Raw);
        let tiles = Shape::block_sizes(Codec::Small);
        assert_eq!((*runs.start(), *tiles.start()), (1, 1));
        let (runs, tiles) = (runs.end(), tiles.end());
        for row in [
            format!("| block size | 1 to {runs}; 1 to {tiles} for codecs 2 and 3 |"),
            format!("| model length | 0 in version 1; 1 to {MAX_MODEL_BYTES} |"),
            format!("| seeds | 0 to {MAX_SEEDS} |"),
            format!("The version is not more than {NEWEST}."),
        ] {
            assert!(TEXT.contains(&row), "docs/format.md does not say {row}");
        }
        // The history tells of every version, and of no later one.
        for version in 1..=NEWEST + 1 {
            let is_told = TEXT.contains(&format!("\n| {version} | krou "));
            assert_eq!(is_told, version <= NEWEST, "version {version}");
        }
    }

    /// The numbers of all choices are those of the normative text.
    #[test]
    fn the_text_has_the_same_numbers() {
        fn listed<C: Numbered>(word: impl Fn(C) -> &'static str) {
            let row: Vec<String> = C::CHOICES
                .iter()
                .map(|&choice| format!("{} {}", choice.number(), word(choice)))
                .collect();
            let row = format!("| {} | {} |", C::FIELD, row.join(", "));
            assert!(TEXT.contains(&row), "docs/format.md has no row {row}");
        }
        use crate::rules::{Endless, Feeding, GrandSlam, Leftovers, StoreGame};
        listed(GrandSlam::word);
        listed(Feeding::word);
        listed(Leftovers::word);
        listed(Endless::word);
        listed(|game| match game {
            StoreGame::Ifmg => "ifmg",
            StoreGame::Kalah => "kalah",
            StoreGame::KalahEmpty => "kalah-empty",
        });
        listed(Kind::word);
        listed(Codec::word);
    }
}
