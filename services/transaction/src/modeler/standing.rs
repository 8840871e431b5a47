//! The state of a user as a maker, and its changes.

use chassis::ids::new_id;
use chassis::{ServiceError, db};
use proto::transaction::v1::{Modeler, ModelerChanged, ModelerRecord};
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, DatabaseTransaction, QueryOrder, QuerySelect};

use super::page::THEMES;
use crate::Mall;
use crate::entity::modeler::{Model, State};
use crate::entity::modeler_record::{self, Action};

/// Records that one answer holds.
const MOST_SHOWN: u64 = 50;

impl Mall {
    /// A user of whom nothing is known.
    pub(super) fn blank(&self, login_id: &str) -> Model {
        Model {
            login_id: login_id.to_owned(),
            version: 0,
            uploader_type: 0,
            state: State::None,
            frozen: false,
            share_bp: self.config.maker_share_bp,
            statement: String::new(),
            reason: String::new(),
            frozen_reason: String::new(),
            applied_at: 0,
            decided_at: 0,
            slogan: String::new(),
            introduction: String::new(),
            theme: THEMES[0].to_owned(),
            banner_id: String::new(),
            carousel_ids: String::new(),
            updated_at: self.now(),
        }
    }

    /// Makes the row of a person who has none.
    pub(super) async fn begin(
        &self,
        transaction: &DatabaseTransaction,
        login_id: &str,
    ) -> Result<(), DbErr> {
        db::insert_new(self.blank(login_id), transaction).await?;
        Ok(())
    }

    /// Writes down what happened, copies it to the listings and publishes it; `row` as it is after the change.
    pub(super) async fn changed(
        &self,
        transaction: &DatabaseTransaction,
        row: &Model,
        action: Action,
        reason: &str,
    ) -> Result<(), ServiceError> {
        let record = modeler_record::Model {
            id: new_id(),
            login_id: row.login_id.clone(),
            action,
            reason: reason.to_owned(),
            at: self.now(),
        };
        db::insert(record, transaction).await?;
        self.copy_to_listings(transaction, row).await?;
        let (share_bp, _) = self.terms(Some(row));
        let event = ModelerChanged {
            login_id: row.login_id.clone(),
            version: row.version,
            uploader_type: row.uploader_type,
            review_status: row.state.review_status(),
            frozen: row.frozen,
            action: action.name().to_owned(),
            reason: reason.to_owned(),
            share_bp,
            changed_at_ms: self.now(),
        };
        self.outbox.add(transaction, &row.login_id, &event).await?;
        Ok(())
    }

    /// Newest first.
    pub(super) async fn modeler_records(
        &self,
        db: &impl ConnectionTrait,
        login_id: &str,
    ) -> Result<Vec<ModelerRecord>, DbErr> {
        let rows = modeler_record::Entity::find_own(login_id)
            .order_by_desc(modeler_record::Column::At)
            .order_by_desc(modeler_record::Column::Id)
            .limit(MOST_SHOWN)
            .all(db)
            .await?;
        let record_view = |row: modeler_record::Model| ModelerRecord {
            action: row.action.name().to_owned(),
            reason: row.reason,
            at: row.at,
        };
        Ok(rows.into_iter().map(record_view).collect())
    }

    /// As the user sees it.
    pub(super) async fn standing(&self, login_id: &str) -> Result<Modeler, ServiceError> {
        let db = &self.context.db;
        let row = self.modeler(db, login_id).await?;
        let row = row.unwrap_or_else(|| self.blank(login_id));
        let (share_bp, _) = self.terms(Some(&row));
        Ok(Modeler {
            page: Some(self.page_view(&row).await?),
            records: self.modeler_records(db, login_id).await?,
            uploader_type: row.uploader_type,
            review_status: row.state.review_status(),
            frozen: row.frozen,
            frozen_reason: row.frozen_reason,
            reason: row.reason,
            statement: row.statement,
            applied_at: row.applied_at,
            decided_at: row.decided_at,
            share_bp,
        })
    }
}
