//! Checks your own conjecture on all positions of up to five piles of up to N coins. With `cargo
//! run --release -p grundy --example conjecture -- 64` these are a billion positions.

use grundy::{Statement, games};

fn main() -> Result<(), grundy::Error> {
    let max_pile = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(16);

    // The ends of a P-position of End-Nim never differ by more than one coin. Are they always
    // equal?
    for most in [1, 0] {
        let statement = Statement::new(games::END_NIM, |at| {
            at.value != 0 || at.piles[0].abs_diff(at.piles[at.piles.len() - 1]) <= most
        });
        let verdict = statement.check(1..=5, max_pile)?;
        println!("differ by at most {most}: {verdict}; {:.3} seconds", verdict.seconds);
        assert_eq!(verdict.holds(), most == 1);
    }
    Ok(())
}

#[test]
fn it_runs() -> Result<(), grundy::Error> {
    main()
}
