//! What order knows of memberships: a copy of what personal publishes, to say which grade can be bought beside it.

use chassis::{BusinessError, ServiceError, db};
use proto::code;
use proto::personal::v1::MembershipChanged;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::Query;
use sea_orm::{ConnectionTrait, DatabaseTransaction};
use serde::{Deserialize, Serialize};

use crate::Orders;
use crate::config::{Grade, MINUTE_MS};
use crate::entity::purchase::State;
use crate::entity::{membership, purchase, reservation};
use crate::product::{MEMBERSHIP_TYPE, Product};

/// Time within which what was paid has been delivered and published.
const DELIVERY_MS: i64 = 2 * MINUTE_MS;
/// Channels that pay within moments, or not at all.
const BALANCES: [&str; 2] = ["cloudCoin", "incomeBalance"];

#[derive(Serialize, Deserialize)]
struct Term {
    rank: i32,
    ends_at: i64,
}

/// Takes the terms over unless newer ones are known: events of one user may come out of order.
pub(crate) async fn changed(
    transaction: &DatabaseTransaction,
    event: MembershipChanged,
) -> anyhow::Result<()> {
    use membership::{Column, Model};
    let terms: Vec<Term> = event
        .terms
        .iter()
        .map(|term| Term {
            rank: term.rank,
            ends_at: term.ends_at_ms,
        })
        .collect();
    let row = Model {
        login_id: event.login_id,
        version: event.version,
        terms: serde_json::to_string(&terms)?,
    };
    db::upsert_newer(row, Column::Version, [Column::Terms], transaction).await?;
    Ok(())
}

impl Orders {
    pub(crate) async fn is_member(&self, owner: &str) -> Result<bool, ServiceError> {
        let running = self.running_rank(owner, &self.context.db).await?;
        Ok(running.is_some())
    }

    /// Rank of the running grade; none without a membership.
    async fn running_rank(
        &self,
        owner: &str,
        connection: &impl ConnectionTrait,
    ) -> Result<Option<i32>, ServiceError> {
        let known = membership::Entity::find_by_id(owner)
            .one(connection)
            .await?;
        let Some(known) = known else { return Ok(None) };
        let terms: Vec<Term> = serde_json::from_str(&known.terms).map_err(anyhow::Error::from)?;
        let now = self.now();
        let running = terms.iter().find(|term| term.ends_at > now);
        Ok(running.map(|term| term.rank))
    }

    /// Rank of the highest grade that was paid so lately that personal may not have published it yet.
    async fn just_paid(
        &self,
        owner: &str,
        connection: &impl ConnectionTrait,
    ) -> Result<Option<i32>, ServiceError> {
        let orders = purchase::Entity::find_own(owner)
            .filter(purchase::Column::OrderType.eq(MEMBERSHIP_TYPE))
            .filter(purchase::Column::State.is_in([State::Paid, State::Fulfilled]))
            .filter(purchase::Column::PaidAt.gt(self.now() - DELIVERY_MS))
            .all(connection)
            .await?;
        highest_of(&orders)
    }

    /// Rank of the highest grade among the user's other orders that are being paid from a balance at this moment: they
    /// end within moments.
    async fn being_paid(
        &self,
        order: &purchase::Model,
        transaction: &DatabaseTransaction,
    ) -> Result<Option<i32>, ServiceError> {
        let live = Query::select()
            .column(reservation::Column::OrderId)
            .from(reservation::Entity)
            .and_where(reservation::Column::State.eq(reservation::State::Live))
            .and_where(reservation::Column::Channel.is_in(BALANCES))
            .and_where(reservation::Column::CreatedAt.gt(self.now() - DELIVERY_MS))
            .to_owned();
        let orders = purchase::Entity::find_own(&order.owner)
            .filter(purchase::Column::OrderType.eq(MEMBERSHIP_TYPE))
            .filter(purchase::Column::State.eq(State::Pending))
            .filter(purchase::Column::Id.ne(&order.id))
            .filter(purchase::Column::Id.in_subquery(live))
            .all(transaction)
            .await?;
        highest_of(&orders)
    }

