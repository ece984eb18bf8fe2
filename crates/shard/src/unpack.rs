//! Decompresses single frames with zstd.

use zstd::zstd_safe::{self, DCtx};

use crate::error::FrameFault;

/// A zstd context. It is created on first use, so that [`Decoder::new`](crate::Decoder::new) cannot
/// fail.
#[derive(Default)]
pub(crate) struct Unpacker(Option<DCtx<'static>>);

impl Unpacker {
    /// Decodes exactly one zstd frame of exactly `out.len()` bytes.
    pub(crate) fn unpack(&mut self, bytes: &[u8], out: &mut [u8]) -> Result<(), FrameFault> {
        check_frame(bytes, out.len())?;
        let context = match &mut self.0 {
            Some(context) => context,
            slot => slot.insert(DCtx::try_create().ok_or(FrameFault::Zstd("no memory"))?),
        };
        match context.decompress(out, bytes) {
            Ok(len) if len == out.len() => Ok(()),
            Ok(_) => Err(FrameFault::Length),
            Err(code) => Err(FrameFault::Zstd(zstd_safe::get_error_name(code))),
        }
    }
}

const FRAME_MAGIC: [u8; 4] = 0xFD2F_B528_u32.to_le_bytes();
/// A bit of the byte after the magic number. It is set if the frame ends with a checksum.
const CHECKSUM_FLAG: u8 = 0x04;

/// The bits of the byte after the magic number that must not be set. No other check would detect a
/// change of these bits.
const UNUSED_BITS: u8 = 0x18;

/// Checks a frame without decoding it. zstd alone would also accept several frames, skippable
/// frames, or a frame without a checksum.
fn check_frame(bytes: &[u8], len: usize) -> Result<(), FrameFault> {
    let descriptor = match bytes.strip_prefix(&FRAME_MAGIC) {
        Some([descriptor, ..]) => descriptor,
        _ => return Err(FrameFault::NotOneFrame),
    };
    if descriptor & UNUSED_BITS != 0 {
        return Err(FrameFault::NotOneFrame);
    }
    if descriptor & CHECKSUM_FLAG == 0 {
        return Err(FrameFault::NoChecksum);
    }
    if zstd_safe::find_frame_compressed_size(bytes) != Ok(bytes.len()) {
        return Err(FrameFault::NotOneFrame);
    }
    match zstd_safe::get_frame_content_size(bytes) {
        Ok(Some(found)) if found == len as u64 => Ok(()),
        _ => Err(FrameFault::Length),
    }
}
