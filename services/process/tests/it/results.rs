use chassis::testing::shapes;
use proto::code;
use proto::process::v1::*;

use crate::support::{Running, code as code_of, sample};

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
        running.test.finish().await;
    }
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
        // Another owner has his own.
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
async fn wrong_parameters_and_closed_services_are_told() {
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
    let closed = running.submit("u1", &id, "tile", "").await.unwrap_err();
    assert_eq!(code_of(&closed), code::NOT_OPEN);
    let unknown = running
        .submit("u1", "nothing", "convert", "")
        .await
        .unwrap_err();
    assert_eq!(code_of(&unknown), code::NOT_FOUND);
    running.test.finish().await;
}
