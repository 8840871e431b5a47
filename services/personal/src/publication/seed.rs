//! Publishes what the configuration lists and is not stored yet; from then on operators decide.

use chassis::db;
use serde_json::{Value, json};

use super::{Kind, State};
use crate::Personal;
use crate::entity::{publication, publication_revision};

impl Personal {
    /// Inserts missing rows only: a row that operators changed or withdrew stays.
    pub(crate) async fn seed_publications(&self) -> anyhow::Result<()> {
        let popup = &self.config.popup;
        let mut rows: Vec<(String, Kind, Value)> = Vec::new();
        if popup.status == "1" {
            rows.push(("seed-popup-0".into(), Kind::Popup, json!({"place": 0})));
        }
        let ads = [
            (1, &popup.home_img, &popup.home_link),
            (2, &popup.workbench_img, &popup.workbench_link),
        ];
        for (place, img, link) in ads {
            if !img.is_empty() {
                let ad =
                    json!({"place": place, "img": img, "jumpLink": link, "popRule": popup.rule});
                rows.push((format!("seed-popup-{place}"), Kind::Popup, ad));
            }
        }
        if !self.config.client_url.is_empty() {
            let of = json!({"fileUrl": self.config.client_url});
            rows.push(("seed-client".into(), Kind::ClientVersion, of));
        }
        for link in &self.config.friend_links {
            let of = json!({"name": link.name, "link": link.link});
            rows.push((format!("seed-link-{}", link.id), Kind::FriendLink, of));
        }
        let now = self.context.clock.now_ms();
        for (position, (id, kind, content)) in (0..).zip(rows) {
            let row = publication::Model {
                id: id.clone(),
                kind,
                state: State::Published,
                content: content.to_string(),
                starts_at: now,
                ends_at: 0,
                position,
                version: 1,
                published_version: 1,
                announced_at: now,
                announced_version: 0,
                created_at: now,
                updated_at: now,
            };
            if db::insert_new(row, &self.context.db).await? {
                let revision = publication_revision::Model {
                    publication_id: id,
                    version: 1,
                    content: content.to_string(),
                    starts_at: now,
                    ends_at: 0,
                    position,
                    saved_by: String::new(),
                    created_at: now,
                    published_at: now,
                    restored_from: 0,
                };
                db::insert(revision, &self.context.db).await?;
            }
        }
        Ok(())
    }
}
