(** * The complete statements that the other files of docs/proofs prove.

    A reader who trusts Coq needs to read only this file and the definitions that it names. The proof of each
    statement here is the theorem of one of those files, so the two statements are identical. *)

Require Import List.
Require Import families.
Require lengths boxes conjecture rows words.

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
Theorem conjecture_holds : forall n W l,
  family n W -> T l <= n < T (S l) -> value n n (fun x => 1 <= x <= n) l.
Proof. exact conjecture_34. Qed.

(** The checker of certificates: if it accepts any numbers whatever, the conjecture holds up to the bound. *)
Theorem certificates : forall bound c, conjecture.accepts bound c = true ->
  forall n l, n <= BinNat.N.to_nat bound -> T l <= n < T (S l) -> value n n (fun x => 1 <= x <= n) l.
Proof. exact conjecture.accepted. Qed.

(** The gap lemma. The pile that n chooses for i is [ch n i]. *)
Theorem gaps : forall (x : nat -> nat) (M : nat -> nat -> Prop) (ch : nat -> nat -> nat),
  (forall i m, M i m -> T i <= m < T (S i)) ->
  (forall l n i, M l n -> i + 2 <= l -> M i (ch n i) /\ i <= x (n - ch n i) < l) ->
  forall n l, T l <= n < T (S l) ->
  (forall i, i + 2 <= l -> M i (ch n i) /\ i <= x (n - ch n i)) ->
  value n n (fun d => 1 <= d <= n) l.
Proof. exact gap_lemma. Qed.

(** Rows of all lengths. Let the outputs of an automaton obey the rules at the empty row, at single piles, and at all
    ends of the tuples that occur. Then the output after each row is its value. *)
