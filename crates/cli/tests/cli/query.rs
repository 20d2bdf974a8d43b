//! `krou query`: known answers, every format, and wrong usage.

use serde_json::{Value, json};

use crate::support::{built, call, call_in, call_with_input, krou_in, run_with_input, words};

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

#[test]
fn counts_are_the_known_ones() {
    assert_eq!(count("--seeds 0..6", "winning == 1 && moves > 1"), 3112);
    assert_eq!(count("--seeds 6", "winning == 1 && moves > 1"), 2283);
    // Won, even and lost boards of up to 6 seeds by the number of legal moves.
    for (moves, results) in [
        (0, [258, 0, 922]),
        (1, [1615, 457, 3292]),
        (2, [3289, 841, 3226]),
        (3, [2746, 436, 733]),
        (4, [657, 33, 26]),
        (5, [31, 0, 0]),
        (6, [0, 0, 0]),
    ] {
        for (compared, boards) in [">", "==", "<"].iter().zip(results) {
            let condition = format!("value {compared} 0 && moves == {moves}");
            // The board without seeds has no moves and is even.
            let empty = u64::from(moves == 0 && *compared == "==");
            assert_eq!(
                count("--seeds 0..6", &condition),
                boards + empty,
                "{condition}"
            );
        }
    }
}

#[test]
fn boards_are_those_that_stats_counts() {
    for rules in ["awari", "abapa"] {
        let stats = call(&words(&format!("stats --csv --rules {rules}"))).success();
        for seeds in [0, 1, 5, 8] {
            let mut boards = 0;
            for line in stats.lines().skip(1) {
                let fields: Vec<i64> = line.split(',').map(|f| f.parse().unwrap()).collect();
                if fields[0] == seeds && fields[1] == 0 {
                    boards = fields[2];
                }
            }
            let options = format!("--seeds {seeds} --rules {rules}");
            assert_eq!(
                count(&options, "value == 0"),
                boards.cast_unsigned(),
                "{options}"
            );
        }
    }
    let layers: u64 = (2..=5).map(|n| count(&format!("--seeds {n}"), "")).sum();
    assert_eq!(count("--seeds 2..5", ""), layers);
}

#[test]
fn boards_of_twelve_seeds_are_counted_at_once() {
    let home = built("--seeds 12 --distance");
    let answer = |options, condition| call_in(home.path(), &query(options, condition)).success();
    assert_eq!(answer("--seeds 12 --count", "value == 0"), "196942\n");
    assert_eq!(
        answer("--seeds 10 --limit 1", "distance >= 69"),
        "1 0 1 0 0 3 / 0 0 1 3 1 0  # value +2, distance 69\n"
    );
    assert_eq!(answer("--seeds 10 --count", "distance > 69"), "0\n");
}

const TWO: &str = "--seeds 4 --limit 2";
const CONDITION: &str = "gap > 4 && captured == 2";

#[test]
fn every_format_has_the_same_boards() {
    let text = call(&query(TWO, CONDITION)).success();
    let boards: Vec<&str> = text
        .lines()
        .map(|line| line.split("  #").next().unwrap())
        .collect();
    assert_eq!(boards.len(), 2);
    assert!(
        text.lines().all(|line| line.contains("captured 2")),
        "{text}"
    );

    let formatted = |format: &str| call(&query(&format!("{TWO} --format {format}"), CONDITION));
    let objects = formatted("json").success();
    let objects: Vec<Value> = objects
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let csv = formatted("csv").success();
    let mut lines = csv.lines();
    let header = "p0,p1,p2,p3,p4,p5,p6,p7,p8,p9,p10,p11,seeds,value,lower,upper,distance,moves,\
                  best,winning,gap,captured";
    assert_eq!(lines.next(), Some(header));
    for ((board, object), line) in boards.iter().zip(&objects).zip(lines) {
        let json = call(&["moves", "--json", board]).success();
        assert!(json.starts_with(&format!("{{\"board\":{},", object["board"])));
        assert_eq!(
            (&object["captured"], object["gap"].as_i64() > Some(4)),
            (&json!(2), true)
        );

        let mut fields: Vec<String> = Vec::new();
        fields.extend(
            object["board"]
                .as_array()
                .unwrap()
                .iter()
                .map(Value::to_string),
        );
        for name in header.split(',').skip(12) {
            let known = &object[name];
            fields.push(if known.is_null() {
                String::new()
            } else {
                known.to_string()
            });
        }
        assert_eq!(line, fields.join(","));
    }
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
    for (rules, layers) in [("awari", "0..7"), ("abapa", "0..6"), ("kalah", "0..5")] {
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
fn no_match_is_not_an_error() {
    for (format, output) in [("text", ""), ("json", "")] {
        let options = format!("--seeds 3 --format {format}");
        assert_eq!(call(&query(&options, "value > 3")).success(), output);
    }
    let csv = call(&query("--seeds 3 --format csv", "value > 3")).success();
    assert_eq!(csv.lines().count(), 1);
    assert_eq!(count("--seeds 3", "value > 3"), 0);
}

#[test]
fn limits_end_the_search() {
    let all = call(&query("--seeds 3..4", "value == 1")).success();
    for limit in [0, 1, 3, 7, 100_000] {
        let options = format!("--seeds 3..4 --limit {limit}");
        let first: String = all.split_inclusive('\n').take(limit).collect();
        assert_eq!(call(&query(&options, "value == 1")).success(), first);
    }
}

#[test]
fn wrong_usage_is_one_sentence() {
    for (options, condition, part) in [
        ("--seeds 3", "score == 3", "no field 'score': the fields"),
        ("--seeds 3", "value = 3", "write '==' for 'is equal to'"),
        ("--seeds 3", "value", "the fields seeds, value,"),
        ("--seeds 3", "1 < value < 3", "the fields seeds, value,"),
        ("--seeds 5..3", "", "3 is less than 5"),
        ("--seeds 3..", "", "a whole number from 0 to 48"),
        ("--seeds 49", "", "a whole number from 0 to 48"),
        ("--seeds -1", "", "a whole number from 0 to 48"),
        ("", "", "--seeds"),
        ("--seeds 3 --count --limit 3", "", "cannot be used with"),
        ("--seeds 11", "", "krou build --rules awari --seeds 11"),
    ] {
        let error = call(&query(options, condition)).error();
        assert!(error.contains(part), "{options} {condition}: {error}");
        assert_eq!(error.lines().count(), 1);
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

#[test]
fn what_a_query_prints_is_read_by_probe() {
    for format in ["text", "json", "csv"] {
        let options = format!("--seeds 5..6 --limit 40 --format {format}");
        let found = call(&query(&options, "gap > 2")).success();
        let boards = call(&query("--seeds 5..6 --limit 40", "gap > 2")).success();
        let answered = call_with_input(&["probe", "--batch"], found).success();
        let mut answered: Vec<&str> = answered.lines().collect();
        if format == "csv" {
            assert_eq!(answered.remove(0), "{}");
        }
        assert_eq!(answered.len(), 40);
        for (answer, line) in answered.iter().zip(boards.lines()) {
            let board = line.split("  #").next().unwrap();
            assert_eq!(
                format!("{answer}\n"),
                call(&["probe", "--json", board]).success()
            );
        }
    }
}
