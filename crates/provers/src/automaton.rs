//! The automaton that computes the value of a row, and its proof.
//!
//! Let N be the largest pile, and let d(w) be the state after reading the row w. A move from a·m·b
//! leads to a'·m·b'. So the rules at a·m·b involve only a, b and the *tuple* (d(m), d(1·m), ...,
//! d(N·m)). There are finitely many tuples. If a pile is appended to m, the old tuple determines
//! the new one. The proof visits all tuples that occur, and begins with the tuple of the empty
//! middle. It checks that the outputs obey the rules for each tuple and for single piles. If they
//! do, the outputs are the values of all rows, by induction on the number of coins.
//!
//! If the outputs break a rule at a·m·b, the automaton is wrong at a·m·b or at one of its options.
//! That row is a counterexample, and the learner improves the automaton with it.

use std::collections::HashSet;
use std::collections::VecDeque;
use std::ops::ControlFlow;

use grundy_rules::{Game, Pile};
use serde::Serialize;

use crate::ends::EndMoves;
use crate::learn::{Learner, Transitions};
use crate::tiles::Tiles;
use crate::{Of, Output, Progress, Proof, ProverError, Subject, Watch};

/// The smallest complete automaton that reads a row from left to right and outputs its value. It
/// reads all rows whose piles are at most N. Serializes as its certificate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Automaton {
    format: &'static str,
    version: u32,
    /// The game, and the rows that the automaton reads.
    #[serde(flatten)]
    pub subject: Subject,
    /// The number of states, including the initial one.
    pub states: usize,
    /// The number of tuples of states that the proof visited.
    pub tuples: usize,
    /// The output of each state, which is the value of the rows that lead to the state.
    pub outputs: Vec<Output>,
    /// The next state for each state and each pile, beginning with pile 1. The initial state is 0.
    pub transitions: Transitions,
}

impl Automaton {
    /// Returns the automaton's output for a row.
    ///
    /// # Panics
    /// Panics if a pile is 0 or larger than the largest pile.
    pub fn output(&self, row: &[Pile]) -> Output {
        let next = |state: usize, &pile: &Pile| self.transitions[state][pile as usize - 1];
        self.outputs[row.iter().fold(0, next)]
    }
}

/// Learns and proves the automaton of a game for rows whose piles are at most `piles`. Continues
/// until it succeeds or the watcher stops it.
///
/// # Errors
/// [`ProverError`] if the prover cannot handle the game or the size.
pub fn prove(
    game: Game,
    piles: Pile,
    of: Of,
    watch: Watch<'_>,
) -> Result<Proof<Automaton>, ProverError> {
    let subject = Subject::new(game, piles, of)?;
    let mut learner = Learner::new(Tiles::new(EndMoves::of(game, piles, of)?), watch);
    Ok(match learned(&mut learner, &subject) {
        ControlFlow::Continue(automaton) => Proof::Proved(automaton),
        ControlFlow::Break(progress) => Proof::Stopped(progress),
    })
}

fn learned(learner: &mut Learner<'_>, subject: &Subject) -> ControlFlow<Progress, Automaton> {
    loop {
        let (transitions, outputs) = learner.automaton()?;
        match walk(learner, &transitions, &outputs)? {
            Err(row) => learner.learn(&row),
            Ok(tuples) => {
                return ControlFlow::Continue(Automaton {
                    format: "grundy-automaton",
                    version: 1,
                    subject: subject.clone(),
                    states: outputs.len(),
                    tuples,
                    outputs: outputs.into_iter().map(|cell| subject.of.output(cell)).collect(),
                    transitions,
                });
            }
        }
    }
}

/// Visits all tuples. Returns their number, or a row at which the automaton is wrong.
fn walk(
    learner: &mut Learner<'_>,
    transitions: &Transitions,
    outputs: &[u32],
) -> ControlFlow<Progress, Result<usize, Vec<Pile>>> {
    let piles = learner.tiles.moves.piles;
    let next = |state: usize, pile: Pile| match pile {
        0 => state,
        pile => transitions[state][pile as usize - 1],
    };
    let ends =
        |least: Pile| (least..=piles).flat_map(move |a| (least..=piles).map(move |b| (a, b)));
    let first: Vec<usize> = (0..=piles).map(|pile| next(0, pile)).collect();
    let mut seen: HashSet<Vec<usize>> = HashSet::from([first.clone()]);
    let mut queue = VecDeque::from([(Vec::new(), first)]);
    while let Some((middle, tuple)) = queue.pop_front() {
        learner.go_on(seen.len() as u64 * (u64::from(piles) * 16 + 128))?;
        let said = |left: Pile, right| outputs[next(tuple[left as usize], right)];
        let moves = &learner.tiles.moves;
        // If the middle is empty, an end may be 0, which means no pile. So the loop also checks the
        // rows of at most one pile.
        let least = Pile::from(!middle.is_empty());
        if ends(least).any(|(a, b)| moves.solve(a, b, said) != said(a, b)) {
            // The automaton is wrong at some row with this middle.
            let end = |pile: Pile| (pile > 0).then_some(pile);
            let row = |(a, b)| end(a).into_iter().chain(middle.iter().copied()).chain(end(b));
            let mut rows = ends(0).map(|at| (at, row(at).collect::<Vec<Pile>>()));
            let wrong = rows.find(|((a, b), row)| learner.tiles.cell_of(row) != said(*a, *b));
            let (_, row) = wrong.expect("outputs that are right at all ends obey the rules");
            return ControlFlow::Continue(Err(row));
        }
        for pile in 1..=piles {
            let further: Vec<usize> = tuple.iter().map(|&state| next(state, pile)).collect();
            if seen.insert(further.clone()) {
                queue.push_back(([&middle[..], &[pile]].concat(), further));
            }
        }
    }
    ControlFlow::Continue(Ok(seen.len()))
}
