//! Tells the program from which commit it is built, if it is a release from a repository.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Otherwise each commit would compile the program anew.
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = is_release.then(commit).flatten();
    let words = commit.map_or_else(String::new, |commit| format!(" ({commit})"));
    println!("cargo:rustc-env=KROU_COMMIT={words}");
}

/// The commit that is checked out.
fn commit() -> Option<String> {
    let git = |words: &[&str]| {
        let output = Command::new("git").args(words).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    // The sources of a package may lie in the repository of something else.
    git(&["ls-files", "--error-unmatch", "build.rs"])?;
    let folder = git(&["rev-parse", "--absolute-git-dir"])?;
    println!("cargo:rerun-if-changed={folder}/logs/HEAD");
    git(&["rev-parse", "--short=10", "HEAD"])
}
