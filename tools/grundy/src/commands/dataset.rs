//! `grundy dataset`: writes small files about a game, for readers without this program.
//!
//! All files about positions have the same columns: the game, the number of piles, the piles, the
//! last move or the moves left, the value, the outcome class and the remoteness. A cell is empty if
//! its column does not apply to the position.

use std::collections::{BTreeMap, HashMap};
use std::fs::DirEntry;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use grundy::law::{license_ids, license_page};
use grundy::papers::{Claim, Plan, Range};
use grundy::{
    Control, Database, Game, Level, Outcome, PeriodSearch, Pile, Position, Table, convention_of,
    grouped, id_of, remoteness_form, rulesets,
};
use grundy_shard::publish::of_temporary;
use serde_json::{Value, json};

use crate::End;
use crate::args::{Common, Dataset, OPENING};
use crate::commands::export::{columns_of, row_of};
use crate::output::{Out, save, tell};
use crate::rights::{OWN_LICENSE, comes_along, rules_of};
use crate::version::VERSION;
use crate::watch::stop_on_interrupt;

/// Maximum number of positions for each number of piles, maximum number of piles, and largest pile.
/// All files of a game together stay below a megabyte.
const MOST_POSITIONS: u64 = 10_000;
const MOST_PILES: usize = 4;
const MOST_COINS: Pile = 1000;

/// The file that is written first, and the file that is written last.
const FIRST: &str = "p-positions.csv";
const LAST: &str = "datapackage.json";

/// The largest leftmost pile of the rows in `periods.csv`, and the last column of these rows.
const LEFTS: Pile = 8;
const LAST_COLUMN: u32 = 4096;

/// The sizes up to which claims are checked.
const CLAIMED: Range = Range { max_pile: Some(8), length: Some(3), to: Some(10) };

pub(crate) fn run(common: &Common, wanted: &Dataset, out: &mut Out) -> anyhow::Result<End> {
    let games: Vec<(Game, PathBuf)> = match &wanted.game {
        Some(name) => vec![(common.game(name, OPENING)?, wanted.out.clone())],
        None => {
            let all = rulesets::names().into_iter();
            all.map(|name| Ok((grundy::game(name)?, wanted.out.join(name))))
                .collect::<anyhow::Result<_>>()?
        }
    };
    common.start_threads()?;
    let control = stop_on_interrupt()?;
    let mut open = Vec::new();
    for (game, folder) in games {
        match (is_open(&folder)?, &wanted.game) {
            (true, _) => open.push((game, folder)),
            (false, None) => tell(format_args!("{} is complete", folder.display())),
            (false, Some(_)) => {
                bail!("{} is not empty; choose a new folder with --out", folder.display())
            }
        }
    }
    for (game, folder) in open {
        let name = folder.display();
        let files =
            Levels::of(common, game, &control).and_then(|levels| levels.files(common, &control));
        if control.is_stopped() {
            tell(format_args!("grundy: stopped; {name} was not written"));
            return Ok(End::Interrupted);
        }
        let files = files.with_context(|| format!("the data of {}", id_of(game)))?;
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {name}"))?;
        remove_temporary(&folder).with_context(|| format!("cannot write to {name}"))?;
        let bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
        for (file, text) in &files {
            save(&folder.join(file), text.as_bytes())?;
        }
        if out.is_json() {
            out.object(&described(game, &folder, &files))?;
        } else {
            out.line(format!("{name}: {} files, {} bytes", files.len(), grouped(bytes as u64)))?;
        }
    }
    Ok(End::Fine)
}

/// Returns true if a folder is missing or empty, or contains an unfinished data set, which has the
/// first file but not the last. Returns an error if the folder has any other files,
/// or files that it hides.
fn is_open(folder: &Path) -> anyhow::Result<bool> {
    let name = folder.display();
    match folder.read_dir() {
        Err(why) if why.kind() == ErrorKind::NotFound => Ok(true),
        Err(why) => Err(why).with_context(|| format!("cannot write to {name}")),
        Ok(_) if folder.join(LAST).exists() => Ok(false),
        Ok(_) if folder.join(FIRST).exists() => Ok(true),
        Ok(mut files) => {
            // A killed run may have left a part of the first file.
            let is_rest = |file: DirEntry| {
                file.file_name().to_str().and_then(of_temporary).is_some_and(|name| name == FIRST)
            };
            match files.all(|file| file.is_ok_and(is_rest)) {
                true => Ok(true),
                false => bail!("{name} is not empty; choose a new folder with --out"),
            }
        }
    }
}

