//! Lists the rule files of the folder `games`, so that the program contains all of them.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=games");
    let folder =
        Path::new(&env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?).join("games");
    let mut files: Vec<_> =
        fs::read_dir(&folder)?.map(|file| Ok(file?.path())).collect::<io::Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "game"));
    files.sort_by_key(|file| file.file_stem().map(ToOwned::to_owned));
    let line = |file: &Path| {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        format!("({name:?}, include_str!({file:?})),\n")
    };
    let lines: String = files.iter().map(|file| line(file)).collect();
    let out = Path::new(&env::var("OUT_DIR").map_err(io::Error::other)?).join("rulesets.rs");
    fs::write(out, format!("&[\n{lines}]"))
}
