//! Type names that are defined more than once: a reader should meet one meaning for one name.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::modules::{code, sources};

/// How many names may have two definitions, each listed in the glossary with the reason.
const MOST: usize = 10;

/// The name of the type or trait that a line defines. An indented `type` belongs to a trait.
fn defined(line: &str) -> Option<&str> {
    let item = line.trim_start();
    let item = match item.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.strip_prefix(' ')?,
        None => item,
    };
    let (keyword, rest) = item.split_once(' ')?;
    let is_type = ["struct", "enum", "union", "trait"].contains(&keyword)
        || (keyword == "type" && item.len() == line.len());
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
    let name = &rest[..end.unwrap_or(rest.len())];
    (is_type && name.starts_with(|c: char| c.is_uppercase())).then_some(name)
}

#[test]
fn few_types_share_a_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for folder in ["src", "crates/cli/src"].map(|folder| root.join(folder)) {
        if !folder.exists() {
            continue;
        }
        for path in sources(&folder) {
            let file = path.strip_prefix(root).unwrap().display().to_string();
            if file.ends_with("tests.rs") || file.contains("/tests/") {
                continue;
            }
            let code = code(&path);
            let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap();
            for name in code.lines().filter_map(defined) {
                places
                    .entry(name.to_owned())
                    .or_default()
                    .push(file.clone());
            }
        }
    }
    places.retain(|_, files| files.len() > 1);
    let glossary = fs::read_to_string(root.join("docs/glossary.md")).unwrap();
    for (name, files) in &places {
        let is_listed = files.len() == 2 && glossary.contains(&format!("\n| `{name}` |"));
        assert!(
            is_listed,
            "{name} is not in docs/glossary.md: {}",
            files.join(" ")
        );
    }
    assert!(
        places.len() <= MOST,
        "{} names, at most {MOST}",
        places.len()
    );
}
