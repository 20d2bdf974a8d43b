//! The report: a row for each figure as it is measured, or JSON at the end.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use indicatif::{HumanBytes, HumanCount, ProgressBar};
use krou::index::LayerIndex;
use krou::rules::Ruleset;
use krou::table::{Codec, WriteOptions};
use serde::Serialize;

use super::measure::Measure;
use super::{Check, RUNS, Work};
use crate::messages::print_message;
use crate::system::Machine;

/// The report of a run. Programs rely on its JSON.
#[derive(Serialize)]
#[allow(clippy::struct_excessive_bools)]
pub struct Report {
    krou: &'static str,
    machine: Machine,
    rules: String,
    seeds: u8,
    boards: u64,
    threads: usize,
    figures: Vec<Figure>,
    #[serde(skip)]
    has_targets: bool,
    /// Whether rows include the codec, because several may be measured.
    #[serde(skip)]
    has_codecs: bool,
    /// Whether rows include the targets.
    #[serde(skip)]
    shows_targets: bool,
    #[serde(skip)]
    json: bool,
    /// The current work, on stderr if that is a terminal.
    #[serde(skip)]
    spinner: ProgressBar,
    /// The first wrong result.
    #[serde(skip)]
    wrong: Option<String>,
}

/// A figure, and whether the results behind it were right.
#[derive(Serialize)]
struct Figure {
    name: &'static str,
    /// The codec of the tables, if it matters.
    codec: Option<&'static str>,
    value: f64,
    unit: &'static str,
    floor: Option<f64>,
    aim: Option<f64>,
    checked: bool,
}

impl Report {
    /// Starts a report of this work, as JSON or as text, and prints its head.
    pub fn new(work: &Work, json: bool, shows_targets: bool) -> Result<Report> {
        let report = Report {
            krou: env!("CARGO_PKG_VERSION"),
            machine: Machine::new(),
            rules: work.rules.to_string(),
            seeds: work.seeds,
            boards: LayerIndex::new(work.rules, work.seeds).len(),
            threads: work.all.current_num_threads(),
            figures: Vec::new(),
            has_targets: work.rules == Ruleset::AWARI,
            has_codecs: work.codecs.is_some(),
            shows_targets,
            json,
            spinner: ProgressBar::new_spinner(),
            wrong: None,
        };
        report.print(&report.head())?;
        report
            .spinner
            .enable_steady_tick(Duration::from_millis(200));
        Ok(report)
    }

    /// Shows the current work.
    pub fn doing(&self, what: String) {
        self.spinner.set_message(what);
    }

    /// Adds a figure that does not depend on a codec.
    pub fn add(&mut self, measure: Measure, value: f64, check: Check) -> Result<()> {
        self.add_of(None, measure, value, check)
    }

    /// Adds a figure for a codec, or for none.
    pub fn add_of(
        &mut self,
        codec: Option<Codec>,
        measure: Measure,
        value: f64,
        check: Check,
    ) -> Result<()> {
        // The targets are for the default codec.
        let is_default = codec.is_none_or(|codec| codec == WriteOptions::default().codec);
        let target = measure.target.filter(|_| self.has_targets && is_default);
        let figure = Figure {
            name: measure.name,
            codec: codec.map(Codec::word),
            value: (value * 1000.0).round() / 1000.0,
            unit: measure.unit,
            floor: target.map(|target| target.floor),
            aim: target.map(|target| target.aim),
            checked: check.is_ok(),
        };
        self.print(&figure.row(self.has_codecs, self.shows_targets))?;
        self.figures.push(figure);
        self.wrong = self.wrong.take().or_else(|| check.err());
        Ok(())
    }

    /// Ends the report; exit code 1 if a result was wrong.
    pub fn finish(self) -> Result<ExitCode> {
        self.spinner.finish_and_clear();
        if self.json {
            let mut out = io::stdout().lock();
            writeln!(out, "{}", serde_json::to_string(&self)?)?;
            out.flush()?;
        }
        if let Some(sentence) = &self.wrong {
            print_message(sentence);
        }
        Ok(self.code())
    }

    fn code(&self) -> ExitCode {
        match self.wrong {
            None => ExitCode::SUCCESS,
            Some(_) => ExitCode::from(1),
        }
    }

    fn head(&self) -> String {
        let Machine {
            cpu,
            cores,
            memory,
            system,
        } = &self.machine;
        let memory = memory.map(|bytes| format!(", {} of memory", HumanBytes(bytes)));
        format!(
            "krou {}, {}, {} seeds ({} boards), threads: {}, best of {RUNS} runs\n{cpu}, cores: {cores}{}, {system}\n\n{}",
            self.krou,
            self.rules,
            self.seeds,
            HumanCount(self.boards),
            self.threads,
            memory.unwrap_or_default(),
            row(
                ["figure", "value", "floor", "aim", "unit", "results"],
                self.shows_targets
            )
        )
    }

    /// Prints text, unless the report is JSON.
    fn print(&self, text: &str) -> io::Result<()> {
        if self.json {
            return Ok(());
        }
        self.spinner.suspend(|| {
            let mut out = io::stdout().lock();
            out.write_all(text.as_bytes())?;
            out.flush()
        })
    }
}

impl Figure {
    fn row(&self, names_codec: bool, shows_targets: bool) -> String {
        let name = match self.codec.filter(|_| names_codec) {
            Some(codec) => format!("{}, {codec}", self.name),
            None => self.name.to_owned(),
        };
        let target =
            |goal: Option<f64>| goal.map_or_else(|| "-".to_owned(), |goal| goal.to_string());
        let value = match self.value {
            ..1.0 => format!("{:.3}", self.value),
            1000.0.. => format!("{:.0}", self.value),
            _ => format!("{:.2}", self.value),
        };
        let results = if self.checked { "right" } else { "WRONG" };
        let (floor, aim) = (target(self.floor), target(self.aim));
        row(
            [&name, &value, &floor, &aim, self.unit, results],
            shows_targets,
        )
    }
}

fn row([name, value, floor, aim, unit, results]: [&str; 6], shows_targets: bool) -> String {
    let targets = match shows_targets {
        true => format!(" {floor:>6} {aim:>6}"),
        false => String::new(),
    };
    format!("{name:<27} {value:>8}{targets}  {unit:<18} {results}\n")
}

#[cfg(test)]
mod tests {
    use super::super::measure;
    use super::*;
    use crate::args::thread_pool;

    #[test]
    fn wrong_results_are_reported_and_set_the_exit_code() {
        let pool = || thread_pool(Some(1)).unwrap();
        let work = Work {
            rules: Ruleset::AWARI,
            seeds: 4,
            codecs: None,
            in_memory: false,
            one: pool(),
            all: pool(),
        };
        let mut report = Report::new(&work, true, false).unwrap();
        report.add(measure::VALUES, 16.0, Ok(())).unwrap();
        assert_eq!(report.wrong, None);
        let check = Err("first".to_owned());
        report.add(measure::PACK, 20.0, check).unwrap();
        let check = Err("second".to_owned());
        report.add(measure::BITS, 3.0, check).unwrap();
        report.add(measure::NEAR_PROBE, 0.25, Ok(())).unwrap();
        assert_eq!(report.wrong.as_deref(), Some("first"));
        let checked: Vec<bool> = report.figures.iter().map(|f| f.checked).collect();
        assert_eq!(checked, [true, false, false, true]);
        assert!(report.figures[1].row(false, true).ends_with(" WRONG\n"));
        assert!(report.figures[3].row(true, false).ends_with(" right\n"));
        assert_eq!(report.code(), ExitCode::from(1));
    }
}
