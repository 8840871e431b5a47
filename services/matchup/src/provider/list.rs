//! Providers: the market, a single one, and the site's figures.

use chassis::ServiceError;
use chassis::db::{List, contains};
use proto::matchup::v1::{
    MatchupFiguresReply, ProviderDetailReply, ProviderListRequest, ProviderPage, Rating,
};
use sea_orm::entity::prelude::*;
use sea_orm::{Order, PaginatorTrait, QueryOrder, QuerySelect};

use super::no_such_provider;
use crate::Matchup;
use crate::entity::provider::{Column, Entity, State};
use crate::entity::{demand, rating};
use crate::lists::{CATEGORIES, INDUSTRIES, REGIONS, SKILLS, to_strings};
use crate::state::{LARGEST_PAGE, called, invalid, joined};

const PAGE: i32 = 12;
const MOST_RATINGS: u64 = 20;

impl Matchup {
    pub(super) async fn providers(
        &self,
        form: &ProviderListRequest,
    ) -> Result<ProviderPage, ServiceError> {
        let shown = Entity::find_any().filter(Column::State.eq(State::Shown));
        let mut list = List::of(shown)
            .sizes(PAGE, LARGEST_PAGE)
            .search(&form.keyword, [Column::Name, Column::Introduce])
            .when(Column::Region, &form.region)
            // Users come before examples.
            .order_by(Column::Example, Order::Asc);
        for (column, name) in [
            (Column::Skills, &form.skill),
            (Column::Industries, &form.industry),
        ] {
            if !name.is_empty() {
                list = list.filter(contains(column, &joined(std::slice::from_ref(name))));
            }
        }
        let list = match form.sort.as_str() {
            "" | "new" => list,
            "rating" => list
                .order_by(Column::RatingMean, Order::Desc)
                .order_by(Column::RatingCount, Order::Desc),
            "done" => list.order_by(Column::Done, Order::Desc),
            _ => return Err(invalid("没有这种排序")),
        };
        let page = list
            .newest_first(Column::ShownAt, Column::Id)
            .page(form, &self.context.db)
            .await?;
        Ok(ProviderPage {
            total_count: page.total_count,
            results: self.cards(page.rows).await,
        })
    }

    pub(super) async fn provider(&self, id: &str) -> Result<ProviderDetailReply, ServiceError> {
        let db = &self.context.db;
        let found = Entity::find_any_by_id(id)
            .filter(Column::State.eq(State::Shown))
            .one(db)
            .await?;
        let row = found.ok_or_else(no_such_provider)?;
        let said = rating::Entity::find_any()
            .filter(rating::Column::Target.eq(&row.owner))
            .filter(rating::Column::OfProvider.eq(true))
            .order_by_desc(rating::Column::At)
            .limit(MOST_RATINGS)
            .all(db)
            .await?;
        let ratings = self.ratings(said).await;
        let card = self.cards(vec![row]).await.pop();
        Ok(ProviderDetailReply { card, ratings })
    }

    pub(crate) async fn ratings(&self, rows: Vec<rating::Model>) -> Vec<Rating> {
        let owners = rows.iter().map(|row| row.owner.as_str());
        let people = self.people.appearances(self.now(), owners).await;
        let views = rows.into_iter().map(|row| Rating {
            nickname: called(people.get(&row.owner)).0,
            stars: row.stars,
            content: row.content,
            title: row.title,
            at: row.at,
        });
        views.collect()
    }

    pub(super) async fn figures(&self) -> Result<MatchupFiguresReply, ServiceError> {
        let db = &self.context.db;
        let demands = |state: demand::State, example: bool| {
            demand::Entity::find_any()
                .filter(demand::Column::State.eq(state))
                .filter(demand::Column::Example.eq(example))
                .count(db)
        };
        let providers = |example: bool| {
            Entity::find_any()
                .filter(Column::State.eq(State::Shown))
                .filter(Column::Example.eq(example))
                .count(db)
        };
        let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        Ok(MatchupFiguresReply {
            open_demands: number(demands(demand::State::Open, false).await?),
            chosen_demands: number(demands(demand::State::Chosen, false).await?),
            closed_demands: number(demands(demand::State::Closed, false).await?),
            example_demands: number(demands(demand::State::Open, true).await?),
            providers: number(providers(false).await?),
            example_providers: number(providers(true).await?),
            categories: to_strings(&CATEGORIES),
            skills: to_strings(&SKILLS),
            industries: to_strings(&INDUSTRIES),
            regions: to_strings(&REGIONS),
        })
    }
}
