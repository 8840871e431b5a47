//! Listings and categories as operators have them.

mod categories;
mod decide;
pub(crate) mod likeness;

use std::collections::HashMap;

use chassis::db::list::choice;
use chassis::db::{List, contains};
use chassis::{Operator, ServiceError};
use proto::transaction::v1::*;
use sea_orm::entity::prelude::*;
use sea_orm::{Condition, QuerySelect};

use crate::Mall;
use crate::entity::listing::{self, Column, Entity, State};
use crate::entity::{approval, version};
use crate::listing::{no_such_listing, split};

impl ListingConsoleCalls<ServiceError> for Mall {
    async fn listing_search(
        &self,
        _: &Operator,
        form: ListingSearchRequest,
    ) -> Result<ListingSearchReply, ServiceError> {
        let waiting = version::Entity::find()
            .filter(version::Column::State.eq(version::State::Submitted))
            .count(&self.context.db)
            .await?;
        let (mut listings, next) = match form.state.as_str() {
            "" => self.waiting(&form).await?,
            _ => self.in_state(&form).await?,
        };
        let shown = listings.iter_mut().filter_map(|one| one.listing.as_mut());
        self.name_makers(shown).await;
        Ok(ListingSearchReply {
            listings,
            next,
            waiting: i64::try_from(waiting).unwrap_or(i64::MAX),
        })
    }

    async fn listing_show(
        &self,
        _: &Operator,
        form: ListingShowRequest,
    ) -> Result<ListingShowReply, ServiceError> {
        let id = &form.listing_id;
        let listing = Entity::find_any_by_id(id).one(&self.context.db).await?;
        let listing = listing.ok_or_else(no_such_listing)?;
        let newest = self.newest(&self.context.db, &listing).await?;
        let versions = self.versions(id).await?;
        let mut item = self.item(&listing, Some(&newest));
        let mut twins = self.twins(&listing, &newest).await?;
        let shown = twins.iter_mut().filter_map(|twin| twin.listing.as_mut());
        self.name_makers(shown.chain(item.listing.as_mut())).await;
        let labels = item.listing.as_ref().map_or(&[][..], |one| &one.label_ids);
        Ok(ListingShowReply {
            label_names: label_names(labels),
            hints: hints(&newest),
            item: Some(item),
            description: newest.description.clone(),
            versions: versions
                .iter()
                .map(|one| self.version_view(None, one))
                .collect(),
            records: self.records(id).await?,
            facts: chassis::json::object_of(&newest.facts),
            approved_facts: sold_facts(&listing, &newest, &versions)
                .and_then(chassis::json::object_of),
            twins,
            strikes: self.strikes(&listing.seller).await?,
            approved: approved(&listing, &newest),
        })
    }

    async fn listing_claim(
        &self,
        operator: &Operator,
        form: ListingClaimRequest,
    ) -> Result<(), ServiceError> {
        self.claim(operator, &form).await
    }

    async fn listing_decide(
        &self,
        operator: &Operator,
        form: ListingDecideRequest,
    ) -> Result<(), ServiceError> {
        self.decide(operator, &form).await
    }

    async fn listing_take_down(
        &self,
        operator: &Operator,
        form: ListingActRequest,
    ) -> Result<(), ServiceError> {
        self.act(operator, &form, State::TakenDown).await
    }

    async fn listing_restore(
        &self,
        operator: &Operator,
        form: ListingActRequest,
    ) -> Result<(), ServiceError> {
        self.act(operator, &form, State::Listed).await
    }

    async fn listing_remove(
        &self,
        operator: &Operator,
        form: ListingActRequest,
    ) -> Result<(), ServiceError> {
        self.act(operator, &form, State::Removed).await
    }

    async fn category_list(
        &self,
        _: &Operator,
        _: CategoryListRequest,
    ) -> Result<CategoryListReply, ServiceError> {
        self.list_categories().await
    }

    async fn category_save(
        &self,
        operator: &Operator,
        form: CategorySaveRequest,
    ) -> Result<Category, ServiceError> {
        self.save_category(operator, form).await
    }
}

impl Mall {
    /// What waits for an operator, the oldest first.
    async fn waiting(
        &self,
        form: &ListingSearchRequest,
    ) -> Result<(Vec<ListingItem>, String), ServiceError> {
        let rows =
            version::Entity::find().filter(version::Column::State.eq(version::State::Submitted));
        let list = match form.text.trim() {
            "" => List::of(rows),
            text => List::of(rows).filter(
                Condition::any()
                    .add(contains(version::Column::Name, text))
                    .add(version::Column::ListingId.eq(text)),
            ),
        };
        let found = list
            .oldest_first(version::Column::SubmittedAt, version::Column::ListingId)
            .following(form, &self.context.db)
            .await?;
        let ids = found.rows.iter().map(|one| one.listing_id.as_str());
        let listings: HashMap<String, listing::Model> = Entity::find_any()
            .filter(Column::Id.is_in(ids))
            .all(&self.context.db)
            .await?
            .into_iter()
            .map(|one| (one.id.clone(), one))
            .collect();
        let items = found.rows.iter().filter_map(|version| {
            let listing = listings.get(&version.listing_id)?;
            Some(self.item(listing, Some(version)))
        });
        Ok((items.collect(), found.next))
    }

