//! The session gives the same answers as the crates, and refuses a bad question with a sentence.

#[path = "../../../crates/testing/src/cases.rs"]
pub mod cases;

use grundy_explorer::{Reply, Session, limits};
use serde_json::{Value, json};

use cases::cases;

fn session() -> Session {
    Session::new(|| 0.0, |_, _| ())
}

fn ask(question: &Value) -> (Value, Vec<u32>) {
    let Reply { text, numbers } = session().ask(question.to_string().as_bytes());
    (serde_json::from_str(&text).unwrap(), numbers)
}

/// Each answer has the members in session.txt; `numbers` stands for the numbers beside the JSON.
#[test]
fn answers_have_the_listed_members() {
    let mut found = Value::Null;
    for (line, [question, place, expected]) in cases(include_str!("session.txt"), "answered") {
        // A line without a question lists another member of the previous answer.
        if !question.is_empty() {
            let (answer, numbers) = ask(&serde_json::from_str(question).unwrap());
            found = answer;
            found["numbers"] = json!(numbers);
        }
        let expected: Value = serde_json::from_str(expected).unwrap();
        assert_eq!(found.pointer(place), Some(&expected), "line {line}: {found}");
    }
}

fn refused(question: &Value) -> String {
    let (answer, numbers) = ask(question);
    assert!(numbers.is_empty());
    answer["error"].as_str().unwrap_or_else(|| panic!("{question}: {answer}")).to_owned()
}

