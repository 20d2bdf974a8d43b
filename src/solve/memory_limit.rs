//! How much memory to use: a default from the free memory of the system, and sizes that
//! users write.

mod control_group;

use std::fs;

use thiserror::Error;

/// The memory limit of programs that set none, in bytes, if the system reports free memory
/// (Linux): most of what is free on the machine, or in the control group of this process
/// if that is less. The rest is left for the page cache.
pub fn default_memory_limit() -> Option<u64> {
    let available = system_bytes("/proc/meminfo", "MemAvailable:")?;
    let available = control_group::free_memory().map_or(available, |free| free.min(available));
    Some(available / 8 * 7)
}

/// The size on the line of a system file that begins with `name`.
pub fn system_bytes(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// A text that is not a size of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the size must be a whole number of bytes, or one with K, M, G or T, such as 8G")]
#[non_exhaustive]
pub struct ParseMemoryError;

/// Reads a size of memory in bytes: a number, optionally with K, M, G or T.
///
/// ```
/// use krou::solve::parse_memory;
///
/// assert_eq!(parse_memory("8G"), Ok(8 << 30));
/// assert!(parse_memory("much").is_err());
/// ```
///
/// # Errors
/// If the text is not a size, or one of 2^64 bytes or more.
pub fn parse_memory(text: &str) -> Result<u64, ParseMemoryError> {
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
    size.ok_or(ParseMemoryError)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        for (text, size) in [
            ("8G", 8 << 30),
            ("512m", 512 << 20),
            ("4096", 4096),
            ("1KiB", 1024),
        ] {
            assert_eq!(parse_memory(text), Ok(size));
        }
        for text in ["", "G", "-1G", "1.5G", "8X", "99999999999T", "8 G", "ä"] {
            assert!(parse_memory(text).is_err(), "{text}");
        }
    }
}
