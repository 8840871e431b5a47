//! Pictures of a file, drawn from its preview after the check-up: the thumbnail for lists and the turntable preview. No user waits
//! for them, and their failure affects nothing else.

use std::ffi::OsString;

use chassis::garbage::discard;
use chassis::{ServiceError, db};
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, Set};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{JobError, OUTCOME};
use crate::Process;
use crate::engine::{self, Line};
use crate::entity::check_message::CheckStatus;
use crate::entity::file;
use crate::entity::job::{self, Kind, State};

/// Side lengths in pixels of a thumbnail and of a turntable frame, each twice the largest size shown.
const THUMBNAIL_SIDE: u32 = 512;
const FRAME_SIDE: u32 = 320;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Picture {
    Thumbnail,
    Turntable,
}

impl Picture {
    fn of(kind: Kind) -> Self {
        match kind {
            Kind::Thumbnail => Self::Thumbnail,
            _ => Self::Turntable,
        }
    }

    fn kind(self) -> Kind {
        match self {
            Self::Thumbnail => Kind::Thumbnail,
            Self::Turntable => Kind::Turntable,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Thumbnail => "thumb.png",
            Self::Turntable => "turntable.webp",
        }
    }

    fn media_type(self) -> &'static str {
        match self {
            Self::Thumbnail => "image/png",
            Self::Turntable => "image/webp",
        }
    }

    /// Key next to the preview.
    fn key(self, file: &file::Model) -> String {
        format!("d/{}/{}/{}", file.owner, file.id, self.name())
    }

    fn key_in(self, file: &file::Model) -> &String {
        match self {
            Self::Thumbnail => &file.thumb_key,
            Self::Turntable => &file.turntable_key,
        }
    }

    fn change(self, key: &str) -> file::ActiveModel {
        let key = Set(key.to_owned());
        match self {
            Self::Thumbnail => file::ActiveModel {
                thumb_key: key,
                ..Default::default()
            },
            Self::Turntable => file::ActiveModel {
                turntable_key: key,
                ..Default::default()
            },
        }
    }

    fn engine_arguments(self, frames: u32) -> Vec<OsString> {
        match self {
            Self::Thumbnail => vec!["--size".into(), THUMBNAIL_SIDE.to_string().into()],
            Self::Turntable => vec![
                "--turntable".into(),
                frames.to_string().into(),
                "--size".into(),
                FRAME_SIDE.to_string().into(),
            ],
        }
    }
}

/// Key of a file's thumbnail, which may not exist yet.
pub(crate) fn thumbnail_key(file: &file::Model) -> String {
    Picture::Thumbnail.key(file)
}

impl Process {
    /// Queues a picture of a file that passed its check-up.
    pub(super) async fn queue_picture(
        &self,
        transaction: &DatabaseTransaction,
        file: &file::Model,
        picture: Picture,
    ) -> Result<(), ServiceError> {
        if picture == Picture::Turntable && self.config.turntable_frames < 2 {
            return Ok(());
        }
        self.queue_job(transaction, picture.kind(), &file.owner, &file.id, "")
            .await?;
        Ok(())
    }

    /// Copies the picture of a file with the same bytes; empty if it has none.
    pub(super) async fn known_picture(
        &self,
        picture: Picture,
        twin: &file::Model,
        file: &file::Model,
    ) -> String {
        let known = picture.key_in(twin);
        if known.is_empty() {
            return String::new();
        }
        let key = picture.key(file);
        match self.context.objects.copy(known, &key).await {
            Ok(_) => key,
            // Drawn again instead.
            Err(_) => String::new(),
        }
    }

    pub(super) async fn run_picture(
        &self,
        job: &job::Model,
        stop: &CancellationToken,
    ) -> Result<(), JobError> {
        let picture = Picture::of(job.kind);
        let file = self.source_of(job).await?;
        let file = file
            .filter(|file| !file.deleted && !file.preview_key.is_empty())
            .ok_or(JobError::Gone)?;
        let folder = self.job_folder()?;
        let preview = folder.path().join("preview.glb");
        let made = folder.path().join(picture.name());
        tokio::select! {
            got = self.context.objects.get_to_file(&file.preview_key, &preview) => got?,
            _ = stop.cancelled() => return Err(JobError::Lost),
        };
        let mut arguments = vec!["render".into(), preview.into(), made.clone().into()];
        arguments.extend(picture.engine_arguments(self.config.turntable_frames));
        let (sender, mut lines) = mpsc::channel::<Line>(64);
        let limits = match picture {
            Picture::Thumbnail => self.config.thumbnail_limits(),
            Picture::Turntable => self.config.turntable_limits(),
        }
        .at(job.priority);
        let run = engine::run(&self.config, limits, folder.path(), arguments, sender, stop);
        let drain = async { while lines.recv().await.is_some() {} };
        let (outcome, ()) = tokio::join!(run, drain);
        outcome?;
        let key = picture.key(&file);
        self.context
            .objects
            .put_file(&key, &made, picture.media_type())
            .await?;
        let finished = self.finish_picture(job, &file, picture, &key);
        self.context.ask_database(OUTCOME, finished).await?
    }

    async fn finish_picture(
        &self,
        job: &job::Model,
        file: &file::Model,
        picture: Picture,
        key: &str,
    ) -> Result<(), JobError> {
        let transaction = db::begin_write(&self.context.db).await?;
        let held = self.end_job(&transaction, job, State::Done).await?;
        let kept = file::Entity::update_own(&file.owner)
            .set(picture.change(key))
            .filter(file::Column::Id.eq(&file.id))
            .filter(file::Column::Deleted.eq(false))
            .exec(&transaction)
            .await?;
        if held && kept.rows_affected == 1 {
            transaction.commit().await?;
            if picture == Picture::Thumbnail {
                self.push_success_again(file).await;
            }
            return Ok(());
        }
        transaction.rollback().await?;
        self.forget_unless_kept(file, key).await?;
        Err(JobError::Lost)
    }

    /// Pushes the last message of the check-up again: lists reload on it, and logs recognise its number.
    async fn push_success_again(&self, file: &file::Model) {
        match self.last_message(&self.context.db, &file.id).await {
            Ok(Some(last)) if last.status == CheckStatus::Success => {
                self.push_message(&file.owner, Some(last));
            }
            Ok(_) => {}
            // The list shows the picture on its next load.
            Err(error) => tracing::warn!(%error, "no push of a thumbnail"),
        }
    }

    /// The file was deleted, or another worker took over, while the picture was drawn: discards the object if no file uses it.
    async fn forget_unless_kept(&self, file: &file::Model, key: &str) -> Result<(), JobError> {
        let transaction = db::begin_write(&self.context.db).await?;
        let alive = file::Entity::find_own_by_id(&file.owner, &file.id)
            .filter(file::Column::Deleted.eq(false))
            .count(&transaction)
            .await?;
        if alive == 0 {
            discard(&transaction, self.now(), [&key.to_owned()]).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// The file stays as it is, without the picture.
    pub(super) async fn fail_picture(
        &self,
        job: &job::Model,
        tips: &str,
    ) -> Result<(), ServiceError> {
        tracing::info!(file = %job.file_id, kind = %job.kind, tips, "no picture");
        let transaction = db::begin_write(&self.context.db).await?;
        self.end_job(&transaction, job, State::Failed).await?;
        transaction.commit().await?;
        Ok(())
    }
}
