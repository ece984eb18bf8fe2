//! stub
use super::Block;
/// stub
pub fn pack(_blocks: &[Block], _first: u64, _out: &mut [u8]) {}
/// stub
pub fn packed_value(_packed: &[u8], _at: usize) -> u8 { 0 }
