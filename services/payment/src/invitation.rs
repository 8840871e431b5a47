//! Coins for an invitation, from the promotion account: once for each side, under the key `invite:{id}:{side}`.

use anyhow::ensure;
use proto::auth::v1::InvitationQualified;
use proto::payment::v1::InvitationRewarded;
use sea_orm::DatabaseTransaction;

use crate::Payment;
use crate::entity::account::Kind;
use crate::entity::ledger_transaction::Book;
use crate::ledger::{self, Account, Posted, Posting};
use crate::statement::{self, Line, RECHARGE};

/// Most that an invitation brings one side, in cents: a configuration beyond it is a mistake.
const MOST: i64 = 100_000;

pub(crate) async fn reward(
    payment: &Payment,
    transaction: &DatabaseTransaction,
    event: &InvitationQualified,
) -> anyhow::Result<()> {
    let cents = event.cents;
    ensure!((1..=MOST).contains(&cents), "a reward of {cents} cents");
    let now = payment.now();
    let account = Account::of(Kind::Coin, &event.login_id);
    let posting = Posting {
        book: Book::Grant,
        key: &format!("invite:{}:{}", event.invitation_id, event.side),
        entries: vec![
            (Account::platform(Kind::Promotion), -cents),
            (account.clone(), cents),
        ],
    };
    if ledger::post(transaction, &posting, now).await? == Posted::Now {
        let line = Line {
            owner: &event.login_id,
            transaction_type: RECHARGE,
            function_type: 0,
            pay_method: "",
            amount: cents,
            account: Some(&account),
            order_no: "",
            description: "邀请奖励",
        };
        statement::write(transaction, &line, now).await?;
    }
    let rewarded = InvitationRewarded {
        invitation_id: event.invitation_id.clone(),
        side: event.side.clone(),
        login_id: event.login_id.clone(),
        cents,
        rewarded_at_ms: now,
    };
    payment
        .outbox
        .add(transaction, &event.invitation_id, &rewarded)
        .await?;
    payment.context.fail.at("payment.invitation.before_commit")
}
