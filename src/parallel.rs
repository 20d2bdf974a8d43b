//! Work on many items, on all threads of the rayon pool.

use rayon::prelude::*;

/// Items that a thread takes at a time.
const BATCH: usize = 1024;

/// What `work` makes of each item, in their order.
pub(crate) fn map<I: Sync, T: Send>(items: &[I], work: impl Fn(&I) -> T + Send + Sync) -> Vec<T> {
    items.par_iter().with_min_len(BATCH).map(work).collect()
}

/// The numbers of the items from the lowest key to the highest.
pub(crate) fn order<K: Ord + Send>(items: usize, key: impl Fn(usize) -> K + Sync) -> Vec<usize> {
    let mut order: Vec<usize> = (0..items).collect();
    order.par_sort_by_cached_key(|&item| key(item));
    order
}

/// Does something with each item. The error is that of the first item that failed.
pub(crate) fn try_each<I: IntoParallelIterator, E: Send>(
    items: I,
    work: impl Fn(I::Item) -> Result<(), E> + Send + Sync,
) -> Result<(), E> {
    let results = items.into_par_iter().map(work);
    results.find_first(Result::is_err).unwrap_or(Ok(()))
}
