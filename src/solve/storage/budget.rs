//! The memory budget: what a phase of the work on a layer may still take.

use std::path::Path;
use std::sync::Arc;

use super::estimates::{BYTES_PER_CHANGE, worklist_overhead};
use super::plan::{Needs, Plan, is_computed_from_itself};
use crate::index::LayerIndex;

/// Memory that may still be taken, and where everything else goes.
#[derive(Clone, Debug)]
pub(in crate::solve) struct MemoryBudget {
    /// Bytes; `None` without a limit.
    left: Option<u64>,
    /// What of the limit is kept for arrays and for the worklist, which come later.
    plan: Plan,
    /// Whether sections of the array that was begun last may only be in memory as they are if
    /// they are not read while they are computed.
    lacks_copy: bool,
    folder: Arc<Path>,
}

/// Memory for a short time, which is given back before the phase makes arrays of entries.
#[derive(Default)]
pub(in crate::solve) struct Loan {
    /// Bytes of what is kept for later.
    kept: u64,
    /// Bytes of what is left.
    left: u64,
}

impl MemoryBudget {
    /// Memory without a limit.
    pub fn unlimited() -> MemoryBudget {
        MemoryBudget {
            left: None,
            plan: Plan::default(),
            lacks_copy: false,
            folder: Path::new(".").into(),
        }
    }

    /// At most `bytes` of memory; the rest goes to spill files in `folder`.
    pub fn limited(bytes: u64, folder: Arc<Path>) -> MemoryBudget {
        MemoryBudget {
            left: Some(bytes),
            plan: Plan::default(),
            lacks_copy: false,
            folder,
        }
    }

    /// Keeps memory for what a phase needs for `boards` boards of a layer.
    pub fn keep(&mut self, index: &LayerIndex, boards: u64, needs: &Needs) {
        if let Some(left) = &mut self.left {
            self.plan = Plan::new(*left, index, boards, needs);
            *left -= self.plan.bytes();
        }
    }

    /// Frees what is kept for the next array of entries.
    pub fn begin_entries(&mut self) {
        let freed = self.plan.entries.next();
        self.give(freed);
        self.lacks_copy = self.plan.lacks_copy;
    }

    /// Frees what is kept for the next array of best conversions.
    pub fn begin_best(&mut self) {
        let freed = self.plan.best.next();
        self.give(freed);
        self.lacks_copy = false;
    }

    /// Whether a section of the array that was begun last may be in memory as it is.
    pub fn allows_in_memory(&self, index: &LayerIndex, section: u8) -> bool {
        !self.lacks_copy || !is_computed_from_itself(index, section)
    }

    /// Takes memory; `false` if too little is left.
    pub fn take(&mut self, bytes: u64) -> bool {
        self.take_leaving(bytes, 0)
    }

    /// Takes memory if so much is left afterwards; otherwise `false`.
    pub fn take_leaving(&mut self, bytes: u64, leaving: u64) -> bool {
        match &mut self.left {
            None => true,
            Some(left) if *left >= bytes.saturating_add(leaving) => {
                *left -= bytes;
                true
            }
            Some(_) => false,
        }
    }

    /// Takes memory as far as the budget goes; returns how much.
    pub fn take_up_to(&mut self, bytes: u64) -> u64 {
        match &mut self.left {
            None => bytes,
            Some(left) => {
                let taken = bytes.min(*left);
                *left -= taken;
                taken
            }
        }
    }

    /// Adds memory to a loan: first what is kept for entries and the worklist; `false` if too
    /// little is left.
    pub fn lend(&mut self, bytes: u64, loan: &mut Loan) -> bool {
        let kept = self.plan.entries.bytes() + self.plan.worklist + self.plan.copy;
        let kept = kept.saturating_sub(self.plan.conversion_pass);
        if self.left.is_none() || loan.kept.saturating_add(bytes) <= kept {
            loan.kept += bytes;
            return true;
        }
        let taken = self.take(bytes);
        if taken {
            loan.left += bytes;
        }
        taken
    }

    /// Takes a loan back.
    pub fn take_back(&mut self, loan: &Loan) {
        self.give(loan.left);
    }

    /// Gives memory back.
    pub fn give(&mut self, bytes: u64) {
        if let Some(left) = &mut self.left {
            *left += bytes;
        }
    }

    /// The folder of spill files.
    pub fn folder(&self) -> Arc<Path> {
        self.folder.clone()
    }

    /// Bytes that may still be taken; `None` without a limit.
    #[cfg(test)]
    pub fn left(&self) -> Option<u64> {
        self.left
    }
}

/// How many boards the worklist may hold in the memory that is left, once the
/// working set of the sweeps is freed; half of the list is made before.
pub(in crate::solve) fn worklist_capacity(index: &LayerIndex, budget: &MemoryBudget) -> u64 {
    let Some(left) = budget.left else {
        return u64::MAX;
    };
    let left = left + budget.plan.worklist;
    let after_sweeps = left + budget.plan.working_set + budget.plan.copy;
    let for_list = after_sweeps.saturating_sub(worklist_overhead(index));
    (for_list / BYTES_PER_CHANGE).min(left / (BYTES_PER_CHANGE / 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;

    #[test]
    fn a_limited_budget_is_never_exceeded() {
        let mut budget = MemoryBudget::limited(100, Path::new("spill").into());
        assert!(budget.take(60) && !budget.take(41) && budget.take(40));
        assert_eq!(budget.left(), Some(0));
        budget.give(10);
        budget.take_up_to(25);
        assert_eq!(budget.left(), Some(0));
        assert_eq!(&*budget.folder(), Path::new("spill"));
    }

    #[test]
    fn an_unlimited_budget_gives_whatever_is_asked() {
        let mut budget = MemoryBudget::unlimited();
        assert!(budget.take(u64::MAX) && budget.take(u64::MAX));
        assert_eq!(budget.left(), None);
    }

    #[test]
    fn a_loan_takes_first_what_is_kept_for_later() {
        let index = LayerIndex::new(Ruleset::AWARI, 24);
        let boards = index.len();
        let mut budget = MemoryBudget::limited(10 * boards, Path::new("spill").into());
        budget.keep(&index, boards, &Needs::solving(1));
        let left = budget.left();
        let mut loan = Loan::default();
        assert!(budget.lend(boards, &mut loan) && budget.left() == left);
        assert!(budget.lend(boards, &mut loan) && budget.left() < left);
        assert!(!budget.lend(10 * boards, &mut loan));
        budget.take_back(&loan);
        assert_eq!(budget.left(), left);
    }

    #[test]
    fn the_worklist_fits_into_the_memory_that_is_left() {
        let index = LayerIndex::new(Ruleset::AWARI, 16);
        let capacity = |bytes| {
            let budget = MemoryBudget::limited(bytes, Path::new(".").into());
            worklist_capacity(&index, &budget)
        };
        assert_eq!(capacity(0), 0);
        for mib in [1, 4, 16, 64] {
            let bytes = mib << 20;
            assert!(capacity(bytes) * BYTES_PER_CHANGE / 2 <= bytes);
            assert!(capacity(bytes) <= capacity(bytes << 1));
        }
        let unlimited = MemoryBudget::unlimited();
        assert_eq!(worklist_capacity(&index, &unlimited), u64::MAX);
    }
}
