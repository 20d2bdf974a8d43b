//! Files that cannot be written or compared, and layers that no file is of.

use std::fs;

use krou::rules::Ruleset;
use krou::solve::Silent;
use krou::tablebase::{ExchangeError, ExportFormat, Tablebase};

use super::support::{built, export, names};

/// Captures lead into lower layers, and tables leave to them what they tell.
#[test]
fn the_layers_below_are_needed() {
    let (folder, _) = built(Ruleset::AWARI, 5, false);
    fs::remove_file(folder.path().join("awari-03.value.krou")).unwrap();
    let rest = Tablebase::open(Ruleset::AWARI, &[folder.path()]).unwrap();
    let place = tempfile::tempdir().unwrap();
    let refused = rest.export(5, ExportFormat::Vu, place.path().join("layer"), &Silent);
    assert_eq!(
        refused.unwrap_err().to_string(),
        "there is no value table for awari with 3 seeds"
    );
    assert_eq!(names(place.path()), [""; 0]);
}

#[test]
fn what_the_formats_do_not_have_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("layer");
    let kalah = Tablebase::embedded(Ruleset::KALAH);
    let rules = Ruleset::AWARI;
    let awari = Tablebase::embedded(rules);
    let vu = ExportFormat::Vu;
    for refused in [
        kalah.export(3, vu, &file, &Silent).unwrap_err(),
        kalah.compare(3, &file, 10, &Silent).unwrap_err(),
    ] {
        assert!(matches!(refused, ExchangeError::Family { .. }), "{refused}");
    }
    for refused in [
        awari.export(47, vu, &file, &Silent).unwrap_err(),
        awari.compare(47, &file, 10, &Silent).unwrap_err(),
    ] {
        let never = matches!(refused, ExchangeError::NeverOccurs { seeds: 47 });
        assert!(never, "{refused}");
    }
    for refused in [
        awari.export(12, vu, &file, &Silent).unwrap_err(),
        awari.write_csv(12, &mut Vec::new(), &Silent).unwrap_err(),
        awari.compare(12, &file, 10, &Silent).unwrap_err(),
        // Only the database has no such layer; it might have been built.
        awari
            .export(47, ExportFormat::Npy, &file, &Silent)
            .unwrap_err(),
    ] {
        assert_eq!(
            refused.to_string().replace("47", "12"),
            "there is no value table for awari with 12 seeds"
        );
    }
    assert_eq!(names(place.path()), [""; 0], "nothing was begun");
}

/// A damaged block is met in the midst of the work: what was there before
/// stays, and nothing else.
#[test]
fn an_export_that_fails_leaves_the_file_that_was_there() {
    let (folder, _) = built(Ruleset::AWARI, 6, false);
    let table = folder.path().join("awari-06.value.krou");
    let mut bytes = fs::read(&table).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&table, bytes).unwrap();
    let tables = Tablebase::open(Ruleset::AWARI, &[folder.path()]).unwrap();
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("layer");
    fs::write(&file, "older").unwrap();
    for format in [ExportFormat::Vu, ExportFormat::Npy, ExportFormat::Csv] {
        let error = tables.export(6, format, &file, &Silent).unwrap_err();
        assert!(error.to_string().contains("awari-06.value.krou"), "{error}");
        assert_eq!(fs::read(&file).unwrap(), b"older");
        assert_eq!(names(place.path()), ["layer"]);
    }
}

/// What a killed export has left is taken over, however long it is.
#[test]
fn the_rest_of_a_killed_export_is_taken_over() {
    let tables = Tablebase::embedded(Ruleset::AWARI);
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("layer");
    for format in [ExportFormat::Vu, ExportFormat::Npy, ExportFormat::Csv] {
        fs::write(place.path().join("layer.krou-partial"), vec![9; 1 << 20]).unwrap();
        tables.export(5, format, &file, &Silent).unwrap();
        assert!(fs::read(&file).unwrap() == export(&tables, 5, format));
        assert_eq!(names(place.path()), ["layer"]);
    }
}

/// Bytes that are gone between the look at the length and the reading.
#[test]
fn a_file_that_shrinks_meanwhile_is_an_error() {
    let tables = Tablebase::embedded(Ruleset::AWARI);
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("scores.9");
    fs::write(&file, export(&tables, 9, ExportFormat::Vu)).unwrap();
    let shrink = |_: u64| {
        let open = fs::File::options().write(true).open(&file).unwrap();
        open.set_len(100).unwrap();
    };
    let error = tables.compare(9, &file, 10, &shrink).unwrap_err();
    assert!(matches!(error, ExchangeError::Read { .. }), "{error}");
    assert!(error.to_string().contains("scores.9"), "{error}");
}

#[test]
fn a_file_of_another_length_is_refused() {
    let tables = Tablebase::embedded(Ruleset::AWARI);
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("scores.4");
    for length in [0, 1364, 1366, 4368] {
        fs::write(&file, vec![0; length]).unwrap();
        match tables.compare(4, &file, 10, &Silent).unwrap_err() {
            ExchangeError::Length {
                expected: 1365,
                got,
                ..
            } => assert_eq!(got, length as u64),
            other => panic!("{other}"),
        }
    }
}
