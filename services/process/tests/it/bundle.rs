//! The copies a work keeps of a file are made once, out of its owner's reach.

use chassis::testing::{eventually, shapes};
use proto::process::v1::*;

use crate::support::{Running, sample};

async fn ask(running: &Running, owner: &str, file_id: &str, number: i32) -> BundleReply {
    let request = BundleRequest {
        work_id: "w1".to_owned(),
        number,
        file_id: file_id.to_owned(),
        owner: owner.to_owned(),
    };
    let asked = ProcessCommands::bundle(&running.test.parts.bus, &request).await;
    asked.expect("an answer")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_work_keeps_what_its_source_loses() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let id = running.take_in("u1", "a.glb", sample("glb", 3000)).await;
        running.checked("u1", &id).await;
        let file = running.pictured("u1", &id).await;
        let made = ask(&running, "u1", &id, 1).await;
        assert_eq!(made.state, "ready");
        assert_eq!(
            (made.format.as_str(), made.triangles),
            ("glb", file.triangles)
        );
        assert_eq!(ask(&running, "u2", &id, 1).await.state, "none");
        assert_eq!(ask(&running, "u1", &id, 0).await.state, "none");
        let objects = running.test.parts.objects.clone();
        let kept = objects
            .head(&made.model_key)
            .await
            .unwrap()
            .expect("a copy");
        assert_eq!(kept.size as i64, made.bytes);
        assert!(objects.head(&made.poster_key).await.unwrap().is_some());
        // A repeated request copies nothing.
        let again = ask(&running, "u1", &id, 1).await;
        assert_eq!(again, made);
        let known = objects
            .head(&made.model_key)
            .await
            .unwrap()
            .expect("the copy");
        assert_eq!((known.etag, known.modified), (kept.etag, kept.modified));

        let request = FileRequest {
            user_id: String::new(),
            file_id: id.clone(),
        };
        let mut client = running.client();
        client.delete_file(running.by("u1", request)).await.unwrap();
        eventually("the source is gone", || async {
            let keys = objects.list("d/u1/", None).await.unwrap();
            keys.objects.is_empty().then_some(())
        })
        .await;
        assert!(objects.head(&made.model_key).await.unwrap().is_some());
        assert!(objects.head(&made.poster_key).await.unwrap().is_some());
        assert_eq!(ask(&running, "u1", &id, 1).await.state, "none");
        running.test.finish().await;
    }
}
