//! The certification state of an account, derived from its records.

use chassis::ServiceError;
use proto::auth::v1::{
    Certification, CertificationChanged, CertifiedAsReply, MyCertificationReply,
};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::ExprTrait;
use sea_orm::{ConnectionTrait, DatabaseTransaction, QueryOrder};

use super::form::Details;
use super::{Certifications, rules};
use crate::entity::account;
use crate::entity::certification::{self, Kind, Model, State};

/// 0 under review, 1 verified, 2 rejected, 3 not verified.
pub const UNDER_REVIEW: i32 = 0;
pub const VERIFIED: i32 = 1;
pub const REJECTED: i32 = 2;
pub const NOT_VERIFIED: i32 = 3;

/// The submitted records of one account, newest first.
pub struct Records(Vec<Model>);

impl Records {
    pub async fn of(connection: &impl ConnectionTrait, login_id: &str) -> Result<Self, DbErr> {
        let records = certification::Entity::find_own(login_id)
            .filter(certification::Column::State.ne(State::Preparing))
            .order_by_desc(certification::Column::SubmittedAt)
            .order_by_desc(certification::Column::Id)
            .all(connection)
            .await?;
        Ok(Self(records))
    }

    pub fn newest(&self, kind: Kind) -> Option<&Model> {
        self.0.iter().find(|record| record.kind == kind)
    }

    /// The record that certifies this kind.
    pub fn approved(&self, kind: Kind) -> Option<&Model> {
        let stands = |record: &&Model| record.kind == kind && record.state == State::Approved;
        self.0.iter().find(stands)
    }

    /// All but one, newest first.
    pub fn others(&self, id: &str) -> impl Iterator<Item = &Model> {
        self.0.iter().filter(move |record| record.id != id)
    }

    pub fn has(&self, id: &str) -> bool {
        self.0.iter().any(|record| record.id == id)
    }

    /// Whether one is under review: person and enterprise exclude each other, a developer only itself.
    pub fn under_review(&self, kind: Kind) -> bool {
        let developer = kind == Kind::Developer;
        let waits = |record: &Model| {
            record.state == State::Submitted && (record.kind == Kind::Developer) == developer
        };
        self.0.iter().any(waits)
    }

    /// Number of records submitted since.
    pub fn asked_since(&self, since_ms: i64) -> usize {
        self.0
            .iter()
            .filter(|record| record.submitted_at > since_ms)
            .count()
    }

    /// Whether the account is certified as a person or an enterprise.
    pub fn is_verified(&self) -> bool {
        self.approved(Kind::Personal).is_some() || self.approved(Kind::Enterprise).is_some()
    }

    /// The account's state and, when it was rejected, why. What was approved stays while something newer is under review.
    pub fn check_status(&self) -> (i32, &str) {
        if self.is_verified() {
            return (VERIFIED, "");
        }
        let newest = self.0.iter().find(|record| record.kind != Kind::Developer);
        match newest.map(|record| (record.state, record.cause.as_str())) {
            Some((State::Submitted, _)) => (UNDER_REVIEW, ""),
            Some((State::Rejected, cause)) => (REJECTED, cause),
            _ => (NOT_VERIFIED, ""),
        }
    }

    fn event(&self, login_id: &str, version: i64) -> CertificationChanged {
        let (check_status, cause) = self.check_status();
        let shown = |kind: Kind| {
            let record = self.approved(kind);
            record
                .map(|record| record.name_shown.clone())
                .unwrap_or_default()
        };
        CertificationChanged {
            login_id: login_id.to_owned(),
            version,
            check_status,
            cause: cause.to_owned(),
            company_name: shown(Kind::Enterprise),
            real_name_masked: shown(Kind::Personal),
        }
    }
}

/// State of one record in replies.
pub fn status_of(state: State) -> i32 {
    match state {
        State::Preparing | State::Submitted => UNDER_REVIEW,
        State::Approved => VERIFIED,
        State::Rejected => REJECTED,
        State::Withdrawn => NOT_VERIFIED,
    }
}

