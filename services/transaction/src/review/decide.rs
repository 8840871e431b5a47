//! What operators do to listings. Effect and audit entry are one transaction.

use chassis::audit::{self, Deed};
use chassis::{BusinessError, Operator, ServiceError, db};
use proto::transaction::v1::{
    AuditRecorded, ListingActRequest, ListingClaimRequest, ListingDecideRequest,
};
use sea_orm::entity::prelude::*;
use sea_orm::{Condition, DatabaseTransaction, IntoActiveModel, Set};
use serde_json::{Value, json};

use crate::Mall;
use crate::entity::approval::Action;
use crate::entity::listing::{self, State};
use crate::entity::version;
use crate::listing::{Change, conflict, no_such_listing, pictures};

/// How long an operator has a version to himself.
const CLAIM_MS: i64 = 30 * 60_000;

const SUBMITTED: &[version::State] = &[version::State::Submitted];

impl Mall {
    /// Writes the entry of what `operator` does to `target`.
    pub(crate) async fn audit(
        &self,
        transaction: &DatabaseTransaction,
        operator: &Operator,
        target: &str,
        (before, after): (Value, Value),
        reason: &str,
    ) -> Result<(), ServiceError> {
        let deed = Deed {
            target,
            before,
            after,
            reason,
        };
        let event = |entry| AuditRecorded { entry: Some(entry) };
        audit::record(
            &self.outbox,
            transaction,
            crate::NAME,
            operator,
            deed,
            event,
        )
        .await
    }

    async fn reviewed(
        &self,
        transaction: &DatabaseTransaction,
        id: &str,
    ) -> Result<(listing::Model, version::Model), ServiceError> {
        let listing = self.lock(transaction, id).await?;
        let listing = listing.ok_or_else(no_such_listing)?;
        let version = self.newest(transaction, &listing).await?;
        if version.state != version::State::Submitted {
            return Err(conflict("这个模型没有待审核的内容，可能已被处理"));
        }
        Ok((listing, version))
    }

    /// Takes a version for the operator, or gives it back.
    pub(super) async fn claim(
        &self,
        operator: &Operator,
        form: &ListingClaimRequest,
    ) -> Result<(), ServiceError> {
        let id = &form.listing_id;
        let transaction = db::begin_write(&self.context.db).await?;
        let (_, version) = self.reviewed(&transaction, id).await?;
        let now = self.now();
        let free = Condition::any()
            .add(version::Column::ClaimedBy.eq(operator.name()))
            .add(version::Column::ClaimedUntil.lte(now));
        let claimed = version::Entity::update_many()
            .set(version::ActiveModel {
                claimed_by: Set(operator.name().to_owned()),
                claimed_until: Set(if form.release { 0 } else { now + CLAIM_MS }),
                ..Default::default()
            })
            .filter(version::Column::ListingId.eq(id))
            .filter(version::Column::Number.eq(version.number))
            .filter(version::Column::State.eq(version::State::Submitted))
            .filter(free)
            .exec(&transaction)
            .await?;
        if claimed.rows_affected == 0 {
            let message = format!("{} 正在审核这个模型", version.claimed_by);
            return Err(conflict(&message));
        }
        let audited = (
            Value::Null,
            json!({"version": version.number, "release": form.release}),
        );
        self.audit(&transaction, operator, id, audited, "").await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }

