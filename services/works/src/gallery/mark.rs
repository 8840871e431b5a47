//! Likes and collections: one row per user and work, counted in the same transaction.

use chassis::{BusinessError, ServiceError, db};
use proto::code;
use proto::works::v1::{ReportWorkRequest, WorkMarks, WorkOperateRequest};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{DatabaseTransaction, PaginatorTrait};

use super::{COLLECT, LIKE};
use crate::Works;
use crate::entity::work::{Column, Entity};
use crate::entity::{collected, liked};
use crate::report;
use crate::work::{lock_person, no_such_work};

/// Maximum number of works in a collection.
const MOST: u64 = 2_000;

/// `true`: set the mark; `false`: remove it.
fn operation(form: &WorkOperateRequest, mark: &str) -> Result<bool, ServiceError> {
    match form.operate.as_str() {
        "CANCEL" => Ok(false),
        operate if operate == mark => Ok(true),
        _ => Err(BusinessError::invalid("参数 operate 不正确").into()),
    }
}

/// Adds `by` to a counter of a work; `false`: the work is gone.
pub(crate) async fn add(
    transaction: &DatabaseTransaction,
    id: &str,
    (column, by, weight): (Column, i64, i64),
) -> Result<bool, DbErr> {
    let counted = Entity::update_any()
        .col_expr(column, Expr::col(column).add(by))
        .col_expr(Column::Heat, Expr::col(Column::Heat).add(by * weight))
        .filter(Column::Id.eq(id))
        .exec(transaction)
        .await?;
    Ok(counted.rows_affected > 0)
}

/// Like [`add`], but fails if the work is gone, so that no row is added while the work is being deleted.
pub(crate) async fn count(
    transaction: &DatabaseTransaction,
    id: &str,
    counted: (Column, i64, i64),
) -> Result<(), ServiceError> {
    match add(transaction, id, counted).await? {
        true => Ok(()),
        false => Err(no_such_work()),
    }
}

impl Works {
    pub(super) async fn like(
        &self,
        owner: &str,
        form: &WorkOperateRequest,
    ) -> Result<WorkMarks, ServiceError> {
        let marks = operation(form, "LIKE")?;
        let id = &form.works_id;
        let transaction = db::begin_write(&self.context.db).await?;
        if marks {
            self.open_work(&transaction, owner, id).await?;
            let row = liked::Model {
                owner: owner.to_owned(),
                work_id: id.clone(),
                added_at: self.now(),
            };
            if db::insert_new(row, &transaction).await? {
                count(&transaction, id, (Column::Likes, 1, LIKE)).await?;
            }
        } else {
            let gone = liked::Entity::delete_own(owner)
                .filter(liked::Column::WorkId.eq(id))
                .exec(&transaction)
                .await?;
            if gone.rows_affected > 0 {
                count(&transaction, id, (Column::Likes, -1, LIKE)).await?;
            }
        }
        self.marked(transaction, owner, id).await
    }

    pub(super) async fn collect(
        &self,
        owner: &str,
        form: &WorkOperateRequest,
    ) -> Result<WorkMarks, ServiceError> {
        let marks = operation(form, "COLLECT")?;
        let id = &form.works_id;
        let transaction = db::begin_write(&self.context.db).await?;
        lock_person(&transaction, owner).await?;
        if marks {
            self.open_work(&transaction, owner, id).await?;
            let row = collected::Model {
                owner: owner.to_owned(),
                work_id: id.clone(),
                added_at: self.now(),
            };
            if db::insert_new(row, &transaction).await? {
                let own = collected::Entity::find_own(owner);
                if own.count(&transaction).await? > MOST {
                    let message = format!("最多可以收藏 {MOST} 个作品，请先取消一些");
                    return Err(BusinessError::new(code::QUOTA, message).into());
                }
                count(&transaction, id, (Column::Collects, 1, COLLECT)).await?;
            }
        } else {
            let gone = collected::Entity::delete_own(owner)
                .filter(collected::Column::WorkId.eq(id))
                .exec(&transaction)
                .await?;
            if gone.rows_affected > 0 {
                count(&transaction, id, (Column::Collects, -1, COLLECT)).await?;
            }
        }
        self.marked(transaction, owner, id).await
    }

    /// Commits; returns the marks of the work, or empty ones if the user may no longer view it.
    async fn marked(
        &self,
        transaction: DatabaseTransaction,
        owner: &str,
        id: &str,
    ) -> Result<WorkMarks, ServiceError> {
        let found = Entity::find_any_by_id(id).one(&transaction).await?;
        let marks = match found.filter(|work| work.open_to(owner)) {
            Some(work) => self.marks(&transaction, owner, &work).await?,
            None => WorkMarks::default(),
        };
        transaction.commit().await?;
        Ok(marks)
    }

    pub(super) async fn report_work(
        &self,
        owner: &str,
        form: &ReportWorkRequest,
    ) -> Result<(), ServiceError> {
        let said = report::check(&form.reason, &form.content)?;
        let transaction = db::begin_write(&self.context.db).await?;
        let held = self.hold(&transaction, &form.works_id).await?;
        let work = held.filter(|work| work.open_to(owner));
        let work = work.ok_or_else(no_such_work)?;
        if work.owner == owner {
            return Err(BusinessError::invalid("不能举报自己的作品").into());
        }
        let added = self.add_report(&transaction, owner, &work.id, said).await?;
        if added {
            Entity::update_any()
                .col_expr(Column::Reports, Expr::col(Column::Reports).add(1))
                .filter(Column::Id.eq(&work.id))
                .exec(&transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(())
    }
}

/// Deletes the marks of a closed account and reduces the counters.
pub(crate) async fn forget(transaction: &DatabaseTransaction, owner: &str) -> Result<(), DbErr> {
    let mut likes: Vec<String> = liked::Entity::find_own(owner)
        .all(transaction)
        .await?
        .into_iter()
        .map(|one| one.work_id)
        .collect();
    let mut collects: Vec<String> = collected::Entity::find_own(owner)
        .all(transaction)
        .await?
        .into_iter()
        .map(|one| one.work_id)
        .collect();
    // Ordered by id to prevent deadlocks.
    likes.sort();
    collects.sort();
    for (ids, column, weight) in [
        (likes, Column::Likes, LIKE),
        (collects, Column::Collects, COLLECT),
    ] {
        for some in ids.chunks(500) {
            Entity::update_any()
                .col_expr(column, Expr::col(column).sub(1))
                .col_expr(Column::Heat, Expr::col(Column::Heat).sub(weight))
                .filter(Column::Id.is_in(some.iter().map(String::as_str)))
                .exec(transaction)
                .await?;
        }
    }
    liked::Entity::delete_own(owner).exec(transaction).await?;
    collected::Entity::delete_own(owner)
        .exec(transaction)
        .await?;
    Ok(())
}
