//! Computes the values of all rows up to a total number of coins.
//!
//! A row of n coins is encoded in n bits. A pile is a one, then a zero for each further coin.
//!
//! ```text
//! 3,1,2   1 0 0   1   1 0
//! ```
//!
//! Lowering the last pile removes zeros at the end. Taking the whole pile also removes its one.
//! Moves on the first pile do the same at the other end. So every option has a smaller number, and
//! its value is computed earlier.

use grundy_rules::{Pile, Singles};

use crate::{Control, Stopped};

#[derive(Clone, Debug)]
pub struct Compositions {
    values: Vec<u8>,
}

/// The number of rows between two checks of the control.
const ROWS_A_LOOK: usize = 1 << 20;

impl Compositions {
    /// The largest number of coins. Values are at most twice the largest pile, so they fit into a
    /// set of 64 bits.
    pub const MOST: u32 = 30;

    /// Computes the values of all rows of at most `coins` coins, in 2^`coins` bytes.
    pub fn new(singles: &Singles, coins: u32, control: &Control) -> Result<Compositions, Stopped> {
        let mut values = vec![0u8; 1 << coins];
        for n in 1..=coins {
            for row in 1usize << (n - 1)..1 << n {
                if row.is_multiple_of(ROWS_A_LOOK) {
                    control.check()?;
                }
                let last = row.trailing_zeros() + 1;
                if last == n {
                    values[row] = singles.value(n) as u8;
                    continue;
                }
                let rest = row - (1 << (n - 1));
                let first = n - (usize::BITS - rest.leading_zeros());
                let right = (1..=last).map(|taken| values[row >> taken]);
                let left = (1..first).map(|taken| values[rest | 1 << (n - 1 - taken)]);
                let seen = right.chain(left).fold(1u64 << values[rest], |seen, v| seen | 1 << v);
                values[row] = seen.trailing_ones() as u8;
            }
        }
        Ok(Compositions { values })
    }

    /// Returns the value of a row, or `None` if it has too many coins.
    pub fn value(&self, piles: &[Pile]) -> Option<u32> {
        let mut row = 0usize;
        for &pile in piles {
            let fits = pile <= Compositions::MOST && pile < row.leading_zeros();
            row = fits.then(|| row << pile | 1 << (pile - 1))?;
        }
        self.values.get(row).copied().map(u32::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rules::reference::Reference;
    use grundy_rules::{Position, games, misere_form};

    /// Each number of nine bits encodes a row.
    #[test]
    fn values_are_those_of_the_reference() {
        for game in games::END_NIM_GAMES.into_iter().chain(misere_form(games::END_NIM)) {
            let found = Compositions::new(&game.single_piles(9), 9, &Control::new()).unwrap();
            let mut reference = Reference::new(game);
            for row in 1usize..1 << 9 {
                let bits = format!("{row:b}");
                let piles: Vec<Pile> =
                    bits[1..].split('1').map(|zeros| zeros.len() as Pile + 1).collect();
                let value = reference.value(&Position::row(&piles));
                assert_eq!(found.value(&piles), Some(value), "{game} {piles:?}");
            }
            // A row with more coins than a number has bits has no value.
            assert_eq!(found.value(&[20, 20, 20, 5, 1, 2]), None);
            assert_eq!(found.value(&[4, 6]), None);
        }
    }
}
