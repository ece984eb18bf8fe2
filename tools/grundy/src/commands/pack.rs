use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use anyhow::{Context, bail};
use grundy::law::{RuleFile, license_ids, license_page};
use grundy::tables::is_named;
use grundy_builder::manifest;
use grundy_pack::{About, PackError, Release, Signer, day, write};
use grundy_shard::manifest::TableEntry;
use serde_json::json;

use crate::End;
use crate::args::{Common, OPENING, Pack, games};
use crate::commands::certificate;
use crate::inputs::{lies_in, text};
use crate::output::{Out, grouped, tell};
use crate::rights::{OWN_LICENSE, Owner};
use crate::source::advance;
use crate::version::{COMMIT, DOI, RUSTC, TITLE, URL, VERSION, date, lock};
use crate::watch::{stop_on_interrupt, with_bytes};
use grundy::{Bytes, Game, Number, Table};

/// The environment variable for the password of the secret key.
const PASSWORD: &str = "GRUNDY_KEY_PASSWORD";

pub(crate) fn run(common: &Common, wanted: &Pack, out: &mut Out) -> anyhow::Result<End> {
    let tables = chosen(common, wanted)?;
    let owners = owners(wanted, &tables)?;
    let date = published()?;
    // Check the output before asking for a password, and before any long work. `write` checks it
    // again, and reports a fault of its folder.
    if wanted.output.symlink_metadata().is_ok() {
        return Err(PackError::Exists(wanted.output.clone()).into());
    }
    const ARCHIVES: [&str; 9] = ["zip", "gz", "tgz", "zst", "xz", "bz2", "7z", "rar", "lz4"];
    let ending = wanted.output.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if ARCHIVES.contains(&ending.to_lowercase().as_str()) {
        bail!(
            "a pack is a tar or a folder, and {} would be a folder; end the name in .tar (its \
             tables are already compressed), or leave out .{ending}",
            wanted.output.display()
        );
    }
    if lies_in(&wanted.output, &common.db) {
        let (to, db) = (wanted.output.display(), common.db.display());
        bail!("{to} would lie in the database folder {db}; choose another place (-o)");
    }
    let mut password = || match std::env::var(PASSWORD) {
        Ok(password) => Ok(password),
        Err(_) => rpassword::prompt_password("Password of the key: ").map_err(|error| {
            let what = format!("{error}; without a terminal, set {PASSWORD}");
            std::io::Error::new(error.kind(), what)
        }),
    };
    let signer = match &wanted.sign {
        Some(file) => {
            let key = Signer::of_text(&text(file)?, &mut password);
            Some(key.with_context(|| format!("cannot sign with {}", file.display()))?)
        }
        None => None,
    };
    let record = wanted.record.as_deref().map(text).transpose()?;
    let mut texts = texts(wanted, &tables, &owners, record.as_deref(), date);
    if let Some(file) = &wanted.certificate {
        texts.insert(certificate::FILE.to_owned(), certificate::to_pack(common, file)?);
    }
    let release = Release {
        db: &common.db,
        texts,
        about: about(&tables, &owners),
        date,
        signer: signer.as_ref(),
        memory: common.memory.bytes(),
        tables,
    };
    common.start_threads()?;
    let control = stop_on_interrupt()?;
    let total = release.tables.values().map(TableEntry::bytes).fold(0, u64::saturating_add);
    let watch = |bytes| advance(&control, bytes);
    let written = match with_bytes(&control, total, || write(&release, &wanted.output, &watch)) {
        Err(PackError::Stopped) => {
            tell("grundy: stopped; the unfinished pack was removed");
            return Ok(End::Interrupted);
        }
        written => written?,
    };
    let to = wanted.output.display();
    if out.is_json() {
        out.object(&json!({
            "pack": to.to_string(),
            "tables": written.manifest.tables.len(),
            "files": written.files,
            "bytes": written.bytes,
            "signer": written.manifest.signer,
        }))?;
    } else {
        out.line(format!(
            "packed {} in {to}: {}, {}",
            Number(written.manifest.tables.len() as u64, "table"),
            Number(written.files as u64, "file"),
            Bytes(written.bytes),
        ))?;
    }
    Ok(End::Fine)
}

