//! Checks a theorem about piles of all sizes: fills the box from the rules, compares the values of
//! all positions of one type, and evaluates the statement at every position.
//!
//! The class of the moves and the cap of a statement are read from their texts by the code that the
//! prover uses ([`crate::sizes`]). All numbers, values and types are computed here.

use std::collections::HashMap;

use grundy_language::ast::{Builtin, Property};
use grundy_language::parser::parse;
use grundy_language::resolve::resolve;
use grundy_language::{Cause, Context, Evaluator, Fault, Setting, Span, Val};
use grundy_rules::{Game, Order, Outcome, Pile, Player};
use serde::Deserialize;
use serde_json::Value;

use super::{CheckError, Checked, named_game, read};
use crate::sizes::{Decided, Moves};

const MEMBERS: &str =
    "box cap convention digest format game length modulus rules statement values version";

/// The largest number of positions of a box times its largest pile.
const MOST_STEPS: u64 = 1 << 27;

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
    let Text { length, most, values: largest, .. } = text;
    let [cap, modulus] = [text.cap, text.modulus].map(i128::from);
    if !(1..=8).contains(&length)
        || !(1..=1 << 16).contains(&cap)
        || !(1..=1 << 16).contains(&modulus)
    {
        return field("length");
    }
    let moves = Moves::of(game, length)?;
    let kind = match game.is_impartial() {
        true => format!("the positions of value v, for each v up to {largest},"),
        false => "the positions of each outcome class".to_owned(),
    };
    if largest > 250 || !game.is_impartial() && largest != 3 {
        return field("values");
    }
    if cap < moves.cap || modulus % moves.modulus != 0 {
        return field("cap");
    }
    let mut needed = moves.box_of(cap, modulus);
    let statement = match &text.statement {
        None => None,
        Some(statement) => {
            let setting = Setting {
                impartial: game.is_impartial(),
                symmetric: false,
                ..Setting::of_rows(game.id())
            };
            let problem = |_| CheckError::Field { field: "statement" };
            let expr = resolve(&parse(statement).map_err(problem)?, setting).map_err(problem)?;
            let decided = Decided::of(&expr, length, &[game], &moves)?;
            if decided.values().any(|(_, value, longest)| {
                longest > length || game.is_impartial() && value > largest
            }) {
                return field("values");
            }
            needed = needed.max(decided.box_of(cap, modulus));
            Some(expr)
        }
    };
    if needed != i128::from(most) {
        return field("box");
    }
    let side = u64::from(most) + 1;
    let steps = side.checked_pow(length as u32 + 1).filter(|steps| *steps <= MOST_STEPS);
    if steps.is_none() {
        return Err(CheckError::Box(most));
    }
    let mut tables = Tables { game, largest, all: HashMap::new() };
    for &length in &moves.lengths {
        tables.fill(length, most)?;
        tables.is_of_types(length, cap, modulus)?;
    }
    let (digest, positions) = tables.digest(&moves.lengths);
    if digest != text.digest {
        return field("digest");
    }
    if let Some(expr) = &statement {
        for piles in tables.positions(length) {
            let here = Here { tables: &tables, piles: &piles };
            match Evaluator::new(&here).truth(expr) {
                Ok(true) => {}
                _ => return Err(CheckError::Fails(game.position(&piles).to_string())),
            }
        }
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
        statement: format!(
            "{what} (all {positions} positions with piles up to {most} solved from the rules)"
        ),
        game: text.game,
    })
}

struct Tables {
    game: Game,
    largest: u32,
    all: HashMap<usize, HashMap<Vec<Pile>, u8>>,
}

impl Tables {
    /// Returns the valid positions in the box, those with smaller piles first.
    fn candidates(&self, length: usize, most: Pile) -> impl Iterator<Item = Vec<Pile>> + use<> {
        let (order, side) = (self.game.order(), most as usize + 1);
        (0..side.pow(length as u32)).filter_map(move |mut place| {
            let mut piles = vec![0; length];
            for pile in piles.iter_mut().rev() {
                (*pile, place) = ((place % side) as Pile, place / side);
            }
            let is_valid = match order {
                Order::Row => !piles.contains(&0),
                Order::Any => !piles.contains(&0) && piles.is_sorted(),
                Order::Places => true,
            };
            is_valid.then_some(piles)
        })
    }

    fn positions(&self, length: usize) -> Vec<Vec<Pile>> {
        let mut all: Vec<Vec<Pile>> = self.all[&length].keys().cloned().collect();
        all.sort();
        all
    }

    /// Solves all positions of one length. The options of a position come before it.
    fn fill(&mut self, length: usize, most: Pile) -> Result<(), CheckError> {
        let empty = self.game.position(&[]);
        if self.game.has_empty_position() && !self.all.contains_key(&0) {
            let value = self.solve(&empty)?;
            self.all.insert(0, HashMap::from([(Vec::new(), value)]));
        }
        self.all.insert(length, HashMap::new());
        for piles in self.candidates(length, most) {
            let position = self.game.position(&piles);
            if self.game.keeps(&position) {
                let value = self.solve(&position)?;
                self.all.entry(length).or_default().insert(piles, value);
            }
        }
        Ok(())
    }

