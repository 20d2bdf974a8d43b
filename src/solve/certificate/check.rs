//! Checking one layer against those below it: the passes in turn, and what they leave.

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::agreement::{BoardNumbers, Numbers, failures};
use super::conversions::{ConversionPass, GivenSection};
use super::distances::{DistancePass, Distances};
use super::entries::Entries;
use super::failure::{Aspect, Report, Tally};
use super::founded::{ToFound, endless, found};
use super::lines::MAX_LINES;
use super::pass::Pass;
use super::quiet::{Marks, QuietPass};
use super::rows::{ROW_BYTES, RowTable};
use crate::index::{LayerIndex, row};
use crate::rules::{Board, Quantity, Ruleset};
use crate::solve::import::Coverage;
use crate::solve::layer::Layer;
use crate::solve::observer::{Observer, Phase};
use crate::solve::storage::{LayerArray, MemoryBudget, SpillError, Value};

/// Entries to check, and how much of them is given.
pub(crate) struct Given {
    entries: Entries,
    coverage: Coverage,
}

/// Distances to check, and how much of them is given.
pub(crate) struct GivenDistances {
    distances: Distances,
    coverage: Coverage,
}

impl Given {
    pub fn new(entries: Entries, coverage: Coverage) -> Given {
        Given { entries, coverage }
    }

    /// Exact entries of all boards.
    pub fn all(entries: Entries) -> Given {
        Given::new(entries, Coverage::All)
    }
}

impl GivenDistances {
    pub fn new(distances: Distances, coverage: Coverage) -> GivenDistances {
        GivenDistances {
            distances,
            coverage,
        }
    }

    /// Exact distances of all boards.
    pub fn all(distances: Distances) -> GivenDistances {
        GivenDistances::new(distances, Coverage::All)
    }
}

/// Values that were checked, and completed if they were not all given.
pub(crate) struct CheckedValues {
    pub values: Entries,
    /// The distances. If they are `None` although there are some, they are too long for a
    /// table, and the values were proven without them.
    pub distances: Option<Distances>,
    pub report: Report,
}

/// Bounds that were checked, and completed if they were not all given.
pub(crate) struct CheckedBounds {
    pub lower: Entries,
    pub upper: Entries,
    pub report: Report,
}

/// The memory for layers that were checked, which conversions of higher ones lead to.
pub(crate) struct LayerBudget(MemoryBudget);

impl LayerBudget {
    /// With a limit of bytes, what does not fit is spilled to the folder.
    pub fn new(limit: Option<(u64, &Path)>) -> LayerBudget {
        LayerBudget(match limit {
            Some((bytes, folder)) => MemoryBudget::limited(bytes, Arc::from(folder)),
            None => MemoryBudget::unlimited(),
        })
    }

    /// Puts entries into memory or a spill file.
    ///
    /// # Errors
    /// If a spill file cannot be used.
    pub fn keep(&mut self, entries: Entries) -> Result<LayerArray<Value>, SpillError> {
        entries.into_array(&mut self.0)
    }
}

/// Bytes that it takes to check a layer, besides those of lower layers: one quantity of
/// each board, or both bounds, or a value and a distance.
pub(crate) fn check_bytes(rules: Ruleset, seeds: u8, has_distances: bool) -> u64 {
    let index = LayerIndex::new(rules, seeds);
    let planes = if rules.has_bounds() || has_distances {
        2
    } else {
        1
    };
    // A bit for each number that waits to be founded.
    let waiting = index.len() / 8 * planes;
    // For each of some sixty crossings, the ranks and captures of a chunk's lines.
    let of_thread = 60 * 16 * MAX_LINES as u64 + (1 << 17);
    let rows: u64 = (0..=seeds).map(|n| u64::from(row::row_count(n))).sum();
    let threads = rayon::current_num_threads() as u64;
    planes * index.len() + waiting + ROW_BYTES * rows + of_thread * threads
}

/// The check of one layer.
pub(crate) struct LayerCheck<'a> {
    rules: Ruleset,
    lower: &'a [Layer],
    index: &'a LayerIndex,
    rows: RowTable,
    most: usize,
    observer: &'a dyn Observer,
}

