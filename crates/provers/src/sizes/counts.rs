//! The numbers of positions of a value class, as quasi-polynomials.
//!
//! Take a type with d gaps that are at least the cap C. For piles up to n it contains as many
//! positions as there are ways to divide the steps of the modulus m that fit between its least
//! member and n among the d gaps and the rest: a binomial coefficient. So a union of types has, for
//! each remainder of n modulo m, a polynomial in n from some n on.

use super::order::gcd;
use super::search::{Found, Table, gaps};

/// The numbers of positions with piles up to n.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// The least n from which the polynomials hold.
    pub from: i128,
    /// A polynomial for each remainder of n modulo their number.
    pub polynomials: Vec<Polynomial>,
}

/// A polynomial with rational coefficients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Polynomial {
    /// The numerators of the coefficients, the constant first.
    pub numerators: Vec<i128>,
    /// The denominator of all coefficients.
    pub denominator: i128,
}

impl Counts {
    /// Counts the positions with this value in a table whose classes are unions of types. `None`
    /// stands for numbers that do not fit.
    pub fn of(table: &Table, found: Found, value: u8) -> Option<Counts> {
        let m = found.modulus;
        let members = (0..table.values.len()).filter(|&place| table.values[place] == value);
        let gaps =
            members.map(|place| gaps(&table.piles(place))).filter(|gaps| found.is_least(gaps));
        let least: Vec<(i128, u32)> = gaps
            .map(|gaps| {
                let open = gaps.iter().filter(|&&gap| i128::from(gap) >= found.cap).count();
                (gaps.iter().sum::<i64>().into(), open as u32)
            })
            .collect();
        let count = |n: i128| -> Option<i128> {
            let within = least.iter().filter(|(largest, _)| *largest <= n);
            within
                .map(|&(largest, open)| binomial((n - largest) / m + i128::from(open), open))
                .sum()
        };
        let k = table.length as i128;
        let first = least.iter().map(|(largest, _)| *largest).max().unwrap_or(0);
        let of = |rest: i128| {
            let start = first + (rest - first).rem_euclid(m);
            let numbers =
                (0..=k).map(|step| count(start + step * m)).collect::<Option<Vec<_>>>()?;
            Polynomial::through(start, m, numbers)
        };
        let all = (0..m).map(of).collect::<Option<Vec<_>>>()?;
        // A shorter period suffices if its polynomials are the same.
        let repeats = |by: &usize| all.iter().zip(&all[*by..]).all(|(one, next)| one == next);
        let period = (1..=all.len()).find(|by| all.len() % by == 0 && repeats(by))?;
        let polynomials = all[..period].to_vec();
        let is_same = |n: &i128| {
            let polynomial = &polynomials[(n % period as i128) as usize];
            count(*n).is_some_and(|number| polynomial.at(*n) == Some(number))
        };
        let from = (0..first).rev().take_while(is_same).last().unwrap_or(first);
        Some(Counts { from, polynomials })
    }
}

impl Polynomial {
    /// Returns the polynomial with these values at `start`, `start + step`, ...
    fn through(start: i128, step: i128, mut values: Vec<i128>) -> Option<Polynomial> {
        let degree = values.len() - 1;
        // The j-th forward difference belongs to the product of the first j factors over j! step^j.
        let mut denominators = vec![1_i128];
        for j in 1..=degree as i128 {
            denominators.push(denominators.last()?.checked_mul(j)?.checked_mul(step)?);
        }
        let denominator = *denominators.last()?;
        let mut numerators = vec![0_i128; degree + 1];
        let mut product = vec![1_i128];
        for (j, own) in denominators.iter().enumerate() {
            let difference = values[0].checked_mul(denominator / own)?;
            for (sum, factor) in numerators.iter_mut().zip(&product) {
                *sum = sum.checked_add(factor.checked_mul(difference)?)?;
            }
            values = values.windows(2).map(|pair| pair[1] - pair[0]).collect();
            // Multiply the product by n - (start + j step).
            let root = start + j as i128 * step;
            let mut next = vec![0_i128; product.len() + 1];
            for (at, factor) in product.iter().enumerate() {
                next[at] = next[at].checked_sub(factor.checked_mul(root)?)?;
                next[at + 1] += factor;
            }
            product = next;
        }
        let shared = numerators.iter().fold(denominator, |shared, &number| gcd(shared, number));
        numerators.iter_mut().for_each(|number| *number /= shared);
        while numerators.len() > 1 && numerators.last() == Some(&0) {
            numerators.pop();
        }
        Some(Polynomial { numerators, denominator: denominator / shared })
    }

    /// Returns the value at n; `None` if it is no whole number, or too large.
    pub fn at(&self, n: i128) -> Option<i128> {
        let sum = self
            .numerators
            .iter()
            .rev()
            .try_fold(0_i128, |sum, number| sum.checked_mul(n)?.checked_add(*number))?;
        (sum % self.denominator == 0).then_some(sum / self.denominator)
    }
}

/// Writes the polynomial as an expression in n, such as `(3*n**2 + 2*n)/4`.
impl std::fmt::Display for Polynomial {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = String::new();
        for (power, &number) in self.numerators.iter().enumerate().rev() {
            if number == 0 {
                continue;
            }
            text += match (text.is_empty(), number < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            let (size, of) = (number.abs(), ["", "n"][power.min(1)]);
            text += &match (size, power) {
                (size, 0) => size.to_string(),
                (1, _) => of.to_owned(),
                (size, _) => format!("{size}*{of}"),
            };
            if power > 1 {
                text += &format!("**{power}");
            }
        }
        match (text.is_empty(), self.denominator) {
            (true, _) => out.write_str("0"),
            (false, 1) => out.write_str(&text),
            (false, by) => write!(out, "({text})/{by}"),
        }
    }
}

fn binomial(above: i128, below: u32) -> Option<i128> {
    (1..=i128::from(below))
        .try_fold(1_i128, |product, j| Some(product.checked_mul(above - j + 1)? / j))
}
