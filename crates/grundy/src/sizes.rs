//! Theorems about a fixed number of piles of all sizes: the tables for the search of
//! [`grundy_provers::sizes`], and checks of statements.
//!
//! ```text
//! rules ──► class of moves ──┐                   ┌──► box of the statement ──► check in the box
//! tables of growing boxes ───┴─► cap and modulus ┘
//! ```

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use grundy_provers::sizes::{Certificate, Decided, Moves, NOT_A_POSITION, latex, least_box};
pub use grundy_provers::sizes::{
    Counts, Found, Polynomial, Refusal, SolverQuestion, Table as Values,
};
use grundy_provers::sizes::{confirms, solver_questions};
use grundy_query::seal::to_sealed;
use grundy_rules::{Game, Outcome, Pile};
use grundy_sweep::{Control, MemoryLimit};

use crate::walk::WalkOptions;
use crate::{Ask, AskError, CheckReport, Database, Error, Level, Question};

/// The largest number of positions in the usual limit of a search, and its largest pile.
const USUAL_POSITIONS: u64 = 1 << 25;
const USUAL_PILE: Pile = 512;

/// The largest value whose class can be searched.
const LARGEST_VALUE: u32 = 250;

/// The value classes of a game, up to a largest value, for piles of all sizes.
#[derive(Clone, Debug)]
pub struct Classes {
    /// The cap, the modulus and the box that prove the classes.
    pub found: Found,
    /// The tables of all lengths; the longest is the last.
    pub tables: Vec<Values>,
}

impl Classes {
    /// Returns the text of a certificate with a seal.
    fn certificate(&self, game: Game, largest: u32, statement: Option<&str>) -> String {
        let values = if game.is_impartial() { largest } else { Outcome::ALL.len() as u32 - 1 };
        let certificate = Certificate::new(game, &self.tables, values, self.found, statement);
        to_sealed(&certificate).unwrap_or_default()
    }
}

/// The result of a search for value classes.
#[derive(Clone, Debug)]
pub enum Search {
    /// The classes are unions of types.
    Proved(Classes),
    /// No proof was found. The text is the reason.
    Undecided(String),
}

/// The verdict on a statement for piles of all sizes.
#[derive(Clone, Debug)]
pub struct SizesReport {
    /// The check of all positions with piles up to `most`; `None` if there was none.
    pub report: Option<CheckReport>,
    /// The largest pile of the check.
    pub most: Pile,
    /// The cap, the modulus and the box of the proof, if the statement is decided.
    pub found: Option<Found>,
    /// Why nothing was proved.
    pub reason: Option<String>,
    /// The certificate with a seal, if the statement holds and names values of its own game only.
    pub certificate: Option<String>,
}

impl SizesReport {
    /// Returns the verdict as a word: holds, fails or undecided.
    pub fn verdict(&self) -> &'static str {
        match &self.report {
            Some(report) if report.failures > 0 => "fails",
            Some(report) if report.complete && self.found.is_some() => "holds",
            _ => "undecided",
        }
    }

    fn undecided(reason: impl Into<String>) -> SizesReport {
        SizesReport {
            report: None,
            most: 0,
            found: None,
            reason: Some(reason.into()),
            certificate: None,
        }
    }
}

/// Returns the usual limit of the piles of a search.
pub fn usual_limit(length: usize) -> Pile {
    let fits = |most: &Pile| {
        u64::from(*most + 1).checked_pow(length as u32).is_some_and(|all| all <= USUAL_POSITIONS)
    };
    (1..=USUAL_PILE).rev().find(fits).unwrap_or(1)
}

/// Finds the least box that proves the classes of the values up to `largest`, for rows of up to
/// `length` piles (for places, of exactly this number). `needed` is the box that the caller needs
/// for a cap and a modulus. In partizan games the classes are the outcome classes.
pub(crate) fn classes(
    game: Game,
    length: usize,
    largest: u32,
    limit: Pile,
    needed: &dyn Fn(i128, i128) -> i128,
    options: &WalkOptions<'_>,
) -> Result<Search, Error> {
    let undecided = |why: String| Ok(Search::Undecided(why));
    let moves = match Moves::of(game, length) {
        Ok(moves) => moves,
        Err(Refusal(why)) => return undecided(why),
    };
    if largest > LARGEST_VALUE {
        return undecided(format!("the value {largest} is larger than {LARGEST_VALUE}"));
    }
    let idle = Control::new();
    let control = options.control.unwrap_or(&idle);
    let own = (moves.cap, moves.modulus);
    let box_of = |cap, modulus| moves.box_of(cap, modulus).max(needed(cap, modulus));
    let largest = if game.is_impartial() { largest } else { Outcome::ALL.len() as u32 };
    let first = box_of(own.0, own.1);
    let (limit, mut most) = (i128::from(limit), first.max(8));
    let mut next = Some(first).filter(|first| *first > limit);
    while next.is_none() {
        most = most.min(limit);
        let table = |&length: &usize| filled(game, length, most as Pile, largest, options);
        let tables: Vec<Values> = moves.lengths.iter().map(table).collect::<Result<_, _>>()?;
        match least_box(&tables, own, box_of, || !control.is_stopped()) {
            _ if control.is_stopped() => return Err(Error::Stopped),
            Ok(found) => return Ok(Search::Proved(Classes { found, tables })),
            Err(beyond) if most == limit => next = Some(beyond.unwrap_or(2 * limit)),
            Err(_) => most += most / 2,
        }
    }
    let of = match game.is_impartial() {
        true => format!("the values up to {largest} of {game}"),
        false => format!("the outcome classes of {game}"),
    };
    undecided(format!(
        "no cap and modulus with a box of at most {limit} fit {of} with up to {length} piles; \
         --max-pile {} would try larger boxes",
        next.unwrap_or(limit)
    ))
}

