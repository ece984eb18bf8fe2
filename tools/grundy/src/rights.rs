//! The author of a game or a table, and the licence under which others may use it.

use anyhow::bail;
use grundy::law::{RuleFile, UNPUBLISHED, is_license, is_plain};
use grundy::{Game, rulesets};

use crate::args::Rights;
use crate::version::AUTHOR;

/// The licence of the tables of the built-in games.
pub(crate) const OWN_LICENSE: &str = "CC0-1.0";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Owner {
    pub(crate) author: String,
    /// An SPDX expression.
    pub(crate) license: String,
}

impl Rights {
    /// Returns the owner of the game of a rule file, or of a built-in game if there is no file. The
    /// options say what the file does not. Rulesets that come with the program are the project's.
    pub(crate) fn owner(&self, file: Option<&RuleFile>) -> anyhow::Result<Owner> {
        let Some(file) = file else {
            return Ok(Owner { author: AUTHOR.to_owned(), license: OWN_LICENSE.to_owned() });
        };
        let comes_along = comes_along(file);
        let known = |stands: &Option<String>, said: &Option<String>, own: &str| {
            let said = || if comes_along { Some(own.to_owned()) } else { said.clone() };
            stands.clone().or_else(said)
        };
        let author = known(&file.author, &self.author, AUTHOR);
        let license = known(&file.license, &self.license, OWN_LICENSE);
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

    /// Rejects an invalid author or licence, and options that none of these files needs.
    pub(crate) fn check<'a>(
        &self,
        files: impl Iterator<Item = &'a RuleFile> + Clone,
    ) -> anyhow::Result<()> {
        if let Some(author) = &self.author
            && (author.trim().is_empty() || !author.chars().all(is_plain))
        {
            bail!("--author must be the name of a person or group, without control characters");
        }
        if let Some(license) = self.license.as_ref().filter(|license| !is_license(license)) {
            bail!(
                "--license is '{license}'; it must consist of identifiers of spdx.org/licenses, such as \
                 CC0-1.0, CC-BY-4.0 or MIT OR Apache-2.0"
            );
        }
        let mut silent = files.filter(|file| !comes_along(file));
        let (author, license) = (self.author.is_some(), self.license.is_some());
        let needs =
            |file: &RuleFile| author && file.author.is_none() || license && file.license.is_none();
        if (author || license) && !silent.any(needs) {
            bail!(
                "--author and --license are for your own games whose rule files do not say them, \
                 and there is none here; leave them out"
            );
        }
        Ok(())
    }
}

/// True for a ruleset that comes with the program.
pub(crate) fn comes_along(file: &RuleFile) -> bool {
    rulesets::game(&file.name).is_some_and(|game| game.id() == file.id)
}

/// Returns where the rules of a game were published, in words.
pub(crate) fn rules_of(game: Game) -> String {
    match game.paper() == UNPUBLISHED {
        true => "its rules are unpublished".to_owned(),
        false => format!("rules: {}", game.paper()),
    }
}
