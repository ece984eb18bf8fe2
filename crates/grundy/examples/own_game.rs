//! A game of your own: write its rules in a few lines, and everything works with it.
//!
//! Piles stand in a row; take one or two coins from the leftmost or the rightmost pile.

use grundy::{
    Block, Database, Game, Move, Order, Position, Rules, Statement, from_either_end, sweep,
};

#[derive(Debug)]
struct OneOrTwoFromTheEnds;

impl Rules for OneOrTwoFromTheEnds {
    fn id(&self) -> &'static str {
        "one-or-two-from-the-ends"
    }

    fn title(&self) -> &'static str {
        "one or two from the ends"
    }

    fn paper(&self) -> &'static str {
        "an example"
    }

    fn order(&self) -> Order {
        Order::Row
    }

    fn moves(&self, position: &Position) -> Vec<Move> {
        from_either_end(position.piles(), |pile| 0..pile)
            .into_iter()
            .filter(|made| made.from - made.to <= 2)
            .collect()
    }
}

fn main() -> Result<(), grundy::Error> {
    let game = Game::new(&OneOrTwoFromTheEnds);

    // Single positions, and their moves.
    let database = Database::empty();
    println!("4,1,5 has value {}", database.value(game, [4, 1, 5])?);
    for (made, answer) in database.moves(game, [4, 1, 5])?.moves {
        println!("  {:>5} {} to {}: {answer}", made.pick.name(), made.from, made.to);
    }

    // The number of positions for each value, for four piles of up to ten.
    let ask = |block: &Block<'_>| (block.counts(), block.positions());
    let (counts, positions) = sweep(game, 4, 10, ask)?;
    println!("four piles of up to ten, by value: {counts:?}");
    assert_eq!((counts.iter().sum(), positions), (10_000, 10_000));

    // If all piles are multiples of three, the player to move loses: the opponent can restore that.
    let threes = |piles: &[u32]| piles.iter().all(|pile| pile % 3 == 0);
    let verdict = Statement::new(game, |at| !threes(at.piles) || at.value == 0).check(1..=4, 10)?;
    println!("multiples of three are lost: {verdict}");
    assert!(verdict.holds());

    // Are there no other P-positions?
    let verdict = Statement::new(game, |at| threes(at.piles) || at.value != 0).check(1..=4, 10)?;
    println!("nothing else is lost: {verdict}");
    assert!(!verdict.holds());
    Ok(())
}

#[test]
fn it_runs() -> Result<(), grundy::Error> {
    main()
}
