//! Words for choices: enums whose variants have a word each, on the command line, in
//! file names and in `FromStr`.

use thiserror::Error;

use super::notation::shortened;

/// A word that names no variant of a choice.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no {choice} '{word}': choose one of {}", words.join(", "))]
#[non_exhaustive]
pub struct UnknownWord {
    /// What was to be chosen, such as `grand slam`.
    pub choice: &'static str,
    /// The word as it was given, shortened if long.
    pub word: String,
    /// The words that exist.
    pub words: &'static [&'static str],
}

impl UnknownWord {
    pub(crate) fn new(
        choice: &'static str,
        word: &str,
        words: &'static [&'static str],
    ) -> UnknownWord {
        UnknownWord {
            choice,
            word: shortened(word),
            words,
        }
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
                found.ok_or_else(|| $crate::rules::UnknownWord::new($name, text, &[$($word),+]))
            }
        }
    };
}
pub(crate) use words;
