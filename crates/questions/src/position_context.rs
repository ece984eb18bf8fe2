//! The position at which the slow evaluator evaluates a statement, and the values it looks up.

use std::collections::BTreeSet;

use grundy_language::ast::{Builtin, Property};
use grundy_language::eval::{LARGEST_PILE, written};
use grundy_language::{Cause, Fault, Span, Val};
use grundy_rules::{Game, Memory, MoveSet, Order, Pile, Player};

use crate::games::Games;
use crate::values::Values;

#[derive(Clone, Copy)]
pub(crate) struct PositionContext<'a> {
    pub(crate) games: &'a Games,
    pub(crate) piles: &'a [Pile],
    pub(crate) memory: &'a Memory,
    /// The value of the position, or the index of its outcome class.
    pub(crate) cell: u32,
    pub(crate) values: &'a dyn Values,
}

type Found = Result<Val, Fault>;

impl grundy_language::Context for PositionContext<'_> {
    fn piles(&self) -> &[u32] {
        self.piles
    }

    fn state(&self) -> u32 {
        self.memory.state()
    }

    fn named(&self, builtin: Builtin, span: Span) -> Found {
        let PositionContext { games, piles, memory, cell, values } = *self;
        let game = games.own;
        let available = || match memory {
            Memory::Available(set) => set.iter().map(i128::from).collect::<BTreeSet<_>>(),
            other => unreachable!("wrong type after the type check: {other:?}"),
        };
        let options = |wanted: Option<Player>| {
            let mut set = BTreeSet::new();
            let mut show = |player: Player, cell: u32| {
                let fits = wanted.is_none_or(|wanted| player == wanted || player == Player::Either);
                set.extend(fits.then_some(cell));
            };
            let shown = values.options(game, piles, memory, &mut show);
            shown.map_err(|error| Fault { span, cause: Cause::Value(error) })?;
            Ok(match game.is_impartial() {
                true => Val::Set(set.into_iter().map(i128::from).collect()),
                false => Val::Classes(set.into_iter().map(|cell| game.class_of(cell)).collect()),
            })
        };
        Ok(match builtin {
            Builtin::Value => Val::Int(cell.into()),
            Builtin::Outcome => Val::Class(game.class_of(cell)),
            Builtin::Moves => Val::Set(available()),
            Builtin::Size => Val::Int(available().len() as i128),
            Builtin::Options => options(None)?,
            Builtin::LeftOptions => options(Some(Player::Left))?,
            Builtin::RightOptions => options(Some(Player::Right))?,
            other => unreachable!("{other} is known without the game"),
        })
    }

    fn other(
        &self,
        game: Option<&str>,
        property: Property,
        numbers: &[i128],
        remembered: &[Val],
        span: Span,
    ) -> Found {
        let PositionContext { games, values, .. } = *self;
        let game = games.called(game, property);
        let found = other_position(game, numbers, remembered);
        if property == Property::Exists {
            return Ok(Val::Bool(found.is_some()));
        }
        let fault = |cause| Fault { span, cause };
        if let Some(cause) = out_of_range(game, remembered) {
            return Err(fault(cause));
        }
        let Some((piles, memory)) = found else {
            return Err(fault(no_position(numbers, game, games.own)));
        };
        let cell = values.cell(game, &piles, &memory).map_err(|e| fault(Cause::Value(e)))?;
        Ok(match property {
            Property::Value | Property::Remoteness => Val::Int(cell.into()),
            Property::Outcome => Val::Class(game.class_of(cell)),
            Property::Is(wanted) => Val::Bool(game.class_of(cell) == wanted),
            Property::Exists => Val::Bool(true),
        })
    }
}

/// Returns the state with these remembered numbers, or the place of one that is out of range.
fn state(game: Game, remembered: &[Val]) -> Option<Result<u32, usize>> {
    let numbers = remembered.iter().map(|number| match number {
        Val::Int(number) => Some(*number),
        _ => None,
    });
    Some(game.memories()?.state(&numbers.collect::<Option<Vec<_>>>()?))
}

/// Returns the fault for a remembered number that is out of range.
fn out_of_range(game: Game, remembered: &[Val]) -> Option<Cause> {
    let place = state(game, remembered).filter(|_| !remembered.is_empty())?.err()?;
    game.memories()?.all()[place].out_of_range()
}

/// Returns the fault for piles that are not a position of the game.
pub(crate) fn no_position(piles: &[i128], game: Game, own: Game) -> Cause {
    let (piles, game) = (written(piles), game.remoteness_of().unwrap_or(game));
    Cause::NoPosition(if game == own { piles } else { format!("{piles} in {game}") })
}

/// Returns the position with these piles. Zeros are left out at the ends of a row, and everywhere
/// if the order of piles does not matter.
fn other_position(game: Game, numbers: &[i128], remembered: &[Val]) -> Option<(Vec<Pile>, Memory)> {
    if numbers.iter().any(|number| !(0..=LARGEST_PILE).contains(number)) {
        return None;
    }
    let mut piles: Vec<Pile> = numbers.iter().map(|&number| number as Pile).collect();
    if game.order() == Order::Any {
        piles.retain(|&pile| pile > 0);
        piles.sort_unstable();
    }
    let has_places = game.order().least_pile() == 0;
    while !has_places && piles.last() == Some(&0) {
        piles.pop();
    }
    while !has_places && piles.first() == Some(&0) {
        piles.remove(0);
    }
    if !has_places && piles.contains(&0) || piles.is_empty() && !game.has_empty_position() {
        return None;
    }
    let memory = match remembered {
        [] => game.position(&piles).memory().clone(),
        [Val::Int(_), ..] => {
            let state = state(game, remembered)?.ok()?;
            (i128::from(state) <= LARGEST_PILE).then(|| game.memory(state))?
        }
        [Val::Set(set)] if set.first().is_none_or(|&least| least >= 1) => {
            let largest = piles.iter().copied().max().unwrap_or(0);
            let members = set.iter().filter(|&&s| s <= i128::from(largest));
            let runs = members.map(|&s| (s as Pile, s as Pile)).collect();
            Memory::Available(MoveSet::of_runs(runs)?)
        }
        _ => return None,
    };
    let position = game.position_with(&piles, &memory);
    game.keeps(&position).then(|| (position.piles().to_vec(), position.memory().clone()))
}
