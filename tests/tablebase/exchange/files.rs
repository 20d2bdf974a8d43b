//! Files that cannot be written or compared, and layers that a format does not have.

use std::fs;

use krou::rules::Ruleset;
use krou::solve::Silent;
use krou::tablebase::Tablebase;
use krou::tablebase::{ExchangeError, ExportFormat};

use super::support::{built, export};
use crate::files::{damage, names};

/// Entries of a layer may depend on the layers that conversions lead to: captures of `awari`
/// take two seeds or more, so 5 seeds do not need those with 4.
#[test]
fn exports_need_the_layers_that_conversions_lead_to() {
    let (folder, tables) = built(Ruleset::AWARI, 5, true);
    let whole = export(&tables, 5, ExportFormat::Npy);
    let output = tempfile::tempdir().unwrap();
    let file = output.path().join("layer");
    let export_without = |name| {
        fs::remove_file(folder.path().join(name)).unwrap();
        let tables = Tablebase::builder(Ruleset::AWARI)
            .without_embedded()
            .folder(folder.path());
        let tables = tables.open().unwrap();
        tables.export(5, ExportFormat::Npy, &file, &Silent)
    };
    export_without("awari-04.value.krou").unwrap();
    assert!(fs::read(&file).unwrap() == whole);
    fs::remove_file(&file).unwrap();
    let error = export_without("awari-03.value.krou").unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no value table for awari with 3 seeds"
    );
    assert_eq!(names(output.path()), [""; 0]);
}

#[test]
fn layers_and_rulesets_outside_a_format_are_rejected() {
    let output = tempfile::tempdir().unwrap();
    let file = output.path().join("layer");
    let kalah = Tablebase::embedded(Ruleset::KALAH);
    let rules = Ruleset::AWARI;
    let awari = Tablebase::embedded(rules);
    let vu = ExportFormat::Vu;
    for error in [
        kalah.export(3, vu, &file, &Silent).unwrap_err(),
        kalah.compare(3, &file, 10, &Silent).unwrap_err(),
    ] {
        assert!(matches!(error, ExchangeError::Family { .. }), "{error}");
    }
    for error in [
        awari.export(47, vu, &file, &Silent).unwrap_err(),
        awari.compare(47, &file, 10, &Silent).unwrap_err(),
    ] {
        let is_expected = matches!(error, ExchangeError::NeverOccurs { seeds: 47 });
        assert!(is_expected, "{error}");
    }
    for error in [
        awari.export(12, vu, &file, &Silent).unwrap_err(),
        awari.write_csv(12, &mut Vec::new(), &Silent).unwrap_err(),
        awari.compare(12, &file, 10, &Silent).unwrap_err(),
        // Only the score database has no such layer.
        awari
            .export(47, ExportFormat::Npy, &file, &Silent)
            .unwrap_err(),
    ] {
        assert_eq!(
            error.to_string().replace("47", "12"),
            "there is no value table for awari with 12 seeds"
        );
    }
    assert_eq!(names(output.path()), [""; 0], "a file was created");
}

/// A damaged block is found while the export is running.
#[test]
fn failed_exports_leave_the_existing_file() {
    let (folder, _) = built(Ruleset::AWARI, 6, false);
    damage(folder.path().join("awari-06.value.krou"));
    let tables = Tablebase::builder(Ruleset::AWARI)
        .without_embedded()
        .folder(folder.path())
        .open()
        .unwrap();
    let output = tempfile::tempdir().unwrap();
    let file = output.path().join("layer");
    fs::write(&file, "older").unwrap();
    for format in [ExportFormat::Vu, ExportFormat::Npy, ExportFormat::Csv] {
        let error = tables.export(6, format, &file, &Silent).unwrap_err();
        assert!(error.to_string().contains("awari-06.value.krou"), "{error}");
        assert_eq!(fs::read(&file).unwrap(), b"older");
        assert_eq!(names(output.path()), ["layer"]);
    }
}

/// Even if it is longer than the new file.
#[test]
fn partial_files_of_killed_exports_are_replaced() {
    let tables = Tablebase::embedded(Ruleset::AWARI);
    let output = tempfile::tempdir().unwrap();
    let file = output.path().join("layer");
    for format in [ExportFormat::Vu, ExportFormat::Npy, ExportFormat::Csv] {
        fs::write(output.path().join("layer.krou-partial"), vec![9; 1 << 20]).unwrap();
        tables.export(5, format, &file, &Silent).unwrap();
        assert!(fs::read(&file).unwrap() == export(&tables, 5, format));
        assert_eq!(names(output.path()), ["layer"]);
    }
}

/// The file is truncated after its length was checked and before it is read.
#[test]
fn files_that_shrink_while_being_read_are_errors() {
    let tables = Tablebase::embedded(Ruleset::AWARI);
    let output = tempfile::tempdir().unwrap();
    let file = output.path().join("scores.9");
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
fn files_of_another_length_are_rejected() {
    let tables = Tablebase::embedded(Ruleset::AWARI);
    let output = tempfile::tempdir().unwrap();
    let file = output.path().join("scores.4");
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