/// By the theorem on three piles, the position 2,3,4 of the README has the value 5, and only the
/// move to 2,3,2 wins.
#[test]
fn a_position_has_its_moves_and_reasons() {
    let (found, _) = ask(&json!({"ask": "position", "game": "end-nim", "position": "2,3,4"}));
    assert_eq!((&found["grundy"], &found["outcome"]), (&json!(5), &json!("N")));
    let moves = found["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 6);
    let winning: Vec<&Value> = moves.iter().filter(|made| made["winning"] == true).collect();
    assert_eq!(winning.len(), 1);
    assert_eq!(winning[0]["option"], "2,3,2");
    // By hand: from 2,3,2 the loser moves to 1,3,2 or 3,2. From either position play lasts 5 moves.
    assert_eq!((&found["remoteness"], &winning[0]["remoteness"]), (&json!(7), &json!(6)));
    let reason = &winning[0]["reason"];
    assert_eq!(reason["claim"], "ch.three-pile-p");
    assert_eq!(reason["with"], "a, b, a with a = 2 and b = 3");
}

/// By a theorem a, b, a is lost in End-Nim if b differs from a. Each answer must leave a lost row.
#[test]
fn each_move_of_a_lost_position_has_an_answer() {
    for (game, lost, moves) in [("end-nim", "2,3,2", 4), ("nim", "1,2,3", 6)] {
        let (found, _) = ask(&json!({"ask": "replies", "game": game, "position": lost}));
        let replies = found["replies"].as_array().unwrap();
        assert_eq!(replies.len(), moves, "{game}");
        for made in replies {
            assert_eq!(made["reply"]["grundy"], 0, "{made}");
        }
    }
}

/// 60 xor 61 = 1 = 62 xor 63 and 64 xor 99 = 35, so by Bouton's theorem the player to move wins. A
/// winning move changes a pile n to n xor 35, if that is less than n: by hand, to 31, 30, 29, 28 or
/// 64. Computing the value of so many piles would take hours.
#[test]
fn a_theorem_decides_positions_that_are_too_large() {
    let asked = json!({"ask": "position", "game": "misere-nim", "position": "60,61,62,63,64,99"});
    let (found, _) = ask(&asked);
    assert_eq!((&found["grundy"], &found["outcome"]), (&json!(null), &json!("N")), "{found}");
    assert_eq!(
        (&found["source"], &found["reason"]["claim"]),
        (&json!("theorem"), &json!("bouton.misere"))
    );
    assert!(found["beyond"].as_str().unwrap().contains("too large"), "{found}");
    let moves = found["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 60 + 61 + 62 + 63 + 64 + 99);
    let winning: Vec<&Value> =
        moves.iter().filter(|made| made["winning"] == true).map(|made| &made["to"]).collect();
    assert_eq!(winning, [31, 30, 29, 28, 64]);
    // No theorem decides this position.
    let asked = json!({"ask": "position", "game": "end-wythoff", "position": "900,900,900,900"});
    let reply = Session::new(hurried, |_, _| ()).ask(asked.to_string().as_bytes());
    assert!(reply.text.contains("out of time"), "{}", reply.text);
}

/// A clock that advances by an hour at every reading.
fn hurried() -> f64 {
    static HOURS: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    f64::from(HOURS.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) * 3600.0
}

#[test]
fn a_check_has_a_time_limit() {
    let check = |lengths: [usize; 2], max_pile: u32| {
        json!({
            "ask": "check", "game": "end-nim", "statement": "g <= first + last",
            "lengths": lengths, "max_pile": max_pile,
        })
    };
    // The check is refused because of the estimated time.
    let error = refused(&check([8, 8], 64));
    assert!(error.contains("limit is 10 minutes"), "{error}");
    // The check is stopped because of the elapsed time.
    let session = Session::new(hurried, |_, _| ());
    let reply = session.ask(check([1, 4], 64).to_string().as_bytes());
    assert!(reply.text.contains("given up"), "{}", reply.text);
}

/// Each of the 2^6 sets of a pile of 6 has the value that a query of the position gives.
#[test]
fn sets_stand_at_their_masks() {
    let (_, numbers) = ask(&json!({"ask": "sets", "game": "long-global-nim", "pile": 6}));
    assert_eq!(numbers.len(), 64);
    for (mask, &number) in numbers.iter().enumerate() {
        let members: Vec<String> =
            (1..=6).filter(|s| mask >> (s - 1) & 1 == 1).map(|s| s.to_string()).collect();
        let position = format!("6{{{}}}", members.join(","));
        let asked = json!({"ask": "value", "game": "long-global-nim", "position": position});
        assert_eq!(ask(&asked).0["grundy"], number, "{position}");
    }
}

/// The map counts the counterexamples of a check, and the estimate counts the positions that the
/// check covers. The map contains each counterexample that the check shows.
#[test]
fn the_failures_of_a_statement_are_a_map() {
    let asked = |ask: &str| {
        json!({
            "ask": ask, "game": "end-nim", "statement": "g == 1 -> abs(first - last) <= 1 # so?",
            "lengths": [3, 3], "max_pile": 64,
        })
    };
    let (found, numbers) = ask(&asked("failures"));
    assert_eq!((&found["side"], numbers.len(), numbers.iter().sum()), (&json!(64), 64 * 64, 62u32));
    let checked = ask(&asked("check")).0;
    for counterexample in checked["counterexamples"].as_array().unwrap() {
        let piles = counterexample["position"].as_str().unwrap().split(',');
        let piles: Vec<usize> = piles.map(|pile| pile.parse().unwrap()).collect();
        assert!(numbers[(piles[0] - 1) * 64 + piles[2] - 1] > 0, "{counterexample}");
    }
    let (found, _) = ask(&asked("estimate"));
    assert_eq!((&found["positions"], &found["max_pile"]), (&json!(64 * 64 * 64), &json!(64)));
    assert!(found["seconds"].as_f64().unwrap() < 1.0);
}

/// A rule file, as a user types it on the page.
const WYTHOFF: &str = include_str!("../../../crates/rules/games/end-wythoff.game");

/// A typed game has the values of the built-in game with the same rules.
#[test]
fn a_typed_game_is_answered_like_a_named_one() {
    for question in [
        json!({"ask": "tile", "middle": "3", "side": 24, "differences": false}),
        json!({"ask": "row", "word": "3,5", "last": 60}),
        json!({"ask": "check", "statement": "P -> first < last", "lengths": [2, 3], "max_pile": 9}),
    ] {
        let of = |game: &str| {
            let mut question = question.clone();
            question["game"] = game.into();
            let (mut found, numbers) = ask(&question);
            (found["game"], found["seconds"]) = (Value::Null, Value::Null);
            (found, numbers)
        };
        assert_eq!(of(WYTHOFF), of("end-wythoff"), "{question}");
    }
    let (found, _) = ask(&json!({"ask": "position", "game": WYTHOFF, "position": "2,3,4"}));
    assert_eq!((&found["grundy"], found["moves"].as_array().map(Vec::len)), (&json!(4), Some(8)));
    let (found, _) = ask(&json!({"ask": "game", "game": WYTHOFF}));
    assert_eq!((&found["kind"], &found["lengths"]), (&json!("row"), &json!([1, 63])));
}

/// For each ruleset of the program, the session chooses a first position that has moves.
#[test]
fn every_ruleset_can_be_typed() {
    let (found, _) = ask(&json!({"ask": "rulesets"}));
    let all = found.as_array().unwrap();
    assert!(all.len() >= 35);
    for ruleset in all {
        let (found, _) = ask(&json!({"ask": "game", "game": ruleset[2]}));
        assert_eq!(found["text"], ruleset[2]);
        let asked = json!({"ask": "position", "game": ruleset[2], "position": found["example"]});
        let (position, _) = ask(&asked);
        assert!(!position["moves"].as_array().unwrap().is_empty(), "{ruleset}: {position}");
    }
}

#[test]
fn an_invalid_question_is_refused_in_a_sentence() {
    let mistaken = WYTHOFF.replace("g(5,2,3) = 0", "g(5,2,3) = 5");
    let unbound = WYTHOFF.replace("first -= t", "first -= s");
    let endless = WYTHOFF.replace("1..first", "1..10^18");
    let deep = WYTHOFF.replace("1..first", &format!("1..{}first", "(".repeat(20_000)));
    let long = "9".repeat(limits::MOST_BYTES);
    let read = |(_, [question, word]): (usize, [&'static str; 2])| {
        (serde_json::from_str(question).unwrap(), word)
    };
    let listed = cases(include_str!("session.txt"), "refused").into_iter().map(read);
    let made = [
        (json!({"ask": "game", "game": "no\ngame"}), "key: value"),
        (json!({"ask": "game", "game": mistaken}), "g(5,2,3)"),
        (json!({"ask": "game", "game": unbound}), "^"),
        (json!({"ask": "game", "game": deep}), "deep"),
        (json!({"ask": "position", "game": endless, "position": "2,3"}), "10^18"),
        (json!({"ask": "value", "game": "end-nim", "position": long}), "too long"),
    ];
    for (question, word) in listed.chain(made) {
        let error = refused(&question);
        assert!(error.contains(word) && !error.is_empty(), "{question}: {error}");
    }
    let text = session().ask(b"\xff\x00").text;
    assert!(text.starts_with("{\"error\""), "{text}");
}
