//! The modules of this crate build on each other in one direction.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// By module, as in `checks::single_piles`, the text of its file without its tests.
fn modules(folder: &Path, prefix: &str, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        if path.is_dir() {
            modules(&path, &format!("{prefix}{name}::"), found);
        } else if !["lib", "testing", "tests"].contains(&name) {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap().to_owned();
            found.insert(format!("{prefix}{name}"), code);
        }
    }
}

/// The paths that a text names behind `crate::` or `super::`, groups taken apart.
fn paths(code: &str, parent: &str) -> Vec<String> {
    let mut paths = Vec::new();
    let code: Vec<&str> = code.lines().filter(|line| !line.trim().starts_with("//")).collect();
    let code = code.join("\n");
    for (root, prefix) in [("crate::", String::new()), ("super::", format!("{parent}::"))] {
        for (at, _) in code.match_indices(root) {
            let rest = &code[at + root.len()..];
            let end = rest.find([';', '(', ')', ' ', '<', '>']).unwrap_or(rest.len());
            match rest.split_once('{').filter(|(before, _)| before.len() < end) {
                Some((before, group)) => {
                    let names = group.split('}').next().unwrap().split(',').map(str::trim);
                    paths.extend(names.map(|name| format!("{prefix}{before}{name}")));
                }
                None => paths.push(format!("{prefix}{}", &rest[..end])),
            }
        }
    }
    paths
}

#[test]
fn no_module_needs_one_that_needs_it() {
    let mut code = BTreeMap::new();
    modules(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut code);
    let mut needs: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (module, text) in &code {
        let parent = module.rsplit_once("::").map_or("", |(parent, _)| parent);
        let needed = needs.entry(module).or_default();
        for path in paths(text, parent) {
            // The longest module that the path begins with.
            let known = code
                .keys()
                .filter(|known| path == **known || path.starts_with(&format!("{known}::")));
            let longest = known.max_by_key(|known| known.len());
            needed.extend(longest.filter(|known| *known != module).map(String::as_str));
        }
    }
    assert!(
        needs["run"].contains("plan") && needs["checks::single_piles"].contains("checks::records")
    );
    // Takes away what needs nothing that is left, until nothing is left.
    while !needs.is_empty() {
        let free: Vec<&str> = needs
            .iter()
            .filter(|(_, needed)| !needed.iter().any(|module| needs.contains_key(module)))
            .map(|(&module, _)| module)
            .collect();
        assert!(!free.is_empty(), "these modules go round in a circle: {needs:#?}");
        needs.retain(|module, _| !free.contains(module));
    }
}
