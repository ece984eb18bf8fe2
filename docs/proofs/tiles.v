(** * Tiles as lists of numbers, for the checker of families in file words.v.

    The tile of a middle m has the values of all rows a m b with ends a and b up to N, where 0 means no pile.
    It follows
    from two tiles: of the middle without its first pile, and without its last.
    So the tiles of all parts of t piles of a
    long row give those of its parts of t + 1 piles, and all computed tiles are right. *)

Require Import Arith Lia List Bool.
Require Import lengths rows.
Import ListNotations.

(** ** Tiles of all parts of a row *)

Definition cells := list (list nat).
Definition cell (t : cells) (a b : nat) : nat := nth b (nth a t []) 0.
Definition table (N : nat) (f : nat -> nat -> nat) : cells := map (fun a => map (f a) (to N)) (to N).

(** Computes a tile from its cells with a = 0 or b = 0. After k passes the cells with a + b <= k are right. *)
Definition pass (g : game) (N : nat) (border : nat -> nat -> nat) (t : cells) : cells :=
  table N (fun a b =>
    if (a =? 0) || (b =? 0) then border a b
    else compute g (map (fun o => (fst o, cell t (fst (snd o)) (snd (snd o)))) (pair_moves g a b))).
Definition fill (g : game) (N : nat) (border : nat -> nat -> nat) : cells :=
  Nat.iter (S (N + N)) (pass g N border) [].

(** The values of no pile and of the single piles 1, 2, ..., N. *)
Definition add_single (g : game) (known : list nat) (a : nat) : list nat :=
  known ++ [compute g (map (fun o => (fst o, nth (snd o) known 0)) (single_moves g a))].
Definition singles (g : game) (N : nat) : list nat := fold_left (add_single g) (from_1 N) [compute g []].

(** The tile of the empty middle, and that of a middle, from its first pile x, its last pile y, and the tiles without
    the first pile and without the last pile. *)
Definition empty_tile (g : game) (N : nat) : cells := let of_single := singles g N in fill g N (fun a b => nth (a +
  b) of_single 0).
Definition join (g : game) (N x y : nat) (without_first without_last : cells) : cells :=
  fill g N (fun a b => if a =? 0 then cell without_first x b else cell without_last a y).

(** The tiles of all parts of a row, by their length and place. *)
Definition next_level (g : game) (N : nat) (row : list nat) (t : nat) (level : list cells) : list cells :=
  map (fun a => join g N (nth a row 0) (nth (a + t) row 0) (nth (S a) level []) (nth a level [])) (seq 0 (length row
    - t)).
Fixpoint levels (g : game) (N : nat) (row : list nat) (k t : nat) (level : list cells) : list (list cells) :=
  level :: match k with 0 => [] | S k => levels g N row k (S t) (next_level g N row t level) end.
Definition all_tiles (g : game) (N : nat) (row : list nat) : list (list cells) :=
  levels g N row (length row) 0 (repeat (empty_tile g N) (S (length row))).

Definition part (row : list nat) (a t : nat) : list nat := map (fun p => nth p row 0) (seq a t).
Definition tile_of (tiles : list (list cells)) (a t : nat) : cells := nth a (nth t tiles []) [].

Lemma cell_table N f a b : a <= N -> b <= N -> cell (table N f) a b = f a b.
Proof.
  intros lea leb. unfold cell, table.
  rewrite (nth_indep _ [] (map (f 0) (to N))) by (unfold to; rewrite map_length, seq_length; lia).
  rewrite (map_nth (fun a => map (f a) (to N))). replace (nth a (to N) 0) with a; [now apply nth_to|].
  unfold to. rewrite seq_nth; lia.
Qed.

Section Tiles.

Variables (g : game) (N : nat) (G : list nat -> nat).
Hypothesis low : all_lower g N = true.
Hypothesis obeyG : rows.values g N G.

(** All cells of a tile are right. *)
Definition right_tile (m : list nat) (t : cells) : Prop := forall a b, a <= N -> b <= N -> cell t a b = G (glue a m
  b).

Lemma value_of_pair m a b : is_row N m -> 1 <= a <= N -> 1 <= b <= N -> forall value : nat -> nat -> nat,
  (forall a' b', a' + b' < a + b -> a' <= N -> b' <= N -> value a' b' = G (glue a' m b')) ->
  G (glue a m b) = compute g (map (fun o => (fst o, value (fst (snd o)) (snd (snd o)))) (pair_moves g a b)).
