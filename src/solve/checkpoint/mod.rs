//! Checkpoints: the layer being solved, on disk so that an interrupted build resumes
//! within it.
//!
//! There is one file for each phase of the work on a layer, named after the table that
//! the phase leads to: `awari-18.value.checkpoint`. It is a spill file (`spill/file.rs`). Beyond
//! memory it is the one that the phase works in; arrays in memory are copied to one now and then.
//! `docs/internals/solver.md` explains why the work can resume from it at any time.
//!
//! | offset | size | field |
//! | ---: | ---: | --- |
//! | 0 | 8 | magic: `8F 4B 52 4F 43 0D 0A 1A` |
//! | 8 | 2 | version: 3 |
//! | 10 | 8 | ruleset, seeds and kind, as in a table (`docs/format.md`) |
//! | 18 | 1 | arrays |
//! | 19 | 1 | bytes of an entry: 1 for a value, 2 for a value with a distance |
//! | 20 | 1 | 1 if entries are big-endian, else 0 |
//! | 21 | 3 | reserved: 0 |
//! | 24 | 8 | entries of an array |
//! | 32 | 8 | of a finished phase, XXH3 of the checksums of all pieces, else 0 |
//! | 40 | 8 | XXH3 of all bytes before |
//! | 4096 | | the pieces of the arrays, each with its checksum and length (`spill/file.rs`) |
//!
//! Other numbers are little-endian. A file with another head is rejected, and so is one of a
//! finished phase with other checksums. Else a piece with a wrong checksum begins again. What is
//! whole is trusted: checksums detect damage, not forgery.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use xxhash_rust::xxh3::xxh3_64;

use super::array::LayerArray;
use super::entry::{ArrayEntry, Value};
use super::error::SolveError;
use super::layer::{Layer, LayerBounds};
use super::memory::Memory;
use super::observer::{Observer, Phase};
use super::ranks::Ranks;
use super::spill::{Buffer, Pieces, SpillError, SpillFile, Writes};
use crate::index::LayerIndex;
use crate::table::folder::Partial;
use crate::table::{Fault, Kind, TableId, id_to_bytes};

#[cfg(test)]
mod tests;