Theorem automata : forall N single pair rule, lengths.lowers N single pair -> lengths.decides rule ->
  forall (Q : Type) (step : Q -> nat -> Q) (start : Q) (out : Q -> nat) (R : (nat -> Q) -> Prop),
  (exists s, R s /\ forall x, x <= N -> s x = lengths.next Q step start x) ->
  (forall s c, R s -> 1 <= c <= N -> exists s', R s' /\ forall x, x <= N -> s' x = step (s x) c) ->
  rule (fun _ _ => False) (out start) ->
  (forall a, 1 <= a <= N ->
    rule (fun p u => exists a', single p a a' /\ out (lengths.next Q step start a') = u) (out (lengths.next Q step start a))) ->
  (forall s a b, R s -> 1 <= a <= N -> 1 <= b <= N ->
    rule (fun p u => exists a' b', pair p a b a' b' /\ out (lengths.next Q step (s a') b') = u) (out (lengths.next Q step (s a) b))) ->
  forall G, (forall row, lengths.is_row N row -> lengths.obeys single pair rule G row) ->
  forall row, lengths.is_row N row -> G row = out (lengths.after Q step start row).
Proof. exact lengths.automaton_says. Qed.

(** The rules of values and of outcomes, in normal and misère play. *)
Theorem rules : (forall t, lengths.decides (lengths.mex t)) /\ (forall t, lengths.decides (lengths.outcome t)).
Proof. exact (conj lengths.mex_decides lengths.outcome_decides). Qed.

(** The checker of automata: if it accepts an automaton, the output after each row is its value, and no automaton with
    fewer states has these outputs. The games are lists of moves, defined in rows.v. *)
Theorem automaton_certificates : forall g N m tuples, rows.accepts_automaton g N m tuples = true ->
  (forall G, rows.values g N G -> forall row, lengths.is_row N row -> G row = rows.says m row) /\
  (forall (Q : Type) (all : list Q) (step : Q -> nat -> Q) (start : Q) (out : Q -> nat),
    (forall q, In q all) ->
    (forall row, lengths.is_row N row -> out (lengths.after Q step start row) = rows.says m row) ->
    length m <= length all).
Proof. exact rows.automaton_accepted. Qed.

(** A line of tiles is periodic if the line before it is; the repetition of a single word is periodic; a step that
    is correct on one line and one column is correct on all later ones. *)
Theorem lines : forall N single pair rule, lengths.lowers N single pair -> lengths.decides rule ->
  forall G, (forall row, lengths.is_row N row -> lengths.obeys single pair rule G row) ->
  forall l r w i p j0, lengths.grows N l r w -> (forall j, j0 <= j -> r (j + p) = r j) ->
  (forall j, j0 <= j -> lengths.tile N G (w i (j + p)) (w i j)) ->
  lengths.tile N G (w (S i) (j0 + p)) (w (S i) j0) ->
  forall j, j0 <= j -> lengths.tile N G (w (S i) (j + p)) (w (S i) j).
Proof. exact lengths.line. Qed.

Theorem words_alone : forall N single pair rule, lengths.lowers N single pair -> lengths.decides rule ->
  forall G, (forall row, lengths.is_row N row -> lengths.obeys single pair rule G row) ->
  forall r v n p t0, (forall f, 1 <= r f <= N) -> (forall f t, lengths.is_row N (v f t)) ->
  (forall f t, v f (S t) = cons (r f) (v (S f) t)) -> (forall f t, v f (S t) = app (v f t) (cons (r (f + t)) nil)) ->
  (forall f, r (f + p) = r f) -> (forall f t, v (f + n) t = v f t) -> 1 <= n ->
  (forall f, f < n -> lengths.tile N G (v f (t0 + p)) (v f t0)) ->
  forall t, t0 <= t -> forall f, lengths.tile N G (v f (t + p)) (v f t).
Proof. exact lengths.alone. Qed.

Theorem steps : forall N single pair rule, lengths.lowers N single pair -> lengths.decides rule ->
  forall G, (forall row, lengths.is_row N row -> lengths.obeys single pair rule G row) ->
  forall l r w i0 j0 e f, lengths.grows N l r w ->
  (forall i, i0 <= i -> l (i + e) = l i) -> (forall j, j0 <= j -> r (j + f) = r j) ->
  (forall j, j0 <= j -> lengths.tile N G (w (i0 + e) (j + f)) (w i0 j)) ->
  (forall i, i0 <= i -> lengths.tile N G (w (i + e) (j0 + f)) (w i j0)) ->
  forall i, i0 <= i -> forall j, j0 <= j -> lengths.tile N G (w (i + e) (j + f)) (w i j).
Proof. exact lengths.family_step. Qed.

(** The checker of families: if it accepts a certificate, the tiles of the rows u^i w v^j repeat along the step from the
    start on, the listed values are right, and for each value a that it names as not regular, no automaton accepts
    exactly the rows of value a. *)
Theorem family_certificates : forall g N c, words.accepts_family g N c = true -> forall G, rows.values g N G ->
  (forall i j, words.start c <= i -> words.start c <= j -> lengths.tile N G
    (words.row (words.left c) (words.middle c) (words.right c) (i + fst (words.step c)) (j + snd (words.step c)))
    (words.row (words.left c) (words.middle c) (words.right c) i j)) /\
  (forall i j, i < length (words.listed c) -> j < length (nth i (words.listed c) nil) ->
    G (words.row (words.left c) (words.middle c) (words.right c) i j) = nth j (nth i (words.listed c) nil) 0) /\
  (forall a, In a (map fst (words.nonregular c)) ->
    forall (Q : Type) (all : list Q) (step : Q -> nat -> Q) (start : Q) (accepts : Q -> Prop), (forall q, In q all) ->
    ~ forall m, lengths.is_row N m -> (G m = a <-> accepts (fold_left step m start))).
Proof. exact words.family_accepted. Qed.

(** Words lead to different states if some word behind them distinguishes them. *)
Theorem regular : forall (Q : Type) (all : list Q) (step : Q -> nat -> Q) (start : Q) (accepts : Q -> Prop)
  (is : list nat -> Prop) (u v : nat -> list nat),
  (forall q, In q all) -> (forall row, is row <-> accepts (fold_left step row start)) ->
  (forall k k', k < k' -> ~ (is (app (u k) (v k')) <-> is (app (u k') (v k')))) -> False.
Proof. exact lengths.not_regular. Qed.

(** Small boxes. In a game of types, let the laws S u, u <= v, be unions of (C, m)-types. If S u holds exactly for the
    positions of value u among the positions with numbers up to the bound [box C m k r], then among all positions.
    (In misère play, where t = 1, the positions without moves must agree with a union of types in the box too.) *)
Theorem small_boxes : forall C m k r g t G v S, 1 <= C -> 1 <= m ->
  boxes.of_types C m k r g -> boxes.values t g G ->
  (forall u, u <= v -> boxes.by_type C m (S u)) ->
  (forall p u, boxes.position g p -> boxes.within (boxes.box C m k r) p -> u <= v -> (S u p <-> G p = u)) ->
  (t = 0 \/ exists T, boxes.by_type C m T /\
    forall p, boxes.position g p -> boxes.within (boxes.box C m k r) p -> (T p <-> forall o, ~ boxes.option g p o)) ->
  forall p u, boxes.position g p -> u <= v -> (S u p <-> G p = u).
Proof. exact boxes.small_box. Qed.

(** End-Nim with at most k piles is such a game, with one number for each move, for all C and m. *)
Theorem end_nim_is_of_types : forall C m k, 1 <= C -> boxes.of_types C m k 1 (boxes.end_nim k).
Proof. exact boxes.end_nim_of_types. Qed.
