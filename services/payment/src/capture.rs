//! What a channel says about an attempt, and what follows: it settles the order, it is given back, or an operator reviews it.

use chassis::{ServiceError, db};
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, Set};

use crate::Payment;
use crate::attempt::{claim, transition};
use crate::entity::account::Kind;
use crate::entity::attempt;
use crate::entity::attempt::State;
use crate::entity::ledger_transaction::Book;
use crate::ledger::{self, Account, Posted, Posting};
use crate::misfit::Misfit;
use crate::provider::{Capture, Notice, Notification, PaymentStatus, Provider, ProviderError};
use crate::state::Source;
use crate::statement::{self, Line};

/// What a channel says, in its own words.
struct Says<'a> {
    summary: &'a str,
    body: &'a str,
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
        let Source::Provider(provider) = self.source(channel).map_err(unclear)? else {
            return Err(ProviderError::Refused("no such channel".to_owned()));
        };
        let Some(notice) = provider.read(notification, self.now())? else {
            return Ok(());
        };
        let known = attempt::Entity::find_any_by_id(&notice.number)
            .one(&self.context.db)
            .await
            .map_err(|error| unclear(error.into()))?;
        let body = String::from_utf8_lossy(&notification.body);
        let Some(attempt) = known.filter(|attempt| attempt.channel == channel) else {
            self.keep_stranger(channel, &notice, &body)
                .await
                .map_err(|error| unclear(error.into()))?;
            return Err(ProviderError::Refused("no such payment".to_owned()));
        };
        let says = Says {
            summary: &notice.summary,
            body: &body,
        };
        self.apply(provider.as_ref(), &attempt, notice.status.clone(), &says)
            .await
            .map_err(unclear)
    }

    /// Money for a payment that we do not know: kept for an operator's review.
    async fn keep_stranger(&self, channel: &str, notice: &Notice, body: &str) -> Result<(), DbErr> {
        if !matches!(
            notice.status,
            PaymentStatus::Paid(_) | PaymentStatus::Foreign(_)
        ) {
            return Ok(());
        }
        let misfit = Misfit {
            channel,
            number: &notice.number,
            why: format!("no such payment; {}", notice.summary),
            body,
        };
        self.keep_misfit(&self.context.db, &misfit).await
    }

    /// Queries the channel for the state of an attempt and acts on it.
    pub(crate) async fn look(
        &self,
        provider: &dyn Provider,
        attempt: &attempt::Model,
    ) -> Result<(), ServiceError> {
        let says = Says {
            summary: "in an answer of the channel",
            body: "",
        };
        match provider.query(&attempt.id).await {
            Ok(status) => self.apply(provider, attempt, status, &says).await,
            Err(error) => self.does_not_tell(attempt, &error).await,
        }
    }

    /// The channel was asked and its answer is missing: from here on the attempt counts as unknown.
    pub(crate) async fn does_not_tell(
        &self,
        attempt: &attempt::Model,
        error: &ProviderError,
    ) -> Result<(), ServiceError> {
        tracing::warn!(attempt = attempt.id, %error, "channel does not tell");
        if !matches!(error, ProviderError::Paused) {
            transition(&attempt.id, State::Unknown, self.now())
                .apply(&self.context.db)
                .await?;
        }
        Ok(())
    }

    async fn apply(
        &self,
        provider: &dyn Provider,
        attempt: &attempt::Model,
        status: PaymentStatus,
        says: &Says<'_>,
    ) -> Result<(), ServiceError> {
        let over = self.now() > attempt.expires_at + provider.grace_ms();
        match status {
            PaymentStatus::Paid(capture) => self.captured(attempt, &capture, says).await,
            PaymentStatus::Closed => self.unpaid(attempt).await,
            // A page payment is unknown to the channel until the payer opens it, and payable all the same. A code is not:
            // once the order is shut, and the channel was asked to close, nothing is to be waited for.
            PaymentStatus::Missing if over || (attempt.closing && !provider.payable_unheard()) => {
                self.unpaid(attempt).await
            }
            PaymentStatus::Missing | PaymentStatus::Waiting => Ok(()),
            PaymentStatus::Foreign(field) => {
                // A channel reports what we gave back as refunded, also to a query sent a moment before.
                let given_back =
                    field == "trade_state" && self.attempt(&attempt.id).await?.refunded > 0;
                if given_back {
                    return Ok(());
                }
                let why = format!("channel names another {field}");
                self.conflict(attempt, &why, says).await
            }
        }
    }

    /// What does not fit what was asked for is neither believed nor booked; whatever state the attempt is in, what was
    /// said is kept until an operator has reviewed it.
    async fn conflict(
        &self,
        attempt: &attempt::Model,
        why: &str,
        says: &Says<'_>,
    ) -> Result<(), ServiceError> {
        tracing::error!(attempt = attempt.id, why, "conflict: a person has to look");
        let transaction = db::begin_write(&self.context.db).await?;
        transition(&attempt.id, State::Conflicted, self.now())
            .set(attempt::ActiveModel {
                reason: Set(why.to_owned()),
                ..Default::default()
            })
            .apply(&transaction)
            .await?;
        self.keep_misfit(&transaction, &says.misfit(attempt, why))
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    async fn unpaid(&self, attempt: &attempt::Model) -> Result<(), ServiceError> {
        self.end_unpaid(attempt, State::Closed, "支付渠道已关闭交易")
            .await?;
        Ok(())
    }

    /// Books money that a channel has taken, once, and lets it settle the order or go back.
    async fn captured(
        &self,
        attempt: &attempt::Model,
        capture: &Capture,
        says: &Says<'_>,
    ) -> Result<(), ServiceError> {
        if attempt.payable == 0 || capture.amount != attempt.payable {
            let why = format!("channel says {} of {}", capture.amount, attempt.payable);
            return self.conflict(attempt, &why, says).await;
        }
        let now = self.now();
        let transaction = db::begin_write(&self.context.db).await?;
        // Locks are taken as a payment from a balance takes them: the order's settlement before the accounts. The other way
        // round the two would wait for each other, and the database would end one. What did not fit before stays on the list
        // for review; it does not make wrong what fits.
        let in_time = transition(&attempt.id, State::Succeeded, now)
            .apply(&transaction)
            .await?;
        let settles = in_time && claim(&transaction, &attempt.order_id, &attempt.id, now).await?;
        if !self
            .take_in(&transaction, attempt, capture.amount, now)
            .await?
        {
            transaction.rollback().await?;
            return self.captured_again(attempt, capture, says).await;
        }
        attempt::Entity::update_any()
            .set(attempt::ActiveModel {
                provider_no: Set(capture.provider_no.clone()),
                ..Default::default()
            })
            .filter(attempt::Column::Id.eq(&attempt.id))
            .exec(&transaction)
            .await?;
        if settles {
            self.publish_succeeded(&transaction, attempt, capture.amount, now)
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
        self.wake_refunds(&attempt.channel);
        self.close_others(&attempt.order_id).await;
        Ok(())
    }

    /// Money that was booked before: the same message once more, unless the channel has taken it a second time.
    async fn captured_again(
        &self,
        attempt: &attempt::Model,
        capture: &Capture,
        says: &Says<'_>,
    ) -> Result<(), ServiceError> {
        let booked = self.attempt(&attempt.id).await?.provider_no;
        let captured_no = &capture.provider_no;
        if booked.is_empty() || captured_no.is_empty() || booked == *captured_no {
            return Ok(());
        }
        let why = format!("paid a second time: as {captured_no}, after {booked}");
        tracing::error!(attempt = attempt.id, why, "a person has to look");
        self.keep_misfit(&self.context.db, &says.misfit(attempt, &why))
            .await?;
        Ok(())
    }

    /// A refund was written down: the channel need not wait for the next round.
    pub(crate) fn wake_refunds(&self, channel: &str) {
        if let Some(provider) = self.provider(channel) {
            provider.refunds.woken.notify_one();
        }
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
        attempt::Entity::update_any()
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

impl Says<'_> {
    fn misfit<'a>(&'a self, attempt: &'a attempt::Model, why: &str) -> Misfit<'a> {
        Misfit {
            channel: &attempt.channel,
            number: &attempt.id,
            why: format!("{why}; {}", self.summary),
            body: self.body,
        }
    }
}
