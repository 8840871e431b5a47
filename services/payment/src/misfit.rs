//! Money that a channel reports under a valid signature and that no state of ours takes: kept, with what was said, until
//! an operator has reviewed it.

use anyhow::{Context as _, ensure};
use chassis::db;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, DatabaseTransaction, QueryOrder, QuerySelect, Set};
use sha2::{Digest, Sha256};

use crate::Payment;
use crate::entity::account::Kind;
use crate::entity::attempt::State;
use crate::entity::ledger_transaction::Book;
use crate::entity::operator_log::Action;
use crate::entity::{attempt, misfit, operator_log};
use crate::ledger::{self, Account, Posted, Posting};
use crate::operator::{Decision, MAX_CENTS};
use crate::refund::new_refund;
use crate::statement::{self, Line};

/// Longest number that is kept, in bytes: ours have 32.
const LONGEST_NUMBER: usize = 64;

pub(crate) struct Misfit<'a> {
    pub channel: &'a str,
    /// Number of the payment, as the channel says it.
    pub number: &'a str,
    pub why: String,
    /// What came; empty when it was said in an answer.
    pub body: &'a str,
}

/// What becomes of the money that a notice tells of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Nothing is to be booked.
    Nothing,
    /// The channel has taken so many cents beyond what is booked: they go back.
    Return(i64),
}

impl Misfit<'_> {
    /// The same for the same thing: channels repeat themselves for a day, each time in other bytes.
    fn id(&self) -> String {
        let whole = format!("{}\n{}\n{}", self.channel, self.number, self.why);
        let mut id = hex::encode(Sha256::digest(whole));
        id.truncate(32);
        id
    }
}

impl Payment {
    pub(crate) async fn keep_misfit(
        &self,
        connection: &impl ConnectionTrait,
        misfit: &Misfit<'_>,
    ) -> Result<(), DbErr> {
        let number = &misfit.number[..misfit.number.floor_char_boundary(LONGEST_NUMBER)];
        let row = misfit::Model {
            id: misfit.id(),
            channel: misfit.channel.to_owned(),
            number: number.to_owned(),
            why: misfit.why.clone(),
            // A database does not keep it in text.
            body: misfit.body.replace('\0', ""),
            created_at: self.now(),
            ended_at: None,
            ended_by: String::new(),
            note: String::new(),
        };
        db::insert_new(row, connection).await?;
        Ok(())
    }

    /// Those not reviewed yet, or all; oldest first.
    pub async fn misfits(&self, all: bool, limit: u64) -> Result<Vec<misfit::Model>, DbErr> {
        let mut found = misfit::Entity::find();
        if !all {
            found = found.filter(misfit::Column::EndedAt.is_null());
        }
        found
            .order_by_asc(misfit::Column::CreatedAt)
            .limit(limit)
            .all(&self.context.db)
            .await
    }

    /// Ends one after its review: `decision` names it, and why it is done.
    /// Errors: none is open by this name, or nothing can be given back for it.
    pub async fn end_misfit(&self, decision: &Decision, ending: Ending) -> anyhow::Result<()> {
        decision.check()?;
        let now = self.now();
        let transaction = db::begin_write(&self.context.db).await?;
        let which = misfit::Column::Id.eq(&decision.subject);
        let ended = self.end_misfits(&transaction, decision, which).await?;
        ensure!(ended == 1, "no open notice {}", decision.subject);
        let misfit = misfit::Entity::find_by_id(&decision.subject)
            .one(&transaction)
            .await?
            .context("the notice is gone")?;
        let attempt = attempt::Entity::find_any_by_id(&misfit.number)
            .one(&transaction)
            .await?
            .filter(|attempt| attempt.channel == misfit.channel);
        let (action, cents) = match ending {
            Ending::Nothing => (Action::EndNotice, 0),
            Ending::Return(cents) => (Action::ReturnNotice, cents),
        };
        if let Ending::Return(cents) = ending {
            let attempt = attempt.as_ref().with_context(|| {
                format!(
                    "notice {} names no payment of ours: its money is given back at the channel",
                    misfit.id
                )
            })?;
            self.return_surplus(&transaction, &misfit, attempt, cents, &decision.reason)
                .await?;
        }
        let given = matches!(ending, Ending::Return(_)).then_some(misfit.id.as_str());
        let row = operator_log::Model {
            attempt_id: attempt.map(|attempt| attempt.id).unwrap_or_default(),
            misfit_id: Some(misfit.id.clone()),
            ..decision.row(action, cents, given, now)
        };
        db::insert(row, &transaction).await?;
        transaction.commit().await?;
        self.wake_refunds(&misfit.channel);
        Ok(())
    }

    /// Books what a channel has taken beyond the money of an attempt, and has it given back under the notice's id. The
    /// attempt's own figures stay as they are: they say what its order was paid with.
    async fn return_surplus(
        &self,
        transaction: &DatabaseTransaction,
        misfit: &misfit::Model,
        attempt: &attempt::Model,
        cents: i64,
        reason: &str,
    ) -> anyhow::Result<()> {
        let ended = matches!(
            attempt.state,
            State::Succeeded | State::Failed | State::Closed
        );
        ensure!(
            ended,
            "attempt {} is {}: it has to end first",
            attempt.id,
            attempt.state
        );
        ensure!((1..=MAX_CENTS).contains(&cents), "cents: 1 to {MAX_CENTS}");
        let now = self.now();
        let clearing = Account::of(Kind::Clearing, &attempt.channel);
        let posting = Posting {
            book: Book::Misfit,
            key: &misfit.id,
            entries: vec![(clearing, -cents), (Account::platform(Kind::Escrow), cents)],
        };
        let posted = ledger::post(transaction, &posting, now).await?;
        ensure!(posted == Posted::Now, "it was given back before");
        statement::write(transaction, &Line::taken(attempt, cents), now).await?;
        let refund = new_refund(attempt, &misfit.id, cents, reason, now);
        db::insert(refund, transaction).await?;
        Ok(())
    }

    /// Ends those that fit the condition and are open; how many.
    pub(crate) async fn end_misfits(
        &self,
        connection: &impl ConnectionTrait,
        decision: &Decision,
        which: Expr,
    ) -> Result<u64, DbErr> {
        let ended = misfit::Entity::update_many()
            .set(misfit::ActiveModel {
                ended_at: Set(Some(self.now())),
                ended_by: Set(decision.operator.trim().to_owned()),
                note: Set(decision.reason.trim().to_owned()),
                ..Default::default()
            })
            .filter(which)
            .filter(misfit::Column::EndedAt.is_null())
            .exec(connection)
            .await?;
        Ok(ended.rows_affected)
    }
}
