//! One contract for every source: the same bytes, and the same refusals.

use std::fs;
use std::path::Path;

#[cfg(feature = "mmap")]
use super::mmap::map_for_tests;
use super::source::Source;
use crate::table::error::Fault;

type Open = fn(&Path) -> Result<Source, Fault>;

/// The same bytes behind every implementation. The folder must outlive them.
fn all_of(bytes: &[u8], folder: &Path) -> Vec<(&'static str, Source)> {
    let path = folder.join("bytes");
    fs::write(&path, bytes).unwrap();
    let leaked: &'static [u8] = bytes.to_vec().leak();
    vec![
        #[cfg(feature = "mmap")]
        ("mapped", map_for_tests(&path).unwrap()),
        ("file", Source::open(&path).unwrap()),
        ("owned", Source::Memory(bytes.to_vec().into())),
        ("borrowed", Source::Memory(leaked.into())),
    ]
}

#[test]
fn every_source_returns_the_same_bytes() {
    for length in [0_usize, 1, 7, 4096, 10_000] {
        let bytes: Vec<u8> = (0..length)
            .map(|i| ((i * 37) >> 3).to_le_bytes()[0])
            .collect();
        let folder = tempfile::tempdir().unwrap();
        let sources = all_of(&bytes, folder.path());
        let end = length as u64;
        let mut edges = vec![0, 1, 2, end / 3, end, end + 1, end + 4096];
        edges.extend([end.saturating_sub(1), 1 << 31, 1 << 32, (1 << 32) + 1]);
        edges.extend([i64::MAX as u64, 1 << 63, u64::MAX - 1, u64::MAX]);
        for &start in &edges {
            for &stop in &edges {
                let inside = |at: u64| usize::try_from(at.min(end)).unwrap();
                let wanted = match start < stop {
                    true => &bytes[inside(start)..inside(stop)],
                    false => &[],
                };
                for (name, source) in &sources {
                    let got = source.bytes(start..stop).unwrap();
                    assert_eq!(*got, *wanted, "{name}: {start}..{stop} of {length}");
                    assert_eq!(source.len(), end, "{name}");
                }
            }
        }
    }
}

#[test]
fn folders_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let opens: &[Open] = &[
        #[cfg(feature = "mmap")]
        map_for_tests,
        Source::open,
    ];
    for open in opens {
        assert!(matches!(open(folder.path()), Err(Fault::NotAFile)));
        let missing = open(&folder.path().join("missing"));
        assert!(matches!(missing, Err(Fault::Read { .. })));
    }
}
