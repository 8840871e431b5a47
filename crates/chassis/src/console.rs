//! Files of CSV for the operators' console.

use time::macros::format_description;
use time::{OffsetDateTime, UtcOffset};

/// Rows that one file holds at most.
pub const MOST_EXPORTED: u64 = 10_000;

/// A cell of CSV. A spreadsheet takes what begins with these signs for a formula: a quote before it makes it a text.
pub fn cell(text: &str) -> String {
    let first = text.trim_start().chars().next();
    let formula = first.is_some_and(|c| {
        matches!(
            c,
            '=' | '+' | '-' | '@' | '|' | '%' | '＝' | '＋' | '－' | '＠'
        )
    }) || text.starts_with(['\t', '\r', '\n']);
    let mark = if formula { "'" } else { "" };
    format!("\"{mark}{}\"", text.replace('"', "\"\""))
}

/// A file of CSV: headings of our own, then rows that may contain text of users.
pub fn csv<const N: usize>(
    headings: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    // Spreadsheets take a text without this mark for another encoding.
    let mut text = format!("\u{feff}{}\r\n", headings.join(","));
    for row in rows {
        text += &row.map(|one| cell(&one)).join(",");
        text += "\r\n";
    }
    text
}

/// A moment as people in China read it; empty for one that no calendar has.
pub fn moment(at_ms: i64) -> String {
    let known = OffsetDateTime::from_unix_timestamp(at_ms.div_euclid(1000)).ok();
    let here = UtcOffset::from_hms(8, 0, 0).ok();
    let form = format_description!("[year]-[month]-[day] [hour]:[minute]:[second]");
    let text = known
        .zip(here)
        .and_then(|(at, here)| at.to_offset(here).format(form).ok());
    text.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula() {
        for text in [
            "=1+1", "+1", "-1", "@a", " =1", "\t=1", "\tx", "＝1", "|x", "%1",
        ] {
            assert!(cell(text).starts_with("\"'"), "{text}");
        }
        assert_eq!(cell("a\"b"), "\"a\"\"b\"");
        let file = csv(["name", "count"], [["=cmd".to_owned(), "2".to_owned()]]);
        assert_eq!(file, "\u{feff}name,count\r\n\"'=cmd\",\"2\"\r\n");
    }

    #[test]
    fn a_moment_is_that_of_clocks_in_china() {
        assert_eq!(moment(1_795_365_000_000), "2026-11-23 00:30:00");
        assert_eq!(moment(i64::MAX), "");
    }
}
