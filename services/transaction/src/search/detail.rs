//! The public view of one listing, and of a maker.

use std::sync::PoisonError;

use chassis::{BusinessError, ServiceError, people};
use proto::transaction::v1::*;
use sea_orm::entity::prelude::*;
use sea_orm::{FromQueryResult, QueryOrder, QuerySelect};

use super::Search;
use super::answer::named;
use crate::entity::listing::{self, Column, Entity, State};
use crate::entity::{price_change, version};
use crate::listing::{no_such_listing, split};

const PRICES: i64 = 90 * 86_400_000;
/// Changes of the price that one answer holds.
const MOST_PRICES: u64 = 200;
const SIMILAR: i32 = 12;
const MOST_SIMILAR: i32 = 24;
const MOST_IDS: usize = 60;

#[derive(FromQueryResult)]
struct Made {
    models: i64,
    sold: Option<i64>,
    rating_sum: Option<i64>,
    rating_count: Option<i64>,
    since: Option<i64>,
}

impl Search {
    pub(super) async fn detail(&self, id: &str) -> Result<ModelDetailReply, ServiceError> {
        let listing = self.shown(id).await?;
        let versions = self.mall.versions(&listing.id).await?;
        let approved: Vec<&version::Model> = versions
            .iter()
            .filter(|one| one.state == version::State::Ready)
            .collect();
        let sold = approved
            .iter()
            .find(|one| one.number == listing.current_version);
        let view = sold
            .map(|one| self.mall.version_view(None, one))
            .unwrap_or_default();
        let label_ids = split(&listing.label_ids);
        let tree = self.tree().await?;
        let mut names = Vec::new();
        if let Some((name, parent)) = tree.get(&listing.category_id) {
            names.extend(tree.get(parent).map(|(name, _)| name.clone()));
            names.push(name.clone());
        }
        let labels = label_ids.iter().filter_map(|id| {
            Some(FacetBucket {
                key: id.clone(),
                name: facts::labels::name_of(id)?.to_owned(),
                count: 0,
            })
        });
        Ok(ModelDetailReply {
            description: listing.description.clone(),
            labels: labels.collect(),
            category_names: names,
            pictures: view.pictures,
            proxy_url: view.proxy_url,
            facts: sold.map(|one| one.facts.clone()).unwrap_or_default(),
            bytes: view.bytes,
            // Changed texts are no version to buyers.
            versions: approved
                .iter()
                .filter(|one| !one.texts_only)
                .map(|one| version_view(one))
                .collect(),
            prices: self.prices(&listing).await?,
            author: Some(self.author(&listing.seller).await?),
            listing: Some(self.mall.view(&listing)),
        })
    }

    /// A listing that the mall shows.
    async fn shown(&self, id: &str) -> Result<listing::Model, ServiceError> {
        let found = Entity::find_any_by_id(id)
            .filter(Column::State.eq(State::Listed))
            .filter(Column::Frozen.eq(false))
            .one(&self.mall.context.db)
            .await?;
        found.ok_or_else(no_such_listing)
    }

    /// Of the last 90 days, with the price at their beginning.
    async fn prices(&self, listing: &listing::Model) -> Result<Vec<PricePoint>, ServiceError> {
        let from = self.mall.now() - PRICES;
        let of =
            || price_change::Entity::find().filter(price_change::Column::ListingId.eq(&listing.id));
        let before = of()
            .filter(price_change::Column::At.lt(from))
            .order_by_desc(price_change::Column::At)
            .one(&self.mall.context.db)
            .await?;
        let mut since = of()
            .filter(price_change::Column::At.gte(from))
            .order_by_desc(price_change::Column::At)
            .limit(MOST_PRICES)
            .all(&self.mall.context.db)
            .await?;
        since.reverse();
        let first = before.map(|row| PricePoint {
            price: row.price,
            at: from,
        });
        let rest = since.into_iter().map(|row| PricePoint {
            price: row.price,
            at: row.at,
        });
        Ok(first.into_iter().chain(rest).collect())
    }

