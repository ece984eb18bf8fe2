//! Dependencies between the modules of a crate, and their cycles.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Re-exported names, with the paths they stand for.
type Names = BTreeMap<(String, String), String>;

/// Finds the cycles of the crate in `folder`: groups of modules that depend on each other, directly
/// or indirectly.
///
/// A module is a file without its tests. A re-exported name (`pub use`) counts as a dependency on
/// its origin. References from a module to its children are not counted, because a parent exists to
/// combine them.
#[must_use]
pub fn circles(folder: &Path) -> BTreeSet<Vec<String>> {
    let mut code = BTreeMap::new();
    read(&folder.join("src"), "", &mut code);
    let mut names = Names::new();
    for (module, text) in &code {
        for (at, _) in text.match_indices("use ").filter(|&(at, _)| is_passed_on(&text[..at])) {
            let mut found = Vec::new();
            expand(&text[at + 4..], "", &mut found);
            for (path, name) in found {
                let whole = absolute(module, &path).or_else(|| {
                    let child = join(module, path.split("::").next().unwrap_or_default());
                    code.contains_key(&child).then(|| join(module, &path))
                });
                if let Some(whole) = whole {
                    names.insert((module.clone(), name), whole);
                }
            }
        }
    }
    let mut reached: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (module, text) in code.iter().filter(|(module, _)| !module.is_empty()) {
        let needed =
            paths(module, text).into_iter().filter_map(|path| resolve(path, &code, &names));
        let needed = needed.filter(|needed| !needed.is_empty() && needed != module);
        reached.insert(module, needed.collect());
    }
    // Compute the transitive closure.
    let mut known = 0;
    while known != reached.values().map(BTreeSet::len).sum::<usize>() {
        known = reached.values().map(BTreeSet::len).sum();
        for module in code.keys().map(String::as_str).filter(|module| !module.is_empty()) {
            let further = reached[module].iter().flat_map(|next| reached[next].clone());
            let further: Vec<&str> = further.collect();
            reached.entry(module).or_default().extend(further);
        }
    }
    let circle = |module: &&str| {
        let others = reached[module].iter().filter(|&other| reached[other].contains(module));
        others.map(|&other| other.to_owned()).collect::<Vec<_>>()
    };
    reached.keys().map(circle).filter(|circle| !circle.is_empty()).collect()
}

/// Reads the text of each module without tests and comments, by name, such as
/// `checks::single_piles`. The crate's root has an empty name.
fn read(folder: &Path, prefix: &str, code: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
        if path.is_dir() {
            read(&path, &join(prefix, name), code);
        } else if !["testing", "tests", "main"].contains(&name) {
            let text = fs::read_to_string(&path).expect("text");
            let text = text.split("#[cfg(test)]").next().unwrap_or_default();
            let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            let module = if ["lib", "mod"].contains(&name) { prefix } else { &join(prefix, name) };
            code.insert(module.to_owned(), lines.collect::<Vec<_>>().join("\n"));
        }
    }
}

fn join(module: &str, path: &str) -> String {
    if module.is_empty() { path.to_owned() } else { format!("{module}::{path}") }
}

/// True if a `use` after this text re-exports names.
fn is_passed_on(before: &str) -> bool {
    let line = before.lines().last().unwrap_or_default().trim();
    line.starts_with("pub") && !line.contains(' ')
}

/// Returns a path from the crate's root, for a path relative to the root, the module or its parent.
fn absolute(module: &str, path: &str) -> Option<String> {
    let parent = module.rsplit_once("::").map_or("", |(parent, _)| parent);
    match path.split_once("::")? {
        ("crate", rest) => Some(rest.to_owned()),
        ("self", rest) => Some(join(module, rest)),
        ("super", rest) => Some(absolute(parent, rest).unwrap_or_else(|| join(parent, rest))),
        _ => None,
    }
}

/// Returns the paths, from the crate's root, that a module mentions.
fn paths(module: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for root in ["crate::", "super::"] {
        for (at, _) in text.match_indices(root) {
            if !text[..at]
                .ends_with(|before: char| before.is_alphanumeric() || "_:".contains(before))
            {
                expand(&text[at..], "", &mut found);
            }
        }
    }
    found.iter().filter_map(|(path, _)| absolute(module, path)).collect()
}

/// Reads the path or the group of paths at the start of a text, each with the name it gets. Returns
/// the number of bytes read.
fn expand(text: &str, prefix: &str, found: &mut Vec<(String, String)>) -> usize {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    let end = text.find(|letter| !is_part(letter)).unwrap_or(text.len());
    let path = format!("{prefix}{}", &text[..end]);
    if !text[end..].starts_with('{') {
        let path = path.trim_end_matches("::self").trim_end_matches("::");
        let renamed = text[end..].strip_prefix(" as ");
        let renamed = renamed.and_then(|name| name.split(|letter| !is_part(letter)).next());
        let name = renamed.or_else(|| path.rsplit("::").next()).unwrap_or_default();
        found.push((path.to_owned(), name.to_owned()));
        return end + renamed.map_or(0, |name| " as ".len() + name.len());
    }
    let mut at = end + 1;
    loop {
        at += text[at..].len() - text[at..].trim_start_matches([' ', '\n', ',']).len();
        match expand(&text[at..], &path, found) {
            0 => return at + 1,
            taken => at += taken,
        }
    }
}

/// Returns the module that a path leads to, following re-exports.
fn resolve<'a>(
    mut path: String,
    code: &'a BTreeMap<String, String>,
    names: &Names,
) -> Option<&'a str> {
    // No name is re-exported this often.
    for _ in 0..8 {
        let leads = |module: &&String| {
            module.is_empty() || path == **module || path.starts_with(&format!("{module}::"))
        };
        let module = code.keys().filter(leads).max_by_key(|module| module.len())?;
        let rest = path[module.len()..].trim_start_matches("::").to_owned();
        let (name, rest) = rest.split_once("::").unwrap_or((&rest, ""));
        match names.get(&(module.clone(), name.to_owned())) {
            Some(further) => path = join(further, rest).trim_end_matches("::").to_owned(),
            None => return Some(module),
        }
    }
    None
}
