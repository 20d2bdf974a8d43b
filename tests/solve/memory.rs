//! A memory budget changes how long the work takes and nothing else, and programs stay
//! within it.

#[cfg(target_os = "linux")]
use std::{
    fs::{self, File},
    path::Path,
    process::Stdio,
};

use krou::rules::Ruleset;
use krou::solve::{LayerArray, Silent, Solver};
use rayon::prelude::*;

#[cfg(target_os = "linux")]
use crate::program::krou_in;

fn entries<E: krou::solve::SpillEntry>(array: &LayerArray<E>) -> Vec<E> {
    array.to_vec().unwrap()
}

/// With a memory budget of 0 every section, line and lower layer of values, bounds and
/// distances comes from disk.
#[test]
fn spill_files_change_no_entry() {
    let scratch = tempfile::tempdir().unwrap();
    Ruleset::NAMED.par_iter().for_each(|&(name, rules)| {
        let seeds = if name == "awari" { 10 } else { 6 };
        let mut free = Solver::new(rules);
        let mut bound = Solver::within(rules, 0, scratch.path());
        for n in 0..=seeds {
            free.solve_next(&Silent).unwrap();
            bound.solve_next(&Silent).unwrap();
            let [one, other] = [&free, &bound].map(|solver| solver.layer(n));
            assert!(entries(one.value()) == entries(other.value()), "{name} {n}");
            assert_eq!(other.value().bytes_in_memory(), 0, "{name} {n}");
            if let (Some(one), Some(other)) = (one.bounds(), other.bounds()) {
                assert!(entries(&one.lower) == entries(&other.lower), "{name} {n}");
                assert!(entries(&one.upper) == entries(&other.upper), "{name} {n}");
            }
            let [one, other] =
                [&mut free, &mut bound].map(|solver| solver.distances(n, &Silent).unwrap());
            assert!(entries(&one) == entries(&other), "{name} {n}");
        }
    });
    // Spill files have no names.
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0);
}

/// Runs a program to its end and gives the peak of its resident memory in bytes.
#[cfg(target_os = "linux")]
fn peak(mut program: std::process::Child) -> u64 {
    let status = format!("/proc/{}/status", program.id());
    let mut peak = 0;
    while program.try_wait().unwrap().is_none() {
        let status = std::fs::read_to_string(&status).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        if let Some(kib) = line.and_then(|line| line.trim().strip_suffix(" kB")) {
            peak = kib.parse::<u64>().unwrap() * 1024;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert!(program.wait().unwrap().success());
    peak
}

/// Runs `krou` with some memory budget or none, and its output nowhere; gives its peak.
#[cfg(target_os = "linux")]
fn peak_of(folder: &Path, command: &str, memory: Option<u64>) -> u64 {
    let mut krou = krou_in(folder);
    krou.args(command.split_whitespace()).arg("--threads=2");
    krou.args(memory.map(|mib| format!("--memory={mib}M")));
    let quiet = krou.stdout(Stdio::null()).stderr(Stdio::null());
    peak(quiet.spawn().unwrap())
}

/// Checks that work stayed within its budget, that it exceeds it without one, and that
/// it wrote the same files both times.
#[cfg(target_os = "linux")]
fn check(place: &Path, mib: u64, [free, bound]: [u64; 2], context: &str) {
    let context = format!("{context}, {mib} MiB: {bound}, without budget {free}");
    assert!(bound <= mib << 20, "{context}");
    assert!(free > mib << 20, "nothing is spilled: {context}");
    for entry in fs::read_dir(place.join("free")).unwrap() {
        let name = entry.unwrap().file_name();
        let bytes = |folder| fs::read(place.join(folder).join(&name)).unwrap();
        assert!(
            bytes("free") == bytes("bound"),
            "{context} {}",
            name.display()
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn builds_stay_within_their_memory_budget() {
    for (options, mib) in [
        ("--rules awari --seeds 15 --stats --checkpoint=1", 28),
        ("--rules awari --seeds 14 --distance", 28),
        ("--rules awale --seeds 13 --distance --checkpoint=1", 24),
    ] {
        let place = tempfile::tempdir().unwrap();
        let peaks = [("free", None), ("bound", Some(mib))].map(|(folder, memory)| {
            let command = format!("build {options} --dir {folder}");
            peak_of(place.path(), &command, memory)
        });
        check(place.path(), mib, peaks, options);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn repackings_stay_within_their_memory_budget() {
    for (rules, options, codecs, mib) in [
        ("awari", "--seeds 15", &["raw", "packed"][..], 28),
        ("awale", "--seeds 13 --distance", &["zstd"], 24),
    ] {
        let built = tempfile::tempdir().unwrap();
        let command = format!("build --rules {rules} {options} --dir .");
        peak_of(built.path(), &command, None);
        for codec in codecs {
            let place = tempfile::tempdir().unwrap();
            let peaks = [("free", None), ("bound", Some(mib))].map(|(folder, memory)| {
                fs::create_dir(place.path().join(folder)).unwrap();
                for entry in fs::read_dir(built.path()).unwrap().map(Result::unwrap) {
                    let copy = place.path().join(folder).join(entry.file_name());
                    fs::copy(entry.path(), copy).unwrap();
                }
                let command = format!("repack --rules {rules} --codec {codec} --dir {folder}");
                peak_of(place.path(), &command, memory)
            });
            check(place.path(), mib, peaks, &format!("{rules} as {codec}"));
        }
    }
}

/// Counts and exports are the same as without a budget.
#[cfg(target_os = "linux")]
#[test]
fn readers_stay_within_their_memory_budget() {
    let place = tempfile::tempdir().unwrap();
    let krou = |line: &str, out: &str| {
        let mut krou = krou_in(place.path());
        krou.env("RAYON_NUM_THREADS", "2")
            .args(line.split_whitespace());
        let out = File::create(place.path().join(out)).unwrap();
        peak(krou.stdout(out).spawn().unwrap())
    };
    krou("build --seeds 15 --distance --codec packed", "built");
    for line in [
        "stats --csv",
        "stats --all",
        "export --format csv --seeds 14 --out -",
    ] {
        let free = krou(line, "free");
        let peak = krou(&format!("{line} --memory 30M"), "bound");
        let context = format!("{line}: {peak}, free {free}");
        assert!(peak <= 30 << 20, "{context}");
        assert!(free > 30 << 20, "the budget is no limit: {context}");
        let [free, bound] = ["free", "bound"].map(|out| fs::read(place.path().join(out)).unwrap());
        assert!(free == bound, "{context}");
    }
}
