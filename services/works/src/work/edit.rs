//! Drafts: created from a file, edited, given another model.

use chassis::ids::new_id;
use chassis::texts::Rule;
use chassis::{BusinessError, Grantee, ServiceError, db};
use proto::code;
use proto::works::v1::{CreateWorkRequest, MyWork, ReplaceWorkModelRequest, SaveWorkRequest};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{DatabaseTransaction, PaginatorTrait, Set};

use super::bundle::Answer;
use super::{lock_person, put};
use crate::entity::bundle as bundles;
use crate::entity::category::Kind;
use crate::entity::work::{ActiveModel, Column, Content, Edit, Entity, Model, State, Visibility};
use crate::state::{conflict, split};
use crate::{Works, scene};

const NAME: Rule = Rule {
    called: "作品名称",
    lines: false,
};
const DESCRIPTION: Rule = Rule {
    called: "作品说明",
    lines: true,
};
const LABEL: Rule = Rule {
    called: "标签",
    lines: false,
};
const LONGEST_LABEL: usize = 20;
const LABELS: usize = 10;
/// The call itself asks for the model first; the polling task asks after this delay.
const FIRST_ASKED_MS: i64 = 3_000;

fn check_type(work_type: i32) -> Result<i32, ServiceError> {
    match work_type {
        0..=3 => Ok(work_type),
        _ => Err(BusinessError::invalid("没有这种作品类型").into()),
    }
}

fn no_such_file() -> ServiceError {
    BusinessError::not_found("没有这个模型文件，可能已被删除").into()
}

impl Works {
    pub(super) async fn create(
        &self,
        to: &Grantee<'_>,
        form: &CreateWorkRequest,
    ) -> Result<MyWork, ServiceError> {
        let owner = to.user;
        let content = Content {
            work_type: check_type(form.r#type)?,
            bundle: 1,
            ..Default::default()
        };
        let id = new_id();
        let transaction = db::begin_write(&self.context.db).await?;
        lock_person(&transaction, owner).await?;
        let own = Entity::find_own(owner);
        let most = self.config.works_per_author;
        if own.count(&transaction).await? >= most {
            let message = format!("最多可以有 {most} 个作品，请先删除一些");
            return Err(BusinessError::new(code::QUOTA, message).into());
        }
        let work = self.new_work(owner, &id, &content)?;
        db::insert(work, &transaction).await?;
        let bundle = self.add_bundle(&transaction, &id, 1, &form.file_id).await?;
        transaction.commit().await?;
        match self.ask_for(&bundle).await {
            Ok(Answer::Made | Answer::Waiting) => {}
            Ok(Answer::Gone) => return Err(self.undo(&id, no_such_file()).await?),
            Ok(Answer::Unchecked) => {
                let unchecked = conflict("模型还没有通过体检，请先完成体检再发布");
                return Err(self.undo(&id, unchecked).await?);
            }
            // The polling task asks again.
            Err(error) => tracing::warn!(%error, "process was not asked for a model"),
        }
        self.my_detail(to, &id).await
    }

    fn new_work(&self, owner: &str, id: &str, content: &Content) -> Result<Model, ServiceError> {
        let now = self.now();
        Ok(Model {
            id: id.to_owned(),
            owner: owner.to_owned(),
            state: State::Draft,
            edit_state: Edit::Editing,
            revision: 1,
            visibility: Visibility::Public,
            listed: false,
            comments_allowed: true,
            download_allowed: false,
            name: String::new(),
            description: String::new(),
            category_id: String::new(),
            industry_id: String::new(),
            labels: String::new(),
            work_type: content.work_type,
            scene: String::new(),
            bundle: 0,
            draft: serde_json::to_string(content).map_err(anyhow::Error::from)?,
            draft_name: String::new(),
            newest_bundle: 1,
            poster_key: String::new(),
            turntable_key: String::new(),
            browse: 0,
            likes: 0,
            collects: 0,
            comments: 0,
            heat: 0,
            reports: 0,
            recommended_at: 0,
            reason: String::new(),
            submitted_at: 0,
            published_at: 0,
            created_at: now,
            updated_at: now,
        })
    }

    async fn add_bundle(
        &self,
        transaction: &DatabaseTransaction,
        id: &str,
        number: i32,
        file_id: &str,
    ) -> Result<bundles::Model, ServiceError> {
        if file_id.is_empty() || file_id.len() > 64 {
            return Err(no_such_file());
        }
        let now = self.now();
        let bundle = bundles::Model {
            work_id: id.to_owned(),
            number,
            file_id: file_id.to_owned(),
            state: bundles::State::Making,
            reason: String::new(),
            model_key: String::new(),
            proxy_key: String::new(),
            poster_key: String::new(),
            turntable_key: String::new(),
            format: String::new(),
            bytes: 0,
            triangles: 0,
            animation: false,
            ask_at: now + FIRST_ASKED_MS,
            created_at: now,
        };
        db::insert(bundle.clone(), transaction).await?;
        Ok(bundle)
    }

    /// Deletes a work whose model cannot be made; returns `why`.
    async fn undo(&self, id: &str, why: ServiceError) -> Result<ServiceError, ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        self.forget(&transaction, id).await?;
        transaction.commit().await?;
        Ok(why)
    }

