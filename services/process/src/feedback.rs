//! Ratings of service results: one per user and result, which the user may change.

use chassis::texts::Rule;
use chassis::{BusinessError, ServiceError, db};
use proto::code;
use proto::process::v1::{ResultFeedback, ResultFeedbackForm};

use crate::Process;
use crate::entity::feedback::{Column, Entity, Model};
use crate::entity::result::Status;

const CONTENT: Rule = Rule {
    called: "评价内容",
    lines: true,
};

impl Process {
    async fn said_of(&self, owner: &str, result: &str) -> Result<Option<Model>, ServiceError> {
        // Fails for results of other users, so that nothing is revealed about them.
        let result = self.own_result(owner, result).await?;
        let said = Entity::find_own_by_id(owner, &result.id)
            .one(&self.context.db)
            .await?;
        Ok(said)
    }

    pub(crate) async fn has_feedback(
        &self,
        owner: &str,
        result: &str,
    ) -> Result<bool, ServiceError> {
        Ok(self.said_of(owner, result).await?.is_some())
    }

    pub(crate) async fn my_feedback(
        &self,
        owner: &str,
        result: &str,
    ) -> Result<ResultFeedback, ServiceError> {
        let said = self.said_of(owner, result).await?;
        Ok(
            said.map_or_else(ResultFeedback::default, |said| ResultFeedback {
                stars: said.stars,
                content: said.content,
                created_at: said.created_at,
                updated_at: said.updated_at,
            }),
        )
    }

    /// Of concurrent calls the last one wins.
    pub(crate) async fn save_feedback(
        &self,
        owner: &str,
        form: &ResultFeedbackForm,
    ) -> Result<(), ServiceError> {
        let content = CONTENT.check(&form.content, self.words.scanner().await?.as_ref())?;
        let result = self.own_result(owner, &form.result_id).await?;
        if !matches!(result.status, Status::Done | Status::Failed) {
            return Err(BusinessError::new(code::CONFLICT, "处理结束后才能评价").into());
        }
        let now = self.now();
        let said = Model {
            result_id: result.id,
            owner: owner.to_owned(),
            service_type: result.service_type,
            stars: form.stars,
            content,
            model_name: result.model_name,
            status: result.status.name().to_owned(),
            created_at: now,
            updated_at: now,
        };
        let anew = [
            Column::Stars,
            Column::Content,
            Column::ModelName,
            Column::Status,
            Column::UpdatedAt,
        ];
        db::upsert(said, anew, &self.context.db).await?;
        Ok(())
    }
}
