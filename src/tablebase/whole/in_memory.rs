//! Building tables in memory, for programs that have no files, and for layers that are
//! solved faster than somebody builds them.

use std::sync::Arc;

use super::build::{Lacking, solve_or_read};
use super::error::BuildError;
use super::options::BuildOptions;
use super::write::pack_tables;
use crate::index::LayerIndex;
use crate::rules::Ruleset;
use crate::solve::{Observer, Silent, Solver};
use crate::table::{Codec, EntrySource, Kind, Table, TableId, pack};
use crate::tablebase::tables::Tablebase;

/// Builds tables in memory, one layer with each call, from few seeds to many.
///
/// ```
/// use krou::solve::Silent;
/// use krou::table::Table;
/// use krou::tablebase::{BuildOptions, LayerBuilder};
/// use krou::{Board, Ruleset, Tablebase};
///
/// let rules = Ruleset::AWALE;
/// let mut builder = LayerBuilder::new(rules, &BuildOptions::new(4));
/// let present = Tablebase::embedded(rules);
/// let mut tables = Vec::new();
/// while builder.next_seeds().is_some() {
///     for (id, bytes) in builder.build_next(&present, &Silent)? {
///         tables.push(Table::from_bytes(id.file_name(), bytes)?);
///     }
/// }
/// let tables = Tablebase::from_tables(rules, tables)?;
/// let board: Board = "0 0 0 0 0 1 / 2 0 0 0 0 1".parse()?;
/// assert_eq!(tables.probe(&board)?.value, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LayerBuilder {
    solver: Solver,
    options: BuildOptions,
}

impl LayerBuilder {
    /// A builder of all layers up to [`BuildOptions::seeds`]. It keeps everything in memory
    /// and saves no checkpoints, whatever the options say.
    pub fn new(rules: Ruleset, options: &BuildOptions) -> LayerBuilder {
        LayerBuilder {
            solver: Solver::new(rules),
            options: *options,
        }
    }

    /// The layer that comes next; `None` after the last one.
    pub fn next_seeds(&self) -> Option<u8> {
        let next = self.solver.next_seeds();
        (next <= self.options.seeds).then_some(next)
    }

    /// Builds the next layer as far as `present` lacks tables of it, and returns the new
    /// tables, values last; none after the last layer. If a call fails, the next one begins
    /// the same layer anew or, if only its packing failed, the one after it.
    ///
    /// # Errors
    /// If a table of `present` cannot be read, or the layer cannot be solved or packed.
    ///
    /// # Panics
    /// If `present` is of another ruleset.
    pub fn build_next(
        &mut self,
        present: &Tablebase,
        observer: &dyn Observer,
    ) -> Result<Vec<(TableId, Vec<u8>)>, BuildError> {
        let rules = self.solver.rules();
        assert_eq!(present.rules(), rules, "tables of another ruleset");
        let Some(seeds) = self.next_seeds() else {
            return Ok(Vec::new());
        };
        let wanted = Kind::of(rules, self.options.distance);
        let (solver, tables) = (&mut self.solver, present.tables(seeds));
        solve_or_read(solver, tables, observer)?;
        let lacking = Lacking::new(solver, tables, &wanted, observer)?;
        let boards = LayerIndex::new(rules, seeds).len();
        let write = &self.options.write;
        let mut packed = Vec::new();
        let pack = |id, planes: &[&dyn EntrySource]| -> Result<(), BuildError> {
            observer.packs(id, boards);
            let bytes = pack(id, planes, write, &|entries| observer.advance(entries))?;
            observer.built(id, boards, bytes.len() as u64);
            packed.push((id, bytes));
            Ok(())
        };
        pack_tables(
            &mut self.solver,
            seeds,
            &lacking.kinds,
            lacking.distance.as_ref(),
            write.codec,
            pack,
        )?;
        Ok(packed)
    }
}

impl Tablebase {
    /// Solves the layers up to `seeds` that lack tables and keeps them in memory, with
    /// distances: up to 10 seeds that takes a second at most.
    ///
    /// ```
    /// use krou::{Board, Ruleset, Tablebase};
    ///
    /// let mut tables = Tablebase::embedded(Ruleset::KALAH);
    /// tables.solve_missing(4)?;
    /// let board: Board = "0 0 0 0 0 1 / 2 0 0 0 0 1".parse().unwrap();
    /// assert!(tables.probe(&board).is_ok());
    /// # Ok::<(), krou::tablebase::BuildError>(())
    /// ```
    ///
    /// # Errors
    /// If a table cannot be read; the tables stay the same then.
    pub fn solve_missing(&mut self, seeds: u8) -> Result<(), BuildError> {
        let options = BuildOptions {
            distance: true,
            write: Codec::Raw.into(),
            ..BuildOptions::new(seeds)
        };
        let mut builder = LayerBuilder::new(self.rules(), &options);
        let mut solved = Vec::new();
        while builder.next_seeds().is_some() {
            for (id, bytes) in builder.build_next(self, &Silent)? {
                solved.push(Table::from_bytes(id.file_name(), bytes)?);
            }
        }
        for table in solved {
            let TableId { seeds, kind, .. } = table.id();
            let layer = &mut Arc::make_mut(&mut self.layers)[usize::from(seeds)];
            layer.slot_mut(kind).get_or_insert(Arc::new(table));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Kind;
    use crate::tablebase::build;

    /// The tables in memory are byte for byte those of a folder, also of a ruleset with
    /// bounds.
    #[test]
    fn tables_in_memory_equal_those_in_a_folder() {
        for rules in [Ruleset::AWARI, Ruleset::ABAPA] {
            let options = BuildOptions {
                distance: true,
                ..BuildOptions::new(5)
            };
            let folder = tempfile::tempdir().unwrap();
            build(rules, folder.path(), &options, &Silent).unwrap();
            let mut builder = LayerBuilder::new(rules, &options);
            let nothing = Tablebase::from_tables(rules, []).unwrap();
            let mut built = 0;
            while let Some(seeds) = builder.next_seeds() {
                let tables = builder.build_next(&nothing, &Silent).unwrap();
                assert_eq!(tables.last().unwrap().0.kind, Kind::Value);
                for (id, bytes) in tables {
                    assert_eq!(id.seeds, seeds);
                    let file = std::fs::read(folder.path().join(id.file_name())).unwrap();
                    assert!(bytes == file, "{id}");
                    built += 1;
                }
            }
            assert_eq!(built, std::fs::read_dir(folder.path()).unwrap().count());
            assert!(builder.build_next(&nothing, &Silent).unwrap().is_empty());
        }
    }

    #[test]
    fn tables_that_are_present_are_not_built_again() {
        let rules = Ruleset::AWARI;
        let whole = |seeds| {
            let mut builder = LayerBuilder::new(rules, &BuildOptions::new(seeds));
            let nothing = Tablebase::from_tables(rules, []).unwrap();
            let mut tables = Vec::new();
            while builder.next_seeds().is_some() {
                tables.extend(builder.build_next(&nothing, &Silent).unwrap());
            }
            tables
        };
        let open = |(id, bytes): (TableId, Vec<u8>)| Table::from_bytes(id.file_name(), bytes);
        let present = whole(4).into_iter().map(|table| open(table).unwrap());
        let present = Tablebase::from_tables(rules, present).unwrap();
        let mut builder = LayerBuilder::new(rules, &BuildOptions::new(6));
        let mut built = Vec::new();
        while builder.next_seeds().is_some() {
            built.extend(builder.build_next(&present, &Silent).unwrap());
        }
        assert_eq!(built, whole(6)[5..]);
    }
}
