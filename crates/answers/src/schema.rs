//! The shape of values that are sent as JSON, for the description of the interface. Only the
//! program has the feature `schema`; elsewhere a shape says nothing and takes no space.

#[cfg(feature = "schema")]
pub use schemars::JsonSchema as Shaped;
#[cfg(feature = "schema")]
use schemars::{Schema, SchemaGenerator};

/// A type that has a shape.
#[cfg(not(feature = "schema"))]
pub trait Shaped {}

#[cfg(not(feature = "schema"))]
impl<T> Shaped for T {}

/// The shape of the values of a type.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Its JSON Schema, by reference to the definitions that the generator collects.
    #[cfg(feature = "schema")]
    pub schema: fn(&mut SchemaGenerator) -> Schema,
}

impl Shape {
    /// The shape of this type.
    pub fn of<T: Shaped>() -> Shape {
        Shape {
            #[cfg(feature = "schema")]
            schema: |generator| generator.subschema_for::<T>(),
        }
    }
}
