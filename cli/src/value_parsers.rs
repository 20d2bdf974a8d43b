//! Parsers for the values of options: numbers within their range, and closed sets
//! of words.

use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use krou::rules::MAX_SEEDS;
use krou::solve::parse_memory;

/// One of a closed set of values, which help and error messages list.
pub fn one_of<T: Copy + Send + Sync>(
    all: &'static [T],
    word: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let words = all.iter().map(|&value| word(value));
    PossibleValuesParser::new(words).try_map(move |text| {
        let found = all.iter().copied().find(|&value| word(value) == text);
        found.ok_or("not a possible value")
    })
}

/// A number of seeds, 0 to 48.
pub fn parse_seeds(text: &str) -> Result<u8, String> {
    match text.parse() {
        Ok(seeds) if seeds <= MAX_SEEDS => Ok(seeds),
        _ => Err(format!(
            "the number of seeds must be a whole number from 0 to {MAX_SEEDS}"
        )),
    }
}

/// Largest number of threads.
pub const MAX_THREADS: usize = 1024;

/// A number of threads, at least 1.
pub fn parse_threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads) if (1..=MAX_THREADS).contains(&threads) => Ok(threads),
        _ => Err(format!(
            "the number of threads must be a whole number from 1 to {MAX_THREADS}"
        )),
    }
}

/// Largest transposition table, in MiB.
pub const MAX_HASH: usize = 65_536;

/// The size of a transposition table in MiB, at least 1.
pub fn parse_hash(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(mib) if (1..=MAX_HASH).contains(&mib) => Ok(mib),
        _ => Err(format!(
            "the size must be a whole number of MiB from 1 to {MAX_HASH}"
        )),
    }
}

/// The most memory for tables that are loaded whole, in MiB.
pub const MAX_TABLE_MEMORY: u64 = 1 << 20;

/// The size of the memory for tables that are loaded whole, in MiB.
pub fn parse_table_memory(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(mib) if mib <= MAX_TABLE_MEMORY => Ok(mib),
        _ => Err(format!(
            "the size must be a whole number of MiB from 0 to {MAX_TABLE_MEMORY}"
        )),
    }
}

/// The same size in bytes, for the command line, which also takes units.
pub fn parse_table_memory_size(text: &str) -> Result<u64, String> {
    let bytes = match text.parse() {
        Ok(mib) => u64::checked_mul(mib, 1 << 20),
        Err(_) => parse_memory(text).ok(),
    };
    let most = MAX_TABLE_MEMORY << 20;
    bytes.filter(|&bytes| bytes <= most).ok_or_else(|| {
        "the size must be a whole number of MiB, or one with K, M, G or T, at most 1T".to_owned()
    })
}

/// A number of boards to sample, at least 1.
pub fn parse_sample(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(boards) if boards > 0 => Ok(boards),
        _ => Err("the number of boards must be a whole number, at least 1".to_owned()),
    }
}

/// A number of differences to list, at least 1.
pub fn parse_differences(text: &str) -> Result<usize, String> {
    // The differences are kept in memory.
    const MAX: usize = 1_000_000;
    match text.parse() {
        Ok(differences) if (1..=MAX).contains(&differences) => Ok(differences),
        _ => Err(format!(
            "the number of differences must be a whole number from 1 to {MAX}"
        )),
    }
}

/// A number of seconds.
pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(seconds) => Ok(Duration::from_secs(seconds)),
        Err(_) => Err("the number of seconds must be a whole number".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_range_are_rejected() {
        assert_eq!(parse_seeds("48"), Ok(48));
        for text in ["49", "-1", "", "99999999999999999999", "4.5", "x"] {
            assert!(parse_seeds(text).is_err(), "{text}");
        }
        assert_eq!(parse_threads("2"), Ok(2));
        assert_eq!(parse_differences("1000000"), Ok(1_000_000));
        assert!(parse_differences("0").is_err() && parse_differences("1000001").is_err());
        assert_eq!(parse_seconds("0"), Ok(Duration::ZERO));
        assert!(parse_seconds("-1").is_err() && parse_seconds("").is_err());
        assert!(parse_threads("0").is_err() && parse_threads("-2").is_err());
        assert_eq!(parse_table_memory("1048576"), Ok(1 << 20));
        assert!(parse_table_memory("1048577").is_err() && parse_table_memory("-1").is_err());
    }

    #[test]
    fn sizes_without_a_unit_are_in_mib() {
        for (text, bytes) in [
            ("0", 0),
            ("200", 200 << 20),
            ("200M", 200 << 20),
            ("3K", 3 << 10),
            ("1T", 1 << 40),
        ] {
            assert_eq!(parse_table_memory_size(text), Ok(bytes), "{text}");
        }
        for text in [
            "",
            "much",
            "-1",
            "1.5G",
            "1048577",
            "2T",
            "99999999999999999999",
        ] {
            assert!(parse_table_memory_size(text).is_err(), "{text}");
        }
    }
}
