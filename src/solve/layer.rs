//! A solved layer: what each of its boards is worth.

use super::array::LayerArray;
use super::entry::Value;
use crate::index::LayerIndex;
use crate::rules::{Quantity, Ruleset};

/// A solved layer. It always has all its quantities.
#[derive(Clone, Debug)]
pub struct Layer {
    value: LayerArray<Value>,
    bounds: Option<LayerBounds>,
}

/// The bounds of each board of a layer, where endless play is settled by side.
#[derive(Clone, Debug)]
pub struct LayerBounds {
    /// The value when endless play counts as the worst for the mover.
    pub lower: LayerArray<Value>,
    /// The value when endless play counts as the best for the mover.
    pub upper: LayerArray<Value>,
}

impl Layer {
    /// A layer of these values and bounds, which must belong to one layer.
    pub fn new(value: LayerArray<Value>, bounds: Option<LayerBounds>) -> Layer {
        Layer { value, bounds }
    }

    /// A layer of a ruleset without its entries, which nobody may read.
    pub(crate) fn absent(rules: Ruleset, index: &LayerIndex) -> Layer {
        let absent = || LayerArray::absent(index.clone());
        let bounds = rules.has_bounds().then(|| LayerBounds {
            lower: absent(),
            upper: absent(),
        });
        Layer::new(absent(), bounds)
    }

    /// The layer's index.
    pub fn index(&self) -> &LayerIndex {
        self.value.index()
    }

    /// The value of each board, endless play counting 0.
    pub fn value(&self) -> &LayerArray<Value> {
        &self.value
    }

    /// The bounds of each board, where the ruleset has them.
    pub fn bounds(&self) -> Option<&LayerBounds> {
        self.bounds.as_ref()
    }

    /// One quantity of each board; `None` for a bound that the ruleset does not have.
    pub fn quantity(&self, quantity: Quantity) -> Option<&LayerArray<Value>> {
        match quantity {
            Quantity::Value => Some(&self.value),
            Quantity::Lower => self.bounds.as_ref().map(|bounds| &bounds.lower),
            Quantity::Upper => self.bounds.as_ref().map(|bounds| &bounds.upper),
        }
    }

    /// The same, to be changed.
    pub fn quantity_mut(&mut self, quantity: Quantity) -> Option<&mut LayerArray<Value>> {
        match quantity {
            Quantity::Value => Some(&mut self.value),
            Quantity::Lower => self.bounds.as_mut().map(|bounds| &mut bounds.lower),
            Quantity::Upper => self.bounds.as_mut().map(|bounds| &mut bounds.upper),
        }
    }

    pub(super) fn arrays_mut(&mut self) -> impl Iterator<Item = &mut LayerArray<Value>> {
        let bounds = self.bounds.iter_mut();
        let bounds = bounds.flat_map(LayerBounds::arrays_mut);
        std::iter::once(&mut self.value).chain(bounds)
    }
}

impl LayerBounds {
    pub(super) fn arrays_mut(&mut self) -> [&mut LayerArray<Value>; 2] {
        [&mut self.lower, &mut self.upper]
    }
}
