//! After the grace period: sign-ins end, and all services are asked to erase, in two rounds, each repeated until all have
//! answered. Each step is one transaction; after a crash the closure is found again by its time.

use std::time::Duration;

use chassis::db::states::Transition;
use chassis::db::{self, begin_write};
use chassis::{Context, ServiceError};
use proto::auth::v1::AccountClosed;
use proto::events::Published;
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, QueryOrder, QuerySelect, Set};

use super::DAY_MS;
use super::rows::answer;
use super::rows::closure::{self, State};
use crate::console::freeze;
use crate::service::Auth;
use crate::session;

const PERIOD: Duration = Duration::from_secs(1);
/// Most closures per sweep.
const BATCH: u64 = 50;
/// Erasure is requested again if a service has not answered by then.
const AGAIN_MS: i64 = 60_000;
/// The last round of erasure requests.
const LAST_ROUND: i32 = 2;

/// Handle of closures; clones share it.
#[derive(Clone)]
pub(crate) struct Closures(Auth);

/// Starts the sweeper.
pub(crate) fn spawn(closures: &Closures) {
    let closures = closures.clone();
    let shutdown = closures.0.context.shutdown.clone();
    shutdown.every(PERIOD, "closing of accounts", move || {
        let closures = closures.clone();
        async move { closures.sweep().await }
    });
}

impl Closures {
    pub(crate) fn new(auth: &Auth) -> Self {
        Self(auth.clone())
    }

    pub(crate) fn context(&self) -> &Context {
        &self.0.context
    }

    fn now_ms(&self) -> i64 {
        self.0.now_ms()
    }

    async fn sweep(&self) -> Result<bool, ServiceError> {
        let due = closure::Entity::find()
            .filter(closure::Column::State.is_in([State::Waiting, State::Erasing]))
            .filter(closure::Column::NextAt.lte(self.now_ms()))
            .order_by_asc(closure::Column::NextAt)
            .limit(BATCH)
            .all(&self.0.context.db)
            .await?;
        let found = !due.is_empty();
        for row in due {
            let Some(login_id) = row.login_id.clone() else {
                continue;
            };
            let stepped = match row.state {
                State::Waiting => self.begin(&row, &login_id).await,
                _ => self.go_on(&row, &login_id).await,
            };
            if let Err(error) = stepped {
                tracing::warn!(
                    closure = row.id,
                    error = format!("{error:#}"),
                    "closing goes on later"
                );
            }
        }
        Ok(found)
    }

    /// The grace period is over: from here on the account can be neither kept nor signed in to.
    async fn begin(&self, row: &closure::Model, login_id: &str) -> Result<(), ServiceError> {
        let now_ms = self.now_ms();
        let transaction = begin_write(&self.0.context.db).await?;
        // The owner of a frozen account cannot keep it: nothing is erased until the account is thawed.
        if freeze::of(&transaction, login_id, now_ms).await?.is_some() {
            closure::Entity::update_many()
                .set(closure::ActiveModel {
                    next_at: Set(now_ms + DAY_MS),
                    ..Default::default()
                })
                .filter(closure::Column::Id.eq(&row.id))
                .filter(closure::Column::State.eq(State::Waiting))
                .exec(&transaction)
                .await?;
            transaction.commit().await?;
            return Ok(());
        }
        let begun = Transition::to(State::Erasing)
            .set(closure::ActiveModel {
                round: Set(1),
                next_at: Set(now_ms + AGAIN_MS),
                ..Default::default()
            })
            .only(closure::Column::Id.eq(&row.id));
        if !begun.apply(&transaction).await? {
            // Cancelled at the last moment, or begun by another replica.
            transaction.rollback().await?;
            return Ok(());
        }
        let ended = session::close_all(&transaction, login_id).await?;
        self.ask(&transaction, row, login_id, 1).await?;
        self.0.context.fail.at("auth.closure.begun")?;
        metrics::counter!("auth_accounts_closed_total").increment(1);
        self.0.commit_revocation(transaction, &ended).await
    }

