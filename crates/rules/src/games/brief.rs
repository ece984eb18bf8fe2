//! The built-in games for a browser without rule files: they list their moves by their family. A
//! test compares them with the rule files.
//!
//! With the code that reads rule files, the page could do without this file. But the first
//! download, compressed with brotli, would then grow from 298 to 385 KB, and its limit is 300 KB.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use super::Facts;
use crate::index::{self, Index, RecordIndex};
use crate::law::{Family, Singles};
use crate::moves::{from_any_pile, from_either_end, with_first, with_last};
use crate::{
    Game, Meaning, Move, Order, Pick, Pile, Player, Position, Remembers, Rules, Size, TableError,
    rulesets,
};

/// A built-in game without its rule file.
#[derive(Debug)]
pub(crate) struct Brief {
    facts: &'static Facts,
    /// The values of single piles in normal and in misère play.
    singles: [OnceLock<Singles>; 2],
}

impl Brief {
    pub(crate) fn new(facts: &'static Facts) -> Brief {
        Brief { facts, singles: [const { OnceLock::new() }; 2] }
    }

    /// Returns the value of a line of the rule file.
    fn line(&self, key: &str) -> &'static str {
        let text = rulesets::text(self.facts.id).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix(key));
        line.and_then(|line| line.strip_prefix(": ")).unwrap_or_default()
    }

    /// Returns the sizes to which a move may lower a single pile.
    fn single(&self, pile: Pile) -> std::ops::Range<Pile> {
        self.facts.leaves.unwrap_or(pile)..pile
    }
}

impl Rules for Brief {
    fn id(&self) -> &str {
        self.facts.id
    }

    fn title(&self) -> &str {
        self.line("title")
    }

    fn paper(&self) -> &str {
        self.line("source")
    }

    fn rule(&self) -> &str {
        self.line("rule")
    }

    fn order(&self) -> Order {
        match self.facts.family {
            Family::Heaps | Family::LastMoves | Family::Sets => Order::Any,
            _ => Order::Row,
        }
    }

    fn moves(&self, position: &Position) -> Vec<Move> {
        let piles = position.piles();
        match self.facts.family {
            Family::Ends => from_either_end(piles, |pile| self.single(pile)),
            Family::Heaps if piles.len() == 1 => {
                from_any_pile(piles, |pile| self.single(pile), |left, _| Position::multiset(left))
            }
            Family::Heaps => {
                from_any_pile(piles, |pile| 0..pile, |left, _| Position::multiset(left))
            }
            Family::LastMoves => from_any_pile(
                piles,
                |pile| (0..pile).filter(move |to| pile - to != position.last_move()),
                Position::after,
            ),
            Family::Sides => from_own_ends(piles),
            // End-Wythoff.
            _ => {
                let mut moves = from_either_end(piles, |pile| 0..pile);
                if let &[first, .., last] = piles {
                    moves.extend((1..=first.min(last)).rev().map(|taken| {
                        let (to, right) = (first - taken, last - taken);
                        let option = with_last(with_first(piles, to).piles(), right);
                        let made = Move::new(Pick::Both, first, to, option);
                        Move { right: Some((last, right)), ..made }
                    }));
                }
                moves
            }
        }
    }

    fn meaning(&self) -> Meaning {
        if self.facts.family == Family::Sides { Meaning::Classes } else { Meaning::Grundy }
    }

    fn remembers(&self) -> Remembers {
        match self.facts.family {
            Family::LastMoves => Remembers::Numbers,
            _ => Remembers::Nothing,
        }
    }

    fn has_empty_position(&self) -> bool {
        self.facts.has_empty_position
    }

    fn family(&self) -> Family {
        self.facts.family
    }

