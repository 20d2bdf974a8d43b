//! `docs/protocol.md` shows a session: its answers are those of the program.

use super::process::EngineProcess;

/// Whether a line is as in the document, in which `…` stands for any text.
fn is_as_written(line: &str, written: &str) -> bool {
    let mut parts = written.split('…');
    let first = parts.next().unwrap();
    let Some(mut rest) = line.strip_prefix(first) else {
        return false;
    };
    let mut open = false;
    for part in parts {
        open = true;
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.is_empty() || (open && written.ends_with('…'))
}

#[test]
fn the_protocol_document_shows_the_answers_of_the_program() {
    let text = include_str!("../../../../../docs/protocol.md");
    let mut engine = EngineProcess::start(&[]);
    // The document does not specify how many depths are reported, nor which scores are
    // exact.
    let is_note = |line: &str| line.starts_with("info");
    let mut output: Vec<String> = Vec::new();
    let mut answers = 0;
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("> ") {
            assert!(output.iter().all(|line| is_note(line)), "{output:?}");
            output.clear();
            engine.send(command);
        } else if let Some(written) = line.strip_prefix("< ") {
            answers += 1;
            while !output.iter().any(|line| is_as_written(line, written)) {
                output.push(engine.line());
                assert!(
                    is_note(output.last().unwrap())
                        || is_as_written(output.last().unwrap(), written),
                    "{written}: {output:?}"
                );
            }
            output.retain(|line| !is_as_written(line, written));
        }
    }
    assert!(answers > 12);
    engine.end();
}
