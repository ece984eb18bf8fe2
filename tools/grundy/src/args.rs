//! The command line arguments, and the requests that they describe.

mod asking;
mod exploring;
mod packing;
mod proving;
mod showing;
mod tasking;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::OnceLock;

use anyhow::bail;
use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Parser, Subcommand};
use grundy::papers::Claim;
use grundy::{
    Access, Database, Game, Isa, MemoryLimit, Pile, has_records, misere_form, outcome_form,
    remoteness_form, rulesets,
};
pub(crate) use grundy::{convention_of, id_of};
use grundy_builder::Request;

pub(crate) use crate::common::Common;
pub(crate) use crate::common::OPENING;
use crate::common::default_memory;
use asking::lengths;
pub(crate) use asking::{
    Check, Claims, Diff, Find, Findings, GuessLaws, Lengths, MOST_PILES, Sequence, SizeBy, Sizes,
    USUAL_FOLDER,
};
pub(crate) use exploring::Explore;
pub(crate) use packing::{Cite, Pack, Rights, Unpack};
pub(crate) use proving::{AutomatonFormat, Classes, Families, Prove, Theorem};
pub(crate) use showing::{Completions, Dataset, Export, Format, Help, Man, Periods, Plot};
pub(crate) use tasking::{DivisibleCommand, Finish, Task, Tasks};

fn after_help() -> String {
    let games: Vec<&str> = Game::all().map(Game::id).collect();
    format!(
        "{}
Positions are piles from left to right: 3,1,4. The games are {}.
Exit codes: 0 ok, 1 a mismatch was found, 2 usage, missing or corrupt input.",
        include_str!("../texts/help/grundy.txt"),
        games.join(", ")
    )
}

/// Exhaustive tables of Nim variants: build them, look values up, check them.
#[derive(Debug, Parser)]
#[command(name = "grundy", version = crate::version::version(), about, after_help = after_help(), max_term_width = 100,
    disable_help_subcommand = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// The database folder. Commands that only read tables also take a pack (a folder or a tar), or
    /// the address of a pack or database folder on a server: https:// or http:// [default:
    /// $GRUNDY_DB, or db].
    #[arg(long, global = true, value_name = "DIR|PACK|URL")]
    pub(crate) db: Option<PathBuf>,

    /// Number of threads [default: one for each processor].
    #[arg(long, global = true, value_name = "N")]
    pub(crate) threads: Option<usize>,

    /// Memory limit in bytes, or with the unit K, M or G (powers of 1024) [default: 4G, or less if
    /// the system or a control group limits the process].
    #[arg(long, global = true, value_name = "SIZE")]
    pub(crate) memory: Option<MemoryLimit>,

    /// Instruction set of the kernels: portable, avx2, avx512 or neon [default: the fastest here].
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) isa: Option<String>,

    /// Read the files of the database instead of mapping them into memory. This is slower, but safe
    /// if other programs may shorten the files. Files on remote file systems are always read.
    /// --memory does not count mapped files, because the system owns their pages.
    #[arg(long, global = true)]
    pub(crate) no_mmap: bool,

    /// Print JSON instead of text.
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

