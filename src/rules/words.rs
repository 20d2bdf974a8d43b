//! Words for choices: enums whose variants have a word each, on the command line, in
//! file names and in `FromStr`.

use thiserror::Error;

/// A word that names no variant of a choice. The message lists those that exist.
///
/// ```
/// use krou::rules::Endless;
///
/// let error = "never".parse::<Endless>().unwrap_err();
/// assert_eq!(error.to_string(), "a choice of endless play is even, nobody or by-side");
/// assert_eq!(error.words(), ["even", "nobody", "by-side"]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("a {choice} is {}", listed(.words))]
pub struct UnknownWord {
    choice: &'static str,
    words: &'static [&'static str],
}

impl UnknownWord {
    pub(crate) const fn new(choice: &'static str, words: &'static [&'static str]) -> UnknownWord {
        UnknownWord { choice, words }
    }

    /// The words that exist.
    pub fn words(&self) -> &'static [&'static str] {
        self.words
    }
}

fn listed(words: &[&str]) -> String {
    match words.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => words.concat(),
    }
}

/// Gives a choice the list of its variants, a word for each, `Display` and `FromStr`.
macro_rules! words {
    ($choice:ident, $name:literal, { $($variant:ident = $word:literal),+ $(,)? }) => {
        impl $choice {
            /// Every variant.
            pub const ALL: [$choice; [$($word),+].len()] = [$($choice::$variant),+];

            /// The word for it on the command line and in file names.
            pub fn word(self) -> &'static str {
                match self { $($choice::$variant => $word),+ }
            }
        }

        impl std::fmt::Display for $choice {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }

        impl std::str::FromStr for $choice {
            type Err = $crate::rules::UnknownWord;

            fn from_str(text: &str) -> Result<$choice, Self::Err> {
                let found = $choice::ALL.into_iter().find(|choice| choice.word() == text);
                found.ok_or_else(|| $crate::rules::UnknownWord::new($name, &[$($word),+]))
            }
        }
    };
}
pub(crate) use words;