    pub(super) async fn replace_model(
        &self,
        to: &Grantee<'_>,
        form: &ReplaceWorkModelRequest,
    ) -> Result<MyWork, ServiceError> {
        let owner = to.user;
        let transaction = db::begin_write(&self.context.db).await?;
        let work = self.hold_own(&transaction, owner, &form.works_id).await?;
        refuse_in_review(&work)?;
        let mut content = work.content();
        let before = content.bundle;
        let number = work.newest_bundle + 1;
        content.bundle = number;
        let mut row = ActiveModel {
            newest_bundle: Set(number),
            ..Default::default()
        };
        put(&mut row, &content)?;
        self.touch(&transaction, &work, row, true).await?;
        let bundle = self
            .add_bundle(&transaction, &work.id, number, &form.file_id)
            .await?;
        transaction.commit().await?;
        let refused = match self.ask_for(&bundle).await {
            Ok(Answer::Made | Answer::Waiting) => None,
            Ok(Answer::Gone) => Some(no_such_file()),
            Ok(Answer::Unchecked) => Some(conflict("模型还没有通过体检，请先完成体检再使用")),
            Err(error) => {
                tracing::warn!(%error, "process was not asked for a model");
                None
            }
        };
        let transaction = db::begin_write(&self.context.db).await?;
        let work = self.hold_own(&transaction, owner, &form.works_id).await?;
        let mut content = work.content();
        // Of two concurrent calls the later model wins.
        if content.bundle == number {
            let drop = match refused.is_some() {
                true => number,
                false => before,
            };
            if refused.is_some() {
                content.bundle = before;
                let mut row = <ActiveModel as Default>::default();
                put(&mut row, &content)?;
                self.touch(&transaction, &work, row, true).await?;
            }
            if drop != work.bundle {
                self.drop_bundle(&transaction, &work.id, drop).await?;
            }
        }
        transaction.commit().await?;
        match refused {
            Some(error) => Err(error),
            None => self.my_detail(to, &form.works_id).await,
        }
    }

    /// Writes the author's changes. `draft`: whether the reviewed content changed.
    async fn touch(
        &self,
        transaction: &DatabaseTransaction,
        work: &Model,
        mut row: ActiveModel,
        draft: bool,
    ) -> Result<(), ServiceError> {
        if draft {
            let next = match (work.state, &row.draft) {
                (State::Draft, _) => Edit::Editing,
                (_, Set(draft)) if *draft == as_draft(&shown(work))? => Edit::None,
                _ => Edit::Editing,
            };
            row.edit_state = Set(next);
        }
        row.updated_at = Set(self.now());
        Entity::update_own(&work.owner)
            .set(row)
            .col_expr(Column::Revision, Expr::col(Column::Revision).add(1))
            .filter(Column::Id.eq(&work.id))
            .exec(transaction)
            .await?;
        Ok(())
    }

