//! The location of tables: a folder, a pack, or the address of one of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, process};

use grundy::remote::{Address, Remote, Settings};
use grundy::{Access, Database, Limits};

use crate::fault::Fault;
use crate::run::goes_on;

/// Bytes of memory for fetched extents at most.
const MOST_MEMORY: u64 = 256 << 20;

pub(crate) struct Opening {
    pub(crate) limits: Limits,
    pub(crate) access: Access,
}

/// An open database. Only the process that opened a remote one can use its connections.
pub(crate) struct Opened {
    pub(crate) database: Database,
    opened_by: Option<u32>,
}

impl Opened {
    pub(crate) fn nothing(limits: Limits) -> Opened {
        Opened { database: Database::empty_within(limits), opened_by: None }
    }

    pub(crate) fn open(place: &Path, opening: Opening) -> Result<Opened, Fault> {
        let Some(address) = place.to_str().filter(|text| Address::is_meant(text)) else {
            let found = Database::open_local(place, opening.limits, opening.access)?;
            return Ok(Opened { database: found, opened_by: None });
        };
        let (remote, address) = (opening.client()?, address.parse::<Address>()?);
        let found = Database::open_address(&Arc::new(remote), &address, opening.limits)?;
        Ok(Opened { database: found, opened_by: Some(process::id()) })
    }

    pub(crate) fn watched(self, watch: grundy::Watch) -> Opened {
        Opened { database: self.database.watched(watch), ..self }
    }

    /// Returns the same database with or without theorems.
    pub(crate) fn using(self, theorems: bool) -> Opened {
        let database = if theorems { self.database } else { self.database.without_theorems() };
        Opened { database, ..self }
    }

    /// Returns the database, unless a different process opened its connections.
    pub(crate) fn get(&self) -> Result<&Database, Fault> {
        match self.opened_by.is_none_or(|process| process == process::id()) {
            true => Ok(&self.database),
            false => Err(Fault::new(
                "GrundyError",
                "these tables are on a server, and were opened before the process forked; open \
                 them again in the new process",
            )),
        }
    }
}

impl Opening {
    fn client(&self) -> Result<Remote, Fault> {
        Ok(Remote::new(Settings {
            memory: self.limits.memory.share(4).at_most(MOST_MEMORY).bytes(),
            // Other programs use this variable too.
            certificates: env::var_os("SSL_CERT_FILE").map(PathBuf::from),
            stop: Some(Box::new(|| !goes_on())),
            ..Settings::default()
        })?)
    }
}
