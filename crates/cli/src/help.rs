//! The help of commands: the examples at its end, and the files that `krou man` and
//! `krou completions` make of the definition of the command line.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Arg, Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::messages::one_line;

/// Command lines to begin with, and what they do; those of a command stand together.
const EXAMPLES: &str = "\
krou probe '0 1 1 0 2 2 / 0 1 0 1 1 0'  # the value of a board and of its moves
krou probe --json --rules abapa '0 0 0 0 0 1 / 2 0 0 0 0 1'  # the same for programs
krou probe --batch boards.txt --table-memory 64  # many boards, one a line
krou moves '0 0 0 0 0 4 / 1 4 2 1 9 0'  # which pits may be played, and why others may not
krou analyse startpos --rules abapa --time 2000  # the engine's best line and score
krou analyse '4 4 4 4 4 4 / 4 4 4 4 4 4' --lines 6 --depth 12  # all moves of a board
krou query --seeds 6 --where 'winning == 1 && moves > 1'  # boards with one winning move
krou query --seeds 0..9 --where 'distance >= 60' --count  # only their number
krou rules  # all rulesets and their choices
krou play --level 3  # a game against the engine
krou play --load game.ogn  # go on with a saved game
krou review game.ogn  # what each move gave away
krou review --plot game.svg game.ogn  # the same with a picture
krou engine --hash 256  # for a board program that speaks UCI
krou engine --protocol kgp --connect localhost:2671 --name krou  # for a server of kalah
krou serve  # the board, at http://127.0.0.1:7878
krou serve --listen 0.0.0.0:8080 --table-memory 1G  # for other machines
krou site --out public  # the board for any web server
krou build --seeds 16  # values up to 16 seeds
krou build --seeds 20 --rules abapa --distance  # with plies to the next capture
krou build --seeds 30 --plan  # what a build takes, without building
krou verify  # prove every table of the folder
krou verify --manifest  # compare with tables built elsewhere
krou info  # the tables of the folder
krou info --check tables  # read them all, too
krou repack --codec raw  # the fastest tables, six times as large
krou stats  # won, even and lost boards by layer
krou stats --csv --seeds 12  # how many boards have each value
krou stats --plot values.svg  # the same as a picture
krou puzzles  # ten boards with exactly one right move
krou puzzles --theme hold-the-draw --grade 4 --json  # for programs
krou dataset --seeds 5..9 --out awari-data  # boards to learn from, with a README
krou dataset --rules abapa --count 20000 --format csv --out boards  # as text, for pandas
krou index tables  # before uploading the folder to a web host
krou fetch --seeds 24 --from https://example.org/tables/  # instead of a build
krou export --format npy --seeds 9 --out awari-9.npy  # a layer for numpy
krou compare scores.9 --seeds 9  # a file of the published score database
krou bench  # how fast this machine is
krou completions bash > ~/.local/share/bash-completion/completions/krou  # completions for bash
krou man --out ~/.local/share/man/man1  # pages for 'man krou'";

const EXIT_CODES: &str = "0: done, also when the reader of a pipe has gone. 1: the answer is no, \
    or some line of the input was bad. 2: wrong usage, or an error that stopped the run. \
    128 and more: broken off by a signal, whose number is added: 130 after Ctrl-C, 143 after \
    SIGTERM.";

const ENVIRONMENT: &str = "KROU_DIR: the folder of tables, unless --dir names one. KROU_RULES: \
    the ruleset, unless --rules names one.";

const LAYERS: &str = "--seeds N: all layers up to N seeds where a command builds, fetches or \
    checks tables (build, fetch, verify, stats, bench); the boards with exactly N seeds where it \
    takes boards of a layer (query, puzzles, export, compare). A..B, for dataset too: the layers from A to B.";

const FILES: &str = "tables: the folder of tables, if it is in the current folder. Otherwise it \
    is krou in the user's data folder, such as ~/.local/share/krou.";

/// The examples of a command: the line, and what it does.
fn examples(command: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = EXAMPLES.lines().filter_map(|line| line.split_once("  # "));
    lines.filter(move |(line, _)| line.split(' ').nth(1) == Some(command))
}

/// The program, with examples at the end of the help of each command, and what concerns all
/// commands at the end of its own.
pub fn with_examples(program: Command) -> Command {
    let about_all = format!("Exit codes: {EXIT_CODES}\n\n{LAYERS}\n\n{ENVIRONMENT}\n\n{FILES}");
    program
        .after_long_help(about_all)
        .mut_subcommands(|command| {
            let lines = examples(command.get_name());
            let lines = lines.map(|(line, what)| format!("\n  {line}\n      {what}"));
            let text = format!("Examples:{}", lines.collect::<String>());
            // The parsers of numbers say what is wrong with a negative one.
            let numbers = |arg: Arg| match arg.get_action().takes_values() {
                true => arg.allow_negative_numbers(true),
                false => arg,
            };
            command.after_help(text).mut_args(numbers)
        })
}

