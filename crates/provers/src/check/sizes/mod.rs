//! Checks a theorem about piles of all sizes: reads the rules and the statement, fills the box from
//! the rules, compares the values of all positions of one type, and evaluates the statement at
//! every position.
//!
//! The prover ([`crate::sizes`]) reads rules and statements in another way, once for each order of
//! the piles; both share the parser, the arithmetic of constants and the moves of a position. This
//! checker evaluates rules and statements at all positions of a box, and looks whether the results
//! are the same at all positions of a type:
//!
//! ```text
//! tracked   evaluates an expression, and keeps the linear form of each number
//! numbers   calculates with such numbers
//! reading   the cap, the modulus and the forms of the moves of the rules
//! tables    the values of the box
//! ```

mod numbers;
mod reading;
mod tables;
mod tracked;

use grundy_language::parser::parse;
use grundy_language::resolve::resolve;
use grundy_language::{Expr, Setting};
use grundy_rules::law::{Kind, Law};
use grundy_rules::{Game, Pile, Remembers, rulesets};
use serde::Deserialize;
use serde_json::Value;

use super::{CheckError, Checked, named_game, read};
use reading::Reading;
use tables::Tables;
use tracked::{Tracker, Why, gcd};

const MEMBERS: &str =
    "box cap convention digest format game length modulus rules statement values version";

#[derive(Deserialize)]
struct Text {
    game: String,
    length: usize,
    values: u32,
    statement: Option<String>,
    cap: i64,
    modulus: i64,
    #[serde(rename = "box")]
    most: Pile,
    digest: String,
}

pub(super) fn check(certificate: &Value) -> Result<Checked, CheckError> {
    let text: Text = read(certificate, MEMBERS)?;
    let game = named_game(certificate)?;
    let field = |field| Err(CheckError::Field { field });
    let Text { length, most, values: largest, cap, modulus, .. } = text;
    let numbers = 1..=1 << 16;
    if !(1..=8).contains(&length) || !numbers.contains(&cap) || !numbers.contains(&modulus) {
        return field("length");
    }
    let kind = match game.is_impartial() {
        true => format!("the positions of value v, for each v up to {largest},"),
        false => "the positions of each outcome class".to_owned(),
    };
    if largest > 250 || !game.is_impartial() && largest != 3 {
        return field("values");
    }
    let (law, lengths) = law_of(game, length).ok_or(CheckError::Field { field: "game" })?;
    let misere = game.terminal_value() == 1;
    let reading = Reading::of(law, &lengths, misere).map_err(CheckError::Rules)?;
    if cap < reading.cap || modulus % reading.modulus != 0 {
        return field("cap");
    }
    if reading.box_of(length, cap, modulus) > most.into() {
        return field("box");
    }
    let statement = match &text.statement {
        None => None,
        Some(statement) => {
            let setting = Setting {
                impartial: game.is_impartial(),
                symmetric: false,
                ..Setting::of_rows(game.id())
            };
            let problem = |_| CheckError::Field { field: "statement" };
            Some(resolve(&parse(statement).map_err(problem)?, setting).map_err(problem)?)
        }
    };
    let (tables, way) = Tables::filled(game, law, &lengths, (largest, cap, modulus), most)?;
    for &length in &lengths {
        tables.are_of_types(length)?;
    }
    let (digest, positions) = tables.digest();
    if digest != text.digest {
        return field("digest");
    }
    if let Some(expr) = &statement {
        holds(expr, &tables, length, &reading, most)?;
    }
    let piles = if length == 1 { "1 pile".to_owned() } else { format!("{length} piles") };
    let what = match &text.statement {
        Some(statement) => format!("`{statement}` holds for {game} with {piles} of all sizes"),
        None => format!(
            "for {game} with up to {piles} of all sizes, {kind} are unions of types of cap {cap} and \
             modulus {modulus}"
        ),
    };
    Ok(Checked {
        statement: format!("{what} (all {positions} positions with piles up to {most} {way})"),
        game: text.game,
    })
}

/// Returns the rules of a game whose values follow by mex, and the numbers of piles up to a length.
fn law_of(game: Game, length: usize) -> Option<(&'static Law, Vec<usize>)> {
    let named = game.misere_of().unwrap_or(game);
    let law = match named.rules().law() {
        Some(law) => law,
        None => rulesets::game(named.id())?.rules().law()?,
    };
    let is_fit = game.remembers() == Remembers::Nothing
        && game.remoteness_of().is_none()
        && game.outcomes_of().is_none()
        && law.kind != Kind::Sum
        && law.blocks == 0
        && law.only_takes()
        && law.lengths.contains(&length);
    let lengths = match law.kind {
        Kind::Places => vec![length],
        _ => (*law.lengths.start()..=length).collect(),
    };
    is_fit.then_some((law, lengths))
}

/// Evaluates a statement at every position of the box. The cap and the modulus grow from those of
/// the values until types decide the statement.
fn holds(
    expr: &Expr,
    tables: &Tables,
    length: usize,
    reading: &Reading,
    most: Pile,
) -> Result<(), CheckError> {
    let (mut cap, mut modulus) = (tables.cap, tables.modulus);
    let k = length as i64;
    'again: loop {
        if k * (cap + modulus - 1) > most.into() {
            return Err(CheckError::Field { field: "box" });
        }
        let mut quantified = (0, 0);
        for (piles, _) in tables.positions(length) {
            let numbers: Vec<i64> = piles.iter().map(|&pile| pile.into()).collect();
            let mut tracker = Tracker::new(tables, &numbers, cap, modulus);
            (tracker.cap_of_cells, tracker.chosen) = (tables.cap, reading.chosen());
            tracker.shift = reading.shift();
            match tracker.truth(expr) {
                Ok(true) => {}
                Ok(false) => {
                    return Err(CheckError::Fails(tables.game.position(&piles).to_string()));
                }
                Err(Why::Cap) => {
                    cap += 1;
                    continue 'again;
                }
                Err(Why::Modulus(by)) => {
                    modulus = modulus / gcd(modulus, by) * by;
                    continue 'again;
                }
                Err(Why::Never(why)) => return Err(CheckError::Undecided(why)),
            }
            let (universal, existential) = tracker.quantified;
            quantified = (universal.max(quantified.0), existential.max(quantified.1));
        }
        let needed = match (quantified.0 as i64, quantified.1 as i64) {
            // All numbers of a counterexample are in the box, so each type was met.
            (q, 0) => (k + q) * (cap + modulus - 1),
            // The box must also have a member of each type of the piles and the numbers.
            (0, q) => (k * ((q + 1) * (cap - 1) + modulus)).max((k + q) * (cap + modulus - 1)),
            (q, p) => {
                let large = (0..q + p).fold(cap, |cap, _| (2 * cap + modulus - 1).min(1 << 40));
                (k * (large + modulus - 1)).max((k + q + p) * (cap + modulus - 1))
            }
        };
        return match needed <= most.into() {
            true => Ok(()),
            false => Err(CheckError::Field { field: "box" }),
        };
    }
}
