//! What the demo does by hand.

use chassis::{Context, db};

use crate::entity::user_counter;

/// Jobs that are queued for `owner` from now on give way to everybody else's, or no longer do.
pub async fn give_way(context: &Context, owner: &str, gives_way: bool) -> anyhow::Result<()> {
    let row = user_counter::Model {
        owner: owner.to_owned(),
        version: 0,
        gives_way,
    };
    let transaction = db::begin_write(&context.db).await?;
    db::upsert(row, [user_counter::Column::GivesWay], &transaction).await?;
    transaction.commit().await?;
    Ok(())
}
