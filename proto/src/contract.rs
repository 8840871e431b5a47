//! The rows of `proto/catalogue.tsv`: every call of the product's contract, those included whose service does not exist
//! yet. What a call that exists is like stands in its options ([`crate::catalogue`]); a test holds the two together.

use crate::catalogue::Access;

const TABLE: &str = include_str!("../catalogue.tsv");
/// The calls of the operators' console.
const CONSOLE_TABLE: &str = include_str!("../catalogue-console.tsv");

/// One row.
pub struct Row {
    /// For example `A01`.
    pub id: &'static str,
    pub path: &'static str,
    pub access: Access,
}

/// Rows with a path behind the gateway, and not of another host or of the socket.
pub fn rows() -> impl Iterator<Item = Row> {
    rows_of(TABLE)
}

/// Rows of `proto/catalogue-console.tsv`.
pub fn console_rows() -> impl Iterator<Item = Row> {
    rows_of(CONSOLE_TABLE)
}

fn rows_of(table: &'static str) -> impl Iterator<Item = Row> {
    table.lines().skip(1).filter_map(|line| {
        let mut columns = line.split('\t');
        let (id, path, access) = (columns.next()?, columns.next()?, columns.next()?);
        let access = match access {
            "public" => Access::Public,
            "operator" => Access::Operator,
            _ => Access::Login,
        };
        path.starts_with("/api-")
            .then_some(Row { id, path, access })
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn every_open_call_stands_in_the_catalogue() {
        let of = |rows: &mut dyn Iterator<Item = Row>| -> HashMap<&str, &str> {
            rows.map(|row| (row.id, row.path)).collect()
        };
        let (public, console) = (of(&mut rows()), of(&mut console_rows()));
        for call in crate::catalogue::calls() {
            let rows = if call.is_console() { &console } else { &public };
            let row = rows.get(call.id.as_str());
            assert_eq!(row, Some(&call.path.as_str()), "{}", call.id);
        }
    }

    #[test]
    fn ids_and_paths_stand_once() {
        let (mut ids, mut paths) = (HashMap::new(), HashMap::new());
        for row in rows().chain(console_rows()) {
            assert!(ids.insert(row.id, row.path).is_none(), "{}", row.id);
            assert!(paths.insert(row.path, row.id).is_none(), "{}", row.path);
        }
        assert!(ids.len() > 100);
    }
}
