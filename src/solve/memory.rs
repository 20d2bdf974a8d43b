//! How much memory to use: the limit of programs that set none, sizes that users write, and
//! what a phase of the work on a layer takes.
//!
//! An array is in anonymous memory as far as the limit reaches, otherwise in a spill file. What
//! every sweep writes comes first. Best conversions and finished layers are written once. What is
//! left is for the pool of pieces, or for the worklist.
//!
//! Estimates count what the solver allocates and must change with it. Where they rest on the
//! size of a type, that type's file asserts it at compile time.

mod control_group;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use super::array::LayerArray;
use super::entry::ArrayEntry;
use super::spill::{SpillError, Writes};
use crate::index::{LayerIndex, row};
use crate::rules::{ROW, Ruleset};
use crate::table::Kind;

/// The memory limit of programs that set none, in bytes, if the system reports free memory
/// (Linux): most of what is free on the machine, or in the control group of this process
/// if that is less.
pub fn default_memory_limit() -> Option<u64> {
    let available = system_bytes("/proc/meminfo", "MemAvailable:")?;
    let available = control_group::free_memory().map_or(available, |free| free.min(available));
    Some(available / 16 * 15)
}

/// The memory limit of this process's control group, less what is in use there, if that leaves
/// less than `asked` bytes.
pub fn less_in_control_group(asked: u64) -> Option<u64> {
    let free = control_group::free_memory()? / 16 * 15;
    (free < asked).then_some(free)
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
#[error("give a whole number of MiB, or one with B, K, M, G or T, such as 8G")]
#[non_exhaustive]
pub struct ParseMemoryError;

/// Reads a size of memory and returns it in bytes: a number of MiB, or one with B, K, M, G or
/// T.
///
/// ```
/// use krou::solve::parse_memory;
///
/// assert_eq!(parse_memory("8G"), Ok(8 << 30));
/// assert_eq!(parse_memory("200"), parse_memory("200M"));
/// assert!(parse_memory("much").is_err());
/// ```
///
/// # Errors
/// If the text is not a size, or one of 2^64 bytes or more.
pub fn parse_memory(text: &str) -> Result<u64, ParseMemoryError> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "B" => Some(0),
        "K" | "KB" | "KIB" => Some(10),
        "" | "M" | "MB" | "MIB" => Some(20),
        "G" | "GB" | "GIB" => Some(30),
        "T" | "TB" | "TIB" => Some(40),
        _ => None,
    };
    let size = unit.and_then(|unit| digits.parse::<u64>().ok()?.checked_mul(1 << unit));
    size.ok_or(ParseMemoryError)
}

/// Anonymous memory that may still be taken, and where everything else goes.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    /// Bytes; `None` without a limit.
    left: Option<u64>,
    folder: Arc<Path>,
}

impl Memory {
    /// Memory without a limit.
    pub fn unlimited() -> Memory {
        Memory {
            left: None,
            folder: Path::new(".").into(),
        }
    }

    /// At most `bytes` of anonymous memory; the rest is in files in `folder`.
    pub fn limited(bytes: u64, folder: Arc<Path>) -> Memory {
        Memory {
            left: Some(bytes),
            folder,
        }
    }

    /// Takes memory; `false` if too little is left.
    pub fn take(&mut self, bytes: u64) -> bool {
        match &mut self.left {
            None => true,
            Some(left) if *left >= bytes => {
                *left -= bytes;
                true
            }
            Some(_) => false,
        }
    }

    /// Sets memory aside for later: as much of these bytes as is left.
    pub fn set_aside(&mut self, bytes: u64) -> Memory {
        let aside = self.left.as_mut().map(|left| {
            let aside = bytes.min(*left);
            *left -= aside;
            aside
        });
        Memory {
            left: aside,
            folder: self.folder.clone(),
        }
    }

    /// Adds what was set aside and not taken.
    pub fn take_back(&mut self, aside: &Memory) {
        if let (Some(left), Some(aside)) = (&mut self.left, aside.left) {
            *left += aside;
        }
    }