/// The subcommands, in the order in which a user needs them.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show the tables that a build would make, with bytes, memory and seconds. Writes nothing.
    #[command(after_help = include_str!("../texts/help/plan.txt").trim_end())]
    Plan(Tables),
    /// Build tables, or continue a stopped build. A second run does nothing.
    #[command(after_help = include_str!("../texts/help/build.txt").trim_end())]
    Build(Tables),
    /// Show the content of the database.
    #[command(after_help = include_str!("../texts/help/status.txt").trim_end())]
    Status(Status),
    /// Print the Grundy values of positions, one on each line. The values need not be stored.
    #[command(after_help = include_str!("../texts/help/query.txt").trim_end())]
    Query(Query),
    /// Print every option of a position with its value, and mark the winning moves.
    #[command(after_help = include_str!("../texts/help/moves.txt").trim_end())]
    Moves(Moves),
    /// Show the content of a rule file, or write a template.
    #[command(after_help = include_str!("../texts/help/game.txt").trim_end())]
    Game(GameFile),
    /// List the games: the built-in ones, and the rulesets that come with the program.
    Games,
    /// Check the claims of the papers: theorems, remarks and conjectures.
    #[command(after_help = include_str!("../texts/help/diff.txt").trim_end())]
    Diff(Diff),
    /// Check your own statement on every position up to a size.
    #[command(after_help = include_str!("../texts/help/check.txt").trim_end())]
    Check(Check),
    /// List the positions that satisfy a statement, in order.
    #[command(after_help = include_str!("../texts/help/find.txt").trim_end())]
    Find(Find),
    /// Print an integer sequence: values, or numbers of positions that satisfy a statement.
    #[command(after_help = include_str!("../texts/help/sequence.txt").trim_end())]
    Sequence(Sequence),
    /// Search for simple statements that hold for all positions up to a size.
    #[command(after_help = include_str!("../texts/help/guess.txt").trim_end())]
    Guess(GuessLaws),
    /// Prove the values of all rows with small piles, for all lengths, by an automaton.
    #[command(after_help = include_str!("../texts/help/prove.txt").trim_end())]
    Prove(Prove),
    /// Prove the pattern in the values of the rows u* w v*, for all lengths, and draw it.
    #[command(after_help = include_str!("../texts/help/families.txt").trim_end())]
    Families(Families),
    /// Write value classes as formulas, proved for piles of all sizes.
    #[command(after_help = include_str!("../texts/help/classes.txt").trim_end())]
    Classes(Classes),
    /// List the statements that `diff` checks.
    Claims(Claims),
    /// Write a document about the results of checks, from the lines of `diff --json`.
    Findings(Findings),
    /// Find the period of the row b -> G(left, middle, b).
    #[command(after_help = include_str!("../texts/help/periods.txt").trim_end())]
    Periods(Periods),
    /// Check every byte of the database, and derive a sample of the values again from the rules.
    #[command(after_help = include_str!("../texts/help/verify.txt").trim_end())]
    Verify(Verify),
    /// Count how often each value occurs in a table, which need not be stored.
    #[command(after_help = include_str!("../texts/help/stats.txt").trim_end())]
    Stats(Stats),
    /// Export the values of all positions up to a size in a format that other programs read.
    #[command(after_help = include_str!("../texts/help/export.txt").trim_end())]
    Export(Export),
    /// Write small files about a game, for readers without this program.
    #[command(after_help = include_str!("../texts/help/dataset.txt").trim_end())]
    Dataset(Dataset),
    /// Draw g(n) of short global nim, or the values or the outcome classes of a tile, as a picture.
    #[command(after_help = include_str!("../texts/help/plot.txt").trim_end())]
    Plot(Plot),
    /// Serve the explorer, a page for the browser, and answer requests of other programs.
    #[command(after_help = include_str!("../texts/help/explore.txt").trim_end())]
    Explore(Explore),
    /// Divide a build or a check into tasks for any scheduler, as lines of JSON.
    #[command(after_help = include_str!("../texts/help/tasks.txt").trim_end())]
    Tasks(Tasks),
    /// Run one task.
    #[command(after_help = include_str!("../texts/help/task.txt").trim_end())]
    Task(Task),
    /// Combine the results of the tasks of a plan.
    #[command(after_help = include_str!("../texts/help/finish.txt").trim_end())]
    Finish(Finish),
    /// Pack tables for publication, as a folder or a tar with a description and checksums.
    #[command(after_help = include_str!("../texts/help/pack.txt").trim_end())]
    Pack(Pack),
    /// Check a whole pack, then put its tables into the database.
    #[command(after_help = include_str!("../texts/help/unpack.txt").trim_end())]
    Unpack(Unpack),
    /// Print a citation, as text and for BibTeX.
    #[command(after_help = include_str!("../texts/help/cite.txt").trim_end())]
    Cite(Cite),
    /// Print the help of a command, or the documents `rules` (rule files) and `language`
    /// (statements).
    #[command(after_help = include_str!("../texts/help/help.txt").trim_end())]
    Help(Help),
    /// Print the completion script for a shell.
    Completions(Completions),
    /// Print the manual page, or write one for each subcommand into a folder.
    Man(Man),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Tables {
    /// The largest pile. With --heap it may be left out. In long global nim a pile of N coins has
    /// 2^N sets of moves. So for this game N is lowered to 28, 16, 11 or 9 for one, two, three or
    /// four piles, unless both --games and --length are given.
    #[arg(long, value_name = "N", required_unless_present_any = ["heap", "max_total"])]
    pub(crate) max_pile: Option<Pile>,

    /// The largest number of coins, for games whose rule files say `within: total`. The option
    /// --max-pile means the same there.
    #[arg(long, value_name = "N", requires = "games", conflicts_with = "max_pile")]
    pub(crate) max_total: Option<Pile>,

    /// The largest number of piles; smaller numbers are included [default: up to 8 piles within
    /// 2^31 positions for each game, which is 5 piles for max pile 64; for Nim up to 4 piles within
    /// 2^24 positions].
    #[arg(long, value_name = "K")]
    pub(crate) length: Option<usize>,

    /// The games, separated by commas [default: all]. A path must not contain a comma.
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_parser = Suggestions(game_names),
        hide_possible_values = true)]
    pub(crate) games: Vec<String>,

    /// The largest pile for short global nim with one pile [default: 15,625 times --max-pile, at
    /// most 1,000,000].
    #[arg(long, value_name = "N")]
    pub(crate) heap: Option<Pile>,

    /// For single piles of short global nim, build only g(n), not the exceptional last moves.
    #[arg(long)]
    pub(crate) values_only: bool,

    /// Store only the outcome of each position, P or N, in one bit. The game must not be partizan,
    /// and must not remember moves.
    #[arg(long, conflicts_with_all = ["heap", "values_only"])]
    pub(crate) outcomes: bool,
}

