//! The kept copy of an upload: unchanged from its check-up on, counted for its owner, and deleted with its file.

use chassis::testing::{code_of, message_of, shapes};
use proto::code;
use proto::process::v1::*;

use crate::support::{Running, sample, triangle_stl};

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_file_is_gone_with_its_objects() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let request = running.upload("u1", "a.stl", triangle_stl()).await;
        let key = request.file_url.split_once('/').unwrap().1.to_owned();
        let id = running
            .client()
            .model_checking(running.by("u1", request))
            .await
            .unwrap()
            .into_inner()
            .file_id;
        running.checked("u1", &id).await;
        let delete = FileRequest {
            user_id: String::new(),
            file_id: id.clone(),
        };
        running
            .client()
            .delete_file(running.by("u1", delete))
            .await
            .unwrap();
        assert_eq!(
            code_of(&running.detail("u1", &id).await.unwrap_err()),
            code::NOT_FOUND
        );
        let objects = running.test.parts.objects.clone();
        chassis::testing::eventually("the objects are removed", || async {
            let kept = objects.list("s/u1/", None).await.unwrap().objects;
            let uploaded = objects.head(&key).await.unwrap();
            (uploaded.is_none() && kept.is_empty()).then_some(())
        })
        .await;
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_checked_object_can_no_longer_be_replaced() {
    use sha2::{Digest, Sha256};
    for shape in shapes() {
        let running = Running::start(shape).await;
        let objects = running.test.parts.objects.clone();
        let request = running.upload("u1", "a.stl", triangle_stl()).await;
        let key = request.file_url.split_once('/').unwrap().1.to_owned();
        let taken = running
            .client()
            .model_checking(running.by("u1", request.clone()))
            .await;
        let id = taken.unwrap().into_inner().file_id;
        let file = running.checked("u1", &id).await;
        assert_eq!(file.sha256, hex::encode(Sha256::digest(triangle_stl())));
        // What the owner's keys can still write is another object, which does not affect the file.
        let other = sample("stl", 500);
        objects.put_bytes(&key, other.into(), "").await.unwrap();
        let again = running
            .client()
            .model_checking(running.by("u1", request))
            .await;
        assert_eq!(again.unwrap().into_inner().file_id, id);
        let release = ModelReleaseRequest {
            file_id: id.clone(),
            model_name: "三角".into(),
            ..Default::default()
        };
        running
            .client()
            .model_release(running.by("u1", release))
            .await
            .unwrap();
        let download = DownloadRequest {
            file_id: Some(id.clone()),
            ..Default::default()
        };
        let download = running
            .client()
            .download_model_file(running.by("u1", download))
            .await;
        let url = download.unwrap().into_inner().url;
        let path = url.split('?').next().unwrap();
        let kept = &path[path.find("/s/u1/").expect("an address below s/") + 1..];
        let whole = objectstore::ByteRange {
            start: 0,
            end: None,
        };
        assert_eq!(
            objects.get_range(kept, whole).await.unwrap(),
            triangle_stl()
        );
        let result = running
            .submit("u1", &id, "convert", r#"{"format":"ply"}"#)
            .await
            .unwrap();
        let made = running.made("u1", &result).await;
        assert_eq!(
            (made.status.as_str(), made.source_size),
            ("done", triangle_stl().len() as i64)
        );
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn deletes_of_one_file_at_the_same_moment_all_succeed_and_count_once() {
    use sea_orm::{ConnectionTrait, Statement};
    for shape in shapes() {
        let running = Running::start(shape).await;
        let kept = running.take_in("u1", "kept.stl", triangle_stl()).await;
        let id = running.take_in("u1", "a.stl", triangle_stl()).await;
        running.checked("u1", &kept).await;
        running.checked("u1", &id).await;
        let request = || FileRequest {
            user_id: String::new(),
            file_id: id.clone(),
        };
        let deletes = (0..20).map(|_| {
            let (mut client, request) = (running.client(), running.by("u1", request()));
            async move { client.delete_file(request).await }
        });
        for answer in futures::future::join_all(deletes).await {
            answer.expect("60000");
        }
        // Also later; but not for another user, nor for an unknown file.
        let mut client = running.client();
        client
            .delete_file(running.by("u1", request()))
            .await
            .unwrap();
        let foreign = client.delete_file(running.by("u2", request())).await;
        assert_eq!(code_of(&foreign.unwrap_err()), code::NOT_FOUND);
        let unknown = FileRequest {
            file_id: "nothing".into(),
            ..request()
        };
        let unknown = client.delete_file(running.by("u1", unknown)).await;
        assert_eq!(code_of(&unknown.unwrap_err()), code::NOT_FOUND);
        let list = client.list_files(running.by("u1", ListFilesRequest::default()));
        assert_eq!(list.await.unwrap().into_inner().total_count, 1);
        // Two files taken in and one deleted: the counters changed three times, not twenty-two.
        let context = running.test.parts.context(xl_process::NAME).await.unwrap();
        let version = Statement::from_string(
            context.db.get_database_backend(),
            "SELECT version FROM user_counter WHERE owner = 'u1'",
        );
        let row = context.db.query_one_raw(version).await.unwrap().unwrap();
        assert_eq!(row.try_get::<i64>("", "version").unwrap(), 3, "{shape:?}");
        running.test.finish().await;
    }
}

/// UP017, AM059: the same figure as in personal.
#[tokio::test(flavor = "multi_thread")]
async fn an_account_without_limits_takes_what_the_store_takes() {
    let running = Running::start_with(chassis::testing::Shape::Embedded, |settings| {
        settings.set("uploads", "single_max_mb", 1);
        settings.set("uploads", "unlimited_accounts", vec!["u9".to_owned()]);
    })
    .await;
    let sizes = async |user: &str| {
        let request = GetFileMaxSizeRequest {
            model_type: 1,
            ..Default::default()
        };
        let sizes = running
            .client()
            .get_file_max_size(running.by(user, request))
            .await;
        sizes.unwrap().into_inner().max_size
    };
    assert_eq!((sizes("u1").await, sizes("u9").await), (1, 5120));
    let large = vec![b' '; 2 * 1024 * 1024];
    let request = running.upload("u1", "a.stl", large.clone()).await;
    let refused = running
        .client()
        .model_checking(running.by("u1", request))
        .await;
    assert_eq!(message_of(&refused.unwrap_err()), "stl文件大小不得超过1MB");
    running.take_in("u9", "a.stl", large).await;
    running.test.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn uploads_at_the_same_moment_do_not_share_the_last_room() {
    use sea_orm::ConnectionTrait;
    const GB: usize = 1 << 30;
    for shape in shapes() {
        let running = Running::start_with(shape, |settings| {
            settings.set("uploads", "storage_gb", 1);
        })
        .await;
        let first = running.take_in("u1", "first.stl", triangle_stl()).await;
        running.checked("u1", &first).await;
        // Room for one more.
        let used = GB - triangle_stl().len();
        let context = running.test.parts.context(xl_process::NAME).await.unwrap();
        let fill = format!("UPDATE source_file SET file_size = {used} WHERE id = '{first}'");
        context.db.execute_unprepared(&fill).await.unwrap();
        // As if the previous version of the program had changed the file: what the user has is counted anew.
        let anew = "UPDATE user_counter SET version = version + 1";
        context.db.execute_unprepared(anew).await.unwrap();
        let mut requests = Vec::new();
        for number in 0..6 {
            let name = format!("{number}.stl");
            requests.push(running.upload("u1", &name, triangle_stl()).await);
        }
        let asked = requests.into_iter().map(|request| {
            let (mut client, request) = (running.client(), running.by("u1", request));
            async move { client.model_checking(request).await }
        });
        let answers = futures::future::join_all(asked).await;
        let (taken, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
        assert_eq!((taken.len(), refused.len()), (1, 5), "{shape:?}");
        for answer in refused {
            assert_eq!(code_of(&answer.unwrap_err()), code::QUOTA);
        }
        running.test.finish().await;
    }
}
