//! Formats amounts, times and counts as text.

use std::fmt;

/// A number of bytes, displayed with a suitable unit, such as 101.2 MiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
        match self.0 {
            1 => write!(f, "1 byte"),
            bytes @ ..1024 => write!(f, "{bytes} bytes"),
            bytes => {
                // Add 1/20000, so that 1023.96 KiB is displayed as 1.0 MiB and not as 1024.0 KiB.
                let unit = ((bytes.saturating_add(bytes / 20_000)).ilog2() / 10) as usize;
                let size = bytes as f64 / f64::from(unit as u32 * 10).exp2();
                write!(f, "{size:.1} {}", UNITS[unit - 1])
            }
        }
    }
}

/// A time in seconds, displayed with a suitable unit, such as 29 days.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seconds(pub f64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Each unit is used for times below twice the next unit.
        const UNITS: [(&str, f64); 5] = [
            ("second", 1.0),
            ("minute", 60.0),
            ("hour", 3600.0),
            ("day", 86_400.0),
            ("year", 31_557_600.0),
        ];
        let seconds = self.0.max(0.01);
        let next = UNITS.iter().skip(1).position(|(_, next)| seconds < 1.99 * next);
        let (unit, size) = UNITS[next.unwrap_or(UNITS.len() - 1)];
        let number = seconds / size;
        if number >= 1000.0 {
            return write!(f, "more than 1000 years");
        }
        let digits = if number < 0.995 { 2 } else { usize::from(number < 9.95) };
        let number = format!("{number:.digits$}");
        let number = number.strip_suffix(".0").unwrap_or(&number);
        write!(f, "{number} {unit}{}", if number == "1" { "" } else { "s" })
    }
}

/// Writes 1000000 as 1,000,000.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A count and its noun. The caller gives the singular: 1 table, 2 tables, 1,024 families.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number<'a>(pub u64, pub &'a str);

impl fmt::Display for Number<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Number(number, thing) = self;
        write!(f, "{}", grouped(*number))?;
        match (number, thing.strip_suffix('y')) {
            (1, _) => write!(f, " {thing}"),
            (_, Some(family)) => write!(f, " {family}ies"),
            (_, None) => write!(f, " {thing}s"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::cases;

    #[test]
    fn times_are_shown_in_fitting_units() {
        for (_, [seconds, shown]) in cases(include_str!("words.txt"), "seconds") {
            assert_eq!(Seconds(seconds.parse().unwrap()).to_string(), shown);
        }
    }

    #[test]
    fn numbers_have_their_plurals() {
        for (number, shown) in [(0, "0 tables"), (1, "1 table"), (4_294_967, "4,294,967 tables")] {
            assert_eq!(Number(number, "table").to_string(), shown);
        }
        assert_eq!(Number(999, "family").to_string(), "999 families");
        assert_eq!((grouped(0), grouped(123_456_789)), ("0".to_owned(), "123,456,789".to_owned()));
    }
}
