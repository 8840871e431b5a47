//! What an operator, or the demo, does by hand.

use anyhow::ensure;
use chassis::{Context, db};

use crate::ledger::{self, Account, Book, Kind, Posted, Posting};
use crate::statement::{self, Line, RECHARGE};

/// Cents that can be given at once.
const MOST: i64 = 100_000_000;

/// Gives cloud coins, booked against the platform's promotion account; `false` when this key has given before.
pub async fn grant(context: &Context, owner: &str, cents: i64, key: &str) -> anyhow::Result<bool> {
    ensure!((1..=MOST).contains(&cents), "cents: 1 to {MOST}");
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
