//! What a channel says about an attempt, and what follows: it settles the order, it is given back, or an operator reviews it.

use chassis::{ServiceError, db};
use payprotocol::ToldRefund;
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, Set};

use crate::Payment;
use crate::attempt::{claim, transition};
use crate::entity::account::Kind;
use crate::entity::attempt::{Disposition, State};
use crate::entity::ledger_transaction::Book;
use crate::entity::{attempt, refund};
use crate::ledger::{self, Account, Posted, Posting};
use crate::misfit::Misfit;
use crate::provider::{
    Capture, News, Notice, Notification, PaymentStatus, Provider, ProviderError,
};
use crate::state::Source;
use crate::statement::{self, Line};

/// What a channel says, in its own words.
struct Says<'a> {
    summary: &'a str,
    body: &'a str,
    /// Whether it is on the list for review already.
    kept: bool,
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
        self.hears(provider.as_ref(), &attempt, &notice, &body)
            .await
            .map_err(unclear)
    }

    /// Takes what a verified message says of an attempt.
    async fn hears(
        &self,
        provider: &dyn Provider,
        attempt: &attempt::Model,
        notice: &Notice,
        body: &str,
    ) -> Result<(), ServiceError> {
        let strange = match &notice.refund {
            Some(refund) => self.keep_strange_refund(attempt, refund, body).await?,
            None => false,
        };
        let says = Says {
            summary: &notice.summary,
            body,
            kept: strange,
        };
        match &notice.news {
            News::Status(status) => self.apply(provider, attempt, status.clone(), &says).await,
            News::Refunded => Ok(()),
            // It is asked for as before; what was said waits for an operator.
            News::Unreadable => {
                let misfit = says.misfit(attempt, "state or amount cannot be read");
                self.keep_misfit(&self.context.db, &misfit).await?;
                Ok(())
            }
        }
    }

    /// A message for a payment that we do not know, other than that nothing was paid: kept for an operator's review.
    async fn keep_stranger(&self, channel: &str, notice: &Notice, body: &str) -> Result<(), DbErr> {
        use PaymentStatus::{Closed, Missing, Waiting};
        if matches!(notice.news, News::Status(Closed | Missing | Waiting))
            && notice.refund.is_none()
        {
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

    /// Keeps the notice of a refund unless refunds of ours explain it; `true` when they do not.
    async fn keep_strange_refund(
        &self,
        attempt: &attempt::Model,
        told: &ToldRefund,
        body: &str,
    ) -> Result<bool, DbErr> {
        // A refund of ours is a row before the channel is asked for it.
        let ours = refund::Entity::find_any()
            .filter(refund::Column::AttemptId.eq(&attempt.id))
            .all(&self.context.db)
            .await?;
        let asked: i64 = ours.iter().map(|refund| refund.amount).sum();
        let own = ours.iter().find(|own| own.id == told.number);
        let known = told.number.is_empty() || own.is_some();
        let coins = match own {
            Some(own) => self.came_as_coins(own).await?,
            None => false,
        };
        if known && !coins && !told.foreign && told.cents.is_some_and(|cents| cents <= asked) {
            return Ok(false);
        }
        let cents = told.cents.map_or("?".to_owned(), |cents| cents.to_string());
        let of = match (told.foreign, coins) {
            (true, _) => " of another merchant",
            (false, true) => " whose payer got coins instead",
            _ => "",
        };
        let misfit = Misfit {
            channel: &attempt.channel,
            number: &attempt.id,
            // Not what else the message says: later ones tell of the same refund.
            why: format!(
                "refund{of} at the channel that is not ours: {:?}, {cents} cents",
                told.number
            ),
            body,
        };
        self.keep_misfit(&self.context.db, &misfit).await?;
        Ok(true)
    }

    /// Whether an operator has ended a refund of this channel with cloud coins.
    async fn came_as_coins(&self, refund: &refund::Model) -> Result<bool, DbErr> {
        let clearing = Account::of(Kind::Clearing, &refund.channel);
        let ended = refund.state == refund::State::Succeeded;
        let booked = ledger::booked(&self.context.db, Book::Refund, &refund.id, &clearing);
        Ok(ended && booked.await? == 0)
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
            kept: false,
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
            PaymentStatus::Closed => self.closed(attempt, says).await,
            // A page payment is unknown to the channel until the payer opens it, and payable all the same. A code is not:
            // once the order is shut, and the channel was asked to close, nothing is to be waited for.
            PaymentStatus::Missing if over || (attempt.closing && !provider.payable_unheard()) => {
                self.unpaid(attempt).await?;
                Ok(())
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

    async fn unpaid(&self, attempt: &attempt::Model) -> Result<bool, ServiceError> {
        self.end_unpaid(attempt, State::Closed, "支付渠道已关闭交易")
            .await
    }

    /// The channel has closed a payment: it ends unpaid. One that it had taken before is closed when all of it was given
    /// back; else a person has to look.
    async fn closed(&self, attempt: &attempt::Model, says: &Says<'_>) -> Result<(), ServiceError> {
        if self.unpaid(attempt).await? || says.kept {
            return Ok(());
        }
        let known = self.attempt(&attempt.id).await?;
        if known.captured > known.refunded {
            let why = format!("closed; {} cents were taken before", known.captured);
            tracing::error!(attempt = attempt.id, why, "a person has to look");
            self.keep_misfit(&self.context.db, &says.misfit(attempt, &why))
                .await?;
        }
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
        let escrow = Account::platform(Kind::Escrow);
        let booked = ledger::booked(&transaction, Book::Attempt, &attempt.id, &escrow).await?;
        if booked != capture.amount && self.was_returned(&transaction, &attempt.id).await? {
            transaction.rollback().await?;
            let why = format!("an operator has booked {booked} and ended it");
            tracing::error!(attempt = attempt.id, why, "a person has to look");
            self.keep_misfit(&self.context.db, &says.misfit(attempt, &why))
                .await?;
            return Ok(());
        }
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

    /// Whether it was decided that what an attempt took goes back. Before its money is booked only an operator decides so.
    async fn was_returned(
        &self,
        transaction: &DatabaseTransaction,
        id: &str,
    ) -> Result<bool, DbErr> {
        let known = attempt::Entity::find_any_by_id(id).one(transaction).await?;
        Ok(known.is_some_and(|known| known.disposition == Disposition::Returned))
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
        statement::write(transaction, &Line::taken(attempt, cents), now).await?;
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
