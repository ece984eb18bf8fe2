//! Merges the needed ranges into requests.

use std::ops::Range;

/// Maximum number of unneeded bytes between two merged ranges. They take six milliseconds at ten
/// million bytes per second. A separate request takes as long if six requests run in parallel and
/// the round trip takes forty milliseconds.
pub(crate) const MOST_GAP: u64 = 64 << 10;

/// Maximum bytes of a request for merged ranges. The round trip is then a small part of the time,
/// and a cut connection still loses little.
pub(crate) const MOST_MERGED: u64 = 1 << 20;

/// Merges neighbouring ranges. The result is in order, and covers every wanted byte. A range longer
/// than [`MOST_MERGED`] stays as it is.
pub(crate) fn merged(mut wanted: Vec<Range<u64>>) -> Vec<Range<u64>> {
    wanted.retain(|range| range.start < range.end);
    wanted.sort_by_key(|range| (range.start, range.end));
    let mut all: Vec<Range<u64>> = Vec::new();
    for range in wanted {
        match all.last_mut() {
            Some(last) if range.end <= last.end => {}
            Some(last)
                if range.start <= last.end.saturating_add(MOST_GAP)
                    && range.end - last.start <= MOST_MERGED =>
            {
                last.end = range.end;
            }
            _ => all.push(range),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(wanted: &[(u64, u64)]) -> Vec<(u64, u64)> {
        let wanted = wanted.iter().map(|(start, end)| *start..*end).collect();
        merged(wanted).into_iter().map(|range| (range.start, range.end)).collect()
    }

    #[test]
    fn neighbouring_ranges_are_merged() {
        assert_eq!(ends(&[(5, 5), (30, 40), (0, 10), (10, 20), (35, 38)]), [(0, 40)]);
        let far = MOST_GAP + 11;
        assert_eq!(ends(&[(0, 10), (far, far + 1)]), [(0, 10), (far, far + 1)]);
        assert_eq!(ends(&[(0, 10), (far - 1, far)]), [(0, far)]);
        // Merged ranges do not exceed the limit, but a single wanted range may.
        assert_eq!(ends(&[(0, MOST_MERGED), (10, MOST_MERGED + 1)]).len(), 2);
        assert_eq!(ends(&[(0, 3 * MOST_MERGED), (7, 9)]), [(0, 3 * MOST_MERGED)]);
        assert_eq!(ends(&[]), []);
    }
}
