//! libFuzzer's way in; what is checked stands in `grundy_fuzz::question`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| grundy_fuzz::question::run(data));
