//! What a user earned month by month, as months are in China: for the chart and the monthly statement.

use anyhow::Context as _;
use chassis::ServiceError;
use proto::payment::v1::{IncomeMonth, IncomeMonths, IncomeMonthsRequest};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{CaseStatement, Expr, ExprTrait};
use sea_orm::{FromQueryResult, QuerySelect, Select};
use time::macros::offset;
use time::{Date, Month, OffsetDateTime, Time};

use crate::Payment;
use crate::entity::earning::{Column, Entity, State};
use crate::entity::withdrawal;

/// Months of one answer, unless asked for.
const USUAL: i32 = 12;

/// A month and when it begins (Unix time in milliseconds).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Begin {
    pub name: String,
    pub at: i64,
}

/// The beginnings of so many months up to the one of `now`, and of the next, oldest first.
pub fn beginnings(now_ms: i64, months: i32) -> anyhow::Result<Vec<Begin>> {
    let now = OffsetDateTime::from_unix_timestamp(now_ms.div_euclid(1000))?;
    let now = now.to_offset(offset!(+8));
    let this = now.year() * 12 + i32::from(u8::from(now.month())) - 1;
    let begin = |number: i32| -> anyhow::Result<Begin> {
        let month = u8::try_from(number.rem_euclid(12) + 1)?;
        let year = number.div_euclid(12);
        let day = Date::from_calendar_date(year, Month::try_from(month)?, 1)?;
        let at = day.with_time(Time::MIDNIGHT).assume_offset(offset!(+8));
        Ok(Begin {
            name: format!("{year}-{month:02}"),
            at: at.unix_timestamp() * 1000,
        })
    };
    (this - months + 1..=this + 1).map(begin).collect()
}

#[derive(Debug, FromQueryResult)]
struct Sum {
    bucket: i32,
    rows: i64,
    cents: i64,
}

/// Sums of `amount` by the month in which `at` lies.
async fn by_month<E: EntityTrait>(
    rows: Select<E>,
    at: E::Column,
    amount: E::Column,
    begins: &[Begin],
    db: &DatabaseConnection,
) -> Result<Vec<Sum>, DbErr> {
    let mut which = CaseStatement::new();
    for (next, number) in begins.iter().skip(1).zip(0_i32..) {
        // Branches are tried in their order: the first whose end lies behind it.
        which = which.case(Expr::col(at).lt(next.at), Expr::val(number));
    }
    let (first, last) = (&begins[0], &begins[begins.len() - 1]);
    rows.filter(at.gte(first.at))
        .filter(at.lt(last.at))
        .select_only()
        .expr_as(which, "bucket")
        .expr_as(Expr::col(amount).count(), "rows")
        .expr_as(Expr::col(amount).sum().cast_as("BIGINT"), "cents")
        .group_by(Expr::cust("bucket"))
        .into_model::<Sum>()
        .all(db)
        .await
}

impl Payment {
    pub(crate) async fn income_months(
        &self,
        owner: &str,
        request: &IncomeMonthsRequest,
    ) -> Result<IncomeMonths, ServiceError> {
        let months = match request.months {
            0 => USUAL,
            months => months,
        };
        let db = &self.context.db;
        let begins = beginnings(self.now(), months)?;
        let mine = || Entity::find_own(owner);
        let ended = |state: State| mine().filter(Column::State.eq(state));
        let earned = by_month(mine(), Column::CreatedAt, Column::Amount, &begins, db).await?;
        let matured = ended(State::Matured);
        let matured = by_month(matured, Column::EndedAt, Column::Amount, &begins, db).await?;
        let reversed = ended(State::Reversed);
        let reversed = by_month(reversed, Column::EndedAt, Column::Amount, &begins, db).await?;
        let paid = withdrawal::Entity::find_own(owner)
            .filter(withdrawal::Column::State.eq(withdrawal::State::Paid));
        let (at, amount) = (withdrawal::Column::EndedAt, withdrawal::Column::Amount);
        let withdrawn = by_month(paid, at, amount, &begins, db).await?;
        let mut results: Vec<IncomeMonth> = begins
            .iter()
            .take(begins.len() - 1)
            .map(|begin| IncomeMonth {
                month: begin.name.clone(),
                begin_time: begin.at,
                ..Default::default()
            })
            .collect();
        let mut put = |sums: Vec<Sum>, set: fn(&mut IncomeMonth, Sum)| -> anyhow::Result<()> {
            for sum in sums {
                let at = usize::try_from(sum.bucket)?;
                set(
                    results.get_mut(at).context("a month that was asked for")?,
                    sum,
                );
            }
            Ok(())
        };
        put(earned, |month, sum| {
            (month.sales, month.earned) = (sum.rows, sum.cents);
        })?;
        put(matured, |month, sum| month.matured = sum.cents)?;
        put(reversed, |month, sum| month.reversed = sum.cents)?;
        put(withdrawn, |month, sum| month.withdrawn = sum.cents)?;
        Ok(IncomeMonths { results })
    }
}
