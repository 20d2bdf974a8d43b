//! The class `Tablebase`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use krou::rules::{MAX_SEEDS, ROW};
use krou::tablebase::{ProbeError, ProbeResult as LibraryResult};
use krou_answers::{self as answers, AnswerError, LineAnswer, LineFields, ResultFields};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arguments;
use crate::board::{BoardArg, PositionArg};
use crate::boards::{for_each_portion, to_array};
use crate::errors::{answer_error, load_error, open_error, probe_error, table_error};
use crate::layer::{Entries, LayerChunks};
use crate::paths::{self, HostOptions, paths_of};
use crate::results::{Columns, class, make, make_all};
use crate::ruleset::{RulesArg, Ruleset};
use crate::{interrupt, pool};

/// The tables of a ruleset: what any board of a solved layer is worth.
///
/// ``paths`` names a folder of tables, or several: then the first that has a table counts.
/// Without it the tables inside krou answer: ``awari`` and ``abapa`` up to 9 seeds.
/// They also answer where the folders have no table, unless ``built_in=False``. A folder on
/// a web host is named by its address, such as ``"https://example.org/tables/"``: it counts
/// after all others. ``insecure=True`` allows plain ``http`` to other machines, by which
/// anybody on the way can alter tables; ``cache`` names a folder that keeps what was read from
/// hosts, at most 256 MiB.
///
/// A table that cannot be opened closes no other one: it is named in a ``RuntimeWarning`` and
/// in ``damaged``. There is a warning, too, if a folder has tables of other rulesets alone.
///
/// ``table_memory``, an int in bytes or text such as ``"2G"``, is for programs that probe
/// many boards: the layers that fit, from 0 seeds on, are loaded whole before the constructor
/// returns. Ctrl-C stops that.
///
/// A tablebase can be shared by threads; probes release the interpreter's lock. A pickled
/// one is opened again from its folders, and loads the same layers. ``with`` or ``close``
/// closes its files; without them they close with its last user.
///
/// >>> import krou
/// >>> tables = krou.Tablebase()
/// >>> tables.probe("0 0 0 0 0 1 / 2 0 0 0 0 1").value
/// 4
/// >>> [(m.pit, m.value) for m in tables.moves("0 1 1 0 2 2 / 0 1 0 1 1 0")]
/// [(2, -5), (4, -5), (5, -5), (1, -9)]
#[pyclass(frozen, module = "krou")]
#[derive(Debug)]
pub struct Tablebase {
    rules: krou::Ruleset,
    /// `None` once it is closed.
    tables: Mutex<Option<Arc<krou::Tablebase>>>,
    paths: Option<Vec<PathBuf>>,
    built_in: bool,
    /// Bytes for layers in memory.
    table_memory: u64,
    hosts: HostOptions,
}

impl Tablebase {
    /// The tables, to be shared.
    pub fn tables(&self) -> PyResult<Arc<krou::Tablebase>> {
        let tables = self.slot().clone();
        tables.ok_or_else(|| PyValueError::new_err("the tablebase is closed: open it again"))
    }

    /// The tables; the lock is held for moments only.
    fn slot(&self) -> MutexGuard<'_, Option<Arc<krou::Tablebase>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the entries of a layer; Ctrl-C stops that.
    fn entries(&self, py: Python<'_>, seeds: &Bound<'_, PyAny>) -> PyResult<Entries> {
        let seeds = arguments::seeds(seeds)?;
        let tables = self.tables()?;
        let pool = pool::shared()?;
        let stop = AtomicBool::new(false);
        let read = |_: Sender<()>| {
            pool.install(|| {
                Entries::read(self.rules, tables.loader(), seeds, |loader| {
                    loader.load_observed(seeds, &stop).map(|_| ())
                })
            })
        };
        let read = interrupt::run(py, &stop, read, |_, ()| Ok(()))?;
        read.map_err(|error| load_error(py, &error))
    }
}

