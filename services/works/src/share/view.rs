//! Shares as their owners see them.

use std::collections::HashMap;

use chassis::{ServiceError, db};
use proto::works::v1::{
    MySharesReply, MySharesRequest, Share, ShareLook, ShareLooksReply, ShareLooksRequest,
};
use sea_orm::QueryOrder;
use sea_orm::entity::prelude::*;

use super::DAY_MS;
use crate::Works;
use crate::entity::share::{Column, Entity, Model};
use crate::entity::work::{State, Visibility};
use crate::entity::{share_look as looks, work};
use crate::state::page_of;

const PAGE: i32 = 24;
const LARGEST_PAGE: i32 = 48;

impl Works {
    pub(super) async fn shares(
        &self,
        owner: &str,
        form: &MySharesRequest,
    ) -> Result<MySharesReply, ServiceError> {
        let size = page_of(form.page_size, PAGE, LARGEST_PAGE)?;
        let db = &self.context.db;
        let mut rows = Entity::find().filter(Column::Owner.eq(owner));
        if !form.works_id.is_empty() {
            rows = rows.filter(Column::WorkId.eq(&form.works_id));
        }
        let rows = rows
            .order_by_desc(Column::CreatedAt)
            .order_by_desc(Column::Id);
        let (total_count, found) = db::paged(rows, form.page_no, size, db).await?;
        // A list is there also when nobody says who is a member.
        let member = self.is_member(owner).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "memberships are not known");
            false
        });
        let longest = match member {
            true => 0,
            false => self.config.free_share_days * DAY_MS,
        };
        Ok(MySharesReply {
            total_count,
            results: self.share_views(found).await?,
            longest,
        })
    }

    pub(super) async fn share_view(&self, share: Model) -> Result<Share, ServiceError> {
        let mut views = self.share_views(vec![share]).await?;
        views.pop().ok_or_else(super::no_such_share)
    }

    async fn share_views(&self, shares: Vec<Model>) -> Result<Vec<Share>, ServiceError> {
        let ids = shares.iter().map(|share| share.work_id.as_str());
        let found = work::Entity::find()
            .filter(work::Column::Id.is_in(ids))
            .all(&self.context.db)
            .await?;
        let works: HashMap<&str, &work::Model> =
            found.iter().map(|work| (work.id.as_str(), work)).collect();
        let now = self.now();
        let view = |share: Model| {
            let work = works.get(share.work_id.as_str());
            let shown = work.is_some_and(|work| work.state == State::Published);
            let state = match () {
                () if share.revoked_at > 0 => "revoked",
                () if share.has_ended(now) => "ended",
                () if !shown => "closed",
                () => "open",
            };
            let domains = share.hosts();
            Share {
                framed: !domains.is_empty() || work.is_some_and(|work| is_for_all(work)),
                works_name: work.map(|work| work.known_name()).unwrap_or_default(),
                works_preview: work
                    .map(|work| self.address(&work.poster_key))
                    .unwrap_or_default(),
                state: state.to_owned(),
                has_password: !share.password_hash.is_empty(),
                share_id: share.id,
                works_id: share.work_id,
                ends_at: share.ends_at,
                max_views: share.max_views,
                views: share.views,
                domains,
                options: share.options,
                created_at: share.created_at,
                revoked_at: share.revoked_at,
            }
        };
        Ok(shares.into_iter().map(view).collect())
    }

    pub(super) async fn looks_of(
        &self,
        owner: &str,
        form: &ShareLooksRequest,
    ) -> Result<ShareLooksReply, ServiceError> {
        let size = page_of(form.page_size, PAGE, LARGEST_PAGE)?;
        let db = &self.context.db;
        let share = self.own_share(db, owner, &form.share_id).await?;
        let rows = looks::Entity::find()
            .filter(looks::Column::ShareId.eq(&share.id))
            .order_by_desc(looks::Column::At)
            .order_by_desc(looks::Column::Id);
        let (total_count, found) = db::paged(rows, form.page_no, size, db).await?;
        let look = |look: looks::Model| ShareLook {
            at: look.at,
            host: look.host,
            seconds: look.seconds,
        };
        Ok(ShareLooksReply {
            total_count,
            results: found.into_iter().map(look).collect(),
        })
    }
}

/// Whether any site may frame shares of it that name none.
pub(super) fn is_for_all(work: &work::Model) -> bool {
    work.visibility != Visibility::Private
}
