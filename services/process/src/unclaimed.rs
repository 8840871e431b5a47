//! Removes unused uploads after a day. Temporary credentials cannot delete, so the uploader cannot do it.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use chassis::db::states::Transition;
use sea_orm::entity::prelude::*;
use sea_orm::{Condition, QuerySelect, Set};
use tokio::sync::Mutex;

use crate::Process;
use crate::entity::file::{self, Status};

const PERIOD: Duration = Duration::from_secs(600);
/// Files of an earlier version claimed per round.
const BATCH: u64 = 50;
/// Pages of the store's listing (1,000 objects each) read per round; the next round continues after them.
const PAGES: usize = 50;
/// Prefixes of uploads, and of the copies of claimed files.
const PREFIXES: [&str; 2] = ["u/", "s/"];

/// Progress of the sweeper: a prefix, and the store's continuation token. A large store takes several rounds.
#[derive(Debug, Clone, Default)]
struct Progress {
    prefix: usize,
    behind: Option<String>,
}

impl Process {
    /// Removes uploads older than the limit that no file uses, and copies of deleted files, in the next `pages` pages after
    /// `progress`.
    /// The progress advances page by page, so that a failed round is not lost.
    async fn sweep_unclaimed(&self, progress: &mut Progress, pages: usize) -> anyhow::Result<u64> {
        let before = self.now() / 1000 - self.config.unclaimed_hours * 3600;
        let mut removed = 0;
        for _ in 0..pages {
            let Some(prefix) = PREFIXES.get(progress.prefix) else {
                break;
            };
            let objects = &self.context.objects;
            let page = objects.list(prefix, progress.behind.as_deref()).await?;
            let old = page.objects.into_iter().filter(|o| o.modified < before);
            let old: Vec<String> = old.map(|object| object.key).collect();
            let needed = self.needed(&old).await?;
            for key in old.iter().filter(|key| !needed.contains(*key)) {
                match objects.delete(key).await {
                    Ok(()) => removed += 1,
                    // The others do not wait for it: the next sweep tries it again.
                    Err(error) => tracing::warn!(key, %error, "an unused upload cannot be removed"),
                }
            }
            progress.behind = page.continuation;
            if progress.behind.is_none() {
                progress.prefix += 1;
            }
        }
        if progress.prefix >= PREFIXES.len() {
            *progress = Progress::default();
            removed += self.context.objects.abort_uploads("u/", before).await?;
        }
        Ok(removed)
    }

    /// The keys that a file uses.
    async fn needed(&self, keys: &[String]) -> anyhow::Result<HashSet<String>> {
        if keys.is_empty() {
            return Ok(HashSet::new());
        }
        let uploaded = Condition::all()
            .add(file::Column::KeptKey.eq(""))
            .add(file::Column::ObjectKey.is_in(keys));
        let stands = Condition::any()
            .add(uploaded)
            .add(file::Column::KeptKey.is_in(keys));
        let files: Vec<(String, String)> = file::Entity::find_any()
            .select_only()
            .columns([file::Column::ObjectKey, file::Column::KeptKey])
            .filter(file::Column::Deleted.eq(false))
            .filter(stands)
            .into_tuple()
            .all(&self.context.db)
            .await?;
        Ok(files.into_iter().flat_map(|(a, b)| [a, b]).collect())
    }

    /// Claims files that an earlier version checked without claiming them. A file changed since then fails.
    async fn claim_earlier(&self) -> anyhow::Result<()> {
        let earlier = file::Entity::find_any()
            .filter(file::Column::KeptKey.eq(""))
            .filter(file::Column::Status.eq(Status::Ready))
            .filter(file::Column::Deleted.eq(false))
            .limit(BATCH)
            .all(&self.context.db)
            .await?;
        for file in earlier {
            let id = file.id.clone();
            match self.claim(file).await {
                Ok(_) => {}
                Err(error) if error.is_verdict() => {
                    tracing::warn!(file = id, %error, "a checked file was changed");
                    Transition::to(Status::Failed)
                        .set(file::ActiveModel {
                            tips: Set("文件在体检后被改动，请重新上传".to_owned()),
                            updated_at: Set(self.now()),
                            ..Default::default()
                        })
                        .only(file::Column::Id.eq(&id))
                        .only(file::Column::KeptKey.eq(""))
                        .apply(&self.context.db)
                        .await?;
                }
                Err(error) => tracing::warn!(file = id, %error, "not claimed yet"),
            }
        }
        Ok(())
    }
}

