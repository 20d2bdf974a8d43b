//! The small tables inside the library, of all boards up to 9 seeds: values and distances
//! of `awari` and `abapa`, and bounds of `abapa`. They answer where nothing has been built
//! yet.

use crate::table::{Table, TableId};

/// The largest layer inside the library.
pub const EMBEDDED_SEEDS: u8 = 9;

macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        [$(($name, include_bytes!(concat!("../../data/", $name)).as_slice())),+]
    };
}

/// The tables of `data/`, by name.
const FILES: [(&str, &[u8]); 50] = files![
    "awari-00.value.krou",
    "awari-00.distance.krou",
    "awari-01.value.krou",
    "awari-01.distance.krou",
    "awari-02.value.krou",
    "awari-02.distance.krou",
    "awari-03.value.krou",
    "awari-03.distance.krou",
    "awari-04.value.krou",
    "awari-04.distance.krou",
    "awari-05.value.krou",
    "awari-05.distance.krou",
    "awari-06.value.krou",
    "awari-06.distance.krou",
    "awari-07.value.krou",
    "awari-07.distance.krou",
    "awari-08.value.krou",
    "awari-08.distance.krou",
    "awari-09.value.krou",
    "awari-09.distance.krou",
    "abapa-00.value.krou",
    "abapa-00.bounds.krou",
    "abapa-00.distance.krou",
    "abapa-01.value.krou",
    "abapa-01.bounds.krou",
    "abapa-01.distance.krou",
    "abapa-02.value.krou",
    "abapa-02.bounds.krou",
    "abapa-02.distance.krou",
    "abapa-03.value.krou",
    "abapa-03.bounds.krou",
    "abapa-03.distance.krou",
    "abapa-04.value.krou",
    "abapa-04.bounds.krou",
    "abapa-04.distance.krou",
    "abapa-05.value.krou",
    "abapa-05.bounds.krou",
    "abapa-05.distance.krou",
    "abapa-06.value.krou",
    "abapa-06.bounds.krou",
    "abapa-06.distance.krou",
    "abapa-07.value.krou",
    "abapa-07.bounds.krou",
    "abapa-07.distance.krou",
    "abapa-08.value.krou",
    "abapa-08.bounds.krou",
    "abapa-08.distance.krou",
    "abapa-09.value.krou",
    "abapa-09.bounds.krou",
    "abapa-09.distance.krou",
];

/// A table inside the library, if it is one of them.
pub(super) fn table(id: TableId) -> Option<Table> {
    let name = id.file_name();
    let (_, bytes) = FILES.iter().find(|(file, _)| *file == name)?;
    // Part of the program, and tested to be sound.
    let table = Table::from_bytes(name, *bytes).and_then(|table| table.require(id));
    Some(table.expect("the tables inside the library are sound"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;
    use crate::table::Kind;

    #[test]
    fn every_table_inside_the_library_is_sound() {
        let mut sound = 0;
        for rules in Ruleset::all() {
            for seeds in 0..=EMBEDDED_SEEDS {
                for &kind in Kind::ALL {
                    if let Some(table) = table(TableId { rules, seeds, kind }) {
                        table.check().unwrap();
                        sound += 1;
                    }
                }
            }
        }
        assert_eq!(sound, FILES.len());
    }
}
