//! What the site shows around its pages: popups, friend links, the desktop client, guided tours.

mod grpc;
mod guides;

use proto::personal::v1::{ClientVersion, FriendLink, FriendLinks, PopupSettings};

use crate::Personal;

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
}
