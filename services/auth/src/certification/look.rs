//! Viewing what was stated. Each view leaves an audit entry, and nothing is shown before that is committed.

use chassis::audit::Deed;
use chassis::db::begin_write;
use chassis::{BusinessError, ServiceError};
use serde_json::json;

use super::form::{Details, ID_BACK, ID_FRONT, LICENSE};
use super::{Certifications, DETAILS, pictures, stamp};
use crate::console::actor::Actor;
use crate::entity::certification::{Kind, Model};

/// Everything that was stated, for the reviewer: name and value, in the order of the form.
pub type Stated = Vec<(&'static str, String)>;

/// Names of the pictures of a kind.
pub(crate) fn pictures_of(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Personal => &[ID_FRONT, ID_BACK],
        Kind::Enterprise => &[LICENSE],
        Kind::Developer => &[],
    }
}

impl Certifications {
    /// What was stated, in clear.
    pub async fn look(&self, id: &str, actor: &Actor<'_>) -> Result<Stated, ServiceError> {
        let record = self.record(&self.context.db, id).await?;
        let stated = stated(self.details_of(&record)?);
        self.looked(&record, DETAILS, actor).await?;
        Ok(stated)
    }

    /// One of its pictures as a JPEG, stamped with the viewer's name.
    pub async fn picture(
        &self,
        id: &str,
        part: &str,
        actor: &Actor<'_>,
    ) -> Result<Vec<u8>, ServiceError> {
        let record = self.record(&self.context.db, id).await?;
        self.refuse_taken(&record, actor)?;
        let known = pictures_of(record.kind);
        let Some(part) = known.iter().find(|known| **known == part) else {
            return Err(BusinessError::not_found("图片不存在").into());
        };
        let store = &*self.context.objects;
        let kept = pictures::open(store, &self.key_of(&record)?, &record.id, part).await?;
        let turn = self.drawing.clone().acquire_owned().await;
        let turn = turn.map_err(anyhow::Error::from)?;
        let name = actor.name().to_owned();
        let drawn = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            stamp::stamped(&kept, &name)
        });
        let picture = drawn.await.map_err(anyhow::Error::from)??;
        self.looked(&record, part, actor).await?;
        Ok(picture)
    }

    /// Records the view. Errors: another operator has claimed the record since it was read.
    async fn looked(
        &self,
        record: &Model,
        part: &str,
        actor: &Actor<'_>,
    ) -> Result<(), ServiceError> {
        let transaction = begin_write(&self.context.db).await?;
        let now = self.record(&transaction, &record.id).await?;
        self.refuse_taken(&now, actor)?;
        let deed = Deed {
            target: &record.id,
            after: json!({"part": part, "loginId": record.login_id}),
            ..Deed::default()
        };
        actor.record(&self.outbox, &transaction, deed).await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }
}

fn stated(details: Details) -> Stated {
    match details {
        Details::Personal { real_name, id_card } => {
            vec![("realName", real_name), ("idCard", id_card)]
        }
        Details::Enterprise {
            company_name,
            credit_code,
            legal_person,
            contact_phone,
        } => vec![
            ("companyName", company_name),
            ("creditCode", credit_code),
            ("legalPerson", legal_person),
            ("contactPhone", contact_phone),
        ],
        Details::Developer {
            direction,
            introduce,
            website,
        } => vec![
            ("direction", direction),
            ("introduce", introduce),
            ("website", website),
        ],
    }
}