    /// Repeats the request while answers are missing; once all have answered and work in flight has settled, starts the last round.
    async fn go_on(&self, row: &closure::Model, login_id: &str) -> Result<(), ServiceError> {
        let transaction = begin_write(&self.0.context.db).await?;
        let next = self.now_ms() + AGAIN_MS;
        let taken = db::lease::<closure::Entity>(closure::Column::NextAt, row.next_at, next)
            .filter(closure::Column::Id.eq(&row.id))
            .filter(closure::Column::State.eq(State::Erasing))
            .exec(&transaction)
            .await?;
        if taken.rows_affected == 0 {
            transaction.rollback().await?;
            return Ok(());
        }
        let all = self.all_answered(&transaction, &row.id, row.round).await?;
        let round = row.round + i32::from(all && row.round < LAST_ROUND);
        if round > row.round {
            closure::Entity::update_many()
                .set(closure::ActiveModel {
                    round: Set(round),
                    ..Default::default()
                })
                .filter(closure::Column::Id.eq(&row.id))
                .exec(&transaction)
                .await?;
        }
        self.ask(&transaction, row, login_id, round).await?;
        self.0.context.fail.at("auth.closure.asked")?;
        transaction.commit().await?;
        self.0.outbox.wake();
        Ok(())
    }

    async fn ask(
        &self,
        transaction: &DatabaseTransaction,
        row: &closure::Model,
        login_id: &str,
        round: i32,
    ) -> Result<(), DbErr> {
        let event = AccountClosed {
            closure_id: row.id.clone(),
            login_id: login_id.to_owned(),
            pseudonym: row.pseudonym.clone(),
            round,
        };
        self.0.outbox.add(transaction, &row.id, &event).await
    }

    async fn all_answered(
        &self,
        transaction: &DatabaseTransaction,
        id: &str,
        round: i32,
    ) -> Result<bool, DbErr> {
        let answers: Vec<String> = answer::Entity::find()
            .select_only()
            .column(answer::Column::Service)
            .filter(answer::Column::ClosureId.eq(id))
            .filter(answer::Column::Round.eq(round))
            .into_tuple()
            .all(transaction)
            .await?;
        let asked = proto::events::of_key(AccountClosed::KEY).map_or(&[][..], |of| of.consumers);
        Ok(asked
            .iter()
            .all(|service| answers.iter().any(|answer| answer == service)))
    }

    /// A service has erased. After the last answer of the last round nothing refers to the person any more.
    pub(crate) async fn answered(
        &self,
        transaction: &DatabaseTransaction,
        service: &str,
        id: &str,
        round: i32,
    ) -> Result<(), ServiceError> {
        // Of two services that answer concurrently, the second waits here and counts the first.
        let held = closure::Entity::update_many()
            .col_expr(closure::Column::Round, Expr::col(closure::Column::Round))
            .filter(closure::Column::Id.eq(id))
            .filter(closure::Column::State.eq(State::Erasing))
            .filter(closure::Column::Round.eq(round))
            .exec(transaction)
            .await?;
        if held.rows_affected == 0 {
            return Ok(());
        }
        let row = answer::Model {
            closure_id: id.to_owned(),
            round,
            service: service.to_owned(),
        };
        db::insert_new(row, transaction).await?;
        if !self.all_answered(transaction, id, round).await? {
            return Ok(());
        }
        if round < LAST_ROUND {
            let settled = self.now_ms() + self.0.config.closure.settle_ms();
            closure::Entity::update_many()
                .set(closure::ActiveModel {
                    next_at: Set(settled),
                    ..Default::default()
                })
                .filter(closure::Column::Id.eq(id))
                .exec(transaction)
                .await?;
            return Ok(());
        }
        answer::Entity::delete_many()
            .filter(answer::Column::ClosureId.eq(id))
            .exec(transaction)
            .await?;
        Transition::to(State::Finished)
            .set(closure::ActiveModel {
                login_id: Set(None),
                finished_at: Set(self.now_ms()),
                ..Default::default()
            })
            .only(closure::Column::Id.eq(id))
            .apply(transaction)
            .await?;
        Ok(self.0.context.fail.at("auth.closure.finished")?)
    }
}
