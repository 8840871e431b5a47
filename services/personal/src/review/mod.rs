//! One review queue for pictures and texts that the checks could not decide.

mod console;
mod decide;

use chassis::{BusinessError, ServiceError};
use proto::personal::v1::ReviewItem;
use sea_orm::ConnectionTrait;

pub use decide::Decision;

use crate::entity::{suspect_picture, suspect_text};

const WAITING: &str = "waiting";
const ACCEPTED: &str = "accepted";
const REFUSED: &str = "refused";

/// A case for a reviewer.
enum Case {
    Picture(suspect_picture::Model),
    Text(suspect_text::Model),
}

impl Case {
    async fn find(id: &str, connection: &impl ConnectionTrait) -> Result<Self, ServiceError> {
        let picture = suspect_picture::Entity::find_any_by_id(id)
            .one(connection)
            .await?;
        if let Some(picture) = picture {
            return Ok(Self::Picture(picture));
        }
        let text = suspect_text::Entity::find_any_by_id(id)
            .one(connection)
            .await?;
        let text = text.ok_or_else(|| BusinessError::not_found("没有这条内容"))?;
        Ok(Self::Text(text))
    }

    fn id(&self) -> &str {
        match self {
            Self::Picture(row) => &row.id,
            Self::Text(row) => &row.id,
        }
    }

    fn login_id(&self) -> &str {
        match self {
            Self::Picture(row) => &row.login_id,
            Self::Text(row) => &row.login_id,
        }
    }

    fn state(&self) -> &'static str {
        use suspect_picture::State as Picture;
        use suspect_text::State as Text;
        match self {
            Self::Picture(row) => match row.state {
                Picture::Waiting => WAITING,
                Picture::Passed => ACCEPTED,
                Picture::Refused => REFUSED,
            },
            Self::Text(row) => match row.state {
                Text::Waiting => WAITING,
                Text::Kept => ACCEPTED,
                Text::Removed => REFUSED,
            },
        }
    }

    /// As shown in lists; an expired claim is left out.
    fn item(self, nickname: String, now: i64) -> ReviewItem {
        let state = self.state().to_owned();
        let mut item = match self {
            Self::Picture(row) => ReviewItem {
                id: row.id,
                kind: "picture".to_owned(),
                login_id: row.login_id,
                cause: row.cause,
                created_at: row.created_at,
                claimed_by: row.claimed_by,
                claimed_until: row.claimed_until,
                decided_by: row.decided_by,
                decided_at: row.decided_at.unwrap_or_default(),
                decision: row.decision,
                ..Default::default()
            },
            Self::Text(row) => ReviewItem {
                id: row.id,
                kind: "text".to_owned(),
                login_id: row.login_id,
                place: row.place,
                cause: row.words,
                created_at: row.created_at,
                claimed_by: row.claimed_by,
                claimed_until: row.claimed_until,
                decided_by: row.decided_by,
                decided_at: row.decided_at.unwrap_or_default(),
                decision: row.decision,
                ..Default::default()
            },
        };
        if item.claimed_until <= now || state != WAITING {
            (item.claimed_by, item.claimed_until) = (String::new(), 0);
        }
        ReviewItem {
            state,
            nickname,
            ..item
        }
    }
}
