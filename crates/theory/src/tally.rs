//! What the check of one claim gathers: how many cases, how many failures, how often the
//! premise was true, and the least counterexample. All three numbers count the claim's
//! [`Unit`](crate::Unit): a case that is wrong in two ways is one failure.
//!
//! *Least* means fewest coins, then lexicographically smallest, over both
//! readings of each row: an order without ties, so that it does not matter which
//! thread met what first.

use grundy_rules::{Game, Pile};
use serde::{Deserialize, Serialize};

/// A position, a row or a count for which a claim is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Written", try_from = "Written")]
pub struct Counterexample {
    /// The game.
    pub game: Game,
    /// The position; for a claim about rows b -> G(a w b), the piles a w; empty
    /// for a claim about a whole table.
    pub piles: Vec<Pile>,
    /// The position's value, if the claim is about positions.
    pub value: Option<u32>,
    /// What was found, against what is claimed.
    pub found: String,
}

impl Counterexample {
    fn key(&self) -> (u64, &[Pile], Game) {
        key(&self.piles, self.game)
    }
}

fn key(piles: &[Pile], game: Game) -> (u64, &[Pile], Game) {
    (piles.iter().map(|&pile| u64::from(pile)).sum(), piles, game)
}

impl std::fmt::Display for Counterexample {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.piles.is_empty() {
            write!(f, "{}: {}", self.game, self.found)
        } else {
            write!(f, "{} {}: {}", self.game, in_words(&self.piles), self.found)
        }
    }
}

/// Piles as they are typed; a claim on g(0), ... may name the pile 0.
fn in_words(piles: &[Pile]) -> String {
    piles.iter().map(Pile::to_string).collect::<Vec<_>>().join(",")
}

/// A counterexample as it is written.
#[derive(Serialize, Deserialize)]
struct Written {
    game: String,
    position: Option<String>,
    // Of old checkpoints the name was another.
    #[serde(rename = "grundy", alias = "value")]
    value: Option<u32>,
    found: String,
}

impl From<Counterexample> for Written {
    fn from(Counterexample { game, piles, value, found }: Counterexample) -> Written {
        let position = (!piles.is_empty()).then(|| in_words(&piles));
        Written { game: game.id().to_owned(), position, value, found }
    }
}

impl TryFrom<Written> for Counterexample {
    type Error = Box<dyn std::error::Error>;

    fn try_from(Written { game, position, value, found }: Written) -> Result<Self, Self::Error> {
        // Not read as a position: there may be a pile 0, and the order stays as it is written.
        let piles = position.iter().flat_map(|text| text.split(',')).map(str::parse);
        Ok(Counterexample {
            game: game.parse()?,
            piles: piles.collect::<Result<_, _>>()?,
            value,
            found,
        })
    }
}

/// Cases checked, failures among them, and the least.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Cases checked, in the claim's unit.
    pub checked: u64,
    /// In how many of them the premise was true, if the claim has one; 0 if it has none.
    pub premise: u64,
    /// How many of them are wrong.
    pub failures: u64,
    /// The least that is wrong.
    pub first: Option<Counterexample>,
}

impl Tally {
    /// Counts a case by its premise, and gives it back.
    pub(crate) fn given(&mut self, premise: bool) -> bool {
        self.premise += u64::from(premise);
        premise
    }

    /// Takes in a failure; what was found is put into words only if it is the
    /// least so far.
    pub(crate) fn fail(
        &mut self,
        game: Game,
        piles: &[Pile],
        value: Option<u32>,
        found: impl FnOnce() -> String,
    ) {
        self.fail_all(1, game, piles, value, found);
    }

    /// Takes in failures of which one stands for all.
    pub(crate) fn fail_all(
        &mut self,
        count: u64,
        game: Game,
        piles: &[Pile],
        value: Option<u32>,
        found: impl FnOnce() -> String,
    ) {
        self.failures += count;
        if self.first.as_ref().is_none_or(|first| key(piles, game) < first.key()) {
            self.first =
                Some(Counterexample { game, piles: piles.to_vec(), value, found: found() });
        }
    }

    /// Both together.
    pub fn merge(mut self, other: Tally) -> Tally {
        self.checked += other.checked;
        self.premise += other.premise;
        self.failures += other.failures;
        self.first = match (self.first, other.first) {
            (Some(left), Some(right)) => Some(if right.key() < left.key() { right } else { left }),
            (left, right) => left.or(right),
        };
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rules::games::{END_NIM, LOOP_END_NIM};

    fn tally(game: Game, piles: &[Pile]) -> Tally {
        let mut tally = Tally { checked: 7, premise: 2, ..Tally::default() };
        tally.fail(game, piles, Some(4), || format!("{game} {piles:?}"));
        tally
    }

    /// Fewer coins first, then the lexicographically smaller, then the game that comes first.
    #[test]
    fn the_least_counterexample_stays() {
        let in_order: [(Game, &[Pile]); 6] = [
            (END_NIM, &[]),
            (END_NIM, &[3]),
            (END_NIM, &[1, 3]),
            (LOOP_END_NIM, &[1, 3]),
            (END_NIM, &[2, 2]),
            (END_NIM, &[5]),
        ];
        for (at, &(game, piles)) in in_order.iter().enumerate() {
            for &(other, others) in &in_order[at..] {
                let (mut both, least) = (tally(other, others), tally(game, piles));
                assert_eq!(both.clone().merge(least.clone()).first, least.first);
                assert_eq!(least.clone().merge(both.clone()).first, least.first);
                both.fail_all(3, game, piles, Some(4), || format!("{game} {piles:?}"));
                assert_eq!((both.failures, both.first), (4, least.first));
            }
        }
        let merged = tally(END_NIM, &[3]).merge(tally(END_NIM, &[5]));
        assert_eq!((merged.checked, merged.premise, merged.failures), (14, 4, 2));
        // Of two with the same key the first stays, and it is not put into words again.
        let mut same = tally(END_NIM, &[3]);
        same.fail(END_NIM, &[3], None, || unreachable!());
        assert_eq!(same.first, tally(END_NIM, &[3]).first);
        assert!(!same.given(false) && same.given(true));
        assert_eq!(same.premise, 3);
    }

    #[test]
    fn counterexamples_are_written_and_read() {
        for (piles, json, shown) in [
            (vec![], "null", "end-nim: so"),
            (vec![0], "\"0\"", "end-nim 0: so"),
            (vec![3, 1, 12], "\"3,1,12\"", "end-nim 3,1,12: so"),
        ] {
            let one = Counterexample { game: END_NIM, piles, value: Some(2), found: "so".into() };
            let text = serde_json::to_string(&one).unwrap();
            let game = r#""game":"end-nim""#;
            let expected = format!(r#"{{{game},"position":{json},"grundy":2,"found":"so"}}"#);
            assert_eq!(text, expected);
            assert_eq!(serde_json::from_str::<Counterexample>(&text).unwrap(), one);
            assert_eq!(one.to_string(), shown);
        }
    }
}
