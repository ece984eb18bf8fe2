//! A cache of extents of files.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// The extents of all files. If they exceed `most` bytes in total, the oldest are dropped.
pub(crate) struct Extents {
    /// The bytes of each extent. The keys are the number of the file and the offset.
    all: BTreeMap<(u64, u64), Arc<[u8]>>,
    /// The keys of `all`, in the order in which they were first added.
    order: VecDeque<(u64, u64)>,
    bytes: u64,
    most: u64,
}

/// The number of extents that a search tries. A long extent may contain the wanted bytes, even if
/// shorter extents begin between its start and these bytes.
const HIDDEN: usize = 8;

impl Extents {
    pub(crate) fn new(most: u64) -> Extents {
        Extents { all: BTreeMap::new(), order: VecDeque::new(), bytes: 0, most }
    }

    /// Returns an extent with `count` bytes from `at` on, and its offset.
    pub(crate) fn find(&self, file: u64, at: u64, count: u64) -> Option<(u64, Arc<[u8]>)> {
        let before = self.all.range((file, 0)..=(file, at)).rev().take(HIDDEN);
        let end = at.checked_add(count)?;
        let mut covering = before.filter(|((_, start), bytes)| start + bytes.len() as u64 >= end);
        covering.next().map(|((_, start), bytes)| (*start, Arc::clone(bytes)))
    }

    /// Caches an extent, even if it exceeds the limit, because the caller will read its bytes.
    pub(crate) fn keep(&mut self, file: u64, at: u64, bytes: Arc<[u8]>) {
        self.bytes += bytes.len() as u64;
        if let Some(before) = self.all.insert((file, at), bytes) {
            self.bytes -= before.len() as u64;
        } else {
            self.order.push_back((file, at));
        }
        while self.bytes > self.most && self.order.len() > 1 {
            let Some(oldest) = self.order.pop_front() else { return };
            self.remove(oldest);
        }
    }

    fn remove(&mut self, place: (u64, u64)) {
        let gone = self.all.remove(&place);
        self.bytes -= gone.map_or(0, |bytes| bytes.len() as u64);
    }

    pub(crate) fn forget(&mut self, file: u64) {
        let gone: Vec<(u64, u64)> =
            self.all.range((file, 0)..=(file, u64::MAX)).map(|(place, _)| *place).collect();
        gone.into_iter().for_each(|place| self.remove(place));
        self.order.retain(|(of, _)| *of != file);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(count: usize) -> Arc<[u8]> {
        vec![7; count].into()
    }

    #[test]
    fn the_oldest_extents_are_dropped_first() {
        let mut extents = Extents::new(25);
        extents.keep(1, 0, of(10));
        extents.keep(1, 10, of(10));
        extents.keep(2, 0, of(5));
        assert!(extents.find(1, 0, 10).is_some());
        extents.keep(2, 5, of(1));
        assert!(extents.find(1, 0, 10).is_none());
        assert_eq!(extents.find(1, 12, 8).unwrap().0, 10);
        assert!(extents.find(1, 12, 9).is_none() && extents.find(3, 0, 0).is_none());
        extents.keep(1, 10, of(3));
        assert_eq!(extents.bytes, 9);
        extents.forget(2);
        assert_eq!((extents.bytes, extents.order.len()), (3, 1));
        // This extent is larger than the limit, but is cached anyway.
        extents.keep(3, 0, of(100));
        assert!(extents.find(3, 50, 50).is_some() && extents.bytes == 100);
    }

    #[test]
    fn a_long_piece_is_found_behind_short_ones() {
        let mut extents = Extents::new(1000);
        extents.keep(1, 0, of(100));
        extents.keep(1, 10, of(5));
        extents.keep(1, 20, of(5));
        assert_eq!(extents.find(1, 22, 70).unwrap().0, 0);
        assert!(extents.find(1, u64::MAX, 1).is_none());
    }
}
