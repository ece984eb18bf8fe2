//! Sets of positions of a sample, with a bit for each position.

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Set(Vec<u64>);

impl Set {
    pub(super) fn of(members: impl Iterator<Item = bool>) -> Set {
        let mut words = Vec::new();
        for (at, member) in members.enumerate() {
            if at % 64 == 0 {
                words.push(0);
            }
            words[at / 64] |= u64::from(member) << (at % 64);
        }
        Set(words)
    }

    pub(super) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    fn with(&self, other: &Set, of: impl Fn(u64, u64) -> u64) -> Set {
        Set(self.0.iter().zip(&other.0).map(|(&a, &b)| of(a, b)).collect())
    }

    pub(super) fn and(&self, other: &Set) -> Set {
        self.with(other, |a, b| a & b)
    }

    pub(super) fn without(&self, other: &Set) -> Set {
        self.with(other, |a, b| a & !b)
    }

    pub(super) fn common(&self, other: &Set) -> u32 {
        self.0.iter().zip(&other.0).map(|(a, b)| (a & b).count_ones()).sum()
    }

    pub(super) fn is_within(&self, other: &Set) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }
}
