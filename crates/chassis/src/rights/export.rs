//! What a person takes along of what a service holds: the same columns that are erased when the account ends, as rows with
//! readable names, a page at a time. Each column of a table is either shown or withheld with a reason, which a test demands.

use std::collections::HashMap;

use proto::common::v1::{ExportField, ExportPage, ExportPageRequest};
use sea_orm::ConnectionTrait;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Alias, Expr, ExprTrait, Order, Query, SelectStatement};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use time::format_description::well_known::Rfc3339;
use time::{OffsetDateTime, UtcOffset};

use super::Rights;
use crate::ServiceError;

/// Rows that are read at a time.
const ROWS: u64 = 100;
/// Bytes of rows after which a page ends: a reply travels over the bus.
const BYTES: usize = 512 * 1024;
/// Instead of the name of a user whom the service cannot name.
const SOMEBODY: &str = "其他用户";
const SELF: &str = "本人";

/// How the text of a column is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Text,
    Number,
    Flag,
    /// Unix time in milliseconds; 0: never.
    Time,
    /// Shown in yuan.
    Cents,
    Json,
    /// The login id of another user, of whom no more is shown than pages show.
    Person,
    /// Not shown: read by [`Rights::present`].
    Source,
}

#[derive(Debug, Clone, Copy)]
pub struct Field {
    pub column: &'static str,
    /// Shown to users.
    pub label: &'static str,
    pub kind: Kind,
}

const fn field(column: &'static str, label: &'static str, kind: Kind) -> Field {
    Field {
        column,
        label,
        kind,
    }
}

pub const fn text(column: &'static str, label: &'static str) -> Field {
    field(column, label, Kind::Text)
}

pub const fn number(column: &'static str, label: &'static str) -> Field {
    field(column, label, Kind::Number)
}

pub const fn flag(column: &'static str, label: &'static str) -> Field {
    field(column, label, Kind::Flag)
}

pub const fn time(column: &'static str, label: &'static str) -> Field {
    field(column, label, Kind::Time)
}

pub const fn cents(column: &'static str, label: &'static str) -> Field {
    field(column, label, Kind::Cents)
}

pub const fn json(column: &'static str, label: &'static str) -> Field {
    field(column, label, Kind::Json)
}

pub const fn person(column: &'static str, label: &'static str) -> Field {
    field(column, label, Kind::Person)
}

pub const fn source(column: &'static str) -> Field {
    field(column, "", Kind::Source)
}

/// Which rows of a table are the person's.
#[derive(Debug, Clone, Copy)]
pub enum Whose {
    /// Those whose column is the login id.
    Column(&'static str),
    /// Those whose `column` is the `key` of a row of `table` whose `owner` is the login id.
    Through {
        column: &'static str,
        table: &'static str,
        key: &'static str,
        owner: &'static str,
    },
}

/// Rows that make one file.
#[derive(Debug, Clone, Copy)]
pub struct Area {
    /// Name of the file, unique in its service.
    pub name: &'static str,
    /// Shown to users.
    pub title: &'static str,
    pub table: &'static str,
    pub whose: Whose,
    /// Columns that order the rows, unique together.
    pub key: &'static [&'static str],
    pub fields: &'static [Field],
    /// Columns that are not shown, and why.
    pub withheld: &'static [(&'static str, &'static str)],
    /// Members that [`Rights::present`] adds, and their labels.
    pub added: &'static [(&'static str, &'static str)],
}

impl Area {
    /// An area whose rows name the person themselves, in the order of their ids.
    pub const fn new(
        name: &'static str,
        title: &'static str,
        table: &'static str,
        column: &'static str,
        fields: &'static [Field],
    ) -> Self {
        Self {
            name,
            title,
            table,
            whose: Whose::Column(column),
            key: &["id"],
            fields,
            withheld: &[],
            added: &[],
        }
    }

