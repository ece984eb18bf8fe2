//! The games by name.

use std::fmt;
use std::str::FromStr;

use crate::{Move, Position, end_nim, long_global, nim, partizan, short_global};

/// A game, as the command line, the folders of a database and JSON name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Game {
    /// Nim (Bouton 1901, sections 1 to 5).
    Nim,
    /// Misère Nim (Bouton 1901, section 6), with the values of the convention of Cairns
    /// and Ho 2011: the last coin is never taken, so that two piles agree with misère
    /// End-Nim.
    MisereNim,
    /// End-Nim (Albert and Nowakowski 2001; Cairns and Ho 2011).
    EndNim,
    /// Misère End-Nim, under the convention of Cairns and Ho 2011: the last
    /// coin is never taken, so the single pile 1 is terminal with value 0.
    MisereEndNim,
    /// Loop-End-Nim, "leave only one pile" (Cairns and Ho 2011): single piles
    /// are terminal.
    LoopEndNim,
    /// Partizan End-Nim (Albert and Nowakowski 2001): Left plays on the leftmost pile
    /// only, Right on the rightmost.
    PartizanEndNim,
    /// Short global nim, or D.U.D.E. (the 2008 paper in INTEGERS, sections 2 and 3): Nim in
    /// which no player may take as many coins as the other just did.
    ShortGlobalNim,
    /// Long global nim (the same paper, sections 4 and 5): Nim in which a number of coins
    /// that was once taken may not be taken again.
    LongGlobalNim,
}

impl Game {
    /// Every game, in the order in which they are listed and built.
    pub const ALL: [Game; 8] = [
        Game::Nim,
        Game::MisereNim,
        Game::EndNim,
        Game::MisereEndNim,
        Game::LoopEndNim,
        Game::PartizanEndNim,
        Game::ShortGlobalNim,
        Game::LongGlobalNim,
    ];

    /// The impartial games on a row of piles, which differ in single piles only.
    pub const END_NIM: [Game; 3] = [Game::EndNim, Game::MisereEndNim, Game::LoopEndNim];

    /// The name on the command line, in folders and in JSON.
    pub fn id(self) -> &'static str {
        match self {
            Game::Nim => "nim",
            Game::MisereNim => "misere-nim",
            Game::EndNim => "end-nim",
            Game::MisereEndNim => "misere-end-nim",
            Game::LoopEndNim => "loop-end-nim",
            Game::PartizanEndNim => "partizan-end-nim",
            Game::ShortGlobalNim => "short-global-nim",
            Game::LongGlobalNim => "long-global-nim",
        }
    }

    /// The game's name in prose.
    pub fn title(self) -> &'static str {
        match self {
            Game::Nim => "Nim",
            Game::MisereNim => "misère Nim",
            Game::EndNim => "End-Nim",
            Game::MisereEndNim => "misère End-Nim",
            Game::LoopEndNim => "Loop-End-Nim",
            Game::PartizanEndNim => "partizan End-Nim",
            Game::ShortGlobalNim => "short global nim",
            Game::LongGlobalNim => "long global nim",
        }
    }

    /// Whether both players have the same moves, so that positions have Grundy values.
    pub fn is_impartial(self) -> bool {
        self != Game::PartizanEndNim
    }

    /// Whether the order of the piles does not matter: a position is then a multiset,
    /// written in ascending order.
    pub fn is_unordered(self) -> bool {
        matches!(self, Game::Nim | Game::MisereNim | Game::ShortGlobalNim | Game::LongGlobalNim)
    }

    /// The End-Nim game that this one is with up to two piles: itself, or for Nim and misère
    /// Nim, where the order of two piles does not matter, their counterpart. `None` for the
    /// others.
    pub fn as_end_nim(self) -> Option<Game> {
        match self {
            Game::Nim | Game::EndNim => Some(Game::EndNim),
            Game::MisereNim | Game::MisereEndNim => Some(Game::MisereEndNim),
            Game::LoopEndNim => Some(Game::LoopEndNim),
            Game::PartizanEndNim | Game::ShortGlobalNim | Game::LongGlobalNim => None,
        }
    }

    /// Every move of a position, in the order in which they are listed.
    pub fn moves(self, position: &Position) -> Vec<Move> {
        match self {
            Game::Nim | Game::MisereNim => nim::moves(self, position),
            Game::EndNim | Game::MisereEndNim | Game::LoopEndNim => end_nim::moves(self, position),
            Game::PartizanEndNim => partizan::moves(position),
            Game::ShortGlobalNim => short_global::moves(position),
            Game::LongGlobalNim => long_global::moves(position),
        }
    }

    /// Whether the position without piles can be reached, and so is a position.
    pub fn has_empty_position(self) -> bool {
        match self {
            Game::Nim
            | Game::EndNim
            | Game::PartizanEndNim
            | Game::ShortGlobalNim
            | Game::LongGlobalNim => true,
            Game::MisereNim | Game::MisereEndNim | Game::LoopEndNim => false,
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
        assert_eq!("partizan".parse::<Game>().unwrap_err().nearest, Game::PartizanEndNim);
        assert_eq!("endnim".parse::<Game>().unwrap_err().nearest, Game::EndNim);
    }
}
