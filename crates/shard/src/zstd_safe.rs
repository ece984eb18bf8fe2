//! A substitute for zstd in the browser, which has no files. It defines the same names as the crate
//! `zstd_safe`, but every call fails.

use std::convert::Infallible;
use std::marker::PhantomData;

const NONE: usize = usize::MAX;

pub(crate) struct DCtx<'a>(Infallible, PhantomData<&'a ()>);

impl DCtx<'_> {
    pub(crate) fn try_create() -> Option<DCtx<'static>> {
        None
    }

    pub(crate) fn decompress(&mut self, _: &mut [u8], _: &[u8]) -> Result<usize, usize> {
        match self.0 {}
    }
}

pub(crate) struct CCtx<'a>(Infallible, PhantomData<&'a ()>);

pub(crate) enum CParameter {
    CompressionLevel(#[expect(dead_code, reason = "nobody compresses")] i32),
    ContentSizeFlag(#[expect(dead_code, reason = "nobody compresses")] bool),
    ChecksumFlag(#[expect(dead_code, reason = "nobody compresses")] bool),
    DictIdFlag(#[expect(dead_code, reason = "nobody compresses")] bool),
}

impl CCtx<'_> {
    pub(crate) fn try_create() -> Option<CCtx<'static>> {
        None
    }

    pub(crate) fn set_parameter(&mut self, _: CParameter) -> Result<usize, usize> {
        match self.0 {}
    }

    pub(crate) fn compress2(&mut self, _: &mut Vec<u8>, _: &[u8]) -> Result<usize, usize> {
        match self.0 {}
    }
}

pub(crate) fn compress_bound(bytes: usize) -> usize {
    bytes
}

pub(crate) fn get_error_name(_: usize) -> &'static str {
    "not available in a browser"
}

pub(crate) fn find_frame_compressed_size(_: &[u8]) -> Result<usize, usize> {
    Err(NONE)
}

pub(crate) fn get_frame_content_size(_: &[u8]) -> Result<Option<u64>, usize> {
    Err(NONE)
}
