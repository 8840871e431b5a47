//! Owners' calls on their shares.

use chassis::{BusinessError, ServiceError, db};
use proto::code;
use proto::works::v1::{ChangeShareRequest, CreateShareRequest, PreviewShareReply, Share};
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, PaginatorTrait, Set};

use super::{DAY_MS, digest, hosts, new_secret, options, still_open};
use crate::Works;
use crate::entity::share::{ActiveModel, Column, Entity, Model};
use crate::entity::work::State;
use crate::state::conflict;
use crate::work::lock_person;

const PREVIEW_MS: i64 = 600_000;
/// Tolerance for the clock of the browser that chooses the end.
const AHEAD_MS: i64 = 30_000;
/// Latest end that can be chosen.
const LONGEST_MS: i64 = 10 * 366 * DAY_MS;

impl Works {
    pub(super) async fn create_share(
        &self,
        owner: &str,
        form: &CreateShareRequest,
    ) -> Result<Share, ServiceError> {
        let now = self.now();
        let db = &self.context.db;
        let work = self.own(db, owner, &form.works_id).await?;
        if work.state != State::Published {
            return Err(conflict("作品审核通过、正在展示时才能分享"));
        }
        let share = Model {
            id: new_secret(),
            work_id: work.id.clone(),
            owner: owner.to_owned(),
            password_hash: self.hashed(&form.password).await?,
            ends_at: self.checked_end(owner, form.ends_at, now).await?,
            max_views: form.max_views,
            views: 0,
            domains: hosts::read(&form.domains)?,
            options: options::read(&form.options)?,
            wrong: 0,
            wrong_until: 0,
            preview_hash: String::new(),
            preview_until: 0,
            created_at: now,
            revoked_at: 0,
        };
        let transaction = db::begin_write(db).await?;
        lock_person(&transaction, owner).await?;
        // Fails if the work is being deleted, which deletes its shares too.
        self.hold_own(&transaction, owner, &work.id).await?;
        let open = Entity::find_own(owner)
            .filter(still_open(now))
            .count(&transaction)
            .await?;
        let most = self.config.shares_per_author;
        if open >= most {
            let message = format!("最多可以有 {most} 个有效的分享，请先撤销一些");
            return Err(BusinessError::new(code::QUOTA, message).into());
        }
        db::insert(share.clone(), &transaction).await?;
        transaction.commit().await?;
        self.share_view(share).await
    }

    pub(super) async fn change_share(
        &self,
        owner: &str,
        form: &ChangeShareRequest,
    ) -> Result<Share, ServiceError> {
        let db = &self.context.db;
        let share = self.own_share(db, owner, &form.share_id).await?;
        let mut row = <ActiveModel as Default>::default();
        if let Some(password) = &form.password {
            row.password_hash = Set(self.hashed(password).await?);
            row.wrong = Set(0);
        }
        if let Some(ends_at) = form.ends_at {
            let end = self.checked_end(owner, ends_at, share.created_at).await?;
            row.ends_at = Set(end);
        }
        if let Some(views) = form.max_views {
            row.max_views = Set(views);
        }
        if let Some(domains) = &form.domains {
            row.domains = Set(hosts::read(domains)?);
        }
        if let Some(options) = &form.options {
            row.options = Set(options::read(options)?);
        }
        if sea_orm::ActiveModelTrait::is_changed(&row)
            && !self.put_share(db, owner, &share.id, row).await?
        {
            return Err(conflict("分享已撤销，不能再修改"));
        }
        let now = self.own_share(db, owner, &form.share_id).await?;
        self.share_view(now).await
    }

    pub(super) async fn revoke_share(&self, owner: &str, id: &str) -> Result<Share, ServiceError> {
        let db = &self.context.db;
        self.own_share(db, owner, id).await?;
        let row = ActiveModel {
            revoked_at: Set(self.now()),
            preview_until: Set(0),
            ..Default::default()
        };
        self.put_share(db, owner, id, row).await?;
        let now = self.own_share(db, owner, id).await?;
        self.share_view(now).await
    }

    pub(super) async fn preview_share(
        &self,
        owner: &str,
        id: &str,
    ) -> Result<PreviewShareReply, ServiceError> {
        let db = &self.context.db;
        self.own_share(db, owner, id).await?;
        let preview = new_secret();
        let row = ActiveModel {
            preview_hash: Set(digest(&preview)),
            preview_until: Set(self.now() + PREVIEW_MS),
            ..Default::default()
        };
        match self.put_share(db, owner, id, row).await? {
            true => Ok(PreviewShareReply { preview }),
            false => Err(conflict("分享已撤销，不能再预览")),
        }
    }

    /// Updates a share; `false`: it does not exist or is revoked, which is final.
    async fn put_share(
        &self,
        db: &impl ConnectionTrait,
        owner: &str,
        id: &str,
        row: ActiveModel,
    ) -> Result<bool, DbErr> {
        let changed = Entity::update_own(owner)
            .set(row)
            .filter(Column::Id.eq(id))
            .filter(Column::RevokedAt.eq(0))
            .exec(db)
            .await?;
        Ok(changed.rows_affected > 0)
    }

    async fn hashed(&self, password: &str) -> Result<String, ServiceError> {
        match password.chars().count() {
            0 => Ok(String::new()),
            4..=32 => self.passwords.hash(password).await,
            _ => Err(BusinessError::invalid("密码为 4 到 32 个字符").into()),
        }
    }

    /// Errors: the end is invalid, or too late for the free edition; shown to the user.
    async fn checked_end(&self, owner: &str, ends_at: i64, from: i64) -> Result<i64, ServiceError> {
        let now = self.now();
        if ends_at != 0 && (ends_at <= now || ends_at > now + LONGEST_MS) {
            return Err(BusinessError::invalid("截止时间应在今后十年之内").into());
        }
        let days = self.config.free_share_days;
        let latest = from + days * DAY_MS;
        // Ends within the free edition's limit need no membership check.
        if (1..=latest + AHEAD_MS).contains(&ends_at) || self.is_member(owner).await? {
            return Ok(ends_at);
        }
        if ends_at == 0 && latest > now {
            return Ok(latest);
        }
        let message = format!("免费版的分享最长 {days} 天，会员不限期限");
        Err(BusinessError::new(code::QUOTA, message).into())
    }
}
