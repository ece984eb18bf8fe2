(** * A checker of certificates of families u* w v*, and the proof that it accepts only proofs.

    A certificate of a family (docs/FORMAT.md) says that the tiles of the rows u^i w v^j repeat along a step, and from
    where lines and columns are periodic. The checker [accepts_family] computes the tiles of all parts of one long row
    u ... u w v ... v, and compares those on which the inductions of file lengths.v rest. The theorem
    [family_accepted] says what then holds for all i and j. *)

Require Import Arith Lia List Bool.
Require Import lengths rows tiles.
Import ListNotations.

(** ** Products *)

Lemma more a n : 1 <= n -> a <= a * n.
Proof. nia. Qed.

Lemma one_more a n : 1 <= a -> 1 <= n -> 1 <= a * n.
Proof. nia. Qed.

Lemma beyond a b p n j : (max a b + p) * n <= j -> p * n <= j /\ a * n <= j - p * n /\ b * n <= j - p * n.
Proof.
  rewrite Nat.mul_add_distr_r. pose proof (Nat.mul_le_mono_r a (max a b) n (Nat.le_max_l a b)).
  pose proof (Nat.mul_le_mono_r b (max a b) n (Nat.le_max_r a b)). lia.
Qed.

(** ** The rows u^i w v^j *)

Definition power (u : list nat) (i : nat) : list nat := concat (repeat u i).
Definition row (u w v : list nat) (i j : nat) : list nat := power u i ++ w ++ power v j.

(** The piles l (i - 1), ..., l 0, then the middle, then r 0, ..., r (j - 1). *)
Definition grown (l r : nat -> nat) (middle : list nat) (i j : nat) : list nat :=
  rev (map l (seq 0 i)) ++ middle ++ map r (seq 0 j).

Lemma grown_grows N l r middle : (forall i, 1 <= l i <= N) -> (forall j, 1 <= r j <= N) -> is_row N middle ->
  grows N l r (grown l r middle).
Proof.
  intros inl inr ism.
  assert (all : forall f n, (forall k, 1 <= f k <= N) -> is_row N (map f (seq 0 n))).
  { intros f n inf. apply Forall_forall. intros x isin. apply in_map_iff in isin. destruct isin as (k & <- & _).
    apply inf. }
  repeat split; intros; try apply inl; try apply inr; unfold grown.
  - apply row_app. split; [apply Forall_rev; now apply all|]. apply row_app. auto.
  - rewrite seq_S, map_app, rev_app_distr. reflexivity.
  - rewrite seq_S, map_app, !app_assoc. reflexivity.
Qed.

Lemma part_grown x (c : nat) l r : (forall k, k < c -> x (c - 1 - k) = l k) -> (forall k, x (c + k) = r k) ->
  forall i j, i <= c -> map x (seq (c - i) (i + j)) = grown l r [] i j.
