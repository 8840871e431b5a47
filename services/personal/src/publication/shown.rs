//! What the site currently shows of the publications.

use chassis::{BusinessError, ServiceError, SignedIn, db};
use proto::personal::v1 as wire;
use sea_orm::entity::prelude::*;
use sea_orm::{Condition, QueryOrder};
use serde::de::DeserializeOwned;

use super::content::{self, Announcement, ClientVersion, FriendLink, MemberPopup, Popup};
use super::{Announced, Kind, Publication, State};
use crate::Personal;
use crate::entity::{member_popup_closed, publication};

impl Personal {
    pub(super) fn shown_at(&self, now: i64) -> Condition {
        let ends = publication::Column::EndsAt;
        Condition::all()
            .add(publication::Column::State.eq(State::Published))
            .add(publication::Column::StartsAt.lte(now))
            .add(Condition::any().add(ends.eq(0)).add(ends.gt(now)))
    }

    fn current(&self, kind: Kind) -> Select<publication::Entity> {
        publication::Entity::find()
            .filter(publication::Column::Kind.eq(kind))
            .filter(self.shown_at(self.context.clock.now_ms()))
    }

    /// Number of announcements that started after `seen`.
    pub(crate) async fn announced_after(&self, seen: i64) -> Result<u64, ServiceError> {
        let new = self.current(Kind::Announcement);
        let new = new.filter(publication::Column::StartsAt.gt(seen));
        Ok(new.count(&self.context.db).await?)
    }

    /// Published content of a kind, by position, newest first.
    async fn published<T: DeserializeOwned>(
        &self,
        kind: Kind,
    ) -> Result<Vec<(Publication, T)>, ServiceError> {
        let rows = self
            .current(kind)
            .order_by_asc(publication::Column::Position)
            .order_by_desc(publication::Column::StartsAt)
            .order_by_desc(publication::Column::Id)
            .all(&self.context.db)
            .await?;
        let read = |row: Publication| content::read(&row.content).ok().map(|of| (row, of));
        Ok(rows.into_iter().filter_map(read).collect())
    }

    pub(crate) async fn announcements(&self) -> Result<Vec<Announced>, ServiceError> {
        let all = self.published::<Announcement>(Kind::Announcement).await?;
        let announced = all.into_iter().map(|(row, content)| Announced {
            id: row.id,
            content,
            starts_at: row.starts_at,
        });
        Ok(announced.collect())
    }

    /// Without a type the popup after registration, with a type the page's advertisement.
    pub(crate) async fn popup(
        &self,
        kind: Option<i32>,
    ) -> Result<wire::PopupSettings, ServiceError> {
        let place = match kind {
            None => 0,
            Some(1) => 1,
            Some(_) => 2,
        };
        let all = self.published::<Popup>(Kind::Popup).await?;
        let found = all.into_iter().find(|(_, popup)| popup.place == place);
        let status = if found.is_some() { "1" } else { "0" }.to_owned();
        let ad = found.map(|(_, popup)| popup).filter(|_| place > 0);
        Ok(wire::PopupSettings {
            status,
            pop_rule: ad.as_ref().map(|popup| popup.pop_rule),
            jump_link: ad.as_ref().map(|popup| popup.jump_link.clone()),
            img: ad.map(|popup| popup.img),
        })
    }

    pub(crate) async fn client_version(&self) -> Result<wire::ClientVersion, ServiceError> {
        let all = self.published::<ClientVersion>(Kind::ClientVersion).await?;
        let Some((_, newest)) = all.into_iter().next() else {
            return Ok(wire::ClientVersion::default());
        };
        Ok(wire::ClientVersion {
            file_url: Some(newest.file_url),
            version: Some(newest.version),
            sha256: Some(newest.sha256),
            notes: Some(newest.notes),
        })
    }

    pub(crate) async fn friend_links(&self) -> Result<Vec<wire::FriendLink>, ServiceError> {
        let all = self.published::<FriendLink>(Kind::FriendLink).await?;
        let links = all.into_iter().map(|(row, of)| wire::FriendLink {
            id: row.id,
            link: of.link,
            name: of.name,
        });
        Ok(links.collect())
    }
}

impl wire::MemberPopupCalls<ServiceError> for Personal {
    async fn get_member_popup(
        &self,
        caller: &SignedIn,
        request: wire::MemberPopupRequest,
    ) -> Result<Option<wire::MemberPopup>, ServiceError> {
        if request.r#type != 1 {
            return Err(BusinessError::invalid("type 只能是 1").into());
        }
        let all = self.published::<MemberPopup>(Kind::MemberPopup).await?;
        if all.is_empty() {
            return Ok(None);
        }
        let ids: Vec<&str> = all.iter().map(|(row, _)| row.id.as_str()).collect();
        let closed = member_popup_closed::Entity::find_own(caller.login_id())
            .filter(member_popup_closed::Column::PopupId.is_in(ids))
            .all(&self.context.db)
            .await?;
        let open = all
            .into_iter()
            .find(|(row, _)| !closed.iter().any(|of| of.popup_id == row.id));
        Ok(open.map(|(row, of)| wire::MemberPopup {
            id: row.id,
            tip_text: of.tip_text,
        }))
    }

    async fn cancel_member_popup(
        &self,
        caller: &SignedIn,
        request: wire::MemberPopupClosed,
    ) -> Result<(), ServiceError> {
        let known = publication::Entity::find_by_id(&request.popup_id)
            .filter(publication::Column::Kind.eq(Kind::MemberPopup))
            .one(&self.context.db)
            .await?;
        if known.is_none() {
            return Err(BusinessError::not_found("没有这个弹窗").into());
        }
        let row = member_popup_closed::Model {
            login_id: caller.login_id().to_owned(),
            popup_id: request.popup_id,
            closed_at: self.context.clock.now_ms(),
        };
        db::insert_new(row, &self.context.db).await?;
        Ok(())
    }
}
