//! `grundy game` and `grundy games`: show a rule file, write a template, and list all games.

use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use grundy::law::{Checked, MoveRule, RuleFile};
use grundy::rulesets::{RULESETS, names};
use grundy::{
    Control, Differs, Filling, Game, GameError, Isa, Number, Player, Position, Seconds,
    compare_with_rules, convention_of, game_in, usual_filling,
};
use serde_json::{Value, json};

use crate::End;
use crate::args::{Common, GameFile, OPENING};
use crate::output::{Out, grouped, tell};
use crate::watch::{end_of_stopped, end_search, stop_after, stop_on_interrupt};

const TEMPLATE: &str = include_str!("../../texts/template.game");

/// The approximate number of positions that `--test` compares.
const TESTED: u64 = 20_000;

pub(crate) fn run(common: &Common, wanted: &GameFile, out: &mut Out) -> anyhow::Result<End> {
    if let Some(name) = &wanted.new {
        return template(name, out);
    }
    let Some(name) = &wanted.file else {
        bail!("no rule file given; give its name, or --new NAME")
    };
    let seconds = wanted.within.seconds;
    let (game, checked) = match game_in(Path::new(""), name) {
        Err(GameError::Unknown(_)) => {
            (common.game(name, seconds.min(OPENING))?, Checked::default())
        }
        found => found?,
    };
    let Some(file) = game.rule_file() else { return built_in(game, wanted.test, out) };
    if !wanted.test {
        tell_left_out(&checked);
    }
    if let Some(choice) = file.law.empty_choice() {
        tell(format_args!(
            "grundy: {name}: `{}` has nothing to choose from in line {}, so this move is never made",
            choice.name,
            file.text[..choice.span.start].matches('\n').count() + 1
        ));
    }
    if wanted.test {
        let control = stop_on_interrupt()?;
        stop_after(&control, seconds, "comparing");
        if checked.left_out > 0 {
            let all = file.check(game, &mut || !control.is_stopped());
            tell_left_out(&all.map_err(|problem| GameError::Rules {
                path: name.clone(),
                problem: Box::new(problem),
            })?);
        }
        let ended = test(game, &control, out);
        end_search();
        return match ended {
            Err(_) if control.is_stopped() => Ok(end_of_stopped()),
            ended => ended,
        };
    }
    let (position, moves) = small(game)?;
    if out.is_json() {
        out.object(&about(file, game))?;
        return Ok(End::Fine);
    }
    out.line(format!("{game}: {} ({})", file.title, file.source))?;
    out.line(&file.rule)?;
    out.line("")?;
    let filling = usual_filling(game);
    out.table(&facts(file, game, filling.as_ref()))?;
    if let Some(position) = position {
        out.line(format!("\nThe moves of {position}"))?;
        let rows: Vec<Vec<String>> = moves
            .iter()
            .map(|made| {
                let who = match made.player {
                    Player::Either => String::new(),
                    player => player.name().to_owned(),
                };
                vec![who, made.in_words(), made.option.to_string()]
            })
            .collect();
        out.table(&rows)?;
    }
    out.line(format!("\nThe rule file\n{}", file.text.trim_end()))?;
    Ok(End::Fine)
}

/// Says how many examples were not checked in time.
fn tell_left_out(checked: &Checked) {
    if checked.left_out > 0 {
        let left_out = Number(checked.left_out as u64, "example");
        tell(format_args!("grundy: the time ended before the check of {left_out}"));
    }
}

fn built_in(game: Game, test: bool, out: &mut Out) -> anyhow::Result<End> {
    if test {
        bail!(
            "the game {game} is built in; the tests of the program compare its tables with the rules"
        );
    }
    let (title, source, rule) = (game.title(), game.paper(), game.rule());
    let convention = convention_of(game);
    if out.is_json() {
        out.object(&json!({"game": game.id(), "title": title, "source": source, "rule": rule,
            "convention": convention}))?;
        return Ok(End::Fine);
    }
    out.line(format!("{game}: {title} ({source})"))?;
    out.line(rule)?;
    if let Some(convention) = convention {
        out.line(format!("convention: {convention}"))?;
    }
    if let Some((_, text)) = RULESETS.iter().find(|(name, _)| *name == game.id()) {
        out.line(format!("\nThe rule file\n{}", text.trim_end()))?;
    }
    Ok(End::Fine)
}

