//! Reports of works and comments.

use chassis::ids::new_id;
use chassis::texts::Rule;
use chassis::{BusinessError, ServiceError, db};
use proto::works::v1::WorkReport;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, DatabaseTransaction, QueryOrder, QuerySelect};

use crate::Works;
use crate::entity::report::{Column, Entity, Model, Reason};

const CONTENT: Rule = Rule {
    called: "举报说明",
    lines: true,
};

impl Works {
    /// Stores a report. `false`: the user has reported it before.
    pub(crate) async fn add_report(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
        thing: &str,
        (reason, content): (Reason, String),
    ) -> Result<bool, ServiceError> {
        let row = Model {
            id: new_id(),
            thing_id: thing.to_owned(),
            owner: owner.to_owned(),
            reason,
            content,
            open: true,
            at: self.now(),
        };
        Ok(db::insert_new(row, transaction).await?)
    }
}

/// Validates a report. It may quote forbidden words, so its text is not scanned for them.
pub(crate) fn check(reason: &str, content: &str) -> Result<(Reason, String), ServiceError> {
    let reason = Reason::of(reason);
    let reason = reason.ok_or_else(|| BusinessError::invalid("请选择举报原因"))?;
    let content = CONTENT.check_shape(content)?;
    Ok((reason, content))
}

/// Open reports, newest first.
pub(crate) async fn open_of(
    db: &impl ConnectionTrait,
    things: &[&str],
    most: u64,
) -> Result<Vec<Model>, DbErr> {
    if things.is_empty() {
        return Ok(Vec::new());
    }
    Entity::find_any()
        .filter(Column::ThingId.is_in(things.iter().copied()))
        .filter(Column::Open.eq(true))
        .order_by_desc(Column::At)
        .limit(most)
        .all(db)
        .await
}

/// Deletes the reports of a deleted work or comment.
pub(crate) async fn forget(db: &impl ConnectionTrait, thing: &str) -> Result<(), DbErr> {
    Entity::delete_any()
        .filter(Column::ThingId.eq(thing))
        .exec(db)
        .await?;
    Ok(())
}

pub(crate) fn view(row: Model) -> WorkReport {
    WorkReport {
        report_id: row.id,
        user_id: row.owner,
        reason: row.reason.name().to_owned(),
        content: row.content,
        at: row.at,
    }
}
