//! Editing, publishing and withdrawing a need by its owner.

use chassis::db::states::Transition;
use chassis::garbage::discard;
use chassis::ids::new_id;
use chassis::texts::Rule;
use chassis::{Grantee, ServiceError, db};
use proto::matchup::v1::{Demand, SaveDemandRequest};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::ExprTrait;
use sea_orm::{DatabaseTransaction, PaginatorTrait, Set};

use super::editable;
use super::files::folder_of;
use crate::Matchup;
use crate::entity::demand::{ActiveModel, Column, EDITABLE, Entity, State};
use crate::entity::{file, offer, rating};
use crate::lists::{CATEGORIES, INDUSTRIES, one_of};
use crate::state::{conflict, invalid};
use crate::texts::{Said, contact};

const TITLE: Rule = Rule {
    called: "标题",
    lines: false,
};
const CONTENT: Rule = Rule {
    called: "需求说明",
    lines: true,
};
const SHORTEST: usize = 20;
const DAY_MS: i64 = 86_400_000;
const LONGEST_MS: i64 = 366 * DAY_MS;

/// Columns set by a form.
struct Written(ActiveModel);

impl Matchup {
    async fn written(&self, form: &SaveDemandRequest) -> Result<Written, ServiceError> {
        let mut said = Said::default();
        let title = self.say(&TITLE, &form.title, &mut said).await?;
        let content = self.say(&CONTENT, &form.content, &mut said).await?;
        let category = match form.category.as_str() {
            "" => String::new(),
            name => one_of(&CATEGORIES, name, "请从列表中选择类别")?,
        };
        let industry = match form.industry.as_str() {
            "" => String::new(),
            name => one_of(&INDUSTRIES, name, "请从列表中选择行业")?,
        };
        let (low, high) = (form.budget_low, form.budget_high);
        if low > high {
            return Err(invalid("预算的上限不能小于下限"));
        }
        if form.until < 0 || form.until > self.now() + LONGEST_MS {
            return Err(invalid("报价截止日期不能超过一年"));
        }
        Ok(Written(ActiveModel {
            category: Set(category),
            title: Set(title),
            content: Set(content),
            industry: Set(industry),
            budget_low: Set(low),
            budget_high: Set(high),
            until: Set(form.until),
            contact: Set(contact(&form.contact)?),
            suspects: Set(said.suspects()),
            updated_at: Set(self.now()),
            ..Default::default()
        }))
    }

    pub(super) async fn save_demand(
        &self,
        to: &Grantee<'_>,
        form: &SaveDemandRequest,
    ) -> Result<Demand, ServiceError> {
        let owner = to.user;
        let Written(row) = self.written(form).await?;
        let transaction = db::begin_write(&self.context.db).await?;
        let id = match form.demand_id.as_str() {
            "" => self.add(&transaction, owner, row).await?,
            id => {
                let demand = self.hold_own(&transaction, owner, id).await?;
                editable(&demand)?;
                Entity::update_own(owner)
                    .set(row)
                    .col_expr(Column::Revision, Expr::col(Column::Revision).add(1))
                    .filter(Column::Id.eq(id))
                    .exec(&transaction)
                    .await?;
                id.to_owned()
            }
        };
        transaction.commit().await?;
        self.detail(to, &id).await
    }

    async fn add(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
        row: ActiveModel,
    ) -> Result<String, ServiceError> {
        // Locks the person's row before counting the person's needs.
        let person = self.hold_person(transaction, owner).await?;
        if !matches!(person.user_type, 1 | 3) {
            return Err(conflict("请先选择「我有需求」"));
        }
        let own = Entity::find_own(owner);
        if own.count(transaction).await? >= self.config.demands_per_person {
            return Err(conflict("需求数量已达上限，请先删除不再需要的"));
        }
        let row = ActiveModel {
            id: Set(new_id()),
            owner: Set(owner.to_owned()),
            state: Set(State::Draft),
            revision: Set(1),
            reason: Set(String::new()),
            example: Set(false),
            chosen_offer: Set(String::new()),
            chosen_owner: Set(String::new()),
            submitted_at: Set(0),
            opened_at: Set(0),
            chosen_at: Set(0),
            closed_at: Set(0),
            created_at: Set(self.now()),
            ..row
        };
        let added = row.insert(transaction).await?;
        Ok(added.id)
    }

