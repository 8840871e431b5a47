//! The small Markdown of the seeds, read into blocks.

use std::collections::HashSet;

use anyhow::{Context as _, bail, ensure};

use super::inline;
use crate::blocks::{Block, Content, Inlines, Params, Question, Step, joined};

/// `first`: number of the first line in its file. Errors: name the line that breaks a rule.
pub(super) fn read(text: &str, first: usize) -> anyhow::Result<Content> {
    let mut reader = Reader {
        lines: text.lines().map(str::trim_end).collect(),
        at: 0,
        blocks: Vec::new(),
        open: Open::Top,
        ids: HashSet::new(),
    };
    while reader.at < reader.lines.len() {
        let line = first + reader.at;
        reader.block().with_context(|| format!("line {line}"))?;
    }
    Ok(Content::new(reader.blocks))
}

/// Where the next block goes.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    Top,
    Question,
    Step,
}

struct Reader<'a> {
    lines: Vec<&'a str>,
    at: usize,
    blocks: Vec<Block>,
    open: Open,
    /// Anchors in use.
    ids: HashSet<String>,
}

impl<'a> Reader<'a> {
    /// The next line, without consuming it.
    fn line(&self) -> Option<&'a str> {
        self.lines.get(self.at).copied()
    }

    fn block(&mut self) -> anyhow::Result<()> {
        let line = self.line().unwrap_or_default();
        if line.is_empty() {
            self.at += 1;
            return Ok(());
        }
        if let Some(language) = line.strip_prefix("```") {
            return self.code(language.trim());
        }
        if line.starts_with('#') {
            return self.heading(line);
        }
        if let Some(directive) = directive(line) {
            self.at += 1;
            return self.directive(directive?);
        }
        if line.starts_with("- ") || ordinal(line).is_some() {
            return self.list();
        }
        if line.starts_with('|') {
            return self.table();
        }
        ensure!(!line.starts_with('>'), "there are no quotations");
        ensure!(
            !line.starts_with(' '),
            "nothing is indented but what continues an item"
        );
        self.paragraph()
    }

    fn push(&mut self, block: Block) {
        let inner = match (self.open, self.blocks.last_mut()) {
            (Open::Question, Some(Block::Questions { items })) => {
                items.last_mut().map(|item| &mut item.blocks)
            }
            (Open::Step, Some(Block::Steps { items })) => {
                items.last_mut().map(|item| &mut item.blocks)
            }
            _ => None,
        };
        match inner {
            Some(inner) => inner.push(block),
            None => self.blocks.push(block),
        }
    }

    fn code(&mut self, language: &str) -> anyhow::Result<()> {
        self.at += 1;
        let mut text = Vec::new();
        loop {
            let line = self.line().context("the code does not end")?;
            self.at += 1;
            if line == "```" {
                break;
            }
            text.push(line);
        }
        self.push(Block::Code {
            language: language.to_owned(),
            text: text.join("\n"),
        });
        Ok(())
    }

    fn heading(&mut self, line: &str) -> anyhow::Result<()> {
        let (marks, text) = line
            .split_once(' ')
            .context("a heading has a space after its marks")?;
        let level = match marks {
            "##" => 2,
            "###" => 3,
            _ => bail!("headings are ## and ###"),
        };
        let text = inline::read(text.trim())?;
        let id = self.anchor(&joined(&text));
        self.open = Open::Top;
        self.blocks.push(Block::Heading { level, id, text });
        self.at += 1;
        Ok(())
    }

    /// The words of a heading, joined by hyphens; numbered if taken.
    fn anchor(&mut self, text: &str) -> String {
        let words: Vec<String> = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        let plain: String = words.join("-").chars().take(60).collect();
        let plain = if plain.is_empty() {
            "s".to_owned()
        } else {
            plain
        };
        let mut id = plain.clone();
        let mut number = 1;
        while !self.ids.insert(id.clone()) {
            number += 1;
            id = format!("{plain}-{number}");
        }
        id
    }

    fn paragraph(&mut self) -> anyhow::Result<()> {
        let mut text = String::new();
        while let Some(line) = self.line() {
            if line.is_empty() || (!text.is_empty() && begins_block(line)) {
                break;
            }
            join(&mut text, line);
            self.at += 1;
        }
        let text = inline::read(&text)?;
        self.push(Block::Text { text });
        Ok(())
    }

    fn list(&mut self) -> anyhow::Result<()> {
        let ordered = self.line().is_some_and(|line| ordinal(line).is_some());
        let mut items: Vec<String> = Vec::new();
        while let Some(line) = self.line() {
            let item = if ordered {
                ordinal(line)
            } else {
                line.strip_prefix("- ")
            };
            if let Some(item) = item {
                items.push(item.trim().to_owned());
            } else if let (true, Some(last)) = (line.starts_with("  "), items.last_mut()) {
                let more = line.trim();
                ensure!(
                    !more.starts_with("- ") && ordinal(more).is_none(),
                    "lists hold no lists"
                );
                join(last, more);
            } else {
                break;
            }
            self.at += 1;
        }
        let items: anyhow::Result<Vec<Inlines>> =
            items.iter().map(|item| inline::read(item)).collect();
        self.push(Block::List {
            ordered,
            items: items?,
        });
        Ok(())
    }

    fn table(&mut self) -> anyhow::Result<()> {
        let mut rows = Vec::new();
        while let Some(line) = self.line().filter(|line| line.starts_with('|')) {
            rows.push(cells(line)?);
            self.at += 1;
        }
        ensure!(rows.len() >= 3, "a table has a head, a rule and rows");
        let rule = rows.remove(1);
        let is_rule = |cell: &String| !cell.is_empty() && cell.bytes().all(|b| b"-: ".contains(&b));
        ensure!(
            rule.iter().all(is_rule),
            "the second line of a table is its rule"
        );
        let width = rows[0].len();
        ensure!(
            rows.iter().all(|row| row.len() == width),
            "the rows of a table are of one length"
        );
        let mut read = Vec::new();
        for row in &rows {
            let row: anyhow::Result<Vec<Inlines>> =
                row.iter().map(|cell| inline::read(cell)).collect();
            read.push(row?);
        }
        let head = read.remove(0);
        self.push(Block::Table { head, rows: read });
        Ok(())
    }

    fn directive(&mut self, directive: Directive<'_>) -> anyhow::Result<()> {
        let text = directive.text.to_owned();
        ensure!(!text.is_empty(), "!{} has a text behind it", directive.name);
        match directive.name {
            "question" => {
                self.question(text);
                return Ok(());
            }
            "step" => {
                self.step(text);
                return Ok(());
            }
            "action" => {
                let path = directive.arguments.context("!action(/path)")?;
                let path = path.trim().to_owned();
                self.push(Block::Action { path, label: text });
                return Ok(());
            }
            _ => {}
        }
        let mut params = parameters(directive.arguments.unwrap_or_default())?;
        let mut take = |name: &str| {
            let found = params.remove(name);
            found.with_context(|| format!("!{}({name}=…)", directive.name))
        };
        let block = match directive.name {
            "picture" => Block::Picture {
                sample: take("sample")?,
                view: take("view")?,
                params,
                alt: text,
            },
            "model" => Block::Model {
                sample: take("sample")?,
                params,
                note: text,
            },
            "compare" => Block::Compare {
                sample: take("sample")?,
                params,
                note: text,
            },
            "figure" => {
                let block = Block::Figure {
                    value: take("value")?,
                    source: take("source")?,
                    note: text,
                };
                ensure!(params.is_empty(), "!figure has a value and a source");
                block
            }
            name => bail!("there is no !{name}"),
        };
        self.push(block);
        Ok(())
    }

    fn question(&mut self, question: String) {
        let item = Question {
            question,
            blocks: Vec::new(),
        };
        match self.blocks.last_mut() {
            Some(Block::Questions { items }) => items.push(item),
            _ => self.blocks.push(Block::Questions { items: vec![item] }),
        }
        self.open = Open::Question;
    }

    fn step(&mut self, title: String) {
        let item = Step {
            title,
            blocks: Vec::new(),
        };
        match self.blocks.last_mut() {
            Some(Block::Steps { items }) => items.push(item),
            _ => self.blocks.push(Block::Steps { items: vec![item] }),
        }
        self.open = Open::Step;
    }
}

