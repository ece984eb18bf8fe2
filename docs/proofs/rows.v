(** * Checkers of certificates of rows of all lengths, and the proof that they accept only proofs.

    A certificate of an automaton (docs/FORMAT.md) has the outputs and the transitions of its states. The checker
    [accepts_automaton] finds the tuples and looks whether the outputs obey the rules around each of them. The theorem
    [automaton_accepted] says that the output after each row is then its value, and that no automaton with fewer states
    has these outputs.

    The idea of the proofs: a game is a list of moves for each pile, and for each pair of ends. So a program can go
    through all moves, and compute what the inductions of file lengths.v assume. *)

Require Import Arith Lia List Bool.
Require Import lengths.
Import ListNotations.

(** ** Games as lists of moves *)

(** A pair (p, a') is a move of the player p; in impartial games both players have all moves. *)
Record game := {
  terminal : nat;
  outcomes : bool;
  single_moves : nat -> list (nat * nat);
  pair_moves : nat -> nat -> list (nat * (nat * nat))
}.

Definition single (g : game) (p a a' : nat) : Prop := In (p, a') (single_moves g a).
Definition pair (g : game) (p a b a' b' : nat) : Prop := In (p, (a', b')) (pair_moves g a b).
Definition rule (g : game) := if outcomes g then outcome (terminal g) else mex (terminal g).

(** [values g N G]: the function G gives each row of piles up to N its value, or its outcome. *)
Definition values (g : game) (N : nat) (G : list nat -> nat) : Prop :=
  forall row, is_row N row -> obeys (single g) (pair g) (rule g) G row.

Definition both {A : Type} (moves : list A) : list (nat * A) :=
  map (Datatypes.pair 0) moves ++ map (Datatypes.pair 1) moves.
Definition lower_one (a b : nat) : list (nat * nat) :=
  map (fun a' => (a', b)) (seq 0 a) ++ map (fun b' => (a, b')) (seq 0 b).

(** In the three End-Nim games, a move lowers an end pile. They differ in the moves of single piles. *)
Definition ends_game (t : nat) (o : bool) (of_single : nat -> list nat) : game := {|
  terminal := t; outcomes := o; single_moves a := both (of_single a); pair_moves a b := both (lower_one a b) |}.
Definition end_nim t o := ends_game t o (fun a => seq 0 a).
Definition misere_end_nim t o := ends_game t o (fun a => seq 1 (a - 1)).
Definition loop_end_nim t o := ends_game t o (fun _ => []).

(** In End-Wythoff, a move can also take the same number of coins from both ends. *)
Definition end_wythoff t o : game := {|
  terminal := t; outcomes := o; single_moves a := both (seq 0 a);
  pair_moves a b := both (lower_one a b ++ map (fun taken => (a - taken, b - taken)) (seq 1 (min a b))) |}.

(** In partizan End-Nim, Left (player 1) lowers the first pile, and Right (player 0) the last. *)
Definition partizan_end_nim t o : game := {|
  terminal := t; outcomes := o; single_moves a := both (seq 0 a);
  pair_moves a b := map (fun a' => (1, (a', b))) (seq 0 a) ++ map (fun b' => (0, (a, b'))) (seq 0 b) |}.

(** ** Values as numbers *)

Definition is_in (x : nat) (l : list nat) : bool := existsb (Nat.eqb x) l.

Lemma is_in_spec x l : is_in x l = true <-> In x l.
Proof.
  unfold is_in. rewrite existsb_exists. split; [intros (y & isin & same); apply Nat.eqb_eq in same; congruence|].
  intros isin. exists x. split; [assumption | apply Nat.eqb_refl].
Qed.

(** The least number from u on that is not in the list, if it is less than u + k. *)
Fixpoint least (k u : nat) (l : list nat) : nat :=
  match k with
  | 0 => u
  | S k => if is_in u l then least k (S u) l else u
  end.

(** The value of a row, from the values of its options with their players. *)
Definition compute (g : game) (options : list (nat * nat)) : nat :=
  match options with
  | [] => if outcomes g then 3 * terminal g else terminal g
  | _ =>
      if outcomes g
      then (if existsb (fun o => (fst o =? 0) && (snd o <? 2)) options then 1 else 0) +
           (if existsb (fun o => (fst o =? 1) && negb (Nat.odd (snd o))) options then 2 else 0)
      else least (length options) 0 (map snd options)
  end.

