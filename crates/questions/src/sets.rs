//! Compiles sets, lists and functions of their members to steps.

use grundy_language::ast::{BinaryOp, Function};
use grundy_language::fault::Cause;
use grundy_language::{Problem, Span};

use crate::program::{Arg, Op, Rate, Step};
use crate::steps::{FALSE, Lower, Lowered, SetLow, TRUE};

/// The largest move in a set that is stored as bits. A positive `i128` has bits for 127 moves.
const LARGEST_MOVE: i128 = 126;

impl Lower {
    pub(crate) fn items(&mut self, set: &SetLow) -> Vec<(Arg, Arg)> {
        match *set {
            SetLow::Items(ref items) => items.clone(),
            SetLow::Mask(mask, largest) => (1..=largest)
                .map(|s| (Arg::Fixed(s), self.two(Op::Bit, mask, Arg::Fixed(s))))
                .collect(),
            SetLow::Options(slot, largest) => (0..=largest)
                .map(|v| (Arg::Fixed(v), self.has_option(slot, Arg::Fixed(v))))
                .collect(),
        }
    }

    /// Returns the members with new guards, so that only one of several equal members is present.
    pub(crate) fn distinct(&mut self, set: &SetLow) -> Vec<(Arg, Arg)> {
        let items = self.items(set);
        if !matches!(set, SetLow::Items(_)) {
            return items;
        }
        let mut found: Vec<(Arg, Arg)> = Vec::with_capacity(items.len());
        for &(value, mut guard) in &items {
            for &(before, there) in &found {
                let same = self.two(Op::Equal, before, value);
                let twice = self.and(there, same);
                let once = self.not(twice);
                guard = self.and(guard, once);
            }
            found.push((value, guard));
        }
        found
    }

    pub(crate) fn contains(&mut self, set: &SetLow, x: Arg) -> Arg {
        match *set {
            SetLow::Mask(mask, _) => self.two(Op::Bit, mask, x),
            SetLow::Options(slot, _) => self.has_option(slot, x),
            SetLow::Items(ref items) => {
                let mut any = FALSE;
                for &(value, guard) in items {
                    let same = self.two(Op::Equal, value, x);
                    let found = self.and(guard, same);
                    any = self.or(any, found);
                }
                any
            }
        }
    }

    /// Tests if every member of one set is a member of the other.
    fn is_within(&mut self, inner: &SetLow, outer: &SetLow) -> Arg {
        let mut all = TRUE;
        for (value, guard) in self.items(inner) {
            let found = self.contains(outer, value);
            let fits = self.two(Op::LessEqual, guard, found);
            all = self.and(all, fits);
        }
        all
    }

    pub(crate) fn same_set(&mut self, x: &SetLow, y: &SetLow) -> Arg {
        if let (SetLow::Mask(x, _), SetLow::Mask(y, _)) = (x, y) {
            return self.two(Op::Equal, *x, *y);
        }
        let (there, back) = (self.is_within(x, y), self.is_within(y, x));
        self.and(there, back)
    }

    pub(crate) fn of_sets(&mut self, op: BinaryOp, x: &SetLow, y: &SetLow) -> SetLow {
        match op {
            BinaryOp::Or => {
                let mut items = self.items(x);
                items.extend(self.items(y));
                SetLow::Items(items)
            }
            BinaryOp::Xor => {
                let left = self.of_sets(BinaryOp::Sub, x, y);
                let right = self.of_sets(BinaryOp::Sub, y, x);
                self.of_sets(BinaryOp::Or, &left, &right)
            }
            _ => {
                let mut items = Vec::new();
                for (value, guard) in self.items(x) {
                    let found = self.contains(y, value);
                    let wanted = if op == BinaryOp::Sub { self.not(found) } else { found };
                    let guard = self.and(guard, wanted);
                    if guard != FALSE {
                        items.push((value, guard));
                    }
                }
                SetLow::Items(items)
            }
        }
    }

    /// Tests if all members are at least 1, so that they can be moves.
    pub(crate) fn is_move_set(&mut self, set: &SetLow) -> Arg {
        let mut all = TRUE;
        if matches!(set, SetLow::Mask(..)) {
            return all;
        }
        for (value, guard) in self.items(set) {
            let is_move = self.two(Op::LessEqual, Arg::Fixed(1), value);
            let fits = self.two(Op::LessEqual, guard, is_move);
            all = self.and(all, fits);
        }
        all
    }

    pub(crate) fn mask_of(&mut self, set: &SetLow, span: Span) -> Lowered<Arg> {
        if let SetLow::Mask(mask, _) = set {
            return Ok(*mask);
        }
        let mut mask = Arg::Fixed(0);
        for (value, guard) in self.items(set) {
            if self.range(value).1 > LARGEST_MOVE {
                let what = format!("a move is at most {LARGEST_MOVE}");
                return Err(Problem::new(what, span, "this may contain a larger number"));
            }
            // A member below 1 sets no bit. A different step reports this member as a fault.
            let positive = self.two(Op::LessEqual, Arg::Fixed(1), value);
            let guard = self.and(guard, positive);
            let place = self.two(Op::Max, value, Arg::Fixed(1));
            let place = self.two(Op::Sub, place, Arg::Fixed(1));
            let bit = match (guard, place) {
                (Arg::Fixed(guard), Arg::Fixed(place)) => Arg::Fixed(guard << place),
                _ => self.two(Op::Left, guard, place),
            };
            mask = match (mask, bit) {
                (Arg::Fixed(x), Arg::Fixed(y)) => Arg::Fixed(x | y),
                _ => self.two(Op::Or, mask, bit),
            };
        }
        Ok(mask)
    }

