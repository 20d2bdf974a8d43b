//! Programs in C and C++ that call the library: those of `tests/c`, and the examples.
//!
//! The environment variable `KROU_RUNNER` may name a command that runs them, such as
//! valgrind, and `KROU_CFLAGS` more options for the compilers, such as sanitizers:
//! `scripts/test-c` uses both.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fs};

use krou::index::LayerIndex;
use krou::solve::Silent;
use krou::tablebase::{BuildOptions, ProbeResult, build};
use krou::{Board, Ruleset, Tablebase};
use tempfile::TempDir;

/// What the linker needs beside the static library.
const SYSTEM_LIBRARIES: [&str; 4] = ["-lpthread", "-ldl", "-lm", "-lgcc_s"];

const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-pedantic", "-Werror"];

fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder of `libkrou.a` and `libkrou.so`, which are built first.
fn libraries() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        // This program is in `deps` of the folder.
        let program = env::current_exe().unwrap();
        let folder = program.parent().unwrap().parent().unwrap();
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--locked", "--package", "krou-c", "--target-dir"]);
        cargo.arg(folder.parent().unwrap());
        if !cfg!(debug_assertions) {
            cargo.arg("--release");
        }
        run(&mut cargo);
        folder.to_owned()
    })
}

/// How a program is linked with the library.
#[derive(Clone, Copy)]
enum Link {
    Static,
    Shared,
}

/// Compiles a program; the language follows from the file's name.
fn compile(source: &str, link: Link, out: &Path) -> PathBuf {
    let is_c = Path::new(source)
        .extension()
        .is_some_and(|extension| extension == "c");
    let (variable, default, standard) = match is_c {
        true => ("CC", "cc", "-std=c99"),
        false => ("CXX", "c++", "-std=c++11"),
    };
    let compiler = env::var(variable).unwrap_or_else(|_| default.to_owned());
    let program = out.join(Path::new(source).file_stem().unwrap());
    let mut command = Command::new(compiler);
    command
        .args([
            standard,
            "-g",
            "-O1",
            "-pthread",
            "-D_POSIX_C_SOURCE=200809L",
        ])
        .args(WARNINGS)
        .args(
            env::var("KROU_CFLAGS")
                .unwrap_or_default()
                .split_whitespace(),
        )
        .arg("-I")
        .arg(crate_folder().join("include"))
        .arg(crate_folder().join(source))
        .arg("-o")
        .arg(&program);
    match link {
        Link::Static => {
            command.arg(libraries().join("libkrou.a"));
            command.args(SYSTEM_LIBRARIES);
        }
        Link::Shared => {
            command.arg("-L").arg(libraries()).arg("-lkrou");
            command.arg(format!("-Wl,-rpath,{}", libraries().display()));
        }
    }
    run(&mut command);
    program
}

/// Runs a command that must succeed; returns what it prints.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| {
        panic!("{command:?} cannot be run ({error}): install a compiler for C and C++")
    });
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}

/// Runs a compiled program, through `KROU_RUNNER` if it is set.
fn run_program(program: &Path, arguments: &[&str]) -> String {
    let runner = env::var("KROU_RUNNER").unwrap_or_default();
    let mut words = runner.split_whitespace();
    let mut command = match words.next() {
        Some(runner) => {
            let mut command = Command::new(runner);
            command.args(words).arg(program);
            command
        }
        None => Command::new(program),
    };
    run(command.args(arguments))
}

/// Tables of `awari` up to 10 seeds and of `abapa` up to 4.
fn tables() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (rules, seeds) in [(Ruleset::AWARI, 10), (Ruleset::ABAPA, 4)] {
        let options = BuildOptions {
            distance: true,
            ..BuildOptions::new(seeds)
        };
        build(rules, folder.path(), &options, &Silent).unwrap();
    }
    folder
}

#[test]
fn c_programs_get_what_the_header_promises() {
    let out = tempfile::tempdir().unwrap();
    let folder = tables();
    let folder = folder.path().to_str().unwrap();
    let program = compile("tests/c/contract.c", Link::Static, out.path());
    assert_eq!(run_program(&program, &[folder]), "contract: ok\n");
}

#[test]
fn engine_searches_and_stops_for_c_programs() {
    let out = tempfile::tempdir().unwrap();
    let program = compile("tests/c/engine.c", Link::Shared, out.path());
    assert_eq!(run_program(&program, &[]), "engine: ok\n");
}

#[test]
fn c_programs_build_tables_and_stop() {
    let out = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let program = compile("tests/c/build.c", Link::Shared, out.path());
    let folder = folder.path().to_str().unwrap();
    assert_eq!(run_program(&program, &[folder]), "build: ok\n");
}

