//! A family of games in a browser, which has no tables. It evaluates positions and fills levels,
//! but refuses to count, list and check. So the compiler leaves out the code for counting, listing
//! and checking, which would be half of the page's download.

use grundy_rules::{Game, Pile, Position, Table, TableError};

use crate::answer::{Answer, Answers, Env, Moves, Reply, SolveError};
use crate::check::{Checker, Checking};
use crate::count::{Count, Counted};
use crate::fill::{Job, Maker, Means, Needs, TableRequest};
use crate::rows::Rows;
use crate::solver::{Records, Solver};

/// A family without the methods that need tables.
pub(crate) struct InBrowser<S>(pub(crate) S);

fn refusal(table: &Table) -> SolveError {
    SolveError::InBrowser { table: table.to_string() }
}

impl<S: Solver> Solver for InBrowser<S> {
    fn tables(&self, game: Game, wanted: &TableRequest) -> Result<Vec<Table>, TableError> {
        self.0.tables(game, wanted)
    }

    fn needs(&self, table: &Table, means: &Means) -> Needs {
        self.0.needs(table, means)
    }

    fn maker(&self, job: Job) -> Box<dyn Maker> {
        self.0.maker(job)
    }

    fn answer(&self, game: Game, at: &Position, env: &Env<'_>) -> Reply<Answer> {
        self.0.answer(game, at, env)
    }

    fn moves(&self, game: Game, position: &Position, env: &Env<'_>) -> Reply<Moves> {
        self.0.moves(game, position, env)
    }

    fn row(&self, game: Game, word: &[Pile], last: Pile, env: &Env<'_>) -> Reply<Answers> {
        self.0.row(game, word, last, env)
    }

    fn tile(&self, game: Game, middle: &[Pile], last: Pile, env: &Env<'_>) -> Reply<Answers> {
        self.0.tile(game, middle, last, env)
    }

    fn checker<'a>(&self, of: Checking<'a>) -> Reply<Box<dyn Checker + 'a>> {
        Err(refusal(of.stored.table()))
    }

    fn count(&self, count: Count<'_>) -> Reply<Option<Counted>> {
        Err(refusal(count.table))
    }

    fn rows<'a>(&self, of: Count<'a>) -> Reply<Box<dyn Rows + 'a>> {
        Err(refusal(of.table))
    }

    fn records(&self, game: Game) -> Option<&dyn Records> {
        self.0.records(game)
    }
}

#[cfg(test)]
mod tests {
    use grundy_kernels::Isa;
    use grundy_rules::games::NIM;
    use grundy_sweep::Control;

    use super::*;
    use crate::{AnyGame, NoTables};

    #[test]
    fn a_browser_answers_and_counts_nothing() {
        let table = Table::new(NIM, 4, 2).unwrap();
        let env = Env::with_nothing(&NoTables);
        let found = InBrowser(AnyGame).answer(NIM, &Position::multiset(vec![1, 3]), &env);
        assert_eq!(found.unwrap().value, Some(2));
        let (isa, control) = (Isa::best(), &Control::new());
        let of = Count {
            table: &table,
            stored: None,
            memory: grundy_sweep::MemoryLimit::new(1 << 20),
            isa,
            control,
        };
        let errors =
            [InBrowser(AnyGame).count(of).unwrap_err(), InBrowser(AnyGame).rows(of).err().unwrap()];
        for error in errors {
            let text = "a browser cannot count, list or check nim/n4/k2";
            assert!(error.to_string().starts_with(text), "{error}");
        }
    }
}
