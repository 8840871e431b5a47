//! Makes what the mall shows of a file. Each step can be repeated after a crash: the copy is made once, everything else is
//! overwritten.

use std::path::Path;

use chassis::{ServiceError, db};
use objectstore::ObjectMeta;
use proto::process::v1::{ShowcaseFinished, ShowcasePicture};
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::claim::digest_of;
use super::{JobError, OUTCOME};
use crate::Process;
use crate::config::TimeLimits;
use crate::engine::{self, EngineError, Line};
use crate::entity::file;
use crate::entity::job::{self, State};
use crate::showcase::Subject;

const GONE: &str = "源文件已被删除，请重新上传后再提交";

/// The engine's answer.
#[derive(Deserialize)]
struct Answer {
    files: Vec<Made>,
    facts: serde_json::Value,
}

#[derive(Deserialize)]
struct Made {
    kind: String,
    name: String,
    title: String,
}

/// The copy a showcase is made from.
struct Source {
    key: String,
    sha256: String,
    bytes: i64,
}

impl Process {
    pub(super) async fn run_showcase(
        &self,
        job: &job::Model,
        stop: &CancellationToken,
    ) -> Result<(), JobError> {
        let Some(subject) = Subject::of_job(job) else {
            return Err(JobError::Fault(format!("no subject: {}", job.result_id)));
        };
        // Deleted files are included: their copy may exist already.
        let file = self.source_of(job).await?.ok_or_else(gone)?;
        let folder = self.job_folder()?;
        let path = folder.path().join(format!("source.{}", file.format));
        let source = self.copied(&file, &subject, &path, stop).await?;
        let out = folder.path().join("showcase");
        std::fs::create_dir_all(&out)?;
        let limits = self.config.service_limits(file.is_scene());
        let limits = limits.at(job.priority);
        let answer = self
            .show(&file, &subject, limits, &path, &out, stop)
            .await?;
        let mut event = ShowcaseFinished {
            listing_id: subject.listing.clone(),
            version: subject.version,
            status: "ready".to_owned(),
            source_key: source.key,
            sha256: source.sha256,
            bytes: source.bytes,
            facts: told(&answer.facts),
            descriptor: descriptor_of(&answer.facts)?,
            ..Default::default()
        };
        for made in answer.files {
            if stop.is_cancelled() {
                return Err(JobError::Lost);
            }
            let key = subject.key(&made.name);
            let media_type = match made.name.rsplit_once('.') {
                Some((_, "glb")) => "model/gltf-binary",
                Some((_, "webp")) => "image/webp",
                _ => "application/json",
            };
            let path = out.join(&made.name);
            let objects = &self.context.objects;
            objects.put_file(&key, &path, media_type).await?;
            match made.kind.as_str() {
                "proxy" => event.proxy_key = key,
                "facts" => {}
                _ => event.pictures.push(ShowcasePicture {
                    kind: made.kind,
                    key,
                    title: made.title,
                }),
            }
        }
        let finished = self.finish_showcase(job, event);
        self.context.ask_database(OUTCOME, finished).await?
    }

    /// Copies the file once, and downloads the copy to `path`.
    async fn copied(
        &self,
        file: &file::Model,
        subject: &Subject,
        path: &Path,
        stop: &CancellationToken,
    ) -> Result<Source, JobError> {
        let objects = &self.context.objects;
        let key = subject.key(&format!("source.{}", file.format));
        let whole = |meta: &ObjectMeta| meta.size == file.file_size as u64;
        if !objects.head(&key).await?.as_ref().is_some_and(whole) {
            if file.deleted {
                return Err(gone());
            }
            objects.copy(file.stored_key(), &key).await?;
        }
        tokio::select! {
            got = objects.get_to_file(&key, path) => got?,
            _ = stop.cancelled() => return Err(JobError::Lost),
        };
        let sha256 = digest_of(path).await?;
        if !file.sha256.is_empty() && sha256 != file.sha256 {
            // A wrong object at this key: the next attempt copies again.
            objects.delete(&key).await?;
            return Err(JobError::Fault(format!("{key} is not what was checked")));
        }
        Ok(Source {
            key,
            sha256,
            bytes: file.file_size,
        })
    }

    async fn show(
        &self,
        file: &file::Model,
        subject: &Subject,
        limits: TimeLimits,
        source: &Path,
        out: &Path,
        stop: &CancellationToken,
    ) -> Result<Answer, JobError> {
        let arguments = vec![
            "showcase".into(),
            source.into(),
            out.into(),
            "--name".into(),
            file.file_name.clone().into(),
            "--mark".into(),
            self.config.showcase_mark.clone().into(),
            "--seed".into(),
            subject.listing.clone().into(),
            "--score".into(),
            file.score.max(0).to_string().into(),
        ];
        let (sender, mut lines) = mpsc::channel::<Line>(64);
        let folder = out.parent().unwrap_or(out);
        let run = engine::run(&self.config, limits, folder, arguments, sender, stop);
        let drain = async { while lines.recv().await.is_some() {} };
        let (answer, ()) = tokio::join!(run, drain);
        serde_json::from_value(answer?)
            .map_err(|error| JobError::Fault(format!("the engine's answer: {error}")))
    }

    async fn finish_showcase(
        &self,
        job: &job::Model,
        event: ShowcaseFinished,
    ) -> Result<(), JobError> {
        let transaction = db::begin_write(&self.context.db).await?;
        if !self.end_job(&transaction, job, State::Done).await? {
            transaction.rollback().await?;
            return Err(JobError::Lost);
        }
        self.outbox
            .add(&transaction, &event.listing_id, &event)
            .await?;
        transaction.commit().await?;
        self.committed(false);
        Ok(())
    }

    pub(super) async fn fail_showcase(
        &self,
        job: &job::Model,
        tips: &str,
    ) -> Result<(), ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        if !self.end_job(&transaction, job, State::Failed).await? {
            transaction.rollback().await?;
            return Ok(());
        }
        self.publish_showcase_failed(&transaction, job, tips)
            .await?;
        transaction.commit().await?;
        self.committed(false);
        Ok(())
    }
}

fn gone() -> JobError {
    JobError::Engine(EngineError::BadInput(GONE.to_owned()))
}

/// The facts as people see them: without what models are compared by.
fn told(facts: &serde_json::Value) -> String {
    let mut facts = facts.clone();
    if let Some(facts) = facts.as_object_mut() {
        facts.remove("descriptor");
    }
    facts.to_string()
}

fn descriptor_of(facts: &serde_json::Value) -> Result<Vec<u8>, JobError> {
    let text = facts["descriptor"].as_str().unwrap_or_default();
    hex::decode(text).map_err(|error| JobError::Fault(format!("descriptor: {error}")))
}
