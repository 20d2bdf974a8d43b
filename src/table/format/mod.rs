//! The format of a file: header, directory, and where blocks begin.
//!
//! - `layout`: where the parts of a file are, and the directory's records;
//! - `ids`: the numbers that stand for choices in a header;
//! - here: the meaning of the header's bytes, and which are refused;
//! - `encode`: headers and records as bytes.
//!
//! `docs/format.md` is the normative text; tests below hold the numbers here to its
//! tables. Decoding checks in the order that makes a message name the real cause: not
//! a table, a newer version, cut short, damaged, and only then a field that is not
//! allowed.

mod encode;
mod ids;
mod layout;

use std::borrow::Cow;
use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

pub(crate) use self::encode::id_to_bytes;
use self::ids::{Numbered, rules_from_bytes};
pub(crate) use self::layout::HEADER_LEN;
pub(super) use self::layout::{BlockRecord, Layout, RECORD_LEN};
use super::codec::Codec;
use super::error::Fault;
use super::id::{Kind, TableId};
use crate::rules::MAX_SEEDS;

/// The newest version of the format that this library reads.
const NEWEST: u16 = 2;

/// As in PNG: a first byte that is not text, the name, and line ends that a copy in
/// text mode alters.
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
    pub layout: Layout,
    /// Bytes of the whole file.
    pub file_length: u64,
    /// The checksum of the directory.
    pub directory_sum: u64,
    /// Bytes of the models; 0 if there are none.
    pub model_length: u64,
    /// The checksum of the models; 0 if there are none.
    pub model_sum: u64,
}

impl Header {
    /// Where the models are in the file. The first block follows them.
    pub fn models(&self) -> Range<u64> {
        let start = self.layout.directory_end();
        start..start + self.model_length
    }

    /// The header of a file with these first bytes and this length.
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
        must_be(bytes, "planes", PLANES, kind.planes() as u64)?;
        let codec = Codec::from_number(bytes[CODEC.start])?;
        must_be(bytes, "version", FORMAT, u64::from(codec.version()))?;
        let sizes = codec.block_sizes();
        let block_size = u32::try_from(number(bytes, BLOCK_SIZE))
            .ok()
            .filter(|size| sizes.contains(size))
            .ok_or_else(|| {
                let expected = format!("{} to {}", sizes.start(), sizes.end());
                field_fault(bytes, "block size", BLOCK_SIZE, expected)
            })?;

        let layout = Layout::new(TableId { rules, seeds, kind }, codec, block_size);
        let block_count = layout.blocks.block_count();
        must_be(bytes, "entries", ENTRIES, layout.entries)?;
        must_be(bytes, "block count", BLOCK_COUNT, block_count)?;
        let model_length = number(bytes, MODEL_LENGTH);
        let lengths = codec.model_lengths();
        if *lengths.end() == 0 {
            must_be(bytes, "model length", MODEL_LENGTH, 0)?;
            must_be(bytes, "model checksum", MODEL_SUM, 0)?;
        } else if !lengths.contains(&model_length) {
            let expected = format!("{} to {}", lengths.start(), lengths.end());
            return Err(field_fault(bytes, "model length", MODEL_LENGTH, expected));
        }
        let file_length = number(bytes, FILE_LENGTH);
        // Each block has at least one byte.
        let start = layout.directory_end() + model_length;
        let (least, most) = (start + block_count, start.saturating_add(layout.longest()));
        if !(least..=most).contains(&file_length) {
            let expected = format!("{least} to {most}");
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
            layout,
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
        Err(Fault::TextModeCopy)
    } else {
        Err(Fault::NotATable)
    }
}

/// Before the checksum: a later version may have another header.
fn check_version(file: &[u8]) -> Result<(), Fault> {
    let bytes = file.get(FORMAT).ok_or_else(|| header_cut(file))?;
    let version = u16::from_le_bytes([bytes[0], bytes[1]]);
    if version > NEWEST {
        return Err(Fault::Newer {
            version,
            newest: NEWEST,
        });
    }
    Ok(())
}

fn header_cut(file: &[u8]) -> Fault {
    Fault::Truncated {
        expected: HEADER_LEN as u64,
        got: file.len() as u64,
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

    const TEXT: &str = include_str!("../../../docs/format.md");

    /// Offsets are those of the normative text, without gaps.
    #[test]
    fn offsets_match_the_text() {
        let one = |at: usize| RULES.start + at..RULES.start + at + 1;
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

    #[test]
    fn limits_match_the_text() {
        let flat = Codec::Raw.block_sizes();
        let tiled = Codec::Small.block_sizes();
        assert_eq!((*flat.start(), *tiled.start()), (1, 1));
        let (flat, tiled) = (flat.end(), tiled.end());
        let max_models = *Codec::Small.model_lengths().end();
        for row in [
            format!("| block size | 1 to {flat}; 1 to {tiled} for codecs 2 and 3 |"),
            format!("| model length | 0 in version 1; 1 to {max_models} |"),
            format!("| seeds | 0 to {MAX_SEEDS} |"),
            format!("The version is not more than {NEWEST}."),
        ] {
            assert!(TEXT.contains(&row), "docs/format.md does not say {row}");
        }
        // The history lists every version, and no later one.
        for version in 1..=NEWEST + 1 {
            let is_listed = TEXT.contains(&format!("\n| {version} | krou "));
            assert_eq!(is_listed, version <= NEWEST, "version {version}");
        }
    }

    #[test]
    fn numbers_of_choices_match_the_text() {
        fn listed<C: Numbered>(word: impl Fn(C) -> &'static str) {
            let row: Vec<String> = C::CHOICES
                .iter()
                .map(|&choice| format!("{} {}", choice.number(), word(choice)))
                .collect();
            let row = format!("| {} | {} |", C::FIELD, row.join(", "));
            assert!(TEXT.contains(&row), "docs/format.md has no row {row}");
        }
        use crate::rules::{Endless, Feeding, GrandSlam, Leftovers, StoreGame};
        listed(GrandSlam::as_str);
        listed(Feeding::as_str);
        listed(Leftovers::as_str);
        listed(Endless::as_str);
        listed(StoreGame::as_str);
        listed(Kind::as_str);
        listed(Codec::as_str);
    }
}
