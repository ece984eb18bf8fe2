//! The games by name.

use std::fmt;
use std::str::FromStr;

/// A game, as the command line, the folders of a database and JSON name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Game {
    /// End-Nim (Albert and Nowakowski 2001; Cairns and Ho 2011).
    EndNim,
    /// Misère End-Nim, under the convention of Cairns and Ho 2011: the last
    /// coin is never taken, so the single pile 1 is terminal with value 0.
    MisereEndNim,
    /// Loop-End-Nim, "leave only one pile" (Cairns and Ho 2011): single piles
    /// are terminal.
    LoopEndNim,
}

impl Game {
    /// Every game, in the order in which they are listed and built.
    pub const ALL: [Game; 3] = [Game::EndNim, Game::MisereEndNim, Game::LoopEndNim];

    /// The name on the command line, in folders and in JSON.
    pub fn id(self) -> &'static str {
        match self {
            Game::EndNim => "end-nim",
            Game::MisereEndNim => "misere-end-nim",
            Game::LoopEndNim => "loop-end-nim",
        }
    }

    /// The game's name in prose.
    pub fn title(self) -> &'static str {
        match self {
            Game::EndNim => "End-Nim",
            Game::MisereEndNim => "misère End-Nim",
            Game::LoopEndNim => "Loop-End-Nim",
        }
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// A name that is no game's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown game '{name}'; did you mean '{nearest}'? The games are: {}", list())]
pub struct UnknownGame {
    /// What was asked for.
    pub name: String,
    /// The game whose name is nearest to it.
    pub nearest: Game,
}

fn list() -> String {
    Game::ALL.map(Game::id).join(", ")
}

impl FromStr for Game {
    type Err = UnknownGame;

    fn from_str(name: &str) -> Result<Game, UnknownGame> {
        let wanted = name.trim().to_lowercase().replace(['_', ' '], "-").replace('è', "e");
        if let Some(&game) = Game::ALL.iter().find(|game| game.id() == wanted) {
            return Ok(game);
        }
        let nearest = Game::ALL
            .into_iter()
            .min_by_key(|game| {
                // A part of a name, as in "loop", means the whole of it.
                let part = !wanted.is_empty() && game.id().contains(&wanted);
                (!part, strsim::damerau_levenshtein(game.id(), &wanted))
            })
            .unwrap_or(Game::EndNim);
        Err(UnknownGame { name: name.to_owned(), nearest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        for game in Game::ALL {
            assert_eq!(game.id().parse(), Ok(game));
            assert_eq!(game.title().parse(), Ok(game));
        }
    }

    #[test]
    fn a_near_name_is_suggested() {
        let error = "loop-end-nin".parse::<Game>().unwrap_err();
        assert_eq!(error.nearest, Game::LoopEndNim);
        assert!(error.to_string().contains("did you mean 'loop-end-nim'?"));
        assert_eq!("loop".parse::<Game>().unwrap_err().nearest, Game::LoopEndNim);
        assert_eq!("endnim".parse::<Game>().unwrap_err().nearest, Game::EndNim);
    }
}
