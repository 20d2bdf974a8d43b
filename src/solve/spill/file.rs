//! A spill file: the pieces of one or more arrays, each with a checksum.
//!
//! The file begins with a page that is its head: what a checkpoint says of itself, or nothing. The
//! pieces follow, each from a page on. The last eight bytes of its last page are its checksum, so
//! that another run finds out which pieces are whole: a kill may have torn some.
//!
//! Arrays that are written once and then only read are compressed, each piece in the first pages of
//! its place; the system gives the others no space.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use xxhash_rust::xxh3::{Xxh3, xxh3_64_with_seed};

use super::buffer::{Buffer, PAGE};
use super::pages::PageFile;
use super::{SpillError, is_unsupported};
use crate::table::codec::zstandard;

/// Bytes of a checksum.
const SUM: usize = size_of::<u64>();

/// The effort of Zstandard: more of it takes twice as long and saves a fiftieth.
const EFFORT: i32 = 1;

/// The pieces of one array.
#[derive(Debug)]
pub(in crate::solve) struct SpillFile {
    /// Shared with other arrays whose pieces it has.
    file: Arc<PageFile>,
    folder: PathBuf,
    is_named: bool,
    form: Form,
    pieces: Vec<Piece>,
    /// The bytes of an entry that has not been written yet.
    initial: Vec<u8>,
}

/// A piece of the file.
#[derive(Debug)]
struct Piece {
    /// Where it begins: at a page.
    offset: u64,
    bytes: usize,
    /// Bytes of its compressed form; 0 if it is stored without change.
    compressed: AtomicUsize,
    /// The checksum of its stored bytes; 0 before it is written.
    sum: AtomicU64,
}

impl Piece {
    /// Bytes of its pages, which end with the checksum.
    fn block(&self) -> usize {
        block(self.bytes)
    }

    /// A checksum of stored bytes that is not 0. A piece in the place of another one has a wrong
    /// one.
    fn checksum(&self, stored: &[u8]) -> u64 {
        xxh3_64_with_seed(stored, self.offset).max(1)
    }
}

/// How an array stores its pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::solve) enum Form {
    /// Without change: for entries that change.
    Plain,
    /// Compressed where that takes fewer pages, if the library has Zstandard: for entries that are
    /// written once.
    Compressed,
}

/// The size of a piece with its checksum, in whole pages.
fn block(bytes: usize) -> usize {
    (bytes + SUM).next_multiple_of(PAGE)
}

/// Where the checksum of a piece is in its pages.
fn sum_in(block: &mut [u8]) -> &mut [u8; SUM] {
    block.last_chunk_mut().expect("a page at the least")
}

/// What is in a file: arrays with pieces of the same lengths.
pub(in crate::solve) struct SpillLayout {
    /// Bytes of each piece.
    pub lengths: Vec<usize>,
    /// For each array, the bytes of an entry that has not been written yet.
    pub initial: Vec<Vec<u8>>,
    pub form: Form,
}

impl SpillLayout {
    /// Bytes of the file.
    pub fn bytes(&self) -> u64 {
        let blocks = self.lengths.iter().map(|&bytes| block(bytes) as u64);
        PAGE as u64 + self.initial.len() as u64 * blocks.sum::<u64>()
    }

    /// A file in `folder` that vanishes with the program; `None` where the system has no files.
    pub fn nameless(self, folder: &Path) -> Result<Option<Vec<SpillFile>>, SpillError> {
        let bytes = self.bytes();
        match PageFile::nameless(folder, bytes, self.form == Form::Plain) {
            Ok(file) => Ok(Some(self.files(file, folder, false))),
            Err(error) if is_unsupported(&error) => Ok(None),
            Err(cause) => Err(SpillError::Make {
                folder: folder.to_path_buf(),
                bytes,
                cause: Arc::new(cause),
            }),
        }
    }

    /// The empty file at a path, which gets its bytes.
    pub fn allocated(self, path: &Path) -> io::Result<Vec<SpillFile>> {
        let file = PageFile::allocated(path, self.bytes())?;
        Ok(self.files(file, path.parent().unwrap_or(path), true))
    }

    /// The file at a path, which has these bytes.
    pub fn open(self, path: &Path) -> io::Result<Vec<SpillFile>> {
        let file = PageFile::open(path)?;
        Ok(self.files(file, path.parent().unwrap_or(path), true))
    }

    fn files(self, file: PageFile, folder: &Path, is_named: bool) -> Vec<SpillFile> {
        let file = Arc::new(file);
        let mut end = PAGE as u64;
        let files = self.initial.into_iter().map(|initial| {
            let pieces = self.lengths.iter().map(|&bytes| {
                let offset = end;
                end += block(bytes) as u64;
                Piece {
                    offset,
                    bytes,
                    compressed: AtomicUsize::new(0),
                    sum: AtomicU64::new(0),
                }
            });
            SpillFile {
                pieces: pieces.collect(),
                file: file.clone(),
                folder: folder.to_path_buf(),
                is_named,
                form: self.form,
                initial,
            }
        });
        files.collect()
    }
}

