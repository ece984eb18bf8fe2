//! What to do about an error. The libraries say what is wrong and where; what to do depends on
//! the options of this program, and is added here.

use std::error::Error;
use std::io::ErrorKind;

use crate::plot::PlotError;
use grundy::AskError;
use grundy_builder::{BuildError, LockError, PlanError};
use grundy_kernels::UnknownIsa;
use grundy_pack::{Fault, PackError};
use grundy_query::{Difference, Limit, Problem, QueryError, SolveError};
use grundy_remote::RemoteError;
use grundy_rules::TableError;
use grundy_shard::manifest::ManifestError;
use grundy_solvers::FillError;

/// An error with its causes in one line, and what to do.
pub(crate) fn with_advice(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut advice = about(error);
    let mut cause = error.source();
    while let Some(error) = cause {
        // A transparent error has its cause's words.
        let said = error.to_string();
        if !text.ends_with(&said) {
            text = format!("{text}: {said}");
        }
        advice = advice.or_else(|| about(error));
        cause = error.source();
    }
    match advice {
        Some(advice) => format!("{text}{advice}"),
        None => text,
    }
}

/// What to do about one error, as the end of its sentence.
fn about(error: &(dyn Error + 'static)) -> Option<String> {
    if let Some(error) = error.downcast_ref::<AskError>() {
        return match error {
            AskError::Seconds { .. } => {
                Some("; choose a smaller range, or allow more with --seconds".to_owned())
            }
            AskError::Level(grundy::Error::Memory { .. }) => {
                Some("; choose a smaller max pile or length, or raise --memory".to_owned())
            }
            AskError::OtherCheckpoint => {
                Some("; say the same as when it was begun, or name a new file".to_owned())
            }
            _ => None,
        };
    }
    if let Some(error) = error.downcast_ref::<RemoteError>() {
        return of_remote(error);
    }
    let made_again = "; delete it, and `grundy build` makes it again";
    if let Some(error) = error.downcast_ref::<QueryError>() {
        return match error {
            QueryError::Entry { .. } => {
                Some("; delete the manifest, and `grundy build` makes it again".to_owned())
            }
            QueryError::NoSuchPart(_) => None,
            QueryError::Fetch(error) => of_fetching(error),
            QueryError::Nothing { .. } => {
                Some("; name a folder that has one of the two, or a tar of a pack".to_owned())
            }
            QueryError::Pack(error) => about(error),
            QueryError::Open { .. } => {
                Some("; `grundy build` makes a missing shard again".to_owned())
            }
            QueryError::Foreign { what: Difference::Codec | Difference::Place, .. } => Some(
                "; delete the manifest and build the same tables: shards that are whole are kept"
                    .to_owned(),
            ),
            QueryError::Damaged { .. } | QueryError::Foreign { .. } => Some(made_again.to_owned()),
            QueryError::Solve(error) => of_solving(error),
            QueryError::Manifest(error) => of_manifest(error),
            QueryError::NoRecords { .. }
            | QueryError::NoValue { .. }
            | QueryError::Position(_)
            | QueryError::Stopped => None,
        };
    }
    // A transparent error hands on the causes of what it holds, and not that itself.
    if let Some(Problem::Shard(error)) = error.downcast_ref::<Problem>() {
        return about(error);
    }
    if let Some(Problem::Unknown { .. }) = error.downcast_ref::<Problem>() {
        return Some(
            "; the release that wrote it knows it, or else delete the manifest and build the other \
             tables: shards that are whole are kept"
                .to_owned(),
        );
    }
    if let Some(error) = error.downcast_ref::<SolveError>() {
        return of_solving(error);
    }
    if let Some(error) = error.downcast_ref::<ManifestError>() {
        return of_manifest(error);
    }
    if let Some(error) = error.downcast_ref::<PlanError>() {
        return match error {
            PlanError::Table(error) => of_table(error),
            PlanError::Memory { .. } => {
                Some("; raise --memory, or choose a smaller max pile or fewer threads".to_owned())
            }
            PlanError::Space { .. } => {
                Some("; choose a smaller max pile or length, or another folder (--db)".to_owned())
            }
        };
    }
    if let Some(BuildError::Unsealed { .. }) = error.downcast_ref::<BuildError>() {
        return Some(
            "; delete the manifest and build the same tables: shards that are whole are kept"
                .to_owned(),
        );
    }
    if let Some(LockError::Taken(_)) = error.downcast_ref::<LockError>() {
        return Some("; wait for it to end, or build into another folder (--db)".to_owned());
    }
    if let Some(error) = error.downcast_ref::<BuildError>() {
        return match error {
            BuildError::Stopped => Some(", and the same command goes on from there".to_owned()),
            BuildError::Differs { .. } => Some(
                "; `grundy verify` says whether it is right, or unpack into another folder (--db)"
                    .to_owned(),
            ),
            BuildError::Foreign { .. } => {
                Some("; a newer release of the program may know it".to_owned())
            }
            BuildError::Write { .. } => Some(
                "; mend the cause (a full disk?), and the same command goes on from there"
                    .to_owned(),
            ),
            _ => None,
        };
    }
    if let Some(error) = error.downcast_ref::<PackError>() {
        return match error {
            PackError::Exists(_) => Some("; choose another name (-o), or remove it".to_owned()),
            PackError::Busy(_) => Some("; wait for it, or choose another name (-o)".to_owned()),
            PackError::Memory { .. } => Some("; raise --memory".to_owned()),
            PackError::Shard { .. } => Some("; `grundy verify` says more".to_owned()),
            PackError::Write { source, .. } => Some(match source.kind() {
                ErrorKind::StorageFull | ErrorKind::FileTooLarge | ErrorKind::QuotaExceeded => {
                    "; make room, and say it again".to_owned()
                }
                _ => "; mend that, or choose another place (-o)".to_owned(),
            }),
            PackError::Damaged { source, .. } => Some(match **source {
                Fault::UnknownSigner => "; say whose it is to be (--pubkey)".to_owned(),
                Fault::Version { .. } => "; use the release that wrote it".to_owned(),
                Fault::Unsigned => "; without --pubkey it is read unsigned".to_owned(),
                Fault::Signature(_) => "; is it the right key, and the right file?".to_owned(),
                Fault::NotATar | Fault::Missing(_) | Fault::NotAFile(_) | Fault::Name(_) => {
                    "; is it what `grundy pack` wrote? Then fetch it again".to_owned()
                }
                _ => "; fetch it again".to_owned(),
            }),
            _ => None,
        };
    }
    if let Some(FillError::NoRoom { .. }) = error.downcast_ref::<FillError>() {
        return Some(
            "; build up to a smaller single pile (--heap), or the values alone (--values-only)"
                .to_owned(),
        );
    }
    if let Some(error) = error.downcast_ref::<TableError>() {
        return of_table(error);
    }
    if let Some(PlotError::Empty) = error.downcast_ref::<PlotError>() {
        return Some("; choose a larger range".to_owned());
    }
    if let Some(UnknownIsa::Missing(_)) = error.downcast_ref::<UnknownIsa>() {
        return Some(". Leave --isa out, and the best is taken".to_owned());
    }
    None
}

fn of_solving(error: &SolveError) -> Option<String> {
    let raise = |limit: &Limit| {
        let option = match limit {
            Limit::Memory => "--memory",
            Limit::Seconds => "--seconds",
        };
        Some(format!(". Raise {option} to try it all the same"))
    };
    match error {
        SolveError::TooLarge { limit, .. } | SolveError::Unfinished { limit, .. } => raise(limit),
        SolveError::TimeUp { .. } => raise(&Limit::Seconds),
        SolveError::TooManyPositions { .. } => {
            Some("; choose a smaller max pile or length".to_owned())
        }
        SolveError::CountMemory { .. } => {
            Some("; choose a smaller max pile or length, or raise --memory".to_owned())
        }
        SolveError::Record { .. } | SolveError::NoClass { .. } => {
            Some("; `grundy verify` says more".to_owned())
        }
        SolveError::Store(_)
        | SolveError::InBrowser { .. }
        | SolveError::Stopped { .. }
        | SolveError::BeyondSearch { .. }
        | SolveError::TooManyMoves { .. } => None,
    }
}

fn of_fetching(error: &std::io::Error) -> Option<String> {
    of_remote(error.get_ref()?.downcast_ref()?)
}

fn of_remote(error: &RemoteError) -> Option<String> {
    match error {
        RemoteError::NoRanges { .. } => Some("; download it, and use it where it lies".to_owned()),
        RemoteError::Changed { .. } => Some("; say it again".to_owned()),
        RemoteError::Length { .. } => {
            Some("; it is not the file that its manifest lists: ask who publishes it".to_owned())
        }
        RemoteError::TimeUp { .. } => Some("; allow more with --seconds".to_owned()),
        RemoteError::Memory { .. } => Some("; raise --memory".to_owned()),
        RemoteError::Broken { .. }
        | RemoteError::Cut { .. }
        | RemoteError::Slow { .. }
        | RemoteError::Status { .. } => Some("; try again later".to_owned()),
        RemoteError::Tls { .. } => {
            Some("; SSL_CERT_FILE can name a file of certificates to trust".to_owned())
        }
        _ => None,
    }
}

fn of_table(error: &TableError) -> Option<String> {
    match error {
        TableError::TooLarge { .. } => Some("; choose a smaller max pile or length".to_owned()),
        _ => None,
    }
}

fn of_manifest(error: &ManifestError) -> Option<String> {
    match error {
        ManifestError::Version { .. } => {
            Some("; use the release that wrote it, or build into another folder (--db)".to_owned())
        }
        ManifestError::Syntax { .. } | ManifestError::Damaged { .. } => Some(
            "; restore it, or delete it and build the same tables: shards that are whole are kept"
                .to_owned(),
        ),
        ManifestError::Io { .. } => None,
    }
}
