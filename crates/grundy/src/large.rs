//! Positions and rows of Nim of any size, in which Bouton's theorem gives the moves that win.

use grundy_rules::{Game, Move, Pick, Pile, Position, nim_sum};
use grundy_sweep::period::Periodicity;

/// Returns some moves of a position of Nim, which may be too large to list all its moves: on each
/// pile the move that wins; if no move wins, a move that takes about a third of the pile. `None`
/// for other positions, and for games of rule files, whose moves name piles by their numbers.
///
/// ```
/// use grundy::{games::NIM, some_moves};
///
/// let found = some_moves(NIM, &NIM.parse("3,5,1000000000")?).unwrap();
/// assert_eq!(found.len(), 1);
/// assert_eq!(found[0].option, NIM.parse("3,5,6")?);
/// # Ok::<(), grundy::PositionError>(())
/// ```
pub fn some_moves(game: Game, position: &Position) -> Option<Vec<Move>> {
    let piles = position.piles();
    if !game.is_nim(piles.len()) || game.rule_file().is_some() {
        return None;
    }
    let sum = nim_sum(piles);
    let left = |pile: Pile| match sum {
        0 => Some(pile - (pile / 3).max(1)),
        _ => Some(pile ^ sum).filter(|&to| to < pile),
    };
    let made = |(at, &from): (usize, &Pile)| {
        let to = left(from)?;
        let mut rest = piles.to_vec();
        rest[at] = to;
        rest.retain(|&pile| pile > 0);
        let pick = match (game.is_unordered(), at) {
            (true, _) => Pick::Any,
            (false, _) if piles.len() == 1 => Pick::Only,
            (false, 0) => Pick::Left,
            (false, _) => Pick::Right,
        };
        Some(Move::new(pick, from, to, game.position(&rest)))
    };
    Some(piles.iter().enumerate().filter_map(made).collect())
}

/// Returns the period of the row b -> G(`word`, b) in Nim, whose values are x xor b, where x is the
/// nim-sum of the word. `None` in other games.
pub fn nim_period(game: Game, word: &[Pile]) -> Option<Periodicity> {
    let above = (u64::from(nim_sum(word)) + 1).next_power_of_two();
    let period = usize::try_from(above).ok().filter(|_| game.is_nim(word.len() + 1))?;
    Some(Periodicity { preperiod: 0, period, saltus: above as i64, proved: true })
}
