//! Work on many blocks: by all threads with the feature `solve`, else in order.

use crate::table::error::TableError;

/// Does something with each item. The error is that of the first item that failed.
#[cfg(feature = "solve")]
pub(super) fn try_each<I: rayon::iter::IntoParallelIterator>(
    items: I,
    work: impl Fn(I::Item) -> Result<(), TableError> + Send + Sync,
) -> Result<(), TableError> {
    use rayon::iter::ParallelIterator;
    let results = items.into_par_iter().map(work);
    results.find_first(Result::is_err).unwrap_or(Ok(()))
}

/// Does something with each item, up to the first that fails.
#[cfg(not(feature = "solve"))]
pub(super) fn try_each<I: IntoIterator>(
    items: I,
    work: impl Fn(I::Item) -> Result<(), TableError> + Sync,
) -> Result<(), TableError> {
    items.into_iter().try_for_each(work)
}
