//! Comments on works. Every change of comments locks the work's row first, since counters of the work and of comments change with
//! it.

mod list;
mod mine;
mod view;

use chassis::db::states::Transition;
use chassis::ids::new_id;
use chassis::texts::Rule;
use chassis::{BusinessError, Caller, ServiceError, SignedIn, db};
use proto::works::v1::{
    AddCommentRequest, CommentCalls, CommentListRequest, CommentPage, CommentRequest,
    EditCommentRequest, MyCommentsReply, MyCommentsRequest, ReceivedCommentsRequest,
    ReportCommentRequest, WorkComment,
};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{Condition, ConnectionTrait, DatabaseTransaction, PaginatorTrait, Set};

use crate::entity::comment::{ActiveModel, Column, Entity, Model, State};
use crate::entity::work;
use crate::gallery::{COMMENT, mark};
use crate::notify::Notification;
use crate::state::conflict;
use crate::work::no_such_work;
use crate::{Works, report, scene};

const CONTENT: Rule = Rule {
    called: "评论内容",
    lines: true,
};

pub(crate) fn no_such_comment() -> ServiceError {
    BusinessError::not_found("没有这条评论，可能已被删除").into()
}

/// Adds `by` to the number of shown answers below a comment.
async fn count_answers(
    transaction: &DatabaseTransaction,
    root: &str,
    by: i64,
) -> Result<(), DbErr> {
    Entity::update_any()
        .col_expr(Column::Replies, Expr::col(Column::Replies).add(by))
        .filter(Column::Id.eq(root))
        .exec(transaction)
        .await?;
    Ok(())
}

impl Works {
    async fn said(&self, text: &str) -> Result<String, ServiceError> {
        CONTENT.check(text, self.words.scanner().await?.as_ref())
    }

    /// The answered comment: a shown one on the same work. None if `id` is empty.
    async fn answered(
        &self,
        db: &impl ConnectionTrait,
        work: &work::Model,
        id: &str,
    ) -> Result<Option<Model>, ServiceError> {
        if id.is_empty() {
            return Ok(None);
        }
        let found = Entity::find_any_by_id(id)
            .filter(Column::WorkId.eq(&work.id))
            .filter(Column::State.eq(State::Shown))
            .one(db)
            .await?;
        found.map(Some).ok_or_else(no_such_comment)
    }

    /// Updates the counters when a comment is shown (1) or no longer shown (-1).
    pub(crate) async fn weigh(
        &self,
        transaction: &DatabaseTransaction,
        comment: &Model,
        by: i64,
    ) -> Result<(), ServiceError> {
        if !comment.root_id.is_empty() {
            count_answers(transaction, &comment.root_id, by).await?;
        }
        let counted = (work::Column::Comments, by, COMMENT);
        mark::add(transaction, &comment.work_id, counted).await?;
        Ok(())
    }

    /// Locks the work of a comment; returns both.
    pub(crate) async fn hold_comment(
        &self,
        transaction: &DatabaseTransaction,
        id: &str,
    ) -> Result<(work::Model, Model), ServiceError> {
        let found = Entity::find_any_by_id(id).one(transaction).await?;
        let comment = found.ok_or_else(no_such_comment)?;
        let work = self.hold(transaction, &comment.work_id).await?;
        // Read again now that the work is locked.
        let found = Entity::find_any_by_id(id).one(transaction).await?;
        match (work, found) {
            (Some(work), Some(comment)) => Ok((work, comment)),
            _ => Err(no_such_comment()),
        }
    }

    pub(super) fn may_edit(&self, viewer: &str, comment: &Model) -> bool {
        let until = comment.created_at + self.config.edit_minutes * 60_000;
        comment.owner == viewer && comment.state == State::Shown && self.now() < until
    }

