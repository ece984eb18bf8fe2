//! Errors in a text. A message consists of a sentence, a caret at the error, and a hint.

use std::fmt;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::RULE_FILES;

/// A part of a text, as a range of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    pub start: usize,
    /// The position after the last byte.
    pub end: usize,
}

impl Span {
    pub fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    pub fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end.max(self.start) }
    }
}

/// An error in a statement or rule file: a sentence, its place, and a hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub what: String,
    pub span: Span,
    /// A short text next to the caret, about the marked text.
    pub label: String,
    pub hint: Option<String>,
    shown: Option<Box<Shown>>,
}

/// The text that a message shows: the whole text, or the part around the span if the text is long.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Shown {
    text: String,
    /// The place in the whole text where this part begins.
    from: usize,
    line: usize,
}

/// The number of bytes to show on each side of the error in a long text.
const AROUND: usize = 60;

impl Problem {
    pub fn new(what: impl Into<String>, span: Span, label: impl Into<String>) -> Problem {
        Problem { what: what.into(), span, label: label.into(), hint: None, shown: None }
    }

    pub fn saying(self, what: impl Into<String>) -> Problem {
        Problem { what: what.into(), ..self }
    }

    pub fn hint(self, hint: impl Into<String>) -> Problem {
        Problem { hint: Some(hint.into()), ..self }
    }

    /// Replaces the hint of the error, if `hint` is given.
    pub(crate) fn hint_of(self, hint: Option<&str>) -> Problem {
        Problem { hint: hint.map(str::to_owned).or(self.hint), ..self }
    }

    /// Adds the line of `file` in which the error occurs, for the message.
    pub fn of_line(self, file: &str) -> Problem {
        let mut at = self.span.start.min(file.len());
        while !file.is_char_boundary(at) {
            at -= 1;
        }
        let from = file[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let to = file[at..].find('\n').map_or(file.len(), |newline| at + newline);
        let line = file[..from].matches('\n').count() + 1;
        let span = Span::new(at - from, (self.span.end.min(to).max(at)) - from);
        let whole = self.span;
        let problem = Problem { span, ..self }.of(file[from..to].trim_end_matches('\r'));
        let shown = problem.shown.map(|shown| Shown { from: shown.from + from, line, ..*shown });
        Problem { span: whole, shown: shown.map(Box::new), ..problem }
    }

    /// Adds the text in which the error occurs, for the message.
    pub fn of(self, text: &str) -> Problem {
        let (start, end) = (self.span.start.min(text.len()), self.span.end.min(text.len()));
        let (mut from, mut to) = (start.saturating_sub(AROUND), end.min(start + AROUND) + AROUND);
        to = to.min(text.len());
        if text.len() <= 4 * AROUND {
            (from, to) = (0, text.len());
        }
        while !text.is_char_boundary(from) {
            from -= 1;
        }
        while !text.is_char_boundary(to) {
            to += 1;
        }
        let shown = Shown { text: text[from..to].to_owned(), from, line: 1 };
        Problem { shown: Some(Box::new(shown)), ..self }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without rule files nothing has an excerpt.
        let shown = if RULE_FILES { self.shown.as_deref() } else { None };
        let Some(Shown { text, from, line }) = shown else {
            f.write_str(&self.what)?;
            return match &self.hint {
                Some(hint) => write!(f, "; {hint}"),
                None => Ok(()),
            };
        };
        // The caret must point at the beginning of a character.
        let place = |at: usize| {
            let mut at = at.saturating_sub(*from).min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let (start, end) = (place(self.span.start), place(self.span.end));
        let snippet = Snippet::source(text)
            .line_start(*line)
            .annotation(AnnotationKind::Primary.span(start..end.max(start)).label(&self.label));
        let mut group = Group::with_title(Level::ERROR.no_name().primary_title(&self.what));
        group = group.element(snippet);
        if let Some(hint) = &self.hint {
            group = group.element(Level::HELP.message(hint));
        }
        f.write_str(&Renderer::plain().render(&[group]))
    }
}

impl std::error::Error for Problem {}
