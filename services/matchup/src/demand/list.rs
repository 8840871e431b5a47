//! Needs: the market, and those of the caller.

use chassis::db::contains;
use chassis::{ServiceError, db};
use proto::matchup::v1::{DemandListRequest, DemandPage, MyDemandsRequest};
use sea_orm::entity::prelude::*;
use sea_orm::{Condition, QueryOrder};

use crate::Matchup;
use crate::entity::demand::{Column, Entity, State};
use crate::state::{invalid, page_of};

const PAGE: i32 = 12;
const OWN_PAGE: i32 = 10;

impl Matchup {
    pub(super) async fn market(
        &self,
        form: &DemandListRequest,
    ) -> Result<DemandPage, ServiceError> {
        let size = page_of(form.page_size, PAGE)?;
        // One whose time is over is not shown until the sweep ends it.
        let running = Condition::any()
            .add(Column::Until.eq(0))
            .add(Column::Until.gt(self.now()));
        let mut rows = Entity::find()
            .filter(Column::State.eq(State::Open))
            .filter(running);
        let keyword = form.keyword.trim();
        if !keyword.is_empty() {
            let found = Condition::any()
                .add(contains(Column::Title, keyword))
                .add(contains(Column::Content, keyword));
            rows = rows.filter(found);
        }
        if !form.category.is_empty() {
            rows = rows.filter(Column::Category.eq(&form.category));
        }
        if !form.industry.is_empty() {
            rows = rows.filter(Column::Industry.eq(&form.industry));
        }
        if form.budget > 0 {
            rows = rows.filter(Column::BudgetHigh.gte(form.budget));
        }
        // What people need comes before examples.
        let rows = rows.order_by_asc(Column::Example);
        let rows = match form.sort.as_str() {
            "" | "new" => rows,
            "budget" => rows.order_by_desc(Column::BudgetHigh),
            "until" => rows.order_by_asc(Column::Until),
            _ => return Err(invalid("没有这种排序")),
        };
        let rows = rows
            .order_by_desc(Column::OpenedAt)
            .order_by_desc(Column::Id);
        let (total_count, found) = db::paged(rows, form.page_no, size, &self.context.db).await?;
        Ok(DemandPage {
            total_count,
            results: self.listed("", found).await?,
        })
    }

    pub(super) async fn my_demands(
        &self,
        owner: &str,
        form: &MyDemandsRequest,
    ) -> Result<DemandPage, ServiceError> {
        let size = page_of(form.page_size, OWN_PAGE)?;
        let mut rows = Entity::find().filter(Column::Owner.eq(owner));
        if !form.state.is_empty() {
            let state = State::of(&form.state).ok_or_else(|| invalid("没有这种状态"))?;
            rows = rows.filter(Column::State.eq(state));
        }
        let rows = rows
            .order_by_desc(Column::UpdatedAt)
            .order_by_desc(Column::Id);
        let (total_count, found) = db::paged(rows, form.page_no, size, &self.context.db).await?;
        Ok(DemandPage {
            total_count,
            results: self.listed(owner, found).await?,
        })
    }
}