Proof.
  intros ism ina inb value right. pose proof (all_lower_right g N low) as lowers. destruct lowers as (_ & lowp).
  assert (isrow : is_row N (glue a m b)) by (apply row_glue; repeat split; auto; lia).
  refine (proj1 (computed g (fun o => exists r, option (single g) (pair g) (fst o) (glue a m b) r /\
  G r = snd o) _ _ _)
    (obeyG _ isrow)).
  intros p v. rewrite (in_options (fun o => value (fst o) (snd o))). cbn [fst snd]. split.
  - intros (r & move & is). apply (moves_pair (single g) (pair g)) in move; try lia.
    destruct move as (a' & b' & move & ->).
    destruct (lowp p a b a' b') as (less & lea & leb); [lia | lia | assumption|].
    exists (a', b'). split; [assumption|]. cbn [fst snd]. now rewrite right.
  - intros ((a', b') & move & is). cbn [fst snd] in is.
    destruct (lowp p a b a' b') as (less & lea & leb); [lia | lia | assumption|]. rewrite right in is by assumption.
    exists (glue a' m b'). split; [apply of_pair; auto; lia | assumption].
Qed.

Lemma fill_right m border : is_row N m ->
  (forall a b, a <= N -> b <= N -> a = 0 \/ b = 0 -> border a b = G (glue a m b)) -> right_tile m (fill g N border).
Proof.
  intros ism borders.
  assert (passes : forall k a b, a <= N -> b <= N -> a = 0 \/ b = 0 \/ a + b <= S k ->
    cell (Nat.iter (S k) (pass g N border) []) a b = G (glue a m b)).
  { induction k as [|k IH]; intros a b lea leb near; cbn [Nat.iter nat_rect]; unfold pass at 1;
      rewrite cell_table by assumption; destruct (Nat.eqb_spec a 0), (Nat.eqb_spec b 0); cbn [orb]; auto; [lia|].
    symmetry. apply (value_of_pair m a b ism ltac:(lia) ltac:(lia) (cell (Nat.iter (S k) (pass g N border) []))).
    intros a' b' less lea' leb'. apply IH; lia. }
  intros a b lea leb. apply passes; lia.
Qed.

Lemma value_of_single a : 1 <= a <= N -> forall known : list nat,
  (forall a', a' < a -> nth a' known 0 = G (glue a' [] 0)) ->
  G (glue a [] 0) = compute g (map (fun o => (fst o, nth (snd o) known 0)) (single_moves g a)).
