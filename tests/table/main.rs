//! Tables on disk, from outside: `docs/format.md`, byte by byte.

mod golden;
mod hostile;
mod round_trip;
mod support;
mod writing;