    /// The lowest grade is not sold beside a higher one, the highest not beside itself.
    pub(crate) async fn check_grade(
        &self,
        owner: &str,
        grade: &Grade,
        connection: &impl ConnectionTrait,
    ) -> Result<(), ServiceError> {
        let running = self.running_rank(owner, connection).await?;
        let running = running.max(self.just_paid(owner, connection).await?);
        match self.not_beside(grade, running) {
            Some(reason) => Err(BusinessError::new(code::CONFLICT, reason).into()),
            None => Ok(()),
        }
    }

    fn not_beside(&self, grade: &Grade, running: Option<i32>) -> Option<String> {
        not_beside(&self.config.grades, grade, running?)
    }

    /// The rule once more when money from outside arrives: of two codes that began before either was paid, both can be.
    /// The caller has locked the buyer. What is paid from a balance was taken moments after it began, and its payer was told
    /// so.
    pub(crate) async fn is_sold_on_arrival(
        &self,
        order: &purchase::Model,
        channel: &str,
        transaction: &DatabaseTransaction,
    ) -> Result<bool, ServiceError> {
        let Product::Membership { grade, .. } = order.product()? else {
            return Ok(true);
        };
        if BALANCES.contains(&channel) {
            return Ok(true);
        }
        match self.check_grade(&order.owner, &grade, transaction).await {
            Ok(()) => Ok(true),
            Err(ServiceError::Business(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The rule again when an order is about to be paid: others may have been paid since it was made. The caller has locked
    /// the buyer.
    pub(crate) async fn check_still_sold(
        &self,
        order: &purchase::Model,
        transaction: &DatabaseTransaction,
    ) -> Result<(), ServiceError> {
        let Product::Membership { grade, .. } = order.product()? else {
            return Ok(());
        };
        // Read before what has been paid: an order that becomes paid between two statements is seen by one of them.
        let being_paid = self.being_paid(order, transaction).await?;
        self.check_grade(&order.owner, &grade, transaction).await?;
        if self.not_beside(&grade, being_paid).is_some() {
            let text = "您的另一笔会员订单正在支付，请稍后再试";
            return Err(BusinessError::new(code::CONFLICT, text).into());
        }
        Ok(())
    }
}

/// Why a grade is not sold beside a running one of this rank.
fn not_beside(grades: &[Grade], grade: &Grade, running: i32) -> Option<String> {
    let ranks = grades.iter().map(|grade| grade.rank);
    let (lowest, highest) = (ranks.clone().min(), ranks.max());
    if Some(grade.rank) == lowest && running > grade.rank {
        Some(format!("您当前的会员等级高于{}，无需购买", grade.name))
    } else if Some(grade.rank) == highest && running == grade.rank {
        Some(format!("您已是{}，到期后可续费", grade.name))
    } else {
        None
    }
}

fn highest_of(orders: &[purchase::Model]) -> Result<Option<i32>, ServiceError> {
    let mut highest = None;
    for order in orders {
        if let Product::Membership { grade, .. } = order.product()? {
            highest = highest.max(Some(grade.rank));
        }
    }
    Ok(highest)
}

#[cfg(test)]
mod tests {
    use chassis::Settings;
    use serde::Deserialize;

    use super::*;
    use crate::config::OrderConfig;

    /// One of `grade_vectors.json`, which the frontend's test reads too: what a page offers is what is sold.
    #[derive(Deserialize)]
    struct Vector {
        /// Rank; 0: no membership.
        running: i32,
        wanted: i32,
        sold: bool,
    }

    #[test]
    fn what_a_page_offers_is_sold() {
        let settings = Settings::load(&[crate::DEFAULTS], None).unwrap();
        let OrderConfig { grades, .. } = settings.section("order").unwrap();
        let vectors: Vec<Vector> =
            serde_json::from_str(include_str!("grade_vectors.json")).unwrap();
        for Vector {
            running,
            wanted,
            sold,
        } in vectors
        {
            let grade = grades.iter().find(|grade| grade.rank == wanted).unwrap();
            let refused = running > 0 && not_beside(&grades, grade, running).is_some();
            assert_eq!(refused, !sold, "{wanted} beside {running}");
        }
    }
}