    /// An array whose entries are written once, with the same entry for every board before: in
    /// anonymous memory if that is left or the system has no files, else in a spill file.
    pub fn written_once<E: ArrayEntry>(
        &mut self,
        index: &LayerIndex,
        entry: E,
    ) -> Result<LayerArray<E>, SpillError> {
        let folder = self.folder.clone();
        let [array] = self.arrays_or(index, [entry], || {
            LayerArray::spilled(index, [entry], &folder, Writes::Once)
        })?;
        Ok(array)
    }

    /// Arrays whose entries change, each with the same entry for every board: all in anonymous
    /// memory, or all in a spill file.
    pub fn arrays<E: ArrayEntry, const N: usize>(
        &mut self,
        index: &LayerIndex,
        entries: [E; N],
    ) -> Result<[LayerArray<E>; N], SpillError> {
        let folder = self.folder.clone();
        self.arrays_or(index, entries, || {
            LayerArray::spilled(index, entries, &folder, Writes::Often)
        })
    }

    /// The same, with the arrays that `spilled` makes instead of a nameless spill file; `None`
    /// where the system has no files.
    pub fn arrays_or<E: ArrayEntry, Error, const N: usize>(
        &mut self,
        index: &LayerIndex,
        entries: [E; N],
        spilled: impl FnOnce() -> Result<Option<[LayerArray<E>; N]>, Error>,
    ) -> Result<[LayerArray<E>; N], Error> {
        if !self.take_arrays::<E, N>(index)
            && let Some(spilled) = spilled()?
        {
            return Ok(spilled);
        }
        Ok(entries.map(|entry| LayerArray::new(index, entry)))
    }

    /// Takes the memory for arrays; `false` if too little is left.
    pub fn take_arrays<E: ArrayEntry, const N: usize>(&mut self, index: &LayerIndex) -> bool {
        self.take(N as u64 * index.len() * E::BYTES as u64)
    }

    /// Takes the memory of an array that is there; it goes to a file if too little is left.
    pub fn hold<E: ArrayEntry>(&mut self, array: &mut LayerArray<E>) -> Result<(), SpillError> {
        match self.take(array.bytes_in_memory()) {
            true => Ok(()),
            false => array.spill(&self.folder),
        }
    }

    /// Bytes that are left.
    pub fn left(&self) -> u64 {
        self.left.unwrap_or(u64::MAX)
    }

    /// How many boards a worklist may hold in what is left.
    pub fn worklist_capacity(&self, index: &LayerIndex) -> u64 {
        let for_list = |left: u64| left.saturating_sub(worklist_overhead(index)) / BYTES_PER_CHANGE;
        self.left.map_or(u64::MAX, for_list)
    }
}

/// The least memory, in bytes, with which the layer with `seeds` seeds can be solved for tables
/// of these kinds: what is beside arrays. Values and bounds are always solved, distances only
/// for a table of distances. With more memory, fewer arrays are in files.
pub fn memory_needed(rules: Ruleset, seeds: u8, kinds: &[Kind]) -> u64 {
    let index = LayerIndex::new(rules, seeds);
    let entry = if kinds.contains(&Kind::Distance) {
        2
    } else {
        1
    };
    phase_bytes(&index, entry) + moves_bytes(seeds)
}

/// Bytes of memory with which the layer with `seeds` seeds, and all below it, can be
/// solved for tables of these kinds with every array in anonymous memory.
pub fn memory_wanted(rules: Ruleset, seeds: u8, kinds: &[Kind]) -> u64 {
    let index = LayerIndex::new(rules, seeds);
    let quantities = if rules.has_bounds() { 3 } else { 1 };
    // Values: the values and the best conversions. Bounds: two of each beside the values.
    // Distances: what is solved, keys of two bytes, the conversions and the distances.
    let of_layer = match (kinds.contains(&Kind::Distance), quantities) {
        (true, _) => quantities + 4,
        (false, 1) => 2,
        (false, _) => 5,
    };
    let boards_below: u64 = (0..seeds).map(|n| LayerIndex::new(rules, n).len()).sum();
    let arrays = quantities * boards_below + of_layer * index.len();
    memory_needed(rules, seeds, kinds) + arrays + worklist_bytes(&index)
}

