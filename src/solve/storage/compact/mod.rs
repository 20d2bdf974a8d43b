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

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use self::group::{GROUP, LARGEST};
use super::SpillEntry;
use super::spill::{SpillError, SpillFile};
use crate::spans;

/// Groups of a unit.
const GROUPS: usize = 512;

/// Entries of a unit.
pub(super) const UNIT: usize = GROUPS * GROUP;

/// Bytes of a unit's place in a spill file: whole pages.
const PLACE: u64 = ((GROUPS * LARGEST) as u64).next_multiple_of(4096);

/// Bytes of memory that `entries` entries in compact form take, if they are those of a
/// layer: 4.4 to 4.6 bits were seen for values of 18 to 25 seeds, less while they are
/// computed. This is an estimate and not a limit: what exceeds an allowance goes to the spill
/// file.
pub(in crate::solve) fn compact_bytes(entries: u64) -> u64 {
    entries / 8 * 5
}

/// Bytes of memory for records of compact entries that are in files.
pub(super) fn record_bytes(entries: u64) -> u64 {
    entries / GROUP as u64 * size_of::<u16>() as u64
        + entries / UNIT as u64 * size_of::<Unit>() as u64
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
}

/// A section in compact form.
pub(super) type CompactSection = Units<Vec<Unit>>;

#[derive(Clone, Default, Debug)]
pub(super) struct Unit {
    /// Bytes of each group.
    lens: Box<[u16]>,
    /// `None` if they are in the spill file. The capacity counts as memory.
    bytes: Option<Vec<u8>>,
}

/// Memory for a whole unit of `len` bytes: full pages, and enough that the allocator takes
/// them from the system (glibc does so from 128 KiB on).
fn capacity(len: usize) -> usize {
    len.max(136 << 10).next_multiple_of(4096)
}

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
        debug_assert!(is_compactable::<E>() && entries.len() == self.section_len);
        let units = (self.first_place..).zip(&mut self.units);
        let units: Vec<_> = units.zip(entries.chunks(UNIT)).collect();
        let _parallel = spans::parallel("compact");
        units.into_par_iter().with_max_len(1).try_for_each_init(
            || (vec![0; GROUP], Vec::new(), spans::task("compact")),
            |(group, packed, _), ((place, unit), entries)| {
                packed.clear();
                let lens = entries.chunks(GROUP).map(|entries| {
                    let (group, before) = (&mut group[..entries.len()], packed.len());
                    E::encode(entries, group);
                    group::pack(group, packed);
                    (packed.len() - before) as u16
                });
                unit.lens = lens.collect();
                unit.store(packed, place, space)
            },
        )
    }

    /// Moves its bytes to the spill file.
    pub fn spill(&mut self, file: &SpillFile) -> Result<(), SpillError> {
        for (place, unit) in (self.first_place..).zip(&mut self.units) {
            if let Some(bytes) = &unit.bytes {
                file.write_bytes(place * PLACE, bytes)?;
                unit.bytes = None;
            }
        }
        Ok(())
    }

    /// Bytes of memory that it takes.
    pub fn bytes_in_memory(&self) -> u64 {
        let bytes = self.units.iter().flat_map(|unit| &unit.bytes);
        let bytes: usize = bytes.map(Vec::capacity).sum();
        let lens: usize = self.units.iter().map(|unit| size_of_val(&*unit.lens)).sum();
        (bytes + lens + size_of_val(&*self.units)) as u64
    }

    /// Entries that are in the spill file.
    pub fn entries_in_file(&self) -> u64 {
        let units = (self.units.iter()).zip((0..self.section_len).step_by(UNIT));
        let in_file = units.filter(|(unit, _)| unit.bytes.is_none());
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
        let mut rest = &mut self.units[..];
        let parts = ranges(rest.len(), ends.map(|end| end / UNIT));
        parts.map(move |part| Units {
            units: rest.split_off_mut(..part.len()).expect("in the section"),
            first: part.start,
            section_len,
            first_place,
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
                let (group, rest) = packed.split_at(unit.lens[group].into());
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
        let group = number % UNIT / GROUP;
        let unit = &mut self.units.as_mut()[number / UNIT - self.first];
        let here = unit.range(group..group + 1);
        if let Some(bytes) = &mut unit.bytes
            && group::set(&mut bytes[here.clone()], group_len, number % GROUP, byte[0])
        {
            return Ok(());
        }
        let mut buffer = Vec::new();
        if unit.bytes.is_none() {
            buffer = unit
                .groups(group..group + 1, place, space.file, &mut Vec::new())?
                .to_vec();
            if group::set(&mut buffer, group_len, number % GROUP, byte[0]) {
                let offset = place * PLACE + here.start as u64;
                return space.file.write_bytes(offset, &buffer);
            }
        }
        // The group may change its length.
        let packed = unit.groups(group..group + 1, place, space.file, &mut buffer)?;
        let mut entries = vec![0; group_len];
        group::unpack(packed, group_len, 0, &mut entries);
        entries[number % GROUP] = byte[0];
        let mut packed = Vec::with_capacity(LARGEST);
        group::pack(&entries, &mut packed);
        if let Some(bytes) = &mut unit.bytes
            && bytes.len() - here.len() + packed.len() <= bytes.capacity()
        {
            unit.lens[group] = packed.len() as u16;
            bytes.splice(here, packed);
            return Ok(());
        }
        let all = unit.groups(0..unit.lens.len(), place, space.file, &mut buffer)?;
        let all = [&all[..here.start], &packed, &all[here.end..]].concat();
        unit.lens[group] = packed.len() as u16;
        unit.store(&all, place, space)
    }
}

impl Unit {
    /// Replaces the bytes: in memory, if there is room, or else in the spill file.
    fn store(&mut self, bytes: &[u8], place: u64, space: Space<'_>) -> Result<(), SpillError> {
        let is_whole = self.lens.len() == GROUPS;
        let wanted = if is_whole {
            capacity(bytes.len())
        } else {
            bytes.len()
        };
        if let Some(held) = self.bytes.as_mut().filter(|held| held.capacity() == wanted) {
            held.clear();
            held.extend_from_slice(bytes);
            return Ok(());
        }
        if let Some(before) = self.bytes.take() {
            space.allowance.give(before.capacity());
        }
        if space.allowance.take(wanted) {
            let mut held = Vec::with_capacity(wanted);
            held.extend_from_slice(bytes);
            self.bytes = Some(held);
            Ok(())
        } else {
            space.file.write_bytes(place * PLACE, bytes)
        }
    }

    /// Where the bytes of some groups are.
    fn range(&self, groups: Range<usize>) -> Range<usize> {
        let bytes = |lens: &[u16]| lens.iter().map(|&len| usize::from(len)).sum::<usize>();
        let start = bytes(&self.lens[..groups.start]);
        start..start + bytes(&self.lens[groups])
    }

    /// The bytes of some groups: in place, or read into `buffer`.
    fn groups<'a>(
        &'a self,
        groups: Range<usize>,
        place: u64,
        file: &SpillFile,
        buffer: &'a mut Vec<u8>,
    ) -> Result<&'a [u8], SpillError> {
        let range = self.range(groups);
        match &self.bytes {
            Some(bytes) => Ok(&bytes[range]),
            None => {
                buffer.resize(range.len(), 0);
                file.read_bytes(place * PLACE + range.start as u64, buffer)?;
                Ok(buffer)
            }
        }
    }
}
