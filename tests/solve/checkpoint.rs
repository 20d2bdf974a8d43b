//! A run that resumes from any checkpoint of another run has the results of an uninterrupted
//! one, after fewer sweeps.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use krou::rules::Quantity;
use krou::rules::{Choices, Endless, Ruleset};
use krou::solve::{Observer, Phase, Silent};
use krou::solve::{Solver, Value};

/// Observes a run, and copies the files that a kill after each sweep would leave.
#[derive(Default)]
struct Recorder {
    /// The folder to copy, and the folder of the copies, one for each sweep.
    copies: Option<(PathBuf, PathBuf)>,
    /// The phases with sweeps, and the number of sweeps of each.
    swept: Mutex<Vec<(Phase, u32)>>,
    resumed: Mutex<Vec<Phase>>,
}

impl Recorder {
    fn sweeps(&self) -> u32 {
        self.swept.lock().unwrap().iter().map(|(_, n)| n).sum()
    }
}

impl Observer for Recorder {
    fn begins(&self, _: u8, phase: Phase, _: u64) {
        if phase != Phase::Conversions {
            self.swept.lock().unwrap().push((phase, 0));
        }
    }

    fn swept(&self, _: u32, _: u64) {
        self.swept.lock().unwrap().last_mut().unwrap().1 += 1;
        if let Some((from, to)) = &self.copies {
            let to = to.join(self.sweeps().to_string());
            fs::create_dir(&to).unwrap();
            for entry in fs::read_dir(from).unwrap() {
                let entry = entry.unwrap();
                fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
            }
        }
    }

    fn resumes(&self, _: u8, phase: Phase) {
        self.resumed.lock().unwrap().push(phase);
    }

    fn rejects_checkpoint(&self, checkpoint: &Path, reason: &str) {
        panic!("{} is sound, but {reason}", checkpoint.display());
    }
}

/// A solver that has solved the layers below `seeds`.
fn solver_below(rules: Ruleset, seeds: u8, memory: Option<&Path>) -> Solver {
    let mut solver = match memory {
        // Every layer array is on disk.
        Some(scratch) => Solver::within(rules, 0, scratch),
        None => Solver::new(rules),
    };
    for _ in 0..seeds {
        solver.solve_next(&Silent).unwrap();
    }
    solver
}

/// Values, bounds and distances of the next layer, as bytes.
fn solve(mut solver: Solver, observer: &dyn Observer) -> Vec<Vec<i8>> {
    let seeds = solver.next_seeds();
    solver.solve_next(observer).unwrap();
    let distances = solver.distances(seeds, observer).unwrap();
    let layer = solver.layer(seeds);
    let quantities = [Quantity::Value, Quantity::Lower, Quantity::Upper];
    let arrays = quantities.iter().filter_map(|&q| layer.quantity(q));
    let mut bytes = vec![0; layer.index().len() as usize];
    let mut all = Vec::new();
    for array in arrays {
        let byte = |value: Value| value.get().cast_unsigned();
        array.copy_out(0, &mut bytes, byte).unwrap();
        all.push(bytes.iter().map(|byte| byte.cast_signed()).collect());
    }
    distances.copy_out(0, &mut bytes, |plies| plies).unwrap();
    all.push(bytes.iter().map(|byte| byte.cast_signed()).collect());
    all
}

fn check_every_checkpoint(rules: Ruleset, seeds: u8, on_disk: bool) {
    let folders = tempfile::tempdir().unwrap();
    let [saved, copies, scratch] = ["saved", "copies", "scratch"].map(|name| {
        let folder = folders.path().join(name);
        fs::create_dir(&folder).unwrap();
        folder
    });
    let memory = on_disk.then_some(scratch.as_path());
    let uninterrupted = Recorder::default();
    let wanted = solve(solver_below(rules, seeds, memory), &uninterrupted);
    let recorded = Recorder {
        copies: Some((saved.clone(), copies.clone())),
        ..Recorder::default()
    };
    let solver = solver_below(rules, seeds, memory).with_checkpoints(&saved, Some(Duration::ZERO));
    assert!(solve(solver, &recorded) == wanted);
    let all = uninterrupted.sweeps();
    assert_eq!(
        recorded.sweeps(),
        all,
        "saving checkpoints changes the number of sweeps"
    );

    // Every third sweep and the last ones are enough.
    for sweep in (1..=all).filter(|sweep| sweep % 3 == 1 || sweep + 2 > all) {
        let folder = copies.join(sweep.to_string());
        let again = Recorder::default();
        let solver = solver_below(rules, seeds, memory).with_checkpoints(&folder, None);
        assert!(solve(solver, &again) == wanted, "{rules}, sweep {sweep}");
        let resumed = again.resumed.lock().unwrap();
        assert!(!resumed.is_empty());
        // One sweep was not saved, and one or two more come before the worklist rounds. Where
        // loops count, the second solution of the bounds is not saved.
        let is_saved = !rules.counts_loops();
        assert!(
            !is_saved || again.sweeps() + sweep <= all + 3,
            "{sweep} of {all}"
        );
        // Finished phases are not swept again.
        let done = resumed.len() - 1;
        let swept = again.swept.lock().unwrap().len();
        let phases = uninterrupted.swept.lock().unwrap().len();
        assert_eq!(done + swept, phases, "{rules}, sweep {sweep}");
    }
}

#[test]
fn values_and_distances_resume() {
    check_every_checkpoint(Ruleset::AWARI, 7, false);
    check_every_checkpoint(Ruleset::KALAH, 6, false);
}

#[test]
fn bounds_resume() {
    check_every_checkpoint(Ruleset::AWALE, 6, false);
    let mut choices = Choices::default();
    choices.endless = Some(Endless::Open);
    let open = Ruleset::AWALE.with_choices(&choices).unwrap();
    check_every_checkpoint(open, 6, false);
}

#[test]
fn layers_on_disk_resume() {
    check_every_checkpoint(Ruleset::AWALE, 4, true);
}
