//! The files a work keeps of a model: copies of model, stand-in and pictures below `w/{work}/{number}/`, which stay when the file
//! or account is deleted. Each copy is atomic, so a repeated request continues where the last one stopped.

use std::time::Duration;

use chassis::{ServiceError, limit};
use proto::process::v1::{BundleReply, BundleRequest};
use sea_orm::entity::prelude::*;
use tokio::sync::oneshot;

use crate::Process;
use crate::entity::file;
use crate::files::store_away;

/// A reply waits this long for the copies; they continue in the background.
const PATIENCE: Duration = Duration::from_secs(3);

/// Destination prefix. None: an invalid name.
fn folder(request: &BundleRequest) -> Option<String> {
    let (work, number) = (&request.work_id, request.number);
    let usable = (1..=48).contains(&work.len()) && work.bytes().all(|b| b.is_ascii_alphanumeric());
    (usable && number > 0).then(|| format!("w/{work}/{number}/"))
}

impl Process {
    pub(crate) async fn bundle(
        &self,
        request: &BundleRequest,
    ) -> Result<BundleReply, ServiceError> {
        let state = |state: &str| BundleReply {
            state: state.to_owned(),
            ..Default::default()
        };
        let Some(folder) = folder(request) else {
            return Ok(state("none"));
        };
        let file = file::Entity::find_own_by_id(&request.owner, &request.file_id)
            .filter(file::Column::Deleted.eq(false))
            .one(&self.context.db)
            .await?;
        let Some(file) = file else {
            return Ok(state("none"));
        };
        if file.status != file::Status::Ready {
            return Ok(state("unchecked"));
        }
        let (sender, copied) = oneshot::channel();
        let process = self.clone();
        self.context.shutdown.spawn(async move {
            let copied = process.copy_bundle(&file, &folder).await;
            // The receiver may have timed out: a repeated request finds the copies.
            let _ = sender.send(copied);
        });
        match tokio::time::timeout(limit::patient(PATIENCE), copied).await {
            Ok(Ok(copied)) => copied,
            _ => Ok(state("waiting")),
        }
    }

    async fn copy_bundle(
        &self,
        file: &file::Model,
        folder: &str,
    ) -> Result<BundleReply, ServiceError> {
        let copy = |from: String, name: &'static str| async move {
            match from.is_empty() {
                true => Ok((String::new(), 0)),
                false => self.copied_once(&from, format!("{folder}{name}")).await,
            }
        };
        let (model, proxy, poster, turntable) = tokio::try_join!(
            copy(file.preview_key.clone(), "model.glb"),
            copy(file.proxy_key.clone(), "proxy.glb"),
            copy(file.thumb_key.clone(), "poster"),
            copy(file.turntable_key.clone(), "turntable"),
        )?;
        let waiting = poster.0.is_empty();
        Ok(BundleReply {
            state: if waiting { "waiting" } else { "ready" }.to_owned(),
            model_key: model.0,
            proxy_key: proxy.0,
            poster_key: poster.0,
            turntable_key: turntable.0,
            name: file.model_name.clone(),
            format: file.format.clone(),
            bytes: i64::try_from(model.1).unwrap_or(i64::MAX),
            triangles: file.triangles,
            animation: file.animation,
            scene: file.is_scene(),
        })
    }

    /// Key and size of a copy, which is made if missing.
    async fn copied_once(&self, from: &str, to: String) -> Result<(String, u64), ServiceError> {
        let objects = &self.context.objects;
        let copy = match objects.head(&to).await.map_err(store_away)? {
            Some(known) => known,
            None => objects.copy(from, &to).await.map_err(store_away)?,
        };
        Ok((to, copy.size))
    }
}