/// Removes the files that a killed run was writing.
fn remove_temporary(folder: &Path) -> std::io::Result<()> {
    for file in folder.read_dir()? {
        let file = file?;
        if file.file_name().to_str().and_then(of_temporary).is_some() {
            std::fs::remove_file(file.path())?;
        }
    }
    Ok(())
}

fn described(game: Game, folder: &Path, files: &[(String, String)]) -> Value {
    let files = files.iter().map(|(name, text)| (name.clone(), json!(text.len())));
    json!({ "game": id_of(game), "folder": folder, "files": files.collect::<serde_json::Map<_, _>>() })
}

/// A position, its value (or the index of its class), its class, and its remoteness.
type Known = (Position, u32, Outcome, Option<u32>);

/// The positions of a game with few piles. For each number of piles there is a largest pile, or a
/// largest total.
struct Levels {
    game: Game,
    /// The largest pile or total and the ordered positions, by number of piles.
    levels: BTreeMap<usize, (Pile, Vec<Known>)>,
}

struct Csv {
    name: &'static str,
    title: &'static str,
    /// The types and names of the columns.
    columns: Vec<(&'static str, String)>,
    rows: Vec<Vec<String>>,
}

impl Levels {
    fn of(common: &Common, game: Game, control: &Control) -> anyhow::Result<Levels> {
        let level = |game, length, largest| {
            anyhow::Ok(Level::new(game, length, largest)?.memory(common.memory).control(control))
        };
        let mut levels = BTreeMap::new();
        for length in game.lengths_near(1..=MOST_PILES) {
            let fits = |&largest: &Pile| {
                let positions = Table::new(game, largest, length).map(|table| table.most_numbers());
                positions.is_ok_and(|positions| positions <= MOST_POSITIONS)
            };
            let sizes = game.least_size(length)..=MOST_COINS;
            let Some(largest) = sizes.take_while(fits).last() else { continue };
            let mut lasting = HashMap::new();
            // Sums have no remoteness.
            if let Ok(form) = remoteness_form(game)
                && let Ok(level) = level(form, length, largest)
            {
                level.each(|block| {
                    block.each_position(|seen| {
                        lasting.insert(seen.position(), seen.value);
                    });
                    true
                })?;
            }
            let mut all = Vec::new();
            level(game, length, largest)?.each(|block| {
                block.each_position(|seen| {
                    let position = seen.position();
                    let remoteness = lasting.get(&position).copied();
                    all.push((position, seen.value, seen.outcome(), remoteness));
                });
                true
            })?;
            all.sort();
            levels.insert(length, (largest, all));
        }
        Ok(Levels { game, levels })
    }

    fn known(&self) -> impl Iterator<Item = &Known> {
        self.levels.values().flat_map(|(_, known)| known)
    }

    /// Returns a file with the column `game`, then `columns`. The columns in `texts` are texts, and
    /// all other columns are numbers.
    fn csv(
        &self,
        name: &'static str,
        title: &'static str,
        columns: impl IntoIterator<Item = impl Into<String>>,
        rows: impl Iterator<Item = Vec<String>>,
    ) -> Csv {
        let texts = ["moves", "outcome", "claim", "verdict", "unit", "range", "first"];
        let kind = |name: &str| if texts.contains(&name) { "string" } else { "integer" };
        let columns = columns.into_iter().map(Into::into).map(|name| (kind(&name), name));
        let columns = [("string", "game".to_owned())].into_iter().chain(columns).collect();
        let game = || [id_of(self.game).to_owned()].into_iter();
        Csv { name, title, columns, rows: rows.map(|row| game().chain(row).collect()).collect() }
    }

