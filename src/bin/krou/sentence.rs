//! An error and its causes as one sentence.

/// The error's message, followed by those of its causes that it does not contain. The
/// library's messages are whole sentences that name their causes.
pub fn sentence(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use anyhow::Context;
    use krou::table::Table;

    use super::sentence;

    #[test]
    fn causes_are_named_once() {
        let opened = Table::open(Path::new("missing.krou"));
        let whole = opened.as_ref().unwrap_err().to_string();
        let error = opened.context("no tables").unwrap_err();
        assert_eq!(sentence(&error), format!("no tables: {whole}"));
    }
}
