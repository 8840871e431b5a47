//! The first start publishes what the configuration names; from then on operators decide.

use sea_orm::Set;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::OnConflict;
use serde_json::{Value, json};

use super::{Kind, State};
use crate::Personal;
use crate::entity::{publication, publication_revision};

impl Personal {
    /// Writes what is not there yet: a row that operators changed or withdrew stays as it is.
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
            let row = publication::ActiveModel {
                id: Set(id.clone()),
                kind: Set(kind),
                state: Set(State::Published),
                content: Set(content.to_string()),
                starts_at: Set(now),
                ends_at: Set(0),
                position: Set(position),
                version: Set(1),
                published_version: Set(1),
                announced_at: Set(now),
                created_at: Set(now),
                updated_at: Set(now),
            };
            let known = OnConflict::column(publication::Column::Id)
                .do_nothing()
                .to_owned();
            let written = publication::Entity::insert(row)
                .on_conflict(known)
                .exec_without_returning(&self.context.db)
                .await?;
            if written > 0 {
                let revision = publication_revision::ActiveModel {
                    publication_id: Set(id),
                    version: Set(1),
                    content: Set(content.to_string()),
                    starts_at: Set(now),
                    ends_at: Set(0),
                    position: Set(position),
                    saved_by: Set(String::new()),
                    created_at: Set(now),
                    published_at: Set(now),
                    restored_from: Set(0),
                };
                publication_revision::Entity::insert(revision)
                    .exec_without_returning(&self.context.db)
                    .await?;
            }
        }
        Ok(())
    }
}
