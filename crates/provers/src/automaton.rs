//! The automaton that ends with the value of a row, and its proof.
//!
//! Let d(w) be the state after the row w. A move from a·m·b leads to a'·m·b', so whether the outputs
//! obey the rules at a·m·b depends on the *tuple* (d(m), d(1·m), ..., d(N·m)) and on a and b alone.
//! There are finitely many tuples; those of m followed by a pile follow from that of m. So all that
//! occur are walked, from that of the empty middle on. If the outputs obey the rules in each of
//! them, and at single piles, they are the values of all rows, by induction on the coins.
//!
//! If not, at a·m·b, then a·m·b or one of its options is a row at which the automaton is wrong: a
//! counterexample to learn from. So the walk is the test of equivalence that learning needs.

use std::collections::HashSet;
use std::collections::VecDeque;
use std::ops::ControlFlow;

use grundy_rules::{Game, Pile};
use serde::Serialize;

use crate::ends::EndMoves;
use crate::learn::{Learner, Transitions};
use crate::tiles::Tiles;
use crate::{Of, Output, Progress, Proof, ProverError, Subject, Watch};

/// The smallest complete automaton that reads a row from left to right and ends with its value, for
/// all rows of piles of at most N. Serializes as its certificate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Automaton {
    format: &'static str,
    version: u32,
    /// The game, and the rows it reads.
    #[serde(flatten)]
    pub subject: Subject,
    /// The number of states, that before the first pile included.
    pub states: usize,
    /// The number of tuples of states that the proof walked.
    pub tuples: usize,
    /// The value of a row that ends in a state.
    pub outputs: Vec<Output>,
    /// The next state for each state and pile from 1 on; the first state is 0.
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

    /// Returns the automaton in the language of Graphviz.
    pub fn dot(&self) -> String {
        use std::fmt::Write;
        let mut out = String::from("digraph automaton {\n  rankdir=LR;\n  node [shape=circle];\n");
        for (state, (output, next)) in self.outputs.iter().zip(&self.transitions).enumerate() {
            _ = writeln!(out, "  {state} [label=\"{output}\"];");
            for (at, &to) in next.iter().enumerate().filter(|&(at, to)| !next[..at].contains(to)) {
                let piles = (at..next.len()).filter(|&at| next[at] == to);
                let piles: Vec<String> = piles.map(|at| (at + 1).to_string()).collect();
                _ = writeln!(out, "  {state} -> {to} [label=\"{}\"];", piles.join(","));
            }
        }
        out + "  start [shape=point];\n  start -> 0;\n}\n"
    }
}

/// Learns and proves the automaton of a game for rows of piles of at most `piles`. Goes on until
/// there is one or the watcher ends it.
///
/// # Errors
/// [`ProverError`] if the game or the size is not one for an automaton.
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
        let (transitions, outputs) = learner.close()?;
        match walk(learner, &transitions, &outputs)? {
            Walked::Wrong(row) => learner.learn(&row, &transitions)?,
            Walked::Proved { tuples } => {
                let (transitions, outputs) = in_order(&transitions, &outputs);
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

enum Walked {
    Proved { tuples: usize },
    Wrong(Vec<Pile>),
}

fn walk(
    learner: &mut Learner<'_>,
    transitions: &Transitions,
    outputs: &[u32],
) -> ControlFlow<Progress, Walked> {
    let piles = learner.tiles.moves().piles;
    let next = |state: usize, pile: Pile| match pile {
        0 => state,
        pile => transitions[state][pile as usize - 1],
    };
    let first: Vec<usize> = (0..=piles).map(|pile| next(0, pile)).collect();
    for pile in 0..=piles {
        let moves = learner.tiles.moves();
        let said = |left: Pile, _| outputs[first[left as usize]];
        if moves.solve(pile, 0, said) != outputs[first[pile as usize]] {
            let row: Vec<Pile> = (pile > 0).then_some(pile).into_iter().collect();
            return wrong(learner, transitions, outputs, &row);
        }
    }
    let mut seen: HashSet<Vec<usize>> = HashSet::from([first.clone()]);
    let mut queue = VecDeque::from([(Vec::new(), first)]);
    while let Some((middle, tuple)) = queue.pop_front() {
        learner.go_on(seen.len() as u64 * (u64::from(piles) * 16 + 128))?;
        for (a, b) in (1..=piles).flat_map(|a| (1..=piles).map(move |b| (a, b))) {
            let said = |left: Pile, right| outputs[next(tuple[left as usize], right)];
            if learner.tiles.moves().solve(a, b, said) != said(a, b) {
                let row = [&[a], &middle[..], &[b]].concat();
                return wrong(learner, transitions, outputs, &row);
            }
        }
        for pile in 1..=piles {
            let further: Vec<usize> = tuple.iter().map(|&state| next(state, pile)).collect();
            if seen.insert(further.clone()) {
                queue.push_back(([&middle[..], &[pile]].concat(), further));
            }
        }
    }
    ControlFlow::Continue(Walked::Proved { tuples: seen.len() })
}

/// Returns the row, or the one of its options, at which the automaton is wrong.
fn wrong(
    learner: &mut Learner<'_>,
    transitions: &Transitions,
    outputs: &[u32],
    row: &[Pile],
) -> ControlFlow<Progress, Walked> {
    let mut rows = vec![row.to_vec()];
    if let [_, middle @ .., _] = row {
        let piles = learner.tiles.moves().piles;
        let ends = (0..=piles).flat_map(|left| (0..=piles).map(move |right| (left, right)));
        for (left, right) in ends {
            let ends = |end: Pile| (end > 0).then_some(end);
            let option = ends(left).into_iter().chain(middle.iter().copied()).chain(ends(right));
            rows.push(option.collect());
        }
    } else {
        rows.extend((1..=learner.tiles.moves().piles).map(|pile| vec![pile]));
    }
    for row in rows {
        let state = row.iter().fold(0, |state, &pile| transitions[state][pile as usize - 1]);
        if learner.cell(&row)? != outputs[state] {
            return ControlFlow::Continue(Walked::Wrong(row));
        }
    }
    unreachable!("the outputs of a row and its options obey the rules if all are right")
}

/// Numbers the states in the order in which the rows reach them, shorter rows first.
fn in_order(transitions: &Transitions, outputs: &[u32]) -> (Transitions, Vec<u32>) {
    let mut order = vec![0];
    let mut at = 0;
    while at < order.len() {
        for &next in &transitions[order[at]] {
            if !order.contains(&next) {
                order.push(next);
            }
        }
        at += 1;
    }
    let mut place = vec![0; outputs.len()];
    for (at, &state) in order.iter().enumerate() {
        place[state] = at;
    }
    let renamed = |&state: &usize| transitions[state].iter().map(|&next| place[next]).collect();
    (order.iter().map(renamed).collect(), order.iter().map(|&state| outputs[state]).collect())
}
