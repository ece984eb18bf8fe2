//! An automaton as text for other programs, and as a picture.
//!
//! The picture has a column for each distance from the initial state. Each arrow bends to its left,
//! so two opposite arrows between two states do not overlap.

use std::fmt::Write;

use crate::{Automaton, Output};

/// The distance between columns, the distance between states in a column, and a state's radius.
const COLUMN: f64 = 120.0;
const ROW: f64 = 64.0;
const RADIUS: f64 = 17.0;

const BEGIN: &str = "font-family=\"monospace\" font-size=\"12\" text-anchor=\"middle\">
<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" \
markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>
<rect width=\"100%\" height=\"100%\" fill=\"white\"/>
<g fill=\"none\" stroke=\"#555\" marker-end=\"url(#tip)\">\n";

impl Automaton {
    /// Returns the next states of a state, each with the piles that lead to it, such as `1,3-5`.
    fn arrows(&self, state: usize) -> Vec<(usize, String)> {
        let next = &self.transitions[state];
        let firsts = next.iter().enumerate().filter(|&(at, to)| !next[..at].contains(to));
        let piles = |to: usize| {
            let piles: Vec<usize> = (1..=next.len()).filter(|&pile| next[pile - 1] == to).collect();
            let runs = piles.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
                [first, _, .., last] => format!("{first}-{last}"),
                run => run.iter().map(usize::to_string).collect::<Vec<_>>().join(","),
            });
            runs.collect::<Vec<_>>().join(",")
        };
        firsts.map(|(_, &to)| (to, piles(to))).collect()
    }

    /// Returns the automaton in the language of Graphviz.
    pub fn dot(&self) -> String {
        let mut out = String::from("digraph automaton {\n  rankdir=LR;\n  node [shape=circle];\n");
        for (state, output) in self.outputs.iter().enumerate() {
            _ = writeln!(out, "  {state} [label=\"{output}\"];");
            for (to, piles) in self.arrows(state) {
                _ = writeln!(out, "  {state} -> {to} [label=\"{piles}\"];");
            }
        }
        out + "  start [shape=point];\n  start -> 0;\n}\n"
    }

    /// Returns the automaton as a word automaton of the prover Walnut. Walnut allows only numbers
    /// as outputs. So a class becomes its index in L, R, N, P, and a missing output becomes -1.
    pub fn walnut(&self) -> String {
        let piles: Vec<String> = (1..=self.subject.piles).map(|pile| pile.to_string()).collect();
        let mut out = format!("{{{}}}\n", piles.join(", "));
        for (state, (output, next)) in self.outputs.iter().zip(&self.transitions).enumerate() {
            _ = writeln!(out, "\n{state} {}", output.number().map_or(-1, i64::from));
            for (pile, to) in (1..).zip(next) {
                _ = writeln!(out, "{pile} -> {to}");
            }
        }
        out
    }

    /// Returns the centres of the states, and the width and height of the picture.
    fn layout(&self) -> (Vec<(f64, f64)>, f64, f64) {
        // States are numbered by distance, so the states of a column have consecutive numbers.
        let (mut columns, mut met) = (Vec::from_iter(std::iter::once(0..1)), 1);
        while let Some(column) = columns.last().cloned().filter(|_| met < self.states) {
            let most = column.flat_map(|state| &self.transitions[state]).max();
            columns.push(met..most.map_or(met, |most| most + 1));
            met = columns[columns.len() - 1].end;
        }
        let most = columns.iter().map(ExactSizeIterator::len).max().unwrap_or(1) as f64;
        let mut places = Vec::new();
        for (across, column) in (0..).zip(&columns) {
            let (x, top) = (COLUMN * (f64::from(across) + 0.7), (most - column.len() as f64) / 2.0);
            places.extend((0..column.len()).map(|down| (x, ROW * (top + down as f64 + 0.8))));
        }
        (places, COLUMN * (columns.len() as f64 + 0.4), ROW * (most + 0.6))
    }

    /// Returns a picture of the automaton as SVG.
    pub fn svg(&self) -> String {
        let (places, width, height) = self.layout();
        let size = format!("viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\"");
        let mut out = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" {size} {BEGIN}");
        let mut labels = String::new();
        let mut line = |from: (f64, f64), (x, y): (f64, f64), to: (f64, f64), piles: &str| {
            let ((ax, ay), (bx, by)) = (toward(from, (x, y)), toward(to, (x, y)));
            _ = writeln!(out, "<path d=\"M{ax:.1} {ay:.1}Q{x:.1} {y:.1} {bx:.1} {by:.1}\"/>");
            // Put the label at the parameter 0.3 of the curve.
            let at = |a: f64, turn: f64, b: f64| 0.49 * a + 0.42 * turn + 0.09 * b;
            let (x, y) = (at(ax, x, bx), at(ay, y, by) + 4.0);
            _ = writeln!(labels, "<text x=\"{x:.1}\" y=\"{y:.1}\">{piles}</text>");
        };
        let (x, y) = places[0];
        line((x - 4.0 * RADIUS, y), (x - 2.0 * RADIUS, y), (x, y), "");
        for (state, &(x, y)) in places.iter().enumerate() {
            for (to, piles) in self.arrows(state) {
                let (bx, by) = places[to];
                // Lines within a column bend more, to avoid the states between their ends.
                let bend = if (bx - x).abs() < 1.0 { 0.45 } else { 0.16 };
                let turn = ((x + bx) / 2.0 + bend * (by - y), (y + by) / 2.0 - bend * (bx - x));
                match to == state {
                    true => line((x - 4.0, y), (x, y - 3.0 * RADIUS), (x + 14.0, y), &piles),
                    false => line((x, y), turn, (bx, by), &piles),
                }
            }
        }
        out += "</g>\n<g paint-order=\"stroke\" stroke=\"white\" stroke-width=\"4\">\n";
        out += &(labels + "</g>\n<g>\n");
        for (state, ((x, y), output)) in places.iter().zip(&self.outputs).enumerate() {
            let is_lost = matches!(output, Output::Value(0) | Output::Class("P"));
            let fill = if is_lost { "#9ecae1" } else { "white" };
            _ = writeln!(
                out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\" fill=\"{fill}\" \
                 stroke=\"black\"><title>state {state}</title></circle>\
                 <text x=\"{x:.1}\" y=\"{:.1}\">{output}</text>",
                y + 4.0
            );
        }
        out + "</g>\n</svg>\n"
    }
}

/// Returns the point on a state's border at which a line towards `turn` begins.
fn toward((x, y): (f64, f64), turn: (f64, f64)) -> (f64, f64) {
    let (dx, dy) = (turn.0 - x, turn.1 - y);
    let part = RADIUS / dx.hypot(dy).max(RADIUS);
    (x + part * dx, y + part * dy)
}
