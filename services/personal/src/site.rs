//! What the site shows everybody: popups, friend links, the desktop client; and the scan of texts.

use chassis::{BusinessError, ServiceError};
use proto::code;
use proto::personal::v1::{
    ClientVersion, FriendLink, FriendLinks, PopupSettings, UploadSetting, UploadSettings,
};

use crate::Personal;

/// Longest text that can be scanned in one call, in characters.
const MAX_SCAN: usize = contentscan::MAX_CHARACTERS;

impl Personal {
    /// Without a type the step after registration, with one the advertisement of the page.
    pub(crate) fn popup(&self, kind: Option<i32>) -> PopupSettings {
        let popup = &self.config.popup;
        let Some(kind) = kind else {
            return PopupSettings {
                status: popup.status.clone(),
                ..Default::default()
            };
        };
        let (img, link) = match kind {
            1 => (&popup.home_img, &popup.home_link),
            _ => (&popup.workbench_img, &popup.workbench_link),
        };
        let shown = !img.is_empty();
        PopupSettings {
            status: if shown { "1" } else { "0" }.to_owned(),
            img: shown.then(|| img.clone()),
            jump_link: shown.then(|| link.clone()),
            pop_rule: shown.then_some(popup.rule),
        }
    }

    pub(crate) fn client_version(&self) -> ClientVersion {
        let url = &self.config.client_url;
        ClientVersion {
            file_url: Some(url.clone()).filter(|url| !url.is_empty()),
        }
    }

    pub(crate) fn friend_links(&self) -> FriendLinks {
        let to_proto = |link: &crate::config::FriendLink| FriendLink {
            id: link.id.clone(),
            link: link.link.clone(),
            name: link.name.clone(),
        };
        FriendLinks {
            links: self.config.friend_links.iter().map(to_proto).collect(),
        }
    }

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

    /// Errors: 60102 with the reason when the text may not be published.
    pub(crate) fn scan_text(&self, text: &str) -> Result<(), BusinessError> {
        if text.chars().count() > MAX_SCAN {
            return Err(BusinessError::invalid("内容过长，最多 20000 个字符"));
        }
        match self.scanner.find(text) {
            None => Ok(()),
            Some(finding) => {
                let message = format!("含有不允许发布的词语「{}」", finding.word);
                Err(BusinessError::new(code::TEXT_REFUSED, message))
            }
        }
    }
}
