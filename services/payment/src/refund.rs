//! Refunds: entities of their own, with a number the channel knows, never more than was captured.

use chassis::db::states::Transition;
use chassis::ids::new_id;
use chassis::{ServiceError, db};
use proto::payment::v1::RefundSucceeded;
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, Set};

use crate::Payment;
use crate::attempt::dispose;
use crate::entity::account::Kind;
use crate::entity::attempt::Disposition;
use crate::entity::ledger_transaction::Book;
use crate::entity::refund::State;
use crate::entity::{attempt, refund};
use crate::ledger::{self, Account, Posting};
use crate::provider::{Provider, ProviderError, RefundStatus, RefundTicket};
use crate::state::balance_of;
use crate::statement::{self, BALANCE, Line};

impl Payment {
    /// Gives all that an attempt captured back to the payer. Money from an account of ours is back within the same transaction;
    /// the channels outside are asked by the janitor. Nothing happens when the order has taken the money or it is on its way
    /// back already.
    pub(crate) async fn give_back(
        &self,
        transaction: &DatabaseTransaction,
        attempt_id: &str,
        reason: &str,
        now_ms: i64,
    ) -> Result<(), ServiceError> {
        if !dispose(transaction, attempt_id, Disposition::Returned).await? {
            return Ok(());
        }
        let known = attempt::Entity::find_any_by_id(attempt_id)
            .one(transaction)
            .await?;
        let Some(attempt) = known else {
            return Ok(());
        };
        self.counts_back(transaction, &attempt, &attempt.id, attempt.counts, now_ms)
            .await?;
        if attempt.captured == 0 {
            return Ok(());
        }
        let number = new_id();
        self.make_refund(
            transaction,
            &attempt,
            &number,
            attempt.captured,
            reason,
            now_ms,
        )
        .await?;
        Ok(())
    }

    /// Writes a refund down, out of escrow; a balance of ours has it at once. `false` when less is left of the attempt.
    pub(crate) async fn make_refund(
        &self,
        transaction: &DatabaseTransaction,
        attempt: &attempt::Model,
        number: &str,
        amount: i64,
        reason: &str,
        now_ms: i64,
    ) -> Result<bool, ServiceError> {
        let reserved = attempt::Entity::update_any()
            .set(attempt::ActiveModel {
                refunded: Set(attempt.refunded + amount),
                ..Default::default()
            })
            .filter(attempt::Column::Id.eq(&attempt.id))
            .filter(attempt::Column::Refunded.eq(attempt.refunded))
            .filter(attempt::Column::Captured.gte(attempt.refunded + amount))
            .exec(transaction)
            .await?;
        if reserved.rows_affected == 0 {
            return Ok(false);
        }
        let row = new_refund(attempt, number, amount, reason, now_ms);
        db::insert(row.clone(), transaction).await?;
        // By name, not by what is switched on: an operator's command knows no provider.
        if let Some(kind) = balance_of(&attempt.channel) {
            let payer = Account::of(kind, &attempt.owner);
            self.refunded(transaction, &row, attempt, payer, now_ms)
                .await?;
        }
        Ok(true)
    }

    /// Books a refund that has happened, once.
    pub(crate) async fn refunded(
        &self,
        transaction: &DatabaseTransaction,
        refund: &refund::Model,
        attempt: &attempt::Model,
        to: Account,
        now_ms: i64,
    ) -> Result<(), ServiceError> {
        let succeeded = Transition::to(State::Succeeded)
            .set(refund::ActiveModel {
                ended_at: Set(Some(now_ms)),
                ..Default::default()
            })
            .only(refund::Column::Id.eq(&refund.id))
            .apply(transaction);
        if !succeeded.await? {
            return Ok(());
        }
        let posting = Posting {
            book: Book::Refund,
            key: &refund.id,
            entries: vec![
                (Account::platform(Kind::Escrow), -refund.amount),
                (to.clone(), refund.amount),
            ],
        };
        ledger::post(transaction, &posting, now_ms).await?;
        let own = to.kind != Kind::Clearing;
        let description = format!("退款：{}", attempt.subject);
        let line = Line {
            owner: &refund.owner,
            transaction_type: attempt.transaction_type,
            function_type: attempt.function_type,
            pay_method: if own { BALANCE } else { &refund.channel },
            amount: refund.amount,
            account: own.then_some(&to),
            order_no: &attempt.order_no,
            description: &description,
        };
        statement::write(transaction, &line, now_ms).await?;
        let event = RefundSucceeded {
            refund_id: refund.id.clone(),
            attempt_id: refund.attempt_id.clone(),
            order_id: refund.order_id.clone(),
            owner: refund.owner.clone(),
            amount: refund.amount,
            succeeded_at_ms: now_ms,
        };
        self.publish(transaction, &refund.order_id, &event).await?;
        Ok(())
    }

