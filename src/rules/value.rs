//! The numbers that a board is worth: value, lower bound and upper bound.

use std::fmt;

/// Lower and upper bound of a board's value, for the mover.
///
/// ```
/// use krou::rules::Bounds;
///
/// let bounds = Bounds { lower: -2, upper: 3 };
/// assert_eq!(bounds.of_opponent(), Bounds { lower: -3, upper: 2 });
/// assert_eq!(bounds.exact(), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Bounds {
    /// The value if an endless play is stopped on that of the recurring boards whose division
    /// by row is worst for the mover (under `open`: if it loses all seeds).
    pub lower: i8,
    /// The value if it is stopped on the best of them (under `open`: if it wins all seeds).
    pub upper: i8,
}

impl Bounds {
    /// The bounds of a board whose value is the same however endless play is settled.
    pub const fn of_value(value: i8) -> Bounds {
        Bounds {
            lower: value,
            upper: value,
        }
    }

    /// The value, if both bounds are equal.
    pub fn exact(self) -> Option<i8> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// The same bounds from the other side.
    #[must_use]
    pub fn of_opponent(self) -> Bounds {
        Bounds {
            lower: -self.upper,
            upper: -self.lower,
        }
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.lower, self.upper)
    }
}

/// One of the three numbers that a board is worth.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantity {
    /// The value.
    Value,
    /// The lower bound.
    Lower,
    /// The upper bound.
    Upper,
}

impl Quantity {
    /// The opponent's quantity from which this one is computed: the most that the
    /// opponent can get is the least that the mover gets.
    #[must_use]
    pub fn of_opponent(self) -> Quantity {
        match self {
            Quantity::Value => Quantity::Value,
            Quantity::Lower => Quantity::Upper,
            Quantity::Upper => Quantity::Lower,
        }
    }
}
