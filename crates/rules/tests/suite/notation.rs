//! Tests of the notation of positions, and of the messages for invalid texts.

use grundy_rules::Game;
use grundy_rules::games::{
    END_NIM, LONG_GLOBAL_NIM as LONG, LOOP_END_NIM, MISERE_END_NIM, MISERE_NIM, NIM,
    SHORT_GLOBAL_NIM as SHORT,
};

#[test]
fn a_text_is_printed_as_it_is_written() {
    let cases: [(Game, &[&str], &str); 12] = [
        (
            END_NIM,
            &["3,1,4", "3 1 4", " 3 , 1,4 ", "3, 1 4", "03,1,4", "(3,1,4)", " ( 3 1 4 ) "],
            "3,1,4",
        ),
        (END_NIM, &["()", " ( ) "], "()"),
        (NIM, &["3,1,4", "4 0 1,3"], "1,3,4"),
        (NIM, &["0,0"], "()"),
        (SHORT, &["20,20/3"], "20,20/3"),
        (SHORT, &[" 4 1 / 2 ", "(4,1)/2"], "1,4/2"),
        (SHORT, &["4,1/0", "4,1"], "1,4"),
        (SHORT, &["()/5"], "()/5"),
        (LONG, &["8{1,3,4}"], "8{1,3,4}"),
        (LONG, &[" 5 , 3 { 1 .. 4 , 5 } ", "3,5"], "3,5{1..5}"),
        (LONG, &["32{28..31,1..7}"], "32{1..7,28..31}"),
        (LONG, &["8{9}", "8{}"], "8{}"),
    ];
    for (game, texts, printed) in cases {
        for text in texts {
            assert_eq!(game.parse(text).unwrap().to_string(), printed, "{game} {text}");
        }
    }
}

/// A message names a pile by its number, from 1. A sign is not a digit, although `u32::from_str`
/// accepts it, and 0 is not a move. If a run descends, the message names the run, not the set.
#[test]
fn an_invalid_position_is_refused_with_a_reason() {
    let cases: [(Game, &[(&str, &str)]); 7] = [
        (
            END_NIM,
            &[
                ("  ", "no piles given"),
                ("3,0,4", "pile 2 of '3,0,4' is 0"),
                ("3,-1", "pile 2 of '3,-1' is '-1', which is not a whole number"),
                ("a,b", "pile 1 of 'a,b' is 'a'"),
                ("3,,4", "pile 2 of '3,,4' is ''"),
                ("3,", "pile 2 of '3,' is ''"),
                ("1.5", "pile 1 of '1.5' is '1.5'"),
                ("(3,x)", "pile 2 of '3,x' is 'x'"),
                ("(3", "pile 1 of '(3' is '(3'"),
                ("((3))", "pile 1 of '(3)' is '(3)'"),
                ("1000000001", "pile 1 of '1000000001' is too large"),
                ("5,99999999999999999999", "pile 2 of '5,99999999999999999999' is too large"),
            ],
        ),
        (LOOP_END_NIM, &[("()", "the empty position () is not a position of loop-end-nim")]),
        (MISERE_END_NIM, &[("()", "the empty position () is not a position of misere-end-nim")]),
        (MISERE_NIM, &[("0", "the empty position () is not a position of misere-nim")]),
        (
            NIM,
            &[
                ("4/1", "'4/1' has a last move, which nim does not remember"),
                ("8{1}", "'8{1}' has a set of moves, which nim does not remember"),
            ],
        ),
        (
            SHORT,
            &[
                ("4/", "'' in '4/' is not a last move"),
                ("4/x", "'x' in '4/x' is not a last move"),
                ("4/-1", "'-1' in"),
                ("5/+1", "'+1' in"),
                ("4/1/2", "'1/2' in"),
                ("4/1000000001", "'1000000001' in"),
                ("/3", "no piles given"),
            ],
        ),
        (
            LONG,
            &[
                ("8{0}", "'0' in '8{0}' is not a set of moves"),
                ("8{1,1}", "'{1,1}' in '8{1,1}' is not a set of moves"),
                ("8{", "'{' in"),
                ("8{3..1}", "'3..1' in"),
                ("8{1,3..2}", "'3..2' in"),
                ("8{1..3,2}", "'{1..3,2}' in"),
                ("8{x}", "'x' in"),
                ("8{1}}", "'1}' in"),
                ("8{1,}", "'' in"),
                ("8{+1}", "'+1' in"),
                ("8{1..+3}", "'1..+3' in"),
                ("8{+1..3}", "'+1..3' in"),
                ("8{0..3}", "'0..3' in"),
            ],
        ),
    ];
    for (game, refusals) in cases {
        for (text, said) in refusals {
            let error = game.parse(text).unwrap_err().to_string();
            assert!(error.starts_with(said), "{game} {text}: {error}");
        }
    }
}
