//! The class `Board`, and arguments that stand for a board or a position.

use std::fmt::Display;

use krou::rules::{PITS, ParseBoardError, Position, TooManySeeds};
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyIterator, PySequence, PyString, PyTuple};

use crate::drawing;
use crate::errors::BoardError;

/// Seeds in the twelve pits, seen from the player to move: pits 0 to 5 are theirs, 6 to 11
/// the opponent's, both in sowing order.
///
/// A board is made from text in either notation, from a sequence of 12 ints, from a row of
/// a numpy array, or from another board. Wherever krou takes a board it takes these, too.
/// Boards are immutable, hashable, and sequences of 12 ints.
///
/// >>> import krou
/// >>> board = krou.Board("1 1 1 1 1 2 / 4 2 3 0 0 0")
/// >>> board == krou.Board([1, 1, 1, 1, 1, 2, 4, 2, 3, 0, 0, 0])
/// True
/// >>> board.seeds, board[6], list(board.turned())
/// (16, 4, [4, 2, 3, 0, 0, 0, 1, 1, 1, 1, 1, 2])
/// >>> print(board)
///  0  0  0  3  2  4
///  1  1  1  1  1  2
/// >>> krou.Board("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S") == krou.Board.START
/// True
#[pyclass(frozen, eq, ord, hash, sequence, module = "krou")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Board(pub krou::Board);

/// An argument that stands for a board.
#[derive(Clone, Copy, Debug)]
pub struct BoardArg(pub krou::Board);

/// An argument that stands for a position: as a board, but the stores and the player to
/// move of the notation of engines count.
#[derive(Clone, Copy, Debug)]
pub struct PositionArg(pub Position);

/// The exception for something that is not a board.
pub fn board_error(error: impl Display) -> PyErr {
    BoardError::new_err(error.to_string())
}

impl<'py> FromPyObject<'_, 'py> for PositionArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<PositionArg> {
        if let Ok(board) = object.cast::<Board>() {
            return Ok(PositionArg(board.get().0.into()));
        }
        if let Ok(text) = object.cast::<PyString>() {
            let position: Result<Position, ParseBoardError> = text.to_cow()?.parse();
            return position.map(PositionArg).map_err(board_error);
        }
        Ok(PositionArg(of_numbers(&object)?.into()))
    }
}

impl<'py> FromPyObject<'_, 'py> for BoardArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<BoardArg> {
        let position: PositionArg = object.extract()?;
        Ok(BoardArg(position.0.board))
    }
}

/// The board of a sequence of 12 ints or of a row of an array.
fn of_numbers(object: &Bound<'_, PyAny>) -> PyResult<krou::Board> {
    let array = as_array(object)?;
    let numbers = match array.cast::<PyUntypedArray>() {
        Ok(array) => row_of_array(array)?,
        Err(_) => array,
    };
    let is_bytes = numbers.is_instance_of::<PyBytes>() || numbers.is_instance_of::<PyByteArray>();
    let Ok(numbers) = numbers.cast::<PySequence>() else {
        return Err(not_a_board(object));
    };
    if is_bytes {
        return Err(not_a_board(object));
    }
    let found = numbers.len()?;
    if found != PITS {
        return Err(board_error(ParseBoardError::Count { found }));
    }
    let mut pits = [0; PITS];
    for (position, pit) in (1..).zip(&mut pits) {
        let number = numbers.get_item(position - 1)?;
        *pit = pit_of(&number, position)?;
    }
    krou::Board::new(pits).map_err(|error: TooManySeeds| board_error(error))
}

/// The numpy array of an object that has one, such as a row of pandas; other objects stay.
pub fn as_array<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let is_array = object.is_instance_of::<PyUntypedArray>();
    if is_array || !object.hasattr(intern!(py, "__array__"))? {
        return Ok(object.clone());
    }
    let numpy = py.import(intern!(py, "numpy"))?;
    numpy.call_method1(intern!(py, "asarray"), (object,))
}

/// The numbers of an array with one axis.
fn row_of_array<'py>(array: &Bound<'py, PyUntypedArray>) -> PyResult<Bound<'py, PyAny>> {
    let axes = array.ndim();
    if axes != 1 {
        return Err(board_error(format!(
            "a board is an array with one axis of 12 numbers, not one with {axes} axes"
        )));
    }
    array.call_method0("tolist")
}

/// Seeds in one pit, the `position`-th from 1.
fn pit_of(number: &Bound<'_, PyAny>, position: usize) -> PyResult<u8> {
    /// The longest number in a message.
    const LONGEST: usize = 20;
    // Python's bools are ints, but arrays of them are masks.
    let is_bool = number.is_instance_of::<PyBool>();
    let seeds = number.extract::<u8>().ok();
    seeds
        .filter(|_| !is_bool)
        .filter(|&seeds| seeds <= krou::rules::MAX_SEEDS)
        .ok_or_else(|| {
            let text = number.to_string().chars().take(LONGEST).collect();
            board_error(ParseBoardError::Number { text, position })
        })
}

fn not_a_board(object: &Bound<'_, PyAny>) -> PyErr {
    let class = object.get_type();
    let name = class.name().map_or_else(|_| "it".into(), |n| n.to_string());
    board_error(format!(
        "a board is text, a sequence of 12 ints, a row of an array or a krou.Board, not {name}"
    ))
}

#[pymethods]
impl Board {
    #[new]
    fn new(board: BoardArg) -> Board {
        Board(board.0)
    }

    /// The start of a game: four seeds in every pit.
    #[classattr]
    #[pyo3(name = "START")]
    fn start() -> Board {
        Board(krou::Board::START)
    }

    /// The board without seeds.
    #[classattr]
    #[pyo3(name = "EMPTY")]
    fn empty() -> Board {
        Board(krou::Board::EMPTY)
    }

    /// The twelve pits, the mover's six first.
    #[getter]
    fn pits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.pits())
    }

    /// Seeds on the board, 0 to 48.
    #[getter]
    fn seeds(&self) -> u8 {
        self.0.seeds()
    }

    /// The board on one line, the mover's row first.
    ///
    /// >>> import krou
    /// >>> krou.Board.START.notation
    /// '4 4 4 4 4 4 / 4 4 4 4 4 4'
    #[getter]
    fn notation(&self) -> String {
        self.0.to_string()
    }

    /// The same board seen from the other side.
    fn turned(&self) -> Board {
        Board(self.0.turned())
    }

    fn __len__(&self) -> usize {
        PITS
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        pit: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.pits(py)?.as_any().get_item(pit)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.pits(py)?.try_iter()
    }

    fn __contains__(&self, py: Python<'_>, seeds: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.pits(py)?.contains(seeds)
    }

    fn __str__(&self) -> String {
        self.0.drawing()
    }

    fn __repr__(&self) -> String {
        format!("Board('{}')", self.0)
    }

    /// The picture that notebooks show.
    fn _repr_svg_(&self) -> String {
        drawing::svg(&self.0)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Board>) -> PyResult<Bound<'py, PyTuple>> {
        let arguments = (slf.get().0.to_string(),);
        (slf.get_type(), arguments).into_pyobject(slf.py())
    }
}