    fn positions<'a>(
        &self,
        name: &'static str,
        title: &'static str,
        known: impl Iterator<Item = &'a Known>,
    ) -> Csv {
        let longest = self.levels.keys().last().copied().unwrap_or(0);
        // In data sets k is the number of piles, so rename the column of the last move.
        let columns = columns_of(self.game, longest).into_iter();
        let columns = columns.map(|name| if name == "k" { "last_move".to_owned() } else { name });
        let last = ["g", "outcome", "remoteness"].map(str::to_owned);
        let columns = ["k".to_owned()].into_iter().chain(columns).chain(last);
        let row = |(position, cell, outcome, remoteness): &Known| {
            let number = |number: Option<u32>| number.map_or_else(String::new, |n| n.to_string());
            let value = number(self.game.is_impartial().then_some(*cell));
            let last = [value, outcome.to_string(), number(*remoteness)];
            [vec![position.length().to_string()], row_of(position, longest), last.to_vec()].concat()
        };
        self.csv(name, title, columns, known.map(row))
    }

    fn counts(&self) -> Csv {
        let mut counts = BTreeMap::new();
        for (position, _, outcome, _) in self.known() {
            let entry: &mut [u64; 2] =
                counts.entry([position.length() as u64, self.game.size_of(position)]).or_default();
            entry[0] += 1;
            entry[1] += u64::from(*outcome == Outcome::P);
        }
        let rows = counts.into_iter().map(|(size, counts)| numbers(&[size, counts].concat()));
        let (size, title) = match self.game.is_within_total() {
            true => ("total", "The numbers of positions, by piles and total"),
            false => ("largest_pile", "The numbers of positions, by piles and largest pile"),
        };
        self.csv("counts.csv", title, ["k", size, "positions", "p_positions"], rows)
    }

    /// Returns the first position of each value: fewer coins come first, then fewer piles.
    fn firsts(&self) -> Csv {
        let mut firsts: BTreeMap<u32, &Known> = BTreeMap::new();
        let key = |known: &Known| (known.0.coins(), known.0.length(), known.0.clone());
        for known in self.known() {
            let first = firsts.entry(known.1).or_insert(known);
            if key(known) < key(first) {
                *first = known;
            }
        }
        let title = "The first position of each value: fewest coins, then fewest piles";
        self.positions("first-values.csv", title, firsts.into_values())
    }

    /// Returns the proved periods of rows; `None` if the game has no such rows.
    fn periods(&self, common: &Common, control: &Control) -> Option<Csv> {
        let (game, memory) = (self.game, common.memory);
        let search = PeriodSearch { game, left: LEFTS, middle: &[], to: LAST_COLUMN, memory };
        let rows = (1..).zip(search.with_proofs(control).ok()?).filter_map(|(left, row)| {
            let found = row.found.filter(|found| found.proved)?;
            let [preperiod, period] = [found.preperiod, found.period].map(|number| number as u64);
            Some(numbers(&[left, preperiod, period, found.saltus as u64]))
        });
        let columns = ["left", "preperiod", "period", "saltus"];
        Some(self.csv("periods.csv", "Proved periods of the rows b -> g(left, b)", columns, rows))
    }

    /// Returns the verdicts on the claims about the game; `None` if no claim is about the game.
    fn verdicts(&self, common: &Common, control: &Control) -> anyhow::Result<Option<Csv>> {
        let claims: Vec<_> = Claim::all().filter(|claim| claim.covers(self.game)).collect();
        if claims.is_empty() {
            return Ok(None);
        }
        let plan = Plan::new(&claims, &[self.game], &CLAIMED)?;
        let database = Database::empty();
        let verdicts = plan.run(&database, &common.means(), control)?;
        let verdicts = verdicts.iter().map(serde_json::to_value).collect::<Result<Vec<_>, _>>()?;
        let columns = ["claim", "verdict", "checked", "failures", "unit", "range", "first"];
        let cell = |value: &Value| match value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let rows = verdicts.iter().map(|found| columns.map(|name| cell(&found[name])).to_vec());
        let title = "Verdicts on the claims of papers, with the least counterexamples";
        Ok(Some(self.csv("verdicts.csv", title, columns, rows)))
    }

