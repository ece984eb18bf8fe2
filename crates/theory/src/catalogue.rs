//! The list of all claims, and the search for claims by name.

use std::sync::{Arc, LazyLock};

use grundy_rules::Game;
use serde_json::json;

use crate::claim::{Claim, Paper};
use crate::claim_text::{ClaimFileError, claims_with};
use crate::tally::id_of;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown claim '{name}'; the nearest is '{nearest}'")]
pub struct UnknownClaim {
    pub name: String,
    pub nearest: String,
}

/// A file of claims that is compiled into the program.
pub(crate) struct ClaimFile {
    path: &'static str,
    text: &'static str,
    notes: &'static str,
}

impl ClaimFile {
    pub(crate) fn read(&self) -> Result<Vec<Claim>, ClaimFileError> {
        let game = |name: &str| name.parse::<Game>().map_err(|error| error.to_string());
        claims_with(self.text, self.notes, &game)
    }
}

macro_rules! files {
    ($($paper:ident),*) => {
        [$(ClaimFile {
            path: concat!("claims/", stringify!($paper), ".txt"),
            text: include_str!(concat!("../claims/", stringify!($paper), ".txt")),
            notes: include_str!(concat!("../findings/", stringify!($paper), ".md")),
        }),*]
    };
}

/// The files of the papers in the order of the findings, then the files of this project.
pub(crate) static FILES: [ClaimFile; 9] = files!(
    bouton,
    albert_nowakowski,
    partizan,
    cairns_ho,
    end_wythoff,
    short_global,
    long_global,
    own_facts,
    all_lengths
);

/// All claims, in the order of the files and of their texts.
static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(|| {
    let read = |file: &ClaimFile| match file.read() {
        Ok(claims) => claims,
        Err(error) => panic!("crates/theory/{}: {error}: {:?}", file.path, error.problem),
    };
    FILES.iter().flat_map(read).collect()
});

impl Claim {
    /// Returns the papers in the order of the findings, then this project.
    pub fn papers() -> Vec<&'static Arc<Paper>> {
        let mut papers: Vec<&Arc<Paper>> = CLAIMS.iter().map(|claim| &claim.paper).collect();
        papers.dedup_by(|a, b| Arc::ptr_eq(a, b));
        papers
    }

    /// Returns every claim, paper by paper, in the order of the text.
    pub fn all() -> impl Iterator<Item = &'static Claim> {
        CLAIMS.iter()
    }

    /// Returns each claim that matches a name once; all claims if there are no names.
    pub fn choose(names: &[String]) -> Result<Vec<&'static Claim>, UnknownClaim> {
        if names.is_empty() {
            return Ok(Claim::all().collect());
        }
        let mut chosen: Vec<&'static Claim> = Vec::new();
        for name in names {
            for claim in Claim::find(name)? {
                if !chosen.iter().any(|known| known.id == claim.id) {
                    chosen.push(claim);
                }
            }
        }
        Ok(chosen)
    }

    /// Returns a description of the claim as JSON, for other programs.
    pub fn about(&self) -> serde_json::Value {
        let mut about = json!({
            "claim": self.id,
            "paper": self.paper.reference,
            "number": self.number,
            "statement": self.statement,
            "reading": self.reading,
            "games": self.games.iter().map(|&game| id_of(game)).collect::<Vec<_>>(),
            "checks": self.checks.iter().map(|check| {
                let games = check.questions.iter().map(|question| id_of(question.game()));
                json!({ "games": games.collect::<Vec<_>>(), "statement": check.text })
            }).collect::<Vec<_>>(),
            "unit": self.unit,
            "premise": self.premise,
            "status": self.status,
            "expected": self.expected(),
            "flaw": self.flaw,
            "corrected": self.corrected,
        });
        if self.games.iter().any(|game| game.misere_of().is_some()) {
            about["convention"] = MISERE.into();
        }
        about
    }

    /// Returns the claims that match a name. A full id such as `ch.thm5.1` gives one claim. A
    /// prefix such as `ch.`, with or without the dot, gives all claims of a paper.
    pub fn find(name: &str) -> Result<Vec<&'static Claim>, UnknownClaim> {
        let wanted = name.trim().to_ascii_lowercase();
        let found: Vec<&Claim> = match Claim::all().find(|claim| claim.id == wanted) {
            Some(claim) => vec![claim],
            None => Claim::all()
                .filter(|claim| claim.paper.prefix == wanted.trim_end_matches('.'))
                .collect(),
        };
        if !found.is_empty() {
            return Ok(found);
        }
        let ids = Claim::all().map(|claim| claim.id.to_owned());
        let prefixes = Claim::papers().into_iter().map(|paper| format!("{}.", paper.prefix));
        // Limit the time of the comparison. No id has more than 60 characters.
        let compared: String = wanted.chars().take(60).collect();
        let distance = |known: &String| strsim::damerau_levenshtein(known, &compared);
        let Some(nearest) = ids.chain(prefixes).min_by_key(distance) else {
            unreachable!("there are claims")
        };
        Err(UnknownClaim { name: name.to_owned(), nearest })
    }
}

