//! Moves an upload out of its owner's reach. Temporary credentials can overwrite an uploaded object as long as they live, but what
//! is checked, named, released and downloaded must be the same bytes. So a check-up first copies the object, if it is still the one
//! that was taken in, to a key that users cannot write; everything later reads that copy.

use std::io::{self, Read};
use std::path::Path;

use chassis::db;
use chassis::garbage::discard;
use chassis::ids::new_id;
use objectstore::{ObjectMeta, StoreError, kept_prefix};
use sea_orm::Set;
use sea_orm::entity::prelude::*;
use sha2::{Digest, Sha256};

use super::JobError;
use crate::Process;
use crate::engine::EngineError;
use crate::entity::file;

/// Bytes hashed at a time.
const HASH_BLOCK: usize = 256 * 1024;
const CLAIM: &str = "claim of an upload";
const CHANGED: &str = "上传的文件在体检前被改动，请重新上传";

impl Process {
    /// Returns the file with its kept copy, at once if it has one. Concurrent claims make a copy each; the first to store its key
    /// wins.
    pub(crate) async fn claim(&self, file: file::Model) -> Result<file::Model, JobError> {
        if !file.kept_key.is_empty() {
            return Ok(file);
        }
        let key = format!(
            "{}{}/{}.{}",
            kept_prefix(&file.owner)?,
            file.id,
            new_id(),
            file.format
        );
        let kept = self.keep(&file, &key).await?;
        let noted = self.note_kept(&file, &key, &kept);
        let won = self.context.ask_database(CLAIM, noted).await??;
        let needless = if won { &file.object_key } else { &key };
        // Counts twice for its owner until removed; if this fails, the garbage collector removes it.
        if let Err(error) = self.context.objects.delete(needless).await {
            tracing::debug!(%error, "a claimed upload stays for the collector");
        }
        if !won {
            let now = file::Entity::find_own_by_id(&file.owner, &file.id)
                .filter(file::Column::Deleted.eq(false))
                .one(&self.context.db);
            let now = self.context.ask_database(CLAIM, now).await??;
            return now.ok_or(JobError::Gone);
        }
        Ok(file::Model {
            kept_key: key,
            etag: kept.etag,
            sha256: kept.sha256.unwrap_or_default(),
            ..file
        })
    }

    /// Stores the key of the copy, and discards what is needless now; `false` if another claim was first.
    async fn note_kept(
        &self,
        file: &file::Model,
        key: &String,
        kept: &ObjectMeta,
    ) -> Result<bool, DbErr> {
        let transaction = db::begin_write(&self.context.db).await?;
        let noted = file::Entity::update_own(&file.owner)
            .set(file::ActiveModel {
                kept_key: Set(key.clone()),
                etag: Set(kept.etag.clone()),
                sha256: Set(kept.sha256.clone().unwrap_or_default()),
                ..Default::default()
            })
            .filter(file::Column::Id.eq(&file.id))
            .filter(file::Column::Deleted.eq(false))
            .filter(file::Column::KeptKey.eq(""))
            .exec(&transaction)
            .await?;
        let won = noted.rows_affected == 1;
        let needless = if won { &file.object_key } else { key };
        discard(&transaction, self.now(), [needless]).await?;
        transaction.commit().await?;
        Ok(won)
    }

    /// Copies the object only if it is the one that was taken in.
    async fn keep(&self, file: &file::Model, key: &str) -> Result<ObjectMeta, JobError> {
        let objects = &self.context.objects;
        let original = ObjectMeta {
            size: file.file_size as u64,
            etag: file.etag.clone(),
            sha256: Some(file.sha256.clone()).filter(|digest| !digest.is_empty()),
            content_type: None,
            modified: 0,
        };
        let kept = match objects.copy_if(&file.object_key, &original, key).await {
            Err(StoreError::PreconditionFailed) => return Err(changed()),
            copied => copied?,
        };
        // ETags are MD5 and can collide.
        let other =
            original.sha256.is_some() && kept.sha256.is_some() && kept.sha256 != original.sha256;
        if kept.size != original.size || other {
            objects.delete(key).await?;
            return Err(changed());
        }
        Ok(kept)
    }

    /// Compares the fetched file with the stored digest; stores the digest where the object store computes none.
    pub(super) async fn verify(&self, file: &file::Model, fetched: &Path) -> Result<(), JobError> {
        let digest = digest_of(fetched).await?;
        if file.sha256.is_empty() {
            let noted = file::Entity::update_own(&file.owner)
                .set(file::ActiveModel {
                    sha256: Set(digest),
                    ..Default::default()
                })
                .filter(file::Column::Id.eq(&file.id))
                .filter(file::Column::KeptKey.eq(&file.kept_key))
                .exec(&self.context.db);
            self.context.ask_database(CLAIM, noted).await??;
            return Ok(());
        }
        match digest == file.sha256 {
            true => Ok(()),
            false => Err(JobError::Fault(format!(
                "{} is not what was kept: its SHA-256 is {digest}",
                file.kept_key
            ))),
        }
    }
}

fn changed() -> JobError {
    JobError::Engine(EngineError::BadInput(CHANGED.to_owned()))
}

/// SHA-256 of a file in hexadecimal.
pub(super) async fn digest_of(path: &Path) -> io::Result<String> {
    let path = path.to_owned();
    tokio::task::spawn_blocking(move || sha256_of(&path))
        .await
        .map_err(io::Error::other)?
}

fn sha256_of(path: &Path) -> io::Result<String> {
    let mut file = std::fs::File::open(path)?;
    let mut hash = Sha256::new();
    let mut block = vec![0; HASH_BLOCK];
    loop {
        match file.read(&mut block)? {
            0 => return Ok(hex::encode(hash.finalize())),
            length => hash.update(&block[..length]),
        }
    }
}
