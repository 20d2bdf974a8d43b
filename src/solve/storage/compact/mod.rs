//! Sections in compact form: about half a byte for each entry of one byte.
//!
//! A section is cut into *units* of 524,288 entries, and these into groups (`group`), which
//! can be read and changed one by one. The bytes of a unit are in memory, as long as the
//! array's [`Allowance`] lasts, or in its spill file. There each unit has a place with room
//! for the largest one. The system stores only the pages that have been written.
//!
//! Units are so large that each is a block of memory that the allocator returns to the system
//! when it is freed. Smaller ones would leave holes that no section fits into.

mod group;
#[cfg(test)]
mod tests;
mod unit;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use self::group::GROUP;
pub(super) use self::unit::{UNIT, Unit};
use super::SpillEntry;
use super::region::Region;
use super::spill::{SpillError, SpillFile};
use crate::spans;

/// Bytes of memory that `entries` entries in compact form take, if they are those of a
/// layer: 4.4 to 4.7 bits were seen for values of 18 to 26 seeds, less while they are
/// computed. This is an estimate and not a limit: what exceeds an allowance goes to the spill
/// file.
pub(in crate::solve) fn compact_bytes(entries: u64) -> u64 {
    entries / 8 * 5
}

/// Bytes of memory for records of compact entries that are in files.
pub(super) fn record_bytes(entries: u64) -> u64 {
    entries / UNIT as u64 * Unit::RECORD as u64
}

/// Whether entries have a compact form.
pub(in crate::solve) const fn is_compactable<E: SpillEntry>() -> bool {
    E::BYTES == 1
}

/// Bytes of memory that compact sections may still take.
#[derive(Debug, Default)]
pub(super) struct Allowance(AtomicU64);

impl Allowance {
    pub fn new(bytes: u64) -> Allowance {
        Allowance(AtomicU64::new(bytes))
    }

    /// Bytes that are left.
    pub fn left(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Takes bytes; `false` if too few are left.
    fn take(&self, bytes: usize) -> bool {
        let take = |left: u64| left.checked_sub(bytes as u64);
        // Only a sum, which orders nothing.
        let (set, fetch) = (Ordering::Relaxed, Ordering::Relaxed);
        self.0.fetch_update(set, fetch, take).is_ok()
    }

    fn give(&self, bytes: usize) {
        let give = |left: u64| Some(left.saturating_add(bytes as u64));
        let (set, fetch) = (Ordering::Relaxed, Ordering::Relaxed);
        let _ = self.0.fetch_update(set, fetch, give);
    }
}

/// Where compact sections of an array may be.
#[derive(Clone, Copy)]
pub(super) struct Space<'a> {
    pub allowance: &'a Allowance,
    pub file: &'a SpillFile,
}

/// Neighbouring units of a section: all of them or, in `&mut [Unit]`, some that one thread
/// changes while others change the rest.
#[derive(Debug)]
pub(super) struct Units<U> {
    units: U,
    /// The number of the first one in the section.
    first: usize,
    /// Entries of the section.
    section_len: usize,
    /// The number of the section's first place in the spill file.
    first_place: u64,
    /// Whether units that are in the spill file stay there.
    stays_in_file: bool,
}

/// A section in compact form.
pub(super) type CompactSection = Units<Vec<Unit>>;

/// Places that a section with `len` entries has in a spill file.
pub(super) fn places(len: usize) -> u64 {
    len.div_ceil(UNIT) as u64
}

impl CompactSection {
    /// Makes a section of entries, on all threads. In the spill file it has places from
    /// `first_place` on.
    pub fn new<E: SpillEntry>(
        entries: &[E],
        first_place: u64,
        space: Space<'_>,
    ) -> Result<CompactSection, SpillError> {
        let mut section = Units {
            units: vec![Unit::default(); entries.len().div_ceil(UNIT)],
            first: 0,
            section_len: entries.len(),
            first_place,
            stays_in_file: false,
        };
        section.replace(entries, space)?;
        Ok(section)
    }

