//! Incomes of sellers: pending when an order is paid, theirs after some days, taken back when a buyer gets his money back.

mod list;
pub(crate) mod months;
mod returned;
#[cfg(test)]
mod tests;

pub(crate) use months::beginnings;

use std::time::Duration;

use chassis::db::states::Transition;
use chassis::{ServiceError, db};
use proto::order::v1::{Goods, OrderPaid};
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, IntoActiveModel, QueryOrder, QuerySelect, Set, UpdateMany};

use crate::Payment;
use crate::entity::account::Kind;
use crate::entity::earning::{ActiveModel, Column, Entity, Model, State};
use crate::entity::ledger_transaction::Book;
use crate::ledger::{self, Account, Posting};
use crate::statement::{self, BALANCE, Line};

/// Transaction type of what a maker earns.
pub(crate) const INCOME_TYPE: i32 = 33;
/// Function type of the model mall.
pub(crate) const MALL: i32 = 3;
const DAY_MS: i64 = 86_400_000;
/// Incomes that mature in one round.
const BATCH: u64 = 200;

pub(crate) fn spawn(payment: &Payment) {
    let period = Duration::from_millis(payment.config.sweep_ms);
    let payment = payment.clone();
    let shutdown = payment.context.shutdown.clone();
    shutdown.every(period, "incomes that mature", move || {
        let payment = payment.clone();
        async move { payment.mature_due().await }
    });
}

fn lease(earning: &Model, seen: i64, until: i64) -> UpdateMany<Entity> {
    db::lease::<Entity>(Column::NextCheckAt, seen, until).filter(Column::Id.eq(&earning.id))
}

impl Payment {
    /// Writes down what each thing of a paid order earns its seller. The money is booked with the release of the order.
    pub(crate) async fn earned(
        &self,
        transaction: &DatabaseTransaction,
        paid: &OrderPaid,
        goods: &Goods,
        now: i64,
    ) -> anyhow::Result<()> {
        let rows: Vec<ActiveModel> = goods
            .items
            .iter()
            .filter(|item| item.earning > 0)
            .map(|item| {
                Model {
                    id: item.item_id.clone(),
                    owner: item.seller.clone(),
                    order_id: paid.order_id.clone(),
                    order_no: paid.order_no.clone(),
                    title: item.title.clone(),
                    amount: item.earning,
                    paid: item.payable,
                    state: State::Pending,
                    created_at: now,
                    matures_at: now + self.config.income_days * DAY_MS,
                    ended_at: None,
                    tries: 0,
                    next_check_at: 0,
                }
                .into_active_model()
            })
            .collect();
        if !rows.is_empty() {
            Entity::insert_many(rows)
                .exec_without_returning(transaction)
                .await?;
        }
        Ok(())
    }

    async fn mature_due(&self) -> Result<bool, ServiceError> {
        let due = Entity::find_any()
            .filter(Column::State.eq(State::Pending))
            .filter(Column::MaturesAt.lte(self.now()))
            .filter(Column::NextCheckAt.lte(self.now()))
            // Those that fail come after those not tried yet.
            .order_by_asc(Column::NextCheckAt)
            .order_by_asc(Column::MaturesAt)
            .limit(BATCH)
            .all(&self.context.db)
            .await?;
        let found = !due.is_empty();
        for earning in due {
            let until = self.now() + self.config.lease_ms();
            let taken = lease(&earning, earning.next_check_at, until)
                .set(ActiveModel {
                    tries: Set(earning.tries.saturating_add(1)),
                    ..Default::default()
                })
                .exec(&self.context.db)
                .await?;
            if taken.rows_affected == 0 {
                continue;
            }
            // One that fails must not keep the others waiting.
            if let Err(error) = self.mature(&earning).await {
                let error = format!("{error:#}");
                tracing::warn!(earning = earning.id, error, "not matured");
                let next = self.now() + self.config.wait_ms(earning.tries);
                lease(&earning, until, next).exec(&self.context.db).await?;
            }
        }
        Ok(found)
    }

    /// Makes an income its seller's; what he owes is paid from it first.
    async fn mature(&self, earning: &Model) -> anyhow::Result<()> {
        let now = self.now();
        let transaction = db::begin_write(&self.context.db).await?;
        let matured = Transition::to(State::Matured)
            .set(ActiveModel {
                ended_at: Set(Some(now)),
                ..Default::default()
            })
            .only(Column::Id.eq(&earning.id))
            .apply(&transaction);
        if !matured.await? {
            transaction.rollback().await?;
            return Ok(());
        }
        let debt = Account::of(Kind::Debt, &earning.owner);
        let income = Account::of(Kind::Income, &earning.owner);
        // A withdrawal that comes back pays the debt too: both lock the income first.
        ledger::lock(&transaction, &income).await?;
        let owed = -ledger::available(&transaction, &debt).await?;
        let repaid = owed.clamp(0, earning.amount);
        let mut entries = vec![
            (Account::of(Kind::Pending, &earning.owner), -earning.amount),
            (debt, repaid),
            (income.clone(), earning.amount - repaid),
        ];
        entries.retain(|(_, amount)| *amount != 0);
        let posting = Posting {
            book: Book::Mature,
            key: &earning.id,
            entries,
        };
        ledger::post(&transaction, &posting, now).await?;
        let description = format!("模型收入：{}", earning.title);
        let line = Line {
            owner: &earning.owner,
            transaction_type: INCOME_TYPE,
            function_type: MALL,
            pay_method: BALANCE,
            amount: earning.amount - repaid,
            account: Some(&income),
            order_no: &earning.order_no,
            description: &description,
        };
        statement::write(&transaction, &line, now).await?;
        self.context.fail.at("payment.mature.before_commit")?;
        transaction.commit().await?;
        Ok(())
    }
}
