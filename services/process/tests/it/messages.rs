//! Messages of a check-up.

use chassis::testing::{PATIENCE, Shape, eventually, shapes};
use proto::events::Published;
use proto::process::v1::*;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::Value;

use crate::support::{Running, engine_script, sample, triangle_stl};

fn status_of(id: &str) -> GetModelStatusRequest {
    GetModelStatusRequest {
        id: id.to_owned(),
        ..Default::default()
    }
}

/// CK014: each message of a check-up, read or pushed, has all fields of the specification; the thumbnail follows the success and is
/// pushed with the same number, so that lists reload and logs do not repeat it.
#[tokio::test(flavor = "multi_thread")]
async fn a_message_of_a_check_up_carries_everything() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let mut pushes = running.test.parts.bus.pushes();
        // With a broker the listener must be ready before the first push; on a busy machine that takes a while.
        let bound = if shape == Shape::Servers { 4 } else { 0 };
        tokio::time::sleep(std::time::Duration::from_secs(bound)).await;
        let content = sample("glb", 800);
        let size = content.len() as i64;
        let id = running.take_in("u1", "a.glb", content).await;
        running.pictured("u1", &id).await;
        let status = running
            .client()
            .get_model_status(running.by("u1", status_of(&id)))
            .await
            .unwrap()
            .into_inner();
        let asked = &status.messages;
        assert_eq!(asked[0].status, "Begin");
        assert!(asked.len() > 3, "{asked:?}");
        let numbers: Vec<i64> = asked.iter().map(|message| message.seq).collect();
        assert_eq!(numbers, (1..=asked.len() as i64).collect::<Vec<_>>());
        for message in asked {
            assert!(!message.tips.is_empty() && message.current_time > 0);
            assert_eq!((message.file_size, message.format.as_str()), (size, "glb"));
        }
        let last = asked.last().unwrap();
        assert_eq!((last.status.as_str(), last.model_num), ("Success", 1));
        // The reply contains the newest message too.
        assert_eq!(
            (
                &status.status,
                &status.tips,
                status.current_time,
                status.file_size,
                &status.format,
                status.animation,
                status.model_num
            ),
            (
                &last.status,
                &last.tips,
                last.current_time,
                last.file_size,
                &last.format,
                last.animation,
                last.model_num
            )
        );
        let mut pushed: Vec<Value> = Vec::new();
        let successes = |pushed: &[Value]| {
            let ends = pushed.iter().filter(|m| m["status"] == "Success");
            ends.count()
        };
        while successes(&pushed) < 2 {
            let push = tokio::time::timeout(PATIENCE, pushes.recv()).await.unwrap();
            let push = push.unwrap();
            let body: Value = serde_json::from_str(&push.json).unwrap_or_default();
            if push.user_id == "u1" && body["type"] == "CHECK" {
                pushed.push(body);
            }
        }
        let again = pushed.pop().unwrap();
        assert_eq!(Some(&again), pushed.last());
        assert_eq!(pushed.len(), asked.len());
        for (push, message) in pushed.iter().zip(asked) {
            assert_eq!(push["id"], id);
            assert_eq!(push["seq"], message.seq);
            assert_eq!(push["status"], message.status);
            assert_eq!(push["tips"], message.tips);
            assert_eq!(push["currentTime"], message.current_time);
            assert_eq!(push["fileSize"], message.file_size);
            assert_eq!(push["format"], message.format);
            assert_eq!(push["animation"], message.animation);
            assert_eq!(push["modelNum"], message.model_num);
        }
        running.test.finish().await;
    }
}

