use anyhow::bail;
use grundy::Table;
use grundy::law::RuleFile;
use grundy_pack::day;
use serde_json::json;

use crate::End;
use crate::args::{Cite, Common, OPENING};
use crate::output::Out;
use crate::rights::{comes_along, rules_of};
use crate::version::{AUTHOR, COMMIT, DOI, TITLE, URL, VERSION, date};

pub(crate) fn run(common: &Common, wanted: &Cite, out: &mut Out) -> anyhow::Result<End> {
    let opening = wanted.within.seconds.min(OPENING);
    let year = day(date())[..4].to_owned();
    let program = format!("version {VERSION}, commit {COMMIT}");
    let mut author = AUTHOR.to_owned();
    let mut rights = |file: Option<&RuleFile>| -> anyhow::Result<Option<String>> {
        wanted.rights.check(file.into_iter())?;
        let owner = wanted.rights.owner(file)?;
        author = owner.author;
        Ok(file.map(|_| owner.license))
    };
    let is_game = |name: &str| name.ends_with(".game") || !name.contains('/');
    let (key, title, note) = match &wanted.table {
        None => {
            wanted.rights.check([].into_iter())?;
            ("grundy".to_owned(), TITLE.to_owned(), program)
        }
        Some(name) if is_game(name) => {
            let game = common.game(name, opening)?;
            if game.rule_file().is_none_or(comes_along) {
                let length = game.stored_length(*game.lengths_near(2..=2).start());
                let sized = |max_pile| Table::new(game, max_pile, length);
                // Tables with sets of moves have small piles.
                let example = sized(64).or_else(|_| sized(16))?;
                bail!(
                    "the rules of {} come from: {}; cite this source, or a table by its id, as in {}",
                    game.title(),
                    game.paper(),
                    example
                );
            }
            let license = rights(game.rule_file())?.map_or(String::new(), |l| format!("; {l}"));
            let (key, title) = (format!("grundy-{}", game.id()), game.title().to_owned());
            (key, title, format!("{}{license}; cited with Grundy {program}", rules_of(game)))
        }
        Some(id) => {
            let database = common.open(opening)?;
            let db = common.db.display();
            let mut tables = database.tables().iter();
            let Some(stored) = tables.find(|stored| stored.table().to_string() == *id) else {
                bail!("{db} has no table '{id}'; `grundy status` lists its tables");
            };
            let (table, digest) = (stored.table(), stored.entry().digest());
            let game = table.game();
            let license = rights(game.rule_file())?.map_or(String::new(), |l| format!("; {l}"));
            let title = format!("{}: the table {id} of Grundy", game.title());
            let rules = rules_of(game);
            let note =
                format!("BLAKE3 digest {digest}; {rules}{license}; cited with Grundy {program}");
            (format!("grundy-{}", id.replace('/', "-")), title, note)
        }
    };
    let how = match &wanted.table {
        None => "Computer program",
        Some(name) if is_game(name) => "Rules of a game",
        Some(_) => "Data set",
    };
    let url = URL.map(str::to_owned).or_else(|| DOI.map(|doi| format!("https://doi.org/{doi}")));
    if out.is_json() {
        let all = json!({
            "key": key, "author": author, "title": title, "year": year, "note": note,
            "howpublished": how, "url": url, "doi": DOI,
        });
        out.object(&all)?;
        return Ok(End::Fine);
    }
    let place = url.as_ref().map_or(String::new(), |url| format!(" {url}"));
    out.line(format!("{author}. {title}. {how}, {year}. {note}.{place}"))?;
    out.line("")?;
    out.line(format!("@misc{{{key},"))?;
    let fields = [
        ("author", Some(format!("{{{}}}", in_tex(&author)))),
        ("title", Some(format!("{{{}}}", in_tex(&title)))),
        ("howpublished", Some(how.to_owned())),
        ("year", Some(year)),
        ("url", url),
        ("doi", DOI.map(str::to_owned)),
        ("note", Some(in_tex(&note))),
    ];
    for (name, text) in fields {
        let Some(text) = text else { continue };
        out.line(format!("  {name:<12} = {{{text}}},"))?;
    }
    out.line("}")?;
    Ok(End::Fine)
}

fn in_tex(text: &str) -> String {
    let mut tex = String::new();
    for letter in text.chars() {
        match letter {
            '\\' => tex.push_str("\\textbackslash{}"),
            '^' => tex.push_str("\\textasciicircum{}"),
            '~' => tex.push_str("\\textasciitilde{}"),
            _ if "#$%&_{}".contains(letter) => tex.extend(['\\', letter]),
            _ => tex.push(letter),
        }
    }
    tex
}

#[cfg(test)]
mod tests {
    use super::in_tex;

    #[test]
    fn nothing_means_anything_to_tex() {
        assert_eq!(in_tex("8 (2008), #G01 & 5%"), "8 (2008), \\#G01 \\& 5\\%");
        assert_eq!(in_tex("A\\B^~"), "A\\textbackslash{}B\\textasciicircum{}\\textasciitilde{}");
    }
}
