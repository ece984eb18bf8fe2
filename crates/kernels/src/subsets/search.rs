//! Searches one position of any size, with a memo.
//!
//! The value is the mex over the values of the options, found recursively. The memo stores results
//! under a canonical form of the position:
//!
//! - Members of S above the largest pile are dropped, because nobody can ever play them.
//! - Piles below the smallest member of S are dropped. No move can ever take from them, because S
//!   only loses members.
//!
//! The key of one pile of m coins is then m and S within {1..m}.
//!
//! **Pruning.** Let U be the largest number such that the U smallest members of S have a sum of at
//! most the number of coins. No value exceeds U (see [`super`]). If the options of a position have
//! all values below its U, its value is U. Let m be the mex of the options seen so far. An option
//! with U < m does not change m. So the search tries options by increasing U. Nearly always, the
//! first option with U = 0 has value 0, the first with U = 1 has value 1, and so on. Then the
//! search skips all other options with the same U. So it visits about U options of a position
//! instead of n. The search of \[130, {1..130}\] visits a thousand positions, not ten million.
//!
//! ```text
//!   a position in words:   k p1 p2 p3 | p4 ... | S: moves 1-64 | moves 65-128 ...
//!                          16 bits each          ceil(p_k / 64) words
//! ```
//!
//! A vector of words stores the positions of the memo one after another. A hash table has a slot
//! for each position: its place, value, and a part of the hash. The memory is limited. If earlier
//! searches have filled it, the memo is emptied. If a search is stopped, or its own results exceed
//! the memory, it returns an error.

pub const MOST_PILES: usize = 32;
/// The largest number of coins. Values are below 128, because 1 + ... + 128 = 8256.
pub const MOST_COINS: u32 = 8255;

/// An error: the search ended without a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    #[error("the search ran out of memory after {states} positions in {bytes} bytes")]
    Memory { states: u64, bytes: u64 },
    #[error("stopped after {states} positions")]
    Stopped { states: u64 },
    #[error(
        "a search takes at most {MOST_COINS} coins in {MOST_PILES} piles, but this position has \
         {coins} in {piles}"
    )]
    Size { piles: usize, coins: u64 },
}

const ASK_EVERY: u64 = 1024;
const FIRST_SLOTS: usize = 1 << 10;

/// Searches the values of single positions, and keeps them in a memo.
///
/// ```
/// use grundy_kernels::subsets::Search;
///
/// let mut search = Search::new(1 << 20);
/// let go_on = &mut |_: &Search| false;
/// assert_eq!(search.value(&[8], [1, 3, 4], go_on), Ok(1));
/// // Conjecture 34: 1 + ... + 7 is the largest triangular number up to 30.
/// assert_eq!(search.value(&[30], 1..=30, go_on), Ok(7));
/// # Ok::<(), grundy_kernels::subsets::SearchError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Search {
    limit: u64,
    found: Vec<u64>,
    /// The slots. A free slot is 0. A used slot contains the place in `found` plus 1 (40 bits), the
    /// value (8 bits) and a part of the hash (16 bits).
    slots: Vec<u64>,
    states: u64,
    /// The current position and its ancestors, as a stack of words.
    work: Vec<u64>,
    visits: u64,
}

impl Search {
    /// Creates a search. Its memo takes 8192 bytes at first, and grows up to `limit` bytes.
    pub fn new(limit: u64) -> Search {
        Search {
            limit,
            found: Vec::new(),
            slots: vec![0; FIRST_SLOTS],
            states: 0,
            work: Vec::new(),
            visits: 0,
        }
    }

    pub fn states(&self) -> u64 {
        self.states
    }

    pub fn bytes(&self) -> u64 {
        8 * (self.found.capacity() + self.slots.len()) as u64
    }

