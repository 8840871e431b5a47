//! What one user may store, counted where it is stored; and what is kept out of the user's reach.

use std::time::Duration;

use bytes::Bytes;
use objectstore::{Grantee, Quota, StoreError};
use reqwest::Method;

use crate::harness::{BUCKET, Caller, TestStore, noise};

const KB: usize = 1024;

async fn user_within(store: &TestStore, user: &str, quota: &Quota) -> Caller {
    let issuer = store.embedded.issuer();
    let prefix = format!("u/{user}/");
    let to = Grantee::without_session(user);
    let made = issuer.issue_within(&to, &prefix, Duration::from_secs(600), quota);
    Caller::of(&store.base(), &made.await.unwrap())
}

fn storage(kilobytes: usize) -> Quota {
    Quota {
        storage_bytes: Some((kilobytes * KB) as u64),
        ..Default::default()
    }
}

#[tokio::test]
async fn uploads_at_the_same_moment_do_not_share_the_last_byte() {
    let store = TestStore::start().await;
    let user = user_within(&store, "1", &storage(1000)).await;
    user.put("u/1/first", noise(1, 400 * KB)).await.expect(200);
    let puts = (0..6).map(|n| {
        let user = user.clone();
        async move { user.put(&format!("u/1/{n}"), noise(n, 400 * KB)).await }
    });
    let answers = futures::future::join_all(puts).await;
    let (stored, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|a| a.status == 200);
    assert_eq!((stored.len(), refused.len()), (1, 5));
    for answer in refused {
        answer.refused(403, "QuotaExceeded");
    }
    // To the last byte, and not one more; other keys of the same user count the same, other users do not.
    user.put("u/1/last", noise(9, 200 * KB)).await.expect(200);
    user.put("u/1/more", "x")
        .await
        .refused(403, "QuotaExceeded");
    let again = user_within(&store, "1", &storage(1000)).await;
    again
        .put("u/1/more", "x")
        .await
        .refused(403, "QuotaExceeded");
    let other = user_within(&store, "10", &storage(1000)).await;
    other.put("u/10/x", "x").await.expect(200);
    // What a service deletes is free again.
    let objects = store.embedded.objects(BUCKET).unwrap();
    objects.delete("u/1/last").await.unwrap();
    user.put("u/1/more", noise(9, 200 * KB)).await.expect(200);
    store.stop().await;
}

#[tokio::test]
async fn parts_count_while_an_upload_is_open_and_once_when_it_is_complete() {
    let store = TestStore::start().await;
    let user = user_within(&store, "1", &storage(300)).await;
    let id = user.begin("u/1/x").await;
    let mut parts = Vec::new();
    for number in 1..=2 {
        let part = user.part("u/1/x", &id, number, noise(1, 100 * KB)).await;
        parts.push((number, part.expect(200).header("etag").to_owned()));
    }
    let other = user.begin("u/1/y").await;
    let refused = user.part("u/1/y", &other, 1, noise(2, 101 * KB)).await;
    refused.refused(403, "QuotaExceeded");
    user.put("u/1/z", noise(2, 101 * KB))
        .await
        .refused(403, "QuotaExceeded");
    user.part("u/1/y", &other, 1, noise(2, 100 * KB))
        .await
        .expect(200);
    // Full: completing needs no more room, aborting gives some back.
    user.complete("u/1/x", &id, &parts).await.expect(200);
    user.put("u/1/z", "x").await.refused(403, "QuotaExceeded");
    user.abort("u/1/y", &other).await.expect(204);
    user.put("u/1/z", noise(3, 100 * KB)).await.expect(200);
    store.stop().await;
}

#[tokio::test]
async fn objects_above_the_limit_of_their_kind_are_refused_part_by_part() {
    let store = TestStore::start().await;
    let quota = Quota {
        object_bytes: Some(150 * KB as u64),
        by_extension: [("zip".to_owned(), 300 * KB as u64)].into(),
        ..Default::default()
    };
    let user = user_within(&store, "1", &quota).await;
    let large = noise(1, 200 * KB);
    user.put("u/1/a.glb", large.clone())
        .await
        .refused(400, "EntityTooLarge");
    user.put("u/1/a.ZIP", large.clone()).await.expect(200);
    let id = user.begin("u/1/b.glb").await;
    let first = user
        .part("u/1/b.glb", &id, 1, noise(1, 100 * KB))
        .await
        .expect(200);
    let second = user.part("u/1/b.glb", &id, 2, noise(2, 100 * KB)).await;
    second.refused(400, "EntityTooLarge");
    // Without a limit in the credentials the store's own holds.
    let free = store.user("1").await;
    let etag = free
        .part("u/1/b.glb", &id, 2, noise(2, 100 * KB))
        .await
        .expect(200);
    let parts = [
        (1, first.header("etag").to_owned()),
        (2, etag.header("etag").to_owned()),
    ];
    let complete = user.complete("u/1/b.glb", &id, &parts).await;
    complete.refused(400, "EntityTooLarge");
    store.stop().await;
}

