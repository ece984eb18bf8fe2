//! Stores corrections until the rows that need them are computed.
//!
//! Row n adds about twenty corrections, for rows up to 2n. Each row reads its corrections once. One
//! list per row would scatter the writes over all memory, so rows are grouped in *blocks*. A
//! correction is appended to the last *chunk* (64 corrections) of its block. At any time only a few
//! blocks receive corrections, so their last chunks stay in cache. When the rows reach a block, its
//! corrections are grouped by row, in a buffer that fits the caches. Emptied chunks are reused.

/// A correction: the value of option `from` of row `row` is `now` instead of `was`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Correction {
    pub(super) row: u32,
    pub(super) from: u32,
    pub(super) was: u32,
    pub(super) now: u32,
}

const BLOCK: u32 = 1024;
const CHUNK: usize = 64;
const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub(super) struct Calendar {
    /// The newest chunk of each block, and the number of corrections in it. Older chunks are full.
    blocks: Vec<(u32, u32)>,
    chunks: Vec<[Correction; CHUNK]>,
    /// For each chunk, the next chunk in its list: the list of a block or of the free chunks.
    following: Vec<u32>,
    free: u32,
    /// The block whose corrections `dealt` contains.
    current: u32,
    /// For each row of the current block: the index of its first correction in `dealt`.
    first: Vec<u32>,
    dealt: Vec<(Correction, u32)>,
}

impl Calendar {
    /// Returns an empty calendar for the rows 0..=last.
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

    /// Adds a correction. [`Calendar::take`] must not have passed the row of the correction.
    pub(super) fn file(&mut self, correction: Correction) {
        let block = correction.row / BLOCK;
        if block == self.current {
            self.deal(correction);
            return;
        }
        let (mut chunk, mut used) = self.blocks[block as usize];
        if chunk == NONE || used as usize == CHUNK {
            let fresh = if self.free == NONE {
                // Grow by an eighth, because doubling would waste memory.
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

    /// Copies the corrections of a row into `out`. Rows must come in ascending order. Corrections
    /// of a skipped block are never returned.
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
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chunks are reused, so three chunks are enough for two blocks that receive corrections.
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
}
