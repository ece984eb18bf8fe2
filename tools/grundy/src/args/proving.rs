//! The options of `prove` and `families`, which prove theorems about rows of all lengths, and of
//! `classes`, which proves theorems about piles of all sizes.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use grundy::theorems::Of;
use grundy::{Game, Pile};

use super::{GameArgs, seconds};

/// The options that both commands have.
#[derive(Debug, clap::Args)]
pub(crate) struct Theorem {
    #[command(flatten)]
    pub(crate) game: GameArgs,

    /// Prove Grundy values [default for games with values].
    #[arg(long, conflicts_with = "outcomes")]
    values: bool,

    /// Prove who wins.
    #[arg(long)]
    outcomes: bool,

    /// Write the certificate to this file, for `grundy verify --certificate`.
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,

    /// Stop after this many seconds.
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = seconds)]
    pub(crate) seconds: f64,
}

impl Theorem {
    pub(crate) fn of(&self, game: Game) -> Of {
        match self.values || game.is_impartial() && !self.outcomes {
            true => Of::Values,
            false => Of::Outcomes,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum AutomatonFormat {
    Dot,
    Svg,
    Walnut,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Prove {
    #[command(flatten)]
    pub(crate) theorem: Theorem,

    /// The largest pile.
    #[arg(long, value_name = "N")]
    pub(crate) piles: Pile,

    /// Write the automaton to --output in this format: dot for Graphviz, svg for a picture, walnut
    /// for the prover Walnut.
    #[arg(long, value_enum, requires = "output")]
    pub(crate) format: Option<AutomatonFormat>,

    /// The file for --format.
    #[arg(long, alias = "out", short, value_name = "FILE", requires = "format")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Families {
    #[command(flatten)]
    pub(crate) theorem: Theorem,

    /// The rows: a repeated word, a word, a repeated word, as in '3* 1 3*' or '(3,2,1)* 3,1 3*'.
    #[arg(required = true, value_name = "FAMILY")]
    pub(crate) words: Vec<String>,

    /// Write pictures of the values into this folder, as PNG and SVG.
    #[arg(short, long, alias = "output", value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Classes {
    #[command(flatten)]
    pub(crate) game: GameArgs,

    /// The number of piles.
    #[arg(long, value_name = "K")]
    pub(crate) length: usize,

    /// The values, as in 0..2. A partizan game has the outcome classes instead.
    #[arg(long, value_name = "A..B", value_parser = values)]
    pub(crate) values: Option<RangeInclusive<u32>>,

    /// Print the formulas in LaTeX.
    #[arg(long)]
    pub(crate) latex: bool,

    /// Print how many positions with piles up to n each class has, as polynomials in n.
    #[arg(long)]
    pub(crate) counts: bool,

    /// The largest pile to try [default: as many as 2^25 positions allow, at most 512].
    #[arg(long, value_name = "N")]
    pub(crate) max_pile: Option<Pile>,

    /// Write the certificate to this file, for `grundy verify --certificate`.
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,

    /// Stop after this many seconds.
    #[arg(long, value_name = "S", default_value_t = 600.0, value_parser = seconds)]
    pub(crate) seconds: f64,
}

/// Reads V or A..B.
fn values(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let read = |number: &str| number.trim().parse().ok();
    let range = read(first).zip(read(last)).filter(|(first, last)| first <= last);
    let wrong =
        || format!("'{text}' is no range of values; write V or A..B with A <= B, as in 0..2");
    range.map(|(first, last)| first..=last).ok_or_else(wrong)
}
