//! The notation of positions.
//!
//! - If a text is parsed as a position, its piles are the runs of digits in the text.
//! - Parsing a printed position gives the same position, and printing that gives the same text.
//! - All games with rows accept the same texts, except for the empty position. Games with multisets
//!   also accept piles of 0.
//! - Every allowed separator between piles is accepted.
//! - The canonical form of a position is the smaller of the position and its reversal. The reversal
//!   and the canonical form itself have the same canonical form.
//! - A text is parsed as a game only if it is the name of the game.

use std::collections::BTreeSet;

use arbitrary::Unstructured;
use grundy_rules::{Game, Memory, MoveSet, Order, Pile, Position, Remembers};

/// Panics if one of the properties above fails. The bytes are used as a text, and as the choices
/// that generate a position.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for game in Game::all() {
        match game.parse(&text) {
            Ok(position) => {
                // Remove the last move or the set of moves, because their numbers are not piles.
                let piles = text.split(['/', '{']).next().unwrap_or_default();
                let piles = arranged(game, runs_of_digits(piles));
                assert_eq!(position.piles(), piles, "{game} {text:?}");
                if let (Memory::Available(set), Some((_, moves))) =
                    (position.memory(), text.split_once('{'))
                {
                    same_set(set, moves, position.max_pile());
                }
                check(game, &position);
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    let reads = |game: &Game| game.parse(&text).is_ok();
    let rows: Vec<bool> = Game::all().filter(|g| !g.is_unordered()).map(|g| reads(&g)).collect();
    let within = |open, end| text.trim().strip_prefix(open)?.strip_suffix(end);
    let inside = within('(', ')').or_else(|| within('[', ']'));
    let is_empty = inside.is_some_and(|inside| inside.trim().is_empty());
    assert!(is_empty || rows.iter().all(|&ok| ok == rows[0]), "{text:?}: {rows:?}");
    assert!(!rows[0] || Game::all().all(|g| is_empty || reads(&g)), "{text:?}");
    name(&text);
    if let Ok((piles, text)) = written(&mut Unstructured::new(data)) {
        for game in Game::all() {
            let position =
                game.parse(&text).unwrap_or_else(|error| panic!("{game} {text:?}: {error}"));
            assert_eq!(position.piles(), arranged(game, piles.clone()), "{game} {text:?}");
            check(game, &position);
        }
    }
}

/// Compares a set of moves with the text between its braces, for small piles.
fn same_set(set: &MoveSet, moves: &str, largest: Pile) {
    if largest > 10_000 {
        return;
    }
    let mut named = BTreeSet::new();
    // Spaces may surround each number, even in a range.
    for part in moves.split([',', '}']) {
        match runs_of_digits(part)[..] {
            [] => {}
            [only] => named.extend([only]),
            [first, last] => named.extend(first..=last.min(largest)),
            _ => panic!("{moves:?} was read"),
        }
    }
    let within: Vec<Pile> = named.into_iter().filter(|&s| s <= largest).collect();
    assert_eq!(set.iter().collect::<Vec<_>>(), within, "{moves:?}");
    assert!((0..=largest + 1).all(|s| set.contains(s) == within.contains(&s)), "{moves:?}");
}

fn arranged(game: Game, mut piles: Vec<Pile>) -> Vec<Pile> {
    if game.is_unordered() {
        piles.retain(|&pile| pile > 0);
        piles.sort_unstable();
    }
    piles
}

/// Returns valid and invalid texts. One text is empty.
pub fn seeds() -> Vec<Vec<u8>> {
    include_str!("position.txt").lines().map(|text| text.as_bytes().to_vec()).collect()
}

/// Returns the runs of digits in a text, as numbers.
fn runs_of_digits(text: &str) -> Vec<Pile> {
    text.split(|c: char| !c.is_ascii_digit())
        .filter(|digits| !digits.is_empty())
        .map(|digits| {
            digits.bytes().fold(0, |number: Pile, digit| {
                number
                    .checked_mul(10)
                    .and_then(|tens| tens.checked_add(Pile::from(digit - b'0')))
                    .expect("a parsed pile fits the type")
            })
        })
        .collect()
}

fn check(game: Game, position: &Position) {
    let printed = position.to_string();
    let back = game.parse(&printed).expect("a printed position can be parsed");
    assert_eq!(&back, position, "{game} {printed}");
    assert_eq!(back.to_string(), printed, "{game}");
    assert!(position.piles().iter().all(|&pile| pile >= 1), "{printed}");
    let piles = position.piles().to_vec();
    let again = match (game.order(), game.remembers()) {
        (_, Remembers::Numbers) => Position::after(piles, position.last_move()),
        (_, Remembers::Moves) => {
            let Memory::Available(set) = position.memory() else { panic!("{printed}") };
            Position::with_available(piles, set)
        }
        (Order::Any, Remembers::Nothing) => Position::multiset(piles),
        (Order::Places, Remembers::Nothing) => Position::written(&piles, &Memory::Nothing),
        (Order::Row, Remembers::Nothing) => Position::new(piles).expect("no pile is empty"),
    };
    assert_eq!(&again, position);

    let (reversed, canonical) = (position.reversed(), position.canonical());
    assert_eq!(&reversed.reversed(), position);
    assert!(canonical == *position || canonical == reversed, "{printed}");
    assert!(canonical <= *position && canonical <= reversed, "{printed}");
    assert_eq!(canonical.canonical(), canonical, "{printed}");
    assert_eq!(reversed.canonical(), canonical, "{printed}");
}

/// Checks that a text that is parsed as a game is the game's name, up to case, accents and
/// separators.
fn name(text: &str) {
    match text.parse::<Game>() {
        Ok(game) => {
            // The id of a ruleset is its name with a digest of the rules at the end.
            let ids =
                [Some(game.id()), game.rule_file().and(game.id().rsplit_once('-')).map(|id| id.0)];
            assert!(ids.iter().flatten().any(|id| letters(text) == letters(id)), "{text:?}");
            assert_eq!(game.to_string().parse(), Ok(game));
        }
        Err(error) => {
            assert!(Game::all().all(|game| game.id() != text), "{text:?}");
            assert!(error.nearest.is_none_or(|near| error.to_string().contains(near)), "{text:?}");
        }
    }
}

fn letters(name: &str) -> String {
    name.to_lowercase().replace('è', "e").chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Returns random piles, and a text for them that the notation allows.
fn written(input: &mut Unstructured<'_>) -> arbitrary::Result<(Vec<Pile>, String)> {
    const SEPARATORS: [&str; 6] = [",", " ", ", ", " ,", "   ", "\t,\t"];
    let mut piles = Vec::new();
    let mut text = " ".repeat(input.int_in_range(0..=2)?);
    for at in 0..input.int_in_range(1..=20)? {
        if at > 0 {
            text += SEPARATORS[input.choose_index(SEPARATORS.len())?];
        }
        let largest = *input.choose(&[1, 9, 64, 10_000, 1_000_000_000])?;
        let pile: Pile = input.int_in_range(1..=largest)?;
        text += &"0".repeat(input.int_in_range(0..=2)?);
        text += &pile.to_string();
        piles.push(pile);
    }
    Ok((piles, text))
}
