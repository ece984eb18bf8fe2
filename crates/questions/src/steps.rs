//! A program under construction, with its registers and known results.

use std::collections::HashMap;

use grundy_language::ast::BinaryOp;
use grundy_language::fault::{Cause, Fault};
use grundy_language::{Problem, Span};
use grundy_rules::{Game, Pile};

use crate::games::Games;
use crate::lane::exact;
use crate::program::{Arg, Input, Layout, Op, OptionSide, Program, Rate, Step, Width};
use crate::range::{FULL, Range, of_one, of_two};

pub(crate) const MOST_STEPS: usize = 1 << 16;

/// The largest number of cells of a tile for which results of the rate Table are kept.
pub(crate) const LARGEST_KEPT_TILE: usize = 1 << 16;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) length: usize,
    pub(crate) max_pile: Pile,
    pub(crate) layout: Layout,
    pub(crate) tile_cells: usize,
    /// True if only the cells of a band are evaluated, with marks instead of values.
    pub(crate) is_band: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Low {
    /// A number, or the index of an outcome class.
    Int(Arg),
    Bool(Arg),
    /// Members in order, each with a guard that is true if the member is present.
    List(Vec<(Arg, Arg)>),
    Set(SetLow),
}

#[derive(Clone, Debug)]
pub(crate) enum SetLow {
    /// Members, each with a guard that is true if the member is present. Some members may be equal.
    Items(Vec<(Arg, Arg)>),
    /// A set as bits. Bit s - 1 is set if s is a member. The number is the largest possible member.
    Mask(Arg, i128),
    /// The values of the options of a slot. The number is the largest possible value.
    Options(usize, i128),
}

pub(crate) const FALSE: Arg = Arg::Fixed(0);
pub(crate) const TRUE: Arg = Arg::Fixed(1);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    One(Op, Arg),
    Two(Op, Arg, Arg),
    Select(Arg, Arg, Arg),
    HasOption(usize, Arg),
}

pub(crate) struct Lower {
    pub(crate) games: Games,
    pub(crate) shape: Shape,
    pub(crate) program: Program,
    /// The range of each register, for each rate.
    ranges: [Vec<Range>; 3],
    /// The known results of each enclosing part that may be skipped, outermost first.
    known: Vec<HashMap<Key, Arg>>,
    pub(crate) inputs: HashMap<Input, Arg>,
    /// The values bound by `let` and quantifiers.
    pub(crate) names: Vec<Low>,
    /// The operand of each `not`. The key is the result of the `not`.
    denied: HashMap<Arg, Arg>,
    /// The condition and the two operands of each choice. The key is its result.
    pub(crate) chosen: HashMap<Arg, (Arg, Arg, Arg)>,
    /// The players whose options were gathered in this part or the enclosing parts.
    pub(crate) gathered: Vec<OptionSide>,
    /// The masks of the enclosing parts that may be skipped.
    pub(crate) around: Vec<Arg>,
    least: i128,
    most: i128,
    /// True if there are too many steps. Further steps are not added.
    pub(crate) is_full: bool,
    /// The number of compiled expressions, including those that need no step.
    pub(crate) lowered: u32,
    /// The part of the statement's premise that is already compiled.
    pub(crate) premise: Option<Arg>,
    /// The value that marks the cells of a band.
    pub(crate) marked: Option<i128>,
}

pub(crate) type Lowered<T> = Result<T, Problem>;

impl Lower {
    pub(crate) fn new(games: Games, shape: Shape) -> Lower {
        let program = Program {
            inputs: Vec::new(),
            per_tile: Vec::new(),
            per_table: Vec::new(),
            per_cell: Vec::new(),
            registers: [0; 3],
            options: Vec::new(),
            option_words: 0,
            result: TRUE,
            premise: None,
            width: Width::Two,
            lookups: Vec::new(),
        };
        Lower {
            games,
            shape,
            program,
            ranges: Default::default(),
            known: vec![HashMap::new()],
            inputs: HashMap::new(),
            names: Vec::new(),
            denied: HashMap::new(),
            chosen: HashMap::new(),
            gathered: Vec::new(),
            around: Vec::new(),
            least: 0,
            most: 1,
            is_full: false,
            lowered: 0,
            premise: None,
            marked: None,
        }
    }

    /// Returns the width that lanes need for all numbers of the program.
    pub(crate) fn width(&self) -> Width {
        Width::holding(self.least, self.most)
    }

    pub(crate) fn game(&self) -> Game {
        self.games.own
    }

