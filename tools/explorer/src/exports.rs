//! What a page calls: five functions of numbers, and no memory that both write at once.
//!
//! ```text
//! page: at = input(bytes)            room for a question
//! page: writes it there, UTF-8
//! page: ask()                        answers it
//! page: text(), text_bytes()         the answer, JSON
//!       numbers(), numbers_count()   and numbers with it, four bytes each
//! ```
//!
//! What `input`, `text` and `numbers` point to stays until the next call. The page gives two functions:
//! a clock, and who hears of progress.
#![allow(unsafe_code, reason = "names that are exported, and functions of the page")]

use std::cell::RefCell;

use crate::session::{Reply, Session};

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Seconds since some moment.
    // SAFETY: takes and returns numbers.
    safe fn now() -> f64;
    /// Hears how far a computation is: values done, values to do.
    // SAFETY: takes numbers, and keeps nothing.
    safe fn progress(done: f64, total: f64);
}

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static REPLY: RefCell<Reply> = RefCell::default();
    static SESSION: Session = Session::new(|| now(), |done, total| progress(done, total));
}

/// Room for a question of so many bytes.
// SAFETY (the name): no other function of this name is linked.
#[unsafe(no_mangle)]
extern "C" fn input(bytes: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(bytes.min(crate::limits::MOST_BYTES + 1), 0);
        input.as_mut_ptr()
    })
}

/// Answers it.
// SAFETY (the name): as above.
#[unsafe(no_mangle)]
extern "C" fn ask() {
    let reply = INPUT.with_borrow(|input| SESSION.with(|session| session.ask(input)));
    REPLY.set(reply);
}

/// Where the answer begins.
// SAFETY (the name): as above.
#[unsafe(no_mangle)]
extern "C" fn text() -> *const u8 {
    REPLY.with_borrow(|reply| reply.text.as_ptr())
}

/// Its bytes.
// SAFETY (the name): as above.
#[unsafe(no_mangle)]
extern "C" fn text_bytes() -> usize {
    REPLY.with_borrow(|reply| reply.text.len())
}

/// Where the numbers begin.
// SAFETY (the name): as above.
#[unsafe(no_mangle)]
extern "C" fn numbers() -> *const u32 {
    REPLY.with_borrow(|reply| reply.numbers.as_ptr())
}

/// How many they are.
// SAFETY (the name): as above.
#[unsafe(no_mangle)]
extern "C" fn numbers_count() -> usize {
    REPLY.with_borrow(|reply| reply.numbers.len())
}