/// Lists every game: the built-in ones and the rulesets.
pub(crate) fn list(out: &mut Out) -> anyhow::Result<End> {
    let mut show =
        |name: &str, id: &str, title: &str, source: &str, built_in: bool| match out.is_json() {
            true => out.object(&json!({"name": name, "game": id, "title": title, "source": source,
                "built_in": built_in})),
            false => out.line(format!("{name:<22}  {title} ({source})")),
        };
    for name in names() {
        let game = grundy::game(name)?;
        show(name, game.id(), game.title(), game.paper(), game.rule_file().is_none())?;
    }
    Ok(End::Fine)
}

fn facts(file: &RuleFile, game: Game, filling: Option<&Filling>) -> Vec<Vec<String>> {
    let law = &file.law;
    let mut facts = vec![("piles", law.kind.name().to_owned())];
    if law.kind != grundy::law::Kind::Sum {
        let (least, most) = (law.lengths.start(), law.lengths.end());
        facts.push(("length", format!("{least}..{most}")));
    }
    facts.extend(law.admits.as_ref().map(|admits| ("where", admits.to_string())));
    for of in law.memories.iter().flat_map(grundy::Memories::all) {
        facts.push((
            "remembers",
            match of.largest {
                Some(largest) => format!("{} in {}..{largest}", of.name, of.least),
                None => "last move".to_owned(),
            },
        ));
    }
    if law.blocks > 0 {
        facts.push(("blocks", law.blocks.to_string()));
    }
    facts.extend(law.falls_in_words().map(|falls| ("falls", falls)));
    if law.within_total {
        facts.push(("within", "total".to_owned()));
    }
    if law.misere {
        facts.push(("play", "misere".to_owned()));
    }
    if game.is_symmetric() {
        facts.push(("reversal", "a row and its reversal have the same value".to_owned()));
    }
    if let Some(filling) = filling {
        facts.push(("filled", predicted(filling)));
    }
    let mut rows: Vec<Vec<String>> =
        facts.into_iter().map(|(name, text)| vec![name.to_owned(), text]).collect();
    for (line, rule) in law.moves.iter().enumerate() {
        let who = match rule.player {
            Player::Either => "move",
            Player::Left => "left",
            Player::Right => "right",
        };
        let class = filling.map(|filling| format!(" ({})", filling.classes[line]));
        rows.push(vec![format!("{who}{}", class.unwrap_or_default()), rule_text(&file.text, rule)]);
    }
    // All moves that come from one `code:` line have the same text, so show it once.
    rows.dedup();
    rows
}

/// Returns a text that predicts the speed and the time for one table.
fn predicted(filling: &Filling) -> String {
    let Filling { table, rate, one_by_one, .. } = filling;
    let seconds = Seconds(table.cells() as f64 / rate);
    let by = if *one_by_one { "option by option, " } else { "" };
    format!("{by}about {rate:.0e} cells a second on each thread, {table} in {seconds}")
}