    async fn author(&self, seller: &str) -> Result<Author, ServiceError> {
        let made = Entity::find_own(seller)
            .select_only()
            .column_as(Column::Id.count(), "models")
            .column_as(Expr::cust("CAST(SUM(sold) AS BIGINT)"), "sold")
            .column_as(Expr::cust("CAST(SUM(rating_sum) AS BIGINT)"), "rating_sum")
            .column_as(
                Expr::cust("CAST(SUM(rating_count) AS BIGINT)"),
                "rating_count",
            )
            .column_as(Column::ListedAt.min(), "since")
            .filter(Column::State.eq(State::Listed))
            .filter(Column::Frozen.eq(false))
            .into_model::<Made>()
            .one(&self.mall.context.db)
            .await?;
        let maker = self.mall.modeler(&self.mall.context.db, seller).await?;
        let known_type = maker.as_ref().map_or(0, |maker| maker.known_type());
        let frozen = maker.is_some_and(|maker| maker.frozen);
        let appears = self.makers(std::iter::once(seller)).await.remove(seller);
        let appears = appears.unwrap_or_default();
        // Everyone has a page, with or without models; their followers find it.
        let known = !appears.login_id.is_empty();
        let shown = |made: &Made| !frozen && (known || made.models > 0 || known_type > 0);
        let made = made.filter(shown);
        let made = made.ok_or_else(|| BusinessError::not_found("没有这位作者"))?;
        Ok(Author {
            certified: people::mark_of(&appears),
            nickname: appears.nickname,
            avatar: appears.avatar,
            author_id: seller.to_owned(),
            uploader_type: known_type,
            models: made.models,
            sold: made.sold.unwrap_or(0),
            rating_sum: made.rating_sum.unwrap_or(0),
            rating_count: made.rating_count.unwrap_or(0),
            since: made.since.unwrap_or(0),
        })
    }

    pub(super) async fn author_page(&self, seller: &str) -> Result<AuthorReply, ServiceError> {
        let author = self.author(seller).await?;
        let own = super::find::Asked {
            any: vec![("seller", vec![seller.to_owned()])],
            ..Default::default()
        };
        let found = self.asked(move |listings| listings.find(&own)).await?;
        let tree = self.tree().await?;
        let counted = found.facets.get("category").map_or(&[][..], Vec::as_slice);
        let page = match self.mall.modeler(&self.mall.context.db, seller).await? {
            Some(maker) => Some(self.mall.page_view(&maker).await?),
            None => None,
        };
        Ok(AuthorReply {
            page,
            author: Some(author),
            categories: named("category", counted, &tree),
        })
    }

    pub(super) async fn similar(
        &self,
        form: &SimilarModelsRequest,
    ) -> Result<Vec<Listing>, ServiceError> {
        let listing = self.shown(&form.model_id).await?;
        self.ready().await?;
        let size = match form.size {
            ..=0 => SIMILAR,
            size => size.min(MOST_SIMILAR),
        } as usize;
        let descriptors = self.descriptors.clone();
        let near = tokio::task::spawn_blocking(move || {
            let descriptors = descriptors.read().unwrap_or_else(PoisonError::into_inner);
            descriptors.near(&listing.id, size)
        });
        let near = near.await.map_err(anyhow::Error::from)?;
        self.cards(&near).await
    }

    pub(super) async fn by_ids(&self, ids: &str) -> Result<Vec<Listing>, ServiceError> {
        let ids = split(ids);
        if ids.is_empty() || ids.len() > MOST_IDS {
            return Err(BusinessError::invalid("一次请选择1到60个模型").into());
        }
        self.cards(&ids).await
    }
}

fn version_view(version: &version::Model) -> ModelVersion {
    ModelVersion {
        number: version.number,
        notes: version.notes.clone(),
        format: version.format.clone(),
        bytes: version.bytes,
        created_at: version.created_at,
    }
}
