//! The console's calls.

use chassis::db::list::{cut, page_size};
use chassis::{BusinessError, Operator, ServiceError};
use proto::personal::v1::*;
use sea_orm::entity::prelude::*;
use sea_orm::{Order, QueryOrder, QuerySelect};
use serde_json::json;

use super::{ACCEPTED, Case, Decision, REFUSED, WAITING};
use crate::Personal;
use crate::console::Actor;
use crate::entity::suspect_picture::{self, State as PictureState};
use crate::entity::suspect_text::{self, State as TextState};

/// Decided cases of the same user shown next to a case.
const EARLIER: u64 = 20;

/// Filter and cursor.
struct Wanted<'a> {
    pictures: Vec<PictureState>,
    texts: Vec<TextState>,
    login_id: &'a str,
    after: &'a str,
    order: Order,
}

/// States of both kinds for a state name of the console.
fn states(state: &str) -> Result<(Vec<PictureState>, Vec<TextState>), BusinessError> {
    Ok(match state {
        "" | WAITING => (vec![PictureState::Waiting], vec![TextState::Waiting]),
        ACCEPTED => (vec![PictureState::Passed], vec![TextState::Kept]),
        REFUSED => (vec![PictureState::Refused], vec![TextState::Removed]),
        "decided" => (
            vec![PictureState::Passed, PictureState::Refused],
            vec![TextState::Kept, TextState::Removed],
        ),
        _ => return Err(BusinessError::invalid("状态不正确")),
    })
}

impl ReviewConsoleCalls<ServiceError> for Personal {
    async fn review_list(
        &self,
        _: &Operator,
        form: ReviewListRequest,
    ) -> Result<ReviewListReply, ServiceError> {
        let size = page_size(form.size)?;
        let (mut pictures, mut texts) = states(&form.state)?;
        match form.kind.as_str() {
            "" => {}
            "picture" => texts.clear(),
            "text" => pictures.clear(),
            _ => return Err(BusinessError::invalid("类型不正确").into()),
        }
        let waiting = matches!(form.state.as_str(), "" | WAITING);
        let wanted = Wanted {
            pictures,
            texts,
            login_id: &form.login_id,
            after: &form.after,
            order: if waiting { Order::Asc } else { Order::Desc },
        };
        let mut cases = self.cases(&wanted, size + 1).await?;
        let next = cut(&mut cases, size, |case| case.id().to_owned());
        Ok(ReviewListReply {
            items: self.items(cases).await?,
            next,
            waiting: self.cases_waiting().await?,
        })
    }

    async fn review_claim(
        &self,
        operator: &Operator,
        form: ReviewClaimRequest,
    ) -> Result<ReviewItem, ServiceError> {
        let actor = Actor::Operator(operator);
        self.claim_case(&form.id, form.release, &actor).await
    }

    async fn review_show(
        &self,
        operator: &Operator,
        form: ReviewShowRequest,
    ) -> Result<ReviewShowReply, ServiceError> {
        let id = form.id.as_str();
        let case = Case::find(id, &self.context.db).await?;
        let (pictures, texts) = states("decided")?;
        let wanted = Wanted {
            pictures,
            texts,
            login_id: case.login_id(),
            after: "",
            order: Order::Desc,
        };
        let mut earlier = self.cases(&wanted, EARLIER + 1).await?;
        earlier.retain(|other| other.id() != id);
        earlier.truncate(EARLIER as usize);
        let text = match &case {
            Case::Picture(_) => String::new(),
            Case::Text(row) => row.content.clone(),
        };
        let whose = json!({"loginId": case.login_id()});
        let reply = ReviewShowReply {
            earlier: self.items(earlier).await?,
            item: self.items(vec![case]).await?.pop(),
            text,
        };
        self.record_read(operator, id, whose).await?;
        Ok(reply)
    }

