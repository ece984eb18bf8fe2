//! The tally of a claim's check: checked cases, failures, true premises, and the least
//! counterexample. All three numbers are in the [`Unit`](crate::Unit) of the claim. So a case that
//! is wrong in two ways is one failure.
//!
//! The *least* counterexample has the fewest coins, and is the lexicographically first of those. A
//! row and its mirror image are two positions. No two counterexamples are equal in this order, so
//! the number of threads does not matter.

use grundy_rules::{Game, Pile, Position, coins};
use serde::{Deserialize, Serialize};

/// A position, row or count that contradicts a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Written", try_from = "Written")]
pub struct Counterexample {
    pub game: Game,
    /// The piles of the position, or the piles a w for a row b -> G(a w b). Empty for a claim about
    /// a whole table.
    pub piles: Vec<Pile>,
    /// The memory of the position as users write it, such as `/3` for a last move.
    pub memory: String,
    /// The position's value, if the claim is about positions.
    pub value: Option<u32>,
    /// A text that gives the value found and the claimed value.
    pub found: String,
}

impl Counterexample {
    /// Returns the counterexample at a position of a game.
    pub fn at(game: Game, position: &Position, value: Option<u64>, found: String) -> Self {
        let (piles, text) = (position.piles().to_vec(), position.to_string());
        let memory = text[in_words(&piles).len()..].to_owned();
        let value = value.and_then(|value| value.try_into().ok());
        Counterexample { game, piles, memory, value, found }
    }

    fn key(&self) -> (u64, &[Pile], Game) {
        key(&self.piles, self.game)
    }
}

fn key(piles: &[Pile], game: Game) -> (u64, &[Pile], Game) {
    (coins(piles), piles, game)
}

impl std::fmt::Display for Counterexample {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.piles.is_empty() {
            write!(f, "{}: {}", id_of(self.game), self.found)
        } else {
            let Counterexample { game, piles, memory, found, .. } = self;
            write!(f, "{} {}{memory}: {found}", id_of(*game), in_words(piles))
        }
    }
}

/// Returns the id of a game as users type it. A misère form has the id of its game.
pub(crate) fn id_of(game: Game) -> &'static str {
    game.misere_of().unwrap_or(game).id()
}

/// Formats piles as users type them. Claims about g(0), g(1), ... may have the pile 0.
fn in_words(piles: &[Pile]) -> String {
    piles.iter().map(Pile::to_string).collect::<Vec<_>>().join(",")
}

#[derive(Serialize, Deserialize)]
struct Written {
    game: String,
    position: Option<String>,
    // Old checkpoints use another name for this field.
    #[serde(rename = "grundy", alias = "value")]
    value: Option<u32>,
    found: String,
}

impl From<Counterexample> for Written {
    fn from(Counterexample { game, piles, memory, value, found }: Counterexample) -> Written {
        let position = (!piles.is_empty()).then(|| in_words(&piles) + &memory);
        Written { game: id_of(game).to_owned(), position, value, found }
    }
}

impl TryFrom<Written> for Counterexample {
    type Error = Box<dyn std::error::Error>;

    fn try_from(Written { game, position, value, found }: Written) -> Result<Self, Self::Error> {
        // Do not parse the text as a position, because piles may be 0 and must keep their order.
        let piles = position.iter().flat_map(|text| text.split(',')).map(str::parse);
        Ok(Counterexample {
            game: game.parse()?,
            piles: piles.collect::<Result<_, _>>()?,
            memory: String::new(),
            value,
            found,
        })
    }
}

/// Numbers of checked cases and failures, and the least counterexample.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Cases checked, in the claim's unit.
    pub checked: u64,
    /// Number of cases with a true premise; 0 if the claim has no premise.
    pub premise: u64,
    pub failures: u64,
    pub first: Option<Counterexample>,
}

impl Tally {
    /// Counts the premise if it is true, and returns it.
    pub(crate) fn given(&mut self, premise: bool) -> bool {
        self.premise += u64::from(premise);
        premise
    }

    /// Counts a failure. Calls `found` only if this counterexample is the least so far.
    pub(crate) fn fail(
        &mut self,
        game: Game,
        piles: &[Pile],
        value: Option<u32>,
        found: impl FnOnce() -> String,
    ) {
        self.fail_all(1, game, piles, value, found);
    }

    /// Counts several failures. One counterexample represents them.
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
            let (piles, memory) = (piles.to_vec(), String::new());
            self.first = Some(Counterexample { game, piles, memory, value, found: found() });
        }
    }

    /// True if the counts do not contradict each other.
    pub fn is_possible(&self) -> bool {
        let Tally { checked, premise, failures, first } = self;
        premise <= checked && failures <= checked && first.is_some() == (*failures > 0)
    }

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

    /// Counterexamples are ordered by the number of coins, then lexicographically, then by game.
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
        // If two failures are at the same position, the first one stays, and only its text is
        // formatted.
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
            let (memory, value) = (String::new(), Some(2));
            let one = Counterexample { game: END_NIM, piles, memory, value, found: "so".into() };
            let text = serde_json::to_string(&one).unwrap();
            let game = r#""game":"end-nim""#;
            let expected = format!(r#"{{{game},"position":{json},"grundy":2,"found":"so"}}"#);
            assert_eq!(text, expected);
            assert_eq!(serde_json::from_str::<Counterexample>(&text).unwrap(), one);
            assert_eq!(one.to_string(), shown);
        }
    }
}
