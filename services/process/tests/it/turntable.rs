use std::os::unix::fs::PermissionsExt;

use chassis::testing::{eventually, shapes};
use proto::process::v1::*;

use crate::support::{Running, engine, sample};

/// Waits for the turntable preview; returns the file with it.
async fn turned(running: &Running, user: &str, id: &str) -> SourceFile {
    eventually("the preview turns", || async {
        let file = running.detail(user, id).await.expect("own file");
        file.turntable_url.is_some().then_some(file)
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_checked_file_gets_a_turned_preview_and_a_twin_its_copy() {
    for shape in shapes() {
        let running = Running::start_with(shape, |settings| {
            settings.set("process", "turntable_frames", 6);
        })
        .await;
        let content = sample("glb", 500);
        let id = running.take_in("u1", "a.glb", content.clone()).await;
        running.checked("u1", &id).await;
        let file = turned(&running, "u1", &id).await;
        assert_eq!(file.status, "ready");
        let objects = running.test.parts.objects.clone();
        let key = format!("d/u1/{id}/turntable.webp");
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("film");
        objects.get_to_file(&key, &path).await.unwrap();
        let film = std::fs::read(&path).unwrap();
        assert_eq!((&film[..4], &film[8..12]), (&b"RIFF"[..], &b"WEBP"[..]));
        let frames = film.windows(4).filter(|w| w == b"ANMF").count();
        assert_eq!(frames, 6);
        let twin = running.take_in("u1", "b.glb", content).await;
        let checked = running.checked("u1", &twin).await;
        assert!(checked.turntable_url.is_some(), "not taken over");
        let delete = FileRequest {
            user_id: String::new(),
            file_id: id.clone(),
        };
        running
            .client()
            .delete_file(running.by("u1", delete))
            .await
            .unwrap();
        eventually("the film is removed", || async {
            objects.head(&key).await.unwrap().is_none().then_some(())
        })
        .await;
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_that_cannot_be_turned_leaves_the_file_as_it_is() {
    for shape in shapes() {
        let folder = tempfile::TempDir::new().unwrap();
        let (script, seen) = (folder.path().join("engine"), folder.path().join("seen"));
        let text = format!(
            "#!/bin/sh\nif [ \"$1\" = render ] && [ \"$4\" = --turntable ]; then echo x >> {seen}; exit 2; fi\nexec {engine} \"$@\"\n",
            seen = seen.display(),
            engine = engine().display()
        );
        std::fs::write(&script, text).unwrap();
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
        let running = Running::start_with(shape, |settings| {
            settings.set("process", "engine", script.display().to_string());
            settings.set("process", "turntable_frames", 6);
        })
        .await;
        let id = running.take_in("u1", "a.glb", sample("glb", 500)).await;
        running.checked("u1", &id).await;
        eventually("the turning is tried", || async {
            seen.exists().then_some(())
        })
        .await;
        // Another file passes after it: the worker is not blocked, and the first file is unchanged.
        let next = running.take_in("u1", "b.glb", sample("glb", 700)).await;
        assert_eq!(running.checked("u1", &next).await.status, "ready");
        let file = running.pictured("u1", &id).await;
        assert_eq!((file.status.as_str(), file.turntable_url), ("ready", None));
        assert!(file.preview_url.is_some());
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_heavy_preview_gets_a_stand_in_and_a_light_one_none() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let heavy = sample("stl", 200_000);
        let id = running.take_in("u1", "a.stl", heavy.clone()).await;
        let file = running.checked("u1", &id).await;
        assert!(!file.proxy_url.is_empty(), "no stand-in");
        let objects = running.test.parts.objects.clone();
        let key = format!("d/u1/{id}/proxy.glb");
        let meta = objects.head(&key).await.unwrap().expect("a stand-in");
        assert!(meta.size <= 300_000, "{}", meta.size);
        let twin = running.take_in("u1", "b.stl", heavy).await;
        let twin = running.checked("u1", &twin).await;
        assert!(!twin.proxy_url.is_empty(), "not taken over");
        let light = running.take_in("u1", "c.glb", sample("glb", 500)).await;
        assert_eq!(running.checked("u1", &light).await.proxy_url, "");
        let delete = FileRequest {
            user_id: String::new(),
            file_id: id,
        };
        running
            .client()
            .delete_file(running.by("u1", delete))
            .await
            .unwrap();
        eventually("the stand-in is removed", || async {
            objects.head(&key).await.unwrap().is_none().then_some(())
        })
        .await;
        running.test.finish().await;
    }
}