    pub(super) async fn submit_demand(
        &self,
        to: &Grantee<'_>,
        id: &str,
    ) -> Result<Demand, ServiceError> {
        let owner = to.user;
        let transaction = db::begin_write(&self.context.db).await?;
        let demand = self.hold_own(&transaction, owner, id).await?;
        // Locks the person's row before counting, after the need's row.
        self.hold_person(&transaction, owner).await?;
        if !EDITABLE.contains(&demand.state) {
            return Err(conflict(match demand.state {
                State::Review => "需求已在审核中",
                State::Hidden => "需求已被平台下架，请联系客服",
                _ => "需求已发布，不能重复提交",
            }));
        }
        let now = self.now();
        let lacking = [
            (demand.category.is_empty(), "请选择需求类别"),
            (demand.title.chars().count() < 4, "请填写标题，至少 4 个字"),
            (
                demand.content.chars().count() < SHORTEST,
                "需求说明至少 20 个字，写清要什么、怎样算完成",
            ),
            (
                demand.contact.is_empty(),
                "请填写联系方式，选定后才会给对方看",
            ),
            (
                demand.until < now + DAY_MS / 2,
                "请选择报价截止日期，明天或更晚",
            ),
        ];
        if let Some((_, what)) = lacking.into_iter().find(|(lacks, _)| *lacks) {
            return Err(invalid(what));
        }
        let under_way =
            Entity::find_own(owner).filter(Column::State.is_in([State::Review, State::Open]));
        if under_way.count(&transaction).await? >= self.config.open_per_person {
            return Err(conflict("同时进行的需求已达上限，请等待或撤回其他需求"));
        }
        let moved = Transition::to(State::Review)
            .set(ActiveModel {
                submitted_at: Set(now),
                updated_at: Set(now),
                reason: Set(String::new()),
                ..Default::default()
            })
            .only(Column::Id.eq(id))
            .apply(&transaction)
            .await?;
        if !moved {
            return Err(conflict("需求的状态已改变，请刷新后再试"));
        }
        if !self.config.review && demand.suspects.is_empty() {
            self.open(&transaction, id).await?;
        }
        transaction.commit().await?;
        self.detail(to, id).await
    }

    /// Opens a need. `false`: not allowed from its current state.
    pub(crate) async fn open(
        &self,
        transaction: &DatabaseTransaction,
        id: &str,
    ) -> Result<bool, DbErr> {
        Transition::to(State::Open)
            .set(ActiveModel {
                opened_at: Set(self.now()),
                updated_at: Set(self.now()),
                reason: Set(String::new()),
                ..Default::default()
            })
            .only(Column::Id.eq(id))
            .apply(transaction)
            .await
    }

    pub(super) async fn withdraw_demand(
        &self,
        to: &Grantee<'_>,
        id: &str,
    ) -> Result<Demand, ServiceError> {
        let owner = to.user;
        let transaction = db::begin_write(&self.context.db).await?;
        let demand = self.hold_own(&transaction, owner, id).await?;
        let moved = Transition::to(State::Withdrawn)
            .set(ActiveModel {
                updated_at: Set(self.now()),
                ..Default::default()
            })
            .only(Column::Id.eq(id))
            .apply(&transaction)
            .await?;
        if !moved {
            return Err(conflict(match demand.state {
                State::Chosen => "已选定服务商，不能撤回；合作结束后请选择「结束对接」",
                _ => "需求不在审核或展示中，不用撤回",
            }));
        }
        self.lose_offers(&transaction, &demand, "demandWithdrawn")
            .await?;
        transaction.commit().await?;
        self.outbox.wake();
        self.detail(to, id).await
    }

    pub(super) async fn delete_demand(&self, owner: &str, id: &str) -> Result<(), ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        let demand = self.hold_own(&transaction, owner, id).await?;
        editable(&demand)?;
        self.forget(&transaction, owner, id).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Deletes a need of the owner with its files, offers and ratings. The caller has locked it.
    pub(crate) async fn forget(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
        id: &str,
    ) -> Result<(), ServiceError> {
        discard(transaction, self.now(), [&folder_of(id)]).await?;
        file::Entity::delete_many()
            .filter(file::Column::DemandId.eq(id))
            .exec(transaction)
            .await?;
        offer::Entity::delete_any()
            .filter(offer::Column::DemandId.eq(id))
            .exec(transaction)
            .await?;
        rating::Entity::delete_any()
            .filter(rating::Column::DemandId.eq(id))
            .exec(transaction)
            .await?;
        Entity::delete_own(owner)
            .filter(Column::Id.eq(id))
            .exec(transaction)
            .await?;
        Ok(())
    }
}
