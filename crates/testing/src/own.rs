//! Games that only tests define.

use grundy_rules::{Move, Order, Pile, Position, from_any_pile};

/// Defines a game by its name, its order and its methods. With `impl`, only implements the rules
/// for an existing type.
#[macro_export]
macro_rules! own {
    (impl $rules:ident, $id:literal, $order:expr, $($more:item)*) => {
        impl grundy_rules::Rules for $rules {
            fn id(&self) -> &'static str {
                $id
            }
            fn title(&self) -> &'static str {
                $id
            }
            fn paper(&self) -> &'static str {
                "none"
            }
            fn order(&self) -> grundy_rules::Order {
                $order
            }
            $($more)*
        }
    };
    ($(#[$doc:meta])* $seen:vis $rules:ident, $($more:tt)*) => {
        $(#[$doc])*
        #[derive(Debug)]
        $seen struct $rules;
        $crate::own! { impl $rules, $($more)* }
    };
}

own! {
    /// A game with piles in any order. A move takes one, two or three coins from a pile.
    pub UpToThree, "up-to-three", Order::Any,
    fn moves(&self, position: &Position) -> Vec<Move> {
        let lowered = |from: Pile| from.saturating_sub(3)..from;
        from_any_pile(position.piles(), lowered, |piles, _| Position::multiset(piles))
    }
}
