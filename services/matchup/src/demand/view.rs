//! A need as its viewer may see it.

use std::collections::HashMap;

use chassis::{Grantee, ServiceError};
use proto::matchup::v1::{Demand, DemandFile, Rating};
use sea_orm::entity::prelude::*;

use sea_orm::{ConnectionTrait, QueryOrder, QuerySelect};

use super::no_such_demand;
use crate::Matchup;
use crate::entity::demand::{Entity, Model, State};
use crate::entity::{file, offer, rating};
use crate::rating::stars_of;
use crate::state::called;

/// Relation of the viewer to a need.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Viewer {
    Owner,
    Chosen,
    /// Has made an offer; another one may have been chosen.
    Offering,
    Anybody,
}

fn viewer(login_id: &str, demand: &Model, offer: Option<&offer::Model>) -> Viewer {
    match (login_id, offer) {
        ("", _) => Viewer::Anybody,
        (id, _) if id == demand.owner => Viewer::Owner,
        (id, _) if id == demand.chosen_owner => Viewer::Chosen,
        (_, Some(_)) => Viewer::Offering,
        _ => Viewer::Anybody,
    }
}

/// Whether the viewer may see a need in this state.
fn is_open_to(viewer: Viewer, state: State) -> bool {
    match viewer {
        Viewer::Owner => true,
        Viewer::Chosen | Viewer::Offering => {
            matches!(state, State::Open | State::Chosen | State::Closed)
        }
        Viewer::Anybody => state == State::Open,
    }
}

type Counts = HashMap<String, i64>;

async fn offer_counts(db: &impl ConnectionTrait, ids: &[&str]) -> Result<Counts, DbErr> {
    let counted: Vec<(String, i64)> = offer::Entity::find_any()
        .select_only()
        .column(offer::Column::DemandId)
        .column_as(offer::Column::Id.count(), "count")
        .filter(offer::Column::DemandId.is_in(ids.iter().copied()))
        // Offers of an earlier round are not counted.
        .filter(offer::Column::State.is_in([offer::State::Sent, offer::State::Chosen]))
        .group_by(offer::Column::DemandId)
        .into_tuple()
        .all(db)
        .await?;
    Ok(counted.into_iter().collect())
}

async fn file_counts(db: &impl ConnectionTrait, ids: &[&str]) -> Result<Counts, DbErr> {
    let counted: Vec<(String, i64)> = file::Entity::find()
        .select_only()
        .column(file::Column::DemandId)
        .column_as(file::Column::Id.count(), "count")
        .filter(file::Column::DemandId.is_in(ids.iter().copied()))
        .group_by(file::Column::DemandId)
        .into_tuple()
        .all(db)
        .await?;
    Ok(counted.into_iter().collect())
}

impl Matchup {
    /// Needs without files, contacts and offers.
    pub(crate) async fn listed(
        &self,
        viewer: &str,
        rows: Vec<Model>,
    ) -> Result<Vec<Demand>, ServiceError> {
        let db = &self.context.db;
        let ids: Vec<&str> = rows.iter().map(|row| row.id.as_str()).collect();
        let (offers, files) = match ids.is_empty() {
            true => (Counts::new(), Counts::new()),
            false => (offer_counts(db, &ids).await?, file_counts(db, &ids).await?),
        };
        let owners = rows.iter().map(|row| row.owner.as_str());
        let owners = owners.filter(|owner| !owner.starts_with('#'));
        let people = self.people.appearances(self.now(), owners).await;
        let listed = rows.into_iter().map(|row| {
            let (nickname, certified) = match row.example {
                true => ("玄览云示例".to_owned(), false),
                false => called(people.get(&row.owner)),
            };
            let mine = !viewer.is_empty() && viewer == row.owner;
            Demand {
                offer_count: offers.get(&row.id).copied().unwrap_or(0),
                file_count: files
                    .get(&row.id)
                    .and_then(|count| i32::try_from(*count).ok())
                    .unwrap_or(0),
                demand_id: row.id,
                state: row.state.name().to_owned(),
                category: row.category,
                title: row.title,
                content: row.content,
                industry: row.industry,
                budget_low: row.budget_low,
                budget_high: row.budget_high,
                until: row.until,
                opened_at: row.opened_at,
                updated_at: row.updated_at,
                nickname,
                certified,
                example: row.example,
                mine,
                reason: if mine { row.reason } else { String::new() },
                ..Default::default()
            }
        });
        Ok(listed.collect())
    }

    pub(crate) async fn files_of(
        &self,
        to: &Grantee<'_>,
        id: &str,
    ) -> Result<Vec<DemandFile>, DbErr> {
        let rows = file::Entity::find()
            .filter(file::Column::DemandId.eq(id))
            .order_by_asc(file::Column::Id)
            .all(&self.context.db)
            .await?;
        let views = rows.into_iter().map(|row| DemandFile {
            url: self.address(to, &row.object_key, &row.name),
            file_id: row.id,
            name: row.name,
            bytes: row.bytes,
        });
        Ok(views.collect())
    }

    /// A need for its viewer. Errors: not found, or not visible to the viewer.
    pub(crate) async fn detail(&self, to: &Grantee<'_>, id: &str) -> Result<Demand, ServiceError> {
        let login_id = to.user;
        let db = &self.context.db;
        let row = Entity::find_any_by_id(id).one(db).await?;
        let row = row.ok_or_else(no_such_demand)?;
        let own_offer = match login_id {
            "" => None,
            login_id => self.offer_of(db, id, login_id).await?,
        };
        let viewer = viewer(login_id, &row, own_offer.as_ref());
        if !is_open_to(viewer, row.state) {
            return Err(no_such_demand());
        }
        let mut views = self.listed(login_id, vec![row.clone()]).await?;
        let mut views = views.pop().ok_or_else(no_such_demand)?;
        (views.rating_count, views.rating_sum) = stars_of(db, &row.owner, false).await?;
        let chosen = matches!(row.state, State::Chosen | State::Closed);
        if viewer == Viewer::Owner || (viewer == Viewer::Chosen && chosen) {
            views.files = self.files_of(to, id).await?;
            (views.given, views.received) = self.both_ratings(login_id, &row).await?;
        }
        let offer = match viewer {
            Viewer::Owner if chosen => {
                offer::Entity::find_own_by_id(&row.chosen_owner, &row.chosen_offer)
                    .one(db)
                    .await?
            }
            _ => own_offer,
        };
        if let Some(offer) = offer {
            views.offer = self
                .offers_view(vec![(offer, Some(row.state))])
                .await?
                .pop();
        }
        match viewer {
            Viewer::Owner => {
                if chosen {
                    let other = self.person(db, &row.chosen_owner).await?;
                    views.contact = other.map(|one| one.contact).unwrap_or_default();
                }
                views.own_contact = row.contact;
            }
            Viewer::Chosen if chosen => views.contact = row.contact,
            _ => {}
        }
        Ok(views)
    }

    async fn both_ratings(
        &self,
        login_id: &str,
        row: &Model,
    ) -> Result<(Option<Rating>, Option<Rating>), DbErr> {
        let said = rating::Entity::find_any()
            .filter(rating::Column::DemandId.eq(&row.id))
            .all(&self.context.db)
            .await?;
        let (own, others): (Vec<_>, Vec<_>) =
            said.into_iter().partition(|one| one.owner == login_id);
        Ok((
            self.ratings(own).await.pop(),
            self.ratings(others).await.pop(),
        ))
    }
}
