//! The options of `diff`, `claims`, `findings`, `check`, `find`, `sequence` and `guess`.

use std::path::PathBuf;

pub(crate) use grundy::Lengths;
use grundy::{Domain, DomainError, Pile};

use super::{GameArgs, Suggestions, TimeLimit, claim_names, game_names, seconds};

#[derive(Debug, clap::Args)]
pub(crate) struct Diff {
    /// Claims by id, as in ch.thm5.4, or by the prefix of a paper, as in ch. [default: all]
    #[arg(value_name = "CLAIM", value_parser = Suggestions(claim_names), hide_possible_values = true)]
    pub(crate) claims: Vec<String>,

    /// The largest pile [default: each claim's own].
    #[arg(long, value_name = "N")]
    pub(crate) max_pile: Option<Pile>,

    /// The number of piles. A claim about several lengths is checked for all lengths up to this one
    /// [default: each claim's own].
    #[arg(long, value_name = "K")]
    pub(crate) length: Option<usize>,

    /// For claims about rows, the last column; else the last n [default: each claim's own].
    #[arg(long, value_name = "B")]
    pub(crate) to: Option<u32>,

    /// Only these games, separated by commas [default: all games of a claim].
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_parser = Suggestions(game_names),
        hide_possible_values = true)]
    pub(crate) games: Vec<String>,

    #[command(flatten)]
    pub(crate) within: TimeLimit,

    /// Save progress in this file, and continue from it.
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,

    /// Write the proof of lgn.conj34 to this file, for `grundy verify --certificate`. If the file
    /// exists, its proof is continued [default: conj34.cert in the database folder, if lgn.conj34
    /// is the only claim].
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) own: Own,
}

/// The default folder of claims, which may be missing.
pub(crate) const USUAL_FOLDER: &str = "claims";

