//! Finds the class, the subject and a remedy of each error. The command line and Python share this
//! module, and insert their own names of options.

#[cfg(feature = "remote")]
mod remote;

use std::error::Error as StdError;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::game_file::GameError;
use grundy_query::{Difference, Limit, ManifestError, Problem, QueryError, SolveError};
use grundy_rules::{Game, PositionError, TableError, UnknownGame};
use grundy_solvers::{Effort, FillError};
use grundy_theory::conjecture::{CertificateError, CertificateFailure};
use grundy_theory::{LimitError, PlanError, UnknownClaim};

use crate::theorems::{ProverError, TheoremError};
use crate::{AskError, Error, Measure, PeriodError};

/// The kind of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Game,
    Position,
    Size,
    Statement,
    Claim,
    Limit,
    Damaged,
    Missing,
    Access,
    Fetch,
    Place,
    Stopped,
    Other,
}

/// A remedy for an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    Words(&'static str),
    /// Open the database with a larger limit.
    RaiseLimit(Limit),
    RaiseMemory,
    RaiseTransferLimit(Limit),
    /// Choose a smaller max pile or length, or a smaller total.
    SmallerSize(Measure),
    SmallerSizeOr(Measure, Limit),
    /// Choose a smaller range of positions, or raise a limit.
    SmallerRangeOr(Limit),
    Again,
    /// Give the expected signer of a pack.
    NameSigner,
    /// Use another release of the program, or another folder.
    OtherRelease,
}

/// The class of an error, a remedy, and the position, table and file that it concerns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    pub class: Class,
    pub advice: Option<Advice>,
    pub position: Option<String>,
    pub table: Option<String>,
    pub file: Option<PathBuf>,
}

/// Returns an error with its causes in one line.
pub fn with_causes(error: &(dyn StdError + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        // A transparent error has the same message as its cause, so show it once.
        let said = error.to_string();
        if !text.ends_with(&said) {
            text = format!("{text}: {said}");
        }
        cause = error.source();
    }
    text
}

