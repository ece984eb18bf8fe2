(** * Rows of all lengths: the inductions of automata and families.

    This file proves section 10 of docs/PROOFS.md, for any game whose moves read and change only the two end piles
    of a row. The file statements.v lists the results. Coq 8.16 has checked the proofs; `make proofs` checks them
    again. *)

Require Import Arith Lia List FinFun.
Import ListNotations.

(** ** Rows *)

(** A pile as a row; 0 stands for no pile. *)
Definition pile (a : nat) : list nat := match a with 0 => [] | _ => [a] end.
Definition glue (a : nat) (m : list nat) (b : nat) : list nat := pile a ++ m ++ pile b.
Definition coins (row : list nat) : nat := fold_right plus 0 row.
Definition is_row (N : nat) (row : list nat) : Prop := Forall (fun a => 1 <= a <= N) row.

Lemma coins_glue a m b : coins (glue a m b) = a + coins m + b.
Proof.
  assert (app : forall x y, coins (x ++ y) = coins x + coins y) by (unfold coins; induction x; cbn; intros; [|rewrite IHx]; lia).
  assert (one : forall x, coins (pile x) = x) by (destruct x; cbn; lia).
  unfold glue. rewrite !app, !one. lia.
Qed.

Lemma row_app N a b : is_row N (a ++ b) <-> is_row N a /\ is_row N b.
Proof. apply Forall_app. Qed.

Lemma row_glue N a m b : is_row N (glue a m b) <-> a <= N /\ is_row N m /\ b <= N.
Proof.
  assert (one : forall x, is_row N (pile x) <-> x <= N).
  { unfold is_row. intros [|x]; cbn [pile]; split; intros is; [lia | apply Forall_nil | inversion is; lia |].
    apply Forall_cons; [lia | apply Forall_nil]. }
  unfold glue. rewrite !row_app, !one. tauto.
Qed.

Lemma glue_inj a m b a' m' b' :
  1 <= a -> 1 <= b -> 1 <= a' -> 1 <= b' -> glue a m b = glue a' m' b' -> a = a' /\ m = m' /\ b = b'.
Proof.
  destruct a, b, a', b'; try lia. unfold glue, pile. cbn. intros _ _ _ _ same.
  injection same as -> same. apply app_inj_tail in same. destruct same as [-> same]. auto.
Qed.

(** ** The game *)

