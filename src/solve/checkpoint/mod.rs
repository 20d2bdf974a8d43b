//! Checkpoints: the layer being solved, saved so that an interrupted build resumes
//! within it.
//!
//! There is one file for each phase of the work on a layer, named after the table that
//! the phase leads to: `awari-18.value.checkpoint`. It holds the entries between two
//! sweeps or worklist rounds; `docs/internals/solver.md` explains why the work can resume there.
//!
//! | offset | size | field |
//! | ---: | ---: | --- |
//! | 0 | 8 | magic: `8F 4B 52 4F 43 0D 0A 1A` |
//! | 8 | 2 | version: 1 |
//! | 10 | 8 | ruleset, seeds and kind, as in a table (`docs/format.md`) |
//! | 18 | 1 | arrays |
//! | 19 | 1 | bytes of an entry: 1 for a value, 2 for a value with a distance |
//! | 20 | 1 | 1 if the phase is finished, else 0 |
//! | 21 | 3 | reserved: 0 |
//! | 24 | 8 | entries of an array |
//! | 32 | | the arrays, one after the other: entries in the order of the index |
//! | | 8 | XXH3 of all bytes before |
//!
//! Numbers are little-endian. A file that differs from this is rejected. One that does
//! not is trusted: the checksum detects damage, not forgery.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use xxhash_rust::xxh3::Xxh3;

use super::array::LayerArray;
use super::entry::{ArrayEntry, Value};
use super::error::SolveError;
use super::layer::{Layer, LayerBounds};
use super::memory::Memory;
use super::observer::{Observer, Phase};
use super::ranks::Ranks;
use super::spill::{Buffer, SpillError};
use crate::index::LayerIndex;
use crate::table::folder::Partial;
use crate::table::{Fault, Kind, TableId, id_to_bytes};

#[cfg(test)]
mod tests;

const MAGIC: [u8; 8] = *b"\x8FKROC\r\n\x1A";
const VERSION: u16 = 1;
const HEADER: usize = 32;
const CHECKSUM: usize = 8;

/// Entries that are converted to or from bytes at a time.
const BATCH: usize = 1 << 16;

/// Where checkpoints are, and when they are saved.
#[derive(Debug)]
pub(super) struct Checkpoints {
    /// `None` without checkpoints.
    folder: Option<PathBuf>,
    /// The least time between two of them; without it none is saved.
    every: Option<Duration>,
    /// When the last one was saved; `None` without checkpoints, as some systems have no
    /// clock.
    last: Option<Instant>,
    /// Phases that are finished and not on disk. They are saved with the next phase.
    unsaved: Vec<TableId>,
}

/// What a checkpoint held.
pub(super) struct Resumed<E, const N: usize> {
    pub arrays: [LayerArray<E>; N],
    /// Whether the phase is finished.
    pub is_finished: bool,
}

/// The finished phases of the layer being solved.
#[derive(Clone, Copy)]
pub(super) struct Finished<'a> {
    value: Option<&'a LayerArray<Value>>,
    bounds: Option<&'a LayerBounds>,
}

impl<'a> Finished<'a> {
    /// None yet.
    pub fn none() -> Finished<'a> {
        let (value, bounds) = (None, None);
        Finished { value, bounds }
    }

    /// The bounds, if there are any.
    pub fn bounds(bounds: Option<&'a LayerBounds>) -> Finished<'a> {
        let value = None;
        Finished { value, bounds }
    }

    /// All but the distances.
    pub fn layer(layer: &'a Layer) -> Finished<'a> {
        let (value, bounds) = (Some(layer.value()), layer.bounds());
        Finished { value, bounds }
    }

    /// The arrays of a phase.
    fn arrays(&self, id: TableId) -> Vec<&'a LayerArray<Value>> {
        match id.kind {
            Kind::Value => self.value.into_iter().collect(),
            Kind::Bounds => match self.bounds {
                Some(LayerBounds { lower, upper }) => vec![lower, upper],
                None => Vec::new(),
            },
            // Nothing comes after the distances.
            Kind::Distance => Vec::new(),
        }
    }
}

impl Checkpoints {
    pub fn none() -> Checkpoints {
        Checkpoints {
            folder: None,
            every: None,
            last: None,
            unsaved: Vec::new(),
        }
    }

    pub fn new(folder: &Path, every: Option<Duration>) -> Checkpoints {
        Checkpoints {
            folder: Some(folder.to_path_buf()),
            every,
            last: Some(Instant::now()),
            ..Checkpoints::none()
        }
    }

