//! The entry point of libFuzzer; the checks are in `grundy_fuzz::law`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| grundy_fuzz::law::run(data));
