//! The program stays within its memory limit, and a limit changes no result.

use std::fs::{self, File};
use std::path::Path;
use std::process::Stdio;

use crate::program::krou_in;

/// Waits for a program and returns the most anonymous memory, in bytes, that it was seen to have.
fn peak(mut program: std::process::Child) -> u64 {
    let status = format!("/proc/{}/status", program.id());
    let mut peak = 0;
    while program.try_wait().unwrap().is_none() {
        let status = std::fs::read_to_string(&status).unwrap_or_default();
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("RssAnon:"));
        if let Some(kib) = line.and_then(|line| line.trim().strip_suffix(" kB")) {
            peak = peak.max(kib.parse::<u64>().unwrap() * 1024);
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert!(program.wait().unwrap().success());
    peak
}

/// Runs `krou` with or without a memory limit and returns its peak of anonymous memory.
fn peak_of(folder: &Path, command: &str, memory: Option<u64>) -> u64 {
    let mut krou = krou_in(folder);
    krou.args(command.split_whitespace()).arg("--threads=2");
    krou.args(memory.map(|mib| format!("--memory={mib}M")));
    let quiet = krou.stdout(Stdio::null()).stderr(Stdio::null());
    peak(quiet.spawn().unwrap())
}

/// Checks that a run stayed within its limit, that it exceeds the limit without one, and that
/// both runs wrote the same files.
fn check(folder: &Path, mib: u64, [unlimited, limited]: [u64; 2], context: &str) {
    let context = format!("{context}, {mib} MiB: {limited}, without a limit {unlimited}");
    assert!(limited <= mib << 20, "{context}");
    assert!(unlimited > mib << 20, "everything fits: {context}");
    for entry in fs::read_dir(folder.join("unlimited")).unwrap() {
        let name = entry.unwrap().file_name();
        let bytes = |run| fs::read(folder.join(run).join(&name)).unwrap();
        assert!(
            bytes("unlimited") == bytes("limited"),
            "{context} {}",
            name.display()
        );
    }
}

#[test]
fn builds_and_repackings_stay_within_their_memory_limit() {
    build_and_repack("awari", "--seeds 15 --stats", "raw", 27);
}

#[test]
#[ignore = "the same with bounds and distances, which takes long: scripts/check-slow runs it"]
fn builds_of_distances_and_repackings_stay_within_their_memory_limit() {
    build_and_repack("awale", "--seeds 13 --distance", "zstd", 26);
}

fn build_and_repack(rules: &str, options: &str, codec: &str, mib: u64) {
    let runs = [("unlimited", None), ("limited", Some(mib))];
    let built = tempfile::tempdir().unwrap();
    let peaks = runs.map(|(run, memory)| {
        let command = format!("build --rules {rules} {options} --checkpoint=1 --dir {run}");
        peak_of(built.path(), &command, memory)
    });
    check(built.path(), mib, peaks, &format!("{rules} {options}"));

    let repacked = tempfile::tempdir().unwrap();
    let peaks = runs.map(|(run, memory)| {
        fs::create_dir(repacked.path().join(run)).unwrap();
        for entry in fs::read_dir(built.path().join(run)).unwrap() {
            let entry = entry.unwrap();
            let copy = repacked.path().join(run).join(entry.file_name());
            fs::copy(entry.path(), copy).unwrap();
        }
        let command = format!("repack --rules {rules} --codec {codec} --dir {run}");
        peak_of(repacked.path(), &command, memory)
    });
    check(repacked.path(), mib, peaks, &format!("{rules} as {codec}"));
}

#[test]
fn readers_stay_within_their_memory_limit() {
    let folder = tempfile::tempdir().unwrap();
    let krou = |line: &str, out: &str| {
        let mut krou = krou_in(folder.path());
        krou.env("RAYON_NUM_THREADS", "2")
            .args(line.split_whitespace());
        let out = File::create(folder.path().join(out)).unwrap();
        peak(krou.stdout(out).spawn().unwrap())
    };
    krou("build --seeds 14 --distance --codec packed", "built");
    for (line, mib) in [
        ("stats --all", 22),
        ("export --format csv --seeds 14 --out -", 24),
    ] {
        let unlimited = krou(line, "unlimited");
        let peak = krou(&format!("{line} --memory {mib}M"), "limited");
        let context = format!("{line}, {mib} MiB: {peak}, without a limit {unlimited}");
        assert!(peak <= mib << 20, "{context}");
        assert!(unlimited > mib << 20, "everything fits: {context}");
        let outputs = ["unlimited", "limited"];
        let [one, other] = outputs.map(|out| fs::read(folder.path().join(out)).unwrap());
        assert!(one == other, "{context}");
    }
}
