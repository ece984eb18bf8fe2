(** * Long global nim: if n has a family, the conjecture holds for n.

    This file proves the theorem of docs/PROOFS.md, section 7, and the gap lemma of docs/CONJECTURE.md,
    from the rules of the game alone. The file statements.v lists the results. Coq 8.16 has checked the
    proofs; `make proofs` checks them again.

    A position is a pile n and a set S of moves. A move s of S, 1 <= s <= n, takes s coins and removes s
    from S. A position has the value v if each u < v is the value of an option and v is not. *)

Require Import Arith Lia List.
Import ListNotations.

(** ** The game *)

Definition without (S : nat -> Prop) (s x : nat) : Prop := S x /\ x <> s.

(** [value f n S v]: the position (n, S) has the value v. The number f bounds the length of play; any f >= n
    is enough. *)
Fixpoint value (f n : nat) (S : nat -> Prop) (v : nat) : Prop :=
  match f with
  | 0 => v = 0
  | S f =>
      (forall u, u < v ->
         exists s, 1 <= s <= n /\ S s /\ value f (n - s) (without S s) u) /\
      (forall s, 1 <= s <= n -> S s -> ~ value f (n - s) (without S s) v)
  end.

(** A position does not have two values. *)
Lemma value_unique f n S v w : value f n S v -> value f n S w -> v = w.
Proof.
  destruct f as [|f]; cbn; [lia|].
  intros [lowv nov] [loww now].
  destruct (Nat.lt_trichotomy v w) as [less | [same | more]]; [|assumption|].
  - destruct (loww v less) as (s & fits & isin & val). exfalso. eapply nov; eauto.
  - destruct (lowv w more) as (s & fits & isin & val). exfalso. eapply now; eauto.
Qed.

(** All f >= n give the same value. *)
Lemma value_fuel f : forall g n S v, n <= f -> n <= g -> value f n S v <-> value g n S v.
Proof.
  induction f as [|f IH]; intros g n S v nf ng.
  - assert (n = 0) by lia. subst n. destruct g as [|g]; cbn; [tauto|]. split.
    + intros ->. split; [lia|]. intros s fits. lia.
    + intros [low _]. destruct v as [|v]; [reflexivity|].
      destruct (low v) as (s & fits & _); lia.
  - destruct g as [|g].
    + assert (n = 0) by lia. subst n. cbn. split.
      * intros [low _]. destruct v as [|v]; [reflexivity|].
        destruct (low v) as (s & fits & _); lia.
      * intros ->. split; [lia|]. intros s fits. lia.
    + cbn [value]. split; intros [low no]; split.
      * intros u less. destruct (low u less) as (s & fits & isin & val).
        exists s. repeat split; try tauto. apply (IH g); [lia | lia | assumption].
      * intros s fits isin val. apply (no s fits isin). apply (IH g); [lia | lia | assumption].
      * intros u less. destruct (low u less) as (s & fits & isin & val).
        exists s. repeat split; try tauto. apply (IH g); [lia | lia | assumption].
      * intros s fits isin val. apply (no s fits isin). apply (IH g); [lia | lia | assumption].
Qed.

(** ** Triangular numbers *)

Fixpoint T (k : nat) : nat := match k with 0 => 0 | S k => T k + S k end.

Lemma T_mono a b : a <= b -> T a <= T b.
Proof. induction 1; cbn; lia. Qed.

Lemma T_step a b : a < b -> T a + b <= T b.
Proof.
  intros less. destruct b as [|b]; [lia|]. cbn.
  pose proof (T_mono a b). lia.
Qed.

(** ** Upper bound: a value is at most the length of the longest play *)

Fixpoint sum (moves : list nat) : nat :=
  match moves with [] => 0 | x :: more => x + sum more end.

Lemma sum_app a b : sum (a ++ b) = sum a + sum b.
Proof. induction a; cbn; lia. Qed.

(** A position of value v has a play of v moves. *)
Lemma play f : forall n S v, value f n S v ->
  exists moves, length moves = v /\ NoDup moves /\ Forall S moves /\ sum moves <= n.
Proof.
  induction f as [|f IH]; cbn; intros n S v.
  - intros ->. exists []. cbn. repeat split; auto using NoDup_nil with arith.
  - intros [low _]. destruct v as [|v].
    + exists []. cbn. repeat split; auto using NoDup_nil with arith.
    + destruct (low v) as (s & fits & isin & val); [lia|].
      destruct (IH _ _ _ val) as (moves & len & nodup & all & total).
      exists (s :: moves). cbn. repeat split.
      * lia.
      * constructor; [|assumption]. intros twice.
        rewrite Forall_forall in all. destruct (all s twice). congruence.
      * constructor; [assumption|]. eapply Forall_impl; [|exact all]. intros x [here _]. exact here.
      * lia.
