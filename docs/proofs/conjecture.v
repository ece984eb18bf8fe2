(** * A checker of certificates of Conjecture 34, and the proof that it accepts only proofs.

    A certificate (docs/FORMAT.md) lists families of the piles 0, 1, 2, ... as a sequence of numbers. The checker
    [accepts] reads these numbers and computes for each family the set of moves that it uses, as the bits of a
    large number. The theorem [accepted] says that the conjecture holds for all n up to the bound if the checker
    accepts any numbers whatever. So nothing depends on where the numbers come from.

    The idea of the proof: each set in the memory of the checker belongs to a family, as file families.v defines it. *)

Require Import Arith NArith Bool Lia List FMapPositive.
Require Import families.

(** ** The checker *)

(** The numbers of the certificate. The program reads them when they are needed. *)
CoInductive numbers := Number (x : N) (more : numbers).

(** For each pile, the moves that its families use: bit x of a set is 1 if the family uses the move x. *)
Definition memory := PositiveMap.t (PositiveMap.t N).

Open Scope N_scope.

Definition family_of (known : memory) (pile number : N) : option N :=
  match PositiveMap.find (N.succ_pos pile) known with
  | Some sets => PositiveMap.find (N.succ_pos number) sets
  | None => None
  end.

(** Reads the choices of a family of n from level i on, k of them; ti = T(i). The result has the moves [used]
    and all moves that the choices add. *)
Fixpoint choices (k : nat) (known : memory) (n i ti used : N) (c : numbers) : option (N * numbers) :=
  match k, c with
  | O, _ => Some (used, c)
  | S k, Number t (Number f c) =>
      let q := n - (ti + t) in
      match family_of known (ti + t) f with
      | Some below =>
          if (t <=? i) && negb (N.testbit below q)
          then choices k known n (i + 1) (ti + i + 1) (N.lor (N.lor (N.shiftl 1 q) below) used) c
          else None
      | None => None
      end
  end.

(** Reads the families of n, k of them, and adds their sets to [sets]. *)
Fixpoint families_of (k levels : nat) (known : memory) (n low number : N) (sets : PositiveMap.t N) (c : numbers)
  : option (PositiveMap.t N * numbers) :=
  match k with
  | O => Some (sets, c)
  | S k =>
      match choices levels known n 0 0 low c with
      | Some (used, c) =>
          families_of k levels known n low (number + 1) (PositiveMap.add (N.succ_pos number) used sets) c
      | None => None
      end
  end.

(** No pile has more families. *)
Definition most : N := 16777216.

(** Reads the piles from n on, k of them. The level of n - 1 is l, tl = T(l), and low = {1, ..., l}. *)
Fixpoint piles (k : nat) (known : memory) (n l tl low : N) (c : numbers) : bool :=
  match k, c with
  | O, _ => true
  | S k, Number count c =>
      let next := n =? tl + l + 1 in
      let tl := if next then tl + l + 1 else tl in
      let l := if next then l + 1 else l in
      let low := if next then N.lor (N.shiftl 1 l) low else low in
      if (count =? 0) || (most <=? count) then false
      else match families_of (N.to_nat count) (N.to_nat (l - 1)) known n low 0 (PositiveMap.empty N) c with
           | Some (sets, c) => piles k (PositiveMap.add (N.succ_pos n) sets known) (n + 1) l tl low c
           | None => false
           end
  end.

Definition accepts (bound : N) (c : numbers) : bool :=
  piles (N.to_nat (bound + 1)) (PositiveMap.empty _) 0 0 0 0 c.

Close Scope N_scope.

(** ** The proof *)

Definition moves (set : N) (x : nat) : Prop := N.testbit set (N.of_nat x) = true.

Lemma moves_or a b x : moves (N.lor a b) x <-> moves a x \/ moves b x.
Proof. unfold moves. rewrite N.lor_spec. apply orb_true_iff. Qed.

