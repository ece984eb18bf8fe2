//! Compiles names, and properties of positions that a statement looks up.

use grundy_language::Memories;
use grundy_language::ast::{Builtin, End, Function, OtherPosition, Property};
use grundy_language::eval::LARGEST_PILE;
use grundy_language::fault::Cause;
use grundy_language::{Problem, Span};
use grundy_rules::{Game, Order, Outcome, Pile, RULE_FILES, Table};

use crate::program::{
    Arg, Input, Layout, LookUp, LookupRange, Op, OptionSide, Rate, Remembered, Step,
};
use crate::steps::{FALSE, LARGEST_KEPT_TILE, Low, Lower, Lowered, SetLow, Shape, TRUE};

/// The largest number of members of a range, each of which becomes a few steps.
const LONGEST_RANGE: i128 = 1 << 12;

/// The largest value in a set of options, which has a bit for each value.
const MOST_OPTIONS: i128 = 1 << 24;

impl Lower {
    pub(crate) fn builtin(&mut self, builtin: Builtin, mask: Arg, span: Span) -> Lowered<Low> {
        let length = self.shape.length;
        let piles = |lower: &mut Lower, places: &mut dyn Iterator<Item = usize>| {
            places.map(|at| (lower.input(Input::Pile(at)), TRUE)).collect::<Vec<_>>()
        };
        Ok(match builtin {
            Builtin::Value => Low::Int(self.input(Input::Value)),
            Builtin::Outcome => {
                let cell = self.input(Input::Value);
                Low::Int(self.class_of(self.game(), cell))
            }
            Builtin::First => Low::Int(self.input(Input::Pile(0))),
            Builtin::Last => Low::Int(self.input(Input::Pile(length - 1))),
            Builtin::Run(end) | Builtin::After(end) => {
                let (run, after) = self.run_at(end)?;
                Low::Int(if matches!(builtin, Builtin::Run(_)) { run } else { after })
            }
            Builtin::Length => Low::Int(Arg::Fixed(length as i128)),
            Builtin::Total => {
                let all = piles(self, &mut (0..length));
                Low::Int(self.call(Function::Sum, &all, mask, span)?)
            }
            Builtin::LastMove | Builtin::State => Low::Int(self.input(Input::State)),
            Builtin::Size => {
                let moves = self.input(Input::Moves);
                Low::Int(self.unary(Op::Popcount, moves, mask, span)?)
            }
            Builtin::Pile(number) if number > length => {
                self.fail(mask, span, Cause::NoPile { number, length });
                Low::Int(Arg::Fixed(1))
            }
            Builtin::Pile(number) => Low::Int(self.input(Input::Pile(number - 1))),
            Builtin::Piles => Low::List(piles(self, &mut (0..length))),
            Builtin::Reverse => Low::List(piles(self, &mut (0..length).rev())),
            Builtin::Middle => Low::List(piles(self, &mut (1..length.saturating_sub(1)))),
            Builtin::Moves => {
                let moves = self.input(Input::Moves);
                Low::Set(SetLow::Mask(moves, self.shape.max_pile.into()))
            }
            Builtin::Options => Low::Set(self.options(OptionSide::All, mask, span)?),
            Builtin::LeftOptions => Low::Set(self.options(OptionSide::Left, mask, span)?),
            Builtin::RightOptions => Low::Set(self.options(OptionSide::Right, mask, span)?),
            Builtin::Class(class) => Low::Int(Arg::Fixed(class as i128)),
        })
    }

    /// Returns the number of equal piles at an end, and the pile after them or 0. The piles between
    /// the ends are compared with each other first, so that most steps run once for a tile.
    fn run_at(&mut self, end: End) -> Lowered<(Arg, Arg)> {
        let length = self.shape.length;
        let mut places: Vec<usize> = (0..length).collect();
        if end == End::Last {
            places.reverse();
        }
        let mut piles = places.into_iter().map(|at| self.input(Input::Pile(at)));
        let (first, inner) = (piles.next().unwrap_or(Arg::Fixed(0)), piles.collect::<Vec<_>>());
        let Some(&next) = inner.first() else { return Ok((TRUE, Arg::Fixed(0))) };
        // `run` piles equal `next`, from this pile on. All earlier piles do if `all` is true.
        let (mut all, mut run, mut after) = (TRUE, Arg::Fixed(1), Arg::Fixed(0));
        for (at, &pile) in inner.iter().enumerate().skip(1) {
            let (same, before) = (self.two(Op::Equal, next, pile), all);
            // A tile whose inner piles are all equal has no band, unless there is only one.
            let before =
                if self.shape.is_band && at >= 2 && at == length - 2 { FALSE } else { before };
            all = self.and(before, same);
            run = self.two(Op::Add, run, all);
            let ended = self.select(same, Arg::Fixed(0), pile);
            after = self.select(before, ended, after);
        }
        let same = self.two(Op::Equal, first, next);
        let longer = self.two(Op::Add, run, TRUE);
        Ok((self.select(same, longer, TRUE), self.select(same, after, next)))
    }

