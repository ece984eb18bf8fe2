//! Reads and checks the user's own claims, which are in the files of a folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use grundy::papers::{Claim, Plan, Range, Verdict};
use grundy::{Control, Game, claims};

use crate::advice::with_advice;
use crate::args::{Common, Diff, OPENING, USUAL_FOLDER};
use crate::inputs::text;
use crate::output::tell;

/// Reads the claims in a folder, sorted by file name. Only the default folder may be missing. The
/// games that they name by ids are those whose rules the database has.
pub(crate) fn read(common: &Common, folder: &Path, seconds: f64) -> anyhow::Result<Vec<Claim>> {
    let paths = fs::read_dir(folder).and_then(|all| all.map(|entry| Ok(entry?.path())).collect());
    let mut paths: Vec<PathBuf> = match paths {
        // A file of claims may be given in place of a folder.
        _ if folder.is_file() => vec![folder.to_owned()],
        Err(error)
            if error.kind() == io::ErrorKind::NotFound && folder == Path::new(USUAL_FOLDER) =>
        {
            return Ok(Vec::new());
        }
        paths => paths.with_context(|| {
            format!("cannot read {}, a folder of .claim files or one file", folder.display())
        })?,
    };
    let is_claim = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "claim");
    paths.retain(|path| path == folder || is_claim(path));
    if paths.is_empty() && folder != Path::new(USUAL_FOLDER) {
        bail!(
            "{} contains no .claim file; docs/LANGUAGE.md says how to write one",
            folder.display()
        );
    }
    paths.sort();
    let mut all: Vec<Claim> = Vec::new();
    for path in paths {
        let said = text(&path)?;
        common.know_games(&said, seconds.min(OPENING))?;
        let found = claims(path.parent().unwrap_or(Path::new("")), &said)
            .with_context(|| path.display().to_string())?;
        for claim in found {
            if Claim::all().any(|known| known.id == claim.id) {
                bail!(
                    "{}: {} is the name of a claim of a paper; choose another name",
                    path.display(),
                    claim.id
                );
            }
            if all.iter().any(|known| known.id == claim.id) {
                bail!("{}: two claims have the name {}", path.display(), claim.id);
            }
            all.push(claim);
        }
    }
    Ok(all)
}

/// Returns the user's own claims that `names` selects, and the names that select none. A name is an
/// id, or a prefix (`me.`, or `me` for short). If there are no names, returns all claims.
pub(crate) fn choose(own: Vec<Claim>, names: &[String]) -> (Vec<Claim>, Vec<String>) {
    if names.is_empty() {
        return (own, Vec::new());
    }
    let is_meant = |id: &str, name: &str| {
        let prefix = if name.contains('.') { name.to_owned() } else { format!("{name}.") };
        id == name || prefix.ends_with('.') && id.starts_with(&prefix)
    };
    let is_own = |name: &String| own.iter().any(|claim| is_meant(&claim.id, name));
    // The same prefix may also select claims of a paper.
    let is_other = |name: &String| Claim::all().any(|claim| is_meant(&claim.id, name));
    let rest = names.iter().filter(|name| !is_own(name) || is_other(name)).cloned().collect();
    let meant = own.iter().filter(|claim| names.iter().any(|name| is_meant(&claim.id, name)));
    (meant.cloned().collect(), rest)
}

/// Returns the games of a claim that are among these games, or whose misère forms are. If there are
/// none, returns all games.
pub(crate) fn wanted(claim: &Claim, games: &[Game]) -> Vec<Game> {
    let is_wanted = |game: &Game| {
        let named = |game: Game| games.contains(&game);
        games.is_empty() || named(*game) || game.misere_of().is_some_and(named)
    };
    claim.games.iter().copied().filter(is_wanted).collect()
}

/// Checks the user's own claims, one after another. The returned flag is true if a claim got no
/// verdict: its statement has no value at some position, or its check would take too long. Prints
/// these errors.
pub(crate) fn run(
    common: &Common,
    wanted: &Diff,
    own: &[Claim],
    games: &[Game],
    control: &Control,
) -> anyhow::Result<(Vec<Verdict>, bool)> {
    if own.is_empty() {
        return Ok((Vec::new(), false));
    }
    let database = common.open_unwatched(wanted.within.seconds.min(OPENING))?;
    let range = Range { max_pile: wanted.max_pile, length: wanted.length, to: wanted.to };
    let means = common.means();
    let (mut verdicts, mut is_lacking) = (Vec::new(), false);
    for claim in own {
        let check = || -> anyhow::Result<Vec<Verdict>> {
            let plan = Plan::new(&[claim], &self::wanted(claim, games), &range)?;
            plan.estimate(&means)?.within(common.memory, wanted.within.seconds)?;
            Ok(plan.run(&database, &means, control)?)
        };
        match check() {
            Ok(found) => verdicts.extend(found),
            Err(error) => {
                let error = with_advice(&*error);
                let text = format!("grundy: {} has no verdict: {error}", claim.id);
                text.lines().for_each(tell);
                is_lacking = true;
            }
        }
    }
    Ok((verdicts, is_lacking))
}