Lemma moves_one q x : moves (N.shiftl 1 q) x <-> N.of_nat x = q.
Proof.
  unfold moves. rewrite N.shiftl_1_l, N.pow2_bits_eqb, N.eqb_eq. split; congruence.
Qed.

(** All sets in the memory are those of families. *)
Definition right (known : memory) : Prop :=
  forall pile number set, family_of known pile number = Some set -> family (N.to_nat pile) (moves set).

Lemma choices_right k known (ok : right known) n : forall i used c used' c',
  choices k known n (N.of_nat i) (N.of_nat (T i)) used c = Some (used', c') ->
  (forall x, moves used x -> moves used' x) /\
  exists ch (sub : nat -> nat -> Prop), forall j, i <= j < i + k ->
    T j <= ch j < T (S j) /\ family (ch j) (sub j) /\ moves used' (N.to_nat n - ch j) /\
    (forall x, sub j x -> moves used' x) /\ ~ sub j (N.to_nat n - ch j).
Proof.
  induction k as [|k IH]; intros i used [t [f c]] used' c' is; cbn [choices] in is.
  - injection is as -> _. split; [auto|]. exists (fun _ => 0), (fun _ _ => False). lia.
  - set (m := (N.of_nat (T i) + t)%N) in *. set (q := (n - m)%N) in *.
    destruct (family_of known m f) as [below|] eqn:found; [|discriminate].
    destruct (N.leb_spec t (N.of_nat i)) as [le|]; [|discriminate].
    destruct (N.testbit below q) eqn:apart; [discriminate|]. cbn [andb negb] in is.
    replace (N.of_nat i + 1)%N with (N.of_nat (S i)) in is by lia.
    replace (N.of_nat (T i) + N.of_nat i + 1)%N with (N.of_nat (T (S i))) in is by (cbn [T]; lia).
    apply IH in is. destruct is as (keeps & ch & sub & later).
    assert (at_q : N.to_nat n - N.to_nat m = N.to_nat q) by (unfold q; lia).
    assert (mine : forall x, moves below x \/ moves used x \/ N.of_nat x = q -> moves used' x).
    { intros x has. apply keeps. rewrite !moves_or, moves_one. tauto. }
    split; [auto|].
    exists (fun j => if j =? i then N.to_nat m else ch j), (fun j => if j =? i then moves below else sub j).
    intros j between. destruct (Nat.eqb_spec j i) as [-> | other]; [|apply later; lia].
    rewrite at_q. repeat split.
    + unfold m. lia.
    + unfold m. cbn [T]. lia.
    + exact (ok m f below found).
    + apply mine. lia.
    + auto.
    + unfold moves. rewrite N2Nat.id, apart. discriminate.
Qed.

(** A family of a pile n of level l that the checker has read. *)
Lemma family_right known n l low c used c' : right known -> T l <= N.to_nat n < T (S l) ->
  (forall x, 1 <= x <= l -> moves low x) ->
  choices (l - 1) known n 0 0 low c = Some (used, c') -> family (N.to_nat n) (moves used).
Proof.
  intros ok level small is. apply (choices_right (l - 1) known ok n 0) in is.
  destruct is as (keeps & ch & sub & all).
  assert (at_level : forall i, i + 2 <= l -> 0 <= i < 0 + (l - 1)) by lia.
  apply family_intro with (l := l) (ch := ch) (sub := sub); auto; intros i; intros;
    destruct (all i (at_level i ltac:(assumption))) as (? & ? & ? & ? & ?); auto.
Qed.

Lemma families_right k known n l low : right known -> T l <= N.to_nat n < T (S l) ->
  (forall x, 1 <= x <= l -> moves low x) ->
  forall number sets c sets' c',
  (forall f set, PositiveMap.find f sets = Some set -> family (N.to_nat n) (moves set)) ->
  families_of k (l - 1) known n low number sets c = Some (sets', c') ->
  (forall f set, PositiveMap.find f sets' = Some set -> family (N.to_nat n) (moves set)) /\
  (1 <= k -> exists set, family (N.to_nat n) (moves set)).
Proof.
  intros ok level small. induction k as [|k IH]; intros number sets c sets' c' before is; cbn [families_of] in is.
  - injection is as <- _. split; [assumption | lia].
  - destruct (choices (l - 1) known n 0 0 low c) as [[used rest]|] eqn:read; [|discriminate].
    apply (family_right known n l) in read; auto. apply IH in is.
    + split; [apply is|]. eauto.
    + intros f set. destruct (Pos.eq_dec (N.succ_pos number) f) as [<- | other].
      * rewrite PositiveMap.gss. now intros [= ->].
      * rewrite PositiveMap.gso by congruence. apply before.
Qed.

Lemma piles_right k : forall known n l low c, right known ->
  T l <= N.to_nat n < T (S l) + 1 -> (forall x, 1 <= x <= l -> moves low x) ->
  piles k known n (N.of_nat l) (N.of_nat (T l)) low c = true ->
  forall i, N.to_nat n <= i < N.to_nat n + k -> exists set, family i (moves set).
Proof.
  induction k as [|k IH]; intros known n l low [count c] ok near small is i between; [lia|]. cbn [piles] in is.
  set (next := (n =? N.of_nat (T l) + N.of_nat l + 1)%N) in *.
  (* The level of n. *)
  assert (level : exists l' low', T l' <= N.to_nat n < T (S l') /\ (forall x, 1 <= x <= l' -> moves low' x) /\
    (if next then N.of_nat (T l) + N.of_nat l + 1 else N.of_nat (T l))%N = N.of_nat (T l') /\
    (if next then N.of_nat l + 1 else N.of_nat l)%N = N.of_nat l' /\
    (if next then N.lor (N.shiftl 1 (N.of_nat l')) low else low)%N = low').
  { subst next. destruct (N.eqb_spec n (N.of_nat (T l) + N.of_nat l + 1)) as [-> | other].
    - exists (S l), (N.lor (N.shiftl 1 (N.of_nat (S l))) low). repeat split; cbn [T] in *; try lia.
      intros x bound. rewrite moves_or, moves_one. destruct (Nat.eq_dec x (S l)); [left; lia | right; apply small; lia].
    - exists l, low. repeat split; cbn [T] in *; auto; lia. }
  destruct level as (l' & low' & level & small' & tl' & sl' & slow'). rewrite tl', sl', slow' in is.
  destruct (N.eqb_spec count 0) as [|some]; [discriminate|]. destruct (most <=? count)%N; [discriminate|].
  cbn [orb] in is.
  replace (N.to_nat (N.of_nat l' - 1)) with (l' - 1) in is by lia.
  destruct (families_of (N.to_nat count) (l' - 1) known n low' 0 (PositiveMap.empty N) c) as [[sets rest]|] eqn:read;
    [|discriminate].
  apply (families_right _ _ _ l') in read; auto; [|intros f set; now rewrite PositiveMap.gempty].
  destruct read as (all & one).
  destruct (Nat.eq_dec i (N.to_nat n)) as [-> | later]; [apply one; lia|].
  eapply IH; [| | exact small' | exact is |]; [| cbn [T] in *; lia | lia].
  intros pile number set. unfold family_of.
  destruct (N.eq_dec pile n) as [-> | other].
  - rewrite PositiveMap.gss. apply all.
  - rewrite PositiveMap.gso; [apply ok|]. intros same. apply other.
    apply (f_equal N.pos) in same. rewrite !N.succ_pos_spec in same. now apply N.succ_inj.
Qed.

Theorem accepted bound c : accepts bound c = true ->
  forall n l, n <= N.to_nat bound -> T l <= n < T (S l) -> value n n (fun x => 1 <= x <= n) l.
Proof.
  intros is n l small level. destruct (fun ok near low => piles_right _ _ 0%N 0 0%N c ok near low is n) as (set & fam).
  - intros pile number set. unfold family_of. now rewrite PositiveMap.gempty.
  - cbn. lia.
  - lia.
  - lia.
  - exact (conjecture_34 n (moves set) l fam level).
Qed.
