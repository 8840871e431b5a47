//! From the click to the money: an attempt is written down, the order is asked to begin with it, the channel takes it.

use chassis::ids::new_id;
use chassis::{BusinessError, ServiceError, db};
use proto::code;
use proto::order::v1::{BeginReply, BeginRequest, OrderCommands};
use proto::payment::v1::PayRequest;
use sea_orm::Set;
use sea_orm::entity::prelude::*;

use crate::Payment;
use crate::attempt::{claim, terms, transition};
use crate::entity::account::Kind;
use crate::entity::attempt;
use crate::entity::attempt::{Disposition, State};
use crate::entity::ledger_transaction::Book;
use crate::ledger::{self, Account, LedgerError, Posting};
use crate::provider::{Checkout, Provider, ProviderError, Ticket};
use crate::state::Source;
use crate::statement::{self, Line};

impl Payment {
    /// Pays an order of the caller from one of the caller's own accounts.
    pub(crate) async fn pay_from_balance(
        &self,
        owner: &str,
        channel: &str,
        request: &PayRequest,
    ) -> Result<(), ServiceError> {
        let Source::Balance(kind) = self.source(channel)? else {
            return Err(anyhow::anyhow!("{channel} is no balance").into());
        };
        if kind == Kind::Income {
            self.may_spend_income(owner).await?;
        }
        let (attempt, begun) = self.begin(owner, channel, request).await?;
        self.context.fail.at("payment.begun")?;
        match self.take_from_balance(&attempt, &begun, kind).await {
            Ok(()) => Ok(()),
            Err(Refusal::NoFunds) => {
                let message = match kind {
                    Kind::Income => "收益余额不足，请选择其他支付方式",
                    _ => "云币余额不足，请充值或选择其他支付方式",
                };
                self.end_unpaid(&attempt, State::Failed, message).await?;
                Err(BusinessError::new(code::NO_FUNDS, message).into())
            }
            Err(refusal) => self.not_taken(&attempt, refusal).await,
        }
    }

    /// Ends an attempt for which nothing was taken, unless it has succeeded before.
    pub(crate) async fn not_taken(
        &self,
        attempt: &attempt::Model,
        refusal: Refusal,
    ) -> Result<(), ServiceError> {
        match refusal {
            Refusal::Gone => {
                if self.attempt(&attempt.id).await?.state == State::Succeeded {
                    return Ok(());
                }
                self.end_unpaid(attempt, State::Closed, "订单已支付或已关闭")
                    .await?;
                let text = "订单已支付或已关闭，请勿重复付款";
                Err(BusinessError::new(code::CONFLICT, text).into())
            }
            Refusal::NoFunds => Err(anyhow::anyhow!("an account has less than was read").into()),
            Refusal::Service(error) => Err(error),
        }
    }

    /// Pays an order of the caller outside; returns what the payer has to see.
    pub(crate) async fn pay_outside(
        &self,
        owner: &str,
        channel: &str,
        request: &PayRequest,
    ) -> Result<Checkout, ServiceError> {
        let Source::Provider(provider) = self.source(channel)? else {
            return Err(anyhow::anyhow!("{channel} is not outside").into());
        };
        let (attempt, begun) = self.begin(owner, channel, request).await?;
        let next = self.now() + self.config.wait_ms(0);
        let submitted = transition(&attempt.id, State::Submitted, self.now())
            .from_only(&[State::Created])
            .set(attempt::ActiveModel {
                next_check_at: Set(next),
                ..terms(&begun)
            })
            .apply(&self.context.db);
        if !submitted.await? {
            return Err(BusinessError::new(code::CONFLICT, "订单已关闭，请重新下单").into());
        }
        self.context.fail.at("payment.submitted")?;
        let ticket = Ticket {
            number: attempt.id.clone(),
            amount: begun.payable,
            subject: begun.subject,
            expires_at_ms: begun.expires_at_ms,
            return_url: request.return_url.clone(),
        };
        let checkout = self
            .created_at(provider.as_ref(), &attempt, &ticket)
            .await?;
        self.context.fail.at("payment.channel.created")?;
        Ok(checkout)
    }

    async fn created_at(
        &self,
        provider: &dyn Provider,
        attempt: &attempt::Model,
        ticket: &Ticket,
    ) -> Result<Checkout, ServiceError> {
        match provider.create(ticket).await {
            Ok(checkout) => Ok(checkout),
            Err(ProviderError::Refused(reason)) => {
                tracing::warn!(attempt = attempt.id, reason, "channel refused");
                self.end_unpaid(attempt, State::Failed, &reason).await?;
                let message = "支付渠道未受理，请稍后再试或选择其他支付方式";
                Err(BusinessError::new(code::CONFLICT, message).into())
            }
            Err(ProviderError::Paused) => {
                let message = "支付渠道暂时没有响应，请稍后再试或选择其他支付方式";
                self.end_unpaid(attempt, State::Closed, message).await?;
                Err(BusinessError::new(code::CONFLICT, message).into())
            }
            Err(error @ (ProviderError::Unclear(_) | ProviderError::Silent(_))) => {
                self.does_not_tell(attempt, &error).await?;
                Err(ServiceError::Unavailable("payment channel"))
            }
        }
    }

