//! What the service consumes: an order took the money, or does not take it.

use chassis::{db, rights};
use proto::auth::v1::{AccountClosed, InvitationQualified};
use proto::order::v1::order_paid::Product;
use proto::order::v1::{OrderPaid, PaymentRefused, RefundApproved};
use proto::payment::v1::{OrderFulfilled, PaymentEvents, WechatPaid};
use sea_orm::DatabaseTransaction;
use sea_orm::entity::prelude::*;

use crate::Payment;
use crate::attempt::{dispose, shares_of};
use crate::entity::account::Kind;
use crate::entity::attempt::Disposition;
use crate::entity::ledger_transaction::Book;
use crate::entity::{attempt, settlement};
use crate::invitation;
use crate::ledger::{self, Account, Posting};
use crate::provider::Provider;
use crate::statement::{self, BALANCE, Line, RECHARGE};

/// Handles the events of payment.
pub(crate) struct Consumer(pub Payment);

impl PaymentEvents<DatabaseTransaction> for Consumer {
    async fn order_order_paid(
        &self,
        transaction: &DatabaseTransaction,
        paid: OrderPaid,
    ) -> anyhow::Result<()> {
        self.0.release(transaction, &paid).await?;
        self.0.context.fail.at("payment.release.before_commit")
    }

    async fn order_payment_refused(
        &self,
        transaction: &DatabaseTransaction,
        refused: PaymentRefused,
    ) -> anyhow::Result<()> {
        let payment = &self.0;
        let now = payment.now();
        // Should the order still be open, another attempt may settle it.
        settlement::Entity::delete_many()
            .filter(settlement::Column::OrderId.eq(&refused.order_id))
            .filter(settlement::Column::AttemptId.eq(&refused.attempt_id))
            .exec(transaction)
            .await?;
        payment
            .give_back(transaction, &refused.attempt_id, &refused.reason, now)
            .await?;
        payment.context.fail.at("payment.return.before_commit")
    }

    async fn order_refund_approved(
        &self,
        transaction: &DatabaseTransaction,
        approved: RefundApproved,
    ) -> anyhow::Result<()> {
        self.0.return_items(transaction, &approved).await
    }

    async fn auth_invitation_qualified(
        &self,
        transaction: &DatabaseTransaction,
        event: InvitationQualified,
    ) -> anyhow::Result<()> {
        invitation::reward(&self.0, transaction, &event).await
    }

    async fn auth_account_closed(
        &self,
        transaction: &DatabaseTransaction,
        event: AccountClosed,
    ) -> anyhow::Result<()> {
        Ok(rights::note(&self.0.context, transaction, event).await?)
    }
}

impl Payment {
    /// Hands the money out of escrow to those who have a share in it, in one transaction of the ledger.
    async fn release(
        &self,
        transaction: &DatabaseTransaction,
        paid: &OrderPaid,
    ) -> anyhow::Result<()> {
        let known = attempt::Entity::find_any_by_id(&paid.attempt_id)
            .one(transaction)
            .await?;
        let Some(attempt) = known.filter(|attempt| attempt.order_id == paid.order_id) else {
            anyhow::bail!("order {} names an unknown attempt", paid.order_id);
        };
        if !dispose(transaction, &attempt.id, Disposition::Released).await? {
            anyhow::ensure!(
                attempt.disposition == Disposition::Released,
                "attempt {} was given back before its order took it",
                attempt.id
            );
            return Ok(());
        }
        let now = self.now();
        let mut entries = vec![(Account::platform(Kind::Escrow), -attempt.captured)];
        for share in shares_of(&attempt)? {
            let Some(kind) = Kind::of_share(&share.account) else {
                anyhow::bail!("share of unknown account {}", share.account);
            };
            entries.push((Account::of(kind, &share.owner), share.amount));
        }
        entries.retain(|(_, amount)| *amount != 0);
        if !entries.is_empty() {
            let posting = Posting {
                book: Book::Release,
                key: &attempt.id,
                entries,
            };
            ledger::post(transaction, &posting, now).await?;
        }
        if let Some(Product::Goods(goods)) = &paid.product {
            self.earned(transaction, paid, goods, now).await?;
        }
        if let Some(Product::Recharge(recharge)) = &paid.product {
            let account = Account::of(Kind::Coin, &paid.owner);
            let line = Line {
                owner: &paid.owner,
                transaction_type: RECHARGE,
                function_type: attempt.function_type,
                pay_method: BALANCE,
                amount: recharge.coins,
                account: Some(&account),
                order_no: &paid.order_no,
                description: "云币到账",
            };
            statement::write(transaction, &line, now).await?;
            let fulfilled = OrderFulfilled {
                order_id: paid.order_id.clone(),
                fulfilled_at_ms: now,
            };
            self.publish(transaction, &paid.order_id, &fulfilled)
                .await?;
        }
        let provider = self.provider(&attempt.channel);
        if provider.is_some_and(|provider| provider.shows_code()) {
            let arrived = WechatPaid {
                order_id: paid.order_id.clone(),
                success: true,
            };
            let (bus, owner) = (self.context.bus.clone(), paid.owner.clone());
            db::after_commit(move || bus.push(&owner, &arrived));
        }
        Ok(())
    }
}
