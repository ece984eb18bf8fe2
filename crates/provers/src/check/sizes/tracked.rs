//! Evaluates expressions at one position, and tells if the result is the same at all positions of
//! its type.
//!
//! Each number keeps the linear form in the piles by which it was computed. A comparison of two
//! forms has one result for all numbers of the type if the possible values of their difference lie
//! on one side: a gap below the cap is known, and any other gap may be any number from the cap on.
//! If all comparisons have one result, the evaluation takes the same way at each position of the
//! type. So a pass over a box that has a member of each type shows that types decide the
//! expression. The prover reads expressions in another way: once, for each order of the piles.

use grundy_language::ast::{
    BinaryOp, Builtin, CompareOp, End, Expr, ExprKind, Function, LogicOp, OtherPosition, Property,
    UnaryOp,
};
use grundy_rules::{Outcome, Player};

/// The largest number of piles and other points.
const MOST_POINTS: usize = 14;

/// The reason why types of a cap and a modulus do not decide an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// A larger cap may decide it.
    Cap,
    /// The modulus must be a multiple of this number.
    Modulus(i64),
    /// No types decide it, or it is undefined.
    Never(String),
}

pub(super) type Tracked<T> = Result<T, Why>;

pub(super) fn never<T>(why: impl Into<String>) -> Tracked<T> {
    Err(Why::Never(why.into()))
}

/// A linear form in the points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Form {
    of: [i64; MOST_POINTS],
    constant: i64,
}

impl Form {
    pub(super) fn constant(constant: i64) -> Form {
        Form { of: [0; MOST_POINTS], constant }
    }

    pub(super) fn point(point: usize) -> Form {
        let mut form = Form::constant(0);
        form.of[point] = 1;
        form
    }

    pub(super) fn plus(self, times: i64, other: &Form) -> Tracked<Form> {
        // Sums over all points of a box then fit into 64 bits.
        let is_small = |sum: &i64| sum.unsigned_abs() <= 1 << 40;
        let sum =
            |x: i64, y: i64| y.checked_mul(times).and_then(|y| x.checked_add(y)).filter(is_small);
        let mut all = self;
        for (x, y) in all.of.iter_mut().zip(&other.of) {
            *x = sum(*x, *y).ok_or_else(too_large)?;
        }
        all.constant = sum(all.constant, other.constant).ok_or_else(too_large)?;
        Ok(all)
    }

    pub(super) fn as_constant(&self) -> Option<i64> {
        self.of.iter().all(|&factor| factor == 0).then_some(self.constant)
    }

    /// Returns the constant that the form adds to one point or to 0.
    pub(super) fn shift(&self) -> Option<i64> {
        let mut factors = self.of.iter().filter(|factor| **factor != 0);
        match (factors.next(), factors.next()) {
            (None | Some(1), None) => Some(self.constant),
            _ => None,
        }
    }

    /// Returns the number by which a modulus must be divisible such that residues modulo it give
    /// the form modulo `by`.
    pub(super) fn modulus(&self, by: i64) -> i64 {
        by / self.of.iter().fold(by, |shared, factor| gcd(shared, *factor))
    }
}

pub(super) fn too_large() -> Why {
    Why::Never("has too large numbers".to_owned())
}

pub(super) fn gcd(x: i64, y: i64) -> i64 {
    if y == 0 { x.abs() } else { gcd(y, x % y) }
}

/// A number at all positions of a type.
#[derive(Clone, Debug)]
pub(super) enum Num {
    Form(Form),
    /// The form divided by the constant, rounded down.
    Quotient(Form, i64),
    /// A number from the first to the second, without a bound if the second is missing. The reason
    /// says what would decide more.
    Between(i64, Option<i64>, Why),
    /// The value of a position.
    Value(u8),
    /// A polynomial, of which only residues are known, with its value here.
    Product(i64),
}

#[derive(Clone, Debug)]
pub(super) enum Val {
    Num(Num),
    Truth(bool),
    Class(Outcome),
    List(Vec<Num>),
    /// A set of which some members may be equal at other positions of the type.
    Set(Vec<Num>),
    Classes(Vec<Outcome>),
}

