//! Checkpoints: whatever is in the file, the layer is solved; and its values are right unless
//! the file's checksum is.

use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};

use krou::rules::Ruleset;
use krou::solve::Solver;
use krou::solve::{Observer, Silent, SolveError, Stopped};
use krou::table::{Kind, TableId};
use xxhash_rust::xxh3::xxh3_64;

const RULES: [Ruleset; 3] = [Ruleset::AWARI, Ruleset::AWALE, Ruleset::KALAH];
const SEEDS: [u8; 2] = [2, 3];

/// Sweeps after which a forged checkpoint may be given up: its numbers may go in circles.
const MOST_SWEEPS: u32 = 1000;

/// The first byte selects the table whose checkpoint the rest is: as it stands, then with the
/// checksum corrected.
pub fn run(data: &[u8]) {
    let Some((&choice, rest)) = data.split_first() else {
        return;
    };
    let choice = usize::from(choice);
    let rules = RULES[choice % 3];
    let seeds = SEEDS[choice / 3 % 2];
    let kind = Kind::ALL[choice / 6 % 3];
    let id = TableId { rules, seeds, kind };
    let is_forged = rest
        .split_last_chunk()
        .is_some_and(|(bytes, sum)| u64::from_le_bytes(*sum) == xxh3_64(bytes));
    let found = resume(id, rest);
    if !is_forged {
        assert_eq!(found, resume(id, &[]), "{id}");
    }
    if let Some((bytes, _)) = rest.split_last_chunk::<8>() {
        resume(id, &[bytes, &xxh3_64(bytes).to_le_bytes()].concat());
    }
}

/// Solves a layer beside this checkpoint: its values, bounds and distances. `None` if that
/// takes too many sweeps, or the values are so wrong that distances do not fit a byte.
fn resume(id: TableId, checkpoint: &[u8]) -> Option<Vec<u8>> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join(format!("{id}.checkpoint"));
    fs::write(file, checkpoint).expect("a temporary file");
    let mut solver = Solver::new(id.rules);
    for _ in 0..id.seeds {
        solver.solve_next(&Silent).expect("no file is needed");
    }
    let mut solver = solver.with_checkpoints(folder.path(), None);
    let patience = Patience::default();
    let mut solve = || {
        solver.solve_next(&patience)?;
        solver.distances(id.seeds, &patience)
    };
    let distances = match solve() {
        Err(SolveError::Stopped(_) | SolveError::DistanceTooLong { .. }) => return None,
        distances => distances.expect("values and distances"),
    };
    let layer = solver.layer(id.seeds);
    let mut bytes = distances.as_slice().to_vec();
    let bounds = layer
        .bounds()
        .into_iter()
        .flat_map(|b| [&b.lower, &b.upper]);
    for array in bounds.chain([layer.value()]) {
        let values = array.as_slice().iter();
        bytes.extend(values.map(|value| value.get().cast_unsigned()));
    }
    Some(bytes)
}

/// Ends work that takes too many sweeps.
#[derive(Default)]
struct Patience {
    sweeps: AtomicU32,
}

impl Observer for Patience {
    fn swept(&self, _: u32, _: u64) {
        self.sweeps.fetch_add(1, Ordering::Relaxed);
    }

    fn advance(&self, _: u64) -> Result<(), Stopped> {
        match self.sweeps.load(Ordering::Relaxed) <= MOST_SWEEPS + 1 {
            true => Ok(()),
            false => Err(Stopped),
        }
    }

    fn worklist_round(&self, sweep: u32, changes: u64) {
        self.swept(sweep, changes);
    }
}