    async fn in_state(
        &self,
        form: &ListingSearchRequest,
    ) -> Result<(Vec<ListingItem>, String), ServiceError> {
        let mut list = List::of(Entity::find_any()).when(
            Column::State,
            choice(&form.state, State::of, "没有这种状态")?,
        );
        let text = form.text.trim();
        if !text.is_empty() {
            list = list.filter(
                Condition::any()
                    .add(contains(Column::Name, text))
                    .add(Column::Id.eq(text))
                    .add(Column::Seller.eq(text)),
            );
        }
        let found = list
            .newest_first(Column::UpdatedAt, Column::Id)
            .following(form, &self.context.db)
            .await?;
        let newest = self.newest_of(&found.rows).await?;
        let items = found
            .rows
            .iter()
            .map(|one| self.item(one, newest.get(&one.id)))
            .collect();
        Ok((items, found.next))
    }

    /// With the texts of the version under review, where there is one.
    fn item(&self, listing: &listing::Model, newest: Option<&version::Model>) -> ListingItem {
        let mut shown = self.view(listing);
        let mut item = ListingItem {
            state: listing.state.name().to_owned(),
            ..Default::default()
        };
        if let Some(version) = newest.filter(|one| one.state == version::State::Submitted) {
            shown.name = version.name.clone();
            shown.category_id = version.category_id.clone();
            shown.label_ids = split(&version.label_ids);
            shown.intro = version.intro.clone();
            shown.origin = version.origin.name().to_owned();
            shown.formats = vec![version.format.clone()];
            shown.triangles = version.triangles;
            shown.score = version.score;
            shown.animation = version.animation;
            if let Some(picture) = crate::listing::pictures(version).first() {
                shown.thumb_url = self.address(&picture.key);
            }
            item.reviewed_version = version.number;
            item.submitted_at = version.submitted_at;
            if version.claimed_until > self.now() {
                item.claimed_by = version.claimed_by.clone();
            }
        }
        item.listing = Some(shown);
        item
    }

    /// Adds the names of their makers, as far as personal returns them in time.
    async fn name_makers(&self, listings: impl Iterator<Item = &mut Listing>) {
        let mut listings: Vec<&mut Listing> = listings.collect();
        let sellers = listings.iter().map(|one| one.seller.as_str());
        let people = self.appearances(sellers).await;
        for listing in &mut listings {
            if let Some(person) = people.get(&listing.seller) {
                listing.seller_name.clone_from(&person.nickname);
            }
        }
    }

    /// How often listings of a maker were refused, or taken down and not found to be without ground.
    pub(crate) async fn strikes(&self, seller: &str) -> Result<i64, ServiceError> {
        let own = sea_orm::sea_query::Query::select()
            .column(Column::Id)
            .from(Entity)
            .and_where(Column::Seller.eq(seller))
            .to_owned();
        let counted: Vec<(approval::Action, i64)> = approval::Entity::find()
            .select_only()
            .column(approval::Column::Action)
            .column_as(approval::Column::ListingId.count(), "count")
            .filter(approval::Column::ListingId.in_subquery(own))
            .filter(approval::Column::Action.is_in([
                approval::Action::Refused,
                approval::Action::TakenDown,
                approval::Action::Cleared,
            ]))
            .group_by(approval::Column::Action)
            .into_tuple()
            .all(&self.context.db)
            .await?;
        let sign = |action| match action {
            approval::Action::Cleared => -1,
            _ => 1,
        };
        Ok(counted
            .into_iter()
            .map(|(action, count)| sign(action) * count)
            .sum())
    }
}

/// The engine's findings on what is sold, if another file is under review.
fn sold_facts<'a>(
    listing: &listing::Model,
    newest: &version::Model,
    versions: &'a [version::Model],
) -> Option<&'a str> {
    let waits = newest.state == version::State::Submitted && !newest.texts_only;
    let mut sold = versions.iter().filter(|_| waits);
    let sold = sold.find(|one| one.number == listing.current_version);
    sold.map(|one| one.facts.as_str())
}

/// Texts of a version that seem to hold a contact.
fn hints(version: &version::Model) -> Vec<String> {
    let texts = [
        ("名称", &version.name),
        ("一句话介绍", &version.intro),
        ("详细说明", &version.description),
        ("版本说明", &version.notes),
    ];
    let hint = |(called, text): (&str, &String)| {
        let mut found = contentscan::contacts::all(text);
        found.extend(contentscan::contacts::has_link(text).then_some("网址"));
        (!found.is_empty()).then(|| format!("{called}中疑似有{}", found.join("、")))
    };
    texts.into_iter().filter_map(hint).collect()
}

fn label_names(ids: &[String]) -> Vec<String> {
    let name = |id: &String| facts::labels::name_of(id).unwrap_or(id).to_owned();
    ids.iter().map(name).collect()
}

/// What the mall says of a listing while other texts wait for review.
fn approved(listing: &listing::Model, newest: &version::Model) -> Option<ListingTexts> {
    let waits = newest.state == version::State::Submitted && listing.listed_at != 0;
    let labels = split(&listing.label_ids);
    waits.then(|| ListingTexts {
        name: listing.name.clone(),
        category_id: listing.category_id.clone(),
        label_names: label_names(&labels),
        label_ids: labels,
        intro: listing.intro.clone(),
        description: listing.description.clone(),
        origin: listing.origin.name().to_owned(),
    })
}