/// Returns a set of numbers: a list without repetitions if all of them are constants.
fn set(members: Vec<Num>) -> Val {
    let mut constants: Vec<i64> = Vec::new();
    for member in &members {
        match member {
            Num::Form(form) => match form.as_constant() {
                Some(number) if constants.contains(&number) => {}
                Some(number) => constants.push(number),
                None if members.len() == 1 => return Val::List(members),
                None => return Val::Set(members),
            },
            _ => return Val::Set(members),
        }
    }
    Val::List(constants.into_iter().map(|number| Num::Form(Form::constant(number))).collect())
}

/// True if repeated members do not change what a function returns.
fn ignores_copies(function: Function) -> bool {
    [Function::All, Function::Any, Function::Max, Function::Min].contains(&function)
}

impl Val {
    pub(super) fn constant(number: i64) -> Val {
        Val::Num(Num::Form(Form::constant(number)))
    }
}

/// The source of values: a position has a value by its type.
pub(super) trait Cells {
    /// Returns the value of a position, or the index of its class; `None` if it is no position.
    fn cell(&self, piles: &[i64]) -> Option<u8>;

    /// Returns the cells of all options, with the players.
    fn options(&self, piles: &[i64]) -> Option<Vec<(Player, u8)>>;

    /// True if cells are values.
    fn has_values(&self) -> bool;

    /// The largest value whose class is known.
    fn largest(&self) -> i64;
}

/// The cells of conditions of rules, which have none.
pub(super) struct NoCells;

impl Cells for NoCells {
    fn cell(&self, _: &[i64]) -> Option<u8> {
        None
    }

    fn options(&self, _: &[i64]) -> Option<Vec<(Player, u8)>> {
        None
    }

    fn has_values(&self) -> bool {
        true
    }

    fn largest(&self) -> i64 {
        -1
    }
}

/// Evaluates expressions at a position.
pub(super) struct Tracker<'a> {
    pub(super) cells: &'a dyn Cells,
    pub(super) length: usize,
    /// The piles, and then the numbers that a move leaves or a quantifier binds.
    pub(super) points: Vec<i64>,
    pub(super) cap: i64,
    pub(super) modulus: i64,
    /// The cap of the types that give the value of a position.
    pub(super) cap_of_cells: i64,
    /// The largest difference of constants that a move adds to piles.
    pub(super) shift: i64,
    pub(super) names: Vec<Val>,
    /// The number of points that a move chooses.
    pub(super) chosen: usize,
    /// True below an even number of negations, false below an odd number; `None` if unclear.
    pub(super) positive: Option<bool>,
    /// The numbers of universal and of existential points.
    pub(super) quantified: (usize, usize),
}

