//! Free models: five a day for every user, by the date in China.

use chassis::{BusinessError, ServiceError, db};
use proto::code;
use proto::transaction::v1::FreeModelReply;
use sea_orm::DatabaseTransaction;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait};

use super::{Given, had};
use crate::Mall;
use crate::entity::free_day::{Column, Entity, Model};
use crate::entity::grant::Way;
use crate::listing::conflict;

/// A check in the schema says the same.
pub(crate) const A_DAY: i32 = 5;

pub const HOUR_MS: i64 = 3_600_000;

/// Days since 1970 in China.
pub fn day_of(at_ms: i64) -> i64 {
    (at_ms + 8 * HOUR_MS).div_euclid(24 * HOUR_MS)
}

impl Mall {
    /// How many more the caller can take today.
    pub(super) async fn free_left(&self, owner: &str) -> Result<i32, ServiceError> {
        let today = Entity::find_own(owner).filter(Column::Day.eq(day_of(self.now())));
        let row = today.one(&self.context.db).await?;
        Ok(A_DAY - row.map_or(0, |row| row.taken))
    }

    pub(super) async fn take_free(
        &self,
        owner: &str,
        id: &str,
    ) -> Result<FreeModelReply, ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        let listing = self.on_offer(&transaction, owner, id).await?;
        if listing.price != 0 {
            return Err(conflict("该模型不是免费模型，请购买后下载"));
        }
        let taken = self.count_free(&transaction, owner).await?;
        let given = Given {
            owner,
            listing_id: id,
            version: listing.current_version,
            order: ("", ""),
            price: 0,
            way: Way::Free,
            license: listing.license,
        };
        if !self.give(&transaction, given).await? {
            return Err(had());
        }
        self.out_of_cart(&transaction, owner, &[id.to_owned()])
            .await?;
        transaction.commit().await?;
        Ok(FreeModelReply {
            model_id: listing.id,
            count: A_DAY - taken,
        })
    }

    /// Takes one of the day's; returns how many are taken now.
    async fn count_free(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
    ) -> Result<i32, ServiceError> {
        let day = day_of(self.now());
        let first = Model {
            owner: owner.to_owned(),
            day,
            taken: 0,
        };
        db::insert_new(first, transaction).await?;
        let counted = Entity::update_own(owner)
            .col_expr(Column::Taken, Expr::col(Column::Taken).add(1))
            .filter(Column::Day.eq(day))
            .filter(Column::Taken.lt(A_DAY))
            .exec_with_returning(transaction)
            .await?;
        let row = counted.first().ok_or_else(|| {
            let message = format!("今天的 {A_DAY} 次免费领取已用完，请明天再来");
            ServiceError::from(BusinessError::new(code::QUOTA, message))
        })?;
        if row.taken == 1 {
            // A call that began before midnight may still count on the day before.
            Entity::delete_own(owner)
                .filter(Column::Day.lt(day - 1))
                .exec(transaction)
                .await?;
        }
        Ok(row.taken)
    }
}
