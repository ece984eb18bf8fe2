//! What was typed, and what is meant by it.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Parser, Subcommand};
use grundy_builder::Request;
use grundy_kernels::Isa;
use grundy_query::{Access, Database, Limits};
use grundy_rules::{Game, Pile, misere_form};
use grundy_solvers::solver;
use grundy_theory::Claim;

use crate::watch::show_search;

const AFTER_HELP: &str = "\
Examples:
  grundy build --max-pile 64               every position of up to 5 piles of up to 64 coins
  grundy query end-nim 3,1,4               its Grundy value
  grundy query misere-end-nim - < FILE     one position a line, one value a line
  grundy moves end-nim 5,4,5,6             every option with its value; winning moves marked
  grundy stats loop-end-nim --length 4     how often each value occurs
  grundy diff ch.thm5.4                    check a theorem of Cairns and Ho
  grundy check end-nim 'P -> first == last' --length 3     a statement of your own

Positions are piles from left to right: 3,1,4. The games are nim, misere-nim, end-nim,
misere-end-nim, loop-end-nim, partizan-end-nim, end-wythoff, short-global-nim and
long-global-nim.
Exit codes: 0 ok, 1 a mismatch was found, 2 usage, missing or corrupt input.";

/// Exhaustive tables of Nim variants: build them, look values up, check them.
#[derive(Debug, Parser)]
#[command(name = "grundy", version, about, after_help = AFTER_HELP, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// The database folder.
    #[arg(long, global = true, value_name = "DIR", default_value = "db")]
    pub(crate) db: PathBuf,

    /// Threads to work with [default: one for each processor].
    #[arg(long, global = true, value_name = "N")]
    pub(crate) threads: Option<usize>,

    /// Memory to stay within: bytes, or with K, M, G (powers of 1024).
    #[arg(long, global = true, value_name = "SIZE", default_value = "4G", value_parser = size)]
    pub(crate) memory: u64,

    /// Instruction set of the kernels: portable, avx2 or avx512 [default: the best there is].
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) isa: Option<String>,

    /// Read the files of the database instead of mapping them into memory: slower, and safe where
    /// others may shorten them. Files on remote file systems are always read. Pages of mapped files
    /// are the system's, which takes them back, and are not counted in --memory.
    #[arg(long, global = true)]
    pub(crate) no_mmap: bool,

    /// Print JSON instead of text.
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

const PLAN_HELP: &str = "\
Examples:
  grundy plan --max-pile 64                            all games, up to 5 piles
  grundy plan --max-pile 64 --length 6 --games end-nim";

const BUILD_HELP: &str = "\
Examples:
  grundy build --max-pile 64                           all games, up to 5 piles
  grundy build --max-pile 64 --length 6 --games end-nim --memory 2G
  grundy build --max-pile 1024 --length 3 --db wide --games end-nim
  grundy build --games short-global-nim --heap 10000000
  grundy build --heap 100000000 --values-only --memory 6G

Ctrl-C stops it; the same command goes on from there. What is written does not depend on
threads, memory, instruction set or interruptions.";

const QUERY_HELP: &str = "\
Examples:
  grundy query end-nim 3,1,4 '12 10'                   one value a line
  grundy query loop-end-nim 5,4,5,6,7 --json           with outcome class and source
  grundy query end-nim - < positions.txt               many, in parallel
  grundy query nim 3,1,4                               piles in any order
  grundy query partizan-end-nim 3,1,4                  L, R, N or P: who wins
  grundy query short-global-nim 20,20/3                3 coins were just taken
  grundy query long-global-nim '8{1,3,4}'              1, 3 and 4 may still be taken
  grundy query end-nim 3,1,4 + short-global-nim 5      a sum of games: the nim-sum of the values
  grundy query end-nim 3,1,4 --convention misere       misere play, G() = 1
  grundy query end-nim - --keep-going < FILE           ? for a line that is no position

From standard input, an empty line or one that begins with # prints an empty line, so that
lines of input and output stay together.
The source is table, table+computed or computed. For misere-nim and misere-end-nim the value
follows Cairns and Ho (the last coin is never taken); --json also gives misere_grundy, the
value under the other convention, by which the empty position has value 1. For
partizan-end-nim --json gives the thresholds l and r.";

