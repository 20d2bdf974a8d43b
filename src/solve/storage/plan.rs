//! How a phase divides its memory among entries, best conversions and the worklist.

use super::compact::{compact_bytes, record_bytes};
use super::estimates::{
    BYTES_PER_CHANGE, LARGE_SHARE, SHARE_IN_FILES, sweeping_bytes, working_set_bytes,
    worklist_bytes,
};
use crate::index::LayerIndex;

/// What a phase has of each board of a layer.
#[derive(Clone, Copy, Debug)]
pub(in crate::solve) struct Needs {
    /// Arrays of entries, and bytes of an entry.
    arrays: u64,
    entry: usize,
    /// Arrays of best conversions.
    best: u64,
    sweeps: Sweeps,
    /// Whether only slices of sections are in memory beside the arrays, once there are entries.
    is_sliced: bool,
    /// Whether this rank has entries of the whole layer, not only of its part.
    is_copied: bool,
    /// Bytes that the caller has in use meanwhile.
    held: u64,
}

/// Whether boards of a section have children in the same one. Its number is that of the seeds in
/// the opponent's row, and after a quiet move the child's opponent has at most the mover's seeds.
pub(in crate::solve) fn is_computed_from_itself(index: &LayerIndex, section: u8) -> bool {
    section <= index.seeds() - section
}

/// How often a phase sweeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sweeps {
    Never,
    Once,
    /// Until nothing changes, with a worklist.
    Many,
}

impl Needs {
    /// Solving some arrays of values or bounds.
    pub fn solving(arrays: u64) -> Needs {
        Needs {
            arrays,
            entry: 1,
            best: arrays,
            sweeps: Sweeps::Many,
            is_sliced: true,
            is_copied: false,
            held: 0,
        }
    }

    /// The same, with whole sections beside the arrays: to resume from a checkpoint, of which
    /// sections are read before the conversion pass, or because other arrays are made of them.
    pub fn with_whole_sections(self) -> Needs {
        Needs {
            is_sliced: false,
            ..self
        }
    }

    /// Solving distances, where the best conversions may be there already.
    pub fn solving_distances(has_best: bool) -> Needs {
        Needs {
            arrays: 1,
            entry: 2,
            best: u64::from(!has_best),
            ..Needs::solving(1).with_whole_sections()
        }
    }

    /// The same, where each of several ranks has a copy of all entries.
    pub fn with_copies(self) -> Needs {
        Needs {
            is_copied: true,
            ..self.with_whole_sections()
        }
    }

    /// Reading some arrays of one byte for each board.
    pub fn reading(arrays: u64) -> Needs {
        Needs {
            best: 0,
            sweeps: Sweeps::Never,
            ..Needs::solving(arrays)
        }
    }

    /// Reading them and completing what is missing.
    pub fn completing(arrays: u64) -> Needs {
        Needs {
            sweeps: Sweeps::Once,
            ..Needs::solving(arrays)
        }
    }

    /// Reading distances and completing what is missing.
    pub fn completing_distances() -> Needs {
        Needs {
            sweeps: Sweeps::Once,
            ..Needs::solving_distances(false)
        }
    }

    /// Finding best conversions alone, while the caller has `held` bytes in use.
    pub fn best_conversions(held: u64) -> Needs {
        Needs {
            arrays: 0,
            held,
            ..Needs::completing(1)
        }
    }

    /// Sweeping boards that have no index.
    pub fn unindexed() -> Needs {
        Needs::completing(0)
    }

    /// Bytes of the working set.
    pub fn working_set(&self, index: &LayerIndex) -> u64 {
        match self.sweeps {
            Sweeps::Never => working_set_bytes(index, 0),
            Sweeps::Many if self.is_sliced => sweeping_bytes(index, self.entry),
            Sweeps::Once | Sweeps::Many => working_set_bytes(index, self.entry),
        }
    }

    /// Bytes that say where compact entries are, if this rank has `boards` boards of a layer.
    pub fn records(&self, index: &LayerIndex, boards: u64) -> u64 {
        let arrays = match self.entry {
            1 => self.arrays + self.best,
            _ => self.best,
        };
        record_bytes(arrays * self.in_array(index, boards))
    }

    /// Bytes that the conversion pass needs beyond the working set, before there are entries.
    fn conversion_pass(&self, index: &LayerIndex) -> u64 {
        working_set_bytes(index, 0).saturating_sub(self.working_set(index))
    }

    /// Bytes of a copy of the largest section, beyond the working set: an array that is computed
    /// from itself needs one of each section that is in memory as it is.
    fn copy_of_section(&self, index: &LayerIndex) -> u64 {
        match self.sweeps {
            Sweeps::Many if self.is_sliced && self.arrays == 1 => {
                (index.largest_section() * self.entry) as u64
            }
            _ => 0,
        }
    }

