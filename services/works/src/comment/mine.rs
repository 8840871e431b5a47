//! A user's comments on works, and comments addressed to the user.

use chassis::db::List;
use chassis::{BusinessError, ServiceError};
use proto::works::v1::{
    CommentOnWork, MyCommentsReply, MyCommentsRequest, ReceivedCommentsRequest,
};
use sea_orm::entity::prelude::*;

use crate::Works;
use crate::entity::comment::{Column, Entity, Model, State};

const PAGE: i32 = 20;
const LARGEST_PAGE: i32 = 50;

impl Works {
    pub(super) async fn said_by(
        &self,
        owner: &str,
        form: &MyCommentsRequest,
    ) -> Result<MyCommentsReply, ServiceError> {
        let page = List::<Entity>::own(owner)
            .sizes(PAGE, LARGEST_PAGE)
            .filter(Column::State.ne(State::Deleted))
            .newest_first(Column::CreatedAt, Column::Id)
            .page(form, &self.context.db)
            .await?;
        Ok(MyCommentsReply {
            total_count: page.total_count,
            results: self.on_works(owner, page.rows).await?,
        })
    }

    pub(super) async fn said_to(
        &self,
        owner: &str,
        form: &ReceivedCommentsRequest,
    ) -> Result<MyCommentsReply, ServiceError> {
        let rows = Entity::find_any()
            .filter(Column::Addressee.eq(owner))
            .filter(Column::State.eq(State::Shown));
        let rows = match form.kind.as_str() {
            "" => rows,
            "comments" => rows.filter(Column::ParentId.eq("")),
            "replies" => rows.filter(Column::ParentId.ne("")),
            _ => return Err(BusinessError::invalid("参数 kind 不正确").into()),
        };
        let page = List::of_few(rows)
            .sizes(PAGE, LARGEST_PAGE)
            .newest_first(Column::CreatedAt, Column::Id)
            .page(form, &self.context.db)
            .await?;
        Ok(MyCommentsReply {
            total_count: page.total_count,
            results: self.on_works(owner, page.rows).await?,
        })
    }

    /// Adds the works they are about, where the viewer may see them.
    async fn on_works(
        &self,
        viewer: &str,
        comments: Vec<Model>,
    ) -> Result<Vec<CommentOnWork>, ServiceError> {
        let works = self
            .works_of(comments.iter().map(|one| one.work_id.as_str()))
            .await?;
        let all: Vec<&Model> = comments.iter().collect();
        let around = self.around(&all).await?;
        let views = comments.iter().map(|comment| {
            let work = works.get(&comment.work_id);
            let work = work.filter(|work| work.open_to(viewer));
            let author = work.map(|work| work.owner.as_str()).unwrap_or_default();
            let parent = around.parent(comment).filter(|_| work.is_some());
            CommentOnWork {
                comment: Some(self.comment_view(viewer, author, comment, &around)),
                works_id: comment.work_id.clone(),
                works_name: work.map(|work| work.name.clone()).unwrap_or_default(),
                works_preview: work
                    .map(|work| self.address(&work.poster_key))
                    .unwrap_or_default(),
                prev_path: work.map(|work| work.page()).unwrap_or_default(),
                parent_content: parent.map(|one| one.content.clone()).unwrap_or_default(),
            }
        });
        Ok(views.collect())
    }
}
