//! Little memory changes how long solving takes, and nothing else; and what is
//! allowed is not exceeded.

use krou::rules::Ruleset;
use krou::solve::{LayerArray, Silent, Solver};
use rayon::prelude::*;

fn entries<E: krou::solve::SpillEntry>(array: &LayerArray<E>) -> Vec<E> {
    array.to_vec().unwrap()
}

/// With no memory for planes at all every block, line and lower layer comes
/// from disk, in values, bounds and distances.
#[test]
fn everything_on_disk_is_the_same() {
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
    // Scratch files have no names.
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0);
}

/// The peak of a program's memory that is resident, in bytes, as Linux counts it.
#[cfg(all(feature = "cli", target_os = "linux"))]
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

/// Builds keep their promise, and the tables are the same to the byte.
#[cfg(all(feature = "cli", target_os = "linux"))]
#[test]
fn builds_stay_within_what_is_allowed() {
    use std::fs;
    use std::process::{Command, Stdio};

    for (rules, options, mib) in [
        ("awari", "--seeds=15 --stats --checkpoint=1", 28),
        ("awari", "--seeds=14 --distance", 28),
        ("awale", "--seeds=13 --distance --checkpoint=1", 24),
    ] {
        let place = tempfile::tempdir().unwrap();
        let build = |folder: &str, memory: Option<u64>| {
            let mut krou = Command::new(env!("CARGO_BIN_EXE_krou"));
            krou.args(["build", "--rules", rules, "--threads=2"])
                .args(options.split(' '));
            krou.args(memory.map(|mib| format!("--memory={mib}M")));
            krou.arg("--dir").arg(place.path().join(folder));
            let quiet = krou.stdout(Stdio::null()).stderr(Stdio::null());
            peak(quiet.spawn().unwrap())
        };
        let free = build("free", None);
        let peak = build("bound", Some(mib));
        let context = format!("{rules} {options} {mib} MiB: {peak}, free {free}");
        assert!(peak <= mib << 20, "{context}");
        assert!(free > mib << 20, "it would have fitted anyway: {context}");
        for entry in fs::read_dir(place.path().join("free")).unwrap() {
            let name = entry.unwrap().file_name();
            let bytes = |folder| fs::read(place.path().join(folder).join(&name)).unwrap();
            assert!(bytes("free") == bytes("bound"), "{context} {name:?}");
        }
    }
}

/// So do repackings, and what they write is the same to the byte.
#[cfg(all(feature = "cli", target_os = "linux"))]
#[test]
fn repackings_stay_within_what_is_allowed() {
    use std::fs;
    use std::process::{Command, Stdio};

    for (rules, options, codec, mib) in [
        ("awari", "--seeds=15", "raw", 28),
        ("awari", "--seeds=15", "packed", 28),
        ("awale", "--seeds=13 --distance", "zstd", 24),
    ] {
        let place = tempfile::tempdir().unwrap();
        let krou = |command: &str, folder: &str, more: &str| {
            let mut krou = Command::new(env!("CARGO_BIN_EXE_krou"));
            krou.args([command, "--rules", rules, "--threads=2"]);
            krou.args(more.split_whitespace());
            krou.arg("--dir").arg(place.path().join(folder));
            let quiet = krou.stdout(Stdio::null()).stderr(Stdio::null());
            peak(quiet.spawn().unwrap())
        };
        krou("build", "free", options);
        fs::create_dir(place.path().join("bound")).unwrap();
        for entry in fs::read_dir(place.path().join("free")).unwrap() {
            let name = entry.unwrap().file_name();
            let path = |folder| place.path().join(folder).join(&name);
            fs::copy(path("free"), path("bound")).unwrap();
        }
        let free = krou("repack", "free", &format!("--codec={codec}"));
        let bound = format!("--codec={codec} --memory={mib}M");
        let peak = krou("repack", "bound", &bound);
        let context = format!("{rules} {options} {codec} {mib} MiB: {peak}, free {free}");
        assert!(peak <= mib << 20, "{context}");
        assert!(free > mib << 20, "it would have fitted anyway: {context}");
        for entry in fs::read_dir(place.path().join("free")).unwrap() {
            let name = entry.unwrap().file_name();
            let bytes = |folder| fs::read(place.path().join(folder).join(&name)).unwrap();
            assert!(bytes("free") == bytes("bound"), "{context} {name:?}");
        }
    }
}

/// Layers that are read to be counted or exported are within the limit too, and what
/// comes of it is the same.
#[cfg(all(feature = "cli", target_os = "linux"))]
#[test]
fn readers_stay_within_what_is_allowed() {
    use std::fs::{self, File};
    use std::process::Command;

    let place = tempfile::tempdir().unwrap();
    let krou = |line: &str, out: &str| {
        let mut krou = Command::new(env!("CARGO_BIN_EXE_krou"));
        krou.current_dir(place.path())
            .env("RAYON_NUM_THREADS", "2")
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
        assert!(free > 30 << 20, "it would have fitted anyway: {context}");
        let [free, bound] = ["free", "bound"].map(|out| fs::read(place.path().join(out)).unwrap());
        assert!(free == bound, "{context}");
    }
}
