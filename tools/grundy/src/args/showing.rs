//! What `periods`, `export` and `plot` take, and the documents about the program itself.

use std::path::PathBuf;

use grundy::Pile;

use super::{GameArgs, seconds};

pub(super) const PERIODS_HELP: &str = "\
Examples:
  grundy periods end-nim --left 5 --middle 4           the row 5,4,b of the printed table
  grundy periods misere-end-nim --left 7 --to 100000   two piles
  grundy periods misere-nim --left 5 --all             two piles; the same game there
  grundy periods end-nim --left 3 --middle 5,9 --all   the rows of left ends 1, 2 and 3";

#[derive(Debug, clap::Args)]
pub(crate) struct Periods {
    #[command(flatten)]
    pub(crate) game: GameArgs,

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

pub(super) const EXPORT_HELP: &str = "\
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
    pub(crate) game: GameArgs,

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

pub(super) const PLOT_HELP: &str = "\
Examples:
  grundy plot short-global-nim --to 5000 out.png            g(n) against n
  grundy plot end-nim --middle 4 --max-pile 256 out.png     the values of a,4,b
  grundy plot end-nim --middle 4 --max-pile 256 --differences out.svg

The end of the file's name says what it is: .png, or .svg with axes as text around the same pixels.
With --differences each value minus the nim-sum of the two ends is drawn: white is none.";

#[derive(Debug, clap::Args)]
pub(crate) struct Plot {
    #[command(flatten)]
    pub(crate) game: GameArgs,

    /// Of short-global-nim the last n [default: 5000].
    #[arg(long, value_name = "N")]
    pub(crate) to: Option<Pile>,

    /// The piles between the two ends, as in 5,9 [default: none, two piles].
    #[arg(long, value_name = "W")]
    pub(crate) middle: Option<String>,

    /// The largest pile at the ends [default: 256; 24 where all moves made are remembered].
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
