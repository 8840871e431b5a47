//! The search of users, and what operators do to their accounts.

use chassis::audit::Deed;
use chassis::db::{self, List, begin_write};
use chassis::{BusinessError, Operator, ServiceError};
use proto::auth::v1::*;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::Query;
use sea_orm::{Condition, ExprTrait, Order, QueryOrder};
use serde_json::json;

use super::{freeze, ways};
use crate::entity::account::{Column, Entity, Model};
use crate::entity::{password_failure, session as user_session, sms_code};
use crate::events;
use crate::identity::store as links;
use crate::operator::{Operators, conflict};
use crate::security::factor;
use crate::session::Revocation;
use crate::{closure, messages, rules, session, store};

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;
const LONGEST_FREEZE_MS: i64 = 3653 * DAY_MS;

/// Matches each column that may hold such a text; an index serves each.
fn named(text: &str) -> Condition {
    let any = Condition::any().add(Column::Nickname.eq(text));
    if text.contains('@') {
        return any.add(Column::Email.eq(text.to_lowercase()));
    }
    if text.bytes().all(|b| b.is_ascii_digit()) {
        return any
            .add(Column::Phone.eq(text))
            .add(Column::AccountNumber.eq(text));
    }
    any.add(Column::Id.eq(text)).add(Column::Username.eq(text))
}

/// The first letters of the mailbox suffice to recognise it.
fn masked_email(email: &str) -> String {
    let (name, host) = email.split_once('@').unwrap_or((email, ""));
    let shown: String = name.chars().take(2).collect();
    format!("{shown}***@{host}")
}

fn item(row: Model, frozen: bool) -> UserItem {
    let state = if frozen { "frozen" } else { "active" };
    UserItem {
        phone: rules::masked(&row.phone),
        email: row.email.as_deref().map(masked_email).unwrap_or_default(),
        nickname: row.nickname.unwrap_or_default(),
        login_id: row.id,
        account_number: row.account_number,
        profession_code: row.profession_code,
        state: state.to_owned(),
        created_at: row.created_at,
    }
}

impl UserConsoleCalls<ServiceError> for Operators {
    async fn user_search(
        &self,
        _: &Operator,
        request: UserSearchRequest,
    ) -> Result<UserSearchReply, ServiceError> {
        let (db, now_ms) = (&self.context.db, self.now_ms());
        let mut list =
            List::of(Entity::find()).between(Column::CreatedAt, request.from, request.to);
        let text = request.text.trim();
        if !text.is_empty() {
            list = list.filter(named(text));
        }
        let holding = Condition::any()
            .add(freeze::row::Column::Until.eq(0))
            .add(freeze::row::Column::Until.gt(now_ms));
        let frozen = Query::select()
            .column(freeze::row::Column::LoginId)
            .from(freeze::row::Entity)
            .cond_where(holding.clone())
            .to_owned();
        list = match request.state.as_str() {
            "" => list,
            // Few are frozen: the sum keeps the planner from walking all accounts in order to find them.
            "frozen" => list
                .filter(Column::Id.in_subquery(frozen))
                .order_by(Expr::col((Entity, Column::CreatedAt)).add(0), Order::Desc),
            "active" => list.filter(Column::Id.not_in_subquery(frozen)),
            _ => return Err(BusinessError::invalid("状态应为 active 或 frozen").into()),
        };
        let found = list
            .newest_first(Column::CreatedAt, Column::Id)
            .following(&request, db)
            .await?;
        let ids = found.rows.iter().map(|row| row.id.clone());
        let held: Vec<String> = freeze::row::Entity::find()
            .filter(freeze::row::Column::LoginId.is_in(ids))
            .filter(holding)
            .all(db)
            .await?
            .into_iter()
            .map(|freeze| freeze.login_id)
            .collect();
        Ok(found.reply(|row| {
            let frozen = held.contains(&row.id);
            item(row, frozen)
        }))
    }

    async fn user_show(
        &self,
        _: &Operator,
        request: UserShowRequest,
    ) -> Result<UserShowReply, ServiceError> {
        let login_id = request.login_id.as_str();
        let (db, now_ms) = (&self.context.db, self.now_ms());
        let account = self.account(login_id).await?;
        let sessions = user_session::Entity::find_own(login_id)
            .filter(user_session::Column::ExpiresAt.gt(now_ms))
            .order_by_desc(user_session::Column::LastSeenAt)
            .all(db)
            .await?;
        let wrong = |since| {
            password_failure::Entity::find_own(login_id)
                .filter(password_failure::Column::At.gt(since))
                .count(db)
        };
        let codes = sms_code::Entity::find()
            .filter(sms_code::Column::Phone.eq(&account.phone))
            .filter(sms_code::Column::CreatedAt.gt(now_ms - DAY_MS))
            .count(db);
        let freeze = freeze::of(db, login_id, now_ms).await?;
        let held = freeze.is_some();
        let factor = factor::enrolled(db, login_id).await?;
        Ok(UserShowReply {
            uploader_type: account.uploader_type,
            frozen_until: freeze.as_ref().map_or(0, |freeze| freeze.until),
            frozen_reason: freeze.map(|freeze| freeze.reason).unwrap_or_default(),
            wrong_passwords_hour: wrong(now_ms - HOUR_MS).await? as i32,
            wrong_passwords_day: wrong(now_ms - DAY_MS).await? as i32,
            codes_day: codes.await? as i32,
            second_factor_at: factor
                .and_then(|factor| factor.confirmed_at)
                .unwrap_or_default(),
            recovery_codes: factor::codes_left(db, login_id).await?,
            links: links::of_account(db, login_id)
                .await?
                .into_iter()
                .map(ways::link)
                .collect(),
            user: Some(item(account, held)),
            sessions: sessions
                .into_iter()
                .map(|row| UserSession {
                    id: row.id,
                    remote_addr: row.remote_addr,
                    created_at: row.created_at,
                    last_seen_at: row.last_seen_at,
                    expires_at: row.expires_at,
                })
                .collect(),
        })
    }