Qed.

(** p different moves above j take at least T(j+p) - T(j) coins: the largest is at least j + p, and so on. *)
Lemma take_much p : forall j moves,
  length moves = p -> NoDup moves -> Forall (fun x => j < x) moves -> T (j + p) <= T j + sum moves.
Proof.
  induction p as [|p IH]; intros j moves len nodup above.
  - rewrite Nat.add_0_r. lia.
  - assert (large : Exists (fun x => j + p < x) moves).
    { destruct (Exists_dec (fun x => j + p < x) moves) as [yes | no]; [|assumption|].
      - intros x. destruct (lt_dec (j + p) x); [left | right]; assumption.
      - exfalso. rewrite <- Forall_Exists_neg in no.
        assert (few : length moves <= length (seq (S j) p)).
        { apply NoDup_incl_length; [assumption|]. intros x isin. apply in_seq.
          rewrite Forall_forall in no, above. specialize (no x isin). specialize (above x isin). lia. }
        rewrite seq_length in few. lia. }
    apply Exists_exists in large. destruct large as (x & isin & large).
    apply in_split in isin. destruct isin as (a & b & ->).
    apply NoDup_remove in nodup. destruct nodup as [nodup _].
    assert (rest : T (j + p) <= T j + sum (a ++ b)).
    { apply IH; [|assumption|].
      - rewrite app_length in *. cbn in len. lia.
      - apply Forall_app in above. destruct above as [abovea aboveb].
        apply Forall_app. split; [assumption|]. inversion aboveb; assumption. }
    rewrite sum_app in *. cbn [sum].
    rewrite <- plus_n_Sm. cbn [T]. lia.
Qed.

(** ** Families *)

(** [family n W]: n has a family that uses only moves of W. [l] is the level of n, [ch i] is the pile of level i
    that the family chooses, and [sub i] is the set of moves that the family of this pile uses. *)
Inductive family : nat -> (nat -> Prop) -> Prop :=
  family_intro (n : nat) (W : nat -> Prop) (l : nat) (ch : nat -> nat) (sub : nat -> nat -> Prop) :
    T l <= n < T (S l) ->
    (forall x, 1 <= x <= l -> W x) ->
    (forall i, i + 2 <= l -> T i <= ch i < T (S i)) ->
    (forall i, i + 2 <= l -> family (ch i) (sub i)) ->
    (forall i, i + 2 <= l -> W (n - ch i)) ->
    (forall i x, i + 2 <= l -> sub i x -> W x) ->
    (forall i, i + 2 <= l -> ~ sub i (n - ch i)) ->
    family n W.

Lemma level_unique n a b : T a <= n < T (S a) -> T b <= n < T (S b) -> a = b.
Proof.
  intros ina inb. destruct (Nat.lt_trichotomy a b) as [less | [same | more]]; [|assumption|].
  - pose proof (T_mono (S a) b). lia.
  - pose proof (T_mono (S b) a). lia.
Qed.

(** The theorem, for all members of a family, and all sets that contain the moves that the family uses. *)
Theorem families f : forall n W l j S,
  family n W -> T l <= n < T (Datatypes.S l) -> j <= l ->
  (forall s, s <= j -> ~ S s) ->
  (forall x, j < x <= n - T j -> W x -> S x) ->
  n - T j <= f ->
  value f (n - T j) S (l - j).
