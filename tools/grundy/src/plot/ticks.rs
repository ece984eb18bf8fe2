//! Round numbers along an axis.

/// Returns about `wanted` round numbers in a range, with a distance of 1, 2 or 5 times 10^i.
pub(crate) fn ticks(low: f64, high: f64, wanted: usize) -> Vec<f64> {
    let rough = (high - low).max(f64::MIN_POSITIVE) / wanted.max(1) as f64;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    let step = step.into_iter().find(|&step| step >= rough * 0.999).unwrap_or(power);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last).map(|at| at as f64 * step).collect()
}

/// Returns the text for a tick: its number, rounded to six decimals, without trailing zeros.
pub(crate) fn number(value: f64) -> String {
    let rounded = (value * 1e6).round() / 1e6;
    format!("{rounded}")
}
