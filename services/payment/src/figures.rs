//! What waits for a channel or for an operator, and for how long: asked of the database now and then. Every replica reports the
//! same of their one database.

use std::time::Duration;

use sea_orm::entity::prelude::*;
use sea_orm::{FromQueryResult, QuerySelect};

use crate::Payment;
use crate::entity::account::Kind;
use crate::entity::attempt::{Disposition, State};
use crate::entity::{account, attempt, earning, misfit, refund, withdrawal};
use crate::ledger::Account;

/// How often it is asked.
const PERIOD: Duration = Duration::from_secs(10);

/// Rows, and when the oldest of them came.
#[derive(Debug, Default, FromQueryResult)]
struct Waiting {
    rows: i64,
    oldest: Option<i64>,
}

impl Waiting {
    fn count(&self) -> f64 {
        self.rows as f64
    }

    fn age_s(&self, now_ms: i64) -> f64 {
        let oldest = self.oldest.unwrap_or(now_ms);
        now_ms.saturating_sub(oldest).max(0) as f64 / 1000.0
    }
}

pub(crate) fn spawn(payment: &Payment) {
    let shutdown = payment.context.shutdown.clone();
    let payment = payment.clone();
    shutdown.every(PERIOD, "figures of the money", move || {
        let payment = payment.clone();
        async move { payment.measure().await }
    });
}

async fn waiting<E: EntityTrait>(
    rows: Select<E>,
    since: E::Column,
    db: &DatabaseConnection,
) -> Result<Waiting, DbErr> {
    let found = rows
        .select_only()
        .column_as(since.count(), "rows")
        .column_as(since.min(), "oldest")
        .into_model::<Waiting>()
        .one(db)
        .await?;
    Ok(found.unwrap_or_default())
}

impl Payment {
    /// Whether anything waits.
    async fn measure(&self) -> Result<bool, DbErr> {
        let (db, now) = (&self.context.db, self.now());
        let mut waits = 0;
        for state in [State::Unknown, State::Conflicted] {
            let rows = attempt::Entity::find_any().filter(attempt::Column::State.eq(state));
            let found = waiting(rows, attempt::Column::UpdatedAt, db).await?;
            waits += found.rows;
            let state = state.name();
            metrics::gauge!("payment_attempts", "state" => state).set(found.count());
            metrics::gauge!("payment_attempts_oldest_seconds", "state" => state)
                .set(found.age_s(now));
        }
        let rows =
            refund::Entity::find_any().filter(refund::Column::State.is_in(refund::State::OPEN));
        let found = waiting(rows, refund::Column::CreatedAt, db).await?;
        waits += found.rows;
        metrics::gauge!("payment_refunds_open").set(found.count());
        metrics::gauge!("payment_refunds_oldest_seconds").set(found.age_s(now));
        let rows = misfit::Entity::find().filter(misfit::Column::EndedAt.is_null());
        let found = waiting(rows, misfit::Column::CreatedAt, db).await?;
        waits += found.rows;
        metrics::gauge!("payment_misfits_open").set(found.count());
        metrics::gauge!("payment_misfits_oldest_seconds").set(found.age_s(now));
        let open = withdrawal::Column::State.is_in(withdrawal::State::OPEN);
        let rows = withdrawal::Entity::find_any().filter(open);
        let found = waiting(rows, withdrawal::Column::RequestedAt, db).await?;
        waits += found.rows;
        metrics::gauge!("payment_withdrawals_open").set(found.count());
        metrics::gauge!("payment_withdrawals_oldest_seconds").set(found.age_s(now));
        let rows = earning::Entity::find_any()
            .filter(earning::Column::State.eq(earning::State::Pending))
            .filter(earning::Column::MaturesAt.lte(now));
        let found = waiting(rows, earning::Column::MaturesAt, db).await?;
        waits += found.rows;
        metrics::gauge!("payment_incomes_due_oldest_seconds").set(found.age_s(now));
        waits += self.measure_escrow(now).await?;
        Ok(waits > 0)
    }

    /// Attempts whose money rests.
    async fn measure_escrow(&self, now: i64) -> Result<i64, DbErr> {
        let db = &self.context.db;
        let escrow = account::Entity::find_any_by_id(Account::platform(Kind::Escrow).id())
            .one(db)
            .await?;
        let cents = escrow.map_or(0, |escrow| escrow.posted);
        metrics::gauge!("payment_escrow_cents").set(cents as f64);
        let rows = attempt::Entity::find_any()
            .filter(attempt::Column::Disposition.eq(Disposition::Escrow))
            .filter(attempt::Column::Captured.gt(0));
        let found = waiting(rows, attempt::Column::UpdatedAt, db).await?;
        metrics::gauge!("payment_escrow_oldest_seconds").set(found.age_s(now));
        Ok(found.rows)
    }
}