/// A probe result; `None` where no table reaches.
fn known(
    py: Python<'_>,
    probed: Result<LibraryResult, ProbeError>,
) -> PyResult<Option<LibraryResult>> {
    match probed {
        Ok(result) => Ok(Some(result)),
        Err(ProbeError::Missing(_) | ProbeError::Damaged { .. }) => Ok(None),
        Err(error) => Err(probe_error(py, &error)),
    }
}

/// Loads the layers that fit into memory; Ctrl-C stops that.
fn make_resident(py: Python<'_>, tables: &krou::Tablebase, bytes: u64) -> PyResult<()> {
    if bytes == 0 {
        return Ok(());
    }
    let pool = pool::shared()?;
    let stop = AtomicBool::new(false);
    let load = |_: Sender<()>| pool.install(|| tables.make_resident(bytes, &stop, &|_| ()));
    let loaded = interrupt::run(py, &stop, load, |_, ()| Ok(()))?;
    loaded.map(|_| ()).map_err(|error| probe_error(py, &error))
}

#[pymethods]
impl Tablebase {
    #[new]
    #[pyo3(
        signature = (
            rules = None, paths = None, *,
            built_in = true, table_memory = None, insecure = false, cache = None,
        ),
        text_signature = "(rules='awari', paths=None, *, built_in=True, table_memory=0, \
                          insecure=False, cache=None)"
    )]
    fn new(
        py: Python<'_>,
        rules: Option<RulesArg>,
        paths: Option<&Bound<'_, PyAny>>,
        built_in: bool,
        table_memory: Option<&Bound<'_, PyAny>>,
        insecure: bool,
        cache: Option<PathBuf>,
    ) -> PyResult<Tablebase> {
        let rules = RulesArg::or_default(rules);
        let paths = paths.map(paths_of).transpose()?;
        let table_memory = table_memory.map_or(Ok(0), arguments::memory)?;
        let hosts = HostOptions { insecure, cache };
        let opened = py.detach(|| {
            let builder = krou::Tablebase::builder(rules);
            let builder = paths::add(builder, paths.as_deref().unwrap_or_default(), &hosts);
            if built_in || paths.is_none() {
                builder.open()
            } else {
                builder.without_embedded().open()
            }
        });
        let tables = opened.map_err(|error| open_error(py, &error))?;
        for error in tables.damaged_tables().chain(tables.old_tables().take(1)) {
            paths::warn(py, &error.to_string())?;
        }
        paths::warn_of_other_rules(py, paths.as_deref().unwrap_or_default(), rules)?;
        make_resident(py, &tables, table_memory)?;
        Ok(Tablebase {
            rules,
            tables: Mutex::new(Some(Arc::new(tables))),
            paths,
            built_in,
            table_memory,
            hosts,
        })
    }

    /// The ruleset.
    #[getter]
    fn rules(&self) -> Ruleset {
        Ruleset(self.rules)
    }

    /// The layers that have a table of values: numbers of seeds, ascending.
    ///
    /// >>> import krou
    /// >>> krou.Tablebase().layers
    /// [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    #[getter]
    fn layers(&self) -> PyResult<Vec<u32>> {
        Ok(self.tables()?.layers().iter().map(u32::from).collect())
    }

    /// Why tables of the folders could not be opened: a sentence for each.
    ///
    /// >>> import krou
    /// >>> krou.Tablebase().damaged
    /// []
    #[getter]
    fn damaged(&self) -> PyResult<Vec<String>> {
        let tables = self.tables()?;
        let damaged = tables.damaged_tables();
        Ok(damaged.map(ToString::to_string).collect())
    }

    /// What a board is worth.
    ///
    /// Raises ``BoardError``, a ``ValueError``, if it is not a board; ``MissingTable``, a
    /// ``LookupError``, if no table reaches it; and ``TableError`` if a table is damaged.
    ///
    /// >>> import krou
    /// >>> krou.Tablebase().probe("0 1 1 0 2 2 / 0 1 0 1 1 0")
    /// ProbeResult(value=-5, distance=11, lower=None, upper=None)
    fn probe<'py>(&self, py: Python<'py>, board: BoardArg) -> PyResult<Bound<'py, PyAny>> {
        let tables = self.tables()?;
        let probed = py.detach(|| tables.probe(&board.0));
        let result = probed.map_err(|error| probe_error(py, &error))?;
        make(py, "ProbeResult", &ResultFields::from(Some(result)))
    }

    /// The value of a board, or ``default`` where no table reaches it.
    ///
    /// >>> import krou
    /// >>> tables = krou.Tablebase()
    /// >>> tables.get("0 1 1 0 2 2 / 0 1 0 1 1 0"), tables.get(krou.Board.START, "unknown")
    /// (-5, 'unknown')
    #[pyo3(signature = (board, default = None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        board: BoardArg,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let tables = self.tables()?;
        match known(py, py.detach(|| tables.probe(&board.0)))? {
            Some(result) => Ok(Some(result.value.into_pyobject(py)?.into_any())),
            None => Ok(default),
        }
    }

    /// Whether tables reach a board.
    ///
    /// >>> import krou
    /// >>> krou.Board.START in krou.Tablebase()
    /// False
    fn __contains__(&self, py: Python<'_>, board: BoardArg) -> PyResult<bool> {
        let tables = self.tables()?;
        let probed = py.detach(|| tables.probe(&board.0));
        Ok(known(py, probed)?.is_some())
    }

    /// The legal moves of a board with what each is worth, best first: by value; among
    /// equals the shortest way to a win, the longest to a loss. Moves whose layer is
    /// missing come last, without a value.
    fn moves<'py>(&self, py: Python<'py>, board: PositionArg) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let tables = self.tables()?;
        let answer = py.detach(|| answers::probe(&tables, &board.0));
        let answer = answer.map_err(|error| answer_error(py, &error))?;
        make_all(py, "ranked_move", answer.moves)
    }

    /// The best moves of both sides from a board on, for at most ``plies`` plies.
    ///
    /// >>> import krou
    /// >>> krou.Tablebase().best_line("0 1 1 0 2 2 / 0 1 0 1 1 0", plies=4)
    /// Line(letters='CbBe', end='length')
    #[pyo3(signature = (board, plies = 100))]
    fn best_line<'py>(
        &self,
        py: Python<'py>,
        board: PositionArg,
        plies: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let tables = self.tables()?;
        let answer = py.detach(|| {
            let line = tables.best_line(&board.0.board, plies)?;
            let best = LineFields::new(&board.0, &line);
            let board = answers::probe(&tables, &board.0)?.board;
            Ok::<_, AnswerError>(LineAnswer { board, best })
        });
        make(
            py,
            "line",
            &answer.map_err(|error| answer_error(py, &error))?,
        )
    }

    /// What many boards are worth: an array of shape (N, 12), of any integer type and
    /// layout, or a sequence of boards. All cores probe, without the interpreter's lock.
    /// Boards that no table reaches are not known; one that is not a board is an error.
    ///
    /// >>> import krou, numpy
    /// >>> boards = numpy.array([[0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 1], [4] * 12])
    /// >>> found = krou.Tablebase().probe_many(boards)
    /// >>> found.value.tolist(), found.known.tolist()
    /// ([4, 0], [True, False])
    fn probe_many<'py>(
        &self,
        py: Python<'py>,
        boards: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let tables = self.tables()?;
        let pool = pool::shared()?;
        let mut columns = Columns::default();
        for_each_portion(py, boards, |boards| {
            let probe = || columns.extend(pool.install(|| tables.probe_all(&boards)));
            py.detach(probe).map_err(|error| probe_error(py, &error))
        })?;
        columns.into_arrays(py, self.rules.has_bounds())
    }

    /// What each move of many boards is worth to the mover, captures included:
    /// ``MoveValues``, with ``value`` and ``known`` of shape (N, 6). The boards are as in
    /// ``probe_many``. A move is not known where the pit may not be played, or where no
    /// table reaches; ``legal_mask`` tells the one from the other.
    ///
    /// >>> import krou
    /// >>> value, known = krou.Tablebase().moves_many(["0 1 1 0 2 2 / 0 1 0 1 1 0"])
    /// >>> value.tolist(), known[0].tolist()
    /// ([[0, -9, -5, 0, -5, -5]], [False, True, True, False, True, True])
    fn moves_many<'py>(
        &self,
        py: Python<'py>,
        boards: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let tables = self.tables()?;
        let pool = pool::shared()?;
        let (mut values, mut known) = (Vec::new(), Vec::new());
        for_each_portion(py, boards, |boards| {
            let probed = py.detach(|| pool.install(|| tables.moves_many(&boards)));
            for moves in probed.map_err(|error| table_error(py, &error))? {
                values.push(moves.map(Option::unwrap_or_default));
                known.push(moves.map(|value| value.is_some()));
            }
            Ok(())
        })?;
        let arrays = (to_array::<i8, ROW>(py, values)?, to_array(py, known)?);
        class(py, "MoveValues")?.call1(arrays)
    }

    /// A whole layer as arrays, in the order of the index: its boards, and all that the
    /// tables know of them.
    ///
    /// Reading takes one byte of memory for each board of this layer and all below it, or
    /// three where the ruleset has bounds; the arrays take 13 to 17 bytes for each board
    /// of the layer. ``layer_chunks`` avoids most of the latter.
    ///
    /// >>> import krou
    /// >>> layer = krou.Tablebase().layer(2)
    /// >>> len(layer), layer.boards.shape, layer.value[:4].tolist()
    /// (78, (78, 12), [-2, -2, -2, -2])
    fn layer<'py>(
        &self,
        py: Python<'py>,
        seeds: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let entries = self.entries(py, seeds)?;
        entries.arrays(py, 0, entries.len())
    }

    /// As ``layer``, ``size`` boards at a time: an iterator over neighbouring parts.
    ///
    /// While it exists it holds one byte of memory for each board of the layer, up to four
    /// with bounds and distances.
    ///
    /// >>> import krou
    /// >>> [len(part) for part in krou.Tablebase().layer_chunks(2, size=50)]
    /// [50, 28]
    #[pyo3(signature = (seeds, size = None), text_signature = "($self, seeds, size=1048576)")]
    fn layer_chunks(
        &self,
        py: Python<'_>,
        seeds: &Bound<'_, PyAny>,
        size: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<LayerChunks> {
        let size = match size {
            None => 1 << 20,
            Some(size) => arguments::whole("the size", size, 1..=1 << 40)?,
        };
        Ok(LayerChunks::new(self.entries(py, seeds)?, size))
    }

    /// Closes the tables: probes raise ``ValueError`` from then on. Probes under way, and
    /// engines that have the tables, go on.
    fn close(&self) {
        let tables = self.slot().take();
        drop(tables);
    }

    fn __enter__(slf: Py<Tablebase>) -> Py<Tablebase> {
        slf
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&self, _error: &Bound<'_, PyTuple>) {
        self.close();
    }

    fn __repr__(&self) -> String {
        let rules = self.rules;
        let Ok(tables) = self.tables() else {
            return format!("<krou.Tablebase of {rules}: closed>");
        };
        let layers: Vec<u8> = tables.layers().iter().collect();
        let count = layers.len();
        match (layers.first(), layers.last()) {
            (Some(first), Some(last)) if usize::from(last - first) + 1 == count => {
                format!("<krou.Tablebase of {rules}: layers {first} to {last}>")
            }
            (None, _) => format!("<krou.Tablebase of {rules}: no layers>"),
            _ => format!("<krou.Tablebase of {rules}: {count} layers up to {MAX_SEEDS}>"),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Tablebase>) -> PyResult<Bound<'py, PyTuple>> {
        let Tablebase {
            rules,
            paths,
            built_in,
            table_memory,
            hosts: HostOptions { insecure, cache },
            ..
        } = slf.get();
        let rules = rules.to_string();
        // A path would lose a slash of an address.
        let texts = |paths: &Vec<PathBuf>| {
            paths
                .iter()
                .map(|path| path.clone().into_os_string())
                .collect()
        };
        let paths: Option<Vec<OsString>> = paths.as_ref().map(texts);
        let arguments = (rules, paths, *built_in, *table_memory, *insecure, cache);
        let open = slf.py().import("krou._open")?.getattr("open_tablebase")?;
        (open, arguments).into_pyobject(slf.py())
    }
}
