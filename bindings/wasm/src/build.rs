//! Solving layers into tables in memory, with progress.

use std::cell::RefCell;
use std::fmt::Display;

use js_sys::{Array, Function, Uint8Array};
use krou::solve::{Observer, Phase, Stopped};
use krou::table::TableId;
use krou::tablebase::{BuildOptions, LayerBuilder, Tablebase};
use krou_answers::{AnswerError, Code, ErrorAnswer};
use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::MAX_BUILD_SEEDS;
use crate::endpoints::{open_files, ruleset};
use crate::json::{error, to_text};

/// A build in progress: one layer with each step.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Build {
    builder: LayerBuilder,
    present: Tablebase,
}

#[wasm_bindgen]
impl Build {
    /// A build of the layers up to `seeds` that these files lack, with distances. Supplied
    /// tables do not count, so that the stored ones need no others.
    #[wasm_bindgen(constructor)]
    pub fn new(rules: &str, seeds: u8, files: &Array) -> Result<Build, String> {
        let rules = ruleset(rules).map_err(error)?;
        if seeds > MAX_BUILD_SEEDS {
            return Err(error(AnswerError::Parameters(format!(
                "{seeds} seeds are too many to solve here: the limit is {MAX_BUILD_SEEDS}"
            ))));
        }
        let options = BuildOptions {
            distance: true,
            ..BuildOptions::new(seeds)
        };
        let (tables, _) = open_files(rules, files);
        let present = Tablebase::from_tables(rules, tables);
        Ok(Build {
            builder: LayerBuilder::new(rules, &options),
            present: present.map_err(|why| internal(&why))?,
        })
    }

    /// The layer that the next step builds; undefined after the last one.
    pub fn next_seeds(&self) -> Option<u8> {
        self.builder.next_seeds()
    }

    /// Builds a layer. Returns its new tables: for each the file name, the number of seeds
    /// and the bytes. Calls `on_progress` with the text of an object with the fields
    /// `seeds`, `phase`, `sweep`, `done` and `boards`.
    pub fn step(&mut self, on_progress: Function) -> Result<Array, String> {
        PROGRESS.set(Some(Progress::new(on_progress)));
        let built = self.builder.build_next(&self.present, &Reporter);
        PROGRESS.set(None);
        let tables = built.map_err(|why| internal(&why))?;
        Ok(tables.iter().map(file).collect())
    }
}

/// The error of a build as text.
fn internal(why: &impl Display) -> String {
    let message = format!("the layer cannot be solved: {why}");
    to_text(&ErrorAnswer::new(message, Code::Internal))
}

/// A table as an array: file name, seeds and bytes.
fn file((id, bytes): &(TableId, Vec<u8>)) -> JsValue {
    let fields: [JsValue; 3] = [
        id.file_name().into(),
        id.seeds.into(),
        Uint8Array::from(&bytes[..]).into(),
    ];
    fields.into_iter().collect::<Array>().into()
}

/// How far the work on a layer is, and whom to tell.
struct Progress {
    callback: Function,
    state: State,
    /// `done` when the page was last told.
    told: u64,
}

/// What the page is told.
#[derive(Serialize)]
struct State {
    seeds: u8,
    phase: &'static str,
    /// The sweep or round of the phase, from 1.
    sweep: u32,
    /// Boards of the sweep that are done, and all of them.
    done: u64,
    boards: u64,
}

// An observer must be shared by threads, and a callback cannot be. There is one thread.
thread_local! {
    static PROGRESS: RefCell<Option<Progress>> = const { RefCell::new(None) };
}

impl Progress {
    fn new(callback: Function) -> Progress {
        Progress {
            callback,
            state: State {
                seeds: 0,
                phase: "values",
                sweep: 1,
                done: 0,
                boards: 0,
            },
            told: 0,
        }
    }

    fn begin(&mut self, seeds: u8, phase: &'static str, boards: u64) {
        self.state = State {
            seeds,
            phase,
            sweep: 1,
            done: 0,
            boards,
        };
        self.tell();
    }

    fn tell(&mut self) {
        self.told = self.state.done;
        // What the callback throws concerns the page alone.
        let _ = self
            .callback
            .call1(&JsValue::NULL, &to_text(&self.state).into());
    }
}

fn update(change: impl FnOnce(&mut Progress)) {
    PROGRESS.with_borrow_mut(|progress| {
        if let Some(progress) = progress {
            change(progress);
        }
    });
}

/// Tells the page about a build.
#[derive(Debug)]
struct Reporter;

impl Observer for Reporter {
    fn begins(&self, seeds: u8, phase: Phase, boards: u64) {
        update(|progress| progress.begin(seeds, phase.as_str(), boards));
    }

    fn advance(&self, boards: u64) -> Result<(), Stopped> {
        update(|progress| {
            progress.state.done += boards;
            // A hundred messages a sweep are enough for a bar.
            if (progress.state.done - progress.told) * 100 >= progress.state.boards {
                progress.tell();
            }
        });
        Ok(())
    }

    fn swept(&self, sweep: u32, _: u64) {
        update(|progress| {
            progress.state.sweep = sweep + 1;
            progress.state.done = 0;
            progress.tell();
        });
    }

    fn packs(&self, id: TableId, entries: u64) {
        update(|progress| progress.begin(id.seeds, "packing", entries));
    }
}
