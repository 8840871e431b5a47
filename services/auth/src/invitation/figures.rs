//! Figures of invitations: by month in Beijing's calendar, and in all.

use chassis::ServiceError;
use proto::auth::v1::{InvitationFiguresReply, InvitationMonth};
use sea_orm::QuerySelect;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait};
use time::OffsetDateTime;

use super::qualify::BEIJING_MS;
use super::{DAY_MS, Invitations};
use crate::entity::invitation::{Column, Entity, State};

const MONTHS: i32 = 12;

/// Months since the year 0 of a moment, in Beijing.
pub fn month_of(at_ms: i64) -> i32 {
    let local = OffsetDateTime::from_unix_timestamp((at_ms + BEIJING_MS).div_euclid(1_000));
    let local = local.unwrap_or(OffsetDateTime::UNIX_EPOCH);
    local.year() * 12 + i32::from(u8::from(local.month())) - 1
}

pub fn written(month: i32) -> String {
    format!(
        "{:04}-{:02}",
        month.div_euclid(12),
        month.rem_euclid(12) + 1
    )
}

/// The earliest moment that may belong to one of the months.
fn first_ms(now_ms: i64) -> i64 {
    now_ms - i64::from(MONTHS) * 31 * DAY_MS
}

impl Invitations {
    pub(super) async fn figures(&self) -> Result<InvitationFiguresReply, ServiceError> {
        let now_ms = self.now();
        let rows = Column::Id.count();
        let brought = self.by_month(Column::CreatedAt, rows.clone(), now_ms);
        let qualified = self.by_month(Column::QualifiedAt, rows, now_ms);
        // A sum of bigints is a decimal on PostgreSQL.
        let sum = |cents: Column| cents.sum().cast_as("BIGINT");
        let inviters = self.by_month(Column::InviterPaidAt, sum(Column::InviterCents), now_ms);
        let invitees = self.by_month(Column::InviteePaidAt, sum(Column::InviteeCents), now_ms);
        let (brought, qualified) = (brought.await?, qualified.await?);
        let (inviters, invitees) = (inviters.await?, invitees.await?);
        let this = month_of(now_ms);
        let of = |found: &[(i32, i64)], month: i32| -> i64 {
            let same = found.iter().filter(|(at, _)| *at == month);
            same.map(|(_, value)| value).sum()
        };
        let months = (this - MONTHS + 1..=this).map(|month| InvitationMonth {
            month: written(month),
            brought: of(&brought, month),
            qualified: of(&qualified, month),
            paid_cents: of(&inviters, month) + of(&invitees, month),
        });
        let states = self.by_state().await?;
        let state = |state: State| {
            let found = states.iter().find(|(of, _)| *of == state);
            found.map_or(0, |(_, number)| *number)
        };
        let paid = self.paid(Column::InviterPaidAt, Column::InviterCents);
        let paid = paid.await?
            + self
                .paid(Column::InviteePaidAt, Column::InviteeCents)
                .await?;
        Ok(InvitationFiguresReply {
            months: months.collect(),
            pending: state(State::Pending),
            held: state(State::Held),
            qualified: state(State::Qualified),
            refused: state(State::Refused),
            paid_cents: paid,
            oldest_at: self.waiting().await?.1,
        })
    }

    /// Sums `value` by month of `time`. The database sums by day, which all databases compute alike.
    async fn by_month(
        &self,
        time: Column,
        value: Expr,
        now_ms: i64,
    ) -> Result<Vec<(i32, i64)>, DbErr> {
        let day = Expr::col(time).add(BEIJING_MS).div(DAY_MS);
        let days: Vec<(i64, i64)> = Entity::find()
            .filter(time.gt(first_ms(now_ms)))
            .select_only()
            .expr_as(day, "day")
            .expr_as(value, "value")
            // By name: PostgreSQL treats an expression with parameters as a different one.
            .group_by(Expr::col("day"))
            .into_tuple()
            .all(&self.context.db)
            .await?;
        let month = |day: i64| month_of(day * DAY_MS - BEIJING_MS);
        Ok(days
            .into_iter()
            .map(|(day, value)| (month(day), value))
            .collect())
    }

    async fn by_state(&self) -> Result<Vec<(State, i64)>, DbErr> {
        Entity::find()
            .select_only()
            .column(Column::State)
            .expr_as(Column::Id.count(), "number")
            .group_by(Column::State)
            .into_tuple()
            .all(&self.context.db)
            .await
    }

    async fn paid(&self, time: Column, cents: Column) -> Result<i64, DbErr> {
        let sum: Option<Option<i64>> = Entity::find()
            .filter(time.is_not_null())
            .select_only()
            .expr_as(cents.sum().cast_as("BIGINT"), "paid")
            .into_tuple()
            .one(&self.context.db)
            .await?;
        Ok(sum.flatten().unwrap_or(0))
    }
}
