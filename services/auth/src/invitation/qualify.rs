//! From the first upload that passed its check-up to the coins: each step happens once, despite redelivery or a crash.

use chassis::audit::Deed;
use chassis::db::begin_write;
use chassis::db::states::Transition;
use chassis::{BusinessError, ServiceError};
use proto::auth::v1::InvitationQualified;
use proto::code;
use proto::payment::v1::InvitationRewarded;
use proto::process::v1::CheckFinished;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{ConnectionTrait, DatabaseTransaction, Set};
use serde_json::json;

use super::{DAY_MS, Invitations};
use crate::console::actor::Actor;
use crate::entity::invitation::State;
use crate::entity::{account, invitation, invite_code};
use crate::store;

/// The months of the limit begin at midnight in Beijing.
pub(super) const BEIJING_MS: i64 = 8 * 3_600_000;

pub(crate) const INVITER: &str = "inviter";
pub(crate) const INVITEE: &str = "invitee";

impl Invitations {
    /// A check-up has ended: if it is the first good one of an invitee, both sides are rewarded, or an operator decides.
    pub(crate) async fn checked(
        &self,
        transaction: &DatabaseTransaction,
        event: &CheckFinished,
    ) -> anyhow::Result<()> {
        if event.status != "ready" {
            return Ok(());
        }
        // A code may be entered later: who enters it waits for this row, or is found below.
        account::Entity::update_many()
            .set(account::ActiveModel {
                first_upload_at: Set(self.now()),
                ..Default::default()
            })
            .filter(account::Column::Id.eq(&event.login_id))
            .filter(account::Column::FirstUploadAt.eq(0))
            .exec(transaction)
            .await?;
        let known = invitation::Entity::find()
            .filter(invitation::Column::Invitee.eq(&event.login_id))
            .filter(invitation::Column::State.eq(State::Pending))
            .one(transaction)
            .await?;
        let Some(row) = known else {
            return Ok(());
        };
        self.earned(transaction, &row).await?;
        self.context.fail.at("auth.invitation.before_commit")
    }

    /// The invitee of a pending invitation has uploaded a good model.
    pub(super) async fn earned(
        &self,
        transaction: &DatabaseTransaction,
        row: &invitation::Model,
    ) -> Result<(), DbErr> {
        if row.suspicion.is_empty() {
            self.qualify(transaction, row, State::Pending, "").await?;
        } else {
            Transition::to(State::Held)
                .only(invitation::Column::Id.eq(&row.id))
                .apply(transaction)
                .await?;
        }
        Ok(())
    }

    /// Returns whether the invitation was qualified now.
    async fn qualify(
        &self,
        transaction: &DatabaseTransaction,
        row: &invitation::Model,
        from: State,
        operator: &str,
    ) -> Result<bool, DbErr> {
        // Of two invitations of one inviter the second waits here, and counts the first.
        self.lock_code(transaction, &row.inviter).await?;
        let now = self.now();
        let rewarded = self.rewarded_this_month(transaction, &row.inviter).await?;
        let reward = self.config.reward_cents;
        // A closed account gets nothing: a pseudonym has no account.
        let inviter_here = store::by_id(transaction, &row.inviter).await?.is_some();
        let invitee_here = store::by_id(transaction, &row.invitee).await?.is_some();
        let inviter_cents = if inviter_here && rewarded < self.config.month_limit {
            reward
        } else {
            0
        };
        let invitee_cents = if invitee_here { reward } else { 0 };
        let qualified = Transition::to(State::Qualified)
            .from_only(&[from])
            .set(invitation::ActiveModel {
                inviter_cents: Set(inviter_cents),
                invitee_cents: Set(invitee_cents),
                qualified_at: Set(Some(now)),
                decided_by: Set(operator.to_owned()),
                ..Default::default()
            })
            .only(invitation::Column::Id.eq(&row.id))
            .apply(transaction)
            .await?;
        if !qualified {
            return Ok(false);
        }
        // One event per side: each is booked in a transaction of its own, which locks one account.
        for (side, login_id, cents) in [
            (INVITER, &row.inviter, inviter_cents),
            (INVITEE, &row.invitee, invitee_cents),
        ] {
            if cents > 0 {
                let event = InvitationQualified {
                    invitation_id: row.id.clone(),
                    side: side.to_owned(),
                    login_id: login_id.clone(),
                    cents,
                    qualified_at_ms: now,
                };
                self.outbox.add(transaction, &row.id, &event).await?;
            }
        }
        Ok(true)
    }

