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
