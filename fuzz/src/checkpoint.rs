//! Checkpoints: whatever is in the file, the layer is solved; and its values are right unless
//! the file has right checksums of other entries.

use std::collections::HashMap;
use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};

use krou::index::LayerIndex;
use krou::rules::Ruleset;
use krou::solve::Solver;
use krou::solve::{Observer, Silent, SolveError, Stopped};
use krou::table::{Kind, TableId};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

const RULES: [Ruleset; 3] = [Ruleset::AWARI, Ruleset::AWALE, Ruleset::KALAH];
const SEEDS: [u8; 2] = [2, 3];

/// Sweeps after which a forged checkpoint may be given up: its numbers may go in circles.
const MOST_SWEEPS: u32 = 100;

/// What a table is without a checkpoint.
static RIGHT: LazyLock<Mutex<HashMap<TableId, Option<Vec<u8>>>>> = LazyLock::new(Mutex::default);

/// Bytes of a page, which has a piece in these layers, after 16 bytes of a checksum and a length.
const PAGE: usize = 4096;

/// The first byte selects the table, and what the rest is: its checkpoint as it stands; or the head
/// and the entries of one, with wrong or with right checksums; or its head and compressed pieces,
/// each after a byte with its length.
pub fn run(data: &[u8]) {
    let Some((&choice, rest)) = data.split_first() else {
        return;
    };
    let choice = usize::from(choice);
    let rules = RULES[choice % 3];
    let seeds = SEEDS[choice / 3 % 2];
    let kind = Kind::ALL[choice / 6 % 3];
    let id = TableId { rules, seeds, kind };
    let mut known = RIGHT.lock().unwrap_or_else(PoisonError::into_inner);
    let right = known.entry(id).or_insert_with(|| resume(id, &[])).clone();
    drop(known);
    assert!(right.is_some(), "{id}");
    match choice / 18 % 4 {
        0 => assert_eq!(resume(id, rest), right, "{id}"),
        1 => assert_eq!(resume(id, &checkpoint(id, rest, false, 1)), right, "{id}"),
        // Its entries count, whatever they are.
        2 => drop(resume(id, &checkpoint(id, rest, false, 0))),
        _ => drop(resume(id, &checkpoint(id, rest, true, 0))),
    }
}

/// A checkpoint with this head, except for checksums, and these entries or compressed pieces.
/// `error` is added to the checksums of pieces.
fn checkpoint(id: TableId, data: &[u8], is_compressed: bool, error: u64) -> Vec<u8> {
    let (start, mut rest) = data.split_at(data.len().min(40));
    let mut file = vec![0; PAGE];
    file[..start.len()].copy_from_slice(start);
    let arrays = if id.kind == Kind::Bounds { 2 } else { 1 };
    let entry_bytes = if id.kind == Kind::Distance { 2 } else { 1 };
    let index = LayerIndex::new(id.rules, id.seeds);
    let mut sums = Vec::new();
    for section in (0..arrays).flat_map(|_| 0..=id.seeds) {
        let mut bytes = index.section_entries(section) * entry_bytes;
        if is_compressed && let Some((&length, after)) = rest.split_first() {
            (bytes, rest) = (usize::from(length), after);
        }
        let (here, after) = rest.split_at(bytes.min(rest.len()));
        rest = after;
        let mut piece = vec![0; PAGE];
        piece[8..16].copy_from_slice(&(bytes as u64).to_le_bytes());
        piece[16..][..here.len()].copy_from_slice(here);
        let sum = xxh3_64_with_seed(&piece[8..16 + bytes], file.len() as u64);
        let sum = sum.wrapping_add(error).to_le_bytes();
        piece[..8].copy_from_slice(&sum);
        sums.extend(sum);
        file.extend(piece);
    }
    if file[32..40] != [0; 8] {
        let of_all = xxh3_64(&sums).max(1);
        file[32..40].copy_from_slice(&of_all.to_le_bytes());
    }
    let of_head = xxh3_64(&file[..40]);
    file[40..48].copy_from_slice(&of_head.to_le_bytes());
    file
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
