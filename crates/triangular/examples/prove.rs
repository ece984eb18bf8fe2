//! Measures a proof: `prove N [MEMORY in MiB] [CERTIFICATE to write] [CERTIFICATE to start from]`.

use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use grundy_triangular::{Limits, Verdict, check_certificate, prove, prove_from};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let to: u32 = arguments.first().map_or(Ok(500), |n| n.parse())?;
    let mebibytes: u64 = arguments.get(1).map_or(Ok(4096), |m| m.parse())?;
    let path = arguments.get(2).map(PathBuf::from);
    let path = path.unwrap_or_else(|| std::env::temp_dir().join("conjecture-34.cert"));
    let limits = Limits { memory: mebibytes << 20 };

    let start = Instant::now();
    let mut last = None;
    let mut watch = |p: grundy_triangular::Progress| {
        if p.n.is_multiple_of(100) && last != Some(p.n) {
            last = Some(p.n);
            println!(
                "n {:5}  families {:9}  looked for {:9}  {:8.1} s  {:6} MiB",
                p.n,
                p.families,
                p.tried,
                start.elapsed().as_secs_f64(),
                p.bytes >> 20
            );
        }
        ControlFlow::Continue(())
    };
    let (proof, ended) = match arguments.get(3) {
        Some(from) => prove_from(BufReader::new(File::open(from)?), to, &limits, &mut watch)?,
        None => prove(to, &limits, &mut watch)?,
    };
    let open = (0..proof.decided()).filter(|&n| proof.verdict(n) != Some(Verdict::Proved));
    println!(
        "{ended:?}: n < {} decided, not proved: {:?}; families {}, looked for {}, {:.1} s, {} MiB",
        proof.decided(),
        open.collect::<Vec<_>>(),
        proof.families(),
        proof.tried(),
        start.elapsed().as_secs_f64(),
        proof.bytes() >> 20
    );

    let start = Instant::now();
    proof.write(&path)?;
    let bytes = std::fs::metadata(&path)?.len();
    println!("certificate: {bytes} bytes, written in {:.1} s", start.elapsed().as_secs_f64());
    drop(proof);
    let start = Instant::now();
    let checked = check_certificate(BufReader::new(File::open(&path)?))?;
    println!(
        "checked: n <= {}, first gap {:?}, families {}, moves {}, {:.1} s, {} MiB",
        checked.bound(),
        checked.first_gap(),
        checked.families(),
        checked.moves(),
        start.elapsed().as_secs_f64(),
        checked.bytes() >> 20
    );
    Ok(())
}
