//! Objects that a transaction has let go: noted in it, removed after it. One that cannot be removed waits longer each time, and keeps
//! no other.

use std::time::Duration;

use anyhow::Context as _;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, FromQueryResult, QueryOrder, QuerySelect, Set,
};
use sea_orm_migration::prelude::Table;
use sea_orm_migration::schema::{big_integer, string_len};

use objectstore::StoreError;

use crate::Context;
use crate::db::change::Change;

const PERIOD: Duration = Duration::from_secs(5);
const BATCH: u64 = 500;
/// Removals that fail one after the other: the store is away, and the round ends.
const AWAY: u32 = 3;
/// Longest wait of a removal that fails.
const LONGEST_MS: i64 = 3_600_000;

mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "garbage")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub object_key: String,
        pub created_at: i64,
        /// Failed removals.
        pub tries: i32,
        /// Not tried before.
        pub next_at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The table of what is to be removed: a part of the service's migrations.
pub fn table() -> Change {
    let garbage = Table::create()
        .table("garbage")
        .col(string_len("object_key", 1100).primary_key())
        .col(big_integer("created_at"))
        .to_owned();
    Change::new("m20261126_000002_garbage").table("garbage", garbage)
}

/// When a removal that failed is tried again: a part of the service's migrations, after its table.
pub fn retries() -> Change {
    Change::new("m20261203_000001_garbage_retries")
        .sql(
            "ALTER TABLE garbage ADD COLUMN tries INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE garbage DROP COLUMN tries",
        )
        .sql(
            "ALTER TABLE garbage ADD COLUMN next_at BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE garbage DROP COLUMN next_at",
        )
        .index("garbage_next", "garbage", &["next_at", "created_at"])
}

/// Notes objects to be removed once the transaction has been committed: keys, or prefixes that end with `/`. Empty ones do not count.
pub async fn discard<'a>(
    transaction: &DatabaseTransaction,
    now_ms: i64,
    keys: impl IntoIterator<Item = &'a String>,
) -> Result<(), DbErr> {
    for key in keys {
        if key.is_empty() {
            continue;
        }
        let row = row::ActiveModel {
            object_key: Set(key.clone()),
            created_at: Set(now_ms),
            tries: Set(0),
            next_at: Set(0),
        };
        // Noted once more: a removal under way then keeps the row, and another round removes what came since.
        let again = Expr::col((row::Entity, row::Column::CreatedAt)).add(1);
        row::Entity::insert(row)
            .on_conflict(
                OnConflict::column(row::Column::ObjectKey)
                    .value(row::Column::CreatedAt, again)
                    .to_owned(),
            )
            .exec_without_returning(transaction)
            .await?;
    }
    Ok(())
}

/// Forgets the notes below a prefix whose objects are gone already.
pub async fn forget_below(connection: &impl ConnectionTrait, prefix: &str) -> Result<(), DbErr> {
    row::Entity::delete_many()
        .filter(row::Column::ObjectKey.starts_with(prefix))
        .exec(connection)
        .await?;
    Ok(())
}

/// When the oldest note was written, and when the first is due.
#[derive(FromQueryResult)]
struct Waiting {
    oldest: Option<i64>,
    due: Option<i64>,
}

/// One round: measures what waits, and removes what is due.
async fn collect(context: &Context) -> anyhow::Result<()> {
    let waiting = row::Entity::find()
        .select_only()
        .column_as(row::Column::CreatedAt.min(), "oldest")
        .column_as(row::Column::NextAt.min(), "due")
        .into_model::<Waiting>()
        .one(&context.db)
        .await?
        .context("an aggregate without a row")?;
    let now = context.clock.now_ms();
    let age = waiting.oldest.map_or(0, |oldest| Ord::max(now - oldest, 0));
    metrics::gauge!("xuanlan_removals_oldest_seconds", "service" => context.service)
        .set(age as f64 / 1000.0);
    if waiting.due.is_some_and(|due| due <= now) {
        remove_due(context).await?;
    }
    Ok(())
}

async fn remove_due(context: &Context) -> Result<(), DbErr> {
    let rows = row::Entity::find()
        .filter(row::Column::NextAt.lte(context.clock.now_ms()))
        .order_by_asc(row::Column::NextAt)
        .order_by_asc(row::Column::CreatedAt)
        .limit(BATCH)
        .all(&context.db)
        .await?;
    let mut failed = 0;
    for row in rows {
        match remove(context, &row.object_key).await {
            Ok(()) => {
                failed = 0;
                removed(context, row).await?;
            }
            Err(error) => {
                tracing::warn!(key = row.object_key, %error, "an object cannot be removed, it is tried again");
                put_off(context, &row).await?;
                failed += 1;
                if failed == AWAY {
                    break;
                }
            }
        }
    }
    Ok(())
}