Proof.
  intros on_left on_right i j. unfold grown. cbn [app]. induction i as [|i IH]; intros le.
  - cbn [plus seq map rev app]. rewrite Nat.sub_0_r. apply nth_ext with (d := x 0) (d' := r 0).
    + now rewrite !map_length, !seq_length.
    + intros k less. rewrite map_length, seq_length in less. rewrite !map_nth, !seq_nth by assumption. apply on_right.
  - rewrite seq_S, map_app, rev_app_distr. cbn [plus seq map rev app].
    replace (S (c - S i)) with (c - i) by lia. rewrite IH by lia. f_equal.
    rewrite <- on_left by lia. f_equal. lia.
Qed.

(** A word that repeats. *)
Section Repeated.

Variable u : list nat.
Hypothesis some : 1 <= length u.
Let n := length u.

Definition forth (k : nat) : nat := nth (k mod n) u 0.
Definition back (k : nat) : nat := nth (n - 1 - k mod n) u 0.

Lemma mod_plus k i : (k + i * n) mod n = k mod n.
Proof. apply Nat.mod_add. unfold n. lia. Qed.

Lemma forth_plus k i : forth (k + i * n) = forth k.
Proof. unfold forth. now rewrite mod_plus. Qed.

Lemma back_plus k i : back (k + i * n) = back k.
Proof. unfold back. now rewrite mod_plus. Qed.

Lemma back_forth k c : k < c * n -> back k = forth (c * n - 1 - k).
Proof.
  intros less. unfold back, forth. f_equal.
  pose proof (Nat.div_mod k n ltac:(unfold n; lia)) as is.
  pose proof (Nat.mod_upper_bound k n ltac:(unfold n; lia)) as small.
  assert (fits : k / n < c) by (apply Nat.div_lt_upper_bound; [unfold n; lia | lia]).
  apply (Nat.mod_unique _ _ (c - 1 - k / n)); [lia|]. nia.
Qed.

Lemma forth_in N k : is_row N u -> 1 <= forth k <= N.
Proof.
  intros isu. unfold forth. unfold is_row in isu. rewrite Forall_forall in isu.
  apply isu, nth_In, Nat.mod_upper_bound.
  unfold n. lia.
Qed.

Lemma back_in N k : is_row N u -> 1 <= back k <= N.
Proof.
  intros isu. unfold back. unfold is_row in isu. rewrite Forall_forall in isu. apply isu, nth_In. unfold n. lia.
Qed.

Lemma length_power i : length (power u i) = i * n.
Proof.
  unfold power. induction i as [|i IH]; [reflexivity|]. cbn [repeat concat]. rewrite app_length, IH. reflexivity.
Qed.

Lemma nth_power i : forall k, k < i * n -> nth k (power u i) 0 = forth k.
Proof.
  induction i as [|i IH]; intros k less; [lia|]. unfold power. cbn [repeat concat]. fold (power u i).
  destruct (le_lt_dec n k) as [later | first].
  - rewrite app_nth2 by (fold n; lia). fold n. rewrite IH by lia.
    rewrite <- (forth_plus (k - n) 1). f_equal. lia.
  - rewrite app_nth1 by assumption. unfold forth. now rewrite Nat.mod_small.
Qed.

Lemma power_forth i : power u i = map forth (seq 0 (i * n)).
Proof.
  apply nth_ext with (d := 0) (d' := forth 0); [now rewrite length_power, map_length, seq_length|].
  intros k less. rewrite length_power in less. rewrite map_nth, seq_nth, nth_power by assumption. reflexivity.
Qed.

Lemma power_back i : power u i = rev (map back (seq 0 (i * n))).
Proof.
  apply nth_ext with (d := 0) (d' := back 0); [now rewrite length_power, rev_length, map_length, seq_length|].
  intros k less. rewrite length_power in less.
  rewrite rev_nth, map_length, seq_length by (now rewrite map_length, seq_length).
  rewrite map_nth, seq_nth, nth_power, (back_forth _ i) by lia. f_equal. lia.
Qed.

End Repeated.

(** ** The checker *)

Record family := {
  left : list nat;
  middle : list nat;
  right : list nat;
  step : nat * nat;
  start : nat;
  lines : nat * nat;
  columns : nat * nat;
  listed : list (list nat);
  nonregular : list (nat * (nat * nat))
}.

Definition is_row_up_to (N : nat) (piles : list nat) : bool := forallb (fun a => (1 <=? a) && (a <=? N)) piles.
Definition below (n : nat) (test : nat -> bool) : bool := forallb test (seq 0 n).

Definition accepts_family (g : game) (N : nat) (c : family) : bool :=
  let '(u, w, v, (e, f), s, (jf, jp), (cf, cp)) := (left c, middle c, right c, step c, start c, lines c, columns c) in
  let '(nu, nw, nv) := (length u, length w, length v) in
  (* The long row has enough copies of u and v. *)
  let many_u := S (max (max s cf + cp + e) (length (listed c))) in
  let many_v := S (max (max s jf + jp + f) (fold_right max 0 (map (@length nat) (listed c)))) in
  let long := row u w v many_u many_v in
  let '(begin, size) := (many_u * nu, length long) in
  let tiles := all_tiles g N long in
  let same := same tiles size in
  let around i j i' j' :=
    (i <=? begin) && (i' <=? begin) && same (begin - i) (i + (nw + j)) (begin - i') (i' + (nw + j')) in
  let value i j := cell (tile_of tiles (begin - i * nu) (i * nu + (nw + j * nv))) 0 0 in
  let inside i j := (i <=? many_u) && (j <=? many_v) in
  all_lower g N && is_row_up_to N u && is_row_up_to N w && is_row_up_to N v &&
  (1 <=? nu) && (1 <=? nv) && (1 <=? jp) && (1 <=? cp) && (1 <=? f) &&
  (* Lines are periodic. *)
  below nv (fun k => same (begin + nw + k) ((jf + jp) * nv) (begin + nw + k) (jf * nv)) &&
  below (nw + (s + e) * nu) (fun i => (S i <=? begin + nw) &&
    same (begin + nw - S i) (S i + (jf + jp) * nv) (begin + nw - S i) (S i + jf * nv)) &&
  (* Columns are periodic. *)
  below nu (fun k => (k + (cf + cp) * nu <=? begin) && same k ((cf + cp) * nu) k (cf * nu)) &&
  below (nw + (s + f) * nv) (fun j => ((cf + cp) * nu <=? begin) &&
    same (begin - (cf + cp) * nu) ((cf + cp) * nu + S j) (begin - cf * nu) (cf * nu + S j)) &&
  (* The step leads to the same tiles on the line s and on the column s. *)
  below ((max s jf + jp) * nv) (fun j => (j <? s * nv) || around ((s + e) * nu) (j + f * nv) (s * nu) j) &&
  below ((max s cf + cp) * nu) (fun i => (i <? s * nu) || around (i + e * nu) ((s + f) * nv) i (s * nv)) &&
  (* The listed values, and the values that are not regular. *)
  below (length (listed c)) (fun i => let values := nth i (listed c) [] in
    below (length values) (fun j => inside i j && (value i j =? nth j values 0))) &&
  forallb (fun entry => let '(x, (i, j)) := entry in
    let later := jf + (j + (jf + i + 1) * jp * f - jf) mod jp in
    (s <=? i) && (i <=? s + e) && (s <=? j) && inside i j && inside i later &&
    xorb (value i j =? x) (value i later =? x)) (nonregular c).

(** ** The proof *)

Section Family.

Variables (g : game) (N : nat) (c : family).
Hypothesis accepted : accepts_family g N c = true.
Variable G : list nat -> nat.
Hypothesis obeyG : rows.values g N G.

Let u := left c.
Let w := middle c.
Let v := right c.
Let e := fst (step c).
Let f := snd (step c).
Let s := start c.
Let jf := fst (lines c).
Let jp := snd (lines c).
Let cf := fst (columns c).
Let cp := snd (columns c).
Let nu := length u.
Let nw := length w.
Let nv := length v.
Let many_u := S (max (max s cf + cp + e) (length (listed c))).
Let many_v := S (max (max s jf + jp + f) (fold_right max 0 (map (@length nat) (listed c)))).
Let long := row u w v many_u many_v.
Let begin := many_u * nu.
Let tiles := all_tiles g N long.
Let alike (m m' : list nat) : Prop := tile N G m m'.

(** The piles before the first pile of v, from right to left, and those from the first pile of w on. *)
Let l := back u.
Let r := forth v.
Let la k := if k <? nw then nth (nw - 1 - k) w 0 else l (k - nw).
Let rb k := if k <? nw then nth k w 0 else r (k - nw).
Let W := grown l r w.
Let WA := grown la r [].
Let WB := grown l rb [].

Let value i j := cell (tile_of tiles (begin - i * nu) (i * nu + (nw + j * nv))) 0 0.

Lemma below_spec n test : below n test = true -> forall k, k < n -> test k = true.
Proof. unfold below. rewrite forallb_forall. intros all k less. apply all, in_seq. lia. Qed.

(** What the checker has compared. *)
Lemma parts :
  all_lower g N = true /\ is_row N u /\ is_row N w /\ is_row N v /\
  1 <= nu /\ 1 <= nv /\ 1 <= jp /\ 1 <= cp /\ 1 <= f /\
  (forall k, k < nv ->
    same tiles (length long) (begin + nw + k) ((jf + jp) * nv) (begin + nw + k) (jf * nv) = true) /\
  (forall i, i < nw + (s + e) * nu -> S i <= begin + nw /\
    same tiles (length long) (begin + nw - S i) (S i + (jf + jp) * nv) (begin + nw - S i) (S i + jf * nv) = true) /\
  (forall k, k < nu -> k + (cf + cp) * nu <= begin /\
    same tiles (length long) k ((cf + cp) * nu) k (cf * nu) = true) /\
  (forall j, j < nw + (s + f) * nv -> (cf + cp) * nu <= begin /\
    same tiles (length long) (begin - (cf + cp) * nu) ((cf + cp) * nu + S j)
      (begin - cf * nu) (cf * nu + S j) = true) /\
  (forall j, s * nv <= j < (max s jf + jp) * nv -> (s + e) * nu <= begin /\ s * nu <= begin /\
    same tiles (length long) (begin - (s + e) * nu) ((s + e) * nu + (nw + (j + f * nv)))
      (begin - s * nu) (s * nu + (nw + j)) = true) /\
  (forall i, s * nu <= i < (max s cf + cp) * nu -> i + e * nu <= begin /\ i <= begin /\
    same tiles (length long) (begin - (i + e * nu)) (i + e * nu + (nw + (s + f) * nv))
      (begin - i) (i + (nw + s * nv)) = true) /\
  (forall i j, i < length (listed c) -> j < length (nth i (listed c) []) ->
    i <= many_u /\ j <= many_v /\ value i j = nth j (nth i (listed c) []) 0) /\
  (forall x i j, In (x, (i, j)) (nonregular c) -> let later := jf + (j + (jf + i + 1) * jp * f - jf) mod jp in
    s <= i <= s + e /\ s <= j /\ i <= many_u /\ j <= many_v /\ later <= many_v /\
    xorb (value i j =? x) (value i later =? x) = true).
Proof.
  pose proof accepted as is. unfold accepts_family in is.
  rewrite (surjective_pairing (step c)), (surjective_pairing (lines c)),
    (surjective_pairing (columns c)) in is. cbv beta iota zeta in is.
  fold u w v e f s jf jp cf cp in is. fold nu nw nv in is. fold many_u many_v in is. fold long begin in is.
  fold tiles in is.
  rewrite !andb_true_iff, !Nat.leb_le in is.
  destruct is as
    ((((((((((((((((lower & isu) & isw) & isv) & someu) & somev) & p1) & q1) & f1) & a) & b) & cc) & d) & ee)
      & ff) & gg) & hh).
  assert (rows : forall x, is_row_up_to N x = true -> is_row N x).
  { intros x. unfold is_row_up_to. rewrite forallb_forall. intros all. apply Forall_forall. intros y isy.
    specialize (all y isy). now rewrite andb_true_iff, !Nat.leb_le in all. }
  repeat (split; [solve [auto] |]).
  split; [exact (below_spec _ _ a)|].
  split; [intros i less; specialize (below_spec _ _ b i less) as is; cbv beta in is;
    now rewrite andb_true_iff, Nat.leb_le in is|].
  split; [intros i less; specialize (below_spec _ _ cc i less) as is; cbv beta in is;
    now rewrite andb_true_iff, Nat.leb_le in is|].
  split; [intros i less; specialize (below_spec _ _ d i less) as is; cbv beta in is;
    now rewrite andb_true_iff, Nat.leb_le in is|].
  split; [intros j between; specialize (below_spec _ _ ee j ltac:(lia)) as is; cbv beta in is;
    rewrite orb_true_iff, !andb_true_iff, Nat.ltb_lt, !Nat.leb_le in is; destruct is; [lia | tauto]|].
  split; [intros j between; specialize (below_spec _ _ ff j ltac:(lia)) as is; cbv beta in is;
    rewrite orb_true_iff, !andb_true_iff, Nat.ltb_lt, !Nat.leb_le in is; destruct is; [lia | tauto]|].
  split.
  - intros i j lessi lessj. specialize (below_spec _ _ gg i lessi) as is. cbv beta in is.
    specialize (below_spec _ _ is j lessj) as is'. cbv beta in is'.
    rewrite !andb_true_iff, !Nat.leb_le, Nat.eqb_eq in is'. tauto.
  - intros x i j isin later. rewrite forallb_forall in hh. specialize (hh _ isin). cbv beta iota zeta in hh.
    rewrite !andb_true_iff, !Nat.leb_le in hh. fold later in hh. unfold value. tauto.
Qed.


Lemma same_piles m : alike m m.
Proof. intros a b _ _. reflexivity. Qed.

Lemma alike_trans m m' m'' : alike m m' -> alike m' m'' -> alike m m''.
Proof. intros is is' a b lea leb. now rewrite is, is'. Qed.

Lemma alike_sym m m' : alike m m' -> alike m' m.
Proof. intros is a b lea leb. symmetry. now apply is. Qed.

(** Pile p of the long row. *)
Let x p := nth p long 0.

Lemma length_long : length long = begin + (nw + many_v * nv).
Proof. unfold long, row. rewrite !app_length, !length_power. reflexivity. Qed.

Lemma before_w p : p < begin -> x p = forth u p.
Proof.
  destruct parts as (_ & _ & _ & _ & someu & _). intros less. unfold x, long, row.
  rewrite app_nth1 by (rewrite length_power; exact less). now apply nth_power.
Qed.

Lemma left_of_w k : k < begin -> x (begin - 1 - k) = l k.
Proof.
  destruct parts as (_ & _ & _ & _ & someu & _). intros less. rewrite before_w by lia. symmetry. now apply back_forth.
Qed.

Lemma from_w k : k < nw + many_v * nv -> x (begin + k) = rb k.
Proof.
  destruct parts as (_ & _ & _ & _ & _ & somev & _). intros less. unfold x, long, row.
  rewrite app_nth2 by (rewrite length_power; unfold begin, nu; lia). rewrite length_power.
  replace (begin + k - many_u * length u) with k by (unfold begin, nu; lia). unfold rb.
  destruct (Nat.ltb_spec k nw) as [inw | inv].
  - now rewrite app_nth1.
  - rewrite app_nth2 by assumption. apply nth_power; [assumption|]. unfold nv, nw in *. lia.
Qed.

Lemma part_B i j : i <= begin -> j <= nw + many_v * nv -> part long (begin - i) (i + j) = WB i j.
Proof.
  intros lei lej. unfold part, WB.
  transitivity (map (fun p => if p <? begin then x p else rb (p - begin)) (seq (begin - i) (i + j))).
  - apply map_ext_in. intros p isin. apply in_seq in isin.
    destruct (Nat.ltb_spec p begin) as [less | later]; [reflexivity|].
    rewrite <- from_w by lia. unfold x. f_equal. lia.
  - apply part_grown; [| |assumption].
    + intros k less. destruct (Nat.ltb_spec (begin - 1 - k) begin); [now apply left_of_w | lia].
    + intros k. destruct (Nat.ltb_spec (begin + k) begin); [lia|]. f_equal. lia.
Qed.

Lemma part_A i j : i <= begin + nw -> j <= many_v * nv -> part long (begin + nw - i) (i + j) = WA i j.
Proof.
  intros lei lej. unfold part, WA.
  transitivity (map (fun p => if p <? begin + nw then x p else r (p - (begin + nw))) (seq (begin + nw - i) (i + j))).
  - apply map_ext_in. intros p isin. apply in_seq in isin.
    destruct (Nat.ltb_spec p (begin + nw)) as [less | later]; [reflexivity|].
    replace (nth p long 0) with (x (begin + (p - begin))) by (unfold x; f_equal; lia).
    rewrite (from_w (p - begin)) by lia. unfold rb.
    destruct (Nat.ltb_spec (p - begin) nw); [lia|]. f_equal. lia.
  - apply part_grown; [| |assumption].
    + intros k less. destruct (Nat.ltb_spec (begin + nw - 1 - k) (begin + nw)); [|lia]. unfold la.
      destruct (Nat.ltb_spec k nw) as [inw | inu].
      * replace (begin + nw - 1 - k) with (begin + (nw - 1 - k)) by lia. rewrite from_w by lia. unfold rb.
        destruct (Nat.ltb_spec (nw - 1 - k) nw); [reflexivity | lia].
      * rewrite <- left_of_w by lia. f_equal. lia.
    + intros k. destruct (Nat.ltb_spec (begin + nw + k) (begin + nw)); [lia|]. f_equal. lia.
Qed.

Lemma W_A i j : W i j = WA (nw + i) j.
Proof.
  unfold W, WA, grown. rewrite seq_app, map_app, rev_app_distr, <- app_assoc. cbn [plus app]. f_equal.
  - f_equal. apply nth_ext with (d := l 0) (d' := la 0); [now rewrite !map_length, !seq_length|].
    intros k less. rewrite map_length, seq_length in less. rewrite !map_nth, !seq_nth by assumption. unfold la.
    cbn [plus].
    destruct (Nat.ltb_spec (nw + k) nw); [lia|]. f_equal. lia.
  - f_equal. apply nth_ext with (d := 0) (d' := la 0); [now rewrite rev_length, map_length, seq_length|].
    intros k less. fold nw in less. rewrite rev_nth, map_length, seq_length by (now rewrite map_length, seq_length).
    rewrite map_nth, seq_nth by lia. unfold la. cbn [plus]. destruct (Nat.ltb_spec (nw - S k) nw); [|lia]. f_equal.
    lia.
Qed.

Lemma W_B i j : W i j = WB i (nw + j).
Proof.
  unfold W, WB, grown. cbn [app]. f_equal. rewrite seq_app, map_app. cbn [plus]. f_equal.
  - apply nth_ext with (d := 0) (d' := rb 0); [now rewrite map_length, seq_length|].
    intros k less. fold nw in less. rewrite map_nth, seq_nth by assumption. unfold rb. cbn [plus].
    destruct (Nat.ltb_spec k nw); [reflexivity | lia].
  - apply nth_ext with (d := r 0) (d' := rb 0); [now rewrite !map_length, !seq_length|].
    intros k less. rewrite map_length, seq_length in less. rewrite !map_nth, !seq_nth by assumption. unfold rb.
    cbn [plus].
    destruct (Nat.ltb_spec (nw + k) nw); [lia|]. f_equal. lia.
Qed.

Lemma row_W i j : row u w v i j = W (i * nu) (j * nv).
Proof.
  destruct parts as (_ & _ & _ & _ & someu & somev & _). unfold row, W, grown.
  now rewrite (power_back u someu), (power_forth v somev).
Qed.

Lemma long_row : is_row N long.
Proof.
  destruct parts as (_ & isu & isw & isv & _).
  assert (all : forall p n, is_row N p -> is_row N (power p n)).
  { intros p n isp. unfold power. induction n as [|n IH]; cbn; [apply Forall_nil|]. now apply row_app. }
  unfold long, row. rewrite !row_app. auto.
Qed.

Lemma same_alike a t a' t' : same tiles (length long) a t a' t' = true ->
  a + t <= length long /\ a' + t' <= length long /\ alike (part long a t) (part long a' t').
Proof.
  intros is. split; [|split].
  - unfold same in is. rewrite !andb_true_iff, !Nat.leb_le in is. tauto.
  - unfold same in is. rewrite !andb_true_iff, !Nat.leb_le in is. tauto.
  - destruct parts as (low & _). apply (same_right g); auto. exact long_row.
Qed.

Lemma la_in k : 1 <= la k <= N.
Proof.
  destruct parts as (_ & isu & isw & _ & someu & _). unfold la. destruct (Nat.ltb_spec k nw).
  - unfold is_row in isw. rewrite Forall_forall in isw. apply isw, nth_In. unfold nw in *. lia.
  - now apply back_in.
Qed.

Lemma rb_in k : 1 <= rb k <= N.
Proof.
  destruct parts as (_ & _ & isw & isv & _ & somev & _). unfold rb. destruct (Nat.ltb_spec k nw).
  - unfold is_row in isw. rewrite Forall_forall in isw. now apply isw, nth_In.
  - now apply forth_in.
Qed.

Lemma r_in k : 1 <= r k <= N.
Proof. destruct parts as (_ & _ & _ & isv & _ & somev & _). now apply forth_in. Qed.

Lemma l_in k : 1 <= l k <= N.
Proof. destruct parts as (_ & isu & _ & _ & someu & _). now apply back_in. Qed.

Lemma r_plus k i : r (k + i * nv) = r k.
Proof. destruct parts as (_ & _ & _ & _ & _ & somev & _). now apply forth_plus. Qed.

Lemma l_plus k i : l (k + i * nu) = l k.
Proof. destruct parts as (_ & _ & _ & _ & someu & _). now apply back_plus. Qed.

(** Parts of the repetition of one word are periodic. *)
Lemma word_alone p (isp : is_row N p) (somep : 1 <= length p) t0 d :
  (forall k, k < length p -> alike (map (forth p) (seq k (t0 + d * length p))) (map (forth p) (seq k t0))) ->
  forall t, t0 <= t -> forall k, alike (map (forth p) (seq k (t + d * length p))) (map (forth p) (seq k t)).
Proof.
  destruct parts as (low & _). intros at_t0.
  apply (alone N (single g) (pair g) (rule g) (all_lower_right g N low) (rule_decides g) G obeyG (forth p)
    (fun k t => map (forth p) (seq k t)) (length p)).
  - intros k. now apply forth_in.
  - intros k t. apply Forall_forall. intros y isin. apply in_map_iff in isin. destruct isin as (i & <- & _).
    now apply forth_in.
  - reflexivity.
  - intros k t. rewrite seq_S, map_app. reflexivity.
  - intros k. now apply forth_plus.
  - intros k t. apply nth_ext with (d := forth p 0) (d' := forth p 0); [now rewrite !map_length, !seq_length|].
    intros i less. rewrite map_length, seq_length in less. rewrite !map_nth, !seq_nth by assumption.
    rewrite <- (forth_plus p somep (k + i) 1). f_equal. lia.
  - assumption.
  - assumption.
Qed.

Lemma lines_right i : i <= nw + (s + e) * nu -> forall j, jf * nv <= j -> alike (WA i (j + jp * nv)) (WA i j).
Proof.
  destruct parts as (low & isu & isw & isv & someu & somev & p1 & q1 & f1 & rotations & on_lines & _).
  induction i as [|i IH]; intros le.
  - intros j lej. unfold WA, grown. cbn [seq map rev app]. revert j lej.
    assert (all : forall j, jf * nv <= j -> forall k, alike (map r (seq k (j + jp * nv))) (map r (seq k j)));
      [|intros j lej; now apply all].
    apply (word_alone v isv somev). fold nv r. intros k less.
    destruct (same_alike _ _ _ _ (rotations k less)) as (fits & fits' & is).
    assert (pure : forall t, begin + nw + k + t <= length long -> part long (begin + nw + k) t = map r (seq k t)).
    { intros t fit. rewrite length_long in fit. unfold part.
      apply nth_ext with (d := nth 0 long 0) (d' := r 0); [now rewrite !map_length, !seq_length|].
      intros i inrange. rewrite map_length, seq_length in inrange.
      rewrite (map_nth (fun p => nth p long 0)), map_nth, !seq_nth by assumption.
      fold (x (begin + nw + k + i)). replace (begin + nw + k + i) with (begin + (nw + k + i)) by lia.
      rewrite from_w by lia. unfold rb. destruct (Nat.ltb_spec (nw + k + i) nw); [lia|]. f_equal. lia. }
    rewrite !pure in is by assumption. replace (jf * nv + jp * nv) with ((jf + jp) * nv) by lia. exact is.
  - apply (line N (single g) (pair g) (rule g) (all_lower_right g N low) (rule_decides g) G obeyG
      la r WA i (jp * nv) (jf * nv)).
    + apply grown_grows; [exact la_in | exact r_in | apply Forall_nil].
    + intros j _. apply r_plus.
    + apply IH. lia.
    + destruct (on_lines i ltac:(lia)) as (inside & is). apply same_alike in is. destruct is as (fits & fits' & is).
      rewrite length_long in fits, fits'. rewrite !part_A in is by lia.
      replace (jf * nv + jp * nv) with ((jf + jp) * nv) by lia. exact is.
Qed.

Lemma columns_right j : j <= nw + (s + f) * nv -> forall i, cf * nu <= i -> alike (WB (i + cp * nu) j) (WB i j).
Proof.
  destruct parts as (low & isu & isw & isv & someu & somev & p1 & q1 & f1 & _ & _ & rotations & on_columns & _).
  induction j as [|j IH]; intros le.
  - intros i lei. unfold WB, grown. cbn [seq map app]. rewrite !app_nil_r.
    assert (all : forall t, cf * nu <= t -> forall k,
      alike (map (forth u) (seq k (t + cp * nu))) (map (forth u) (seq k t))).
    { apply (word_alone u isu someu). fold nu. intros k less. destruct (rotations k less) as (inside & is).
      apply same_alike in is. destruct is as (fits & fits' & is).
      assert (pure : forall t, k + t <= begin -> part long k t = map (forth u) (seq k t)).
      { intros t fit. unfold part. apply map_ext_in. intros p isin. apply in_seq in isin. apply before_w. lia. }
      rewrite Nat.mul_add_distr_r in is, inside. rewrite !pure in is by lia. exact is. }
    assert (is : forall n, n <= (i + cp * nu) * nu ->
      rev (map l (seq 0 n)) = map (forth u) (seq ((i + cp * nu) * nu - n) n)).
    { intros n len.
      pose proof (part_grown (forth u) ((i + cp * nu) * nu) l (fun k => forth u ((i + cp * nu) * nu + k))) as cut.
      specialize (cut ltac:(intros k less; symmetry; now apply back_forth) ltac:(reflexivity) n 0 len).
      rewrite Nat.add_0_r in cut. rewrite cut. unfold grown. cbn [seq map app]. now rewrite app_nil_r. }
    pose proof (more (i + cp * nu) nu someu) as big. set (long_word := (i + cp * nu) * nu) in *.
    rewrite !is by lia. specialize (all i lei (long_word - (i + cp * nu))).
    eapply alike_trans; [exact all|].
    replace (map (forth u) (seq (long_word - i) i)) with (map (forth u) (seq (long_word - (i + cp * nu)) i));
      [apply same_piles|].
    apply nth_ext with (d := forth u 0) (d' := forth u 0); [now rewrite !map_length, !seq_length|].
    intros k less. rewrite map_length, seq_length in less. rewrite !map_nth, !seq_nth by assumption.
    rewrite <- (forth_plus u someu (long_word - (i + cp * nu) + k) cp). f_equal. fold nu. lia.
  - apply (column N (single g) (pair g) (rule g) (all_lower_right g N low) (rule_decides g) G obeyG
      l rb WB j (cp * nu) (cf * nu)).
    + apply grown_grows; [exact l_in | exact rb_in | apply Forall_nil].
    + intros i _. apply l_plus.
    + apply IH. lia.
    + destruct (on_columns j ltac:(lia)) as (inside & is). apply same_alike in is. destruct is as (fits & fits' & is).
      rewrite length_long in fits, fits'. rewrite Nat.mul_add_distr_r in *. rewrite !part_B in is by lia. exact is.
Qed.

(** The step on the line s: compared up to where both sides repeat. *)
Lemma step_on_line j : s * nv <= j -> alike (W ((s + e) * nu) (j + f * nv)) (W (s * nu) j).
Proof.
  destruct parts as (low & isu & isw & isv & someu & somev & p1 & q1 & f1 & _ & _ & _ & _ & on_line & _).
  induction j as [j IH] using lt_wf_ind. intros le.
  destruct (le_lt_dec ((max s jf + jp) * nv) j) as [later | first].
  - destruct (beyond s jf jp nv j later) as (less & Ms & Mj). pose proof (one_more jp nv p1 somev) as some.
    specialize (IH (j - jp * nv) ltac:(lia) Ms).
    pose proof (lines_right (nw + (s + e) * nu) ltac:(lia) (j - jp * nv + f * nv) ltac:(lia)) as there.
    pose proof (lines_right (nw + s * nu) ltac:(lia) (j - jp * nv) Mj) as here.
    rewrite <- !W_A in there, here.
    replace (j - jp * nv + f * nv + jp * nv) with (j + f * nv) in there by lia.
    replace (j - jp * nv + jp * nv) with j in here by lia.
    eapply alike_trans; [exact there|]. eapply alike_trans; [exact IH|]. now apply alike_sym.
  - destruct (on_line j (conj le first)) as (inside & inside' & is). apply same_alike in is.
    destruct is as (fits & fits' & is).
    rewrite length_long in fits, fits'. rewrite !part_B in is by lia. now rewrite !W_B.
Qed.

Lemma step_on_column i : s * nu <= i -> alike (W (i + e * nu) ((s + f) * nv)) (W i (s * nv)).
Proof.
  destruct parts as (low & isu & isw & isv & someu & somev & p1 & q1 & f1 & _ & _ & _ & _ & _ & on_column & _).
  induction i as [i IH] using lt_wf_ind. intros le.
  destruct (le_lt_dec ((max s cf + cp) * nu) i) as [later | first].
  - destruct (beyond s cf cp nu i later) as (less & Ms & Mj). pose proof (one_more cp nu q1 someu) as some.
    specialize (IH (i - cp * nu) ltac:(lia) Ms).
    pose proof (columns_right (nw + (s + f) * nv) ltac:(lia) (i - cp * nu + e * nu) ltac:(lia)) as there.
    pose proof (columns_right (nw + s * nv) ltac:(lia) (i - cp * nu) Mj) as here.
    rewrite <- !W_B in there, here.
    replace (i - cp * nu + e * nu + cp * nu) with (i + e * nu) in there by lia.
    replace (i - cp * nu + cp * nu) with i in here by lia.
    eapply alike_trans; [exact there|]. eapply alike_trans; [exact IH|]. now apply alike_sym.
  - destruct (on_column i (conj le first)) as (inside & inside' & is). apply same_alike in is.
    destruct is as (fits & fits' & is).
    rewrite length_long in fits, fits'. rewrite !part_B in is by lia. now rewrite !W_B.
Qed.

Lemma steps_right i j : s <= i -> s <= j -> alike (row u w v (i + e) (j + f)) (row u w v i j).
Proof.
  destruct parts as (low & isu & isw & isv & someu & somev & _). intros lei lej. rewrite !row_W.
  replace ((i + e) * nu) with (i * nu + e * nu) by lia. replace ((j + f) * nv) with (j * nv + f * nv) by lia.
  apply (family_step N (single g) (pair g) (rule g) (all_lower_right g N low) (rule_decides g) G obeyG l r W
    (s * nu) (s * nv) (e * nu) (f * nv)).
  - apply grown_grows; [exact l_in | exact r_in | exact isw].
  - intros k _. apply l_plus.
  - intros k _. apply r_plus.
  - intros k le. replace (s * nu + e * nu) with ((s + e) * nu) by lia. now apply step_on_line.
  - intros k le. replace (s * nv + f * nv) with ((s + f) * nv) by lia. now apply step_on_column.
  - now apply Nat.mul_le_mono_r.
  - now apply Nat.mul_le_mono_r.
Qed.

Lemma value_at i j : i <= many_u -> j <= many_v -> value i j = G (row u w v i j).
Proof.
  destruct parts as (low & isu & isw & isv & someu & somev & _). intros lei lej.
  pose proof (Nat.mul_le_mono_r _ _ nu lei) as fits. fold begin in fits.
  pose proof (Nat.mul_le_mono_r _ _ nv lej) as fits'.
  unfold value, tiles. rewrite (value_right g N G low obeyG long long_row) by (rewrite length_long; lia).
  now rewrite part_B, row_W, W_B by lia.
Qed.

Lemma listed_right i j : i < length (listed c) -> j < length (nth i (listed c) []) ->
  G (row u w v i j) = nth j (nth i (listed c) []) 0.
Proof.
  destruct parts as (_ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & right & _). intros lessi lessj.
  destruct (right i j lessi lessj) as (fiti & fitj & <-). symmetry. now apply value_at.
Qed.

Lemma equal_values m m' : alike m m' -> G m = G m'.
Proof.
  intros is. specialize (is 0 0 ltac:(lia) ltac:(lia)). unfold glue in is. cbn [pile app] in is.
  now rewrite !app_nil_r in is.
Qed.

Lemma steps_values k i j : s <= i -> s <= j -> G (row u w v (i + k * e) (j + k * f)) = G (row u w v i j).
Proof.
  induction k as [|k IH]; intros lei lej; [now rewrite !Nat.add_0_r|].
  rewrite <- IH by assumption.
  rewrite <- (equal_values _ _ (steps_right (i + k * e) (j + k * f) ltac:(lia) ltac:(lia))).
  f_equal. f_equal; lia.
Qed.

Lemma periods_values k i j : i <= s + e -> jf <= j -> G (row u w v i (j + k * jp)) = G (row u w v i j).
Proof.
  induction k as [|k IH]; intros lei lej; [now rewrite Nat.add_0_r|]. rewrite <- IH by assumption.
  apply equal_values. rewrite !row_W, !W_A.
  replace ((j + S k * jp) * nv) with ((j + k * jp) * nv + jp * nv) by lia. apply lines_right.
  - apply Nat.add_le_mono_l. now apply Nat.mul_le_mono_r.
  - apply Nat.mul_le_mono_r. lia.
Qed.

Lemma not_regular_right a : In a (map fst (nonregular c)) -> forall (Q : Type) (all : list Q) (step : Q -> nat -> Q)
  (start : Q) (accepts : Q -> Prop), (forall q, In q all) ->
  ~ forall m, is_row N m -> (G m = a <-> accepts (fold_left step m start)).
Proof.
  intros isin Q all stepQ startQ accepts finite says. apply in_map_iff in isin.
  destruct isin as ((a' & (i & j)) & <- & isin).
  cbn [fst] in *.
  destruct parts as (low & isu & isw & isv & someu & somev & p1 & q1 & f1 & _ & _ & _ & _ & _ & _ & _ & not).
  specialize (not _ _ _ isin). cbv beta zeta in not.
  destruct not as ((lei & lei') & lej & fiti & fitj & fitl & unlike).
  set (n := (jf + i + 1) * jp) in *. set (later := jf + (j + n * f - jf) mod jp) in *.
  rewrite (value_at i j fiti fitj), (value_at i later fiti fitl) in unlike.
  (* All rows u^i w v^(j + k n f) with k >= 1 have one value. *)
  assert (far : jf <= j + n * f).
  { assert (big : jf + i + 1 <= n) by (unfold n; now apply more). pose proof (more n f f1). lia. }
  assert (on_line : forall k, 1 <= k -> G (row u w v i (j + k * n * f)) = G (row u w v i later)).
  { intros k some. pose proof (Nat.div_mod (j + n * f - jf) jp ltac:(lia)) as is.
    replace (j + k * n * f) with (later + ((j + n * f - jf) / jp + (k - 1) * (jf + i + 1) * f) * jp).
    - apply periods_values; [assumption | unfold later; lia].
    - unfold later. replace k with (S (k - 1)) at 2 by lia.
      transitivity (jf + (jp * ((j + n * f - jf) / jp) + (j + n * f - jf) mod jp) + (k - 1) * n * f);
        [unfold n; ring|].
      rewrite <- is. replace (S (k - 1) * n * f) with (n * f + (k - 1) * n * f) by ring. lia. }
  assert (rows : forall i' j', is_row N (row u w v i' j')).
  { intros i' j'. rewrite row_W. apply (grown_grows N l r w); [exact l_in | exact r_in | exact isw]. }
  apply (not_regular Q all stepQ startQ accepts (fun m => accepts (fold_left stepQ m startQ))
    (fun k => power u (i + k * n * e) ++ w) (fun k => power v (j + k * n * f))); [assumption | reflexivity|].
  intros k k' less. rewrite <- !app_assoc.
  fold (row u w v (i + k * n * e) (j + k' * n * f)) (row u w v (i + k' * n * e) (j + k' * n * f)).
  rewrite <- !says by apply rows.
  rewrite (steps_values (k' * n) i j) by assumption.
  replace (j + k' * n * f) with (j + (k' - k) * n * f + k * n * f) by nia.
  rewrite (steps_values (k * n) i (j + (k' - k) * n * f)) by (eauto using Nat.le_trans, Nat.le_add_r).
  rewrite (on_line (k' - k)) by lia.
  destruct (Nat.eqb_spec (G (row u w v i j)) a'), (Nat.eqb_spec (G (row u w v i later)) a'); cbn in unlike;
    try discriminate; tauto.
Qed.

End Family.

(** What an accepted certificate proves: from the start on, the tiles repeat along the step; the listed values are
    right;
    and for each cell that it names, the rows with this cell are not a regular set. *)
Theorem family_accepted g N c : accepts_family g N c = true -> forall G, rows.values g N G ->
  (forall i j, start c <= i -> start c <= j -> tile N G
    (row (left c) (middle c) (right c) (i + fst (step c)) (j + snd (step c)))
    (row (left c) (middle c) (right c) i j)) /\
  (forall i j, i < length (listed c) -> j < length (nth i (listed c) []) ->
    G (row (left c) (middle c) (right c) i j) = nth j (nth i (listed c) []) 0) /\
  (forall a, In a (map fst (nonregular c)) -> forall (Q : Type) (all : list Q) (step : Q -> nat -> Q) (start : Q)
    (accepts : Q -> Prop), (forall q, In q all) ->
    ~ forall m, is_row N m -> (G m = a <-> accepts (fold_left step m start))).
Proof.
  intros accepted G obeyG. split; [|split].
  - intros i j. exact (steps_right g N c accepted G obeyG i j).
  - intros i j. exact (listed_right g N c accepted G obeyG i j).
  - exact (not_regular_right g N c accepted G obeyG).
Qed.
