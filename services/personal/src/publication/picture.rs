//! Pictures of publications. A picture is public once uploaded, and is kept as long as a revision names it, which is forever since
//! revisions can be restored. A picture that no revision names is swept after a day ([`sweep`]).

use bytes::Bytes;
use chassis::audit::Deed;
use chassis::db::begin_write;
use chassis::{BusinessError, ServiceError};
use proto::personal::v1::{FilePart, PublicationPictureReply};
use sea_orm::DatabaseTransaction;
use sea_orm::entity::prelude::*;
use serde_json::json;

use crate::Personal;
use crate::console::Actor;
use crate::entity::publication_revision;
use crate::pictures::sweep;

/// Maximum size in MB: it is sent in one call.
const MAX_MB: u64 = 3;

impl Personal {
    /// Stores a picture. Undecided ones are accepted: the operator has seen it.
    pub(super) async fn take_picture(
        &self,
        data: Vec<u8>,
        actor: &Actor<'_>,
    ) -> Result<PublicationPictureReply, ServiceError> {
        let size = data.len();
        let checked = self.judge_bytes("", Bytes::from(data), MAX_MB).await?;
        let img = self.publish_picture(&checked).await?;
        let (width, height) = (checked.clean.width, checked.clean.height);
        let deed = Deed {
            target: &img,
            after: json!({"sha256": checked.sha256, "bytes": size, "width": width, "height": height}),
            ..Deed::default()
        };
        let transaction = begin_write(&self.context.db).await?;
        self.record(&transaction, actor, deed).await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(PublicationPictureReply {
            img,
            width: width as i32,
            height: height as i32,
        })
    }

    /// A part of a picture uploaded here.
    pub(super) async fn show_picture(
        &self,
        img: &str,
        offset: i64,
    ) -> Result<FilePart, ServiceError> {
        let missing = || BusinessError::not_found("图片不存在，请重新上传");
        let key = self.own_public_key(img).ok_or_else(missing)?;
        let name = key.rsplit('/').next().unwrap_or_default();
        let part = self.file_part(key, name, offset).await?;
        Ok(part.ok_or_else(missing)?)
    }

    /// Keeps the picture for a revision that is being saved. Errors: it has been swept.
    pub(super) async fn name_picture(
        &self,
        img: &str,
        transaction: &DatabaseTransaction,
    ) -> Result<(), ServiceError> {
        let Some(key) = self.own_public_key(img) else {
            return Ok(());
        };
        if sweep::keep(transaction, key).await? {
            return Ok(());
        }
        let named = publication_revision::Entity::find()
            .filter(publication_revision::Column::Content.contains(key))
            .count(transaction)
            .await?;
        match named {
            0 => Err(BusinessError::invalid("图片已过期，请重新上传").into()),
            _ => Ok(()),
        }
    }
}
