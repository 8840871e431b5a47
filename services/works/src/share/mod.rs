//! Shares of works: created, changed and revoked by their owner, opened by everyone who has the link.

mod edit;
pub(crate) mod hosts;
mod look;
mod open;
pub(crate) mod options;
mod view;

pub(crate) use look::spawn;

use chassis::{BusinessError, Origin, ServiceError, SignedIn};
use proto::works::v1::{
    ChangeShareRequest, CreateShareRequest, MySharesReply, MySharesRequest, OpenShareReply,
    OpenShareRequest, PreviewShareReply, Share, ShareCalls, ShareInternalCalls, ShareLookedRequest,
    ShareLooksReply, ShareLooksRequest, ShareRequest,
};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait, Query};
use sea_orm::{Condition, ConnectionTrait, DatabaseTransaction};
use sha2::{Digest, Sha256};

use crate::Works;
use crate::entity::share::{Column, Entity, Model};
use crate::entity::share_look as looks;

pub(crate) const DAY_MS: i64 = 24 * 3_600_000;

fn no_such_share() -> ServiceError {
    BusinessError::not_found("分享不存在或已被删除").into()
}

/// 128 random bits as 32 hex digits.
fn new_secret() -> String {
    hex::encode(rand::random::<[u8; 16]>())
}

fn is_secret(text: &str) -> bool {
    let digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    text.len() == 32 && text.bytes().all(digit)
}

fn digest(secret: &str) -> String {
    hex::encode(Sha256::digest(secret))
}

/// Neither expired nor revoked, with views left.
fn still_open(now: i64) -> Condition {
    Condition::all()
        .add(Column::RevokedAt.eq(0))
        .add(Column::EndsAt.eq(0).or(Column::EndsAt.gt(now)))
        .add(
            Column::MaxViews
                .eq(0)
                .or(Expr::col(Column::Views).lt(Expr::col(Column::MaxViews))),
        )
}

impl Works {
    /// A share of the caller; those of other users are not found.
    async fn own_share(
        &self,
        db: &impl ConnectionTrait,
        owner: &str,
        id: &str,
    ) -> Result<Model, ServiceError> {
        let found = Entity::find_own_by_id(owner, id).one(db).await?;
        found.ok_or_else(no_such_share)
    }

    /// Deletes the shares of a work with their views.
    pub(crate) async fn forget_shares(
        &self,
        transaction: &DatabaseTransaction,
        work_id: &str,
    ) -> Result<(), DbErr> {
        remove(transaction, Column::WorkId.eq(work_id)).await
    }
}

impl ShareCalls<ServiceError> for Works {
    async fn my_shares(
        &self,
        caller: &SignedIn,
        form: MySharesRequest,
    ) -> Result<MySharesReply, ServiceError> {
        self.shares(caller.login_id(), &form).await
    }

    async fn create_share(
        &self,
        caller: &SignedIn,
        form: CreateShareRequest,
    ) -> Result<Share, ServiceError> {
        self.create_share(caller.login_id(), &form).await
    }

    async fn change_share(
        &self,
        caller: &SignedIn,
        form: ChangeShareRequest,
    ) -> Result<Share, ServiceError> {
        self.change_share(caller.login_id(), &form).await
    }

    async fn revoke_share(
        &self,
        caller: &SignedIn,
        form: ShareRequest,
    ) -> Result<Share, ServiceError> {
        self.revoke_share(caller.login_id(), &form.share_id).await
    }

    async fn share_looks(
        &self,
        caller: &SignedIn,
        form: ShareLooksRequest,
    ) -> Result<ShareLooksReply, ServiceError> {
        self.looks_of(caller.login_id(), &form).await
    }

    async fn preview_share(
        &self,
        caller: &SignedIn,
        form: ShareRequest,
    ) -> Result<PreviewShareReply, ServiceError> {
        self.preview_share(caller.login_id(), &form.share_id).await
    }
}

impl ShareInternalCalls<ServiceError> for Works {
    async fn open_share(
        &self,
        from: &Origin,
        asked: OpenShareRequest,
    ) -> Result<OpenShareReply, ServiceError> {
        self.open_share(&asked, from.user_agent()).await
    }

    async fn share_looked(
        &self,
        _: &Origin,
        asked: ShareLookedRequest,
    ) -> Result<(), ServiceError> {
        self.looked(&asked).await
    }
}

/// Deletes shares with their views.
async fn remove(db: &impl ConnectionTrait, which: Expr) -> Result<(), DbErr> {
    let gone = Query::select()
        .column(Column::Id)
        .from(Entity)
        .and_where(which.clone())
        .to_owned();
    looks::Entity::delete_many()
        .filter(looks::Column::ShareId.in_subquery(gone))
        .exec(db)
        .await?;
    Entity::delete_any().filter(which).exec(db).await?;
    Ok(())
}
