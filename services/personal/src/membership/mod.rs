//! Memberships: a year for each paid order. Of several the higher grade runs first and what is left of a lower one
//! follows, so that nobody loses time that was paid for.

mod counts;
pub(crate) mod terms;

use chassis::ServiceError;
use chassis::messaging::Outbox;
use proto::order::v1::{Membership, OrderPaid};
use proto::personal::v1::{MembershipChanged, MembershipTerm, OrderFulfilled};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{ActiveValue, ConnectionTrait, DatabaseTransaction, QueryOrder, Set};

use self::terms::{Standing, arrange, standing};
use crate::Personal;
use crate::entity::{member, package, term};
use crate::packages::packages_of;

impl Personal {
    pub(crate) async fn standing(&self, login_id: &str) -> Result<Standing, ServiceError> {
        let terms = terms_of(&self.context.db, login_id).await?;
        Ok(standing(&terms, self.context.clock.now_ms()))
    }

    /// Delivers a paid membership, once: the order's id is the term's key.
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
            write(transaction, term).await?;
        }
        let rights = Rights {
            version,
            terms: arranged,
            packages: packages_of(transaction, &paid.owner).await?,
        };
        tell(&self.outbox, transaction, paid, rights, now).await?;
        self.context.fail.at("personal.activated.before_commit")?;
        Ok(())
    }
}

/// What a user has from now on, and the version of it.
pub(crate) struct Rights {
    pub version: i64,
    pub terms: Vec<term::Model>,
    pub packages: Vec<package::Model>,
}

/// Locks the member's row until the transaction ends; answers its new version.
pub(crate) async fn lock_member(
    transaction: &DatabaseTransaction,
    login_id: &str,
) -> Result<i64, DbErr> {
    let row = member::ActiveModel {
        login_id: Set(login_id.to_owned()),
        version: Set(0),
    };
    member::Entity::insert(row)
        .on_conflict(
            OnConflict::column(member::Column::LoginId)
                .do_nothing()
                .to_owned(),
        )
        .exec_without_returning(transaction)
        .await?;
    member::Entity::update_many()
        .col_expr(
            member::Column::Version,
            Expr::col(member::Column::Version).add(1),
        )
        .filter(member::Column::LoginId.eq(login_id))
        .exec(transaction)
        .await?;
    let row = member::Entity::find_by_id(login_id)
        .one(transaction)
        .await?;
    Ok(row.map_or(0, |row| row.version))
}

pub(crate) async fn terms_of(
    connection: &impl ConnectionTrait,
    login_id: &str,
) -> Result<Vec<term::Model>, DbErr> {
    term::Entity::find()
        .filter(term::Column::LoginId.eq(login_id))
        .order_by_asc(term::Column::StartsAt)
        .order_by_asc(term::Column::OrderId)
        .all(connection)
        .await
}

async fn write(transaction: &DatabaseTransaction, term: &term::Model) -> Result<(), DbErr> {
    let mut row: term::ActiveModel = term.clone().into();
    row.order_id = ActiveValue::Set(term.order_id.clone());
    let moved = OnConflict::column(term::Column::OrderId)
        .update_columns([term::Column::StartsAt, term::Column::EndsAt])
        .to_owned();
    term::Entity::insert(row.reset_all())
        .on_conflict(moved)
        .exec_without_returning(transaction)
        .await?;
    Ok(())
}

/// Tells that an order is delivered, and what its owner has from now on.
pub(crate) async fn tell(
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
    outbox
        .add(transaction, &paid.order_id, version, &fulfilled)
        .await?;
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
    outbox
        .add(transaction, &paid.owner, version, &changed)
        .await
}