fn chosen(common: &Common, wanted: &Pack) -> anyhow::Result<BTreeMap<String, TableEntry>> {
    let db = common.db.display();
    let mut tables = manifest(common.folder()?)?.tables;
    if tables.is_empty() {
        bail!("{db} holds no tables to pack; `grundy build --max-pile 64` builds some");
    }
    let is_of = |id: &str, entry: &TableEntry, game: Game| {
        let table = Table::of_id(id, entry.rules.as_deref());
        table.is_some_and(|t| t.game().outcomes_of().unwrap_or(t.game()) == game)
    };
    let mut named = BTreeSet::new();
    for name in &wanted.tables {
        let file = name.ends_with(".game").then(|| common.game(name, OPENING)).transpose()?;
        let all = tables.iter().filter(|(id, entry)| match file {
            Some(game) => is_of(id, entry, game),
            None => is_named(id, name),
        });
        let all: Vec<String> = all.map(|(id, _)| id.clone()).collect();
        if all.is_empty() {
            let what = if file.is_some() { "rules" } else { "name or prefix" };
            bail!("no table of {db} has the {what} '{name}'; `grundy status` lists its tables");
        }
        named.extend(all);
    }
    let games = games(common, &wanted.games, OPENING)?;
    tables.retain(|id, entry| {
        let table = Table::of_id(id, entry.rules.as_deref());
        (wanted.tables.is_empty() || named.contains(id))
            && (games.is_empty() || games.iter().any(|&game| is_of(id, entry, game)))
            && wanted.length.is_none_or(|k| table.is_some_and(|t| t.has_length(k)))
    });
    if tables.is_empty() {
        bail!("{db} has no such tables; `grundy status` lists its tables");
    }
    if let Some((id, _)) = tables.iter().find(|(_, entry)| !entry.is_consistent()) {
        bail!(
            "the entry of {id} in the manifest of {db} is invalid; pack other tables by name, or \
             delete the manifest and build the tables again; intact shards are reused"
        );
    }
    Ok(tables)
}

/// Returns the time of publication: SOURCE_DATE_EPOCH, or the date of the program's commit.
fn published() -> anyhow::Result<u64> {
    const LAST: u64 = 253_402_300_799;
    let set = std::env::var_os("SOURCE_DATE_EPOCH").filter(|set| !set.is_empty());
    let Some(set) = set else { return Ok(date()) };
    let set = set.to_string_lossy();
    match set.parse() {
        Ok(seconds) if seconds <= LAST => Ok(seconds),
        _ => bail!(
            "SOURCE_DATE_EPOCH is '{set}'; it must be a number of seconds since 1970, from 0 to {LAST}"
        ),
    }
}

/// Returns the owner of each table, in the order of the tables.
fn owners(wanted: &Pack, tables: &BTreeMap<String, TableEntry>) -> anyhow::Result<Vec<Owner>> {
    // The same rules may stand in files of several authors, so read the text that was built.
    let mut files = Vec::new();
    for (id, entry) in tables {
        let file = entry.rules.as_deref().map(RuleFile::from_text).transpose();
        let Ok(file) = file else {
            bail!(
                "this program does not know the rules of {id}, so nothing says whose they are; \
                 pack other tables by name, or use the release that built it"
            );
        };
        files.push(file);
    }
    wanted.rights.check(files.iter().flatten())?;
    files.iter().map(|file| wanted.rights.owner(file.as_ref())).collect()
}

/// Returns the different authors or licences of the tables.
fn different<'a>(owners: &'a [Owner], part: impl Fn(&'a Owner) -> &'a String) -> Vec<String> {
    owners.iter().map(part).collect::<BTreeSet<_>>().into_iter().cloned().collect()
}

/// Returns the identifiers of the different licences of the tables.
fn licenses(owners: &[Owner]) -> Vec<String> {
    let ids = owners.iter().flat_map(|owner| license_ids(&owner.license));
    ids.collect::<BTreeSet<_>>().into_iter().map(str::to_owned).collect()
}

fn about(tables: &BTreeMap<String, TableEntry>, owners: &[Owner]) -> About {
    About {
        name: format!("Tables of Grundy: {}", summary(tables)),
        description: "Exhaustive tables of the values of Nim variants: every position up to a \
                      size. README.md says how they were made and how they are read."
            .to_owned(),
        authors: different(owners, |owner| &owner.author),
        licenses: licenses(owners),
        program: ("Grundy".to_owned(), format!("{VERSION} (commit {COMMIT})")),
    }
}

fn summary(tables: &BTreeMap<String, TableEntry>) -> String {
    let mut ids = tables.keys();
    match (ids.next(), ids.next()) {
        (Some(only), None) => only.clone(),
        _ => {
            let mut games: Vec<&str> =
                tables.keys().filter_map(|id| id.split('/').next()).collect();
            games.dedup();
            games.join(", ")
        }
    }
}

fn texts(
    wanted: &Pack,
    tables: &BTreeMap<String, TableEntry>,
    owners: &[Owner],
    record: Option<&str>,
    date: u64,
) -> BTreeMap<String, Vec<u8>> {
    let all: [(&str, Vec<u8>); 6] = [
        ("README.md", readme(wanted, tables, owners, date).into_bytes()),
        ("LICENSE", license(tables, owners).into_bytes()),
        ("FORMAT.md", include_bytes!("../../texts/FORMAT.md").to_vec()),
        ("read_shard.py", include_bytes!("../../texts/read_shard.py").to_vec()),
        ("CITATION.cff", citation(tables, owners, date).into_bytes()),
        ("provenance.json", provenance(wanted, record).into_bytes()),
    ];
    all.into_iter().map(|(name, text)| (name.to_owned(), text)).collect()
}

