//! The words that operators list in personal: a copy by event in each service that scans texts, looked at by its version at every
//! scan, so that it holds in each replica as soon as it is committed.

use std::path::Path;
use std::sync::Arc;

use contentscan::{Action, Current, Rule, Scanner};
use proto::personal::v1::WordsChanged;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{DatabaseTransaction, QuerySelect, Set};
use sea_orm_migration::prelude::Table;
use sea_orm_migration::schema::{big_integer, string_len, text};

use crate::ServiceError;
use crate::db::change::Change;

const LIST: &str = "words";

/// Word, action, replacement.
type Row = (String, String, String);

mod word_list {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "word_list")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: String,
        pub version: i64,
        /// JSON list of word, action and replacement.
        pub words: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The table of the copy: a part of the service's migrations.
pub fn table() -> Change {
    let list = Table::create()
        .table("word_list")
        .col(string_len("id", 64).primary_key())
        .col(big_integer("version"))
        .col(text("words"))
        .to_owned();
    Change::new("m20261124_000001_words").table("word_list", list)
}

/// The scanner of texts; clones share it.
#[derive(Clone)]
pub struct Words {
    db: DatabaseConnection,
    current: Arc<Current>,
}

impl Words {
    /// `file`: words that this installation adds, one a line; empty: none. Errors: it cannot be read.
    pub fn new(db: DatabaseConnection, file: &str) -> anyhow::Result<Self> {
        let own = match file {
            "" => String::new(),
            path => std::fs::read_to_string(Path::new(path))?,
        };
        Ok(Self {
            db,
            current: Arc::new(Current::new(own)),
        })
    }

    /// The scanner of the newest list.
    pub async fn scanner(&self) -> Result<Arc<Scanner>, ServiceError> {
        let version: Option<i64> = word_list::Entity::find_by_id(LIST)
            .select_only()
            .column(word_list::Column::Version)
            .into_tuple()
            .one(&self.db)
            .await?;
        if let Some(scanner) = self.current.get(version.unwrap_or(0)) {
            return Ok(scanner);
        }
        let list = word_list::Entity::find_by_id(LIST).one(&self.db).await?;
        let (version, text) = list.map_or((0, "[]".to_owned()), |list| (list.version, list.words));
        let rows: Vec<Row> = serde_json::from_str(&text).map_err(anyhow::Error::from)?;
        let rules: Vec<Rule> = rows.into_iter().filter_map(rule_of).collect();
        Ok(self.current.put(version, &rules))
    }
}

/// A word with an action that a later version knows is left out.
fn rule_of((word, action, replacement): Row) -> Option<Rule> {
    let action = match action.as_str() {
        "refuse" => Action::Refuse,
        "review" => Action::Review,
        "replace" => Action::Replace,
        _ => return None,
    };
    Some(Rule {
        word,
        action,
        replacement,
    })
}

/// Takes a list over unless a newer one is known.
pub async fn changed(transaction: &DatabaseTransaction, event: WordsChanged) -> anyhow::Result<()> {
    let rows = event.words.into_iter();
    let rows: Vec<Row> = rows
        .map(|word| (word.word, word.action, word.replacement))
        .collect();
    let row = word_list::ActiveModel {
        id: Set(LIST.to_owned()),
        version: Set(event.version),
        words: Set(serde_json::to_string(&rows)?),
    };
    let known = (word_list::Entity, word_list::Column::Version);
    let replace = OnConflict::column(word_list::Column::Id)
        .update_columns([word_list::Column::Version, word_list::Column::Words])
        .action_and_where(Expr::col(known).lt(event.version))
        .to_owned();
    word_list::Entity::insert(row)
        .on_conflict(replace)
        .exec_without_returning(transaction)
        .await?;
    Ok(())
}
