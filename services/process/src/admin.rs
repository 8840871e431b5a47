//! Administration used when seeding the demo.

use chassis::{Context, db};

use crate::entity::user_counter;

/// Sets whether jobs that `owner` queues from now on give way to those of all other users.
pub async fn give_way(context: &Context, owner: &str, gives_way: bool) -> anyhow::Result<()> {
    let row = user_counter::Model {
        owner: owner.to_owned(),
        gives_way,
        results: "{}".to_owned(),
        ..Default::default()
    };
    let transaction = db::begin_write(&context.db).await?;
    db::upsert(row, [user_counter::Column::GivesWay], &transaction).await?;
    transaction.commit().await?;
    Ok(())
}
