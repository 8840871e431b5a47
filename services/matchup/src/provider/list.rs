//! Providers: the market, one of them, and the figures of this installation.

use chassis::db::contains;
use chassis::{ServiceError, db};
use proto::matchup::v1::{
    MatchupFiguresReply, ProviderDetailReply, ProviderListRequest, ProviderPage, Rating,
};
use sea_orm::entity::prelude::*;
use sea_orm::{Condition, PaginatorTrait, QueryOrder, QuerySelect};

use super::no_such_provider;
use crate::Matchup;
use crate::entity::provider::{Column, Entity, State};
use crate::entity::{demand, rating};
use crate::lists::{CATEGORIES, INDUSTRIES, REGIONS, SKILLS, told};
use crate::state::{called, invalid, joined, page_of};

const PAGE: i32 = 12;
const MOST_RATINGS: u64 = 20;

impl Matchup {
    pub(super) async fn providers(
        &self,
        form: &ProviderListRequest,
    ) -> Result<ProviderPage, ServiceError> {
        let size = page_of(form.page_size, PAGE)?;
        let mut rows = Entity::find().filter(Column::State.eq(State::Shown));
        let keyword = form.keyword.trim();
        if !keyword.is_empty() {
            let found = Condition::any()
                .add(contains(Column::Name, keyword))
                .add(contains(Column::Introduce, keyword));
            rows = rows.filter(found);
        }
        for (column, name) in [
            (Column::Skills, &form.skill),
            (Column::Industries, &form.industry),
        ] {
            if !name.is_empty() {
                rows = rows.filter(contains(column, &joined(std::slice::from_ref(name))));
            }
        }
        if !form.region.is_empty() {
            rows = rows.filter(Column::Region.eq(&form.region));
        }
        // People come before examples.
        let rows = rows.order_by_asc(Column::Example);
        let rows = match form.sort.as_str() {
            "" | "new" => rows,
            "rating" => rows
                .order_by_desc(Column::RatingMean)
                .order_by_desc(Column::RatingCount),
            "done" => rows.order_by_desc(Column::Done),
            _ => return Err(invalid("没有这种排序")),
        };
        let rows = rows
            .order_by_desc(Column::ShownAt)
            .order_by_desc(Column::Id);
        let (total_count, found) = db::paged(rows, form.page_no, size, &self.context.db).await?;
        Ok(ProviderPage {
            total_count,
            results: self.cards(found).await,
        })
    }

    pub(super) async fn provider(&self, id: &str) -> Result<ProviderDetailReply, ServiceError> {
        let db = &self.context.db;
        let found = Entity::find_by_id(id)
            .filter(Column::State.eq(State::Shown))
            .one(db)
            .await?;
        let row = found.ok_or_else(no_such_provider)?;
        let said = rating::Entity::find()
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
        let told = rows.into_iter().map(|row| Rating {
            nickname: called(people.get(&row.owner)).0,
            stars: row.stars,
            content: row.content,
            title: row.title,
            at: row.at,
        });
        told.collect()
    }

    pub(super) async fn figures(&self) -> Result<MatchupFiguresReply, ServiceError> {
        let db = &self.context.db;
        let demands = |state: demand::State, example: bool| {
            demand::Entity::find()
                .filter(demand::Column::State.eq(state))
                .filter(demand::Column::Example.eq(example))
                .count(db)
        };
        let providers = |example: bool| {
            Entity::find()
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
            categories: told(&CATEGORIES),
            skills: told(&SKILLS),
            industries: told(&INDUSTRIES),
            regions: told(&REGIONS),
        })
    }
}
