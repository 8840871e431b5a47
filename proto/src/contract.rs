//! The rows of `proto/catalogue.tsv`: all calls of the product's contract, including those whose service does not exist yet. An
//! implemented call refers to its row by id ([`crate::catalogue`]).

/// Path prefix of the operators' console.
pub const CONSOLE: &str = "/api-console/";

/// Who may call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Public,
    Optional,
    Login,
    Operator,
}

/// Encoding of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// `application/x-www-form-urlencoded` with the signature field D.
    Form,
    /// `application/json` with the signature header md5.
    Json,
}

const TABLE: &str = include_str!("../catalogue.tsv");
/// Calls of the operators' console.
const CONSOLE_TABLE: &str = include_str!("../catalogue-console.tsv");

/// One row.
pub struct Row {
    /// For example `A01`.
    pub id: &'static str,
    pub path: &'static str,
    /// Calls with optional access are listed as public; see the call's own option.
    pub access: Access,
    pub body: Body,
}

/// Rows whose path is behind the gateway; rows of other hosts and of the socket are left out.
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
        let sign = columns.next()?;
        let access = match access {
            "public" => Access::Public,
            "operator" => Access::Operator,
            _ => Access::Login,
        };
        let body = match path.starts_with(CONSOLE) || sign == "json" {
            true => Body::Json,
            false => Body::Form,
        };
        path.starts_with("/api-").then_some(Row {
            id,
            path,
            access,
            body,
        })
    })
}
