//! Progress bars on stderr if that is a terminal: [`Progress`] for builds, verification and
//! repacking, which also prints a line on stdout for each finished table, and [`LayerBar`]
//! for passes over layers.

use std::fmt::Write as _;
use std::mem;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

use indicatif::style::ProgressTracker;
use indicatif::{
    HumanBytes, HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};
use krou::rules::Ruleset;
use krou::solve::Meter;
use krou::solve::{Observer, Phase, Stopped};
use krou::table::TableId;
use krou::tablebase::BuildOptions;
use serde_json::{Value, json};

use crate::build_stats::BuildStats;
use crate::messages::{print_json, print_note, print_text};
use crate::system::check_threads;

/// The bits of a table for each of its boards. With few boards the header dominates, and they
/// are not shown.
#[allow(clippy::cast_precision_loss)]
pub fn bits_a_board(bytes: u64, boards: u64) -> String {
    match boards {
        1000.. => format!("{:.2}", 8.0 * bytes as f64 / boards as f64),
        _ => "-".to_owned(),
    }
}

/// Follows a build or a verification.
///
/// The bar counts visits of boards, sweep after sweep. The total is an estimate when
/// layers are solved, so the bar is corrected at the end of each layer.
pub struct Progress {
    bar: ProgressBar,
    meter: Meter,
    json: bool,
    /// Ends the work when it is set.
    stop: Option<&'static AtomicBool>,
    state: Mutex<State>,
}

struct State {
    seeds: u8,
    phase: &'static str,
    boards: u64,
    /// When the work on the current layer began.
    since: Instant,
    /// The tables that were built, for programs.
    built: Vec<Value>,
    stats: Option<BuildStats>,
}

impl Progress {
    /// For a build with these options; with statistics if there are any to fill.
    pub fn build(rules: Ruleset, options: &BuildOptions, stats: Option<BuildStats>) -> Progress {
        let progress = Progress::of_steps(options.steps(rules), options.visits(rules));
        progress.lock().stats = stats;
        progress
    }

    /// With `json`, no lines are printed, and a build ends with an object.
    pub fn with_json(self, json: bool) -> Progress {
        Progress { json, ..self }
    }

    /// The work ends when `stop` is set.
    pub fn with_stop(self, stop: &'static AtomicBool) -> Progress {
        let stop = Some(stop);
        Progress { stop, ..self }
    }

    /// For work with these numbers of steps for the layers from 0 seeds on, `visits` for
    /// each board.
    pub fn of_steps(steps: Vec<u64>, visits: u64) -> Progress {
        let meter = Meter::new(steps);
        let bar = ProgressBar::new(meter.total());
        let style = style("{msg:35!} [{wide_bar}] {percent:>3} % {speed:>16} {eta:>4} left");
        bar.set_style(style.with_key("speed", speed(visits)));
        // It is seen to go on while the work makes no progress.
        if !bar.is_hidden() && check_threads(1).is_ok() {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Progress {
            bar,
            meter,
            json: false,
            stop: None,
            state: Mutex::new(State {
                seeds: 0,
                phase: "",
                boards: 0,
                since: Instant::now(),
                built: Vec::new(),
                stats: None,
            }),
        }
    }

    /// Prints without disturbing the bar.
    pub fn suspend(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    /// Prints the summary of a build, and the rest of its statistics with what the ranks have
    /// sent to one another.
    pub fn finish(&self, folder: &Path, note: &str, sent: &[u64]) {
        self.bar.finish_and_clear();
        self.print(&self.count(|stats| stats.finish(sent)));
        let built = mem::take(&mut self.lock().built);
        let folder = folder.display();
        if self.json {
            // The tables are complete even if the object cannot be written.
            let _ = print_json(&json!({"folder": folder.to_string(), "tables": built}));
            return;
        }
        let words = match built.len() {
            0 => format!("nothing to do: every table is in {folder} already{note}"),
            1 => format!("1 table built in {folder}"),
            tables => format!("{tables} tables built in {folder}"),
        };
        print_note(&words);
    }

    /// Removes the bar.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Tells the statistics of an event, if there are any.
    fn count<T: Default>(&self, event: impl FnOnce(&mut BuildStats) -> T) -> T {
        self.lock().stats.as_mut().map(event).unwrap_or_default()
    }

    /// Prints on stdout.
    fn print(&self, text: &str) {
        if !self.json {
            // The tables matter more than the output: a closed pipe is ignored.
            let _ = self.bar.suspend(|| print_text(text));
        }
    }

    /// Prints a note on stderr.
    fn note(&self, words: &str) {
        self.bar.suspend(|| print_note(words));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is for display only; a panic elsewhere does not spoil it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self, seeds: u8, phase: &'static str, boards: u64) {
        let mut state = self.lock();
        if state.seeds != seeds {
            state.since = Instant::now();
        }
        (state.seeds, state.phase, state.boards) = (seeds, phase, boards);
        self.meter.enter(seeds);
        self.bar.set_position(self.meter.position());
        self.bar.set_message(format!("{seeds} seeds: {phase}"));
    }
}

/// A style of bars, which every terminal can show.
pub fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template);
    style.expect("the template is valid").progress_chars("=> ")
}

