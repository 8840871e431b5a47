//! The rights of a person in every service that holds their data: a copy ([`export`]), and erasure. A service lists the columns
//! that name people ([`Rights::HOLDINGS`]) and does by itself only what columns cannot say; the rest is the same for all.
//!
//! `auth.account.closed` is noted in the transaction that consumes it. A round takes the note, removes objects, then rows, and
//! publishes the answer in the same transaction; whatever dies in between is done again.

pub mod export;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use proto::auth::v1::AccountClosed;
use proto::common::v1::ExportObject;
use proto::events::Internal;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Alias, Expr, ExprTrait, OnConflict, Query};
use sea_orm::{ConnectionTrait, DatabaseTransaction, QueryOrder, QuerySelect, Set};
use sea_orm_migration::prelude::Table;
use sea_orm_migration::schema::{big_integer, integer, string_len};

use self::export::Area;
use crate::db::change::Change;
use crate::messaging::Outbox;
use crate::{Context, db};

const PERIOD: Duration = Duration::from_secs(1);
/// Notes that one round takes.
const BATCH: u64 = 20;
/// Lease of a note; it is due again if its worker dies.
const LEASE_MS: i64 = 60_000;

/// What pseudonyms of closed accounts begin with, and no login id does.
pub const PSEUDONYM: &str = "x";

/// What becomes of rows whose column names the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Erased,
    /// Kept, for what the law demands or others have a right to, under the pseudonym.
    Renamed,
}

/// A column that names people.
#[derive(Debug, Clone, Copy)]
pub struct Holding {
    pub table: &'static str,
    pub column: &'static str,
    pub fate: Fate,
}

pub const fn erased(table: &'static str, column: &'static str) -> Holding {
    Holding {
        table,
        column,
        fate: Fate::Erased,
    }
}

pub const fn renamed(table: &'static str, column: &'static str) -> Holding {
    Holding {
        table,
        column,
        fate: Fate::Renamed,
    }
}

/// The account that has ended.
#[derive(Debug, Clone, Copy)]
pub struct Leaving<'a> {
    pub login_id: &'a str,
    /// Replaces the login id in what is kept; nothing leads back from it.
    pub pseudonym: &'a str,
}

/// What a service does when an account ends.
#[async_trait::async_trait]
pub trait Rights: Send + Sync + 'static {
    /// The answer, `<service>.account.erased`.
    type Erased: Internal + Send + Sync;

    /// Every column that names people, but for those of [`Rights::OTHERWISE`].
    const HOLDINGS: &'static [Holding];

    /// Columns that look as if they named people and are not in the list: table, column, and why.
    const OTHERWISE: &'static [(&'static str, &'static str, &'static str)] = &[];

    /// What the person can take along: every table of the holdings, with all its columns.
    const AREAS: &'static [Area];

    /// Tables of holdings that have no area, and why.
    const NOT_TAKEN: &'static [(&'static str, &'static str)] = &[];

    fn answer(closure_id: String, round: i32) -> Self::Erased;

    /// Names of these people, as far as pages show them; those left out stay unnamed.
    async fn names(&self, _: &[String]) -> anyhow::Result<HashMap<String, String>> {
        Ok(HashMap::new())
    }

    /// Says of a row what columns cannot.
    fn present(&self, _: &Area, _: &mut serde_json::Map<String, serde_json::Value>) {}

    /// Small objects that the person takes along.
    async fn takes(&self, _: &str) -> anyhow::Result<Vec<ExportObject>> {
        Ok(Vec::new())
    }

    /// Brings to its end what is under way; `true`: not there yet, ask again.
    async fn is_busy(&self, _: Leaving<'_>) -> anyhow::Result<bool> {
        Ok(false)
    }

    /// Prefixes of the person's objects, each ending with `/`.
    async fn prefixes(&self, _: Leaving<'_>) -> anyhow::Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// Single objects of the person's.
    async fn objects(&self, _: Leaving<'_>) -> anyhow::Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// What columns cannot say; the rows of [`Rights::HOLDINGS`] are still there.
    async fn erase(&self, _: &DatabaseTransaction, _: Leaving<'_>) -> anyhow::Result<()> {
        Ok(())
    }
}

mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "erasure")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub closure_id: String,
        pub login_id: String,
        pub pseudonym: String,
        pub round: i32,
        pub due_at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The table of notes: a part of the service's migrations.
pub fn tables() -> Change {
    let erasure = Table::create()
        .table("erasure")
        .col(string_len("closure_id", 64).primary_key())
        .col(string_len("login_id", 64))
        .col(string_len("pseudonym", 64))
        .col(integer("round"))
        .col(big_integer("due_at"))
        .to_owned();
    Change::new("m20261125_000001_erasure")
        .table("erasure", erasure)
        .index("erasure_due", "erasure", &["due_at"])
}

