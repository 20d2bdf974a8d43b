//! `krou site`: the page without a server, as a folder of plain files.
//!
//! The files are those of the served page, with modules in place of the server. The page is
//! changed in its head only; the service worker gets the list of files.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use xxhash_rust::xxh3::Xxh3;

use crate::files::has_entries;
use crate::messages::{one_line, print_text};
use crate::web_files::{FILES, HEAD, MANIFEST, PAGE, SERVICE_WORKER, folder, in_folder};

/// Options of `krou site`.
#[derive(Args)]
pub struct SiteArgs {
    /// Folder to write, which must be new or empty.
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
    /// Folder of tables on a web host, such as `https://example.org/tables/`, or beside the page,
    /// such as `tables/`.
    ///
    /// The page reads parts of them as they are needed, and keeps them in the browser. The
    /// host must allow pages of other addresses to read (see docs/hosting.md).
    #[arg(long, value_name = "URL", value_parser = host)]
    tables: Option<String>,
    /// Write into a folder that is not empty, and overwrite files of the same names.
    #[arg(long)]
    force: bool,
}

/// A file of the site: its path with `/`, and its bytes.
type SiteFile = (String, Vec<u8>);

/// Writes the folder.
pub fn run(args: &SiteArgs) -> Result<ExitCode> {
    let folder = &args.out;
    if !args.force && has_entries(folder)? {
        let shown = folder.display();
        bail!("{shown} is not empty: name another folder, or overwrite with --force");
    }
    let files = site(args.tables.as_deref());
    for (path, bytes) in &files {
        let file = folder.join(path);
        let write = || {
            fs::create_dir_all(file.parent().unwrap_or(folder))?;
            // What a link leads to is not a file of the site.
            if file.is_symlink() {
                fs::remove_file(&file)?;
            }
            fs::write(&file, bytes)
        };
        write().with_context(|| format!("cannot write {}", file.display()))?;
    }
    let count = files.len();
    let bytes: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    let shown = one_line(&folder.display().to_string());
    let argument = shlex::try_quote(&shown).map_or(shown.clone(), Into::into);
    print_text(&format!(
        "wrote {count} files to {shown}, {}.{} MB\n\
         try them: run 'python3 -m http.server -d {argument}' and open http://localhost:8000/\n",
        bytes / 1_000_000,
        bytes / 100_000 % 10
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// All files. The service worker comes last: it fetches the others.
fn site(tables: Option<&str>) -> Vec<SiteFile> {
    let mut files: Vec<SiteFile> = FILES
        .iter()
        .map(|file| (format!("{}/{}", folder(), file.name), file.bytes.to_vec()))
        .collect();
    files.push((
        "manifest.webmanifest".to_owned(),
        in_folder(MANIFEST).into_bytes(),
    ));
    files.push(("index.html".to_owned(), page(tables).into_bytes()));
    let worker = service_worker(&files);
    files.push(("sw.js".to_owned(), worker.into_bytes()));
    files
}

/// The address of a folder of tables, which goes into the page.
fn host(url: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._~:/[]%+".contains(c);
    let rest = url.strip_prefix("https://").or(url.strip_prefix("http://"));
    let is_valid = match rest {
        Some(rest) => !rest.is_empty(),
        None => is_beside(url),
    };
    if is_valid && url.chars().all(is_plain) {
        Ok(url.to_owned())
    } else {
        Err("write an address such as https://example.org/tables/ or tables/".to_owned())
    }
}

/// Whether an address is that of a folder on the host of the page.
fn is_beside(url: &str) -> bool {
    !url.is_empty() && !url.contains(':') && !url.starts_with("//")
}

/// The page that gets its answers from workers, and tables from a web host.
fn page(tables: Option<&str>) -> String {
    // The board is drawn with the styles. What answers comes next, before the other files; it runs
    // once `first-paint.js` has chosen the tables. The page may load and run its own files, and
    // the modules that they compile.
    let styles = "<link rel=\"stylesheet\" href=\"web/adapt.css\">\n";
    let choice = "<script src=\"web/first-paint.js\"></script>\n";
    let answers = "  <script type=\"module\" async src=\"web/site/worker-answers.js\"></script>\n";
    let mut page = PAGE.replace("modulepreload\"", "modulepreload\" fetchpriority=\"low\"");
    for (served, here) in [
        (
            "<html lang=\"en\"",
            "<html lang=\"en\" data-answers=\"worker\"",
        ),
        (styles, &format!("{styles}{HEAD}")),
        (choice, &format!("{choice}{answers}")),
        ("web/http-answers.js", "web/site/worker-answers.js"),
        ("web/event-stream.js", "web/library/remote.js"),
    ] {
        assert_eq!(page.matches(served).count(), 1, "{served} in the page");
        page = page.replace(served, here);
    }
    if let Some(url) = tables {
        if let Some(scheme_end) = url.find("://").map(|at| at + 3) {
            let host_end = url[scheme_end..]
                .find('/')
                .map_or(url.len(), |at| scheme_end + at);
            let origin = &url[..host_end];
            let policy = "default-src 'self';";
            page = page.replace(policy, &format!("{policy} connect-src 'self' {origin};"));
        }
        let meta = format!("<meta name=\"krou-tables\" content=\"{url}\">\n");
        page = page.replace(styles, &format!("{meta}{styles}"));
    }
    in_folder(&page)
}

/// The service worker with the list of files and their version, which changes with any of
/// them.
fn service_worker(files: &[SiteFile]) -> String {
    let mut hash = Xxh3::new();
    hash.update(SERVICE_WORKER.as_bytes());
    for (path, bytes) in files {
        hash.update(path.as_bytes());
        hash.update(bytes);
    }
    let paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
    // The page has two addresses.
    format!(
        "const VERSION = \"{:016x}\";\nconst FILES = [\"./\", \"{}\"];\n{SERVICE_WORKER}",
        hash.digest(),
        paths.join("\", \"")
    )
}