/// The manual page of the program or of one of its commands.
fn manual_page(command: &Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    let mut roff = Roff::new();
    let mut examples = examples(command.get_name()).peekable();
    if examples.peek().is_some() {
        roff.control("SH", ["EXAMPLES"]);
    }
    for (line, what) in examples {
        roff.control("TP", []).text([roman(line)]);
        roff.text([roman(what)]);
    }
    for (title, text) in [
        ("EXIT STATUS", EXIT_CODES),
        ("LAYERS", LAYERS),
        ("ENVIRONMENT", ENVIRONMENT),
        ("FILES", FILES),
        ("SEE ALSO", "krou(1), and the pages that it lists"),
    ] {
        roff.control("SH", [title]).text([roman(text)]);
    }
    roff.to_writer(&mut page)?;
    Ok(page)
}

/// Options of `krou completions`.
#[derive(Args)]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

/// Prints the completions for a shell.
pub fn completions(args: &CompletionsArgs, mut program: Command) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "krou", &mut script);
    io::Write::write_all(&mut io::stdout(), &script)?;
    Ok(ExitCode::SUCCESS)
}

/// Options of `krou man`.
#[derive(Args)]
pub struct ManArgs {
    /// Folder to write the pages to; it is created if it is not there.
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
}

/// Writes a page for the program and one for each command.
pub fn man(args: &ManArgs, program: Command) -> Result<ExitCode> {
    let name = one_line(&args.out.display().to_string());
    let context = || format!("cannot write the pages to {name}");
    std::fs::create_dir_all(&args.out).with_context(context)?;
    let mut program = program.disable_help_subcommand(true);
    program.build();
    for command in std::iter::once(&program).chain(program.get_subcommands()) {
        let name = command.get_display_name().unwrap_or("krou");
        let page = manual_page(command).with_context(context)?;
        std::fs::write(args.out.join(format!("{name}.1")), page).with_context(context)?;
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use clap::CommandFactory;

    use super::*;
    use crate::Cli;

    #[test]
    fn every_command_has_examples_that_are_right() {
        let program = with_examples(Cli::command());
        for command in program.get_subcommands().map(Command::get_name) {
            assert_ne!(examples(command).count(), 0, "{command}");
            for (line, _) in examples(command) {
                // Without what a shell does with the output.
                read(&program, line.split(" > ~").next().unwrap());
            }
        }
    }

    /// The command lines in blocks that nothing runs: they take long, need a host or do not end.
    #[test]
    fn command_lines_in_documents_are_right() {
        let program = with_examples(Cli::command());
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut lines = 0;
        for folder in [
            "",
            "docs",
            "docs/internals",
            "bindings/npm",
            "bindings/python",
        ] {
            for entry in fs::read_dir(root.join(folder)).unwrap() {
                let file = entry.unwrap().path();
                if file.extension().is_some_and(|extension| extension == "md") {
                    let text = fs::read_to_string(file).unwrap();
                    lines += shown_only(&text)
                        .filter(|line| check(&program, &root, line))
                        .count();
                }
            }
        }
        assert!(lines > 30, "{lines}");
    }

    /// The lines of `text` and `sh` blocks; a line that ends in a backslash goes on.
    fn shown_only(text: &str) -> impl Iterator<Item = String> {
        let mut is_shown = false;
        let mut shown = String::new();
        for line in text.lines() {
            if line.starts_with("```") {
                is_shown = ["```text", "```sh"].contains(&line);
            } else if is_shown {
                match line.strip_suffix('\\') {
                    Some(begin) => shown += begin,
                    None => shown += &format!("{line}\n"),
                }
            }
        }
        let lines: Vec<String> = shown.lines().map(str::to_owned).collect();
        lines.into_iter()
    }

    /// Whether a line is a command of this repository; then its words must be right.
    fn check(program: &Command, root: &Path, line: &str) -> bool {
        let line = line.trim_start_matches("$ ");
        let line = line.split(" # ").next().unwrap();
        let mut is_command = false;
        for part in line.split(['|', ';']).flat_map(|part| part.split("&&")) {
            let part = part
                .split(" 2>")
                .next()
                .unwrap()
                .split(" > ")
                .next()
                .unwrap()
                .trim();
            let words = shlex::split(part).unwrap_or_default();
            let after = |option| words.iter().skip_while(move |&word| word != option).nth(1);
            let folder = match words.first().map(String::as_str) {
                // Not the name of a file or an answer that begins so.
                Some("krou") if words.get(1).is_some_and(|word| !word.starts_with("0.1.0")) => {
                    read(program, part);
                    is_command = true;
                    continue;
                }
                Some("cargo" | "pip") => after("--path").or(after("-e")).or(after("install")),
                Some(script) if script.starts_with("scripts/") => words.first(),
                _ => None,
            };
            if let Some(folder) = folder.filter(|folder| folder.contains('/')) {
                assert!(root.join(folder).exists(), "{line}");
                is_command = true;
            }
        }
        is_command
    }

    /// Reads a command line as the program does.
    fn read(program: &Command, line: &str) {
        let words = shlex::split(line).unwrap();
        if let Err(error) = program.clone().try_get_matches_from(words) {
            panic!("{line}: {error}");
        }
    }
}
