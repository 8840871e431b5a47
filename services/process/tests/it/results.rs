use chassis::testing::{code_of, eventually, message_of, shapes};
use objectstore::ByteRange;
use proto::code;
use proto::process::v1::*;
use sea_orm::ConnectionTrait;

use crate::support::{Running, delivery, key_of, sample};

fn number(result: &ServiceResult, path: [&str; 2]) -> f64 {
    let report = result.report.as_ref().expect("a report");
    let Some(prost_types::value::Kind::StructValue(inner)) = report.fields[path[0]].kind.clone()
    else {
        panic!("{path:?} is no object");
    };
    match inner.fields[path[1]].kind {
        Some(prost_types::value::Kind::NumberValue(value)) => value,
        _ => panic!("{path:?} is no number"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lightened_and_converted_results_can_be_downloaded() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let id = running
            .take_in("u1", "齿轮.glb", sample("glb", 20_000))
            .await;
        assert_eq!(running.checked("u1", &id).await.status, "ready");
        let light = r#"{"target":{"kind":"ratio","value":0.2}}"#;
        let result_id = running
            .submit("u1", &id, "lightweight", light)
            .await
            .unwrap();
        let result = running.made("u1", &result_id).await;
        assert_eq!(
            (result.status.as_str(), result.percent),
            ("done", 100),
            "{}",
            result.tips
        );
        let before = number(&result, ["input", "triangles"]);
        let after = number(&result, ["output", "triangles"]);
        assert!((after / before - 0.2).abs() < 0.02, "{before} → {after}");
        assert!(result.preview_url.is_some() && result.source_preview_url.is_some());
        for format in ["obj", "stl", "ply"] {
            let params = format!(r#"{{"format":"{format}"}}"#);
            let result_id = running.submit("u1", &id, "convert", &params).await.unwrap();
            let result = running.made("u1", &result_id).await;
            assert_eq!(result.status, "done", "{format}: {}", result.tips);
            let request = DownloadRequest {
                result_id: Some(result_id),
                ..Default::default()
            };
            let url = running
                .client()
                .download_model_file(running.by("u1", request))
                .await
                .unwrap()
                .into_inner()
                .url;
            assert!(url.contains("X-Amz-Signature"), "{url}");
        }
        let list = CardListRequest {
            service_type: "convert".into(),
            ..Default::default()
        };
        let list = running
            .client()
            .card_list(running.by("u1", list))
            .await
            .unwrap()
            .into_inner();
        assert_eq!((list.total_count, list.results.len()), (3, 3));
        let bytes = "SELECT CAST(SUM(file_size) AS BIGINT) FROM service_result";
        let kept = "SELECT result_bytes FROM user_counter WHERE owner = 'u1'";
        assert!(running.number(bytes).await > 0);
        assert_eq!(running.number(kept).await, running.number(bytes).await);
        running.test.finish().await;
    }
}

/// A model and a delivery of oblique photography become tilesets: one object each with stored entries, so that the viewer reads
/// single tiles by byte ranges.
#[tokio::test(flavor = "multi_thread")]
async fn tilesets_are_one_object_that_can_be_read_in_parts() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let sources = [
            ("齿轮.glb", sample("glb", 20_000), "mesh"),
            ("城市.zip", delivery(4_000), "oblique"),
        ];
        for (name, bytes, kind) in sources {
            let id = running.take_in("u1", name, bytes).await;
            let file = running.checked("u1", &id).await;
            assert_eq!(file.status, "ready", "{:?}", file.tips);
            let result_id = running.submit("u1", &id, "tile", "").await.unwrap();
            let result = running.made("u1", &result_id).await;
            assert_eq!(result.status, "done", "{name}: {}", result.tips);
            assert_eq!(result.format, "3dtiles");
            assert!(number(&result, ["output", "tiles"]) >= 1.0);
            let report = result.report.as_ref().unwrap();
            let answer = report.fields["kind"].kind.clone();
            assert_eq!(
                answer,
                Some(prost_types::value::Kind::StringValue(kind.into()))
            );
            let url = result.preview_url.expect("an address to look at");
            let key = key_of(&url);
            let objects = &running.test.parts.objects;
            let meta = objects.head(&key).await.unwrap().expect("stored");
            assert_eq!(meta.size as i64, result.file_size);
            let start = ByteRange {
                start: 0,
                end: Some(42),
            };
            let object = objects.get_range(&key, start).await.unwrap();
            assert_eq!(&object[30..42], b"tileset.json");
            assert_eq!(&object[8..10], [0, 0], "stored, not compressed");
        }
        running.test.finish().await;
    }
}

/// Our own package, which viewers read directly, and the page that opens from disk, with such a package next to it for viewing.
#[tokio::test(flavor = "multi_thread")]
async fn packages_can_be_looked_at_and_downloaded() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let id = running
            .take_in("u1", "齿轮.glb", sample("glb", 20_000))
            .await;
        assert_eq!(running.checked("u1", &id).await.status, "ready");
        let start = ByteRange {
            start: 0,
            end: Some(8),
        };
        for (service, format, extension) in
            [("amrt", "amrt", ".amrt"), ("offline", "offline", ".zip")]
        {
            if service == "offline" && offline_viewer::page().is_none() {
                // Built without the frontend: the engine and the result report it.
                continue;
            }
            let result_id = running.submit("u1", &id, service, "").await.unwrap();
            let result = running.made("u1", &result_id).await;
            assert_eq!(result.status, "done", "{service}: {}", result.tips);
            assert_eq!(result.format, format);
            let before = number(&result, ["input", "triangles"]);
            assert_eq!(number(&result, ["output", "triangles"]), before);
            let looked = key_of(&result.preview_url.expect("an address to look at"));
            let objects = &running.test.parts.objects;
            let magic = objects.get_range(&looked, start).await.unwrap();
            assert_eq!(&magic[1..5], b"AMRT", "{service}");
            let request = DownloadRequest {
                result_id: Some(result_id),
                ..Default::default()
            };
            let reply = running
                .client()
                .download_model_file(running.by("u1", request))
                .await;
            let url = reply.unwrap().into_inner().url;
            let key = key_of(&url);
            let meta = objects.head(&key).await.unwrap().expect("stored");
            assert_eq!(meta.size as i64, result.file_size);
            assert!(key.ends_with(extension), "{key}");
        }
        running.test.finish().await;
    }
}

