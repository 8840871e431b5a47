//! Shares for their owners.

use std::collections::HashMap;

use chassis::ServiceError;
use chassis::db::List;
use proto::works::v1::{
    MySharesReply, MySharesRequest, Share, ShareLook, ShareLooksReply, ShareLooksRequest,
};
use sea_orm::entity::prelude::*;

use super::DAY_MS;
use crate::Works;
use crate::entity::share::{Column, Entity, Model};
use crate::entity::work::{State, Visibility};
use crate::entity::{share_look as looks, work};

const PAGE: i32 = 24;
const LARGEST_PAGE: i32 = 48;

impl Works {
    pub(super) async fn shares(
        &self,
        owner: &str,
        form: &MySharesRequest,
    ) -> Result<MySharesReply, ServiceError> {
        let page = List::<Entity>::own(owner)
            .sizes(PAGE, LARGEST_PAGE)
            .when(Column::WorkId, &form.works_id)
            .newest_first(Column::CreatedAt, Column::Id)
            .page(form, &self.context.db)
            .await?;
        // The list does not depend on personal being available.
        let member = self.is_member(owner).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "memberships are not known");
            false
        });
        let longest = match member {
            true => 0,
            false => self.config.free_share_days * DAY_MS,
        };
        Ok(MySharesReply {
            total_count: page.total_count,
            results: self.share_views(owner, page.rows).await?,
            longest,
        })
    }

    pub(super) async fn share_view(&self, share: Model) -> Result<Share, ServiceError> {
        let owner = share.owner.clone();
        let mut views = self.share_views(&owner, vec![share]).await?;
        views.pop().ok_or_else(super::no_such_share)
    }

    /// All shares belong to the owner, as do their works.
    async fn share_views(
        &self,
        owner: &str,
        shares: Vec<Model>,
    ) -> Result<Vec<Share>, ServiceError> {
        let ids = shares.iter().map(|share| share.work_id.as_str());
        let found = work::Entity::find_own(owner)
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
        let db = &self.context.db;
        let share = self.own_share(db, owner, &form.share_id).await?;
        let looks = looks::Entity::find().filter(looks::Column::ShareId.eq(&share.id));
        let page = List::of_few(looks)
            .sizes(PAGE, LARGEST_PAGE)
            .newest_first(looks::Column::At, looks::Column::Id)
            .page(form, db)
            .await?;
        Ok(page.reply(|look| ShareLook {
            at: look.at,
            host: look.host,
            seconds: look.seconds,
        }))
    }
}

/// Whether any site may frame shares of the work that name no hosts.
pub(super) fn is_for_all(work: &work::Model) -> bool {
    work.visibility != Visibility::Private
}
