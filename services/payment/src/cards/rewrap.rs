//! A new master key takes the cards over.

use sea_orm::QuerySelect;
use sea_orm::entity::prelude::*;

use super::{rewrapped, wrapped};
use crate::Payment;
use crate::entity::bank_card::{Column, Entity};

/// Cards encrypted anew at once.
const BATCH: u64 = 100;

impl Payment {
    /// Encrypts the key of each card under the current master key; answers how many were under another.
    pub async fn rewrap_cards(&self) -> anyhow::Result<u64> {
        let vault = self.vault()?;
        let mut renewed = 0;
        loop {
            let rows = Entity::find_any()
                .filter(Column::KeyId.ne(vault.current_id()))
                .limit(BATCH)
                .all(&self.context.db)
                .await?;
            if rows.is_empty() {
                return Ok(renewed);
            }
            for row in rows {
                let Some(new) = vault.renewed(&wrapped(&row), &row.owner, &row.id)? else {
                    continue;
                };
                // A card that was changed meanwhile has a key of its own under the current one.
                let done = Entity::update_any()
                    .set(rewrapped(new))
                    .filter(Column::Id.eq(&row.id))
                    .filter(Column::WrappedKey.eq(&row.wrapped_key))
                    .exec(&self.context.db)
                    .await?;
                renewed += done.rows_affected;
            }
        }
    }
}
