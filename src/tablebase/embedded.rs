//! The small tables inside the library: `awari`, all boards up to 9 seeds,
//! values and distances. They answer where nothing has been built yet.

use crate::rules::Ruleset;
use crate::table::{Table, TableId};

/// The largest layer inside the library.
pub const EMBEDDED_SEEDS: u8 = 9;

macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        [$(($name, include_bytes!(concat!("../../data/", $name)).as_slice())),+]
    };
}

/// The files of `data/`, by name.
const FILES: [(&str, &[u8]); 20] = files![
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
];

/// A table inside the library, if it is one of them.
pub(super) fn table(id: TableId) -> Option<Table> {
    if id.rules != Ruleset::AWARI {
        return None;
    }
    let name = id.file_name();
    let (_, bytes) = FILES.iter().find(|(file, _)| *file == name)?;
    // Part of the program, and tested to be sound.
    let table = Table::from_bytes(name, *bytes).and_then(|table| table.require(id));
    Some(table.expect("the tables inside the library are sound"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Kind;

    #[test]
    fn every_table_inside_the_library_is_sound() {
        for seeds in 0..=EMBEDDED_SEEDS {
            for kind in [Kind::Value, Kind::Distance] {
                let rules = Ruleset::AWARI;
                let table = table(TableId { rules, seeds, kind }).unwrap();
                table.check().unwrap();
            }
        }
    }
}
