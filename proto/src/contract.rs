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
