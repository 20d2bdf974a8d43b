//! Which of the boards that a query finds are printed: the first ones, a random sample of all, or
//! the first by a field.

use std::str::FromStr;

use fastrand::Rng;

use super::fields::{BoardRecord, QueryField};

/// A field to sort by, the largest first after a minus.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SortKey {
    pub field: QueryField,
    is_descending: bool,
}

impl FromStr for SortKey {
    type Err = String;

    fn from_str(text: &str) -> Result<SortKey, String> {
        let name = text.strip_prefix('-').unwrap_or(text);
        let mut fields = QueryField::ALL.into_iter();
        let field = fields.find(|field| field.name() == name);
        Ok(SortKey {
            field: field.ok_or_else(|| format!("name a field: {}", QueryField::names()))?,
            is_descending: name.len() < text.len(),
        })
    }
}

impl SortKey {
    /// Orders boards; those where the field is not known come last.
    fn of(self, record: &BoardRecord) -> (bool, i16) {
        let known = record.field(self.field);
        let number = known.unwrap_or_default();
        let number = if self.is_descending { -number } else { number };
        (known.is_none(), number)
    }
}

/// The boards to print, as they are found.
pub enum Selection {
    /// The first ones, `left` more.
    First { left: u64 },
    /// Random ones among the `seen`, each with its place.
    Sample {
        most: usize,
        seen: u64,
        kept: Vec<(u64, BoardRecord)>,
        random: Rng,
    },
    /// The first by a field; of equal ones those found first.
    Sorted {
        most: usize,
        key: SortKey,
        kept: Vec<BoardRecord>,
    },
}

impl Selection {
    /// A sample of this size, the same for each seed.
    pub fn sample(most: usize, seed: u64) -> Selection {
        Selection::Sample {
            most,
            seen: 0,
            kept: Vec::new(),
            random: Rng::with_seed(seed),
        }
    }

    /// Whether no board that is found from now on would be printed.
    pub fn is_full(&self) -> bool {
        matches!(self, Selection::First { left: 0 })
    }

    /// Takes boards that were found; returns those to print now.
    pub fn take(&mut self, mut found: Vec<BoardRecord>) -> Vec<BoardRecord> {
        match self {
            Selection::First { left } => {
                found.truncate((*left).try_into().unwrap_or(usize::MAX));
                *left -= found.len() as u64;
                return found;
            }
            // Each board seen so far is kept with the same probability (Vitter 1985, algorithm R).
            Selection::Sample {
                most,
                seen,
                kept,
                random,
            } => {
                for record in found {
                    let place = random.u64(..=*seen) as usize;
                    if kept.len() < *most {
                        kept.push((*seen, record));
                    } else if let Some(other) = kept.get_mut(place) {
                        *other = (*seen, record);
                    }
                    *seen += 1;
                }
            }
            Selection::Sorted { most, key, kept } => {
                kept.append(&mut found);
                if kept.len() >= 2 * *most {
                    shorten(kept, *key, *most);
                }
            }
        }
        Vec::new()
    }

    /// The boards that are left to print.
    pub fn finish(self) -> Vec<BoardRecord> {
        match self {
            Selection::First { .. } => Vec::new(),
            Selection::Sample { mut kept, .. } => {
                kept.sort_by_key(|&(place, _)| place);
                kept.into_iter().map(|(_, record)| record).collect()
            }
            Selection::Sorted {
                most,
                key,
                mut kept,
            } => {
                shorten(&mut kept, key, most);
                kept
            }
        }
    }
}

/// Keeps the first boards by a field, in order.
fn shorten(kept: &mut Vec<BoardRecord>, key: SortKey, most: usize) {
    kept.sort_by_key(|record| key.of(record));
    kept.truncate(most);
}

#[cfg(test)]
mod tests {
    use super::super::fields::MoveCounts;
    use super::*;
    use krou::rules::Board;

    fn record(value: i8) -> BoardRecord {
        BoardRecord {
            board: Board::START,
            seeds: 48,
            value,
            lower: None,
            upper: None,
            distance: u8::try_from(value).ok(),
            moves: MoveCounts::default(),
        }
    }

    fn selected(mut selection: Selection) -> Vec<i8> {
        let mut printed = Vec::new();
        for values in (-20..20).collect::<Vec<i8>>().chunks(7) {
            printed.extend(selection.take(values.iter().copied().map(record).collect()));
        }
        printed.extend(selection.finish());
        printed.iter().map(|record| record.value).collect()
    }

    #[test]
    fn boards_are_the_first_or_sorted() {
        assert_eq!(selected(Selection::First { left: 3 }), [-20, -19, -18]);
        let sorted = |key: &str| {
            let key = key.parse().unwrap();
            selected(Selection::Sorted {
                most: 4,
                key,
                kept: Vec::new(),
            })
        };
        assert_eq!(sorted("-value"), [19, 18, 17, 16]);
        // Negative numbers have no distance here.
        assert_eq!(sorted("distance"), [0, 1, 2, 3]);
        assert!("plies".parse::<SortKey>().is_err());
    }

    #[test]
    fn each_board_is_as_likely_as_any_other() {
        let mut counts = [0; 40];
        for seed in 0..4000 {
            let sample = selected(Selection::sample(10, seed));
            assert!(sample.len() == 10 && sample.is_sorted());
            for value in sample {
                counts[usize::try_from(value + 20).unwrap()] += 1;
            }
        }
        // 1000 are expected, with a deviation of 27.
        assert!(
            counts.iter().all(|count| (860..1140).contains(count)),
            "{counts:?}"
        );
        assert_eq!(selected(Selection::sample(100, 1)).len(), 40);
    }
}
