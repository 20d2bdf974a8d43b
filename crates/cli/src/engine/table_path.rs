//! The value of `TablePath`: a folder, or several.

use std::env;
use std::path::PathBuf;

/// What separates folders: as in the platform's `PATH`, and `;` everywhere.
const SEPARATORS: &[char] = if cfg!(windows) { &[';'] } else { &[';', ':'] };

/// The folders that a value names. A folder that is there may have a separator in its name.
pub fn folders(value: &str) -> Vec<PathBuf> {
    split(value, SEPARATORS)
}

/// Folders as a value that names them.
pub fn value(folders: &[PathBuf]) -> String {
    let names: Vec<String> = folders.iter().map(|f| f.display().to_string()).collect();
    names.join(if cfg!(windows) { ";" } else { ":" })
}

fn split(value: &str, separators: &[char]) -> Vec<PathBuf> {
    let value = unquoted(value.trim());
    let whole = folder(value);
    match separators {
        [first, others @ ..] if !whole.is_dir() => {
            let parts = value.split(*first).filter(|part| !part.trim().is_empty());
            parts.flat_map(|part| split(part, others)).collect()
        }
        _ => vec![whole],
    }
}

/// A text without quotes around it.
fn unquoted(text: &str) -> &str {
    let inside = |quote| {
        let rest = text.strip_prefix(quote)?.strip_suffix(quote)?;
        (!rest.contains(quote)).then_some(rest)
    };
    inside('"').or_else(|| inside('\'')).unwrap_or(text)
}

/// A folder, perhaps in the user's home `~`.
fn folder(text: &str) -> PathBuf {
    const SLASHES: [char; 2] = ['/', '\\'];
    match (text.strip_prefix('~'), home()) {
        (Some(""), Some(home)) => home,
        (Some(rest), Some(home)) if rest.starts_with(SLASHES) => {
            home.join(rest.trim_start_matches(SLASHES))
        }
        _ => PathBuf::from(text),
    }
}

fn home() -> Option<PathBuf> {
    let name = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    let value = env::var_os(name).filter(|value| !value.is_empty());
    value.map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_names_one_folder_or_several() {
        let there = tempfile::tempdir().unwrap();
        let name = there.path().to_str().unwrap();
        let with_separator = there.path().join("a;b");
        std::fs::create_dir(&with_separator).unwrap();
        let odd = with_separator.to_str().unwrap();
        let home = home().unwrap();
        let cases: [(String, &[PathBuf]); 7] = [
            ("/no/such folder".into(), &["/no/such folder".into()]),
            (format!("\"{name}\""), &[name.into()]),
            (format!("{name};/b"), &[name.into(), "/b".into()]),
            (format!("\"{name};/b\""), &[name.into(), "/b".into()]),
            (
                format!("'{name}' ; \"/b c\";"),
                &[name.into(), "/b c".into()],
            ),
            (odd.into(), &[odd.into()]),
            (
                "~;~/x;~y".into(),
                &[home.clone(), home.join("x"), "~y".into()],
            ),
        ];
        for (value, expected) in cases {
            assert_eq!(folders(&value), expected, "{value}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn folders_are_separated_as_in_the_path_of_the_platform() {
        assert_eq!(folders("/a:/b;/c"), ["/a", "/b", "/c"].map(PathBuf::from));
        assert_eq!(value(&folders("/a;/b")), "/a:/b");
    }
}
