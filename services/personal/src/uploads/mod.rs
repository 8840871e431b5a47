//! What a user may upload, and how large.

mod credentials;
mod grpc;

use chassis::ServiceError;
use facts::MB;
use objectstore::Quota;
use proto::personal::v1::{UploadSetting, UploadSettings};

use crate::Personal;
use crate::packages::packages_of;

impl Personal {
    /// Members may upload what their grade says, and never less than everybody.
    pub(crate) async fn single_settings(
        &self,
        login_id: &str,
    ) -> Result<UploadSettings, ServiceError> {
        let usual = self.uploads.single_max_mb;
        let standing = self.standing(login_id).await?;
        let limit = standing.single_max_mb.unwrap_or(usual).max(usual);
        Ok(self.settings(login_id, false, limit))
    }

    pub(crate) fn scene_settings(&self, login_id: &str) -> UploadSettings {
        self.settings(login_id, true, self.uploads.scene_max_mb)
    }

    /// What a user may store, for a store that counts it: the same figures that process checks when it takes a file in.
    pub(crate) async fn quota(&self, login_id: &str) -> Result<Quota, ServiceError> {
        let bytes = |mb: i64| u64::try_from(mb * MB).unwrap_or(0);
        let standing = self.standing(login_id).await?;
        let single = standing.single_max_mb.unwrap_or(0);
        let single = self
            .uploads
            .limit_mb(login_id, single.max(self.uploads.single_max_mb));
        let scene = self.uploads.limit_mb(login_id, self.uploads.scene_max_mb);
        // An archive may be either, which is only told when it is taken in.
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

    fn settings(&self, login_id: &str, scene: bool, usual: i64) -> UploadSettings {
        let max_size = self.uploads.limit_mb(login_id, usual);
        let setting = |extension: &str| UploadSetting {
            model_format: extension.to_owned(),
            max_size,
        };
        UploadSettings {
            settings: self.uploads.accepted(scene).map(setting).collect(),
        }
    }
}