    /// Deletes a comment; one with answers leaves a placeholder of `owner` (empty: account closed). The caller has locked the work.
    /// `false`: it was deleted already.
    pub(crate) async fn remove(
        &self,
        transaction: &DatabaseTransaction,
        comment: &Model,
        owner: &str,
    ) -> Result<bool, ServiceError> {
        let moved = Transition::to(State::Deleted)
            .set(ActiveModel {
                owner: Set(owner.to_owned()),
                addressee: Set(String::new()),
                content: Set(String::new()),
                pin: Set(String::new()),
                reason: Set(String::new()),
                reports: Set(0),
                ..Default::default()
            })
            .only(Column::Id.eq(&comment.id))
            .apply(transaction)
            .await?;
        if !moved {
            return Ok(false);
        }
        if comment.state == State::Shown {
            self.weigh(transaction, comment, -1).await?;
        }
        report::forget(transaction, &comment.id).await?;
        let below = Condition::any()
            .add(Column::ParentId.eq(&comment.id))
            .add(Column::RootId.eq(&comment.id));
        if Entity::find_any().filter(below).count(transaction).await? == 0 {
            Entity::delete_any_by_id(&comment.id)
                .exec(transaction)
                .await?;
        }
        Ok(true)
    }

    /// Deletes the comments of a closed account; where others have answered, an anonymous placeholder remains.
    pub(crate) async fn forget_comments(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
    ) -> Result<(), ServiceError> {
        let mut all = Entity::find_own(owner).all(transaction).await?;
        // Works are locked in the order of their ids; answers are deleted before the comments they answer.
        all.sort_by(|a, b| (&a.work_id, &b.id).cmp(&(&b.work_id, &a.id)));
        for comment in all {
            self.hold(transaction, &comment.work_id).await?;
            if !self.remove(transaction, &comment, "").await? {
                Entity::update_own(owner)
                    .set(ActiveModel {
                        owner: Set(String::new()),
                        ..Default::default()
                    })
                    .filter(Column::Id.eq(&comment.id))
                    .exec(transaction)
                    .await?;
            }
        }
        Entity::update_any()
            .set(ActiveModel {
                addressee: Set(String::new()),
                ..Default::default()
            })
            .filter(Column::Addressee.eq(owner))
            .exec(transaction)
            .await?;
        Ok(())
    }
}

impl CommentCalls<ServiceError> for Works {
    async fn comment_list(
        &self,
        caller: &Caller,
        form: CommentListRequest,
    ) -> Result<CommentPage, ServiceError> {
        let viewer = caller.user().unwrap_or_default();
        self.comments(viewer, &form).await
    }

    async fn add_comment(
        &self,
        caller: &SignedIn,
        form: AddCommentRequest,
    ) -> Result<WorkComment, ServiceError> {
        let owner = caller.login_id();
        self.open_work(&self.context.db, owner, &form.works_id)
            .await?;
        let content = self.said(&form.content).await?;
        let pin = scene::check_pin(&form.pin)?;
        let transaction = db::begin_write(&self.context.db).await?;
        let held = self.hold(&transaction, &form.works_id).await?;
        let work = held.filter(|work| work.open_to(owner));
        let work = work.ok_or_else(no_such_work)?;
        if work.state != work::State::Published {
            return Err(conflict("作品发布后才能评论"));
        }
        if !work.comments_allowed {
            return Err(conflict("作者没有开放评论"));
        }
        let bundle = match form.bundle {
            0 => work.bundle,
            number if (1..=work.newest_bundle).contains(&number) => number,
            _ => return Err(BusinessError::invalid("没有这个模型版本").into()),
        };
        let parent = self.answered(&transaction, &work, &form.parent_id).await?;
        let addressee = parent.as_ref().map_or(&work.owner, |one| &one.owner);
        let addressee = match addressee == owner {
            true => "",
            false => addressee,
        };
        let root = parent.as_ref().map(|one| match one.root_id.is_empty() {
            true => one.id.clone(),
            false => one.root_id.clone(),
        });
        let comment = Model {
            id: new_id(),
            work_id: work.id.clone(),
            root_id: root.clone().unwrap_or_default(),
            parent_id: form.parent_id.clone(),
            owner: owner.to_owned(),
            addressee: addressee.to_owned(),
            content,
            pin,
            bundle,
            state: State::Shown,
            reason: String::new(),
            replies: 0,
            reports: 0,
            created_at: self.now(),
            edited_at: 0,
        };
        db::insert(comment.clone(), &transaction).await?;
        self.weigh(&transaction, &comment, 1).await?;
        if !addressee.is_empty() {
            let what = match parent {
                Some(_) => "commentAnswered",
                None => "workCommented",
            };
            let notification = Notification::new(what, addressee, &comment.id, &work);
            self.notify(&transaction, notification.because(&comment.content))
                .await?;
        }
        transaction.commit().await?;
        self.outbox.wake();
        self.one_view(owner, &work, comment).await
    }