    /// Returns the index of the outcome class of a cell of a game.
    fn class_of(&mut self, game: Game, cell: Arg) -> Arg {
        if !game.is_impartial() {
            return cell;
        }
        let zero = self.two(Op::Equal, cell, Arg::Fixed(0));
        let (p, n) = (Outcome::P as i128, Outcome::N as i128);
        self.select(zero, Arg::Fixed(p), Arg::Fixed(n))
    }

    /// Returns a bound on the cells of positions of up to `length` piles, each at most `largest`.
    fn largest_cell(game: Game, length: usize, largest: i128) -> i128 {
        if !game.is_impartial() {
            return Outcome::ALL.len() as i128 - 1;
        }
        let largest = largest.clamp(1, LARGEST_PILE) as Pile;
        game.largest_value(largest, length.max(1)).min(u32::MAX.into()).into()
    }

    /// Returns the register of an input, which the worker fills.
    pub(crate) fn input(&mut self, input: Input) -> Arg {
        if let Some(&known) = self.inputs.get(&input) {
            return known;
        }
        let Shape { length, max_pile, layout, tile_cells, is_band } = self.shape;
        let most = i128::from(max_pile);
        let kept = match is_band || tile_cells <= LARGEST_KEPT_TILE {
            true => Rate::Table,
            false => Rate::Cell,
        };
        let (rate, range) = match input {
            Input::Value => (Rate::Cell, (0, Lower::largest_cell(self.game(), length, most))),
            Input::Pile(at) => {
                let at_end = match layout {
                    Layout::Between | Layout::Backwards => at == 0 || at + 1 == length,
                    Layout::Behind => at + 2 >= length,
                    Layout::List => false,
                };
                let rate = match layout {
                    Layout::List => Rate::Cell,
                    _ if at_end => kept,
                    _ => Rate::Tile,
                };
                (rate, (self.game().order().least_pile().into(), most))
            }
            Input::State => {
                // A last move may exceed every remaining pile.
                let table = Table::new(self.game(), max_pile, length);
                let last = table.map_or(Pile::MAX, |table| table.largest_state());
                (Rate::Cell, (0, last.into()))
            }
            Input::Mark => (Rate::Cell, (0, 1)),
            Input::Moves => (Rate::Cell, (0, (1i128 << max_pile.min(126)) - 1)),
        };
        let out = self.register(rate, range);
        self.program.inputs.push((input, out));
        self.inputs.insert(input, out);
        out
    }

    pub(crate) fn other(
        &mut self,
        property: Property,
        there: &OtherPosition,
        mask: Arg,
        span: Span,
    ) -> Lowered<Low> {
        let mut numbers = Vec::new();
        for pile in there.piles.iter().flatten() {
            match self.of(pile, mask)? {
                Low::Int(number) => numbers.push((number, TRUE)),
                Low::List(list) => numbers.extend(list),
                other => unreachable!("wrong type after the type check: {other:?}"),
            }
        }
        self.position(property, there, &numbers, mask, span)
    }

    /// Compiles a property of a position with these piles. If a pile may be missing, distinguishes
    /// the two cases.
    fn position(
        &mut self,
        property: Property,
        there: &OtherPosition,
        numbers: &[(Arg, Arg)],
        mask: Arg,
        span: Span,
    ) -> Lowered<Low> {
        let Some(at) = numbers.iter().position(|&(_, guard)| guard != TRUE) else {
            let numbers: Vec<Arg> = numbers.iter().map(|&(number, _)| number).collect();
            return self.other_of(property, there, numbers, mask, span);
        };
        let (mut with, mut without) = (numbers.to_vec(), numbers.to_vec());
        let guard = std::mem::replace(&mut with[at].1, TRUE);
        without.remove(at);
        let missing = self.not(guard);
        let (yes, no) = (self.and(mask, guard), self.and(mask, missing));
        let with = self.region(yes, |lower| lower.position(property, there, &with, yes, span))?;
        let without =
            self.region(no, |lower| lower.position(property, there, &without, no, span))?;
        Ok(self.either(guard, with, without))
    }

