//! The dependencies between the modules of each crate have no cycles.

use std::fs;
use std::path::Path;

use grundy_testing::modules::circles;

/// Known cycles by crate. Do not add any, and remove an entry once its cycle is gone.
const KNOWN: [(&str, &str); 1] = [
    // A game uses its indices or its rule file, and they use the game.
    (
        "crates/rules",
        "game games index index::boxes index::middles index::multisets index::rows law law::canonical law::game \
         law::read law::walk move_set moves position reference rules rulesets size",
    ),
];

#[test]
fn no_module_needs_one_that_needs_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut new = Vec::new();
    for group in ["crates", "tools"] {
        for entry in fs::read_dir(root.join(group)).expect("a folder") {
            let folder = entry.expect("a crate").path();
            if !folder.join("src/lib.rs").exists() {
                continue;
            }
            let name = folder.file_name().expect("a name").to_string_lossy();
            let name = format!("{group}/{name}");
            for circle in circles(&folder) {
                // A part of a known cycle is not new.
                let is_known = KNOWN.iter().any(|(known, modules)| {
                    let modules: Vec<&str> = modules.split(' ').collect();
                    *known == name && circle.iter().all(|module| modules.contains(&module.as_str()))
                });
                if !is_known {
                    new.push(format!("{name}: {}", circle.join(" ")));
                }
            }
        }
    }
    assert!(new.is_empty(), "these modules go round in circles: {new:#?}");
}