    async fn lock_code(
        &self,
        transaction: &DatabaseTransaction,
        inviter: &str,
    ) -> Result<(), DbErr> {
        invite_code::Entity::update_many()
            .col_expr(
                invite_code::Column::Version,
                Expr::col(invite_code::Column::Version).add(1),
            )
            .filter(invite_code::Column::LoginId.eq(inviter))
            .exec(transaction)
            .await?;
        Ok(())
    }

    /// Invitations of a user that earn coins and were qualified in this calendar month.
    pub(super) async fn rewarded_this_month(
        &self,
        connection: &impl ConnectionTrait,
        inviter: &str,
    ) -> Result<u64, DbErr> {
        invitation::Entity::find()
            .filter(invitation::Column::Inviter.eq(inviter))
            .filter(invitation::Column::InviterCents.gt(0))
            .filter(invitation::Column::QualifiedAt.gte(month_start(self.now())))
            .count(connection)
            .await
    }

    /// Payment has booked the coins of one side.
    pub(crate) async fn rewarded(
        &self,
        transaction: &DatabaseTransaction,
        event: &InvitationRewarded,
    ) -> anyhow::Result<()> {
        let at = Set(Some(event.rewarded_at_ms));
        let paid = match event.side.as_str() {
            INVITER => invitation::ActiveModel {
                inviter_paid_at: at,
                ..Default::default()
            },
            INVITEE => invitation::ActiveModel {
                invitee_paid_at: at,
                ..Default::default()
            },
            other => anyhow::bail!("reward of an unknown side {other}"),
        };
        invitation::Entity::update_many()
            .set(paid)
            .filter(invitation::Column::Id.eq(&event.invitation_id))
            .exec(transaction)
            .await?;
        Ok(())
    }

    /// An operator releases or refuses a held reward.
    pub async fn decide(
        &self,
        id: &str,
        release: bool,
        reason: &str,
        actor: &Actor<'_>,
    ) -> Result<(), ServiceError> {
        let transaction = begin_write(&self.context.db).await?;
        let known = invitation::Entity::find_by_id(id).one(&transaction).await?;
        let row = known.ok_or_else(|| BusinessError::not_found("没有这条邀请"))?;
        let (decided, next) = match release {
            true => {
                let qualified = self.qualify(&transaction, &row, State::Held, actor.name());
                (qualified.await?, State::Qualified)
            }
            false => {
                let refused = Transition::to(State::Refused)
                    .set(invitation::ActiveModel {
                        decided_by: Set(actor.name().to_owned()),
                        ..Default::default()
                    })
                    .only(invitation::Column::Id.eq(id));
                (refused.apply(&transaction).await?, State::Refused)
            }
        };
        if !decided {
            return Err(BusinessError::new(code::CONFLICT, "这条邀请已被处理").into());
        }
        self.context.fail.at("auth.invitation.deciding")?;
        let deed = Deed {
            target: id,
            before: json!({"state": row.state.name()}),
            after: json!({"state": next.name(), "inviter": row.inviter, "invitee": row.invitee}),
            reason,
        };
        actor.record(&self.outbox, &transaction, deed).await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }
}

/// Unix milliseconds of the first moment of the month in Beijing.
pub fn month_start(now_ms: i64) -> i64 {
    let local = (now_ms + BEIJING_MS).div_euclid(1000);
    let Ok(local) = time::OffsetDateTime::from_unix_timestamp(local) else {
        return 0;
    };
    let midnight = (now_ms + BEIJING_MS).div_euclid(DAY_MS) * DAY_MS;
    midnight - i64::from(local.day() - 1) * DAY_MS - BEIJING_MS
}
