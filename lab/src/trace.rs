//! `krou-lab trace`: a build whose spans are recorded in Chrome's trace event format, one
//! event a line. Programs such as Perfetto show them, and `lab/simulate-cores` computes from
//! them how long the build would take on other numbers of cores.

use std::fmt::Debug;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use clap::Args;
use krou::solve::{Silent, default_memory_limit};
use krou::tablebase::{BuildOptions, build};
use rayon::ThreadPoolBuilder;
use serde_json::{Map, Value, json};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Subscriber, subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry::{LookupSpan, Registry};

use crate::RulesArgs;

/// The tables are the same without a record.
#[derive(Args)]
pub struct TraceArgs {
    /// File of the trace.
    trace: PathBuf,
    /// Folder of the tables.
    #[arg(long = "dir", short = 'd', value_name = "DIR")]
    folder: PathBuf,
    #[arg(long, short, value_name = "N")]
    seeds: u8,
    /// Build distances too.
    #[arg(long)]
    distance: bool,
    /// Number of threads [default: one for each core].
    #[arg(
        long,
        short,
        value_name = "T",
        default_value_t = 0,
        hide_default_value = true
    )]
    threads: usize,
    #[command(flatten)]
    rules: RulesArgs,
}

pub fn run(args: &TraceArgs) -> Result<()> {
    let options = BuildOptions::new(args.seeds)
        .with_distance(args.distance)
        .with_memory(default_memory_limit());
    let pool = ThreadPoolBuilder::new().num_threads(args.threads).build()?;
    let trace = Trace::begin(&args.trace)?;
    pool.install(|| build(args.rules.rules, &args.folder, &options, &Silent))?;
    trace.finish()
}

/// A trace that is being recorded, of all threads of the program.
#[must_use = "a trace that is not finished lacks its end"]
struct Trace {
    path: PathBuf,
    recorder: Recorder,
}

impl Trace {
    /// Begins to record into a new file. A program can do so once.
    fn begin(path: &Path) -> Result<Trace> {
        let file = File::create(path);
        let file = file.with_context(|| format!("cannot write the trace {}", path.display()))?;
        let recorder = Recorder {
            start: Instant::now(),
            output: Arc::new(Mutex::new(Output {
                file: BufWriter::new(file),
                has_events: false,
                failed: None,
            })),
        };
        subscriber::set_global_default(Registry::default().with(recorder.clone()))?;
        let path = path.to_path_buf();
        Ok(Trace { path, recorder })
    }

    /// Ends the file; says why, if some of it could not be written.
    fn finish(self) -> Result<()> {
        let mut output = self.recorder.lock();
        output.write(|file| file.write_all(b"\n]\n").and_then(|()| file.flush()));
        match output.failed.take() {
            Some(error) => {
                let incomplete = || format!("the trace {} is not complete", self.path.display());
                Err(error).with_context(incomplete)
            }
            None => Ok(()),
        }
    }
}

/// Writes an event for each span that ends.
#[derive(Clone)]
struct Recorder {
    start: Instant,
    output: Arc<Mutex<Output>>,
}

struct Output {
    file: BufWriter<File>,
    has_events: bool,
    /// Why nothing more is written. The build goes on.
    failed: Option<io::Error>,
}

impl Output {
    fn write(&mut self, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) {
        if self.failed.is_none() {
            self.failed = write(&mut self.file).err();
        }
    }

    fn event(&mut self, event: &Value) {
        let before = if self.has_events { ",\n" } else { "[\n" };
        self.write(|file| write!(file, "{before}{event}"));
        self.has_events = true;
    }
}

/// A span that has not ended: its fields, and when it began.
struct Open {
    fields: Map<String, Value>,
    time: Instant,
    /// Processor time of the thread, if the system tells it.
    cpu: Option<Duration>,
}

impl Recorder {
    fn lock(&self) -> MutexGuard<'_, Output> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The event of a span that ends now.
    fn event(&self, kind: &str, open: Open) -> Value {
        let Open {
            mut fields,
            time,
            cpu,
        } = open;
        let thread = rayon::current_thread_index().map_or(0, |index| index + 1);
        let mut event = json!({
            "name": fields.remove("name").unwrap_or_default(),
            "cat": kind,
            "ph": "X",
            "pid": 1,
            "tid": thread,
            "ts": microseconds(time - self.start),
            "dur": microseconds(time.elapsed()),
        });
        if let Some((before, now)) = cpu.zip(thread_cpu_time()) {
            event["tts"] = microseconds(before);
            event["tdur"] = microseconds(now.saturating_sub(before));
        }
        if !fields.is_empty() {
            event["args"] = fields.into();
        }
        event
    }
}

/// As the format has them, rounded to nanoseconds.
#[allow(clippy::cast_precision_loss)] // exact for a hundred days
fn microseconds(time: Duration) -> Value {
    json!(time.as_nanos() as f64 / 1e3)
}

impl<S: Subscriber + for<'s> LookupSpan<'s>> Layer<S> for Recorder {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut fields = Fields(Map::new());
        attributes.record(&mut fields);
        if let Some(span) = context.span(id) {
            span.extensions_mut().insert(Open {
                fields: fields.0,
                time: Instant::now(),
                cpu: thread_cpu_time(),
            });
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        if let Some(span) = context.span(id)
            && let Some(open) = span.extensions_mut().get_mut::<Open>()
        {
            let mut fields = Fields(std::mem::take(&mut open.fields));
            values.record(&mut fields);
            open.fields = fields.0;
        }
    }

    fn on_exit(&self, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        if let Some(open) = span.extensions_mut().remove::<Open>() {
            let event = self.event(span.name(), open);
            self.lock().event(&event);
        }
    }
}

/// The fields of a span by name.
struct Fields(Map<String, Value>);

impl Visit for Fields {
    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let text = format!("{value:?}");
        self.0.insert(field.name().to_owned(), text.into());
    }
}

/// The processor time of this thread so far, where the system is of the Unix family.
fn thread_cpu_time() -> Option<Duration> {
    #[cfg(unix)]
    return Duration::try_from(rustix::time::clock_gettime(
        rustix::time::ClockId::ThreadCPUTime,
    ))
    .ok();
    #[cfg(not(unix))]
    None
}
