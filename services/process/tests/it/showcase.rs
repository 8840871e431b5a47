//! What the mall shows of a file is made once, from a copy out of its owner's reach.

use chassis::testing::{eventually, shapes};
use proto::events::Published;
use proto::process::v1::*;
use sea_orm::{ConnectionTrait, Statement};
use sha2::{Digest, Sha256};

use crate::support::{Running, engine_script, sample};

async fn ask(running: &Running, owner: &str, file_id: &str, version: i32) -> ShowcaseReply {
    let request = ShowcaseRequest {
        listing_id: "l1".to_owned(),
        version,
        file_id: file_id.to_owned(),
        owner: owner.to_owned(),
    };
    let asked = ProcessCommands::showcase(&running.test.parts.bus, &request).await;
    asked.expect("an answer")
}

async fn ended(running: &Running, state: &str, count: i64) {
    eventually("showcases end", || async {
        let query =
            format!("SELECT COUNT(*) FROM job WHERE kind = 'showcase' AND state = '{state}'");
        (running.number(&query).await == count).then_some(())
    })
    .await;
}

async fn delete(running: &Running, user: &str, file_id: &str) {
    let request = FileRequest {
        user_id: String::new(),
        file_id: file_id.to_owned(),
    };
    let mut client = running.client();
    client.delete_file(running.by(user, request)).await.unwrap();
}

async fn release(running: &Running, user: &str, file_id: &str) {
    let request = ModelReleaseRequest {
        file_id: file_id.to_owned(),
        model_name: "一个模型".to_owned(),
        model_type: 1,
        ..Default::default()
    };
    let mut client = running.client();
    client
        .model_release(running.by(user, request))
        .await
        .unwrap();
}

/// The newest event of a kind.
async fn last<E: Published + Default>(running: &Running) -> E {
    let db = running.database().await;
    let query = format!(
        "SELECT body FROM outbox WHERE event_key = '{}' ORDER BY id DESC LIMIT 1",
        E::KEY
    );
    let query = Statement::from_string(db.get_database_backend(), query);
    let row = db.query_one_raw(query).await.unwrap().expect("published");
    let body: Vec<u8> = row.try_get_by_index(0).unwrap();
    E::decode(body.as_slice()).unwrap()
}

