//! Scratch files: where entries lie that do not fit into memory.
//!
//! A scratch file has no name, so it is gone when it is closed, however the
//! program ends. It is read and written by position and not mapped: memory is
//! then only what the solver asks for, and a full disk is an error and not a
//! signal.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use crate::table::{read_at, write_at};

/// What a plane or a store keeps, as bytes on disk.
pub trait Stored: Copy + Send + Sync + 'static {
    /// Bytes of one entry.
    const BYTES: usize;
    /// Some entry, to be overwritten.
    const ANY: Self;
    /// The bytes of as many entries as there is room for.
    fn encode(entries: &[Self], bytes: &mut [u8]);
    /// The entries of as many bytes as there are.
    fn decode(bytes: &[u8], entries: &mut [Self]);
}

impl Stored for u8 {
    const BYTES: usize = 1;
    const ANY: u8 = 0;

    fn encode(entries: &[u8], bytes: &mut [u8]) {
        bytes.copy_from_slice(entries);
    }

    fn decode(bytes: &[u8], entries: &mut [u8]) {
        entries.copy_from_slice(bytes);
    }
}

/// Scratch files cannot be made, written or read.
#[derive(Debug, Clone, Error)]
#[error(
    "cannot use scratch files in {} ({cause}): make room there, name another folder, or allow more memory",
    folder.display()
)]
pub struct SpillError {
    /// The folder they are in.
    pub folder: PathBuf,
    /// What the system says.
    pub cause: Arc<io::Error>,
}

/// A scratch file of entries, numbered from 0.
#[derive(Debug)]
pub(super) struct Scratch {
    file: File,
    folder: Arc<Path>,
}

/// Entries that are turned into bytes at a time.
const PORTION: usize = 1 << 16;

impl Scratch {
    /// An empty scratch file in a folder.
    pub fn new(folder: Arc<Path>) -> Result<Scratch, SpillError> {
        match tempfile::tempfile_in(&folder) {
            Ok(file) => Ok(Scratch { file, folder }),
            Err(cause) => Err(SpillError {
                folder: folder.to_path_buf(),
                cause: Arc::new(cause),
            }),
        }
    }

    /// Reads the entries from number `start` on.
    pub fn read<E: Stored>(&self, start: u64, out: &mut [E]) -> Result<(), SpillError> {
        let mut bytes = vec![0; out.len().min(PORTION) * E::BYTES];
        let mut place = start * E::BYTES as u64;
        for out in out.chunks_mut(PORTION) {
            let bytes = &mut bytes[..out.len() * E::BYTES];
            self.told(read_at(&self.file, bytes, place))?;
            E::decode(bytes, out);
            place += bytes.len() as u64;
        }
        Ok(())
    }

    /// Writes entries from number `start` on.
    pub fn write<E: Stored>(&self, start: u64, entries: &[E]) -> Result<(), SpillError> {
        let mut bytes = vec![0; entries.len().min(PORTION) * E::BYTES];
        let mut place = start * E::BYTES as u64;
        for entries in entries.chunks(PORTION) {
            let bytes = &mut bytes[..entries.len() * E::BYTES];
            E::encode(entries, bytes);
            self.told(write_at(&self.file, bytes, place))?;
            place += bytes.len() as u64;
        }
        Ok(())
    }

    fn told<T>(&self, result: io::Result<T>) -> Result<T, SpillError> {
        result.map_err(|cause| SpillError {
            folder: self.folder.to_path_buf(),
            cause: Arc::new(cause),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::{Key, Score};
    use super::*;

    #[test]
    fn what_is_written_is_read_wherever_it_begins() {
        let folder: Arc<Path> = tempfile::tempdir().unwrap().keep().into();
        let scratch = Scratch::new(folder.clone()).unwrap();
        let keys: Vec<Key> = (0..3 * PORTION)
            .map(|i| Key::new((i % 97) as i8 - 48, (i % 512) as u16))
            .collect();
        scratch.write(5, &keys).unwrap();
        let mut back = vec![Key::new(0, 0); keys.len() - 7];
        scratch.read(12, &mut back).unwrap();
        assert_eq!(back, keys[7..]);

        let scratch = Scratch::new(folder.clone()).unwrap();
        let scores: Vec<Score> = (-48..=48).map(Score::new).collect();
        scratch.write(0, &scores).unwrap();
        let mut back = vec![Score::new(0); 97];
        scratch.read(0, &mut back).unwrap();
        assert_eq!(back, scores);
        // Past the end is an error, and says where.
        let error = scratch.read(1, &mut back).unwrap_err();
        assert!(error.to_string().contains(folder.to_str().unwrap()));
        std::fs::remove_dir(folder).unwrap();
        assert!(Scratch::new(Path::new("/no/such/folder").into()).is_err());
    }
}
