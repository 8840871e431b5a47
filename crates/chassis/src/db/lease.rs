//! Rows that are due, worked on by one of several workers at a time. Taking one moves its due time ahead by
//! compare-and-set: that is the same on SQLite and PostgreSQL, and nothing is locked while the work lasts. The row of a worker
//! that dies is due again when its lease ends.

use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, UpdateMany};

/// Moves the due time of rows on from the one that was seen. No row is changed if another worker has taken it since, or it was
/// made due anew: the caller names the row, and may set more columns in the same UPDATE.
pub fn lease<E: EntityTrait>(due: E::Column, seen_ms: i64, until_ms: i64) -> UpdateMany<E> {
    E::update_many()
        .col_expr(due, Expr::value(until_ms))
        .filter(due.eq(seen_ms))
}

#[cfg(test)]
mod tests {
    use sea_orm::entity::prelude::*;
    use sea_orm::{Schema, Set};

    use super::*;
    use crate::testing::{TestParts, every_shape};

    mod errand {
        use sea_orm::entity::prelude::*;

        #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
        #[sea_orm(table_name = "errand")]
        pub struct Model {
            #[sea_orm(primary_key, auto_increment = false)]
            pub id: String,
            pub due_at: i64,
        }

        #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
        pub enum Relation {}

        impl ActiveModelBehavior for ActiveModel {}
    }

    #[tokio::test]
    async fn one_of_many_workers_has_a_row_until_its_lease_ends() {
        for shape in every_shape() {
            let test = TestParts::open(shape, &[], |_| {}).await;
            let db = test.context("order").await.db;
            let table =
                Schema::new(db.get_database_backend()).create_table_from_entity(errand::Entity);
            db.execute(&table).await.unwrap();
            let row = errand::ActiveModel {
                id: Set("e1".to_owned()),
                due_at: Set(100),
            };
            errand::Entity::insert(row)
                .exec_without_returning(&db)
                .await
                .unwrap();
            let take = |seen: i64, until: i64| {
                lease::<errand::Entity>(errand::Column::DueAt, seen, until)
                    .filter(errand::Column::Id.eq("e1"))
                    .exec(&db)
            };
            let takers = futures::future::join_all((0..8).map(|at| take(100, 200 + at))).await;
            let taken = takers.into_iter().map(|done| done.unwrap().rows_affected);
            assert_eq!(taken.sum::<u64>(), 1, "{shape:?}");
            let row = errand::Entity::find_by_id("e1").one(&db).await.unwrap();
            let until = row.expect("the errand").due_at;
            // Made due anew meanwhile: the worker's own end does not hide that.
            assert_eq!(take(until, 50).await.unwrap().rows_affected, 1);
            assert_eq!(take(until, 900).await.unwrap().rows_affected, 0);
            test.finish().await;
        }
    }
}
