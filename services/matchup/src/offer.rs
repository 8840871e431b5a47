//! Offers: one per person and need, editable until one is chosen.

use std::collections::HashMap;

use chassis::db::List;
use chassis::db::list::choice;
use chassis::db::states::Transition;
use chassis::ids::new_id;
use chassis::texts::Rule;
use chassis::{BusinessError, ServiceError, db};
use proto::matchup::v1::{
    DemandOffersRequest, MyOffersRequest, Offer, OfferPage, SendOfferRequest,
};
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, PaginatorTrait, QuerySelect, Set};

use crate::Matchup;
use crate::demand::no_such_demand;
use crate::entity::demand;
use crate::entity::offer::{ActiveModel, Column, Entity, Model, State};
use crate::notify::Notification;
use crate::state::{LARGEST_PAGE, conflict, invalid};
use crate::texts::Said;

const PROPOSAL: Rule = Rule {
    called: "方案说明",
    lines: true,
};
const SHORTEST: usize = 10;
const PAGE: i32 = 20;
const OWN_PAGE: i32 = 10;

pub(crate) fn no_such_offer() -> ServiceError {
    BusinessError::not_found("没有这份报价").into()
}

impl Matchup {
    pub(crate) async fn offer_of(
        &self,
        db: &impl ConnectionTrait,
        demand: &str,
        owner: &str,
    ) -> Result<Option<Model>, DbErr> {
        Entity::find_own(owner)
            .filter(Column::DemandId.eq(demand))
            .one(db)
            .await
    }

    pub(crate) async fn send_offer(
        &self,
        owner: &str,
        form: &SendOfferRequest,
    ) -> Result<Offer, ServiceError> {
        let proposal = self
            .say(&PROPOSAL, &form.proposal, &mut Said::default())
            .await?;
        if proposal.chars().count() < SHORTEST {
            return Err(invalid("方案说明至少 10 个字，写清怎么做、交付什么"));
        }
        let transaction = db::begin_write(&self.context.db).await?;
        let demand = self.hold(&transaction, &form.demand_id).await?;
        if demand.owner == owner {
            return Err(conflict("不能给自己的需求报价"));
        }
        if demand.example {
            return Err(conflict("这是示例需求，不接受报价"));
        }
        let known = self.offer_of(&transaction, &demand.id, owner).await?;
        if demand.state != demand::State::Open || demand.until <= self.now() {
            return Err(match known {
                Some(_) => conflict("这个需求已不接受报价"),
                None => no_such_demand(),
            });
        }
        self.may_offer(&transaction, owner).await?;
        if known.is_none()
            && self.waiting(&transaction, owner).await? >= self.config.offers_per_person
        {
            return Err(conflict("等待选定的报价已达上限，请等待或撤回其他报价"));
        }
        let now = self.now();
        let offered = ActiveModel {
            title: Set(demand.title.clone()),
            price: Set(form.price),
            days: Set(form.days),
            proposal: Set(proposal),
            updated_at: Set(now),
            ..Default::default()
        };
        let is_new = known
            .as_ref()
            .is_none_or(|known| known.state == State::Lost);
        let offer = match known {
            Some(known) => {
                let moved = Transition::to(State::Sent)
                    .set(offered)
                    .only(Column::Id.eq(&known.id))
                    .take(&transaction)
                    .await?;
                let moved = moved.into_iter().next();
                moved.ok_or_else(|| conflict("这份报价已不能修改"))?
            }
            None => {
                let row = ActiveModel {
                    id: Set(new_id()),
                    demand_id: Set(demand.id.clone()),
                    owner: Set(owner.to_owned()),
                    state: Set(State::Sent),
                    created_at: Set(now),
                    ..offered
                };
                row.insert(&transaction).await?
            }
        };
        if is_new {
            let reply = Notification::of_demand("demandOffered", &demand.owner, &offer.id, &demand);
            self.notify(&transaction, reply).await?;
        }
        transaction.commit().await?;
        self.outbox.wake();
        self.one_offer(offer, demand.state).await
    }

    async fn waiting(&self, db: &impl ConnectionTrait, owner: &str) -> Result<u64, DbErr> {
        let sent = Entity::find_own(owner).filter(Column::State.eq(State::Sent));
        sent.count(db).await
    }