impl<'a> Tracker<'a> {
    pub(super) fn new(cells: &'a dyn Cells, piles: &[i64], cap: i64, modulus: i64) -> Tracker<'a> {
        Tracker {
            cells,
            length: piles.len(),
            points: piles.to_vec(),
            cap,
            modulus,
            cap_of_cells: cap,
            shift: 0,
            names: Vec::new(),
            chosen: 0,
            positive: Some(true),
            quantified: (0, 0),
        }
    }

    pub(super) fn value(&self, form: &Form) -> i64 {
        self.points.iter().zip(&form.of).fold(form.constant, |sum, (x, times)| sum + x * times)
    }

    /// Returns the least and the largest value of a form at the positions of the type; `None` for
    /// an end without a bound.
    pub(super) fn range(&self, form: &Form) -> (Option<i64>, Option<i64>) {
        let (mut least, mut most) = (Some(form.constant), Some(form.constant));
        let mut below = 0;
        loop {
            // The next larger number, and the factor of the gap below it.
            let Some(level) = self.points.iter().copied().filter(|x| *x > below).min() else {
                return (least, most);
            };
            let above = self.points.iter().zip(&form.of).filter(|(x, _)| **x >= level);
            let factor: i64 = above.map(|(_, times)| times).sum();
            let gap = level - below;
            below = level;
            let add = |end: Option<i64>, is_known: bool| {
                end.filter(|_| is_known).map(|end| end + factor * gap.min(self.cap))
            };
            let is_open = gap >= self.cap;
            (least, most) =
                (add(least, !is_open || factor >= 0), add(most, !is_open || factor <= 0));
        }
    }

    pub(super) fn compare(&self, x: &Num, op: CompareOp, y: &Num) -> Tracked<bool> {
        if let (Num::Form(x), Num::Form(y)) = (x, y) {
            let (least, most) = self.range(&x.plus(-1, y)?);
            if least.is_none() && most.is_none() {
                return never("weighs the differences of piles against each other");
            }
            return decide(least, op, most).ok_or(Why::Cap);
        }
        let constant = |num: &Num| match num {
            Num::Form(form) => form.as_constant(),
            _ => None,
        };
        let (of, op, with) = match (constant(x), constant(y)) {
            (_, Some(with)) => (x, op, with),
            (Some(with), _) => (y, turned(op), with),
            _ => return never("compares a number that can only be compared with constants"),
        };
        let (least, most, why) = match of {
            Num::Value(value) => {
                let needed = match op {
                    CompareOp::Less | CompareOp::GreaterEqual => with.saturating_sub(1),
                    _ => with,
                };
                if needed > self.cells.largest() {
                    return never("names a value whose class is not proved");
                }
                (Some(i64::from(*value)), Some(i64::from(*value)), Why::Cap)
            }
            Num::Quotient(form, by) => {
                let (least, most) = self.range(form);
                (least.map(|x| x.div_euclid(*by)), most.map(|x| x.div_euclid(*by)), Why::Cap)
            }
            Num::Between(least, most, why) => (Some(*least), *most, why.clone()),
            Num::Product(_) | Num::Form(_) => return never("compares a product of piles"),
        };
        let above = |end: i64| end.saturating_sub(with);
        decide(least.map(above), op, most.map(above)).ok_or(why)
    }

    pub(super) fn num(&mut self, expr: &Expr) -> Tracked<Num> {
        match self.of(expr)? {
            Val::Num(num) => Ok(num),
            _ => never("is no number"),
        }
    }

    pub(super) fn form(&mut self, expr: &Expr) -> Tracked<Form> {
        match self.num(expr)? {
            Num::Form(form) => Ok(form),
            _ => never("is no pile plus a constant"),
        }
    }

    pub(super) fn truth(&mut self, expr: &Expr) -> Tracked<bool> {
        match self.of(expr)? {
            Val::Truth(truth) => Ok(truth),
            _ => never("is no condition"),
        }
    }

    fn list(&mut self, expr: &Expr) -> Tracked<Vec<Num>> {
        match self.of(expr)? {
            Val::List(all) => Ok(all),
            _ => never("is no list"),
        }
    }

    fn under<T>(
        &mut self,
        positive: Option<bool>,
        of: impl FnOnce(&mut Self) -> Tracked<T>,
    ) -> Tracked<T> {
        let before = std::mem::replace(&mut self.positive, positive);
        let found = of(self);
        self.positive = before;
        found
    }

    fn quantify(&mut self, points: usize, is_universal: Option<bool>) {
        if is_universal != Some(false) {
            self.quantified.0 += points;
        }
        if is_universal != Some(true) {
            self.quantified.1 += points;
        }
    }

    /// Returns the number of equal piles at an end.
    fn run(&self, end: End) -> usize {
        let piles = &self.points[..self.length];
        match end {
            End::First => piles.iter().take_while(|pile| **pile == piles[0]).count(),
            End::Last => piles.iter().rev().take_while(|pile| piles.last() == Some(pile)).count(),
        }
    }

    fn pile(&self, number: usize) -> Tracked<Num> {
        match (1..=self.length).contains(&number) {
            true => Ok(Num::Form(Form::point(number - 1))),
            false => never(format!("names the pile p{number}, which does not exist")),
        }
    }

    pub(super) fn of(&mut self, expr: &Expr) -> Tracked<Val> {
        let length = self.length;
        let piles = |from: usize, to: usize| -> Vec<Num> {
            (from..to).map(|at| Num::Form(Form::point(at))).collect()
        };
        Ok(match &expr.kind {
            ExprKind::Int(number) => {
                Val::constant(i64::try_from(*number).map_err(|_| too_large())?)
            }
            ExprKind::Bool(truth) => Val::Truth(*truth),
            ExprKind::Local(_, place) => self.names[*place].clone(),
            ExprKind::Builtin(builtin) => match builtin {
                Builtin::First => Val::Num(self.pile(1)?),
                Builtin::Last => Val::Num(self.pile(length)?),
                Builtin::Pile(number) => Val::Num(self.pile(*number)?),
                Builtin::Length => Val::constant(length as i64),
                Builtin::Total => Val::Num(self.joined(Function::Sum, piles(0, length))?),
                Builtin::Piles => Val::List(piles(0, length)),
                Builtin::Reverse => Val::List(piles(0, length).into_iter().rev().collect()),
                Builtin::Middle if length < 3 => Val::List(Vec::new()),
                Builtin::Middle => Val::List(piles(1, length - 1)),
                Builtin::Run(end) => Val::constant(self.run(*end) as i64),
                Builtin::After(end) => match (self.run(*end), end) {
                    (run, _) if run == length => Val::constant(0),
                    (run, End::First) => Val::Num(self.pile(run + 1)?),
                    (run, End::Last) => Val::Num(self.pile(length - run)?),
                },
                Builtin::Value | Builtin::Outcome => self
                    .cell_of(self.cells.cell(&self.points[..length]), *builtin == Builtin::Value)?,
                Builtin::Class(class) => Val::Class(*class),
                _ => return never(format!("uses `{builtin}`")),
            },
            ExprKind::Unary(UnaryOp::Not, of) => {
                let turned = self.positive.map(|positive| !positive);
                Val::Truth(!self.under(turned, |tracker| tracker.truth(of))?)
            }
            ExprKind::Unary(UnaryOp::Minus, of) => {
                Val::Num(Num::Form(Form::constant(0).plus(-1, &self.form(of)?)?))
            }
            ExprKind::Binary(op, x, y) => match (self.of(x)?, self.of(y)?) {
                (Val::Num(x), Val::Num(y)) => Val::Num(self.binary(*op, &x, &y)?),
                (Val::List(x) | Val::Set(x), Val::List(y) | Val::Set(y)) if *op == BinaryOp::Or => {
                    set([x, y].concat())
                }
                _ => return never("combines sets"),
            },
            ExprKind::Compare(left, rest) => {
                let mut before = self.under(None, |tracker| tracker.of(left))?;
                for (op, right) in rest {
                    let (next, holds) = self.pair(&before, *op, right)?;
                    if !holds {
                        return Ok(Val::Truth(false));
                    }
                    before = next;
                }
                Val::Truth(true)
            }
            ExprKind::Logic(op, x, y) => Val::Truth(self.logic(*op, x, y)?),
            ExprKind::If(condition, x, y) => {
                let holds = self.under(None, |tracker| tracker.truth(condition))?;
                self.of(if holds { x } else { y })?
            }
            ExprKind::Let(_, value, body) => {
                let value = self.under(None, |tracker| tracker.of(value))?;
                self.names.push(value);
                let body = self.of(body);
                self.names.pop();
                body?
            }
            ExprKind::Call(Function::Size, all) => match all[0].kind {
                ExprKind::Builtin(
                    Builtin::Options | Builtin::LeftOptions | Builtin::RightOptions,
                ) => {
                    return never("counts options");
                }
                ExprKind::Builtin(_) => Val::constant(self.list(&all[0])?.len() as i64),
                _ => return never("counts the members of a set"),
            },
            ExprKind::Call(function, arguments) => {
                let mut all = Vec::new();
                for argument in arguments {
                    match self.of(argument)? {
                        Val::Num(num) => all.push(num),
                        Val::List(list) => all.extend(list),
                        Val::Set(list) if ignores_copies(*function) => all.extend(list),
                        _ => return never("combines classes, or members that may be equal"),
                    }
                }
                Val::Num(self.joined(*function, all)?)
            }
            ExprKind::Each(function, _, source, body) => self.each(*function, source, body)?,
            ExprKind::Index(list, index) => {
                let list = self.list(list)?;
                let at =
                    self.form(index)?.as_constant().and_then(|at| usize::try_from(at - 1).ok());
                match at.and_then(|at| list.into_iter().nth(at)) {
                    Some(found) => Val::Num(found),
                    None => return never("has no constant place in a list"),
                }
            }
            ExprKind::Set(all) => {
                let (mut numbers, mut classes) = (Vec::new(), Vec::new());
                for member in all {
                    match self.of(member)? {
                        Val::Num(num) => numbers.push(num),
                        Val::List(list) | Val::Set(list) => numbers.extend(list),
                        Val::Class(class) => classes.push(class),
                        _ => return never("is no set of numbers"),
                    }
                }
                if classes.is_empty() { set(numbers) } else { Val::Classes(classes) }
            }
            ExprKind::Range(from, to) => match self.constants(from, to)? {
                Some((from, to)) if to - from < 256 => {
                    Val::List((from..=to).map(|x| Num::Form(Form::constant(x))).collect())
                }
                _ => return never("is a range that depends on piles"),
            },
            ExprKind::At(property, there) => self.at(*property, there)?,
            _ => return never("is no comparison of piles"),
        })
    }

    fn constants(&mut self, from: &Expr, to: &Expr) -> Tracked<Option<(i64, i64)>> {
        let ends = (self.num(from)?, self.num(to)?);
        let (Num::Form(from), Num::Form(to)) = ends else { return Ok(None) };
        Ok(from.as_constant().zip(to.as_constant()))
    }

    fn cell_of(&self, cell: Option<u8>, is_value: bool) -> Tracked<Val> {
        let Some(cell) = cell else { return never("names no position") };
        Ok(match (is_value, self.cells.has_values()) {
            (true, _) => Val::Num(Num::Value(cell)),
            (false, true) => Val::Class(Outcome::of_value(cell.into())),
            (false, false) => Val::Class(Outcome::ALL[usize::from(cell) % 4]),
        })
    }

    fn cells_of_options(&mut self, expr: &Expr) -> Tracked<Option<Vec<u8>>> {
        let wanted = match expr.kind {
            ExprKind::Builtin(Builtin::Options) => None,
            ExprKind::Builtin(Builtin::LeftOptions) => Some(Player::Left),
            ExprKind::Builtin(Builtin::RightOptions) => Some(Player::Right),
            _ => return Ok(None),
        };
        // The type of an option follows only from a larger cap.
        if self.cap < self.cap_of_cells + self.shift {
            return Err(Why::Cap);
        }
        let Some(all) = self.cells.options(&self.points[..self.length]) else {
            return never("names no position");
        };
        let of = all.into_iter().filter(|(by, _)| wanted.is_none_or(|wanted| *by == wanted));
        Ok(Some(of.map(|(_, cell)| cell).collect()))
    }

    /// Compares a value with an expression. Returns the value of the expression too.
    fn pair(&mut self, x: &Val, op: CompareOp, right: &Expr) -> Tracked<(Val, bool)> {
        let is_in = op == CompareOp::In;
        if let Some(cells) = self.cells_of_options(right)? {
            self.quantify(self.chosen, self.positive.map(|positive| positive != is_in));
            let mut found = false;
            for cell in cells {
                let cell = self.cell_of(Some(cell), self.cells.has_values())?;
                found |= self.equal(x, &cell)?;
            }
            return Ok((Val::Truth(found), found == is_in));
        }
        if let (Val::Num(x), ExprKind::Range(from, to)) = (x, &right.kind) {
            let (from, to) = (self.num(from)?, self.num(to)?);
            let above = self.compare(&from, CompareOp::LessEqual, x)?;
            let within = above && self.compare(x, CompareOp::LessEqual, &to)?;
            return Ok((Val::Truth(within), within == is_in));
        }
        let y = self.under(None, |tracker| tracker.of(right))?;
        let holds = match (x, &y) {
            (Val::Num(x), Val::Num(y)) => self.compare(x, op, y)?,
            (Val::Num(x), Val::List(all) | Val::Set(all)) => {
                let mut found = false;
                for y in all {
                    found = found || self.compare(x, CompareOp::Equal, y)?;
                }
                found == is_in
            }
            (Val::Class(x), Val::Classes(all)) => all.contains(x) == is_in,
            _ => self.equal(x, &y)? == (op == CompareOp::Equal),
        };
        Ok((y, holds))
    }

    fn equal(&self, x: &Val, y: &Val) -> Tracked<bool> {
        match (x, y) {
            (Val::Num(x), Val::Num(y)) => self.compare(x, CompareOp::Equal, y),
            (Val::Truth(x), Val::Truth(y)) => Ok(x == y),
            (Val::Class(x), Val::Class(y)) => Ok(x == y),
            _ => never("compares sets or lists"),
        }
    }

    fn logic(&mut self, op: LogicOp, x: &Expr, y: &Expr) -> Tracked<bool> {
        let before = self.positive;
        let of_left = match op {
            LogicOp::And | LogicOp::Or => before,
            LogicOp::Implies => before.map(|positive| !positive),
            LogicOp::Iff => None,
        };
        let left = self.under(of_left, |tracker| tracker.truth(x));
        if op == LogicOp::And && left == Err(Why::Cap) && self.truth(y) == Ok(false) {
            // The whole is false, whatever the left part is.
            return Ok(false);
        }
        let left = left?;
        match (op, left) {
            (LogicOp::And, false) => Ok(false),
            (LogicOp::Or, true) | (LogicOp::Implies, false) => Ok(true),
            (LogicOp::Iff, left) => Ok(self.under(None, |tracker| tracker.truth(y))? == left),
            _ => self.truth(y),
        }
    }

    fn each(&mut self, function: Function, source: &Expr, body: &Expr) -> Tracked<Val> {
        let is_quantifier = matches!(function, Function::All | Function::Any);
        let is_all = function == Function::All;
        let before = self.positive;
        let of_body = before.filter(|_| is_quantifier);
        let universal = before.map(|positive| positive == is_all);
        let mut said: Vec<Val> = Vec::new();
        if let Some(cells) = self.cells_of_options(source)? {
            if !is_quantifier {
                return never("combines the values of all options");
            }
            self.quantify(self.chosen, universal);
            let counted = self.quantified;
            let mut most = counted;
            for cell in cells {
                self.quantified = counted;
                let cell = self.cell_of(Some(cell), self.cells.has_values())?;
                said.push(self.with(cell, of_body, body)?);
                most = (most.0.max(self.quantified.0), most.1.max(self.quantified.1));
            }
            self.quantified = most;
        } else if let ExprKind::Range(from, to) = &source.kind
            && self.constants(from, to)?.is_none()
        {
            if !is_quantifier {
                return never("runs over a range that depends on piles");
            }
            let (from, to) = (self.num(from)?, self.num(to)?);
            let largest = self.points[..self.length].iter().copied().max().unwrap_or(0);
            let top = self.points[..self.length].iter().position(|pile| *pile == largest);
            let top = Num::Form(top.map_or(Form::constant(0), Form::point));
            let zero = Num::Form(Form::constant(0));
            if !self.compare(&from, CompareOp::GreaterEqual, &zero)?
                || !self.compare(&to, CompareOp::LessEqual, &top)?
            {
                return never("runs over a range that may leave the box");
            }
            self.quantify(1, universal);
            let (counted, point) = (self.quantified, self.points.len());
            if point == MOST_POINTS {
                return never("has too many quantifiers");
            }
            let mut most = counted;
            for number in 0..=largest {
                self.quantified = counted;
                self.points.push(number);
                let this = Num::Form(Form::point(point));
                let found = self.member(&from, &this, &to).and_then(|within| match within {
                    true => self.with(Val::Num(this), of_body, body).map(Some),
                    false => Ok(None),
                });
                self.points.pop();
                said.extend(found?);
                most = (most.0.max(self.quantified.0), most.1.max(self.quantified.1));
            }
            self.quantified = most;
        } else {
            let all = match self.of(source)? {
                Val::List(all) => all,
                Val::Set(all) if ignores_copies(function) => all,
                _ => return never("is no list, or has members that may be equal"),
            };
            for member in all {
                said.push(self.with(Val::Num(member), of_body, body)?);
            }
        }
        let holds = |said: &Val| matches!(said, Val::Truth(true));
        Ok(match function {
            Function::All => Val::Truth(said.iter().all(holds)),
            Function::Any => Val::Truth(said.iter().any(holds)),
            Function::Count => Val::constant(said.iter().filter(|said| holds(said)).count() as i64),
            function => {
                let mut numbers = Vec::new();
                for said in said {
                    let Val::Num(num) = said else { return never("combines classes") };
                    numbers.push(num);
                }
                Val::Num(self.joined(function, numbers)?)
            }
        })
    }

    fn member(&self, from: &Num, this: &Num, to: &Num) -> Tracked<bool> {
        Ok(self.compare(from, CompareOp::LessEqual, this)?
            && self.compare(this, CompareOp::LessEqual, to)?)
    }

    fn with(&mut self, name: Val, positive: Option<bool>, body: &Expr) -> Tracked<Val> {
        self.names.push(name);
        let found = self.under(positive, |tracker| tracker.of(body));
        self.names.pop();
        found
    }

    fn at(&mut self, property: Property, there: &OtherPosition) -> Tracked<Val> {
        if property == Property::Remoteness || !there.memory.is_empty() || there.game.is_some() {
            return never("is about another game, or about remoteness");
        }
        let mut all = Vec::new();
        for pile in there.piles.iter().flatten() {
            match self.of(pile)? {
                Val::Num(num) => all.push(num),
                Val::List(list) => all.extend(list),
                _ => return never("is no position"),
            }
        }
        let (mut least, mut most, mut piles) = (0, 0, Vec::new());
        for num in all {
            let Num::Form(form) = num else { return never("is no position") };
            let Some(shift) = form.shift() else { return never("names a sum of piles") };
            (least, most) = (least.min(shift), most.max(shift));
            // A pile below 0 is no pile, and this must not depend on the position.
            let zero = Num::Form(Form::constant(0));
            if !self.compare(&num_of(form), CompareOp::GreaterEqual, &zero)? {
                return match property {
                    Property::Exists => Ok(Val::Truth(false)),
                    _ => never("names no position"),
                };
            }
            piles.push(self.value(&form));
        }
        if self.cap < self.cap_of_cells + most - least {
            return Err(Why::Cap);
        }
        let cell = self.cells.cell(&piles);
        Ok(match property {
            Property::Exists => Val::Truth(cell.is_some()),
            Property::Value => self.cell_of(cell, true)?,
            Property::Is(class) => match self.cell_of(cell, false)? {
                Val::Class(found) => Val::Truth(found == class),
                _ => return never("is no class"),
            },
            _ => self.cell_of(cell, false)?,
        })
    }
}

pub(super) fn num_of(form: Form) -> Num {
    Num::Form(form)
}

fn turned(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Less => CompareOp::Greater,
        CompareOp::LessEqual => CompareOp::GreaterEqual,
        CompareOp::Greater => CompareOp::Less,
        CompareOp::GreaterEqual => CompareOp::LessEqual,
        other => other,
    }
}

/// Compares all numbers from the first to the second with 0; `None` if the results differ.
fn decide(least: Option<i64>, op: CompareOp, most: Option<i64>) -> Option<bool> {
    let (above, from) = (least.is_some_and(|x| x > 0), least.is_some_and(|x| x >= 0));
    let (below, to) = (most.is_some_and(|x| x < 0), most.is_some_and(|x| x <= 0));
    let pair = |yes: bool, no: bool| match (yes, no) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    };
    match op {
        CompareOp::Less => pair(below, from),
        CompareOp::LessEqual => pair(to, above),
        CompareOp::Greater => pair(above, to),
        CompareOp::GreaterEqual => pair(from, below),
        CompareOp::Equal => pair(from && to, above || below),
        CompareOp::Unequal => pair(above || below, from && to),
        CompareOp::In | CompareOp::NotIn => None,
    }
}