    /// Returns the value of \[piles, S\]. The piles and the members of S may have any order.
    /// Regularly calls `stop` with the search, which ends if `stop` returns true.
    pub fn value(
        &mut self,
        piles: &[u32],
        set: impl IntoIterator<Item = u32>,
        stop: &mut dyn FnMut(&Search) -> bool,
    ) -> Result<u8, SearchError> {
        let most = piles.iter().copied().max().unwrap_or(0);
        // More than MOST_COINS moves require a pile that the size check below rejects.
        let set = set.into_iter().filter(|&s| (1..=most).contains(&s));
        let set: Vec<u32> = set.take(MOST_COINS as usize + 1).collect();
        let least = set.iter().copied().min().unwrap_or(u32::MAX);
        let together: u64 = set.iter().map(|&s| u64::from(s)).sum();
        // A pile can lose at most the sum of all moves, and nothing if every move exceeds the pile.
        let piles = piles.iter().filter(|&&pile| pile >= least);
        let piles: Vec<u64> = piles.map(|&pile| u64::from(pile).min(together)).collect();
        let coins = piles.iter().sum();
        let count = piles.len();
        if count > MOST_PILES || coins > u64::from(MOST_COINS) {
            return Err(SearchError::Size { piles: count, coins });
        }
        let mut sorted = Piles::default();
        for &pile in &piles {
            sorted.insert(pile as u16);
        }
        let largest = u32::from(sorted.largest());
        let mut members = vec![0u64; largest.div_ceil(64) as usize];
        for s in set {
            if (1..=largest).contains(&s) {
                members[(s - 1) as usize / 64] |= 1 << ((s - 1) % 64);
            }
        }
        loop {
            let earlier = self.states > 0;
            self.work.clear();
            self.work.extend_from_slice(&members);
            self.push(sorted, 0, members.len());
            match self.solve(members.len(), stop) {
                Err(SearchError::Memory { .. }) if earlier => self.forget(),
                result => return result,
            }
        }
    }

    pub fn forget(&mut self) {
        *self = Search { visits: self.visits, ..Search::new(self.limit) };
    }

    /// Removes the position on top of the stack, which begins at word `at`, and returns its value.
    fn solve(
        &mut self,
        at: usize,
        stop: &mut dyn FnMut(&Search) -> bool,
    ) -> Result<u8, SearchError> {
        let piles = Piles::read(&self.work[at..]);
        if piles.count == 0 {
            self.work.truncate(at);
            return Ok(0);
        }
        let hash = hash(&self.work[at..]);
        if let Some(value) = self.look_up(at, hash) {
            self.work.truncate(at);
            return Ok(value);
        }
        self.visits += 1;
        if self.visits.is_multiple_of(ASK_EVERY) && stop(self) {
            return Err(SearchError::Stopped { states: self.states });
        }
        let (members, end) = (at + piles.words(), self.work.len());
        let most = most_moves(piles.coins(), &self.work[members..end], 0);
        let mut seen = 0u128;
        for option in self.options(&piles, members, end) {
            if seen.trailing_ones() >= most {
                break;
            }
            if seen.trailing_ones() > option.bound {
                continue;
            }
            let mut left = piles;
            left.lower(option.pile, option.coins);
            // Remove this move from the set while the option is pushed.
            let (word, bit) = (members + (option.coins - 1) as usize / 64, (option.coins - 1) % 64);
            self.work[word] ^= 1 << bit;
            let bound = self.push(left, members, end);
            self.work[word] ^= 1 << bit;
            if seen.trailing_ones() > bound {
                self.work.truncate(end);
                continue;
            }
            seen |= 1 << self.solve(end, stop)?;
        }
        let value = seen.trailing_ones() as u8;
        self.keep(at, hash, value)?;
        self.work.truncate(at);
        Ok(value)
    }

