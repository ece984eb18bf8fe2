//! The built-in games. Each is a rule file of the folder `games`, except long global nim, which
//! rule files cannot express. Here are the facts about them that are no rules: the game's plain
//! name, the bounds that determine the widths of stored cells, and conventions.

use std::sync::OnceLock;

use crate::law::{Family, FileGame, RuleFile};
use crate::{Game, Pile, RULE_FILES, Rules, rulesets};

mod brief;
mod long_global_nim;

use brief::Brief;

/// Nim.
pub const NIM: Game = Game::built_in(0);
/// Misère Nim, under the convention of Cairns and Ho.
pub const MISERE_NIM: Game = Game::built_in(1);
/// End-Nim.
pub const END_NIM: Game = Game::built_in(2);
/// Misère End-Nim, under the convention of Cairns and Ho.
pub const MISERE_END_NIM: Game = Game::built_in(3);
/// Loop-End-Nim.
pub const LOOP_END_NIM: Game = Game::built_in(4);
/// Partizan End-Nim.
pub const PARTIZAN_END_NIM: Game = Game::built_in(5);
/// End-Wythoff.
pub const END_WYTHOFF: Game = Game::built_in(6);
/// Short global nim.
pub const SHORT_GLOBAL_NIM: Game = Game::built_in(7);
/// Long global nim.
pub const LONG_GLOBAL_NIM: Game = Game::built_in(8);

/// The built-in games, in the order in which games are listed and built.
pub const GAMES: [Game; 9] = [
    NIM,
    MISERE_NIM,
    END_NIM,
    MISERE_END_NIM,
    LOOP_END_NIM,
    PARTIZAN_END_NIM,
    END_WYTHOFF,
    SHORT_GLOBAL_NIM,
    LONG_GLOBAL_NIM,
];

/// The three impartial End-Nim games, which differ only in single piles.
pub const END_NIM_GAMES: [Game; 3] = [END_NIM, MISERE_END_NIM, LOOP_END_NIM];

/// The facts about a built-in game that its rule file does not contain.
#[derive(Debug)]
pub(crate) struct Facts {
    /// The name of the game and of its file.
    pub(crate) id: &'static str,
    /// The family of the rules, and the number of coins that a move leaves at least of a single
    /// pile (`None` if a single pile has no moves). Only a browser without rule files uses them.
    pub(crate) family: Family,
    pub(crate) leaves: Option<Pile>,
    /// A bound on values, if it differs from the bound for rule files. It determines the widths of
    /// cells, so it must not change.
    pub(crate) largest_value: Option<fn(Pile, usize) -> u64>,
    /// True if the convention of the game knows the position without piles.
    pub(crate) has_empty_position: bool,
    /// The game under normal play, if this is a misère game. The last coin is then never taken.
    pub(crate) normal_play: Option<Game>,
    /// True if tables of single piles store records, because they can be large, and if a last move
    /// larger than every pile shares the cell of no last move.
    pub(crate) records: bool,
    /// True if a table stores the threshold l(w) of each row w, instead of its class.
    pub(crate) thresholds: bool,
}

impl Facts {
    /// Returns the bytes of a cell, if they are more than the largest value needs.
    pub(crate) fn cell_bytes(&self, length: usize) -> Option<usize> {
        match self {
            Facts { thresholds: true, .. } => Some(2),
            Facts { records: true, .. } if length == 1 => Some(4),
            _ => None,
        }
    }
}

const USUAL: Facts = Facts {
    id: "",
    family: Family::Other,
    leaves: Some(0),
    largest_value: None,
    has_empty_position: true,
    normal_play: None,
    records: false,
    thresholds: false,
};

static FACTS: [Facts; GAMES.len()] = [
    Facts { id: "nim", family: Family::Heaps, largest_value: Some(most_options), ..USUAL },
    Facts {
        id: "misere-nim",
        family: Family::Heaps,
        leaves: Some(1),
        largest_value: Some(most_options),
        has_empty_position: false,
        normal_play: Some(NIM),
        ..USUAL
    },
    Facts { id: "end-nim", family: Family::Ends, largest_value: Some(two_piles), ..USUAL },
    Facts {
        id: "misere-end-nim",
        family: Family::Ends,
        leaves: Some(1),
        largest_value: Some(two_piles),
        has_empty_position: false,
        normal_play: Some(END_NIM),
        ..USUAL
    },
    Facts {
        id: "loop-end-nim",
        family: Family::Ends,
        leaves: None,
        largest_value: Some(two_piles),
        has_empty_position: false,
        ..USUAL
    },
    Facts {
        id: "partizan-end-nim",
        family: Family::Sides,
        largest_value: Some(|max_pile, length| u64::from(max_pile) * length as u64),
        thresholds: true,
        ..USUAL
    },
    Facts { id: "end-wythoff", family: Family::Lines, ..USUAL },
    Facts {
        id: "short-global-nim",
        family: Family::LastMoves,
        largest_value: Some(most_options),
        records: true,
        ..USUAL
    },
    Facts { id: "long-global-nim", family: Family::Sets, ..USUAL },
];

/// Returns the name of the built-in game with this place in the list.
pub(crate) fn id(place: u16) -> &'static str {
    FACTS[usize::from(place)].id
}

/// Returns the rules of the built-in game with this place. A rule file is read at its first use.
/// The last game has none.
pub(crate) fn rules(place: u16) -> &'static dyn Rules {
    static FILES: [OnceLock<FileGame>; GAMES.len()] = [const { OnceLock::new() }; GAMES.len()];
    static BRIEF: [OnceLock<Brief>; GAMES.len()] = [const { OnceLock::new() }; GAMES.len()];
    let place = usize::from(place);
    if place + 1 == GAMES.len() {
        return &long_global_nim::LongGlobalNim;
    }
    if !RULE_FILES {
        return BRIEF[place].get_or_init(|| Brief::new(&FACTS[place]));
    }
    FILES[place].get_or_init(|| {
        let facts = &FACTS[place];
        let text = rulesets::text(facts.id).unwrap_or_default();
        match RuleFile::from_text(text) {
            Ok(file) => FileGame::new(file, Some(facts)),
            Err(problem) => unreachable!("a test reads every ruleset: {problem}"),
        }
    })
}

/// Returns the largest number of options of a position of heaps: N + (N-1) + ... Each size of a
/// heap counts once, because equal heaps have the same options.
fn most_options(max_pile: Pile, length: usize) -> u64 {
    let n = u64::from(max_pile);
    (0..n.min(length as u64)).map(|i| n - i).sum()
}

/// Returns the number of coins in the two end piles. Single piles have the same bound, so that the
/// cells of all lengths have the same width.
fn two_piles(max_pile: Pile, _: usize) -> u64 {
    2 * u64::from(max_pile)
}