    /// Compiles a function of all options, if there is a fast step for it.
    pub(crate) fn of_options(
        &mut self,
        function: Function,
        set: &SetLow,
        arguments: usize,
    ) -> Option<Arg> {
        let &SetLow::Options(slot, largest) = set else { return None };
        match function {
            Function::Mex if arguments == 1 => {
                let out = self.register(Rate::Cell, (0, largest + 1));
                self.step(Rate::Cell, Step::MexOptions { slot, out });
                Some(out)
            }
            Function::Size => {
                let out = self.register(Rate::Cell, (0, largest + 1));
                self.step(Rate::Cell, Step::CountOptions { slot, out });
                Some(out)
            }
            _ => None,
        }
    }

    /// Compiles a function of numbers. The guard of a number is true if the number is present.
    pub(crate) fn call(
        &mut self,
        function: Function,
        all: &[(Arg, Arg)],
        mask: Arg,
        span: Span,
    ) -> Lowered<Arg> {
        let name = function.name();
        let one = |op, lower: &mut Lower| lower.unary(op, all[0].0, mask, span);
        match function {
            Function::Abs => one(Op::Abs, self),
            Function::Popcount => one(Op::Popcount, self),
            Function::V2 => one(Op::V2, self),
            Function::Log2 => one(Op::Log2, self),
            Function::Tri => one(Op::Tri, self),
            Function::IsPrime => one(Op::IsPrime, self),
            Function::Gcd => {
                let mut found = Arg::Fixed(0);
                for &(value, guard) in all {
                    let value = self.select(guard, value, Arg::Fixed(0));
                    found = self.binary(Op::Gcd, found, value, mask, span)?;
                }
                Ok(found)
            }
            Function::Sum | Function::Xor => {
                let op = if function == Function::Sum { BinaryOp::Add } else { BinaryOp::Xor };
                let mut all: Vec<Arg> = all
                    .iter()
                    .map(|&(value, guard)| self.select(guard, value, Arg::Fixed(0)))
                    .collect();
                // Sort the operands by rate, because the first sums are then computed least often.
                all.sort_by_key(Arg::rate);
                let mut sum = Arg::Fixed(0);
                for value in all {
                    sum = self.arithmetic(op, sum, value, mask, span)?;
                }
                Ok(sum)
            }
            Function::Size => {
                let mut count = Arg::Fixed(0);
                for &(_, guard) in all {
                    count = self.arithmetic(BinaryOp::Add, count, guard, mask, span)?;
                }
                Ok(count)
            }
            Function::Min | Function::Max => {
                let op = if function == Function::Min { Op::Min } else { Op::Max };
                let mut all = all.to_vec();
                all.sort_by_key(|(value, guard)| value.rate().max(guard.rate()));
                let (mut any, mut best) = (FALSE, Arg::Fixed(0));
                for (value, guard) in all {
                    let better = match (best, value) {
                        _ if any == FALSE => value,
                        (Arg::Fixed(x), Arg::Fixed(y)) if any == TRUE => {
                            Arg::Fixed(if op == Op::Min { x.min(y) } else { x.max(y) })
                        }
                        _ => {
                            let both = self.two(op, best, value);
                            self.select(any, both, value)
                        }
                    };
                    best = match any {
                        FALSE if guard != TRUE => self.select(guard, better, Arg::Fixed(0)),
                        FALSE => better,
                        _ => self.select(guard, better, best),
                    };
                    any = self.or(any, guard);
                }
                let none = self.not(any);
                let none = self.and(mask, none);
                self.fail(none, span, Cause::OfNothing(name));
                Ok(best)
            }
            Function::Mex => {
                let mut mex = Arg::Fixed(0);
                for _ in 0..all.len() {
                    let mut hit = FALSE;
                    for &(value, guard) in all {
                        let same = self.two(Op::Equal, value, mex);
                        let same = self.and(same, guard);
                        hit = self.or(hit, same);
                    }
                    if hit == FALSE {
                        break;
                    }
                    mex = self.arithmetic(BinaryOp::Add, mex, hit, mask, span)?;
                }
                Ok(mex)
            }
            Function::Run
            | Function::After
            | Function::All
            | Function::Any
            | Function::Count
            | Function::Each => unreachable!("{name} is no function of numbers"),
        }
    }

    /// Compiles the number at a place of a list. Places count from 1.
    pub(crate) fn index(
        &mut self,
        list: &[(Arg, Arg)],
        index: Arg,
        mask: Arg,
        span: Span,
    ) -> Lowered<Arg> {
        let length = list.len();
        let low = self.two(Op::LessEqual, Arg::Fixed(1), index);
        let high = self.two(Op::LessEqual, index, Arg::Fixed(length as i128));
        let mut inside = self.and(low, high);
        let mut found = Arg::Fixed(1);
        for (place, &(value, guard)) in (1..).zip(list) {
            let here = self.two(Op::Equal, index, Arg::Fixed(place));
            found = self.select(here, value, found);
            if guard != TRUE {
                let present = self.two(Op::LessEqual, here, guard);
                inside = self.and(inside, present);
            }
        }
        let outside = self.not(inside);
        let outside = self.and(mask, outside);
        let place = match index {
            Arg::Fixed(place) => place,
            _ => self.range(index).1,
        };
        self.fail(outside, span, Cause::NoPlace { place, length });
        Ok(found)
    }
}