    pub(crate) fn range(&self, of: Arg) -> Range {
        match of {
            Arg::Fixed(number) => (number, number),
            Arg::Tile(at) => self.ranges[0][at as usize],
            Arg::Table(at) => self.ranges[1][at as usize],
            Arg::Cell(at) => self.ranges[2][at as usize],
        }
    }

    pub(crate) fn register(&mut self, rate: Rate, range: Range) -> Arg {
        let class = match rate {
            Rate::Tile => 0,
            Rate::Table => 1,
            Rate::Fixed | Rate::Cell => 2,
        };
        let at = self.ranges[class].len() as u32;
        self.ranges[class].push(range);
        self.program.registers[class] = at + 1;
        self.need(range);
        match class {
            0 => Arg::Tile(at),
            1 => Arg::Table(at),
            _ => Arg::Cell(at),
        }
    }

    pub(crate) fn need(&mut self, (low, high): Range) {
        self.least = self.least.min(low);
        self.most = self.most.max(high);
    }

    /// Makes the lanes wide enough for constant operands.
    fn need_fixed(&mut self, operands: impl IntoIterator<Item = Arg>) {
        for operand in operands {
            if let Arg::Fixed(number) = operand {
                self.need((number, number));
            }
        }
    }

    /// Adds a step. If there are too many steps, compiling the next expression fails.
    pub(crate) fn step(&mut self, rate: Rate, step: Step) {
        let Program { per_tile, per_table, per_cell, .. } = &mut self.program;
        if per_tile.len() + per_table.len() + per_cell.len() >= MOST_STEPS {
            self.is_full = true;
            return;
        }
        match rate {
            Rate::Tile => per_tile.push(step),
            Rate::Table => per_table.push(step),
            Rate::Fixed | Rate::Cell => per_cell.push(step),
        }
    }

    /// Returns the register of a known result. If the result is not known, returns a new register,
    /// and adds the step that `make` creates, which writes this register.
    fn numbered(
        &mut self,
        key: Key,
        rate: Rate,
        range: Range,
        make: impl FnOnce(Arg) -> Step,
    ) -> Arg {
        if let Some(&found) = self.known.iter().rev().find_map(|known| known.get(&key)) {
            return found;
        }
        if range.0 == range.1 {
            return Arg::Fixed(range.0);
        }
        let out = self.register(rate, range);
        self.step(rate, make(out));
        // Only steps of the rate Cell are skipped. Results of other steps may be reused anywhere.
        let innermost = if rate == Rate::Cell { self.known.len() - 1 } else { 0 };
        self.known[innermost].insert(key, out);
        out
    }

    pub(crate) fn one(&mut self, op: Op, a: Arg, range: Range) -> Arg {
        self.numbered(Key::One(op, a), a.rate(), range, |out| Step::One { op, a, out })
    }

    fn pure(&mut self, op: Op, a: Arg, b: Arg, range: Range) -> Arg {
        let (a, b) = if op.commutes() && b < a { (b, a) } else { (a, b) };
        self.need_fixed([a, b]);
        let rate = a.rate().with(b.rate());
        self.numbered(Key::Two(op, a, b), rate, range, |out| Step::Two { op, a, b, out })
    }

    /// Adds a comparison, or another step that always has a result.
    pub(crate) fn two(&mut self, op: Op, a: Arg, b: Arg) -> Arg {
        let ((low_a, high_a), (low_b, high_b)) = (self.range(a), self.range(b));
        if let (Arg::Fixed(x), Arg::Fixed(y)) = (a, b)
            && let Ok(found) = exact(op, x, y)
        {
            return Arg::Fixed(found);
        }
        let decided = match op {
            Op::Equal if high_a < low_b || high_b < low_a => Some(FALSE),
            Op::Less if low_a >= high_b => Some(FALSE),
            Op::LessEqual if low_a > high_b => Some(FALSE),
            Op::Less if high_a < low_b => Some(TRUE),
            Op::LessEqual if high_a <= low_b || a == b => Some(TRUE),
            Op::Equal if a == b => Some(TRUE),
            Op::Less if a == b => Some(FALSE),
            Op::Add | Op::Or | Op::Xor | Op::Left | Op::Right if b == Arg::Fixed(0) => Some(a),
            Op::Add | Op::Or | Op::Xor if a == Arg::Fixed(0) => Some(b),
            Op::Sub if b == Arg::Fixed(0) => Some(a),
            Op::Mul if b == Arg::Fixed(1) => Some(a),
            Op::Mul if a == Arg::Fixed(1) => Some(b),
            // If one operand of `<=` is constant, the result is the other operand or its negation.
            Op::LessEqual if a == TRUE && (low_b, high_b) == (0, 1) => Some(b),
            Op::LessEqual if b == FALSE && (low_a, high_a) == (0, 1) => return self.not(a),
            Op::Equal if a == TRUE && (low_b, high_b) == (0, 1) => Some(b),
            Op::Equal if b == TRUE && (low_a, high_a) == (0, 1) => Some(a),
            _ => None,
        };
        if let Some(decided) = decided {
            return decided;
        }
        if let (true, Op::Equal, x, Arg::Fixed(y)) | (true, Op::Equal, Arg::Fixed(y), x) =
            (self.shape.is_band, op, a, b)
            && self.inputs.get(&Input::Value) == Some(&x)
            && *self.marked.get_or_insert(y) == y
        {
            return self.input(Input::Mark);
        }
        if let Some(found) = self.of_choices(op, a, b) {
            return found;
        }
        if op == Op::Left {
            // Lanes must be wide enough for the shifted bit.
            self.need((0, 1i128 << high_b.clamp(0, 126)));
        }
        let range = of_two(op, (low_a, high_a), (low_b, high_b)).unwrap_or(FULL);
        self.pure(op, a, b, range)
    }

