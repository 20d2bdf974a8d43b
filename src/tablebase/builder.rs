//! Opening a tablebase: which folders its tables come from, and how many of its layers are
//! loaded into memory.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::embedded;
use super::hosts::Hosts;
use super::layers::{LayerTables, empty_layers, open_if_present};
use super::result::ProbeError;
use super::tables::Tablebase;
use crate::rules::Ruleset;
use crate::table::{Kind, Table, TableError, TableId, reason};

/// Why a tablebase cannot be opened.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The folder does not exist, or is not a folder.
    #[error("{} is not a folder: build tables into it, or name another one", path.display())]
    NoFolder {
        /// The folder that was named.
        path: PathBuf,
    },
    /// The folder cannot be searched.
    #[error("{} cannot be read ({}): allow yourself to read it, or name another folder", path.display(), reason(cause))]
    Folder {
        /// The folder that was named.
        path: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
    /// A single table is of another ruleset, or a host does not send its index.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The layers to hold in memory cannot be loaded.
    #[error(transparent)]
    Load(#[from] ProbeError),
}

/// Opens a [`Tablebase`] from folders.
///
/// They are merged layer by layer and kind by kind: the first folder that has a table
/// counts, in the order in which the folders were named. Where none has it, the tables inside
/// the library answer, unless [`without_embedded`](TablebaseBuilder::without_embedded) leaves
/// them out, and hosts come last. Every table is exact for its boards, so tables of different
/// folders and codecs work together.
///
/// All tables are opened and their headers checked at once, up to 147 files. One that
/// cannot be opened closes no other: the next folder takes its place, and
/// [`Tablebase::damaged_tables`] says what is wrong with it.
///
/// ```
/// use krou::{Ruleset, Tablebase};
///
/// let folder = tempfile::tempdir()?;
/// // The library's tables answer where the folder has none.
/// let tables = Tablebase::builder(Ruleset::AWARI)
///     .folder(folder.path())
///     .open()?;
/// assert_eq!(tables.layers().highest(), Some(9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "a builder opens nothing until `open` is called"]
pub struct TablebaseBuilder {
    rules: Ruleset,
    folders: Vec<PathBuf>,
    pub(super) hosts: Hosts,
    /// Which tables are taken from inside the library.
    embedded: Option<Completion>,
    /// Bytes for layers in memory.
    table_memory: u64,
}

/// Where the tables inside the library complete the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Completion {
    /// Wherever a table is missing.
    Tables,
    /// In layers without any table, and in place of damaged ones.
    Layers,
}

/// Opens the file of a table.
type OpenTable<'a> = &'a dyn Fn(&Path) -> Result<Table, TableError>;

impl TablebaseBuilder {
    pub(super) fn new(rules: Ruleset) -> TablebaseBuilder {
        TablebaseBuilder {
            rules,
            folders: Vec::new(),
            hosts: Hosts::default(),
            embedded: Some(Completion::Tables),
            table_memory: 0,
        }
    }

    /// Adds the tables in a folder. Files of other rulesets are ignored.
    pub fn folder(mut self, folder: impl AsRef<Path>) -> TablebaseBuilder {
        self.folders.push(folder.as_ref().to_path_buf());
        self
    }

    /// Adds the tables in several folders.
    pub fn folders(self, folders: impl IntoIterator<Item: AsRef<Path>>) -> TablebaseBuilder {
        folders.into_iter().fold(self, TablebaseBuilder::folder)
    }

    /// Leaves out the tables inside the library: `awari` and `abapa` up to
    /// [`EMBEDDED_SEEDS`](super::EMBEDDED_SEEDS) seeds, none of other rulesets. Unless they are
    /// left out they answer where no other source has a table: values, bounds and distances alike.
    pub fn without_embedded(mut self) -> TablebaseBuilder {
        self.embedded = None;
        self
    }

    /// Takes the tables inside the library only for damaged tables, and for layers that no
    /// other source has any table of: for programs that check or count what is in a folder.
    pub fn embedded_layers(mut self) -> TablebaseBuilder {
        self.embedded = Some(Completion::Layers);
        self
    }

    /// Leaves out the folders that are not there or cannot be searched, and the hosts that
    /// send no index, and says why.
    pub fn without_missing_folders(mut self) -> (TablebaseBuilder, Vec<OpenError>) {
        let mut missing = Vec::new();
        self.folders.retain(|folder| match check_folder(folder) {
            Ok(()) => true,
            Err(error) => {
                missing.push(error);
                false
            }
        });
        missing.extend(
            self.hosts
                .leave_out_silent()
                .into_iter()
                .map(OpenError::Table),
        );
        (self, missing)
    }

    /// Opens the tables.
    ///
    /// # Errors
    /// If a folder does not exist or cannot be searched, a single table is of another
    /// ruleset, a host does not send its index and no folder was named, or layers to hold in
    /// memory cannot be loaded. A damaged table is not an error, nor is such a host beside
    /// folders: see [`Tablebase::damaged_tables`].
    pub fn open(self) -> Result<Tablebase, OpenError> {
        self.open_files_with(&|path| Table::open(path))
    }

