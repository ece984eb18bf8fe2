//! Reads test cases from a text. A case is a line below a heading; tabs separate its fields.

/// Returns the cases below a heading, each with its line number. A colon and a comment may follow a
/// heading.
pub fn cases<'a, const N: usize>(text: &'a str, heading: &str) -> Vec<(usize, [&'a str; N])> {
    let title = format!("# {heading}");
    let lines = (1..).zip(text.lines()).skip_while(|(_, it)| it.split(':').next() != Some(&title));
    let cases = lines.skip(1).take_while(|(_, it)| !it.starts_with("# "));
    let cases = cases.filter(|(_, it)| !it.is_empty()).map(|(line, it)| {
        let fields = it.split('\t').collect::<Vec<_>>().try_into();
        (line, fields.unwrap_or_else(|it| panic!("line {line}: {it:?} does not have {N} fields")))
    });
    let cases: Vec<_> = cases.collect();
    assert!(!cases.is_empty(), "there is no case under {title}");
    cases
}
