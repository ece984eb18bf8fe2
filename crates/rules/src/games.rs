//! The built-in games, each in its own file, and the list of all games. Every command accepts every
//! game of this list.

use crate::Game;

/// Declares a module and a constant for each game, and the list of all games. Games are listed and
/// built in this order. `cargo fmt` does not see these modules, so `make check` checks their
/// format.
macro_rules! registry {
    ($($name:ident: $file:ident::$rules:ident,)*) => {
        #[allow(
            non_camel_case_types,
            clippy::upper_case_acronyms,
            reason = "only the numbers of the variants are used"
        )]
        enum Place { $($name),* }
        $(
            pub(crate) mod $file;

            #[doc = concat!("The game of `games/", stringify!($file), ".rs`.")]
            pub const $name: Game =
                Game::registered(&$file::$rules, Place::$name as u16);
        )*
        /// All games of the registry.
        pub const GAMES: [Game; [$(Place::$name as u16),*].len()] = [$($name),*];
    };
}

registry! {
    NIM: nim::Nim,
    MISERE_NIM: misere_nim::MisereNim,
    END_NIM: end_nim::EndNim,
    MISERE_END_NIM: misere_end_nim::MisereEndNim,
    LOOP_END_NIM: loop_end_nim::LoopEndNim,
    PARTIZAN_END_NIM: partizan_end_nim::PartizanEndNim,
    END_WYTHOFF: end_wythoff::EndWythoff,
    SHORT_GLOBAL_NIM: short_global_nim::ShortGlobalNim,
    LONG_GLOBAL_NIM: long_global_nim::LongGlobalNim,
}

/// The three impartial End-Nim games, which differ only in single piles.
pub const END_NIM_GAMES: [Game; 3] = [END_NIM, MISERE_END_NIM, LOOP_END_NIM];