    async fn user_reveal(
        &self,
        operator: &Operator,
        request: UserShowRequest,
    ) -> Result<UserRevealReply, ServiceError> {
        let account = self.account(&request.login_id).await?;
        let transaction = begin_write(&self.context.db).await?;
        let deed = Deed {
            target: &request.login_id,
            ..Deed::default()
        };
        self.done(transaction, operator, deed).await?;
        Ok(UserRevealReply {
            phone: account.phone,
            email: account.email.unwrap_or_default(),
        })
    }

    async fn user_freeze(
        &self,
        operator: &Operator,
        request: UserFreezeRequest,
    ) -> Result<(), ServiceError> {
        let now_ms = self.now_ms();
        if request.until != 0 && request.until <= now_ms {
            return Err(BusinessError::invalid("冻结的结束时间应晚于现在").into());
        }
        if request.until > now_ms + LONGEST_FREEZE_MS {
            return Err(BusinessError::invalid("冻结最长十年，更久请选择永久").into());
        }
        let account = self.account(&request.login_id).await?;
        let transaction = begin_write(&self.context.db).await?;
        freeze::hold(&transaction, &account.id).await?;
        if freeze::of(&transaction, &account.id, now_ms)
            .await?
            .is_some()
        {
            return conflict("该账号已被冻结，请先解冻");
        }
        let row = freeze::row::Model {
            login_id: account.id.clone(),
            until: request.until,
            reason: request.reason.trim().to_owned(),
            frozen_at: now_ms,
        };
        let replaced = [
            freeze::row::Column::Until,
            freeze::row::Column::Reason,
            freeze::row::Column::FrozenAt,
        ];
        db::upsert(row, replaced, &transaction).await?;
        let ended = session::close_all(&transaction, &account.id).await?;
        let deed = Deed {
            target: &account.id,
            before: json!({"state": "active"}),
            after: json!({"state": "frozen", "frozenUntil": request.until}),
            reason: &request.reason,
        };
        self.decided(transaction, operator, deed, ended).await
    }

    async fn user_thaw(
        &self,
        operator: &Operator,
        request: UserDecisionRequest,
    ) -> Result<(), ServiceError> {
        let transaction = begin_write(&self.context.db).await?;
        let before = freeze::of(&transaction, &request.login_id, self.now_ms()).await?;
        let Some(before) = before else {
            return conflict("该账号未被冻结");
        };
        freeze::row::Entity::delete_by_id(&request.login_id)
            .exec(&transaction)
            .await?;
        closure::give_time(&transaction, &request.login_id, self.now_ms()).await?;
        let deed = Deed {
            target: &request.login_id,
            before: json!({"state": "frozen", "frozenUntil": before.until, "reason": before.reason}),
            after: json!({"state": "active"}),
            reason: &request.reason,
        };
        let none = Revocation::default();
        self.decided(transaction, operator, deed, none).await
    }

    async fn user_end_sessions(
        &self,
        operator: &Operator,
        request: UserEndSessionsRequest,
    ) -> Result<(), ServiceError> {
        let account = self.account(&request.login_id).await?;
        let transaction = begin_write(&self.context.db).await?;
        let ended = match request.session_id.as_str() {
            "" => session::close_all(&transaction, &account.id).await?,
            id => {
                let one = user_session::Entity::find_own_by_id(&account.id, id)
                    .one(&transaction)
                    .await?;
                let one = one.ok_or_else(|| BusinessError::not_found("该会话已结束"))?;
                session::close(&transaction, &account.id, &one.token_hash).await?
            }
        };
        if ended.token_hashes.is_empty() {
            return conflict("该用户没有登录中的会话");
        }
        let deed = Deed {
            target: &account.id,
            after: json!({"endedSessions": ended.token_hashes.len()}),
            reason: &request.reason,
            ..Deed::default()
        };
        self.decided(transaction, operator, deed, ended).await
    }

    async fn user_reset_factor(
        &self,
        operator: &Operator,
        request: UserDecisionRequest,
    ) -> Result<(), ServiceError> {
        self.reset_factor(operator, &request.login_id, &request.reason)
            .await
    }

    async fn user_unlink(
        &self,
        operator: &Operator,
        request: UserUnlinkRequest,
    ) -> Result<(), ServiceError> {
        let (login_id, id) = (&request.login_id, &request.id);
        self.unlink(operator, login_id, id, &request.reason).await
    }
}

impl Operators {
    pub(super) async fn account(&self, login_id: &str) -> Result<Model, ServiceError> {
        let found = store::by_id(&self.context.db, login_id).await?;
        found.ok_or_else(|| BusinessError::not_found(messages::USER_MISSING).into())
    }

    /// Audits the deed, commits it, and publishes the ended sessions.
    pub(super) async fn decided(
        &self,
        transaction: sea_orm::DatabaseTransaction,
        operator: &Operator,
        deed: Deed<'_>,
        ended: Revocation,
    ) -> Result<(), ServiceError> {
        events::revoked(&self.outbox, &transaction, &ended).await?;
        self.done(transaction, operator, deed).await?;
        ended.push(&self.context.bus);
        Ok(())
    }
}
