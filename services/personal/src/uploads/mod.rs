//! What a user may upload, and how large.

mod credentials;
mod grpc;

use chassis::ServiceError;
use proto::personal::v1::{UploadSetting, UploadSettings};

use crate::Personal;

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
