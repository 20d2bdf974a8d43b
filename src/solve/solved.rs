//! What the solver finds of a layer.

use super::entry::Score;
use super::plane::Plane;
use super::scratch::SpillError;
use super::store::Store;
use crate::index::LayerIndex;
pub use crate::rules::Quantity;

/// A layer in memory, in whatever form.
pub trait Worths: Sync {
    /// The layer's index.
    fn index(&self) -> &LayerIndex;

    /// Whether there are bounds.
    fn has_bounds(&self) -> bool;

    /// A number of the board at a place of a section, as
    /// [`LayerIndex::place_of`] tells it.
    ///
    /// # Panics
    /// If there is no such place, or a bound is asked for and there are none, or
    /// the number is not in memory.
    fn number(&self, number: Quantity, place: (u8, u64)) -> i8;
}

impl Worths for Layer {
    fn index(&self) -> &LayerIndex {
        self.value.index()
    }

    fn has_bounds(&self) -> bool {
        self.bounds.is_some()
    }

    fn number(&self, number: Quantity, place: (u8, u64)) -> i8 {
        let bounds = || self.bounds.as_ref().expect("a layer with bounds");
        let plane = match number {
            Quantity::Value => &self.value,
            Quantity::Lower => &bounds().lower,
            Quantity::Upper => &bounds().upper,
        };
        plane.at(place).value()
    }
}

impl Worths for Solved {
    fn index(&self) -> &LayerIndex {
        self.value.index()
    }

    fn has_bounds(&self) -> bool {
        self.bounds.is_some()
    }

    fn number(&self, number: Quantity, place: (u8, u64)) -> i8 {
        self.of(number).at(place).value()
    }
}

/// What the boards of one layer are worth, in memory.
pub struct Layer {
    /// The value of each board, endless play counting 0.
    pub value: Plane<Score>,
    /// The bounds of each board, where the ruleset has them.
    pub bounds: Option<Bounds>,
}

/// What boards are worth when endless play is settled by side.
pub struct Bounds {
    /// The value when endless play counts as the worst for the mover.
    pub lower: Plane<Score>,
    /// The value when endless play counts as the best for the mover.
    pub upper: Plane<Score>,
}

impl Bounds {
    fn new(planes: [Result<Plane<Score>, SpillError>; 2]) -> Result<Bounds, SpillError> {
        let [lower, upper] = planes;
        let (lower, upper) = (lower?, upper?);
        Ok(Bounds { lower, upper })
    }
}

/// A solved layer, as the solver keeps it.
pub struct Solved {
    /// The value of each board, endless play counting 0.
    pub value: Store<Score>,
    /// The lower and the upper bounds, where the ruleset has them.
    pub bounds: Option<[Store<Score>; 2]>,
}

impl Solved {
    pub(super) fn stores(&mut self) -> impl Iterator<Item = &mut Store<Score>> {
        std::iter::once(&mut self.value).chain(self.bounds.iter_mut().flatten())
    }

    /// One number of each board.
    ///
    /// # Panics
    /// If a bound is asked for and the ruleset has none.
    pub fn of(&self, number: Quantity) -> &Store<Score> {
        match number {
            Quantity::Value => &self.value,
            Quantity::Lower => self.lower(),
            Quantity::Upper => self.upper(),
        }
    }

    /// The lower bounds.
    ///
    /// # Panics
    /// If the ruleset has none; so does `upper`.
    pub(super) fn lower(&self) -> &Store<Score> {
        &self.bounds.as_ref().expect("a layer with bounds")[0]
    }

    /// The upper bounds.
    pub(super) fn upper(&self) -> &Store<Score> {
        &self.bounds.as_ref().expect("a layer with bounds")[1]
    }

    /// The layer, copied into memory.
    ///
    /// # Errors
    /// If a scratch file cannot be read.
    pub fn to_layer(&self) -> Result<Layer, SpillError> {
        let bounds = self.bounds.as_ref();
        let bounds = bounds.map(|both| Bounds::new(both.each_ref().map(Store::to_plane)));
        let bounds = bounds.transpose()?;
        let value = self.value.to_plane()?;
        Ok(Layer { value, bounds })
    }

    /// The layer, moved or read into memory.
    ///
    /// # Errors
    /// If a scratch file cannot be read.
    pub fn into_layer(self) -> Result<Layer, SpillError> {
        let bounds = self
            .bounds
            .map(|both| Bounds::new(both.map(Store::into_plane)));
        let bounds = bounds.transpose()?;
        let value = self.value.into_plane()?;
        Ok(Layer { value, bounds })
    }
}
