/-
Five results of docs/PROOFS.md as statements in Lean 4, with the definitions of the games.

There are no proofs here: each statement is a `def` of type `Prop`. This file was not compiled, because
we had no Lean. It uses only Lean's own library.
-/

namespace Grundy

/-! ## Rows and their moves -/

/-- A row of piles, from left to right. In a row of a game every pile is at least 1. -/
abbrev Row := List Nat

def Row.valid (n : Nat) (row : Row) : Prop := ∀ p ∈ row, 1 ≤ p ∧ p ≤ n

/-- A pile with `p` coins as a part of a row; an empty pile disappears. -/
def pile (p : Nat) : Row := if p = 0 then [] else [p]

/-- End-Nim: take coins from the first pile or from the last pile. -/
inductive EndNim : Row → Row → Prop
  | first (a b : Nat) (rest : Row) : b < a → EndNim (a :: rest) (pile b ++ rest)
  | last (a b : Nat) (rest : Row) : b < a → EndNim (rest ++ [a]) (rest ++ pile b)

/-- End-Wythoff: as End-Nim, or take the same number of coins from both end piles. -/
inductive EndWythoff : Row → Row → Prop
  | one (row option : Row) : EndNim row option → EndWythoff row option
  | both (a b t : Nat) (middle : Row) : 1 ≤ t → t ≤ a → t ≤ b →
      EndWythoff (a :: middle ++ [b]) (pile (a - t) ++ middle ++ pile (b - t))

/-- `value` gives each row the least number that no option has. The player who takes the last coin
wins, so the row without piles has the value 0. -/
def IsGrundy (move : Row → Row → Prop) (value : Row → Nat) : Prop :=
  ∀ row, (∀ option, move row option → value option ≠ value row) ∧
    ∀ v, v < value row → ∃ option, move row option ∧ value option = v

/-! ## Automata -/

/-- A complete automaton with the states 0, ..., `states` - 1 that reads a row from left to right.
It begins in state 0. -/
structure Automaton (α : Type) where
  states : Nat
  step : Nat → Nat → Nat
  output : Nat → α
  stays : ∀ s p, s < states → step s p < states
  some : 0 < states

def Automaton.after {α : Type} (m : Automaton α) (row : Row) : α :=
  m.output (row.foldl m.step 0)

/-- `m` is a smallest automaton that computes `f` for all rows of piles of at most `n`. -/
def IsLeast {α : Type} (n : Nat) (f : Row → α) (m : Automaton α) : Prop :=
  (∀ row, Row.valid n row → m.after row = f row) ∧
    ∀ m' : Automaton α, (∀ row, Row.valid n row → m'.after row = f row) → m.states ≤ m'.states

/-! ## The statements -/

/-- Result 1 (`all.en2`). An automaton of 18 states gives the values of End-Nim with piles of at
most 2, and no smaller one does. -/
def EndNimTwo : Prop :=
  ∀ value, IsGrundy EndNim value → ∃ m : Automaton Nat, IsLeast 2 value m ∧ m.states = 18

/-- Result 2 (`all.nonregular`). If the piles are at most `n` with `n ≥ 3`, no automaton accepts
exactly the rows of End-Nim with the value 1. -/
def EndNimThree : Prop :=
  ∀ value n, IsGrundy EndNim value → 3 ≤ n →
    ¬ ∃ m : Automaton Bool, ∀ row, Row.valid n row → (m.after row = true ↔ value row = 1)

/-- Result 3 (`all.p-automata`). The smallest automaton that accepts the P-positions of End-Nim among
the rows of piles of at most `n` has 5n + 2 states, for all `n ≥ 2`. -/
def EndNimLost : Prop :=
  ∀ value n, IsGrundy EndNim value → 2 ≤ n →
    ∃ m : Automaton Bool, IsLeast n (fun row => value row == 0) m ∧ m.states = 5 * n + 2

/-- A walk over the colours 0, ..., `n` that begins at 0, in which neighbours differ. It is given by
its colours after the first one. -/
def IsWalk (n : Nat) : Nat → List Nat → Prop
  | _, [] => True
  | before, c :: rest => c ≤ n ∧ c ≠ before ∧ IsWalk n c rest

/-- Result 4 (`end.colourings`). The rows of piles of at most `n` correspond one to one to such
walks. The number of piles is the number of steps of the walk. The first `i` piles are a P-position
of End-Nim iff the walk is at 0 after `i` steps. -/
def Colourings : Prop :=
  ∀ value n, IsGrundy EndNim value → ∃ walk : Row → List Nat,
    (∀ row, Row.valid n row → IsWalk n 0 (walk row) ∧ (walk row).length = row.length ∧
      ∀ i, i ≤ row.length → (value (row.take i) = 0 ↔ (0 :: walk row)[i]? = some 0)) ∧
    ∀ colours, IsWalk n 0 colours → ∃ row, Row.valid n row ∧ walk row = colours ∧
      ∀ other, Row.valid n other → walk other = colours → other = row

/-- Result 5 (`ew.growth`). Let K be a row of one or more piles, and let K r be a P-position of
End-Wythoff. Let a K b and c K d be P-positions with b > a ≥ 1, d > c > a, c > 3r + 27, and with no
such P-position between them. Then d - c = b - a + 1. -/
def EndWythoffGrowth : Prop :=
  ∀ value K r a b c d, IsGrundy EndWythoff value → K ≠ [] → (∃ n, Row.valid n K) →
    value (K ++ pile r) = 0 →
    let lost := fun x y => value ([x] ++ K ++ [y]) = 0
    1 ≤ a → a < b → lost a b → a < c → c < d → lost c d → 3 * r + 27 < c →
    (∀ x y, a < x → x < c → x < y → ¬ lost x y) →
    d - c = b - a + 1

end Grundy
