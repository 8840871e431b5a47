//! The tables of a service, read from its database.

use std::sync::atomic::{AtomicU32, Ordering};

use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement};

pub struct Column {
    pub table: String,
    pub name: String,
    kind: String,
    required: bool,
}

impl Column {
    pub fn is_text(&self) -> bool {
        ["char", "text"].iter().any(|word| self.kind.contains(word))
    }
}

/// Every column of every table.
pub async fn columns(db: &DatabaseConnection) -> Vec<Column> {
    let question = match db.get_database_backend() {
        DbBackend::Sqlite => {
            "SELECT m.name AS t, p.name AS c, lower(p.type) AS k, CAST(p.\"notnull\" AS TEXT) AS n FROM sqlite_master m \
             JOIN pragma_table_info(m.name) p WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'"
        }
        _ => {
            "SELECT table_name::text AS t, column_name::text AS c, data_type::text AS k, \
             CASE is_nullable WHEN 'NO' THEN '1' ELSE '0' END AS n \
             FROM information_schema.columns WHERE table_schema = 'public'"
        }
    };
    let statement = Statement::from_string(db.get_database_backend(), question);
    let rows = db.query_all_raw(statement).await.unwrap();
    let text = |row: &sea_orm::QueryResult, name: &str| row.try_get::<String>("", name).unwrap();
    let column = |row: &sea_orm::QueryResult| Column {
        table: text(row, "t"),
        name: text(row, "c"),
        kind: text(row, "k"),
        required: text(row, "n") == "1",
    };
    rows.iter().map(column).collect()
}

/// A valid value for columns with a fixed set of values.
fn known(table: &str, column: &str) -> Option<&'static str> {
    Some(match (table, column) {
        ("certification", "kind") => "personal",
        ("certification", "state") => "submitted",
        ("identity", "provider") => "wechat",
        ("invitation", "state") => "qualified",
        ("session" | "sign_in", "kind") => "desktop",
        ("session" | "sign_in", "method") => "password",
        ("sign_in", "outcome") => "opened",
        ("sms_code", "purpose") => "login",
        ("feedback", "state") => "open",
        ("suspect_picture" | "suspect_text", "state") => "waiting",
        ("source_file", "status") => "ready",
        ("source_file", "kept_key") => "s/kept",
        ("job", "kind") => "convert",
        ("job" | "service_result", "state" | "status") => "done",
        ("service_result", "service_type") => "convert",
        ("coupon", "state") => "available",
        ("listing", "state") => "listed",
        ("model_grant", "state") => "active",
        ("modeler", "state") => "waiting",
        ("modeler_record", "action") => "applied",
        ("model_grant", "way") => "paid",
        ("listing" | "model_grant", "license") => "personal",
        ("listing", "origin") => "own",
        ("work", "state") => "published",
        ("work", "edit_state") => "none",
        ("work", "visibility") => "public",
        ("work", "draft") => "{}",
        ("comment" | "provider", "state") => "shown",
        ("demand", "state") => "open",
        ("offer", "state") => "sent",
        ("report", "reason") => "other",
        // An open one would prevent the closure.
        ("withdrawal", "state") => "refused",
        ("membership" | "entitlement", "terms" | "storage") => "[]",
        _ => return None,
    })
}

/// Adds a row with these texts, and anything in the other columns; an existing one stays.
pub async fn fill(db: &DatabaseConnection, table: &str, texts: &[(&str, &str)]) {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let mut names = Vec::new();
    let mut values = Vec::new();
    for column in columns(db)
        .await
        .iter()
        .filter(|column| column.table == table)
    {
        let given = texts.iter().find(|(name, _)| *name == column.name);
        let value = match given {
            Some((_, text)) => format!("'{text}'"),
            None if !column.required => continue,
            None if column.is_text() => match known(table, &column.name) {
                Some(text) => format!("'{text}'"),
                None => format!("'t{}'", NEXT.fetch_add(1, Ordering::Relaxed)),
            },
            None if column.kind.contains("bool") => "FALSE".to_owned(),
            // What is due would be changed by a sweeper while the archive is compared.
            None if matches!(
                (table, column.name.as_str()),
                ("demand", "until") | ("newcomer", "due_at")
            ) =>
            {
                "4000000000000".to_owned()
            }
            // The fee is less than the amount.
            None if column.name == "fee" => "0".to_owned(),
            None => "1".to_owned(),
        };
        names.push(format!("\"{}\"", column.name));
        values.push(value);
    }
    let (names, values) = (names.join(", "), values.join(", "));
    let insert =
        format!("INSERT INTO \"{table}\" ({names}) VALUES ({values}) ON CONFLICT DO NOTHING");
    db.execute_unprepared(&insert)
        .await
        .unwrap_or_else(|error| panic!("{insert}: {error}"));
}

/// The columns, `table.column`, that contain a text.
pub async fn places_of(db: &DatabaseConnection, word: &str, except: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for column in columns(db).await.iter().filter(|column| column.is_text()) {
        if except.contains(&column.table.as_str()) {
            continue;
        }
        let (table, name) = (&column.table, &column.name);
        let question =
            format!("SELECT 1 AS one FROM \"{table}\" WHERE \"{name}\" LIKE '%{word}%' LIMIT 1");
        let statement = Statement::from_string(db.get_database_backend(), question);
        if db.query_one_raw(statement).await.unwrap().is_some() {
            found.push(format!("{table}.{name}"));
        }
    }
    found
}
