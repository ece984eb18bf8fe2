//! The location of tables: a folder, a pack, or the address of one of them.

use std::path::Path;
use std::process;
use std::sync::Arc;

use grundy::remote::Remote;
use grundy::{Access, Database, Limits, remote_client};

use crate::fault::Fault;
use crate::run::goes_on;

pub(crate) struct Opening {
    pub(crate) limits: Limits,
    pub(crate) access: Access,
}

/// An open database. If it is remote, only the process that opened it may use its connections.
pub(crate) struct Opened {
    pub(crate) database: Database,
    opened_by: Option<u32>,
}

impl Opened {
    pub(crate) fn nothing(limits: Limits) -> Opened {
        Opened { database: Database::empty_within(limits), opened_by: None }
    }

    pub(crate) fn open(place: &Path, opening: Opening) -> Result<Opened, Fault> {
        let Opening { limits, access } = opening;
        let database = Database::open_place(place, limits, access, || client(limits))?;
        let opened_by = database.is_remote().then(process::id);
        Ok(Opened { database, opened_by })
    }

    pub(crate) fn watched(self, watch: grundy::Watch) -> Opened {
        Opened { database: self.database.watched(watch), ..self }
    }

    /// Returns the same database with or without theorems.
    pub(crate) fn using(self, theorems: bool) -> Opened {
        let database = if theorems { self.database } else { self.database.without_theorems() };
        Opened { database, ..self }
    }

    /// Returns the database, or an error if another process opened its connections.
    pub(crate) fn get(&self) -> Result<&Database, Fault> {
        match self.opened_by.is_none_or(|process| process == process::id()) {
            true => Ok(&self.database),
            false => Err(Fault::new(
                "GrundyError",
                "these tables on a server were opened before the process forked; open them again \
                 in the new process",
            )),
        }
    }
}

/// Returns a client. Its requests stop on Ctrl-C, and when the interpreter ends.
fn client(limits: Limits) -> Result<Arc<Remote>, Fault> {
    Ok(remote_client(limits.memory, limits.seconds, || !goes_on())?)
}
