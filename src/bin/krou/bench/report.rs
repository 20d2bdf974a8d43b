//! The report: a row for each figure as soon as it is known, or JSON at the end.

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
use crate::system::Machine;
use crate::tell;

/// What is told of a run, in the form that programs rely on.
#[derive(Serialize)]
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
    /// Whether codecs were named, so that rows must tell which they are of.
    #[serde(skip)]
    has_codecs: bool,
    #[serde(skip)]
    json: bool,
    /// What is being done, on stderr where that is a terminal.
    #[serde(skip)]
    spinner: ProgressBar,
    /// The first answer that was wrong.
    #[serde(skip)]
    wrong: Option<String>,
}

/// A figure and whether the answers behind it were right.
#[derive(Serialize)]
struct Figure {
    name: &'static str,
    /// How tables were packed, where that matters.
    codec: Option<&'static str>,
    value: f64,
    unit: &'static str,
    floor: Option<f64>,
    aim: Option<f64>,
    checked: bool,
}

impl Report {
    /// The report of this work, as JSON or for people, with its head told.
    pub fn new(work: &Work, json: bool) -> Result<Report> {
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

    /// What is being done now.
    pub fn doing(&self, what: String) {
        self.spinner.set_message(what);
    }

    /// Adds a figure that is the same for all codecs.
    pub fn add(&mut self, measure: Measure, value: f64, check: Check) -> Result<()> {
        self.add_of(None, measure, value, check)
    }

    /// Adds a figure of tables, or of no codec.
    pub fn add_of(
        &mut self,
        codec: Option<Codec>,
        measure: Measure,
        value: f64,
        check: Check,
    ) -> Result<()> {
        // What is to be reached was said of tables as they are unless another codec
        // is named.
        let is_usual = codec.is_none_or(|codec| codec == WriteOptions::default().codec);
        let target = measure.target.filter(|_| self.has_targets && is_usual);
        let figure = Figure {
            name: measure.name,
            codec: codec.map(Codec::word),
            value: (value * 1000.0).round() / 1000.0,
            unit: measure.unit,
            floor: target.map(|target| target.floor),
            aim: target.map(|target| target.aim),
            checked: check.is_ok(),
        };
        self.print(&figure.row(self.has_codecs))?;
        self.figures.push(figure);
        self.wrong = self.wrong.take().or_else(|| check.err());
        Ok(())
    }

    /// Ends the report; exit code 1 if an answer was wrong.
    pub fn finish(self) -> Result<ExitCode> {
        self.spinner.finish_and_clear();
        if self.json {
            let mut out = io::stdout().lock();
            writeln!(out, "{}", serde_json::to_string(&self)?)?;
            out.flush()?;
        }
        if let Some(sentence) = &self.wrong {
            tell(sentence);
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
            row(["figure", "value", "floor", "aim", "unit", "answers"])
        )
    }

    /// Prints for people.
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
    fn row(&self, names_codec: bool) -> String {
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
        let answers = if self.checked { "right" } else { "WRONG" };
        let (floor, aim) = (target(self.floor), target(self.aim));
        row([&name, &value, &floor, &aim, self.unit, answers])
    }
}

fn row([name, value, floor, aim, unit, answers]: [&str; 6]) -> String {
    format!("{name:<27} {value:>8} {floor:>6} {aim:>6}  {unit:<18} {answers}\n")
}

#[cfg(test)]
mod tests {
    use super::super::measure;
    use super::*;
    use crate::system::thread_pool;

    /// One wrong answer among right ones: its figure says so, and the end is 'no'.
    #[test]
    fn a_wrong_answer_is_told_and_ends_in_no() {
        let pool = || thread_pool(Some(1)).unwrap();
        let work = Work {
            rules: Ruleset::AWARI,
            seeds: 4,
            codecs: None,
            in_memory: false,
            one: pool(),
            all: pool(),
        };
        let mut report = Report::new(&work, true).unwrap();
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
        assert!(report.figures[1].row(false).ends_with(" WRONG\n"));
        assert!(report.figures[3].row(true).ends_with(" right\n"));
        assert_eq!(report.code(), ExitCode::from(1));
    }
}
