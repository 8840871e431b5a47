//! Works for their authors. Every change locks the work's row first, then rows that belong to it.

pub(crate) mod bundle;
mod edit;
mod submit;
pub(crate) mod view;

use chassis::garbage::discard;
use chassis::ids::new_id;
use chassis::{BusinessError, ServiceError, SignedIn, db, grantee};
use proto::works::v1::{
    CreateWorkRequest, MyWork, MyWorkRequest, MyWorksReply, MyWorksRequest,
    ReplaceWorkModelRequest, SaveWorkRequest, WorkCalls,
};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{ExprTrait, Query};
use sea_orm::{ConnectionTrait, DatabaseTransaction, QuerySelect, Set};

use crate::Works;
use crate::entity::work::{ActiveModel, Content, Entity, Model};
use crate::entity::{
    bundle as bundles, collected, comment, liked, person, record, report, view as views,
};

const LONGEST_NAME: usize = 50;

/// Stores a draft in a row.
fn put(row: &mut ActiveModel, content: &Content) -> Result<(), ServiceError> {
    row.draft = Set(serde_json::to_string(content).map_err(anyhow::Error::from)?);
    row.draft_name = Set(content.name.clone());
    Ok(())
}

pub(crate) fn no_such_work() -> ServiceError {
    BusinessError::not_found("作品不存在或已被删除").into()
}

/// Prefix of all objects of a work.
pub(crate) fn folder_of(id: &str) -> String {
    format!("w/{id}/")
}

/// Locks a user's lock row until the transaction ends.
pub(crate) async fn lock_person(
    transaction: &DatabaseTransaction,
    owner: &str,
) -> Result<(), DbErr> {
    let row = person::Model {
        owner: owner.to_owned(),
        revision: 1,
    };
    db::count_version(row, person::Column::Revision, transaction).await?;
    Ok(())
}

impl Works {
    /// A work of the caller; those of other users are not found.
    pub(crate) async fn own(
        &self,
        db: &impl ConnectionTrait,
        owner: &str,
        id: &str,
    ) -> Result<Model, ServiceError> {
        let found = Entity::find_own_by_id(owner, id).one(db).await?;
        found.ok_or_else(no_such_work)
    }

    /// Locks a work until the transaction ends.
    pub(crate) async fn hold(
        &self,
        transaction: &DatabaseTransaction,
        id: &str,
    ) -> Result<Option<Model>, DbErr> {
        Entity::find_any_by_id(id)
            .lock_exclusive()
            .one(transaction)
            .await
    }

    /// Locks a work of the caller; those of other users are not found.
    pub(crate) async fn hold_own(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
        id: &str,
    ) -> Result<Model, ServiceError> {
        let held = Entity::find_own_by_id(owner, id)
            .lock_exclusive()
            .one(transaction)
            .await?;
        held.ok_or_else(no_such_work)
    }

    pub(crate) async fn bundle_of(
        &self,
        db: &impl ConnectionTrait,
        id: &str,
        number: i32,
    ) -> Result<Option<bundles::Model>, DbErr> {
        let key = (id.to_owned(), number);
        bundles::Entity::find_by_id(key).one(db).await
    }

    /// Adds an entry to the work's history.
    pub(crate) async fn note(
        &self,
        transaction: &DatabaseTransaction,
        work: &Model,
        action: record::Action,
        reason: &str,
    ) -> Result<(), DbErr> {
        let row = record::Model {
            id: new_id(),
            work_id: work.id.clone(),
            action,
            reason: reason.to_owned(),
            bundle: work.content().bundle,
            at: self.now(),
        };
        db::insert(row, transaction).await
    }

    /// Removes a bundle that is no longer used.
    async fn drop_bundle(
        &self,
        transaction: &DatabaseTransaction,
        id: &str,
        number: i32,
    ) -> Result<(), DbErr> {
        bundles::Entity::delete_by_id((id.to_owned(), number))
            .exec(transaction)
            .await?;
        let folder = format!("{}{number}/", folder_of(id));
        discard(transaction, self.now(), [&folder]).await
    }

    /// Deletes a work and all rows and objects that belong to it.
    pub(crate) async fn forget(
        &self,
        transaction: &DatabaseTransaction,
        id: &str,
    ) -> Result<(), DbErr> {
        let said = Query::select()
            .column(comment::Column::Id)
            .from(comment::Entity)
            .and_where(comment::Column::WorkId.eq(id))
            .to_owned();
        let reported = report::Column::ThingId
            .eq(id)
            .or(report::Column::ThingId.in_subquery(said));
        report::Entity::delete_any()
            .filter(reported)
            .exec(transaction)
            .await?;
        comment::Entity::delete_any()
            .filter(comment::Column::WorkId.eq(id))
            .exec(transaction)
            .await?;
        liked::Entity::delete_any()
            .filter(liked::Column::WorkId.eq(id))
            .exec(transaction)
            .await?;
        collected::Entity::delete_any()
            .filter(collected::Column::WorkId.eq(id))
            .exec(transaction)
            .await?;
        views::Entity::delete_many()
            .filter(views::Column::WorkId.eq(id))
            .exec(transaction)
            .await?;
        record::Entity::delete_many()
            .filter(record::Column::WorkId.eq(id))
            .exec(transaction)
            .await?;
        self.forget_shares(transaction, id).await?;
        bundles::Entity::delete_many()
            .filter(bundles::Column::WorkId.eq(id))
            .exec(transaction)
            .await?;
        Entity::delete_any_by_id(id).exec(transaction).await?;
        discard(transaction, self.now(), [&folder_of(id)]).await
    }
}

impl WorkCalls<ServiceError> for Works {
    async fn create_work(
        &self,
        caller: &SignedIn,
        form: CreateWorkRequest,
    ) -> Result<MyWork, ServiceError> {
        self.create(&grantee(caller), &form).await
    }

    async fn save_work(
        &self,
        caller: &SignedIn,
        form: SaveWorkRequest,
    ) -> Result<MyWork, ServiceError> {
        self.save(&grantee(caller), form).await
    }

    async fn submit_work(
        &self,
        caller: &SignedIn,
        form: MyWorkRequest,
    ) -> Result<MyWork, ServiceError> {
        self.submit(&grantee(caller), &form.works_id).await
    }

    async fn withdraw_work(
        &self,
        caller: &SignedIn,
        form: MyWorkRequest,
    ) -> Result<MyWork, ServiceError> {
        self.withdraw(&grantee(caller), &form.works_id).await
    }

    async fn delete_work(
        &self,
        caller: &SignedIn,
        form: MyWorkRequest,
    ) -> Result<(), ServiceError> {
        self.delete(caller.login_id(), &form.works_id).await
    }

    async fn my_works(
        &self,
        caller: &SignedIn,
        form: MyWorksRequest,
    ) -> Result<MyWorksReply, ServiceError> {
        self.my_page(&grantee(caller), &form).await
    }

    async fn my_work_detail(
        &self,
        caller: &SignedIn,
        form: MyWorkRequest,
    ) -> Result<MyWork, ServiceError> {
        self.my_detail(&grantee(caller), &form.works_id).await
    }

    async fn replace_work_model(
        &self,
        caller: &SignedIn,
        form: ReplaceWorkModelRequest,
    ) -> Result<MyWork, ServiceError> {
        self.replace_model(&grantee(caller), &form).await
    }

    async fn relist_work(
        &self,
        caller: &SignedIn,
        form: MyWorkRequest,
    ) -> Result<MyWork, ServiceError> {
        self.relist(&grantee(caller), &form.works_id).await
    }
}