    pub(crate) async fn withdraw_offer(
        &self,
        owner: &str,
        id: &str,
    ) -> Result<Offer, ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        let known = Entity::find_own_by_id(owner, id).one(&transaction).await?;
        let known = known.ok_or_else(no_such_offer)?;
        let demand = self.hold(&transaction, &known.demand_id).await?;
        let moved = Transition::to(State::Withdrawn)
            .set(ActiveModel {
                updated_at: Set(self.now()),
                ..Default::default()
            })
            .only(Column::Id.eq(id))
            .take(&transaction)
            .await?;
        let moved = moved.into_iter().next();
        let moved = moved.ok_or_else(|| conflict("这份报价已有结果，不能撤回"))?;
        transaction.commit().await?;
        self.one_offer(moved, demand.state).await
    }

    async fn one_offer(&self, row: Model, state: demand::State) -> Result<Offer, ServiceError> {
        let mut reply = self.offers_view(vec![(row, Some(state))]).await?;
        reply.pop().ok_or_else(no_such_offer)
    }

    pub(crate) async fn offers_view(
        &self,
        rows: Vec<(Model, Option<demand::State>)>,
    ) -> Result<Vec<Offer>, DbErr> {
        let owners = rows.iter().map(|(row, _)| row.owner.as_str()).collect();
        let cards = self.cards_of(owners).await?;
        let reply = rows.into_iter().map(|(row, state)| Offer {
            provider: cards.get(&row.owner).cloned(),
            offer_id: row.id,
            demand_id: row.demand_id,
            state: row.state.name().to_owned(),
            price: row.price,
            days: row.days,
            proposal: row.proposal,
            updated_at: row.updated_at,
            title: row.title,
            demand_state: state.map_or("", demand::State::name).to_owned(),
        });
        Ok(reply.collect())
    }

    /// Offers for a need of the caller, without withdrawn ones.
    pub(crate) async fn offers_to(
        &self,
        owner: &str,
        form: &DemandOffersRequest,
    ) -> Result<OfferPage, ServiceError> {
        let db = &self.context.db;
        let demand = demand::Entity::find_own_by_id(owner, &form.demand_id)
            .one(db)
            .await?;
        let demand = demand.ok_or_else(no_such_demand)?;
        let rows = Entity::find_any()
            .filter(Column::DemandId.eq(&demand.id))
            .filter(Column::State.ne(State::Withdrawn));
        let page = List::of_few(rows)
            .sizes(PAGE, LARGEST_PAGE)
            .oldest_first(Column::CreatedAt, Column::Id)
            .page(form, db)
            .await?;
        let rows = page.rows.into_iter().map(|row| (row, Some(demand.state)));
        Ok(OfferPage {
            total_count: page.total_count,
            results: self.offers_view(rows.collect()).await?,
        })
    }

    pub(crate) async fn my_offers(
        &self,
        owner: &str,
        form: &MyOffersRequest,
    ) -> Result<OfferPage, ServiceError> {
        let db = &self.context.db;
        let page = List::<Entity>::own(owner)
            .when(
                Column::State,
                choice(&form.state, State::of, "没有这种状态")?,
            )
            .sizes(OWN_PAGE, LARGEST_PAGE)
            .newest_first(Column::UpdatedAt, Column::Id)
            .page(form, db)
            .await?;
        let ids: Vec<&str> = page.rows.iter().map(|row| row.demand_id.as_str()).collect();
        let states: HashMap<String, demand::State> = match ids.is_empty() {
            true => HashMap::new(),
            false => {
                let states: Vec<(String, demand::State)> = demand::Entity::find_any()
                    .select_only()
                    .column(demand::Column::Id)
                    .column(demand::Column::State)
                    .filter(demand::Column::Id.is_in(ids))
                    .into_tuple()
                    .all(db)
                    .await?;
                states.into_iter().collect()
            }
        };
        let rows = page.rows.into_iter().map(|row| {
            let state = states.get(&row.demand_id).copied();
            (row, state)
        });
        Ok(OfferPage {
            total_count: page.total_count,
            results: self.offers_view(rows.collect()).await?,
        })
    }
}
