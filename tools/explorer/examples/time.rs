//! Times the questions of the page, for comparison with the times that the page itself shows:
//! `cargo run --release -p grundy-explorer --example time`.

use std::time::Instant;

use grundy_explorer::Session;
use serde_json::{Value, json};

fn main() {
    let session = Session::new(|| 0.0, |_, _| ());
    let tile = |side: u32| json!({"ask": "tile", "game": "end-nim", "middle": "4", "side": side, "differences": false});
    let check = json!({
        "ask": "check", "game": "end-nim", "statement": "g == 1 -> abs(first - last) <= 1",
        "lengths": [4, 4], "max_pile": 64,
    });
    let questions: [(&str, Value); 7] = [
        ("2,3,4", json!({"ask": "position", "game": "end-nim", "position": "2,3,4"})),
        ("tile of 64", tile(64)),
        ("tile of 256", tile(256)),
        ("tile of 1024", tile(1024)),
        (
            "g(n) to 1000000",
            json!({"ask": "singles", "game": "short-global-nim", "last": 1_000_000}),
        ),
        ("sets of 16", json!({"ask": "sets", "game": "long-global-nim", "pile": 16})),
        ("four piles of 64", check),
    ];
    for (name, question) in questions {
        let question = question.to_string();
        // The first run is left out, because it allocates memory.
        let times = (0..6).map(|_| {
            let begun = Instant::now();
            let reply = session.ask(question.as_bytes());
            assert!(!reply.text.starts_with("{\"error\""), "{}", reply.text);
            begun.elapsed().as_secs_f64() * 1000.0
        });
        let mut times: Vec<f64> = times.skip(1).collect();
        times.sort_by(f64::total_cmp);
        println!("{name:<18} {:>9.3} ms", times[times.len() / 2]);
    }
}
