//! Corrections filed under the rows that need them.
//!
//! A row files some twenty corrections for rows up to twice as far on, and each is wanted once,
//! at its row. A list per row would touch memory all over; here rows come in *blocks*. A
//! correction is appended to the last *chunk* of its block, so that the few blocks that are
//! written to at a time stay in cache, and when a block is reached its corrections are dealt out
//! to its rows at once, in a room that fits the nearest caches. Chunks are used again.

/// Option `from` of row `row` has the value `now` instead of `was`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Correction {
    pub(super) row: u32,
    pub(super) from: u32,
    pub(super) was: u32,
    pub(super) now: u32,
}

/// Rows of a block.
const BLOCK: u32 = 1024;
/// Corrections of a chunk.
const CHUNK: usize = 64;
const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub(super) struct Calendar {
    /// By block: its first chunk, and how many of that are used; further chunks are full.
    blocks: Vec<(u32, u32)>,
    chunks: Vec<[Correction; CHUNK]>,
    /// By chunk: the next one of its block, or of those that are free.
    following: Vec<u32>,
    free: u32,
    /// The block that is dealt out.
    current: u32,
    /// By row of it: the first of its corrections in `dealt`, each with the next one.
    first: Vec<u32>,
    dealt: Vec<(Correction, u32)>,
}

impl Calendar {
    /// An empty calendar of the rows 0..=last.
    pub(super) fn new(last: u32) -> Calendar {
        Calendar {
            blocks: vec![(NONE, 0); (last / BLOCK) as usize + 1],
            chunks: Vec::new(),
            following: Vec::new(),
            free: NONE,
            current: 0,
            first: vec![NONE; BLOCK as usize],
            dealt: Vec::new(),
        }
    }

    /// Makes an empty calendar begin with this row.
    pub(super) fn begin(&mut self, row: u32) {
        self.current = row / BLOCK;
    }

    /// Files a correction under its row, which must be to come.
    pub(super) fn file(&mut self, correction: Correction) {
        let block = correction.row / BLOCK;
        if block == self.current {
            self.deal(correction);
            return;
        }
        let (mut chunk, mut used) = self.blocks[block as usize];
        if chunk == NONE || used as usize == CHUNK {
            let fresh = if self.free == NONE {
                // A vector that doubles would take twice what it holds.
                if self.chunks.len() == self.chunks.capacity() {
                    self.chunks.reserve_exact(self.chunks.len() / 8 + 4);
                }
                self.chunks.push([Correction::default(); CHUNK]);
                self.following.push(NONE);
                self.chunks.len() as u32 - 1
            } else {
                self.free
            };
            self.free = if fresh == self.free { self.following[fresh as usize] } else { self.free };
            self.following[fresh as usize] = chunk;
            (chunk, used) = (fresh, 0);
        }
        self.chunks[chunk as usize][used as usize] = correction;
        self.blocks[block as usize] = (chunk, used + 1);
    }

    fn deal(&mut self, correction: Correction) {
        let first = &mut self.first[(correction.row % BLOCK) as usize];
        self.dealt.push((correction, *first));
        *first = self.dealt.len() as u32 - 1;
    }

    /// The corrections of a row, into `out`. Rows are asked in ascending order; blocks that
    /// are passed over are forgotten.
    pub(super) fn take(&mut self, row: u32, out: &mut Vec<Correction>) {
        if row / BLOCK != self.current {
            self.current = row / BLOCK;
            self.first.fill(NONE);
            self.dealt.clear();
            let (mut chunk, mut used) =
                std::mem::replace(&mut self.blocks[self.current as usize], (NONE, 0));
            while chunk != NONE {
                for at in 0..used as usize {
                    self.deal(self.chunks[chunk as usize][at]);
                }
                used = CHUNK as u32;
                let next = std::mem::replace(&mut self.following[chunk as usize], self.free);
                self.free = chunk;
                chunk = next;
            }
        }
        out.clear();
        let mut at = self.first[(row % BLOCK) as usize];
        while at != NONE {
            let (correction, next) = self.dealt[at as usize];
            out.push(correction);
            at = next;
        }
    }

    /// Every correction that is filed under a row from `next` on.
    pub(super) fn to_come(&self, next: u32) -> impl Iterator<Item = &Correction> {
        let dealt = self.dealt.iter().map(|(correction, _)| correction);
        let filed = self.blocks.iter().flat_map(move |&(chunk, used)| {
            let mut at = (chunk, used as usize);
            std::iter::from_fn(move || {
                let (chunk, used) = at;
                if chunk == NONE {
                    return None;
                }
                at = (self.following[chunk as usize], CHUNK);
                Some(&self.chunks[chunk as usize][..used])
            })
            .flatten()
        });
        dealt.chain(filed).filter(move |correction| correction.row >= next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Corrections for rows up to five blocks on, against a list that is looked through each time.
    #[test]
    fn every_correction_is_handed_over_at_its_row() {
        let last = 6 * BLOCK - 1;
        let mut calendar = Calendar::new(last);
        let (mut filed, mut found) = (Vec::<Correction>::new(), Vec::new());
        let mut state = 7u32;
        for row in 0..=last {
            // Of a row beyond the middle two blocks are passed over.
            if (3 * BLOCK..5 * BLOCK).contains(&row) {
                continue;
            }
            calendar.take(row, &mut found);
            let (mut here, rest): (Vec<_>, _) = filed.into_iter().partition(|is| is.row == row);
            filed = rest.into_iter().filter(|is| is.row > row).collect();
            let key = |is: &Correction| (is.from, is.was, is.now);
            here.sort_by_key(key);
            found.sort_by_key(key);
            assert_eq!(found, here, "row {row}");
            for now in 0..3 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let to = row + 1 + (state >> 12) % (5 * BLOCK);
                if to <= last && row % 3 == 0 {
                    let correction = Correction { row: to, from: row, was: 100 + now, now };
                    calendar.file(correction);
                    filed.push(correction);
                }
            }
            if row % 500 == 0 {
                let to_come = calendar.to_come(row + 1).count();
                assert_eq!(to_come, filed.len(), "after row {row}");
            }
        }
        assert!(filed.is_empty());
    }

    /// A chunk that is done with is used again: of two blocks that are written to at a time, three
    /// chunks are enough.
    #[test]
    fn chunks_are_used_again() {
        let mut calendar = Calendar::new(100 * BLOCK);
        let mut found = Vec::new();
        for row in 0..99 * BLOCK {
            calendar.take(row, &mut found);
            assert_eq!(found.len(), usize::from(row >= BLOCK && row % 16 == 0), "{row}");
            if row % 16 == 0 {
                calendar.file(Correction { row: row + BLOCK, from: row, was: 1, now: 0 });
            }
        }
        assert!(calendar.chunks.len() <= 3, "{}", calendar.chunks.len());
        assert_eq!(calendar.chunks.len(), calendar.following.len());
    }

    /// One that is begun at a row takes what is filed for rows of that block at once.
    #[test]
    fn a_calendar_begins_anywhere() {
        let mut calendar = Calendar::new(3 * BLOCK);
        calendar.begin(2 * BLOCK + 5);
        let correction = Correction { row: 2 * BLOCK + 7, from: 3, was: 2, now: 1 };
        calendar.file(correction);
        let mut found = vec![correction; 2];
        calendar.take(2 * BLOCK + 6, &mut found);
        assert_eq!(found, []);
        calendar.take(2 * BLOCK + 7, &mut found);
        assert_eq!(found, [correction]);
    }
}