/// Locks the account until the end of the transaction, so that its records change one after another, and returns the
/// version of that change. Lock order: account, number.
pub async fn hold(transaction: &DatabaseTransaction, login_id: &str) -> Result<i64, ServiceError> {
    let held = account::Entity::update_many()
        .col_expr(
            account::Column::Version,
            Expr::col(account::Column::Version).add(1),
        )
        .filter(account::Column::Id.eq(login_id))
        .exec_with_returning(transaction)
        .await?;
    let account = held
        .into_iter()
        .next()
        .ok_or(ServiceError::Unauthenticated)?;
    Ok(account.version)
}

/// Normalizes a name for comparison.
fn plain(name: &str) -> String {
    let same = |character| match character {
        '（' => '(',
        '）' => ')',
        '•' | '・' | '.' => '·',
        other => other,
    };
    name.split_whitespace()
        .flat_map(str::chars)
        .map(same)
        .collect()
}

impl Certifications {
    /// Whether the account is certified under this name.
    pub(crate) async fn certified_as(
        &self,
        login_id: &str,
        name: &str,
    ) -> Result<CertifiedAsReply, ServiceError> {
        let records = Records::of(&self.context.db, login_id).await?;
        let mut answer = CertifiedAsReply {
            certified: records.is_verified(),
            ..Default::default()
        };
        for kind in [Kind::Personal, Kind::Enterprise] {
            let Some(record) = records.approved(kind) else {
                continue;
            };
            let certified = match self.details_of(record)? {
                Details::Personal { real_name, .. } => real_name,
                Details::Enterprise { company_name, .. } => company_name,
                Details::Developer { .. } => continue,
            };
            if plain(&certified) == plain(name) {
                answer.same = true;
                answer.enterprise = kind == Kind::Enterprise;
            }
        }
        Ok(answer)
    }

    /// Publishes the account's new certification state.
    pub(super) async fn publish(
        &self,
        transaction: &DatabaseTransaction,
        login_id: &str,
        version: i64,
    ) -> Result<(), ServiceError> {
        let records = Records::of(transaction, login_id).await?;
        let event = records.event(login_id, version);
        self.outbox.add(transaction, login_id, &event).await?;
        Ok(())
    }

    /// The caller's own certifications, masked.
    pub async fn mine(&self, login_id: &str) -> Result<MyCertificationReply, ServiceError> {
        let records = Records::of(&self.context.db, login_id).await?;
        let mut certifications = Vec::new();
        for kind in Kind::ALL {
            if let Some(record) = records.newest(*kind) {
                certifications.push(self.masked(record)?);
            }
        }
        Ok(MyCertificationReply {
            check_status: records.check_status().0,
            certifications,
            tries_left: self.tries_left(&records),
        })
    }

    pub(super) fn details_of(&self, record: &Model) -> Result<Details, ServiceError> {
        let key = self.key_of(record)?;
        let sealed = super::of_base64(&record.details)?;
        let plain = key.open(super::DETAILS, &sealed)?;
        serde_json::from_slice(&plain).map_err(|_| super::unreadable(record))
    }

    fn masked(&self, record: &Model) -> Result<Certification, ServiceError> {
        let mut shown = Certification {
            id: record.id.clone(),
            kind: record.kind.name().to_owned(),
            check_status: status_of(record.state),
            cause: Some(record.cause.clone()).filter(|cause| !cause.is_empty()),
            name: record.name_shown.clone(),
            number: record.number_shown.clone(),
            submitted_at: record.submitted_at,
            decided_at: record.decided_at,
            ..Default::default()
        };
        match self.details_of(record)? {
            Details::Personal { .. } => {}
            Details::Enterprise {
                legal_person,
                contact_phone,
                ..
            } => {
                shown.legal_person = rules::masked_name(&legal_person);
                shown.contact_phone = rules::masked_phone(&contact_phone);
            }
            Details::Developer {
                direction,
                introduce,
                website,
            } => {
                (shown.direction, shown.introduce, shown.website) = (direction, introduce, website)
            }
        }
        Ok(shown)
    }
}
