//! What operators decide by hand: attempts whose channel said something that does not fit, refunds after delivery. Each
//! decision is a row of the operator log, written with its effect.

use anyhow::{Context as _, bail, ensure};
use chassis::ids::new_id;
use chassis::{Context, db};
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, DatabaseTransaction, QueryOrder, QuerySelect};
use serde::Serialize;

use crate::Payment;
use crate::attempt::{claim, shares_of, transition};
use crate::entity::account::Kind;
use crate::entity::attempt::{Disposition, State};
use crate::entity::ledger_transaction::Book;
use crate::entity::operator_log::Action;
use crate::entity::{attempt, misfit, operator_log, refund};
use crate::ledger::{self, Account, LedgerError, Posting};
use crate::statement::{self, BALANCE, Line};

/// Cents of one decision at most.
pub(crate) const MAX_CENTS: i64 = 100_000_000;

/// Who decides, about which attempt, refund or notice, and why.
#[derive(Debug, Clone)]
pub struct Decision {
    pub operator: String,
    pub subject: String,
    pub reason: String,
}

/// What becomes of a conflicted attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The channel has taken exactly what was asked for: the order gets it.
    Accept,
    /// The channel has taken so many cents: they go back. 0: it has taken nothing.
    Return(i64),
}

/// An attempt with all that happened to it.
#[derive(Debug, Serialize)]
pub struct AttemptReport {
    pub attempt: attempt::Model,
    pub refunds: Vec<refund::Model>,
    /// What the channel said of it that did not fit.
    pub notices: Vec<misfit::Model>,
    pub log: Vec<operator_log::Model>,
}

/// Opens the service for one operator command; starts no background tasks.
pub fn open(context: &Context) -> anyhow::Result<Payment> {
    Payment::new(context.clone(), Vec::new())
}

impl Payment {
    /// Attempts in these states, those that wait longest first.
    pub async fn attempts_in(
        &self,
        states: &[State],
        limit: u64,
    ) -> Result<Vec<attempt::Model>, DbErr> {
        attempt::Entity::find_any()
            .filter(attempt::Column::State.is_in(states.iter().copied()))
            .order_by_asc(attempt::Column::CreatedAt)
            .limit(limit)
            .all(&self.context.db)
            .await
    }

    pub async fn show(&self, id: &str) -> anyhow::Result<AttemptReport> {
        let connection = &self.context.db;
        Ok(AttemptReport {
            attempt: find(connection, id).await?,
            refunds: refund::Entity::find_any()
                .filter(refund::Column::AttemptId.eq(id))
                .order_by_asc(refund::Column::CreatedAt)
                .all(connection)
                .await?,
            notices: misfit::Entity::find()
                .filter(misfit::Column::Number.eq(id))
                .order_by_asc(misfit::Column::CreatedAt)
                .all(connection)
                .await?,
            log: operator_log::Entity::find()
                .filter(operator_log::Column::AttemptId.eq(id))
                .order_by_asc(operator_log::Column::CreatedAt)
                .all(connection)
                .await?,
        })
    }

    /// Ends a conflicted attempt. What the channel has taken is booked, and goes to the order or back.
    pub async fn settle(&self, decision: &Decision, verdict: Verdict) -> anyhow::Result<()> {
        decision.check()?;
        let now = self.now();
        let transaction = db::begin_write(&self.context.db).await?;
        let attempt = find(&transaction, &decision.subject).await?;
        ensure!(
            attempt.state == State::Conflicted,
            "attempt {} is {}: only conflicted ones are settled",
            attempt.id,
            attempt.state
        );
        let (to, action, taken) = match verdict {
            Verdict::Accept => (State::Succeeded, Action::Accept, attempt.payable),
            Verdict::Return(cents) => (State::Closed, Action::Return, cents),
        };
        ensure!(
            (0..=MAX_CENTS).contains(&taken) && (taken > 0 || to == State::Closed),
            "cents: 0 to {MAX_CENTS}, and nothing cannot be accepted"
        );
        ensure!(
            attempt.captured == 0 || taken == 0,
            "{} cents of it were booked and given back since; return 0 to close it",
            attempt.captured
        );
        let turned = transition(&attempt.id, to, now)
            .from_only(&[State::Conflicted])
            .apply(&transaction);
        ensure!(turned.await?, "somebody else was faster");
        // Locks in the order of every payment: the order's settlement before the accounts.
        let kept = to == State::Succeeded
            && claim(&transaction, &attempt.order_id, &attempt.id, now).await?;
        if taken > 0 {
            self.take_in(&transaction, &attempt, taken, now).await?;
        }
        if !kept {
            self.give_back(&transaction, &attempt.id, &decision.reason, now)
                .await?;
        }
        let about_it = misfit::Column::Number.eq(&attempt.id);
        self.end_misfits(&transaction, decision, about_it).await?;
        decision.log(&transaction, action, taken, None, now).await?;
        if to == State::Closed {
            self.publish_failed(&transaction, &attempt, &decision.reason, true, now)
                .await?;
        }
        if kept {
            self.publish_succeeded(&transaction, &attempt, taken, now)
                .await?;
        }
        transaction.commit().await?;
        self.outbox.wake();
        if kept {
            self.close_others(&attempt.order_id).await;
        }
        Ok(())
    }

