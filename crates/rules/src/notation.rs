//! The notation of positions.
//!
//! Piles are written from left to right, as in `3,1,4`; brackets are allowed, as in `(3,1,4)` or
//! `[3,1,4]`. Spaces may replace commas. If the order of the piles does not matter, they are sorted
//! in ascending order, and empty piles are left out. The empty position, if the game has it, is
//! written `()`. The numbers that a game remembers follow after slashes, as in `12,5/3/1`; without
//! them it is the beginning of play. In short global nim the only number is the last move, as in
//! `20,20/3`; without a slash, or with `/0`, no move is forbidden. In long global nim the available
//! moves follow in braces, as in `8{1,3,4}`; without braces all moves are available.

use grundy_language::{Memories, Remembered};

use crate::admission::{LARGEST_PILE, PositionError};
use crate::position::shortened;
use crate::{Game, Memory, MoveSet, Pile, Position, RULE_FILES, Remembers};

impl Game {
    /// Parses a position of this game.
    ///
    /// ```
    /// use grundy_rules::games::END_NIM;
    /// assert_eq!(END_NIM.parse("3, 1 4").unwrap().to_string(), "3,1,4");
    /// assert!(END_NIM.parse("3,0,4").is_err());
    /// ```
    pub fn parse(self, text: &str) -> Result<Position, PositionError> {
        let position = self.parse_written(text)?;
        if self.rule_file().is_some() {
            self.admitted(&position)?;
        }
        Ok(position)
    }

    /// Parses piles that are a part of a position, such as its middle. `()` means no piles.
    pub fn parse_part(self, text: &str) -> Result<Vec<Pile>, PositionError> {
        match text.trim() {
            "()" => Ok(Vec::new()),
            "" => Err(PositionError::Empty),
            text => Ok(self.parse_piles(text)?.piles),
        }
    }

    fn parse_written(self, text: &str) -> Result<Position, PositionError> {
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return Err(PositionError::Empty);
        }
        match self.remembers() {
            Remembers::Numbers => {
                let (piles, state) = match trimmed.split_once('/') {
                    Some((piles, words)) => (piles, self.state(words, trimmed)?),
                    None => (trimmed, 0),
                };
                let position = self.parse_piles(piles)?;
                Ok(Position { memory: self.memory(state), ..position })
            }
            Remembers::Moves => {
                let (piles, available) = match trimmed.split_once('{') {
                    Some((piles, words)) => (piles, Some(move_set(words, trimmed)?)),
                    None => (trimmed, None),
                };
                let piles = self.parse_piles(piles)?.piles;
                let largest = piles.iter().copied().max().unwrap_or(0);
                let available = available.unwrap_or_else(|| MoveSet::up_to(largest));
                Ok(Position::with_available(piles, &available))
            }
            Remembers::Nothing if trimmed.contains('{') => {
                Err(PositionError::NoMoves { game: self, text: shortened(trimmed) })
            }
            Remembers::Nothing if trimmed.contains('/') => {
                Err(PositionError::NoLastMove { game: self, text: shortened(trimmed) })
            }
            Remembers::Nothing => self.parse_piles(trimmed),
        }
    }

    /// Parses the remembered numbers after the first slash of `text`.
    fn state(self, words: &str, text: &str) -> Result<u32, PositionError> {
        let memories = self.memories().unwrap_or(Memories::LAST_MOVE);
        if !RULE_FILES || memories == Memories::LAST_MOVE {
            return last_move(words, text);
        }
        let all = memories.all();
        let words: Vec<&str> = words.split('/').map(str::trim).collect();
        if words.len() != all.len() {
            let names = all.iter().map(|of| &*of.name).collect::<Vec<_>>().join(", ");
            return Err(PositionError::Memories { game: self, text: shortened(text), names });
        }
        let number = |word: &&str| {
            let digits = word.bytes().all(|byte| byte.is_ascii_digit());
            let number = word.parse::<Pile>().ok().filter(|&n| digits && n <= LARGEST_PILE);
            number.map_or(-1, i128::from)
        };
        let numbers: Vec<i128> = words.iter().map(number).collect();
        memories.state(&numbers).map_err(|place| {
            let Remembered { name, least, largest } = all[place].clone();
            let (word, text) = (shortened(words[place]), shortened(text));
            PositionError::Memory { word, text, name: name.into_owned(), least, largest }
        })
    }

    fn parse_piles(self, text: &str) -> Result<Position, PositionError> {
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return Err(PositionError::Empty);
        }
        if trimmed == "()" {
            return match self.has_empty_position() {
                true => Ok(Position::row(&[])),
                false => Err(PositionError::NoEmptyPosition { game: self }),
            };
        }
        // A faster parser reads most texts, which are numbers with single commas between them.
        if let Some(piles) = plain_piles(trimmed.as_bytes()) {
            return Ok(self.arranged(piles));
        }
        // Accept brackets, as in the tuples and lists of programming languages.
        let inside = match trimmed.strip_prefix('[') {
            Some(rest) => rest.strip_suffix(']'),
            None => trimmed.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')),
        };
        let trimmed = inside.map_or(trimmed, str::trim);
        if trimmed.is_empty() {
            return self.parse_piles("()");
        }
        // Piles are separated by spaces, or by a comma with any spaces around it.
        let words = trimmed.split(',').flat_map(|part| {
            let part = part.trim();
            let blank = part.is_empty().then_some("");
            part.split_whitespace().chain(blank)
        });
        let mut piles = Vec::new();
        for (at, word) in words.enumerate() {
            let (index, text) = (at + 1, || shortened(trimmed));
            if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_digit()) {
                let word = shortened(word);
                return Err(PositionError::NotANumber { index, word, text: text() });
            }
            match word.parse::<Pile>() {
                Ok(0) if self.is_unordered() => {}
                Ok(0) if self.order().least_pile() == 0 => piles.push(0),
                Ok(0) => return Err(PositionError::Zero { index, text: text() }),
                Ok(pile) if pile <= LARGEST_PILE => piles.push(pile),
                _ => return Err(PositionError::TooLarge { index, text: text() }),
            }
        }
        if piles.is_empty() && !self.has_empty_position() {
            return Err(PositionError::NoEmptyPosition { game: self });
        }
        Ok(self.arranged(piles))
    }

    /// Returns the position of these piles, in the order in which the game writes them.
    fn arranged(self, mut piles: Vec<Pile>) -> Position {
        if self.is_unordered() {
            piles.sort_unstable();
        }
        Position { piles, memory: Memory::Nothing }
    }
}