const MOVES_HELP: &str = "\
Examples:
  grundy moves end-nim 2,3,4
  grundy moves misere-end-nim 1,1,5 --json
  grundy moves end-nim 5,4,5,6 --winning               those after which the other player loses
  grundy moves end-nim 1,1,2 --convention misere       with values of misere play, G() = 1
  grundy moves partizan-end-nim 3,1,4                  both players' moves";

const VERIFY_HELP: &str = "\
Examples:
  grundy verify                                        every byte, and a sixteenth of the values
  grundy verify --full                                 every value
  grundy verify end-nim/n64 nim                        the tables whose ids begin so
  grundy verify --against db/expected/digests.json     and their digests are those listed
  grundy verify --sample 1/7                           the first seventh of the shards
  grundy verify --certificate conj34.cert              a proof of the triangular-number conjecture

Exit code 1 if anything is wrong; the messages name file and frame.";

const STATS_HELP: &str = "\
Examples:
  grundy stats end-nim                                 the largest stored table
  grundy stats end-nim --max-pile 32 --length 5        stored or not
  grundy stats partizan-end-nim --max-pile 64 --length 5   outcome classes of each length
  grundy stats end-nim --max-pile 9 --length 3 --convention misere";

/// The subcommands, in the order of the work.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show what a build would make: tables, positions, bytes, memory, seconds. Writes nothing.
    #[command(after_help = PLAN_HELP)]
    Plan(Tables),
    /// Build tables, or go on with a build that was stopped. A second run does nothing.
    #[command(after_help = BUILD_HELP)]
    Build(Tables),
    /// Show what the database holds.
    Status,
    /// Print the Grundy value of positions, one a line, whatever is stored.
    #[command(after_help = QUERY_HELP)]
    Query(Query),
    /// Print every option of a position with its value; winning moves are marked.
    #[command(after_help = MOVES_HELP)]
    Moves(Moves),
    /// Check what the papers say against the tables: theorems, remarks and conjectures.
    #[command(after_help = DIFF_HELP)]
    Diff(Diff),
    /// Check a statement of your own on every position up to a size.
    #[command(after_help = CHECK_HELP)]
    Check(Check),
    /// List the positions that satisfy a statement, in order.
    #[command(after_help = FIND_HELP)]
    Find(Find),
    /// List the statements that `diff` checks.
    Claims(Claims),
    /// Write what the checks found as a document, from the lines of `diff --json`.
    Findings(Findings),
    /// Find the period of the row b -> G(left, middle, b).
    #[command(after_help = PERIODS_HELP)]
    Periods(Periods),
    /// Check every byte of the database, and derive values again from the rules.
    #[command(after_help = VERIFY_HELP)]
    Verify(Verify),
    /// Count how often each value occurs in a table, stored or not.
    #[command(after_help = STATS_HELP)]
    Stats(Stats),
    /// Write the values of all positions up to a size in a format of other programs.
    #[command(after_help = EXPORT_HELP)]
    Export(Export),
    /// Draw g(n) of short global nim, or the values of a tile, as a picture.
    #[command(after_help = PLOT_HELP)]
    Plot(Plot),
    /// Print the completion script of a shell.
    Completions(Completions),
    /// Print the manual page, or write one for each subcommand into a folder.
    Man(Man),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Tables {
    /// The largest pile. May be left out if --heap is all that is wanted. Of long global nim,
    /// where a pile of N coins has 2^N sets of moves, at most 28, 16, 11 and 9 for one to four
    /// piles, unless --games names it and --length is given: then N as it stands.
    #[arg(long, value_name = "N", required_unless_present = "heap")]
    pub(crate) max_pile: Option<Pile>,

    /// The longest positions; shorter ones are included [default: as many piles as give at most
    /// 2^31 positions a game, and at most 8: 5 for max pile 64; of Nim 2^24, and at most 4].
    #[arg(long, value_name = "K")]
    pub(crate) length: Option<usize>,

    /// The games, separated by commas [default: all].
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_parser = Offered(game_names),
        hide_possible_values = true)]
    pub(crate) games: Vec<String>,

    /// Of short global nim with one pile, the largest pile [default: 15,625 times the largest
    /// pile of the others, at most 1,000,000].
    #[arg(long, value_name = "N")]
    pub(crate) heap: Option<Pile>,

    /// Of short global nim with one pile, the values g(n) = *(n,0) alone.
    #[arg(long)]
    pub(crate) values_only: bool,
}

