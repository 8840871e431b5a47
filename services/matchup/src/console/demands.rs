//! Needs: searched, viewed, reviewed, hidden and restored.

use chassis::db::states::Transition;
use chassis::db::{List, contains};
use chassis::{Grantee, Operator, ServiceError, db};
use proto::matchup::v1::{
    DemandItem, DemandSearchReply, MatchActRequest, MatchDecideRequest, MatchSearchRequest,
};
use sea_orm::entity::prelude::*;
use sea_orm::{Condition, PaginatorTrait, Set};

use super::approved;
use crate::Matchup;
use crate::demand::no_such_demand;
use crate::entity::demand::{ActiveModel, Column, Entity, Model, State};
use crate::notify::Notification;
use crate::provider::view::login_of;
use crate::state::{conflict, invalid, split};

impl Matchup {
    pub(super) async fn search_demands(
        &self,
        form: &MatchSearchRequest,
    ) -> Result<DemandSearchReply, ServiceError> {
        let db = &self.context.db;
        let in_review = || Entity::find_any().filter(Column::State.eq(State::Review));
        let waiting = in_review().count(db).await?;
        let reviewed = matches!(form.state.as_str(), "" | "review");
        let rows = match form.state.as_str() {
            "" | "review" => in_review(),
            "all" => Entity::find_any().filter(Column::State.ne(State::Draft)),
            state => {
                // Drafts are visible to their owner only.
                let state = State::of(state).filter(|state| *state != State::Draft);
                let state = state.ok_or_else(|| invalid("没有这种状态"))?;
                Entity::find_any().filter(Column::State.eq(state))
            }
        };
        let list = match form.text.trim() {
            "" => List::of(rows),
            text => List::of(rows).filter(
                Condition::any()
                    .add(contains(Column::Title, text))
                    .add(Column::Id.eq(text))
                    .add(Column::Owner.eq(text)),
            ),
        };
        let list = match reviewed {
            true => list.oldest_first(Column::SubmittedAt, Column::Id),
            false => list.newest_first(Column::UpdatedAt, Column::Id),
        };
        let found = list.following(form, db).await?;
        Ok(DemandSearchReply {
            demands: self.items(found.rows).await?,
            next: found.next,
            waiting: i64::try_from(waiting).unwrap_or(i64::MAX),
        })
    }

    async fn items(&self, rows: Vec<Model>) -> Result<Vec<DemandItem>, ServiceError> {
        let notification = self.listed("", rows.clone()).await?;
        let items = rows.into_iter().zip(notification).map(|(row, mut demand)| {
            demand.reason = row.reason;
            DemandItem {
                demand: Some(demand),
                revision: row.revision,
                owner: login_of(&row.owner),
                submitted_at: row.submitted_at,
                suspects: split(&row.suspects),
            }
        });
        Ok(items.collect())
    }

    pub(super) async fn show_demand(&self, id: &str) -> Result<DemandItem, ServiceError> {
        let row = Entity::find_any_by_id(id)
            .filter(Column::State.ne(State::Draft))
            .one(&self.context.db)
            .await?;
        let row = row.ok_or_else(no_such_demand)?;
        let files = self.files_of(&Grantee::without_session(""), id).await?;
        let item = self.items(vec![row]).await?.pop();
        let mut item = item.ok_or_else(no_such_demand)?;
        if let Some(demand) = &mut item.demand {
            demand.files = files;
        }
        Ok(item)
    }

    pub(super) async fn decide_demand(
        &self,
        operator: &Operator,
        form: &MatchDecideRequest,
    ) -> Result<(), ServiceError> {
        let approved = approved(&form.decision)?;
        let reason = form.reason.trim();
        let transaction = db::begin_write(&self.context.db).await?;
        let demand = self.hold(&transaction, &form.id).await?;
        if demand.state != State::Review {
            return Err(conflict("这个需求不在审核中，可能已被处理或撤回"));
        }
        if demand.revision != form.revision {
            return Err(conflict("需求在审核期间有改动，请重新查看"));
        }
        let (next, what) = match approved {
            true => {
                self.open(&transaction, &demand.id).await?;
                (State::Open, "demandApproved")
            }
            false => {
                self.refuse(&transaction, &demand.id, reason).await?;
                (State::Refused, "demandRefused")
            }
        };
        let notification = Notification::of_demand(what, &demand.owner, &demand.id, &demand);
        let notification = match approved {
            true => notification,
            false => notification.because(reason),
        };
        self.notify(&transaction, notification).await?;
        let change = (demand.state.name(), next.name());
        self.audit(&transaction, operator, &demand.id, change, reason)
            .await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }

    async fn refuse(
        &self,
        transaction: &sea_orm::DatabaseTransaction,
        id: &str,
        reason: &str,
    ) -> Result<bool, DbErr> {
        Transition::to(State::Refused)
            .set(ActiveModel {
                reason: Set(reason.to_owned()),
                updated_at: Set(self.now()),
                ..Default::default()
            })
            .only(Column::Id.eq(id))
            .apply(transaction)
            .await
    }

    pub(super) async fn hide_demand(
        &self,
        operator: &Operator,
        form: &MatchActRequest,
        hidden: bool,
    ) -> Result<(), ServiceError> {
        let reason = form.reason.trim();
        let transaction = db::begin_write(&self.context.db).await?;
        let demand = self.hold(&transaction, &form.id).await?;
        let (next, from, refused) = match hidden {
            true => (State::Hidden, State::Open, "这个需求没有在展示"),
            false => (State::Open, State::Hidden, "这个需求没有被下架"),
        };
        let moved = Transition::to(next)
            .from_only(&[from])
            .set(ActiveModel {
                reason: Set(if hidden { reason } else { "" }.to_owned()),
                updated_at: Set(self.now()),
                ..Default::default()
            })
            .only(Column::Id.eq(&demand.id))
            .apply(&transaction)
            .await?;
        if !moved {
            return Err(conflict(refused));
        }
        if hidden {
            self.lose_offers(&transaction, &demand, "offerEnded")
                .await?;
            let notification =
                Notification::of_demand("demandHidden", &demand.owner, &demand.id, &demand);
            self.notify(&transaction, notification.because(reason))
                .await?;
        }
        let change = (demand.state.name(), next.name());
        self.audit(&transaction, operator, &demand.id, change, reason)
            .await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }
}
