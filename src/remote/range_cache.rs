//! Ranges of remote tables on disk, so that the next run need not fetch them.
//!
//! A file for each range, in a folder for each table, which its SHA-256 sum names: a table
//! that is replaced is never mixed with the one before. Beside them the index of each host, for
//! times without a connection. Several programs may share the
//! folder. What cannot be read or written only has to be fetched. Links, and files and folders of
//! other names, are left alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use xxhash_rust::xxh3::xxh3_64;

use crate::ranges::FileRange;
use crate::table::folder::replace;

/// A checksum at the end of each file.
const SUM: usize = 8;

/// A folder of ranges, and how many bytes it may take.
#[derive(Debug)]
pub(super) struct RangeCache {
    folder: PathBuf,
    limit: u64,
    /// Bytes written since the size of the folder was last looked at.
    written: AtomicU64,
}

impl RangeCache {
    pub fn new(folder: PathBuf, limit: u64) -> RangeCache {
        RangeCache {
            folder,
            limit,
            // The first range that is written looks.
            written: AtomicU64::new(limit),
        }
    }

    /// The bytes of a range of the table with this sum.
    pub fn read(&self, sha256: &str, range: FileRange) -> Option<Vec<u8>> {
        let bytes = read_whole(&self.path(sha256, range)?)?;
        (bytes.len() as u64 == range.end - range.start).then_some(bytes)
    }

    /// The index of a host.
    pub fn read_index(&self, base: &str) -> Option<Vec<u8>> {
        read_whole(&self.index_path(base))
    }

    /// Keeps the index of a host.
    pub fn write_index(&self, base: &str, bytes: &[u8]) {
        keep(&self.index_path(base), bytes);
    }

    /// Keeps the bytes of a range.
    pub fn write(&self, sha256: &str, range: FileRange, bytes: &[u8]) {
        if let Some(path) = self.path(sha256, range) {
            keep(&path, bytes);
        }
        let written = self
            .written
            .fetch_add(bytes.len() as u64, Ordering::Relaxed);
        if written >= self.limit / 16 {
            self.written.store(0, Ordering::Relaxed);
            self.shrink();
        }
    }

    /// Removes the oldest ranges if all together are over the limit. What another program has
    /// removed meanwhile does not matter.
    fn shrink(&self) {
        let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
        let is_of_table = |folder: &fs::DirEntry| {
            let is_folder = folder.file_type().is_ok_and(|kind| kind.is_dir());
            is_folder && folder.file_name().to_str().is_some_and(is_sum)
        };
        let found = |file: fs::DirEntry| {
            let is_file = file.file_type().is_ok_and(|kind| kind.is_file());
            let is_range = is_file && file.file_name().to_str().is_some_and(is_range);
            let found = file.metadata().ok().filter(|_| is_range)?;
            Some((found.modified().ok()?, found.len(), file.path()))
        };
        let folders = entries(&self.folder).filter(is_of_table);
        let files = folders.flat_map(|folder| entries(&folder.path()));
        let mut files: Vec<(SystemTime, u64, PathBuf)> = files.filter_map(found).collect();
        files.sort_unstable();
        let mut bytes: u64 = files.iter().map(|(_, length, _)| length).sum();
        if bytes <= self.limit {
            return;
        }
        // To three quarters, so that this is not soon to be done again.
        for (_, length, path) in files {
            if bytes <= self.limit / 4 * 3 {
                break;
            }
            // Either way it is gone, or it cannot be removed.
            let _ = fs::remove_file(path);
            bytes -= length;
        }
    }

    /// The file of a range; `None` if the sum, which a host has sent, is none.
    fn path(&self, sha256: &str, range: FileRange) -> Option<PathBuf> {
        let name = format!("{}-{}", range.start, range.end);
        is_sum(sha256).then(|| self.folder.join(sha256).join(name))
    }

    fn index_path(&self, base: &str) -> PathBuf {
        let name = format!("{:016x}", xxh3_64(base.as_bytes()));
        self.folder.join("hosts").join(name)
    }
}