/// Starts the sweeper.
pub(crate) fn spawn(process: &Process) {
    let shutdown = process.context.shutdown.clone();
    let process = process.clone();
    let progress = Arc::new(Mutex::new(Progress::default()));
    shutdown.every(PERIOD, "unclaimed uploads", move || {
        let (process, progress) = (process.clone(), progress.clone());
        async move {
            process.claim_earlier().await?;
            // One round at a time, so the lock is never contended.
            let mut progress = progress.lock().await;
            let removed = process.sweep_unclaimed(&mut progress, PAGES).await?;
            if removed > 0 {
                tracing::info!(removed, "uploads that nothing became of were removed");
            }
            anyhow::Ok(())
        }
    });
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use chassis::testing::{TestParts, shapes};
    use proto::process::v1::ModelCheckingRequest;

    use super::*;

    async fn process(test: &TestParts) -> Process {
        let context = test.migrated::<crate::Migrator>(crate::NAME).await;
        crate::migrate(&context).await.unwrap();
        Process::new(context).unwrap()
    }

    async fn taken_in(process: &Process, name: &str) -> file::Model {
        let objects = &process.context.objects;
        let key = format!("u/u1/{name}");
        objects
            .put_bytes(&key, Bytes::from(name.to_owned()), "")
            .await
            .unwrap();
        let request = ModelCheckingRequest {
            file_name: name.to_owned(),
            file_size: name.len() as i64,
            file_url: format!("{}/{key}", objects.bucket()),
            model_type: 1,
            ..Default::default()
        };
        let id = process.check_model("u1", request).await.unwrap();
        process.own_file("u1", &id).await.unwrap()
    }

    async fn keys(process: &Process) -> Vec<String> {
        let mut keys = Vec::new();
        for prefix in ["u/", "s/"] {
            let page = process.context.objects.list(prefix, None).await.unwrap();
            keys.extend(page.objects.into_iter().map(|object| object.key));
        }
        keys
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_no_check_up_claims_goes_after_a_day() {
        for shape in shapes() {
            let test = TestParts::open(shape, &[crate::DEFAULTS], |_| {}).await;
            // The store dates objects by system time.
            test.parts.clock.reset();
            let process = process(&test).await;
            let objects = process.context.objects.clone();
            for key in [
                "u/u1/never.stl",
                "u/u2/never.stl",
                "s/u1/gone/x.stl",
                "d/u1/result",
            ] {
                objects
                    .put_bytes(key, Bytes::from_static(b"x"), "")
                    .await
                    .unwrap();
            }
            let waiting = taken_in(&process, "waiting.stl").await;
            let kept = process.claim(taken_in(&process, "kept.stl").await).await;
            let kept = kept.unwrap().kept_key;
            let mut progress = Progress::default();
            let removed = process.sweep_unclaimed(&mut progress, PAGES).await;
            assert_eq!(removed.unwrap(), 0);
            assert_eq!(keys(&process).await.len(), 5);
            test.parts.clock.advance_ms(25 * 3_600_000);
            // A round of one page covers the uploads only, the next one the copies.
            let removed = process.sweep_unclaimed(&mut progress, 1).await;
            assert_eq!(removed.unwrap(), 2);
            let removed = process.sweep_unclaimed(&mut progress, 1).await;
            assert_eq!(removed.unwrap(), 1);
            assert_eq!(keys(&process).await, [waiting.object_key, kept]);
            assert!(objects.head("d/u1/result").await.unwrap().is_some());
            test.finish().await;
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn only_what_was_taken_in_is_kept() {
        for shape in shapes() {
            let test = TestParts::open(shape, &[crate::DEFAULTS], |_| {}).await;
            let process = process(&test).await;
            let objects = process.context.objects.clone();
            // Changed before the claim: refused, and no copy remains.
            let file = taken_in(&process, "changed.stl").await;
            objects
                .put_bytes(&file.object_key, Bytes::from_static(b"CHANGED.stl"), "")
                .await
                .unwrap();
            let refused = process.claim(file.clone()).await.unwrap_err();
            assert!(refused.is_verdict(), "{refused}");
            // The same ETag with other bytes, as two files with the same MD5 have.
            let now = objects.head(&file.object_key).await.unwrap().unwrap();
            let forged = file::Model {
                etag: now.etag,
                ..file.clone()
            };
            assert!(process.claim(forged).await.unwrap_err().is_verdict());
            assert_eq!(keys(&process).await, [file.object_key]);
            // Concurrent claims keep one copy, and both read it.
            let file = taken_in(&process, "a.stl").await;
            let (one, two) = tokio::join!(process.claim(file.clone()), process.claim(file.clone()));
            let (one, two) = (one, two);
            let winner = process.own_file("u1", &file.id).await.unwrap();
            for claimed in [one, two].into_iter().flatten() {
                assert_eq!(claimed.kept_key, winner.kept_key);
            }
            assert!(winner.kept_key.starts_with("s/u1/"), "{}", winner.kept_key);
            assert_eq!(
                winner.sha256,
                hex::encode(<sha2::Sha256 as sha2::Digest>::digest("a.stl"))
            );
            assert!(objects.head(&file.object_key).await.unwrap().is_none());
            // Deleted meanwhile: no copy remains.
            let file = taken_in(&process, "b.stl").await;
            process.delete_file("u1", &file.id).await.unwrap();
            assert!(process.claim(file).await.is_err());
            let kept: Vec<String> = keys(&process)
                .await
                .into_iter()
                .filter(|k| k.starts_with("s/"))
                .collect();
            assert_eq!(kept, [winner.kept_key]);
            test.finish().await;
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn files_of_an_earlier_version_are_claimed_unless_they_were_changed() {
        for shape in shapes() {
            let test = TestParts::open(shape, &[crate::DEFAULTS], |_| {}).await;
            let process = process(&test).await;
            let same = taken_in(&process, "same.stl").await;
            let changed = taken_in(&process, "other.stl").await;
            file::Entity::update_any()
                .set(file::ActiveModel {
                    status: Set(Status::Ready),
                    ..Default::default()
                })
                .exec(&process.context.db)
                .await
                .unwrap();
            let objects = &process.context.objects;
            objects
                .put_bytes(&changed.object_key, Bytes::from_static(b"x"), "")
                .await
                .unwrap();
            process.claim_earlier().await.unwrap();
            let same = process.own_file("u1", &same.id).await.unwrap();
            assert_eq!(same.status, Status::Ready);
            assert!(!same.kept_key.is_empty());
            let changed = process.own_file("u1", &changed.id).await.unwrap();
            assert_eq!(changed.status, Status::Failed);
            assert_eq!(changed.tips, "文件在体检后被改动，请重新上传");
            test.finish().await;
        }
    }
}
