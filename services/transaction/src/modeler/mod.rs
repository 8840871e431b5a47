//! Makers: who applied and was approved, who is frozen, and the pages that they have of their sales. The row of `modeler` is
//! the truth; a listing keeps a copy of what searches need of it, written in the transaction that changes the row.

mod apply;
mod console;
pub(crate) mod orders;
mod page;
mod records;
pub(crate) mod schema;
mod standing;

use std::collections::HashMap;

use chassis::{ServiceError, SignedIn};
use proto::transaction::v1::*;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{ConnectionTrait, DatabaseTransaction, Set};

use crate::Mall;
use crate::entity::listing;
use crate::entity::modeler::{Column, Entity, Model, State};
use crate::listing::conflict;

/// Uploader type of the platform's own studio.
const OWN_STUDIO: i32 = 1;

/// Letter by letter the site's text.
pub(crate) const FROZEN: &str = "您的模型师账户已冻结,请联系客服";

impl Model {
    /// The maker's type in the mall: none before an operator has approved.
    pub(crate) fn known_type(&self) -> i32 {
        match self.state {
            State::Approved => self.uploader_type,
            _ => 0,
        }
    }
}

impl ModelerCalls<ServiceError> for Mall {
    /// Errors: `id` is not the caller's; the gateway refuses that too.
    async fn is_freeze(
        &self,
        caller: &SignedIn,
        form: IsFreezeRequest,
    ) -> Result<bool, ServiceError> {
        if form.id != caller.login_id() {
            return Err(ServiceError::Forbidden);
        }
        let row = self.modeler(&self.context.db, &form.id).await?;
        Ok(row.is_some_and(|row| row.frozen))
    }

    async fn modeler_info(
        &self,
        caller: &SignedIn,
        _: ModelerInfoRequest,
    ) -> Result<Modeler, ServiceError> {
        self.standing(caller.login_id()).await
    }

    async fn apply_modeler(
        &self,
        caller: &SignedIn,
        form: ApplyModelerRequest,
    ) -> Result<Modeler, ServiceError> {
        self.apply(caller.login_id(), &form).await
    }

    async fn modeler_records(
        &self,
        caller: &SignedIn,
        form: ModelerRecordsRequest,
    ) -> Result<ModelerRecordsReply, ServiceError> {
        self.records_page(caller.login_id(), &form).await
    }

    async fn modeler_orders(
        &self,
        caller: &SignedIn,
        form: ModelerOrdersRequest,
    ) -> Result<ModelerOrdersReply, ServiceError> {
        self.orders_page(caller.login_id(), &form).await
    }

    async fn save_modeler_page(
        &self,
        caller: &SignedIn,
        form: SaveModelerPageRequest,
    ) -> Result<Modeler, ServiceError> {
        self.save_page(caller.login_id(), &form).await
    }
}

impl Mall {
    pub(crate) async fn modeler(
        &self,
        db: &impl ConnectionTrait,
        login_id: &str,
    ) -> Result<Option<Model>, DbErr> {
        Entity::find_by_id(login_id).one(db).await
    }

    /// Those of these people who have applied or are frozen.
    pub(crate) async fn modelers<'a>(
        &self,
        db: &impl ConnectionTrait,
        login_ids: impl Iterator<Item = &'a str>,
    ) -> Result<HashMap<String, Model>, DbErr> {
        let rows = Entity::find()
            .filter(Column::LoginId.is_in(login_ids))
            .all(db)
            .await?;
        Ok(rows
            .into_iter()
            .map(|row| (row.login_id.clone(), row))
            .collect())
    }

    /// Errors: the maker is frozen.
    pub(crate) async fn not_frozen(
        &self,
        db: &impl ConnectionTrait,
        login_id: &str,
    ) -> Result<(), ServiceError> {
        let frozen = self.modeler(db, login_id).await?;
        match frozen.is_some_and(|row| row.frozen) {
            true => Err(conflict(FROZEN)),
            false => Ok(()),
        }
    }

    /// Share in ten-thousandths and type of who sells: one place for every price.
    pub(crate) fn terms(&self, row: Option<&Model>) -> (i32, i32) {
        let known_type = row.map_or(0, Model::known_type);
        let share = match known_type {
            OWN_STUDIO => 0,
            0 => self.config.maker_share_bp,
            _ => row.map_or(self.config.maker_share_bp, |row| row.share_bp),
        };
        (share, known_type)
    }

    /// Copies to the maker's listings what searches need, and publishes which of them the mall shows no more, or again.
    async fn copy_to_listings(
        &self,
        transaction: &DatabaseTransaction,
        row: &Model,
    ) -> Result<(), ServiceError> {
        use listing::{Column, Entity};
        let known_type = row.known_type();
        let differs = Column::Frozen
            .ne(row.frozen)
            .or(Column::UploaderType.ne(known_type));
        let changed = Entity::update_own(&row.login_id)
            .col_expr(Column::Revision, Expr::col(Column::Revision).add(1))
            .set(listing::ActiveModel {
                frozen: Set(row.frozen),
                uploader_type: Set(known_type),
                updated_at: Set(self.now()),
                ..Default::default()
            })
            .filter(differs)
            .exec_with_returning(transaction)
            .await?;
        for listing in changed
            .iter()
            .filter(|one| one.state == listing::State::Listed)
        {
            self.publish_changed(transaction, listing).await?;
        }
        Ok(())
    }
}