    /// Compiles a step on a number that a condition chooses to a choice between two results, if
    /// these results are computed less often than the choice.
    fn of_choices(&mut self, op: Op, a: Arg, b: Arg) -> Option<Arg> {
        let (condition, [x, y]) = match (self.chosen.get(&a), self.chosen.get(&b)) {
            (Some(&(condition, then, other)), _) => (condition, [(then, b), (other, b)]),
            (None, Some(&(condition, then, other))) => (condition, [(a, then), (a, other)]),
            (None, None) => return None,
        };
        let is_rare = |(a, b): (Arg, Arg)| a.rate().with(b.rate()) < condition.rate();
        if !is_rare(x) || !is_rare(y) {
            return None;
        }
        let (x, y) = (self.two(op, x.0, x.1), self.two(op, y.0, y.1));
        Some(self.select(condition, x, y))
    }

    pub(crate) fn and(&mut self, a: Arg, b: Arg) -> Arg {
        match (a, b) {
            (FALSE, _) | (_, FALSE) => FALSE,
            (TRUE, x) | (x, TRUE) => x,
            (x, y) if x == y => x,
            _ => self.pure(Op::And, a, b, (0, 1)),
        }
    }

    pub(crate) fn or(&mut self, a: Arg, b: Arg) -> Arg {
        match (a, b) {
            (TRUE, _) | (_, TRUE) => TRUE,
            (FALSE, x) | (x, FALSE) => x,
            (x, y) if x == y => x,
            _ => self.pure(Op::Or, a, b, (0, 1)),
        }
    }

    pub(crate) fn not(&mut self, a: Arg) -> Arg {
        match a {
            Arg::Fixed(truth) => Arg::Fixed(1 - truth),
            _ => match self.denied.get(&a) {
                Some(&of) => of,
                None => {
                    let out = self.one(Op::Not, a, (0, 1));
                    self.denied.insert(out, a);
                    out
                }
            },
        }
    }

    pub(crate) fn select(&mut self, condition: Arg, then: Arg, other: Arg) -> Arg {
        match condition {
            TRUE => return then,
            FALSE => return other,
            _ if then == other => return then,
            _ if then == TRUE && other == FALSE => return condition,
            _ if then == FALSE && other == TRUE => return self.not(condition),
            _ => {}
        }
        self.need_fixed([then, other]);
        let ((a, b), (c, d)) = (self.range(then), self.range(other));
        let rate = condition.rate().with(then.rate()).with(other.rate());
        let key = Key::Select(condition, then, other);
        let out = self.numbered(key, rate, (a.min(c), b.max(d)), |out| Step::Select {
            condition,
            then,
            other,
            out,
        });
        self.chosen.insert(out, (condition, then, other));
        out
    }

    pub(crate) fn has_option(&mut self, slot: usize, a: Arg) -> Arg {
        self.need_fixed([a]);
        self.numbered(Key::HasOption(slot, a), Rate::Cell, (0, 1), |out| Step::HasOption {
            slot,
            a,
            out,
        })
    }

    pub(crate) fn fail(&mut self, mask: Arg, span: Span, cause: Cause) {
        if mask != FALSE {
            self.step(Rate::Cell, Step::Fail { mask, fault: Fault { span, cause } });
        }
    }