    /// Returns the moves from the position with these piles and the set in the words `from..to` of
    /// the stack. Sorts them by the bound of the resulting position, and then by the coins taken.
    fn options(&self, piles: &Piles, from: usize, to: usize) -> Vec<Move> {
        let set = &self.work[from..to];
        let total = piles.coins();
        let mut options = Vec::new();
        for (at, &word) in set.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let coins = (64 * at + rest.trailing_zeros() as usize + 1) as u16;
                rest &= rest - 1;
                let bound = most_moves(total - u32::from(coins), set, u32::from(coins));
                for pile in 0..piles.count {
                    let there = piles.sorted[pile];
                    if there >= coins && (pile == 0 || piles.sorted[pile - 1] != there) {
                        options.push(Move { bound, coins, pile });
                    }
                }
            }
        }
        options.sort_by_key(|option| option.bound);
        options
    }

    /// Pushes a position with these piles and the set in the words `from..to` of the stack, in its
    /// canonical form. Returns its bound.
    fn push(&mut self, mut piles: Piles, from: usize, to: usize) -> u32 {
        let largest = piles.largest();
        let to = to.min(from + usize::from(largest).div_ceil(64));
        // In the last word, keep only the moves up to the largest pile.
        let last = u64::MAX >> (largest.wrapping_neg() % 64);
        let masked = |at: usize, word: u64| if at + 1 == to { word & last } else { word };
        let smallest = (from..to).find_map(|at| {
            let word = masked(at, self.work[at]);
            (word != 0).then(|| 64 * (at - from) + word.trailing_zeros() as usize + 1)
        });
        let Some(smallest) = smallest else {
            self.work.push(0);
            return 0;
        };
        piles.drop_below(smallest as u16);
        piles.write(&mut self.work);
        let members = self.work.len();
        for at in from..to {
            let word = masked(at, self.work[at]);
            self.work.push(word);
        }
        most_moves(piles.coins(), &self.work[members..], 0)
    }

    fn look_up(&self, at: usize, hash: u64) -> Option<u8> {
        let position = &self.work[at..];
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let entry = self.slots[slot];
            if entry == 0 {
                return None;
            }
            let place = (entry & PLACE) as usize - 1;
            if entry >> 48 == hash >> 48
                && self.found.get(place..place + position.len()) == Some(position)
            {
                return Some((entry >> 40) as u8);
            }
            slot = (slot + 1) & mask;
        }
    }

    fn keep(&mut self, at: usize, hash: u64, value: u8) -> Result<(), SearchError> {
        let length = self.work.len() - at;
        self.make_room(length)?;
        let place = self.found.len() as u64 + 1;
        self.found.extend_from_slice(&self.work[at..]);
        insert(&mut self.slots, hash, place | u64::from(value) << 40);
        self.states += 1;
        Ok(())
    }

    /// Makes room for a position of `words` words. Changes nothing if it returns an error.
    fn make_room(&mut self, words: usize) -> Result<(), SearchError> {
        let full = SearchError::Memory { states: self.states, bytes: self.bytes() };
        let free = self.found.capacity() - self.found.len();
        if free < words {
            // Grow by half, or by less if the limit allows only less.
            let allowed = (self.limit.saturating_sub(self.bytes()) / 8) as usize + free;
            let wanted = (self.found.capacity() / 2).max(FIRST_SLOTS).min(allowed);
            if wanted < words || self.found.len() + wanted >= PLACE as usize {
                return Err(full);
            }
            self.found.reserve_exact(wanted);
        }
        if 3 * self.slots.len() as u64 <= 4 * (self.states + 1) {
            let more = 16 * self.slots.len() as u64;
            if self.bytes() + more > self.limit {
                return Err(full);
            }
            let mut slots = vec![0; 2 * self.slots.len()];
            for &entry in self.slots.iter().filter(|&&entry| entry != 0) {
                let place = (entry & PLACE) as usize - 1;
                let words = Piles::read(&self.found[place..]).position_words();
                let hash = hash(&self.found[place..place + words]);
                insert(&mut slots, hash, entry & (PLACE | 0xFF << 40));
            }
            self.slots = slots;
        }
        Ok(())
    }
}

