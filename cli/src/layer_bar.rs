//! A progress bar for passes over layers, shown on stderr if that is a terminal and
//! the work takes longer than a second.

use std::sync::Once;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use krou::solve::Observer;

use crate::progress::speed;

/// How long the work goes on before the bar appears.
const DELAY: Duration = Duration::from_secs(1);

/// Shows the progress of passes over layers. Dropping it clears the bar.
pub struct LayerBar {
    bar: ProgressBar,
    since: Instant,
    show: Once,
}

impl LayerBar {
    /// A bar for this many boards; `work` names the work.
    pub fn new(work: &str, seeds: u8, boards: u64) -> LayerBar {
        let bar = ProgressBar::with_draw_target(Some(boards), ProgressDrawTarget::hidden());
        let style =
            ProgressStyle::with_template("{msg} {bar:24} {percent:>3} % {speed:>16} {eta:>4} left");
        let style = style.expect("the template is valid");
        bar.set_style(style.with_key("speed", speed(1)));
        bar.set_message(format!("{seeds} seeds: {work}"));
        LayerBar {
            bar,
            since: Instant::now(),
            show: Once::new(),
        }
    }

    /// Prints without disturbing the bar.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Observer for LayerBar {
    fn advance(&self, boards: u64) {
        self.bar.inc(boards);
        if self.since.elapsed() >= DELAY {
            // It stays hidden if stderr is not a terminal.
            let show = || self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.show.call_once(show);
        }
    }
}

impl Drop for LayerBar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
