//! Providers: searched, viewed, reviewed, hidden and restored.

use chassis::db::states::Transition;
use chassis::db::{List, contains};
use chassis::{Operator, ServiceError, db};
use proto::matchup::v1::{
    MatchActRequest, MatchDecideRequest, MatchSearchRequest, ProviderItem, ProviderSearchReply,
};
use sea_orm::entity::prelude::*;
use sea_orm::{Condition, DatabaseTransaction, PaginatorTrait, QuerySelect, Set};

use super::approved;
use crate::Matchup;
use crate::entity::provider::{ActiveModel, Column, Entity, Model, State};
use crate::notify::Notification;
use crate::provider::no_such_provider;
use crate::state::{conflict, invalid, split};

impl Matchup {
    pub(super) async fn search_providers(
        &self,
        form: &MatchSearchRequest,
    ) -> Result<ProviderSearchReply, ServiceError> {
        let db = &self.context.db;
        let in_review = || Entity::find_any().filter(Column::State.eq(State::Review));
        let waiting = in_review().count(db).await?;
        let reviewed = matches!(form.state.as_str(), "" | "review");
        let rows = match form.state.as_str() {
            "" | "review" => in_review(),
            // Users without an introduction are not providers.
            "all" => Entity::find_any().filter(Column::Introduce.ne("")),
            state => {
                let state = State::of(state).ok_or_else(|| invalid("没有这种状态"))?;
                Entity::find_any().filter(Column::State.eq(state))
            }
        };
        let list = match form.text.trim() {
            "" => List::of(rows),
            text => List::of(rows).filter(
                Condition::any()
                    .add(contains(Column::Name, text))
                    .add(Column::Id.eq(text))
                    .add(Column::Owner.eq(text)),
            ),
        };
        let list = match reviewed {
            true => list.oldest_first(Column::SubmittedAt, Column::Id),
            false => list.newest_first(Column::UpdatedAt, Column::Id),
        };
        let found = list.following(form, db).await?;
        Ok(ProviderSearchReply {
            providers: self.provider_items(found.rows).await,
            next: found.next,
            waiting: i64::try_from(waiting).unwrap_or(i64::MAX),
        })
    }

    async fn provider_items(&self, rows: Vec<Model>) -> Vec<ProviderItem> {
        let cards = self.cards(rows.clone()).await;
        let items = rows.into_iter().zip(cards).map(|(row, card)| ProviderItem {
            card: Some(card),
            state: row.state.name().to_owned(),
            reason: row.reason,
            revision: row.revision,
            submitted_at: row.submitted_at,
            updated_at: row.updated_at,
            suspects: split(&row.suspects),
        });
        items.collect()
    }

    pub(super) async fn show_provider(&self, id: &str) -> Result<ProviderItem, ServiceError> {
        let row = Entity::find_any_by_id(id).one(&self.context.db).await?;
        let row = row.ok_or_else(no_such_provider)?;
        let item = self.provider_items(vec![row]).await.pop();
        item.ok_or_else(no_such_provider)
    }

    async fn held_provider(
        &self,
        transaction: &DatabaseTransaction,
        id: &str,
    ) -> Result<Model, ServiceError> {
        let held = Entity::find_any_by_id(id)
            .lock_exclusive()
            .one(transaction)
            .await?;
        held.ok_or_else(no_such_provider)
    }

    pub(super) async fn decide_provider(
        &self,
        operator: &Operator,
        form: &MatchDecideRequest,
    ) -> Result<(), ServiceError> {
        let approved = approved(&form.decision)?;
        let reason = form.reason.trim();
        let transaction = db::begin_write(&self.context.db).await?;
        let person = self.held_provider(&transaction, &form.id).await?;
        if person.state != State::Review {
            return Err(conflict("这份资料不在审核中，可能已被处理"));
        }
        if person.revision != form.revision {
            return Err(conflict("资料在审核期间有改动，请重新查看"));
        }
        let (next, what) = match approved {
            true => (State::Shown, "providerApproved"),
            false => (State::Refused, "providerRefused"),
        };
        let kept = if approved { "" } else { reason };
        let now = self.now();
        Transition::to(next)
            .from_only(&[State::Review])
            .set(ActiveModel {
                reason: Set(kept.to_owned()),
                shown_at: Set(match (approved, person.shown_at) {
                    (true, 0) => now,
                    (_, at) => at,
                }),
                updated_at: Set(now),
                ..Default::default()
            })
            .only(Column::Id.eq(&person.id))
            .apply(&transaction)
            .await?;
        let notification = Notification::of_provider(what, &person.owner, &person.id);
        self.notify(&transaction, notification.because(kept))
            .await?;
        let change = (person.state.name(), next.name());
        self.audit(&transaction, operator, &person.id, change, reason)
            .await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }

    pub(super) async fn hide_provider(
        &self,
        operator: &Operator,
        form: &MatchActRequest,
        hidden: bool,
    ) -> Result<(), ServiceError> {
        let reason = form.reason.trim();
        let transaction = db::begin_write(&self.context.db).await?;
        let person = self.held_provider(&transaction, &form.id).await?;
        let (next, from, refused) = match hidden {
            true => (State::Hidden, State::Shown, "这个服务商没有在展示"),
            false => (State::Shown, State::Hidden, "这个服务商没有被下架"),
        };
        let moved = Transition::to(next)
            .from_only(&[from])
            .set(ActiveModel {
                reason: Set(if hidden { reason } else { "" }.to_owned()),
                updated_at: Set(self.now()),
                ..Default::default()
            })
            .only(Column::Id.eq(&person.id))
            .apply(&transaction)
            .await?;
        if !moved {
            return Err(conflict(refused));
        }
        if hidden {
            let notification =
                Notification::of_provider("providerHidden", &person.owner, &person.id);
            self.notify(&transaction, notification.because(reason))
                .await?;
        }
        let change = (person.state.name(), next.name());
        self.audit(&transaction, operator, &person.id, change, reason)
            .await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }
}
