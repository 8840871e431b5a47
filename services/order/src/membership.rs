//! What order knows of memberships: a copy of what personal tells, to say which grade can be bought beside it.

use chassis::{BusinessError, ServiceError};
use proto::code;
use proto::personal::v1::MembershipChanged;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::OnConflict;
use sea_orm::{DatabaseTransaction, Set};
use serde::{Deserialize, Serialize};

use crate::Orders;
use crate::config::Grade;
use crate::entity::membership;

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
    let known = membership::Entity::find_by_id(&event.login_id)
        .one(transaction)
        .await?;
    if known.is_some_and(|known| known.version >= event.version) {
        return Ok(());
    }
    let terms: Vec<Term> = event
        .terms
        .iter()
        .map(|term| Term {
            rank: term.rank,
            ends_at: term.ends_at_ms,
        })
        .collect();
    let row = membership::ActiveModel {
        login_id: Set(event.login_id),
        version: Set(event.version),
        terms: Set(serde_json::to_string(&terms)?),
    };
    let replace = OnConflict::column(membership::Column::LoginId)
        .update_columns([membership::Column::Version, membership::Column::Terms])
        .to_owned();
    membership::Entity::insert(row)
        .on_conflict(replace)
        .exec_without_returning(transaction)
        .await?;
    Ok(())
}

impl Orders {
    /// Rank of the running grade; none without a membership.
    pub(crate) async fn running_rank(&self, owner: &str) -> Result<Option<i32>, ServiceError> {
        let known = membership::Entity::find_by_id(owner)
            .one(&self.context.db)
            .await?;
        let Some(known) = known else { return Ok(None) };
        let terms: Vec<Term> = serde_json::from_str(&known.terms).map_err(anyhow::Error::from)?;
        let now = self.now();
        let running = terms.iter().find(|term| term.ends_at > now);
        Ok(running.map(|term| term.rank))
    }

    /// The lowest grade is not sold beside a higher one, the highest not beside itself.
    pub(crate) async fn check_grade(&self, owner: &str, grade: &Grade) -> Result<(), ServiceError> {
        let Some(running) = self.running_rank(owner).await? else {
            return Ok(());
        };
        let ranks = self.config.grades.iter().map(|grade| grade.rank);
        let (lowest, highest) = (ranks.clone().min(), ranks.max());
        let reason = if Some(grade.rank) == lowest && running > grade.rank {
            format!("您当前的会员等级高于{}，无需购买", grade.name)
        } else if Some(grade.rank) == highest && running == grade.rank {
            format!("您已是{}，到期后可续费", grade.name)
        } else {
            return Ok(());
        };
        Err(BusinessError::new(code::CONFLICT, reason).into())
    }
}
