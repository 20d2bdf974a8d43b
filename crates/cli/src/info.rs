//! `krou info`: the headers of tables.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use krou::internal::table::manifest;
use krou::solve::Observer;
use krou::table::{Table, TableError, table_files};
use serde_json::{Value, json};

use crate::folder_args::{FolderArgs, OutputFolderArgs};
use crate::messages::{exit_code, one_line, print_json, print_message, print_text};
use crate::progress::{LayerBar, bits_a_board};

/// Options of `krou info`.
#[derive(Args)]
pub struct InfoArgs {
    /// Tables, or folders of tables [default: the folder of tables].
    #[arg(value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
    /// Print JSON.
    #[arg(long, short)]
    json: bool,
    /// Print a manifest: CSV that `krou verify --manifest` compares tables with.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Read whole tables and check the checksums of all blocks, not only those of header
    /// and directory.
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    tables: OutputFolderArgs,
}

/// The header of a table for programs.
fn object(path: &Path, table: &Table) -> Value {
    let id = table.id();
    json!({
        "file": path.display().to_string(), "rules": id.rules.to_string(), "seeds": id.seeds,
        "kind": id.kind.as_str(), "codec": table.codec().as_str(), "version": table.version(),
        "boards": table.entries(), "stored": table.stored_entries(),
        "blocks": table.block_count(), "bytes": table.stored_bytes(),
        "hash": manifest::hash_of(table),
    })
}

/// Prints a line for each table; exit code 1 if one is damaged.
pub fn run(args: &InfoArgs) -> Result<ExitCode> {
    let mut is_right = true;
    let mut tables = Vec::new();
    for path in files(args)? {
        let opened = Table::open(&path);
        match opened.and_then(|table| check(args, &table).map(|()| table)) {
            Ok(table) => tables.push((path, table)),
            Err(error) => {
                print_message(&error.to_string());
                is_right = false;
            }
        }
    }
    if args.json {
        for (path, table) in &tables {
            print_json(&object(path, table))?;
        }
    } else if args.csv {
        print_text(&manifest::text(tables.iter().map(|(_, table)| table)))?;
    } else if !tables.is_empty() {
        print_text(&listing(&tables))?;
    }
    Ok(exit_code(is_right))
}

/// The named files and those in the named folders, by name.
fn files(args: &InfoArgs) -> Result<Vec<PathBuf>> {
    if args.paths.is_empty() {
        return tables_of(&args.tables.folder());
    }
    let mut files = Vec::new();
    for path in &args.paths {
        if path.is_dir() {
            files.extend(tables_of(path)?);
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

/// The tables of a folder, by name.
fn tables_of(folder: &Path) -> Result<Vec<PathBuf>> {
    let name = one_line(&folder.display().to_string());
    let mut tables = Vec::new();
    if folder.is_dir() {
        tables = table_files(folder).with_context(|| format!("cannot read the folder {name}"))?;
    }
    if tables.is_empty() {
        let option = FolderArgs::at([folder.to_path_buf()]).option();
        bail!("there are no tables in {name}: build some with 'krou build --seeds 12{option}'");
    }
    Ok(tables)
}

fn check(args: &InfoArgs, table: &Table) -> Result<(), TableError> {
    if !args.check {
        return Ok(());
    }
    let bar = LayerBar::new("checking", table.id().seeds, table.stored_entries());
    table.check_with(&|entries| Observer::advance(&bar, entries))
}

/// A row for each table, those of a folder together.
fn listing(tables: &[(PathBuf, Table)]) -> String {
    let rows = tables.iter().map(|(path, table)| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let own = table.id().file_name();
        let name = match name == own {
            true => own,
            false => format!("{} ({own})", one_line(&name)),
        };
        let (bytes, boards) = (table.stored_bytes(), table.entries());
        let bits = bits_a_board(bytes, boards);
        let codec = table.codec().to_string();
        [
            name,
            codec,
            boards.to_string(),
            bytes.to_string(),
            bits,
            manifest::hash_of(table),
        ]
    });
    let rows: Vec<[String; 6]> = rows.collect();
    let head = ["table", "codec", "boards", "bytes", "bits", "hash"].map(str::to_owned);
    let width = |column: usize| {
        let cells = rows
            .iter()
            .chain([&head])
            .map(|row| row[column].chars().count());
        cells.max().unwrap_or_default()
    };
    let widths: [usize; 6] = std::array::from_fn(width);
    let line = |row: &[String; 6]| {
        let [name, codec, boards, bytes, bits, hash] = row;
        let [a, b, c, d, e, _] = widths;
        format!("{name:a$}  {codec:b$}  {boards:>c$}  {bytes:>d$}  {bits:>e$}  {hash}\n")
    };
    let mut text = String::new();
    let mut folder = None;
    for ((path, _), row) in tables.iter().zip(&rows) {
        if folder != path.parent() {
            folder = path.parent();
            let name = folder.filter(|name| !name.as_os_str().is_empty());
            let name = name.map(|name| one_line(&name.display().to_string()));
            text += &name.map(|name| format!("{name}:\n")).unwrap_or_default();
            text += &line(&head);
        }
        text += &line(row);
    }
    text
}
