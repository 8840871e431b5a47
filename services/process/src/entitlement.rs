//! Membership rights beyond the free edition: a copy of what personal publishes, and the resulting limits.

use chassis::{ServiceError, db, rights};
use facts::MB;
use proto::auth::v1::AccountClosed;
use proto::personal::v1::{MembershipChanged, WordsChanged};
use proto::process::v1::ProcessEvents;
use sea_orm::DatabaseTransaction;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

use crate::Process;
use crate::entity::entitlement;

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Term {
    ends_at: i64,
    storage_gb: i64,
    single_max_mb: i64,
}

/// Storage from a package.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Extra {
    ends_at: i64,
    storage_gb: i64,
}

/// Handles the events of process.
pub(crate) struct Consumer(pub Process);

impl ProcessEvents<DatabaseTransaction> for Consumer {
    async fn personal_words_changed(
        &self,
        transaction: &DatabaseTransaction,
        event: WordsChanged,
    ) -> anyhow::Result<()> {
        chassis::words::changed(transaction, event).await
    }

    async fn personal_membership_changed(
        &self,
        transaction: &DatabaseTransaction,
        body: MembershipChanged,
    ) -> anyhow::Result<()> {
        let terms = body.terms.iter().map(|term| Term {
            ends_at: term.ends_at_ms,
            storage_gb: term.storage_gb,
            single_max_mb: term.single_max_mb,
        });
        let extras = body.storage.iter().map(|right| Extra {
            ends_at: right.ends_at_ms,
            storage_gb: right.storage_gb,
        });
        let row = entitlement::Model {
            owner: body.login_id.clone(),
            version: body.version,
            terms: serde_json::to_string(&terms.collect::<Vec<_>>())?,
            storage: serde_json::to_string(&extras.collect::<Vec<_>>())?,
        };
        let columns = [entitlement::Column::Terms, entitlement::Column::Storage];
        db::upsert_newer(row, entitlement::Column::Version, columns, transaction).await?;
        Ok(())
    }

    async fn auth_account_closed(
        &self,
        transaction: &DatabaseTransaction,
        event: AccountClosed,
    ) -> anyhow::Result<()> {
        Ok(rights::note(&self.0.context, transaction, event).await?)
    }
}

impl Process {
    /// The user's running membership term, and the total GB of the running packages.
    async fn running(&self, owner: &str) -> Result<(Option<Term>, i64), ServiceError> {
        let known = entitlement::Entity::find_by_id(owner)
            .one(&self.context.db)
            .await?;
        let Some(known) = known else {
            return Ok((None, 0));
        };
        let terms: Vec<Term> = serde_json::from_str(&known.terms).map_err(anyhow::Error::from)?;
        let extras: Vec<Extra> =
            serde_json::from_str(&known.storage).map_err(anyhow::Error::from)?;
        let now = self.now();
        let extra = extras.iter().filter(|extra| extra.ends_at > now);
        let extra_gb = extra.map(|extra| extra.storage_gb).sum();
        Ok((terms.into_iter().find(|term| term.ends_at > now), extra_gb))
    }

    /// Maximum upload size of a user in bytes, at least that of the free edition.
    pub(crate) async fn size_limit(&self, owner: &str, scene: bool) -> Result<i64, ServiceError> {
        if scene {
            return Ok(self.uploads.limit_mb(owner, self.uploads.scene_max_mb) * MB);
        }
        let usual = self.uploads.limit_mb(owner, self.uploads.single_max_mb) * MB;
        let (term, _) = self.running(owner).await?;
        Ok(term.map_or(usual, |term| i64::max(usual, term.single_max_mb * MB)))
    }

    /// Storage of a user in GB: the larger of the free edition's and the membership's, plus all packages.
    pub(crate) async fn storage_gb(&self, owner: &str) -> Result<i64, ServiceError> {
        let usual = self.uploads.storage_gb;
        let (term, extra_gb) = self.running(owner).await?;
        Ok(term.map_or(usual, |term| i64::max(usual, term.storage_gb)) + extra_gb)
    }
}
