//! Advice about an error. The libraries describe the error, and the crate `grundy` classifies it.
//! This module names the options of the program that avoid the error.

use std::error::Error;
use std::io::ErrorKind;
use std::iter::successors;

use grundy::{Advice, FillError, Limit, Measure, UnknownIsa, diagnose, with_causes};
use grundy_builder::{BuildError, LockError, PlanError};
use grundy_pack::PackError;
use grundy_shard::state::StateError;

/// Returns an error with its causes and advice, as one line.
pub(crate) fn with_advice(error: &(dyn Error + 'static)) -> String {
    let advice = successors(Some(error), |&error| error.source()).find_map(about);
    format!("{}{}", with_causes(error), advice.unwrap_or_default())
}

fn about(error: &(dyn Error + 'static)) -> Option<String> {
    if let Some(PlanError::Table(error)) = error.downcast_ref() {
        // `PlanError` is transparent, so its `source` skips the error that it wraps.
        return in_options(error);
    }
    own(error).map(str::to_owned).or_else(|| in_options(error))
}

/// Returns the advice about an error of a build, a pack or an option.
fn own(error: &(dyn Error + 'static)) -> Option<&'static str> {
    if let Some(error) = error.downcast_ref::<BuildError>() {
        return of_build(error);
    }
    if let Some(error) = error.downcast_ref::<PackError>() {
        return of_writing_packs(error);
    }
    if let Some(PlanError::Memory { table, .. }) = error.downcast_ref() {
        return Some(match Measure::of_table(table) {
            Measure::Pile => "; raise --memory, or choose a smaller max pile or fewer threads",
            Measure::Total => "; raise --memory, or choose a smaller --max-total",
        });
    }
    if let Some(PlanError::Space { .. }) = error.downcast_ref() {
        return Some("; choose a smaller max pile or length, or another folder (--db)");
    }
    if let Some(LockError::Taken(_)) = error.downcast_ref() {
        return Some("; wait until it ends, or build into another folder (--db)");
    }
    if let Some(FillError::NoRoom { .. }) = error.downcast_ref() {
        return Some(
            "; build up to a smaller single pile (--heap), or only the values g(n) (--values-only)",
        );
    }
    match error.downcast_ref() {
        Some(UnknownIsa::Missing(_)) => Some("; leave --isa out to use the best"),
        _ => None,
    }
}

fn in_options(error: &(dyn Error + 'static)) -> Option<String> {
    let option = |limit| match limit {
        Limit::Memory => "--memory",
        Limit::Seconds => "--seconds",
    };
    Some(match diagnose(error)?.advice? {
        Advice::Words(words) => format!("; {words}"),
        Advice::RaiseLimit(limit) => format!("; raise {} to try anyway", option(limit)),
        Advice::RaiseMemory | Advice::RaiseTransferLimit(Limit::Memory) => {
            "; raise --memory".to_owned()
        }
        Advice::RaiseTransferLimit(Limit::Seconds) => "; raise --seconds".to_owned(),
        Advice::SmallerSize(measure) => format!("; choose a smaller {}", size(measure)),
        Advice::SmallerSizeOr(measure, limit) => {
            format!("; choose a smaller {}, or raise {}", size(measure), option(limit))
        }
        Advice::SmallerRangeOr(limit) => {
            format!("; choose a smaller range, or raise {}", option(limit))
        }
        Advice::Again => "; repeat the command".to_owned(),
        Advice::NameSigner => "; give the public key of the signer (--pubkey)".to_owned(),
        Advice::OtherRelease => {
            "; use the release that wrote it, or build into another folder (--db)".to_owned()
        }
    })
}

/// Returns the words for the sizes that make a table smaller.
fn size(measure: Measure) -> &'static str {
    match measure {
        Measure::Pile => "max pile or length",
        Measure::Total => "--max-total",
    }
}

fn of_build(error: &BuildError) -> Option<&'static str> {
    match error {
        BuildError::Unsealed { .. } => {
            Some("; delete the manifest and build the same tables again; intact shards are reused")
        }
        BuildError::Stopped => Some("; the same command continues from there"),
        BuildError::Differs { .. } => {
            Some("; check it with `grundy verify`, or unpack into another folder (--db)")
        }
        BuildError::Replaced { .. } => Some(
            "; `grundy verify --full` finds the wrong values; delete the shard, and repeat its \
             task",
        ),
        BuildError::State { source: StateError::Read(_), .. } => None,
        BuildError::State { .. } => Some(
            "; repeat the task before it, which writes it again, or delete it: then the task \
             computes the earlier rows itself",
        ),
        BuildError::Foreign { .. } => Some("; a newer release of the program may know it"),
        BuildError::Write { .. } => {
            Some("; mend the cause (a full disk?); the same command continues from there")
        }
        _ => None,
    }
}

fn of_writing_packs(error: &PackError) -> Option<&'static str> {
    match error {
        PackError::Exists(_) => Some("; choose another name (-o), or remove it"),
        PackError::Busy(_) => Some("; wait for it, or choose another name (-o)"),
        PackError::Memory { .. } => Some("; raise --memory"),
        PackError::Shard { .. } => Some("; run `grundy verify` for details"),
        PackError::Write { source, .. } => Some(match source.kind() {
            ErrorKind::StorageFull | ErrorKind::FileTooLarge | ErrorKind::QuotaExceeded => {
                "; free some space, and repeat the command"
            }
            _ => "; remove the cause, or choose another place (-o)",
        }),
        _ => None,
    }
}