    /// Returns the value of a position, from the values of its options. Values above the largest
    /// one count as one more than the largest.
    fn solve(&self, position: &grundy_rules::Position) -> Result<u8, CheckError> {
        let mut seen = [false; 256];
        let (mut left, mut right, mut any) = (false, false, false);
        for made in self.game.try_moves(position)? {
            let value = self.value(made.option.piles()).ok_or(CheckError::Members)?;
            (seen[usize::from(value)], any) = (true, true);
            // The classes in which the other player does not win by moving first.
            let class = Outcome::ALL[usize::from(value) % 4];
            left |= made.player != Player::Right && matches!(class, Outcome::L | Outcome::P);
            right |= made.player != Player::Left && matches!(class, Outcome::R | Outcome::P);
        }
        if !self.game.is_impartial() {
            let misere = !any && self.game.terminal_value() == 1;
            return Ok(Outcome::of_first_moves(left || misere, right || misere) as u8);
        }
        let mex = (0..=self.largest as u8).find(|value| !seen[usize::from(*value)]);
        Ok(match any {
            false => self.game.terminal_value() as u8,
            true => mex.unwrap_or(self.largest as u8 + 1),
        })
    }

    fn value(&self, piles: &[Pile]) -> Option<u8> {
        self.all.get(&piles.len())?.get(piles).copied()
    }

    /// Compares the values of all positions of one type.
    fn is_of_types(&self, length: usize, cap: i128, modulus: i128) -> Result<(), CheckError> {
        let mut met: HashMap<Vec<i128>, (u8, &Vec<Pile>)> = HashMap::new();
        for (piles, &value) in &self.all[&length] {
            let z: Vec<i128> = piles.iter().map(|&pile| pile.into()).chain([0]).collect();
            // The differences of all pairs, up to the cap, and the remainders.
            let pairs = (0..z.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
            let mut of: Vec<i128> = pairs.map(|(i, j)| (z[i] - z[j]).clamp(-cap, cap)).collect();
            // Gaps between neighbours decide larger differences of other pairs.
            let mut sorted = z.clone();
            sorted.sort_unstable();
            of.extend(sorted.windows(2).map(|pair| (pair[1] - pair[0]).min(cap)));
            of.extend(z.iter().map(|z| z % modulus));
            let first = met.entry(of).or_insert((value, piles));
            if first.0 != value {
                let [one, other] =
                    [first.1, piles].map(|piles| self.game.position(piles).to_string());
                return Err(CheckError::Types(one, other));
            }
        }
        Ok(())
    }

    /// Returns the digest of all values, in order, and the number of positions of the last length.
    fn digest(&self, lengths: &[usize]) -> (String, usize) {
        let mut hash = blake3::Hasher::new();
        let mut count = 0;
        for length in lengths {
            let positions = self.positions(*length);
            count = positions.len();
            let values: Vec<u8> = positions.iter().map(|piles| self.all[length][piles]).collect();
            hash.update(&values);
        }
        (hash.finalize().to_hex().to_string(), count)
    }
}

struct Here<'a> {
    tables: &'a Tables,
    piles: &'a [Pile],
}

impl Here<'_> {
    fn of_cell(&self, cell: u8, is_value: bool) -> Val {
        match (is_value, self.tables.game.is_impartial()) {
            (true, _) => Val::Int(cell.into()),
            (false, true) => Val::Class(Outcome::of_value(cell.into())),
            (false, false) => Val::Class(Outcome::ALL[usize::from(cell) % 4]),
        }
    }
}

impl Context for Here<'_> {
    fn piles(&self) -> &[u32] {
        self.piles
    }

    fn last_move(&self) -> u32 {
        0
    }

    fn named(&self, builtin: Builtin, span: Span) -> Result<Val, Fault> {
        let fault = || Fault { span, cause: Cause::NoPosition(String::new()) };
        let cell = self.tables.value(self.piles).ok_or_else(fault)?;
        let wanted = match builtin {
            Builtin::Value => return Ok(self.of_cell(cell, true)),
            Builtin::Outcome => return Ok(self.of_cell(cell, false)),
            Builtin::Options => None,
            Builtin::LeftOptions => Some(Player::Left),
            Builtin::RightOptions => Some(Player::Right),
            _ => return Err(fault()),
        };
        let game = self.tables.game;
        let moves = game.try_moves(&game.position(self.piles)).map_err(|_| fault())?;
        let moves = moves.iter().filter(|made| wanted.is_none_or(|wanted| made.player == wanted));
        let cells = moves.map(|made| self.tables.value(made.option.piles()));
        let cells: Vec<u8> = cells.collect::<Option<_>>().ok_or_else(fault)?;
        Ok(match game.is_impartial() {
            true => Val::Set(cells.into_iter().map(i128::from).collect()),
            false => Val::Classes(
                cells.iter().map(|cell| Outcome::ALL[usize::from(*cell) % 4]).collect(),
            ),
        })
    }

    fn other(
        &self,
        _: Option<&str>,
        property: Property,
        piles: &[i128],
        _: Option<&Val>,
        span: Span,
    ) -> Result<Val, Fault> {
        let mut piles: Vec<i128> = piles.to_vec();
        match self.tables.game.order() {
            Order::Row => {
                let first = piles.iter().position(|&pile| pile != 0).unwrap_or(piles.len());
                piles.drain(..first);
                while piles.last() == Some(&0) {
                    piles.pop();
                }
            }
            Order::Any => {
                piles.retain(|&pile| pile != 0);
                piles.sort_unstable();
            }
            Order::Places => {}
        }
        let found: Option<Vec<Pile>> =
            piles.iter().map(|&pile| Pile::try_from(pile).ok()).collect();
        let cell = found.and_then(|piles| self.tables.value(&piles));
        if property == Property::Exists {
            return Ok(Val::Bool(cell.is_some()));
        }
        let cell = cell.ok_or(Fault { span, cause: Cause::NoPosition(String::new()) })?;
        Ok(match property {
            Property::Value => self.of_cell(cell, true),
            Property::Is(class) => Val::Bool(match self.of_cell(cell, false) {
                Val::Class(found) => found == class,
                _ => false,
            }),
            _ => self.of_cell(cell, false),
        })
    }
}
