(** * Small boxes: if a law of types is right for small piles, it is right for piles of all sizes.

    This file proves the theorem on small boxes of docs/PROOFS.md, section 11. The file statements.v lists the results.
    Coq 8.16 has checked the proofs; `make proofs` checks them again.

    The idea. The (C, m)-type of a tuple says how its numbers compare, how far they are from each other and from 0,
    counted up to C, and their residues modulo m. If two neighbouring numbers are at least C + m apart, all numbers
    from the larger one on can be lowered by m, and the type stays the same. So each tuple has the type of a tuple
    in a small box. A wrong claim "p and its option have the value u" shrinks into the box together with its move.
    A claim "p has an option of value u" is true in the box. It is carried back: where a gap of the position was
    shortened, the numbers of the move cut the short gap into parts, one of which is at least C, and that part is
    lengthened. *)

Require Import Arith Lia List Wf_nat.
Require lengths.
Import ListNotations.

(** ** Types *)

(** Number i of a tuple; 0 has the place 0. *)
Definition number (z : list nat) (i : nat) : nat := nth i (0 :: z) 0.

(** Two tuples have the same (C, m)-type: equal lengths, equal differences up to C, and equal residues. (A
    difference of natural numbers is 0 if it would be negative, so equal differences say which number is larger.) *)
Definition same_type (C m : nat) (z z' : list nat) : Prop :=
  length z = length z' /\
  (forall i j, min C (number z i - number z j) = min C (number z' i - number z' j)) /\
  (forall i, number z i mod m = number z' i mod m).

(** A union of types. *)
Definition by_type (C m : nat) (S : list nat -> Prop) : Prop :=
  forall z z', same_type C m z z' -> S z -> S z'.

Definition within (B : nat) (z : list nat) : Prop := Forall (fun x => x <= B) z.

Lemma same_refl C m z : same_type C m z z.
Proof. repeat split. Qed.

Lemma same_sym C m z z' : same_type C m z z' -> same_type C m z' z.
Proof. intros (len & dif & res). repeat split; auto. Qed.

Lemma same_trans C m x y z : same_type C m x y -> same_type C m y z -> same_type C m x z.
Proof.
  intros (len & dif & res) (len' & dif' & res'). repeat split; [congruence | |]; intros.
  - rewrite dif. apply dif'.
  - rewrite res. apply res'.
Qed.

(** The type for a larger cap decides the type for a smaller one. *)
Lemma same_smaller C K m z z' : C <= K -> same_type K m z z' -> same_type C m z z'.
Proof. intros le (len & dif & res). repeat split; auto. intros i j. specialize (dif i j). lia. Qed.

(** The type of a tuple decides the type of each choice of its numbers, in any order. *)
Lemma same_chosen C m places z z' :
  same_type C m z z' -> same_type C m (map (number z) places) (map (number z') places).
Proof.
  intros (len & dif & res).
  assert (is : forall y i, number (map (number y) places) i = number y (nth i (0 :: places) 0)).
  { intros y i. unfold number at 1. destruct i as [|i]; cbn [nth]; [reflexivity|].
    change 0 with (number y 0) at 1. apply map_nth. }
  repeat split; intros; rewrite ?map_length, ?is; auto.
Qed.

(** The types of the tuples (p, x) decide the types of p. *)
Lemma same_first C m p x p' x' :
  length p = length p' -> same_type C m (p ++ x) (p' ++ x') -> same_type C m p p'.