/// Bytes of disk, at the most, that solving the layer with `seeds` seeds takes beside tables where
/// no more than `limit` bytes of memory may be used: for arrays that do not fit, see
/// `docs/internals/solver.md`.
pub fn spill_needed(rules: Ruleset, seeds: u8, kinds: &[Kind], limit: u64) -> u64 {
    if memory_wanted(rules, seeds, kinds) <= limit {
        return 0;
    }
    let boards_below: u64 = (0..seeds).map(|n| LayerIndex::new(rules, n).len()).sum();
    let quantities = if rules.has_bounds() { 3 } else { 1 };
    // In eighths of a byte for each board: entries that change take a byte or, as keys of
    // distances, two, and what is written once up to 5/8, compressed.
    let (entries, keys, once) = (8, 16, 5);
    let of_layer = match (kinds.contains(&Kind::Distance), quantities) {
        (false, 1) => entries + once,
        (false, _) => 2 * (entries + once) + once,
        (true, 1) => entries + keys + 2 * once,
        (true, _) => 3 * entries + keys + 2 * once,
    };
    let boards = LayerIndex::new(rules, seeds).len();
    (quantities * once * boards_below + of_layer * boards) / 8
}

/// Bytes that a phase takes beside arrays and compiled moves: the program itself, blocks of a
/// table being packed, panels and stacks of the threads of the present pool, a copy of the
/// largest section, and lists of lines.
pub(super) fn phase_bytes(index: &LayerIndex, entry: usize) -> u64 {
    let program = (14 << 20) + rayon::current_num_threads() as u64 * (2 << 20);
    let section = (index.largest_section() * entry) as u64;
    program + section + 8 * rows(index.seeds())
}

/// Changes whose effects are computed before they are applied: few enough for the
/// effects to need little memory.
pub(super) const CHANGES_PER_BATCH: usize = 1 << 16;

/// Bytes for each board on the worklist: its change, of this round and of the next,
/// in lists that grow by half.
const BYTES_PER_CHANGE: u64 = 48;

/// Bytes of the effects of one change: it has three parents on average. An effect takes up to
/// 24 bytes, in a list with room for more, and again while it is applied.
const EFFECTS_PER_CHANGE: u64 = 200;

/// Boards for each change of a sweep that are few enough for the worklist.
pub(super) const BOARDS_PER_CHANGE: u64 = 128;

/// Bytes of a worklist that begins as soon as changes are few enough.
pub(super) fn worklist_bytes(index: &LayerIndex) -> u64 {
    worklist_overhead(index) + index.len() / BOARDS_PER_CHANGE * BYTES_PER_CHANGE
}

/// Bytes that any worklist takes: the predecessors, and the effects of a batch.
fn worklist_overhead(index: &LayerIndex) -> u64 {
    let batch = (index.len() / BOARDS_PER_CHANGE).min(CHANGES_PER_BATCH as u64);
    predecessors_bytes(index.seeds()) + EFFECTS_PER_CHANGE * batch
}

/// Bytes of a compiled move.
pub(super) const PACKED_MOVE_BYTES: usize = 4;

/// Bytes of the predecessors: each pit of each row is a move, and each row has a
/// start in the list and a count.
pub(super) fn predecessors_bytes(seeds: u8) -> u64 {
    (PACKED_MOVE_BYTES as u64 * ROW as u64 + 5) * rows(seeds)
}

/// Bytes of the moves of one row.
pub(super) const ROW_MOVES_BYTES: usize = 28;

/// Bytes of the compiled moves: those of each row, 8 bytes for its line and column,
/// and an allowance for the column maps.
pub(super) fn moves_bytes(seeds: u8) -> u64 {
    (ROW_MOVES_BYTES as u64 + 8 + 28) * rows(seeds)
}