    /// Writes an attempt down and asks the order to begin with it.
    pub(crate) async fn begin(
        &self,
        owner: &str,
        channel: &str,
        request: &PayRequest,
    ) -> Result<(attempt::Model, BeginReply), ServiceError> {
        let coupon_amount = coupon_amount(&request.coupon)?;
        let back = request.return_url.as_str();
        if !back.is_empty() && (back.len() > 1024 || !self.config.is_own(back)) {
            return Err(BusinessError::invalid("return_url 应为本站的网页地址").into());
        }
        let attempt = self.new_attempt(owner, channel, request).await?;
        self.context.fail.at("payment.attempt.created")?;
        let request = BeginRequest {
            attempt_id: attempt.id.clone(),
            order_id: attempt.order_id.clone(),
            owner: owner.to_owned(),
            channel: channel.to_owned(),
            coupon_id: attempt.coupon_id.clone(),
            coupon_amount,
        };
        match OrderCommands::begin(&self.context.bus, &request).await {
            Ok(begun) => Ok((attempt, begun)),
            Err(ServiceError::Business(refusal)) => {
                self.end_unpaid(&attempt, State::Closed, &refusal.message)
                    .await?;
                Err(refusal.into())
            }
            // It may have begun all the same: the janitor closes the attempt, which notifies the order.
            Err(error) => Err(error),
        }
    }

    async fn new_attempt(
        &self,
        owner: &str,
        channel: &str,
        request: &PayRequest,
    ) -> Result<attempt::Model, ServiceError> {
        let now = self.now();
        let row = attempt::Model {
            id: new_id(),
            order_id: request.order_id.clone(),
            owner: owner.to_owned(),
            channel: channel.to_owned(),
            coupon_id: request.coupon_id.clone(),
            state: State::Created,
            payable: 0,
            shares: "[]".to_owned(),
            order_no: String::new(),
            subject: String::new(),
            function_type: 0,
            transaction_type: 0,
            expires_at: 0,
            captured: 0,
            refunded: 0,
            counts: 0,
            disposition: Disposition::Escrow,
            provider_no: String::new(),
            reason: String::new(),
            closing: false,
            tries: 0,
            next_check_at: now + self.config.abandoned_s * 1000,
            created_at: now,
            updated_at: now,
        };
        db::insert(row.clone(), &self.context.db).await?;
        Ok(row)
    }

    async fn take_from_balance(
        &self,
        attempt: &attempt::Model,
        begun: &BeginReply,
        kind: Kind,
    ) -> Result<(), Refusal> {
        let now = self.now();
        let transaction = db::begin_write(&self.context.db).await?;
        if !claim(&transaction, &attempt.order_id, &attempt.id, now).await? {
            return Err(Refusal::Gone);
        }
        let succeeded = transition(&attempt.id, State::Succeeded, now)
            .from_only(&[State::Created])
            .set(attempt::ActiveModel {
                captured: Set(begun.payable),
                ..terms(begun)
            })
            .apply(&transaction);
        if !succeeded.await? {
            return Err(Refusal::Gone);
        }
        if begun.payable > 0 {
            let payer = Account::of(kind, &attempt.owner);
            let posting = Posting {
                book: Book::Attempt,
                key: &attempt.id,
                entries: vec![
                    (payer.clone(), -begun.payable),
                    (Account::platform(Kind::Escrow), begun.payable),
                ],
            };
            ledger::post(&transaction, &posting, now).await?;
            let line = Line {
                owner: &attempt.owner,
                transaction_type: begun.order_type,
                function_type: begun.function_module,
                pay_method: statement::BALANCE,
                amount: -begun.payable,
                account: Some(&payer),
                order_no: &begun.order_no,
                description: &begun.subject,
            };
            statement::write(&transaction, &line, now).await?;
        }
        self.publish_succeeded(&transaction, attempt, begun.payable, now)
            .await?;
        self.context.fail.at("payment.coin.before_commit")?;
        transaction.commit().await?;
        self.context.fail.at("payment.coin.committed")?;
        self.outbox.wake();
        self.close_others(&attempt.order_id).await;
        Ok(())
    }
}

/// Why a balance was not used; dropping the transaction has undone everything.
pub(crate) enum Refusal {
    /// The order is settled by another attempt, or this attempt was closed meanwhile.
    Gone,
    NoFunds,
    Service(ServiceError),
}

impl From<LedgerError> for Refusal {
    fn from(error: LedgerError) -> Self {
        match error {
            LedgerError::Insufficient(_) => Self::NoFunds,
            other => Self::Service(other.into()),
        }
    }
}

impl From<DbErr> for Refusal {
    fn from(error: DbErr) -> Self {
        Self::Service(error.into())
    }
}

impl From<anyhow::Error> for Refusal {
    fn from(error: anyhow::Error) -> Self {
        Self::Service(error.into())
    }
}

/// Cents; none when the payer did not say.
pub fn coupon_amount(text: &str) -> Result<Option<i64>, BusinessError> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let amount: Option<i64> = text.parse().ok().filter(|amount| *amount >= 0);
    match amount {
        Some(amount) => Ok(Some(amount)),
        None => Err(BusinessError::invalid("coupon 应为优惠金额（分）")),
    }
}
