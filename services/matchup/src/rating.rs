//! Ratings that both sides give each other at the end, once each.

use chassis::texts::Rule;
use chassis::{Grantee, ServiceError, db};
use proto::matchup::v1::{Demand, RateDemandRequest};
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, QuerySelect, Set};

use crate::Matchup;
use crate::demand::no_such_demand;
use crate::entity::rating::{Column, Entity, Model};
use crate::entity::{demand, provider};
use crate::notify::Notification;
use crate::state::{conflict, invalid};
use crate::texts::Said;

const CONTENT: Rule = Rule {
    called: "评价内容",
    lines: true,
};

impl Matchup {
    pub(crate) async fn rate(
        &self,
        to: &Grantee<'_>,
        form: &RateDemandRequest,
    ) -> Result<Demand, ServiceError> {
        let caller = to.user;
        let mut said = Said::default();
        let content = self.say(&CONTENT, &form.content, &mut said).await?;
        // Ratings are published without review, so words that need one are refused.
        if !said.suspects().is_empty() {
            return Err(invalid("评价中有需要核实的词语，请换一种说法"));
        }
        let transaction = db::begin_write(&self.context.db).await?;
        let demand = self.hold(&transaction, &form.demand_id).await?;
        let of_provider = caller == demand.owner;
        if !of_provider && caller != demand.chosen_owner {
            return Err(no_such_demand());
        }
        if demand.state != demand::State::Closed {
            return Err(conflict("对接结束后才能评价"));
        }
        let target = match of_provider {
            true => &demand.chosen_owner,
            false => &demand.owner,
        };
        if target.is_empty() {
            return Err(conflict("对方已注销账号，不能评价"));
        }
        let row = Model {
            demand_id: demand.id.clone(),
            owner: caller.to_owned(),
            target: target.clone(),
            of_provider,
            stars: form.stars,
            content: content.clone(),
            title: demand.title.clone(),
            at: self.now(),
        };
        if !db::insert_new(row, &transaction).await? {
            return Err(conflict("已经评价过"));
        }
        if of_provider {
            self.count_ratings(&transaction, target).await?;
        }
        let notification = Notification::of_demand("demandRated", target, &demand.id, &demand);
        self.notify(&transaction, notification.because(&content))
            .await?;
        transaction.commit().await?;
        self.outbox.wake();
        self.detail(to, &demand.id).await
    }

    /// Updates a provider's figures from its ratings.
    pub(crate) async fn count_ratings(
        &self,
        db: &impl ConnectionTrait,
        owner: &str,
    ) -> Result<(), DbErr> {
        let locked = provider::Entity::find_own(owner)
            .lock_exclusive()
            .one(db)
            .await?;
        if locked.is_none() {
            return Ok(());
        }
        let (count, sum) = stars_of(db, owner, true).await?;
        provider::Entity::update_own(owner)
            .set(provider::ActiveModel {
                rating_count: Set(count),
                rating_sum: Set(sum),
                rating_mean: Set(sum * 100 / count.max(1)),
                ..Default::default()
            })
            .exec(db)
            .await?;
        Ok(())
    }
}

/// Number and sum of the stars given to a user, as a provider or as an owner of needs.
pub(crate) async fn stars_of(
    db: &impl ConnectionTrait,
    target: &str,
    of_provider: bool,
) -> Result<(i64, i64), DbErr> {
    let found: Option<(i64, Option<i64>)> = Entity::find_any()
        .select_only()
        .column_as(Column::Stars.count(), "count")
        .column_as(Column::Stars.sum(), "sum")
        .filter(Column::Target.eq(target))
        .filter(Column::OfProvider.eq(of_provider))
        .into_tuple()
        .one(db)
        .await?;
    let (count, sum) = found.unwrap_or_default();
    Ok((count, sum.unwrap_or(0)))
}
