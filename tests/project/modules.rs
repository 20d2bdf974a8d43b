//! The modules of a crate and which of them uses which, read from its source files.
//! Comments and test modules do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Names from the root of a crate.
type ModulePath = Vec<String>;

/// For each folder, for each of its modules, the siblings that it uses.
pub type Uses = BTreeMap<ModulePath, BTreeMap<String, BTreeSet<String>>>;

/// Every source file of a folder and its subfolders.
pub fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The code of a file without its comments.
pub fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let lines = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or(""));
    lines.collect::<Vec<_>>().join("\n")
}

/// Which sibling uses which in every folder of a crate, whose root is `root`, such as
/// `src/lib.rs`. A module and the folder of its submodules count as one.
pub fn uses(root: &Path) -> Uses {
    let mut modules = BTreeMap::new();
    read_module(root, Vec::new(), true, &mut modules);
    let mut uses = Uses::new();
    for (module, code) in &modules {
        for used in paths(code, module) {
            for depth in 0..module.len().min(used.len()) {
                let (folder, sibling) = (&module[..depth], &module[depth]);
                if used[..depth] != *folder {
                    break;
                }
                let target = sibling_of(&modules, folder, &used[depth]);
                if let Some(target) = target
                    && target != *sibling
                {
                    let folder = uses.entry(folder.to_vec()).or_default();
                    folder.entry(sibling.clone()).or_default().insert(target);
                }
            }
        }
    }
    uses
}

/// Reads a module and its submodules, except those for tests.
fn read_module(
    file: &Path,
    path: ModulePath,
    owns_folder: bool,
    modules: &mut BTreeMap<ModulePath, String>,
) {
    let mut code = code(file);
    if let Some(tests) = code.find("#[cfg(test)]\nmod tests {") {
        code.truncate(tests);
    }
    let folder = match owns_folder {
        true => file.parent().unwrap().to_owned(),
        false => file.with_extension(""),
    };
    let mut before = "";
    for line in code.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let [.., "mod", name] = words[..]
            && let Some(name) = name.strip_suffix(';')
            && before.trim() != "#[cfg(test)]"
        {
            let mut path = path.clone();
            path.push(name.to_owned());
            let file = folder.join(format!("{name}.rs"));
            match file.exists() {
                true => read_module(&file, path, false, modules),
                false => read_module(&folder.join(name).join("mod.rs"), path, true, modules),
            }
        }
        before = line;
    }
    modules.insert(path, code);
}

/// The module of a folder that a name refers to: the module of that name, or the one that
/// the folder re-exports the name from.
fn sibling_of(
    modules: &BTreeMap<ModulePath, String>,
    folder: &[String],
    name: &str,
) -> Option<String> {
    let is_module = |name: &str| modules.contains_key(&[folder, &[name.to_owned()]].concat());
    if is_module(name) {
        return Some(name.to_owned());
    }
    let parent = &modules[folder];
    let exports = parent.split(';').filter_map(|item| {
        let (before, used) = item.rsplit_once("use ")?;
        before
            .trim_end()
            .lines()
            .last()?
            .contains("pub")
            .then_some(used)
    });
    let mut exported = Vec::new();
    for export in exports {
        let mut found = Vec::new();
        expand(export, &mut Vec::new(), &mut found);
        exported.extend(found);
    }
    let export = exported.iter().find(|path| path.last().unwrap() == name)?;
    let first = export.iter().find(|name| *name != "self")?;
    is_module(first).then(|| first.clone())
}

/// Every path of a module's code that begins with `crate`, `self` or `super`, from the
/// root of the crate.
fn paths(code: &str, module: &[String]) -> Vec<ModulePath> {
    let mut paths = Vec::new();
    for keyword in ["crate::", "self::", "super::"] {
        for (at, _) in code.match_indices(keyword) {
            let before = code[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || "_:$".contains(c)) {
                continue;
            }
            let mut found = Vec::new();
            expand(&code[at..], &mut Vec::new(), &mut found);
            paths.extend(found.into_iter().map(|path| absolute(&path, module)));
        }
    }
    paths
}

fn absolute(path: &[String], module: &[String]) -> ModulePath {
    let mut from = module.to_vec();
    let mut rest = path;
    while let Some((first, after)) = rest.split_first() {
        match first.as_str() {
            "crate" => from.clear(),
            "self" => {}
            "super" => drop(from.pop()),
            _ => break,
        }
        rest = after;
    }
    [&from, rest].concat()
}

/// Adds every path of the tree at the start of `text`, such as `a::{b, c::d}`; returns the
/// text after it.
fn expand<'t>(text: &'t str, before: &mut ModulePath, found: &mut Vec<ModulePath>) -> &'t str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = expand(rest, &mut before.clone(), found).trim_start();
            rest = match rest.strip_prefix(',') {
                Some(rest) if !rest.trim_start().starts_with('}') => rest,
                rest_or_none => {
                    let rest = rest_or_none.unwrap_or(rest).trim_start();
                    return rest.strip_prefix('}').unwrap_or(rest);
                }
            };
        }
    }
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    let (name, mut rest) = text.split_at(end.unwrap_or(text.len()));
    before.push(name.to_owned());
    if let Some(deeper) = rest.strip_prefix("::") {
        return expand(deeper, before, found);
    }
    if let Some(alias) = rest.trim_start().strip_prefix("as ") {
        let end = alias.find(|c: char| !c.is_alphanumeric() && c != '_');
        rest = &alias[end.unwrap_or(alias.len())..];
    }
    found.push(before.clone());
    rest
}

/// The shortest cycle through each module that is part of one, without repetitions.
pub fn cycles(uses: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<Vec<String>> {
    let cycles = uses.keys().filter_map(|start| {
        let mut reached = BTreeMap::from([(start, None)]);
        let mut queue = vec![start];
        let mut next = 0;
        while let Some(&module) = queue.get(next) {
            next += 1;
            for used in uses.get(module).into_iter().flatten() {
                if used == start {
                    let mut cycle = vec![module.clone()];
                    let mut module = module;
                    while let Some(before) = reached[module] {
                        module = before;
                        cycle.push(module.clone());
                    }
                    cycle.reverse();
                    return Some(cycle);
                }
                if !reached.contains_key(used) {
                    reached.insert(used, Some(module));
                    queue.push(used);
                }
            }
        }
        None
    });
    // Rotated so that equal cycles begin with the same module.
    let cycles = cycles.map(|mut cycle| {
        let first = (0..cycle.len()).min_by_key(|&n| cycle[n].clone());
        cycle.rotate_left(first.unwrap());
        cycle
    });
    cycles.collect()
}
