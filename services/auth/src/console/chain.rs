//! The audit log of all services as a chain: each entry holds a hash over itself and the entry before. The database refuses
//! changes; a change that bypasses it breaks the chain, and [`verify`] names the place.

use chassis::audit::append_only;
use chassis::db;
use chassis::db::tables::drop_tables;
use proto::common::v1::AuditEntry;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, ExprTrait, QueryOrder, QuerySelect, Set};
use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, string_len, text};

use crate::secret;

/// Entries read at a time.
const PAGE: u64 = 1000;
/// The one row of the head.
const HEAD: i64 = 1;

pub mod link {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "audit_chain")]
    pub struct Model {
        /// From 1, without gaps.
        #[sea_orm(primary_key, auto_increment = false)]
        pub number: i64,
        #[sea_orm(unique)]
        pub id: String,
        pub at: i64,
        pub service: String,
        pub call: String,
        pub permission: String,
        pub operator_id: String,
        pub operator_name: String,
        pub target: String,
        pub before: String,
        pub after: String,
        pub reason: String,
        pub request_id: String,
        pub remote_addr: String,
        /// Lower-case hex SHA-256 over the hash before and all of the above.
        pub hash: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Length of the chain: reveals entries cut off its end.
mod head {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "audit_head")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: i64,
        pub number: i64,
        pub hash: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The hash of an entry whose own is not set yet.
fn hash(previous: &str, row: &link::Model) -> String {
    let fields = serde_json::json!([
        previous,
        row.number,
        row.id,
        row.at,
        row.service,
        row.call,
        row.permission,
        row.operator_id,
        row.operator_name,
        row.target,
        row.before,
        row.after,
        row.reason,
        row.request_id,
        row.remote_addr,
    ]);
    secret::sha256(&fields.to_string())
}

/// Adds an entry to the chain, once. A concurrent one waits at the head.
pub async fn add(transaction: &impl ConnectionTrait, entry: AuditEntry) -> Result<(), DbErr> {
    let next = Expr::col(head::Column::Number).add(1);
    head::Entity::update_many()
        .col_expr(head::Column::Number, next)
        .filter(head::Column::Id.eq(HEAD))
        .exec(transaction)
        .await?;
    let head = head::Entity::find_by_id(HEAD).one(transaction).await?;
    let head = head.ok_or_else(|| DbErr::Custom("the chain has no head".to_owned()))?;
    let mut row = link::Model {
        number: head.number,
        id: entry.id,
        at: entry.at_ms,
        service: entry.service,
        call: entry.call,
        permission: entry.permission,
        operator_id: entry.operator_id,
        operator_name: entry.operator_name,
        target: entry.target,
        before: entry.before,
        after: entry.after,
        reason: entry.reason,
        request_id: entry.request_id,
        remote_addr: entry.remote_addr,
        hash: String::new(),
    };
    row.hash = hash(&head.hash, &row);
    head::Entity::update_many()
        .set(head::ActiveModel {
            hash: Set(row.hash.clone()),
            ..Default::default()
        })
        .filter(head::Column::Id.eq(HEAD))
        .exec(transaction)
        .await?;
    db::insert(row, transaction).await
}

/// Result of verifying the whole chain.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    pub entries: i64,
    /// Number of the first entry that does not fit, and why.
    pub broken: Option<(i64, &'static str)>,
}

/// Recomputes all hashes.
pub async fn verify(db: &DatabaseConnection) -> Result<Verdict, DbErr> {
    // Before the entries, so that none added meanwhile counts as missing.
    let head = head::Entity::find_by_id(HEAD).one(db).await?;
    let mut verdict = Verdict::default();
    let mut previous = String::new();
    let mut hash_at_head = None;
    loop {
        let rows = link::Entity::find()
            .filter(link::Column::Number.gt(verdict.entries))
            .order_by_asc(link::Column::Number)
            .limit(PAGE)
            .all(db)
            .await?;
        if rows.is_empty() {
            break;
        }
        for row in rows {
            let expected = verdict.entries + 1;
            let problem = match &row {
                row if row.number != expected => Some("缺少此条记录"),
                row if row.hash != hash(&previous, row) => Some("内容与校验值不符"),
                _ => None,
            };
            if let Some(problem) = problem {
                verdict.broken = Some((expected, problem));
                return Ok(verdict);
            }
            verdict.entries = row.number;
            previous = row.hash;
            if head.as_ref().is_some_and(|head| head.number == row.number) {
                hash_at_head = Some(previous.clone());
            }
        }
    }
    match head {
        None => verdict.broken = Some((1, "缺少链尾")),
        Some(head) if head.number == 0 => {}
        Some(head) if head.number > verdict.entries => {
            verdict.broken = Some((verdict.entries + 1, "末尾的记录被删除"));
        }
        Some(head) if hash_at_head.as_ref() != Some(&head.hash) => {
            verdict.broken = Some((head.number, "与链尾不符"));
        }
        Some(_) => {}
    }
    Ok(verdict)
}

/// The migration of the chain.
pub struct Chain;

impl MigrationName for Chain {
    fn name(&self) -> &str {
        "m20261123_000102_audit_chain"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Chain {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let chain = Table::create()
            .table("audit_chain")
            .col(big_integer("number").primary_key())
            .col(string_len("id", 64).unique_key())
            .col(big_integer("at"))
            .col(string_len("service", 32))
            .col(string_len("call", 16))
            .col(string_len("permission", 64))
            .col(string_len("operator_id", 64))
            .col(string_len("operator_name", 64))
            .col(string_len("target", 255))
            .col(text("before"))
            .col(text("after"))
            .col(text("reason"))
            .col(string_len("request_id", 128))
            .col(string_len("remote_addr", 64))
            .col(string_len("hash", 64))
            .to_owned();
        manager.create_table(chain).await?;
        let head = Table::create()
            .table("audit_head")
            .col(big_integer("id").primary_key())
            .col(big_integer("number"))
            .col(string_len("hash", 64))
            .to_owned();
        manager.create_table(head).await?;
        for (name, column) in [
            ("audit_chain_operator", "operator_name"),
            ("audit_chain_target", "target"),
            ("audit_chain_call", "call"),
        ] {
            let columns = &[column, "number"];
            let index = chassis::db::tables::index(name, "audit_chain", columns);
            manager.create_index(index).await?;
        }
        let first = "INSERT INTO audit_head (id, number, hash) VALUES (1, 0, '')";
        manager.get_connection().execute_unprepared(first).await?;
        append_only(manager, "audit_chain").await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_tables(manager, &["audit_head", "audit_chain"]).await
    }
}