/// The game of a question.
#[derive(Debug, clap::Args)]
pub(crate) struct GameArgs {
    /// The game, as in end-nim.
    #[arg(value_name = "GAME", value_parser = Suggestions(game_names), hide_possible_values = true)]
    pub(crate) name: String,

    /// misere: the values of misère play, for built-in games with values. A position without moves
    /// has the value 1, and every other the mex of its options' values [default: the game's own
    /// values].
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) convention: Option<Convention>,
}

/// A rule file.
#[derive(Debug, clap::Args)]
pub(crate) struct GameFile {
    /// The file, as in my.game, or the name of a ruleset, as in kayles.
    #[arg(value_name = "FILE", conflicts_with = "new")]
    pub(crate) file: Option<String>,

    /// Write a template to NAME.game.
    #[arg(long, value_name = "NAME")]
    pub(crate) new: Option<String>,

    /// Check all examples, and compare the fast tables with the rules, position by position.
    #[arg(long)]
    pub(crate) test: bool,

    #[command(flatten)]
    pub(crate) within: StopAfter,
}

/// The convention for positions without moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Convention {
    Misere,
}

impl GameArgs {
    /// Returns the game or, if the user chose this convention, its misère form.
    pub(crate) fn game(&self, common: &Common, seconds: f64) -> anyhow::Result<Game> {
        let game = common.game(&self.name, seconds)?;
        match (self.convention, game.rule_file()) {
            (None, _) => Ok(game),
            (Some(Convention::Misere), None) => Ok(misere_form(game)?),
            (Some(Convention::Misere), Some(file)) => match rulesets::misere_form_of(file) {
                Some(name) => bail!(
                    "--convention does not apply to rule files; under misère play {} is the game \
                     {name}",
                    file.name
                ),
                None => bail!(
                    "--convention does not apply to rule files; write `play: misere` into the \
                     file, if it is not the file of a sum (a sum has no misère values)"
                ),
            },
        }
    }