struct Directive<'a> {
    name: &'a str,
    arguments: Option<&'a str>,
    text: &'a str,
}

/// `!name(arguments) text`; none: the line begins otherwise.
fn directive(line: &str) -> Option<anyhow::Result<Directive<'_>>> {
    let rest = line.strip_prefix('!')?;
    let end = rest
        .find(|c: char| !c.is_ascii_lowercase())
        .unwrap_or(rest.len());
    let (name, rest) = rest.split_at(end);
    if name.is_empty() {
        return None;
    }
    let Some(inside) = rest.strip_prefix('(') else {
        let text = rest.trim();
        return Some(Ok(Directive {
            name,
            arguments: None,
            text,
        }));
    };
    let mut depth = 1;
    for (at, c) in inside.char_indices() {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if depth == 0 {
            return Some(Ok(Directive {
                name,
                arguments: Some(&inside[..at]),
                text: inside[at + 1..].trim(),
            }));
        }
    }
    Some(Err(anyhow::anyhow!("the parenthesis does not end")))
}

/// `name=value, name=value`; a comma belongs to the value unless another name follows it.
fn parameters(text: &str) -> anyhow::Result<Params> {
    let mut params = Params::new();
    let mut last: Option<String> = None;
    for piece in text.split(',') {
        let named = piece
            .trim()
            .split_once('=')
            .filter(|(name, _)| is_parameter(name));
        if let Some((name, value)) = named {
            let before = params.insert(name.to_owned(), value.trim().to_owned());
            ensure!(before.is_none(), "{name} stands twice");
            last = Some(name.to_owned());
        } else if let Some(value) = last.as_ref().and_then(|name| params.get_mut(name)) {
            value.push(',');
            value.push_str(piece);
        } else {
            ensure!(piece.trim().is_empty(), "{piece:?} is no name=value");
        }
    }
    Ok(params)
}

