//! `scripts/simulate-scaling`: its arithmetic, and that the documents have its tables.
//! Without Python nothing is tested.

use std::fmt::Display;
use std::path::Path;
use std::process::Command;

use krou::index::LayerIndex;
use krou::rules::Ruleset;

/// The layers of the game: none has 47 seeds.
const LAYERS: usize = 48;
const HIGHEST: u8 = 48;

/// What the script prints; `None` without Python.
fn simulate(options: &str) -> Option<String> {
    Command::new("python3").arg("--version").output().ok()?;
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/simulate-scaling");
    let mut python = Command::new("python3");
    let output = python.arg(script).args(options.split_whitespace()).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{output:?}");
    Some(String::from_utf8(output.stdout).unwrap())
}

/// The layers of one machine, with a number for each column of the script's CSV.
struct Layers {
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl Layers {
    fn column(&self, name: &str) -> Vec<f64> {
        let column = self.names.iter().position(|found| found == name).unwrap();
        self.rows.iter().map(|row| row[column]).collect()
    }

    /// What is read and written for each layer.
    fn streamed(&self) -> Vec<f64> {
        let both = self.column("read").into_iter().zip(self.column("written"));
        both.map(|(read, written)| read + written).collect()
    }
}

/// The layers of each machine, which is given as the script takes it.
fn layers(machines: impl IntoIterator<Item = impl Display>) -> Option<Vec<Layers>> {
    let options = machines.into_iter().map(|m| format!(" --machine {m}"));
    let text = simulate(&format!("--csv{}", options.collect::<String>()))?;
    // The first column is the name of the machine.
    let mut lines = text.lines().map(|line| line.split(',').skip(1));
    let names: Vec<String> = lines.next().unwrap().map(str::to_owned).collect();
    let rows: Vec<Vec<f64>> = lines
        .map(|line| line.map(|field| field.parse().unwrap()).collect())
        .collect();
    let machines = rows.chunks(LAYERS).map(|rows| Layers {
        names: names.clone(),
        rows: rows.to_vec(),
    });
    Some(machines.collect())
}

/// Whether no number of `after` is larger than that of `before`, but for rounding.
fn grows_nowhere(before: &[f64], after: &[f64]) -> bool {
    let mut pairs = before.iter().zip(after);
    before.len() == after.len() && pairs.all(|(before, after)| *after <= before * (1.0 + 1e-9))
}

#[test]
fn layers_have_as_many_boards_as_the_index_and_as_published() {
    let Some(machines) = layers(["16,128,7,5"]) else {
        return;
    };
    let boards: Vec<u64> = (machines[0].column("boards").iter())
        .map(|boards| boards.to_string().parse().unwrap())
        .collect();
    let layers = (0..=HIGHEST - 2).chain([HIGHEST]);
    let indexed = layers.map(|seeds| LayerIndex::new(Ruleset::AWARI, seeds).len());
    assert!(indexed.eq(boards.iter().copied()), "{boards:?}");
    assert_eq!(boards.last(), Some(&203_648_015_935));
    // Romein and Bal 2002, without the board at the start (docs/internals/index.md).
    assert_eq!(boards.iter().sum::<u64>(), 889_063_398_405);
}

#[test]
fn more_memory_never_reads_or_writes_more() {
    let sizes = [64, 128, 192, 256, 384, 512, 1024];
    let Some(machines) = layers(sizes.map(|size| format!("32,{size},7,5"))) else {
        return;
    };
    for (pair, sizes) in machines.windows(2).zip(sizes.windows(2)) {
        let [less, more] = pair else { unreachable!() };
        assert!(
            grows_nowhere(&less.streamed(), &more.streamed()),
            "{sizes:?}"
        );
        for name in ["solving", "seconds", "files", "mapped"] {
            let (less, more) = (less.column(name), more.column(name));
            assert!(grows_nowhere(&less, &more), "{name}, {sizes:?}");
        }
    }
}

#[test]
fn more_cores_are_never_slower() {
    let cores = [1, 2, 8, 16, 24, 32, 48, 64];
    let Some(machines) = layers(cores.map(|cores| format!("{cores},512,10,5"))) else {
        return;
    };
    for (pair, cores) in machines.windows(2).zip(cores.windows(2)) {
        let [fewer, more] = [&pair[0], &pair[1]].map(|layers| layers.column("solving"));
        assert!(grows_nowhere(&fewer, &more), "{cores:?}");
    }
}

/// `scripts/simulate-scaling --write` brings them up to date.
#[test]
fn documents_have_the_tables_of_the_script() {
    simulate("--check");
}