Proof.
  induction f as [|f IH]; intros n W l j S fam level jl low has enough.
  - cbn. pose proof (T_step j l). lia.
  - pose proof fam as again.
    destruct fam as [n W l' ch sub level' small chosen subs moves more apart].
    assert (l' = l) by eauto using level_unique. subst l'.
    cbn [value]. split.
    + intros v less. destruct (Nat.eq_dec (Datatypes.S v) (l - j)) as [last | deeper].
      * (* The value l - j - 1: the move j + 1 leads to the next member. *)
        pose proof (T_mono (Datatypes.S j) l) as fits. cbn [T] in fits.
        exists (j + 1). repeat split.
        -- lia.
        -- lia.
        -- apply has; [lia|]. apply small. lia.
        -- replace (n - T j - (j + 1)) with (n - T (Datatypes.S j)) by (cbn [T]; lia).
           replace v with (l - Datatypes.S j) by lia.
           apply IH with (W := W); [assumption | assumption | lia | | | cbn [T]; lia].
           ++ intros s below [isin other]. apply (low s); [lia | assumption].
           ++ intros x between isin. cbn [T] in between.
              split; [apply has; [lia | assumption] | lia].
      * (* A smaller value v: the move to the pile that the family chooses for i = j + v. *)
        set (i := j + v). assert (two : i + 2 <= l) by (unfold i; lia).
        specialize (chosen i two). specialize (apart i two).
        pose proof (T_mono j i) as under.
        pose proof (T_step (Datatypes.S i) l) as over.
        exists (n - ch i). repeat split.
        -- lia.
        -- unfold i in *. lia.
        -- apply has; [unfold i in *; lia|]. auto.
        -- replace (n - T j - (n - ch i)) with (ch i - T j) by (unfold i in *; lia).
           replace v with (i - j) by (unfold i; lia).
           apply IH with (W := sub i); [auto | assumption | unfold i; lia | | | unfold i in *; lia].
           ++ intros s below [isin other]. apply (low s below isin).
           ++ intros x between isin. split.
              ** apply has; [lia|]. eauto.
              ** intros same. apply apart. rewrite <- same. exact isin.
    + (* No option has the value l - j: that would be a play of l - j + 1 moves above j. *)
      intros s fits isin val.
      destruct (play _ _ _ _ val) as (list & len & nodup & all & total).
      rewrite Forall_forall in all.
      assert (T (j + Datatypes.S (l - j)) <= T j + sum (s :: list)).
      { apply take_much; [cbn; lia | |].
        - constructor; [|assumption]. intros twice. destruct (all s twice). congruence.
        - apply Forall_forall. intros x [<- | there].
          + destruct (le_lt_dec s j) as [below | above]; [destruct (low s below isin) | assumption].
          + destruct (all x there) as [inS _].
            destruct (le_lt_dec x j) as [below | above]; [destruct (low x below inS) | assumption]. }
      replace (j + Datatypes.S (l - j)) with (Datatypes.S l) in * by lia.
      pose proof (T_mono j l). cbn [sum] in *. lia.
Qed.

(** With j = 0 and all moves: if n has a family, the conjecture holds for n. *)
Corollary conjecture_34 n W l :
  family n W -> T l <= n < T (S l) -> value n n (fun x => 1 <= x <= n) l.
Proof.
  intros fam level.
  replace l with (l - 0) by lia. replace n with (n - T 0) at 2 by (cbn; lia).
  apply families with (W := W); cbn [T]; [assumption | assumption | lia | | | lia].
  - intros s below [one _]. lia.
  - intros x between _. lia.
Qed.

(** ** The gap lemma: one family for each pile, by a number x(d) for each move d

    [M i m]: m is in the set of piles of level i. [ch n i]: the pile that n chooses for i. The documents only
    state that such a pile exists; because all sets are finite, one can be chosen. *)

Section Gaps.
  Variables (x : nat -> nat) (M : nat -> nat -> Prop) (ch : nat -> nat -> nat).
  Hypothesis of_level : forall i m, M i m -> T i <= m < T (S i).
  Hypothesis chosen : forall l n i, M l n -> i + 2 <= l ->
    M i (ch n i) /\ i <= x (n - ch n i) < l.

  (** A set that contains all moves that the family of a chosen pile of level i uses. *)
  Definition uses (i d : nat) : Prop := d <= i \/ x d < i.

  (** The family of a pile of level i does not use the move from level l to this pile. *)
  Lemma jump l n i : T l <= n -> i + 2 <= l -> M i (ch n i) -> i <= x (n - ch n i) ->
    ~ uses i (n - ch n i).
  Proof.
    intros level two isin least [small | near]; [|lia].
    destruct (of_level _ _ isin). pose proof (T_step (S i) l). lia.
  Qed.

  Lemma chosen_family l : forall n, M l n -> family n (uses l).
  Proof.
    induction l as [l IH] using lt_wf_ind. intros n isin.
    assert (level := of_level _ _ isin).
    apply family_intro with (l := l) (ch := ch n) (sub := uses); [assumption | | | | | |].
    - intros d small. left. lia.
    - intros i two. apply of_level. apply (chosen l n i isin two).
    - intros i two. apply IH; [lia|]. apply (chosen l n i isin two).
    - intros i two. right. apply (chosen l n i isin two).
    - intros i d two [small | near]; [left | right]; lia.
    - intros i two. destruct (chosen l n i isin two) as [there between].
      apply (jump l); [apply level | assumption | assumption | apply between].
  Qed.

  Theorem gap_lemma n l : T l <= n < T (S l) ->
    (forall i, i + 2 <= l -> M i (ch n i) /\ i <= x (n - ch n i)) ->
    value n n (fun d => 1 <= d <= n) l.
  Proof.
    intros level root. apply conjecture_34 with (W := fun _ => True); [|assumption].
    apply family_intro with (l := l) (ch := ch n) (sub := uses); auto.
    - intros i two. apply of_level. apply (root i two).
    - intros i two. apply chosen_family. apply (root i two).
    - intros i two. destruct (root i two). apply (jump l); [apply level | | |]; assumption.
  Qed.
End Gaps.