const MISERE: &str = "misere: a position without moves has the value 1";

/// Returns the name of a game for readers, with its convention if it is a misère form.
pub fn named(game: Game) -> String {
    match game.misere_of() {
        Some(normal) => format!("{normal} ({MISERE})"),
        None => game.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_begin_with_their_prefix() {
        let ids: std::collections::HashSet<&String> = Claim::all().map(|claim| &claim.id).collect();
        assert_eq!(ids.len(), Claim::all().count());
        for claim in Claim::all() {
            assert!(claim.id.starts_with(&format!("{}.", claim.paper.prefix)), "{claim:?}");
            assert_eq!(Claim::find(&claim.id).unwrap().len(), 1);
            assert!(claim.statement.ends_with('.'), "{claim:?}");
        }
    }

    #[test]
    fn a_prefix_finds_the_paper() {
        let found = Claim::find("ch.").unwrap();
        assert_eq!(found.len(), 13);
        assert_eq!(Claim::find("ch").unwrap().len(), found.len());
    }

    #[test]
    fn a_near_name_is_suggested() {
        let error = Claim::find("ch.thm51").unwrap_err();
        assert_eq!(error.nearest, "ch.thm5.1");
        assert!(error.to_string().contains("'ch.thm51'; the nearest is 'ch.thm5.1'"));
        assert_eq!(Claim::find("an.thm3").unwrap_err().nearest, "an.thm2");
    }

    #[test]
    fn each_name_is_chosen_once() {
        let ids = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            let chosen = Claim::choose(&names).map_err(|error| error.name);
            chosen.map(|claims| claims.iter().map(|claim| claim.id.as_str()).collect::<Vec<_>>())
        };
        assert_eq!(
            ids(&["ch.thm5.1", " AN.THM2 ", "ch.thm5.1"]).unwrap(),
            ["ch.thm5.1", "an.thm2"]
        );
        let papers = ids(&["an.thm2", "an"]).unwrap();
        assert_eq!(papers.len(), 5);
        assert_eq!((papers[0], papers[1]), ("an.thm2", "an.prop1"));
        assert_eq!(ids(&[]).unwrap().len(), Claim::all().count());
        assert_eq!(ids(&["an", "x"]).unwrap_err(), "x");
        let prefixes: Vec<&str> = Claim::papers().iter().map(|paper| &*paper.prefix).collect();
        assert_eq!(prefixes, ["bouton", "an", "partizan", "ch", "ew", "gn", "lgn", "end", "all"]);
        let about = Claim::find("ch.two-pile").unwrap()[0].about();
        assert_eq!(about["claim"], "ch.two-pile");
        assert_eq!(about["games"], json!(["end-nim", "misere-end-nim"]));
        assert_eq!((&about["unit"], &about["status"]), (&"positions".into(), &"theorem".into()));
    }
}