/// The game that is asked about.
#[derive(Debug, clap::Args)]
pub(crate) struct Asked {
    /// The game, as in end-nim.
    #[arg(value_parser = Offered(game_names), hide_possible_values = true)]
    game: String,

    /// misere: values of misere play, by which a position without moves has the value 1 and all
    /// others the mex of their options [default: those of the game as it is].
    #[arg(long, value_enum, value_name = "NAME")]
    convention: Option<Convention>,
}

/// Where Grundy values begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Convention {
    Misere,
}

impl Asked {
    /// The game, or its misère form.
    pub(crate) fn game(&self) -> anyhow::Result<Game> {
        let game: Game = self.game.parse()?;
        Ok(match self.convention {
            None => game,
            Some(Convention::Misere) => misere_form(game)?,
        })
    }
}

/// What a misère form is called in what is printed: the game, and the convention.
pub(crate) fn convention_of(game: Game) -> Option<&'static str> {
    game.misere_of().map(|_| "misere: a position without moves has the value 1")
}

/// The name of a game for people: that of a misère form says so.
pub(crate) fn named(game: Game) -> String {
    match game.misere_of() {
        Some(normal) => format!("{normal} (misere, a position without moves has the value 1)"),
        None => game.to_string(),
    }
}

/// Any text, of which completion offers some.
#[derive(Clone, Copy)]
struct Offered(fn() -> Vec<&'static str>);

impl TypedValueParser for Offered {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, clap::Error> {
        // What it means is found out, and told, by whoever knows the names.
        clap::builder::StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter().map(PossibleValue::new)))
    }
}

fn game_names() -> Vec<&'static str> {
    Game::all().map(Game::id).collect()
}

fn claim_names() -> Vec<&'static str> {
    Claim::all().map(|claim| claim.id).collect()
}

#[derive(Debug, clap::Args)]
pub(crate) struct Query {
    #[command(flatten)]
    pub(crate) game: Asked,

    /// Positions, as in 3,1,4; or - to read them from standard input, one a line. Behind a + come
    /// the name and the position of another game: the value of the sum is printed.
    #[arg(required = true, value_name = "POSITION")]
    pub(crate) positions: Vec<String>,

    /// Print ? for what is no position, or cannot be computed, and go on; the exit code is 2 then.
    #[arg(long)]
    pub(crate) keep_going: bool,

    /// Refuse a position that would take longer to compute, in seconds: as estimated, or for
    /// long-global-nim when they have passed.
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = seconds)]
    pub(crate) seconds: f64,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Moves {
    #[command(flatten)]
    pub(crate) game: Asked,

    /// The position, as in 3,1,4.
    pub(crate) position: String,

    /// Print the winning moves only.
    #[arg(long)]
    pub(crate) winning: bool,

    /// Refuse a position that would take longer to compute, in seconds: as estimated, or for
    /// long-global-nim when they have passed.
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = seconds)]
    pub(crate) seconds: f64,
}

