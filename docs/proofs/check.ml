(* Reads a certificate and gives it to the checkers that Coq has proved. Prints what they accept. *)

(* The varints of the body of a certificate of Conjecture 34. *)
let rec numbers body = lazy (
  let rec number shift =
    let byte = input_byte body in
    let low = Z.shift_left (Z.of_int (byte land 127)) shift in
    if byte < 128 then low else Z.add low (number (shift + 7)) in
  let first = number 0 in
  Checkers.Number (first, numbers body))

let conjecture file bound =
  let body = Unix.open_process_in ("tail -c +33 " ^ Filename.quote file ^ " | head -c -32 | zstd -dcq") in
  if Checkers.accepts (Z.of_int bound) (numbers body)
  then Printf.sprintf "Conjecture 34 holds for n = 0 to %d" bound
  else failwith "a family does not hold"

(* Certificates of rows of all lengths are JSON. *)
type json = Null | Number of int | Text of string | List of json list | Object of (string * json) list

let rec json from = Scanf.bscanf from " %0c" (function
  | '{' -> Object (items '}' (fun from -> let name = Scanf.bscanf from " %S :" Fun.id in (name, json from)) from)
  | '[' -> List (items ']' json from)
  | '"' -> Text (Scanf.bscanf from "%S" Fun.id)
  | 'n' -> Scanf.bscanf from "null" Null
  | _ -> Number (Scanf.bscanf from "%u" Fun.id))

(* Reads a bracket or a comma, and the items from there to the bracket [last]. *)
and items : 'a. char -> (Scanf.Scanning.in_channel -> 'a) -> Scanf.Scanning.in_channel -> 'a list =
  fun last item from -> Scanf.bscanf from "%c %0c" (fun _ next ->
    if next = last then Scanf.bscanf from "%c" (fun _ -> [])
    else let it = item from in
      Scanf.bscanf from " %0c" (fun mark ->
        if mark = ',' then it :: items last item from
        else if mark = last then Scanf.bscanf from "%c" (fun _ -> [ it ])
        else failwith "not JSON"))

let text = function
  | List piles -> String.concat "," (List.map (function Number n -> string_of_int n | _ -> failwith "no number") piles)
  | _ -> failwith "no list"
let list of_item = function List all -> List.map of_item all | _ -> failwith "no list"
let nat = function
  | Number n when n < 100_000 -> List.fold_left (fun n _ -> Checkers.S n) Checkers.O (List.init n Fun.id)
  | _ -> failwith "no small number"

let rows members =
  let get name = List.assoc name members in
  let outcomes = get "of" = Text "outcomes" in
  let play, t = match get "convention" with
    | Null -> "", Checkers.O
    | Text "misere" -> " (misere)", Checkers.S Checkers.O
    | _ -> failwith "unknown convention" in
  let name, game = match get "game", get "rules" with
    | Text ("end-nim" as name), Null -> name, Checkers.end_nim t outcomes
    | Text ("misere-end-nim" as name), Null -> name, Checkers.misere_end_nim t outcomes
    | Text ("loop-end-nim" as name), Null -> name, Checkers.loop_end_nim t outcomes
    | Text ("end-wythoff" as name), Null -> name, Checkers.end_wythoff t outcomes
    | Text ("partizan-end-nim" as name), Null when outcomes -> name, Checkers.partizan_end_nim t outcomes
    | _ -> failwith "the moves of this game are not in rows.v" in
  let cell = function
    | Null -> Checkers.compute game []
    | Text wins when outcomes -> nat (Number (List.assoc wins [ "P", 0; "R", 1; "L", 2; "N", 3 ]))
    | value -> nat value in
  let piles = match get "piles" with Number piles -> piles | _ -> failwith "no piles" in
  let what = if outcomes then "outcomes" else "Grundy values" in
  match get "format" with
  | Text "grundy-automaton" ->
    let automaton = List.combine (list cell (get "outputs")) (list (list nat) (get "transitions")) in
    if Checkers.accepts_automaton game (nat (Number piles)) automaton (nat (get "tuples"))
    then Printf.sprintf "an automaton of %d states gives the %s of %s%s with piles of at most %d, for rows of all \
      lengths; no automaton with fewer states does" (List.length automaton) what name play piles
    else failwith "the outputs do not obey the rules, or the automaton is not the least"
  | Text "grundy-family" ->
    let pair name = match get name with List [ a; b ] -> nat a, nat b | _ -> failwith "no pair" in
    let entry = function List [ c; i; j ] -> cell c, (nat i, nat j) | _ -> failwith "no cell with its place" in
    let family = {
      Checkers.left = list nat (get "left"); middle = list nat (get "middle"); right = list nat (get "right");
      step = pair "step"; start = nat (get "start"); lines = pair "lines"; columns = pair "columns";
      listed = list (list cell) (get "values"); nonregular = list entry (get "nonregular") } in
    if Checkers.accepts_family game (nat (Number piles)) family
    then Printf.sprintf "the %s of the rows (%s)* %s (%s)* of %s%s repeat along the step (%s) from %s on, for all \
      lengths; the listed ones are right; the rows with piles of at most %d are not a regular set for %d of them" what
      (text (get "left")) (text (get "middle")) (text (get "right")) name play (text (get "step"))
      (text (List [ get "start" ])) piles (List.length family.nonregular)
    else failwith "the tiles do not repeat as stated, or a listed value is wrong"
  | _ -> failwith "unknown format"

let () =
  let file = Sys.argv.(1) in
  match
    let from = open_in_bin file in
    let header = really_input_string from 32 in
    if String.sub header 0 8 = "GRUNDYT\n" then conjecture file (Int32.to_int (String.get_int32_le header 12))
    else match json (seek_in from 0; Scanf.Scanning.from_channel from) with
      | Object members -> rows members
      | _ -> failwith "not a certificate"
  with
  | statement -> print_endline statement
  | exception reason -> prerr_endline ("refused: " ^ Printexc.to_string reason); exit 1