/// Returns the table of the values of one length, without values above `largest`.
fn filled(
    game: Game,
    length: usize,
    most: Pile,
    largest: u32,
    options: &WalkOptions<'_>,
) -> Result<Values, Error> {
    let side = most as usize + 1;
    let options = WalkOptions { hook: None, ..*options };
    let level = Level::new(game, length, most)?.with(options);
    let cells = (side as u64).saturating_pow(length as u32);
    level.check_memory(cells)?;
    let values: Vec<AtomicU8> = (0..cells).map(|_| AtomicU8::new(NOT_A_POSITION)).collect();
    level.sweep(|block| {
        block.each_position(|at| {
            let place = at.piles.iter().fold(0, |place, &pile| place * side + pile as usize);
            values[place].store(at.value.min(largest + 1) as u8, Relaxed);
        });
    })?;
    let values = values.into_iter().map(AtomicU8::into_inner).collect();
    Ok(Values { length, most: most as usize, values })
}

impl Ask<'_> {
    /// Checks the statement for positions of `length` piles of all sizes. Tries boxes with piles up
    /// to `limit`.
    ///
    /// ```
    /// use grundy::{Ask, Question, games};
    ///
    /// let question = Question::parse(games::END_NIM, "g == 1 -> abs(first - last) <= 2")?;
    /// let report = Ask::new(&question).check_all_sizes(3, 200)?;
    /// assert_eq!((report.verdict(), report.most), ("holds", 18));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Ask::check`]. A statement that small boxes do not decide is no error.
    pub fn check_all_sizes(&self, length: usize, limit: Pile) -> Result<SizesReport, AskError> {
        let games: Vec<Game> = [&[self.game()], self.question.other_games()].concat();
        let read = Moves::of(games[0], length)
            .and_then(|moves| Decided::of(self.question.expr(), length, &games, &moves));
        let decided = match read {
            Ok(decided) => decided,
            Err(Refusal(why)) if length == 1 && games[0].is_sum() => {
                let periods =
                    "; `grundy periods` proves the period of single piles, if it finds one";
                return Ok(SizesReport::undecided(why + periods));
            }
            Err(Refusal(why)) => return Ok(SizesReport::undecided(why)),
        };
        let (mut cap, mut modulus, mut most) = (1, 1, 0);
        let mut own = None;
        for (game, largest, longest) in decided.values() {
            let needed = |cap, modulus| decided.box_of(cap, modulus);
            match classes(games[game], longest, largest, limit, &needed, &self.options) {
                Ok(Search::Proved(classes)) => {
                    let found = classes.found;
                    (cap, modulus) = (found.cap.max(cap), lcm(found.modulus, modulus));
                    most = found.most.max(most);
                    own = (game == 0 && longest == length).then_some((classes, largest));
                }
                Ok(Search::Undecided(why)) => return self.only_checked(length, limit, why),
                Err(Error::Stopped) => {
                    return Ok(SizesReport::undecided("it was stopped before a proof was found"));
                }
                Err(error) => return Err(error.into()),
            }
        }
        most = most.max(decided.box_of(cap, modulus));
        if most > i128::from(limit) {
            let why = format!(
                "the statement needs a box of {most}, but piles up to {limit} are tried; \
                 --max-pile {most} tries it"
            );
            return self.only_checked(length, limit, why);
        }
        let report = self.check(length..=length, most as Pile)?;
        let certificate = match own {
            Some((classes, largest)) if report.holds() && classes.found.most == most => {
                Some(classes.certificate(self.game(), largest, Some(self.question.text())))
            }
            _ => None,
        };
        let (cap, modulus) = decided.with(cap, modulus);
        let reason = (!report.complete).then(|| "it was stopped before the end".to_owned());
        let found = Some(Found { cap, modulus, most });
        Ok(SizesReport { report: Some(report), most: most as Pile, found, reason, certificate })
    }

    /// Returns the searches of a solver for counterexamples to a statement `P <-> ...`.
    ///
    /// # Errors
    /// [`Refusal`] names the part of the statement or of the rules that is not linear.
    pub fn solver_questions(&self, length: usize) -> Result<Vec<SolverQuestion>, Refusal> {
        solver_questions(self.game(), self.question.expr(), length)
    }

    /// True if the moves from these piles confirm that the statement is false here or at an option.
    pub fn confirms(&self, piles: &[Pile]) -> bool {
        confirms(self.game(), self.question.expr(), piles)
    }

    /// Looks for a counterexample to a statement that is not decided.
    fn only_checked(
        &self,
        length: usize,
        limit: Pile,
        why: String,
    ) -> Result<SizesReport, AskError> {
        let report = self.check(length..=length, limit)?;
        let (report, reason) = (Some(report), Some(why));
        Ok(SizesReport { report, most: limit, found: None, reason, certificate: None })
    }
}

