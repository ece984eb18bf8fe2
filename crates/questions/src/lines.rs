//! Values at equal distances in memory, which are copied together.

use crate::lane::Lane;

/// The indices of the values of a column, less the index of the tile's first value.
#[derive(Clone, Debug)]
pub(crate) struct LookupLines {
    /// The first index of each line, and its number of lanes.
    lines: Vec<(u32, u32)>,
    /// The distance between the values of two lanes in a line.
    distance: u32,
}

/// The least number of lanes of a line, on average. Shorter lines take longer than single indices.
const SHORTEST_LINE: usize = 8;

impl LookupLines {
    /// Divides indices into lines of one distance. `None` if there are too many lines.
    pub(crate) fn of(places: &[u32]) -> Option<LookupLines> {
        let &[first, second, ..] = places else { return None };
        let distance = second.checked_sub(first)?;
        let mut lines: Vec<(u32, u32)> = Vec::new();
        let mut next = None;
        for &place in places {
            match lines.last_mut() {
                Some((_, count)) if next == Some(place) => *count += 1,
                _ => lines.push((place, 1)),
            }
            next = place.checked_add(distance);
        }
        (lines.len() * SHORTEST_LINE <= places.len()).then_some(LookupLines { lines, distance })
    }

    #[inline(always)]
    pub(crate) fn copy<T: Copy + Into<u32>, L: Lane>(
        &self,
        cells: &[T],
        start: u32,
        out: &mut [L],
    ) {
        let mut left = out;
        for &(first, count) in &self.lines {
            let (to, rest) = left.split_at_mut(count as usize);
            left = rest;
            let cells = &cells[(start + first) as usize..];
            match self.distance {
                1 => widen(&cells[..to.len()], to),
                0 => to.fill(L::of_cell(cells[0].into())),
                distance => {
                    let cells = cells.iter().step_by(distance as usize);
                    to.iter_mut().zip(cells).for_each(|(to, &cell)| *to = L::of_cell(cell.into()));
                }
            }
        }
    }
}

#[inline(always)]
pub(crate) fn widen<T: Copy + Into<u32>, L: Lane>(cells: &[T], out: &mut [L]) {
    out.iter_mut().zip(cells).for_each(|(out, &x)| *out = L::of_cell(x.into()));
}
