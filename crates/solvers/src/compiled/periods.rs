//! Periods of the rows b -> G(w b) of rule files.
//!
//! The only row of a sum is that of single piles; the theorem of Guy and Smith proves its period.
//! In other games the proof in docs/PROOFS.md, section 4, needs a move that lowers the last pile to
//! any smaller number. All other moves must change the word w, in finitely many ways.

use grundy_kernels::{Compiler, Isa};
use grundy_language::ExprKind;
use grundy_rules::law::{Change, Kind, Law, Numbers, Plain};
use grundy_rules::{Game, Pile};
use grundy_sweep::period::{Periodicity, Row, Words, observed};
use grundy_sweep::{Control, Stopped};

use super::line::{constant, mentions, pile_of};
use super::recognise::{Class, is_symmetric, shapes};
use super::sums;
use crate::lines::Lines;

/// A last pile so large that no list can hold its options if a move may take any number of coins.
const LARGE: Pile = 1 << 31;

/// Returns the moves of the rows b -> G(w b), for words w of up to `piles` piles of at most
/// `largest`. `None` if docs/PROOFS.md proves no period of these rows.
pub fn words_of(game: Game, piles: usize, largest: Pile) -> Option<Words> {
    let closes_up = |law: &&Law| matches!(law.kind, Kind::Row | Kind::Heaps);
    let law = game.rules().law().filter(closes_up).filter(|_| game.is_impartial())?;
    let lines = (1..=piles + 1)
        .map(|length| Lines::of(law.kind, &beside_last(law, length, largest as usize)?, length));
    let lines: Vec<Lines> = lines.collect::<Option<_>>()?;
    let options = move |word: &[Pile]| {
        let mut found = Vec::new();
        lines[word.len()].options(&[word, &[LARGE]].concat(), |option| {
            let (last, to) = option.split_last().filter(|(last, _)| **last > LARGE / 2)?;
            // Leave out moves that lower only the last pile.
            if to != word {
                found.push((to.to_vec(), (LARGE - last) as usize));
            }
            Some(())
        })?;
        found.sort();
        found.dedup();
        Some(found)
    };
    // Test only the largest words, because they have the most options.
    let is_finite = (0..=piles).all(|piles| options(&vec![largest; piles]).is_some());
    let options = Box::new(move |word: &[Pile]| match options(word) {
        Some(found) => found,
        None => unreachable!("the options of {word:?} are finitely many"),
    });
    let terminal = law.misere.into();
    is_finite.then_some(Words { options, seed: None, terminal, is_symmetric: false })
}

/// Returns the lines that change piles other than the last, for positions of `length` piles. `None`
/// unless another line lowers the last pile to any smaller number.
fn beside_last(law: &Law, length: usize, largest: usize) -> Option<Vec<Plain>> {
    // In lines that are not masked, a condition that relates a chosen number to a pile only keeps
    // the pile from becoming negative.
    let found = shapes(law, length, largest).ok()?;
    if found.classes.iter().any(|&(_, class)| class == Class::Masked) {
        return None;
    }
    let is_any = law.kind != Kind::Heaps || is_symmetric(&found, length);
    let mut lines = law.at(length).filter(|_| is_any)?;
    let (mut lowers_any, mut is_free) = (false, true);
    lines.retain(|plain| {
        let mut all = plain.before.iter().chain(&plain.after);
        if plain.effects.iter().any(|(pile, _)| pile + 1 != length) {
            let told = |c| mentions(c, plain.binders.len());
            is_free &= all.all(|c| told(c).binders || !told(c).piles);
            return true;
        }
        lowers_any |= matches!(
            (&plain.binders[..], &plain.effects[..]),
            ([Numbers::Range(from, to)], [(_, Change::Less(e))])
                if constant(from) == Some(1)
                    && pile_of(to) == Some(length - 1)
                    && matches!(e.kind, ExprKind::Local(_, 0))
        ) && all.all(|c| matches!(c.kind, ExprKind::Bool(true)));
        false
    });
    (lowers_any && is_free).then_some(lines)
}

/// Computes the values of single piles of a sum, and their period; `None` if there is no kernel.
pub fn sum_row(game: Game, last: usize, control: &Control) -> Option<Result<Row, Stopped>> {
    let splits = sums::splits(game.rules().law().filter(|law| law.kind == Kind::Sum)?, last)?;
    let compiler = Compiler::new(Isa::best());
    let found = splits.values(compiler, last, |_| !control.is_stopped());
    if found.len() <= last {
        return control.check().err().map(Err);
    }
    let mut values: Vec<u32> = found[1..].iter().map(|&value| value.into()).collect();
    let Some(period) = splits.period(&found) else {
        return Some(Ok(Row { found: observed(&values), values }));
    };
    let differs = |&at: &usize| values[at] != values[at + period];
    let preperiod = (0..last - period).rev().find(differs).map_or(0, |at| at + 1);
    values.truncate(preperiod + period);
    Some(Ok(Row {
        values,
        found: Some(Periodicity { preperiod, period, saltus: 0, proved: true }),
    }))
}
