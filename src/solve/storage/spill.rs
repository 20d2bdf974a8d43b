//! Spill files: where the sections of an array go that exceed the memory budget.
//!
//! A spill file has no name, so the system removes it when it is closed, however
//! the program ends. It is read and written by position and not mapped: the solver
//! then takes no memory but what it allocates, and a full disk is an error and not a
//! signal.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use thiserror::Error;

use crate::table::{read_at, write_at};

/// An entry of an array, and its bytes in a spill file or checkpoint.
pub trait SpillEntry: Copy + Send + Sync + 'static {
    /// Bytes of one entry.
    const BYTES: usize;
    /// Fills memory that is about to be overwritten.
    const FILLER: Self;
    /// Writes entries as bytes. `bytes` has room for exactly `entries`.
    fn encode(entries: &[Self], bytes: &mut [u8]);
    /// Reads entries from bytes. `bytes` holds exactly as many.
    fn decode(bytes: &[u8], entries: &mut [Self]);
}

impl SpillEntry for u8 {
    const BYTES: usize = 1;
    const FILLER: u8 = 0;

    fn encode(entries: &[u8], bytes: &mut [u8]) {
        bytes.copy_from_slice(entries);
    }

    fn decode(bytes: &[u8], entries: &mut [u8]) {
        entries.copy_from_slice(bytes);
    }
}

/// A spill file cannot be created, written or read.
#[derive(Debug, Clone, Error)]
#[non_exhaustive]
#[error(
    "cannot use spill files in {} ({source}): free space there, choose another folder, or allow more memory",
    folder.display()
)]
pub struct SpillError {
    /// The folder of the spill files.
    pub folder: PathBuf,
    /// The system's error.
    pub source: Arc<io::Error>,
}

/// A spill file of entries, numbered from 0.
#[derive(Debug)]
pub(super) struct SpillFile {
    /// Created when it is first used.
    file: OnceLock<File>,
    folder: Arc<Path>,
    /// Of a file that ranks share, whether this one removes it at the end.
    shared: Option<Name>,
}

/// The name of a file. It is removed with this, if at all.
#[derive(Debug)]
struct Name {
    path: PathBuf,
    is_removed: bool,
}

impl Drop for Name {
    fn drop(&mut self) {
        if self.is_removed {
            // The next build removes a file that stays.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Entries that are converted to or from bytes at a time.
const BATCH: usize = 1 << 16;

impl SpillFile {
    /// An empty spill file, which is created in a folder when it is first used.
    pub fn new(folder: Arc<Path>) -> SpillFile {
        SpillFile {
            file: OnceLock::new(),
            folder,
            shared: None,
        }
    }

    /// Creates an empty file that several ranks share.
    pub fn create_shared(folder: &Path, name: &str) -> Result<(), SpillError> {
        match File::create(folder.join(name)) {
            Ok(_) => Ok(()),
            Err(source) => Err(error(folder, source)),
        }
    }

    /// Opens a file that several ranks share. One of them removes it, once it has no more use
    /// for it.
    pub fn open_shared(
        folder: Arc<Path>,
        name: &str,
        is_removed: bool,
    ) -> Result<SpillFile, SpillError> {
        let path = folder.join(name);
        let mut options = File::options();
        let options = options.read(true).write(true);
        match options.open(&path) {
            Ok(file) => Ok(SpillFile {
                file: file.into(),
                folder,
                shared: Some(Name { path, is_removed }),
            }),
            Err(source) => Err(error(&folder, source)),
        }
    }

    /// Whether several ranks share it.
    pub fn is_shared(&self) -> bool {
        self.shared.is_some()
    }

    /// Brings what has been written to where other machines read it.
    pub fn sync(&self) -> Result<(), SpillError> {
        self.map_error(self.file()?.sync_data())
    }

    /// Reads bytes from an offset on.
    pub fn read_bytes(&self, offset: u64, out: &mut [u8]) -> Result<(), SpillError> {
        self.map_error(read_at(self.file()?, out, offset))
    }

    /// Writes bytes from an offset on.
    pub fn write_bytes(&self, offset: u64, bytes: &[u8]) -> Result<(), SpillError> {
        self.map_error(write_at(self.file()?, bytes, offset))
    }

    /// Reads entries from number `start` on.
    pub fn read<E: SpillEntry>(&self, start: u64, out: &mut [E]) -> Result<(), SpillError> {
        let mut bytes = vec![0; out.len().min(BATCH) * E::BYTES];
        let mut offset = start * E::BYTES as u64;
        for out in out.chunks_mut(BATCH) {
            let bytes = &mut bytes[..out.len() * E::BYTES];
            self.map_error(read_at(self.file()?, bytes, offset))?;
            E::decode(bytes, out);
            offset += bytes.len() as u64;
        }
        Ok(())
    }

    /// Writes entries from number `start` on.
    pub fn write<E: SpillEntry>(&self, start: u64, entries: &[E]) -> Result<(), SpillError> {
        let mut bytes = vec![0; entries.len().min(BATCH) * E::BYTES];
        let mut offset = start * E::BYTES as u64;
        for entries in entries.chunks(BATCH) {
            let bytes = &mut bytes[..entries.len() * E::BYTES];
            E::encode(entries, bytes);
            self.map_error(write_at(self.file()?, bytes, offset))?;
            offset += bytes.len() as u64;
        }
        Ok(())
    }

    fn file(&self) -> Result<&File, SpillError> {
        if let Some(file) = self.file.get() {
            return Ok(file);
        }
        let file = self.map_error(tempfile::tempfile_in(&self.folder))?;
        // If another thread was first, its file stays, and this one is closed.
        Ok(self.file.get_or_init(|| file))
    }

    fn map_error<T>(&self, result: io::Result<T>) -> Result<T, SpillError> {
        result.map_err(|source| error(&self.folder, source))
    }
}

fn error(folder: &Path, source: io::Error) -> SpillError {
    SpillError {
        folder: folder.to_path_buf(),
        source: Arc::new(source),
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::{DistanceKey, Value};
    use super::*;

    #[test]
    fn entries_are_read_as_written_from_any_offset() {
        let folder: Arc<Path> = tempfile::tempdir().unwrap().keep().into();
        let file = SpillFile::new(folder.clone());
        let keys: Vec<DistanceKey> = (0..3 * BATCH)
            .map(|i| DistanceKey::new((i % 97) as i8 - 48, (i % 512) as u16))
            .collect();
        file.write(5, &keys).unwrap();
        let mut read = vec![DistanceKey::FILLER; keys.len() - 7];
        file.read(12, &mut read).unwrap();
        assert_eq!(read, keys[7..]);

        let file = SpillFile::new(folder.clone());
        let values: Vec<Value> = (-48..=48).map(Value::new).collect();
        file.write(0, &values).unwrap();
        let mut read = vec![Value::FILLER; 97];
        file.read(0, &mut read).unwrap();
        assert_eq!(read, values);
        // Reading past the end is an error that names the folder.
        let error = file.read(1, &mut read).unwrap_err();
        assert!(error.to_string().contains(folder.to_str().unwrap()));
        std::fs::remove_dir(folder).unwrap();
        let file = SpillFile::new(Path::new("/no/such/folder").into());
        assert!(file.write(0, &values).is_err() && file.read(0, &mut read).is_err());
    }
}
