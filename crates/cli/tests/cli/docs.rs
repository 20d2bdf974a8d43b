//! Every `console` block of the README and of `docs` is run and prints what it shows: those of
//! a document in their order, in one folder.
//! Blocks that need tables which are not built in are marked `text`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Outcome, call_in};

/// A file that commands read, by its path in the repository.
const GAME: &str = "docs/example.ogn";

/// A command of a block, and the output that the block shows.
struct Example {
    location: String,
    command: String,
    output: Vec<String>,
}

fn documents() -> Vec<PathBuf> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let folders = [root.join("docs"), root.join("docs/internals")];
    let docs = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap());
    let docs = docs.map(|entry| entry.unwrap().path());
    let mut documents: Vec<_> = docs
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    documents.push(root.join("README.md"));
    documents.sort();
    documents
}

fn examples(document: &Path) -> Vec<Example> {
    let name = document.file_name().unwrap().display();
    let text = fs::read_to_string(document).unwrap();
    let mut examples: Vec<Example> = Vec::new();
    let mut in_block = false;
    for (number, line) in (1..).zip(text.lines()) {
        if line.starts_with("```") {
            in_block = line == "```console";
        } else if in_block && let Some(command) = line.strip_prefix("$ ") {
            examples.push(Example {
                location: format!("{name}:{number}"),
                command: command.to_owned(),
                output: Vec::new(),
            });
        } else if in_block {
            let example = examples.last_mut().expect("a command comes first");
            example.output.push(line.to_owned());
        }
    }
    examples
}

/// The arguments of a command, some of them in double quotes.
fn arguments(command: &str) -> Vec<&str> {
    let parts = command.split('"').enumerate();
    let arguments = parts.flat_map(|(number, part)| match number % 2 {
        0 => part.split_whitespace().collect(),
        _ => vec![part],
    });
    arguments.collect()
}

/// Whether the lines match those shown, in which a line `...` stands for any number of
/// lines.
fn matches(lines: &[&str], shown: &[String]) -> bool {
    match shown.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first == "..." => {
            (0..=lines.len()).any(|skipped| matches(&lines[skipped..], rest))
        }
        Some((first, rest)) => lines.first() == Some(&first.as_str()) && matches(&lines[1..], rest),
    }
}

#[test]
fn console_blocks_show_the_output_of_the_program() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut checked = 0;
    for document in documents() {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join("docs")).unwrap();
        fs::copy(root.join(GAME), home.path().join(GAME)).unwrap();
        for example in examples(&document) {
            let (location, command) = (&example.location, &example.command);
            let arguments = arguments(command);
            assert_eq!(arguments[0], "krou", "{location}");
            let Outcome { stdout, stderr, .. } = call_in(home.path(), &arguments[1..]);
            let is_told = arguments[1] == "build";
            assert_eq!(is_told, !stderr.is_empty(), "{location}: {stderr}");
            let lines: Vec<&str> = stdout.lines().collect();
            // A blank line ends the output or stands before the next command.
            let end = example.output.iter().rposition(|line| !line.is_empty());
            let shown = &example.output[..end.map_or(0, |end| end + 1)];
            let is_same = matches(&lines, shown);
            assert!(is_same, "{location}: {command}\n{stdout}");
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked} commands in the documents");
}
