//! What calls of the operators' console share: pages that follow each other by a cursor, and files of CSV.

use sea_orm::sea_query::Condition;
use sea_orm::{ColumnTrait, EntityTrait, Order, QueryFilter, QueryOrder, QuerySelect, Select};
use time::macros::format_description;
use time::{OffsetDateTime, UtcOffset};

use crate::{BusinessError, ServiceError};

/// Rows that one file holds at most.
pub const MOST_EXPORTED: u64 = 10_000;

/// Rows of a page. Errors: more than 100.
pub fn page_size(asked: i32) -> Result<u64, ServiceError> {
    match asked {
        0 => Ok(20),
        1..=100 => Ok(asked as u64),
        _ => Err(BusinessError::invalid("每页为 1 至 100 条").into()),
    }
}

/// Time and id of the last row of the page before; none on the first page. Errors: it is no cursor of ours.
fn after(cursor: &str) -> Result<Option<(i64, &str)>, ServiceError> {
    if cursor.is_empty() {
        return Ok(None);
    }
    let place = cursor
        .split_once('-')
        .and_then(|(at, id)| Some((at.parse().ok()?, id)));
    match place {
        Some(place) => Ok(Some(place)),
        None => Err(BusinessError::invalid("参数 after 不正确").into()),
    }
}

/// One page of `rows`, the newest first, from the cursor `place` on (empty: from the newest), with one row more when another
/// page follows. Errors: it is no cursor of ours.
pub fn newest_first<E: EntityTrait>(
    rows: Select<E>,
    at: E::Column,
    id: E::Column,
    place: &str,
    size: u64,
) -> Result<Select<E>, ServiceError> {
    let rows = behind(rows, at, id, place, Order::Desc)?;
    Ok(rows.order_by_desc(at).order_by_desc(id).limit(size + 1))
}

/// The same, the oldest first.
pub fn oldest_first<E: EntityTrait>(
    rows: Select<E>,
    at: E::Column,
    id: E::Column,
    place: &str,
    size: u64,
) -> Result<Select<E>, ServiceError> {
    let rows = behind(rows, at, id, place, Order::Asc)?;
    Ok(rows.order_by_asc(at).order_by_asc(id).limit(size + 1))
}

/// What comes behind the cursor `place`, in whatever order the caller asks for it.
pub fn behind<E: EntityTrait>(
    rows: Select<E>,
    at: E::Column,
    id: E::Column,
    place: &str,
    order: Order,
) -> Result<Select<E>, ServiceError> {
    let Some((last_at, last_id)) = after(place)? else {
        return Ok(rows);
    };
    // The first bound lets the index begin where the page begins.
    let (bound, beyond, same) = match order {
        Order::Asc => (at.gte(last_at), at.gt(last_at), id.gt(last_id)),
        _ => (at.lte(last_at), at.lt(last_at), id.lt(last_id)),
    };
    let tie = Condition::all().add(at.eq(last_at)).add(same);
    Ok(rows
        .filter(bound)
        .filter(Condition::any().add(beyond).add(tie)))
}

/// The cursor that [`after`] reads.
pub fn cursor(at: i64, id: &str) -> String {
    format!("{at}-{id}")
}

/// Cuts off the row that was read beyond a page; returns the cursor of the next one, empty when there is none.
pub fn cut<T>(rows: &mut Vec<T>, size: u64, cursor: impl Fn(&T) -> String) -> String {
    let more = rows.len() as u64 > size;
    rows.truncate(size as usize);
    let last = rows.last().filter(|_| more);
    last.map(cursor).unwrap_or_default()
}

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

/// A file of CSV: headings of our own, then rows of what anybody may have written.
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
    fn a_page_says_where_the_next_one_begins() {
        let mut rows = vec![(3, "c"), (2, "b"), (1, "a")];
        assert_eq!(cut(&mut rows, 2, |row| cursor(row.0, row.1)), "2-b");
        assert_eq!(cut(&mut rows, 2, |row| cursor(row.0, row.1)), "");
        assert!(page_size(101).is_err() && page_size(-1).is_err());
        assert_eq!(moment(1_795_365_000_000), "2026-11-23 00:30:00");
        assert_eq!(moment(i64::MAX), "");
    }
}
