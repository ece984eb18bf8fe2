//! Sets of moves, which are part of a position in long global nim.

use std::fmt;

use crate::Pile;

/// A set of positive numbers, stored as separate runs in ascending order, as in `{1..7,28..31}`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MoveSet {
    /// The first and the last number of each run.
    runs: Vec<(Pile, Pile)>,
}

impl MoveSet {
    /// Returns all numbers from 1 to `last`.
    pub fn up_to(last: Pile) -> MoveSet {
        MoveSet { runs: if last == 0 { Vec::new() } else { vec![(1, last)] } }
    }

    /// Returns the union of the runs (first, last), given in any order. `None` if a run begins at 0
    /// or is empty, or if two runs overlap.
    pub fn of_runs(mut runs: Vec<(Pile, Pile)>) -> Option<MoveSet> {
        runs.sort_unstable();
        let mut joined: Vec<(Pile, Pile)> = Vec::with_capacity(runs.len());
        for (first, last) in runs {
            if first == 0 || last < first {
                return None;
            }
            match joined.last_mut() {
                Some((_, end)) if *end >= first => return None,
                Some((_, end)) if *end + 1 == first => *end = last,
                _ => joined.push((first, last)),
            }
        }
        Some(MoveSet { runs: joined })
    }

    /// Returns the set that contains s if and only if bit s-1 is set.
    pub fn of_mask(mask: u64) -> MoveSet {
        let mut runs = Vec::new();
        let mut first = 0;
        while first < 64 {
            let rest = mask >> first;
            let gap = rest.trailing_zeros();
            if gap == 64 {
                break;
            }
            let run = (rest >> gap).trailing_ones();
            runs.push((first + gap + 1, first + gap + run));
            first += gap + run;
        }
        MoveSet { runs }
    }

    /// Returns the mask of the set: bit s-1 is the member s. `None` if a member is above 64.
    pub fn mask(&self) -> Option<u64> {
        self.runs.iter().try_fold(0, |mask, &(first, last)| {
            let run = u64::MAX.checked_shl(first - 1)?;
            Some(mask | run & u64::MAX >> 64u32.checked_sub(last)?)
        })
    }

    /// True if a number is in the set.
    pub fn contains(&self, number: Pile) -> bool {
        self.runs.iter().any(|&(first, last)| (first..=last).contains(&number))
    }

    /// Returns the members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = Pile> + '_ {
        self.runs.iter().flat_map(|&(first, last)| first..=last)
    }

    /// Returns the set without `number` and without numbers above `last`.
    pub fn without(&self, number: Pile, last: Pile) -> MoveSet {
        let mut runs = Vec::with_capacity(self.runs.len() + 1);
        for &(first, end) in &self.runs {
            let end = end.min(last);
            if first > end {
                break;
            }
            if !(first..=end).contains(&number) {
                runs.push((first, end));
                continue;
            }
            if first < number {
                runs.push((first, number - 1));
            }
            if number < end {
                runs.push((number + 1, end));
            }
        }
        MoveSet { runs }
    }
}

impl fmt::Display for MoveSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs = self.runs.iter().map(|&(first, last)| match last - first {
            0 => first.to_string(),
            1 => format!("{first},{last}"),
            _ => format!("{first}..{last}"),
        });
        write!(f, "{{{}}}", runs.collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_moves_are_joined_and_split() {
        let set = MoveSet::of_runs(vec![(28, 31), (1, 3), (4, 7)]).unwrap();
        assert_eq!(set.to_string(), "{1..7,28..31}");
        assert_eq!(set.without(5, 29).to_string(), "{1..4,6,7,28,29}");
        assert_eq!(set.without(99, 7), MoveSet::up_to(7));
        assert_eq!(set.iter().count(), 11);
        assert!(set.contains(30) && !set.contains(8));
        assert_eq!(MoveSet::up_to(0).to_string(), "{}");
        for mask in [0, 1, 0b1101, 0x7800_007F, u64::MAX, 1 << 63, 5 << 61] {
            let set = MoveSet::of_mask(mask);
            assert_eq!(set.mask(), Some(mask));
            assert!(set.iter().all(|s| mask >> (s - 1) & 1 == 1));
            assert_eq!(set.iter().count() as u32, mask.count_ones());
        }
        assert_eq!(MoveSet::of_mask(0b1101).to_string(), "{1,3,4}");
        assert_eq!(MoveSet::up_to(65).mask(), None);
        for wrong in [vec![(0, 3)], vec![(3, 1)], vec![(1, 4), (4, 5)], vec![(2, 2), (2, 2)]] {
            assert_eq!(MoveSet::of_runs(wrong), None);
        }
    }
}
