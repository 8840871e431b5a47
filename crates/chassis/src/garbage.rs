//! Objects that a transaction has let go: noted in it, removed after it.

use std::time::Duration;

use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{ConnectionTrait, DatabaseTransaction, QuerySelect, Set};
use sea_orm_migration::prelude::Table;
use sea_orm_migration::schema::{big_integer, string_len};

use crate::Context;
use crate::db::change::Change;

const PERIOD: Duration = Duration::from_secs(5);
const BATCH: u64 = 50;

mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "garbage")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub object_key: String,
        pub created_at: i64,
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

async fn collect(context: &Context) -> anyhow::Result<()> {
    let rows = row::Entity::find().limit(BATCH).all(&context.db).await?;
    for row in rows {
        match row.object_key.ends_with('/') {
            true => {
                context.objects.delete_prefix(&row.object_key).await?;
            }
            false => context.objects.delete(&row.object_key).await?,
        }
        removed(context, row).await?;
    }
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
            vec![Box::new(table())]
        }
    }

    #[tokio::test]
    async fn what_is_discarded_during_its_removal_is_removed_once_more() {
        for shape in every_shape() {
            let test = TestParts::open(shape, &[], |_| {}).await;
            let context = test.context("order").await;
            crate::db::migrate::<Tables>(&context.db).await.unwrap();
            let key = "m/1/".to_owned();
            let discarded = async || {
                let transaction = crate::db::begin_write(&context.db).await.unwrap();
                discard(&transaction, test.parts.clock.now_ms(), [&key])
                    .await
                    .unwrap();
                transaction.commit().await.unwrap();
                row::Entity::find().one(&context.db).await.unwrap().unwrap()
            };
            let first = discarded().await;
            let second = discarded().await;
            removed(&context, first).await.unwrap();
            let left = row::Entity::find().all(&context.db).await.unwrap();
            assert_eq!(left, [second]);
            collect(&context).await.unwrap();
            let left = row::Entity::find().all(&context.db).await.unwrap();
            assert_eq!(left, []);
            test.finish().await;
        }
    }
}