/// The folder of your own claims.
#[derive(Debug, clap::Args)]
pub(crate) struct Own {
    /// The folder of your own claims, which are files that end in .claim (docs/LANGUAGE.md), or one
    /// such file. The default folder may be missing.
    #[arg(long = "claims", value_name = "DIR|FILE", default_value = USUAL_FOLDER)]
    pub(crate) folder: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) game: GameArgs,

    #[command(flatten)]
    pub(crate) with: With,

    /// The statement, as in 'g == 1 -> abs(first - last) <= 1'.
    #[arg(allow_hyphen_values = true)]
    pub(crate) statement: String,

    #[command(flatten)]
    pub(crate) sizes: Sizes,

    /// Prove the statement for piles of all sizes, for each length by itself. --max-pile is then
    /// the largest pile to try, and the search stops after --seconds.
    #[arg(long, conflicts_with_all = ["to", "checkpoint", "max_total"])]
    pub(crate) all_sizes: bool,

    /// Write the certificate of --all-sizes to this file, for `grundy verify --certificate`.
    #[arg(long, value_name = "FILE", requires = "all_sizes")]
    pub(crate) certificate: Option<PathBuf>,

    /// Write the questions that --all-sizes does not decide to this folder, for solvers.
    #[arg(long, value_name = "DIR", requires = "all_sizes")]
    pub(crate) smt: Option<PathBuf>,

    /// Run this solver on the questions: z3, cvc5, or any, for all that are installed.
    #[arg(long, value_name = "NAME", requires = "smt")]
    pub(crate) solver: Vec<String>,

    /// The number of counterexamples to show, least first.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) show: usize,

    #[command(flatten)]
    pub(crate) within: TimeLimit,

    /// Save progress in this file, and continue from it.
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Find {
    #[command(flatten)]
    pub(crate) game: GameArgs,

    #[command(flatten)]
    pub(crate) with: With,

    /// The condition on positions, as in 'P and first > 1'.
    #[arg(allow_hyphen_values = true)]
    pub(crate) predicate: String,

    #[command(flatten)]
    pub(crate) sizes: Sizes,

    /// Print only the number of positions.
    #[arg(long, conflicts_with_all = ["first", "csv"])]
    pub(crate) count: bool,

    /// Print the sum of a number over the positions, as in --sum total.
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true, conflicts_with_all = ["first", "csv", "count"])]
    pub(crate) sum: Option<String>,

    /// Print the largest number that an expression has at one of the positions, and the first such
    /// position, as in --max 'last - first'.
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true, conflicts_with_all = ["first", "csv", "count", "sum"])]
    pub(crate) max: Option<String>,

    /// Print the sizes of single piles in one line, with commas, from 0 for no pile. With an
    /// expression, as in --list=p1, print its number at each position, with any number of piles.
    #[arg(long, value_name = "EXPR", num_args = 0..=1, require_equals = true,
        default_missing_value = "", conflicts_with_all = ["csv", "count", "sum", "max"])]
    pub(crate) list: Option<String>,

    /// Print the numbers of --list as a b-file.
    #[arg(long, value_name = "EXPR", num_args = 0..=1, require_equals = true,
        default_missing_value = "", conflicts_with_all = ["csv", "count", "sum", "max", "list"])]
    pub(crate) bfile: Option<String>,

    /// Compare the numbers of --list with a b-file, or with a line of the file `stripped` of the
    /// OEIS. The exit code is 1 if they differ.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["csv", "count", "sum", "max"])]
    pub(crate) compare: Option<PathBuf>,

    /// Stop after this many positions.
    #[arg(long, value_name = "N")]
    pub(crate) first: Option<u64>,

    /// Print csv: a header, then each position with its value.
    #[arg(long)]
    pub(crate) csv: bool,

    /// Refuse if the estimated time of counting exceeds this many seconds.
    #[arg(long, value_name = "S", default_value_t = 600.0, value_parser = seconds)]
    pub(crate) seconds: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum SizeBy {
    /// The largest pile.
    Max,
    /// All coins.
    Total,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Sequence {
    #[command(flatten)]
    pub(crate) game: GameArgs,

    #[command(flatten)]
    pub(crate) with: With,

    /// The condition on the positions to count, as in 'P and first > 1' [default: print values].
    pub(crate) predicate: Option<String>,

    /// The number of piles; or the least and the largest number, as in 1..4; or, with --by total,
    /// all [default: the number of piles that p1, p2, ... name, else 2].
    #[arg(long, value_name = "K", value_parser = lengths)]
    pub(crate) length: Option<Lengths>,

    #[command(flatten)]
    pub(crate) which: Which,

    /// The size that n stands for.
    #[arg(long, value_enum, default_value = "max")]
    pub(crate) by: SizeBy,

    /// The last n [default: 32].
    #[arg(long, value_name = "N")]
    pub(crate) to: Option<Pile>,

    /// Count the positions of size at most n, not only those of size n.
    #[arg(long)]
    pub(crate) cumulative: bool,

    /// Print the values of the positions W,n for the piles W, as in 3,5 [default: single piles].
    #[arg(long, value_name = "W")]
    pub(crate) row: Option<String>,

    /// Print the terms in one line, with commas.
    #[arg(long)]
    pub(crate) list: bool,

    /// Print a draft for the OEIS: name, terms, offset, example, program, keywords. With --list,
    /// print the terms too.
    #[arg(long)]
    pub(crate) oeis_draft: bool,

    /// The first n [default: the first n of the sequence].
    #[arg(long, value_name = "N")]
    pub(crate) offset: Option<u64>,

    /// Compare the terms with a b-file, or with a line of the file `stripped` of the OEIS. The exit
    /// code is 1 if they differ.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["list", "oeis_draft"])]
    pub(crate) compare: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) within: TimeLimit,
}

#[derive(Debug, clap::Args)]
pub(crate) struct GuessLaws {
    #[command(flatten)]
    pub(crate) game: GameArgs,

    /// The number of piles. It can be left out if all positions of the game have the same number.
    #[arg(long, value_name = "K")]
    pub(crate) length: Option<usize>,