impl<'a> LayerCheck<'a> {
    /// A check against the layers below, with at most `most` failures to report.
    pub fn new(
        rules: Ruleset,
        lower: &'a [Layer],
        index: &'a LayerIndex,
        most: usize,
        observer: &'a dyn Observer,
    ) -> LayerCheck<'a> {
        LayerCheck {
            rules,
            lower,
            index,
            rows: RowTable::new(rules, index.seeds()),
            most,
            observer,
        }
    }

    /// Checks values, and distances if there are any; otherwise founds the values.
    ///
    /// # Errors
    /// If a spilled layer cannot be read.
    pub fn values(
        &self,
        given: Given,
        distances: Option<GivenDistances>,
    ) -> Result<CheckedValues, SpillError> {
        let Given { entries, coverage } = given;
        let marks = match distances {
            Some(_) => Marks::Conversions,
            None => self.founded(Quantity::Value),
        };
        let mut agrees = self.conversions(&entries, coverage, Quantity::Value)?;
        self.complete(&entries, &entries, coverage, marks);
        agrees &= self.check(&entries, &entries, coverage, marks);
        let distances = match distances {
            None => None,
            Some(given) => {
                let (distances, are_right) = self.distances(&entries, given);
                agrees &= are_right;
                if distances.is_none() && agrees {
                    // It leaves the marks of all entries as foundation needs them.
                    let marks = self.founded(Quantity::Value);
                    self.check(&entries, &entries, Coverage::All, marks);
                }
                distances
            }
        };
        let report = if !agrees {
            self.disagreements(&Held {
                lower: self.lower,
                index: self.index,
                numbers: HeldNumbers::Values(&entries, distances.as_ref()),
            })?
        } else if distances.is_none() {
            self.found(&[ToFound {
                quantity: Quantity::Value,
                entries: &entries,
                children: &entries,
            }])
        } else {
            Report::default()
        };
        Ok(CheckedValues {
            values: entries,
            distances,
            report,
        })
    }

    /// Checks lower and upper bounds.
    ///
    /// # Errors
    /// If a spilled layer cannot be read.
    pub fn bounds(&self, given: [Given; 2]) -> Result<CheckedBounds, SpillError> {
        let [lower, upper] = given;
        let mut agrees = self.conversions(&lower.entries, lower.coverage, Quantity::Lower)?;
        agrees &= self.conversions(&upper.entries, upper.coverage, Quantity::Upper)?;
        let both = [
            (Quantity::Lower, &lower, &upper),
            (Quantity::Upper, &upper, &lower),
        ];
        for (quantity, given, other) in both {
            let marks = self.founded(quantity);
            self.complete(&given.entries, &other.entries, given.coverage, marks);
        }
        for (quantity, given, other) in both {
            let marks = self.founded(quantity);
            agrees &= self.check(&given.entries, &other.entries, given.coverage, marks);
        }
        let report = match agrees {
            true => self.found(&both.map(|(quantity, given, other)| ToFound {
                quantity,
                entries: &given.entries,
                children: &other.entries,
            })),
            false => self.disagreements(&Held {
                lower: self.lower,
                index: self.index,
                numbers: HeldNumbers::Bounds(&lower.entries, &upper.entries),
            })?,
        };
        Ok(CheckedBounds {
            lower: lower.entries,
            upper: upper.entries,
            report,
        })
    }

    fn pass(&self) -> Pass<'_> {
        Pass {
            rules: self.rules,
            index: self.index,
            rows: &self.rows,
            observer: self.observer,
        }
    }

    fn founded(&self, quantity: Quantity) -> Marks {
        let endless = endless(quantity, self.index.seeds());
        Marks::Founded { endless }
    }

    fn conversions(
        &self,
        entries: &Entries,
        coverage: Coverage,
        quantity: Quantity,
    ) -> Result<bool, SpillError> {
        let seeds = self.index.seeds();
        self.observer
            .begins(seeds, Phase::Agreement, self.index.len());
        let pass = ConversionPass {
            pass: self.pass(),
            lower: self.lower,
            // The store family, where a player may move again, has no bounds.
            quantity: quantity.of_opponent(),
            entries,
        };
        pass.run(|section| match coverage {
            Coverage::All => GivenSection::Exact,
            Coverage::LowerBounds { sections } if section < sections => GivenSection::LowerBounds,
            Coverage::LowerBounds { .. } => GivenSection::Missing,
        })
    }

    /// Computes the entries that are not given.
    fn complete(&self, entries: &Entries, children: &Entries, coverage: Coverage, marks: Marks) {
        let missing = self.given_sections(coverage)..self.index.seeds() + 1;
        self.quiet(entries, children, marks).complete(missing);
    }

    /// Whether each given entry is the best of its board's moves.
    fn check(
        &self,
        entries: &Entries,
        children: &Entries,
        coverage: Coverage,
        marks: Marks,
    ) -> bool {
        let given = 0..self.given_sections(coverage);
        self.quiet(entries, children, marks).check(given)
    }

    fn quiet<'e>(
        &'e self,
        entries: &'e Entries,
        children: &'e Entries,
        marks: Marks,
    ) -> QuietPass<'e> {
        QuietPass {
            pass: self.pass(),
            entries,
            children,
            marks,
        }
    }

    fn given_sections(&self, coverage: Coverage) -> u8 {
        match coverage {
            Coverage::All => self.index.seeds() + 1,
            Coverage::LowerBounds { sections } => sections,
        }
    }

    /// Completes and checks distances: `None` if one is too long for a table, and whether
    /// they are right.
    fn distances(&self, values: &Entries, given: GivenDistances) -> (Option<Distances>, bool) {
        let sections = self.given_sections(given.coverage);
        let pass = DistancePass {
            pass: self.pass(),
            values,
            distances: &given.distances,
        };
        if given.coverage != Coverage::All {
            pass.replace_free(0..sections);
        }
        if !pass.complete(sections..=self.index.seeds()) {
            return (None, true);
        }
        let are_right = pass.check(0..sections);
        (Some(given.distances), are_right)
    }

    /// Founds boards that agree with their moves. In the store family no board repeats, and
    /// there is nothing to found.
    fn found(&self, group: &[ToFound<'_>]) -> Report {
        if self.rules.oware().is_none() {
            return Report::default();
        }
        let numbers = group.len() as u64 * self.index.len();
        let seeds = self.index.seeds();
        self.observer.begins(seeds, Phase::Foundation, numbers);
        found(self.pass(), group, self.most)
    }

    /// The boards whose numbers are not what their moves make them, by the plain rules.
    /// Passes only tell whether there are any.
    fn disagreements(&self, held: &Held<'_>) -> Result<Report, SpillError> {
        /// Boards that a thread checks at a time.
        const BATCH: u64 = 1 << 12;
        let aspects = held.numbers.aspects();
        let batches = (0..self.index.len().div_ceil(BATCH)).into_par_iter();
        let tallies = batches.map(|batch| {
            let mut tally = Tally::default();
            for board in self.index.boards_from(batch * BATCH).take(BATCH as usize) {
                tally.add(&failures(self.rules, held, aspects, &board)?, self.most);
            }
            Ok(tally)
        });
        // In the order of the batches, whichever is done first.
        let tally = tallies.try_reduce(Tally::default, |a, b| Ok(a.and(b, self.most)))?;
        let report = tally.report(self.most);
        assert!(report.boards > 0, "the passes and the plain rules disagree");
        Ok(report)
    }
}

