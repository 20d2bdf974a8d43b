//! A spill file: the pieces of one or more arrays, compressed, each with a checksum.
//!
//! The file begins with a page that is its head: what a checkpoint says of itself, or nothing. The
//! pieces follow, each from a page on, with room for its entries without compression. A piece
//! begins with eight bytes of a checksum and eight of a length, so that another run finds out which
//! pieces are whole: a kill may have torn some.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use xxhash_rust::xxh3::{Xxh3, xxh3_64_with_seed};

use super::buffer::{Buffer, PAGE};
use super::pages::PageFile;
use super::{SpillError, compression, is_unsupported};

/// Bytes of the checksum of a piece, which is that of the bytes after it.
const SUM: usize = size_of::<u64>();

/// Bytes of a piece before its entries: the checksum, and how many bytes the entries take:
/// compressed, unless that saves nothing.
const HEAD: usize = SUM + size_of::<u64>();

/// The pieces of one array.
#[derive(Debug)]
pub(in crate::solve) struct SpillFile {
    /// Shared with other arrays whose pieces it has.
    file: Arc<PageFile>,
    folder: PathBuf,
    is_named: bool,
    writes: Writes,
    pieces: Vec<Piece>,
    /// The bytes of an entry that has not been written yet.
    initial: Vec<u8>,
}

/// A piece of the file.
#[derive(Debug)]
struct Piece {
    /// Where it begins: at a page.
    offset: u64,
    /// Bytes of its entries.
    bytes: usize,
    form: Mutex<Option<StoredForm>>,
}

/// What of a piece was written last.
#[derive(Clone, Copy, Debug)]
struct StoredForm {
    /// Bytes of the head and of the entries.
    len: usize,
    sum: u64,
}

impl Piece {
    /// What was written last, if anything was.
    fn form(&self) -> Option<StoredForm> {
        *self.form.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_form(&self, form: StoredForm) {
        *self.form.lock().unwrap_or_else(PoisonError::into_inner) = Some(form);
    }

    /// The checksum of a piece with its head. A piece in the place of another one has a wrong one.
    fn checksum(&self, stored: &[u8]) -> u64 {
        xxh3_64_with_seed(&stored[SUM..], self.offset)
    }
}

/// How often each piece of an array is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::solve) enum Writes {
    /// Before it is read: the disk gives the file no more than its pieces take.
    Once,
    /// While it is read: the disk gives the file its whole length before the work begins.
    Often,
}

/// The size of the place of a piece.
fn place(bytes: usize) -> usize {
    (HEAD + bytes).next_multiple_of(PAGE)
}

/// What is in a file: arrays with pieces of the same lengths.
pub(in crate::solve) struct SpillLayout {
    /// Bytes of each piece.
    pub lengths: Vec<usize>,
    /// For each array, the bytes of an entry that has not been written yet.
    pub initial: Vec<Vec<u8>>,
    pub writes: Writes,
}

impl SpillLayout {
    /// Bytes of the file.
    pub fn bytes(&self) -> u64 {
        let places = self.lengths.iter().map(|&bytes| place(bytes) as u64);
        PAGE as u64 + self.initial.len() as u64 * places.sum::<u64>()
    }

    /// A file in `folder` that vanishes with the program; `None` where the system has no files.
    pub fn nameless(self, folder: &Path) -> Result<Option<Vec<SpillFile>>, SpillError> {
        let bytes = self.bytes();
        match PageFile::nameless(folder, bytes, self.writes == Writes::Often) {
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
                end += place(bytes) as u64;
                Piece {
                    offset,
                    bytes,
                    form: Mutex::default(),
                }
            });
            SpillFile {
                pieces: pieces.collect(),
                file: file.clone(),
                folder: folder.to_path_buf(),
                is_named,
                writes: self.writes,
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

    /// How often each piece is written.
    pub fn writes(&self) -> Writes {
        self.writes
    }

    /// How many pieces there are.
    pub fn pieces(&self) -> usize {
        self.pieces.len()
    }

    /// Bytes of the longest piece, in whole pages: buffers of this size fit all.
    pub fn longest(&self) -> usize {
        let bytes = self.pieces.iter().map(|piece| piece.bytes);
        bytes.max().unwrap_or(0).next_multiple_of(PAGE).max(PAGE)
    }

    /// A buffer of this many bytes.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn buffer(&self, bytes: usize) -> Result<Buffer, SpillError> {
        Buffer::new(bytes).map_err(|cause| self.fails(cause))
    }

