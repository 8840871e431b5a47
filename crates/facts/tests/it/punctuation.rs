//! Texts that users read are Chinese with full-width marks: `，` beside `,` in one sentence looks careless. This test reads
//! the string literals of all sources, and the help of the command line, which is in doc comments.

use std::fs;
use std::path::{Path, PathBuf};

/// Texts whose half-width mark is given by the specification, letter by letter.
const GIVEN: [&str; 2] = ["模型名称:", "您的模型师账户已冻结,请联系客服"];

const MARKS: [char; 7] = [',', ';', ':', '!', '?', '(', ')'];

fn is_chinese(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{303f}' | '\u{4e00}'..='\u{9fff}' | '\u{ff00}'..='\u{ffef}')
}

/// Whether a half-width mark has a Chinese character beside it, with or without a space between.
fn is_mixed(text: &str) -> bool {
    let text = GIVEN
        .iter()
        .fold(text.to_owned(), |text, given| text.replace(given, ""));
    // A literal over several lines has a backslash, a line break and the indentation between two words.
    let dense: Vec<char> = text
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '\\')
        .collect();
    dense.windows(2).any(|two| {
        MARKS.contains(&two[0]) && is_chinese(two[1])
            || is_chinese(two[0]) && MARKS.contains(&two[1])
    })
}

/// String literals of a Rust source. Comments are passed over.
fn literals(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = source;
    while let Some(start) = rest.find(['"', '/', '\'']) {
        let (first, after) = (rest.as_bytes()[start], &rest[start + 1..]);
        rest = match first {
            b'/' if after.starts_with('/') => &after[after.find('\n').unwrap_or(after.len())..],
            b'/' => after,
            // A quote as a character; any other apostrophe is a lifetime or a character without meaning here.
            b'\'' => after
                .strip_prefix("\"'")
                .or(after.strip_prefix("\\\"'"))
                .unwrap_or(after),
            _ => {
                let (text, after) = literal(after, raw_hashes(&rest[..start]));
                found.push(text);
                after
            }
        };
    }
    found
}

/// Hashes of the raw string that `before` opens, if it does.
fn raw_hashes(before: &str) -> Option<usize> {
    let hashes = before.len() - before.trim_end_matches('#').len();
    before[..before.len() - hashes]
        .ends_with('r')
        .then_some(hashes)
}

/// The literal at the start of `text`, and what follows it.
fn literal(text: &str, raw: Option<usize>) -> (String, &str) {
    if let Some(hashes) = raw {
        let end = format!("\"{}", "#".repeat(hashes));
        let at = text.find(&end).unwrap_or(text.len());
        return (
            text[..at].to_owned(),
            text.get(at + end.len()..).unwrap_or(""),
        );
    }
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' if !escaped => return (text[..at].to_owned(), &text[at + 1..]),
            _ => escaped = c == '\\' && !escaped,
        }
    }
    (text.to_owned(), "")
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_dir() && !matches!(name.as_str(), "tests" | "target" | "node_modules") {
            sources(&path, found);
        } else if name.ends_with(".rs") {
            found.push(path);
        }
    }
}

#[test]
fn texts_for_users_have_full_width_marks() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in ["crates", "gateway", "services"] {
        sources(&root.join(folder), &mut files);
    }
    assert!(
        files.len() > 300,
        "the sources are where they are looked for"
    );
    let mut mixed = Vec::new();
    let mut chinese = 0;
    for file in files {
        let source = fs::read_to_string(&file).unwrap();
        let mut texts = literals(&source);
        if file.components().any(|part| part.as_os_str() == "cli") {
            let help = source
                .lines()
                .filter_map(|line| line.trim().strip_prefix("///"));
            texts.extend(help.map(str::to_owned));
        }
        chinese += texts
            .iter()
            .filter(|text| text.contains(is_chinese))
            .count();
        let wrong = texts.iter().filter(|text| is_mixed(text));
        mixed.extend(wrong.map(|text| format!("{}: {text}", file.display())));
    }
    assert!(chinese > 500, "only {chinese} Chinese texts were found");
    assert!(mixed.is_empty(), "half-width marks:\n{}", mixed.join("\n"));
}

#[test]
fn the_reader_finds_what_it_should() {
    let source = "let a = \"文件(0 字节),请\"; // \"注释,不算\"\nlet b = r#\"说\"好\":x\"#; let c = '\"'; let d = \"x\\\"，y\";";
    assert_eq!(
        literals(source),
        ["文件(0 字节),请", "说\"好\":x", "x\\\"，y"]
    );
    assert!(is_mixed("文件(0 字节)"));
    assert!(is_mixed("出错: 请重试"));
    assert!(!is_mixed("文件（0 字节），ENU:30.5,114.3"));
    assert!(!is_mixed("模型名称:含有"));
}
