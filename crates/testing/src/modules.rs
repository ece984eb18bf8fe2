//! Which modules of a crate need which, and which of them go round in circles.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Names that a module passes on, with the paths that they stand for.
type Names = BTreeMap<(String, String), String>;

/// Groups of modules of the crate in `folder`, each of which needs all others of its group, directly or
/// by a detour.
///
/// A module is a file, without its tests. A name that a module passes on (`pub use`) is needed of where
/// it comes from. What a module says of its children by their names is not counted: it is there to put
/// them together.
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
    // By detours too, to the end.
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

/// By module, as in `checks::single_piles`, the text of its file without tests and remarks. The crate's
/// own has no name.
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

/// A `use` behind this text passes names on.
fn is_passed_on(before: &str) -> bool {
    let line = before.lines().last().unwrap_or_default().trim();
    line.starts_with("pub") && !line.contains(' ')
}

/// A path from the crate's own module, if it is said from there, from the module or from its parent.
fn absolute(module: &str, path: &str) -> Option<String> {
    let parent = module.rsplit_once("::").map_or("", |(parent, _)| parent);
    match path.split_once("::")? {
        ("crate", rest) => Some(rest.to_owned()),
        ("self", rest) => Some(join(module, rest)),
        ("super", rest) => Some(absolute(parent, rest).unwrap_or_else(|| join(parent, rest))),
        _ => None,
    }
}

/// The paths from the crate's own module that a module names.
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

/// The path at the beginning of a text, or those of a group, each with the name that it gets; and how
/// many bytes they take.
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

/// The module that a path leads to, through the names that are passed on.
fn resolve<'a>(
    mut path: String,
    code: &'a BTreeMap<String, String>,
    names: &Names,
) -> Option<&'a str> {
    // None is passed on as often as this.
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
