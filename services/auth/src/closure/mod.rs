//! Closing an account: requested, delayed by a grace period, then carried out by every service that holds its data.

mod rows;
mod sweep;

use chassis::db::{self, begin_write};
use chassis::ids::new_id;
use chassis::{BusinessError, ServiceError, SignedIn};
use proto::auth::v1::{
    CancelClosureRequest, Closure, ClosureCalls, ClosureLosses, ClosureStateRequest,
    StartClosureRequest,
};
use proto::order::v1::{CountsRequest, OrderCommands};
use proto::payment::v1::{BalancesRequest, PaymentCommands};
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, Set};

pub use rows::{refuse_ending, tables};
pub(crate) use sweep::{Closures, spawn};

use self::rows::closure::{self, State};
use crate::entity::certification;
use crate::secret;
use crate::security::Change;
use crate::service::Auth;

const DAY_MS: i64 = 24 * 3_600_000;

/// After a thaw, the owner has at least a day left to keep the account.
pub async fn give_time(
    connection: &impl ConnectionTrait,
    login_id: &str,
    now_ms: i64,
) -> Result<(), DbErr> {
    let least = now_ms + DAY_MS;
    closure::Entity::update_many()
        .set(closure::ActiveModel {
            due_at: Set(least),
            next_at: Set(least),
            ..Default::default()
        })
        .filter(closure::Column::LoginId.eq(login_id))
        .filter(closure::Column::State.eq(State::Waiting))
        .filter(closure::Column::DueAt.lt(least))
        .exec(connection)
        .await?;
    Ok(())
}

async fn of(
    connection: &impl ConnectionTrait,
    login_id: &str,
) -> Result<Option<closure::Model>, DbErr> {
    closure::Entity::find()
        .filter(closure::Column::LoginId.eq(login_id))
        .one(connection)
        .await
}

impl ClosureCalls<ServiceError> for Auth {
    async fn start_closure(
        &self,
        caller: &SignedIn,
        request: StartClosureRequest,
    ) -> Result<Closure, ServiceError> {
        let own = self.own(caller).await?;
        if !request.acknowledged {
            return Err(BusinessError::invalid("请先阅读并同意注销后果").into());
        }
        own.must_be_confirmed(self.now_ms())?;
        let now_ms = self.now_ms();
        let due_at = now_ms + self.config.closure.days() * DAY_MS;
        let login_id = &own.account.id;
        let transaction = begin_write(&self.context.db).await?;
        let row = closure::Model {
            id: new_id(),
            login_id: Some(login_id.clone()),
            pseudonym: secret::pseudonym(),
            state: State::Waiting,
            requested_at: now_ms,
            due_at,
            round: 0,
            next_at: due_at,
            finished_at: 0,
        };
        if db::insert_new(row, &transaction).await? {
            self.tell_change(&transaction, login_id, Change::Closing, &own.changer())
                .await?;
        }
        transaction.commit().await?;
        self.outbox.wake();
        self.closure_of(login_id, false).await
    }

    async fn closure_state(
        &self,
        caller: &SignedIn,
        request: ClosureStateRequest,
    ) -> Result<Closure, ServiceError> {
        let own = self.own(caller).await?;
        self.closure_of(&own.account.id, request.with_losses).await
    }

    async fn cancel_closure(
        &self,
        caller: &SignedIn,
        _: CancelClosureRequest,
    ) -> Result<Closure, ServiceError> {
        let own = self.own(caller).await?;
        let login_id = &own.account.id;
        let transaction = begin_write(&self.context.db).await?;
        let removed = closure::Entity::delete_many()
            .filter(closure::Column::LoginId.eq(login_id))
            .filter(closure::Column::State.eq(State::Waiting))
            .exec(&transaction)
            .await?;
        if removed.rows_affected > 0 {
            self.tell_change(&transaction, login_id, Change::Kept, &own.changer())
                .await?;
        }
        transaction.commit().await?;
        self.outbox.wake();
        self.closure_of(login_id, false).await
    }
}

impl Auth {
    async fn closure_of(&self, login_id: &str, with_losses: bool) -> Result<Closure, ServiceError> {
        let known = of(&self.context.db, login_id).await?;
        let losses = match with_losses {
            true => self.losses(login_id).await?,
            false => None,
        };
        let waiting = known.filter(|known| known.state == State::Waiting);
        Ok(Closure {
            state: waiting.as_ref().map_or("none", |_| "waiting").to_owned(),
            requested_at: waiting.as_ref().map_or(0, |known| known.requested_at),
            due_at: waiting.as_ref().map_or(0, |known| known.due_at),
            days: self.config.closure.days() as i32,
            losses,
        })
    }

    /// What the owner would lose; none while payment or order is unavailable.
    async fn losses(&self, login_id: &str) -> Result<Option<ClosureLosses>, ServiceError> {
        let under_review = certification::Entity::find_own(login_id)
            .filter(certification::Column::State.eq(certification::State::Submitted))
            .count(&self.context.db)
            .await?;
        let balances = BalancesRequest {
            owner: login_id.to_owned(),
        };
        let counts = CountsRequest {
            owner: login_id.to_owned(),
        };
        let bus = &self.context.bus;
        let (balances, counts) = futures::join!(
            PaymentCommands::balances(bus, &balances),
            OrderCommands::counts(bus, &counts),
        );
        let (balances, counts) = match (balances, counts) {
            (Ok(balances), Ok(counts)) => (balances, counts),
            (Err(error), _) | (_, Err(error)) => {
                tracing::warn!(error = format!("{error:#}"), "what is lost is not known");
                return Ok(None);
            }
        };
        Ok(Some(ClosureLosses {
            cloud_coin: balances.cloud_coin,
            income_balance: balances.income_balance,
            un_pay_orders: counts.un_pay_order_count,
            coupons: counts.coupon_count,
            certification_under_review: under_review > 0,
        }))
    }
}