    /// As [`TablebaseBuilder::open`], with another way of opening files.
    pub(super) fn open_files_with(self, open: OpenTable) -> Result<Tablebase, OpenError> {
        let mut layers = empty_layers();
        for folder in &self.folders {
            add_folder(&mut layers, self.rules, folder, open)?;
        }
        // What is here first: it costs no request.
        if let Some(completion) = self.embedded {
            add_embedded(&mut layers, self.rules, completion);
        }
        let silent = self
            .hosts
            .add_to(&mut layers, self.rules, !self.folders.is_empty())?;
        let tables = Tablebase::new(self.rules, layers).with_silent_hosts(silent);
        tables.make_resident(self.table_memory, &false.into(), &|_| ())?;
        Ok(tables)
    }

    /// Loads layers into memory before [`TablebaseBuilder::open`] returns, from 0 seeds on,
    /// as far as they fit into `bytes`: for programs that probe many boards. 0 unless set.
    ///
    /// A probe of these layers is one load, whatever the codec of the tables, except that
    /// distances still come from their tables. A board takes one byte, or two where there are
    /// bounds with more than 21 seeds or leftovers that count for nobody; loading needs another
    /// byte, or three where there are bounds. It reads and decodes all boards of these layers,
    /// some tens of millions a second. [`Tablebase::make_resident`] does the same in the
    /// background, and says more.
    ///
    /// ```
    /// use krou::{Ruleset, Tablebase};
    ///
    /// let tables = Tablebase::builder(Ruleset::AWARI)
    ///     .table_memory(1 << 20)
    ///     .open()?;
    /// assert!(tables.is_resident(9));
    /// assert!(tables.resident_bytes() < 1 << 20);
    /// # Ok::<(), krou::tablebase::OpenError>(())
    /// ```
    pub fn table_memory(mut self, bytes: u64) -> TablebaseBuilder {
        self.table_memory = bytes;
        self
    }
}

/// Fills empty slots with the tables of a folder that can be opened, and keeps the errors
/// of the others.
fn add_folder(
    layers: &mut [LayerTables],
    rules: Ruleset,
    folder: &Path,
    open: OpenTable,
) -> Result<(), OpenError> {
    check_folder(folder)?;
    for (seeds, layer) in (0..).zip(layers) {
        let mut errors = Vec::new();
        layer.fill_with(rules, seeds, |id| {
            let opened = open_if_present(folder, id, open);
            opened.unwrap_or_else(|error| {
                errors.push((id.kind, error));
                None
            })
        });
        for (kind, error) in errors {
            layer.add_error(kind, error);
        }
    }
    Ok(())
}

/// Checks that a folder is there and can be searched.
fn check_folder(folder: &Path) -> Result<(), OpenError> {
    let path = folder.to_path_buf();
    if !folder.is_dir() {
        return Err(OpenError::NoFolder { path });
    }
    // Only the entries of a folder that can be searched have metadata.
    match folder.join(".").metadata() {
        Ok(_) => Ok(()),
        Err(cause) => Err(OpenError::Folder { path, cause }),
    }
}

/// Adds the tables inside the library.
fn add_embedded(layers: &mut [LayerTables], rules: Ruleset, completion: Completion) {
    for (seeds, layer) in (0..).zip(layers) {
        let is_empty = Kind::ALL.iter().all(|&kind| layer.of(kind).is_none());
        let damaged: Vec<Kind> = layer.damaged.iter().map(|&(kind, _)| kind).collect();
        layer.fill_with(rules, seeds, |id| {
            let all = is_empty || completion == Completion::Tables;
            (all || damaged.contains(&id.kind)).then(|| embedded::table(id))?
        });
    }
}

impl Tablebase {
    /// Chooses the sources of a tablebase one by one; [`TablebaseBuilder::open`] then
    /// opens it.
    pub fn builder(rules: Ruleset) -> TablebaseBuilder {
        TablebaseBuilder::new(rules)
    }

    /// Opens the tables of a ruleset in some folders; where several have the same
    /// table, the first folder's counts. The tables inside the library answer where none
    /// has one. Files of other rulesets are ignored.
    ///
    /// # Errors
    /// As [`TablebaseBuilder::open`].
    pub fn open(
        rules: Ruleset,
        folders: impl IntoIterator<Item: AsRef<Path>>,
    ) -> Result<Tablebase, OpenError> {
        Tablebase::builder(rules).folders(folders).open()
    }

    /// The tables inside the library alone: values and distances of `awari` and `abapa`,
    /// and bounds of `abapa`, up to [`EMBEDDED_SEEDS`](super::EMBEDDED_SEEDS) seeds, none of
    /// other rulesets.
    pub fn embedded(rules: Ruleset) -> Tablebase {
        let mut layers = empty_layers();
        add_embedded(&mut layers, rules, Completion::Tables);
        Tablebase::new(rules, layers)
    }

    /// Tables that are open already, such as those in memory; where several are of
    /// the same layer and kind, the first counts. A program that opens tables in this way
    /// alone does not contain those inside the library.
    ///
    /// # Errors
    /// If one is of another ruleset.
    pub fn from_tables(
        rules: Ruleset,
        tables: impl IntoIterator<Item = Table>,
    ) -> Result<Tablebase, OpenError> {
        let mut layers = empty_layers();
        for table in tables {
            let id = table.id();
            let table = table.require(TableId { rules, ..id })?;
            let layer = &mut layers[usize::from(id.seeds)];
            layer.slot_mut(id.kind).get_or_insert(Arc::new(table));
        }
        Ok(Tablebase::new(rules, layers))
    }
}