const MAGIC: [u8; 8] = *b"\x8FKROC\r\n\x1A";
const VERSION: u16 = 3;
const HEAD: usize = 48;

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

    /// New arrays for a phase. Beyond memory their file is the checkpoint.
    pub fn arrays<E: ArrayEntry, const N: usize>(
        &self,
        id: TableId,
        index: &LayerIndex,
        entries: [E; N],
        memory: &mut Memory,
        ranks: &dyn Ranks,
    ) -> Result<[LayerArray<E>; N], SolveError> {
        match (&self.folder, self.every) {
            // Several ranks work in memory only.
            (Some(folder), Some(_)) if ranks.is_alone() => memory.arrays_or(index, entries, || {
                let files = create(folder, id, index, &entries, &[], false)?;
                Ok(Some(LayerArray::in_files(index, files)))
            }),
            _ => Ok(memory.arrays(index, entries)?),
        }
    }

    /// What the checkpoint of a phase holds, if there is one and it is sound. Pieces that are not
    /// whole have these entries of new arrays. `fits` tells whether entries, from an index on, can
    /// be those of an array.
    pub fn resume<E: ArrayEntry, const N: usize>(
        &self,
        id: TableId,
        index: &LayerIndex,
        entries: [E; N],
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
        match load(&path, id, index, entries, &mut taken, fits) {
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
    /// Saves arrays of the phase if there is a saver and it is time, and before that the finished
    /// phases of the layer. `complete` writes what the files of arrays beyond memory lack. All
    /// ranks call this together; the first one has the clock and the files.
    pub fn save_if_due<E: ArrayEntry, const N: usize>(
        saver: &mut Option<Saver<'_>>,
        arrays: &[LayerArray<E>; N],
        complete: impl FnOnce() -> Result<(), SpillError>,
    ) -> Result<(), SolveError> {
        let Some(saver) = saver else {
            return Ok(());
        };
        let checkpoints = &mut *saver.checkpoints;
        let (Some(folder), Some(every), Some(last)) =
            (&checkpoints.folder, checkpoints.every, checkpoints.last)
        else {
            return Ok(());
        };
        if !saver.ranks.flag_of_first(last.elapsed() >= every) {
            return Ok(());
        }
        complete()?;
        let unsaved = std::mem::take(&mut checkpoints.unsaved);
        if saver.ranks.is_first() {
            let index = arrays[0].index();
            for id in unsaved {
                save(folder, id, index, &saver.finished.arrays(id), true)?;
            }
            save(folder, saver.id, index, &arrays.each_ref(), false)?;
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

/// The head of a checkpoint. `sums` is 0, or of a finished phase the checksum of its checksums.
fn head<E: ArrayEntry>(id: TableId, index: &LayerIndex, arrays: usize, sums: u64) -> [u8; HEAD] {
    let mut head = [0; HEAD];
    head[..8].copy_from_slice(&MAGIC);
    head[8..10].copy_from_slice(&VERSION.to_le_bytes());
    head[10..18].copy_from_slice(&id_to_bytes(id));
    head[18] = arrays as u8;
    head[19] = E::BYTES as u8;
    head[20] = u8::from(cfg!(target_endian = "big"));
    head[24..32].copy_from_slice(&index.len().to_le_bytes());
    head[32..40].copy_from_slice(&sums.to_le_bytes());
    let sum = xxh3_64(&head[..40]);
    head[40..].copy_from_slice(&sum.to_le_bytes());
    head
}

/// Saves arrays: waits until the disk has what was written to their file, if that is the
/// checkpoint, else copies them to a new one.
fn save<E: ArrayEntry>(
    folder: &Path,
    id: TableId,
    index: &LayerIndex,
    arrays: &[&LayerArray<E>],
    is_finished: bool,
) -> Result<(), SolveError> {
    let files = arrays.iter().map(|array| {
        let file = array.spill_file().map(|(file, _)| &**file);
        file.filter(|file| file.is_named())
    });
    let Some(files) = files.collect::<Option<Vec<_>>>() else {
        let entries = vec![E::ZERO; arrays.len()];
        return create(folder, id, index, &entries, arrays, is_finished).map(|_| ());
    };
    let Some(file) = files.first() else {
        return Ok(());
    };
    let path = path(folder, id);
    let failed = |cause| Fault::writing(cause).of(path.as_path());
    file.sync().map_err(failed)?;
    if is_finished {
        let sums = SpillFile::sum_of_sums(files.iter().copied());
        let head = head::<E>(id, index, files.len(), sums);
        file.write_head(&head).map_err(failed)?;
    }
    Ok(())
}

/// Makes a checkpoint for arrays with these entries, or with those of `copied`. It replaces the one
/// before, which stays whole until the new one is complete.
fn create<E: ArrayEntry>(
    folder: &Path,
    id: TableId,
    index: &LayerIndex,
    entries: &[E],
    copied: &[&LayerArray<E>],
    is_finished: bool,
) -> Result<Vec<SpillFile>, SolveError> {
    let path = partial_path(folder, id);
    let failed = |cause| SolveError::from(Fault::writing(cause).of(path.as_path()));
    let partial = Partial::create(path.clone()).map_err(|fault| fault.of(path.as_path()))?;
    let layout = LayerArray::layout(index, entries, Writes::Often);
    let files = layout.allocated(partial.path()).map_err(failed)?;
    let pieces = Pieces::new(index);
    for (file, array) in files.iter().zip(copied) {
        let mut buffer = file.buffer(file.longest())?;
        let (mut read, mut stored) = (Buffer::empty(), Buffer::empty());
        for piece in 0..pieces.count() {
            let entries = array.read(pieces.range(piece), &mut read)?;
            buffer.entries_mut(entries.len()).copy_from_slice(entries);
            let written = file.write(piece, &buffer, &mut stored);
            written.map_err(|error| failed(error.cause()))?;
        }
    }
    let sums = match is_finished {
        true => SpillFile::sum_of_sums(files.iter()),
        false => 0,
    };
    let head = head::<E>(id, index, files.len(), sums);
    files[0].write_head(&head).map_err(failed)?;
    partial.publish(&self::path(folder, id)).map_err(failed)?;
    Ok(files)
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
    entries: [E; N],
    memory: &mut Memory,
    fits: impl Fn(usize, &[E]) -> Result<bool, SpillError>,
) -> Result<Resumed<E, N>, Unusable> {
    let layout = LayerArray::layout(index, &entries, Writes::Often);
    let found = fs::metadata(path)?;
    if !found.is_file() {
        return Err(Unusable::Invalid("it is not a regular file"));
    }
    if found.len() != layout.bytes() {
        return Err(Unusable::Invalid("it has the wrong length"));
    }
    let mut read = [0; HEAD];
    File::open(path)?.read_exact(&mut read)?;
    let sums = u64::from_le_bytes(read[32..40].try_into().expect("eight bytes"));
    if read != head::<E>(id, index, N, sums) {
        return Err(Unusable::Invalid("it is of another phase or version"));
    }
    let files = layout.open(path)?;
    let mut arrays = match memory.take_arrays::<E, N>(index) {
        true => Some(entries.map(|entry| LayerArray::new(index, entry))),
        false => None,
    };
    let pieces = Pieces::new(index);
    for (number, file) in files.iter().enumerate() {
        let (mut buffer, mut stored) = (file.buffer(file.longest())?, Buffer::empty());
        for piece in 0..pieces.count() {
            file.recover(piece, &mut buffer, &mut stored)?;
            let (range, entries) = (pieces.range(piece), buffer.entries(pieces.len(piece)));
            if !fits(range.start, entries)? {
                return Err(Unusable::Invalid("it has an impossible entry"));
            }
            if let Some(arrays) = &mut arrays {
                arrays[number].as_mut_slice()[range].copy_from_slice(entries);
            }
        }
    }
    if sums != 0 && sums != SpillFile::sum_of_sums(files.iter()) {
        return Err(Unusable::Invalid("its checksum is wrong"));
    }
    Ok(Resumed {
        arrays: arrays.unwrap_or_else(|| LayerArray::in_files(index, files)),
        is_finished: sums != 0,
    })
}
