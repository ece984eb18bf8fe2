//! The provers against values by the rules, and the checker against spoilt certificates.

mod certificates;
mod theorems;

use std::ops::ControlFlow;

use grundy_provers::{Automaton, Family, Of, Progress, Proof, prove, prove_family};
use grundy_rules::Game;

fn game(name: &str) -> Game {
    name.parse().unwrap()
}

fn up_to(size: usize) -> impl FnMut(Progress) -> ControlFlow<()> {
    move |progress| match progress.size > size {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}

fn automaton(of_game: &str, piles: u32, of: Of) -> Automaton {
    match prove(game(of_game), piles, of, &mut up_to(200)).unwrap() {
        Proof::Proved(automaton) => automaton,
        Proof::Stopped(progress) => panic!("{of_game} {piles}: {progress:?}"),
    }
}

fn family(of_game: &str, words: &str) -> Family {
    let of = if game(of_game).is_impartial() { Of::Values } else { Of::Outcomes };
    match prove_family(game(of_game), &words.parse().unwrap(), of, &mut up_to(200)).unwrap() {
        Proof::Proved(family) => family,
        Proof::Stopped(progress) => panic!("{of_game} {words}: {progress:?}"),
    }
}
