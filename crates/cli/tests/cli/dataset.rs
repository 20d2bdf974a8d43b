//! `krou dataset`: what its files say, that they follow from the options, and that they appear
//! whole or not at all.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::files::names;
use crate::support::{call, call_in, files, krou_in, run, run_with_input, words};

/// Writes a data set into the folder `data`.
fn write(home: &Path, options: &str) -> String {
    let line = format!("dataset --out data {options}");
    call_in(home, &words(&line)).success_without_tables()
}

/// The lines of a CSV file as objects of numbers.
fn records(text: &str) -> Vec<Value> {
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let record = |line: &str| {
        let fields = names.iter().zip(line.split(','));
        let number = |text: &str| text.parse::<i64>().map_or(Value::Null, Value::from);
        fields
            .map(|(name, text)| ((*name).to_owned(), number(text)))
            .collect()
    };
    lines.map(record).collect()
}

/// What a probe says of a board, in the fields of a data set.
fn fields(probed: &Value) -> Value {
    let mut fields = json!({});
    for (pit, seeds) in probed["board"].as_array().unwrap().iter().enumerate() {
        fields[format!("p{pit}")] = seeds.clone();
    }
    for name in ["value", "lower", "upper", "distance"] {
        fields[name] = probed[name].clone();
    }
    for pit in 0..6 {
        fields[format!("m{pit}")] = Value::Null;
    }
    for played in probed["moves"].as_array().unwrap() {
        fields[format!("m{}", played["pit"])] = played["value"].clone();
    }
    fields
}

#[test]
fn every_row_agrees_with_probe_and_no_layer_is_in_both_parts() {
    for (rules, layers) in [("awari", "0..9"), ("abapa", "6..9"), ("kalah", "2..6")] {
        let home = TempDir::new().unwrap();
        let options = format!("--format csv --count 16 --rules {rules} --seeds {layers}");
        let told = write(home.path(), &options);
        assert_eq!(told, "wrote train.csv, test.csv, README.md to data\n");
        let (mut seen, mut played) = (BTreeSet::new(), 0);
        let [train, test] = ["train", "test"].map(|part| {
            let text = fs::read_to_string(home.path().join(format!("data/{part}.csv"))).unwrap();
            let probe = ["probe", "--batch", "--rules", rules];
            let probed = run_with_input(krou_in(home.path()).args(probe), text.clone());
            let probed = probed.success_without_tables();
            let rows = records(&text);
            assert_eq!(rows.len(), probed.lines().count() - 1);
            let mut part_layers = BTreeSet::new();
            for (mut row, probed) in rows.into_iter().zip(probed.lines().skip(1)) {
                let probed: Value = serde_json::from_str(probed).unwrap();
                played += row["game"].as_u64().unwrap();
                let object = row.as_object_mut().unwrap();
                object.remove("game");
                let mut expected = fields(&probed);
                // Columns that are not there would be empty.
                let is_there = |name: &String, _: &mut Value| object.contains_key(name);
                expected.as_object_mut().unwrap().retain(is_there);
                assert_eq!(row, expected);
                assert!(
                    seen.insert(probed["board"].to_string()),
                    "{probed} is there twice"
                );
                part_layers.insert(probed["seeds"].as_u64().unwrap());
            }
            part_layers
        });
        let (first, last) = layers.split_once("..").unwrap();
        let all: BTreeSet<u64> = (first.parse().unwrap()..=last.parse().unwrap()).collect();
        assert!(
            train.is_disjoint(&test) && &train | &test == all,
            "{train:?} {test:?}"
        );
        assert!(train.last() < test.first() && test.len() == (all.len() / 5).max(1));
        assert!(played >= 20, "{played} boards are from games");
    }
}

#[test]
fn equal_options_give_equal_bytes() {
    let set = |options: &str, threads: &str| {
        let home = TempDir::new().unwrap();
        let line = format!("dataset --out data --seeds 7..9 --count 12 {options}");
        let mut krou = krou_in(home.path());
        krou.env("RAYON_NUM_THREADS", threads);
        run(krou.args(words(&line))).success();
        files(&home.path().join("data"))
    };
    let first = set("--seed 5", "1");
    assert_eq!(first.len(), 3);
    assert!(first == set("--seed 5", "3"));
    let other = set("--seed 6", "1");
    assert!(first.iter().all(|(name, bytes)| *bytes != other[name]));
}

/// The names of the arrays of a `.npz` file, each with its header.
fn headers(npz: &[u8]) -> Vec<(String, String)> {
    let number = |at: usize, length: usize| {
        let bytes = npz[at..at + length].iter().rev();
        bytes.fold(0, |number, &byte| number << 8 | usize::from(byte))
    };
    let (mut at, mut found) = (0, Vec::new());
    while npz[at..].starts_with(b"PK\x03\x04") {
        let (size, name_length) = (number(at + 18, 4), number(at + 26, 2));
        let name = &npz[at + 30..at + 30 + name_length];
        let start = at + 30 + name_length;
        let header = &npz[start + 10..start + 10 + number(start + 8, 2)];
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        found.push((text(name), text(header)));
        at = start + size;
    }
    found
}

/// `test_evaluate.py` reads it with numpy.
#[test]
fn the_file_that_the_tests_of_python_read_has_todays_arrays() {
    let home = TempDir::new().unwrap();
    write(home.path(), "--seeds 8..9 --count 100");
    let today = fs::read(home.path().join("data/test.npz")).unwrap();
    let kept =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bindings/python/tests/dataset.npz");
    if std::env::var("SNAPSHOTS").is_ok_and(|action| action == "overwrite") {
        fs::write(&kept, &today).unwrap();
    }
    let headers_today = headers(&today);
    assert_eq!(headers_today.len(), 5);
    assert_eq!(headers_today, headers(&fs::read(&kept).unwrap()));
}

#[test]
fn a_folder_with_files_and_one_layer_are_refused() {
    let home = TempDir::new().unwrap();
    let data = home.path().join("data");
    fs::create_dir(&data).unwrap();
    fs::write(data.join("mine"), "mine").unwrap();
    let message = call_in(home.path(), &words("dataset --out data")).error();
    assert!(message.contains("data is not empty"), "{message}");
    assert_eq!(names(home.path()), ["data"]);
    assert_eq!(names(&data), ["mine"]);
    let message = call(&words("dataset --seeds 9 --out data")).error();
    assert!(message.contains("two layers"), "{message}");
    let message = call(&words("dataset --seeds 8..30 --out data")).error();
    assert!(message.contains("30 seeds"), "{message}");
    // An empty folder is replaced.
    fs::remove_file(data.join("mine")).unwrap();
    write(home.path(), "--seeds 3..4 --count 2");
    assert_eq!(names(&data), ["README.md", "test.npz", "train.npz"]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_command_leaves_nothing() {
    use std::process::Stdio;
    use std::time::Duration;

    use crate::program::send_signal;

    // Until the program waits for signals, this one ends it at once.
    let has_waited = (1..8).any(|seconds| {
        let home = TempDir::new().unwrap();
        let mut krou = krou_in(home.path());
        krou.args(words("dataset --count 1000000 --out data"));
        let process = krou.stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_secs(seconds));
        send_signal("TERM", &process);
        let ended = process.wait_with_output().unwrap();
        assert_eq!(names(home.path()), Vec::<String>::new());
        ended.status.code() == Some(143)
    });
    assert!(has_waited);
}
