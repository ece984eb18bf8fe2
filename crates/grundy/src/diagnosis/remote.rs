//! Errors of packs and of servers.

use std::error::Error as StdError;
use std::io;

use grundy_pack::{Fault, PackError};
use grundy_query::Limit;
use grundy_remote::RemoteError;

use super::{Advice, Class, Diagnosis, FETCH, of_reading};

/// Returns the diagnosis of an error of a pack or server, as [`super::diagnose`] does.
pub(super) fn diagnose(error: &(dyn StdError + 'static)) -> Option<Diagnosis> {
    if let Some(error) = error.downcast_ref::<io::Error>() {
        return diagnose(error.get_ref()?);
    }
    let of_remote = error.downcast_ref().map(of_remote);
    of_remote.or_else(|| error.downcast_ref().map(of_pack))
}

fn of_remote(error: &RemoteError) -> Diagnosis {
    let fetch = Diagnosis::of(Class::Fetch);
    let limit = |which| Diagnosis::of(Class::Limit).advised(Advice::RaiseTransferLimit(which));
    match error {
        RemoteError::Stopped => Class::Stopped.into(),
        RemoteError::Address { .. } => Class::Place.into(),
        RemoteError::NotThere { .. } => Class::Missing.into(),
        RemoteError::TimeUp { .. } => limit(Limit::Seconds),
        RemoteError::Memory { .. } => limit(Limit::Memory),
        RemoteError::Length { .. } => Diagnosis::of(Class::Damaged)
            .saying("its manifest lists another file; report it to its publisher"),
        RemoteError::NoRanges { .. } => fetch.saying("download it, and open the local copy"),
        RemoteError::Changed { .. } => fetch.advised(Advice::Again),
        RemoteError::Tls { .. } => {
            fetch.saying("set SSL_CERT_FILE to a file of certificates to trust")
        }
        RemoteError::Broken { .. }
        | RemoteError::Cut { .. }
        | RemoteError::Slow { .. }
        | RemoteError::Silent { .. }
        | RemoteError::Status { .. } => fetch.saying("try again later"),
        _ => fetch,
    }
}

pub(super) fn of_pack(error: &PackError) -> Diagnosis {
    match error {
        PackError::Stopped => Class::Stopped.into(),
        PackError::Read { path, source } => Diagnosis::of(of_reading(source)).file(path),
        PackError::Damaged { path, source } => {
            let advice = match **source {
                Fault::UnknownSigner => Advice::NameSigner,
                Fault::Version { .. } => Advice::Words("use the release that wrote it"),
                Fault::Unsigned => Advice::Words(
                    "omit the key to check only checksums; `grundy pack --sign` makes signed packs",
                ),
                Fault::Signature(_) => Advice::Words("check the key and the file"),
                Fault::NotATar | Fault::Missing(_) | Fault::NotAFile(_) | Fault::Name(_) => {
                    Advice::Words("if `grundy pack` wrote it, fetch it again")
                }
                _ => Advice::Words(FETCH),
            };
            Diagnosis::of(Class::Damaged).file(path).advised(advice)
        }
        _ => Class::Other.into(),
    }
}
