//! How somebody stands as a maker of the mall: a copy of what transaction tells.

use proto::transaction::v1::ModelerChanged;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{ExprTrait, OnConflict};
use sea_orm::{DatabaseTransaction, Set};

use crate::Personal;
use crate::entity::modeler_badge::{ActiveModel, Column, Entity, Model};

impl Personal {
    pub(super) async fn modeler(&self, login_id: &str) -> Result<Option<Model>, DbErr> {
        Entity::find_by_id(login_id).one(&self.context.db).await
    }
}

/// Takes it over unless newer facts are known: events of one person may come out of order.
pub(crate) async fn changed(
    transaction: &DatabaseTransaction,
    body: &ModelerChanged,
) -> anyhow::Result<()> {
    let row = ActiveModel {
        login_id: Set(body.login_id.clone()),
        version: Set(body.version),
        uploader_type: Set(body.uploader_type),
        review_status: Set(body.review_status),
    };
    let replace = OnConflict::column(Column::LoginId)
        .update_columns([Column::Version, Column::UploaderType, Column::ReviewStatus])
        .action_and_where(Expr::col((Entity, Column::Version)).lt(body.version))
        .to_owned();
    Entity::insert(row)
        .on_conflict(replace)
        .exec_without_returning(transaction)
        .await?;
    Ok(())
}
