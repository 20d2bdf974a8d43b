//! Words for choices: enums whose variants have a word each, on the command line, in
//! file names and in `FromStr`. The table that defines such an enum is the only place that
//! lists its variants.

use thiserror::Error;

/// A word that names no variant of a choice. The message lists those that exist.
///
/// ```
/// use krou::rules::Endless;
///
/// let error = "never".parse::<Endless>().unwrap_err();
/// assert_eq!(error.to_string(), "a choice of endless play is even, nobody, by-side or open");
/// assert_eq!(error.words(), ["even", "nobody", "by-side", "open"]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("a {choice} is {}", listed(.words))]
pub struct UnknownWord {
    choice: &'static str,
    words: &'static [&'static str],
}

impl UnknownWord {
    /// The error of a choice, with the words that it has.
    pub const fn new(choice: &'static str, words: &'static [&'static str]) -> UnknownWord {
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

/// Defines an enum by a table of its variants and their words.
#[doc(hidden)]
#[macro_export]
macro_rules! words {
    (
        $(#[$attribute:meta])*
        $what:literal: pub enum $name:ident {
            $($(#[$variant_attribute:meta])* $variant:ident = $word:literal),+ $(,)?
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$variant_attribute])* $variant),+
        }

        impl $name {
            const WORDS: &'static [&'static str] = &[$($word),+];

            /// Every variant.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// Its word on the command line and in file names.
            pub fn as_str(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::rules::UnknownWord;

            fn from_str(text: &str) -> Result<$name, Self::Err> {
                let found = $name::ALL.iter().find(|variant| variant.as_str() == text);
                found.copied().ok_or(Self::Err::new($what, Self::WORDS))
            }
        }
    };
}
pub(crate) use words;
