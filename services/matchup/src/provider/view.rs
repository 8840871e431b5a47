//! Providers for other users.

use std::collections::HashMap;

use proto::matchup::v1::ProviderCard;
use proto::personal::v1::Appearance;
use sea_orm::entity::prelude::*;

use crate::Matchup;
use crate::entity::provider::{Column, Entity, Model};
use crate::state::{certified_name, split};

/// Login id of a user; empty for an example.
pub(crate) fn login_of(owner: &str) -> String {
    match owner.starts_with('#') {
        true => String::new(),
        false => owner.to_owned(),
    }
}

pub(crate) fn card(row: Model, person: Option<&Appearance>) -> ProviderCard {
    let certified = certified_name(person);
    // If personal is unavailable, the name at the time of publication.
    let name = match certified.is_empty() {
        true => row.name,
        false => certified.clone(),
    };
    ProviderCard {
        provider_id: row.id,
        user_id: login_of(&row.owner),
        name,
        avatar: person.map(|one| one.avatar.clone()).unwrap_or_default(),
        certified: !certified.is_empty(),
        skills: split(&row.skills),
        industries: split(&row.industries),
        region: row.region,
        introduce: row.introduce,
        example: row.example,
        done: row.done,
        rating_count: row.rating_count,
        rating_sum: row.rating_sum,
        shown_at: row.shown_at,
    }
}

impl Matchup {
    pub(crate) async fn cards(&self, rows: Vec<Model>) -> Vec<ProviderCard> {
        let owners = rows.iter().map(|row| row.owner.as_str());
        let owners = owners.filter(|owner| !owner.starts_with('#'));
        let people = self.people.appearances(self.now(), owners).await;
        let cards = rows.into_iter().map(|row| {
            let person = people.get(&row.owner);
            card(row, person)
        });
        cards.collect()
    }

    /// Cards of these users, by login id.
    pub(crate) async fn cards_of(
        &self,
        owners: Vec<&str>,
    ) -> Result<HashMap<String, ProviderCard>, DbErr> {
        if owners.is_empty() {
            return Ok(HashMap::new());
        }
        let rows = Entity::find_any()
            .filter(Column::Owner.is_in(owners))
            .all(&self.context.db)
            .await?;
        let cards = self.cards(rows).await;
        Ok(cards
            .into_iter()
            .map(|card| (card.user_id.clone(), card))
            .collect())
    }
}