/// A value class as a formula of the language of statements.
#[derive(Clone, Debug)]
pub struct ValueClass {
    /// The left side of the equivalence: `g == 1`, or `outcome == L`.
    pub name: String,
    /// The Grundy value, or the letter of the outcome class.
    pub value: String,
    /// The right side.
    pub formula: String,
    /// The equivalence in LaTeX.
    pub latex: String,
    /// The numbers of positions of the class with piles up to n, if they fit.
    pub counts: Option<Counts>,
    /// The cap, the modulus and the box that prove the equivalence.
    pub found: Option<Found>,
}

/// Value classes as formulas.
#[derive(Clone, Debug)]
pub struct Formulas {
    /// The classes.
    pub classes: Vec<ValueClass>,
    /// The certificate of all classes up to the largest value, with a seal.
    pub certificate: String,
}

/// Writes the classes of some values of positions of `length` piles as formulas, and proves each
/// for piles of all sizes. In partizan games the values are the indices of classes in
/// [`Outcome::ALL`]. `Err` contains the reason why nothing was proved.
///
/// ```
/// use grundy::sizes::{Limits, value_classes};
/// use grundy::{Database, MemoryLimit, games};
///
/// let (database, memory) = (&Database::empty(), MemoryLimit::default());
/// let limits = Limits { database, memory, control: None };
/// let found = value_classes(games::NIM, 2, 0..=0, 30, &limits)?.unwrap();
/// let formula = "let a = min(first, last); let c = max(first, last); c == a";
/// assert_eq!(found.classes[0].formula, formula);
/// # Ok::<(), grundy::AskError>(())
/// ```
///
/// # Errors
/// The errors of [`Ask::check_all_sizes`].
pub fn value_classes(
    game: Game,
    length: usize,
    values: RangeInclusive<u32>,
    limit: Pile,
    limits: &Limits<'_>,
) -> Result<Result<Formulas, String>, AskError> {
    let Limits { database, memory, control } = *limits;
    let options =
        WalkOptions { database: Some(database), memory, control, ..WalkOptions::default() };
    let none = |_: i128, _: i128| 0;
    let proved = match classes(game, length, *values.end(), limit, &none, &options)? {
        Search::Proved(classes) => classes,
        Search::Undecided(why) => return Ok(Err(why)),
    };
    let certificate = proved.certificate(game, *values.end(), None);
    let Classes { found: proved, tables } = proved;
    let mut all = Vec::new();
    for value in values {
        let (name, value_text) = match game.is_impartial() {
            true => (format!("g == {value}"), value.to_string()),
            false => {
                let class = Outcome::ALL[value as usize % Outcome::ALL.len()].name();
                (format!("outcome == {class}"), class.to_owned())
            }
        };
        let table = &tables[tables.len() - 1];
        let formula = grundy_provers::sizes::formula(table, proved, value as u8);
        let question = Question::parse(game, &format!("{name} <-> {formula}"))?;
        let ask = Ask::new(&question).database(database).memory(memory);
        let ask = control.into_iter().fold(ask, Ask::control);
        let report = ask.check_all_sizes(length, limit)?;
        let found = report.found.filter(|_| report.verdict() == "holds");
        let counts = Counts::of(table, proved, value as u8);
        let latex = format!(
            r"{} \iff {}",
            name.replace("g ==", r"\mathcal{G} =").replace("outcome ==", "o ="),
            latex(&formula)
        );
        all.push(ValueClass { name, value: value_text, formula, latex, counts, found });
    }
    Ok(Ok(Formulas { classes: all, certificate }))
}

/// The source of values, and the limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// The database.
    pub database: &'a Database,
    /// The memory.
    pub memory: MemoryLimit,
    /// The control that can stop the search.
    pub control: Option<&'a Control>,
}

fn lcm(x: i128, y: i128) -> i128 {
    (1..=y).map(|times| times * x).find(|multiple| multiple % y == 0).unwrap_or(x)
}
