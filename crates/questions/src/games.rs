//! The games that a statement refers to.

use std::cell::RefCell;

use grundy_language::Setting;
use grundy_language::ast::{Expr, ExprKind, GameName, Property};
use grundy_rules::{Game, Remembers, remoteness_form};

pub(crate) fn setting(game: Game) -> Setting<'static> {
    Setting {
        impartial: game.is_impartial(),
        memories: game.rules().memories(),
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

/// Finds a game by the name that a statement or a claim gives to it.
pub type ReadGame<'a> = &'a dyn Fn(&str) -> Result<Game, String>;

/// Finds a game by its name or its id.
pub(crate) fn by_name(name: &str) -> Result<Game, String> {
    name.parse().map_err(|error| format!("{error}"))
}

/// Finds games by their names, and collects them.
pub(crate) struct Known<'a> {
    read: ReadGame<'a>,
    found: RefCell<Games>,
}

impl<'a> Known<'a> {
    pub(crate) fn new(own: Game, read: ReadGame<'a>) -> Known<'a> {
        Known { read, found: RefCell::new(Games::new(own)) }
    }

    pub(crate) fn games(self) -> Games {
        self.found.into_inner()
    }

    /// Returns a statement with ids in place of the names that only `read` knows, such as paths.
    pub(crate) fn with_ids(&self, text: &str, parsed: &Expr) -> String {
        let (mut all, mut names) = (vec![parsed], Vec::new());
        while let Some(expr) = all.pop() {
            if let ExprKind::At(_, there) = &expr.kind {
                names.extend(&there.game);
            }
            expr.each_child(&mut |child| all.push(child));
        }
        names.sort_by_key(|name| std::cmp::Reverse(name.span.start));
        let mut written = text.to_owned();
        for GameName { name, span, .. } in names {
            match (self.read)(name) {
                Ok(game) if by_name(name) != Ok(game) => {
                    written.replace_range(span.start..span.end, game.id());
                }
                _ => {}
            }
        }
        written
    }
}

impl grundy_language::Games for Known<'_> {
    fn named(&self, name: &str) -> Result<Setting<'_>, String> {
        let game = (self.read)(name)?;
        let Games { own, others } = &mut *self.found.borrow_mut();
        if game != *own && !others.contains(&game) {
            others.push(game);
        }
        Ok(setting(game))
    }
}