    /// Takes an open refund one step on: asks the channel, always under the same number.
    pub(crate) async fn pursue(&self, refund: &refund::Model) -> Result<(), ServiceError> {
        let Some(provider) = self.provider(&refund.channel) else {
            return Ok(());
        };
        let attempt = self.attempt(&refund.attempt_id).await?;
        // What a notice told of was taken beyond the attempt's own money.
        let escrow = Account::platform(Kind::Escrow);
        let surplus = ledger::booked(&self.context.db, Book::Misfit, &refund.id, &escrow);
        let ticket = RefundTicket {
            number: refund.id.clone(),
            payment: attempt.id.clone(),
            amount: refund.amount,
            total: attempt.captured + surplus.await?,
            reason: refund.reason.clone(),
        };
        // Before the channel is asked: after a kill it is asked again, not forgotten.
        if !self.stands(refund, State::Submitted, "").await? {
            return Ok(());
        }
        let mut status = RefundStatus::Missing;
        if refund.state != State::Created {
            status = match provider.query_refund(&ticket).await {
                Ok(status) => status,
                Err(error) => return self.unclear(refund, &error).await,
            };
        }
        if status == RefundStatus::Missing {
            status = match provider.refund(&ticket).await {
                Ok(status) => status,
                Err(error) => return self.unclear(refund, &error).await,
            };
        }
        self.context.fail.at("payment.refund.asked")?;
        if status != RefundStatus::Done {
            return Ok(());
        }
        let transaction = db::begin_write(&self.context.db).await?;
        let to = Account::of(Kind::Clearing, &refund.channel);
        self.refunded(&transaction, refund, &attempt, to, self.now())
            .await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }

    /// A refusal is reviewed by an operator; it stays on the list of what is owed.
    async fn unclear(
        &self,
        refund: &refund::Model,
        error: &ProviderError,
    ) -> Result<(), ServiceError> {
        match error {
            ProviderError::Refused(_) => {
                tracing::error!(refund = refund.id, %error, "refund refused: a person has to look");
            }
            ProviderError::Unclear(_) | ProviderError::Silent(_) | ProviderError::Paused => {
                tracing::warn!(refund = refund.id, %error, "channel does not tell of a refund");
            }
        }
        self.stands(refund, State::Unknown, &error.to_string())
            .await?;
        Ok(())
    }

    async fn stands(
        &self,
        refund: &refund::Model,
        state: State,
        told: &str,
    ) -> Result<bool, DbErr> {
        Transition::to(state)
            .set(refund::ActiveModel {
                told: Set(told.to_owned()),
                ..Default::default()
            })
            .only(refund::Column::Id.eq(&refund.id))
            .apply(&self.context.db)
            .await
    }
}

/// A refund of an attempt's channel, not asked for yet.
pub(crate) fn new_refund(
    attempt: &attempt::Model,
    number: &str,
    amount: i64,
    reason: &str,
    now_ms: i64,
) -> refund::Model {
    refund::Model {
        id: number.to_owned(),
        attempt_id: attempt.id.clone(),
        order_id: attempt.order_id.clone(),
        owner: attempt.owner.clone(),
        channel: attempt.channel.clone(),
        amount,
        reason: reason.to_owned(),
        state: State::Created,
        tries: 0,
        next_check_at: now_ms,
        created_at: now_ms,
        ended_at: None,
        told: String::new(),
        ended_by: String::new(),
        note: String::new(),
    }
}
