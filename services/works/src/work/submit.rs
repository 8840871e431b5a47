//! Publication of a work, and its withdrawal.

use chassis::db::states::Transition;
use chassis::{Grantee, ServiceError, db};
use proto::works::v1::MyWork;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, DatabaseTransaction, Set};

use crate::Works;
use crate::entity::bundle as bundles;
use crate::entity::record::Action;
use crate::entity::work::{ActiveModel, Column, Edit, Model, State};
use crate::state::conflict;

const MOVED_ON: &str = "作品的状态已改变，请刷新后再试";

impl Works {
    /// What must be completed before submission, shown to the user.
    pub(super) async fn missing(
        &self,
        db: &impl ConnectionTrait,
        work: &Model,
    ) -> Result<Vec<String>, DbErr> {
        let content = work.content();
        let bundle = self.bundle_of(db, &work.id, content.bundle).await?;
        let model = match bundle.map(|one| one.state) {
            Some(bundles::State::Ready) => "",
            Some(bundles::State::Making) => "模型正在准备，请稍候",
            _ => "请重新选择模型文件",
        };
        let case = content.work_type == 2 && content.industry_id.is_empty();
        let lacking = [
            (content.name.is_empty(), "请填写作品名称"),
            (content.category_id.is_empty(), "请选择分类"),
            (case, "客户案例请选择行业"),
            (!model.is_empty(), model),
        ];
        let lacking = lacking.into_iter().filter(|(lacks, _)| *lacks);
        Ok(lacking.map(|(_, what)| what.to_owned()).collect())
    }

    pub(super) async fn submit(&self, to: &Grantee<'_>, id: &str) -> Result<MyWork, ServiceError> {
        let owner = to.user;
        let transaction = db::begin_write(&self.context.db).await?;
        let work = self.hold_own(&transaction, owner, id).await?;
        match (work.state, work.edit_state) {
            (State::Hidden, _) => return Err(conflict("作品已被平台隐藏，请联系客服")),
            (_, Edit::Review) => return Err(conflict("作品已在审核中")),
            (_, Edit::None) => return Err(conflict("作品没有新的修改")),
            _ => {}
        }
        let missing = self.missing(&transaction, &work).await?;
        if let Some(first) = missing.first() {
            return Err(conflict(first));
        }
        let moved = Transition::to(Edit::Review)
            .set(ActiveModel {
                submitted_at: Set(self.now()),
                updated_at: Set(self.now()),
                ..Default::default()
            })
            .only(Column::Id.eq(id))
            .take(&transaction)
            .await?;
        let moved = moved.into_iter().next().ok_or_else(|| conflict(MOVED_ON))?;
        self.note(&transaction, &moved, Action::Submitted, "")
            .await?;
        if !self.config.review {
            self.approve(&transaction, &moved).await?;
        }
        transaction.commit().await?;
        self.my_detail(to, id).await
    }

    /// Publishes a work that waits for review. The caller has locked it.
    pub(crate) async fn approve(
        &self,
        transaction: &DatabaseTransaction,
        work: &Model,
    ) -> Result<(), ServiceError> {
        let content = work.content();
        let bundle = self
            .bundle_of(transaction, &work.id, content.bundle)
            .await?
            .ok_or_else(|| conflict("作品的模型已不存在"))?;
        let state = match work.state {
            State::Hidden => State::Hidden,
            _ => State::Published,
        };
        let now = self.now();
        let first = match work.published_at {
            0 => now,
            known => known,
        };
        let labels = match content.labels.is_empty() {
            true => String::new(),
            false => format!(",{},", content.labels.join(",")),
        };
        let row = ActiveModel {
            state: Set(state),
            listed: Set(Model::lists(state, work.visibility)),
            name: Set(content.name),
            description: Set(content.description),
            category_id: Set(content.category_id),
            industry_id: Set(content.industry_id),
            labels: Set(labels),
            work_type: Set(content.work_type),
            scene: Set(content.scene),
            bundle: Set(content.bundle),
            poster_key: Set(bundle.poster_key),
            turntable_key: Set(bundle.turntable_key),
            reason: Set(String::new()),
            published_at: Set(first),
            updated_at: Set(now),
            ..Default::default()
        };
        let moved = Transition::to(Edit::None)
            .set(row)
            .only(Column::Id.eq(&work.id))
            .apply(transaction)
            .await?;
        if !moved {
            return Err(conflict(MOVED_ON));
        }
        if work.bundle != 0 && work.bundle != content.bundle {
            self.drop_bundle(transaction, &work.id, work.bundle).await?;
        }
        self.note(transaction, work, Action::Approved, "").await?;
        Ok(())
    }

    /// Moves a work to another publication state. `false`: not allowed from its current state.
    pub(crate) async fn move_work(
        &self,
        transaction: &DatabaseTransaction,
        work: &Model,
        (from, next): (&[State], State),
    ) -> Result<bool, DbErr> {
        Transition::to(next)
            .from_only(from)
            .set(ActiveModel {
                listed: Set(Model::lists(next, work.visibility)),
                updated_at: Set(self.now()),
                ..Default::default()
            })
            .only(Column::Id.eq(&work.id))
            .apply(transaction)
            .await
    }

    pub(super) async fn withdraw(
        &self,
        to: &Grantee<'_>,
        id: &str,
    ) -> Result<MyWork, ServiceError> {
        let owner = to.user;
        let transaction = db::begin_write(&self.context.db).await?;
        let work = self.hold_own(&transaction, owner, id).await?;
        let moved = match work.edit_state {
            Edit::Review => {
                Transition::to(Edit::Editing)
                    .from_only(&[Edit::Review])
                    .only(Column::Id.eq(id))
                    .apply(&transaction)
                    .await?
            }
            _ => {
                let way = (&[State::Published][..], State::Withdrawn);
                self.move_work(&transaction, &work, way).await?
            }
        };
        if !moved {
            return Err(conflict("只有审核中或已发布的作品可以撤回"));
        }
        self.note(&transaction, &work, Action::Withdrawn, "")
            .await?;
        transaction.commit().await?;
        self.my_detail(to, id).await
    }

    pub(super) async fn relist(&self, to: &Grantee<'_>, id: &str) -> Result<MyWork, ServiceError> {
        let owner = to.user;
        let transaction = db::begin_write(&self.context.db).await?;
        let work = self.hold_own(&transaction, owner, id).await?;
        let way = (&[State::Withdrawn][..], State::Published);
        if !self.move_work(&transaction, &work, way).await? {
            return Err(conflict("只有已撤回的作品可以重新展示"));
        }
        self.note(&transaction, &work, Action::Relisted, "").await?;
        transaction.commit().await?;
        self.my_detail(to, id).await
    }

    pub(super) async fn delete(&self, owner: &str, id: &str) -> Result<(), ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        self.hold_own(&transaction, owner, id).await?;
        self.forget(&transaction, id).await?;
        transaction.commit().await?;
        Ok(())
    }
}
