use super::canvas::{Colour, WHITE};

/// The colours of the colour map viridis for the numbers 0, 1/8, ..., 1 (S. van der Walt and N.
/// Smith, public domain).
const VIRIDIS: [Colour; 9] = [
    [68, 1, 84],
    [71, 44, 122],
    [59, 81, 139],
    [44, 113, 142],
    [33, 144, 141],
    [39, 173, 129],
    [92, 200, 99],
    [170, 220, 50],
    [253, 231, 37],
];

/// The colours of classes. Colour-blind people can distinguish them (after M. Okabe and K. Ito).
pub(crate) const CLASSES: [Colour; 4] =
    [[0, 114, 178], [230, 159, 0], [235, 235, 235], [40, 40, 40]];

/// Returns the colour of a number from 0 to 1 in the colour map viridis.
pub(crate) fn viridis(part: f64) -> Colour {
    let place = part.clamp(0.0, 1.0) * (VIRIDIS.len() - 1) as f64;
    let below = (place.floor() as usize).min(VIRIDIS.len() - 2);
    mix(VIRIDIS[below], VIRIDIS[below + 1], place - below as f64)
}

/// Returns the colour of a difference: white for 0, red for positive and blue for negative
/// differences, on a logarithmic scale up to the absolute value `most`.
pub(crate) fn difference(value: i64, most: u64) -> Colour {
    if value == 0 {
        return WHITE;
    }
    let scale = (most as f64 + 1.0).ln();
    let part = (value.unsigned_abs() as f64 + 1.0).ln() / scale.max(f64::MIN_POSITIVE);
    let (near, far) = match value > 0 {
        true => ([253, 208, 192], [130, 8, 24]),
        false => ([198, 219, 245], [8, 30, 120]),
    };
    mix(near, far, part)
}

fn mix(one: Colour, other: Colour, part: f64) -> Colour {
    std::array::from_fn(|at| {
        let (a, b) = (f64::from(one[at]), f64::from(other[at]));
        (a + (b - a) * part).round() as u8
    })
}
