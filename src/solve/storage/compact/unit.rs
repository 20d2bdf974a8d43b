//! Units of compact sections: the bytes of their groups, in memory or in a spill file.

use std::ops::Range;

use super::Space;
use super::group::{self, GROUP, LARGEST};
use crate::solve::storage::spill::{SpillEntry, SpillError, SpillFile};

/// Groups of a unit.
const GROUPS: usize = 2048;

/// Entries of a unit.
pub(in crate::solve::storage) const UNIT: usize = GROUPS * GROUP;

/// Bytes of a unit's place in a spill file: whole pages.
pub(super) const PLACE: u64 = ((GROUPS * LARGEST) as u64).next_multiple_of(4096);

/// Groups of a *run*. To find a group, the lengths of a part of its run are added up.
const RUN: usize = 64;

#[derive(Clone, Default, Debug)]
pub(in crate::solve::storage) struct Unit {
    /// Bytes of each group.
    lens: Box<[u16]>,
    /// Where the bytes of each run begin.
    runs: Box<[u32]>,
    /// `None` if they are in the spill file. The capacity counts as memory.
    bytes: Option<Vec<u8>>,
}

/// Memory for a whole unit of `len` bytes: full pages, and enough that the allocator takes
/// them from the system (glibc does so from 128 KiB on).
fn capacity(len: usize) -> usize {
    len.max(136 << 10).next_multiple_of(4096)
}

/// Why the bytes of all groups suffice for each.
const OF_ALL_GROUPS: &str = "the bytes of all groups";

/// The groups of `len` entries, as ranges of these.
fn groups_of(len: usize) -> impl Iterator<Item = Range<usize>> {
    let starts = (0..len).step_by(GROUP);
    starts.map(move |start| start..len.min(start + GROUP))
}

/// Encodes pieces of a group that begins with entry number `start`.
fn encode<'e, E: SpillEntry>(
    start: usize,
    pieces: impl Iterator<Item = (usize, &'e [E])>,
    group: &mut [u8; GROUP],
) {
    for (number, piece) in pieces {
        E::encode(piece, &mut group[number - start..][..piece.len()]);
    }
}

impl Unit {
    /// Bytes of memory of a whole unit that is in a file.
    pub const RECORD: usize =
        size_of::<Unit>() + GROUPS * size_of::<u16>() + GROUPS / RUN * size_of::<u32>();

