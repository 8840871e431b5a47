//! Applications.

use chassis::db::states::Transition;
use chassis::{ServiceError, db};
use proto::transaction::v1::{ApplyModelerRequest, Modeler};
use sea_orm::Set;
use sea_orm::entity::prelude::*;

use super::FROZEN;
use crate::Mall;
use crate::entity::modeler::{ActiveModel, Column, State};
use crate::entity::modeler_record::Action;
use crate::listing::{conflict, texts};

impl Mall {
    pub(super) async fn apply(
        &self,
        login_id: &str,
        form: &ApplyModelerRequest,
    ) -> Result<Modeler, ServiceError> {
        let scanner = self.words.scanner().await?;
        let statement = texts::STATEMENT.check(&form.statement, &scanner)?;
        let transaction = db::begin_write(&self.context.db).await?;
        self.begin(&transaction, login_id).await?;
        let now = self.now();
        let moved = Transition::to(State::Waiting)
            .set(ActiveModel {
                uploader_type: Set(form.uploader_type),
                statement: Set(statement),
                reason: Set(String::new()),
                applied_at: Set(now),
                updated_at: Set(now),
                ..Default::default()
            })
            .only(Column::LoginId.eq(login_id))
            .only(Column::Frozen.eq(false))
            .take(&transaction)
            .await?;
        let Some(row) = moved.first() else {
            let row = self.modeler(&transaction, login_id).await?;
            return Err(conflict(match row {
                Some(row) if row.frozen => FROZEN,
                Some(row) if row.state == State::Approved => "您已是模型师，无需再次申请",
                _ => "申请正在审核中，请耐心等待",
            }));
        };
        self.changed(&transaction, row, Action::Applied, "").await?;
        transaction.commit().await?;
        self.outbox.wake();
        self.standing(login_id).await
    }
}