/// The mall is notified of a file once: when it is released and has passed its check-up, whichever comes last.
#[tokio::test(flavor = "multi_thread")]
async fn the_mall_hears_of_what_is_released_and_checked() {
    for shape in shapes() {
        let folder = tempfile::TempDir::new().unwrap();
        let held = folder.path().join("held");
        std::fs::write(&held, "").unwrap();
        let held_up = held.display();
        let text = format!(
            "[ \"$1\" = check ] && while [ -e {held_up} ]; do sleep 0.05; done\nexec $ENGINE \"$@\""
        );
        let script = engine_script(folder.path(), &text);
        let running = Running::start_with(shape, |settings| {
            settings.set("process", "engine", script.display().to_string());
        })
        .await;
        let reply = "SELECT COUNT(*) FROM outbox WHERE event_key = 'process.file.released'";
        let uploads = "SELECT COUNT(*) FROM outbox WHERE event_key = 'process.file.uploaded'";
        let id = running.take_in("u1", "a.glb", sample("glb", 500)).await;
        assert_eq!(running.number(uploads).await, 1);
        release(&running, "u1", &id).await;
        assert_eq!(
            running.number(reply).await,
            0,
            "nobody knows yet what it is"
        );
        std::fs::remove_file(&held).unwrap();
        let file = running.checked("u1", &id).await;
        assert_eq!(running.number(reply).await, 1);
        let event: FileReleased = last(&running).await;
        assert_eq!(
            (
                event.file_id.as_str(),
                event.login_id.as_str(),
                event.model_name.as_str()
            ),
            (id.as_str(), "u1", "一个模型")
        );
        assert_eq!(
            (event.sha256, event.triangles, event.score),
            (file.sha256, file.triangles, file.score)
        );
        running.pictured("u1", &id).await;
        let objects = running.test.parts.objects.clone();
        assert!(objects.head(&event.thumb_key).await.unwrap().is_some());

        let late = running.take_in("u1", "b.glb", sample("glb", 600)).await;
        running.checked("u1", &late).await;
        assert_eq!(running.number(reply).await, 1);
        release(&running, "u1", &late).await;
        assert_eq!(running.number(reply).await, 2);
        assert_eq!(running.number(uploads).await, 2, "a check-up is no upload");
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_listing_is_shown_from_a_copy_that_outlives_its_source() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let content = sample("glb", 3000);
        let id = running.take_in("u1", "a.glb", content.clone()).await;
        running.checked("u1", &id).await;
        // Requested twice, made once; only the owner's files can be used.
        let first = ask(&running, "u1", &id, 1).await;
        let again = ask(&running, "u1", &id, 1).await;
        assert!(!first.job_id.is_empty(), "{}", first.reason);
        assert_eq!(first.job_id, again.job_id);
        let foreign = ask(&running, "u2", &id, 1).await;
        assert_eq!(foreign.job_id, "");
        assert!(foreign.reason.contains("源文件"), "{}", foreign.reason);
        ended(&running, "done", 1).await;
        let reply = "SELECT COUNT(*) FROM outbox WHERE event_key = 'process.showcase.finished'";
        assert_eq!(running.number(reply).await, 1);
        let event: ShowcaseFinished = last(&running).await;
        assert_eq!(
            (
                event.listing_id.as_str(),
                event.version,
                event.status.as_str()
            ),
            ("l1", 1, "ready")
        );
        assert_eq!(
            (event.bytes, event.descriptor.len()),
            (content.len() as i64, 64)
        );
        assert!(event.facts.contains("triangles") && !event.facts.contains("descriptor"));
        assert_eq!(event.sha256, hex::encode(Sha256::digest(&content)));
        assert_eq!(
            (event.source_key.as_str(), event.proxy_key.as_str()),
            ("m/l1/1/source.glb", "m/l1/1/proxy.glb")
        );
        let kinds = |kind: &str| event.pictures.iter().filter(|one| one.kind == kind).count();
        assert_eq!(
            (kinds("beauty"), kinds("turntable"), kinds("wire")),
            (6, 1, 6),
            "{event:?}"
        );
        let objects = running.test.parts.objects.clone();
        for name in [
            "proxy.glb",
            "picture-1.webp",
            "wire-top.webp",
            "turntable.webp",
        ] {
            let meta = objects.head(&format!("m/l1/1/{name}")).await.unwrap();
            let meta = meta.unwrap_or_else(|| panic!("{name} is there"));
            assert_ne!(meta.size, content.len() as u64, "{name} is the source");
        }
        // Only keys below p/ are public; the source has no other key.
        let key = "m/l1/1/source.glb";
        assert!(!objectstore::public_key("a", "b").starts_with("m/"));
        delete(&running, "u1", &id).await;
        let kept = "SELECT COUNT(*) FROM garbage";
        eventually("the source is removed", || async {
            (running.number(kept).await == 0).then_some(())
        })
        .await;
        let whole = objectstore::ByteRange {
            start: 0,
            end: None,
        };
        let copy = objects.get_range(key, whole).await.unwrap();
        assert!(copy == content, "the copy changed with its source");
        let gone = ask(&running, "u1", &id, 2).await;
        assert!(gone.job_id.is_empty() && gone.reason.contains("已被删除"));
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_listing_that_cannot_be_shown_tells_why() {
    for shape in shapes() {
        let folder = tempfile::TempDir::new().unwrap();
        let text = r#"[ "$1" = showcase ] || exec $ENGINE "$@"
echo '{"error":{"code":"empty-model","message":"模型中没有可以显示的几何"}}'
exit 2"#;
        let script = engine_script(folder.path(), text);
        let running = Running::start_with(shape, |settings| {
            settings.set("process", "engine", script.display().to_string());
        })
        .await;
        let id = running.take_in("u1", "a.glb", sample("glb", 500)).await;
        running.checked("u1", &id).await;
        let asked = ask(&running, "u1", &id, 1).await;
        assert!(!asked.job_id.is_empty(), "{}", asked.reason);
        ended(&running, "failed", 1).await;
        let event: ShowcaseFinished = last(&running).await;
        assert_eq!(
            (event.status.as_str(), event.source_key.as_str()),
            ("failed", "")
        );
        assert!(
            event.reason.contains("没有可以显示的几何"),
            "{}",
            event.reason
        );
        // A failed showcase can be requested again.
        let again = ask(&running, "u1", &id, 1).await;
        assert!(!again.job_id.is_empty() && again.job_id != asked.job_id);
        running.test.finish().await;
    }
}
