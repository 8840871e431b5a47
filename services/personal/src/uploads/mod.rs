//! Upload limits, destination and temporary credentials of a user.

mod ended;

use std::time::Duration;

use chassis::{Caller, ServiceError, SignedIn, grantee};
use facts::MB;
use objectstore::Quota;
use proto::personal::v1::{
    StorageParam, UploadCalls, UploadSetting, UploadSettingsRequest, UserRequest,
};

use crate::Personal;
use crate::packages::packages_of;

impl UploadCalls<ServiceError> for Personal {
    /// Anonymous callers get the address only. The gateway encrypts the fields for signed-in ones.
    async fn get_huawei_param(
        &self,
        caller: &Caller,
        _: UserRequest,
    ) -> Result<StorageParam, ServiceError> {
        let server = self.context.objects.public_address().to_owned();
        let Some(login_id) = caller.user() else {
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
            .issue_within(
                &grantee(caller),
                &prefix,
                life,
                &self.quota(login_id).await?,
            )
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

    /// Members get the limit of their grade, at least that of the free edition.
    async fn get_object_model_file_upload_settings(
        &self,
        caller: &SignedIn,
        _: UploadSettingsRequest,
    ) -> Result<Vec<UploadSetting>, ServiceError> {
        let login_id = caller.login_id();
        let usual = self.uploads.single_max_mb;
        let standing = self.standing(login_id).await?;
        let limit = standing.single_max_mb.unwrap_or(usual).max(usual);
        Ok(self.settings(login_id, false, limit))
    }

    async fn get_scene_model_file_upload_settings(
        &self,
        caller: &SignedIn,
        _: UploadSettingsRequest,
    ) -> Result<Vec<UploadSetting>, ServiceError> {
        Ok(self.settings(caller.login_id(), true, self.uploads.scene_max_mb))
    }
}

impl Personal {
    /// A user's storage limits, for a store that enforces them: the same figures that process checks when it takes a file in.
    pub(crate) async fn quota(&self, login_id: &str) -> Result<Quota, ServiceError> {
        let bytes = |mb: i64| u64::try_from(mb * MB).unwrap_or(0);
        let standing = self.standing(login_id).await?;
        let single = standing.single_max_mb.unwrap_or(0);
        let single = self
            .uploads
            .limit_mb(login_id, single.max(self.uploads.single_max_mb));
        let scene = self.uploads.limit_mb(login_id, self.uploads.scene_max_mb);
        // An archive may hold a model or a scene; which one is known only when it is taken in.
        let archives = self.uploads.accepted(true);
        let by_extension = archives.map(|name| (name.to_owned(), bytes(single.max(scene))));
        let now = self.context.clock.now_ms();
        let packages = packages_of(&self.context.db, login_id).await?;
        let running = packages.iter().filter(|package| package.ends_at > now);
        let extra: i64 = running.map(|package| package.storage_gb).sum();
        let storage = standing.storage_gb.unwrap_or(0);
        let storage = storage.max(self.uploads.storage_gb) + extra;
        Ok(Quota {
            storage_bytes: (!self.uploads.is_unlimited(login_id)).then(|| bytes(storage * 1024)),
            object_bytes: Some(bytes(single)),
            by_extension: by_extension.collect(),
        })
    }

    fn settings(&self, login_id: &str, scene: bool, usual: i64) -> Vec<UploadSetting> {
        let max_size = self.uploads.limit_mb(login_id, usual);
        let setting = |extension: &str| UploadSetting {
            model_format: extension.to_owned(),
            max_size,
        };
        self.uploads.accepted(scene).map(setting).collect()
    }
}