    /// The largest pile of the positions on which statements are checked [default: up to 1024,
    /// within 2^22 positions and a few seconds].
    #[arg(long, value_name = "N")]
    pub(crate) max_pile: Option<Pile>,

    /// The largest number of coins, in a game whose rule file says `within: total`.
    #[arg(long, value_name = "N", conflicts_with = "max_pile")]
    pub(crate) max_total: Option<Pile>,

    /// Stop after this many seconds, with the laws found so far.
    #[arg(long, value_name = "S", default_value_t = 600.0, value_parser = seconds)]
    pub(crate) seconds: f64,
}

/// The rule files of other games that a statement names.
#[derive(Debug, clap::Args)]
pub(crate) struct With {
    /// A rule file that the statement may name by the name of its game, as in g[b]. This option may
    /// be repeated. A path in the brackets, as in g[./b.game], needs no option.
    #[arg(long = "with", value_name = "FILE", value_delimiter = ',')]
    pub(crate) files: Vec<String>,
}

/// The sizes of the positions.
#[derive(Debug, clap::Args)]
pub(crate) struct Sizes {
    /// The largest pile [default: up to 64, within 2^25 positions, or 2^20 in games that are
    /// evaluated one position at a time].
    #[arg(long, value_name = "N")]
    pub(crate) max_pile: Option<Pile>,

    /// The largest number of coins, in a game whose rule file says `within: total`. The option
    /// --max-pile means the same there.
    #[arg(long, value_name = "N", conflicts_with_all = ["max_pile", "to"])]
    pub(crate) max_total: Option<Pile>,

    /// The number of piles; or the least and the largest number, as in 1..4; or, in a game whose
    /// rule file says `within: total`, all [default: the number of piles that p1, p2, ... name,
    /// else 1..4].
    #[arg(long, value_name = "K", value_parser = lengths)]
    pub(crate) length: Option<Lengths>,

    /// The largest single pile: the same as --length 1 --max-pile N.
    #[arg(long, value_name = "N", conflicts_with = "max_pile")]
    pub(crate) to: Option<Pile>,

    #[command(flatten)]
    pub(crate) which: Which,
}

/// The positions of games that remember something.
#[derive(Debug, clap::Args)]
pub(crate) struct Which {
    /// Only the positions at the beginning of play: without a last move, or with all moves allowed
    /// [default: all positions].
    #[arg(long, value_name = "beginning", value_parser = [Domain::BEGINNING], hide_possible_values = true)]
    pub(crate) positions: Option<String>,

    /// In a game with a set of allowed moves: only the positions with a set of N moves.
    #[arg(long, value_name = "N", conflicts_with = "positions")]
    pub(crate) sets: Option<u32>,
}

impl Which {
    pub(crate) fn domain(&self) -> Result<Domain, DomainError> {
        Domain::of(self.positions.as_deref(), self.sets)
    }
}

/// Maximum number of piles in a question. Every table has fewer piles.
pub(crate) const MOST_PILES: usize = 1000;

/// Reads K, K..L or all.
pub(crate) fn lengths(text: &str) -> Result<Lengths, String> {
    let read = || {
        if text.trim() == "all" {
            return Some(1..=MOST_PILES);
        }
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        (1 <= first && first <= last).then_some(first..=last)
    };
    let lengths: Lengths = read().ok_or_else(|| {
        format!("'{text}' is not a number of piles; write K or K..L with K <= L, as in 1..4")
    })?;
    if *lengths.end() > MOST_PILES {
        return Err(format!("'{text}' is more than {MOST_PILES} piles, and no table has so many"));
    }
    Ok(lengths)
}

#[derive(Debug, clap::Args)]
pub(crate) struct Claims {
    /// Claims by id, or all claims of a paper by its prefix [default: all].
    #[arg(value_name = "CLAIM", value_parser = Suggestions(claim_names), hide_possible_values = true)]
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