    fn other_of(
        &mut self,
        property: Property,
        there: &OtherPosition,
        numbers: Vec<Arg>,
        mask: Arg,
        span: Span,
    ) -> Lowered<Low> {
        let game = self.games.of(there.game.as_ref(), property);
        let remembered = match (&there.memory[..], game.memories()) {
            ([], _) => None,
            ([set], None) => Some((self.of(set, mask)?, set.span)),
            (numbers, memories) => {
                let memories = memories.unwrap_or(Memories::LAST_MOVE);
                let of = memories.all().iter().zip(numbers);
                for (of, number) in of.filter(|_| property != Property::Exists) {
                    let Some(cause) = of.out_of_range() else { continue };
                    let Low::Bool(has) = self.of(&of.has(number, span), mask)? else { continue };
                    let wrong = self.not(has);
                    let wrong = self.and(mask, wrong);
                    self.fail(wrong, span, cause);
                }
                Some((self.of(&memories.state_of(numbers, span), mask)?, span))
            }
        };
        // A law may exclude positions. So only games without a law have steps for `exists`.
        if property == Property::Exists && (!RULE_FILES || game.rule_file().is_none()) {
            return Ok(Low::Bool(self.exists(game, &numbers, remembered.map(|(low, _)| low))));
        }
        let memory = match remembered {
            None => Remembered::Beginning,
            Some((Low::Int(taken), _)) => Remembered::State(taken),
            Some((Low::Set(set), span)) => {
                // A member below 1 is a fault.
                let fits = self.is_move_set(&set);
                let wrong = self.not(fits);
                let wrong = self.and(mask, wrong);
                self.fail(wrong, span, Cause::NoPosition("with a move below 1".to_owned()));
                Remembered::Moves(self.mask_of(&set, span)?)
            }
            other => unreachable!("wrong type after the type check: {other:?}"),
        };
        let largest = numbers.iter().map(|&x| self.range(x).1).max().unwrap_or(0);
        let pile = |at| self.inputs.get(&Input::Pile(at));
        let is_here = memory == Remembered::Beginning
            && numbers.len() == self.shape.length
            && numbers.iter().enumerate().all(|(at, number)| pile(at) == Some(number));
        let most = match property {
            Property::Exists => 1,
            _ => {
                let max_pile = u64::try_from(largest.max(0)).unwrap_or(u64::MAX);
                let length = numbers.len();
                self.program.looks_up(LookupRange { game, length, max_pile, is_here });
                Lower::largest_cell(game, numbers.len(), largest)
            }
        };
        for &number in &numbers {
            if let Arg::Fixed(number) = number {
                self.need((number, number));
            }
        }
        if let Remembered::State(Arg::Fixed(number)) | Remembered::Moves(Arg::Fixed(number)) =
            memory
        {
            self.need((number, number));
        }
        if mask == FALSE {
            return Ok(match property {
                Property::Exists => Low::Bool(FALSE),
                _ => Low::Int(Arg::Fixed(0)),
            });
        }
        let sure = numbers.iter().all(|&x| {
            let (low, high) = self.range(x);
            low >= 1 && high <= LARGEST_PILE
        });
        let per_tile = numbers.iter().all(|x| matches!(x.rate(), Rate::Fixed | Rate::Tile));
        let begins = memory == Remembered::Beginning;
        let layout = self.shape.layout;
        let rate = match sure && per_tile && begins && layout != Layout::List && !numbers.is_empty()
        {
            true => Rate::Tile,
            false => Rate::Cell,
        };
        let under = if rate == Rate::Tile { TRUE } else { mask };
        let out = self.register(rate, (0, most));
        let (piles, remembered, mask) = (numbers, memory, under);
        let look_up = LookUp { game, property, piles, is_here, remembered, mask, span, out };
        self.step(rate, Step::Other(look_up));
        Ok(match property {
            Property::Value | Property::Remoteness => Low::Int(out),
            Property::Outcome => Low::Int(self.class_of(game, out)),
            Property::Is(class) => {
                let found = self.class_of(game, out);
                Low::Bool(self.two(Op::Equal, found, Arg::Fixed(class as i128)))
            }
            Property::Exists => Low::Bool(out),
        })
    }