    /// Another layer is solved now: nothing of the one before needs saving.
    pub fn begin_layer(&mut self) {
        self.unsaved.clear();
    }

    /// A phase is finished that is not on disk.
    pub fn finish(&mut self, id: TableId) {
        self.unsaved.push(id);
    }

    /// What the checkpoint of a phase holds, if there is one and it is sound. `fits` tells
    /// whether entries, from an index on, can be those of an array.
    pub fn resume<E: ArrayEntry, const N: usize>(
        &self,
        id: TableId,
        index: &LayerIndex,
        memory: &mut Memory,
        observer: &dyn Observer,
        fits: impl Fn(usize, &[E]) -> Result<bool, SpillError>,
    ) -> Result<Option<Resumed<E, N>>, SolveError> {
        let Some(folder) = &self.folder else {
            return Ok(None);
        };
        let path = path(folder, id);
        // A checkpoint that is rejected takes no memory.
        let mut taken = memory.clone();
        match load(&path, id, index, &mut taken, fits) {
            Ok(resumed) => {
                *memory = taken;
                observer.resumes(id.seeds, phase(id.kind));
                Ok(Some(resumed))
            }
            Err(Unusable::Missing) => Ok(None),
            Err(Unusable::Invalid(reason)) => {
                observer.rejects_checkpoint(&path, reason);
                Ok(None)
            }
            Err(Unusable::Unreadable(cause)) => Err(SolveError::ReadCheckpoint { path, cause }),
            Err(Unusable::Spill(error)) => Err(error.into()),
        }
    }
}

/// Saves the states of a phase.
pub(super) struct Saver<'a> {
    pub checkpoints: &'a mut Checkpoints,
    /// The table that the phase leads to.
    pub id: TableId,
    pub ranks: &'a dyn Ranks,
    /// The phases of the layer that are finished.
    pub finished: Finished<'a>,
}

impl Saver<'_> {
    /// Saves a state from which the work can resume if it is time, and before that the finished
    /// phases of the layer. `complete` writes what the files of arrays beyond memory lack. All
    /// ranks call this together; the first one has the clock and the files.
    pub fn save_if_due<E: ArrayEntry>(
        &mut self,
        arrays: &[&LayerArray<E>],
        complete: impl FnOnce() -> Result<(), SpillError>,
    ) -> Result<(), SolveError> {
        let checkpoints = &mut *self.checkpoints;
        let (Some(folder), Some(every), Some(last)) =
            (&checkpoints.folder, checkpoints.every, checkpoints.last)
        else {
            return Ok(());
        };
        if !self.ranks.flag_of_first(last.elapsed() >= every) {
            return Ok(());
        }
        complete()?;
        let unsaved = std::mem::take(&mut checkpoints.unsaved);
        if self.ranks.is_first() {
            for id in unsaved {
                save(folder, id, &self.finished.arrays(id), true)?;
            }
            save(folder, self.id, arrays, false)?;
        }
        checkpoints.last = Some(Instant::now());
        Ok(())
    }
}

/// Removes the checkpoint of a table, if there is one: once the table is published, or
/// is no longer wanted.
pub fn remove_checkpoint(folder: impl AsRef<Path>, id: TableId) {
    let folder = folder.as_ref();
    for path in [path(folder, id), partial_path(folder, id)] {
        // A file that stays does no harm.
        let _ = fs::remove_file(path);
    }
}

fn path(folder: &Path, id: TableId) -> PathBuf {
    folder.join(format!("{id}.checkpoint"))
}

fn partial_path(folder: &Path, id: TableId) -> PathBuf {
    folder.join(format!("{id}.checkpoint.partial"))
}

fn phase(kind: Kind) -> Phase {
    match kind {
        Kind::Value => Phase::Values,
        Kind::Bounds => Phase::Bounds,
        Kind::Distance => Phase::Distances,
    }
}

fn header(id: TableId, arrays: usize, entry_bytes: usize, is_finished: bool) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8..10].copy_from_slice(&VERSION.to_le_bytes());
    header[10..18].copy_from_slice(&id_to_bytes(id));
    header[18] = arrays as u8;
    header[19] = entry_bytes as u8;
    header[20] = u8::from(is_finished);
    let entries = LayerIndex::new(id.rules, id.seeds).len();
    header[24..].copy_from_slice(&entries.to_le_bytes());
    header
}

