//! Reads SVG pictures as XML.

use std::path::Path;

/// A well-formed SVG file.
pub struct Svg {
    /// Names of elements with the text of their attributes.
    elements: Vec<(String, String)>,
    /// The texts, with entities resolved.
    texts: Vec<String>,
}

impl Svg {
    /// Reads a file that must be well-formed.
    pub fn read(file: &Path) -> Svg {
        let text = std::fs::read_to_string(file).unwrap();
        let mut svg = Svg {
            elements: Vec::new(),
            texts: Vec::new(),
        };
        let mut open = Vec::new();
        let mut rest = text.as_str();
        while let Some((before, tag)) = rest.split_once('<') {
            let (tag, after) = tag.split_once('>').expect("the end of a tag");
            let before = before.trim();
            if !before.is_empty() {
                assert!(!open.is_empty(), "text outside of elements: {before}");
                svg.texts.push(plain(before));
            }
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop().as_deref(), Some(name));
            } else {
                let (tag, is_empty) = match tag.strip_suffix('/') {
                    Some(tag) => (tag, true),
                    None => (tag, false),
                };
                let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
                assert_eq!(attributes.matches('"').count() % 2, 0, "{attributes}");
                if open.is_empty() {
                    assert_eq!((name, svg.elements.len()), ("svg", 0));
                }
                svg.elements.push((name.to_owned(), attributes.to_owned()));
                if !is_empty {
                    open.push(name.to_owned());
                }
            }
            rest = after;
        }
        assert!(open.is_empty() && rest.trim().is_empty());
        svg
    }

    /// The number of elements with this name.
    pub fn count(&self, name: &str) -> usize {
        self.with(name, "")
    }

    /// The number of elements with this name and this text among their attributes.
    pub fn with(&self, name: &str, attribute: &str) -> usize {
        let found = self.elements.iter();
        let found = found.filter(|(n, attributes)| n == name && attributes.contains(attribute));
        found.count()
    }

    /// Whether the picture has this text.
    pub fn has_text(&self, text: &str) -> bool {
        self.texts.iter().any(|t| t == text)
    }
}

/// Text with its entities resolved; a bare `&` is not well-formed.
fn plain(text: &str) -> String {
    let mut plain = text.to_owned();
    for (entity, sign) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
    ] {
        plain = plain.replace(entity, sign);
    }
    assert_eq!(plain.matches('&').count(), plain.matches("&amp;").count());
    plain.replace("&amp;", "&")
}
