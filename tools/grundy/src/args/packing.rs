//! The options of `pack`, `unpack` and `cite`.

use std::path::PathBuf;

use super::StopAfter;

#[derive(Debug, clap::Args)]
pub(crate) struct Pack {
    /// Tables, by id or by the first words of an id, as in end-nim or end-nim/n64, or all tables of
    /// a rule file [default: all].
    #[arg(value_name = "TABLE|FILE.game")]
    pub(crate) tables: Vec<String>,

    /// The output: a tar if the name ends in .tar, else a new folder.
    #[arg(long, alias = "out", short, value_name = "DIR|FILE.tar")]
    pub(crate) output: PathBuf,

    /// Only these games, separated by commas [default: all].
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub(crate) games: Vec<String>,

    /// Only this number of piles.
    #[arg(long, value_name = "K")]
    pub(crate) length: Option<usize>,

    /// Sign the pack with this secret key of minisign.
    #[arg(long, value_name = "KEY")]
    pub(crate) sign: Option<PathBuf>,

    /// Check this certificate of the triangular-number conjecture, and include it as conj34.cert.
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) rights: Rights,

    /// A text about the build, such as the machine and the time, for provenance.json.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Unpack {
    /// The pack: a folder, a tar, or the address of one of them.
    #[arg(value_name = "SOURCE")]
    pub(crate) source: PathBuf,

    /// Require a signature that this public key of minisign verifies.
    #[arg(long, value_name = "FILE")]
    pub(crate) pubkey: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Cite {
    /// A table of the database, by id, or a rule file [default: the program].
    #[arg(value_name = "TABLE|FILE.game")]
    pub(crate) table: Option<String>,

    #[command(flatten)]
    pub(crate) rights: Rights,

    #[command(flatten)]
    pub(crate) within: StopAfter,
}

/// The author and the licence of games of rule files, if the files do not say them.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Rights {
    /// The author of the tables of your own games whose rule files have no line `author`.
    #[arg(long, value_name = "NAME")]
    pub(crate) author: Option<String>,

    /// The licence of those without a line `license`, as an SPDX expression such as CC-BY-4.0.
    #[arg(long, value_name = "ID")]
    pub(crate) license: Option<String>,
}
