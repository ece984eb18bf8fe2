//! Learning an automaton: Angluin's table of access words and suffixes, with the counterexamples of
//! Rivest and Schapire.
//!
//! Each state has an access word, and the row of its cells behind all suffixes. The rows differ from
//! state to state, so the states are no more than those of the smallest automaton; the table is
//! closed when the row of each access word with one more pile is that of a state. A counterexample
//! gives one suffix that tells two rows apart which were equal, so each adds a state.

use std::collections::HashMap;
use std::ops::ControlFlow;

use grundy_rules::Pile;

use crate::tiles::Tiles;
use crate::{Progress, Watch};

pub(crate) struct Learner<'a> {
    pub(crate) tiles: Tiles,
    watch: Watch<'a>,
    piles: Pile,
    access: Vec<Vec<Pile>>,
    suffixes: Vec<Vec<Pile>>,
    /// For each state its row, and that of its access word with each pile from 1 on.
    rows: Vec<Vec<Vec<u32>>>,
    states: HashMap<Vec<u32>, usize>,
    queries: u64,
}

/// A state for each state and pile from 1 on; the state 0 is the initial one.
pub(crate) type Transitions = Vec<Vec<usize>>;

impl<'a> Learner<'a> {
    pub(crate) fn new(tiles: Tiles, watch: Watch<'a>) -> Learner<'a> {
        Learner {
            piles: tiles.moves().piles,
            tiles,
            watch,
            access: vec![Vec::new()],
            suffixes: vec![Vec::new()],
            rows: Vec::new(),
            states: HashMap::new(),
            queries: 0,
        }
    }

    /// Returns the cell of a row; `Break` when the watcher says so.
    pub(crate) fn cell(&mut self, row: &[Pile]) -> ControlFlow<Progress, u32> {
        self.queries += 1;
        self.go_on(0)?;
        ControlFlow::Continue(self.tiles.cell_of(row))
    }

    /// Shows the progress, with so many bytes more.
    pub(crate) fn go_on(&mut self, more: u64) -> ControlFlow<Progress> {
        let row = 8 * self.suffixes.len() as u64 + 64;
        let rows = self.access.len() as u64 * (u64::from(self.piles) + 2) * row;
        let (size, bytes) = (self.access.len(), self.tiles.bytes() + rows + more);
        let progress = Progress { size, steps: self.queries, bytes };
        match (self.watch)(progress) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(progress),
        }
    }

    fn row(&mut self, word: &[Pile], from: usize) -> ControlFlow<Progress, Vec<u32>> {
        let mut row = Vec::new();
        for at in from..self.suffixes.len() {
            row.push(self.cell(&[word, &self.suffixes[at]].concat())?);
        }
        ControlFlow::Continue(row)
    }

    /// Closes the table and returns the transitions, with the output of each state.
    pub(crate) fn close(&mut self) -> ControlFlow<Progress, (Transitions, Vec<u32>)> {
        let mut state = 0;
        while state < self.access.len() {
            for pile in 0..=self.piles {
                let known = self.rows.get(state).and_then(|rows| rows.get(pile as usize));
                let known = known.map_or(0, Vec::len);
                let mut word = self.access[state].clone();
                word.extend((pile > 0).then_some(pile));
                let more = self.row(&word, known)?;
                if self.rows.len() == state {
                    self.rows.push(vec![Vec::new(); self.piles as usize + 1]);
                }
                self.rows[state][pile as usize].extend(more);
            }
            state += 1;
            if state == self.access.len() {
                self.add_states();
            }
        }
        let next = |rows: &Vec<Vec<u32>>| rows[1..].iter().map(|row| self.states[row]).collect();
        let transitions = self.rows.iter().map(next).collect();
        ControlFlow::Continue((transitions, self.rows.iter().map(|rows| rows[0][0]).collect()))
    }

    /// Gives each row that is not one of a state a state of its own.
    fn add_states(&mut self) {
        self.states = self.rows.iter().enumerate().map(|(n, rows)| (rows[0].clone(), n)).collect();
        for state in 0..self.rows.len() {
            for pile in 1..=self.piles {
                let row = &self.rows[state][pile as usize];
                if !self.states.contains_key(row) {
                    self.states.insert(row.clone(), self.access.len());
                    let word = [&self.access[state][..], &[pile]].concat();
                    self.access.push(word);
                }
            }
        }
    }

    /// Learns from a row at which the automaton is wrong.
    pub(crate) fn learn(
        &mut self,
        row: &[Pile],
        transitions: &Transitions,
    ) -> ControlFlow<Progress> {
        let mut reached = vec![0];
        for &pile in row {
            reached.push(transitions[reached[reached.len() - 1]][pile as usize - 1]);
        }
        // The access word of the state after `at` piles, with the rest behind it, has the cell of the
        // row at first, and another one at the end.
        let cell = self.cell(row)?;
        let (mut right, mut wrong) = (0, row.len());
        while wrong - right > 1 {
            let at = (right + wrong) / 2;
            let word = [&self.access[reached[at]][..], &row[at..]].concat();
            if self.cell(&word)? == cell {
                right = at;
            } else {
                wrong = at;
            }
        }
        self.suffixes.push(row[wrong..].to_vec());
        ControlFlow::Continue(())
    }
}