    /// Appends the compact form of `len` entries that become those of the unit. `pieces` gives
    /// those of a range, as pieces with the number of the first one.
    pub fn pack<'e, E: SpillEntry, I: Iterator<Item = (usize, &'e [E])>>(
        &mut self,
        len: usize,
        pieces: impl Fn(Range<usize>) -> I,
        packed: &mut Vec<u8>,
    ) {
        let lens = groups_of(len).map(|group| {
            let before = packed.len();
            let mut entries = [0; GROUP];
            encode(group.start, pieces(group.clone()), &mut entries);
            group::pack(&entries[..group.len()], packed);
            (packed.len() - before) as u16
        });
        self.lens = lens.collect();
        self.find_runs();
    }

    /// Appends the compact form of the unit, which has `len` entries, with some of them replaced
    /// as in [`Unit::pack`]. If all are as they were, returns `false`.
    pub fn repack<'e, E: SpillEntry, I: Iterator<Item = (usize, &'e [E])>>(
        &mut self,
        len: usize,
        pieces: impl Fn(Range<usize>) -> I,
        place: u64,
        file: &SpillFile,
        packed: &mut Vec<u8>,
    ) -> Result<bool, SpillError> {
        let mut buffer = Vec::new();
        let mut old = self.groups(0..self.lens.len(), place, file, &mut buffer)?;
        let mut lens = Vec::with_capacity(self.lens.len());
        let mut has_changed = false;
        for (group, &len) in groups_of(len).zip(&self.lens) {
            let old_group = old.split_off(..len.into()).expect(OF_ALL_GROUPS);
            let before = packed.len();
            let mut pieces = pieces(group.clone()).peekable();
            let (mut entries, mut is_same) = ([0; GROUP], true);
            if pieces.peek().is_some() {
                group::unpack(old_group, group.len(), 0, &mut entries[..group.len()]);
                let old_entries = entries;
                encode(group.start, pieces, &mut entries);
                is_same = entries == old_entries;
            }
            match is_same {
                true => packed.extend_from_slice(old_group),
                false => group::pack(&entries[..group.len()], packed),
            }
            has_changed |= !is_same;
            lens.push((packed.len() - before) as u16);
        }
        if has_changed {
            self.lens = lens.into();
            self.find_runs();
        }
        Ok(has_changed)
    }

    fn find_runs(&mut self) {
        let runs = self.lens.chunks(RUN).scan(0, |end, lens| {
            let start = *end;
            *end += lens.iter().map(|&len| u32::from(len)).sum::<u32>();
            Some(start)
        });
        self.runs = runs.collect();
    }

    /// Sets an entry: the number of its group, how many entries that has, and the number of the
    /// entry among these.
    pub fn set(
        &mut self,
        (group, group_len, number): (usize, usize, usize),
        entry: u8,
        place: u64,
        space: Space<'_>,
        stays_in_file: bool,
    ) -> Result<(), SpillError> {
        let here = self.range(group..group + 1);
        if let Some(bytes) = &mut self.bytes
            && group::set(&mut bytes[here.clone()], group_len, number, entry)
        {
            return Ok(());
        }
        let mut buffer = Vec::new();
        if self.bytes.is_none() {
            buffer = self
                .groups(group..group + 1, place, space.file, &mut Vec::new())?
                .to_vec();
            if group::set(&mut buffer, group_len, number, entry) {
                let offset = place * PLACE + here.start as u64;
                return space.file.write_bytes(offset, &buffer);
            }
        }
        // The group may change its length.
        let packed = self.groups(group..group + 1, place, space.file, &mut buffer)?;
        let mut entries = vec![0; group_len];
        group::unpack(packed, group_len, 0, &mut entries);
        entries[number] = entry;
        let mut packed = Vec::with_capacity(LARGEST);
        group::pack(&entries, &mut packed);
        if let Some(bytes) = &mut self.bytes
            && bytes.len() - here.len() + packed.len() <= bytes.capacity()
        {
            self.lens[group] = packed.len() as u16;
            bytes.splice(here, packed);
            self.find_runs();
            return Ok(());
        }
        let all = self.groups(0..self.lens.len(), place, space.file, &mut buffer)?;
        let all = [&all[..here.start], &packed, &all[here.end..]].concat();
        self.lens[group] = packed.len() as u16;
        self.find_runs();
        self.store(&all, place, space, stays_in_file)
    }

    /// Replaces the bytes: in memory, if there is room and they do not stay in the spill file,
    /// or else there.
    pub fn store(
        &mut self,
        bytes: &[u8],
        place: u64,
        space: Space<'_>,
        stays_in_file: bool,
    ) -> Result<(), SpillError> {
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
        let may_take = self.bytes.is_some() || !stays_in_file;
        space.allowance.give(self.held());
        self.bytes = None;
        if may_take && space.allowance.take(wanted) {
            let mut held = Vec::with_capacity(wanted);
            held.extend_from_slice(bytes);
            self.bytes = Some(held);
            Ok(())
        } else {
            space.file.write_bytes(place * PLACE, bytes)
        }
    }

    /// Moves the bytes to the spill file.
    pub fn spill(&mut self, place: u64, file: &SpillFile) -> Result<(), SpillError> {
        if let Some(bytes) = &self.bytes {
            file.write_bytes(place * PLACE, bytes)?;
            self.bytes = None;
        }
        Ok(())
    }

    /// Whether its bytes are in the spill file.
    pub fn is_in_file(&self) -> bool {
        self.bytes.is_none()
    }

    /// Bytes of memory that it takes.
    pub fn bytes_in_memory(&self) -> u64 {
        let records = size_of_val(&*self.lens) + size_of_val(&*self.runs);
        (size_of::<Unit>() + records + self.held()) as u64
    }

    /// What it takes of an allowance.
    pub fn held(&self) -> usize {
        self.bytes.as_ref().map_or(0, Vec::capacity)
    }

    /// Bytes of a group.
    pub fn len_of(&self, group: usize) -> usize {
        self.lens[group].into()
    }

    /// Where the bytes of some groups are.
    fn range(&self, groups: Range<usize>) -> Range<usize> {
        let bytes = |lens: &[u16]| lens.iter().map(|&len| usize::from(len)).sum::<usize>();
        let run = groups.start / RUN;
        let before = bytes(&self.lens[run * RUN..groups.start]);
        let start = self.runs.get(run).map_or(0, |&start| start as usize) + before;
        start..start + bytes(&self.lens[groups])
    }

    /// The bytes of some groups: in place, or read into `buffer`.
    pub fn groups<'a>(
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