    pub(super) async fn decide(
        &self,
        operator: &Operator,
        form: &ListingDecideRequest,
    ) -> Result<(), ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        let (listing, version) = self.reviewed(&transaction, &form.listing_id).await?;
        if version.claimed_until > self.now() && version.claimed_by != operator.name() {
            let message = format!("{} 正在审核这个模型", version.claimed_by);
            return Err(conflict(&message));
        }
        if version.number != form.version {
            return Err(conflict("模型已提交新的内容，请重新查看"));
        }
        match form.decision.as_str() {
            "approve" => {
                self.approve(&transaction, &listing.id, version.number)
                    .await?
            }
            "changes" => {
                self.reject(
                    &transaction,
                    &listing,
                    &version,
                    Action::Changes,
                    &form.reason,
                )
                .await?;
            }
            "refuse" => {
                self.reject(
                    &transaction,
                    &listing,
                    &version,
                    Action::Refused,
                    &form.reason,
                )
                .await?;
            }
            _ => return Err(BusinessError::invalid("没有这种审核结果").into()),
        }
        let audited = (
            json!({"state": listing.state.name(), "version": version.number}),
            json!({"decision": form.decision}),
        );
        self.audit(&transaction, operator, &listing.id, audited, &form.reason)
            .await?;
        transaction.commit().await?;
        self.outbox.wake();
        self.news.notify_one();
        Ok(())
    }

    /// Shows what waits for review: from now on it is what the mall shows and sells. The caller has locked the listing.
    pub(crate) async fn approve(
        &self,
        transaction: &DatabaseTransaction,
        id: &str,
        number: i32,
    ) -> Result<(), ServiceError> {
        let key = (id.to_owned(), number);
        let version = version::Entity::find_by_id(key).one(transaction).await?;
        let version = version.ok_or_else(no_such_listing)?;
        let approved = self
            .move_version(
                transaction,
                &version,
                (SUBMITTED, version::State::Ready),
                |_| {},
            )
            .await?;
        if !approved {
            return Err(conflict("这个模型没有待审核的内容，可能已被处理"));
        }
        let listing = listing::Entity::find_any_by_id(id).one(transaction).await?;
        let listing = listing.ok_or_else(no_such_listing)?;
        let first = listing.listed_at == 0;
        let now = self.now();
        let mut row = listing.clone().into_active_model();
        row.updated_at = Set(now);
        row.name = Set(version.name.clone());
        row.category_id = Set(version.category_id.clone());
        row.label_ids = Set(version.label_ids.clone());
        row.intro = Set(version.intro.clone());
        row.description = Set(version.description.clone());
        row.origin = Set(version.origin);
        if !version.texts_only {
            let made = pictures(&version);
            let of = |kind: &str| made.iter().find(|one| one.kind == kind);
            let key = |kind: &str| of(kind).map(|one| one.key.clone()).unwrap_or_default();
            row.current_version = Set(number);
            row.format = Set(version.format.clone());
            row.triangles = Set(version.triangles);
            row.animation = Set(version.animation);
            row.score = Set(version.score);
            row.thumb_key = Set(key("beauty"));
            row.turntable_key = Set(key("turntable"));
        }
        if first {
            row.listed_at = Set(now);
            self.note_price(transaction, id, listing.price).await?;
        }
        let mut listing = row.update(transaction).await?;
        if first {
            let moved = self
                .move_listing(transaction, &listing, State::Listed)
                .await?;
            listing = moved.ok_or_else(|| conflict("状态已改变，请刷新后再试"))?;
        }
        self.note(transaction, id, Change::of(Action::Approved, number))
            .await?;
        let what = match first {
            true => "listingApproved",
            false => "changeApproved",
        };
        self.tell_maker(transaction, &listing, (what, number), "")
            .await?;
        if !first && !version.texts_only {
            self.announce(transaction, &version).await?;
        }
        if listing.state == State::Listed {
            self.publish_changed(transaction, &listing).await?;
        }
        Ok(())
    }

    async fn reject(
        &self,
        transaction: &DatabaseTransaction,
        listing: &listing::Model,
        version: &version::Model,
        action: Action,
        reason: &str,
    ) -> Result<(), ServiceError> {
        let refused = (SUBMITTED, version::State::Rejected);
        self.move_version(transaction, version, refused, |row| {
            row.reason = Set(reason.trim().to_owned());
        })
        .await?;
        if listing.listed_at == 0 {
            self.move_listing(transaction, listing, State::Rejected)
                .await?;
        }
        let change = Change {
            action,
            version: version.number,
            reason: reason.trim(),
        };
        self.note(transaction, &listing.id, change).await?;
        let what = match action {
            Action::Changes => "listingChanges",
            _ => "listingRefused",
        };
        self.tell_maker(transaction, listing, (what, version.number), reason.trim())
            .await
    }

    /// Moves a listing for an operator: taken down, restored or removed.
    pub(super) async fn act(
        &self,
        operator: &Operator,
        form: &ListingActRequest,
        next: State,
    ) -> Result<(), ServiceError> {
        let (action, what, refused) = match next {
            State::TakenDown => (
                Action::TakenDown,
                "listingTakenDown",
                "只有上架过的模型可以下架",
            ),
            State::Listed => (
                match form.unfounded {
                    true => Action::Cleared,
                    false => Action::Restored,
                },
                "listingRestored",
                "只有已被平台下架的模型可以恢复",
            ),
            _ => (
                Action::Removed,
                "listingRemoved",
                "只有已被平台下架的模型可以删除",
            ),
        };
        let transaction = db::begin_write(&self.context.db).await?;
        let before = self.lock(&transaction, &form.listing_id).await?;
        let before = before.ok_or_else(no_such_listing)?;
        // What its maker has withdrawn is shown again by its maker.
        if next == State::Listed && before.state != State::TakenDown {
            return Err(conflict(refused));
        }
        let moved = self.move_listing(&transaction, &before, next).await?;
        let moved = moved.ok_or_else(|| conflict(refused))?;
        let change = Change {
            action,
            version: moved.current_version,
            reason: form.reason.trim(),
        };
        self.note(&transaction, &moved.id, change).await?;
        let about = (what, moved.current_version);
        self.tell_maker(&transaction, &moved, about, form.reason.trim())
            .await?;
        self.publish_changed(&transaction, &moved).await?;
        let audited = (
            json!({"state": before.state.name()}),
            json!({"state": moved.state.name()}),
        );
        self.audit(&transaction, operator, &moved.id, audited, &form.reason)
            .await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }
}