async fn remove(context: &Context, key: &str) -> Result<(), StoreError> {
    match key.ends_with('/') {
        true => context.objects.delete_prefix(key).await.map(|_| ()),
        false => context.objects.delete(key).await,
    }
}

async fn put_off(context: &Context, row: &row::Model) -> Result<(), DbErr> {
    let wait = (PERIOD.as_millis() as i64) << row.tries.clamp(0, 20);
    row::Entity::update_many()
        .set(row::ActiveModel {
            tries: Set(row.tries.saturating_add(1)),
            next_at: Set(context.clock.now_ms() + Ord::min(wait, LONGEST_MS)),
            ..Default::default()
        })
        .filter(row::Column::ObjectKey.eq(&row.object_key))
        .exec(&context.db)
        .await?;
    Ok(())
}

/// The objects of a note are gone; it stays if it was written once more meanwhile.
async fn removed(context: &Context, row: row::Model) -> Result<(), DbErr> {
    row::Entity::delete_by_id(row.object_key)
        .filter(row::Column::CreatedAt.eq(row.created_at))
        .exec(&context.db)
        .await?;
    Ok(())
}

/// Starts the collector.
pub fn spawn(context: &Context) {
    let here = context.clone();
    context
        .shutdown
        .every(PERIOD, "removal of objects", move || {
            let context = here.clone();
            async move { collect(&context).await }
        });
}

#[cfg(test)]
mod tests {
    use sea_orm_migration::{MigrationTrait, MigratorTrait};

    use super::*;
    use crate::testing::{TestParts, every_shape};

    struct Tables;

    #[async_trait::async_trait]
    impl MigratorTrait for Tables {
        fn migrations() -> Vec<Box<dyn MigrationTrait>> {
            vec![Box::new(table()), Box::new(retries())]
        }
    }

    async fn world(shape: crate::testing::Shape) -> (TestParts, Context) {
        let test = TestParts::open(shape, &[], |_| {}).await;
        let context = test.context("order").await;
        crate::db::migrate::<Tables>(&context.db).await.unwrap();
        (test, context)
    }

    async fn discard_all(context: &Context, keys: &[String]) {
        let transaction = crate::db::begin_write(&context.db).await.unwrap();
        let now = context.clock.now_ms();
        discard(&transaction, now, keys).await.unwrap();
        transaction.commit().await.unwrap();
    }

    async fn left(context: &Context) -> Vec<row::Model> {
        row::Entity::find().all(&context.db).await.unwrap()
    }

    #[tokio::test]
    async fn what_cannot_be_removed_keeps_nothing_else() {
        for shape in every_shape() {
            let (test, context) = world(shape).await;
            // No store takes this for a key.
            let mut keys = vec!["../x".to_owned(), "../y".to_owned()];
            keys.extend((0..60).map(|number| format!("d/u1/{number}")));
            discard_all(&context, &keys).await;
            collect(&context).await.unwrap();
            let kept = left(&context).await;
            let tried = |rows: &[row::Model], tries| rows.iter().all(|row| row.tries == tries);
            assert_eq!(kept.len(), 2);
            assert!(tried(&kept, 1), "{kept:?}");
            collect(&context).await.unwrap();
            assert_eq!(left(&context).await, kept, "not before its time");
            test.parts.clock.advance_ms(5_000);
            collect(&context).await.unwrap();
            assert!(tried(&left(&context).await, 2));
            test.parts.clock.advance_ms(5_000);
            collect(&context).await.unwrap();
            assert!(tried(&left(&context).await, 2), "it waits longer");
            test.finish().await;
        }
    }

    #[tokio::test]
    async fn what_is_discarded_during_its_removal_is_removed_once_more() {
        for shape in every_shape() {
            let (test, context) = world(shape).await;
            let key = ["m/1/".to_owned()];
            let discarded = async || {
                discard_all(&context, &key).await;
                left(&context).await.remove(0)
            };
            let first = discarded().await;
            let second = discarded().await;
            removed(&context, first).await.unwrap();
            assert_eq!(left(&context).await, [second]);
            collect(&context).await.unwrap();
            assert_eq!(left(&context).await, []);
            test.finish().await;
        }
    }
}