    fn exists(&mut self, game: Game, numbers: &[Arg], remembered: Option<Low>) -> Arg {
        let mut all = TRUE;
        let mut there = Vec::new();
        for &number in numbers {
            let high = self.two(Op::LessEqual, number, Arg::Fixed(LARGEST_PILE));
            let low = self.two(Op::LessEqual, Arg::Fixed(0), number);
            all = self.and(all, high);
            all = self.and(all, low);
            there.push(self.two(Op::Less, Arg::Fixed(0), number));
        }
        if game.order() == Order::Row {
            // A row has no empty pile between two other piles.
            for at in 1..there.len().saturating_sub(1) {
                let before = there[..at].iter().fold(FALSE, |any, &x| self.or(any, x));
                let behind = there[at + 1..].iter().fold(FALSE, |any, &x| self.or(any, x));
                let gap = self.not(there[at]);
                let around = self.and(before, behind);
                let gap = self.and(gap, around);
                let whole = self.not(gap);
                all = self.and(all, whole);
            }
        }
        if game.order().least_pile() == 0 {
            all = if numbers.is_empty() { FALSE } else { all };
        } else if !game.has_empty_position() {
            let any = there.iter().fold(FALSE, |any, &x| self.or(any, x));
            all = self.and(all, any);
        }
        match remembered {
            None => all,
            Some(Low::Int(taken)) => {
                let low = self.two(Op::LessEqual, Arg::Fixed(0), taken);
                let high = self.two(Op::LessEqual, taken, Arg::Fixed(LARGEST_PILE));
                all = self.and(all, low);
                self.and(all, high)
            }
            Some(Low::Set(set)) => {
                let fits = self.is_move_set(&set);
                self.and(all, fits)
            }
            Some(other) => unreachable!("wrong type after the type check: {other:?}"),
        }
    }

    fn options(&mut self, whose: OptionSide, mask: Arg, span: Span) -> Lowered<SetLow> {
        let Shape { length, max_pile, .. } = self.shape;
        let largest = Lower::largest_cell(self.game(), length, max_pile.into());
        if largest > MOST_OPTIONS {
            let what = format!("the values of options may be up to {largest}");
            let problem = Problem::new(what, span, "such a set would be too large");
            return Err(problem.hint("choose smaller positions"));
        }
        let words = largest / 64 + 1;
        self.program.option_words = words as usize;
        let slot = match self.program.options.iter().position(|&known| known == whose) {
            Some(slot) => slot,
            None => {
                self.program.options.push(whose);
                self.program.options.len() - 1
            }
        };
        if !self.gathered.contains(&whose) && mask != FALSE {
            self.gathered.push(whose);
            // Gather the values in all lanes of the enclosing part, which may use them again.
            let mask = self.around.last().copied().unwrap_or(TRUE);
            self.step(Rate::Cell, Step::Options { slot, mask, span });
        }
        Ok(SetLow::Options(slot, largest))
    }

    /// Returns all numbers that a range from `first` to `last` can contain, each with a guard.
    pub(crate) fn numbers(&mut self, first: Arg, last: Arg, span: Span) -> Lowered<SetLow> {
        let (low, high) = (self.range(first).0, self.range(last).1);
        if high.saturating_sub(low) >= LONGEST_RANGE {
            let what = format!("a range may have up to {LONGEST_RANGE} numbers; this one has more");
            let problem = Problem::new(what, span, format!("at most from {low} to {high}"));
            let size = self.game().size_name();
            return Err(problem.hint(format!("choose a smaller {size}, or another bound")));
        }
        let mut items = Vec::new();
        for number in low..=high {
            let from = self.two(Op::LessEqual, first, Arg::Fixed(number));
            let to = self.two(Op::LessEqual, Arg::Fixed(number), last);
            let guard = self.and(from, to);
            if guard != FALSE {
                items.push((Arg::Fixed(number), guard));
            }
        }
        Ok(SetLow::Items(items))
    }
}