#[test]
fn threads_of_a_cpp_program_get_the_results_of_the_library() {
    let out = tempfile::tempdir().unwrap();
    let folder = tables();
    let tables = Tablebase::builder(Ruleset::ABAPA)
        .without_embedded()
        .folder(folder.path())
        .open()
        .unwrap();
    let mut expected = String::new();
    for seeds in 0..=4 {
        let index = LayerIndex::new(Ruleset::ABAPA, seeds);
        for number in (0..index.len()).step_by(3) {
            let board = index.board(number);
            let result = tables.probe(&board).unwrap();
            writeln!(expected, "{}", line(&board, result)).unwrap();
        }
    }
    let file = out.path().join("expected");
    fs::write(&file, expected).unwrap();
    for link in [Link::Static, Link::Shared] {
        let program = compile("tests/c/threads.cc", link, out.path());
        let arguments = [file.to_str().unwrap(), folder.path().to_str().unwrap()];
        assert_eq!(run_program(&program, &arguments), "threads: ok\n");
    }
}

/// A board with its result, as `tests/c/threads.cc` reads it.
fn line(board: &Board, result: ProbeResult) -> String {
    let bounds = result.bounds.unwrap();
    let known = 3 + 4 * u8::from(result.distance.is_some());
    let pits = board.pits().map(|seeds| seeds.to_string()).join(" ");
    format!(
        "{pits} {} {} {} {} {known}",
        result.value,
        bounds.lower,
        bounds.upper,
        result.distance.unwrap_or(0)
    )
}

#[test]
fn header_compiles_as_each_standard_of_c_and_cpp() {
    let out = tempfile::tempdir().unwrap();
    for (variable, default, language, standards) in [
        ("CC", "cc", "c", ["c99", "c11", "c17"]),
        ("CXX", "c++", "c++", ["c++11", "c++17", "c++20"]),
    ] {
        let compiler = env::var(variable).unwrap_or_else(|_| default.to_owned());
        for standard in standards {
            let mut command = Command::new(&compiler);
            command.args([&format!("-std={standard}"), "-fsyntax-only", "-x", language]);
            command.args(WARNINGS);
            // As a file that includes it, since a header alone has warnings of its own.
            let source = out.path().join("includes_it");
            let header = crate_folder().join("include/krou.h");
            fs::write(
                &source,
                format!(
                    "#include \"{0}\"\n#include \"{0}\"\nint unused;\n",
                    header.display()
                ),
            )
            .unwrap();
            run(command.arg(source));
        }
    }
}

#[test]
fn quick_start_prints_the_value_and_is_the_one_of_the_documents() {
    let out = tempfile::tempdir().unwrap();
    let program = compile("examples/quick_start.c", Link::Shared, out.path());
    assert_eq!(
        run_program(&program, &[]),
        "value -5, capture in 11 plies\n"
    );
    let read = |file: &str| fs::read_to_string(crate_folder().join(file)).unwrap();
    let source = read("examples/quick_start.c");
    let block = format!("```c\n{source}```\n");
    assert!(read("../../docs/c.md").contains(&block));
}

#[test]
fn cpp_example_lists_values_moves_and_the_best_line() {
    let out = tempfile::tempdir().unwrap();
    let program = compile("examples/probe.cc", Link::Shared, out.path());
    let printed = run_program(&program, &[]);
    let expected =
        "value -5, distance 11\npit 2: -5\npit 4: -5\npit 5: -5\npit 1: -9\nbest line: 2 ";
    assert!(printed.starts_with(expected), "{printed}");
    let folder = tables();
    let folder = folder.path().to_str().unwrap();
    let board = "0 0 0 0 0 1 / 0 0 0 0 0 1";
    let printed = run_program(&program, &[board, "abapa", folder]);
    assert!(printed.contains("bounds "), "{printed}");
}

#[test]
fn player_example_plays_whole_games() {
    let out = tempfile::tempdir().unwrap();
    let program = compile("examples/player.c", Link::Shared, out.path());
    let folder = tables();
    let folder = folder.path().to_str().unwrap();
    for arguments in [&["4"][..], &["3", "abapa", folder], &["3", "kalah"]] {
        let printed = run_program(&program, arguments);
        let lines: Vec<&str> = printed.lines().collect();
        let stores = lines.last().unwrap();
        let seeds = stores
            .strip_prefix("South ")
            .and_then(|rest| rest.split_once(", North "));
        let (south, north) = seeds.unwrap_or_else(|| panic!("{printed}"));
        let seeds = south.parse::<u8>().unwrap() + north.parse::<u8>().unwrap();
        assert!(lines.len() > 10 && seeds > 0 && seeds <= 48, "{printed}");
    }
}
