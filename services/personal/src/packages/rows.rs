//! A user's packages.

use proto::personal::v1::StorageRight;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, QueryOrder};

use crate::entity::package;

impl package::Model {
    pub(crate) fn right(&self) -> StorageRight {
        StorageRight {
            storage_gb: self.storage_gb,
            starts_at_ms: self.starts_at,
            ends_at_ms: self.ends_at,
        }
    }
}

/// A user's packages, oldest first.
pub(crate) async fn packages_of(
    connection: &impl ConnectionTrait,
    login_id: &str,
) -> Result<Vec<package::Model>, DbErr> {
    package::Entity::find_own(login_id)
        .order_by_asc(package::Column::StartsAt)
        .order_by_asc(package::Column::OrderId)
        .all(connection)
        .await
}