    /// Bytes that the caller has in use meanwhile.
    pub fn held(&self) -> u64 {
        self.held
    }

    /// Bytes that copies take beside their entries, if this rank computes `boards` boards of a
    /// layer: the changes of two sections on their way between ranks, those of one of them twice,
    /// those of the others, what says where they are, and room to grow; what this rank computes
    /// of sections that are read meanwhile; and all best conversions, where those of a part are
    /// there already.
    pub fn beside_copies(&self, index: &LayerIndex, boards: u64) -> u64 {
        if !self.is_copied {
            return 0;
        }
        let section = (index.largest_section() * self.entry) as u64;
        let portions = match self.arrays {
            1 => (0..=index.seeds())
                .filter(|&section| is_computed_from_itself(index, section))
                .map(|section| index.section_entries(section) as u64)
                .sum(),
            _ => 0,
        };
        // Sections of few lines are divided less evenly than the layer.
        let own = u128::from(portions) * u128::from(boards) / u128::from(index.len()) * 9 / 8;
        let best = match self.best {
            0 => self.arrays * index.len(),
            _ => 0,
        };
        section / 5 * 12 + own as u64 * self.entry as u64 + best
    }

    /// Bytes for a layer of which this rank has `boards` boards, if nothing is compact.
    pub fn bytes(&self, index: &LayerIndex, boards: u64) -> u64 {
        let in_array = self.in_array(index, boards);
        let entries = self.arrays * self.entry as u64 * in_array + self.copy_of_section(index);
        entries + self.best * in_array + self.worklist(index, boards, LARGE_SHARE)
    }

    /// Boards in each array.
    fn in_array(&self, index: &LayerIndex, boards: u64) -> u64 {
        if self.is_copied { index.len() } else { boards }
    }

    /// Bytes that a worklist takes beside what the sweeps have freed when it begins. Half of the
    /// list is made before.
    fn worklist(&self, index: &LayerIndex, boards: u64, share: u64) -> u64 {
        match self.sweeps {
            Sweeps::Never | Sweeps::Once => 0,
            Sweeps::Many => {
                let all = worklist_bytes(index, boards, share);
                let half = boards / share * (BYTES_PER_CHANGE / 2);
                all.saturating_sub(self.working_set(index)).max(half)
            }
        }
    }
}

/// A worklist that is worth its memory if all arrays are in memory and little is left.
const SMALL_SHARE: u64 = 512;

/// Memory for the copy of a section is kept if what is left beyond the compact form of all
/// entries is at least this many times as much.
const WORTH_A_COPY: u64 = 4;

/// Bytes kept for arrays that have not been begun, and for the worklist.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Plan {
    pub entries: Kept,
    pub best: Kept,
    pub worklist: u64,
    /// For copies of sections.
    pub copy: u64,
    /// Whether sections that need copies must not be in memory as they are, since none is kept.
    pub lacks_copy: bool,
    /// Of what is kept, bytes that the conversion pass needs.
    pub conversion_pass: u64,
    /// Bytes that are free once the sweeps have ended.
    pub working_set: u64,
}

/// Bytes kept for some arrays, as much for each.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Kept {
    bytes: u64,
    arrays: u64,
}

impl Kept {
    /// Bytes kept for all arrays that have not been begun.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// What was kept for the next array.
    pub fn next(&mut self) -> u64 {
        let share = self.bytes.checked_div(self.arrays).unwrap_or(0);
        self.bytes -= share;
        self.arrays = self.arrays.saturating_sub(1);
        share
    }
}

impl Plan {
    /// The best plan for which `left` bytes suffice: everything as it is; the best conversions
    /// compact; the entries as well; best conversions in a file and the entries in memory; or
    /// entries in memory as far as possible. What a plan leaves is kept for entries, which are
    /// read more often than best conversions.
    pub fn new(left: u64, index: &LayerIndex, boards: u64, needs: &Needs) -> Plan {
        let in_array = needs.in_array(index, boards);
        let entries = |compact: bool| match needs.entry {
            1 if compact => needs.arrays * compact_bytes(in_array),
            entry => needs.arrays * entry as u64 * in_array,
        };
        let best = |compact: bool| match compact {
            true => needs.best * compact_bytes(in_array),
            false => needs.best * in_array,
        };
        let plans = [
            (entries(false), best(false), LARGE_SHARE),
            (entries(false), best(true), LARGE_SHARE),
            (entries(true), best(true), SMALL_SHARE),
            (entries(false), 0, SHARE_IN_FILES),
            (entries(true), 0, SHARE_IN_FILES),
            (0, 0, SHARE_IN_FILES),
        ];
        let copy = needs.copy_of_section(index);
        let plans = plans.map(|(bytes, best, share)| Plan {
            entries: Kept {
                bytes,
                arrays: needs.arrays,
            },
            best: Kept {
                bytes: best,
                arrays: needs.best,
            },
            worklist: needs.worklist(index, boards, share),
            copy: if bytes == entries(false) { copy } else { 0 },
            ..Plan::default()
        });
        let mut plans = plans.into_iter();
        let mut plan = (plans.find(|plan| plan.bytes() <= left)).unwrap_or_default();
        // What is more than all entries take in compact form.
        let for_entries = left - plan.bytes() + plan.entries.bytes;
        if for_entries.saturating_sub(entries(true)) >= WORTH_A_COPY * copy {
            plan.copy = copy;
        }
        plan.lacks_copy = plan.copy < copy;
        plan.conversion_pass = needs.conversion_pass(index);
        plan.working_set = needs.working_set(index);
        let unused = left - plan.bytes();
        let entries = entries(false).min(plan.entries.bytes + unused);
        plan.entries = Kept {
            bytes: entries,
            arrays: needs.arrays,
        };
        plan
    }

