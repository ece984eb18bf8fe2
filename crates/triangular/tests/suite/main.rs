//! Compares the search and its certificates with values computed by the rules.

mod certificate;
mod values;
