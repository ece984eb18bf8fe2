//! A search for laws: statements that hold in a small sample are checked on a larger range.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use grundy_kernels::Isa;
use grundy_questions::laws::{self, Law, LawKind, Sample};
use grundy_rules::{Game, Memory, Order, Pile};
use grundy_solvers::{Means, solver};
use grundy_sweep::period::{Periodicity, observed};
use grundy_sweep::{Control, MemoryLimit};

use crate::clock::Stopwatch;
use crate::walk::Kept;
use crate::{Ask, AskError, CheckReport, Database, Error, Level, Question};

/// The largest number of positions in a sample. In a smaller sample more laws hold by chance. In a
/// larger sample, testing thousands of conjunctions is slow.
const MOST_SAMPLED: u64 = 5000;

/// A search for laws.
#[derive(Clone, Copy, Debug)]
pub struct Guess<'a> {
    pub game: Game,
    pub length: usize,
    /// The largest pile of the positions on which a law is checked.
    pub max_pile: Pile,
    pub database: Option<&'a Database>,
    pub memory: MemoryLimit,
    pub isa: Isa,
    /// The time limit in seconds. The laws found until then are returned.
    pub seconds: f64,
    pub control: &'a Control,
}

/// A law, and the range on which it was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundLaw {
    pub kind: LawKind,
    pub statement: String,
    /// The subject, as in `g == 0` or `rows`. There is at most one law for each subject.
    pub subject: String,
    pub checked: u64,
    /// The number of checked positions to which the law applies.
    pub constrained: u64,
    /// The largest pile for which the law was tested and holds; it may exceed the range.
    pub tried_to: Pile,
}

/// The result of a search for laws.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guesses {
    /// The laws that hold on the whole range, the strongest first.
    pub found: Vec<FoundLaw>,
    /// The number of statements that hold in the sample but have a counterexample elsewhere.
    pub refuted: u64,
    /// The largest pile of the sample, and its number of positions.
    pub sample: (Pile, u64),
    /// True if the search reached the end.
    pub complete: bool,
}

/// The longest time to fill a level of a usual size, in seconds.
const USUAL_SECONDS: f64 = 2.0;

/// Returns the largest max pile among 1, 2, 3, 4, 6, 8, 12, ..., 1024 at which the level of this
/// length has at most `most` positions and takes at most two seconds to fill.
pub fn usual_max_pile(game: Game, length: usize, most: u64) -> Pile {
    let means = Means::one_thread(MemoryLimit::default());
    let fits = |max_pile: &Pile| {
        let fits = |level: Level<'_>| {
            let seconds = || solver(game).needs(level.table(), &means).seconds;
            level.table().most_numbers() <= most && seconds() <= USUAL_SECONDS
        };
        Level::new(game, length, *max_pile).is_ok_and(fits)
    };
    // The usual sizes are powers of two, and three times powers of two.
    let sizes = (1..=10).flat_map(|power| [1 << power, 3 << (power - 1)]);
    sizes.take_while(|&size| size <= 1024).filter(fits).last().unwrap_or(1)
}

