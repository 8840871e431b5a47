//! Follows between users.

use std::collections::{HashMap, HashSet};

use chassis::db::{self, List};
use chassis::{BusinessError, ServiceError, SignedIn};
use proto::personal::v1::{AttentionCalls, AttentionReply, AttentionRequest, Followed};
use sea_orm::entity::prelude::*;
use serde_json::json;

use crate::Personal;
use crate::certification::shown_as;
use crate::entity::{attention, follow_told, profile};
use crate::message::NewMessage;

/// Maximum number of accounts that one user may follow.
const MAX_FOLLOWING: u64 = 5_000;

impl AttentionCalls<ServiceError> for Personal {
    async fn attention(
        &self,
        caller: &SignedIn,
        request: AttentionRequest,
    ) -> Result<AttentionReply, ServiceError> {
        let login_id = caller.login_id();
        match request.operation.as_str() {
            "follow" => {
                let other = self.other(login_id, &request).await?;
                db::committing(self.follow(login_id, &other)).await
            }
            "unfollow" => self.unfollow(login_id, &request).await,
            "list" => self.people(login_id, &request, true).await,
            "fans" => self.people(login_id, &request, false).await,
            _ => Err(BusinessError::not_found("没有这个操作").into()),
        }
    }
}

impl Personal {
    /// The other account, looked up by id or by account number.
    async fn other(
        &self,
        login_id: &str,
        request: &AttentionRequest,
    ) -> Result<String, ServiceError> {
        let query = match (request.target_id.as_str(), request.account_number.trim()) {
            ("", "") => return Err(BusinessError::invalid("请指定要关注的用户").into()),
            ("", number) => {
                profile::Entity::find().filter(profile::Column::AccountNumber.eq(number))
            }
            (id, _) => profile::Entity::find().filter(profile::Column::LoginId.eq(id)),
        };
        let found = query.one(&self.context.db).await?;
        let other = found.ok_or_else(|| BusinessError::not_found("用户不存在"))?;
        if other.login_id == login_id {
            return Err(BusinessError::invalid("不能关注自己").into());
        }
        Ok(other.login_id)
    }

    async fn follow(&self, login_id: &str, target: &str) -> Result<AttentionReply, ServiceError> {
        let now = self.context.clock.now_ms();
        if self.following(login_id).await? >= MAX_FOLLOWING {
            return Err(BusinessError::invalid("最多关注 5000 位用户").into());
        }
        let transaction = db::begin_write(&self.context.db).await?;
        let row = attention::Model {
            login_id: login_id.to_owned(),
            target_id: target.to_owned(),
            created_at: now,
        };
        let followed = db::insert_new(row, &transaction).await?;
        // Told once ever: following repeatedly must not flood another user's messages, deleted ones included.
        let told = follow_told::Model {
            login_id: login_id.to_owned(),
            target_id: target.to_owned(),
        };
        if followed && db::insert_new(told, &transaction).await? {
            let own = profile::Entity::find_by_id(login_id)
                .one(&transaction)
                .await?;
            let name = own.and_then(|own| own.nickname).unwrap_or_default();
            let message = NewMessage {
                login_id: target.to_owned(),
                event: format!("follow:{login_id}"),
                group: "attention",
                kind: "followed",
                params: json!({"name": name}),
                link: "/workbench/account/myConcern?tab=fans".to_owned(),
                at: now,
            };
            self.tell_user(&transaction, message)
                .await
                .map_err(ServiceError::Internal)?;
        }
        transaction.commit().await?;
        Ok(AttentionReply {
            following: true,
            following_count: self.following(login_id).await? as i64,
            ..Default::default()
        })
    }

    async fn unfollow(
        &self,
        login_id: &str,
        request: &AttentionRequest,
    ) -> Result<AttentionReply, ServiceError> {
        if request.target_id.is_empty() {
            return Err(BusinessError::invalid("请指定要取消关注的用户").into());
        }
        attention::Entity::delete_own(login_id)
            .filter(attention::Column::TargetId.eq(&request.target_id))
            .exec(&self.context.db)
            .await?;
        Ok(AttentionReply {
            following_count: self.following(login_id).await? as i64,
            ..Default::default()
        })
    }

    async fn following(&self, login_id: &str) -> Result<u64, ServiceError> {
        let own = attention::Entity::find_own(login_id);
        Ok(own.count(&self.context.db).await?)
    }

    /// Accounts that the caller follows, or that follow the caller; newest first.
    async fn people(
        &self,
        login_id: &str,
        request: &AttentionRequest,
        followed: bool,
    ) -> Result<AttentionReply, ServiceError> {
        let (mine, theirs) = (attention::Column::LoginId, attention::Column::TargetId);
        let following = attention::Entity::find_own(login_id);
        // Rows of others that name the caller.
        let followers = attention::Entity::find_any().filter(theirs.eq(login_id));
        let (listed, other, back, back_by) = match followed {
            true => (following, theirs, followers, mine),
            false => (followers, mine, following, theirs),
        };
        let db = &self.context.db;
        let page = List::of_few(listed)
            .newest_first(attention::Column::CreatedAt, other)
            .page(request, db)
            .await?;
        let id_of = |row: &attention::Model| match followed {
            true => row.target_id.clone(),
            false => row.login_id.clone(),
        };
        let ids: Vec<String> = page.rows.iter().map(id_of).collect();
        let known = profile::Entity::find()
            .filter(profile::Column::LoginId.is_in(&ids))
            .all(db)
            .await?;
        let known: HashMap<String, profile::Model> = known
            .into_iter()
            .map(|profile| (profile.login_id.clone(), profile))
            .collect();
        let certified = self.certifications(ids.iter().map(String::as_str)).await?;
        let back = back.filter(back_by.is_in(&ids)).all(db).await?;
        let back: HashSet<String> = back
            .into_iter()
            .map(|row| {
                if followed {
                    row.login_id
                } else {
                    row.target_id
                }
            })
            .collect();
        let shown = page.rows.iter().map(|row| {
            let id = id_of(row);
            let profile = known.get(&id);
            Followed {
                avatar: profile.and_then(|of| of.avatar.clone()),
                nick_name: profile.and_then(|of| of.nickname.clone()),
                introduce: profile.and_then(|of| of.introduce.clone()),
                following: followed || back.contains(&id),
                followed_by: !followed || back.contains(&id),
                create_time: row.created_at,
                account_number: profile.map_or_else(String::new, |of| of.account_number.clone()),
                certified: certified.get(&id).map_or("", shown_as).to_owned(),
                target_id: id,
            }
        });
        Ok(AttentionReply {
            total_count: page.total_count,
            results: shown.collect(),
            following_count: self.following(login_id).await? as i64,
            following: false,
        })
    }
}