    /// Replaces all entries, on all threads.
    pub fn replace<E: SpillEntry>(
        &mut self,
        entries: &[E],
        space: Space<'_>,
    ) -> Result<(), SpillError> {
        let all = Region {
            lines: 0..1,
            rows: 0..self.section_len,
        };
        self.replace_region(&all, self.section_len, entries, |_| true, space)
    }

    /// Replaces a region of the section, whose lines have `width` rows, on all threads: in those
    /// units where it differs from the old entries according to `has_changed`, which gets a range
    /// of the section.
    pub fn replace_region<E: SpillEntry>(
        &mut self,
        region: &Region,
        width: usize,
        entries: &[E],
        has_changed: impl Fn(Range<usize>) -> bool + Sync,
        space: Space<'_>,
    ) -> Result<(), SpillError> {
        debug_assert!(is_compactable::<E>());
        debug_assert_eq!(entries.len(), region.len());
        let (section_len, stays_in_file) = (self.section_len, self.stays_in_file);
        let starts = (0..section_len).step_by(UNIT);
        let numbers = starts.map(|start| start..section_len.min(start + UNIT));
        let units = numbers.zip(self.first_place..).zip(&mut self.units);
        let units: Vec<_> = units
            .filter(|((numbers, _), _)| {
                let mut pieces = region.pieces(width, numbers.clone());
                pieces.any(|(piece, _)| has_changed(piece))
            })
            .collect();
        let _parallel = spans::parallel("compact");
        let free = Mutex::new(Vec::new());
        let free = || free.lock().unwrap_or_else(PoisonError::into_inner);
        units.into_par_iter().with_max_len(1).try_for_each_init(
            || spans::task("compact"),
            |_, ((numbers, place), unit)| {
                let mut packed: Vec<u8> = free().pop().unwrap_or_default();
                let mut pieces = region.pieces(width, numbers.clone());
                // Such a unit need not be read.
                let is_new =
                    unit.is_in_file() && pieces.next().is_some_and(|(piece, _)| piece == numbers);
                let pieces = |within: Range<usize>| {
                    let of_section = numbers.start + within.start..numbers.start + within.end;
                    let pieces = region.pieces(width, of_section);
                    pieces.map(|(piece, offset)| {
                        (
                            piece.start - numbers.start,
                            &entries[offset..][..piece.len()],
                        )
                    })
                };
                packed.clear();
                let has_changed = match is_new {
                    true => {
                        unit.pack(numbers.len(), pieces, &mut packed);
                        true
                    }
                    false => unit.repack(numbers.len(), pieces, place, space.file, &mut packed)?,
                };
                if has_changed {
                    unit.store(&packed, place, space, stays_in_file)?;
                }
                free().push(packed);
                Ok(())
            },
        )
    }

    /// Moves its bytes to the spill file.
    pub fn spill(&mut self, file: &SpillFile) -> Result<(), SpillError> {
        let mut units = (self.first_place..).zip(&mut self.units);
        units.try_for_each(|(place, unit)| unit.spill(place, file))
    }

    /// Moves units to the spill file, where they stay, until `bytes` of memory may be taken.
    pub fn make_room(&mut self, bytes: u64, space: Space<'_>) -> Result<(), SpillError> {
        self.stays_in_file = true;
        for (place, unit) in (self.first_place..).zip(&mut self.units) {
            if space.allowance.left() >= bytes {
                break;
            }
            let held = unit.held();
            unit.spill(place, space.file)?;
            space.allowance.give(held);
        }
        Ok(())
    }

    /// Whether units are in the spill file and stay there.
    pub fn stays_in_file(&self) -> bool {
        self.stays_in_file
    }

    /// Bytes of memory that it takes.
    pub fn bytes_in_memory(&self) -> u64 {
        self.units.iter().map(Unit::bytes_in_memory).sum()
    }

    /// Entries that are in the spill file.
    pub fn entries_in_file(&self) -> u64 {
        let units = (self.units.iter()).zip((0..self.section_len).step_by(UNIT));
        let in_file = units.filter(|(unit, _)| unit.is_in_file());
        let entries = in_file.map(|(_, start)| UNIT.min(self.section_len - start));
        entries.sum::<usize>() as u64
    }

