//! The author of a game or a table, and the licence under which others may use it.

use anyhow::bail;
use grundy::law::{RuleFile, UNPUBLISHED, is_license};
use grundy::{Game, rulesets};

use crate::args::Rights;
use crate::version::AUTHOR;

/// The licence of the tables of the built-in games.
pub(crate) const OWN_LICENSE: &str = "CC0-1.0";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Owner {
    pub(crate) author: String,
    /// An SPDX identifier.
    pub(crate) license: String,
}

impl Rights {
    /// Returns the owner of the game of a rule file, or of a built-in game if there is no file.
    /// The options count more than the file. Rulesets that come with the program are the project's.
    pub(crate) fn owner(&self, file: Option<&RuleFile>) -> anyhow::Result<Owner> {
        let Some(file) = file else {
            return Ok(Owner { author: AUTHOR.to_owned(), license: OWN_LICENSE.to_owned() });
        };
        let comes_along = rulesets::game(&file.name).is_some_and(|game| game.id() == file.id);
        let known = |said: &Option<String>, stands: &Option<String>, own: &str| {
            let own = || comes_along.then(|| own.to_owned());
            said.clone().or_else(|| stands.clone()).or_else(own)
        };
        let author = known(&self.author, &file.author, AUTHOR);
        let license = known(&self.license, &file.license, OWN_LICENSE);
        let (Some(author), Some(license)) = (author, license) else {
            bail!(
                "nothing says who made {} and under which licence its tables may be used; say \
                 --author NAME --license CC-BY-4.0 (or another licence), or write the lines \
                 `author: ...` and `license: ...` into its rule file",
                file.id
            );
        };
        Ok(Owner { author, license })
    }

    /// Rejects an empty author, a licence that is no identifier, and options that no table needs.
    pub(crate) fn check(&self, owns_some: bool) -> anyhow::Result<()> {
        if self.author.as_ref().is_some_and(|author| author.trim().is_empty()) {
            bail!("--author is empty; give the name of a person or group");
        }
        if let Some(license) = self.license.as_ref().filter(|license| !is_license(license)) {
            bail!(
                "--license is '{license}'; it must be an identifier of spdx.org/licenses, such as \
                 CC0-1.0, CC-BY-4.0 or MIT"
            );
        }
        if !owns_some && (self.author.is_some() || self.license.is_some()) {
            bail!(
                "--author and --license are for games of rule files, and there is none here; leave \
                 them out"
            );
        }
        Ok(())
    }
}

/// Returns where the rules of a game were published, in words.
pub(crate) fn rules_of(game: Game) -> String {
    match game.paper() == UNPUBLISHED {
        true => "its rules are unpublished".to_owned(),
        false => format!("rules: {}", game.paper()),
    }
}
