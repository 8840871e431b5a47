//! The lock of a user's orders.

use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{DatabaseTransaction, Set};

use crate::entity::buyer;

/// Locks the user's row until the transaction ends. Taken before the row of an order.
pub(crate) async fn lock(transaction: &DatabaseTransaction, owner: &str) -> Result<(), DbErr> {
    let row = buyer::ActiveModel {
        owner: Set(owner.to_owned()),
        version: Set(1),
    };
    let mut next = OnConflict::column(buyer::Column::Owner);
    next.value(
        buyer::Column::Version,
        Expr::col((buyer::Entity, buyer::Column::Version)).add(1),
    );
    buyer::Entity::insert(row)
        .on_conflict(next)
        .exec_without_returning(transaction)
        .await?;
    Ok(())
}
