//! Claims: statements against checks in Rust, readings that fail, shares and checkpoints.

use grundy::papers::{Claim, Domain, Means, Plan, Range, Verdict};
use grundy::{
    Ask, AskError, Checkpoint, Control, Database, Game, Isa, MergeError, Parts, Question,
};
use grundy_testing::cases::cases;

fn means() -> Means<'static> {
    let (certificate, keeper) = (None, None);
    Means { isa: Isa::best(), memory: (1 << 30).into(), threads: 2, certificate, keeper }
}

fn run(claims: &[&Claim], range: &Range) -> Vec<Verdict> {
    let plan = Plan::new(claims, &[], range).unwrap();
    plan.run(&Database::empty(), &means(), &Control::new()).unwrap()
}

fn sizes(max_pile: u32, length: usize) -> Range {
    Range { max_pile: Some(max_pile), length: Some(length), to: None }
}

/// A check in Rust, or a fast form, gives the same counts as the statements of its claim. If the
/// statements are about two piles, the check and the statements have different ranges.
#[test]
fn checks_in_rust_are_the_statements() {
    let mut compared = 0;
    let has_both = |claim: &&Claim| {
        !claim.checks.is_empty() && (claim.rust_check().is_some() || claim.fast().is_some())
    };
    for claim in Claim::all().filter(has_both) {
        let mut stated = claim.by_statements();
        let range = match claim.domain {
            Domain::Numbers { .. } if claim.id.starts_with("lgn") => {
                Range { to: Some(9), ..Range::default() }
            }
            Domain::Numbers { .. } => Range { to: Some(60), ..Range::default() },
            Domain::Positions { from, .. } => sizes(5, from + 3),
            _ => Range::default(),
        };
        let least = claim.checks[0].questions[0].least_length();
        if matches!(claim.domain, Domain::Numbers { .. }) && least > 1 {
            stated.domain = Domain::Usual { lengths: Some((least, least)), max_pile: Some(9) };
            assert_eq!(run(&[&stated], &Range::default())[0].failures, 0, "{}", claim.id);
            continue;
        }
        let counts = |claim: &Claim| {
            let Verdict { checked, premise, failures, range: said, .. } =
                run(&[claim], &range).remove(0);
            (checked, premise, failures, said)
        };
        assert_eq!(counts(claim), counts(&stated), "{}", claim.id);
        compared += 1;
    }
    assert!(compared >= 14, "{compared}");
}

/// Other readings of some claims fail, first at the given position.
#[test]
fn other_readings_fail() {
    for (_, [claim, game, lengths, max_pile, first, why, reading]) in
        cases(include_str!("readings.txt"), "readings")
    {
        assert!(Claim::all().any(|known| known.id == claim), "{claim}");
        let game: Game = game.parse().unwrap();
        let question = Question::parse(game, reading).unwrap();
        let (from, to) = lengths.split_once("..").unwrap_or((lengths, lengths));
        let lengths = from.parse().unwrap()..=to.parse().unwrap();
        let found = Ask::new(&question).check(lengths, max_pile.parse().unwrap()).unwrap();
        assert_eq!(found.least[0].0.to_string(), first, "{claim}, {why}");
    }
}

fn without_time(verdicts: Vec<Verdict>) -> Vec<Verdict> {
    verdicts.into_iter().map(|verdict| Verdict { seconds: 0.0, ..verdict }).collect()
}

const SOME: [&str; 6] =
    ["an.", "ch.thm2.1", "bouton.thm1", "partizan.odd-n", "end.bound", "end.zeros"];

/// Any division into shares, merged in any order, gives the verdicts of one run.
#[test]
fn shares_give_the_verdicts_of_one_run() {
    let claims: Vec<&Claim> = SOME.iter().flat_map(|id| Claim::find(id).unwrap()).collect();
    let range = Range { max_pile: Some(4), length: Some(5), to: Some(40) };
    let plan = Plan::new(&claims, &[], &range).unwrap();
    let expected = without_time(run(&claims, &range));
    let pieces = plan.pieces(&means()).unwrap();
    for many in [1, 3, 1000] {
        let cut: Vec<Vec<Parts>> = grundy::shares::cut(&pieces, many);
        let shares = cut.iter().rev().map(|share| {
            let done = plan.run_share(share, &means(), &Control::new()).unwrap().unwrap();
            serde_json::from_str(&serde_json::to_string(&done).unwrap()).unwrap()
        });
        let shares: Vec<_> = shares.collect();
        let merged = plan.merge(shares.clone(), &means()).unwrap();
        assert_eq!(without_time(merged), expected, "{many}");
        let twice = [shares.clone(), shares].concat();
        let error = plan.merge(twice, &means()).unwrap_err();
        assert!(matches!(error, AskError::Merge(MergeError::Twice { .. })), "{error}");
    }
    let other = Plan::new(&claims[1..], &[], &range).unwrap();
    let share = other.run_share(&[(0, 0..1)], &means(), &Control::new()).unwrap().unwrap();
    let error = plan.merge([share], &means()).unwrap_err();
    assert!(matches!(error, AskError::Merge(MergeError::OtherWork)), "{error}");
    let stopped = Control::new();
    stopped.stop();
    assert!(plan.run_share(&[(0, 0..1)], &means(), &stopped).unwrap().is_none());
}

