//! Where tables come from: folders on this machine and on web hosts.

use std::collections::BTreeSet;
use std::ffi::CString;
use std::fs;
use std::path::{Path, PathBuf};

use krou::tablebase::{Host, TablebaseBuilder};
use pyo3::exceptions::{PyRuntimeWarning, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PySequence;

/// The paths and addresses of an argument: a single one, or a list of them.
pub fn paths_of(paths: &Bound<'_, PyAny>) -> PyResult<Vec<PathBuf>> {
    if let Ok(path) = paths.extract::<PathBuf>() {
        return Ok(vec![path]);
    }
    let Ok(several) = paths.cast::<PySequence>() else {
        return Err(PyTypeError::new_err(format!(
            "paths must be a folder, a list of folders or None, not {}",
            paths.get_type().name()?
        )));
    };
    let paths: Vec<PathBuf> = several
        .try_iter()?
        .map(|path| path?.extract())
        .collect::<PyResult<_>>()?;
    if paths.is_empty() {
        return Err(PyValueError::new_err(
            "paths names no folder: leave it out for the tables inside krou",
        ));
    }
    Ok(paths)
}

/// The address of a folder on a web host; `None` for a folder on this machine. `pathlib` takes
/// one of the slashes away.
fn address(path: &Path) -> Option<String> {
    let (scheme, rest) = path.to_str()?.split_once(":/")?;
    let rest = rest.trim_start_matches('/');
    ["https", "http"]
        .contains(&scheme)
        .then(|| format!("{scheme}://{rest}"))
}

/// How tables on web hosts are read.
#[derive(Clone, Debug)]
pub struct HostOptions {
    /// Whether plain `http` to other machines is allowed.
    pub insecure: bool,
    /// A folder that keeps what was read.
    pub cache: Option<PathBuf>,
}

impl HostOptions {
    fn host(&self, url: String) -> Host {
        let mut host = Host::new(url);
        if self.insecure {
            host = host.insecure();
        }
        match &self.cache {
            Some(folder) => host.cache(folder, Host::CACHE_BYTES),
            None => host,
        }
    }
}

/// Adds the tables of all paths.
pub fn add(builder: TablebaseBuilder, paths: &[PathBuf], hosts: &HostOptions) -> TablebaseBuilder {
    paths
        .iter()
        .fold(builder, |builder, path| match address(path) {
            Some(url) => builder.url(hosts.host(url)),
            None => builder.folder(path),
        })
}

/// Warns of each folder on this machine that has tables, but none of this ruleset.
pub fn warn_of_other_rules(
    py: Python<'_>,
    paths: &[PathBuf],
    rules: krou::Ruleset,
) -> PyResult<()> {
    for path in paths {
        let found = rulesets_in(path);
        if found.is_empty() || found.contains(&rules.to_string()) {
            continue;
        }
        let others: Vec<String> = found.into_iter().collect();
        warn(
            py,
            &format!(
                "{}: has tables of {}, and none of {rules}: name that ruleset or another folder",
                path.display(),
                others.join(", ")
            ),
        )?;
    }
    Ok(())
}

/// Gives a `RuntimeWarning`.
pub fn warn(py: Python<'_>, message: &str) -> PyResult<()> {
    let message = CString::new(message)?;
    PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &message, 1)
}

/// The rulesets that the names of the files in a folder tell.
fn rulesets_in(folder: &Path) -> BTreeSet<String> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let rulesets = files.filter_map(|file| {
        let name = file.file_name();
        let (table, _kind) = name.to_str()?.strip_suffix(".krou")?.rsplit_once('.')?;
        let (rules, _seeds) = table.rsplit_once('-')?;
        let rules: krou::Ruleset = rules.parse().ok()?;
        Some(rules.to_string())
    });
    rulesets.collect()
}
