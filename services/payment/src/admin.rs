//! What an operator, or the demo, does by hand.

use anyhow::ensure;
use chassis::{Context, db};

use crate::entity::account::Kind;
use crate::entity::ledger_transaction::Book;
use crate::ledger::{self, Account, Posted, Posting};
use crate::operator::MAX_CENTS;
use crate::statement::{self, Line, RECHARGE};

/// Gives cloud coins, booked against the platform's promotion account; `false` when this key has given before.
pub async fn grant(context: &Context, owner: &str, cents: i64, key: &str) -> anyhow::Result<bool> {
    ensure!((1..=MAX_CENTS).contains(&cents), "cents: 1 to {MAX_CENTS}");
    ensure!(!owner.is_empty() && owner.len() <= 64, "no such owner");
    let now = context.clock.now_ms();
    let transaction = db::begin_write(&context.db).await?;
    let account = Account::of(Kind::Coin, owner);
    let posting = Posting {
        book: Book::Grant,
        key,
        entries: vec![
            (Account::platform(Kind::Promotion), -cents),
            (account.clone(), cents),
        ],
    };
    if ledger::post(&transaction, &posting, now).await? == Posted::Before {
        transaction.rollback().await?;
        return Ok(false);
    }
    let line = Line {
        owner,
        transaction_type: RECHARGE,
        function_type: 0,
        pay_method: "",
        amount: cents,
        account: Some(&account),
        order_no: "",
        description: "平台赠送云币",
    };
    statement::write(&transaction, &line, now).await?;
    transaction.commit().await?;
    Ok(true)
}