    /// Copies all entries, on all threads.
    pub fn read_all<E: SpillEntry>(
        &self,
        out: &mut [E],
        file: &SpillFile,
    ) -> Result<(), SpillError> {
        let _parallel = spans::parallel("unpack");
        let units = out.par_chunks_mut(UNIT).enumerate().with_max_len(1);
        units.try_for_each_init(
            || spans::task("unpack"),
            |_, (unit, out)| self.read(unit * UNIT, out, file),
        )
    }

    /// The units, in parts that end before those with the entries of these numbers, in
    /// order.
    pub fn parts(
        &mut self,
        ends: impl Iterator<Item = usize>,
    ) -> impl Iterator<Item = Units<&mut [Unit]>> {
        let (section_len, first_place) = (self.section_len, self.first_place);
        let stays_in_file = self.stays_in_file;
        let mut rest = &mut self.units[..];
        let parts = ranges(rest.len(), ends.map(|end| end / UNIT));
        parts.map(move |part| Units {
            units: rest.split_off_mut(..part.len()).expect("in the section"),
            first: part.start,
            section_len,
            first_place,
            stays_in_file,
        })
    }
}

/// What lies between these ends within `0..len`, in order and not empty.
pub(super) fn ranges(
    len: usize,
    ends: impl Iterator<Item = usize>,
) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    let ranges = ends
        .chain([len])
        .map(move |end| std::mem::replace(&mut start, end)..end);
    ranges.filter(|range| !range.is_empty())
}

impl<U: AsRef<[Unit]>> Units<U> {
    /// The numbers of the entries in the section.
    pub fn numbers(&self) -> Range<usize> {
        let end = (self.first + self.units.as_ref().len()) * UNIT;
        self.first * UNIT..end.min(self.section_len)
    }

    /// Fills `out` with the entries from number `from` of the section on.
    pub fn read<E: SpillEntry>(
        &self,
        mut from: usize,
        mut out: &mut [E],
        file: &SpillFile,
    ) -> Result<(), SpillError> {
        let mut bytes = [0; GROUP];
        let mut buffer = Vec::new();
        while !out.is_empty() {
            let start = from % UNIT;
            let here = out.len().min(UNIT - start);
            let groups = start / GROUP..(start + here).div_ceil(GROUP);
            let (unit, place) = self.unit(from);
            let mut packed = unit.groups(groups.clone(), place, file, &mut buffer)?;
            for group in groups {
                let skipped = from % GROUP;
                let here = out.len().min(GROUP - skipped);
                let (group, rest) = packed.split_at(unit.len_of(group));
                group::unpack(group, self.group_len(from), skipped, &mut bytes[..here]);
                let (now, later) = out.split_at_mut(here);
                E::decode(&bytes[..here], now);
                (from, out, packed) = (from + here, later, rest);
            }
        }
        Ok(())
    }

    /// Entry number `number` of the section.
    pub fn get<E: SpillEntry>(&self, number: usize, file: &SpillFile) -> Result<E, SpillError> {
        let mut entry = [E::FILLER];
        self.read(number, &mut entry, file)?;
        Ok(entry[0])
    }

    /// The unit of an entry, and its place.
    fn unit(&self, number: usize) -> (&Unit, u64) {
        let unit = number / UNIT;
        let place = self.first_place + unit as u64;
        (&self.units.as_ref()[unit - self.first], place)
    }

    /// Entries of the group of an entry.
    fn group_len(&self, number: usize) -> usize {
        GROUP.min(self.section_len - number / GROUP * GROUP)
    }
}

impl<U: AsRef<[Unit]> + AsMut<[Unit]>> Units<U> {
    /// Sets entry number `number` of the section.
    pub fn set<E: SpillEntry>(
        &mut self,
        number: usize,
        entry: E,
        space: Space<'_>,
    ) -> Result<(), SpillError> {
        let mut byte = [0];
        E::encode(&[entry], &mut byte);
        let (_, place) = self.unit(number);
        let group_len = self.group_len(number);
        let stays_in_file = self.stays_in_file;
        let unit = &mut self.units.as_mut()[number / UNIT - self.first];
        let at = number % UNIT;
        let at = (at / GROUP, group_len, at % GROUP);
        unit.set(at, byte[0], place, space, stays_in_file)
    }
}
