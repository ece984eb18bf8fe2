//! Theorems that explain the outcome of a position, for players.
//!
//! The theorems characterise P-positions. The simplest theorem comes first: for a, b, a with b != a
//! it is the theorem on three piles. The outcome follows from the theorem alone. This module needs
//! none of the code that checks claims, so the browser page can include it.

use grundy_rules::{Game, Outcome, Pile, Position, end_runs, games, is_lost_by_ends, nim_sum};

struct Known {
    claim: &'static str,
    games: &'static [Game],
    /// The length of the positions that the theorem covers, if they all have the same length.
    length: Option<usize>,
    is_lost: fn(Game, &[Pile]) -> bool,
    /// Returns the condition of the theorem, with the numbers of a position inserted.
    shows: fn(&[Pile]) -> String,
}

const fn known(
    claim: &'static str,
    games: &'static [Game],
    length: Option<usize>,
    is_lost: fn(Game, &[Pile]) -> bool,
    shows: fn(&[Pile]) -> String,
) -> Known {
    Known { claim, games, length, is_lost, shows }
}

static KNOWN: [Known; 6] = [
    known("bouton.general", &[games::NIM], None, |_, piles| nim_sum(piles) == 0, sum),
    known(
        "bouton.misere",
        &[games::MISERE_NIM],
        None,
        |_, piles| match piles.iter().all(|&pile| pile == 1) {
            true => piles.len() % 2 == 1,
            false => nim_sum(piles) == 0,
        },
        |piles| match piles.iter().all(|&pile| pile == 1) {
            true => format!("all {} piles are 1", piles.len()),
            false => format!("{}, and not all piles are 1", sum(piles)),
        },
    ),
    known(
        "ch.three-pile-p",
        &games::END_NIM_GAMES,
        Some(3),
        |game, piles| match *piles {
            [a, b, c] if a == b && b == c => {
                game == games::LOOP_END_NIM || game == games::MISERE_END_NIM && a == 1
            }
            [a, _, c] => a == c,
            _ => false,
        },
        |piles| match *piles {
            [a, b, c] if a == b && b == c => format!("a, a, a with a = {a}"),
            [a, b, c] if a == c => format!("a, b, a with a = {a} and b = {b}"),
            _ => format!("the ends are {} and {}", piles[0], piles[piles.len() - 1]),
        },
    ),
    known(
        "ch.thm2.1",
        &[games::END_NIM],
        None,
        |_, piles| is_lost_by_ends(piles, 0),
        |piles| ends(piles, 0),
    ),
    known(
        "ch.thm2.2",
        &[games::MISERE_END_NIM],
        None,
        |_, piles| is_lost_by_ends(piles, if_equal_misere(piles)),
        |piles| ends(piles, if_equal_misere(piles)),
    ),
    known(
        "ch.thm2.3",
        &[games::LOOP_END_NIM],
        None,
        |_, piles| is_lost_by_ends(piles, 1),
        |piles| ends(piles, 1),
    ),
];

/// The maximum number of piles for which a text lists the terms of the nim-sum.
const FEW: usize = 12;

fn sum(piles: &[Pile]) -> String {
    let sum = nim_sum(piles);
    if piles.len() > FEW {
        return format!("the nim-sum of the {} piles is {sum}", piles.len());
    }
    let terms: Vec<String> = piles.iter().map(ToString::to_string).collect();
    format!("{} = {sum}", terms.join(" xor "))
}

/// Returns the number r of a row of equal piles in misère End-Nim.
fn if_equal_misere(piles: &[Pile]) -> usize {
    usize::from(piles[0] == 1)
}

fn ends(piles: &[Pile], if_equal: usize) -> String {
    let ([first, last], [l, r]) = end_runs(piles, if_equal);
    match last - first {
        0 | 1 => format!("a1 = {first}, ak = {last}, l = {l} and r = {r}"),
        _ => format!("the ends {first} and {last} differ by more than 1"),
    }
}

