//! Probing again once the bytes that a probe of tables on another machine lacked are here.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::tables::Tablebase;
use crate::ranges::{FileRange, Lacking, MayLack};
use crate::table::{Fault, TableError};

/// How often a probe begins again: several times as often as any needs to.
const MOST_ROUNDS: usize = 200;

/// Nobody sets it.
pub(super) static NEVER: AtomicBool = AtomicBool::new(false);

impl Tablebase {
    /// The same tables with a flag that ends a probe while it waits for a host: once the flag is
    /// set, a probe that lacks bytes fails.
    #[must_use]
    pub fn until(&self, stop: Arc<AtomicBool>) -> Tablebase {
        let mut tables = self.clone();
        tables.stop = Some(stop);
        tables
    }

    /// The same tables, for those who do not wait: a probe that lacks bytes of a host fails at once.
    #[must_use]
    pub fn without_waiting(&self) -> Tablebase {
        self.until(Arc::new(AtomicBool::new(true)))
    }

    /// What ends a probe while it waits.
    #[inline]
    pub(super) fn stop_flag(&self) -> &AtomicBool {
        self.stop.as_deref().unwrap_or(&NEVER)
    }
}

/// What `probe` returns once it lacks nothing: after each failure that is only for want of bytes,
/// they are fetched, and it begins again, unless it is told to stop.
#[inline]
pub(super) fn fetching<T, E: MayLack + From<TableError>>(
    stop: &AtomicBool,
    mut probe: impl FnMut() -> Result<T, E>,
) -> Result<T, E> {
    for _ in 0..MOST_ROUNDS {
        match probe() {
            Err(error) => fetch_lacking(error, stop)?,
            result => return result,
        }
    }
    let cause = io::Error::other("a probe needs more of it at once than is kept in memory");
    Err(Fault::Read { cause }.of("a table on a host").into())
}

/// Fetches what an error lacks. Fails with the error if it is another one, or if whoever asks has
/// to fetch that.
#[cold]
fn fetch_lacking<E: MayLack + From<TableError>>(mut error: E, stop: &AtomicBool) -> Result<(), E> {
    let Some(lacking) = error.lacking() else {
        return Err(error);
    };
    let mut rest = lacking.clone();
    while let Some((source, _)) = rest.first().cloned() {
        if stop.load(Ordering::Relaxed) {
            return Err(Fault::Stopped.of("a table on a host").into());
        }
        let is_of_source = |(other, _): &(_, _)| Arc::ptr_eq(other, &source);
        let (of_source, others): (Lacking, Lacking) = rest.into_iter().partition(is_of_source);
        rest = others;
        let ranges: BTreeSet<FileRange> = of_source.into_iter().map(|(_, range)| range).collect();
        let ranges: Vec<FileRange> = ranges.into_iter().collect();
        if !source.fetch(&ranges, stop).map_err(TableError::from)? {
            return Err(error);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranges::{FetchError, Ranges};

    /// A source that keeps nothing of what it fetches.
    #[derive(Debug)]
    struct Forgetful;

    impl Ranges for Forgetful {
        fn kept(&self, _: FileRange) -> Option<Arc<[u8]>> {
            None
        }

        fn fetch(&self, _: &[FileRange], _: &AtomicBool) -> Result<bool, FetchError> {
            Ok(true)
        }
    }

    #[test]
    fn a_probe_that_always_lacks_something_ends() {
        let source: Arc<dyn Ranges> = Arc::new(Forgetful);
        let (file, start, end) = (0, 0, 1);
        let range = FileRange { file, start, end };
        let lacking = || Err::<(), _>(Fault::Lacking(vec![(source.clone(), range)]).of("it"));
        let error: TableError = fetching(&NEVER, lacking).unwrap_err();
        assert!(
            error.to_string().contains("needs more of it at once"),
            "{error}"
        );
    }
}
