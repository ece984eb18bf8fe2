(** * What docs/proofs/families.v proves, in full.

    Who trusts Coq has to read this, the definitions of [value], [T] and [family] there, and nothing else. Each
    is proved by the theorem there and by nothing else, so it is the same word for word. *)

Require Import families.

(** A position has one value, and a longer bound on the play does not change it. *)
Theorem one_value : forall f n S v w, value f n S v -> value f n S w -> v = w.
Proof. exact value_unique. Qed.

Theorem bound_of_play : forall f g n S v, n <= f -> n <= g -> value f n S v <-> value g n S v.
Proof. exact value_fuel. Qed.

(** All members of a family. *)
Theorem members : forall f n W l j S,
  family n W -> T l <= n < T (Datatypes.S l) -> j <= l ->
  (forall s, s <= j -> ~ S s) ->
  (forall x, j < x <= n - T j -> W x -> S x) ->
  n - T j <= f ->
  value f (n - T j) S (l - j).
Proof. exact families. Qed.

(** If n has a family, the conjecture holds for n. *)
Theorem conjecture : forall n W l,
  family n W -> T l <= n < T (S l) -> value n n (fun x => 1 <= x <= n) l.
Proof. exact conjecture_34. Qed.

(** The gap lemma. The pile that n chooses for i is [ch n i]. *)
Theorem gaps : forall (x : nat -> nat) (M : nat -> nat -> Prop) (ch : nat -> nat -> nat),
  (forall i m, M i m -> T i <= m < T (S i)) ->
  (forall l n i, M l n -> i + 2 <= l -> M i (ch n i) /\ i <= x (n - ch n i) < l) ->
  forall n l, T l <= n < T (S l) ->
  (forall i, i + 2 <= l -> M i (ch n i) /\ i <= x (n - ch n i)) ->
  value n n (fun d => 1 <= d <= n) l.
Proof. exact gap_lemma. Qed.
