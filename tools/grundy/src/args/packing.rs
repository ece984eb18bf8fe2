//! What `pack`, `unpack` and `cite` take.

use std::path::PathBuf;

pub(super) const PACK_HELP: &str = "\
Examples:
  grundy pack end-nim/n64 -o end-nim-n64.tar           every length of one game and size
  grundy pack -o release                               all tables, as a folder of files
  grundy pack --games nim,end-nim --length 3 -o small.tar
  grundy pack end-nim -o end-nim.tar --sign key.sec    signed, for minisign -V
  grundy pack -o all.tar --certificate db/conj34.cert  with a proof of the conjecture

A name that ends in .tar makes a tar, any other a folder. It has at most 90 files: the tables, where
each shard begins, digests, the format, a reader in Python, a licence (CC0), what to cite, metadata
(RO-Crate) and where it comes from. Every shard is checked on its way. The same tables, program and
options make the same bytes, but for a signature; SOURCE_DATE_EPOCH says of what date it is, else the
program's commit does.";

#[derive(Debug, clap::Args)]
pub(crate) struct Pack {
    /// Tables by id, or by the first words of one, as in end-nim or end-nim/n64 [default: all].
    #[arg(value_name = "TABLE")]
    pub(crate) tables: Vec<String>,

    /// Where to write: a name that ends in .tar, or a folder that is not there yet.
    #[arg(long, short, value_name = "DIR|FILE.tar")]
    pub(crate) output: PathBuf,

    /// Of these games, separated by commas [default: all].
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub(crate) games: Vec<String>,

    /// Of this number of piles.
    #[arg(long, value_name = "K")]
    pub(crate) length: Option<usize>,

    /// Sign it with this secret key of minisign.
    #[arg(long, value_name = "KEY")]
    pub(crate) sign: Option<PathBuf>,

    /// A certificate of the triangular-number conjecture, to travel along: checked, and called
    /// conj34.cert.
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,

    /// A text about the build, for provenance.json: the machine, the seconds.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
}

pub(super) const UNPACK_HELP: &str = "\
Examples:
  grundy unpack end-nim-n64.tar --db db                into a database, beside what it has
  grundy unpack release --db db --pubkey key.pub       only if it is signed by this key
  grundy unpack https://example.org/release.tar        fetched first, into a folder in that of the database

All of it is checked before anything is written. What the database has already stays, and a table
that differs is refused. Ctrl-C stops it; the same command goes on from there.";

#[derive(Debug, clap::Args)]
pub(crate) struct Unpack {
    /// The pack: a folder, a tar, or the address of one of them.
    #[arg(value_name = "SOURCE")]
    pub(crate) source: PathBuf,

    /// Only if it is signed by this public key of minisign.
    #[arg(long, value_name = "FILE")]
    pub(crate) pubkey: Option<PathBuf>,
}

pub(super) const CITE_HELP: &str = "\
Examples:
  grundy cite                                          the program
  grundy cite end-nim/n64/k5                           a stored table, by its digest";

#[derive(Debug, clap::Args)]
pub(crate) struct Cite {
    /// A table of the database, by id [default: the program].
    #[arg(value_name = "TABLE")]
    pub(crate) table: Option<String>,
}