#[tokio::test]
async fn what_is_kept_counts_and_is_out_of_reach() {
    let store = TestStore::start().await;
    let user = user_within(&store, "1", &storage(300)).await;
    user.put("u/1/x", noise(1, 200 * KB)).await.expect(200);
    for objects in [
        store.embedded.objects(BUCKET).unwrap(),
        store.client().await.store,
    ] {
        let original = objects.head("u/1/x").await.unwrap().unwrap();
        let kept = objects.copy_if("u/1/x", &original, "s/1/x").await.unwrap();
        assert_eq!(kept.sha256, original.sha256);
        objects.delete("u/1/x").await.unwrap();
        // Another content, even of the same length, is not taken for it.
        user.put("u/1/y", noise(2, 50 * KB)).await.expect(200);
        let before = objects.head("u/1/y").await.unwrap().unwrap();
        objects
            .put_bytes("u/1/y", noise(3, 50 * KB).into(), "")
            .await
            .unwrap();
        let changed = objects.copy_if("u/1/y", &before, "s/1/y").await;
        assert!(
            matches!(changed, Err(StoreError::PreconditionFailed)),
            "{changed:?}"
        );
        assert!(objects.head("s/1/y").await.unwrap().is_none());
        let gone = objects.copy_if("u/1/none", &before, "s/1/y").await;
        assert!(matches!(gone, Err(StoreError::NoSuchKey(_))), "{gone:?}");
        objects.delete("u/1/y").await.unwrap();
        user.put("u/1/z", noise(4, 101 * KB))
            .await
            .refused(403, "QuotaExceeded");
        for (method, query) in [
            (Method::GET, vec![]),
            (Method::PUT, vec![]),
            (Method::DELETE, vec![]),
            (Method::POST, vec![("uploads", "")]),
        ] {
            user.call(method, "s/1/x", &query, &[], Vec::new())
                .await
                .refused(403, "AccessDenied");
        }
        assert_eq!(user.list(&[("prefix", "s/1/")]).await.status, 403);
        objects.delete("s/1/x").await.unwrap();
        user.put("u/1/x", noise(1, 200 * KB)).await.expect(200);
    }
    store.stop().await;
}

#[tokio::test]
async fn a_service_aborts_old_uploads_of_an_external_store() {
    let store = TestStore::start().await;
    let user = store.user("1").await;
    let remote = store.client().await.store;
    let id = user.begin("u/1/模型 1.glb").await;
    user.part("u/1/模型 1.glb", &id, 1, noise(1, KB))
        .await
        .expect(200);
    let now = time::OffsetDateTime::now_utc().unix_timestamp();
    assert_eq!(remote.abort_uploads("u/", now - 3600).await.unwrap(), 0);
    assert_eq!(remote.abort_uploads("s/", now + 3600).await.unwrap(), 0);
    assert_eq!(remote.abort_uploads("u/", now + 3600).await.unwrap(), 1);
    let part = user.part("u/1/模型 1.glb", &id, 2, noise(1, KB)).await;
    part.refused(404, "NoSuchUpload");
    remote
        .put_bytes("u/1/x", Bytes::from_static(b"x"), "")
        .await
        .unwrap();
    store.stop().await;
}

#[tokio::test]
async fn tiny_objects_of_one_user_end_at_a_number() {
    let store = TestStore::start_with(|config| {
        config.max_unclaimed_per_user = 5;
        config.max_open_uploads_per_user = 2;
    })
    .await;
    let (user, other) = (store.user("1").await, store.user("10").await);
    let puts = (0..8).map(|n| {
        let user = user.clone();
        async move { user.put(&format!("u/1/{n}"), "x").await }
    });
    let answers = futures::future::join_all(puts).await;
    let (stored, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|a| a.status == 200);
    assert_eq!((stored.len(), refused.len()), (5, 3));
    for answer in refused {
        answer.refused(403, "TooManyObjects");
    }
    let begin = user.call(Method::POST, "u/1/y", &[("uploads", "")], &[], Vec::new());
    begin.await.refused(403, "TooManyObjects");
    other.put("u/10/x", "x").await.expect(200);
    // Another content of an object is no more than it.
    let objects = store.embedded.objects(BUCKET).unwrap();
    let page = objects.list("u/1/", None).await.unwrap();
    let keys: Vec<String> = page.objects.into_iter().map(|object| object.key).collect();
    user.put(&keys[0], "other").await.expect(200);
    // What a service takes in counts no more.
    let original = objects.head(&keys[0]).await.unwrap().unwrap();
    objects.copy_if(&keys[0], &original, "s/1/x").await.unwrap();
    for key in &keys[..3] {
        objects.delete(key).await.unwrap();
    }
    // An upload counts, its small parts do, and parts that only storage limits do not.
    let id = user.begin("u/1/y").await;
    let small = user.part("u/1/y", &id, 1, noise(1, KB)).await.expect(200);
    let part = user.part("u/1/y", &id, 2, noise(2, KB)).await.expect(200);
    let third = user.part("u/1/y", &id, 3, noise(3, KB)).await;
    third.refused(403, "TooManyObjects");
    user.part("u/1/y", &id, 3, noise(3, 64 * KB))
        .await
        .expect(200);
    assert_ne!(small.header("etag"), part.header("etag"));
    let store = store.restarted().await;
    // Waits for the index.
    store.root().list(&[("prefix", "u/1/")]).await.expect(200);
    let user = store.user("1").await;
    user.put("u/1/z", "x").await.refused(403, "TooManyObjects");
    // Who has no share of the store has no limit.
    store.root().put("u/1/z", "x").await.expect(200);
    user.abort("u/1/y", &id).await.expect(204);
    user.put("u/1/w", "x").await.expect(200);
    store.stop().await;
}
