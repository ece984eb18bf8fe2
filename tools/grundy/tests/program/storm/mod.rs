//! Storms: whatever a user, a machine or a disk may do to the program, tried in bulk.
//!
//! [`hostile`] types hundreds of commands that cannot be meant. [`kills`] kills builds at random
//! moments while others read. [`corruption`] flips every bit of every kind of file. Each is short
//! here; `make crash-storm` and `make corruption-storm` run the long ones, which are ignored.
#![cfg(target_os = "linux")]

mod corruption;
mod hostile;
mod kills;
mod sandbox;