/// The layers below and the numbers being checked, for the plain rules.
struct Held<'a> {
    lower: &'a [Layer],
    index: &'a LayerIndex,
    numbers: HeldNumbers<'a>,
}

/// Numbers being checked.
enum HeldNumbers<'a> {
    Values(&'a Entries, Option<&'a Distances>),
    /// Lower and upper bounds.
    Bounds(&'a Entries, &'a Entries),
}

impl HeldNumbers<'_> {
    fn aspects(&self) -> &'static [Aspect] {
        match self {
            HeldNumbers::Values(..) => &[Aspect::Value, Aspect::Distance],
            HeldNumbers::Bounds(..) => &[Aspect::Lower, Aspect::Upper],
        }
    }
}

impl Numbers for Held<'_> {
    type Error = SpillError;

    /// Numbers of other aspects are left out, or 0.
    fn of(&self, board: &Board) -> Result<BoardNumbers, SpillError> {
        let mut found = BoardNumbers::default();
        if board.seeds() == self.index.seeds() {
            let at = self.index.offset_of(board);
            let at = at.expect("moves lead to indexed boards");
            match self.numbers {
                HeldNumbers::Values(values, distances) => {
                    found.value = values.at(at).get();
                    found.distance = distances.map(|distances| distances.at(at));
                }
                HeldNumbers::Bounds(lower, upper) => {
                    found.bounds = Some((lower.at(at).get(), upper.at(at).get()));
                }
            }
            return Ok(found);
        }
        let layer = &self.lower[usize::from(board.seeds())];
        let index = layer.index().index(board);
        let index = index.expect("moves lead to indexed boards");
        match (&self.numbers, layer.bounds()) {
            (HeldNumbers::Bounds(..), Some(bounds)) => {
                let lower = bounds.lower.get(index)?.get();
                found.bounds = Some((lower, bounds.upper.get(index)?.get()));
            }
            _ => found.value = layer.value().get(index)?.get(),
        }
        Ok(found)
    }
}