    /// Returns the game; if `remoteness` is true, the form whose values are the remoteness.
    pub(crate) fn measured(
        &self,
        common: &Common,
        seconds: f64,
        remoteness: bool,
    ) -> anyhow::Result<Game> {
        let game = self.game(common, seconds)?;
        Ok(if remoteness { remoteness_form(game)? } else { game })
    }
}

/// Returns the name of a game for messages. The name of a misère form contains its convention.
pub(crate) fn named(game: Game) -> String {
    match convention_of(game) {
        Some(convention) => format!("{} ({convention})", id_of(game)),
        None => id_of(game).to_owned(),
    }
}

/// Returns the option for the N of the tables of a game.
pub(crate) fn size_option(game: Game) -> &'static str {
    if game.is_within_total() { "--max-total" } else { "--max-pile" }
}

/// Returns the symbol for the value of a position in formulas, as in G(a,b).
pub(crate) fn symbol(game: Game) -> &'static str {
    match game.remoteness_of() {
        Some(_) => "remoteness",
        None if game.is_impartial() => "G",
        None => "outcome",
    }
}

/// Returns the names of the games that have a property.
pub(crate) fn games_that(has: impl Fn(Game) -> bool) -> String {
    let games: Vec<&str> = Game::all().filter(|&game| has(game)).map(Game::id).collect();
    games.join(", ")
}

/// Accepts any text. The values are only suggestions for shell completion.
#[derive(Clone, Copy)]
struct Suggestions(fn() -> Vec<&'static str>);

impl TypedValueParser for Suggestions {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, clap::Error> {
        // The command itself checks the value later.
        clap::builder::StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter().map(PossibleValue::new)))
    }
}

fn game_names() -> Vec<&'static str> {
    rulesets::names()
}

fn claim_names() -> Vec<&'static str> {
    Claim::all().map(|claim| claim.id.as_str()).collect()
}

/// The limit of the estimated time of a command.
#[derive(Debug, clap::Args)]
pub(crate) struct TimeLimit {
    /// Refuse if the estimated time exceeds this many seconds.
    #[arg(long, value_name = "S", default_value_t = 600.0, value_parser = seconds)]
    pub(crate) seconds: f64,
}

/// The limit of the time of a command that has no estimate.
#[derive(Debug, clap::Args)]
pub(crate) struct StopAfter {
    /// Stop after this many seconds.
    #[arg(long, value_name = "S", default_value_t = 600.0, value_parser = seconds)]
    pub(crate) seconds: f64,
}

/// The options of look-ups.
#[derive(Debug, clap::Args)]
pub(crate) struct Answering {
    /// Refuse a position if its estimated time exceeds this many seconds. For long-global-nim, stop
    /// when this time has passed.
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = seconds)]
    pub(crate) seconds: f64,

    /// Compute positions outside the tables even if a theorem or a proved period gives their value.
    #[arg(long)]
    no_theorems: bool,
}

