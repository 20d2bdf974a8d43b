//! Checkpoints: the layer at work, on disk, so that a build that is killed need
//! not begin the layer anew.
//!
//! There is one file for each stage of the work on a layer, named after the
//! table that comes of it: `awari-18.value.checkpoint`. It holds the entries as
//! they were between two sweeps or rounds of ripples; why the work can go on
//! from there is in `docs/solver.md`.
//!
//! | offset | size | field |
//! | ---: | ---: | --- |
//! | 0 | 8 | magic: `8F 4B 52 4F 43 0D 0A 1A` |
//! | 8 | 2 | version: 1 |
//! | 10 | 9 | ruleset, seeds, kind and planes, as in a table (`docs/format.md`) |
//! | 19 | 1 | bytes of an entry: 1 for a score, 2 for a key |
//! | 20 | 1 | 1 if the stage is done, else 0 |
//! | 21 | 3 | reserved: 0 |
//! | 24 | 8 | entries of a plane |
//! | 32 | | the planes, one after the other: entries in the order of the index |
//! | | 8 | XXH3 of all bytes before |
//!
//! Numbers are little-endian. A file that is not just so is passed over. One
//! that is gets trusted: the checksum finds damage, and no forger.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use xxhash_rust::xxh3::Xxh3;

use super::error::SolveError;
use super::observer::{Observer, Phase};
use super::room::Room;
use super::scratch::{SpillError, Stored};
use super::solved::Solved;
use super::store::Store;
use crate::index::LayerIndex;
use crate::table::{Fault, Kind, Partial, TableId, id_to_bytes};

#[cfg(test)]
mod tests;

const MAGIC: [u8; 8] = *b"\x8FKROC\r\n\x1A";
const VERSION: u16 = 1;
const HEADER: usize = 32;
const CHECKSUM: usize = 8;

/// Entries that are turned into bytes at a time.
const PORTION: usize = 1 << 16;

/// Where checkpoints are, and when they are saved.
pub(super) struct Checkpoints {
    /// `None` if there are none.
    folder: Option<PathBuf>,
    /// They are saved at most once in so long, and never without.
    every: Option<Duration>,
    /// When the last one was saved.
    last: Instant,
    /// Stages that are done and not on disk: saved when the next stage is.
    unsaved: Vec<TableId>,
}

/// What a checkpoint held.
pub(super) struct Resumed<E, const PLANES: usize> {
    pub stores: [Store<E>; PLANES],
    /// Whether the stage is done.
    pub is_settled: bool,
}

impl Checkpoints {
    pub fn none() -> Checkpoints {
        Checkpoints {
            folder: None,
            every: None,
            last: Instant::now(),
            unsaved: Vec::new(),
        }
    }

    pub fn new(folder: &Path, every: Option<Duration>) -> Checkpoints {
        Checkpoints {
            folder: Some(folder.to_path_buf()),
            every,
            ..Checkpoints::none()
        }
    }

    /// Another layer is at work: nothing of the one before is wanted any more.
    pub fn begin_layer(&mut self) {
        self.unsaved.clear();
    }

    /// A stage is done. It is on disk only if it was taken from there.
    pub fn settled(&mut self, id: TableId) {
        self.unsaved.push(id);
    }

    /// Saves the state of a stage if it is time to, and before that the stages
    /// of the layer that are done.
    pub fn save_in_time<E: Stored>(
        &mut self,
        id: TableId,
        stores: &[&Store<E>],
        layers: &[Solved],
    ) -> Result<(), SolveError> {
        let (Some(folder), Some(every)) = (&self.folder, self.every) else {
            return Ok(());
        };
        if self.last.elapsed() < every {
            return Ok(());
        }
        for id in self.unsaved.drain(..) {
            let layer = &layers[usize::from(id.seeds)];
            match (id.kind, &layer.bounds) {
                (Kind::Bounds, Some([lower, upper])) => {
                    save(folder, id, &[lower, upper], true)?;
                }
                _ => save(folder, id, &[&layer.value], true)?,
            }
        }
        save(folder, id, stores, false)?;
        self.last = Instant::now();
        Ok(())
    }

    /// What the checkpoint of a stage holds, if there is one and it is good.
    /// `fits` tells whether entries can be those of a section.
    pub fn resume<E: Stored, const PLANES: usize>(
        &self,
        id: TableId,
        room: &mut Room,
        observer: &dyn Observer,
        fits: impl FnMut(u8, &[E]) -> Result<bool, SpillError>,
    ) -> Result<Option<Resumed<E, PLANES>>, SpillError> {
        let Some(folder) = &self.folder else {
            return Ok(None);
        };
        let path = path(folder, id);
        // Of memory nothing is taken if nothing comes of it.
        let mut taken = room.clone();
        match load(&path, id, &mut taken, fits) {
            Ok(resumed) => {
                *room = taken;
                observer.resumes(id.seeds, phase(id.kind));
                Ok(Some(resumed))
            }
            Err(Unfit::Missing) => Ok(None),
            Err(Unfit::Useless) => {
                observer.passes_over(&path);
                Ok(None)
            }
            Err(Unfit::Scratch(error)) => Err(error),
        }
    }
}