/// Notes that an account has ended: called by the consumer of `auth.account.closed`. The worker begins after the commit.
pub async fn note(
    context: &Context,
    transaction: &DatabaseTransaction,
    event: AccountClosed,
) -> Result<(), DbErr> {
    let row = row::ActiveModel {
        closure_id: Set(event.closure_id),
        login_id: Set(event.login_id),
        pseudonym: Set(event.pseudonym),
        round: Set(event.round),
        due_at: Set(context.clock.now_ms()),
    };
    let again = OnConflict::column(row::Column::ClosureId)
        .update_columns([row::Column::Round, row::Column::DueAt])
        .to_owned();
    row::Entity::insert(row)
        .on_conflict(again)
        .exec_without_returning(transaction)
        .await?;
    let noted = context.erasures.clone();
    db::after_commit(move || noted.notify_one());
    Ok(())
}

/// Works on the notes from now on.
pub fn spawn<R: Rights>(context: &Context, outbox: &Outbox, rights: R) {
    let worker = Arc::new(Worker {
        context: context.clone(),
        outbox: outbox.clone(),
        rights,
    });
    context.shutdown.every_or_woken(
        PERIOD,
        context.erasures.clone(),
        "erasure of closed accounts",
        move || {
            let worker = worker.clone();
            async move { worker.round().await }
        },
    );
}

struct Worker<R> {
    context: Context,
    outbox: Outbox,
    rights: R,
}

impl<R: Rights> Worker<R> {
    async fn round(&self) -> anyhow::Result<bool> {
        let due = row::Entity::find()
            .filter(row::Column::DueAt.lte(self.context.clock.now_ms()))
            .order_by_asc(row::Column::DueAt)
            .limit(BATCH)
            .all(&self.context.db)
            .await?;
        let found = !due.is_empty();
        for note in due {
            if let Err(error) = self.take(&note).await {
                // Without the login id: the log is not to hold it longer than the tables.
                tracing::warn!(
                    closure = note.closure_id,
                    error = format!("{error:#}"),
                    "not erased yet"
                );
            }
        }
        Ok(found)
    }

    /// Of several replicas one works on it.
    async fn take(&self, note: &row::Model) -> anyhow::Result<()> {
        let until = self.context.clock.now_ms() + LEASE_MS;
        let taken = db::lease::<row::Entity>(row::Column::DueAt, note.due_at, until)
            .filter(row::Column::ClosureId.eq(&note.closure_id))
            .exec(&self.context.db)
            .await?;
        if taken.rows_affected == 0 {
            return Ok(());
        }
        match self.erase(note, until).await {
            Ok(true) => Ok(()),
            // Soon again; a note that was made anew meanwhile is due already.
            other => {
                let soon = self.context.clock.now_ms() + PERIOD.as_millis() as i64;
                db::lease::<row::Entity>(row::Column::DueAt, until, soon)
                    .filter(row::Column::ClosureId.eq(&note.closure_id))
                    .exec(&self.context.db)
                    .await?;
                other.map(drop)
            }
        }
    }

    /// `false`: something is still under way.
    async fn erase(&self, note: &row::Model, until: i64) -> anyhow::Result<bool> {
        let leaving = Leaving {
            login_id: &note.login_id,
            pseudonym: &note.pseudonym,
        };
        if self.rights.is_busy(leaving).await? {
            return Ok(false);
        }
        let objects = &self.context.objects;
        for prefix in self.rights.prefixes(leaving).await? {
            objects.delete_prefix(&prefix).await?;
        }
        for key in self.rights.objects(leaving).await? {
            objects.delete(&key).await?;
        }
        self.fail_at("objects")?;
        let transaction = db::begin_write(&self.context.db).await?;
        self.rights.erase(&transaction, leaving).await?;
        apply(&transaction, R::HOLDINGS, leaving).await?;
        let answer = R::answer(note.closure_id.clone(), note.round);
        self.outbox
            .add(&transaction, &note.closure_id, &answer)
            .await?;
        // One that was asked for again meanwhile stays, and is answered again.
        row::Entity::delete_many()
            .filter(row::Column::ClosureId.eq(&note.closure_id))
            .filter(row::Column::Round.eq(note.round))
            .filter(row::Column::DueAt.eq(until))
            .exec(&transaction)
            .await?;
        self.fail_at("rows")?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(true)
    }

    fn fail_at(&self, step: &str) -> anyhow::Result<()> {
        let name = format!("{}.erasure.{step}", self.context.service);
        self.context.fail.at(&name)
    }
}

async fn apply(
    transaction: &DatabaseTransaction,
    holdings: &[Holding],
    leaving: Leaving<'_>,
) -> Result<(), DbErr> {
    for holding in holdings {
        let table = Alias::new(holding.table);
        let column = Alias::new(holding.column);
        let named = Expr::col(column.clone()).eq(leaving.login_id);
        match holding.fate {
            Fate::Erased => {
                let delete = Query::delete()
                    .from_table(table)
                    .and_where(named)
                    .to_owned();
                transaction.execute(&delete).await?;
            }
            Fate::Renamed => {
                let update = Query::update()
                    .table(table)
                    .value(column, leaving.pseudonym)
                    .and_where(named)
                    .to_owned();
                transaction.execute(&update).await?;
            }
        }
    }
    Ok(())
}
