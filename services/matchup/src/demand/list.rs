//! Lists of needs: the market, and the caller's own.

use chassis::ServiceError;
use chassis::db::List;
use chassis::db::list::choice;
use proto::matchup::v1::{DemandListRequest, DemandPage, MyDemandsRequest};
use sea_orm::entity::prelude::*;
use sea_orm::{Condition, Order};

use crate::Matchup;
use crate::entity::demand::{Column, Entity, State};
use crate::state::{LARGEST_PAGE, invalid};

const PAGE: i32 = 12;
const OWN_PAGE: i32 = 10;

impl Matchup {
    pub(super) async fn market(
        &self,
        form: &DemandListRequest,
    ) -> Result<DemandPage, ServiceError> {
        // Expired needs are hidden even before the sweeper updates their state.
        let running = Condition::any()
            .add(Column::Until.eq(0))
            .add(Column::Until.gt(self.now()));
        let open = Entity::find_any()
            .filter(Column::State.eq(State::Open))
            .filter(running);
        let mut list = List::of(open)
            .sizes(PAGE, LARGEST_PAGE)
            .search(&form.keyword, [Column::Title, Column::Content])
            .when(Column::Category, &form.category)
            .when(Column::Industry, &form.industry)
            // Needs of users come before examples.
            .order_by(Column::Example, Order::Asc);
        if form.budget > 0 {
            list = list.filter(Column::BudgetHigh.gte(form.budget));
        }
        let list = match form.sort.as_str() {
            "" | "new" => list,
            "budget" => list.order_by(Column::BudgetHigh, Order::Desc),
            "until" => list.order_by(Column::Until, Order::Asc),
            _ => return Err(invalid("没有这种排序")),
        };
        let page = list
            .newest_first(Column::OpenedAt, Column::Id)
            .page(form, &self.context.db)
            .await?;
        Ok(DemandPage {
            total_count: page.total_count,
            results: self.listed("", page.rows).await?,
        })
    }

    pub(super) async fn my_demands(
        &self,
        owner: &str,
        form: &MyDemandsRequest,
    ) -> Result<DemandPage, ServiceError> {
        let page = List::<Entity>::own(owner)
            .when(
                Column::State,
                choice(&form.state, State::of, "没有这种状态")?,
            )
            .sizes(OWN_PAGE, LARGEST_PAGE)
            .newest_first(Column::UpdatedAt, Column::Id)
            .page(form, &self.context.db)
            .await?;
        Ok(DemandPage {
            total_count: page.total_count,
            results: self.listed(owner, page.rows).await?,
        })
    }
}
