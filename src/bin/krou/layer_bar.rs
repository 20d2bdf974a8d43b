//! A bar on stderr that counts the boards of layers, where stderr is a terminal
//! and the work takes longer than a moment.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::progress::speed;

/// What takes no longer is shown no bar.
const MOMENT: Duration = Duration::from_secs(1);

/// Follows passes over layers. It is gone when it is dropped.
pub struct LayerBar {
    bar: ProgressBar,
    since: Instant,
    is_shown: bool,
}

impl LayerBar {
    /// For so many boards; `work` says what is done with them.
    pub fn new(work: &str, seeds: u8, boards: u64) -> LayerBar {
        let bar = ProgressBar::with_draw_target(Some(boards), ProgressDrawTarget::hidden());
        let style =
            ProgressStyle::with_template("{msg} {bar:24} {percent:>3} % {speed:>16} {eta:>4} left");
        let style = style.expect("a sound template");
        bar.set_style(style.with_key("speed", speed(1)));
        bar.set_message(format!("{seeds} seeds: {work}"));
        LayerBar {
            bar,
            since: Instant::now(),
            is_shown: false,
        }
    }

    /// So many boards more are done.
    pub fn advance(&mut self, boards: u64) {
        self.bar.inc(boards);
        if !self.is_shown && self.since.elapsed() >= MOMENT {
            // It stays hidden where stderr is no terminal.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.is_shown = true;
        }
    }

    /// Prints without disturbing the bar.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Drop for LayerBar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
