//! Two statements of C. L. Bouton, *Nim, a game with a complete mathematical theory* (1901-02): the
//! chances of section 3, and section 6 (misère play) taken literally.

use grundy_rules::reference::Reference;
use grundy_rules::{Game, Multisets, Pile, Position, Table, games, nim_sum};
use grundy_sweep::cost::price::PREDICATE;

use crate::domain::Extent;
use crate::estimate::{Estimate, Means};
use crate::job::{Examination, Job};
use crate::stored::Halt;
use crate::tally::Tally;

pub(crate) fn chance_cost(_: &[Game], extent: &Extent, _: &Means<'_>) -> Estimate {
    let triples = 8f64.powf(f64::from(extent.bound())) / 6.0;
    let counted = if triples < u64::MAX as f64 { triples as u64 } else { u64::MAX };
    Estimate { positions: counted, cells: counted, seconds: triples * PREDICATE, memory: 0 }
}

pub(crate) fn chance(job: &Job<'_>) -> Examination {
    Examination::by(|tally| (1..=job.bound()).try_for_each(|n| chance_to(n, job, tally)))
}

fn chance_to(n: u32, job: &Job<'_>, tally: &mut Tally) -> Result<(), Halt> {
    let below = 1u32 << n;
    let (mut all, mut safe) = (0i128, 0i128);
    for a in 1..below {
        job.control.check()?;
        let mut counted = 0;
        for b in a..below {
            for c in b..below {
                counted += 1;
                safe += i128::from(nim_sum(&[a, b, c]) == 0);
            }
        }
        all += counted;
        job.control.advance(counted as u64);
    }
    let (half, power) = (1i128 << (n - 1), 1i128 << n);
    let mut claim = |what: &str, holds: bool| {
        tally.checked += 1;
        if !holds {
            let found = format!("n = {n}: {safe} of {all} are safe, which contradicts the {what}");
            tally.fail(games::NIM, &[], None, || found);
        }
    };
    claim("number", 3 * all == half * (power * power - 1));
    claim("number of safe ones", 3 * safe == (half - 1) * (power - 1));
    claim("chance", safe * half * (power + 1) == all * (half - 1));
    if n > 1 {
        // (all - safe) / safe = 2^n + 2 + 3 / (2^(n-1) - 1)
        let odds = (power + 2) * (half - 1) + 3;
        claim("odds", (all - safe) * (half - 1) == odds * safe);
    }
    Ok(())
}

/// Takes the words literally, so the piles may be empty.
pub(crate) fn misere_to_the_letter(job: &Job<'_>) -> Examination {
    let is_safe = |piles: [Pile; 3]| match piles {
        [1, 1, 0] => false,
        [1, 1, 1] | [1, 0, 0] => true,
        _ => nim_sum(&piles) == 0,
    };
    let game = games::MISERE_NIM;
    let mut reference = Reference::new(game);
    Examination::by(|tally| {
        for multisets in (1..=3).filter_map(|length| Multisets::new(15, length)) {
            let mut piles = vec![1; multisets.length()];
            let mut left = multisets.count();
            let mut look = |value: &mut dyn FnMut(&[Pile]) -> u32| {
                tally.checked += 1;
                // The piles in descending order, with empty piles at the end.
                let mut three = [0; 3];
                three.iter_mut().zip(piles.iter().rev()).for_each(|(pile, from)| *pile = *from);
                let value = value(&piles);
                if is_safe(three) != (value == 0) {
                    tally.fail(game, &piles, Some(value), || format!("value {value}"));
                }
                multisets.step(&mut piles);
                left -= 1;
                left > 0
            };
            let table = Table::new(game, 15, multisets.length());
            match table.ok().and_then(|table| job.holder(&table)) {
                // The multisets of a smaller table are the beginning of a larger one.
                Some(held) => job.read(&held, |_, values| {
                    Ok(values.iter().all(|&value| look(&mut |_| value)))
                })?,
                None => {
                    job.stored.computed();
                    while look(&mut |piles| reference.value(&Position::row(piles))) {}
                }
            }
        }
        // 0,0,0 is not safe: the other player took the last counter, so the player to move has won.
        tally.checked += 1;
        if is_safe([0, 0, 0]) {
            let found =
                "0,0,0 is called safe, but the player who leaves it has taken the last counter";
            tally.fail(games::MISERE_NIM, &[], None, || found.to_owned());
        }
        Ok(())
    })
}
