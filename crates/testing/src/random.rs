//! Pseudo-random numbers, which are the same in every run.

/// The generator xorshift64*.
pub struct Random(pub u64);

impl Random {
    /// Returns the next number, below 2^32.
    pub fn number(&mut self) -> u64 {
        let mut state = self.0.wrapping_mul(2).wrapping_add(0x9E37_79B9_7F4A_7C15);
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        self.0 = state;
        state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32
    }
}
