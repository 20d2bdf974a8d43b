//! Making checksums match, so that altered files get past a reader's first checks.
//!
//! All functions use the numbers in the file itself as far as they are in range, so
//! they work on any bytes.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

/// Bytes of a header.
pub const HEADER: usize = 128;
/// Bytes of a directory for each block.
pub const RECORD: usize = 16;

/// The number in eight bytes of a file.
pub fn number(file: &[u8], at: usize) -> u64 {
    let bytes = file[at..at + 8].try_into();
    u64::from_le_bytes(bytes.expect("eight bytes"))
}

fn put(file: &mut [u8], at: usize, number: u64) {
    file[at..at + 8].copy_from_slice(&number.to_le_bytes());
}

/// Makes the header's checksum match.
pub fn fix_header_checksum(file: &mut [u8]) {
    if file.len() >= HEADER {
        let sum = xxh3_64(&file[..HEADER - 8]);
        put(file, HEADER - 8, sum);
    }
}

/// Makes all checksums of a file match: of the blocks, the models, the directory
/// and the header.
pub fn fix_checksums(file: &mut [u8]) {
    let Some((directory, models)) = ranges(file) else {
        fix_header_checksum(file);
        return;
    };
    let mut start = models.end;
    for record in directory.clone().step_by(RECORD) {
        let end = usize::try_from(number(file, record)).unwrap_or(usize::MAX);
        if let Some(block) = file.get(start..end) {
            let sum = xxh3_64(block);
            put(file, record + 8, sum);
        }
        start = end;
    }
    let sum = xxh3_64(&file[directory]);
    put(file, 48, sum);
    if !models.is_empty() {
        let sum = xxh3_64(&file[models]);
        put(file, 64, sum);
    }
    fix_header_checksum(file);
}

/// Makes the file's length match too: the last block ends where the file does.
pub fn fix_length_and_checksums(file: &mut [u8]) {
    if let Some((directory, _)) = ranges(file) {
        let length = file.len() as u64;
        put(file, 40, length);
        if !directory.is_empty() {
            put(file, directory.end - RECORD, length);
        }
    }
    fix_checksums(file);
}

/// Where the directory and the models are, if they are in the file.
fn ranges(file: &[u8]) -> Option<(Range<usize>, Range<usize>)> {
    if file.len() < HEADER {
        return None;
    }
    let blocks = usize::try_from(number(file, 32)).ok()?;
    let directory = blocks.checked_mul(RECORD)?.checked_add(HEADER)?;
    let models = directory.checked_add(usize::try_from(number(file, 56)).ok()?)?;
    (models <= file.len()).then_some((HEADER..directory, directory..models))
}
