//! Free counts of memberships: accounts of the ledger in a unit of their own. A period's counts are given when the first of them is
//! needed; a better grade within the period adds what it has more.

mod back;
mod pay;

use chassis::ServiceError;
use proto::payment::v1::MemberFreeCount;
use proto::personal::v1::{CountedTerm, PersonalCommands, TermsRequest};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};
use sha2::{Digest, Sha256};

use crate::Payment;
use crate::earning::beginnings;
use crate::entity::account::Kind;
use crate::entity::ledger_transaction::Book;
use crate::ledger::{self, Account, LedgerError, Posting};

/// The channel that pays with the free counts of a membership.
pub const MEMBER_FREE: &str = "memberFree";
/// Transaction type of what is paid so.
const COUNTED_TYPE: i32 = 11;
const UNLIMITED: i64 = -1;

/// What free counts are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Right {
    /// Paid models of the mall.
    Mall,
    Lightweight,
    Conversion,
    Offline,
}

impl Right {
    const ALL: [Self; 4] = [
        Self::Mall,
        Self::Lightweight,
        Self::Conversion,
        Self::Offline,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Mall => "mall",
            Self::Lightweight => "lightweight",
            Self::Conversion => "conversion",
            Self::Offline => "offline",
        }
    }

    pub(crate) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|right| right.name() == name)
    }

    /// Counts of a period.
    fn allowance(self, term: &CountedTerm) -> i64 {
        match self {
            Self::Mall => term.mall,
            Self::Lightweight => term.lightweight,
            Self::Conversion => term.conversion,
            Self::Offline => term.offline,
        }
    }

    /// By the month in China; the others by the year of the membership.
    fn is_monthly(self) -> bool {
        self == Self::Mall
    }
}

/// A right in the period that runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Period {
    pub right: Right,
    /// Distinguishes its accounts from those of other rights and periods.
    pub part: String,
    /// −1 unlimited.
    pub allowance: i64,
    /// Unix time in milliseconds.
    pub ends_at: i64,
    pub renews_at: Option<i64>,
}

/// None without a membership that runs. `terms` follow one another.
pub fn period(right: Right, terms: &[CountedTerm], now: i64) -> anyhow::Result<Option<Period>> {
    let runs = |term: &CountedTerm| term.starts_at_ms <= now && now < term.ends_at_ms;
    let Some(at) = terms.iter().position(runs) else {
        return Ok(None);
    };
    let term = &terms[at];
    // Those of a year belong to the order of the term: a better grade in between puts the term off, and it goes on with what it
    // has left.
    let mut key = term.order_id.clone();
    let mut ends_at = term.ends_at_ms;
    let mut renews_at = terms.get(at + 1).map(|next| next.starts_at_ms);
    if right.is_monthly() {
        let months = beginnings(now, 1)?;
        let last = terms.last().map_or(ends_at, |last| last.ends_at_ms);
        let next = months[1].at;
        key = months[0].name.clone();
        ends_at = next.min(last);
        renews_at = (next < last).then_some(next);
    }
    Ok(Some(Period {
        right,
        part: format!("{}:{key}", right.name()),
        allowance: right.allowance(term),
        ends_at,
        renews_at,
    }))
}

impl Period {
    fn account(&self, kind: Kind, owner: &str) -> Account {
        Account::part_of(kind, owner, &self.part)
    }

    async fn given(&self, db: &impl ConnectionTrait, owner: &str) -> Result<i64, DbErr> {
        let quota = self.account(Kind::Quota, owner);
        Ok(-ledger::available(db, &quota).await?)
    }

    /// Counts that are left; −1 unlimited.
    async fn left(&self, db: &impl ConnectionTrait, owner: &str) -> Result<i64, DbErr> {
        if self.allowance == UNLIMITED {
            return Ok(UNLIMITED);
        }
        let left = ledger::available(db, &self.account(Kind::Count, owner)).await?;
        Ok(left + (self.allowance - self.given(db, owner).await?).max(0))
    }

    /// Gives what of the allowance has not been given yet. The account is locked from here to the end of the transaction.
    async fn give(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
        now: i64,
    ) -> Result<(), LedgerError> {
        let count = self.account(Kind::Count, owner);
        ledger::lock(transaction, &count).await?;
        let more = self.allowance - self.given(transaction, owner).await?;
        if more <= 0 {
            return Ok(());
        }
        // The key does not name the owner: it stays when the account is closed.
        let key = format!("{owner}:{}:{}", self.part, self.allowance);
        let key = hex::encode(Sha256::digest(key));
        let posting = Posting {
            book: Book::Quota,
            key: &key,
            entries: vec![(count, more), (self.account(Kind::Quota, owner), -more)],
        };
        ledger::post(transaction, &posting, now).await?;
        Ok(())
    }

    /// Takes counts, once for each attempt: all of them, or none and how many are left.
    async fn take(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
        (attempt, counts): (&str, i64),
        now: i64,
    ) -> Result<Option<i64>, LedgerError> {
        self.give(transaction, owner, now).await?;
        let count = self.account(Kind::Count, owner);
        let left = ledger::available(transaction, &count).await?;
        if left < counts {
            return Ok(Some(left));
        }
        let posting = Posting {
            book: Book::Count,
            key: attempt,
            entries: vec![(count, -counts), (self.account(Kind::Used, owner), counts)],
        };
        ledger::post(transaction, &posting, now).await?;
        Ok(None)
    }
}

impl Payment {
    async fn terms(&self, owner: &str) -> Result<Vec<CountedTerm>, ServiceError> {
        let request = TermsRequest {
            login_id: owner.to_owned(),
        };
        let reply = PersonalCommands::terms(&self.context.bus, &request).await?;
        Ok(reply.terms)
    }

    /// Counts of a right that a user has left; −1 unlimited, 0 without a membership.
    pub(crate) async fn counts_left(&self, owner: &str, right: Right) -> Result<i64, ServiceError> {
        let terms = self.terms(owner).await?;
        match period(right, &terms, self.now())? {
            Some(period) => Ok(period.left(&self.context.db, owner).await?),
            None => Ok(0),
        }
    }

    /// All rights of the running membership.
    pub(crate) async fn free_counts(
        &self,
        owner: &str,
    ) -> Result<Vec<MemberFreeCount>, ServiceError> {
        let (terms, now) = (self.terms(owner).await?, self.now());
        let mut counts = Vec::new();
        for right in Right::ALL {
            let Some(period) = period(right, &terms, now)? else {
                continue;
            };
            let db = &self.context.db;
            // A better grade that ended within the month may have given more than the one that runs.
            let given = period.given(db, owner).await?;
            counts.push(MemberFreeCount {
                right: right.name().to_owned(),
                period: if right.is_monthly() { "month" } else { "year" }.to_owned(),
                total: match period.allowance {
                    UNLIMITED => UNLIMITED,
                    allowance => allowance.max(given),
                },
                left: period.left(db, owner).await?,
                end_time: period.ends_at,
                renew_time: period.renews_at,
            });
        }
        Ok(counts)
    }
}
