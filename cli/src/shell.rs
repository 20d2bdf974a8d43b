//! `krou completions` and `krou man`: files for shells and for `man`, generated from the
//! definition of the command line.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Args, Command};
use clap_complete::Shell;

use crate::messages::one_line;

/// Options of `krou completions`.
#[derive(Args)]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

/// Prints the completions for a shell.
pub fn completions(args: &CompletionsArgs, mut program: Command) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "krou", &mut script);
    io::Write::write_all(&mut io::stdout(), &script)?;
    Ok(ExitCode::SUCCESS)
}

/// Options of `krou man`.
#[derive(Args)]
pub struct ManArgs {
    /// Folder to write the pages to; it is created if it is not there.
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
}

/// Writes a page for the program and one for each command.
pub fn man(args: &ManArgs, program: Command) -> Result<ExitCode> {
    let name = one_line(&args.out.display().to_string());
    let context = || format!("cannot write the pages to {name}");
    std::fs::create_dir_all(&args.out).with_context(context)?;
    clap_mangen::generate_to(program, &args.out).with_context(context)?;
    Ok(ExitCode::SUCCESS)
}
