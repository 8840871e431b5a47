//! Objects that a transaction has let go: noted in it, removed after it.

use std::time::Duration;

use chassis::ServiceError;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::OnConflict;
use sea_orm::{DatabaseTransaction, QuerySelect, Set};

use crate::Process;
use crate::entity::garbage;

const PERIOD: Duration = Duration::from_secs(5);
const BATCH: u64 = 50;

impl Process {
    /// Notes objects to be removed once the transaction has been committed; empty keys do not count.
    pub(crate) async fn discard<'a>(
        &self,
        transaction: &DatabaseTransaction,
        keys: impl IntoIterator<Item = &'a String>,
    ) -> Result<(), ServiceError> {
        for key in keys {
            if key.is_empty() {
                continue;
            }
            let row = garbage::ActiveModel {
                object_key: Set(key.clone()),
                created_at: Set(self.now()),
            };
            garbage::Entity::insert(row)
                .on_conflict(
                    OnConflict::column(garbage::Column::ObjectKey)
                        .do_nothing()
                        .to_owned(),
                )
                .exec_without_returning(transaction)
                .await?;
        }
        Ok(())
    }

    async fn collect(&self) -> anyhow::Result<()> {
        let rows = garbage::Entity::find()
            .limit(BATCH)
            .all(&self.context.db)
            .await?;
        for row in rows {
            self.context.objects.delete(&row.object_key).await?;
            garbage::Entity::delete_by_id(row.object_key)
                .exec(&self.context.db)
                .await?;
        }
        Ok(())
    }
}

/// Starts the collector.
pub(crate) fn spawn(process: &Process) {
    let shutdown = process.context.shutdown.clone();
    let process = process.clone();
    shutdown.every(PERIOD, "removal of objects", move || {
        let process = process.clone();
        async move { process.collect().await }
    });
}