/// All results, or the first error.
pub(super) fn all_of<T, E, const N: usize>(results: [Result<T, E>; N]) -> Result<[T; N], E> {
    let all = results.into_iter().collect::<Result<Vec<T>, E>>()?;
    Ok(all
        .try_into()
        .unwrap_or_else(|_| unreachable!("as many as results")))
}

fn rows(seeds: u8) -> u64 {
    (0..=seeds).map(|k| u64::from(row::row_count(k))).sum()
}

#[cfg(test)]
mod tests {
    use super::super::entry::Value;
    use super::*;

    #[test]
    fn sizes_have_units() {
        for (text, size) in [
            ("8G", 8 << 30),
            ("512m", 512 << 20),
            ("4096B", 4096),
            ("0", 0),
            ("200", 200 << 20),
            ("1KiB", 1024),
        ] {
            assert_eq!(parse_memory(text), Ok(size));
        }
        for text in ["", "G", "-1G", "1.5G", "8X", "99999999999T", "8 G", "ä"] {
            assert!(parse_memory(text).is_err(), "{text}");
        }
    }

    #[test]
    fn arrays_are_in_memory_as_far_as_it_reaches() {
        let index = LayerIndex::new(Ruleset::AWARI, 6);
        let mut memory = Memory::limited(5 * index.len() - 1, std::env::temp_dir().into());
        let mut aside = memory.set_aside(3 * index.len() - 1);
        let mut kept = Vec::new();
        for in_memory in [true, true, false] {
            let array = aside.written_once(&index, Value::new(2)).unwrap();
            assert_eq!(array.bytes_in_memory() > 0, in_memory);
            kept.push(array);
        }
        memory.take_back(&aside);
        for (array, in_memory) in kept.iter_mut().rev().zip([false, true, true]) {
            memory.hold(array).unwrap();
            assert_eq!(array.bytes_in_memory() > 0, in_memory);
        }
        assert_eq!(memory.left, Some(index.len() - 1));
        memory
            .hold(&mut LayerArray::new(&index, Value::new(0)))
            .unwrap();
        assert_eq!(memory.left, Some(index.len() - 1));
        let mut unlimited = Memory::unlimited();
        assert!(unlimited.take(u64::MAX) && unlimited.set_aside(5).take(u64::MAX));
        assert_eq!(unlimited.worklist_capacity(&index), u64::MAX);
    }

    #[test]
    fn more_seeds_and_distances_need_more_memory() {
        for &(_, rules) in Ruleset::NAMED {
            for seeds in 1..=12 {
                let needed = |seeds, kinds: &[Kind]| memory_needed(rules, seeds, kinds);
                let all = needed(seeds, Kind::ALL);
                assert_eq!(needed(seeds, &[Kind::Distance]), all);
                assert!(needed(seeds, &[Kind::Value, Kind::Bounds]) <= all);
                assert!(needed(seeds - 1, Kind::ALL) <= all);
                assert!(all < memory_wanted(rules, seeds, Kind::ALL));
            }
        }
    }

    #[test]
    fn arrays_beyond_memory_need_disk() {
        for &(_, rules) in Ruleset::NAMED {
            for kinds in [&[Kind::Value][..], Kind::ALL] {
                let wanted = memory_wanted(rules, 20, kinds);
                let files = |limit| spill_needed(rules, 20, kinds, limit);
                assert_eq!(files(wanted), 0);
                assert!(files(wanted - 1) > LayerIndex::new(rules, 20).len());
                assert!(files(0) < wanted);
            }
        }
    }

    #[test]
    fn the_worklist_fits_into_the_memory_that_is_left() {
        let index = LayerIndex::new(Ruleset::AWARI, 16);
        let capacity =
            |bytes| Memory::limited(bytes, Path::new(".").into()).worklist_capacity(&index);
        assert_eq!(capacity(0), 0);
        for mib in [1, 4, 16, 64] {
            let bytes = mib << 20;
            assert!(capacity(bytes) * BYTES_PER_CHANGE <= bytes);
            assert!(capacity(bytes) <= capacity(bytes << 1));
        }
        assert!(capacity(worklist_bytes(&index)) >= index.len() / BOARDS_PER_CHANGE);
    }
}
