//! Look-ups of positions. With tables in `db/`, or in the folder that you name:
//!
//! ```sh
//! cargo run --release -p grundy --example lookup -- db
//! ```
//!
//! It also works without tables: missing values are computed.

use grundy::{Database, games, is_winning};

fn main() -> Result<(), grundy::Error> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "db".to_owned());
    let database = Database::open(&folder)?;
    println!("{folder} has {} tables", database.tables().len());

    // One position: piles, or a text if the game remembers more than piles.
    let answer = database.answer(games::END_NIM, [5, 4, 5, 6, 7])?;
    println!("5,4,5,6,7 in End-Nim: value {answer}, {}, {}", answer.outcome, answer.source);
    assert_eq!(answer.value, Some(9));
    assert_eq!(database.value(games::SHORT_GLOBAL_NIM, "20,20/3")?, 2);
    assert_eq!(database.value(games::LONG_GLOBAL_NIM, "8{1,3,4}")?, 1);

    // The moves, and the winning ones.
    let found = database.moves(games::END_NIM, [2, 3, 4])?;
    for (made, answer) in &found.moves {
        let wins = if is_winning(made.player, answer.outcome) { "wins" } else { "" };
        println!("{:>5} {} to {}  value {answer:2}  {wins}", made.pick.name(), made.from, made.to);
    }

    // A row b -> G(5 4 b), and all a·4·b as a square.
    let row = database.row(games::END_NIM, &[5, 4], 12)?;
    println!("{}", row.iter().flatten().map(ToString::to_string).collect::<Vec<_>>().join(" "));
    let tile = database.tile(games::END_NIM, &[4], 12)?;
    for line in tile.rows() {
        println!("{}", line.iter().flatten().map(|value| format!("{value:3}")).collect::<String>());
    }
    assert!(
        row.iter()
            .flatten()
            .map(|answer| answer.value)
            .eq((1..=12).map(|b| Some(tile.value(5, b))))
    );
    Ok(())
}

#[test]
fn it_runs() -> Result<(), grundy::Error> {
    main()
}