/// Writes a checkpoint. It replaces the one before, which stays whole until the new
/// one is complete.
fn save<E: ArrayEntry>(
    folder: &Path,
    id: TableId,
    arrays: &[&LayerArray<E>],
    is_finished: bool,
) -> Result<(), SolveError> {
    let path = partial_path(folder, id);
    let name = path.display().to_string();
    let failed = |cause| Fault::writing(cause).of(name.as_str());
    let partial = Partial::create(path).map_err(|fault| fault.of(name.as_str()))?;
    let mut out = Summed::new(partial.file());
    out.write(&header(id, arrays.len(), E::BYTES, is_finished))
        .map_err(failed)?;
    let (mut bytes, mut buffer) = (vec![0; BATCH * E::BYTES], Buffer::empty());
    for array in arrays {
        let len = array.index().len() as usize;
        for start in (0..len).step_by(BATCH) {
            let entries = array.read(start..len.min(start + BATCH), &mut buffer)?;
            let bytes = &mut bytes[..entries.len() * E::BYTES];
            E::encode(entries, bytes);
            out.write(bytes).map_err(failed)?;
        }
    }
    let checksum = out.sum.digest();
    out.write(&checksum.to_le_bytes()).map_err(failed)?;
    partial.file().sync_all().map_err(failed)?;
    let published = partial.publish(&self::path(folder, id));
    published.map_err(failed)?;
    Ok(())
}

/// Why the work cannot resume from a checkpoint.
#[derive(Debug)]
enum Unusable {
    Missing,
    Invalid(&'static str),
    Unreadable(io::Error),
    Spill(SpillError),
}

impl From<io::Error> for Unusable {
    fn from(error: io::Error) -> Unusable {
        match error.kind() {
            io::ErrorKind::NotFound => Unusable::Missing,
            io::ErrorKind::UnexpectedEof => Unusable::Invalid("it is cut short"),
            _ => Unusable::Unreadable(error),
        }
    }
}

impl From<SpillError> for Unusable {
    fn from(error: SpillError) -> Unusable {
        Unusable::Spill(error)
    }
}

fn load<E: ArrayEntry, const N: usize>(
    path: &Path,
    id: TableId,
    index: &LayerIndex,
    memory: &mut Memory,
    fits: impl Fn(usize, &[E]) -> Result<bool, SpillError>,
) -> Result<Resumed<E, N>, Unusable> {
    let bytes = HEADER as u64 + N as u64 * index.len() * E::BYTES as u64 + CHECKSUM as u64;
    let found = fs::metadata(path)?;
    if !found.is_file() {
        return Err(Unusable::Invalid("it is not a regular file"));
    }
    if found.len() != bytes {
        return Err(Unusable::Invalid("it has the wrong length"));
    }
    let file = File::open(path)?;
    let mut input = Summed::new(&file);
    let mut read = [0; HEADER];
    input.read(&mut read)?;
    let is_finished = [false, true]
        .into_iter()
        .find(|&is_finished| read == header(id, N, E::BYTES, is_finished))
        .ok_or(Unusable::Invalid("it is of another phase or version"))?;

    let mut bytes = vec![0; BATCH * E::BYTES];
    let mut arrays = memory.arrays(index, [E::ZERO; N])?;
    for array in &mut arrays {
        array.change(|start, entries| {
            for entries in entries.chunks_mut(BATCH) {
                let bytes = &mut bytes[..entries.len() * E::BYTES];
                input.read(bytes)?;
                E::decode(bytes, entries);
            }
            match fits(start, entries)? {
                true => Ok(()),
                false => Err(Unusable::Invalid("it has an impossible entry")),
            }
        })?;
    }
    let checksum = input.sum.digest();
    let mut read = [0; CHECKSUM];
    input.read(&mut read)?;
    match u64::from_le_bytes(read) == checksum {
        true => Ok(Resumed {
            arrays,
            is_finished,
        }),
        false => Err(Unusable::Invalid("its checksum is wrong")),
    }
}

/// A file that is written or read in order, and its checksum so far.
struct Summed<'a> {
    file: &'a File,
    sum: Xxh3,
}

impl Summed<'_> {
    fn new(file: &File) -> Summed<'_> {
        let sum = Xxh3::new();
        Summed { file, sum }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.sum.update(bytes);
        Ok(())
    }

    fn read(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.file.read_exact(bytes)?;
        self.sum.update(bytes);
        Ok(())
    }
}
