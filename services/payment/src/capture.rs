//! What a channel says about an attempt, and what follows: it settles the order, it is given back, or somebody looks.

use chassis::{ServiceError, db};
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, Set};

use crate::Payment;
use crate::attempt::{State, turn};
use crate::entity::attempt;
use crate::ledger::{self, Account, Book, Kind, Posted, Posting};
use crate::pay::claim;
use crate::provider::{Capture, Notification, Provider, ProviderError, Standing};
use crate::state::Way;
use crate::statement::{self, Line};

/// What is known of an attempt after a channel was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Paid,
    Unpaid,
    Open,
}

impl Payment {
    /// Takes a message of a channel as it came over HTTP. It may be acknowledged when this has answered `Ok`: its one
    /// effect is committed then. Errors: `Refused` when the message is not to be believed.
    pub async fn notified(
        &self,
        channel: &str,
        notification: &Notification,
    ) -> Result<(), ProviderError> {
        let unclear = |error: ServiceError| ProviderError::Unclear(error.to_string());
        let Way::Provider(provider) = self.way(channel).map_err(unclear)? else {
            return Err(ProviderError::Refused("no such channel".to_owned()));
        };
        let Some(notice) = provider.read(notification, self.now())? else {
            return Ok(());
        };
        let known = attempt::Entity::find_by_id(&notice.number)
            .one(&self.context.db)
            .await
            .map_err(|error| unclear(error.into()))?;
        let Some(attempt) = known.filter(|attempt| attempt.channel == channel) else {
            return Err(ProviderError::Refused("no such payment".to_owned()));
        };
        self.apply(provider.as_ref(), &attempt, notice.standing)
            .await
            .map(drop)
            .map_err(unclear)
    }

    /// Asks the channel how an attempt stands and draws the consequence.
    pub(crate) async fn look(
        &self,
        provider: &dyn Provider,
        attempt: &attempt::Model,
    ) -> Result<Outcome, ServiceError> {
        match provider.query(&attempt.id).await {
            Ok(standing) => self.apply(provider, attempt, standing).await,
            Err(error) => {
                tracing::warn!(attempt = attempt.id, %error, "channel does not tell");
                turn(&attempt.id, State::Unknown, self.now())
                    .apply(&self.context.db)
                    .await?;
                Ok(Outcome::Open)
            }
        }
    }

    async fn apply(
        &self,
        provider: &dyn Provider,
        attempt: &attempt::Model,
        standing: Standing,
    ) -> Result<Outcome, ServiceError> {
        let over = self.now() > attempt.expires_at + provider.grace_ms();
        match standing {
            Standing::Paid(capture) => self.captured(attempt, &capture).await,
            Standing::Closed => self.unpaid(attempt).await,
            // A page payment is unknown to the channel until the payer opens it, and payable all the same.
            Standing::Missing if over => self.unpaid(attempt).await,
            Standing::Missing | Standing::Waiting => Ok(Outcome::Open),
            Standing::Foreign(field) => {
                self.conflict(attempt, format!("channel names another {field}"))
                    .await
            }
        }
    }

    /// What does not fit what was asked for is neither believed nor booked.
    async fn conflict(
        &self,
        attempt: &attempt::Model,
        reason: String,
    ) -> Result<Outcome, ServiceError> {
        tracing::error!(
            attempt = attempt.id,
            reason,
            "conflict: a person has to look"
        );
        turn(&attempt.id, State::Conflicted, self.now())
            .set(attempt::ActiveModel {
                reason: Set(reason),
                ..Default::default()
            })
            .apply(&self.context.db)
            .await?;
        Ok(Outcome::Open)
    }

    async fn unpaid(&self, attempt: &attempt::Model) -> Result<Outcome, ServiceError> {
        self.end_unpaid(attempt, State::Closed, "支付渠道已关闭交易")
            .await?;
        let known = self.attempt(&attempt.id).await?;
        Ok(match known.state {
            State::Failed | State::Closed => Outcome::Unpaid,
            State::Succeeded => Outcome::Paid,
            State::Created | State::Submitted | State::Unknown | State::Conflicted => Outcome::Open,
        })
    }

    /// Books money that a channel has taken, once, and lets it settle the order or go back.
    async fn captured(
        &self,
        attempt: &attempt::Model,
        capture: &Capture,
    ) -> Result<Outcome, ServiceError> {
        if attempt.payable == 0 || capture.amount != attempt.payable {
            let reason = format!("channel says {} of {}", capture.amount, attempt.payable);
            return self.conflict(attempt, reason).await;
        }
        let now = self.now();
        let transaction = db::begin_write(&self.context.db).await?;
        // Locks are taken as whoever pays from a balance takes them: the order's settlement before the accounts. The
        // other way round the two would wait for each other, and the database would end one.
        let in_time = turn(&attempt.id, State::Succeeded, now)
            .from_only(&State::OPEN)
            .apply(&transaction)
            .await?;
        let settles = in_time && claim(&transaction, &attempt.order_id, &attempt.id, now).await?;
        if !self
            .take_in(&transaction, attempt, capture.amount, now)
            .await?
        {
            transaction.rollback().await?;
            return Ok(Outcome::Paid);
        }
        attempt::Entity::update_many()
            .set(attempt::ActiveModel {
                provider_no: Set(capture.provider_no.clone()),
                ..Default::default()
            })
            .filter(attempt::Column::Id.eq(&attempt.id))
            .exec(&transaction)
            .await?;
        if settles {
            self.tell_succeeded(&transaction, attempt, capture.amount, now)
                .await?;
        } else {
            let reason = match in_time {
                true => "订单已由另一笔付款支付",
                false => "付款到账时本次支付已关闭",
            };
            self.give_back(&transaction, &attempt.id, reason, now)
                .await?;
        }
        self.context.fail.at("payment.capture.before_commit")?;
        transaction.commit().await?;
        self.context.fail.at("payment.capture.committed")?;
        self.outbox.wake();
        Ok(Outcome::Paid)
    }

    /// Books cents that a channel has taken; `false` when it was booked before: the message is a repeated one.
    pub(crate) async fn take_in(
        &self,
        transaction: &DatabaseTransaction,
        attempt: &attempt::Model,
        cents: i64,
        now: i64,
    ) -> Result<bool, ServiceError> {
        let posting = Posting {
            book: Book::Attempt,
            key: &attempt.id,
            entries: vec![
                (Account::of(Kind::Clearing, &attempt.channel), -cents),
                (Account::platform(Kind::Escrow), cents),
            ],
        };
        if ledger::post(transaction, &posting, now).await? == Posted::Before {
            return Ok(false);
        }
        attempt::Entity::update_many()
            .set(attempt::ActiveModel {
                captured: Set(cents),
                ..Default::default()
            })
            .filter(attempt::Column::Id.eq(&attempt.id))
            .exec(transaction)
            .await?;
        let line = Line {
            owner: &attempt.owner,
            transaction_type: attempt.transaction_type,
            function_type: attempt.function_type,
            pay_method: &attempt.channel,
            amount: -cents,
            account: None,
            order_no: &attempt.order_no,
            description: &attempt.subject,
        };
        statement::write(transaction, &line, now).await?;
        Ok(true)
    }
}