fn command(wanted: &Pack) -> String {
    let mut command = "grundy pack".to_owned();
    // Sort the tables, so that the same set always gives the same command.
    let tables: BTreeSet<&str> = wanted.tables.iter().map(|id| id.trim_end_matches('/')).collect();
    for table in tables {
        let _ = write!(command, " {table}");
    }
    if !wanted.games.is_empty() {
        let _ = write!(command, " --games {}", wanted.games.join(","));
    }
    if let Some(length) = wanted.length {
        let _ = write!(command, " --length {length}");
    }
    if wanted.certificate.is_some() {
        let _ = write!(command, " --certificate {}", certificate::FILE);
    }
    command
}

fn provenance(wanted: &Pack, record: Option<&str>) -> String {
    let mut all = json!({
        "program": "grundy",
        "version": VERSION,
        "commit": COMMIT,
        "rustc": RUSTC,
        "cargo_lock_blake3": lock(),
        "command": command(wanted),
    });
    if let Some(record) = record {
        all["build_record"] = record.into();
    }
    format!("{all:#}\n")
}

/// Returns the text of CC0 if all tables have it, else a list of the tables with their licences.
fn license(tables: &BTreeMap<String, TableEntry>, owners: &[Owner]) -> String {
    const CC0: &str = include_str!("../../texts/CC0-1.0.txt");
    let licenses = licenses(owners);
    if licenses == [OWN_LICENSE] {
        return CC0.to_owned();
    }
    let mut text =
        "Each table has the licence of its author, as an SPDX expression:\n\n".to_owned();
    for (id, owner) in tables.keys().zip(owners) {
        let Owner { author, license } = owner;
        let pages: Vec<String> = license_ids(license).map(license_page).collect();
        let _ = writeln!(text, "{id}: {license}, {author} ({})", pages.join(", "));
    }
    if licenses.iter().any(|id| id == OWN_LICENSE) {
        let _ = write!(text, "\nThe text of {OWN_LICENSE}:\n\n{CC0}");
    }
    text
}

fn citation(tables: &BTreeMap<String, TableEntry>, owners: &[Owner], date: u64) -> String {
    let quoted = |name: &String| format!("  - name: {}", json!(name));
    let authors: Vec<String> =
        different(owners, |owner| &owner.author).iter().map(quoted).collect();
    format!(
        include_str!("../../texts/pack-citation.cff"),
        tables = summary(tables),
        authors = authors.join("\n"),
        licenses = licenses(owners).join(", "),
        version = VERSION,
        date = day(date),
        url = URL.map_or(String::new(), |url| format!("url: \"{url}\"\n")),
        doi = DOI.map_or(String::new(), |doi| format!("doi: \"{doi}\"\n")),
    )
}

fn readme(
    wanted: &Pack,
    tables: &BTreeMap<String, TableEntry>,
    owners: &[Owner],
    date: u64,
) -> String {
    let mut text = format!(
        "# Tables of Grundy\n\n\
         {TITLE}. Each table has the values of all positions of one game that have a given number \
         of piles, with piles up to a largest one; or with coins up to a total, if its name has \
         `t` for `n`, and then with every number of heaps if its name has no `k`. Published {}.\n\n\
         | table | game | rules | author | licence | values | file bytes | digest (BLAKE3) |\n\
         |---|---|---|---|---|---|---|---|\n",
        day(date)
    );
    // A bar would end a cell.
    let cell = |text: &str| text.replace('|', "\\|");
    for ((id, entry), owner) in tables.iter().zip(owners) {
        let game = Table::of_id(id, entry.rules.as_deref()).map(|table| table.game());
        let (title, paper) = game.map_or(("?", "?"), |game| (game.title(), game.paper()));
        let _ = writeln!(
            text,
            "| `{id}` | {} | {} | {} | {} | {} | {} | `{}` |",
            cell(title),
            cell(paper),
            cell(&owner.author),
            owner.license,
            grouped(entry.cells()),
            grouped(entry.bytes()),
            entry.digest()
        );
    }
    if wanted.certificate.is_some() {
        let _ = write!(
            text,
            "\n`{0}` is a certificate of the triangular-number conjecture; `grundy verify --certificate {0}` checks it, and FORMAT.md says what it is.\n",
            certificate::FILE
        );
    }
    let _ = write!(
        text,
        include_str!("../../texts/pack-readme-end.md"),
        version = VERSION,
        commit = COMMIT,
        rustc = RUSTC,
        licence = different(owners, |owner| &owner.license).join(", "),
    );
    text
}
