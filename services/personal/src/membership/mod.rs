//! Memberships: one year per paid order. The higher grade runs first, what is left of a lower one follows, so that no paid time is
//! lost.

mod counts;
pub(crate) mod terms;

use chassis::messaging::Outbox;
use chassis::{ServiceError, db};
use proto::order::v1::{Membership, OrderPaid};
use proto::personal::v1::{MembershipChanged, MembershipTerm, OrderFulfilled};
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, DatabaseTransaction, QueryOrder};

use self::terms::{Standing, arrange, standing};
use crate::Personal;
use crate::entity::{member, package, term};
use crate::packages::packages_of;

impl Personal {
    pub(crate) async fn standing(&self, login_id: &str) -> Result<Standing, ServiceError> {
        let terms = terms_of(&self.context.db, login_id).await?;
        Ok(standing(&terms, self.context.clock.now_ms()))
    }

    /// Delivers a paid membership. Idempotent: the order's id is the term's key.
    pub(crate) async fn activate(
        &self,
        transaction: &DatabaseTransaction,
        paid: &OrderPaid,
        bought: &Membership,
    ) -> anyhow::Result<()> {
        let now = self.context.clock.now_ms();
        let version = lock_member(transaction, &paid.owner).await?;
        let mut terms = terms_of(transaction, &paid.owner).await?;
        if terms.iter().any(|term| term.order_id == paid.order_id) {
            return Ok(());
        }
        terms.retain(|term| term.ends_at > now);
        let grade = bought.grade.clone().unwrap_or_default();
        let fresh = term::Model {
            order_id: paid.order_id.clone(),
            login_id: paid.owner.clone(),
            grade_id: grade.id,
            grade_name: grade.name,
            rank: bought.rank,
            storage_gb: grade.storage_gb,
            single_max_mb: grade.single_max_mb,
            mall_counts: Some(grade.model_mall_charge_model_downloads),
            lightweight_counts: Some(grade.single_model_lightweight),
            conversion_counts: Some(grade.model_format_conversion),
            offline_counts: Some(grade.single_model_offline_package),
            starts_at: 0,
            ends_at: 0,
        };
        let arranged = arrange(terms, fresh, bought.months, now);
        for term in &arranged {
            let dates = [term::Column::StartsAt, term::Column::EndsAt];
            db::upsert(term.clone(), dates, transaction).await?;
        }
        let rights = Rights {
            version,
            terms: arranged,
            packages: packages_of(transaction, &paid.owner).await?,
        };
        publish_changed(&self.outbox, transaction, paid, rights, now).await?;
        self.context.fail.at("personal.activated.before_commit")?;
        Ok(())
    }
}

/// What a user is entitled to from now on, with its version.
pub(crate) struct Rights {
    pub version: i64,
    pub terms: Vec<term::Model>,
    pub packages: Vec<package::Model>,
}

/// Locks the member's row until the transaction ends; returns its new version.
pub(crate) async fn lock_member(
    transaction: &DatabaseTransaction,
    login_id: &str,
) -> Result<i64, DbErr> {
    let row = member::Model {
        login_id: login_id.to_owned(),
        version: 1,
    };
    db::count_version(row, member::Column::Version, transaction).await
}

pub(crate) async fn terms_of(
    connection: &impl ConnectionTrait,
    login_id: &str,
) -> Result<Vec<term::Model>, DbErr> {
    term::Entity::find_own(login_id)
        .order_by_asc(term::Column::StartsAt)
        .order_by_asc(term::Column::OrderId)
        .all(connection)
        .await
}

/// Publishes that an order is delivered, and what its owner is entitled to from now on.
pub(crate) async fn publish_changed(
    outbox: &Outbox,
    transaction: &DatabaseTransaction,
    paid: &OrderPaid,
    rights: Rights,
    now: i64,
) -> Result<(), DbErr> {
    let version = rights.version;
    let fulfilled = OrderFulfilled {
        order_id: paid.order_id.clone(),
        fulfilled_at_ms: now,
    };
    outbox.add(transaction, &paid.order_id, &fulfilled).await?;
    let to_proto = |term: term::Model| MembershipTerm {
        grade_id: term.grade_id,
        grade_name: term.grade_name,
        rank: term.rank,
        starts_at_ms: term.starts_at,
        ends_at_ms: term.ends_at,
        storage_gb: term.storage_gb,
        single_max_mb: term.single_max_mb,
    };
    let changed = MembershipChanged {
        login_id: paid.owner.clone(),
        version,
        terms: rights.terms.into_iter().map(to_proto).collect(),
        storage: rights
            .packages
            .iter()
            .filter(|package| package.ends_at > now)
            .map(package::Model::right)
            .collect(),
    };
    outbox.add(transaction, &paid.owner, &changed).await
}
