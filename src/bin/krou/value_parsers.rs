//! Numbers and words on the command line: seeds, threads, boards, differences,
//! seconds, sizes of memory, codecs.

use std::time::Duration;

use krou::rules::MAX_SEEDS;
use krou::table::Codec;

/// A number of seeds, 0 to 48.
pub fn parse_seeds(text: &str) -> Result<u8, String> {
    match text.parse() {
        Ok(seeds) if seeds <= MAX_SEEDS => Ok(seeds),
        _ => Err(format!(
            "a number of seeds is a whole number from 0 to {MAX_SEEDS}"
        )),
    }
}

/// The most threads.
pub const MOST_THREADS: usize = 1024;

/// A number of threads, at least 1.
pub fn parse_threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads) if (1..=MOST_THREADS).contains(&threads) => Ok(threads),
        _ => Err(format!(
            "a number of threads is a whole number from 1 to {MOST_THREADS}"
        )),
    }
}

/// The most memory of an engine, in MiB.
pub const MOST_HASH: usize = 65_536;

/// Memory of an engine in MiB, at least 1.
pub fn parse_hash(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(mib) if (1..=MOST_HASH).contains(&mib) => Ok(mib),
        _ => Err(format!(
            "the memory of an engine is a whole number of MiB from 1 to {MOST_HASH}"
        )),
    }
}

/// The word for a codec.
pub fn parse_codec(text: &str) -> Result<Codec, String> {
    let found = Codec::ALL.into_iter().find(|codec| codec.word() == text);
    found.ok_or_else(|| "a codec is small, packed, zstd or raw".to_owned())
}

/// How many boards to sample, at least 1.
pub fn parse_sample(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(boards) if boards > 0 => Ok(boards),
        _ => Err("a number of boards is a whole number, at least 1".to_owned()),
    }
}

/// How many differences to show, at least 1.
pub fn parse_most(text: &str) -> Result<usize, String> {
    // They are kept in memory.
    const MOST: usize = 1_000_000;
    match text.parse() {
        Ok(differences) if (1..=MOST).contains(&differences) => Ok(differences),
        _ => Err(format!(
            "a number of differences is a whole number from 1 to {MOST}"
        )),
    }
}

/// A number of seconds.
pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(seconds) => Ok(Duration::from_secs(seconds)),
        Err(_) => Err("a number of seconds is a whole number".to_owned()),
    }
}

/// A size of memory in bytes: a number with K, M, G or T behind it.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => Some(0),
        "K" | "KB" | "KIB" => Some(10),
        "M" | "MB" | "MIB" => Some(20),
        "G" | "GB" | "GIB" => Some(30),
        "T" | "TB" | "TIB" => Some(40),
        _ => None,
    };
    let size = unit.and_then(|unit| digits.parse::<u64>().ok()?.checked_mul(1 << unit));
    size.ok_or_else(|| {
        "a size of memory is a whole number of bytes, or one with K, M, G or T, such as 8G"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_their_unit() {
        for (text, size) in [
            ("8G", 8 << 30),
            ("512m", 512 << 20),
            ("4096", 4096),
            ("1KiB", 1024),
        ] {
            assert_eq!(parse_size(text), Ok(size));
        }
        for text in ["", "G", "-1G", "1.5G", "8X", "99999999999T", "8 G", "ä"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_have_their_range() {
        assert_eq!(parse_seeds("48"), Ok(48));
        for text in ["49", "-1", "", "99999999999999999999", "4.5", "x"] {
            assert!(parse_seeds(text).is_err(), "{text}");
        }
        assert_eq!(parse_threads("2"), Ok(2));
        assert_eq!(parse_most("1000000"), Ok(1_000_000));
        assert!(parse_most("0").is_err() && parse_most("1000001").is_err());
        assert_eq!(parse_seconds("0"), Ok(Duration::ZERO));
        assert!(parse_seconds("-1").is_err() && parse_seconds("").is_err());
        assert!(parse_threads("0").is_err() && parse_threads("-2").is_err());
    }
}