impl SpillFile {
    /// Whether the file has a name, so that another run finds it.
    pub fn is_named(&self) -> bool {
        self.is_named
    }

    /// How pieces are stored.
    pub fn form(&self) -> Form {
        self.form
    }

    /// How many pieces there are.
    pub fn pieces(&self) -> usize {
        self.pieces.len()
    }

    /// Bytes of the longest piece with its checksum, in whole pages: buffers of this size fit all.
    pub fn longest(&self) -> usize {
        self.pieces.iter().map(Piece::block).max().unwrap_or(PAGE)
    }

    /// A buffer of this many bytes.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn buffer(&self, bytes: usize) -> Result<Buffer, SpillError> {
        Buffer::new(bytes).map_err(|cause| self.fails(cause))
    }

    /// Reads a piece into a buffer. Returns how many bytes it has read.
    ///
    /// # Errors
    /// If it cannot be read, or is not what was written.
    ///
    /// # Panics
    /// If the buffer is too short.
    pub fn read(&self, number: usize, buffer: &mut Buffer) -> Result<usize, SpillError> {
        let piece = &self.pieces[number];
        let sum = piece.sum.load(Ordering::Acquire);
        if sum == 0 {
            self.fill(&mut buffer.bytes_mut()[..piece.bytes]);
            return Ok(0);
        }
        let read_pages = |pages: &mut [u8], stored: usize| {
            let read = self.file.read(pages, piece.offset);
            read.map_err(|cause| self.fails(cause))?;
            match piece.checksum(&pages[..stored]) == sum {
                true => Ok(()),
                false => Err(self.fails(io::Error::other("it has lost what was written to it"))),
            }
        };
        let compressed = piece.compressed.load(Ordering::Acquire);
        if compressed == 0 {
            read_pages(&mut buffer.bytes_mut()[..piece.block()], piece.bytes)?;
            return Ok(piece.block());
        }
        let mut pages = self.buffer(compressed)?;
        read_pages(pages.bytes_mut(), compressed)?;
        let entries = &mut buffer.bytes_mut()[..piece.bytes];
        match zstandard::decompress(&pages.bytes()[..compressed], entries) {
            true => Ok(pages.len()),
            false => Err(self.fails(io::Error::other("a piece cannot be decompressed"))),
        }
    }

    /// Reads a piece that another run may have written. If it is not whole, its entries are
    /// those of a new array.
    ///
    /// # Errors
    /// If it cannot be read.
    ///
    /// # Panics
    /// If the buffer is too short.
    pub fn recover(&self, number: usize, buffer: &mut Buffer) -> Result<(), SpillError> {
        let piece = &self.pieces[number];
        let block = &mut buffer.bytes_mut()[..piece.block()];
        let read = self.file.read(block, piece.offset);
        read.map_err(|cause| self.fails(cause))?;
        let sum = piece.checksum(&block[..piece.bytes]);
        match u64::from_le_bytes(*sum_in(block)) == sum {
            true => piece.sum.store(sum, Ordering::Release),
            false => self.fill(&mut block[..piece.bytes]),
        }
        Ok(())
    }

    /// Writes a piece, and its checksum behind it unless it is compressed. Returns how many bytes
    /// it has written.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, number: usize, buffer: &mut Buffer) -> Result<usize, SpillError> {
        let piece = &self.pieces[number];
        let write_pages = |pages: &[u8], compressed: usize, sum: u64| {
            let written = self.file.write(pages, piece.offset);
            written.map_err(|cause| self.fails(cause))?;
            piece.compressed.store(compressed, Ordering::Release);
            piece.sum.store(sum, Ordering::Release);
            Ok(pages.len())
        };
        if self.form == Form::Compressed
            && let Ok(stored) = zstandard::compress(EFFORT, &buffer.bytes()[..piece.bytes])
            && stored.len().next_multiple_of(PAGE) < piece.block()
        {
            let mut pages = self.buffer(stored.len())?;
            pages.bytes_mut()[..stored.len()].copy_from_slice(&stored);
            return write_pages(pages.bytes(), stored.len(), piece.checksum(&stored));
        }
        let block = &mut buffer.bytes_mut()[..piece.block()];
        let sum = piece.checksum(&block[..piece.bytes]);
        *sum_in(block) = sum.to_le_bytes();
        write_pages(block, 0, sum)
    }

    /// Fills bytes with entries of a new array.
    fn fill(&self, out: &mut [u8]) {
        for entry in out.chunks_exact_mut(self.initial.len()) {
            entry.copy_from_slice(&self.initial);
        }
    }

    /// A checksum of the checksums of all pieces of some files, which is not 0.
    pub fn sum_of_sums<'a>(files: impl Iterator<Item = &'a SpillFile>) -> u64 {
        let mut all = Xxh3::new();
        for piece in files.flat_map(|file| &file.pieces) {
            all.update(&piece.sum.load(Ordering::Acquire).to_le_bytes());
        }
        all.digest().max(1)
    }

    /// Writes the head of the file, and waits until the disk has everything.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_head(&self, head: &[u8]) -> io::Result<()> {
        let mut page = Buffer::new(PAGE)?;
        page.bytes_mut()[..head.len()].copy_from_slice(head);
        self.file.write(page.bytes(), 0)?;
        self.file.sync()
    }

    /// Waits until the disk has what was written.
    ///
    /// # Errors
    /// If the system reports one.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync()
    }

    /// The error for a failure of the disk, or of the threads that use it.
    pub fn fails(&self, cause: io::Error) -> SpillError {
        SpillError::Use {
            folder: self.folder.clone(),
            cause: Arc::new(cause),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(lengths: &[usize]) -> SpillLayout {
        SpillLayout {
            lengths: lengths.to_vec(),
            initial: vec![vec![7, 9]],
            form: Form::Plain,
        }
    }

    const LENGTHS: [usize; 3] = [6, PAGE, 3 * PAGE + 2];

    fn file(folder: &Path) -> SpillFile {
        let file = layout(&LENGTHS).nameless(folder).unwrap().unwrap();
        file.into_iter().next().unwrap()
    }

    #[test]
    fn pieces_are_what_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let mut random = fastrand::Rng::with_seed(1);
        for form in [Form::Plain, Form::Compressed] {
            let layout = SpillLayout {
                form,
                ..layout(&LENGTHS)
            };
            let file = layout.nameless(folder.path()).unwrap().unwrap().remove(0);
            // It has no name.
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
            let mut buffer = file.buffer(file.longest()).unwrap();
            let mut again = file.buffer(file.longest()).unwrap();
            for piece in [0, 2, 1] {
                assert_eq!(file.read(piece, &mut buffer).unwrap(), 0);
                assert_eq!(buffer.bytes()[..4], [7, 9, 7, 9]);
                // A form may become longer and shorter; random bytes cannot be compressed.
                for bits in [4, 8, 1] {
                    let bytes = buffer.bytes_mut();
                    bytes.fill_with(|| random.u8(..=u8::MAX >> (8 - bits)));
                    let written = file.write(piece, &mut buffer).unwrap();
                    let block = file.pieces[piece].block();
                    let is_shorter = form == Form::Compressed && bits < 8 && block > PAGE;
                    assert_eq!(written < block, is_shorter, "{form:?}, {piece}, {bits}");
                    assert_eq!(file.read(piece, &mut again).unwrap(), written);
                    let len = file.pieces[piece].bytes;
                    assert!(again.bytes()[..len] == buffer.bytes()[..len]);
                }
            }
        }
    }

    /// Another run finds the pieces of several arrays that are whole.
    #[test]
    fn whole_pieces_are_recovered() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let layout = || SpillLayout {
            lengths: LENGTHS.to_vec(),
            initial: vec![vec![7, 9], vec![8]],
            form: Form::Plain,
        };
        std::fs::File::create(&path).unwrap();
        let files = layout().allocated(&path).unwrap();
        let mut buffer = files[0].buffer(files[0].longest()).unwrap();
        for (file, fill) in files.iter().zip([1, 2]) {
            for piece in 0..file.pieces() - 1 {
                buffer.bytes_mut().fill(fill);
                file.write(piece, &mut buffer).unwrap();
            }
        }
        let sums = SpillFile::sum_of_sums(files.iter());
        files[0].write_head(b"head").unwrap();
        drop(files);
        assert_eq!(std::fs::read(&path).unwrap().len() as u64, layout().bytes());
        let files = layout().open(&path).unwrap();
        for (file, expected) in files.iter().zip([[1, 1, 7], [2, 2, 8]]) {
            for (piece, expected) in expected.into_iter().enumerate() {
                file.recover(piece, &mut buffer).unwrap();
                assert_eq!(buffer.bytes()[0], expected);
            }
        }
        assert_eq!(SpillFile::sum_of_sums(files.iter()), sums);
    }

    #[test]
    fn a_lost_write_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = file(folder.path());
        let mut first = file.buffer(2 * PAGE).unwrap();
        file.write(1, &mut first).unwrap();
        // The write before is there in its place.
        let before = first.bytes().to_vec();
        first.bytes_mut()[17] = 1;
        file.write(1, &mut first).unwrap();
        first.bytes_mut().copy_from_slice(&before);
        file.file
            .write(first.bytes(), file.pieces[1].offset)
            .unwrap();
        let error = file.read(1, &mut first).unwrap_err();
        assert!(
            error.to_string().contains("has lost what was written"),
            "{error}"
        );
    }

    #[test]
    fn a_file_that_cannot_be_made_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        // No disk is as large as the second.
        for (folder, bytes) in [
            (folder.path().join("gone"), 6),
            (folder.path().into(), 1 << 60),
        ] {
            let error = layout(&[bytes]).nameless(&folder).unwrap_err();
            assert!(matches!(error, SpillError::Make { .. }), "{error}");
        }
    }
}