    pub const fn key(mut self, key: &'static [&'static str]) -> Self {
        self.key = key;
        self
    }

    pub const fn withheld(mut self, withheld: &'static [(&'static str, &'static str)]) -> Self {
        self.withheld = withheld;
        self
    }

    pub const fn added(mut self, added: &'static [(&'static str, &'static str)]) -> Self {
        self.added = added;
        self
    }

    pub const fn through(
        mut self,
        column: &'static str,
        (table, key, owner): (&'static str, &'static str, &'static str),
    ) -> Self {
        self.whose = Whose::Through {
            column,
            table,
            key,
            owner,
        };
        self
    }

    /// Whether a column is covered: it is shown, or withheld with a reason.
    pub fn says(&self, column: &str) -> bool {
        let own = matches!(self.whose, Whose::Column(own) if own == column);
        own || self.fields.iter().any(|field| field.column == column)
            || self
                .withheld
                .iter()
                .any(|(name, why)| *name == column && !why.is_empty())
    }

    fn labels(&self) -> Vec<ExportField> {
        let shown = self
            .fields
            .iter()
            .filter(|field| field.kind != Kind::Source);
        let shown = shown.map(|field| (member(field.column), field.label));
        let added = self
            .added
            .iter()
            .map(|(name, label)| ((*name).to_owned(), *label));
        let labels = added.chain(shown).map(|(name, label)| ExportField {
            name,
            label: label.to_owned(),
        });
        labels.collect()
    }

    /// Rows behind the one with these keys: keys first, then fields, all as texts, the same on every database.
    fn select(&self, login_id: &str, after: &[String]) -> SelectStatement {
        let as_text = |column: &str| Expr::col(Alias::new(column)).cast_as("TEXT");
        let mut select = Query::select();
        for column in self.key {
            select
                .expr(as_text(column))
                .order_by_expr(as_text(column), Order::Asc);
        }
        for field in self.fields {
            select.expr(as_text(field.column));
        }
        select.from(Alias::new(self.table)).limit(ROWS);
        match self.whose {
            Whose::Column(column) => {
                select.and_where(Expr::col(Alias::new(column)).eq(login_id));
            }
            Whose::Through {
                column,
                table,
                key,
                owner,
            } => {
                let own = Query::select()
                    .column(Alias::new(key))
                    .from(Alias::new(table))
                    .and_where(Expr::col(Alias::new(owner)).eq(login_id))
                    .to_owned();
                select.and_where(Expr::col(Alias::new(column)).in_subquery(own));
            }
        }
        if !after.is_empty() {
            let here = Expr::tuple(self.key.iter().map(|column| as_text(column)));
            let behind = Expr::tuple(after.iter().map(|key| Expr::value(key.clone())));
            select.and_where(here.gt(behind));
        }
        select
    }
}

impl Field {
    /// The text of a column as it is shown, of people its text.
    pub fn shown(&self, text: Option<String>) -> Value {
        let Some(text) = text else {
            return Value::Null;
        };
        let whole = || text.parse::<i64>().ok();
        match self.kind {
            Kind::Text | Kind::Person | Kind::Source => Value::String(text),
            Kind::Number => whole().map_or(Value::Null, Value::from),
            Kind::Flag => Value::Bool(matches!(text.as_str(), "1" | "t" | "true")),
            Kind::Time => whole().and_then(moment).map_or(Value::Null, Value::String),
            Kind::Cents => whole().map_or(Value::Null, |cents| Value::from(cents as f64 / 100.0)),
            Kind::Json => serde_json::from_str(&text).unwrap_or(Value::String(text)),
        }
    }
}

/// A moment with its zone, Beijing's; none for one that never was.
fn moment(at_ms: i64) -> Option<String> {
    let at = OffsetDateTime::from_unix_timestamp(at_ms.div_euclid(1000)).ok()?;
    let beijing = UtcOffset::from_hms(8, 0, 0).ok()?;
    (at_ms != 0).then(|| at.to_offset(beijing).format(&Rfc3339).ok())?
}

/// Name of a column as a member of JSON.
pub fn member(column: &str) -> String {
    let mut words = column.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let mut letters = word.chars();
        let head = letters.next().map(|letter| letter.to_ascii_uppercase());
        name + &head.into_iter().chain(letters).collect::<String>()
    })
}

#[derive(Default, Serialize, Deserialize)]
struct Cursor {
    area: String,
    after: Vec<String>,
}

struct Row {
    keys: Vec<String>,
    values: Vec<Option<String>>,
}

