//! `krou completions` and `krou man`: files for shells and for `man`, generated from the
//! definition of the command line.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Args, Command};
use clap_complete::Shell;

use crate::help::manual_page;
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
    let mut program = program.disable_help_subcommand(true);
    program.build();
    for command in std::iter::once(&program).chain(program.get_subcommands()) {
        let name = command.get_display_name().unwrap_or("krou");
        let page = manual_page(command).with_context(context)?;
        std::fs::write(args.out.join(format!("{name}.1")), page).with_context(context)?;
    }
    Ok(ExitCode::SUCCESS)
}
