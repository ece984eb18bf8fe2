//! Plain loops over the piles of a sum, for comparison with the kernel.

use grundy_kernels::{Compiled, Compiler, Isa};

/// Returns the values of piles of 0, ..., `last` coins. The moves are an octal code such as `0.006`
/// (`!=` after it: two piles differ), or `primes` (a prime number of coins is taken).
pub fn values(moves: &str, last: usize) -> Vec<u16> {
    if moves == "primes" {
        return take_a_prime(last);
    }
    let unequal = moves.ends_with("!=");
    let digits = moves.chars().filter_map(|c| c.to_digit(8)).map(|digit| digit as u8).collect();
    Compiler::new(Isa::best()).run(Octal { digits, unequal, last })
}

fn take_a_prime(last: usize) -> Vec<u16> {
    let is_prime = |n: &usize| (2..).take_while(|d| d * d <= *n).all(|d| !n.is_multiple_of(d));
    let primes: Vec<usize> = (2..=last).filter(is_prime).collect();
    let (mut values, mut seen) = (Vec::new(), [usize::MAX; 256]);
    for n in 0..=last {
        for prime in primes.iter().take_while(|&&prime| prime <= n) {
            seen[usize::from(values[n - prime])] = n;
        }
        values.push((0..).zip(seen).find(|it| it.1 != n).map_or(0, |it| it.0));
    }
    values
}

struct Octal {
    digits: Vec<u8>,
    unequal: bool,
    last: usize,
}

impl Compiled for Octal {
    type Out = Vec<u16>;

    /// Searches all pairs for each number, beginning with 0, in steps of 32 pairs. Each search
    /// ends at the first pair with this value.
    #[inline(always)]
    fn run(self) -> Vec<u16> {
        let last = self.last;
        let (mut values, mut reversed) = (vec![0u16; last + 1], vec![0u16; last + 1]);
        for n in 1..=last {
            let mut value = 0;
            'next: loop {
                for (taken, digit) in self.digits.iter().enumerate().take(n + 1) {
                    let left = n - taken;
                    let alone = digit >> u8::from(left > 0) & 1 == 1 && values[left] == value;
                    let half = left.saturating_sub(usize::from(self.unequal)) / 2;
                    let pairs = if digit >> 2 & 1 == 1 { half } else { 0 };
                    let (ones, others) = (&values[1..=pairs], &reversed[last - left + 1..]);
                    let (ones, rest) = ones.as_chunks::<32>();
                    let (others, other_rest) = others[..pairs].as_chunks::<32>();
                    let has = |(ones, others): (&[u16; 32], &[u16; 32])| {
                        (0..32).fold(false, |has, at| has | (ones[at] ^ others[at] == value))
                    };
                    let mut rest = rest.iter().zip(other_rest);
                    if alone
                        || ones.iter().zip(others).any(has)
                        || rest.any(|(one, other)| one ^ other == value)
                    {
                        value += 1;
                        continue 'next;
                    }
                }
                break;
            }
            (values[n], reversed[last - n]) = (value, value);
        }
        values
    }
}
