//! Needs. Lock order for changes to a need, its files or its offers: the need's row, rows that belong to it, a person's row.

mod calls;
pub(crate) mod choose;
mod edit;
pub(crate) mod files;
mod list;
pub(crate) mod sweep;
pub(crate) mod view;

use chassis::db::states::Transition;
use chassis::{BusinessError, ServiceError};
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, QuerySelect, Set};

use crate::Matchup;
use crate::entity::demand::{EDITABLE, Entity, Model, State};
use crate::entity::offer;
use crate::notify::Notification;
use crate::state::conflict;

pub(crate) fn no_such_demand() -> ServiceError {
    BusinessError::not_found("没有这个需求，可能已撤回或删除").into()
}

/// Errors: the need is visible to others.
fn editable(demand: &Model) -> Result<(), ServiceError> {
    match EDITABLE.contains(&demand.state) {
        true => Ok(()),
        false => Err(conflict(match demand.state {
            State::Review => "需求正在审核，撤回后可以修改",
            State::Open => "需求正在展示，撤回后可以修改",
            State::Hidden => "需求已被平台下架，请联系客服",
            _ => "已选定服务商的需求不能再修改",
        })),
    }
}

impl Matchup {
    /// Locks a need until the transaction ends.
    pub(crate) async fn hold(
        &self,
        transaction: &DatabaseTransaction,
        id: &str,
    ) -> Result<Model, ServiceError> {
        let held = Entity::find_any_by_id(id)
            .lock_exclusive()
            .one(transaction)
            .await?;
        held.ok_or_else(no_such_demand)
    }

    /// Locks a need of the caller; those of other users are not found.
    pub(crate) async fn hold_own(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
        id: &str,
    ) -> Result<Model, ServiceError> {
        let held = Entity::find_own_by_id(owner, id)
            .lock_exclusive()
            .one(transaction)
            .await?;
        held.ok_or_else(no_such_demand)
    }

    /// Rejects the pending offers and notifies their authors with `what`. The caller has locked the need.
    pub(crate) async fn lose_offers(
        &self,
        transaction: &DatabaseTransaction,
        demand: &Model,
        what: &str,
    ) -> Result<(), ServiceError> {
        let lost = Transition::to(offer::State::Lost)
            .set(offer::ActiveModel {
                updated_at: Set(self.now()),
                ..Default::default()
            })
            .only(offer::Column::DemandId.eq(&demand.id))
            .take(transaction)
            .await?;
        for one in lost {
            let notification = Notification::of_offer(what, &one.owner, &one.id, demand);
            self.notify(transaction, notification).await?;
        }
        Ok(())
    }
}