    async fn edit_comment(
        &self,
        caller: &SignedIn,
        form: EditCommentRequest,
    ) -> Result<WorkComment, ServiceError> {
        let owner = caller.login_id();
        let known = Entity::find_own_by_id(owner, &form.comment_id)
            .filter(Column::State.eq(State::Shown))
            .one(&self.context.db)
            .await?
            .ok_or_else(no_such_comment)?;
        if !self.may_edit(owner, &known) {
            let minutes = self.config.edit_minutes;
            return Err(conflict(&format!("评论发出 {minutes} 分钟后不能再修改")));
        }
        let content = self.said(&form.content).await?;
        let edited = Entity::update_own(owner)
            .set(ActiveModel {
                content: Set(content),
                edited_at: Set(self.now()),
                ..Default::default()
            })
            .filter(Column::Id.eq(&form.comment_id))
            .filter(Column::State.eq(State::Shown))
            .exec_with_returning(&self.context.db)
            .await?;
        let comment = edited.into_iter().next().ok_or_else(no_such_comment)?;
        let work = work::Entity::find_any_by_id(&comment.work_id)
            .one(&self.context.db)
            .await?
            .ok_or_else(no_such_work)?;
        self.one_view(owner, &work, comment).await
    }

    async fn delete_comment(
        &self,
        caller: &SignedIn,
        form: CommentRequest,
    ) -> Result<(), ServiceError> {
        let (owner, id) = (caller.login_id(), &form.comment_id);
        let transaction = db::begin_write(&self.context.db).await?;
        let own = Entity::find_own_by_id(owner, id);
        if own.one(&transaction).await?.is_none() {
            return Err(no_such_comment());
        }
        let (_, comment) = self.hold_comment(&transaction, id).await?;
        if !self.remove(&transaction, &comment, owner).await? {
            return Err(no_such_comment());
        }
        transaction.commit().await?;
        Ok(())
    }

    async fn report_comment(
        &self,
        caller: &SignedIn,
        form: ReportCommentRequest,
    ) -> Result<(), ServiceError> {
        let owner = caller.login_id();
        let said = report::check(&form.reason, &form.content)?;
        let transaction = db::begin_write(&self.context.db).await?;
        let (work, comment) = self.hold_comment(&transaction, &form.comment_id).await?;
        if comment.state != State::Shown || !work.open_to(owner) {
            return Err(no_such_comment());
        }
        if comment.owner == owner {
            return Err(BusinessError::invalid("不能举报自己的评论").into());
        }
        let added = self
            .add_report(&transaction, owner, &comment.id, said)
            .await?;
        if added {
            Entity::update_any()
                .col_expr(Column::Reports, Expr::col(Column::Reports).add(1))
                .filter(Column::Id.eq(&comment.id))
                .exec(&transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    async fn my_comments(
        &self,
        caller: &SignedIn,
        form: MyCommentsRequest,
    ) -> Result<MyCommentsReply, ServiceError> {
        self.said_by(caller.login_id(), &form).await
    }

    async fn received_comments(
        &self,
        caller: &SignedIn,
        form: ReceivedCommentsRequest,
    ) -> Result<MyCommentsReply, ServiceError> {
        self.said_to(caller.login_id(), &form).await
    }
}