    async fn review_picture(
        &self,
        operator: &Operator,
        form: ReviewPictureRequest,
    ) -> Result<FilePart, ServiceError> {
        let missing = || BusinessError::not_found("没有这张图片，或已按期清理");
        let row = suspect_picture::Entity::find_any_by_id(&form.id)
            .one(&self.context.db)
            .await?;
        let row = row.filter(|row| !row.object_key.is_empty());
        let row = row.ok_or_else(missing)?;
        let name = row.object_key.rsplit('/').next().unwrap_or_default();
        let part = self.file_part(&row.object_key, name, form.offset).await?;
        let part = part.ok_or_else(missing)?;
        let what = json!({"loginId": row.login_id, "offset": form.offset});
        self.record_read(operator, &form.id, what).await?;
        Ok(part)
    }

    async fn review_decide(
        &self,
        operator: &Operator,
        form: ReviewDecideRequest,
    ) -> Result<(), ServiceError> {
        let decision = Decision {
            accept: form.accept,
            ban: form.ban,
            reason: &form.reason,
        };
        let actor = Actor::Operator(operator);
        self.decide_case(&form.id, &decision, &actor).await
    }
}

impl Personal {
    /// Cases of both kinds in one order: their ids sort by time.
    async fn cases(&self, wanted: &Wanted<'_>, limit: u64) -> Result<Vec<Case>, ServiceError> {
        let db = &self.context.db;
        let forward = wanted.order == Order::Asc;
        let (pictures, texts) = match wanted.login_id {
            "" => (
                suspect_picture::Entity::find_any(),
                suspect_text::Entity::find_any(),
            ),
            of => (
                suspect_picture::Entity::find_own(of),
                suspect_text::Entity::find_own(of),
            ),
        };
        let mut pictures = pictures
            .filter(suspect_picture::Column::State.is_in(wanted.pictures.iter().copied()))
            .order_by(suspect_picture::Column::Id, wanted.order.clone())
            .limit(limit);
        let mut texts = texts
            .filter(suspect_text::Column::State.is_in(wanted.texts.iter().copied()))
            .order_by(suspect_text::Column::Id, wanted.order.clone())
            .limit(limit);
        if !wanted.after.is_empty() {
            let (picture, text) = (suspect_picture::Column::Id, suspect_text::Column::Id);
            let after = wanted.after;
            (pictures, texts) = match forward {
                true => (
                    pictures.filter(picture.gt(after)),
                    texts.filter(text.gt(after)),
                ),
                false => (
                    pictures.filter(picture.lt(after)),
                    texts.filter(text.lt(after)),
                ),
            };
        }
        let mut cases = Vec::new();
        if !wanted.pictures.is_empty() {
            cases.extend(pictures.all(db).await?.into_iter().map(Case::Picture));
        }
        if !wanted.texts.is_empty() {
            cases.extend(texts.all(db).await?.into_iter().map(Case::Text));
        }
        cases.sort_by(|a, b| a.id().cmp(b.id()));
        if !forward {
            cases.reverse();
        }
        Ok(cases)
    }

    async fn items(&self, cases: Vec<Case>) -> Result<Vec<ReviewItem>, ServiceError> {
        let now = self.context.clock.now_ms();
        let nicknames = self
            .nicknames(cases.iter().map(|case| case.login_id().to_owned()))
            .await?;
        let items = cases.into_iter().map(|case| {
            let nickname = nicknames.get(case.login_id()).cloned();
            case.item(nickname.unwrap_or_default(), now)
        });
        Ok(items.collect())
    }

    async fn cases_waiting(&self) -> Result<i64, ServiceError> {
        let db = &self.context.db;
        let pictures = suspect_picture::Entity::find_any()
            .filter(suspect_picture::Column::State.eq(PictureState::Waiting))
            .count(db);
        let texts = suspect_text::Entity::find_any()
            .filter(suspect_text::Column::State.eq(TextState::Waiting))
            .count(db);
        Ok((pictures.await? + texts.await?) as i64)
    }
}
