//! Probing again once missing bytes of remote tables have been fetched.

use super::result::ProbeError;
use super::tables::Tablebase;
#[cfg(feature = "remote")]
use crate::remote::Remote;
use crate::table::TableError;

/// An error that may say that bytes have yet to be fetched.
pub(super) trait MayBeUnfetched: From<TableError> {
    /// Whether bytes have yet to be fetched.
    fn is_unfetched(&self) -> bool;
}

impl MayBeUnfetched for TableError {
    fn is_unfetched(&self) -> bool {
        #[cfg(feature = "ranges")]
        return TableError::is_unfetched(self);
        #[cfg(not(feature = "ranges"))]
        false
    }
}

impl MayBeUnfetched for ProbeError {
    fn is_unfetched(&self) -> bool {
        matches!(self, ProbeError::Table(error) if MayBeUnfetched::is_unfetched(error))
    }
}

impl Tablebase {
    /// What a probe returns once it finds all bytes that it reads.
    #[cfg(feature = "remote")]
    #[inline]
    pub(super) fn fetching<T, E: MayBeUnfetched>(
        &self,
        probe: impl Fn() -> Result<T, E>,
    ) -> Result<T, E> {
        loop {
            match probe() {
                Err(error) if error.is_unfetched() && self.fetch_wanted()? => {}
                result => {
                    // What was wanted beyond that is not needed any more.
                    self.remotes.iter().for_each(Remote::give_up);
                    return result;
                }
            }
        }
    }

    /// What a probe returns; whoever asks fetches what it lacks.
    #[cfg(not(feature = "remote"))]
    #[allow(clippy::unused_self)]
    #[inline]
    pub(super) fn fetching<T>(&self, probe: impl Fn() -> T) -> T {
        probe()
    }

    /// Fetches what probes of remote tables lacked; false if there are no such tables.
    #[cfg(feature = "remote")]
    fn fetch_wanted(&self) -> Result<bool, TableError> {
        for remote in self.remotes.iter() {
            remote.fetch_wanted()?;
        }
        Ok(!self.remotes.is_empty())
    }
}