(** The moves of player p: of single piles, [single p a a'], and of rows with ends a and b, [pair p a b a' b']. *)
Inductive option (single : nat -> nat -> nat -> Prop) (pair : nat -> nat -> nat -> nat -> nat -> Prop)
  : nat -> list nat -> list nat -> Prop :=
| of_single p a a' : 1 <= a -> single p a a' -> option single pair p (glue a [] 0) (glue a' [] 0)
| of_pair p a m b a' b' : 1 <= a -> 1 <= b -> pair p a b a' b' ->
    option single pair p (glue a m b) (glue a' m b').

(** A move takes coins, and if no pile is larger than N before a move, none is after it. *)
Definition lowers (N : nat) (single : nat -> nat -> nat -> Prop) (pair : nat -> nat -> nat -> nat -> nat -> Prop) : Prop :=
  (forall p a a', a <= N -> single p a a' -> a' < a) /\
  (forall p a b a' b', a <= N -> b <= N -> pair p a b a' b' -> a' + b' < a + b /\ a' <= N /\ b' <= N).

(** The rule by which the options of each player determine the value of a row. *)
Definition decides (rule : (nat -> nat -> Prop) -> nat -> Prop) : Prop :=
  forall S S' v, (forall p u, S p u <-> S' p u) -> rule S v -> rule S' v /\ forall v', rule S v' -> v = v'.

(** The mex; but a row without options has the value t, which is 0, or 1 in misère play. *)
Definition mex (t : nat) (S : nat -> nat -> Prop) (v : nat) : Prop :=
  ((exists p u, S p u) /\ (forall p, ~ S p v) /\ forall u, u < v -> exists p, S p u) \/
  ((forall p u, ~ S p u) /\ v = t).

(** The outcome v is a sum: 1 if player 0, moving first, wins, and 2 if player 1, moving first, wins. In a row without
    options the player to move loses, or wins in misère play, where t = 1. *)
Definition outcome (t : nat) (S : nat -> nat -> Prop) (v : nat) : Prop :=
  ((exists p u, S p u) /\ v < 4 /\ (Nat.odd v = true <-> exists u, S 0 u /\ u < 2) /\
   (2 <= v <-> exists u, S 1 u /\ Nat.odd u = false)) \/
  ((forall p u, ~ S p u) /\ v = 3 * t).

Lemma mex_decides t : decides (mex t).
Proof.
  intros S S' v same is. split.
  - destruct is as [((p & u & here) & no & all) | [none ->]]; [left | right].
    + repeat split.
      * exists p, u. apply same, here.
      * intros q isv. apply (no q), same, isv.
      * intros w less. destruct (all w less) as (q & isw). exists q. apply same, isw.
    + split; [|reflexivity]. intros p u here. apply (none p u), same, here.
  - intros v' is'. destruct is as [(some & no & all) | [none ->]], is' as [(some' & no' & all') | [none' ->]].
    + destruct (Nat.lt_trichotomy v v') as [less | [equal | more]]; [|assumption|].
      * destruct (all' v less) as (p & here). destruct (no p here).
      * destruct (all v' more) as (p & here). destruct (no' p here).
    + destruct some as (p & u & here). destruct (none' p u here).
    + destruct some' as (p & u & here). destruct (none p u here).
    + reflexivity.
Qed.

Lemma outcome_decides t : decides (outcome t).
Proof.
  intros S S' v same is. split.
  - destruct is as [((p & u & here) & small & first & second) | (none & ->)]; [left | right].
    + split; [exists p, u; apply same, here|]. split; [assumption|]. split.
      * rewrite first. split; intros (w & isw & lost); exists w; split; auto; now apply same.
      * rewrite second. split; intros (w & isw & lost); exists w; split; auto; now apply same.
    + split; [|reflexivity]. intros p u here. apply (none p u), same, here.
  - intros v' is'.
    destruct is as [((p & u & here) & small & first & second) | (none & ->)],
      is' as [((p' & u' & here') & small' & first' & second') | (none' & ->)].
    + rewrite <- first' in first. rewrite <- second' in second.
      do 4 (destruct v as [|v]; [do 4 (destruct v' as [|v']; [cbn in *; first [reflexivity | exfalso; intuition (discriminate || lia)]|]); lia|]). lia.
    + destruct (none' p u here).
    + destruct (none p' u' here').
    + reflexivity.
Qed.

Section Game.

Variables (N : nat) (single : nat -> nat -> nat -> Prop) (pair : nat -> nat -> nat -> nat -> nat -> Prop).
Variable rule : (nat -> nat -> Prop) -> nat -> Prop.
Hypothesis low : lowers N single pair.
Hypothesis dec : decides rule.

Let moves := option single pair.

(** The function f gives each row the value that its options determine. *)
Definition obeys (f : list nat -> nat) (row : list nat) : Prop :=
  rule (fun p u => exists o, moves p row o /\ f o = u) (f row).

Lemma option_lowers p row o : is_row N row -> moves p row o -> is_row N o /\ coins o < coins row.
Proof.
  destruct low as [lows lowp]. intros isrow move.
  destruct move; apply row_glue in isrow; destruct isrow as (ina & inm & inb); rewrite !coins_glue, row_glue.
  - pose proof (lows _ _ _ ina H0). repeat split; auto; lia.
  - pose proof (lowp _ _ _ _ _ ina inb H1). repeat split; auto; lia.
Qed.

Lemma moves_pair p a m b o : 1 <= a -> 1 <= b ->
  moves p (glue a m b) o -> exists a' b', pair p a b a' b' /\ o = glue a' m b'.
Proof.
  intros ina inb move. remember (glue a m b) as r. destruct move as [p x x' le mv | p x mm y x' y' lex ley mv].
  - destruct x, a, b; try lia. unfold glue, pile in Heqr. cbn in Heqr. injection Heqr as _ bad. destruct m; discriminate.
  - apply glue_inj in Heqr; try lia. destruct Heqr as (-> & -> & ->). eauto.
Qed.

Theorem unique f g :
  (forall row, is_row N row -> obeys f row) -> (forall row, is_row N row -> obeys g row) ->
  forall row, is_row N row -> f row = g row.
Proof.
  intros obeyf obeyg row. remember (coins row) as c. assert (le : coins row <= c) by lia. clear Heqc.
  revert row le. induction c as [c IH] using lt_wf_ind. intros row le isrow.
  assert (same : forall p o, moves p row o -> f o = g o).
  { intros p o move. destruct (option_lowers p row o isrow move). apply (IH (coins o)); auto; lia. }
  refine (proj2 (dec _ _ _ (fun p u => conj (fun x => x) (fun x => x)) (obeyf row isrow)) _ _).
  refine (proj1 (dec _ _ _ _ (obeyg row isrow))).
  intros p u. split; intros (o & move & is); exists o; split; auto;
    [rewrite (same p o move) | rewrite <- (same p o move)]; assumption.
Qed.

(** ** Automata *)

Section Automaton.

Variables (Q : Type) (step : Q -> nat -> Q) (start : Q) (out : Q -> nat).

Definition after (q : Q) (row : list nat) : Q := fold_left step row q.
Definition next (q : Q) (a : nat) : Q := after q (pile a).

(** [R] holds for the tuples that occur: for the tuple of the empty row, and, if for the tuple of a row, for
    that of the row with one more pile. *)
Variable R : (nat -> Q) -> Prop.
Hypothesis first : exists s, R s /\ forall x, x <= N -> s x = next start x.
Hypothesis further : forall s c, R s -> 1 <= c <= N -> exists s', R s' /\ forall x, x <= N -> s' x = step (s x) c.

(** The outputs obey the rules at the empty row, at single piles, and at the ends a and b of each tuple. *)
Hypothesis at_empty : rule (fun _ _ => False) (out start).
Hypothesis at_single : forall a, 1 <= a <= N ->
  rule (fun p u => exists a', single p a a' /\ out (next start a') = u) (out (next start a)).
Hypothesis at_pair : forall s a b, R s -> 1 <= a <= N -> 1 <= b <= N ->
  rule (fun p u => exists a' b', pair p a b a' b' /\ out (next (s a') b') = u) (out (next (s a) b)).

Lemma tuples m : is_row N m -> exists s, R s /\ forall x, x <= N -> s x = after start (pile x ++ m).
Proof.
  induction m as [|c m IH] using rev_ind; intros isrow.
  - destruct first as (s & isR & is). exists s. split; auto. intros x le. rewrite app_nil_r. exact (is x le).
  - apply row_app in isrow. destruct isrow as [ism isc]. pose proof (Forall_inv isc) as inc. cbn in inc.
    destruct (IH ism) as (s & isR & is). destruct (further s c isR inc) as (s' & isR' & is').
    exists s'. split; auto. intros x le. rewrite is', is by assumption.
    unfold after. rewrite app_assoc, (fold_left_app step (pile x ++ m) [c]). reflexivity.
Qed.

Theorem automaton_obeys row : is_row N row -> obeys (fun o => out (after start o)) row.
Proof.
  destruct low as [lows lowp]. unfold obeys, moves. intros isrow. destruct row as [|a rest].
  - refine (proj1 (dec _ _ _ _ at_empty)). intros p u. split; [tauto|]. intros (o & move & _).
    remember [] as row. destruct move; destruct a; cbn in Heqrow; try lia; discriminate.
  - destruct rest as [|b m _] using rev_ind.
    + pose proof (Forall_inv isrow) as ina. cbn in ina.
      assert (is : forall x, after start (glue x [] 0) = next start x)
        by (intros x; unfold glue, next; cbn; rewrite app_nil_r; reflexivity).
      assert (row : [a] = glue a [] 0) by (destruct a; [lia|reflexivity]).
      replace (after start [a]) with (next start a) by (rewrite <- is, <- row; reflexivity).
      refine (proj1 (dec _ _ _ _ (at_single a ina))). intros p u. split.
      * intros (a' & mv & said). exists (glue a' [] 0). rewrite is, row. split; [constructor; auto; lia | assumption].
      * intros (o & move & said). remember [a] as r. destruct move as [p x x' le mv | p x mm y x' y' lex ley mv].
        -- destruct x; [lia|]. cbn in Heqr. injection Heqr as Heqr. subst a. exists x'. rewrite <- is. auto.
        -- destruct x, y; try lia. unfold glue, pile in Heqr. cbn in Heqr. injection Heqr as _ bad. destruct mm; discriminate.
    + change (a :: m ++ [b]) with ([a] ++ m ++ [b]) in isrow. rewrite !row_app in isrow. destruct isrow as (isa & ism & isb).
      pose proof (Forall_inv isa) as ina. pose proof (Forall_inv isb) as inb. cbn in ina, inb.
      assert (row : a :: m ++ [b] = glue a m b) by (destruct a, b; try lia; reflexivity). rewrite row.
      destruct (tuples m ism) as (s & isR & iss).
      assert (is : forall x y, x <= N -> after start (glue x m y) = next (s x) y).
      { intros x y le. unfold glue, next. rewrite iss by assumption. unfold after.
        rewrite app_assoc, (fold_left_app step (pile x ++ m) (pile y)). reflexivity. }
      rewrite is by lia. refine (proj1 (dec _ _ _ _ (at_pair s a b isR ina inb))). intros p u. split.
      * intros (a' & b' & mv & said). destruct (lowp p a b a' b') as (_ & lea & _); try lia; auto.
        exists (glue a' m b'). rewrite is by assumption. split; [constructor; auto; lia | assumption].
      * intros (o & move & said). apply moves_pair in move; try lia. destruct move as (a' & b' & mv & ->).
        destruct (lowp p a b a' b') as (_ & lea & _); try lia; auto. rewrite is in said by assumption. eauto.
Qed.

(** So the output of the automaton is the value of each row. *)
Theorem automaton_says G : (forall row, is_row N row -> obeys G row) ->
  forall row, is_row N row -> G row = out (after start row).
Proof. intros obeyG row isrow. exact (unique G (fun o => out (after start o)) obeyG automaton_obeys row isrow). Qed.

End Automaton.

(** ** Families *)

Variable G : list nat -> nat.
Hypothesis obeyG : forall row, is_row N row -> obeys G row.

(** Two middles have the same tile. *)
Definition tile (m m' : list nat) : Prop := forall a b, a <= N -> b <= N -> G (glue a m b) = G (glue a m' b).

(** The tile of a middle follows from two tiles: of the middle without its first pile, and without its last. *)
Lemma tile_step x y m m' h h' k k' : 1 <= x <= N -> 1 <= y <= N -> is_row N m -> is_row N m' ->
  m = x :: h -> m' = x :: h' -> m = k ++ [y] -> m' = k' ++ [y] -> tile h h' -> tile k k' -> tile m m'.
Proof.
  intros inx iny ism ism' beg beg' end_ end_' same_h same_k.
  assert (all : forall c a b, a + b <= c -> a <= N -> b <= N -> G (glue a m b) = G (glue a m' b)).
  { induction c as [c IH] using lt_wf_ind. intros a b le ina inb.
    destruct a as [|a].
    { replace (glue 0 m b) with (glue x h b) by (rewrite beg; destruct x; [lia|reflexivity]).
      replace (glue 0 m' b) with (glue x h' b) by (rewrite beg'; destruct x; [lia|reflexivity]). apply same_h; lia. }
    destruct b as [|b].
    { assert (is : forall z, glue (S a) (z ++ [y]) 0 = glue (S a) z y)
        by (intros z; unfold glue; destruct y; [lia|]; cbn; rewrite app_nil_r; reflexivity).
      rewrite end_, end_', !is. apply same_k; lia. }
    assert (isrow : is_row N (glue (S a) m (S b))) by (apply row_glue; auto).
    assert (isrow' : is_row N (glue (S a) m' (S b))) by (apply row_glue; auto).
    refine (proj2 (dec _ _ _ (fun p u => conj (fun x => x) (fun x => x)) (obeyG _ isrow)) _ _).
    refine (proj1 (dec _ _ _ _ (obeyG _ isrow'))). intros p u.
    assert (same : forall a' b', pair p (S a) (S b) a' b' -> G (glue a' m b') = G (glue a' m' b')).
    { intros a' b' mv. destruct low as [_ lowp]. destruct (lowp p (S a) (S b) a' b') as (less & lea & leb); auto.
      apply (IH (a' + b')); lia. }
    split; intros (o & move & is); apply moves_pair in move; try lia; destruct move as (a' & b' & mv & ->).
    - exists (glue a' m b'). rewrite (same _ _ mv). split; [constructor; auto; lia | assumption].
    - exists (glue a' m' b'). rewrite <- (same _ _ mv). split; [constructor; auto; lia | assumption]. }
  intros a b ina inb. apply (all (a + b)); auto.
Qed.

(** Words that grow on the left by the piles l i, and on the right by the piles r j. *)
Definition grows (l r : nat -> nat) (w : nat -> nat -> list nat) : Prop :=
  (forall i, 1 <= l i <= N) /\ (forall j, 1 <= r j <= N) /\ (forall i j, is_row N (w i j)) /\
  (forall i j, w (S i) j = l i :: w i j) /\ (forall i j, w i (S j) = w i j ++ [r j]).

Lemma grown l r w i j i' j' : grows l r w -> l i = l i' -> r j = r j' ->
  tile (w i (S j)) (w i' (S j')) -> tile (w (S i) j) (w (S i') j') -> tile (w (S i) (S j)) (w (S i') (S j')).
Proof.
  intros (inl & inr & isw & left & right) samel samer same_h same_k.
  apply (tile_step (l i) (r j) _ _ (w i (S j)) (w i' (S j')) (w (S i) j) (w (S i') j')); auto.
  - rewrite samel. apply left.
  - rewrite samer. apply right.
Qed.

(** A line is periodic if the line before it is periodic and one tile repeats. *)
Theorem line l r w i p j0 : grows l r w -> (forall j, j0 <= j -> r (j + p) = r j) ->
  (forall j, j0 <= j -> tile (w i (j + p)) (w i j)) -> tile (w (S i) (j0 + p)) (w (S i) j0) ->
  forall j, j0 <= j -> tile (w (S i) (j + p)) (w (S i) j).
Proof.
  intros gr samer before at_j0. induction 1 as [|j le IH]; [assumption|]. cbn [plus].
  apply (grown l r); auto. apply (before (S j)). lia.
Qed.

(** The same for columns. *)
Theorem column l r w j p i0 : grows l r w -> (forall i, i0 <= i -> l (i + p) = l i) ->
  (forall i, i0 <= i -> tile (w (i + p) j) (w i j)) -> tile (w (i0 + p) (S j)) (w i0 (S j)) ->
  forall i, i0 <= i -> tile (w (i + p) (S j)) (w i (S j)).
Proof.
  intros gr samel before at_i0. induction 1 as [|i le IH]; [assumption|]. cbn [plus].
  apply (grown l r); auto. apply (before (S i)). lia.
Qed.

(** Parts of the repetition of a single word: [v f t] consists of t piles, beginning with the pile f. *)
Theorem alone (r : nat -> nat) (v : nat -> nat -> list nat) n p t0 :
  (forall f, 1 <= r f <= N) -> (forall f t, is_row N (v f t)) ->
  (forall f t, v f (S t) = r f :: v (S f) t) -> (forall f t, v f (S t) = v f t ++ [r (f + t)]) ->
  (forall f, r (f + p) = r f) -> (forall f t, v (f + n) t = v f t) -> 1 <= n ->
  (forall f, f < n -> tile (v f (t0 + p)) (v f t0)) ->
  forall t, t0 <= t -> forall f, tile (v f (t + p)) (v f t).
Proof.
  intros inr isv left right samer turn pos at_t0. induction 1 as [|t le IH]; intros f.
  - rewrite (Nat.div_mod f n) by lia.
    assert (again : forall q g s, v (n * q + g) s = v g s).
    { induction q as [|q IH]; intros g s; [f_equal; lia|].
      replace (n * S q + g) with (n * q + g + n) by lia. rewrite turn. apply IH. }
    intros a b. rewrite !again. apply at_t0. apply Nat.mod_upper_bound. lia.
  - cbn [plus]. apply (tile_step (r f) (r (f + t)) _ _ (v (S f) (t + p)) (v (S f) t) (v f (t + p)) (v f t)); auto.
    rewrite right, Nat.add_assoc, samer. reflexivity.
Qed.

(** A step that leads to the same tiles on one line and one column does so on all later lines and columns. *)
Theorem family_step l r w i0 j0 e f : grows l r w ->
  (forall i, i0 <= i -> l (i + e) = l i) -> (forall j, j0 <= j -> r (j + f) = r j) ->
  (forall j, j0 <= j -> tile (w (i0 + e) (j + f)) (w i0 j)) ->
  (forall i, i0 <= i -> tile (w (i + e) (j0 + f)) (w i j0)) ->
  forall i, i0 <= i -> forall j, j0 <= j -> tile (w (i + e) (j + f)) (w i j).
Proof.
  intros gr samel samer on_line on_column. induction 1 as [|i le IHi]; intros j.
  - apply on_line.
  - induction 1 as [|j lej IHj]; [apply (on_column (S i)); lia|].
    cbn [plus] in *. apply (grown l r); auto. apply (IHi (S j)). lia.
Qed.

End Game.

(** ** Values that are not regular *)

(** No automaton with the states [all] accepts exactly the rows of [is], if for any two of the words [u k] some
    word behind them makes exactly one of the two rows a row of [is]. *)
Theorem not_regular (Q : Type) (all : list Q) (step : Q -> nat -> Q) (start : Q) (accepts : Q -> Prop)
  (is : list nat -> Prop) (u v : nat -> list nat) :
  (forall q, In q all) -> (forall row, is row <-> accepts (fold_left step row start)) ->
  (forall k k', k < k' -> ~ (is (u k ++ v k') <-> is (u k' ++ v k'))) -> False.
Proof.
  intros finite says apart. pose (q k := fold_left step (u k) start).
  assert (inj : forall k k', q k = q k' -> k = k').
  { intros k k' same. assert (as_is : forall x, is (u k ++ x) <-> is (u k' ++ x)).
    { intros x. rewrite !says, !fold_left_app. fold (q k) (q k'). rewrite same. tauto. }
    destruct (Nat.lt_trichotomy k k') as [less | [equal | more]]; [|assumption|]; exfalso.
    - exact (apart k k' less (as_is (v k'))).
    - apply (apart k' k more). rewrite (as_is (v k)). tauto. }
  assert (nodup : NoDup (map q (seq 0 (S (length all))))).
  { apply Injective_map_NoDup; [exact inj | apply seq_NoDup]. }
  pose proof (NoDup_incl_length nodup (fun x _ => finite x)) as le.
  rewrite map_length, seq_length in le. lia.
Qed.
