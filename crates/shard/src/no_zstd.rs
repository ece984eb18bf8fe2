//! A substitute for `unpack` in the browser, which has no files and no zstd.

use crate::error::FrameFault;

#[derive(Default)]
pub(crate) struct Unpacker;

impl Unpacker {
    pub(crate) fn unpack(&mut self, _: &[u8], _: &mut [u8]) -> Result<(), FrameFault> {
        Err(FrameFault::Zstd("not available in a browser"))
    }
}
