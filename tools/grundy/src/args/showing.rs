//! The options of `periods`, `export` and `plot`, and of the program's own documents.

use std::path::PathBuf;

use grundy::Pile;

use super::{GameArgs, StopAfter, Suggestions, TimeLimit, game_names, seconds};

#[derive(Debug, clap::Args)]
pub(crate) struct Periods {
    #[command(flatten)]
    pub(crate) game: GameArgs,

    /// The leftmost pile [default: none, for the row b -> G(middle, b)].
    #[arg(long, value_name = "A", value_parser = clap::value_parser!(Pile).range(1..))]
    pub(crate) left: Option<Pile>,

    /// The piles between the two ends, as in 5,9 [default: none, two piles].
    #[arg(long, value_name = "W")]
    pub(crate) middle: Option<String>,

    /// The last column b.
    #[arg(long, value_name = "B", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) to: u32,

    /// Show the rows of all leftmost piles from 1 to --left.
    #[arg(long, requires = "left")]
    pub(crate) all: bool,

    #[command(flatten)]
    pub(crate) within: StopAfter,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    Csv,
    Npy,
    Parquet,
    Bfile,
    Latex,
    #[value(aliases = ["python", "py"])]
    Sage,
    Pari,
    Mathematica,
    Png,
    Svg,
    Pdf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) game: GameArgs,

    /// The largest pile.
    #[arg(long, value_name = "N", required_unless_present = "max_total")]
    pub(crate) max_pile: Option<Pile>,

    /// The largest number of coins, in a game whose rule file says `within: total`. The option
    /// --max-pile means the same there.
    #[arg(long, value_name = "N", conflicts_with = "max_pile")]
    pub(crate) max_total: Option<Pile>,

    /// The number of piles [default: 2, or the number that --middle implies; or every number, in a
    /// game of heaps whose rule file says `within: total`].
    #[arg(long, value_name = "K")]
    pub(crate) length: Option<usize>,

    /// The piles between the two ends, as in 5,9: export only the tile a, w, b.
    #[arg(long, value_name = "W")]
    pub(crate) middle: Option<String>,

    /// The format.
    #[arg(long, value_enum)]
    pub(crate) format: Format,

    /// Export the remoteness in place of the value.
    #[arg(long)]
    pub(crate) remoteness: bool,

    /// If the order of the piles does not matter, write a line for each order.
    #[arg(long)]
    pub(crate) all_orders: bool,

    /// In a b-file of two piles, leave out empty piles.
    #[arg(long, conflicts_with = "triangle")]
    pub(crate) no_empty: bool,

    /// In a b-file of two piles, only the positions a, b with a <= b, by rows of equal b.
    #[arg(long)]
    pub(crate) triangle: bool,

    /// In csv, write the position as one text in one column.
    #[arg(long)]
    pub(crate) text: bool,

    /// Write to this file, which appears only when it is complete [default: standard output].
    #[arg(long, alias = "out", short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) within: TimeLimit,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Dataset {
    /// The game, or the path of a rule file.
    #[arg(value_name = "GAME", value_parser = Suggestions(game_names), hide_possible_values = true,
        required_unless_present = "all", conflicts_with = "all")]
    pub(crate) game: Option<String>,

    /// Write the files of all games of the program, each game in its own folder.
    #[arg(long)]
    pub(crate) all: bool,

    /// The folder to make.
    #[arg(short, long, alias = "output", value_name = "DIR")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Plot {
    #[command(flatten)]
    pub(crate) game: GameArgs,

    /// Draw the values of single piles up to N [default: 5000 for short-global-nim, 200 for games
    /// of single piles; for other games draw two piles].
    #[arg(long, value_name = "N")]
    pub(crate) to: Option<Pile>,

    /// The piles between the two ends, as in 5,9 [default: none, two piles].
    #[arg(long, value_name = "W")]
    pub(crate) middle: Option<String>,

    /// The largest pile at the ends [default: 256, or less if that would take long].
    #[arg(long, value_name = "N")]
    pub(crate) max_pile: Option<Pile>,

    /// The heading of the picture [default: the title of the game, and what is shown].
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,

    /// Draw differences from the nim-sum of the two ends.
    #[arg(long)]
    pub(crate) differences: bool,

    /// Refuse a picture if its estimated time exceeds this many seconds, and stop after this time.
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = seconds)]
    pub(crate) seconds: f64,

    /// The file of the picture.
    #[arg(value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Completions {
    /// The shell.
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Help {
    /// A command, `rules` or `language` [default: the list of commands].
    #[arg(value_name = "COMMAND|rules|language")]
    pub(crate) topic: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Man {
    /// Write a page for each subcommand into this folder.
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
}