impl Guess<'_> {
    /// The largest number of positions in the default range.
    pub const USUAL_POSITIONS: u64 = 1 << 22;

    /// Returns the sample and its largest pile. The range and [`MOST_SAMPLED`] limit this pile. The
    /// sample consists of all positions with piles up to this size.
    fn sample(&self, kept: &Kept) -> Result<(Pile, Sample), AskError> {
        let positions = |max_pile| {
            Level::new(self.game, self.length, max_pile).map_or(u64::MAX, |level| level.positions())
        };
        let fits = |&max_pile: &Pile| positions(max_pile) <= MOST_SAMPLED;
        let least = self.game.least_size(self.length);
        let max_pile = (least..=self.max_pile).take_while(fits).last().unwrap_or(least);
        let mut sample = Sample { game: self.game, length: self.length, positions: Vec::new() };
        let all = Question::parse(self.game, "k > 0")?;
        let ended =
            self.ask(&all, kept).find(self.length..=self.length, max_pile, |position, cell| {
                let (piles, memory) = (position.piles().to_vec(), position.memory().clone());
                sample.positions.push((piles, memory, cell));
                Ok::<bool, AskError>(!self.control.is_stopped())
            })?;
        if !ended {
            return Err(AskError::Level(Error::Stopped));
        }
        sample.positions.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
        Ok((max_pile, sample))
    }

    fn ask<'q>(&'q self, question: &'q Question, kept: &Kept) -> Ask<'q> {
        let ask = Ask::new(question)
            .sharing(kept)
            .memory(self.memory)
            .isa(self.isa)
            .control(self.control);
        match self.database {
            Some(database) => ask.database(database),
            None => ask,
        }
    }

    /// Runs the search.
    pub fn run(&self) -> Result<Guesses, AskError> {
        let start = Stopwatch::start();
        let is_over = || self.control.is_stopped() || start.elapsed().as_secs_f64() > self.seconds;
        let control = Control::new();
        stopping(&control, is_over, || Guess { control: &control, ..*self }.look())
    }

    fn look(&self) -> Result<Guesses, AskError> {
        Level::new(self.game, self.length, self.max_pile)?;
        // A law is checked in the sample, in the range, and beyond the range.
        let kept = &Kept::with_others(3);
        let (max_pile, sample) = match self.sample(kept) {
            // A law found in an incomplete sample is worthless.
            Err(AskError::Level(Error::Stopped)) => return Ok(Guesses::default()),
            sample => sample?,
        };
        let mut guessed = Guesses {
            sample: (max_pile, sample.positions.len() as u64),
            complete: true,
            ..Guesses::default()
        };
        let mut settled: Vec<String> = Vec::new();
        let tried = laws::laws(&sample);
        for law in rows_of_rows(&sample).into_iter().chain(tried) {
            if settled.contains(&law.subject) {
                continue;
            }
            if self.control.is_stopped() {
                guessed.complete = false;
                break;
            }
            let question = Question::parse(self.game, &law.text)?;
            let lengths = self.length..=self.length;
            let ask = self.ask(&question, kept);
            let sampled = match ask.check(lengths.clone(), max_pile) {
                // Skip a statement that looks up positions that the rules exclude.
                Err(AskError::Undefined(_)) => continue,
                sampled => sampled?,
            };
            if sampled.failures > 0 {
                continue;
            }
            let checked = match ask.check(lengths, self.max_pile) {
                Err(AskError::Undefined(_)) => None,
                checked => Some(checked?).filter(|checked| checked.failures == 0),
            };
            let Some(checked) = checked else {
                guessed.refuted += 1;
                continue;
            };
            if !checked.complete {
                guessed.complete = false;
                break;
            }
            let constrained = self.constrained(&law, &question, &checked, kept)?;
            let Some(constrained) = constrained else {
                guessed.complete = false;
                break;
            };
            // Skip vacuous laws.
            if constrained == 0 {
                continue;
            }
            let beyond = self.check_beyond(&ask, max_pile);
            let tried_to = match beyond {
                None => self.max_pile,
                Some((_, beyond)) if beyond.failures > 0 => {
                    guessed.refuted += 1;
                    continue;
                }
                Some((_, beyond)) if !beyond.complete => {
                    guessed.complete = false;
                    break;
                }
                Some((tried_to, _)) => tried_to,
            };
            let found = FoundLaw {
                kind: law.kind,
                statement: law.text,
                subject: law.subject.clone(),
                checked: checked.checked,
                constrained,
                tried_to,
            };
            // A formula gives all values, so no other law is needed.
            let says_all = found.kind == LawKind::Formula;
            settled.push(law.subject);
            guessed.found.push(found);
            if says_all {
                break;
            }
        }
        guessed.found.sort_by_key(|found| (found.kind, std::cmp::Reverse(found.constrained)));
        Ok(guessed)
    }

    /// Tests a law beyond the range, if this is fast. In a small range a law may hold by chance.
    fn check_beyond(&self, ask: &Ask<'_>, sampled: Pile) -> Option<(Pile, CheckReport)> {
        const MOST_BEYOND: [u64; 3] = [1 << 24, 1 << 20, 1 << 16];
        // If the sample is the whole range, test piles of at least twice the size.
        let least = if sampled == self.max_pile { self.max_pile.saturating_mul(2) } else { 0 };
        let sizes = MOST_BEYOND.map(|most| usual_max_pile(self.game, self.length, most).max(least));
        sizes.into_iter().filter(|&size| size > self.max_pile).find_map(|max_pile| {
            let checked = ask.clone().seconds(2.0).check(self.length..=self.length, max_pile);
            checked.ok().map(|checked| (max_pile, checked))
        })
    }

    /// Returns the number of positions to which a law applies. They satisfy the subject if the law
    /// is an equivalence, and otherwise the premise. Returns `None` if the search was stopped.
    fn constrained(
        &self,
        law: &Law,
        question: &Question,
        verdict: &CheckReport,
        kept: &Kept,
    ) -> Result<Option<u64>, AskError> {
        let lengths = self.length..=self.length;
        if law.kind == LawKind::Equivalence {
            let of_subject = Question::parse(self.game, &format!("not ({})", law.subject))?;
            let checked = self.ask(&of_subject, kept).check(lengths, self.max_pile)?;
            return Ok(checked.complete.then_some(checked.failures));
        }
        if question.has_premise() {
            return Ok(Some(verdict.premise));
        }
        Ok(Some(verdict.checked))
    }
}