/// The bits of a slot that contain the place.
const PLACE: u64 = (1 << 40) - 1;

fn insert(slots: &mut [u64], hash: u64, entry: u64) {
    let mask = slots.len() - 1;
    let mut slot = hash as usize & mask;
    while slots[slot] != 0 {
        slot = (slot + 1) & mask;
    }
    slots[slot] = entry | hash >> 48 << 48;
}

/// Hashes each word by a multiplication and folds the two halves of the product together.
fn hash(position: &[u64]) -> u64 {
    let mut state = 0x9E37_79B9_7F4A_7C15;
    for &word in position {
        let product = u128::from(state ^ word) * 0xA076_1D64_78BD_642F;
        state = (product as u64 ^ (product >> 64) as u64).rotate_left(23).wrapping_add(word);
    }
    state
}

/// A move that takes `coins` from the pile with index `pile`.
#[derive(Clone, Copy, Debug)]
struct Move {
    /// An upper bound of the value of the resulting position.
    bound: u32,
    coins: u16,
    pile: usize,
}

/// Returns the largest number of members with a sum of at most `coins`. Ignores `without`.
pub(super) fn most_moves(coins: u32, members: &[u64], without: u32) -> u32 {
    let (mut left, mut count) = (coins, 0);
    for (at, &word) in (0u32..).zip(members) {
        let mut rest = word;
        while rest != 0 {
            let smallest = 64 * at + rest.trailing_zeros() + 1;
            rest &= rest - 1;
            if smallest == without {
                continue;
            }
            if smallest > left {
                return count;
            }
            left -= smallest;
            count += 1;
        }
    }
    count
}

/// Nonempty piles in ascending order.
#[derive(Clone, Copy, Debug, Default)]
struct Piles {
    count: usize,
    sorted: [u16; MOST_PILES],
}

impl Piles {
    fn largest(&self) -> u16 {
        if self.count == 0 { 0 } else { self.sorted[self.count - 1] }
    }

    fn coins(&self) -> u32 {
        self.sorted[..self.count].iter().map(|&pile| u32::from(pile)).sum()
    }

    fn insert(&mut self, pile: u16) {
        let mut at = self.count;
        while at > 0 && self.sorted[at - 1] > pile {
            self.sorted[at] = self.sorted[at - 1];
            at -= 1;
        }
        self.sorted[at] = pile;
        self.count += 1;
    }

    /// Takes `coins` from the pile at index `at`. Removes an emptied pile.
    fn lower(&mut self, at: usize, coins: u16) {
        let left = self.sorted[at] - coins;
        self.sorted.copy_within(at + 1..self.count, at);
        self.count -= 1;
        if left > 0 {
            self.insert(left);
        }
    }

    fn drop_below(&mut self, coins: u16) {
        let dropped = self.sorted[..self.count].partition_point(|&pile| pile < coins);
        self.sorted.copy_within(dropped..self.count, 0);
        self.count -= dropped;
    }

    /// Returns the number of words for the count of piles and for the piles, as 16-bit numbers.
    fn words(&self) -> usize {
        self.count / 4 + 1
    }

    /// Returns the number of words of a position with these piles, including its set.
    fn position_words(&self) -> usize {
        self.words() + usize::from(self.largest()).div_ceil(64)
    }

    fn write(&self, words: &mut Vec<u64>) {
        let mut word = self.count as u64;
        for (at, &pile) in (1..).zip(&self.sorted[..self.count]) {
            if at % 4 == 0 {
                words.push(word);
                word = 0;
            }
            word |= u64::from(pile) << (16 * (at % 4));
        }
        words.push(word);
    }

    fn read(words: &[u64]) -> Piles {
        let mut piles = Piles { count: (words[0] & 0xFFFF) as usize, ..Piles::default() };
        for at in 1..=piles.count {
            piles.sorted[at - 1] = (words[at / 4] >> (16 * (at % 4))) as u16;
        }
        piles
    }
}

#[cfg(test)]
mod tests;