/// Returns the diagnosis of one error, without its causes; `None` for an unknown type.
pub fn diagnose(error: &(dyn StdError + 'static)) -> Option<Diagnosis> {
    macro_rules! first_of {
        ($($diagnosis:expr),* $(,)?) => {
            None$(.or_else(|| error.downcast_ref().map($diagnosis)))*
        };
    }
    first_of![
        of_ask,
        of_facade,
        of_query,
        of_problem,
        of_solving,
        of_filling,
        of_manifest,
        of_table,
        of_plan,
        of_period,
        |_: &PositionError| Class::Position.into(),
        |_: &UnknownGame| Class::Game.into(),
        |_: &GameError| Class::Game.into(),
        |_: &UnknownClaim| Class::Claim.into(),
        |error: &LimitError| Diagnosis::of(Class::Limit).advised(Advice::SmallerRangeOr(
            match error {
                LimitError::Memory { .. } => Limit::Memory,
                LimitError::Seconds { .. } => Limit::Seconds,
            }
        )),
        of_certificate,
        of_theorem,
    ]
    .or_else(|| of_far(error))
}

#[cfg(feature = "remote")]
fn of_far(error: &(dyn StdError + 'static)) -> Option<Diagnosis> {
    remote::diagnose(error)
}

#[cfg(not(feature = "remote"))]
fn of_far(_: &(dyn StdError + 'static)) -> Option<Diagnosis> {
    None
}

impl Diagnosis {
    fn of(class: Class) -> Diagnosis {
        Diagnosis { class, advice: None, position: None, table: None, file: None }
    }

    fn advised(self, advice: Advice) -> Diagnosis {
        Diagnosis { advice: Some(advice), ..self }
    }

    fn saying(self, words: &'static str) -> Diagnosis {
        self.advised(Advice::Words(words))
    }

    fn position(self, position: &str) -> Diagnosis {
        Diagnosis { position: Some(position.to_owned()), ..self }
    }

    fn table(self, table: &str) -> Diagnosis {
        Diagnosis { table: Some(table.to_owned()), ..self }
    }

    /// Sets the file. Also sets the table of the file if no table is set yet.
    fn file(self, file: impl Into<PathBuf>) -> Diagnosis {
        let file = file.into();
        if let Some((pack, table)) = pack_and_table(&file) {
            return Diagnosis { table: Some(table.to_owned()), file: Some(pack.into()), ..self };
        }
        // The path DATABASE/GAME/nN/kLENGTH/SHARD, or DATABASE/GAME/tN/SHARD, contains the table.
        let parts: Vec<&str> = file.iter().filter_map(|part| part.to_str()).collect();
        let folders = &parts[parts.len().saturating_sub(4)..parts.len().saturating_sub(1)];
        let game = folders.iter().rposition(|folder| folder.parse::<Game>().is_ok());
        let table = game.map(|at| folders[at..].join("/")).filter(|table| table.contains('/'));
        Diagnosis { table: self.table.or(table), file: Some(file), ..self }
    }
}

impl From<Class> for Diagnosis {
    fn from(class: Class) -> Diagnosis {
        Diagnosis::of(class)
    }
}

const FETCH: &str = "fetch it again";
/// The error number EMFILE, for which the standard library has no name.
const TOO_MANY_FILES: i32 = 24;
const BUILD_AGAIN: &str =
    "delete the manifest and build the same tables again; intact shards are reused";

/// Returns the pack and the table in the name of a shard: `PACK (shard NUMBER of TABLE)`.
fn pack_and_table(place: &Path) -> Option<(&str, &str)> {
    let (pack, shard) = place.to_str()?.rsplit_once(" (shard ")?;
    let (_, table) = shard.trim_end_matches(')').split_once(" of ")?;
    Some((pack, table))
}

/// Returns advice about a damaged file: the text `here` if it lies in a database folder. Files on
/// servers and shards in packs, as in `tables.tar (shard 0 of end-nim/n64/k3)`, cannot be rebuilt.
fn remedy(path: &Path, here: &'static str) -> &'static str {
    match () {
        () if path.to_string_lossy().contains("://") => "report it to its publisher",
        () if pack_and_table(path).is_some() => FETCH,
        () => here,
    }
}

fn of_ask(error: &AskError) -> Diagnosis {
    match error {
        AskError::Level(error) => of_facade(error),
        AskError::Problem(_) => Class::Statement.into(),
        AskError::Undefined(undefined) => {
            Diagnosis::of(Class::Statement).position(&undefined.position)
        }
        AskError::Seconds { .. } => {
            Diagnosis::of(Class::Limit).advised(Advice::SmallerRangeOr(Limit::Seconds))
        }
        AskError::Impossible { table, .. } => {
            Diagnosis::of(Class::Damaged).table(table).saying("run `grundy verify` for details")
        }
        AskError::OtherCheckpoint => Diagnosis::of(Class::Other).saying(OTHER_CHECKPOINT),
        AskError::Checkpoint { level, .. } => {
            Diagnosis::of(Class::Damaged).table(level).saying(WRONG_CHECKPOINT)
        }
        _ => Class::Other.into(),
    }
}

const OTHER_CHECKPOINT: &str = "repeat the options of the first run, or choose a new file";
const WRONG_CHECKPOINT: &str = "delete it to start over, or choose another file";

fn of_facade(error: &Error) -> Diagnosis {
    match error {
        Error::Position(_) => Class::Position.into(),
        Error::Table(error) => of_table(error),
        Error::Query(error) => of_query(error),
        Error::Fill(error) => of_filling(error),
        Error::Memory { table, measure, .. } => {
            let advice = Advice::SmallerSizeOr(*measure, Limit::Memory);
            Diagnosis::of(Class::Limit).table(table).advised(advice)
        }
        Error::Unnumbered { .. } | Error::Remoteness(_) | Error::Domain(_) => Class::Game.into(),
        Error::Value { .. } => Class::Limit.into(),
        Error::Stopped => Class::Stopped.into(),
    }
}

fn of_query(error: &QueryError) -> Diagnosis {
    let damaged = Diagnosis::of(Class::Damaged);
    match error {
        QueryError::Position(_) => Class::Position.into(),
        QueryError::NoRecords { .. } | QueryError::NoValue { .. } => Class::Game.into(),
        QueryError::Stopped => Class::Stopped.into(),
        QueryError::Solve(error) => of_solving(error),
        QueryError::Manifest(error) => of_manifest(error),
        QueryError::Entry { folder, table } => damaged
            .table(table)
            .file(folder.join("manifest.json"))
            .saying(remedy(folder, "delete the manifest; `grundy build` then writes a new one")),
        QueryError::Fetch(error) => diagnose(error).unwrap_or(Class::Fetch.into()),
        QueryError::Nothing { .. } => Diagnosis::of(Class::Missing)
            .saying("give a folder that contains one of these files, or the tar of a pack"),
        QueryError::Open { path, source } => {
            let class = match source.kind() {
                ErrorKind::NotFound => Class::Missing,
                _ => Class::Access,
            };
            let words = match source.raw_os_error() {
                Some(TOO_MANY_FILES) if cfg!(unix) => "raise the limit on open files (ulimit -n)",
                _ => remedy(path, "`grundy build` rebuilds a missing shard"),
            };
            Diagnosis::of(class).file(path).saying(words)
        }
        QueryError::Foreign { path, what: Difference::Codec | Difference::Place } => {
            damaged.file(path).saying(remedy(path, BUILD_AGAIN))
        }
        QueryError::Damaged { path, .. } | QueryError::Foreign { path, .. } => {
            let words = remedy(path, "delete the file; `grundy build` then rebuilds it");
            damaged.file(path).saying(words)
        }
        #[cfg(feature = "remote")]
        QueryError::Pack(error) => remote::of_pack(error),
        #[cfg(not(feature = "remote"))]
        #[allow(unreachable_patterns, reason = "the crate below may have the feature anyway")]
        _ => Class::Other.into(),
    }
}

fn of_problem(problem: &Problem) -> Diagnosis {
    let damaged = Diagnosis::of(Class::Damaged);
    match problem {
        // Diagnose the error inside a transparent error, because the chain of causes skips it.
        Problem::Shard(error) => of_query(error),
        Problem::Unknown { .. } => damaged.saying(
            "use the release that wrote it, or delete the manifest and build the other tables \
             again; intact shards are reused",
        ),
        Problem::Digest { table, .. } | Problem::Rules { table, .. } => damaged.table(table),
        Problem::Value { path, position, .. } | Problem::Outcome { path, position, .. } => {
            damaged.file(path).position(position)
        }
    }
}

fn of_solving(error: &SolveError) -> Diagnosis {
    let limit = Diagnosis::of(Class::Limit);
    let damaged = || Diagnosis::of(Class::Damaged).saying("run `grundy verify` for details");
    match error {
        SolveError::Store(_) => Class::Damaged.into(),
        SolveError::Rules(_) => Class::Game.into(),
        SolveError::Record { table, .. } => damaged().table(table),
        SolveError::NoClass { position, table } => damaged().table(table).position(position),
        SolveError::BeyondSearch { position, .. } | SolveError::TooManyMoves { position, .. } => {
            limit.position(position)
        }
        SolveError::TooLarge { position, work, .. } if is_hopeless(work) => {
            limit.position(position).saying("no machine is large enough")
        }
        SolveError::Unfinished { position, limit: which, .. }
        | SolveError::TooLarge { position, limit: which, .. } => {
            limit.position(position).advised(Advice::RaiseLimit(*which))
        }
        SolveError::TimeUp { position, .. } => {
            limit.position(position).advised(Advice::RaiseLimit(Limit::Seconds))
        }
        SolveError::TooManyPositions { table, .. } => {
            limit.table(table).advised(Advice::SmallerSize(Measure::of_table(table)))
        }
        SolveError::CountMemory { table, .. } => {
            let advice = Advice::SmallerSizeOr(Measure::of_table(table), Limit::Memory);
            limit.table(table).advised(advice)
        }
        SolveError::Stopped { .. } => Class::Stopped.into(),
    }
}

/// True if the work takes more than 16 TiB of memory, or more than a year.
fn is_hopeless(work: &Effort) -> bool {
    work.memory > 1 << 44 || work.seconds > 365.0 * 86400.0
}

fn of_filling(error: &FillError) -> Diagnosis {
    match error {
        FillError::Stopped(_) => Class::Stopped.into(),
        FillError::Rules(_) => Class::Game.into(),
        FillError::Table(error) => of_table(error),
        _ => Class::Limit.into(),
    }
}

fn of_table(error: &TableError) -> Diagnosis {
    let size = Diagnosis::of(Class::Size);
    match error {
        TableError::TooLarge { game, .. } => size.advised(Advice::SmallerSize(Measure::of(*game))),
        _ => size,
    }
}

fn of_manifest(error: &ManifestError) -> Diagnosis {
    let damaged = Diagnosis::of(Class::Damaged);
    match error {
        ManifestError::Io { path, .. } => Diagnosis::of(Class::Access).file(path),
        ManifestError::Version { path, .. } => damaged.file(path).advised(Advice::OtherRelease),
        ManifestError::Syntax { path, .. } | ManifestError::Damaged { path } => {
            damaged.file(path).saying(remedy(
                path,
                "restore it, or delete it and build the tables again; intact shards are reused",
            ))
        }
    }
}

fn of_plan(error: &PlanError) -> Diagnosis {
    match error {
        PlanError::Table(error) => of_table(error),
        _ => Class::Size.into(),
    }
}

fn of_period(error: &PeriodError) -> Diagnosis {
    match error {
        PeriodError::NotProved { .. } | PeriodError::Values { .. } => Class::Game.into(),
        PeriodError::Position(_) => Class::Position.into(),
        PeriodError::LongMiddle { .. } => Class::Size.into(),
        PeriodError::Memory(_) => {
            let advice = Advice::SmallerSizeOr(Measure::Pile, Limit::Memory);
            Diagnosis::of(Class::Limit).advised(advice)
        }
        PeriodError::Stopped(_) => Class::Stopped.into(),
    }
}

fn of_theorem(error: &TheoremError) -> Diagnosis {
    match error {
        TheoremError::Refused(ProverError::Piles { .. }) => Class::Size.into(),
        TheoremError::Refused(_) => Class::Game.into(),
        TheoremError::Words(_) => Class::Statement.into(),
        TheoremError::Unfinished { limit: None, .. } => Class::Stopped.into(),
        TheoremError::Unfinished { limit: Some(limit), .. } => {
            Diagnosis::of(Class::Limit).advised(Advice::SmallerRangeOr(*limit))
        }
        TheoremError::Rejected(_) => Class::Other.into(),
    }
}

/// Returns the class of an error from reading a file.
fn of_reading(error: &io::Error) -> Class {
    match error.kind() {
        ErrorKind::NotFound => Class::Missing,
        // The bytes were read, but they are wrong.
        ErrorKind::InvalidData | ErrorKind::Other | ErrorKind::UnexpectedEof => Class::Damaged,
        _ => Class::Access,
    }
}

fn of_certificate(error: &CertificateFailure) -> Diagnosis {
    let diagnosis = match &error.source {
        CertificateError::Memory => Diagnosis::of(Class::Limit).advised(Advice::RaiseMemory),
        CertificateError::Io(error) if error.kind() == ErrorKind::NotFound => {
            Diagnosis::of(Class::Missing)
                .saying("`grundy diff lgn.conj34 --certificate FILE` writes one")
        }
        CertificateError::Io(error) => of_reading(error).into(),
        _ => Class::Damaged.into(),
    };
    diagnosis.file(&error.path)
}
