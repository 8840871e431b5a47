//! Choosing an offer, and closing the need.

use chassis::db::states::Transition;
use chassis::{Grantee, ServiceError, db};
use proto::matchup::v1::{Demand, OfferRequest};
use sea_orm::Set;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::ExprTrait;

use super::no_such_demand;
use crate::Matchup;
use crate::entity::demand::{ActiveModel, Column, Entity, State};
use crate::entity::{offer, provider};
use crate::notify::Notification;
use crate::offer::no_such_offer;
use crate::state::conflict;

impl Matchup {
    pub(super) async fn choose(
        &self,
        to: &Grantee<'_>,
        form: &OfferRequest,
    ) -> Result<Demand, ServiceError> {
        let owner = to.user;
        let transaction = db::begin_write(&self.context.db).await?;
        let known = offer::Entity::find_any_by_id(&form.offer_id)
            .one(&transaction)
            .await?;
        let known = known.ok_or_else(no_such_offer)?;
        let demand = self
            .hold_own(&transaction, owner, &known.demand_id)
            .await
            .map_err(|error| match error {
                ServiceError::Business(_) => no_such_offer(),
                other => other,
            })?;
        let maker = self.person(&transaction, &known.owner).await?;
        if maker.is_some_and(|maker| maker.state == provider::State::Hidden) {
            return Err(conflict("这家服务商已被平台下架，请选择其他报价"));
        }
        let moved = Transition::to(State::Chosen)
            .set(ActiveModel {
                chosen_offer: Set(known.id.clone()),
                chosen_owner: Set(known.owner.clone()),
                chosen_at: Set(self.now()),
                updated_at: Set(self.now()),
                ..Default::default()
            })
            .only(Column::Id.eq(&demand.id))
            .apply(&transaction)
            .await?;
        if !moved {
            return Err(conflict(match demand.state {
                State::Chosen | State::Closed => "这个需求已选定服务商",
                _ => "需求不在展示中，不能选定",
            }));
        }
        let taken = Transition::to(offer::State::Chosen)
            .set(offer::ActiveModel {
                updated_at: Set(self.now()),
                ..Default::default()
            })
            .only(offer::Column::Id.eq(&known.id))
            .apply(&transaction)
            .await?;
        if !taken {
            return Err(conflict("这份报价已失效，请选择其他报价"));
        }
        self.lose_offers(&transaction, &demand, "offerLost").await?;
        let notification = Notification::of_demand("offerChosen", &known.owner, &known.id, &demand);
        self.notify(&transaction, notification).await?;
        transaction.commit().await?;
        self.outbox.wake();
        self.detail(to, &demand.id).await
    }

    /// Closes a chosen need, by either side; the other side is notified.
    pub(super) async fn close(&self, to: &Grantee<'_>, id: &str) -> Result<Demand, ServiceError> {
        let caller = to.user;
        let transaction = db::begin_write(&self.context.db).await?;
        let demand = self.hold(&transaction, id).await?;
        if caller != demand.owner && caller != demand.chosen_owner {
            return Err(no_such_demand());
        }
        let moved = Transition::to(State::Closed)
            .set(ActiveModel {
                closed_at: Set(self.now()),
                updated_at: Set(self.now()),
                ..Default::default()
            })
            .only(Column::Id.eq(id))
            .apply(&transaction)
            .await?;
        if !moved {
            return Err(conflict(match demand.state {
                State::Closed => "对接已结束",
                _ => "选定服务商之后才能结束对接",
            }));
        }
        let done = provider::Column::Done;
        provider::Entity::update_own(&demand.chosen_owner)
            .col_expr(done, Expr::col(done).add(1))
            .exec(&transaction)
            .await?;
        let other = match caller == demand.owner {
            true => &demand.chosen_owner,
            false => &demand.owner,
        };
        let notification = Notification::of_demand("demandClosed", other, &demand.id, &demand);
        self.notify(&transaction, notification).await?;
        transaction.commit().await?;
        self.outbox.wake();
        self.detail(to, id).await
    }

    /// Closes a chosen need because one side has closed its account. The caller has locked the need.
    pub(crate) async fn end_chosen(
        &self,
        transaction: &sea_orm::DatabaseTransaction,
        id: &str,
    ) -> Result<(), DbErr> {
        Transition::to(State::Closed)
            .set(ActiveModel {
                closed_at: Set(self.now()),
                updated_at: Set(self.now()),
                ..Default::default()
            })
            .only(Column::Id.eq(id))
            .apply(transaction)
            .await?;
        Entity::update_any()
            .set(ActiveModel {
                chosen_owner: Set(String::new()),
                chosen_offer: Set(String::new()),
                ..Default::default()
            })
            .filter(Column::Id.eq(id))
            .exec(transaction)
            .await?;
        Ok(())
    }
}
