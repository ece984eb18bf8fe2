//! The functions that the page calls. They pass only numbers, and never share memory for writing.
//!
//! ```text
//! page: at = input(bytes)            returns the place for a question
//! page: writes it there, UTF-8
//! page: ask()                        answers it
//! page: text(), text_bytes()         the answer, JSON
//!       numbers(), numbers_count()   and its numbers, four bytes each
//! ```
//!
//! The pointers of `input`, `text` and `numbers` are valid until the next call. The page imports
//! two functions into the module: a clock, and a callback for progress.
#![allow(unsafe_code, reason = "names that are exported, and functions of the page")]

use std::cell::RefCell;

use crate::session::{Reply, Session};

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Returns the seconds since a fixed moment.
    // SAFETY: the function takes nothing and returns a number.
    safe fn now() -> f64;
    /// Reports how many values of a computation are done, and how many values it has in all.
    // SAFETY: the function takes two numbers, and keeps nothing.
    safe fn progress(done: f64, total: f64);
}

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static REPLY: RefCell<Reply> = RefCell::default();
    static SESSION: Session = Session::new(|| now(), |done, total| progress(done, total));
}

/// Returns the address of a buffer for a question with this many bytes.
// SAFETY: no other function with this exported name is linked.
#[unsafe(no_mangle)]
extern "C" fn input(bytes: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(bytes.min(crate::limits::MOST_BYTES + 1), 0);
        input.as_mut_ptr()
    })
}

/// Answers the question in the buffer.
// SAFETY: no other function with this exported name is linked.
#[unsafe(no_mangle)]
extern "C" fn ask() {
    let reply = INPUT.with_borrow(|input| SESSION.with(|session| session.ask(input)));
    REPLY.set(reply);
}

/// Returns the address of the answer's text.
// SAFETY: no other function with this exported name is linked.
#[unsafe(no_mangle)]
extern "C" fn text() -> *const u8 {
    REPLY.with_borrow(|reply| reply.text.as_ptr())
}

/// Returns the length of the answer's text in bytes.
// SAFETY: no other function with this exported name is linked.
#[unsafe(no_mangle)]
extern "C" fn text_bytes() -> usize {
    REPLY.with_borrow(|reply| reply.text.len())
}

/// Returns the address of the answer's numbers.
// SAFETY: no other function with this exported name is linked.
#[unsafe(no_mangle)]
extern "C" fn numbers() -> *const u32 {
    REPLY.with_borrow(|reply| reply.numbers.as_ptr())
}

/// Returns how many numbers the answer has.
// SAFETY: no other function with this exported name is linked.
#[unsafe(no_mangle)]
extern "C" fn numbers_count() -> usize {
    REPLY.with_borrow(|reply| reply.numbers.len())
}
