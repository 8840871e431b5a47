//! Exporting a user's data: requested with fresh proof, made by a leased job from the data of every service, stored for some
//! days below a prefix that no user's credentials reach, and fetched by a link that the owner requests.

pub(crate) mod archive;
mod job;
mod page;
mod rows;

use chassis::console::moment;
use chassis::db::begin_write;
use chassis::db::states::Transition;
use chassis::garbage;
use chassis::ids::new_id;
use chassis::{BusinessError, ServiceError, SignedIn};
use proto::auth::v1::{
    DataExport, DataExportLink, ExportCalls, ExportLinkRequest, ExportStateRequest,
    StartExportRequest,
};
use proto::code;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{ExprTrait, OnConflict};
use sea_orm::{DatabaseTransaction, Set};

pub(crate) use job::spawn;
pub use rows::tables;

use self::rows::{ActiveModel, Column, Entity, Model, State};
use crate::security::Change;
use crate::service::Auth;

/// An account's archive is made once within this time, unless it failed.
const BETWEEN_MS: i64 = 24 * 3_600_000;
const TYPE: &str = "application/zip";

/// Prefix of an account's archives.
pub(crate) fn prefix(login_id: &str) -> String {
    format!("e/{login_id}/")
}

impl ExportCalls<ServiceError> for Auth {
    async fn start_export(
        &self,
        caller: &SignedIn,
        _: StartExportRequest,
    ) -> Result<DataExport, ServiceError> {
        let own = self.own(caller).await?;
        own.must_be_confirmed(self.now_ms())?;
        let login_id = &own.account.id;
        let transaction = begin_write(&self.context.db).await?;
        if self.begin_export(&transaction, login_id).await? {
            self.tell_change(&transaction, login_id, Change::Export, &own.changer())
                .await?;
        }
        transaction.commit().await?;
        self.outbox.wake();
        self.exports.notify_one();
        self.export_of(login_id).await
    }

    async fn export_state(
        &self,
        caller: &SignedIn,
        _: ExportStateRequest,
    ) -> Result<DataExport, ServiceError> {
        let own = self.own(caller).await?;
        self.export_of(&own.account.id).await
    }

    /// The archive holds all data of a user: a session alone is not enough.
    async fn export_link(
        &self,
        caller: &SignedIn,
        _: ExportLinkRequest,
    ) -> Result<DataExportLink, ServiceError> {
        let own = self.own(caller).await?;
        let now_ms = self.now_ms();
        own.must_be_confirmed(now_ms)?;
        let login_id = &own.account.id;
        let transaction = begin_write(&self.context.db).await?;
        let ready = Entity::find_by_id(login_id)
            .filter(Column::State.eq(State::Ready))
            .filter(Column::ExpiresAt.gt(now_ms))
            .one(&transaction)
            .await?;
        let Some(ready) = ready else {
            let none = BusinessError::new(code::CONFLICT, "没有可以下载的数据，请先申请");
            return Err(none.into());
        };
        let day = moment(ready.ready_at).chars().take(10).collect::<String>();
        let file_name = format!("玄览云个人数据-{day}.zip");
        let life = self.config.export.link();
        let to = chassis::grantee(caller);
        let url = self
            .context
            .objects
            .presign_get_for(&to, &ready.object_key, life, Some(&file_name), Some(TYPE))
            .map_err(anyhow::Error::from)?;
        self.tell_change(
            &transaction,
            login_id,
            Change::ExportFetched,
            &own.changer(),
        )
        .await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(DataExportLink {
            url,
            expires_at: now_ms + life.as_millis() as i64,
            file_name,
        })
    }
}

impl Auth {
    /// `false`: one is being made, or was made recently.
    async fn begin_export(
        &self,
        transaction: &DatabaseTransaction,
        login_id: &str,
    ) -> Result<bool, ServiceError> {
        let now_ms = self.now_ms();
        let fresh = ActiveModel {
            id: Set(new_id()),
            requested_at: Set(now_ms),
            due_at: Set(now_ms),
            tries: Set(0),
            object_key: Set(String::new()),
            bytes: Set(0),
            ready_at: Set(0),
            expires_at: Set(0),
            ..Default::default()
        };
        let first = ActiveModel {
            login_id: Set(login_id.to_owned()),
            state: Set(State::Making),
            ..fresh.clone()
        };
        let inserted = Entity::insert(first)
            .on_conflict(OnConflict::column(Column::LoginId).do_nothing().to_owned())
            .exec_without_returning(transaction)
            .await?;
        if inserted > 0 {
            return Ok(true);
        }
        let Some(old) = Entity::find_by_id(login_id).one(transaction).await? else {
            return Ok(false);
        };
        let old_enough = Column::RequestedAt
            .lte(now_ms - BETWEEN_MS)
            .or(Column::State.eq(State::Failed));
        let begun = Transition::to(State::Making)
            .set(fresh)
            .only(Column::LoginId.eq(login_id))
            .only(Column::Id.eq(&old.id))
            .only(old_enough);
        if !begun.apply(transaction).await? {
            return Ok(false);
        }
        garbage::discard(transaction, now_ms, [&old.object_key]).await?;
        Ok(true)
    }

    async fn export_of(&self, login_id: &str) -> Result<DataExport, ServiceError> {
        let known = Entity::find_by_id(login_id).one(&self.context.db).await?;
        let keep_days = self.config.export.keep_days() as i32;
        Ok(match known {
            Some(known) => shown(&known, self.now_ms(), keep_days),
            None => DataExport {
                state: "none".to_owned(),
                keep_days,
                ..Default::default()
            },
        })
    }
}

fn shown(known: &Model, now_ms: i64, keep_days: i32) -> DataExport {
    // Not swept yet.
    let expired = known.state == State::Ready && known.expires_at <= now_ms;
    let state = match expired {
        true => State::Expired,
        false => known.state,
    };
    let there = state == State::Ready;
    let next_at = match state {
        State::Failed => 0,
        _ => known.requested_at + BETWEEN_MS,
    };
    DataExport {
        state: state.name().to_owned(),
        requested_at: known.requested_at,
        ready_at: known.ready_at,
        expires_at: if there { known.expires_at } else { 0 },
        bytes: if there { known.bytes } else { 0 },
        next_at: if next_at > now_ms { next_at } else { 0 },
        keep_days,
    }
}
