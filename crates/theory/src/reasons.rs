//! Why a position is lost, or won, by a theorem: for whoever plays and asks.
//!
//! Here are the theorems that characterise P-positions, the plainest first: of a, b, a with b other than
//! a the one on three piles is the reason. Nothing is computed but what a theorem says, and nothing
//! of what checks claims is needed: a page in the browser has this without all the rest.

use grundy_rules::{Game, Outcome, Pile, Position, games, nim_sum};

use crate::cairns_ho::{theorem_2_1, theorem_2_2, theorem_2_3};
use crate::three_piles::p_positions;

/// A characterisation of P-positions.
struct Known {
    /// The id of its claim.
    claim: &'static str,
    games: &'static [Game],
    /// The length of the positions it speaks about, if it is one.
    length: Option<usize>,
    is_lost: fn(Game, &[Pile]) -> bool,
}

const fn known(
    claim: &'static str,
    games: &'static [Game],
    length: Option<usize>,
    is_lost: fn(Game, &[Pile]) -> bool,
) -> Known {
    Known { claim, games, length, is_lost }
}

static KNOWN: [Known; 6] = [
    known("bouton.general", &[games::NIM], None, |_, piles| nim_sum(piles) == 0),
    known("bouton.misere", &[games::MISERE_NIM], None, |_, piles| {
        match piles.iter().all(|&pile| pile == 1) {
            true => piles.len() % 2 == 1,
            false => nim_sum(piles) == 0,
        }
    }),
    known("ch.three-pile-p", &games::END_NIM_GAMES, Some(3), |game, piles| {
        p_positions(game).allows(piles, 0) == Some(true)
    }),
    known("ch.thm2.1", &[games::END_NIM], None, |_, piles| theorem_2_1(piles)),
    known("ch.thm2.2", &[games::MISERE_END_NIM], None, |_, piles| theorem_2_2(piles)),
    known("ch.thm2.3", &[games::LOOP_END_NIM], None, |_, piles| theorem_2_3(piles)),
];

/// The id of a theorem that decides whether whoever is to move loses, and what it says: P or N. `None`
/// if no theorem here does.
///
/// ```
/// use grundy_rules::{Outcome, games::END_NIM};
/// use grundy_theory::decided_by;
///
/// // Three piles a, b, a with b other than a are lost for who is to move.
/// let decided = decided_by(END_NIM, &END_NIM.parse("2,3,2")?);
/// assert_eq!(decided, Some(("ch.three-pile-p", Outcome::P)));
/// # Ok::<(), grundy_rules::PositionError>(())
/// ```
pub fn decided_by(game: Game, position: &Position) -> Option<(&'static str, Outcome)> {
    let piles = position.piles();
    if piles.is_empty() {
        return None;
    }
    let speaks = |known: &&Known| {
        known.games.contains(&game) && known.length.is_none_or(|length| length == piles.len())
    };
    let known = KNOWN.iter().find(speaks)?;
    let outcome = if (known.is_lost)(game, piles) { Outcome::P } else { Outcome::N };
    Some((known.claim, outcome))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Claim, Status, Truth};
    use grundy_rules::Table;
    use grundy_rules::reference::Reference;

    #[test]
    fn reasons_are_theorems_on_these_games() {
        for known in &KNOWN {
            let claim = Claim::all().find(|claim| claim.id == known.claim).unwrap();
            assert_eq!((claim.status, claim.expected), (Status::Theorem, Truth::Holds));
            assert!(known.games.iter().all(|&game| claim.speaks_of(game)), "{claim:?}");
        }
    }

    /// What a theorem decides is so, by the reference, in every game; and of the games whose
    /// P-positions are known it decides all.
    #[test]
    fn what_a_theorem_decides_is_so() {
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
