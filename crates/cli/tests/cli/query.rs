//! `krou query`: fields as `krou probe` has them, arrays, and conditions that are none.

use serde_json::{Value, json};

use crate::support::{built, call, call_in, krou_in, run_with_input, words};

/// The arguments of `krou query` with these words and a condition.
fn query<'a>(options: &'a str, condition: &'a str) -> Vec<&'a str> {
    let mut args = words("query");
    args.extend(words(options));
    if !condition.is_empty() {
        args.extend(["--where", condition]);
    }
    args
}

fn count(options: &str, condition: &str) -> u64 {
    let args = [query(options, condition), words("--count")].concat();
    call(&args).success().trim_end().parse().unwrap()
}

/// The fields of a query by what a probe of the board says of each move.
fn record(probed: &Value) -> Value {
    let mut record = probed.clone();
    let moves = probed["moves"].as_array().unwrap();
    let value = |m: &Value| m["value"].as_i64().unwrap();
    let (best, others): (Vec<&Value>, Vec<&Value>) = moves.iter().partition(|m| m["best"] == true);
    let second = others.iter().map(|m| value(m)).max();
    let gap = second.filter(|_| best.len() == 1);
    let fields = record.as_object_mut().unwrap();
    fields.remove("over");
    fields.insert("moves".into(), json!(moves.len()));
    fields.insert("best".into(), json!(best.len()));
    let winning = moves.iter().filter(|m| value(m) > 0).count();
    fields.insert("winning".into(), json!(winning));
    let gap = gap.map_or(0, |second| probed["value"].as_i64().unwrap() - second);
    fields.insert("gap".into(), json!(gap));
    let captured = best.iter().map(|m| m["captured"].as_i64().unwrap()).max();
    fields.insert("captured".into(), json!(captured.unwrap_or(0)));
    record
}

#[test]
fn records_are_those_of_probes_for_every_board() {
    for (rules, layers) in [("awari", "0..6"), ("abapa", "0..5"), ("kalah", "0..4")] {
        let home = built(&format!(
            "--rules {rules} --distance --seeds {}",
            &layers[3..]
        ));
        let options = format!("--seeds {layers} --format json --rules {rules}");
        let found = call_in(home.path(), &query(&options, "")).success();
        let probe = ["probe", "--batch", "--rules", rules];
        let probed = run_with_input(krou_in(home.path()).args(probe), found.clone());
        let probed = probed.success_without_tables();
        assert_eq!(found.lines().count(), probed.lines().count());
        for (found, probed) in found.lines().zip(probed.lines()) {
            let probed: Value = serde_json::from_str(probed).unwrap();
            let found: Value = serde_json::from_str(found).unwrap();
            assert_eq!(found, record(&probed));
        }
    }
}

#[test]
fn arrays_have_a_record_for_each_board() {
    for (rules, width, types) in [
        ("awari", 12 + 9, ""),
        ("abapa", 12 + 11, "('lower', '|i1'), ('upper', '|i1'), "),
    ] {
        let options = format!("--seeds 3 --format npy --rules {rules}");
        let args = query(&options, "value == 3");
        let home = tempfile::tempdir().unwrap();
        let out = krou_in(home.path()).args(&args).output().unwrap();
        assert!(out.status.success());
        let header = 10 + usize::from(u16::from_le_bytes([out.stdout[8], out.stdout[9]]));
        assert_eq!(header % 64, 0);
        let text = str::from_utf8(&out.stdout[10..header]).unwrap();
        let boards = count(&format!("--seeds 3 --rules {rules}"), "value == 3");
        let descr = format!(
            "{{'descr': [('board', '|u1', (12,)), ('seeds', '|u1'), ('value', '|i1'), {types}\
             ('distance', '<i2'), ('moves', '|u1'), ('best', '|u1'), ('winning', '|u1'), \
             ('gap', '|i1'), ('captured', '|u1')], 'fortran_order': False, \
             'shape': ({boards},), }}"
        );
        assert_eq!(text.trim_end(), descr);
        let records = &out.stdout[header..];
        assert_eq!(records.len() as u64, boards * width);
        for record in records.chunks(width as usize) {
            assert_eq!(record[..12].iter().sum::<u8>(), 3);
            assert_eq!(record[12..14], [3, 3]);
        }
    }
}

#[test]
fn other_texts_are_errors_that_name_the_fields() {
    const MOST: usize = 1000;
    const WRONG: &str = " ¦value¦3¦-3¦value == ¦== 3¦value == 3 &&¦value = 3¦value == 3 && moves = 1¦value === 3¦\
        value == 3 moves == 1¦value == 3 3¦1 < value < 5¦!value == 3¦!value¦value && moves¦\
        value == (3 == 3)¦-(value == 3)¦(value == 3¦value == 3)¦()¦value() == 3¦value == 1.5¦\
        value == 3 & moves == 1¦value == 3 | moves == 1¦value + 1 == 3¦{value} == 3¦==(value, 3)¦\
        &&(value == 3, moves == 1)¦värde == 3¦value == 3 ; moves¦!¦-¦(¦)¦=¦&&¦value ! == 3¦\
        value !== 3¦(value) == ((3)¦score == 3¦Value == 3¦pit == 3¦value == x¦value3 == 3¦\
        3value == 3";
    for text in WRONG.split('¦') {
        let message = call(&query("--seeds 1", text)).error();
        let names_fields = message.contains("seeds, value, lower, upper, distance");
        let is_assignment = message.contains("write '==' for 'is equal to'");
        assert!(names_fields || is_assignment, "{text}: {message}");
    }
    let long = call(&query("--seeds 1", &"(".repeat(MOST + 1))).error();
    assert!(
        long.contains("a condition has at most 1000 characters"),
        "{long}"
    );
    for deep in ["(", ")", "!", "-", "value == ", "((value == 3) && "] {
        call(&query("--seeds 1", &deep.repeat(MOST / deep.len()))).error();
    }
    let deep = format!("{}value == 1{}", "(".repeat(400), ")".repeat(400));
    assert_eq!(call(&query("--seeds 1 --count", &deep)).success(), "5\n");
}
