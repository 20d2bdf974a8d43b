//! The program `krou`, all of which is in the library beside it.

use std::process::ExitCode;

fn main() -> ExitCode {
    krou_cli::run()
}
