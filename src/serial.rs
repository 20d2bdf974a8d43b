//! In place of `parallel` without the feature `solve`: the same on the calling thread.

pub(crate) fn map<I, T>(items: &[I], work: impl Fn(&I) -> T) -> Vec<T> {
    items.iter().map(work).collect()
}

pub(crate) fn order<K: Ord>(items: usize, key: impl Fn(usize) -> K) -> Vec<usize> {
    let mut order: Vec<usize> = (0..items).collect();
    order.sort_by_cached_key(|&item| key(item));
    order
}

pub(crate) fn try_each<I: IntoIterator, E>(
    items: I,
    work: impl Fn(I::Item) -> Result<(), E>,
) -> Result<(), E> {
    items.into_iter().try_for_each(work)
}
