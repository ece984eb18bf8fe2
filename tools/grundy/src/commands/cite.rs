use anyhow::bail;
use grundy::law::RuleFile;
use grundy_pack::day;
use serde_json::json;

use crate::End;
use crate::args::{Cite, Common, OPENING};
use crate::output::Out;
use crate::rights::rules_of;
use crate::version::{AUTHOR, COMMIT, DOI, TITLE, URL, VERSION, date};

pub(crate) fn run(common: &Common, wanted: &Cite, out: &mut Out) -> anyhow::Result<End> {
    let year = day(date())[..4].to_owned();
    let program = format!("version {VERSION}, commit {COMMIT}");
    let mut author = AUTHOR.to_owned();
    let mut rights = |file: Option<&RuleFile>| -> anyhow::Result<Option<String>> {
        wanted.rights.check(file.is_some())?;
        let owner = wanted.rights.owner(file)?;
        author = owner.author;
        Ok(file.map(|_| owner.license))
    };
    let is_game = |name: &str| name.ends_with(".game") || !name.contains('/');
    let (key, title, note) = match &wanted.table {
        None => {
            wanted.rights.check(false)?;
            ("grundy".to_owned(), TITLE.to_owned(), program)
        }
        Some(name) if is_game(name) => {
            let game = common.game(name, OPENING)?;
            let license = rights(game.rule_file())?.map_or(String::new(), |l| format!("; {l}"));
            let (key, title) = (format!("grundy-{}", game.id()), game.title().to_owned());
            (key, title, format!("{}{license}; cited with Grundy {program}", rules_of(game)))
        }
        Some(id) => {
            let database = common.open(60.0)?;
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
        if "#$%&_{}".contains(letter) {
            tex.push('\\');
        }
        tex.push(letter);
    }
    tex
}

#[cfg(test)]
mod tests {
    use grundy::Game;

    use super::in_tex;

    #[test]
    fn nothing_means_anything_to_tex() {
        assert_eq!(in_tex("8 (2008), #G01 & 5%"), "8 (2008), \\#G01 \\& 5\\%");
        // A backslash cannot escape these characters in BibTeX, so no source may contain them.
        for game in Game::all() {
            assert!(!game.paper().contains(['\\', '^', '~']), "{}", game.paper());
        }
    }
}
