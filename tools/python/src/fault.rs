//! Errors as exceptions: which class of `grundy.errors` says it, what to do about it, and which
//! position, table and file it is about.

use std::path::{Path, PathBuf};

use grundy::papers::conjecture::CertificateError;
use grundy::papers::{CertificateFailure, PlanError, RunError, TooMuch, UnknownClaim};
use grundy::{AskError, Error, ManyError, PositionError, QueryError, TableError};
use grundy_pack::PackError;
use grundy_query::ManifestError;
use grundy_remote::RemoteError;
use grundy_solvers::{FillError, Limit, SolveError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What is wrong.
#[derive(Debug)]
pub(crate) struct Fault {
    /// The name of a class of `grundy.errors`.
    class: &'static str,
    what: String,
    position: Option<String>,
    table: Option<String>,
    file: Option<PathBuf>,
}

impl Fault {
    pub(crate) fn new(class: &'static str, what: impl Into<String>) -> Fault {
        Fault { class, what: what.into(), position: None, table: None, file: None }
    }

    pub(crate) fn position(self, position: impl Into<String>) -> Fault {
        Fault { position: Some(position.into()), ..self }
    }

    fn table(self, table: impl Into<String>) -> Fault {
        Fault { table: Some(table.into()), ..self }
    }

    fn file(self, file: &Path) -> Fault {
        // Of a pack it is PACK (shard NUMBER of TABLE).
        if let Some((pack, shard)) = file.to_str().and_then(|text| text.rsplit_once(" (shard "))
            && let Some((_, table)) = shard.trim_end_matches(')').split_once(" of ")
        {
            return Fault { file: Some(pack.into()), ..self.table(table) };
        }
        // DATABASE/GAME/nN/kLENGTH/SHARD names its table.
        let parts: Vec<&str> =
            file.iter().rev().skip(1).take(3).filter_map(|p| p.to_str()).collect();
        let table = match parts[..] {
            [length, max_pile, game] if game.parse::<grundy::Game>().is_ok() => {
                Some(format!("{game}/{max_pile}/{length}"))
            }
            _ => None,
        };
        Fault { file: Some(file.to_owned()), table: self.table.clone().or(table), ..self }
    }

    pub(crate) fn advised(self, advice: &str) -> Fault {
        Fault { what: format!("{}; {advice}", self.what), ..self }
    }

    /// Before all the rest.
    pub(crate) fn behind(self, words: &str) -> Fault {
        Fault { what: format!("{words}{}", self.what), ..self }
    }
}

/// An error with its causes in one line.
fn told(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let said = error.to_string();
        if !text.ends_with(&said) {
            text = format!("{text}: {said}");
        }
        cause = error.source();
    }
    text
}

const MORE_TIME: &str = "allow more with seconds=";
const MORE_MEMORY: &str = "choose a smaller size, or allow more bytes with memory=";
const FETCH: &str = "fetch it again";
const REPAIR: &str = "delete the file, and `grundy build` makes it again";

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> PyErr {
        let raise = |py: Python<'_>| -> PyResult<PyErr> {
            let class = py.import("grundy.errors")?.getattr(fault.class)?;
            let about = PyDict::new(py);
            about.set_item("position", &fault.position)?;
            about.set_item("table", &fault.table)?;
            about.set_item("file", fault.file.as_ref().map(|file| file.display().to_string()))?;
            Ok(PyErr::from_value(class.call((&fault.what,), Some(&about))?))
        };
        Python::attach(|py| raise(py).unwrap_or_else(|error| error))
    }
}

impl From<PositionError> for Fault {
    fn from(error: PositionError) -> Fault {
        Fault::new("PositionError", error.to_string())
    }
}

impl From<TableError> for Fault {
    fn from(error: TableError) -> Fault {
        let fault = Fault::new("SizeError", error.to_string());
        match error {
            TableError::TooLarge { .. } => fault.advised("choose a smaller max_pile or length"),
            _ => fault,
        }
    }
}