/// Returns the id of a theorem that decides the outcome of a position, and the outcome: P or N.
/// `None` if no theorem here applies.
///
/// ```
/// use grundy_rules::{Outcome, games::END_NIM};
/// use grundy_theory::decided_by;
///
/// // The player to move loses on three piles a, b, a with b other than a.
/// let decided = decided_by(END_NIM, &END_NIM.parse("2,3,2")?);
/// assert_eq!(decided, Some(("ch.three-pile-p", Outcome::P)));
/// # Ok::<(), grundy_rules::PositionError>(())
/// ```
pub fn decided_by(game: Game, position: &Position) -> Option<(&'static str, Outcome)> {
    let known = speaking(game, position)?;
    let outcome = if (known.is_lost)(game, position.piles()) { Outcome::P } else { Outcome::N };
    Some((known.claim, outcome))
}

/// Returns the condition of that theorem with the position's numbers. `None` if no theorem applies.
///
/// ```
/// use grundy_rules::games::END_NIM;
/// use grundy_theory::decided_with;
///
/// let shown = decided_with(END_NIM, &END_NIM.parse("2,3,2")?);
/// assert_eq!(shown.as_deref(), Some("a, b, a with a = 2 and b = 3"));
/// # Ok::<(), grundy_rules::PositionError>(())
/// ```
pub fn decided_with(game: Game, position: &Position) -> Option<String> {
    Some((speaking(game, position)?.shows)(position.piles()))
}

fn speaking(game: Game, position: &Position) -> Option<&'static Known> {
    let length = position.piles().len();
    let speaks = |known: &&Known| {
        known.games.contains(&game) && known.length.is_none_or(|only| only == length)
    };
    KNOWN.iter().find(speaks).filter(|_| length > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::cases;
    use crate::{Claim, Status, Truth};
    use grundy_rules::Table;
    use grundy_rules::reference::Reference;

    #[test]
    fn reasons_are_theorems_on_these_games() {
        for known in &KNOWN {
            let claim = Claim::all().find(|claim| claim.id == known.claim).unwrap();
            assert_eq!((&claim.status, claim.expected()), (&Status::Theorem, Truth::Holds));
            assert!(known.games.iter().all(|&game| claim.covers(game)), "{claim:?}");
        }
    }

    /// The expected texts were derived from the theorems by hand. For 2,3,1,2: l = 2, because a1 =
    /// 2 <= 3 and a2 is not 2. And r = 1, because a4 = 2 > a3 = 1.
    #[test]
    fn reasons_have_the_numbers_of_the_position() {
        for (_, [game, text, shown]) in cases(include_str!("reasons.txt"), "reasons") {
            let game: Game = game.parse().unwrap();
            let found = decided_with(game, &game.parse(text).unwrap());
            assert_eq!(found.as_deref(), Some(shown), "{game} {text}");
        }
        assert_eq!(decided_with(games::END_WYTHOFF, &Position::new(vec![1, 2]).unwrap()), None);
    }

    /// The theorems agree with the reference in every game. They decide all positions of games
    /// whose P-positions are known.
    #[test]
    fn theorems_agree_with_the_reference() {
        let mut decided = 0;
        for game in Game::all().filter(|game| game.is_impartial()) {
            let is_known = KNOWN.iter().any(|known| known.games.contains(&game));
            let mut reference = Reference::new(game);
            for (length, max_pile) in [(1, 8), (2, 6), (3, 4), (4, 3), (5, 3)] {
                let table = Table::new(game, max_pile, length).unwrap();
                let positions = (0..table.values()).filter_map(|number| table.position(number));
                for position in positions.filter(|position| position.length() == length).take(600) {
                    let found = Outcome::of_value(reference.value(&position));
                    match decided_by(game, &position) {
                        Some((claim, outcome)) => {
                            assert_eq!(outcome, found, "{game} {position} {claim}");
                            decided += 1;
                        }
                        None => assert!(!is_known, "{game} {position}"),
                    }
                }
            }
        }
        assert!(decided > 1000, "{decided}");
    }
}