    /// Returns the name and the text of each file.
    fn files(&self, common: &Common, control: &Control) -> anyhow::Result<Vec<(String, String)>> {
        let lost = self.known().filter(|known| known.2 == Outcome::P);
        let mut tables =
            vec![self.positions(FIRST, "The P-positions, in order", lost), self.counts()];
        tables.extend(self.game.is_impartial().then(|| self.firsts()));
        tables.extend(self.periods(common, control));
        tables.extend(self.verdicts(common, control)?);
        let mut files: Vec<(String, String)> =
            tables.iter().map(|table| (table.name.to_owned(), table.text())).collect();
        let ruleset = rulesets::RULESETS.iter().find(|(name, _)| *name == self.game.id());
        let rules = self.game.rule_file().map(|file| (&*file.name, &*file.text));
        if let Some((name, text)) = rules.or(ruleset.copied()) {
            files.push((format!("{name}.game"), text.to_owned()));
        }
        files.push(("README.md".to_owned(), self.readme(&tables)));
        let resources: Vec<Value> = tables.iter().map(Csv::described).collect();
        let (game, licence) = (self.game, self.license());
        let package = json!({
            "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
            "name": id_of(game),
            "title": format!("Positions of {}", game.title()),
            "version": VERSION,
            "licenses": licence.map_or_else(Vec::new, |licence| {
                let ids = license_ids(licence);
                ids.map(|id| json!({ "name": id, "path": license_page(id) })).collect()
            }),
            "sources": [{ "title": game.paper() }],
            "resources": resources,
        });
        let package = serde_json::to_string_pretty(&package)? + "\n";
        files.push((LAST.to_owned(), package));
        Ok(files)
    }

    /// Returns the licence: that of the rule file, or CC0 for the games that come with the program.
    fn license(&self) -> Option<&str> {
        match self.game.rule_file() {
            Some(file) if !comes_along(file) => file.license.as_deref(),
            _ => Some(OWN_LICENSE),
        }
    }

    fn readme(&self, tables: &[Csv]) -> String {
        let file = |table: &Csv| {
            let rows = grouped(table.rows.len() as u64);
            format!("* `{}`: {}, {rows} rows.\n", table.name, table.title)
        };
        let bound = |(length, (largest, known)): (&usize, &(Pile, Vec<Known>))| {
            let all = grouped(known.len() as u64);
            let size = match self.game.is_within_total() {
                true => format!("at most {largest} coins in all"),
                false => format!("piles up to {largest}"),
            };
            format!("* k = {length}: complete, all {all} positions with {size}.\n")
        };
        let name = match self.game.rule_file() {
            Some(file) if comes_along(file) => file.name.clone(),
            Some(file) => format!("./{}.game", file.name),
            None => id_of(self.game).to_owned(),
        };
        let convention = convention_of(self.game);
        let has = |name: &str| tables.iter().any(|table| table.name == name);
        let periods = if has("periods.csv") { " The periods are proved." } else { "" };
        let verdicts = match has("verdicts.csv") {
            true => " A verdict covers the range that it names and no more.",
            false => "",
        };
        format!(
            include_str!("../../texts/dataset-readme.md"),
            title = self.game.title(),
            rule = self.game.rule(),
            convention = convention.map_or(String::new(), |it| format!(" Convention: {it}.")),
            files = tables.iter().map(file).collect::<String>(),
            bounds = self.levels.iter().map(bound).collect::<String>(),
            version = VERSION,
            reliability = format!("{periods}{verdicts}"),
            paper = rules_of(self.game),
            game = name,
            licence = match self.license() {
                Some(OWN_LICENSE) => "no rights reserved (CC0-1.0)".to_owned(),
                Some(id) => format!("licence: {id}"),
                None => "the author of the rules has not named a licence".to_owned(),
            },
        )
    }
}

impl Csv {
    fn text(&self) -> String {
        let quoted = |cell: &String| match cell.contains([',', '"', '\n']) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell.clone(),
        };
        let line = |cells: Vec<String>| cells.join(",") + "\n";
        let header = line(self.columns.iter().map(|(_, name)| name.clone()).collect());
        let rows = self.rows.iter().map(|row| line(row.iter().map(quoted).collect()));
        [header].into_iter().chain(rows).collect()
    }

    /// Describes the file as a resource of a data package (Frictionless).
    fn described(&self) -> Value {
        let fields = self.columns.iter().map(|(kind, name)| json!({ "name": name, "type": kind }));
        json!({
            "name": self.name.trim_end_matches(".csv"),
            "title": self.title,
            "path": self.name,
            "type": "table",
            "format": "csv",
            "mediatype": "text/csv",
            "encoding": "utf-8",
            "bytes": self.text().len(),
            "schema": { "fields": fields.collect::<Vec<_>>() },
        })
    }
}

fn numbers(all: &[u64]) -> Vec<String> {
    all.iter().map(u64::to_string).collect()
}