impl From<SolveError> for Fault {
    fn from(error: SolveError) -> Fault {
        let text = told(&error);
        let over = |limit: &Limit, what: String| {
            Fault::new("LimitError", what).advised(match limit {
                Limit::Memory => "allow more bytes with grundy.open(memory=)",
                Limit::Seconds => "allow more with grundy.open(seconds=)",
            })
        };
        match &error {
            SolveError::Store(_) => Fault::new("DamagedError", text),
            SolveError::Record { table, .. } => Fault::new("DamagedError", text).table(table),
            SolveError::NoClass { position, table } => {
                Fault::new("DamagedError", text).table(table).position(position)
            }
            SolveError::BeyondSearch { position, .. } => {
                Fault::new("LimitError", text).position(position)
            }
            SolveError::TooManyMoves { position, .. } => {
                Fault::new("LimitError", text).position(position)
            }
            SolveError::Unfinished { position, limit, .. }
            | SolveError::TooLarge { position, limit, .. } => over(limit, text).position(position),
            SolveError::TimeUp { position, .. } => over(&Limit::Seconds, text).position(position),
            SolveError::TooManyPositions { table, .. } | SolveError::CountMemory { table, .. } => {
                Fault::new("LimitError", text).table(table).advised(MORE_MEMORY)
            }
            _ => Fault::new("GrundyError", text),
        }
    }
}

impl From<QueryError> for Fault {
    fn from(error: QueryError) -> Fault {
        let text = told(&error);
        match error {
            QueryError::Position(error) => error.into(),
            QueryError::Solve(error) => error.into(),
            QueryError::NoRecords { .. } => Fault::new("GameError", text),
            QueryError::NoSuchPart(error) => Fault::new("SizeError", text).table(error.piece),
            QueryError::Manifest(error) => of_manifest(&error),
            QueryError::Entry { folder, table } => {
                let file = folder.join("manifest.json");
                Fault { file: Some(file), ..Fault::new("DamagedError", text).table(table) }
            }
            QueryError::Fetch(error) => match error.get_ref().and_then(|e| e.downcast_ref()) {
                Some(error) => of_remote(error),
                None => Fault::new("FetchError", text),
            },
            QueryError::Nothing { .. } => {
                let fault = Fault::new("MissingError", text);
                fault.advised("name a folder that has one of the two, or a tar of a pack")
            }
            QueryError::Pack(error) => of_pack(&error),
            QueryError::Open { path, source } => {
                let fault = |class| Fault::new(class, text).file(&path);
                match source.kind() {
                    std::io::ErrorKind::NotFound => {
                        fault("MissingError").advised("`grundy build` makes a missing file again")
                    }
                    _ => fault("AccessError"),
                }
            }
            QueryError::Damaged { path, .. } | QueryError::Foreign { path, .. } => {
                let fault = Fault::new("DamagedError", text).file(&path);
                // What is a part of a pack, or on a server, nobody builds.
                fault.advised(match path.exists() {
                    true => REPAIR,
                    false if path.to_string_lossy().contains("://") => "ask who publishes it",
                    false => FETCH,
                })
            }
        }
    }
}

fn of_manifest(error: &ManifestError) -> Fault {
    let class = match error {
        ManifestError::Io { .. } => "AccessError",
        _ => "DamagedError",
    };
    let (ManifestError::Io { path, .. }
    | ManifestError::Syntax { path, .. }
    | ManifestError::Damaged { path }
    | ManifestError::Version { path, .. }) = error;
    Fault { file: Some(path.clone()), ..Fault::new(class, told(error)) }
}

/// What keeps the bytes of a server from coming.
fn of_remote(error: &RemoteError) -> Fault {
    let (class, advice) = match error {
        RemoteError::Stopped => ("StoppedError", None),
        RemoteError::Address { .. } => ("PlaceError", None),
        RemoteError::NotThere { .. } => ("MissingError", None),
        RemoteError::TimeUp { .. } => ("LimitError", Some("allow more with grundy.open(seconds=)")),
        RemoteError::Memory { .. } => {
            ("LimitError", Some("allow more bytes with grundy.open(memory=)"))
        }
        RemoteError::Length { .. } => {
            let what = "it is not the file that its manifest lists: ask who publishes it";
            ("DamagedError", Some(what))
        }
        RemoteError::NoRanges { .. } => ("FetchError", Some("download it, and open the file")),
        RemoteError::Changed { .. } => ("FetchError", Some("open it again")),
        RemoteError::Tls { .. } => {
            ("FetchError", Some("SSL_CERT_FILE can name a file of certificates to trust"))
        }
        RemoteError::Broken { .. }
        | RemoteError::Cut { .. }
        | RemoteError::Slow { .. }
        | RemoteError::Status { .. } => ("FetchError", Some("try again later")),
        _ => ("FetchError", None),
    };
    let fault = Fault::new(class, told(error));
    match advice {
        Some(advice) => fault.advised(advice),
        None => fault,
    }
}