    /// Gives cents of a delivered order back to the payer, taking them from those who had a share. The same number again does
    /// nothing: `false`.
    pub async fn refund(
        &self,
        decision: &Decision,
        number: &str,
        cents: i64,
    ) -> anyhow::Result<bool> {
        decision.check()?;
        ensure!(
            (1..=32).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_alphanumeric()),
            "number: 1 to 32 letters and digits"
        );
        let now = self.now();
        let transaction = db::begin_write(&self.context.db).await?;
        if let Some(known) = refund::Entity::find_any_by_id(number)
            .one(&transaction)
            .await?
        {
            ensure!(
                known.attempt_id == decision.subject && known.amount == cents,
                "refund {number} was {} cents of attempt {}",
                known.amount,
                known.attempt_id
            );
            return Ok(false);
        }
        let attempt = find(&transaction, &decision.subject).await?;
        match attempt.disposition {
            Disposition::Released => {}
            Disposition::Returned => bail!("attempt {} was given back already", attempt.id),
            Disposition::Escrow => bail!("attempt {} has paid no order", attempt.id),
        }
        ensure!(
            shares_of(&attempt)?
                .iter()
                .all(|share| share.account != Kind::Pending.name()),
            "attempt {} paid for goods: they are given back one by one (order return-item)",
            attempt.id
        );
        let left = attempt.captured - attempt.refunded;
        ensure!((1..=left).contains(&cents), "cents: 1 to {left}");
        self.take_back(&transaction, &attempt, number, cents, now)
            .await?;
        let made = self
            .make_refund(&transaction, &attempt, number, cents, &decision.reason, now)
            .await?;
        ensure!(made, "somebody else was faster");
        decision
            .log(&transaction, Action::Refund, cents, Some(number), now)
            .await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(true)
    }

    /// Moves what was handed out back into escrow, from each share its part. Parts are those of all that was refunded so
    /// far, rounded down, so many small refunds take as much as one large one.
    async fn take_back(
        &self,
        transaction: &DatabaseTransaction,
        attempt: &attempt::Model,
        number: &str,
        cents: i64,
        now: i64,
    ) -> anyhow::Result<()> {
        let shares = shares_of(attempt)?;
        let part = |share: i64, of: i64| {
            (i128::from(share) * i128::from(of) / i128::from(attempt.captured)) as i64
        };
        let mut entries = vec![(Account::platform(Kind::Escrow), cents)];
        let mut left = cents;
        for (at, share) in shares.iter().enumerate() {
            let kind = Kind::of_share(&share.account).context("share of an unknown account")?;
            let both = attempt.refunded + cents;
            let amount = match at + 1 == shares.len() {
                true => left,
                false => part(share.amount, both) - part(share.amount, attempt.refunded),
            };
            left -= amount;
            if amount > 0 {
                entries.push((Account::of(kind, &share.owner), -amount));
            }
        }
        let posting = Posting {
            book: Book::Reverse,
            key: number,
            entries: entries.clone(),
        };
        match ledger::post(transaction, &posting, now).await {
            Ok(_) => {}
            Err(LedgerError::Insufficient(account)) => {
                bail!("account {account} has not enough left to give it back")
            }
            Err(error) => return Err(error.into()),
        }
        for (account, amount) in &entries {
            if matches!(account.kind, Kind::Coin | Kind::Income) {
                let description = format!("退款扣回：{}", attempt.subject);
                let line = Line {
                    owner: &account.owner,
                    transaction_type: attempt.transaction_type,
                    function_type: attempt.function_type,
                    pay_method: BALANCE,
                    amount: *amount,
                    account: Some(account),
                    order_no: &attempt.order_no,
                    description: &description,
                };
                statement::write(transaction, &line, now).await?;
            }
        }
        Ok(())
    }
}

async fn find(connection: &impl ConnectionTrait, id: &str) -> anyhow::Result<attempt::Model> {
    let found = attempt::Entity::find_any_by_id(id).one(connection).await?;
    found.with_context(|| format!("no attempt {id}"))
}

impl Decision {
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        for (what, text) in [("operator", &self.operator), ("reason", &self.reason)] {
            let length = text.trim().chars().count();
            ensure!((1..=200).contains(&length), "{what}: 1 to 200 characters");
        }
        Ok(())
    }

    async fn log(
        &self,
        transaction: &DatabaseTransaction,
        action: Action,
        amount: i64,
        refund_id: Option<&str>,
        now: i64,
    ) -> Result<(), DbErr> {
        let row = self.row(action, amount, refund_id, now);
        db::insert(row, transaction).await
    }

    /// A row about the subject as an attempt.
    pub(crate) fn row(
        &self,
        action: Action,
        amount: i64,
        refund_id: Option<&str>,
        now: i64,
    ) -> operator_log::Model {
        operator_log::Model {
            id: new_id(),
            operator: self.operator.trim().to_owned(),
            action,
            attempt_id: self.subject.clone(),
            refund_id: refund_id.map(str::to_owned),
            misfit_id: None,
            amount,
            reason: self.reason.trim().to_owned(),
            created_at: now,
        }
    }
}
