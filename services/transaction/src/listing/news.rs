//! Those who have a model are told of its new versions, a page at a time: there may be many.

use std::time::Duration;

use chassis::rights::PSEUDONYM;
use chassis::{ServiceError, db};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{DatabaseTransaction, QueryOrder, QuerySelect};

use crate::Mall;
use crate::entity::version_news::{Column, Entity, Model};
use crate::entity::{grant, listing, version};
use crate::notify::Notification;

const PERIOD: Duration = Duration::from_secs(5);
/// Owners who are told in one transaction.
const PAGE: u64 = 200;

/// Starts to tell owners.
pub(crate) fn spawn(mall: &Mall) {
    let woken = mall.news.clone();
    let mall = mall.clone();
    let shutdown = mall.context.shutdown.clone();
    shutdown.every_or_woken(PERIOD, woken, "news of versions", move || {
        let mall = mall.clone();
        async move { mall.tell_owners().await }
    });
}

impl Mall {
    /// Notes that the owners of a listing are to be told of this version.
    pub(crate) async fn announce(
        &self,
        transaction: &DatabaseTransaction,
        version: &version::Model,
    ) -> Result<(), DbErr> {
        let row = Model {
            listing_id: version.listing_id.clone(),
            number: version.number,
            told_to: String::new(),
            at: self.now(),
        };
        db::insert(row, transaction).await
    }

    /// Tells one page of owners; whether there may be more.
    async fn tell_owners(&self) -> Result<bool, ServiceError> {
        let due = Entity::find()
            .order_by_asc(Column::At)
            .one(&self.context.db)
            .await?;
        let Some(due) = due else {
            return Ok(false);
        };
        let transaction = db::begin_write(&self.context.db).await?;
        let of = |due: &Model| {
            Column::ListingId
                .eq(&due.listing_id)
                .and(Column::Number.eq(due.number))
        };
        // Holds it against other replicas, and reads how far they came.
        let held = Entity::update_many()
            .col_expr(Column::At, Expr::col(Column::At))
            .filter(of(&due))
            .exec_with_returning(&transaction)
            .await?;
        if let Some(due) = held.into_iter().next() {
            let last = self.tell_page(&transaction, &due).await?;
            match last {
                Some(last) => {
                    Entity::update_many()
                        .col_expr(Column::ToldTo, Expr::value(last))
                        .filter(of(&due))
                        .exec(&transaction)
                        .await?;
                }
                None => {
                    Entity::delete_many()
                        .filter(of(&due))
                        .exec(&transaction)
                        .await?;
                }
            }
        }
        transaction.commit().await?;
        self.outbox.wake();
        Ok(true)
    }

    /// The last grant told, if there may be more.
    async fn tell_page(
        &self,
        transaction: &DatabaseTransaction,
        due: &Model,
    ) -> Result<Option<String>, ServiceError> {
        let listing = listing::Entity::find_any_by_id(&due.listing_id)
            .one(transaction)
            .await?;
        let key = (due.listing_id.clone(), due.number);
        let version = version::Entity::find_by_id(key).one(transaction).await?;
        let (Some(listing), Some(version)) = (listing, version) else {
            return Ok(None);
        };
        // Who got it later has this version from the start; a pseudonym has no account.
        let owners = grant::Entity::find_any()
            .filter(grant::Column::ListingId.eq(&due.listing_id))
            .filter(grant::Column::State.is_in(grant::State::HAD))
            .filter(grant::Column::GotAt.lte(due.at))
            .filter(grant::Column::Id.gt(&due.told_to))
            .filter(grant::Column::Owner.starts_with(PSEUDONYM).not())
            .order_by_asc(grant::Column::Id)
            .limit(PAGE)
            .all(transaction)
            .await?;
        let thing = format!("{}-{}", due.listing_id, due.number);
        for grant in &owners {
            let message = Notification::new("versionAdded", &grant.owner, &thing, &listing)
                .because(&version.notes)
                .at(due.at);
            self.notify(transaction, message).await?;
        }
        let last = owners.last().filter(|_| owners.len() as u64 == PAGE);
        Ok(last.map(|grant| grant.id.clone()))
    }
}