    pub(super) async fn save(
        &self,
        to: &Grantee<'_>,
        form: SaveWorkRequest,
    ) -> Result<MyWork, ServiceError> {
        let owner = to.user;
        let id = form.works_id.clone();
        // Checked first, so that errors reveal nothing about another user's work.
        self.own(&self.context.db, owner, &id).await?;
        let visibility = match form.visibility.as_deref() {
            None => None,
            Some(name) => Some(
                Visibility::of(name).ok_or_else(|| BusinessError::invalid("没有这种可见范围"))?,
            ),
        };
        let checked = self.checked(&form).await?;
        let transaction = db::begin_write(&self.context.db).await?;
        let work = self.hold_own(&transaction, owner, &id).await?;
        if form.revision != 0 && form.revision != work.revision {
            return Err(conflict("作品已在别处修改，请刷新后再保存"));
        }
        let before = work.content();
        let after = checked.onto(before.clone());
        let mut row = <ActiveModel as Default>::default();
        if after != before {
            refuse_in_review(&work)?;
            if after.category_id != before.category_id {
                self.check_category(&transaction, Kind::Category, &after.category_id)
                    .await?;
            }
            if after.industry_id != before.industry_id && !after.industry_id.is_empty() {
                self.check_category(&transaction, Kind::Industry, &after.industry_id)
                    .await?;
            }
            put(&mut row, &after)?;
        }
        if let Some(visibility) = visibility {
            row.visibility = Set(visibility);
            row.listed = Set(Model::lists(work.state, visibility));
        }
        if let Some(allowed) = form.comments_allowed {
            row.comments_allowed = Set(allowed);
        }
        if let Some(allowed) = form.download_allowed {
            row.download_allowed = Set(allowed);
        }
        self.touch(&transaction, &work, row, after != before)
            .await?;
        transaction.commit().await?;
        self.my_detail(to, &id).await
    }

    /// Validates the submitted texts.
    async fn checked(&self, form: &SaveWorkRequest) -> Result<Checked, ServiceError> {
        let scanner = self.words.scanner().await?;
        let text = |rule: &Rule, sent: &Option<String>| {
            let sent = sent.as_deref();
            sent.map(|sent| rule.check(sent, scanner.as_ref()))
                .transpose()
        };
        let mut labels = None;
        if let Some(sent) = &form.labels {
            let mut kept: Vec<String> = Vec::new();
            for one in split(&sent.replace('，', ",")) {
                let one = LABEL.check(&one, scanner.as_ref())?;
                if one.chars().count() > LONGEST_LABEL {
                    let message = format!("标签最多 {LONGEST_LABEL} 个字符");
                    return Err(BusinessError::invalid(message).into());
                }
                if !one.is_empty() && !kept.contains(&one) {
                    kept.push(one);
                }
            }
            if kept.len() > LABELS {
                return Err(BusinessError::invalid(format!("标签最多 {LABELS} 个")).into());
            }
            labels = Some(kept);
        }
        Ok(Checked {
            name: text(&NAME, &form.name)?,
            description: text(&DESCRIPTION, &form.description)?,
            category_id: form.category_id.clone(),
            industry_id: form.industry_id.clone(),
            labels,
            work_type: form.r#type.map(check_type).transpose()?,
            scene: form.scene.as_deref().map(scene::check).transpose()?,
        })
    }
}

/// Submitted fields of a draft; absent ones stay.
struct Checked {
    name: Option<String>,
    description: Option<String>,
    category_id: Option<String>,
    industry_id: Option<String>,
    labels: Option<Vec<String>>,
    work_type: Option<i32>,
    scene: Option<String>,
}

impl Checked {
    fn onto(self, known: Content) -> Content {
        Content {
            name: self.name.unwrap_or(known.name),
            description: self.description.unwrap_or(known.description),
            category_id: self.category_id.unwrap_or(known.category_id),
            industry_id: self.industry_id.unwrap_or(known.industry_id),
            labels: self.labels.unwrap_or(known.labels),
            work_type: self.work_type.unwrap_or(known.work_type),
            scene: self.scene.unwrap_or(known.scene),
            bundle: known.bundle,
        }
    }
}

/// The published content as a draft.
pub(crate) fn shown(work: &Model) -> Content {
    Content {
        name: work.name.clone(),
        description: work.description.clone(),
        category_id: work.category_id.clone(),
        industry_id: work.industry_id.clone(),
        labels: split(&work.labels),
        work_type: work.work_type,
        scene: work.scene.clone(),
        bundle: work.bundle,
    }
}

fn as_draft(content: &Content) -> Result<String, ServiceError> {
    Ok(serde_json::to_string(content).map_err(anyhow::Error::from)?)
}

fn refuse_in_review(work: &Model) -> Result<(), ServiceError> {
    match work.edit_state {
        Edit::Review => Err(conflict("作品正在审核，请先撤回再修改")),
        _ => Ok(()),
    }
}