impl Answering {
    /// Opens the database with these options.
    pub(crate) fn open(&self, common: &Common) -> anyhow::Result<Database> {
        let database = common.open(self.seconds)?;
        Ok(if self.no_theorems { database.without_theorems() } else { database })
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct Query {
    #[command(flatten)]
    pub(crate) game: GameArgs,

    /// Positions, as in 3,1,4; or - to read them from standard input, one on each line. With
    /// POSITION + GAME POSITION, print the value of the sum.
    #[arg(required = true, value_name = "POSITION")]
    pub(crate) positions: Vec<String>,

    /// Print the remoteness: the number of moves that play lasts if the winner hurries and the
    /// loser delays.
    #[arg(long)]
    pub(crate) remoteness: bool,

    /// Print ? for each invalid or too large position, and continue. The exit code is then 2.
    #[arg(long)]
    pub(crate) keep_going: bool,

    #[command(flatten)]
    pub(crate) answering: Answering,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Moves {
    #[command(flatten)]
    pub(crate) game: GameArgs,

    /// The position, as in 3,1,4.
    pub(crate) position: String,

    /// Print the winning moves only.
    #[arg(long)]
    pub(crate) winning: bool,

    /// Print the remoteness of each option, best moves first: the soonest win or the latest loss.
    #[arg(long)]
    pub(crate) remoteness: bool,

    #[command(flatten)]
    pub(crate) answering: Answering,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Verify {
    /// Tables, by id or by the first words of an id, as in end-nim/n64/k3 or end-nim [default:
    /// all]. An address, or a name that begins with / or . or ends in .tar, is a pack. Packs are
    /// checked without unpacking.
    #[arg(value_name = "TABLE|SOURCE")]
    pub(crate) tables: Vec<String>,

    /// Derive every value again from the rules, not only the values of one frame in sixteen.
    #[arg(long)]
    pub(crate) full: bool,

    /// Check only the N-th of T parts of the shards, as in 2/7.
    #[arg(long, value_name = "N/T", value_parser = part)]
    pub(crate) sample: Option<(u32, u32)>,

    /// Stop after this many seconds, and report what is checked so far [default: no limit].
    #[arg(long, value_name = "S", value_parser = seconds, conflicts_with = "certificate")]
    pub(crate) seconds: Option<f64>,

    /// Compare the digests of tables with this file, a JSON object from ids to digests.
    #[arg(long, value_name = "FILE", conflicts_with = "sample")]
    pub(crate) against: Option<PathBuf>,

    /// Require that the pack is signed by this public key of minisign.
    #[arg(long, value_name = "FILE", conflicts_with = "certificate")]
    pub(crate) pubkey: Option<PathBuf>,

    /// Check this certificate instead of the database: a proof of the triangular-number conjecture,
    /// or a certificate that `prove` or `families` wrote.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["full", "sample", "tables", "against"])]
    pub(crate) certificate: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Status {
    /// Print a JSON object with the digest of each table. A paper can name a table by its digest,
    /// and `verify --against` reads this object.
    #[arg(long)]
    pub(crate) digests: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Stats {
    #[command(flatten)]
    pub(crate) game: GameArgs,

    /// The largest pile [default: that of the largest stored table].
    #[arg(long, value_name = "N")]
    pub(crate) max_pile: Option<Pile>,

    /// The largest number of coins, in a game whose rule file says `within: total`.
    #[arg(long, value_name = "N", conflicts_with = "max_pile")]
    pub(crate) max_total: Option<Pile>,

    /// The number of piles, or the least and the largest number, as in 1..4 [default: that of the
    /// largest stored table; not needed if all positions of the game have the same number].
    #[arg(long, value_name = "K", value_parser = lengths)]
    pub(crate) length: Option<Lengths>,

    #[command(flatten)]
    pub(crate) within: StopAfter,
}

/// Maximum number of threads. The largest machines need no more. On two processors, starting 1024
/// threads takes two seconds, but starting 4096 threads takes minutes.
const MOST_THREADS: usize = 1024;

impl Args {
    /// Reads the common options.
    pub(crate) fn common(&self) -> anyhow::Result<Common> {
        let threads = match self.threads {
            Some(0) => bail!("--threads 0 is out of range; use 1 or more, or leave it out"),
            Some(threads) if threads > MOST_THREADS => {
                bail!(
                    "--threads {threads} is more than {MOST_THREADS}; leave the option out for one \
                     thread per processor"
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
        let set = std::env::var_os("GRUNDY_DB").filter(|set| !set.is_empty());
        let given = self.db.clone().or(set.map(PathBuf::from));
        // These commands create the folder, or run on nodes that may lack it.
        let makes = matches!(
            self.command,
            Command::Plan(_)
                | Command::Build(_)
                | Command::Tasks(_)
                | Command::Task(_)
                | Command::Finish(_)
        );
        let must_exist = given.as_ref().is_some_and(|db| db.as_os_str() != "db") && !makes;
        let db = given.unwrap_or_else(|| "db".into());
        let memory = self.memory.unwrap_or_else(default_memory);
        Ok(Common {
            db,
            must_exist,
            threads,
            memory,
            isa,
            access,
            given: BTreeMap::new(),
            opened: OnceLock::new(),
        })
    }
}

impl Tables {
    pub(crate) fn request(&self, common: &Common) -> anyhow::Result<Request> {
        let named = games(common, &self.games, OPENING)?;
        for game in &named {
            game.given_size(self.max_pile, self.max_total)?;
        }
        // Without --max-pile, --heap requests only tables of single piles.
        let (games, max_pile, length) = match self.max_pile.or(self.max_total) {
            Some(max_pile) if named.is_empty() => {
                let is_wanted = |&game: &Game| !self.outcomes || outcome_form(game).is_ok();
                (Game::all().filter(is_wanted).collect(), max_pile, self.length)
            }
            Some(max_pile) => (named.clone(), max_pile, self.length),
            None if named.is_empty() || named.iter().all(|&game| has_records(game)) => {
                (Game::all().filter(|&game| has_records(game)).collect(), 1, Some(1))
            }
            None => {
                bail!("--max-pile is missing; --heap alone builds {}", games_that(has_records))
            }
        };
        Ok(Request {
            games,
            max_pile,
            length,
            // Do not lower the largest pile if the user gives both games and a length.
            literally: !named.is_empty() && self.length.is_some(),
            single: self.heap,
            values_only: self.values_only,
            outcomes: self.outcomes,
            memory: common.memory,
            threads: common.threads,
            isa: common.isa,
        })
    }
}

/// Reads a list of names of games, which may be empty.
pub(crate) fn games(common: &Common, names: &[String], seconds: f64) -> anyhow::Result<Vec<Game>> {
    let found = names.iter().map(|name| common.game(name, seconds));
    let mut games = found.collect::<anyhow::Result<Vec<Game>>>()?;
    games.sort();
    games.dedup();
    Ok(games)
}

/// Reads a number of seconds: 0 or more, or inf.
fn seconds(text: &str) -> Result<f64, String> {
    let seconds: Option<f64> = text.trim().parse().ok();
    seconds
        .filter(|&seconds| seconds >= 0.0)
        .ok_or_else(|| format!("'{text}' is not a number of seconds; write 0 or more, or inf"))
}

/// Reads a part N/T.
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

    /// Tests that all examples parse.
    #[test]
    fn examples_are_read() {
        let root = Args::command();
        let helps = [&root].into_iter().chain(root.get_subcommands());
        let helps = helps.filter_map(|command| command.get_after_help().map(ToString::to_string));
        let mut count = 0;
        for line in helps.flat_map(|help| help.lines().map(str::to_owned).collect::<Vec<_>>()) {
            let Some(example) = line.strip_prefix("  grundy ") else { continue };
            // Cut off the explanation, which follows two spaces, and the shell operators < and >.
            let example = example.split("  ").next().unwrap_or_default();
            let words = shlex::split(example).unwrap().into_iter();
            let own = words.take_while(|word| !matches!(word.as_str(), "<" | ">" | "|" | "\\"));
            let words = ["grundy".to_owned()].into_iter().chain(own);
            assert!(Args::read(words).is_ok(), "{line}");
            count += 1;
        }
        assert!(count > 80, "{count}");
    }
}