    /// Bytes that are kept.
    pub fn bytes(&self) -> u64 {
        self.entries.bytes + self.best.bytes + self.worklist + self.copy
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;

    /// The plan for `percent` bytes for each 100 boards of a layer of 24 seeds.
    fn plan(percent: u64, needs: &Needs) -> Plan {
        let index = LayerIndex::new(Ruleset::AWARI, 24);
        Plan::new(index.len() * percent / 100, &index, index.len(), needs)
    }

    #[test]
    fn arrays_become_compact_before_they_go_to_files() {
        let boards = LayerIndex::new(Ruleset::AWARI, 24).len();
        let compact = compact_bytes(boards);
        let entries_and_best = |percent| {
            let plan = plan(percent, &Needs::solving(1));
            (plan.entries.bytes, plan.best.bytes)
        };
        assert_eq!(entries_and_best(250), (boards, boards));
        assert_eq!(entries_and_best(220), (boards, compact));
        let (entries, best) = entries_and_best(160);
        assert!((compact..boards).contains(&entries) && best == compact);
        assert_eq!(entries_and_best(120), (boards, 0));
        let (entries, best) = entries_and_best(80);
        assert!((compact..boards).contains(&entries) && best == 0);
        let (entries, best) = entries_and_best(30);
        assert!((1..compact).contains(&entries) && best == 0);
        assert_eq!(plan(0, &Needs::solving(1)).bytes(), 0);
    }

    #[test]
    fn sections_as_they_are_have_memory_for_a_copy() {
        let section = LayerIndex::new(Ruleset::AWARI, 24).largest_section() as u64;
        for percent in 0..400 {
            let plan = plan(percent, &Needs::solving(1));
            assert_eq!(plan.copy, if plan.lacks_copy { 0 } else { section });
            match percent {
                0..90 => assert!(plan.lacks_copy, "{percent}"),
                250.. => assert!(!plan.lacks_copy, "{percent}"),
                _ => {}
            }
        }
        // Two arrays are computed from one another.
        assert!(!plan(30, &Needs::solving(2)).lacks_copy);
    }

    #[test]
    fn phases_that_read_whole_sections_have_memory_for_them() {
        let index = LayerIndex::new(Ruleset::AWARI, 24);
        let section = index.largest_section() as u64;
        let solving = Needs::solving(1);
        assert!(solving.working_set(&index) < 2 * section);
        assert!(solving.with_whole_sections().working_set(&index) >= 2 * section);
        // An entry of two bytes, and the best conversion.
        for has_best in [false, true] {
            let distances = Needs::solving_distances(has_best);
            assert!(distances.working_set(&index) >= 3 * section);
        }
    }

    #[test]
    fn a_plan_is_within_what_is_left() {
        let boards = LayerIndex::new(Ruleset::AWARI, 24).len();
        for percent in 0..600 {
            for needs in [
                Needs::solving(1),
                Needs::solving(2),
                Needs::solving_distances(true),
                Needs::solving_distances(false),
                Needs::reading(2),
                Needs::completing(1),
                Needs::best_conversions(0),
                Needs::unindexed(),
            ] {
                assert!(plan(percent, &needs).bytes() <= boards * percent / 100);
            }
        }
    }

    #[test]
    fn every_array_gets_its_share() {
        let mut plan = plan(320, &Needs::solving(2));
        let shares = [(); 3].map(|()| plan.best.next());
        assert_eq!(shares[0], shares[1]);
        assert!(shares[0] > 0);
        assert_eq!(shares[2], 0);
        assert_eq!(plan.best.bytes, 0);
        // Keys have no compact form.
        let boards = LayerIndex::new(Ruleset::AWARI, 24).len();
        let mut plan = self::plan(300, &Needs::solving_distances(false));
        assert_eq!(plan.entries.next(), 2 * boards);
    }
}
