//! Learns an automaton with Angluin's table of access words and suffixes.
//!
//! Each state has an access word, which leads to it. It also has a list of cells, which contains
//! the cell of the access word followed by each suffix. Different states have different lists, so
//! there are no more states than in the smallest automaton. Suppose that the table contains all
//! suffixes of a row. Then the automaton is right at that row, because at each pile the access word
//! can replace the piles read so far (Maler and Pnueli). So each counterexample adds a state.

use std::collections::HashMap;
use std::ops::ControlFlow;

use grundy_rules::Pile;

use crate::tiles::Tiles;
use crate::{Progress, Watch};

pub(crate) struct Learner<'a> {
    pub(crate) tiles: Tiles,
    watch: Watch<'a>,
    suffixes: Vec<Vec<Pile>>,
    /// The cells of each word with each suffix appended, computed when needed.
    cells: HashMap<Vec<Pile>, Vec<u32>>,
    states: usize,
}

/// The next state for each state and each pile, from pile 1 on. State 0 is the initial one.
pub(crate) type Transitions = Vec<Vec<usize>>;

impl<'a> Learner<'a> {
    pub(crate) fn new(tiles: Tiles, watch: Watch<'a>) -> Learner<'a> {
        let (suffixes, cells) = (vec![Vec::new()], HashMap::new());
        Learner { tiles, watch, suffixes, cells, states: 1 }
    }

    /// Reports progress to the watcher, which may stop the prover. Adds `more` to the bytes in use.
    pub(crate) fn go_on(&mut self, more: u64) -> ControlFlow<Progress> {
        let lists = self.cells.len() as u64 * (8 * self.suffixes.len() as u64 + 128);
        let bytes = self.tiles.bytes() + lists + more;
        let progress = Progress { size: self.states, bytes };
        (self.watch)(progress).map_break(|()| progress)
    }

    fn list(&mut self, word: &[Pile]) -> ControlFlow<Progress, Vec<u32>> {
        let mut list = self.cells.remove(word).unwrap_or_default();
        for at in list.len()..self.suffixes.len() {
            self.go_on(0)?;
            list.push(self.tiles.cell_of(&[word, &self.suffixes[at]].concat()));
        }
        self.cells.insert(word.to_vec(), list.clone());
        ControlFlow::Continue(list)
    }

    /// Returns the transitions, with the output of each state. The states are numbered in the order
    /// in which rows reach them; shorter rows come first.
    pub(crate) fn automaton(&mut self) -> ControlFlow<Progress, (Transitions, Vec<u32>)> {
        let first = self.list(&[])?;
        let (mut transitions, mut outputs) = (Vec::new(), vec![first[0]]);
        let (mut access, mut states) = (vec![Vec::new()], HashMap::from([(first, 0)]));
        while transitions.len() < access.len() {
            let mut next = Vec::new();
            for pile in 1..=self.tiles.moves.piles {
                let word = [&access[transitions.len()][..], &[pile]].concat();
                let list = self.list(&word)?;
                let output = list[0];
                let state = *states.entry(list).or_insert(access.len());
                if state == access.len() {
                    access.push(word);
                    outputs.push(output);
                    self.states = self.states.max(access.len());
                }
                next.push(state);
            }
            transitions.push(next);
        }
        ControlFlow::Continue((transitions, outputs))
    }

    pub(crate) fn learn(&mut self, row: &[Pile]) {
        for suffix in (0..row.len()).map(|at| &row[at..]) {
            if !self.suffixes.iter().any(|known| known == suffix) {
                self.suffixes.push(suffix.to_vec());
            }
        }
    }
}