Proof.
  intros ina known right. destruct (all_lower_right g N low) as (lows & _).
  assert (isrow : is_row N (glue a [] 0)) by (apply row_glue; repeat split; [lia | apply Forall_nil | lia]).
  refine (proj1 (computed g (fun o => exists r, option (single g) (pair g) (fst o) (glue a [] 0) r /\
  G r = snd o) _ _ _)
    (obeyG _ isrow)).
  intros p v. rewrite (in_options (fun a' => nth a' known 0)). cbn [fst snd]. split.
  - intros (r & move & is). remember (glue a [] 0) as row. destruct move as [p x x' le mv | p x m y x' y' lex ley mv].
    + destruct a as [|a], x as [|x]; try lia. cbn in Heqrow. injection Heqrow as ->. exists x'. split; [assumption|].
      rewrite right; [assumption|]. apply (lows p); [lia | assumption].
    + destruct a as [|a], x as [|x], y as [|y]; try lia. unfold glue, pile in Heqrow. cbn in Heqrow.
      injection Heqrow as _ bad. destruct m; discriminate.
  - intros (a' & move & is). exists (glue a' [] 0). split; [apply of_single; auto; lia|].
    rewrite <- right; [assumption|]. apply (lows p); [lia | assumption].
Qed.

Lemma singles_right a : a <= N -> nth a (singles g N) 0 = G (glue a [] 0).
Proof.
  assert (empty : G (glue 0 [] 0) = compute g []).
  { refine (proj1 (computed g (fun o => exists r, option (single g) (pair g) (fst o) (glue 0 [] 0) r /\
    G r = snd o) [] _ _)
      (obeyG (glue 0 [] 0) (Forall_nil _))).
    intros p v. cbn [fst snd]. split; [|intros []]. intros (r & move & _). remember (glue 0 [] 0) as row.
    destruct move; destruct a0; cbn in Heqrow; try lia; discriminate. }
  assert (all : forall k, k <= N -> length (fold_left (add_single g) (from_1 k) [compute g []]) = S k /\
    forall b, b <= k -> nth b (fold_left (add_single g) (from_1 k) [compute g []]) 0 = G (glue b [] 0)).
  { unfold from_1. induction k as [|k IH]; intros le.
    - split; [reflexivity|]. intros b leb. replace b with 0 by lia. now rewrite empty.
    - rewrite seq_S, fold_left_app. cbn [fold_left]. destruct (IH ltac:(lia)) as (len & right).
      set (known := fold_left _ _ _) in *. unfold add_single. split; [rewrite app_length, len; cbn; lia|].
      intros b leb. destruct (Nat.eq_dec b (S k)) as [-> | other]; [|rewrite app_nth1 by lia; apply right; lia].
      rewrite app_nth2, len, Nat.sub_diag by lia. cbn [nth plus]. symmetry. apply value_of_single; [lia|].
      intros b' less. apply right. lia. }
  intros le. now apply all.
Qed.

Lemma empty_right : right_tile [] (empty_tile g N).
Proof.
  apply fill_right; [apply Forall_nil|]. intros a b lea leb [-> | ->].
  - rewrite singles_right by assumption. unfold glue. cbn. now rewrite app_nil_r.
  - rewrite Nat.add_0_r, singles_right by assumption. reflexivity.
Qed.

Lemma join_right x y h k m t t' : is_row N m -> 1 <= x <= N -> 1 <= y <= N -> m = x :: h -> m = k ++ [y] ->
  right_tile h t -> right_tile k t' -> right_tile m (join g N x y t t').
Proof.
  intros ism inx iny first last right right'. apply fill_right; [assumption|]. intros a b lea leb zero.
  destruct (Nat.eqb_spec a 0) as [-> | some].
  - rewrite right by lia. f_equal. rewrite first. unfold glue. destruct x; [lia | reflexivity].
  - replace b with 0 by lia. rewrite right' by lia. f_equal. rewrite last. unfold glue.
    destruct y; [lia|]. cbn [pile]. now rewrite app_nil_r.
Qed.

Variable row : list nat.
Hypothesis isrow : is_row N row.

Lemma in_row p : p < length row -> 1 <= nth p row 0 <= N.
Proof. intros less. unfold is_row in isrow. rewrite Forall_forall in isrow. now apply isrow, nth_In. Qed.

Lemma part_row a t : a + t <= length row -> is_row N (part row a t).
Proof.
  intros le. apply Forall_forall. intros x isin. apply in_map_iff in isin. destruct isin as (p & <- & inseq).
  apply in_seq in inseq. apply in_row. lia.
Qed.

Definition right_level (t : nat) (level : list cells) : Prop :=
  forall a, a + t <= length row -> right_tile (part row a t) (nth a level []).

Lemma levels_right k : forall t level, right_level t level ->
  forall d, d <= k -> right_level (t + d) (nth d (levels g N row k t level) []).
Proof.
  induction k as [|k IH]; intros t level right [|d] le; cbn [levels nth]; try lia; try (now rewrite Nat.add_0_r).
  replace (t + S d) with (S t + d) by lia. apply IH; [|lia].
  intros a fits. unfold next_level.
  rewrite (nth_indep _ [] (join g N (nth 0 row 0) (nth (0 + t) row 0) (nth 1 level []) (nth 0 level [])))
    by (rewrite map_length, seq_length; lia).
  rewrite (map_nth (fun a => join g N (nth a row 0) (nth (a + t) row 0) (nth (S a) level []) (nth a level []))).
  rewrite seq_nth by lia. cbn [plus].
  apply (join_right _ _ (part row (S a) t) (part row a t)).
  - apply part_row. lia.
  - apply in_row. lia.
  - apply in_row. lia.
  - reflexivity.
  - unfold part. rewrite seq_S, map_app. reflexivity.
  - apply right. lia.
  - apply right. lia.
Qed.

Lemma tile_right a t : a + t <= length row -> right_tile (part row a t) (tile_of (all_tiles g N row) a t).
Proof.
  intros fits. unfold tile_of, all_tiles. apply (levels_right (length row) 0); [|lia | assumption].
  intros b le. rewrite (nth_indep _ [] (empty_tile g N)) by (rewrite repeat_length; lia).
  rewrite nth_repeat. exact empty_right.
Qed.

(** The parts of t piles from place a, and of t' piles from place a', have the same tile. *)
Definition same_cells (t t' : cells) : bool := if list_eq_dec (list_eq_dec Nat.eq_dec) t t' then true else false.
Definition same (tiles : list (list cells)) (long a t a' t' : nat) : bool :=
  (a + t <=? long) && (a' + t' <=? long) && same_cells (tile_of tiles a t) (tile_of tiles a' t').

Lemma same_right a t a' t' : same (all_tiles g N row) (length row) a t a' t' = true ->
  tile N G (part row a t) (part row a' t').
Proof.
  unfold same, same_cells. rewrite !andb_true_iff, !Nat.leb_le. intros ((fits & fits') & equal).
  destruct (list_eq_dec _ _ _) as [is|]; [|discriminate]. intros b c leb lec.
  rewrite <- (tile_right a t fits b c leb lec), <- (tile_right a' t' fits' b c leb lec). now rewrite is.
Qed.

Lemma value_right a t : a + t <= length row -> cell (tile_of (all_tiles g N row) a t) 0 0 = G (part row a t).
Proof. intros fits. rewrite (tile_right a t fits) by lia. f_equal. unfold glue. cbn. apply app_nil_r. Qed.

End Tiles.