fn is_parameter(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_-".contains(&b))
}

/// What follows `1. `.
fn ordinal(line: &str) -> Option<&str> {
    let (number, rest) = line.split_once(". ")?;
    let is_number = (1..=3).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    is_number.then_some(rest)
}

fn begins_block(line: &str) -> bool {
    line.starts_with("```")
        || line.starts_with('#')
        || line.starts_with("- ")
        || line.starts_with('|')
        || ordinal(line).is_some()
        || directive(line).is_some()
}

/// The cells of a row; `\|` is a literal bar.
fn cells(line: &str) -> anyhow::Result<Vec<String>> {
    let inside = line
        .strip_prefix('|')
        .and_then(|line| line.strip_suffix('|'));
    let inside = inside.context("a row ends with |")?;
    let mut cells = vec![String::new()];
    let mut before = ' ';
    for c in inside.chars() {
        if c == '|' && before != '\\' {
            cells.push(String::new());
        } else if let Some(cell) = cells.last_mut() {
            if c == '|' {
                // The backslash before it.
                cell.pop();
            }
            cell.push(c);
        }
        before = c;
    }
    Ok(cells.iter().map(|cell| cell.trim().to_owned()).collect())
}

/// Chinese lines are joined without a space, others with one.
fn join(text: &mut String, line: &str) {
    let wide = |c: Option<char>| c.is_none_or(|c| !c.is_ascii());
    if !wide(text.chars().next_back()) && !wide(line.chars().next()) {
        text.push(' ');
    }
    text.push_str(line.trim_start());
}

#[cfg(test)]
#[path = "tests/markdown.rs"]
mod tests;
