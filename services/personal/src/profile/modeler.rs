//! Maker status of a user in the mall: a copy of what transaction publishes.

use chassis::db;
use proto::transaction::v1::ModelerChanged;
use sea_orm::DatabaseTransaction;
use sea_orm::entity::prelude::*;

use crate::Personal;
use crate::entity::modeler_badge::{Column, Entity, Model};

impl Personal {
    pub(super) async fn modeler(&self, login_id: &str) -> Result<Option<Model>, DbErr> {
        Entity::find_by_id(login_id).one(&self.context.db).await
    }
}

/// Stores it unless a newer version is stored: events of one user may arrive out of order.
pub(crate) async fn changed(
    transaction: &DatabaseTransaction,
    body: &ModelerChanged,
) -> anyhow::Result<()> {
    let row = Model {
        login_id: body.login_id.clone(),
        version: body.version,
        uploader_type: body.uploader_type,
        review_status: body.review_status,
    };
    let columns = [Column::UploaderType, Column::ReviewStatus];
    db::upsert_newer(row, Column::Version, columns, transaction).await?;
    Ok(())
}