/// Success is reported before anything is drawn: pictures may take any time.
#[tokio::test(flavor = "multi_thread")]
async fn success_comes_before_the_pictures() {
    for shape in shapes() {
        let folder = tempfile::TempDir::new().unwrap();
        let text = "[ \"$1\" = render ] && exec sleep 60\nexec $ENGINE \"$@\"";
        let script = engine_script(folder.path(), text);
        let running = Running::start_with(shape, |settings| {
            settings.set("process", "engine", script.display().to_string());
        })
        .await;
        let id = running.take_in("u1", "a.stl", triangle_stl()).await;
        let file = running.checked("u1", &id).await;
        assert_eq!((file.status.as_str(), file.thumb_url), ("ready", None));
        let status = running
            .client()
            .get_model_status(running.by("u1", status_of(&id)))
            .await
            .unwrap();
        assert_eq!(status.into_inner().status, "Success");
        running.test.finish().await;
    }
}

/// docs/events.md on `ce_version`: the file's version after the check-up; it is higher after a second one.
#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_check_up_carries_the_version_of_the_file() {
    for shape in shapes() {
        let folder = tempfile::TempDir::new().unwrap();
        let broken = folder.path().join("broken");
        std::fs::write(&broken, "").unwrap();
        let text = format!(
            "[ \"$1\" = check ] && [ -e {} ] && kill -9 $$\nexec $ENGINE \"$@\"",
            broken.display()
        );
        let script = engine_script(folder.path(), &text);
        let running = Running::start_with(shape, |settings| {
            settings.set("process", "engine", script.display().to_string());
            settings.set("process", "max_attempts", 1);
        })
        .await;
        let id = running.take_in("u1", "a.stl", triangle_stl()).await;
        assert_eq!(running.checked("u1", &id).await.status, "failed");
        std::fs::remove_file(&broken).unwrap();
        let request = FileRequest {
            user_id: "u1".to_owned(),
            file_id: id.clone(),
        };
        running
            .client()
            .retry_check(running.by("u1", request))
            .await
            .unwrap();
        assert_eq!(running.checked("u1", &id).await.status, "ready");

        let db = running.database().await;
        let sql = format!(
            "SELECT version FROM outbox WHERE event_key = '{}' ORDER BY id",
            CheckFinished::KEY
        );
        let query = Statement::from_string(db.get_database_backend(), sql);
        let rows = db.query_all_raw(query).await.unwrap();
        let versions: Vec<i64> = rows
            .iter()
            .map(|row| row.try_get_by_index(0).unwrap())
            .collect();
        // Taken in, failed, checked again, ready.
        assert_eq!(versions, [2, 4]);
        assert_eq!(running.number("SELECT version FROM source_file").await, 4);
        running.test.finish().await;
    }
}

/// A report of an older engine is not reused.
#[tokio::test(flavor = "multi_thread")]
async fn a_report_of_another_engine_is_not_taken_over() {
    for shape in shapes() {
        let folder = tempfile::TempDir::new().unwrap();
        let seen = folder.path().join("seen");
        let text = format!(
            "[ \"$1\" = check ] && echo x >> {}\nexec $ENGINE \"$@\"",
            seen.display()
        );
        let script = engine_script(folder.path(), &text);
        let running = Running::start_with(shape, |settings| {
            settings.set("process", "engine", script.display().to_string());
        })
        .await;
        let checks = || {
            std::fs::read_to_string(&seen)
                .unwrap_or_default()
                .lines()
                .count()
        };
        let content = sample("glb", 500);
        for (name, expected) in [("a.glb", 1), ("b.glb", 1), ("c.glb", 2)] {
            if name == "c.glb" {
                let older =
                    "UPDATE source_file SET report = replace(report, 'modelkit 0', 'modelkit 0.0')";
                let db = running.database().await;
                db.execute_unprepared(older).await.unwrap();
            }
            let id = running.take_in("u1", name, content.clone()).await;
            assert_eq!(running.checked("u1", &id).await.status, "ready");
            assert_eq!(checks(), expected, "{name}");
        }
        eventually("the thumbnails are drawn", || async {
            let open = "SELECT count(*) FROM job WHERE state IN ('queued', 'running')";
            (running.number(open).await == 0).then_some(())
        })
        .await;
        running.test.finish().await;
    }
}
