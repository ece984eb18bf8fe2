//! Merges the results of the parts of a walk.

use std::collections::{BTreeMap, BTreeSet};

use grundy_rules::{Memory, Pile, Position};

use crate::PositionView;

/// The result of one part of a walk. It can be merged with the result of another part.
///
/// Parts are walked in any order and on any thread, so the result of `merge` must not depend on the
/// order. A walk without parts gives [`Default::default`].
///
/// | type | merged |
/// |---|---|
/// | `u64`, `u32`, `usize` | added: a count |
/// | `Vec<M>` | entry by entry, with the longer length: a histogram |
/// | [`BTreeMap`], [`BTreeSet`] | the union; values of equal keys are merged |
/// | [`Least`] | the position with fewer coins |
/// | tuples, `Option` | component by component |
///
/// Floating-point numbers have no `Merge`, because their sums depend on the order.
///
/// ```
/// use grundy::Merge;
///
/// let mut counts = vec![1_u64, 5];
/// counts.merge(vec![2, 0, 7]);
/// assert_eq!(counts, [3, 5, 7]);
/// ```
pub trait Merge: Default + Send {
    /// Adds the result of another part.
    fn merge(&mut self, other: Self);
}

impl Merge for () {
    fn merge(&mut self, (): ()) {}
}

macro_rules! merge_by_adding {
    ($($number:ty),*) => {$(
        impl Merge for $number {
            fn merge(&mut self, other: $number) {
                *self += other;
            }
        }
    )*};
}

merge_by_adding!(u32, u64, u128, usize);

macro_rules! merge_each {
    ($($name:ident $at:tt),*) => {
        impl<$($name: Merge),*> Merge for ($($name,)*) {
            fn merge(&mut self, other: Self) {
                $(self.$at.merge(other.$at);)*
            }
        }
    };
}

merge_each!(A 0, B 1);
merge_each!(A 0, B 1, C 2);
merge_each!(A 0, B 1, C 2, D 3);

impl<M: Merge> Merge for Option<M> {
    fn merge(&mut self, other: Self) {
        match (self.as_mut(), other) {
            (Some(here), Some(there)) => here.merge(there),
            (None, there) => *self = there,
            (Some(_), None) => {}
        }
    }
}

impl<M: Merge> Merge for Vec<M> {
    fn merge(&mut self, mut other: Self) {
        if other.len() > self.len() {
            std::mem::swap(self, &mut other);
        }
        for (here, there) in self.iter_mut().zip(other) {
            here.merge(there);
        }
    }
}

impl<T: Ord + Send> Merge for BTreeSet<T> {
    fn merge(&mut self, mut other: Self) {
        self.append(&mut other);
    }
}

impl<K: Ord + Send, M: Merge> Merge for BTreeMap<K, M> {
    fn merge(&mut self, other: Self) {
        for (key, there) in other {
            self.entry(key).or_default().merge(there);
        }
    }
}

/// The least position found, with its value. The least position has the fewest coins. Ties are
/// decided by the lexicographic order of the piles, then by the game's memory.
///
/// ```
/// use grundy::{Least, games, sweep};
///
/// // The first position of End-Nim with the value 15, for three piles of up to 8.
/// let least: Least = sweep(games::END_NIM, 3, 8, |block| {
///     let mut least = Least::default();
///     block.each_position(|at| {
///         if at.value == 15 {
///             least.take(at);
///         }
///     });
///     least
/// })?;
/// let (position, _) = least.found().expect("there is one");
/// assert_eq!(position.to_string(), "7,1,8");
/// # Ok::<(), grundy::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Least {
    found: Option<(Position, u32)>,
    coins: u64,
}

impl Least {
    /// Adds a position.
    #[inline(never)] // Loops call it rarely.
    pub fn take(&mut self, seen: &PositionView<'_>) {
        let coins = seen.coins();
        if self.is_before(coins, seen.piles, seen.memory) {
            *self = Least { found: Some((seen.position(), seen.value)), coins };
        }
    }

    /// Returns the least position so far and its value; `None` if there is none.
    pub fn found(&self) -> Option<(&Position, u32)> {
        self.found.as_ref().map(|(position, value)| (position, *value))
    }

    fn is_before(&self, coins: u64, piles: &[Pile], memory: &Memory) -> bool {
        self.found.as_ref().is_none_or(|(least, _)| {
            (coins, piles, memory) < (self.coins, least.piles(), least.memory())
        })
    }
}

impl Merge for Least {
    fn merge(&mut self, other: Self) {
        if let Some((position, _)) = &other.found
            && self.is_before(other.coins, position.piles(), position.memory())
        {
            *self = other;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged<M: Merge>(mut left: M, right: M) -> M {
        left.merge(right);
        left
    }

    #[test]
    fn parts_are_joined() {
        assert_eq!((merged(2_u32, 3), merged(2_u128, 3)), (5, 5));
        assert_eq!(merged((1_u32, 2_u64), (10, 20)), (11, 22));
        assert_eq!(merged((1_u32, 2_u64, 3_usize, 4_u128), (10, 20, 30, 40)), (11, 22, 33, 44));
        assert_eq!(merged(Some(2_u32), Some(3)), Some(5));
        assert_eq!(merged(None, Some(3_u32)), Some(3));
        assert_eq!(merged(Some(2_u32), None), Some(2));
        assert_eq!(merged(None::<u32>, None), None);
        assert_eq!(merged(vec![1_u32, 2, 3], vec![10]), [11, 2, 3]);
        assert_eq!(merged(vec![10_u32], vec![1, 2, 3]), [11, 2, 3]);
        assert_eq!(merged(vec![1_u32, 2], vec![10, 20]), [11, 22]);
        let set = |all: [u32; 2]| BTreeSet::from(all);
        assert_eq!(merged(set([1, 2]), set([2, 3])), BTreeSet::from([1, 2, 3]));
        let map = |all: [(u32, u64); 2]| BTreeMap::from(all);
        let found = merged(map([(1, 5), (2, 6)]), map([(2, 10), (3, 20)]));
        assert_eq!(found, BTreeMap::from([(1, 5), (2, 16), (3, 20)]));
    }
}