/// Removes the checkpoint of a table, if there is one: once the table is in its
/// place, or is not wanted any more.
pub fn remove_checkpoint(folder: &Path, id: TableId) {
    for path in [path(folder, id), partial_path(folder, id)] {
        // It does no harm; whoever has use for the room will see it.
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

fn header(id: TableId, entry_bytes: usize, is_settled: bool) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8..10].copy_from_slice(&VERSION.to_le_bytes());
    header[10..18].copy_from_slice(&id_to_bytes(id));
    header[18] = id.kind.planes() as u8;
    header[19] = entry_bytes as u8;
    header[20] = u8::from(is_settled);
    let entries = LayerIndex::new(id.rules, id.seeds).len();
    header[24..].copy_from_slice(&entries.to_le_bytes());
    header
}

/// Writes a checkpoint in the stead of the one before, which stays whole until
/// the new one is.
fn save<E: Stored>(
    folder: &Path,
    id: TableId,
    stores: &[&Store<E>],
    is_settled: bool,
) -> Result<(), SolveError> {
    let path = partial_path(folder, id);
    let name = path.display().to_string();
    let failed = |cause| Fault::writing(cause).of(name.as_str());
    let partial = Partial::create(path).map_err(|fault| fault.of(name.as_str()))?;
    let mut out = Summed::new(partial.file());
    out.write(&header(id, E::BYTES, is_settled))
        .map_err(failed)?;
    let mut bytes = vec![0; PORTION * E::BYTES];
    for store in stores {
        store.each_portion(PORTION, |entries| {
            let bytes = &mut bytes[..entries.len() * E::BYTES];
            E::encode(entries, bytes);
            out.write(bytes).map_err(failed)?;
            Ok::<_, SolveError>(())
        })?;
    }
    let checksum = out.sum.digest();
    out.write(&checksum.to_le_bytes()).map_err(failed)?;
    partial.file().sync_all().map_err(failed)?;
    let published = partial.publish(&self::path(folder, id));
    published.map_err(failed)?;
    Ok(())
}

/// Why there is nothing to go on from.
enum Unfit {
    Missing,
    Useless,
    Scratch(SpillError),
}

impl From<io::Error> for Unfit {
    fn from(error: io::Error) -> Unfit {
        match error.kind() {
            io::ErrorKind::NotFound => Unfit::Missing,
            _ => Unfit::Useless,
        }
    }
}

impl From<SpillError> for Unfit {
    fn from(error: SpillError) -> Unfit {
        Unfit::Scratch(error)
    }
}

fn load<E: Stored, const PLANES: usize>(
    path: &Path,
    id: TableId,
    room: &mut Room,
    mut fits: impl FnMut(u8, &[E]) -> Result<bool, SpillError>,
) -> Result<Resumed<E, PLANES>, Unfit> {
    let index = LayerIndex::new(id.rules, id.seeds);
    let bytes = HEADER as u64 + PLANES as u64 * index.len() * E::BYTES as u64 + CHECKSUM as u64;
    let found = fs::metadata(path)?;
    if !found.is_file() || found.len() != bytes {
        return Err(Unfit::Useless);
    }
    let file = File::open(path)?;
    let mut input = Summed::new(&file);
    let mut read = [0; HEADER];
    input.read(&mut read)?;
    let is_settled = [false, true]
        .into_iter()
        .find(|&is_settled| read == header(id, E::BYTES, is_settled))
        .ok_or(Unfit::Useless)?;

    let mut bytes = vec![0; PORTION * E::BYTES];
    let mut stores = Vec::new();
    for _ in 0..PLANES {
        stores.push(Store::make(&index, room, |section| {
            let mut entries = vec![E::ANY; index.section_entries(section)];
            for entries in entries.chunks_mut(PORTION) {
                let bytes = &mut bytes[..entries.len() * E::BYTES];
                input.read(bytes)?;
                E::decode(bytes, entries);
            }
            match fits(section, &entries)? {
                true => Ok(entries),
                false => Err(Unfit::Useless),
            }
        })?);
    }
    let checksum = input.sum.digest();
    let mut read = [0; CHECKSUM];
    input.read(&mut read)?;
    match stores.try_into() {
        Ok(stores) if u64::from_le_bytes(read) == checksum => Ok(Resumed { stores, is_settled }),
        _ => Err(Unfit::Useless),
    }
}

/// A file that is written or read from its beginning, and the checksum so far.
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
