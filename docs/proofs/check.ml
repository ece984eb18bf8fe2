(* Reads a certificate and asks the checkers that Coq has proved (conjecture.v, rows.v). Prints what they accept. *)

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

let () =
  let file = Sys.argv.(1) in
  match
    let header = really_input_string (open_in_bin file) 32 in
    conjecture file (Int32.to_int (String.get_int32_le header 12))
  with
  | statement -> print_endline statement
  | exception reason -> prerr_endline ("refused: " ^ Printexc.to_string reason); exit 1