/// Boards finished in a second, for a bar that counts this many visits of each.
#[allow(clippy::cast_precision_loss)]
fn speed(visits: u64) -> impl ProgressTracker {
    move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let boards = state.per_sec() / visits as f64;
        // The work goes on even if the terminal cannot be written to.
        let _ = write!(out, "{:.1} M boards/s", boards / 1e6);
    }
}

impl Observer for Progress {
    fn begins(&self, seeds: u8, phase: Phase, boards: u64) {
        self.print(&self.count(|stats| stats.begins(seeds, phase, boards)));
        self.enter(seeds, phase.as_str(), boards);
    }

    fn resumes(&self, seeds: u8, phase: Phase) {
        let phase = phase.as_str();
        self.note(&format!("{seeds} seeds: {phase} resumed from a checkpoint"));
    }

    fn rejects_checkpoint(&self, checkpoint: &Path, reason: &str) {
        let file = checkpoint.display();
        self.note(&format!("{file} is ignored: {reason}"));
    }

    fn advance(&self, boards: u64) -> Result<(), Stopped> {
        self.meter.advance(boards);
        self.bar.set_position(self.meter.position());
        self.stop.map_or(Ok(()), |stop| stop.advance(boards))
    }

    #[allow(clippy::cast_precision_loss)]
    fn swept(&self, sweep: u32, changes: u64) {
        self.count(|stats| stats.swept(changes));
        let state = self.lock();
        let mut message = format!("{} seeds: {}, sweep {sweep}", state.seeds, state.phase);
        let share = 100.0 * changes as f64 / state.boards.max(1) as f64;
        // Writing to a string cannot fail.
        let _ = write!(message, " ({share:.2} %)");
        self.bar.set_message(message);
    }

    fn spilled(&self, bytes: u64) {
        self.count(|stats| stats.spilled(bytes));
    }

    fn worklist_round(&self, _: u32, changes: u64) {
        self.count(|stats| stats.worklist_round(changes));
    }

    fn present(&self, seeds: u8) {
        self.count(BuildStats::stops);
        self.enter(seeds, "already there", 0);
    }

    fn without_lock(&self) {
        self.note("the file system has no locks: let no other krou build or repack in this folder");
    }

    fn without_distances(&self, seeds: u8) {
        self.note(&format!(
            "{seeds} seeds: no distance table, because a distance exceeds what tables can hold"
        ));
    }

    fn packs(&self, id: TableId, entries: u64) {
        self.count(BuildStats::packs);
        self.enter(id.seeds, "packing", entries);
    }

    fn built(&self, id: TableId, entries: u64, bytes: u64) {
        self.count(BuildStats::stops);
        let mut state = self.lock();
        let seconds = state.since.elapsed().as_secs_f64();
        let name = id.file_name();
        let table = json!({"table": name, "boards": entries, "bytes": bytes, "seconds": seconds});
        state.built.push(table);
        drop(state);
        let bits = bits_a_board(bytes, entries);
        // Lines fit a terminal of 80 columns.
        let width = 40_usize.saturating_sub(name.len());
        self.print(&format!(
            "{name}{:>width$} boards {:>10} {bits:>5} bits {seconds:>7.2} s\n",
            format!(" {}", HumanCount(entries)),
            HumanBytes(bytes).to_string(),
        ));
    }
}

/// How long the work goes on before the bar appears.
const DELAY: Duration = Duration::from_secs(1);

/// Shows the progress of passes over layers, once they have taken a second. Dropping it clears
/// the bar.
pub struct LayerBar {
    bar: ProgressBar,
    since: Instant,
    show: Once,
}

impl LayerBar {
    /// A bar for this many boards; `work` names the work.
    pub fn new(work: &str, seeds: u8, boards: u64) -> LayerBar {
        let template = "{msg} [{wide_bar}] {percent:>3} % {speed:>16} {eta:>4} left";
        let bar = LayerBar::of_steps(template, boards);
        bar.bar.set_message(format!("{seeds} seeds: {work}"));
        bar
    }

    /// A bar for this many steps.
    pub fn of_steps(template: &str, steps: u64) -> LayerBar {
        let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::hidden());
        bar.set_style(style(template).with_key("speed", speed(1)));
        LayerBar {
            bar,
            since: Instant::now(),
            show: Once::new(),
        }
    }

    /// Some more boards or steps are done.
    pub fn advance(&self, steps: u64) {
        self.bar.inc(steps);
        if self.since.elapsed() >= DELAY {
            // It stays hidden if stderr is not a terminal.
            let show = || self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.show.call_once(show);
        }
    }

    /// Prints without disturbing the bar.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Observer for LayerBar {
    fn advance(&self, boards: u64) -> Result<(), Stopped> {
        LayerBar::advance(self, boards);
        Ok(())
    }
}

impl Drop for LayerBar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