    /// Replaces a buffer that has fewer bytes than these.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn grow(&self, buffer: &mut Buffer, bytes: usize) -> Result<(), SpillError> {
        if buffer.len() < bytes {
            *buffer = self.buffer(bytes)?;
        }
        Ok(())
    }

    /// Reads a piece into a buffer. What was written is in `stored` then, a buffer that grows.
    /// Returns how many bytes it has read.
    ///
    /// # Errors
    /// If it cannot be read, or is not what was written.
    ///
    /// # Panics
    /// If the buffer is too short.
    pub fn read(
        &self,
        number: usize,
        buffer: &mut Buffer,
        stored: &mut Buffer,
    ) -> Result<usize, SpillError> {
        let piece = &self.pieces[number];
        let entries = &mut buffer.bytes_mut()[..piece.bytes];
        let Some(StoredForm { len, sum }) = piece.form() else {
            self.fill(entries);
            return Ok(0);
        };
        let bytes = len.next_multiple_of(PAGE);
        self.grow(stored, bytes)?;
        let pages = &mut stored.bytes_mut()[..bytes];
        let read = self.file.read(pages, piece.offset);
        read.map_err(|cause| self.fails(cause))?;
        if piece.checksum(&pages[..len]) != sum || !self.decompress(&pages[HEAD..len], entries) {
            return Err(self.fails(io::Error::other("it has lost what was written to it")));
        }
        Ok(pages.len())
    }

    /// Reads a piece that another run may have written, as [`SpillFile::read`] does. If it is not
    /// whole, its entries are those of a new array.
    ///
    /// # Errors
    /// If it cannot be read.
    ///
    /// # Panics
    /// If the buffer is too short.
    pub fn recover(
        &self,
        number: usize,
        buffer: &mut Buffer,
        stored: &mut Buffer,
    ) -> Result<(), SpillError> {
        let piece = &self.pieces[number];
        let entries = &mut buffer.bytes_mut()[..piece.bytes];
        self.grow(stored, place(piece.bytes))?;
        let pages = &mut stored.bytes_mut()[..place(piece.bytes)];
        let read = self.file.read(pages, piece.offset);
        read.map_err(|cause| self.fails(cause))?;
        let (numbers, _) = pages.as_chunks();
        let [sum, bytes] = [numbers[0], numbers[1]].map(u64::from_le_bytes);
        if bytes <= piece.bytes as u64 {
            let len = HEAD + bytes as usize;
            if piece.checksum(&pages[..len]) == sum && self.decompress(&pages[HEAD..len], entries) {
                piece.set_form(StoredForm { len, sum });
                return Ok(());
            }
        }
        self.fill(entries);
        Ok(())
    }

    /// Decompresses the entries of a piece; `false` if these are the bytes of others.
    fn decompress(&self, stored: &[u8], entries: &mut [u8]) -> bool {
        if stored.len() == entries.len() {
            entries.copy_from_slice(stored);
            return true;
        }
        compression::decompress(self.initial.len(), stored, entries)
    }

    /// Writes a piece, which is compressed in `stored`, a buffer that grows. Returns how many bytes it
    /// has written.
    ///
    /// # Errors
    /// If it cannot be written.
    ///
    /// # Panics
    /// If the buffer with the entries is too short.
    pub fn write(
        &self,
        number: usize,
        buffer: &Buffer,
        stored: &mut Buffer,
    ) -> Result<usize, SpillError> {
        let piece = &self.pieces[number];
        let entries = &buffer.bytes()[..piece.bytes];
        self.grow(stored, place(piece.bytes))?;
        let pages = &mut stored.bytes_mut()[..place(piece.bytes)];
        let room = &mut pages[HEAD..][..entries.len()];
        let compressed = compression::compress(self.initial.len(), entries, room);
        let bytes = match compressed {
            Some(bytes) if bytes < entries.len() => bytes,
            _ => {
                room.copy_from_slice(entries);
                entries.len()
            }
        };
        pages[SUM..HEAD].copy_from_slice(&(bytes as u64).to_le_bytes());
        let len = HEAD + bytes;
        let sum = piece.checksum(&pages[..len]);
        pages[..SUM].copy_from_slice(&sum.to_le_bytes());
        let pages = &pages[..len.next_multiple_of(PAGE)];
        let written = self.file.write(pages, piece.offset);
        written.map_err(|cause| self.fails(cause))?;
        piece.set_form(StoredForm { len, sum });
        Ok(pages.len())
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
            let sum = piece.form().map_or(0, |form| form.sum);
            all.update(&sum.to_le_bytes());
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
            writes: Writes::Often,
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
        for writes in [Writes::Often, Writes::Once] {
            let layout = SpillLayout {
                writes,
                ..layout(&LENGTHS)
            };
            let file = layout.nameless(folder.path()).unwrap().unwrap().remove(0);
            // It has no name.
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
            let mut buffer = file.buffer(file.longest()).unwrap();
            let mut again = file.buffer(file.longest()).unwrap();
            let mut stored = Buffer::empty();
            for piece in [0, 2, 1] {
                assert_eq!(file.read(piece, &mut buffer, &mut stored).unwrap(), 0);
                assert_eq!(buffer.bytes()[..4], [7, 9, 7, 9]);
                // Pieces may become longer and shorter; random bytes cannot be compressed.
                for bits in [4, 8, 1] {
                    let bytes = buffer.bytes_mut();
                    bytes.fill_with(|| random.u8(..=u8::MAX >> (8 - bits)));
                    let written = file.write(piece, &buffer, &mut stored).unwrap();
                    let len = file.pieces[piece].bytes;
                    let is_shorter = bits < 8 && place(len) > PAGE;
                    assert_eq!(written < place(len), is_shorter, "{piece}, {bits}");
                    let read = file.read(piece, &mut again, &mut stored).unwrap();
                    assert_eq!(read, written);
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
            writes: Writes::Often,
        };
        std::fs::File::create(&path).unwrap();
        let files = layout().allocated(&path).unwrap();
        let mut buffer = files[0].buffer(files[0].longest()).unwrap();
        let mut stored = Buffer::empty();
        for (file, fill) in files.iter().zip([1, 2]) {
            for piece in 0..file.pieces() - 1 {
                buffer.bytes_mut().fill(fill);
                file.write(piece, &buffer, &mut stored).unwrap();
            }
        }
        let sums = SpillFile::sum_of_sums(files.iter());
        files[0].write_head(b"head").unwrap();
        drop(files);
        assert_eq!(std::fs::read(&path).unwrap().len() as u64, layout().bytes());
        let mut assert_recovered = |firsts: [[u8; 3]; 2]| {
            let files = layout().open(&path).unwrap();
            for (file, firsts) in files.iter().zip(firsts) {
                for (piece, first) in firsts.into_iter().enumerate() {
                    file.recover(piece, &mut buffer, &mut stored).unwrap();
                    assert_eq!(buffer.bytes()[0], first);
                }
            }
            SpillFile::sum_of_sums(files.iter())
        };
        assert_eq!(assert_recovered([[1, 1, 7], [2, 2, 8]]), sums);
        // Bytes of a head and of an entry, and a length beyond the piece.
        for (at, byte) in [(0, 1), (SUM, 1), (HEAD, 1), (SUM + 1, u8::MAX)] {
            let whole = std::fs::read(&path).unwrap();
            let mut torn = whole.clone();
            torn[PAGE + at] ^= byte;
            std::fs::write(&path, torn).unwrap();
            assert_ne!(assert_recovered([[7, 1, 7], [2, 2, 8]]), sums);
            std::fs::write(&path, whole).unwrap();
        }
    }

    #[test]
    fn a_lost_write_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = file(folder.path());
        let mut entries = file.buffer(PAGE).unwrap();
        let (mut before, mut stored) = (Buffer::empty(), Buffer::empty());
        file.write(1, &entries, &mut before).unwrap();
        entries.bytes_mut()[17] = 1;
        file.write(1, &entries, &mut stored).unwrap();
        // The write before is there in its place.
        let offset = file.pieces[1].offset;
        file.file.write(before.bytes(), offset).unwrap();
        let error = file.read(1, &mut entries, &mut stored).unwrap_err();
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
