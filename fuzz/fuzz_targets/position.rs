//! The entry point of libFuzzer; the checks are in `grundy_fuzz::position`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| grundy_fuzz::position::run(data));
