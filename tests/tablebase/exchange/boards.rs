//! Boards with all that is known of them: arrays for numpy, and text.

use krou::index::LayerIndex;
use krou::rules::{Board, Bounds, Ruleset};
use krou::tablebase::{ExportFormat, ProbeResult};

use super::support::{built, export};

/// A `.npy` file read by the description of the format alone: the text of the
/// header, and the records.
fn read_npy(bytes: &[u8], record: usize) -> (&str, impl Iterator<Item = &[u8]>) {
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let start = 10 + length;
    assert_eq!(start % 64, 0);
    let header = std::str::from_utf8(&bytes[10..start]).unwrap();
    let header = header.strip_suffix('\n').expect("a line feed at its end");
    let records = bytes[start..].chunks(record);
    assert_eq!((bytes.len() - start) % record, 0);
    (header.trim_end_matches(' '), records)
}

/// The bytes of a record after those of the board.
fn known(worth: &ProbeResult) -> Vec<u8> {
    let mut known = vec![worth.value.cast_unsigned()];
    known.extend(worth.distance);
    if let Some(Bounds { lower, upper }) = worth.bounds {
        known.extend([lower, upper].map(i8::cast_unsigned));
    }
    known
}

#[test]
fn arrays_have_every_board_with_all_that_is_known() {
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
                let mut worth = tables.probe(&board).unwrap();
                if has_distance {
                    // Where the value is 0 there is none; its byte is 0.
                    worth.distance = worth.distance.or(Some(0));
                }
                assert_eq!(record[12..], known(&worth), "{rules} {board:?}");
                index += 1;
            }
            assert_eq!(index, layer.len());
        }
    }
}

/// A line of the text as it must be.
fn csv_line(board: &Board, worth: &ProbeResult, has_distance: bool) -> String {
    let mut fields: Vec<String> = board.pits().map(|pit| pit.to_string()).to_vec();
    fields.push(worth.value.to_string());
    if has_distance {
        fields.push(worth.distance.map_or(String::new(), |d| d.to_string()));
    }
    if let Some(Bounds { lower, upper }) = worth.bounds {
        fields.extend([lower.to_string(), upper.to_string()]);
    }
    fields.join(",")
}

#[test]
fn text_has_every_board_with_all_that_is_known() {
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
                let worth = tables.probe(&board).unwrap();
                assert_eq!(line, csv_line(&board, &worth, has_distance));
                index += 1;
            }
            assert_eq!(index, layer.len());

            let mut written = Vec::new();
            tables
                .write_csv(seeds, &mut written, &krou::solve::Silent)
                .unwrap();
            assert!(written == text.as_bytes(), "the same to any writer");
        }
    }
}

/// Numbers of two digits, and boards that only larger layers have.
#[test]
fn large_numbers_of_seeds_are_told_in_full() {
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