const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Runs `work`, and stops its control at the time limit, even within the check of a single law.
fn stopping<R>(
    control: &Control,
    is_over: impl Fn() -> bool + Sync,
    work: impl FnOnce() -> R,
) -> R {
    /// Ends the watching thread when the work ends, even if the work ends with a panic.
    struct Watch<'a>(&'a AtomicBool, thread::Thread);
    impl Drop for Watch<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
            self.1.unpark();
        }
    }
    // A browser has no second thread that could stop this thread.
    if cfg!(all(target_family = "wasm", target_os = "unknown")) {
        return work();
    }
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let watching = scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                if is_over() {
                    control.stop();
                    break;
                }
                thread::park_timeout(LOOK_EVERY);
            }
        });
        let _watch = Watch(&done, watching.thread().clone());
        work()
    })
}

/// Returns candidate laws about periods of rows. A period depends on all piles except the last.
fn rows_of_rows(sample: &Sample) -> Vec<Law> {
    let Sample { game, length, .. } = *sample;
    let no_memory = sample.positions.iter().all(|(_, memory, _)| *memory == Memory::Nothing);
    let is_row = game.order() == Order::Row;
    let law = |text| Law { kind: LawKind::Period, text, subject: "rows".to_owned() };
    if !game.is_impartial() || !no_memory || length > 1 && !is_row {
        return Vec::new();
    }
    if length == 1 {
        let values: Vec<u32> = sample.positions.iter().map(|(.., g)| *g).collect();
        // The sample must contain four periods, and its second half must confirm the law. If every
        // coin adds 1, a formula says more.
        let found = observed(&values).filter(|found| {
            found.preperiod + found.period <= values.len() / 2
                && found.period <= values.len() / 4
                && (found.period, found.saltus) != (1, 1)
        });
        let text = |found: Periodicity| {
            let Periodicity { preperiod, period, saltus, .. } = found;
            let rest = if saltus == 0 { String::new() } else { format!(" + {saltus}") };
            law(format!("first > {} -> g == g(first - {period}){rest}", preperiod + period))
        };
        return found.map(text).into_iter().collect();
    }
    let name = |pile| if pile == 1 { "first".to_owned() } else { format!("p{pile}") };
    let before: Vec<String> = (1..length).map(name).collect();
    let before = before.join(", ");
    let most = if length == 2 { "first".to_owned() } else { format!("max({before})") };
    // `w` is a power of two above all piles except the last. A law applies if the last pile exceeds
    // `w`, or `2 * w`, or `5 * w`.
    let texts = (1..=3).flat_map(|more| {
        [1, 2, 5].map(|from| {
            let from = if from == 1 { "w".to_owned() } else { format!("{from} * w") };
            let period = format!("2 ** (log2({most}) + {more})");
            format!("let w = {period}; last > {from} -> g == g({before}, last - w) + w")
        })
    });
    texts.map(law).collect()
}