    fn singles(&self, terminal: u32, _: Pile) -> Cow<'_, Singles> {
        let made = || Singles::leaving(self.facts.leaves, terminal);
        Cow::Borrowed(self.singles[usize::from(terminal > 0)].get_or_init(made))
    }

    fn plays_on_ends(&self) -> bool {
        self.order() == Order::Row
    }

    fn normal_play(&self) -> Option<Game> {
        self.facts.normal_play
    }

    fn cell_bytes(&self, length: usize) -> Option<usize> {
        self.facts.cell_bytes(length)
    }

    fn has_records(&self) -> bool {
        self.facts.records
    }

    fn has_thresholds(&self) -> bool {
        self.facts.thresholds
    }

    fn index(&self, game: Game, size: Size) -> Result<Arc<dyn Index>, TableError> {
        match size.length {
            1 if self.facts.records => Ok(Arc::new(RecordIndex::new(game, size)?)),
            _ => index::usual(game, size),
        }
    }

    fn largest_value(&self, max_pile: Pile, length: usize) -> u64 {
        match self.facts.largest_value {
            Some(largest) => largest(max_pile, length),
            // End-Wythoff has moves on either end and on both.
            None => u64::from(max_pile) * length.min(3) as u64,
        }
    }
}

/// Returns Left's moves on the first pile, then Right's moves on the last pile.
fn from_own_ends(piles: &[Pile]) -> Vec<Move> {
    let (Some(&first), Some(&last)) = (piles.first(), piles.last()) else { return Vec::new() };
    let pick = |pick| if piles.len() == 1 { Pick::Only } else { pick };
    let of = |player, made: Move| Move { player, ..made };
    let left = (0..first)
        .map(|to| of(Player::Left, Move::new(pick(Pick::Left), first, to, with_first(piles, to))));
    let right = (0..last)
        .map(|to| of(Player::Right, Move::new(pick(Pick::Right), last, to, with_last(piles, to))));
    left.chain(right).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares everything that a browser asks about a built-in game with its rule file.
    #[test]
    fn brief_games_are_their_rule_files() {
        for game in Game::all().filter(|game| game.law().is_some()) {
            let Some(facts) = super::super::FACTS.iter().find(|facts| facts.id == game.id()) else {
                panic!("{game} has no facts")
            };
            let brief: &'static Brief = Box::leak(Box::new(Brief::new(facts)));
            let short = Game::new(brief);
            let words = |of: Game| (of.title(), of.paper(), of.rules().rule());
            assert_eq!(words(short), words(game));
            let kinds = |of: Game| {
                (of.order(), of.meaning(), of.remembers(), of.family(), of.is_symmetric())
            };
            assert_eq!(kinds(short), kinds(game), "{game}");
            assert_eq!(short.plays_on_ends(), game.order() == Order::Row && game.plays_on_ends());
            assert_eq!(short.lowers_ends(), game.lowers_ends());
            for terminal in [0, 1].into_iter().filter(|_| facts.family != Family::Lines) {
                let singles =
                    |of: Game| of.rules().singles(terminal, 99).up_to(99).collect::<Vec<_>>();
                if matches!(facts.family, Family::Ends | Family::Heaps) {
                    assert_eq!(singles(short), singles(game), "{game}");
                }
            }
            for number in 0..5u32.pow(3) {
                let piles: Vec<Pile> = [number % 5, number / 5 % 5, number / 25]
                    .into_iter()
                    .filter(|&pile| pile > 0)
                    .collect();
                for last_move in 0..3 {
                    let mut position = game.position(&piles);
                    if facts.family == Family::LastMoves {
                        position = Position::after(piles.clone(), last_move);
                    }
                    assert_eq!(short.moves(&position), game.moves(&position), "{game} {position}");
                }
            }
            for (max_pile, length) in [(1, 1), (9, 1), (9, 2), (200, 2), (9, 3), (9, 5)] {
                let table = |of| crate::Table::new(of, max_pile, length).unwrap();
                let shape = |of| (table(of).value_bytes(), table(of).numbering());
                assert_eq!(shape(short), shape(game), "{game}");
                let largest = |of: Game| of.largest_value(max_pile, length);
                assert_eq!(largest(short), largest(game), "{game} {max_pile} {length}");
            }
        }
    }
}
