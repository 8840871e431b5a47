//! The lock of a user's orders.

use chassis::db;
use sea_orm::{DatabaseTransaction, DbErr};

use crate::entity::buyer::{Column, Model};

/// Locks the user's row until the transaction ends. Taken before the row of an order.
pub(crate) async fn lock(transaction: &DatabaseTransaction, owner: &str) -> Result<(), DbErr> {
    let row = Model {
        owner: owner.to_owned(),
        version: 1,
    };
    db::count_version(row, Column::Version, transaction).await?;
    Ok(())
}