Proof.
  intros len same.
  assert (is : forall q y, q = map (number (q ++ y)) (seq 1 (length q))).
  { intros q y. apply nth_ext with (d := 0) (d' := number (q ++ y) 0); [now rewrite map_length, seq_length|].
    intros i less. rewrite map_nth, seq_nth by assumption. cbn. now rewrite app_nth1. }
  rewrite (is p x), (is p' x'), len. now apply same_chosen.
Qed.

(** ** Lengthening a gap *)

(** Adds m to all numbers from b on. *)
Definition up (b m x : nat) : nat := if b <=? x then x + m else x.

(** The number b is at least K, and at least K more than each smaller number of the tuple. *)
Definition gap (K b : nat) (z : list nat) : Prop := K <= b /\ forall x, In x z -> x < b -> x + K <= b.

Lemma up_same C m b z : 1 <= C -> 1 <= m -> gap C b z -> same_type C m (map (up b m) z) z.
Proof.
  intros C1 m1 (large & far).
  assert (zero : up b m 0 = 0) by (unfold up; destruct (Nat.leb_spec b 0); lia).
  assert (is : forall i, number (map (up b m) z) i = up b m (number z i)).
  { intros [|i]; [symmetry; exact zero|]. unfold number. cbn [nth].
    rewrite <- (map_nth (up b m) z 0 i), zero. reflexivity. }
  assert (apart : forall i, number z i < b -> number z i + C <= b).
  { intros i. destruct (nth_in_or_default i (0 :: z) 0) as [[is0 | isin] | is0]; fold (number z i) in *.
    - lia.
    - now apply far.
    - lia. }
  repeat split; intros; rewrite ?map_length, ?is; auto; unfold up.
  - pose proof (apart i). pose proof (apart j).
    destruct (Nat.leb_spec b (number z i)), (Nat.leb_spec b (number z j)); lia.
  - destruct (Nat.leb_spec b (number z i)); [|reflexivity].
    rewrite <- (Nat.mul_1_l m) at 1. apply Nat.mod_add. lia.
Qed.

(** [longer K m z z']: z' arises from z if gaps that are at least K are lengthened by m, again and again. *)
Inductive longer (K m : nat) (z : list nat) : list nat -> Prop :=
| as_it_is : longer K m z z
| by_one z' b : longer K m z z' -> gap K b z' -> longer K m z (map (up b m) z').

Lemma longer_same K m z z' : 1 <= K -> 1 <= m -> longer K m z z' -> same_type K m z' z.
Proof.
  intros K1 m1. induction 1 as [|z' b _ IH isgap]; [apply same_refl|].
  eapply same_trans; [|exact IH]. now apply up_same.
Qed.

Lemma longer_length K m z z' : longer K m z z' -> length z' = length z.
Proof. induction 1; [reflexivity|]. now rewrite map_length. Qed.

(** ** Shrinking into a box *)

(** If no number is more than D above the next smaller number or 0, then n numbers are at most n D. *)
Lemma no_gaps D z : (forall b, In b z -> ~ gap (S D) b z) -> within (length z * D) z.
Proof.
  intros none. pose (below b := filter (fun x => x <=? b) z).
  assert (small : forall b, In b z -> b <= length (below b) * D).
  { induction b as [b IH] using lt_wf_ind. intros isin.
    assert (before : b <= D \/ exists x, In x z /\ x < b /\ b <= x + D).
    { destruct (le_lt_dec b D) as [le | large]; [now left | right].
      destruct (Exists_dec (fun x => x < b /\ b <= x + D) z) as [yes | no].
      - intros x. destruct (lt_dec x b), (le_dec b (x + D)); [left | right | right | right]; lia.
      - apply Exists_exists in yes. destruct yes as (x & ? & ? & ?). eauto.
      - exfalso. apply (none b isin). split; [lia|]. intros x isx less.
        rewrite <- Forall_Exists_neg, Forall_forall in no. specialize (no x isx). lia. }
    assert (self : In b (below b)) by (apply filter_In; split; [assumption | apply Nat.leb_refl]).
    destruct before as [le | (x & isx & less & near)].
    - destruct (below b); [destruct self | cbn; lia].
    - specialize (IH x less isx).
      assert (fewer : length (below x) + 1 <= length (below b)).
      { assert (split : forall l, In b l ->
          length (filter (fun y => y <=? x) l) + 1 <= length (filter (fun y => y <=? b) l) /\ True).
        { assert (weak : forall l, length (filter (fun y => y <=? x) l) <= length (filter (fun y => y <=? b) l)).
          { induction l as [|y l IHl]; cbn; [lia|].
            destruct (Nat.leb_spec y x), (Nat.leb_spec y b); cbn; lia. }
          induction l as [|y l IHl]; [intros []|]. intros [-> | there].
          - specialize (weak l). cbn. destruct (Nat.leb_spec b x), (Nat.leb_spec b b); cbn; lia.
          - specialize (IHl there). cbn. destruct (Nat.leb_spec y x), (Nat.leb_spec y b); cbn; lia. }
        apply (split z isin). }
      nia. }
  apply Forall_forall. intros b isin. specialize (small b isin).
  assert (most : length (below b) <= length z).
  { unfold below. clear. induction z as [|y z IH]; cbn; [lia|]. destruct (y <=? b); cbn; lia. }
  nia.
Qed.

(** Each tuple of n numbers arises from a tuple of numbers up to n (K + m - 1). *)
Lemma shrink K m z : 1 <= K -> 1 <= m ->
  exists z', longer K m z' z /\ within (length z * (K + m - 1)) z'.
Proof.
  intros K1 m1. remember (list_sum z) as total. revert z Heqtotal.
  induction total as [total IH] using lt_wf_ind. intros z Heqtotal. subst total.
  assert (dec : forall b, {gap (K + m) b z} + {~ gap (K + m) b z}).
  { intros b. unfold gap. destruct (le_dec (K + m) b) as [le | no]; [|right; tauto].
    destruct (Forall_dec (fun x => x < b -> x + (K + m) <= b)) with (l := z) as [all | not].
    - intros x. destruct (lt_dec x b), (le_dec (x + (K + m)) b); [left | right | left | left]; lia.
    - left. split; [assumption|]. exact (proj1 (Forall_forall _ _) all).
    - right. intros (_ & all). apply not, Forall_forall, all. }
  destruct (Exists_dec _ z dec) as [yes | no].
  - apply Exists_exists in yes. destruct yes as (q & isin & large & far).
    pose (down x := if q <=? x then x - m else x).
    assert (back : z = map (up (q - m) m) (map down z)).
    { rewrite map_map. rewrite <- (map_id z) at 1. apply map_ext_in. intros x isx.
      specialize (far x isx). unfold up, down.
      destruct (Nat.leb_spec q x); [destruct (Nat.leb_spec (q - m) (x - m)) | destruct (Nat.leb_spec (q - m) x)]; lia. }
    assert (less : list_sum (map down z) < list_sum z).
    { assert (le : forall l, list_sum (map down l) <= list_sum l).
      { induction l as [|x l IHl]; cbn [map list_sum fold_right]; [lia|].
        change (down x + list_sum (map down l) <= x + list_sum l). unfold down at 1. destruct (q <=? x); lia. }
      clear - isin le large m1 K1. induction z as [|x z IHz]; [destruct isin|]. cbn [map].
      change (down x + list_sum (map down z) < x + list_sum z). specialize (le z).
      destruct isin as [-> | there].
      - unfold down at 1. rewrite Nat.leb_refl. lia.
      - specialize (IHz there). unfold down at 1. destruct (q <=? x); lia. }
    destruct (IH _ less _ eq_refl) as (z' & arises & small). exists z'. split.
    + rewrite back. apply by_one; [assumption|]. split; [lia|].
      intros y isy below. apply in_map_iff in isy. destruct isy as (x & <- & isx). specialize (far x isx).
      revert below. unfold down. destruct (Nat.leb_spec q x); lia.
    + now rewrite map_length in small.
  - exists z. split; [constructor|]. apply no_gaps. intros b isin isgap. apply no.
    apply Exists_exists. exists b. split; [assumption|]. replace (K + m) with (S (K + m - 1)) by lia. assumption.
Qed.

(** ** Carrying a move back *)

(** Numbers x below b: at most (C - 1) below b for each of them, there is a gap of C. *)
Lemma a_part n : forall C b x, 1 <= C -> length (filter (fun y => y <? b) x) <= n ->
  exists b', b' <= b <= b' + n * (C - 1) /\ forall y, In y x -> y < b' -> y + C <= b'.
Proof.
  induction n as [|n IH]; intros C b x C1 few.
  all: destruct (Exists_dec (fun y => y < b /\ b < y + C) x) as [yes | no];
    [intros y; destruct (lt_dec y b), (lt_dec b (y + C)); [left | right | right | right]; lia | |
     exists b; split; [nia|]; intros y isy less;
     rewrite <- Forall_Exists_neg, Forall_forall in no; specialize (no y isy); lia].
  all: apply Exists_exists in yes; destruct yes as (y & isy & less & near).
  - assert (here : In y (filter (fun y => y <? b) x)) by (apply filter_In; split; [assumption | now apply Nat.ltb_lt]).
    destruct (filter _ x); [destruct here | cbn in few; lia].
  - destruct (IH C y x C1) as (b' & between & apart); [|exists b'; split; [rewrite Nat.mul_succ_l; lia | assumption]].
    enough (length (filter (fun z => z <? y) x) < length (filter (fun z => z <? b) x)) by lia.
    clear - isy less.
    assert (weak : forall l, length (filter (fun z => z <? y) l) <= length (filter (fun z => z <? b) l)).
    { induction l as [|z l IHl]; cbn [filter length]; [lia|].
      destruct (Nat.ltb_spec z y), (Nat.ltb_spec z b); cbn [length]; lia. }
    induction x as [|z x IHx]; [destruct isy|]. destruct isy as [-> | there].
    + specialize (weak x). cbn [filter]. destruct (Nat.ltb_spec y y), (Nat.ltb_spec y b); cbn [length]; lia.
    + specialize (IHx there). cbn [filter]. destruct (Nat.ltb_spec z y), (Nat.ltb_spec z b); cbn [length]; lia.
Qed.

(** Numbers x beside the short tuple p' have a counterpart beside the long tuple p. *)
Lemma carried_back C m r p' p : 1 <= C -> 1 <= m -> longer ((r + 1) * (C - 1) + 1) m p' p ->
  forall x', length x' <= r -> exists x, same_type C m (p ++ x) (p' ++ x').
Proof.
  intros C1 m1 long x' few.
  enough (exists x, length x = length x' /\ same_type C m (p ++ x) (p' ++ x')) as (x & _ & same) by eauto.
  induction long as [|p b _ IH (large & far)]; [exists x'; split; [reflexivity | apply same_refl]|].
  destruct IH as (x & len & same).
  destruct (a_part (length x) C b x C1) as (b' & between & apart).
  { clear. induction x as [|y x IH]; cbn [filter length]; [lia|]. destruct (y <? b); cbn [length]; lia. }
  assert (near : b <= b' + r * (C - 1)) by nia.
  exists (map (up b' m) x). split; [now rewrite map_length|].
  replace (map (up b m) p) with (map (up b' m) p).
  - rewrite <- map_app. eapply same_trans; [|exact same]. apply up_same; [assumption | assumption|].
    split; [nia|]. intros y isy less. apply in_app_iff in isy. destruct isy as [isp | isx]; [|now apply apart].
    destruct (lt_dec y b) as [below | above]; [specialize (far y isp below); nia | lia].
  - apply map_ext_in. intros y isy. specialize (far y isy). unfold up.
    destruct (Nat.leb_spec b' y), (Nat.leb_spec b y); nia.
Qed.

(** ** Games *)

(** A move from the position p has a form f and consists of numbers x. *)
Record game := {
  position : list nat -> Prop;
  form : Type;
  legal : form -> list nat -> list nat -> Prop;
  result : form -> list nat -> list nat -> list nat
}.

Definition option (g : game) (p o : list nat) : Prop := exists f x, legal g f p x /\ o = result g f p x.

(** The games of the theorem: positions have at most k numbers, and moves at most r. The (C, m)-type of a tuple decides
    whether it is a position. The type of (p, x) decides whether the move x is legal in p, and the type of the
    new position. A new number is at most the largest old one. Play ends. *)
Record of_types (C m k r : nat) (g : game) : Prop := {
  positions : by_type C m (position g);
  at_most_k p : position g p -> length p <= k;
  at_most_r f p x : legal g f p x -> length x <= r;
  legal_by_type f p x p' x' : length p = length p' -> same_type C m (p ++ x) (p' ++ x') ->
    legal g f p x -> legal g f p' x';
  result_by_type f p x p' x' : length p = length p' -> same_type C m (p ++ x) (p' ++ x') ->
    legal g f p x -> same_type C m (result g f p x) (result g f p' x');
  stays p o : position g p -> option g p o -> position g o;
  no_larger p o y : position g p -> option g p o -> In y o -> exists z, In z p /\ y <= z;
  ends : well_founded (fun o p => position g p /\ option g p o)
}.

(** [G] gives each position its value: the mex of the values of its options, or t if there are none. *)
Definition values (t : nat) (g : game) (G : list nat -> nat) : Prop :=
  forall p, position g p -> lengths.mex t (fun _ u => exists o, option g p o /\ G o = u) (G p).

Definition box (C m k r : nat) : nat := max ((k + r) * (C + m - 1)) (k * ((r + 1) * (C - 1) + m)).

Section Laws.

Variables (C m k r : nat) (g : game) (t : nat) (G : list nat -> nat).
Variables (v : nat) (S : nat -> list nat -> Prop).
Hypothesis C1 : 1 <= C.
Hypothesis m1 : 1 <= m.
Hypothesis types : of_types C m k r g.
Hypothesis says : values t g G.
Hypothesis unions : forall u, u <= v -> by_type C m (S u).
Let B := box C m k r.
Hypothesis checked : forall p u, position g p -> within B p -> u <= v -> (S u p <-> G p = u).

(** The value is a mex, not the value t of a position without options. *)
Definition ordinary (p : list nat) : Prop :=
  (forall o, option g p o -> G o <> G p) /\ (forall u, u < G p -> exists o, option g p o /\ G o = u).

(** A position with an option has the type of one in the box, with an option of the type of that option. *)
Lemma move_in_box p o : position g p -> option g p o ->
  exists p' o', position g p' /\ within B p' /\ same_type C m p p' /\ option g p' o' /\ same_type C m o o'.
Proof.
  intros isp (f & x & islegal & ->).
  destruct (shrink C m (p ++ x) C1 m1) as (z & long & small).
  pose proof (longer_length _ _ _ _ long) as len.
  apply longer_same in long; [|assumption|assumption].
  pose (p' := firstn (length p) z). pose (x' := skipn (length p) z).
  assert (is : z = p' ++ x') by (symmetry; apply firstn_skipn).
  assert (lenp : length p = length p').
  { unfold p'. rewrite firstn_length, <- len, app_length. lia. }
  rewrite is in long.
  pose proof (same_first _ _ _ _ _ _ lenp long) as same.
  exists p', (result g f p' x'). repeat split.
  - now apply (positions _ _ _ _ _ types p).
  - apply Forall_forall. intros y isy. unfold within in small. rewrite Forall_forall in small.
    assert (y <= length (p ++ x) * (C + m - 1)) by (apply small; rewrite is; apply in_app_iff; now left).
    rewrite app_length in H. pose proof (at_most_k _ _ _ _ _ types p isp).
    pose proof (at_most_r _ _ _ _ _ types f p x islegal). unfold B, box. nia.
  - apply same.
  - apply same.
  - apply same.
  - exists f, x'. split; [|reflexivity]. now apply (legal_by_type _ _ _ _ _ types f p x).
  - apply (result_by_type _ _ _ _ _ types); assumption.
  - apply (result_by_type _ _ _ _ _ types); assumption.
  - apply (result_by_type _ _ _ _ _ types); assumption.
Qed.

(** Each position p has the type of a position p' in the box, whose options have counterparts among those of p. *)
Lemma options_from_box p : position g p ->
  exists p', position g p' /\ within B p' /\ same_type C m p p' /\
    forall o', option g p' o' -> exists o, option g p o /\ same_type C m o o'.
Proof.
  intros isp. pose (K := (r + 1) * (C - 1) + 1).
  destruct (shrink K m p) as (p' & long & small); [unfold K; nia | assumption|].
  pose proof (longer_length _ _ _ _ long) as len.
  assert (same : same_type C m p p').
  { apply (same_smaller C K); [unfold K; nia|]. apply longer_same; [unfold K; nia | assumption | assumption]. }
  exists p'. split; [now apply (positions _ _ _ _ _ types p)|]. split; [|split; [assumption|]].
  - apply Forall_forall. intros y isy. unfold within in small. rewrite Forall_forall in small.
    specialize (small y isy). pose proof (at_most_k _ _ _ _ _ types p isp). unfold K in small.
    replace ((r + 1) * (C - 1) + 1 + m - 1) with ((r + 1) * (C - 1) + m) in small by lia. unfold B, box. nia.
  - intros o' (f & x' & islegal & ->).
    destruct (carried_back C m r p' p C1 m1 long x' (at_most_r _ _ _ _ _ types f p' x' islegal)) as (x & samex).
    exists (result g f p x). apply same_sym in samex.
    assert (there : legal g f p x) by (now apply (legal_by_type _ _ _ _ _ types f p' x')).
    split; [exists f, x; auto|]. apply same_sym. now apply (result_by_type _ _ _ _ _ types).
Qed.

Lemma by_type_iff u p p' : u <= v -> same_type C m p p' -> S u p <-> S u p'.
Proof. intros le same. split; apply unions; auto. now apply same_sym. Qed.

Lemma option_within p o : position g p -> within B p -> option g p o -> within B o.
Proof.
  intros isp small isopt. apply Forall_forall. intros y isy.
  destruct (no_larger _ _ _ _ _ types p o y isp isopt isy) as (z & isz & le).
  unfold within in small. rewrite Forall_forall in small. specialize (small z isz). lia.
Qed.

(** The step of the induction, at a position whose value is a mex, as is that of its counterpart in the box. *)
Lemma step p p' : position g p -> position g p' -> within B p' -> same_type C m p p' ->
  (forall o', option g p' o' -> exists o, option g p o /\ same_type C m o o') ->
  ordinary p -> ordinary p' ->
  (forall o u, option g p o -> u <= v -> (S u o <-> G o = u)) ->
  forall u, u <= v -> G p = u <-> G p' = u.
Proof.
  intros isp isp' small same back (no & all) (no' & all') IH.
  (* (U) All smaller values of p' are values of options of p. *)
  assert (U : forall u, u <= v -> u < G p' -> exists o, option g p o /\ G o = u).
  { intros u le less. destruct (all' u less) as (o' & isopt' & is').
    destruct (back o' isopt') as (o & isopt & sameo). exists o. split; [assumption|].
    apply (IH o u isopt le). apply (by_type_iff u o o' le sameo).
    apply checked; [now apply (stays _ _ _ _ _ types p') | now apply (option_within p') | |]; assumption. }
  (* (E) No option of p has the value of p'. *)
  assert (E : forall o, G p' <= v -> option g p o -> G o <> G p').
  { intros o le isopt is. apply (IH o (G p') isopt le) in is.
    assert (mine : S (G p') p).
    { apply (by_type_iff (G p') p p' le same). now apply checked. }
    destruct (move_in_box p o isp isopt) as (q & b & isq & smallq & sameq & isb & sameb).
    apply (by_type_iff _ p q le sameq) in mine. apply (by_type_iff _ o b le sameb) in is.
    apply checked in mine; [|assumption|assumption|assumption].
    apply checked in is; [|now apply (stays _ _ _ _ _ types q) | now apply (option_within q) | assumption].
    destruct (says q isq) as [(_ & none & _) | (none & _)].
    - apply (none 0). exists b. split; [assumption | congruence].
    - apply (none 0 (G b)). exists b. auto. }
  intros u le. destruct (Nat.lt_trichotomy (G p) (G p')) as [less | [equal | more]]; [|now rewrite equal|].
  - split; intros is; exfalso; subst u.
    + destruct (U (G p) le less) as (o & isopt & is). now apply (no o).
    + destruct (U (G p)) as (o & isopt & is); [lia | assumption|]. now apply (no o).
  - split; intros is; exfalso; subst u; destruct (all (G p') more) as (o & isopt & is); apply (E o); auto; lia.
Qed.

Lemma ordinary_if_0 p : t = 0 -> position g p -> ordinary p.
Proof.
  intros t0 isp. destruct (says p isp) as [(_ & none & all) | (none & is)]; split.
  - intros o isopt is. apply (none 0). eauto.
  - intros u less. destruct (all u less) as (_ & o & is). eauto.
  - intros o isopt. exfalso. apply (none 0 (G o)). eauto.
  - lia.
Qed.

Lemma ordinary_if_option p o : position g p -> option g p o -> ordinary p.
Proof.
  intros isp isopt. destruct (says p isp) as [(_ & none & all) | (none & is)]; split.
  - intros o' isopt' is. apply (none 0). eauto.
  - intros u less. destruct (all u less) as (_ & o' & is). eauto.
  - exfalso. apply (none 0 (G o)). eauto.
  - exfalso. apply (none 0 (G o)). eauto.
Qed.

(** In misère play (t = 1), the positions without options must be a union of types too. *)
Hypothesis terminal : t = 0 \/ exists T, by_type C m T /\
  forall p, position g p -> within B p -> (T p <-> forall o, ~ option g p o).

Theorem small_box p u : position g p -> u <= v -> (S u p <-> G p = u).
Proof.
  revert u. induction p as [p IH] using (well_founded_ind (ends _ _ _ _ _ types)). intros u isp le.
  destruct (options_from_box p isp) as (p' & isp' & small & same & back).
  assert (equal : G p = G p' \/ (G p = u <-> G p' = u)).
  { assert (IHo : forall o u, option g p o -> u <= v -> (S u o <-> G o = u)).
    { intros o w isopt lew. apply IH; [auto | now apply (stays _ _ _ _ _ types p) | assumption]. }
    destruct terminal as [t0 | (T & unionT & isT)].
    - right. apply step; auto using ordinary_if_0.
    - destruct (says p' isp') as [((_ & w & o' & isopt' & _) & _) | (none & is)].
      + destruct (back o' isopt') as (o & isopt & _).
        right. apply step; auto; eauto using ordinary_if_option.
      + left. assert (no' : forall o, ~ option g p' o) by (intros o isopt; apply (none 0 (G o)); eauto).
        apply isT in no'; [|assumption|assumption].
        assert (no : forall o, ~ option g p o).
        { intros o isopt. destruct (move_in_box p o isp isopt) as (q & b & isq & smallq & sameq & isb & _).
          apply (isT q isq smallq) with (o := b); [|assumption].
          apply (unionT p'); [|assumption]. eapply same_trans; [apply same_sym; exact same | assumption]. }
        destruct (says p isp) as [((_ & w & o & isopt & _) & _) | (_ & ist)]; [destruct (no o isopt) | congruence]. }
  rewrite (by_type_iff u p p' le same), (checked p' u isp' small le).
  destruct equal as [-> | equal]; [reflexivity | now symmetry].
Qed.

End Laws.

(** ** Zeros vanish, and an example

    The type of a tuple decides the type of its numbers other than 0. So in rows, where emptied piles vanish, the type
    of (p, x) decides the type of the new row. *)

Definition nonzero (z : list nat) : list nat := filter (fun x => 0 <? x) z.

Lemma same_nonzero C m z z' : 1 <= C -> same_type C m z z' -> same_type C m (nonzero z) (nonzero z').
Proof.
  intros C1 same. pose (places y := filter (fun i => 0 <? number y i) (seq 1 (length y))).
  assert (is : forall y, nonzero y = map (number y) (places y)).
  { intros y. unfold places. replace (filter _ _) with (filter (fun i => 0 <? nth (i - 1) y 0) (seq 1 (length y)))
      by (apply filter_ext_in; intros i isin; apply in_seq in isin; destruct i; [lia|];
          cbn [number nth]; now replace (S i - 1) with i by lia).
    assert (all : forall l n, (forall i, i < length l -> nth (n + i) y 0 = nth i l 0) ->
      nonzero l = map (number y) (filter (fun i => 0 <? nth (i - 1) y 0) (seq (S n) (length l)))).
    { induction l as [|x l IH]; intros n isat; [reflexivity|]. cbn [nonzero filter length seq].
      specialize (isat 0 ltac:(cbn; lia)) as first. rewrite Nat.add_0_r in first. cbn [nth] in first.
      replace (S n - 1) with n by lia. rewrite first.
      specialize (IH (S n)). unfold nonzero in *. rewrite IH.
      - destruct (0 <? x); [cbn [map number nth]; now rewrite first | reflexivity].
      - intros i less. specialize (isat (S i) ltac:(cbn; lia)). cbn [nth] in isat. rewrite <- isat. f_equal. lia. }
    apply (all y 0). reflexivity. }
  assert (equal : places z = places z').
  { destruct same as (len & dif & _). unfold places. rewrite len. apply filter_ext. intros i.
    specialize (dif i 0). change (number z 0) with 0 in dif. change (number z' 0) with 0 in dif.
    destruct (Nat.ltb_spec 0 (number z i)), (Nat.ltb_spec 0 (number z' i)); lia || reflexivity. }
  rewrite (is z), (is z'), equal. now apply same_chosen.
Qed.

(** End-Nim with at most k piles: a move replaces the first or the last pile by a smaller number. *)
Definition end_nim (k : nat) : game := {|
  position p := length p <= k /\ Forall (fun a => 1 <= a) p;
  form := bool;
  legal first p x := p <> [] /\ exists a, x = [a] /\ a < number p (if first then 1 else length p);
  result first p x := nonzero (if first then x ++ skipn 1 p else firstn (length p - 1) p ++ x)
|}.

Lemma end_nim_of_types C m k : 1 <= C -> of_types C m k 1 (end_nim k).
Proof.
  intros C1.
  assert (parts : forall (first : bool) p a,
    (if first then [a] ++ skipn 1 p else firstn (length p - 1) p ++ [a]) =
    map (number (p ++ [a]))
      (if first then S (length p) :: seq 2 (length p - 1) else seq 1 (length p - 1) ++ [S (length p)])).
  { intros first p a.
    assert (new : number (p ++ [a]) (S (length p)) = a)
      by (unfold number; cbn [nth]; rewrite app_nth2, Nat.sub_diag by lia; reflexivity).
    assert (old : forall n l, n + length l <= length p -> (forall i, i < length l -> nth i l 0 = nth (n + i) p 0) ->
      l = map (number (p ++ [a])) (seq (S n) (length l))).
    { intros n l fits isat.
      apply nth_ext with (d := 0) (d' := number (p ++ [a]) 0); [now rewrite map_length, seq_length|].
      intros i less. rewrite map_nth, seq_nth by assumption. cbn [number nth plus].
      rewrite app_nth1 by lia. now apply isat. }
    destruct first; rewrite ?map_app; cbn [map app]; rewrite new.
    - f_equal. destruct p as [|b p]; [reflexivity|]. cbn [skipn length].
      replace (S (length p) - 1) with (length p) by lia. apply (old 1); [cbn; lia|]. reflexivity.
    - f_equal. rewrite (old 0 (firstn (length p - 1) p)) at 1.
      + rewrite firstn_length, Nat.min_l by lia. reflexivity.
      + rewrite firstn_length. lia.
      + intros i less. rewrite firstn_length in less. cbn [plus].
        rewrite <- (firstn_skipn (length p - 1) p) at 3. rewrite app_nth1; [reflexivity | rewrite firstn_length; lia]. }
  assert (isin : forall (first : bool) p, p <> [] -> In (number p (if first then 1 else length p)) p).
  { intros first p some. destruct p as [|b p]; [congruence|].
    unfold number. destruct first; cbn [length nth]; [now left|].
    change (In (nth (length p) (b :: p) 0) (b :: p)). apply nth_In. cbn. lia. }
  assert (sum : forall x y, list_sum (nonzero (x ++ y)) = list_sum x + list_sum y).
  { assert (one : forall x, list_sum (nonzero x) = list_sum x).
    { induction x as [|b x IH]; [reflexivity|]. destruct b; [exact IH|].
      change (S b + list_sum (nonzero x) = S b + list_sum x). now rewrite IH. }
    intros x y. rewrite one. apply list_sum_app. }
  assert (less : forall p o, option (end_nim k) p o -> list_sum o < list_sum p).
  { intros p o (first & x & (some & a & -> & small) & ->). cbn [result end_nim].
    destruct first; rewrite sum; cbn [list_sum fold_right plus].
    - destruct p as [|b p]; [congruence|]. change (a + 0 + list_sum p < b + list_sum p). cbn in small. lia.
    - destruct p as [|b p _] using rev_ind; [congruence|].
      rewrite app_length in *. cbn [length] in *. replace (length p + 1 - 1) with (length p) by lia.
      rewrite firstn_app, firstn_all, Nat.sub_diag. cbn [firstn]. rewrite app_nil_r, list_sum_app.
      replace (length p + 1) with (S (length p)) in small by lia. cbn [number nth] in small.
      rewrite app_nth2, Nat.sub_diag in small by lia. cbn in *. lia. }
  split.
  - intros z z' (len & dif & _) (short & piles). split; [lia|]. apply Forall_forall. intros y isy.
    apply In_nth with (d := 0) in isy. destruct isy as (i & inr & <-).
    specialize (dif (S i) 0). cbn [number nth] in dif. rewrite !Nat.sub_0_r in dif.
    rewrite Forall_forall in piles. specialize (piles (nth i z 0) ltac:(apply nth_In; lia)). lia.
  - now intros p (short & _).
  - intros first p x (_ & a & -> & _). cbn. lia.
  - intros first p x p' x' len (lens & dif & _) (some & a & -> & small).
    rewrite !app_length, len in lens. cbn [length] in lens.
    destruct x' as [|a' [|]]; cbn [length] in lens; try lia. split.
    { destruct p, p'; cbn in len; congruence. }
    exists a'. split; [reflexivity|].
    specialize (dif (if first then 1 else length p) (S (length p))).
    assert (at_end : forall q b, number (q ++ [b]) (S (length q)) = b)
      by (intros q b; cbn [number nth]; rewrite app_nth2, Nat.sub_diag by lia; reflexivity).
    assert (at_pile : forall q (b : nat), q <> [] -> number (q ++ [b]) (if first then 1 else length q) =
      number q (if first then 1 else length q)).
    { intros q b someq. unfold number. destruct q as [|c q]; [congruence|].
      destruct first; cbn [length nth app]; [reflexivity|]. destruct (length q) eqn:l; [reflexivity|].
      change (c :: q ++ [b]) with ((c :: q) ++ [b]). rewrite app_nth1; [reflexivity | cbn; lia]. }
    rewrite at_end, at_pile in dif by assumption. rewrite len in dif at 2 3. rewrite at_end, at_pile in dif.
    + lia.
    + destruct p, p'; cbn in len; congruence.
  - intros first p x p' x' len same (_ & a & -> & _) . cbn [result end_nim].
    assert (lens := proj1 same). rewrite !app_length, len in lens. cbn [length] in lens.
    destruct x' as [|a' [|]]; cbn [length] in lens; try lia.
    apply same_nonzero; [assumption|]. rewrite !parts, len. now apply same_chosen.
  - intros p o (short & piles) (first & x & (some & a & -> & small) & ->). cbn [result end_nim]. split.
    + assert (few : forall l, length (nonzero l) <= length l)
        by (unfold nonzero; induction l as [|b l IH]; cbn [filter]; [lia|]; destruct (0 <? b); cbn [length]; lia).
      eapply Nat.le_trans; [apply few|]. eapply Nat.le_trans; [|exact short].
      destruct p as [|b p]; [congruence|].
      destruct first; rewrite app_length, ?firstn_length; cbn [length skipn]; lia.
    + apply Forall_forall. intros y isy. apply filter_In in isy. destruct isy as (_ & pos). now apply Nat.ltb_lt in pos.
  - intros p o y _ (first & x & (some & a & -> & small) & ->) isy. cbn [result end_nim] in isy.
    apply filter_In in isy. destruct isy as (isy & _).
    assert (is : In y p \/ y = a).
    { destruct first; apply in_app_or in isy; destruct isy as [isy | isy].
      - destruct isy as [-> | []]; auto.
      - left. rewrite <- (firstn_skipn 1 p). apply in_or_app. auto.
      - left. rewrite <- (firstn_skipn (length p - 1) p). apply in_or_app. auto.
      - destruct isy as [-> | []]; auto. }
    destruct is as [there | ->]; [exists y; auto|]. eexists. split; [apply (isin first p some) | lia].
  - apply well_founded_lt_compat with (f := list_sum). intros o p (_ & isopt). now apply less.
Qed.