Lemma least_spec k : forall u l, (forall x, u <= x < least k u l -> In x l) /\
  u <= least k u l <= u + k /\ (In (least k u l) l -> least k u l = u + k).
Proof.
  induction k as [|k IH]; intros u l; cbn [least]; [repeat split; lia|].
  destruct (is_in u l) eqn:there.
  - apply is_in_spec in there. destruct (IH (S u) l) as (all & bound & last). repeat split; try lia.
    + intros x between. destruct (Nat.eq_dec x u) as [-> | other]; [assumption|]. apply all. lia.
    + intros isin. specialize (last isin). lia.
  - repeat split; try lia. intros isin. apply is_in_spec in isin. congruence.
Qed.

Lemma compute_right g options : rule g (fun p u => In (p, u) options) (compute g options).
Proof.
  destruct options as [|o options]; unfold compute, rule.
  { destruct (outcomes g); right; split; auto. }
  set (all := o :: options) in *.
  assert (some : exists p u, In (p, u) all) by (exists (fst o), (snd o); left; now destruct o).
  destruct (outcomes g).
  - left. split; [assumption|].
    set (first := existsb _ all). set (second := existsb (fun o => (fst o =? 1) && _) all).
    assert (isfirst : first = true <-> exists u, In (0, u) all /\ u < 2).
    { unfold first. rewrite existsb_exists. split.
      - intros ((p, u) & isin & is). apply andb_prop in is. cbn [fst snd] in is. rewrite Nat.eqb_eq in is.
        destruct is as (-> & less). apply Nat.ltb_lt in less. eauto.
      - intros (u & isin & less). exists (0, u). split; [assumption|]. now apply Nat.ltb_lt. }
    assert (issecond : second = true <-> exists u, In (1, u) all /\ Nat.odd u = false).
    { unfold second. rewrite existsb_exists. split.
      - intros ((p, u) & isin & is). apply andb_prop in is. cbn [fst snd] in is.
        rewrite Nat.eqb_eq, negb_true_iff in is. destruct is as (-> & even). eauto.
      - intros (u & isin & even). exists (1, u). split; [assumption|]. cbn [fst snd]. now rewrite even. }
    rewrite <- isfirst, <- issecond. destruct first, second; cbn; repeat split; intros; auto; lia || discriminate.
  - left. split; [assumption|]. destruct (least_spec (length all) 0 (map snd all)) as (below & bound & last).
    set (v := least (length all) 0 (map snd all)) in *. split.
    + intros p isin. apply (in_map snd) in isin. cbn [snd] in isin. specialize (last isin). cbn [plus] in last.
      assert (few : length (seq 0 (S v)) <= length (map snd all)).
      { apply NoDup_incl_length; [apply seq_NoDup|]. intros x inseq. apply in_seq in inseq.
        destruct (Nat.eq_dec x v) as [-> | other]; [assumption|]. apply below. lia. }
      rewrite seq_length, map_length in few. lia.
    + intros u less. specialize (below u ltac:(lia)). apply in_map_iff in below.
      destruct below as ((p, u') & <- & isin). eauto.
Qed.

Lemma rule_decides g : decides (rule g).
Proof. unfold rule. destruct (outcomes g); [apply outcome_decides | apply mex_decides]. Qed.

(** The value that the options determine is the computed one. *)
Lemma computed g (f : nat * nat -> Prop) options v :
  (forall p u, f (p, u) <-> In (p, u) options) -> rule g (fun p u => f (p, u)) v <-> v = compute g options.
Proof.
  intros same. assert (right : rule g (fun p u => f (p, u)) (compute g options)).
  { refine (proj1 (rule_decides g _ (fun p u => f (p, u)) _ _ (compute_right g options))).
    intros p u. symmetry. apply same. }
  split; [|now intros ->]. intros is.
  exact (proj2 (rule_decides g _ _ v (fun p u => conj (fun x => x) (fun x => x)) is) _ right).
Qed.

(** ** Moves lower the piles *)

Definition to (N : nat) : list nat := seq 0 (S N).
Definition from_1 (N : nat) : list nat := seq 1 N.

Lemma in_to N x : In x (to N) <-> x <= N.
Proof. unfold to. rewrite in_seq. lia. Qed.

Lemma in_from_1 N x : In x (from_1 N) <-> 1 <= x <= N.
Proof. unfold from_1. rewrite in_seq. lia. Qed.

Definition all_lower (g : game) (N : nat) : bool :=
  forallb (fun a => forallb (fun m : nat * nat => snd m <? a) (single_moves g a)) (to N) &&
  forallb (fun a => forallb (fun b => forallb
    (fun m : nat * (nat * nat) => let (a', b') := snd m in (a' + b' <? a + b) && (a' <=? N) && (b' <=? N))
    (pair_moves g a b)) (to N)) (to N).

Lemma all_lower_right g N : all_lower g N = true -> lowers N (single g) (pair g).
Proof.
  unfold all_lower. rewrite andb_true_iff, !forallb_forall. intros (ones & pairs). split.
  - intros p a a' le move. specialize (ones a (proj2 (in_to N a) le)). rewrite forallb_forall in ones.
    apply ones in move. now apply Nat.ltb_lt in move.
  - intros p a b a' b' lea leb move. specialize (pairs a (proj2 (in_to N a) lea)). rewrite forallb_forall in pairs.
    specialize (pairs b (proj2 (in_to N b) leb)). rewrite forallb_forall in pairs. apply pairs in move.
    cbn [snd] in move. rewrite !andb_true_iff, Nat.ltb_lt, !Nat.leb_le in move. tauto.
Qed.

(** ** Automata *)

(** For each state, its output and the next states after the piles 1, 2, ...; state 0 is the first. *)
Definition automaton := list (nat * list nat).
Definition output (m : automaton) (q : nat) : nat := fst (nth q m (0, [])).
Definition read (m : automaton) (q c : nat) : nat := nth (c - 1) (snd (nth q m (0, []))) 0.
Definition says (m : automaton) (row : list nat) : nat := output m (after nat (read m) 0 row).

(** A tuple is a list: the states after m, 1 m, ..., N m. *)
Definition first_tuple (m : automaton) (N : nat) : list nat := map (next nat (read m) 0) (to N).
Definition read_tuple (m : automaton) (t : list nat) (c : nat) : list nat := map (fun q => read m q c) t.
Definition same_list (a b : list nat) : bool := if list_eq_dec Nat.eq_dec a b then true else false.
Definition is_tuple (t : list nat) (known : list (list nat)) : bool := existsb (same_list t) known.

(** Finds the tuples that occur: reads on from the tuples [open], not more than [fuel] of them. *)
Fixpoint find_tuples (m : automaton) (N fuel : nat) (open known : list (list nat)) : list (list nat) :=
  match fuel, open with
  | S fuel, t :: open =>
      let further := filter (fun t => negb (is_tuple t known))
        (nodup (list_eq_dec Nat.eq_dec) (map (read_tuple m t) (from_1 N))) in
      find_tuples m N fuel (open ++ further) (known ++ further)
  | _, _ => known
  end.

(** The outputs obey the rules: at the empty row, at single piles, around each tuple. *)
Definition obeys_at_empty (g : game) (m : automaton) : bool := output m 0 =? compute g [].
Definition obeys_at_single (g : game) (m : automaton) (a : nat) : bool :=
  output m (next nat (read m) 0 a) =?
  compute g (map (fun o => (fst o, output m (next nat (read m) 0 (snd o)))) (single_moves g a)).
Definition around (m : automaton) (t : list nat) (a b : nat) : nat := output m (next nat (read m) (nth a t 0) b).
Definition obeys_at_pair (g : game) (m : automaton) (t : list nat) (a b : nat) : bool :=
  around m t a b =? compute g (map (fun o => (fst o, around m t (fst (snd o)) (snd (snd o)))) (pair_moves g a b)).

Definition all_obey (g : game) (m : automaton) (N : nat) (tuples : list (list nat)) : bool :=
  is_tuple (first_tuple m N) tuples && obeys_at_empty g m && forallb (obeys_at_single g m) (from_1 N) &&
  forallb (fun t => forallb (fun c => is_tuple (read_tuple m t c) tuples) (from_1 N) &&
    forallb (fun a => forallb (obeys_at_pair g m t a) (from_1 N)) (from_1 N)) tuples.

Lemma is_tuple_spec t known : is_tuple t known = true <-> In t known.
Proof.
  unfold is_tuple. rewrite existsb_exists. split.
  - intros (t' & isin & same). unfold same_list in same.
    destruct (list_eq_dec Nat.eq_dec t t'); [congruence | discriminate].
  - intros isin. exists t. split; [assumption|]. unfold same_list. destruct (list_eq_dec Nat.eq_dec t t); congruence.
Qed.

(** Place x of a list of a number for each pile up to N. *)
Lemma nth_to (f : nat -> nat) N x : x <= N -> nth x (map f (to N)) 0 = f x.
Proof.
  intros le. rewrite (nth_indep _ 0 (f 0)) by (unfold to; rewrite map_length, seq_length; lia).
  rewrite map_nth. unfold to. rewrite seq_nth by lia. reflexivity.
Qed.

Lemma in_options {A : Type} (value : A -> nat) (moves : list (nat * A)) p u :
  In (p, u) (map (fun o => (fst o, value (snd o))) moves) <-> exists o, In (p, o) moves /\ value o = u.
Proof.
  rewrite in_map_iff. split.
  - intros ((p', o) & is & isin). cbn in is. injection is as <- <-. eauto.
  - intros (o & isin & <-). exists (p, o). auto.
Qed.

Theorem automaton_right g m N tuples : all_lower g N = true -> all_obey g m N tuples = true ->
  forall G, values g N G -> forall row, is_row N row -> G row = says m row.
Proof.
  intros low. unfold all_obey. rewrite !andb_true_iff, !forallb_forall.
  intros (((first & empty) & ones) & around_all) G obeyG.
  apply (automaton_says N (single g) (pair g) (rule g) (all_lower_right g N low) (rule_decides g)
    nat (read m) 0 (output m)
    (fun s => exists t, In t tuples /\ (forall x, x <= N -> s x = nth x t 0) /\ length t = S N)); [| | | | |assumption].
  - exists (next nat (read m) 0). split; [|auto]. exists (first_tuple m N). split; [now apply is_tuple_spec|].
    unfold first_tuple. split; [intros x le; now rewrite nth_to | unfold to; now rewrite map_length, seq_length].
  - intros s c (t & isin & is & len) between. exists (fun x => nth x (read_tuple m t c) 0). split.
    + exists (read_tuple m t c). split; [|split; [auto | unfold read_tuple; now rewrite map_length]].
      specialize (around_all t isin). rewrite andb_true_iff, !forallb_forall in around_all.
      apply is_tuple_spec. apply around_all. now apply in_from_1.
    + intros x le. unfold read_tuple. rewrite is by assumption.
      rewrite (nth_indep _ 0 (read m 0 c)) by (rewrite map_length; lia). apply (map_nth (fun q => read m q c)).
  - apply Nat.eqb_eq in empty. apply (computed g (fun _ => False) [] (output m 0)); [|assumption]. cbn. tauto.
  - intros a between. specialize (ones a (proj2 (in_from_1 N a) between)). apply Nat.eqb_eq in ones.
    refine (proj2 (computed g
      (fun o => exists a', single g (fst o) a a' /\ output m (next nat (read m) 0 a') = snd o) _ _ _) ones).
    intros p u. now rewrite (in_options (fun a' => output m (next nat (read m) 0 a'))).
  - intros s a b (t & isin & is & len) ina inb. specialize (around_all t isin).
    rewrite andb_true_iff, !forallb_forall in around_all. destruct around_all as (_ & pairs).
    specialize (pairs a (proj2 (in_from_1 N a) ina)). rewrite forallb_forall in pairs.
    specialize (pairs b (proj2 (in_from_1 N b) inb)). apply Nat.eqb_eq in pairs. unfold around in pairs at 1.
    rewrite <- is in pairs by lia.
    refine (proj2 (computed g (fun o => exists a' b',
      pair g (fst o) a b a' b' /\ output m (next nat (read m) (s a') b') = snd o) _ _ _) pairs).
    intros p u. rewrite (in_options (fun o => around m t (fst o) (snd o))). cbn [fst snd].
    destruct (all_lower_right g N low) as (_ & lowp). split.
    + intros (a' & b' & move & out). exists (a', b'). split; [assumption|]. cbn [fst snd].
      destruct (lowp p a b a' b') as (_ & lea & _); [lia | lia | assumption|]. unfold around. now rewrite <- is.
    + intros ((a', b') & move & out). exists a', b'. split; [assumption|]. cbn [fst snd] in out.
      destruct (lowp p a b a' b') as (_ & lea & _); [lia | lia | assumption|].
      unfold around in out. now rewrite <- is in out.
Qed.

(** *** No automaton with fewer states has these outputs *)

(** Words that lead to the states; all states, if the automaton is the least and [rounds] is their number. *)
Fixpoint find_words (m : automaton) (N rounds : nat) (known : list (nat * list nat)) : list (nat * list nat) :=
  match rounds with
  | 0 => known
  | S rounds =>
      let further := flat_map (fun k => map (fun c => (read m (fst k) c, snd k ++ [c])) (from_1 N)) known in
      find_words m N rounds (fold_left (fun known k => if is_in (fst k) (map fst known) then known else known ++ [k])
        further known)
  end.

Definition word (known : list (nat * list nat)) (q : nat) : list nat :=
  match find (fun k => fst k =? q) known with Some k => snd k | None => [] end.

Definition leads (m : automaton) (N : nat) (w : list nat) (q : nat) : bool :=
  (after nat (read m) 0 w =? q) && forallb (fun c => (1 <=? c) && (c <=? N)) w.

(** States are in different classes only if some row of further piles distinguishes them. *)
Fixpoint position (s : list nat) (all : list (list nat)) : nat :=
  match all with
  | [] => 0
  | s' :: all => if same_list s s' then 0 else S (position s all)
  end.
Definition view (m : automaton) (N : nat) (class : list nat) (q : nat) : list nat :=
  output m q :: map (fun c => nth (read m q c) class 0) (from_1 N).
Definition refine (m : automaton) (N : nat) (class : list nat) : list nat :=
  let views := map (view m N class) (seq 0 (length m)) in map (fun s => position s views) views.

Definition is_least (m : automaton) (N : nat) : bool :=
  let known := find_words m N (length m) [(0, [])] in
  forallb (fun q => leads m N (word known q) q) (seq 0 (length m)) &&
  forallb (fun state => forallb (fun q => q <? length m) (snd state)) m &&
  same_list (Nat.iter (length m) (refine m N) (repeat 0 (length m))) (seq 0 (length m)).

(** Some row of further piles distinguishes the states. *)
Definition differ (m : automaton) (N : nat) (q q' : nat) : Prop :=
  exists z, is_row N z /\ output m (after nat (read m) q z) <> output m (after nat (read m) q' z).

Definition apart (m : automaton) (N : nat) (class : list nat) : Prop :=
  forall q q', q < length m -> q' < length m -> nth q class 0 <> nth q' class 0 -> differ m N q q'.

Lemma refine_apart m N class : (forall q c, read m q c < length m) -> apart m N class -> apart m N (refine m N class).
Proof.
  intros inside before q q' less less' other. unfold refine in other.
  set (views := map (view m N class) (seq 0 (length m))) in *.
  assert (at_q : forall p, p < length m ->
    nth p (map (fun s => position s views) views) 0 = position (view m N class p) views).
  { intros p lessp. rewrite (nth_indep _ 0 (position [] views)) by (unfold views; now rewrite !map_length, seq_length).
    rewrite (map_nth (fun s => position s views)). f_equal. unfold views.
    rewrite (nth_indep _ [] (view m N class 0)) by now rewrite map_length, seq_length.
    rewrite (map_nth (view m N class)), seq_nth by assumption. reflexivity. }
  rewrite !at_q in other by assumption.
  assert (unlike : view m N class q <> view m N class q') by congruence.
  destruct (Nat.eq_dec (output m q) (output m q')) as [same | out];
    [|exists []; split; [apply Forall_nil | assumption]].
  destruct (Exists_dec (fun c => nth (read m q c) class 0 <> nth (read m q' c) class 0) (from_1 N)) as [yes | no].
  - intros c. destruct (Nat.eq_dec (nth (read m q c) class 0) (nth (read m q' c) class 0)); [right | left]; auto.
  - apply Exists_exists in yes. destruct yes as (c & inc & unlike_c).
    destruct (before _ _ (inside q c) (inside q' c) unlike_c) as (z & isz & out).
    exists (c :: z). split; [constructor; [now apply in_from_1 | assumption] | exact out].
  - exfalso. apply unlike. unfold view. rewrite same. f_equal. apply map_ext_in. intros c inc.
    rewrite <- Forall_Exists_neg, Forall_forall in no. specialize (no c inc).
    destruct (Nat.eq_dec (nth (read m q c) class 0) (nth (read m q' c) class 0)); [assumption | contradiction].
Qed.

Lemma nodup_map {A B : Type} (f : A -> B) l :
  (forall x y, In x l -> In y l -> f x = f y -> x = y) -> NoDup l -> NoDup (map f l).
Proof.
  induction l as [|x l IH]; intros inj nodup; [constructor|]. inversion nodup as [|? ? out rest]; subst.
  cbn [map]. constructor.
  - intros isin. apply in_map_iff in isin. destruct isin as (y & same & isin). apply out.
    rewrite (inj x y); [assumption | now left | now right | now symmetry].
  - apply IH; [|assumption]. intros y z isy isz. apply inj; now right.
Qed.

Theorem least_right m N : is_least m N = true ->
  forall (Q : Type) (all : list Q) (step : Q -> nat -> Q) (start : Q) (out : Q -> nat),
  (forall q, In q all) -> (forall row, is_row N row -> out (after Q step start row) = says m row) ->
  length m <= length all.
Proof.
  unfold is_least. set (known := find_words _ _ _ _). rewrite !andb_true_iff, !forallb_forall.
  intros ((words & ends) & classes) Q all step start out finite same.
  assert (known_word : forall q, q < length m ->
    after nat (read m) 0 (word known q) = q /\ is_row N (word known q)).
  { intros q less. specialize (words q ltac:(apply in_seq; lia)). unfold leads in words.
    rewrite andb_true_iff, Nat.eqb_eq, forallb_forall in words. destruct words as (is & piles). split; [assumption|].
    apply Forall_forall. intros c isin. specialize (piles c isin). now rewrite andb_true_iff, !Nat.leb_le in piles. }
  assert (differs : forall q q', q < length m -> q' < length m -> q <> q' -> differ m N q q').
  { intros q q' less less' other.
    assert (inside : forall q c, read m q c < length m).
    { intros p c. unfold read. destruct (nth_in_or_default (c - 1) (snd (nth p m (0, []))) 0) as [isin | ->]; [|lia].
      destruct (nth_in_or_default p m (0, [])) as [state | none]; [|rewrite none in isin; destruct isin].
      specialize (ends _ state). rewrite forallb_forall in ends. now apply Nat.ltb_lt, ends. }
    assert (rounds : forall k, apart m N (Nat.iter k (refine m N) (repeat 0 (length m)))).
    { induction k as [|k IH]; [|now apply refine_apart]. intros p p' _ _ unlike. exfalso. apply unlike.
      cbn [Nat.iter nat_rect]. now rewrite !nth_repeat. }
    apply (rounds (length m)); [assumption | assumption|]. unfold same_list in classes.
    destruct (list_eq_dec Nat.eq_dec _ _) as [-> | no]; [|discriminate]. rewrite !seq_nth by assumption. lia. }
  pose (image q := after Q step start (word known q)).
  assert (nodup : NoDup (map image (seq 0 (length m)))).
  { apply nodup_map; [|apply seq_NoDup]. intros q q' isin isin' equal.
    apply in_seq in isin, isin'. destruct (Nat.eq_dec q q') as [|other]; [assumption|]. exfalso.
    destruct (differs q q' ltac:(lia) ltac:(lia) other) as (z & isz & unlike). apply unlike.
    destruct (known_word q ltac:(lia)) as (to_q & row). destruct (known_word q' ltac:(lia)) as (to_q' & row').
    assert (is : forall p, after nat (read m) 0 (word known p) = p -> is_row N (word known p) ->
      output m (after nat (read m) p z) = out (after Q step (image p) z)).
    { intros p to_p rowp. unfold image, after. rewrite <- fold_left_app. fold (after Q step start (word known p ++ z)).
      rewrite same by (apply row_app; auto).
      unfold says, after. rewrite fold_left_app. unfold after in to_p. now rewrite to_p. }
    rewrite (is q), (is q'), equal by assumption. reflexivity. }
  pose proof (NoDup_incl_length nodup (fun x _ => finite x)) as le. rewrite map_length, seq_length in le. exact le.
Qed.

(** The number of tuples is a bound on the search for them. *)
Definition accepts_automaton (g : game) (N : nat) (m : automaton) (tuples : nat) : bool :=
  let found := find_tuples m N (S tuples) [first_tuple m N] [first_tuple m N] in
  all_lower g N && all_obey g m N found && is_least m N && (length found =? tuples).

Theorem automaton_accepted g N m tuples : accepts_automaton g N m tuples = true ->
  (forall G, values g N G -> forall row, is_row N row -> G row = says m row) /\
  (forall (Q : Type) (all : list Q) (step : Q -> nat -> Q) (start : Q) (out : Q -> nat),
    (forall q, In q all) -> (forall row, is_row N row -> out (after Q step start row) = says m row) ->
    length m <= length all).
Proof.
  unfold accepts_automaton. rewrite !andb_true_iff. intros (((low & obey) & least) & _). split.
  - exact (automaton_right g m N _ low obey).
  - exact (least_right m N least).
Qed.