const DIFF_HELP: &str = "\
Examples:
  grundy diff                                          everything known, over ranges of seconds
  grundy diff ch.                                      the statements of Cairns and Ho
  grundy diff ch.thm2.1 --max-pile 64 --length 6       one statement, on 6.9e10 positions
  grundy diff ch.thm2.1 --max-pile 64 --length 7 --checkpoint FILE --seconds 3600
  grundy diff lgn.conj34 --to 1000 --certificate conj34.cert
  grundy diff own.ends                                 a claim of your own, from claims/*.claim

Stored tables are read and the others computed; the column source says which. All counts of a
claim are in its unit. A verdict other than the expected one, or an unexpected counterexample, is
exit code 1; a statement known to be false that fails is not. A run that is stopped without a
counterexample decides nothing: its verdict is stopped, its exit code 130.";

#[derive(Debug, clap::Args)]
pub(crate) struct Diff {
    /// Claims by id, or all of a paper by its prefix, as in ch.thm5.4 or ch. [default: all]
    #[arg(value_name = "CLAIM", value_parser = Offered(claim_names), hide_possible_values = true)]
    pub(crate) claims: Vec<String>,

    /// The largest pile [default: each claim's own].
    #[arg(long, value_name = "N")]
    pub(crate) max_pile: Option<Pile>,

    /// The number of piles; claims about any length are checked up to it [default: each
    /// claim's own].
    #[arg(long, value_name = "K")]
    pub(crate) length: Option<usize>,

    /// The last column or number, for claims about rows or numbers [default: each claim's own].
    #[arg(long, value_name = "B")]
    pub(crate) to: Option<u32>,

    /// Only these games, separated by commas [default: all that a claim speaks about].
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_parser = Offered(game_names),
        hide_possible_values = true)]
    pub(crate) games: Vec<String>,

    /// Refuse what would take longer, in seconds, as estimated.
    #[arg(long, value_name = "S", default_value_t = 600.0, value_parser = seconds)]
    pub(crate) seconds: f64,

    /// Keep what is covered in this file, and go on from it.
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,

    /// Write the proof of lgn.conj34 to this file, for `grundy verify --certificate`; if it is
    /// there, go on from it [default: conj34.cert in the database folder, if lgn.conj34 is the
    /// only claim asked for].
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) own: Own,
}

/// Where claims of one's own are.
#[derive(Debug, clap::Args)]
pub(crate) struct Own {
    /// The folder of claims of your own, files that end in .claim (docs/LANGUAGE.md); none if it
    /// is not there.
    #[arg(long = "claims", value_name = "DIR", default_value = "claims")]
    pub(crate) folder: PathBuf,
}

const CHECK_HELP: &str = "\
Examples:
  grundy check end-nim 'g == 1 -> abs(first - last) <= 1' --length 3 --max-pile 64
  grundy check nim 'g == xor(piles)' --length 1..5
  grundy check end-nim 'p2 > 1 -> g(p1, p2 - 1, p3) != g' --show 10
  grundy check partizan-end-nim 'k % 2 == 0 -> not N' --length 1..6 --max-pile 16
  grundy check short-global-nim 'last_move > p1 -> g == g(p1)' --to 2000
  grundy check long-global-nim 'size <= 1 -> g <= 1' --length 1 --max-pile 20

The language is in docs/LANGUAGE.md: whole numbers with + - * // % **, ^ for the nim-sum, and
or not -> <->; p1, p2, ..., first, last, piles, k, total, g, outcome; all(x in piles: x > 1);
g(p1, p2 - 1, p3) for the value of another position. It is counted in positions; piles without
an order ascend. Exit code 0: it holds; 1: it fails; 2: it says nothing; 130: stopped.";

#[derive(Debug, clap::Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) game: Asked,

    /// The statement, as in 'g == 1 -> abs(first - last) <= 1'.
    pub(crate) statement: String,

    #[command(flatten)]
    pub(crate) sizes: Sizes,

    /// How many of the least counterexamples to show.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) show: usize,

    /// Refuse what would take longer, in seconds, as estimated.
    #[arg(long, value_name = "S", default_value_t = 600.0, value_parser = seconds)]
    pub(crate) seconds: f64,

    /// Keep what is covered in this file, and go on from it.
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
}

const FIND_HELP: &str = "\
Examples:
  grundy find end-nim P --length 3 --max-pile 10       all P-positions of three piles to 10
  grundy find end-nim 'g > first + last - 2' --length 2..4 --max-pile 16 --first 5
  grundy find nim 'P and min(piles) > 1' --length 3 --max-pile 100 --count
  grundy find long-global-nim 'P and size > 3' --length 1 --max-pile 7 --csv

They come by length, then as words are ordered; with --count only their number is printed.";

#[derive(Debug, clap::Args)]
pub(crate) struct Find {
    #[command(flatten)]
    pub(crate) game: Asked,

    /// What the positions satisfy, as in 'P and first > 1'.
    pub(crate) predicate: String,

    #[command(flatten)]
    pub(crate) sizes: Sizes,

    /// Print their number and nothing else.
    #[arg(long, conflicts_with_all = ["first", "csv"])]
    pub(crate) count: bool,

    /// Stop after so many.
    #[arg(long, value_name = "N")]
    pub(crate) first: Option<u64>,

    /// Print a header, and each position with its value.
    #[arg(long)]
    pub(crate) csv: bool,

    /// Refuse what would take longer to count, in seconds, as estimated.
    #[arg(long, value_name = "S", default_value_t = 600.0, value_parser = seconds)]
    pub(crate) seconds: f64,
}

/// Of which positions something is asked.
#[derive(Debug, clap::Args)]
pub(crate) struct Sizes {
    /// The largest pile [default: up to 64, as far as there are 2^24 positions].
    #[arg(long, value_name = "N")]
    pub(crate) max_pile: Option<Pile>,

    /// The number of piles, or the least and the greatest, as in 1..4 [default: as many as are
    /// named by p1, p2, ...; else 1..4].
    #[arg(long, value_name = "K", value_parser = lengths)]
    pub(crate) length: Option<Lengths>,

    /// The largest single pile: the same as --length 1 --max-pile N.
    #[arg(long, value_name = "N", conflicts_with_all = ["max_pile", "length"])]
    pub(crate) to: Option<Pile>,
}

/// Numbers of piles, both ends included.
pub(crate) type Lengths = std::ops::RangeInclusive<usize>;

/// Reads K or K..L.
fn lengths(text: &str) -> Result<Lengths, String> {
    let read = || {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        (1 <= first && first <= last).then_some(first..=last)
    };
    read().ok_or_else(|| format!("'{text}' is no number of piles; write K or K..L, as in 1..4"))
}

#[derive(Debug, clap::Args)]
pub(crate) struct Claims {
    /// Claims by id, or all of a paper by its prefix [default: all].
    #[arg(value_name = "CLAIM", value_parser = Offered(claim_names), hide_possible_values = true)]
    pub(crate) claims: Vec<String>,

    #[command(flatten)]
    pub(crate) own: Own,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Findings {
    /// Files with the lines of `diff --json`.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) own: Own,
}

const PERIODS_HELP: &str = "\
Examples:
  grundy periods end-nim --left 5 --middle 4           the row 5,4,b of the printed table
  grundy periods misere-end-nim --left 7 --to 100000   two piles
  grundy periods misere-nim --left 5 --all             two piles; the same game there
  grundy periods end-nim --left 3 --middle 5,9 --all   the rows of left ends 1, 2 and 3";

#[derive(Debug, clap::Args)]
pub(crate) struct Periods {
    #[command(flatten)]
    pub(crate) game: Asked,

    /// The leftmost pile.
    #[arg(long, value_name = "A")]
    pub(crate) left: Pile,

    /// The piles between the two ends, as in 5,9 [default: none, two piles].
    #[arg(long, value_name = "W")]
    pub(crate) middle: Option<String>,

    /// The last column to look at.
    #[arg(long, value_name = "B", default_value_t = 4096)]
    pub(crate) to: u32,

    /// The rows of all leftmost piles from 1 on.
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Verify {
    /// Tables by id, or by the beginning of one, as in end-nim/n64/k3 or end-nim [default: all].
    #[arg(value_name = "TABLE")]
    pub(crate) tables: Vec<String>,

    /// Derive every value again from the rules, not only one frame in sixteen.
    #[arg(long)]
    pub(crate) full: bool,

    /// Check the N-th of T parts of the shards only, as in 2/7.
    #[arg(long, value_name = "N/T", value_parser = part)]
    pub(crate) sample: Option<(u32, u32)>,

    /// Compare the digests of tables with those in this file: a JSON object, id to digest.
    #[arg(long, value_name = "FILE", conflicts_with = "sample")]
    pub(crate) against: Option<PathBuf>,

    /// Check this certificate of the triangular-number conjecture, and not the database.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["full", "sample", "tables", "against"])]
    pub(crate) certificate: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Stats {
    #[command(flatten)]
    pub(crate) game: Asked,

    /// The largest pile [default: that of the largest stored table].
    #[arg(long, value_name = "N")]
    pub(crate) max_pile: Option<Pile>,

    /// The number of piles [default: that of the largest stored table].
    #[arg(long, value_name = "K")]
    pub(crate) length: Option<usize>,
}

const EXPORT_HELP: &str = "\
Examples:
  grundy export end-nim --max-pile 16 --length 3 --format csv > values.csv
  grundy export end-nim --max-pile 64 --length 5 --format npy -o values.npy
  grundy export end-nim --middle 4 --max-pile 256 --format npy -o tile.npy
  grundy export nim --max-pile 9 --length 3 --format csv --all-orders
  grundy export short-global-nim --max-pile 10000 --length 1 --format bfile
  grundy export misere-nim --max-pile 12 --length 2 --format latex
  grundy export end-nim --middle 4 --max-pile 256 --format svg -o tile.svg

csv      a line for each position: a column for each pile (a, b, ...), for the last move (k) or the
         moves that are left, and for the value (g) or the outcome class; of one pile of
         short-global-nim n, g(n) and the exceptional last moves; --text has the position as query
         reads it, in one column. Where piles are in no order each position stands once, its piles
         ascending; --all-orders has all orders
npy      an array for NumPy, in the smallest numbers that all values fit: one axis for each pile, in
         order, index 0 for the pile 1; last axis, for short-global-nim, the last move; of
         partizan-end-nim the thresholds l; of long-global-nim one axis, the numbers of the
         positions (docs/FORMAT.md)
parquet  the columns of csv, of a game whose positions are piles alone, if the program was built
         with it
bfile    a b-file of the OEIS: one pile; two piles, or three, by increasing sum; of partizan-end-nim
         the thresholds l
latex    a table of two piles, or of a, w, b with --middle W
png svg  the same as a picture; see grundy plot

--middle W has only the tile of W, the positions a, W, b: for csv, npy, latex, png and svg.
The size is told first. What does not fit on the disk, or takes more than --memory or --seconds, is
refused; a file that cannot be finished does not appear. Values are read from tables or computed,
whichever takes less time.";

/// A format of other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    Csv,
    Npy,
    Parquet,
    Bfile,
    Latex,
    Png,
    Svg,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) game: Asked,

    /// The largest pile.
    #[arg(long, value_name = "N")]
    pub(crate) max_pile: Pile,

    /// The number of piles [default: 2, or what --middle makes it].
    #[arg(long, value_name = "K")]
    pub(crate) length: Option<usize>,

    /// The piles between the two ends, as in 5,9: only the tile a, w, b.
    #[arg(long, value_name = "W")]
    pub(crate) middle: Option<String>,

    /// The format.
    #[arg(long, value_enum)]
    pub(crate) format: Format,

    /// Of piles in no order, a line for each order of them.
    #[arg(long)]
    pub(crate) all_orders: bool,

    /// In csv, the position as one text.
    #[arg(long)]
    pub(crate) text: bool,

    /// Write to this file, whole or not at all [default: standard output].
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Refuse what would take longer, in seconds, as estimated.
    #[arg(long, value_name = "S", default_value_t = 600.0, value_parser = seconds)]
    pub(crate) seconds: f64,
}

const PLOT_HELP: &str = "\
Examples:
  grundy plot short-global-nim --to 5000 out.png            g(n) against n
  grundy plot end-nim --middle 4 --max-pile 256 out.png     the values of a,4,b
  grundy plot end-nim --middle 4 --max-pile 256 --differences out.svg

The end of the file's name says what it is: .png, or .svg with axes as text around the same pixels.
With --differences each value minus the nim-sum of the two ends is drawn: white is none.";

#[derive(Debug, clap::Args)]
pub(crate) struct Plot {
    #[command(flatten)]
    pub(crate) game: Asked,

    /// Of short-global-nim the last n [default: 5000].
    #[arg(long, value_name = "N")]
    pub(crate) to: Option<Pile>,

    /// The piles between the two ends, as in 5,9 [default: none, two piles].
    #[arg(long, value_name = "W")]
    pub(crate) middle: Option<String>,

    /// The largest pile at the ends [default: 256].
    #[arg(long, value_name = "N")]
    pub(crate) max_pile: Option<Pile>,

    /// Draw differences from the nim-sum of the two ends.
    #[arg(long)]
    pub(crate) differences: bool,

    /// Refuse a picture that would take longer to compute, in seconds: as estimated, or when they
    /// have passed.
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = seconds)]
    pub(crate) seconds: f64,

    /// The picture's file.
    #[arg(value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Completions {
    /// The shell.
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Man {
    /// Write a page for each subcommand into this folder.
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
}

/// What every subcommand needs to know.
#[derive(Debug)]
pub(crate) struct Common {
    pub(crate) db: PathBuf,
    pub(crate) threads: usize,
    pub(crate) memory: u64,
    pub(crate) isa: Isa,
    pub(crate) access: Access,
}

/// Most threads that are asked of a machine: more than any of today has, and few enough to
/// start in no time.
const MOST_THREADS: usize = 4096;

impl Args {
    /// Reads the common options.
    pub(crate) fn common(&self) -> anyhow::Result<Common> {
        let threads = match self.threads {
            Some(0) => bail!("--threads 0 would do nothing; say 1 or more, or leave it out"),
            Some(threads) if threads > MOST_THREADS => {
                bail!(
                    "--threads {threads} is more than {MOST_THREADS}; leave it out for one a processor"
                )
            }
            Some(threads) => threads,
            None => std::thread::available_parallelism().map_or(1, usize::from),
        };
        let isa = match &self.isa {
            Some(name) => name.parse()?,
            None => Isa::best(),
        };
        let access = if self.no_mmap { Access::Read } else { Access::Mapped };
        Ok(Common { db: self.db.clone(), threads, memory: self.memory, isa, access })
    }
}

impl Common {
    /// Makes the pool that parallel work of this process runs in. Commands that look up
    /// a few values do without, and start the sooner.
    pub(crate) fn start_threads(&self) -> anyhow::Result<()> {
        rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .build_global()
            .context("cannot start the threads")
    }

    /// Opens the database for reading.
    pub(crate) fn open(&self, seconds: f64) -> anyhow::Result<Database> {
        let limits = Limits { memory: self.memory, seconds };
        Ok(Database::open_by(&self.db, limits, self.access)?.watched(show_search))
    }
}

impl Tables {
    /// The request that is meant.
    pub(crate) fn request(&self, common: &Common) -> anyhow::Result<Request> {
        let named = games(&self.games)?;
        let with_records = || Game::all().filter(|&game| solver(game).records().is_some());
        // A single pile alone is the table of one pile.
        let (games, max_pile, length) = match self.max_pile {
            Some(max_pile) if named.is_empty() => (Game::all().collect(), max_pile, self.length),
            Some(max_pile) => (named.clone(), max_pile, self.length),
            None if named.is_empty()
                || named.iter().all(|game| with_records().any(|g| g == *game)) =>
            {
                (with_records().collect(), 1, Some(1))
            }
            None => {
                let games: Vec<&str> = with_records().map(grundy_rules::Game::id).collect();
                bail!("--max-pile is missing; --heap alone builds {}", games.join(", "))
            }
        };
        Ok(Request {
            games,
            max_pile,
            length,
            // Who names games and a length means the size.
            literally: !named.is_empty() && self.length.is_some(),
            single: self.heap,
            values_only: self.values_only,
            memory: common.memory,
            threads: common.threads,
            isa: common.isa,
        })
    }
}

/// Reads a list of games; nothing typed is an empty list.
pub(crate) fn games(names: &[String]) -> anyhow::Result<Vec<Game>> {
    let mut games = names.iter().map(|name| name.parse()).collect::<Result<Vec<Game>, _>>()?;
    games.sort();
    games.dedup();
    Ok(games)
}

/// Reads a size in bytes.
fn size(text: &str) -> Result<u64, String> {
    let wrong = || format!("'{text}' is not a size; write bytes, or K, M or G as in 512M or 4G");
    let trimmed = text.trim().trim_end_matches(['b', 'B']).trim_end_matches(['i', 'I']);
    let (digits, shift) = match trimmed.chars().last().map(|last| last.to_ascii_uppercase()) {
        Some('K') => (&trimmed[..trimmed.len() - 1], 10),
        Some('M') => (&trimmed[..trimmed.len() - 1], 20),
        Some('G') => (&trimmed[..trimmed.len() - 1], 30),
        _ => (trimmed, 0),
    };
    let number: u64 = digits.trim().parse().map_err(|_| wrong())?;
    number.checked_mul(1 << shift).ok_or_else(wrong)
}

/// Reads seconds: a number that is not negative, or inf.
fn seconds(text: &str) -> Result<f64, String> {
    let seconds: Option<f64> = text.trim().parse().ok();
    seconds
        .filter(|&seconds| seconds >= 0.0)
        .ok_or_else(|| format!("'{text}' is not a number of seconds; write one from 0 up, or inf"))
}

/// Reads n/t.
fn part(text: &str) -> Result<(u32, u32), String> {
    let read = || {
        let (n, t) = text.split_once('/')?;
        let (n, t) = (n.trim().parse().ok()?, t.trim().parse().ok()?);
        (1 <= n && n <= t).then_some((n, t))
    };
    read().ok_or_else(|| format!("'{text}' is not a part; write N/T with 1 <= N <= T, as in 2/7"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn sizes_and_parts() {
        assert_eq!(size("4G"), Ok(4 << 30));
        assert_eq!(size("512MiB"), Ok(512 << 20));
        assert_eq!(size("1000"), Ok(1000));
        assert!(size("lots").is_err() && size("").is_err() && size("99999999999G").is_err());
        assert_eq!(part("2/7"), Ok((2, 7)));
        assert!(part("0/7").is_err() && part("8/7").is_err() && part("2").is_err());
    }
}
