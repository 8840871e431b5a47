//! Sessions of operators: 8 hours, 30 minutes without a call, one address.

use std::time::Duration;

use chassis::{Operator, ServiceError, db};
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, ExprTrait, QueryOrder, Set};

use super::Operators;
use super::entity::operator::{self, State};
use super::entity::session::{ActiveModel, Column, Entity, Model};
use crate::{device, secret, store};

pub const LIFE_MS: i64 = 8 * 3_600_000;
pub const IDLE_MS: i64 = 30 * 60_000;
/// How long a second factor stays fresh.
pub const FRESH_MS: i64 = 10 * 60_000;
/// Accuracy of `last_seen_at`.
const SEEN_MS: i64 = 30_000;
const SEEN_WITHIN: Duration = Duration::from_secs(2);

impl Operators {
    /// Opens a session; returns its token and its end.
    pub(super) async fn open_session(
        &self,
        transaction: &impl ConnectionTrait,
        operator_id: &str,
        remote_addr: &str,
    ) -> Result<(String, i64), ServiceError> {
        let now_ms = self.now_ms();
        let token = secret::token();
        let row = Model {
            id: chassis::ids::new_id(),
            operator_id: operator_id.to_owned(),
            token_hash: secret::sha256(&token),
            remote_addr: store::address(remote_addr),
            created_at: now_ms,
            expires_at: now_ms + LIFE_MS,
            last_seen_at: now_ms,
            fresh_until: now_ms + FRESH_MS,
        };
        db::insert(row, transaction).await?;
        Ok((token, now_ms + LIFE_MS))
    }

    /// Ends all sessions, and forgets the devices they were on.
    pub(super) async fn close_sessions(
        &self,
        transaction: &impl ConnectionTrait,
        operator_id: &str,
    ) -> Result<(), ServiceError> {
        Entity::delete_many()
            .filter(Column::OperatorId.eq(operator_id))
            .exec(transaction)
            .await?;
        device::forget(transaction, operator_id).await?;
        Ok(())
    }

    /// As [`Operators::close_sessions`], but for the session of the call.
    pub(super) async fn close_others(
        &self,
        transaction: &impl ConnectionTrait,
        caller: &Operator,
    ) -> Result<u64, ServiceError> {
        let ended = Entity::delete_many()
            .filter(Column::OperatorId.eq(caller.id()))
            .filter(Column::Id.ne(caller.session_id()))
            .exec(transaction)
            .await?;
        device::forget(transaction, caller.id()).await?;
        Ok(ended.rows_affected)
    }

    /// The sessions of an operator that have not ended, the last one first.
    pub(super) async fn open_sessions(&self, operator_id: &str) -> Result<Vec<Model>, DbErr> {
        let now_ms = self.now_ms();
        Entity::find()
            .filter(Column::OperatorId.eq(operator_id))
            .filter(Column::ExpiresAt.gt(now_ms))
            .filter(Column::LastSeenAt.gt(now_ms - IDLE_MS))
            .order_by_desc(Column::LastSeenAt)
            .order_by_desc(Column::Id)
            .all(&self.context.db)
            .await
    }

    /// The operator and his session; `None` if the token is invalid. A call from another address than that of the sign-in ends
    /// the session.
    pub(crate) async fn of_token(
        &self,
        token_hash: &str,
        remote_addr: &str,
    ) -> Result<Option<(operator::Model, Model)>, ServiceError> {
        let (db, now_ms) = (&self.context.db, self.now_ms());
        let found = Entity::find()
            .filter(Column::TokenHash.eq(token_hash))
            .filter(Column::ExpiresAt.gt(now_ms))
            .filter(Column::LastSeenAt.gt(now_ms - IDLE_MS))
            .one(db)
            .await?;
        let Some(session) = found else {
            return Ok(None);
        };
        if session.remote_addr != store::address(remote_addr) {
            tracing::warn!(
                operator = session.operator_id,
                "a console token came from another address"
            );
            Entity::delete_by_id(&session.id).exec(db).await?;
            return Ok(None);
        }
        let operator = operator::Entity::find_by_id(&session.operator_id)
            .filter(operator::Column::State.eq(State::Active))
            .one(db)
            .await?;
        if now_ms - session.last_seen_at > SEEN_MS {
            let seen = Entity::update_many()
                .set(ActiveModel {
                    last_seen_at: Set(now_ms),
                    ..Default::default()
                })
                .filter(Column::Id.eq(&session.id))
                .exec(db);
            // A database that takes no writes must not keep the pages away that say so.
            match tokio::time::timeout(SEEN_WITHIN, seen).await {
                Ok(Ok(_)) => {}
                Ok(Err(error)) => tracing::warn!(%error, "a console session is not marked as seen"),
                Err(_) => tracing::warn!("a console session is not marked as seen in time"),
            }
        }
        Ok(operator.map(|operator| (operator, session)))
    }

    /// Removes ended sessions.
    pub async fn clean(&self) -> Result<(), DbErr> {
        let now_ms = self.now_ms();
        let idle = Column::LastSeenAt.lte(now_ms - IDLE_MS);
        Entity::delete_many()
            .filter(Column::ExpiresAt.lte(now_ms).or(idle))
            .exec(&self.context.db)
            .await?;
        Ok(())
    }
}