/// UP018, GR004. The oblique tab: archives only, a larger limit, and a check-up of the whole delivery.
#[tokio::test(flavor = "multi_thread")]
async fn oblique_photography_is_taken_in_as_a_scene() {
    let running = Running::start(chassis::testing::Shape::Embedded).await;
    let take = async |name: &str, bytes: Vec<u8>, size: Option<i64>| {
        let mut request = running.upload("u1", name, bytes).await;
        request.model_type = 2;
        request.file_size = size.unwrap_or(request.file_size);
        let taken = running
            .client()
            .model_checking(running.by("u1", request))
            .await;
        taken.map(|reply| reply.into_inner().file_id)
    };
    let refused = take("a.glb", sample("glb", 500), None).await.unwrap_err();
    assert_eq!(code_of(&refused), code::INVALID);
    let too_large = Some(5121 * 1024 * 1024);
    let refused = take("a.zip", vec![0; 8], too_large).await.unwrap_err();
    assert_eq!(message_of(&refused), "zip文件大小不得超过5120MB");
    let id = take("城市.zip", delivery(20_000), None).await.unwrap();
    let file = running.checked("u1", &id).await;
    assert_eq!(
        (file.status.as_str(), file.model_type),
        ("ready", 2),
        "{:?}",
        file.tips
    );
    assert_eq!(file.model_num, 2);
    assert!(file.preview_url.is_some());
    for service in ["lightweight", "convert", "amrt", "offline"] {
        let refused = running.submit("u1", &id, service, "").await.unwrap_err();
        assert_eq!(message_of(&refused), "倾斜摄影模型请使用三维瓦片服务");
    }
    let result_id = running.submit("u1", &id, "tile", "").await.unwrap();
    let result = running.made("u1", &result_id).await;
    assert_eq!(result.status, "done", "{}", result.tips);
    assert!(number(&result, ["output", "triangles"]) >= 20_000.0);
    running.test.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_request_is_computed_once() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let bytes = sample("glb", 2000);
        let id = running.take_in("u1", "a.glb", bytes.clone()).await;
        running.checked("u1", &id).await;
        let first = running.submit("u1", &id, "lightweight", "").await.unwrap();
        let same = r#"{"format":"glb","target":{"value":0.1,"kind":"ratio"}}"#;
        assert_eq!(
            running
                .submit("u1", &id, "lightweight", same)
                .await
                .unwrap(),
            first
        );
        // The same bytes under another name.
        let twin = running.take_in("u1", "b.glb", bytes.clone()).await;
        assert_eq!(running.checked("u1", &twin).await.status, "ready");
        assert_eq!(
            running
                .submit("u1", &twin, "lightweight", same)
                .await
                .unwrap(),
            first
        );
        // Another owner has a result of their own.
        let other = running.take_in("u2", "a.glb", bytes).await;
        running.checked("u2", &other).await;
        assert_ne!(
            running
                .submit("u2", &other, "lightweight", same)
                .await
                .unwrap(),
            first
        );
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_stands_for_the_engine_that_made_it() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let id = running.take_in("u1", "a.glb", sample("glb", 500)).await;
        running.checked("u1", &id).await;
        let submit = async || running.submit("u1", &id, "lightweight", "").await.unwrap();
        let first = submit().await;
        running.made("u1", &first).await;
        let db = running.database().await;
        let sql = async |text: &str| db.execute_unprepared(text).await.unwrap();
        // Made by another engine.
        sql("UPDATE service_result SET fingerprint = 'older'").await;
        let second = submit().await;
        assert_ne!(first, second);
        running.made("u1", &second).await;
        // Requested where another engine is, and made by this one.
        sql(&format!("DELETE FROM service_result WHERE id = '{first}'")).await;
        sql("UPDATE service_result SET fingerprint = 'newer', status = 'queued'").await;
        sql("UPDATE job SET state = 'queued' WHERE kind = 'lightweight'").await;
        running.made("u1", &second).await;
        assert_eq!(submit().await, second);
        // The job of the result that is gone has ended too.
        let open = "SELECT count(*) FROM job WHERE state IN ('queued', 'running')";
        eventually("all jobs end", || async {
            (running.number(open).await == 0).then_some(())
        })
        .await;
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_parameters_and_unknown_services_are_told() {
    let running = Running::start(chassis::testing::Shape::Embedded).await;
    let id = running.take_in("u1", "a.glb", sample("glb", 500)).await;
    running.checked("u1", &id).await;
    for params in [
        "{",
        r#"{"target":{"kind":"ratio","value":7}}"#,
        r#"{"format":"exe"}"#,
    ] {
        let refused = running
            .submit("u1", &id, "lightweight", params)
            .await
            .unwrap_err();
        assert_eq!(code_of(&refused), code::INVALID, "{params}");
    }
    let unknown = running.submit("u1", &id, "printing", "").await.unwrap_err();
    assert_eq!(code_of(&unknown), code::INVALID);
    let unknown = running
        .submit("u1", "nothing", "convert", "")
        .await
        .unwrap_err();
    assert_eq!(code_of(&unknown), code::NOT_FOUND);
    running.test.finish().await;
}
