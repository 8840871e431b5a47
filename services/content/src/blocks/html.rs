//! An article as HTML, for clients without scripts. Every text is escaped; nothing else comes from outside.

use std::fmt::Write as _;

use super::{Block, Content, Inline, Inlines};

/// Escaped for text and for attributes in double quotes.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// The blocks of an article.
pub fn of(content: &Content) -> String {
    let mut out = String::new();
    blocks(&content.blocks, &mut out);
    out
}

fn blocks(all: &[Block], out: &mut String) {
    for one in all {
        block(one, out);
    }
}

fn block(block: &Block, out: &mut String) {
    match block {
        Block::Heading { level, id, text } => {
            let level = (*level).clamp(2, 3);
            let (id, text) = (escaped(id), inlines(text));
            let _ = write!(out, "<h{level} id=\"{id}\">{text}</h{level}>");
        }
        Block::Text { text } => wrapped("p", &inlines(text), out),
        Block::List { ordered, items } => {
            let tag = if *ordered { "ol" } else { "ul" };
            let items: String = items
                .iter()
                .map(|item| tagged("li", &inlines(item)))
                .collect();
            wrapped(tag, &items, out);
        }
        Block::Table { head, rows } => {
            let row = |tag: &str, cells: &[Inlines]| {
                let cells: String = cells
                    .iter()
                    .map(|cell| tagged(tag, &inlines(cell)))
                    .collect();
                tagged("tr", &cells)
            };
            let rows: String = rows.iter().map(|cells| row("td", cells)).collect();
            let head = tagged("thead", &row("th", head));
            wrapped("table", &(head + &tagged("tbody", &rows)), out);
        }
        Block::Code { text, .. } => wrapped("pre", &tagged("code", &escaped(text)), out),
        // The page renders them by script.
        Block::Picture { alt, .. } => wrapped("p", &escaped(alt), out),
        Block::Model { note, .. } | Block::Compare { note, .. } => {
            wrapped("p", &escaped(note), out)
        }
        Block::Action { path, label } => {
            let link = format!("<a href=\"{}\">{}</a>", escaped(path), escaped(label));
            wrapped("p", &link, out);
        }
        Block::Figure {
            value,
            source,
            note,
        } => {
            let (value, source, note) = (escaped(value), escaped(source), escaped(note));
            let _ = write!(out, "<p><strong>{value}</strong> {note}（{source}）</p>");
        }
        Block::Questions { items } => {
            for item in items {
                wrapped("h3", &escaped(&item.question), out);
                blocks(&item.blocks, out);
            }
        }
        Block::Steps { items } => {
            out.push_str("<ol>");
            for item in items {
                out.push_str("<li>");
                wrapped("strong", &escaped(&item.title), out);
                blocks(&item.blocks, out);
                out.push_str("</li>");
            }
            out.push_str("</ol>");
        }
    }
}

fn wrapped(tag: &str, inside: &str, out: &mut String) {
    let _ = write!(out, "<{tag}>{inside}</{tag}>");
}

fn tagged(tag: &str, inside: &str) -> String {
    format!("<{tag}>{inside}</{tag}>")
}

fn inlines(text: &[Inline]) -> String {
    text.iter().map(inline).collect()
}

fn inline(one: &Inline) -> String {
    let mut html = escaped(&one.text);
    if one.code {
        html = tagged("code", &html);
    }
    if one.bold {
        html = tagged("strong", &html);
    }
    match &one.href {
        Some(href) => format!("<a href=\"{}\">{html}</a>", escaped(href)),
        None => html,
    }
}
