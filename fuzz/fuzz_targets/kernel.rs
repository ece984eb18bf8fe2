//! The entry point of libFuzzer; the checks are in `grundy_fuzz::kernel`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| grundy_fuzz::kernel::run(data));
