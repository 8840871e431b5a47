//! Where uploads go, and temporary credentials for them.

use std::time::Duration;

use chassis::ServiceError;
use proto::personal::v1::StorageParam;

use crate::Personal;

impl Personal {
    /// An anonymous caller learns the address only. The gateway encrypts the fields for a signed-in one.
    pub(crate) async fn storage_param(
        &self,
        login_id: Option<&str>,
    ) -> Result<StorageParam, ServiceError> {
        let server = self.context.objects.public_address().to_owned();
        let Some(login_id) = login_id else {
            return Ok(StorageParam {
                server,
                ..Default::default()
            });
        };
        let away = |error: objectstore::StoreError| {
            tracing::warn!(%error, "no upload credentials");
            ServiceError::Unavailable("object store")
        };
        let prefix = objectstore::user_prefix(login_id).map_err(away)?;
        let life =
            Duration::from_secs(self.config.credential_seconds).min(objectstore::MAX_LIFETIME);
        let issued = self
            .context
            .issuer
            .issue_within(login_id, &prefix, life, &self.quota(login_id).await?)
            .await
            .map_err(away)?;
        let expiration = issued.expiration.unix_timestamp_nanos() / 1_000_000;
        Ok(StorageParam {
            ak: Some(issued.access_key),
            sk: Some(issued.secret_key),
            security_token: Some(issued.session_token),
            server,
            private_bucket: Some(self.context.issuer.bucket().to_owned()),
            expiration: i64::try_from(expiration).ok(),
        })
    }
}
