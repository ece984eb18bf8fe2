//! The games that a statement refers to.

use std::cell::RefCell;

use grundy_language::Setting;
use grundy_language::ast::{GameName, Property};
use grundy_rules::{Game, Remembers, remoteness_form};

pub(crate) fn setting(game: Game) -> Setting<'static> {
    Setting {
        impartial: game.is_impartial(),
        last_move: game.remembers() == Remembers::LastMove,
        moves: game.remembers() == Remembers::Moves,
        symmetric: game.is_symmetric() || game.is_unordered(),
        ..Setting::of_rows(game.id())
    }
}

/// The game of a statement, and the other games that the statement names.
#[derive(Clone, Debug)]
pub(crate) struct Games {
    pub(crate) own: Game,
    pub(crate) others: Vec<Game>,
}

impl Games {
    pub(crate) fn new(own: Game) -> Games {
        Games { own, others: Vec::new() }
    }

    /// Returns the game whose cells contain this property. `name` is the game in a resolved tree.
    pub(crate) fn of(&self, name: Option<&GameName>, property: Property) -> Game {
        self.called(name.map(|name| &*name.name), property)
    }

    /// Returns the game with this id, or the game of the statement if there is no id. For the
    /// property remoteness, returns the remoteness form of the game.
    pub(crate) fn called(&self, id: Option<&str>, property: Property) -> Game {
        let found = self.others.iter().find(|game| Some(game.id()) == id);
        let game = match (found, id) {
            (Some(&game), _) => game,
            (None, None) => self.own,
            (None, Some(id)) => unreachable!("{id} is resolved before"),
        };
        match property {
            Property::Remoteness => remoteness_form(game).unwrap_or(game),
            _ => game,
        }
    }
}

/// Finds games by their names, and collects them.
#[derive(Debug)]
pub(crate) struct Known(RefCell<Games>);

impl Known {
    pub(crate) fn new(own: Game) -> Known {
        Known(RefCell::new(Games::new(own)))
    }

    pub(crate) fn games(self) -> Games {
        self.0.into_inner()
    }
}

impl grundy_language::Games for Known {
    fn named(&self, name: &str) -> Result<Setting<'_>, String> {
        let game: Game = name.parse().map_err(|error| format!("{error}"))?;
        let Games { own, others } = &mut *self.0.borrow_mut();
        if game != *own && !others.contains(&game) {
            others.push(game);
        }
        Ok(setting(game))
    }
}
