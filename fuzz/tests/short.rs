//! Runs every target on fixed inputs: its seeds, changed seeds, and random bytes.
//!
//! These tests need no special tools. Only libFuzzer searches for inputs that reach new code.

use grundy_fuzz::TARGETS;

/// The random number generator of Knuth's MMIX. Its high bits are random enough to choose inputs.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.next() as u8).collect()
    }

    /// Returns a copy of `seed` with a few changed bytes. The copy may be shorter.
    fn changed(&mut self, seed: &[u8]) -> Vec<u8> {
        let mut input = seed.to_vec();
        for _ in 0..self.below(4) + 1 {
            if !input.is_empty() {
                let at = self.below(input.len());
                input[at] = self.next() as u8;
            }
        }
        if self.below(4) == 0 {
            input.truncate(self.below(input.len() + 1));
        }
        input
    }
}

fn short(name: &str, inputs: usize) {
    let target =
        TARGETS.into_iter().find(|target| target.name == name).expect("the name of a target");
    let seeds = (target.seeds)();
    assert!(!seeds.is_empty());
    for seed in &seeds {
        (target.run)(seed);
    }
    let mut random = Random(inputs as u64);
    for number in 0..inputs {
        let input = if number % 2 == 0 {
            random.changed(&seeds[number / 2 % seeds.len()])
        } else {
            let length = [8, 60, 600][number / 2 % 3];
            let length = random.below(length);
            random.bytes(length)
        };
        (target.run)(&input);
    }
}

/// Defines a test for each target, with its number of random inputs.
macro_rules! tests {
    ($($name:ident $inputs:literal,)*) => {$(
        #[test]
        fn $name() {
            short(stringify!($name), $inputs);
        }
    )*};
}

tests! { shard 30_000, position 60_000, table 12_000, certificate 20_000, question 20_000, law 2_000, }