/// A run continues from any of its checkpoints. Another plan refuses the checkpoint.
#[test]
fn a_run_continues_from_its_checkpoints() {
    let claims = Claim::find("ch.thm2.1").unwrap();
    let range = sizes(4, 6);
    let plan = Plan::new(&claims, &[], &range).unwrap();
    let (database, control) = (Database::empty(), Control::new());
    let mut saved = Vec::new();
    let mut keep = |checkpoint: &Checkpoint| {
        saved.push(serde_json::to_string(checkpoint).unwrap());
        Ok(())
    };
    let begin = &mut Checkpoint::default();
    let whole = plan.run_from(&database, &means(), &control, begin, &mut keep).unwrap();
    assert!(saved.len() >= 6);
    for text in &saved {
        let mut checkpoint: Checkpoint = serde_json::from_str(text).unwrap();
        let again = plan
            .run_from(&database, &means(), &Control::new(), &mut checkpoint, &mut |_| Ok(()))
            .unwrap();
        assert_eq!(without_time(again), without_time(whole.clone()));
    }
    let other = Claim::find("ch.thm2.2").unwrap();
    let other = Plan::new(&other, &[], &range).unwrap();
    let mut checkpoint: Checkpoint = serde_json::from_str(&saved[0]).unwrap();
    let refused = other.run_from(&database, &means(), &control, &mut checkpoint, &mut |_| Ok(()));
    assert!(matches!(refused, Err(AskError::OtherCheckpoint)));
}

/// A stopped run covers nothing, and decides nothing.
#[test]
fn a_stopped_run_decides_nothing() {
    let claims: Vec<&Claim> = SOME.iter().flat_map(|id| Claim::find(id).unwrap()).collect();
    let plan = Plan::new(&claims, &[], &Range::default()).unwrap();
    let control = Control::new();
    control.stop();
    for verdict in plan.run(&Database::empty(), &means(), &control).unwrap() {
        assert_eq!((verdict.checked, verdict.complete), (0, false), "{}", verdict.claim);
        assert_eq!(verdict.verdict.word(), "stopped");
        assert!(!verdict.is_surprise());
    }
}

/// The claims of a user have the units, premises and several games of the papers' claims.
#[test]
fn a_claim_of_a_user_is_a_claim() {
    let text = "paper: me\nreference: a talk\n\nclaim: me.1\nnumber: Theorem 1\n\
                statement: Two equal piles are P.\ngames: nim end-nim\nexpected: fails\n\
                length: 2\nmax-pile: 4\ncheck: p1 == p2 -> P\ncheck: in nim: p1 != p2 -> P\n\
                unit: cases\n\nname: me.2\ngame: nim\nconvention: misere\nstatement: P -> p1 > 1\n\
                expected: fails\nflaw: misprint\ncorrected: P -> p1 > 2\nlength: 1\nmax-pile: 3\n";
    let claims = grundy::claims(".".as_ref(), text).unwrap();
    let verdicts = run(&claims.iter().collect::<Vec<_>>(), &Range::default());
    // Four pairs of equal piles in each game, and six pairs of different piles.
    assert_eq!((verdicts[0].checked, verdicts[0].premise, verdicts[0].failures), (14, None, 6));
    assert_eq!(verdicts[0].first.as_ref().unwrap().to_string(), "nim 1,2: outcome = N");
    assert_eq!(verdicts[0].range, "nim, end-nim: piles <= 4, length 2");
    // In misère play one coin is lost.
    let two = &verdicts[1];
    assert_eq!((two.checked, two.premise, two.failures), (3, Some(1), 1));
    assert_eq!(two.correction.map(|found| found.to_string()).as_deref(), Some("fails"));
    assert!(two.is_surprise());
    let line = serde_json::to_value(two).unwrap();
    assert_eq!((&line["first"]["game"], &line["first"]["position"]), (&"nim".into(), &"1".into()));
}
