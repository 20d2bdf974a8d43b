//! Boards with values, distances and bounds: arrays for numpy, and CSV.

use krou::index::LayerIndex;
use krou::rules::{Board, Bounds, Ruleset};
use krou::tablebase::ExportFormat;
use krou::tablebase::ProbeResult;

use super::support::{built, export};

/// Reads a `.npy` file by the published format: the text of the header, and the records.
fn read_npy(bytes: &[u8], record: usize) -> (&str, impl Iterator<Item = &[u8]>) {
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let start = 10 + length;
    assert_eq!(start % 64, 0);
    let header = std::str::from_utf8(&bytes[10..start]).unwrap();
    let header = header.strip_suffix('\n').expect("a line feed at the end");
    let records = bytes[start..].chunks(record);
    assert_eq!((bytes.len() - start) % record, 0);
    (header.trim_end_matches(' '), records)
}

/// The bytes of a record after the board.
fn fields_of(result: &ProbeResult) -> Vec<u8> {
    let mut fields = vec![result.value.cast_unsigned()];
    fields.extend(result.distance);
    if let Some(Bounds { lower, upper }) = result.bounds {
        fields.extend([lower, upper].map(i8::cast_unsigned));
    }
    fields
}

#[test]
fn arrays_have_every_board_with_all_fields() {
    let value = "('value', '|i1')";
    let distance = "('distance', '|u1')";
    let bounds = "('lower', '|i1'), ('upper', '|i1')";
    for (rules, has_distance, fields, size) in [
        (Ruleset::AWARI, false, value.to_owned(), 13),
        (Ruleset::AWARI, true, format!("{value}, {distance}"), 14),
        (Ruleset::ABAPA, false, format!("{value}, {bounds}"), 15),
        (
            Ruleset::ABAPA,
            true,
            format!("{value}, {distance}, {bounds}"),
            16,
        ),
        (Ruleset::KALAH, true, format!("{value}, {distance}"), 14),
    ] {
        let (_folder, tables) = built(rules, 6, has_distance);
        for seeds in 0..=6 {
            let layer = LayerIndex::new(rules, seeds);
            let bytes = export(&tables, seeds, ExportFormat::Npy);
            let (header, records) = read_npy(&bytes, size);
            let expected = format!(
                "{{'descr': [('board', '|u1', (12,)), {fields}], \
                 'fortran_order': False, 'shape': ({},), }}",
                layer.len()
            );
            assert_eq!(header, expected);
            let mut index = 0;
            for record in records {
                let board = layer.board(index);
                assert_eq!(record[..12], board.pits());
                let mut result = tables.probe(&board).unwrap();
                if has_distance {
                    // If the value is 0 there is no distance, and its byte is 0.
                    result.distance = result.distance.or(Some(0));
                }
                assert_eq!(record[12..], fields_of(&result), "{rules} {board:?}");
                index += 1;
            }
            assert_eq!(index, layer.len());
        }
    }
}

/// The expected line of a board.
fn csv_line(board: &Board, result: &ProbeResult, has_distance: bool) -> String {
    let mut fields: Vec<String> = board.pits().map(|pit| pit.to_string()).to_vec();
    fields.push(result.value.to_string());
    if has_distance {
        fields.push(result.distance.map_or(String::new(), |d| d.to_string()));
    }
    if let Some(Bounds { lower, upper }) = result.bounds {
        fields.extend([lower.to_string(), upper.to_string()]);
    }
    fields.join(",")
}

#[test]
fn csv_has_every_board_with_all_fields() {
    const PITS: &str = "p0,p1,p2,p3,p4,p5,p6,p7,p8,p9,p10,p11";
    for (rules, has_distance, fields) in [
        (Ruleset::AWARI, false, "value"),
        (Ruleset::AWARI, true, "value,distance"),
        (Ruleset::ABAPA, false, "value,lower,upper"),
        (Ruleset::ABAPA, true, "value,distance,lower,upper"),
        (Ruleset::KALAH, false, "value"),
    ] {
        let (_folder, tables) = built(rules, 6, has_distance);
        for seeds in 0..=6 {
            let text = String::from_utf8(export(&tables, seeds, ExportFormat::Csv)).unwrap();
            assert!(text.ends_with('\n'));
            let mut lines = text.lines();
            assert_eq!(lines.next(), Some(format!("{PITS},{fields}").as_str()));
            let layer = LayerIndex::new(rules, seeds);
            let mut index = 0;
            for line in lines {
                let board = layer.board(index);
                let result = tables.probe(&board).unwrap();
                assert_eq!(line, csv_line(&board, &result, has_distance));
                index += 1;
            }
            assert_eq!(index, layer.len());

            let mut written = Vec::new();
            tables
                .write_csv(seeds, &mut written, &krou::solve::Silent)
                .unwrap();
            assert!(
                written == text.as_bytes(),
                "another writer gets other bytes"
            );
        }
    }
}

#[test]
fn pits_with_two_digits_are_written_in_full() {
    let (_folder, tables) = built(Ruleset::AWARI, 12, false);
    let text = String::from_utf8(export(&tables, 12, ExportFormat::Csv)).unwrap();
    let value = |board: &str| tables.probe(&board.parse().unwrap()).unwrap().value;
    let line = format!(
        "0,0,0,0,0,12,0,0,0,0,0,0,{}",
        value("0 0 0 0 0 12 / 0 0 0 0 0 0")
    );
    assert_eq!(text.lines().nth(1), Some(line.as_str()));
    let line = format!(
        "0,0,0,0,0,0,12,0,0,0,0,0,{}",
        value("0 0 0 0 0 0 / 12 0 0 0 0 0")
    );
    assert_eq!(text.lines().last(), Some(line.as_str()));
}