/// Parses the set of moves after the opening brace of `text`.
fn move_set(words: &str, text: &str) -> Result<MoveSet, PositionError> {
    let wrong =
        |word: &str| PositionError::Moves { word: shortened(word.trim()), text: shortened(text) };
    let whole = format!("{{{words}");
    let inside = words.trim_end().strip_suffix('}').ok_or_else(|| wrong(&whole))?;
    let number = |word: &str| {
        let word = word.trim();
        let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        word.parse::<Pile>().ok().filter(|&n| digits && (1..=LARGEST_PILE).contains(&n))
    };
    let mut runs = Vec::new();
    if !inside.trim().is_empty() {
        for word in inside.split(',') {
            let (first, last) = word.split_once("..").unwrap_or((word, word));
            match (number(first), number(last)) {
                (Some(first), Some(last)) if first <= last => runs.push((first, last)),
                _ => return Err(wrong(word)),
            }
        }
    }
    MoveSet::of_runs(runs).ok_or_else(|| wrong(&whole))
}

/// Parses the last move after the slash of `text`.
fn last_move(word: &str, text: &str) -> Result<Pile, PositionError> {
    let word = word.trim();
    let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    match word.parse::<Pile>() {
        Ok(taken) if digits && taken <= LARGEST_PILE => Ok(taken),
        _ => Err(PositionError::LastMove { word: shortened(word), text: shortened(text) }),
    }
}

/// Parses a text of nonzero numbers with single commas between them. Returns `None` for every other
/// text, which may still be a valid position.
fn plain_piles(text: &[u8]) -> Option<Vec<Pile>> {
    let mut piles = Vec::with_capacity(8);
    let mut pile: Pile = 0;
    for &byte in text {
        match byte {
            b'0'..=b'9' if pile < LARGEST_PILE / 10 => {
                pile = 10 * pile + Pile::from(byte - b'0');
            }
            b',' if pile > 0 => piles.push(std::mem::take(&mut pile)),
            _ => return None,
        }
    }
    if pile == 0 {
        return None;
    }
    piles.push(pile);
    Some(piles)
}