/// Returns the text of a move rule without comments.
fn rule_text(text: &str, rule: &MoveRule) -> String {
    let lines = text[rule.span.start..rule.span.end].lines();
    let lines = lines.map(|line| line.split('#').next().unwrap_or("").trim());
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

fn about(file: &RuleFile, game: Game) -> Value {
    let law = &file.law;
    let moves: Vec<String> = law.moves.iter().map(|rule| rule_text(&file.text, rule)).collect();
    let memories = law.memories.as_ref().map_or(&[][..], |memories| memories.all());
    let named = memories.iter().filter(|of| of.largest.is_some());
    let remembered: Vec<Value> = named
        .map(|of| json!({"name": of.name, "least": of.least, "largest": of.largest}))
        .collect();
    let filling = usual_filling(game).map(|filling| {
        json!({"table": filling.table.to_string(), "classes": filling.classes,
            "cells_per_second": filling.rate})
    });
    json!({
        "game": file.id, "name": file.name, "title": file.title, "source": file.source,
        "rule": file.rule, "board": file.board, "piles": law.kind.name(), "lengths": [law.lengths.start(), law.lengths.end()],
        "partizan": law.is_partizan(), "misere": law.misere, "last_move": memories.iter().any(|of| of.largest.is_none()),
        "memories": remembered,
        "falls": law.falls_in_words(), "within": if law.within_total { "total" } else { "largest pile" },
        "symmetric": game.is_symmetric(), "moves": moves, "filling": filling, "text": file.text,
    })
}

/// Returns a small position with many moves, and these moves.
fn small(game: Game) -> anyhow::Result<(Option<Position>, Vec<grundy::Move>)> {
    let Some(law) = game.law() else { return Ok((None, Vec::new())) };
    let sum = law.kind == grundy::law::Kind::Sum;
    let length = if sum { 1 } else { 3.clamp(*law.lengths.start(), *law.lengths.end()) };
    // A table of positions with at most N coins has few small ones.
    let largest = if sum {
        5
    } else if law.within_total {
        8
    } else {
        4
    };
    let table = grundy::Table::new(game, largest, length);
    let Ok(table) = table else { return Ok((None, Vec::new())) };
    let positions = (0..table.values().min(2000)).filter_map(|number| table.position(number));
    let mut best: Option<(Position, Vec<grundy::Move>)> = None;
    for position in positions {
        let moves = game.try_moves(&position)?;
        let few = moves.len() <= 8;
        if few && best.as_ref().is_none_or(|(_, known)| known.len() < moves.len()) {
            best = Some((position, moves));
        }
    }
    Ok(best.map_or((None, Vec::new()), |(position, moves)| (Some(position), moves)))
}

fn test(game: Game, control: &Control, out: &mut Out) -> anyhow::Result<End> {
    let held = compare_with_rules(game, TESTED, control)?;
    for held in &held.tables {
        let (length, max_pile) = (held.table.length(), held.table.max_pile());
        let isas: Vec<&str> = held.isas.iter().map(|isa| Isa::name(*isa)).collect();
        if out.is_json() {
            out.object(&json!({"length": length, "max_pile": max_pile,
                "positions": held.positions, "kernels": isas}))?;
            continue;
        }
        let by = match &isas[..] {
            [] => "option by option".to_owned(),
            isas => format!("by shapes ({})", isas.join(", ")),
        };
        let (positions, size) = (grouped(held.positions), game.measure());
        out.line(format!(
            "length {length}, {size} <= {max_pile}, filled {by}: the values of {positions} \
             positions agree with the rules"
        ))?;
    }
    let Some(Differs { position, found, by_rules, isa }) = held.wrong else { return Ok(End::Fine) };
    out.line(format!(
        "{position} has the value {found} in tables ({isa}), and {by_rules} by the rules"
    ))?;
    Ok(End::Mismatch)
}

fn template(name: &str, out: &mut Out) -> anyhow::Result<End> {
    let text = TEMPLATE.replace("NAME", name);
    let file = RuleFile::from_text(&text)?;
    let path = PathBuf::from(format!("{}.game", file.name));
    let written = File::create_new(&path).and_then(|mut file| file.write_all(text.as_bytes()));
    if written.as_ref().is_err_and(|error| error.kind() == ErrorKind::AlreadyExists) {
        bail!("{} already exists; nothing was written", path.display());
    }
    written.with_context(|| format!("cannot write {}", path.display()))?;
    out.line(format!("wrote {}; `grundy game {0}` shows what it means", path.display()))?;
    Ok(End::Fine)
}