/// One page of what the service holds of a person. Errors: the cursor is none of ours.
pub async fn page<R: Rights>(
    rights: &R,
    db: &DatabaseConnection,
    request: &ExportPageRequest,
) -> Result<ExportPage, ServiceError> {
    let cursor: Cursor = match request.cursor.as_str() {
        "" => Cursor::default(),
        text => serde_json::from_str(text).map_err(anyhow::Error::from)?,
    };
    let at = match cursor.area.as_str() {
        "" => Some(0),
        name => R::AREAS.iter().position(|area| area.name == name),
    };
    let Some(at) = at else {
        return Err(anyhow::anyhow!("the cursor names an unknown area").into());
    };
    let login_id = request.login_id.as_str();
    let Some(area) = R::AREAS.get(at) else {
        return Ok(ExportPage {
            objects: rights.takes(login_id).await?,
            ..Default::default()
        });
    };
    let mut rows = read(db, area, login_id, &cursor.after).await?;
    let whole = (rows.len() as u64) < ROWS;
    let names = names_of(rights, area, login_id, &rows).await?;
    let (mut texts, mut bytes, mut last) = (Vec::new(), 0, Vec::new());
    let read = rows.len();
    for row in rows.drain(..) {
        let text = row_text(rights, area, row.values, &names);
        bytes += text.len();
        texts.push(text);
        last = row.keys;
        if bytes > BYTES {
            break;
        }
    }
    let following = R::AREAS.get(at + 1);
    let next = match (whole && texts.len() == read, following) {
        (false, _) => Some((area.name, last)),
        (true, Some(following)) => Some((following.name, Vec::new())),
        (true, None) => None,
    };
    let objects = match &next {
        Some(_) => Vec::new(),
        None => rights.takes(login_id).await?,
    };
    let next = next.map(|(name, after)| Cursor {
        area: name.to_owned(),
        after,
    });
    Ok(ExportPage {
        area: area.name.to_owned(),
        title: area.title.to_owned(),
        fields: area.labels(),
        rows: texts,
        objects,
        next: match next {
            Some(next) => serde_json::to_string(&next).map_err(anyhow::Error::from)?,
            None => String::new(),
        },
    })
}

async fn read(
    db: &DatabaseConnection,
    area: &Area,
    login_id: &str,
    after: &[String],
) -> Result<Vec<Row>, DbErr> {
    let found = db.query_all(&area.select(login_id, after)).await?;
    let row = |row: &QueryResult| -> Result<Row, DbErr> {
        let text = |at: usize| row.try_get_by_index::<Option<String>>(at);
        let keys = (0..area.key.len()).map(|at| Ok(text(at)?.unwrap_or_default()));
        let values = (0..area.fields.len()).map(|at| text(area.key.len() + at));
        Ok(Row {
            keys: keys.collect::<Result<_, DbErr>>()?,
            values: values.collect::<Result<_, DbErr>>()?,
        })
    };
    found.iter().map(row).collect()
}

/// Names of the people in these rows.
async fn names_of<R: Rights>(
    rights: &R,
    area: &Area,
    login_id: &str,
    rows: &[Row],
) -> anyhow::Result<HashMap<String, String>> {
    let people = (0..area.fields.len()).filter(|at| area.fields[*at].kind == Kind::Person);
    let mut ids: Vec<String> = people
        .flat_map(|at| rows.iter().filter_map(move |row| row.values[at].clone()))
        .filter(|id| id != login_id)
        .collect();
    ids.sort();
    ids.dedup();
    let mut names = match ids.is_empty() {
        true => HashMap::new(),
        false => rights.names(&ids).await?,
    };
    names.insert(login_id.to_owned(), SELF.to_owned());
    Ok(names)
}

fn row_text<R: Rights>(
    rights: &R,
    area: &Area,
    values: Vec<Option<String>>,
    names: &HashMap<String, String>,
) -> String {
    let mut row = Map::new();
    for (field, value) in area.fields.iter().zip(values) {
        let shown = match (field.kind, value) {
            (Kind::Person, Some(id)) => {
                let name = names.get(&id).map_or(SOMEBODY, String::as_str);
                Value::String(name.to_owned())
            }
            (_, value) => field.shown(value),
        };
        row.insert(member(field.column), shown);
    }
    rights.present(area, &mut row);
    for field in area
        .fields
        .iter()
        .filter(|field| field.kind == Kind::Source)
    {
        row.remove(&member(field.column));
    }
    Value::Object(row).to_string()
}

/// The first character of a name, as pages show users who are not friends.
pub fn masked_name(name: &str) -> String {
    match name.chars().next() {
        Some(first) => format!("{first}**"),
        None => SOMEBODY.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_become_what_people_read() {
        assert_eq!(member("created_at"), "createdAt");
        assert_eq!(member("id"), "id");
        let at = time("at", "").shown(Some("1795365000000".to_owned()));
        assert_eq!(at, "2026-11-23T00:30:00+08:00");
        assert_eq!(time("at", "").shown(Some("0".to_owned())), Value::Null);
        assert_eq!(
            cents("a", "").shown(Some("-1250".to_owned())).to_string(),
            "-12.5"
        );
        assert_eq!(flag("a", "").shown(Some("true".to_owned())), true);
        assert_eq!(json("a", "").shown(Some("{oh".to_owned())), "{oh");
        assert_eq!(masked_name("归海一刀"), "归**");
    }
}
