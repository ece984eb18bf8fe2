(** * The checkers as programs in OCaml.

    Coq translates the checkers that it has proved. Numbers of the type N become integers of the library Zarith, and
    the operations below are trusted to be the same as in Coq. A number that is positive is an integer too. *)

Require Import NArith ExtrOcamlBasic Extraction.
Require conjecture rows words.

Extract Inductive positive => "Z.t"
  [ "(fun p -> Z.succ (Z.shift_left p 1))" "(fun p -> Z.shift_left p 1)" "Z.one" ]
  "(fun i o h p -> if Z.equal p Z.one then h () else (if Z.is_odd p then i else o) (Z.shift_right p 1))".
Extract Inductive N => "Z.t" [ "Z.zero" "(fun p -> p)" ] "(fun z p n -> if Z.equal n Z.zero then z () else p n)".
Extract Constant N.succ_pos => "Z.succ".
Extract Constant N.add => "Z.add".
Extract Constant N.sub => "(fun a b -> Z.max Z.zero (Z.sub a b))".
Extract Constant N.eqb => "Z.equal".
Extract Constant N.leb => "Z.leq".
Extract Constant N.lor => "Z.logor".
Extract Constant N.shiftl => "(fun a b -> Z.shift_left a (Z.to_int b))".
Extract Constant N.testbit => "(fun a b -> Z.testbit a (Z.to_int b))".

Extraction "checkers.ml" conjecture.accepts rows.end_nim rows.misere_end_nim rows.loop_end_nim rows.end_wythoff
  rows.partizan_end_nim rows.compute rows.accepts_automaton
  words.accepts_family.