    /// Compiles a part whose results are needed only in the lanes of the mask.
    pub(crate) fn region<T>(
        &mut self,
        mask: Arg,
        part: impl FnOnce(&mut Lower) -> Lowered<T>,
    ) -> Lowered<T> {
        if mask.rate() == Rate::Fixed {
            return part(self);
        }
        let begin = self.program.per_cell.len();
        self.step(Rate::Cell, Step::Skip { mask, to: 0 });
        self.known.push(HashMap::new());
        self.around.push(mask);
        let gathered = self.gathered.len();
        let found = part(self);
        self.gathered.truncate(gathered);
        self.around.pop();
        self.known.pop();
        let end = self.program.per_cell.len();
        if end == begin + 1 && !self.is_full {
            self.program.per_cell.pop();
        } else if let Some(Step::Skip { to, .. }) = self.program.per_cell.get_mut(begin) {
            *to = end;
        }
        found
    }

    /// Adds a step on one operand. If the step may have no result, it has checks.
    pub(crate) fn unary(&mut self, op: Op, a: Arg, mask: Arg, span: Span) -> Lowered<Arg> {
        if let Some(range) = of_one(op, self.range(a)) {
            if let Arg::Fixed(x) = a
                && let Ok(found) = exact(op, x, 0)
            {
                return Ok(Arg::Fixed(found));
            }
            if op == Op::Tri {
                // The step adds one to the number, so the sum must fit.
                let (_, high) = self.range(a);
                self.need((0, high.saturating_add(1)));
            }
            return Ok(self.one(op, a, range));
        }
        let range = match op {
            Op::Popcount | Op::V2 | Op::Log2 => (0, 127),
            Op::IsPrime => (0, 1),
            _ => FULL,
        };
        self.checked(op, a, None, mask, span, range)
    }

    fn checked(
        &mut self,
        op: Op,
        a: Arg,
        b: Option<Arg>,
        mask: Arg,
        span: Span,
        range: Range,
    ) -> Lowered<Arg> {
        if mask == FALSE {
            return Ok(Arg::Fixed(0));
        }
        self.need_fixed([Some(a), b].into_iter().flatten());
        let out = self.register(Rate::Cell, range);
        self.step(Rate::Cell, Step::Checked { op, a, b, mask, span, out });
        Ok(out)
    }

    pub(crate) fn arithmetic(
        &mut self,
        op: BinaryOp,
        x: Arg,
        y: Arg,
        mask: Arg,
        span: Span,
    ) -> Lowered<Arg> {
        let op = match op {
            BinaryOp::Or => Op::Or,
            BinaryOp::Xor => Op::Xor,
            BinaryOp::And => Op::And,
            BinaryOp::Left => Op::Left,
            BinaryOp::Right => Op::Right,
            BinaryOp::Add => Op::Add,
            BinaryOp::Sub => Op::Sub,
            BinaryOp::Mul => Op::Mul,
            BinaryOp::Div => Op::Div,
            BinaryOp::Mod => Op::Mod,
            BinaryOp::Pow => Op::Pow,
        };
        self.binary(op, x, y, mask, span)
    }

    /// Adds a step on two operands. If the step may have no result, it has checks.
    pub(crate) fn binary(&mut self, op: Op, x: Arg, y: Arg, mask: Arg, span: Span) -> Lowered<Arg> {
        if let (Arg::Fixed(x), Arg::Fixed(y)) = (x, y) {
            return match exact(op, x, y) {
                Ok(found) => Ok(Arg::Fixed(found)),
                Err(cause) => {
                    self.fail(mask, span, cause);
                    Ok(Arg::Fixed(0))
                }
            };
        }
        // Bits are faster than a division. Both ways round down.
        let (op, y) = match (op, y) {
            (Op::Mod, Arg::Fixed(by)) if by > 0 && by & (by - 1) == 0 => {
                (Op::And, Arg::Fixed(by - 1))
            }
            (Op::Div, Arg::Fixed(by)) if by > 0 && by & (by - 1) == 0 => {
                (Op::Right, Arg::Fixed(by.trailing_zeros().into()))
            }
            other => other,
        };
        let (of_x, of_y) = (self.range(x), self.range(y));
        if of_two(op, of_x, of_y).is_some() {
            return Ok(self.two(op, x, y));
        }
        let largest = |(low, high): Range| low.unsigned_abs().max(high.unsigned_abs());
        let within = |most: u128| i128::try_from(most).map_or(FULL, |most| (-most, most));
        let range = match op {
            Op::Div => within(largest(of_x)),
            Op::Mod => within(largest(of_y)),
            Op::Right => (of_x.0.min(0), of_x.1.max(0)),
            _ => FULL,
        };
        self.checked(op, x, Some(y), mask, span, range)
    }
}
