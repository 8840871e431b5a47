//! What the demo does by hand.

use chassis::{Context, db};
use sea_orm::Set;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::OnConflict;

use crate::entity::user_counter;

/// Jobs that are queued for `owner` from now on give way to everybody else's, or no longer do.
pub async fn give_way(context: &Context, owner: &str, gives_way: bool) -> anyhow::Result<()> {
    let row = user_counter::ActiveModel {
        owner: Set(owner.to_owned()),
        version: Set(0),
        gives_way: Set(gives_way),
    };
    let known = OnConflict::column(user_counter::Column::Owner)
        .update_column(user_counter::Column::GivesWay)
        .to_owned();
    let transaction = db::begin_write(&context.db).await?;
    user_counter::Entity::insert(row)
        .on_conflict(known)
        .exec_without_returning(&transaction)
        .await?;
    transaction.commit().await?;
    Ok(())
}