/// Whether bytes were had, and are wrong.
fn is_damage(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{InvalidData, Other, UnexpectedEof};
    matches!(error.kind(), InvalidData | Other | UnexpectedEof)
}

fn of_pack(error: &PackError) -> Fault {
    let text = told(error);
    match error {
        PackError::Read { path, source } => {
            let class = match source.kind() {
                std::io::ErrorKind::NotFound => "MissingError",
                _ if is_damage(source) => "DamagedError",
                _ => "AccessError",
            };
            Fault::new(class, text).file(path)
        }
        PackError::Damaged { path, .. } => {
            Fault::new("DamagedError", text).file(path).advised(FETCH)
        }
        _ => Fault::new("GrundyError", text),
    }
}

impl From<RemoteError> for Fault {
    fn from(error: RemoteError) -> Fault {
        of_remote(&error)
    }
}

impl From<FillError> for Fault {
    fn from(error: FillError) -> Fault {
        Fault::new("LimitError", told(&error))
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        let text = told(&error);
        match error {
            Error::Position(error) => error.into(),
            Error::Table(error) => error.into(),
            Error::Query(error) => error.into(),
            Error::Fill(error) => error.into(),
            Error::NoValue { .. } => Fault::new("GameError", text),
            Error::Memory { table, .. } => {
                Fault::new("LimitError", text).table(table).advised(MORE_MEMORY)
            }
            Error::Stopped => Fault::new("StoppedError", text),
            Error::Unnumbered { .. } => Fault::new("GameError", text),
            Error::Value { .. } => Fault::new("LimitError", text),
        }
    }
}

impl From<ManyError> for Fault {
    fn from(ManyError { place, error, .. }: ManyError) -> Fault {
        match *error {
            Error::Stopped => Error::Stopped.into(),
            error => Fault::from(error).behind(&format!("row {place}: ")),
        }
    }
}

impl From<AskError> for Fault {
    fn from(error: AskError) -> Fault {
        let text = told(&error);
        match error {
            AskError::Level(error) => error.into(),
            AskError::Problem(_) => Fault::new("StatementError", text),
            AskError::Undefined(undefined) => {
                Fault::new("StatementError", text).position(undefined.position)
            }
            AskError::Seconds { .. } => {
                let smaller = "choose a smaller range, or ";
                Fault::new("LimitError", text).advised(&format!("{smaller}{MORE_TIME}"))
            }
            _ => Fault::new("GrundyError", text),
        }
    }
}

impl From<UnknownClaim> for Fault {
    fn from(error: UnknownClaim) -> Fault {
        Fault::new("ClaimError", error.to_string()).advised("grundy.claims() lists them")
    }
}

impl From<PlanError> for Fault {
    fn from(error: PlanError) -> Fault {
        match error {
            PlanError::Table(error) => error.into(),
            error => Fault::new("SizeError", error.to_string()),
        }
    }
}

impl From<TooMuch> for Fault {
    fn from(error: TooMuch) -> Fault {
        let advice = match error {
            TooMuch::Memory { .. } => MORE_MEMORY,
            TooMuch::Seconds { .. } => MORE_TIME,
        };
        Fault::new("LimitError", error.to_string()).advised(advice)
    }
}

impl From<RunError<QueryError>> for Fault {
    fn from(error: RunError<QueryError>) -> Fault {
        let text = told(&error);
        match error {
            RunError::Source(error) => error.into(),
            RunError::Impossible { table, .. } => Fault::new("DamagedError", text).table(table),
            _ => Fault::new("GrundyError", text),
        }
    }
}

impl From<CertificateFailure> for Fault {
    fn from(error: CertificateFailure) -> Fault {
        let class = match &error.source {
            CertificateError::Memory(_) => "LimitError",
            CertificateError::Io(cause) if cause.kind() == std::io::ErrorKind::NotFound => {
                "MissingError"
            }
            CertificateError::Io(cause) if !is_damage(cause) => "AccessError",
            _ => "DamagedError",
        };
        let fault = Fault { file: Some(error.path.clone()), ..Fault::new(class, told(&error)) };
        if class == "LimitError" { fault.advised("allow more bytes with memory=") } else { fault }
    }
}
