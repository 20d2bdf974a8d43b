//! Enums whose variants have a word for people and a number for files.
//!
//! The table that defines such an enum is the only place that lists its variants:
//! words, numbers, parsing and the list of all variants come from it.

/// Defines an enum by a table of its variants, numbers and words.
macro_rules! words {
    (
        $(#[$attribute:meta])*
        $what:literal: pub enum $name:ident {
            $($(#[$variant_attribute:meta])* $variant:ident = $number:literal $word:literal),+ $(,)?
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

            #[doc = concat!("Every ", $what, ".")]
            pub const ALL: [$name; Self::WORDS.len()] = [$($name::$variant),+];

            /// Its word on the command line and in file names.
            pub fn word(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }

            /// Its number in a table's header.
            pub(in crate::table) fn number(self) -> u8 {
                match self { $($name::$variant => $number),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }

        impl std::str::FromStr for $name {
            type Err = crate::rules::UnknownWord;

            fn from_str(word: &str) -> Result<$name, Self::Err> {
                let found = $name::ALL.into_iter().find(|variant| variant.word() == word);
                found.ok_or(Self::Err::new($what, Self::WORDS))
            }
        }
    };
}
