//! libFuzzer's way in; what is checked stands in `grundy_fuzz::position`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| grundy_fuzz::position::run(data));
