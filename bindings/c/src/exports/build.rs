//! Building tables.

#![allow(unsafe_code)]

use std::ffi::{CString, c_char, c_int};
use std::time::Duration;

use krou::rules::MAX_SEEDS;
use krou::solve::default_memory_limit;
use krou::table::Codec;
use krou::tablebase::BuildOptions;

use crate::border::codes::Failure;
use crate::border::guard::guarded;
use crate::border::pointers::{optional, shared, versioned};
use crate::border::text::{path, ruleset, text};
use crate::objects::build::{Progress, build};
use crate::objects::krou_stop;
use crate::types::{krou_build_options, krou_progress};

/// Solves all layers up to a number of seeds that a folder does not have yet, and writes
/// their tables.
///
/// PARAMETERS
///   rules    name of the ruleset; null: "awari"
///   folder   the folder of tables, as in krou_open; it is created if it does not exist
///   seeds    the highest layer, at most 48
///   options  the options; null: the defaults
///
/// RETURN
///   KROU_OK; KROU_E_STOPPED if it was stopped; KROU_E_FOLDER if the folder cannot be
///   written; KROU_E_BUSY if another build is at work there; KROU_E_MEMORY if a layer does
///   not fit into the memory, before any work; KROU_E_TABLE if a table cannot be read or
///   written; KROU_E_ARGUMENT; KROU_E_RULES; KROU_E_SIZE; KROU_E_TEXT; KROU_E_NULL.
///
/// NOTES
///   A layer appears in the folder only when it is complete. Finished layers stay whatever
///   happens, and the next call resumes after them. Tables that are open do not notice new
///   layers: open the folder again. A stop by `on_progress` counts as a request of
///   `options->stop`, too.
///
/// THREADS
///   Any thread may call it at any time, for different folders. `options->on_progress` is
///   called by the thread that calls this function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn krou_build(
    rules: *const c_char,
    folder: *const c_char,
    seeds: u32,
    options: *const krou_build_options,
) -> c_int {
    guarded(|| {
        // SAFETY: promised by the caller.
        let (rules, folder, options) = unsafe {
            (
                ruleset(rules)?,
                path(folder, "folder")?,
                optional(options, || versioned(options, "options"))?,
            )
        };
        let seeds = u8::try_from(seeds).unwrap_or(u8::MAX);
        if seeds > MAX_SEEDS {
            return Err(Failure::argument(format!(
                "'seeds' is too large: at most {MAX_SEEDS} are possible"
            )));
        }
        let mut build_options = BuildOptions {
            memory: default_memory_limit(),
            ..BuildOptions::new(seeds)
        };
        let Some(options) = options else {
            let stop = krou_stop::default();
            let on_progress = &mut |_| true;
            return build(rules, folder, &build_options, 0, &stop, on_progress);
        };
        // SAFETY: promised by the caller.
        let (codec, stop) = unsafe {
            (
                optional(options.codec, || text(options.codec, "options->codec"))?,
                optional(options.stop, || shared(options.stop, "options->stop"))?,
            )
        };
        set_options(&mut build_options, &options, codec)?;
        let stop = stop.map_or_else(krou_stop::default, krou_stop::clone);
        let mut on_progress = |progress: Progress| match options.on_progress {
            None => true,
            Some(on_progress) => {
                let phase = CString::new(progress.phase).unwrap_or_default();
                let progress = krou_progress {
                    size: size_of::<krou_progress>(),
                    done: progress.done,
                    total: progress.total,
                    phase: phase.as_ptr(),
                    seeds: progress.seeds.into(),
                };
                // SAFETY: the caller promises that it is such a function, and that it
                // returns.
                unsafe { on_progress(&raw const progress, options.user) == 0 }
            }
        };
        let (threads, on_progress) = (options.threads, &mut on_progress);
        build(rules, folder, &build_options, threads, &stop, on_progress)
    })
}

/// Takes over what the caller has set.
fn set_options(
    build: &mut BuildOptions,
    options: &krou_build_options,
    codec: Option<&str>,
) -> Result<(), Failure> {
    if let Some(codec) = codec {
        let codec = codec.parse::<Codec>();
        build.write = codec.map_err(Failure::argument)?.into();
    }
    if options.memory > 0 {
        build.memory = Some(options.memory);
    }
    if options.checkpoint_seconds > 0 {
        build.checkpoint = Some(Duration::from_secs(options.checkpoint_seconds.into()));
    }
    build.distance = options.distance != 0;
    Ok(())
}