/// Whether a name is that of a table's folder.
fn is_sum(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Whether a name is that of a range's file, perhaps of one that a killed program has begun.
fn is_range(name: &str) -> bool {
    let is_number = |text: &str| text.parse::<u64>().is_ok();
    let name = name.strip_suffix(".partial").unwrap_or(name);
    name.split_once('-')
        .is_some_and(|(start, end)| is_number(start) && is_number(end))
}

/// Whether a path is neither a link nor in a folder that is one.
fn has_no_link(path: &Path) -> bool {
    !path.is_symlink() && path.parent().is_some_and(|folder| !folder.is_symlink())
}

/// The bytes of a file that was written in one step, if they are whole.
fn read_whole(path: &Path) -> Option<Vec<u8>> {
    if !has_no_link(path) {
        return None;
    }
    let mut bytes = fs::read(path).ok()?;
    let length = bytes.len().checked_sub(SUM)?;
    let sum = bytes.split_off(length);
    (xxh3_64(&bytes).to_le_bytes() == *sum).then_some(bytes)
}

/// Writes a file in one step, with the sum of its bytes.
///
/// If that fails, the next run fetches these bytes again, so errors do not matter.
fn keep(path: &Path, bytes: &[u8]) {
    let is_ready = |folder: &Path| has_no_link(path) && fs::create_dir_all(folder).is_ok();
    if path.parent().is_some_and(is_ready) {
        let _ = replace(path, &[bytes, &xxh3_64(bytes).to_le_bytes()].concat());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: u64) -> FileRange {
        FileRange {
            file: 0,
            start,
            end: start + 100,
        }
    }

    #[test]
    fn ranges_come_back_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let cache = RangeCache::new(folder.path().join("cache"), 1 << 20);
        let sum = "0f".repeat(32);
        assert_eq!(cache.read(&sum, range(0)), None);
        cache.write(&sum, range(0), &[7; 100]);
        assert_eq!(cache.read(&sum, range(0)), Some(vec![7; 100]));
        assert_eq!(cache.read(&sum, range(1)), None);
        assert_eq!(cache.read(&"0e".repeat(32), range(0)), None);
        // A sum that a host has made up leads to no other folder.
        cache.write("../..", range(0), &[7; 100]);
        assert_eq!(cache.read("../..", range(0)), None);

        let path = cache.path(&sum, range(0)).unwrap();
        let whole = fs::read(&path).unwrap();
        for cut in [0, 7, 8, 50, 107] {
            fs::write(&path, &whole[..cut]).unwrap();
            assert_eq!(cache.read(&sum, range(0)), None);
        }
        let mut flipped = whole;
        flipped[50] ^= 1;
        fs::write(&path, flipped).unwrap();
        assert_eq!(cache.read(&sum, range(0)), None);
    }

    #[test]
    fn the_cache_stays_within_its_limit() {
        let folder = tempfile::tempdir().unwrap();
        let cache = RangeCache::new(folder.path().to_owned(), 4000);
        for start in 0..200 {
            cache.write(&"00".repeat(32), range(start), &[0; 100]);
        }
        let files = fs::read_dir(folder.path().join("00".repeat(32))).unwrap();
        let bytes: u64 = files
            .map(|file| file.unwrap().metadata().unwrap().len())
            .sum();
        assert!((1000..=4000 + 4000 / 16 + 108).contains(&bytes), "{bytes}");
        assert!(cache.read(&"00".repeat(32), range(199)).is_some());
    }

    /// Whatever else is in the folder neither goes nor keeps the cache from its limit.
    #[cfg(unix)]
    #[test]
    fn other_files_and_links_are_left_alone() {
        use std::os::unix::fs::symlink;
        let [folder, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let table = folder.path().join("00".repeat(32));
        fs::create_dir(&table).unwrap();
        let kept = [
            folder.path().join("notes.txt"),
            folder.path().join(".DS_Store"),
            table.join("notes.txt"),
            other.path().join("mine"),
            other.path().join("0-100"),
        ];
        for file in &kept {
            fs::write(file, [0; 5000]).unwrap();
        }
        symlink(other.path(), folder.path().join("bb")).unwrap();
        let linked = "11".repeat(32);
        symlink(other.path(), folder.path().join(&linked)).unwrap();
        symlink(other.path().join("mine"), table.join("0-99")).unwrap();
        let cache = RangeCache::new(folder.path().to_owned(), 4000);
        for start in 0..200 {
            cache.write(&"00".repeat(32), range(start), &[0; 100]);
        }
        cache.write(&linked, range(7), &[0; 100]);
        assert_eq!(cache.read(&linked, range(7)), None);
        for file in &kept {
            assert_eq!(fs::read(file).unwrap(), [0; 5000], "{}", file.display());
        }
        assert_eq!(fs::read_dir(other.path()).unwrap().count(), 2);
        let ranges = fs::read_dir(&table).unwrap().flatten();
        let ranges = ranges.filter(|file| file.file_name().to_str().is_some_and(is_range));
        assert!((10..=45).contains(&ranges.count()));
    }
}
