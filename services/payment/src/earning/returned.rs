//! Things of an order that are given back: the buyer's money comes from its recipients.

use anyhow::{Context as _, ensure};
use chassis::db::states::Transition;
use proto::order::v1::RefundApproved;
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, Set};

use crate::Payment;
use crate::counts::MEMBER_FREE;
use crate::entity::account::Kind;
use crate::entity::attempt::Disposition;
use crate::entity::earning::{ActiveModel, Column, Entity, Model, State};
use crate::entity::ledger_transaction::Book;
use crate::entity::{attempt, refund};
use crate::ledger::{self, Account, Posting};
use crate::statement::{self, BALANCE, Line};

use super::{INCOME_TYPE, MALL};

impl Payment {
    /// Gives the price of things back to the payer, once for each number.
    pub(crate) async fn return_items(
        &self,
        transaction: &DatabaseTransaction,
        approved: &RefundApproved,
    ) -> anyhow::Result<()> {
        let known = refund::Entity::find_any_by_id(&approved.refund_id)
            .one(transaction)
            .await?;
        if known.is_some() {
            return Ok(());
        }
        let attempt = attempt::Entity::find_any_by_id(&approved.attempt_id)
            .one(transaction)
            .await?
            .filter(|attempt| attempt.order_id == approved.order_id)
            .with_context(|| format!("refund {} names an unknown attempt", approved.refund_id))?;
        // The order's money is handed out by an event of its own, which may come later: this one is delivered again.
        ensure!(
            attempt.disposition == Disposition::Released,
            "the money of order {} has not been handed out",
            approved.order_id
        );
        if attempt.channel == MEMBER_FREE {
            return self.return_counted(transaction, approved, &attempt).await;
        }
        let now = self.now();
        let mut entries = vec![(Account::platform(Kind::Escrow), approved.amount)];
        let mut platform = approved.amount;
        let mut taken = Vec::new();
        for item in &approved.items {
            let earning = Entity::find_any_by_id(&item.item_id)
                .one(transaction)
                .await?;
            if let Some(earning) = earning {
                platform -= earning.amount;
                let part = self.reverse(transaction, &earning, now).await?;
                for (account, amount) in &part {
                    match entries.iter_mut().find(|(known, _)| known == account) {
                        Some((_, sum)) => *sum += amount,
                        None => entries.push((account.clone(), *amount)),
                    }
                }
                taken.push((earning, part));
            }
        }
        entries.push((Account::platform(Kind::Revenue), -platform));
        entries.retain(|(_, amount)| *amount != 0);
        let posting = Posting {
            book: Book::Reverse,
            key: &approved.refund_id,
            entries,
        };
        ledger::post(transaction, &posting, now).await?;
        for (earning, part) in &taken {
            for (account, amount) in part {
                publish(transaction, earning, account, *amount, now).await?;
            }
        }
        let made = self
            .make_refund(
                transaction,
                &attempt,
                &approved.refund_id,
                approved.amount,
                &approved.reason,
                now,
            )
            .await?;
        ensure!(made, "refund {} is more than was paid", approved.refund_id);
        self.context.fail.at("payment.items_returned.before_commit")
    }

    /// What a seller gives back of an income: from what is pending, then from what is his, the rest as his debt.
    async fn reverse(
        &self,
        transaction: &DatabaseTransaction,
        earning: &Model,
        now: i64,
    ) -> anyhow::Result<Vec<(Account, i64)>> {
        let reversed = Transition::to(State::Reversed)
            .set(ActiveModel {
                ended_at: Set(Some(now)),
                ..Default::default()
            })
            .only(Column::Id.eq(&earning.id))
            .apply(transaction);
        ensure!(reversed.await?, "income {} was taken back", earning.id);
        if earning.state == State::Pending {
            let pending = Account::of(Kind::Pending, &earning.owner);
            return Ok(vec![(pending, -earning.amount)]);
        }
        let income = Account::of(Kind::Income, &earning.owner);
        // Should it be spent meanwhile, booking fails and the event is delivered again.
        let has = ledger::available(transaction, &income).await?;
        let taken = has.clamp(0, earning.amount);
        let debt = Account::of(Kind::Debt, &earning.owner);
        Ok(vec![(income, -taken), (debt, taken - earning.amount)])
    }
}

/// Adds the line to the seller's account details; what was pending had none yet.
async fn publish(
    transaction: &DatabaseTransaction,
    earning: &Model,
    account: &Account,
    amount: i64,
    now: i64,
) -> Result<(), DbErr> {
    let (what, own) = match account.kind {
        Kind::Income => ("收入冲回", Some(account)),
        Kind::Debt => ("收入冲回（由后续收入抵扣）", None),
        _ => return Ok(()),
    };
    if amount == 0 {
        return Ok(());
    }
    let description = format!("{what}：{}", earning.title);
    let line = Line {
        owner: &earning.owner,
        transaction_type: INCOME_TYPE,
        function_type: MALL,
        pay_method: BALANCE,
        amount,
        account: own,
        order_no: &earning.order_no,
        description: &description,
    };
    statement::write(transaction, &line, now).await
}
